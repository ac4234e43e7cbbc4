// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_HEADERS_H_
#define HOSTNPU_COMPILER_HEADERS_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hostnpu::compiler {

/// What the headers below include/ say, as far as a compilation must know.
struct Headers {
  std::string hash;  ///< of the contents of all files
  /// Every word of their preprocessor conditions, the macros they ask for among them, with blanks
  /// between.
  std::string condition_words;

  std::set<std::string> TestedMacros() const;
};

/// Files that are unchanged by name, size and time since an earlier call are not read again: what
/// they say is remembered in the first of `memo_folders` (which may not exist), and looked for in
/// all of them.
Headers ReadHeaders(const std::string& include_root, const std::vector<std::string>& memo_folders);

/// Whether a name stands as a word anywhere in the headers of include/ascendc. Reads them all.
bool HeadersMention(const std::string& include_root, std::string_view name);

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_HEADERS_H_
