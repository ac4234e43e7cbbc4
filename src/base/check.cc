// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace hostnpu::base {

void FailCheck(const char* condition, const char* file, int line) {
  std::fprintf(
      stderr,
      "internal error: %s at %s:%d\n"
      "note: this is a defect of hostnpu; please report it with the output of 'hostnpu doctor'\n",
      condition, file, line);
  std::abort();
}

}  // namespace hostnpu::base
