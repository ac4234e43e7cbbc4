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

#endif  // HOSTNPU_ASCENDC_DETAIL_HOST_HEADERS_H_
