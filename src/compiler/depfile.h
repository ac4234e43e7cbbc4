// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_DEPFILE_H_
#define HOSTNPU_COMPILER_DEPFILE_H_

#include <string>
#include <string_view>
#include <vector>

namespace hostnpu::compiler {

/// The prerequisites in a makefile rule as clang's -MD writes it: blanks escaped, lines continued.
std::vector<std::string> ParseDependencies(std::string_view makefile);

/// The same from a file; empty when it cannot be read.
std::vector<std::string> ReadDependencies(const std::string& path);

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_DEPFILE_H_
