// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Template tiling keys: a header that kernel and tiling function share declares the template
// parameters of a kernel with their legal values (DECL) and the combinations that exist (SEL). The
// tiling function asks for the key of one combination, the launcher finds the instantiation of a
// key.
//
// The tables are constant data, the same in the compile of the kernel and of the tiling function.
#ifndef HOSTNPU_ASCENDC_TILING_TEMPLATE_ARGUMENT_H_
#define HOSTNPU_ASCENDC_TILING_TEMPLATE_ARGUMENT_H_

#include <stddef.h>
#include <stdint.h>

#include "../graph/c_types.h"

#define ASCENDC_TPL_DTYPE 0
#define ASCENDC_TPL_FORMAT 1
#define ASCENDC_TPL_UINT 2
#define ASCENDC_TPL_BOOL 3

#define ASCENDC_TPL_AIV_ONLY 0
#define ASCENDC_TPL_AIC_ONLY 1
#define ASCENDC_TPL_MIX_AIV_1_0 4
#define ASCENDC_TPL_MIX_AIC_1_0 5
#define ASCENDC_TPL_MIX_AIC_1_1 6
#define ASCENDC_TPL_MIX_AIC_1_2 7
#define ASCENDC_TPL_AICORE 8
#define ASCENDC_TPL_VECTORCORE 9
#define ASCENDC_TPL_MIX_AICORE 10
#define ASCENDC_TPL_MIX_VECTOR_CORE 11

#define ASCENDC_TPL_1_BW 1
#define ASCENDC_TPL_2_BW 2
#define ASCENDC_TPL_3_BW 3
#define ASCENDC_TPL_4_BW 4
#define ASCENDC_TPL_5_BW 5
#define ASCENDC_TPL_6_BW 6
#define ASCENDC_TPL_7_BW 7
#define ASCENDC_TPL_8_BW 8
#define ASCENDC_TPL_9_BW 9
#define ASCENDC_TPL_10_BW 10
#define ASCENDC_TPL_12_BW 12
#define ASCENDC_TPL_16_BW 16
#define ASCENDC_TPL_19_BW 19
#define ASCENDC_TPL_32_BW 32
#define ASCENDC_TPL_64_BW 64

#define ASCENDC_TPL_UI_RANGE 0
#define ASCENDC_TPL_UI_LIST 1
#define ASCENDC_TPL_UI_MIX 2

#define ASCENDC_TPL_INPUT(index) (100000000 + (index))
#define ASCENDC_TPL_OUTPUT(index) (900000000 + (index))

namespace hostnpu::tiling {

enum class ParameterKind : uint8_t {
  kDtype,  // a dtype id, or the dtype of an input or output
  kFormat,
  kUint,  // stored as the index of the value among the declared ones
  kBool,
  kAttribute,  // of a selection, not a template parameter: tiling struct, kernel type, determinism
};

/// One DECL or SEL item. UINT values are kept as written; `Count()` and `At()` expand ranges.
struct TemplateParameter {
  static constexpr int kMaxValues = 96;

  const char* name = "";
  ParameterKind kind = ParameterKind::kAttribute;
  uint8_t bits = 8;
  uint8_t mode = ASCENDC_TPL_UI_LIST;
  int value_count = 0;
  uint64_t values[kMaxValues] = {};
  const char* text = "";  // of an attribute: what was written

