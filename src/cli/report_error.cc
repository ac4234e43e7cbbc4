// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "base/diagnostic.h"
#include "cli/command.h"

namespace hostnpu::cli {
namespace {

void Print(base::Severity severity, const std::string& text) {
  base::Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.location.file = "hostnpu";
  diagnostic.message = text;
  std::fputs(base::Render(diagnostic, base::WantsColor(STDERR_FILENO)).c_str(), stderr);
}

}  // namespace

void PrintError(const std::string& text) { Print(base::Severity::kError, text); }
void PrintWarning(const std::string& text) { Print(base::Severity::kWarning, text); }

int ReportError(const base::Error& error) {
  if (error.code ==
      base::Code::kCompileError) {  // rendered diagnostics, about the user's own files
    fmt::print(stderr, "{}{}", error.message, error.message.ends_with('\n') ? "" : "\n");
    return kExitUsage;
  }
  PrintError(error.ToString());
  return error.code == base::Code::kInternal ? kExitInternal : kExitUsage;
}

}  // namespace hostnpu::cli
