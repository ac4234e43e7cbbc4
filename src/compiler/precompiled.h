// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_COMPILER_PRECOMPILED_H_
#define HOSTNPU_COMPILER_PRECOMPILED_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "compiler/cache.h"
#include "compiler/request.h"
#include "compiler/source_set.h"
#include "compiler/toolchain.h"

namespace hostnpu::compiler {

/// Whether the precompiled kernel_operator.h gives these sources what the header itself would: it
/// is included, and nothing defined before it (in a source, a header, by -include) changes what it
/// says.
bool MayUsePrecompiled(const CompileRequest& request, const SourceSet& sources,
                       const Toolchain& toolchain);

/// The path of kernel_operator.h precompiled with the flags of this request; builds it when the
/// cache has none (about a second), one process at a time.
base::Result<std::string> PrecompiledHeader(const CompileRequest& request,
                                            const Toolchain& toolchain, const Cache& cache,
                                            bool uses_cpu_twin);

}  // namespace hostnpu::compiler

#endif  // HOSTNPU_COMPILER_PRECOMPILED_H_
