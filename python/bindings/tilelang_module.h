// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_PYTHON_BINDINGS_TILELANG_MODULE_H_
#define HOSTNPU_PYTHON_BINDINGS_TILELANG_MODULE_H_

#include <nanobind/nanobind.h>

namespace hostnpu::bindings {

/// Module of Python: a finished kernel function, what it does to its parameters, and its text.
void BindModule(nanobind::module_& m);

}  // namespace hostnpu::bindings

#endif  // HOSTNPU_PYTHON_BINDINGS_TILELANG_MODULE_H_