  /// How many values the item stands for.
  constexpr uint64_t Count() const {
    if (kind != ParameterKind::kUint || mode == ASCENDC_TPL_UI_LIST)
      return static_cast<uint64_t>(value_count);
    const uint64_t ranges = value_count > 0 ? values[0] : 0;
    uint64_t count = 0;
    for (uint64_t r = 0; r < ranges; ++r) count += values[2 + 2 * r] - values[1 + 2 * r] + 1;
    return count +
           (mode == ASCENDC_TPL_UI_MIX ? static_cast<uint64_t>(value_count) - 1 - 2 * ranges : 0);
  }
  /// The value at `index` of the expanded list.
  constexpr uint64_t At(uint64_t index) const {
    if (kind != ParameterKind::kUint || mode == ASCENDC_TPL_UI_LIST) return values[index];
    const uint64_t ranges = value_count > 0 ? values[0] : 0;
    for (uint64_t r = 0; r < ranges; ++r) {
      const uint64_t size = values[2 + 2 * r] - values[1 + 2 * r] + 1;
      if (index < size) return values[1 + 2 * r] + index;
      index -= size;
    }
    return values[1 + 2 * ranges + index];
  }
  /// The index of `value`, or Count() if it is not declared.
  constexpr uint64_t IndexOf(uint64_t value) const {
    const uint64_t count = Count();
    for (uint64_t i = 0; i < count; ++i) {
      if (At(i) == value) return i;
    }
    return count;
  }
};

template <typename... V>
constexpr TemplateParameter MakeParameter(const char* name, ParameterKind kind, int bits, int mode,
                                          V... value) {
  static_assert(sizeof...(V) <= TemplateParameter::kMaxValues,
                "too many values in one ASCENDC_TPL item");
  TemplateParameter parameter;
  parameter.name = name;
  parameter.kind = kind;
  parameter.bits = static_cast<uint8_t>(bits);
  parameter.mode = static_cast<uint8_t>(mode);
  ((parameter.values[parameter.value_count++] = static_cast<uint64_t>(value)), ...);
  return parameter;
}
constexpr TemplateParameter MakeAttribute(const char* name, const char* text) {
  TemplateParameter parameter;
  parameter.name = name;
  parameter.text = text;
  return parameter;
}

/// The parameters of a kernel, in template order.
template <int n>
struct TemplateDeclaration {
  const char* op;
  TemplateParameter parameters[n];
  static constexpr int size = n;

  /// Packs one combination: parameters from the least significant bit, in declaration order. A UINT
  /// stores the index of its value; other kinds the value itself. ~0 when a value is not declared,
  /// the number of arguments is wrong, or the widths add up to more than 64 bits.
  template <typename... V>
  constexpr uint64_t Key(V... value) const {
    if (sizeof...(V) != n) return ~uint64_t{0};
    const uint64_t given[sizeof...(V) + 1] = {static_cast<uint64_t>(value)...};
    uint64_t key = 0;
    int at = 0;
    for (int i = 0; i < n; ++i) {
      const TemplateParameter& p = parameters[i];
      uint64_t field = given[i];
      if (p.kind == ParameterKind::kUint) {
        field = p.IndexOf(given[i]);
        if (field == p.Count()) return ~uint64_t{0};
      }
      if (at + p.bits > 64) return ~uint64_t{0};
      key |= field << at;
      at += p.bits;
    }
    return key;
  }
};
template <int n>
constexpr TemplateDeclaration<n> Declare(const char* op, const TemplateParameter (&parameters)[n]) {
  TemplateDeclaration<n> declaration = {op, {}};
  for (int i = 0; i < n; ++i) declaration.parameters[i] = parameters[i];
  return declaration;
}

/// One ARGS_SEL: for each parameter the values of this selection, and its attributes. An aggregate,
/// so that lists may end in a comma, as users write them.
struct TemplateSelection {
  static constexpr int kMaxItems = 24;
  TemplateParameter items[kMaxItems] = {};

  constexpr int item_count() const {
    int count = 0;
    while (count < kMaxItems && items[count].name[0] != '\0') ++count;
    return count;
  }
};

}  // namespace hostnpu::tiling

#define ASCENDC_TPL_DTYPE_DECL(name, ...)                                              \
  ::hostnpu::tiling::MakeParameter(#name, ::hostnpu::tiling::ParameterKind::kDtype, 8, \
                                   ASCENDC_TPL_UI_LIST, __VA_ARGS__)
