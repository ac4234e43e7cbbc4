// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables generated from dtypes.def, and the names of memories and cores.
#include "tilelang/ir/type.h"

#include <array>
#include <cstddef>

namespace hostnpu::tilelang::ir {
namespace {

struct DTypeFacts {
  std::string_view name;
  std::string_view alias;
  std::string_view ascendc;
  uint32_t bits;
  DTypeClass klass;
};

constexpr DTypeFacts kDTypes[] = {
#define HOSTNPU_DTYPE(name, text, alias, ascendc, bits, klass) \
  {text, alias, ascendc, bits, DTypeClass::k##klass},
#include "tilelang/ir/dtypes.def"
#undef HOSTNPU_DTYPE
};

constexpr std::string_view kMemories[] = {"GM",  "UB",  "L1",     "L0A",     "L0B",
                                          "L0C", "var", "shared", "fragment"};

const DTypeFacts& Facts(DType dtype) { return kDTypes[static_cast<size_t>(dtype)]; }

}  // namespace

std::string_view DTypeName(DType dtype) { return Facts(dtype).name; }
std::string_view AscendCType(DType dtype) { return Facts(dtype).ascendc; }
uint32_t DTypeBits(DType dtype) { return Facts(dtype).bits; }
DTypeClass ClassOf(DType dtype) { return Facts(dtype).klass; }

int64_t DTypeBytes(DType dtype, int64_t count) {
  return (count * static_cast<int64_t>(DTypeBits(dtype)) + 7) / 8;
}

std::optional<DType> FindDType(std::string_view name) {
  // The name comes before alias and Ascend C type, so that "bool" is not uint8_t.
  for (size_t i = 0; i < std::size(kDTypes); ++i) {
    if (kDTypes[i].name == name || kDTypes[i].alias == name) return static_cast<DType>(i);
  }
  for (size_t i = 1; i < std::size(kDTypes); ++i) {
    if (kDTypes[i].ascendc == name) return static_cast<DType>(i);
  }
  if (name == "float8_e4m3") return DType::kFloat8E4m3;
  return std::nullopt;
}

std::string_view MemoryName(Memory memory) { return kMemories[static_cast<size_t>(memory)]; }

std::optional<Memory> FindMemory(std::string_view name) {
  for (size_t i = 0; i < std::size(kMemories); ++i) {
    if (kMemories[i] == name) return static_cast<Memory>(i);
  }
  return std::nullopt;
}

std::string_view CoreName(Core core) { return core == Core::kCube ? "C" : "V"; }

}  // namespace hostnpu::tilelang::ir
