// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the host half of a program usually includes. Only the compiler driver reads this file, to
// compile it ahead (src/compiler/precompiled.h); nobody includes it. Headers that put many names
// outside namespace std stand in host_math_headers.h.
#ifndef HOSTNPU_ASCENDC_DETAIL_HOST_HEADERS_H_
#define HOSTNPU_ASCENDC_DETAIL_HOST_HEADERS_H_

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "acl/acl.h"

namespace hostnpu::internal {

/// Never called: what host programs mostly make of the library's templates, instantiated ahead.
template <typename T>
inline void UseVector() {
  std::vector<T> values(1), filled(1, T());
  values[0] = *filled.data();
  values.resize(filled.size());
  for (const T& value : values) filled.push_back(value);
}
inline void UseLibrary() {
  UseVector<float>();
  UseVector<int32_t>();
  UseVector<uint32_t>();
  UseVector<uint8_t>();
  UseVector<uint16_t>();
  UseVector<int64_t>();
  const auto start = std::chrono::steady_clock::now();
  std::cout << std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()
            << std::string("s") << std::endl;
}

}  // namespace hostnpu::internal

#endif  // HOSTNPU_ASCENDC_DETAIL_HOST_HEADERS_H_