#define ASCENDC_TPL_DATATYPE_DECL(name, ...) ASCENDC_TPL_DTYPE_DECL(name, __VA_ARGS__)
#define ASCENDC_TPL_FORMAT_DECL(name, ...)                                              \
  ::hostnpu::tiling::MakeParameter(#name, ::hostnpu::tiling::ParameterKind::kFormat, 8, \
                                   ASCENDC_TPL_UI_LIST, __VA_ARGS__)
#define ASCENDC_TPL_UINT_DECL(name, bits, mode, ...)                                           \
  ::hostnpu::tiling::MakeParameter(#name, ::hostnpu::tiling::ParameterKind::kUint, bits, mode, \
                                   __VA_ARGS__)
#define ASCENDC_TPL_BOOL_DECL(name, ...)                                              \
  ::hostnpu::tiling::MakeParameter(#name, ::hostnpu::tiling::ParameterKind::kBool, 1, \
                                   ASCENDC_TPL_UI_LIST, __VA_ARGS__)
#define ASCENDC_TPL_KERNEL_TYPE_DECL(name, ...) \
  ::hostnpu::tiling::MakeAttribute(#name, #__VA_ARGS__)

#define ASCENDC_TPL_DTYPE_SEL(name, ...) ASCENDC_TPL_DTYPE_DECL(name, __VA_ARGS__)
#define ASCENDC_TPL_DATATYPE_SEL(name, ...) ASCENDC_TPL_DTYPE_DECL(name, __VA_ARGS__)
#define ASCENDC_TPL_FORMAT_SEL(name, ...) ASCENDC_TPL_FORMAT_DECL(name, __VA_ARGS__)
#define ASCENDC_TPL_UINT_SEL(name, mode, ...) ASCENDC_TPL_UINT_DECL(name, 8, mode, __VA_ARGS__)
#define ASCENDC_TPL_BOOL_SEL(name, ...) ASCENDC_TPL_BOOL_DECL(name, __VA_ARGS__)
#define ASCENDC_TPL_TILING_STRUCT_SEL(...) \
  ::hostnpu::tiling::MakeAttribute("tiling_struct", #__VA_ARGS__)
#define ASCENDC_TPL_KERNEL_TYPE_SEL(...) \
  ::hostnpu::tiling::MakeAttribute("kernel_type", #__VA_ARGS__)
#define ASCENDC_TPL_DETERMINISTIC_SEL(...) \
  ::hostnpu::tiling::MakeAttribute("deterministic", #__VA_ARGS__)
#define ASCENDC_TPL_SHARED_KERNEL_TYPE_SEL(name, ...) \
  ::hostnpu::tiling::MakeAttribute(#name, #__VA_ARGS__)

#define ASCENDC_TPL_ARGS_DECL(op, ...)                                                            \
  [[maybe_unused]] static constexpr ::hostnpu::tiling::TemplateParameter g_tilingParameters[] = { \
      __VA_ARGS__};                                                                               \
  [[maybe_unused]] static constexpr auto g_tilingDeclareParams =                                  \
      ::hostnpu::tiling::Declare(#op, g_tilingParameters)
#define ASCENDC_TPL_ARGS_SEL(...)        \
  ::hostnpu::tiling::TemplateSelection { \
    {                                    \
      __VA_ARGS__                        \
    }                                    \
  }
#define ASCENDC_TPL_SEL(...)                                                                      \
  [[maybe_unused]] static constexpr ::hostnpu::tiling::TemplateSelection g_tilingSelectParams[] = \
      {__VA_ARGS__}

/// The key of one combination; see TemplateDeclaration::Key.
#define GET_TPL_TILING_KEY(...) (g_tilingDeclareParams.Key(__VA_ARGS__))
/// The same, and gives it to the tiling context.
#define ASCENDC_TPL_SEL_PARAM(context, ...) \
  ((context)->SetTilingKey(g_tilingDeclareParams.Key(__VA_ARGS__)))

#endif  // HOSTNPU_ASCENDC_TILING_TEMPLATE_ARGUMENT_H_
