// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The operators of all loaded libraries, and the executors of planned calls.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <mutex>
#include <unordered_map>

#include "runtime/operator_call.h"

namespace hostnpu::runtime {

using op::Operator;

base::Error InvalidCall(std::string message, int number) {
  base::Error error{base::Code::kInvalidArgument, std::move(message)};
  error.number = number;
  return error;
}

base::Error FailedCall(std::string message, int number) {
  base::Error error{base::Code::kInvalidState, std::move(message)};
  error.number = number;
  return error;
}

struct OperatorTable::State {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<Operator>> entries;
  std::map<std::string, workspace::Contents> contents;
};

OperatorTable& OperatorTable::Get() {
  static OperatorTable& table = *new OperatorTable;
  return table;
}

OperatorTable::State& OperatorTable::state() const {
  static State& state = *new State;
  return state;
}

Operator& OperatorTable::Entry(const std::string& type) {
  std::lock_guard lock(state().mutex);
  std::unique_ptr<Operator>& entry = state().entries[type];
  if (entry == nullptr) {
    entry = std::make_unique<Operator>();
    entry->type = type;
  }
  return *entry;
}

const Operator* OperatorTable::Find(const std::string& type) const {
  std::lock_guard lock(state().mutex);
  auto found = state().entries.find(type);
  return found == state().entries.end() || !found->second->defined ? nullptr : found->second.get();
}

void OperatorTable::SetWorkspaceContents(const std::string& type, workspace::Contents contents) {
  std::lock_guard lock(state().mutex);
  state().contents[type] = contents;
}

workspace::Contents OperatorTable::WorkspaceContents(const std::string& type) const {
  std::lock_guard lock(state().mutex);
  auto found = state().contents.find(type);
  return found == state().contents.end() ? workspace::Contents() : found->second;
}

std::vector<const Operator*> OperatorTable::All() const {
  std::lock_guard lock(state().mutex);
  std::vector<const Operator*> all;
  for (const auto& [type, entry] : state().entries) {
    if (entry->defined) all.push_back(entry.get());
  }
  return all;
}

base::Result<const Operator*> FindOperator(const std::string& type) {
  const Operator* op = OperatorTable::Get().Find(type);
  if (op != nullptr) return op;
  std::vector<std::string> known;
  for (const Operator* entry : OperatorTable::Get().All()) known.push_back(entry->type);
  return base::Error{
      base::Code::kNotFound,
      fmt::format("No loaded library has an operator {}. Loaded: {}.", type,
                  known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")))};
}

namespace {
struct Executors {
  std::mutex mutex;
  std::unordered_map<const aclOpExecutor*, std::shared_ptr<OperatorCall>> live;
  uintptr_t next = 0x10000;
};
Executors& AllExecutors() {
  static Executors& executors = *new Executors;
  return executors;
}
}  // namespace

aclOpExecutor* AddExecutor(std::shared_ptr<OperatorCall> call) {
  Executors& all = AllExecutors();
  std::lock_guard lock(all.mutex);
  // A number that is never used again, so that a stale executor is found out.
  auto* handle = reinterpret_cast<aclOpExecutor*>(all.next += 16);
  all.live.emplace(handle, std::move(call));
  return handle;
}

base::Result<std::shared_ptr<OperatorCall>> FindExecutor(const aclOpExecutor* executor) {
  if (executor == nullptr) return InvalidCall("The executor is null.", ACLNN_ERR_INNER_NULLPTR);
  Executors& all = AllExecutors();
  std::lock_guard lock(all.mutex);
  auto found = all.live.find(executor);
  if (found == all.live.end()) {
    return InvalidCall(
        fmt::format("The executor ({}) does not exist or has been used: one that is not repeatable "
                    "(aclSetAclOpExecutorRepeatable) serves one call.",
                    fmt::ptr(executor)),
        ACLNN_ERR_PARAM_INVALID);
  }
  return found->second;
}

void RemoveExecutor(const aclOpExecutor* executor) {
  Executors& all = AllExecutors();
  std::lock_guard lock(all.mutex);
  all.live.erase(executor);
}

}  // namespace hostnpu::runtime

extern "C" __attribute__((visibility("default"))) hostnpu::op::Operator* hostnpu_operator(
    const char* type) {
  return &hostnpu::runtime::OperatorTable::Get().Entry(type);
}
