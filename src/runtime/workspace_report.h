// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_WORKSPACE_REPORT_H_
#define HOSTNPU_RUNTIME_WORKSPACE_REPORT_H_

#include <cstdint>
#include <string>

namespace hostnpu::runtime {

/// Whether HOSTNPU_WORKSPACE_REPORT asks for the report, which is then printed to stderr when the
/// process ends. Read at first use.
bool ReportsWorkspaces();
/// For tests: as if the variable had said so; forgets what was counted.
void SetReportsWorkspaces(bool reports);

/// One launch of `owner` had a workspace of `declared_bytes` and changed it up to `touched_bytes`.
void CountWorkspace(const std::string& owner, const std::string& name, int64_t declared_bytes,
                    int64_t touched_bytes);

/// "workspace of softmax: reserved 58.7 MB, touched 12 %", a row per workspace and size with the
/// number of launches, then warnings of waste. Largest values over all launches so far.
std::string RenderWorkspaceReport();

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_WORKSPACE_REPORT_H_
