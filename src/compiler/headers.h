// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_HEADERS_H_
#define HOSTNPU_COMPILER_HEADERS_H_

#include <set>
#include <string>
#include <string_view>

namespace hostnpu::compiler {

/// A hash of the contents of all files below include/. Files that are unchanged by name, size and
/// time since the last call are not read again: the pair is remembered in `memo_folder` (which may
/// not exist).
std::string HashHeaders(const std::string& include_root, const std::string& memo_folder);

/// Whether a name stands as a word anywhere in the headers of include/ascendc. Reads them all.
bool HeadersMention(const std::string& include_root, std::string_view name);

/// Every word of the preprocessor conditions of the headers below include/: the macros they ask for
/// among them. Reads them all.
std::set<std::string> TestedMacros(const std::string& include_root);

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_HEADERS_H_
