// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A program launches a kernel a thousand times; what its author wants to know fits on one line: how
// much workspace was reserved for it, and how much of that any launch has touched.
#include "runtime/workspace_report.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <tuple>

#include "base/option.h"
#include "workspace/usage.h"

namespace hostnpu::runtime {
namespace {

struct Row {
  uint64_t launches = 0;
  int64_t touched_bytes = 0;
};
struct Ledger {
  std::mutex mutex;
  // By owner, then by workspace and size.
  std::map<std::string, std::map<std::pair<std::string, int64_t>, Row>> rows;
  bool hooked = false;
};
Ledger& TheLedger() {
  static Ledger& ledger = *new Ledger;
  return ledger;
}

std::atomic<bool>& Asked() {
  static std::atomic<bool> asked(base::EnvNumber("HOSTNPU_WORKSPACE_REPORT", 0, 0, 1) != 0);
  return asked;
}

void PrintReport() {
  const std::string text = RenderWorkspaceReport();
  if (text.empty()) return;
  fflush(stdout);
  fputs(text.c_str(), stderr);
}

}  // namespace

bool ReportsWorkspaces() { return Asked().load(std::memory_order_relaxed); }

void SetReportsWorkspaces(bool reports) {
  Ledger& ledger = TheLedger();
  std::lock_guard lock(ledger.mutex);
  ledger.rows.clear();
  Asked().store(reports);
}

void CountWorkspace(const std::string& owner, const std::string& name, int64_t declared_bytes,
                    int64_t touched_bytes) {
  Ledger& ledger = TheLedger();
  std::lock_guard lock(ledger.mutex);
  if (!std::exchange(ledger.hooked, true)) atexit(PrintReport);
  Row& row = ledger.rows[owner][{name, declared_bytes}];
  row.launches += 1;
  row.touched_bytes = std::max(row.touched_bytes, touched_bytes);
}

std::string RenderWorkspaceReport() {
  Ledger& ledger = TheLedger();
  std::lock_guard lock(ledger.mutex);
  std::string text;
  for (const auto& [owner, rows] : ledger.rows) {
    workspace::ArenaPlan plan;
    plan.owner = owner;
    for (const auto& [key, row] : rows) {
      workspace::Slot slot;
      slot.name =
          fmt::format("{} ({} launch{})", key.first, row.launches, row.launches == 1 ? "" : "es");
      slot.bytes = key.second;
      plan.slots.push_back(std::move(slot));
    }
    workspace::Usage usage(plan);
    size_t index = 0;
    for (const auto& [key, row] : rows) usage.Touch(index++, 0, row.touched_bytes);
    text += usage.Render();
    for (const std::string& warning : usage.WasteWarnings()) text += "warning: " + warning + "\n";
  }
  return text;
}

}  // namespace hostnpu::runtime
