// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_CLI_RUN_PYTHON_H_
#define HOSTNPU_CLI_RUN_PYTHON_H_

#include <string>
#include <vector>

namespace hostnpu::cli {

/// Of `hostnpu run`: a module follows, as for Python itself.
inline constexpr const char* kModuleOption = "-m";

/// Whether `file` is a Python script by its name.
bool IsPythonScript(const std::string& file);

/// Becomes Python running a module of the package, as `hostnpu.run`, which runs a script with the
/// stand-ins. Returns an exit code only when that cannot be done.
int RunPython(const std::string& module, const std::vector<std::string>& arguments);

}  // namespace hostnpu::cli

#endif  // HOSTNPU_CLI_RUN_PYTHON_H_
