// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_TILELANG_IR_TYPE_H_
#define HOSTNPU_TILELANG_IR_TYPE_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace hostnpu::tilelang::ir {

/// The element types of TileLang; the facts about each stand in dtypes.def.
enum class DType : uint8_t {
#define HOSTNPU_DTYPE(name, text, alias, ascendc, bits, klass) k##name,
#include "tilelang/ir/dtypes.def"
#undef HOSTNPU_DTYPE
};

enum class DTypeClass : uint8_t { kBool, kInt, kUint, kFloat };

/// The name a TileLang program writes: "float16".
std::string_view DTypeName(DType dtype);
/// The type an Ascend C kernel writes: "half".
std::string_view AscendCType(DType dtype);
/// Accepts the TileLang name, its alias and the Ascend C type.
std::optional<DType> FindDType(std::string_view name);
uint32_t DTypeBits(DType dtype);
/// Bytes of `count` elements, rounded up (int4 is packed).
int64_t DTypeBytes(DType dtype, int64_t count = 1);
DTypeClass ClassOf(DType dtype);
inline bool IsFloat(DType dtype) { return ClassOf(dtype) == DTypeClass::kFloat; }
inline bool IsInteger(DType dtype) { return !IsFloat(dtype); }

/// Where a buffer lives. kShared and kFragment are what `alloc_shared` and `alloc_fragment` say;
/// the pass infer_scopes replaces them by one of the others.
enum class Memory : uint8_t {
  kGm,
  kUb,
  kL1,
  kL0A,
  kL0B,
  kL0C,
  kVar,       ///< a mutable scalar of each stream
  kShared,    ///< UB or L1, not yet known
  kFragment,  ///< L0A, L0B or L0C, not yet known
};

/// "GM", "UB", ..., as printed and as messages say it.
std::string_view MemoryName(Memory memory);
std::optional<Memory> FindMemory(std::string_view name);
/// True for the memories that only the cube core has.
inline bool IsCubeMemory(Memory memory) {
  return memory == Memory::kL1 || memory == Memory::kL0A || memory == Memory::kL0B ||
         memory == Memory::kL0C;
}

/// The stream that runs a statement: `T.Scope("C")` or `T.Scope("V")`.
enum class Core : uint8_t { kCube, kVector };
std::string_view CoreName(Core core);  // "C", "V"

}  // namespace hostnpu::tilelang::ir

#endif  // HOSTNPU_TILELANG_IR_TYPE_H_
