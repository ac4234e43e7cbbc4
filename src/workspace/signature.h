// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_WORKSPACE_SIGNATURE_H_
#define HOSTNPU_WORKSPACE_SIGNATURE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "workspace/expression.h"

namespace hostnpu::workspace {

/// What a parameter of a kernel is for.
enum class Role { kInput, kOutput, kWorkspace, kScalar, kTiling };

/// What a buffer holds when the kernel starts.
enum class ContentsKind {
  kUndefined,       ///< anything; a pattern under poison
  kZero,            ///< zero at every launch
  kValue,           ///< a repeated pattern at every launch
  kPersistentZero,  ///< zero at first use; the kernel leaves it zero, which is checked
};

struct Contents {
  ContentsKind kind = ContentsKind::kUndefined;
  uint64_t pattern = 0;        // kValue: the bytes of one element, the lowest first
  uint32_t pattern_bytes = 1;  // kValue: 1, 2, 4 or 8

  static Contents Zero() { return {ContentsKind::kZero}; }
  static Contents Value(uint64_t pattern, uint32_t bytes) {
    return {ContentsKind::kValue, pattern, bytes};
  }
  static Contents PersistentZero() { return {ContentsKind::kPersistentZero}; }
  bool operator==(const Contents&) const = default;
};

/// `undefined`, `zero`, `persistent-zero`, or `value`.
const char* ContentsName(ContentsKind kind);

/// Bits of one element of a dtype by its usual names (float16, half, bfloat16, int32, bool, int4,
/// ...).
base::Result<int64_t> DTypeBits(std::string_view dtype);

/// GM buffers begin at multiples of this unless they say otherwise: what the DMA likes best.
inline constexpr int64_t kDefaultAlignment = 512;

/// No single buffer may be larger than this; what is, is a wrong formula.
inline constexpr int64_t kMaxBufferBytes = int64_t{1} << 40;

struct Parameter {
  std::string name{};
  std::string dtype{};
  std::vector<Expression> shape{};  // empty: a scalar, one element
  Role role = Role::kInput;
  int64_t alignment = kDefaultAlignment;
  Contents contents{};
};

/// A kernel or operator, seen from its caller.
struct Signature {
  std::string name{};
  std::vector<Parameter> parameters{};
};

/// Gives the symbols of the inputs' shapes their values. `shapes` has one entry per input, in
/// order. A dimension that is a formula is checked once its symbols are known. Errors name the
/// parameter, its declared shape and the given one.
base::Result<Bindings> BindSymbols(const Signature& signature,
                                   const std::vector<std::vector<int64_t>>& shapes);

/// A parameter's shape in numbers. Errors name the parameter, the dimension and the values.
base::Result<std::vector<int64_t>> EvaluateShape(const Signature& signature, size_t index,
                                                 const Bindings& bindings);

/// A parameter's size in bytes. Checked: overflow, negative dimensions, more than kMaxBufferBytes.
base::Result<int64_t> EvaluateBytes(const Signature& signature, size_t index,
                                    const Bindings& bindings);

}  // namespace hostnpu::workspace

#endif  // HOSTNPU_WORKSPACE_SIGNATURE_H_
