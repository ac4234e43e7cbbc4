// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_CODEGEN_ASCENDC_WRITER_H_
#define HOSTNPU_TILELANG_CODEGEN_ASCENDC_WRITER_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "tilelang/ir/module.h"

namespace hostnpu::tilelang::codegen {

/// One 8-byte word of a call, in this order: the parameters of the signature, then
/// T.alloc_workspace buffers, then the symbolic sizes.
struct KernelParameter {
  enum class Kind { kTensor, kScalar, kWorkspace, kSymbol };
  Kind kind = Kind::kTensor;
  std::string name;
  ir::DType dtype = ir::DType::kInt32;
  ir::BufferId buffer = ir::kNoBuffer;  ///< kTensor, kWorkspace
  ir::VarPtr var{};                     ///< kScalar, kSymbol
};

/// A kernel as Ascend C text.
///
/// `entry` names `extern "C" int entry(const uint64_t* words, void* stream)` in that text: it
/// launches the kernel on the stream (null: the default one) and returns an aclError. A word holds
/// an address, an integer (sign-extended), or the bits of a double.
struct GeneratedKernel {
  std::string source;
  std::string host_source;  ///< the part of `source` that runs on the host
  std::string name;         ///< the kernel's
  std::string entry;
  std::vector<KernelParameter> parameters;
};

/// Writes a module that has been through passes::Lower: every buffer has a memory and an address.
base::Result<GeneratedKernel> WriteAscendC(const ir::Module& module);

}  // namespace hostnpu::tilelang::codegen

#endif  // HOSTNPU_TILELANG_CODEGEN_ASCENDC_WRITER_H_
