// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>

#include "convert.h"
#include "kernel.h"
#include "tensor.h"
#include "tilelang_module.h"

NB_MODULE(_native, m) {
  m.doc() = "The C++ side of hostnpu.";
  // A script that keeps a kernel until the interpreter ends has made no mistake.
  nanobind::set_leak_warnings(false);
  hostnpu::bindings::BindExpr(m);
  hostnpu::bindings::BindBuilder(m);
  hostnpu::bindings::BindModule(m);
  hostnpu::bindings::BindTensor(m);
  hostnpu::bindings::BindKernel(m);
}
