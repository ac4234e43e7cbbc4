// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_DRIVER_H_
#define HOSTNPU_COMPILER_DRIVER_H_

#include "base/result.h"
#include "compiler/cache.h"
#include "compiler/request.h"

namespace hostnpu::compiler {

/// Compiles a request, or takes it from the cache. Blocks for as long as clang runs. Thread-safe;
/// any number of processes may do it at once.
///
/// kCompileError: the source does not compile; the message is the rendered diagnostics, whole
/// lines, ready to print. kNotFound: a source file, the compiler or our own files are missing. A
/// cache that cannot be used is no error: the result then lies in a temporary folder (`in_cache` is
/// false) and `notices` says why.
base::Result<CompiledModule> Compile(const CompileRequest& request);

/// The same with a cache of the caller's choice.
base::Result<CompiledModule> Compile(const CompileRequest& request, const Cache& cache);

/// Compile with `output` set to a shared object: for the runtime, which loads it.
base::Result<CompiledModule> CompileSharedObject(CompileRequest request);

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_DRIVER_H_
