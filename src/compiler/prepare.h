// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_PREPARE_H_
#define HOSTNPU_COMPILER_PREPARE_H_

#include <map>
#include <string>
#include <vector>

#include "compiler/edit.h"
#include "compiler/kernel_scanner.h"
#include "compiler/source_set.h"

namespace hostnpu::compiler {

/// A header that the vendor's build generates and a user's source includes.
struct GeneratedHeader {
  std::string name;
  std::string text;
};

/// The user's files as clang is to see them.
struct PreparedSources {
  std::map<std::string, EditedText>
      edited;                              ///< by absolute path; files that need no edit are absent
  std::vector<KernelDeclaration> kernels;  ///< of all files, definitions and declarations
  std::vector<GeneratedHeader> headers;
  bool uses_cpu_twin = false;       ///< ICPU_RUN_KF or tikicpulib.h: the form of the CPU twin
  bool needs_two_variants = false;  ///< see variant.h
};

/// Rewrites launches, registers kernels and generates `aclrtlaunch_*.h`. `export_launchers`: other
/// programs will link against this, so each kernel gets its aclrtlaunch function even if nobody
/// here calls it. `defines` are those of the command line.
PreparedSources PrepareSources(const SourceSet& sources, bool export_launchers,
                               const std::vector<std::string>& defines = {});

/// The overlay that shows clang the edited texts under the users' paths. `folder_of` holds them as
/// `EditedFileName` says.
std::string OverlayYaml(const PreparedSources& prepared, const std::string& folder);

/// The name of an edited file in the entry's folder: "01-add_custom.asc".
std::string EditedFileName(const PreparedSources& prepared, const std::string& absolute);

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_PREPARE_H_
