// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// How a kernel gets its tiling data and its tiling key. A program may bring its own GET_TILING_DATA
// (unit tests force-include one); ours stands back then.
#ifndef HOSTNPU_ASCENDC_TILING_KERNEL_TILING_MACROS_H_
#define HOSTNPU_ASCENDC_TILING_KERNEL_TILING_MACROS_H_

#include "../detail/core.h"

/// Found by GET_TILING_DATA where no REGISTER_TILING_DEFAULT stands above it: the struct that an
/// operator project registers for the kernel's operator, else an incomplete type, so that the
/// compiler names the macro that is missing.
#ifdef HOSTNPU_DEFAULT_TILING
using HostnpuDefaultTiling = HOSTNPU_DEFAULT_TILING;
#else
using HostnpuDefaultTiling = struct REGISTER_TILING_DEFAULT_is_missing;
#endif

namespace AscendC {
namespace internal {
/// Copies a tiling struct out of GM, checked against its allocation.
template <typename S>
inline void LoadTiling(S* to, const __gm__ void* from) {
  CheckGm("GET_TILING_DATA", from, sizeof(S), HOSTNPU_GM_READ);
  __builtin_memcpy(static_cast<void*>(to), from, sizeof(S));
}
template <typename S>
inline const __gm__ S* TilingPointer(const __gm__ void* from) {
  CheckGm("GET_TILING_DATA_PTR_WITH_STRUCT", from, sizeof(S), HOSTNPU_GM_READ);
  return static_cast<const __gm__ S*>(from);
}
template <typename M>
inline M LoadTilingMember(const __gm__ void* from, size_t offset) {
  M member;
  const auto* at = static_cast<const uint8_t*>(from) + offset;
  CheckGm("GET_TILING_DATA_MEMBER", at, sizeof(M), HOSTNPU_GM_READ);
  __builtin_memcpy(static_cast<void*>(&member), at, sizeof(M));
  return member;
}
}  // namespace internal
}  // namespace AscendC

#ifndef REGISTER_TILING_DEFAULT
#define REGISTER_TILING_DEFAULT(tiling_struct) \
  using HostnpuDefaultTiling [[maybe_unused]] = tiling_struct
#endif
#ifndef REGISTER_TILING_FOR_TILINGKEY
#define REGISTER_TILING_FOR_TILINGKEY(expression, tiling_struct) \
  static_assert(sizeof(tiling_struct) > 0, "a tiling struct has fields")
#endif
#ifndef REGISTER_NONE_TILING
#define REGISTER_NONE_TILING
#endif

#ifndef GET_TILING_DATA_WITH_STRUCT
#define GET_TILING_DATA_WITH_STRUCT(tiling_struct, tiling_data, tiling_arg) \
  tiling_struct tiling_data;                                                \
  ::AscendC::internal::LoadTiling(&tiling_data, tiling_arg)
#endif
#ifndef GET_TILING_DATA
#define GET_TILING_DATA(tiling_data, tiling_arg) \
  GET_TILING_DATA_WITH_STRUCT(HostnpuDefaultTiling, tiling_data, tiling_arg)
#endif
#ifndef GET_TILING_DATA_MEMBER
#define GET_TILING_DATA_MEMBER(tiling_struct, member, variable, tiling_arg)   \
  decltype(tiling_struct::member) variable =                                  \
      ::AscendC::internal::LoadTilingMember<decltype(tiling_struct::member)>( \
          tiling_arg, __builtin_offsetof(tiling_struct, member))
#endif
#ifndef GET_TILING_DATA_MEMBER_ADDR
#define GET_TILING_DATA_MEMBER_ADDR(tiling_struct, member, variable, tiling_arg) \
  GM_ADDR variable =                                                             \
      reinterpret_cast<GM_ADDR>(tiling_arg) + __builtin_offsetof(tiling_struct, member)
#endif
#ifndef GET_TILING_DATA_PTR_WITH_STRUCT
#define GET_TILING_DATA_PTR_WITH_STRUCT(tiling_struct, pointer, tiling_arg) \
  const __gm__ tiling_struct* pointer =                                     \
      ::AscendC::internal::TilingPointer<tiling_struct>(tiling_arg)
#endif
#ifndef COPY_TILING_WITH_STRUCT
#define COPY_TILING_WITH_STRUCT(tiling_struct, source, target) \
  ::AscendC::internal::LoadTiling(reinterpret_cast<tiling_struct*>(target), source)
#endif
#ifndef GET_TILING_DATA_FOR_EMPTY_TENSOR
#define GET_TILING_DATA_FOR_EMPTY_TENSOR(tiling_data, tiling_arg) \
  GET_TILING_DATA(tiling_data, tiling_arg)
#endif

#ifndef TILING_KEY_IS
#define TILING_KEY_IS(key) (::AscendC::internal::ThisCore().tiling_key == (uint64_t)(key))
#endif
#ifndef TILING_KEY_VAR
#define TILING_KEY_VAR (::AscendC::internal::ThisCore().tiling_key)
#endif

namespace AscendC {
namespace internal {
/// TILING_KEY_LIST: whether the launch's key is one of those.
template <typename... Key>
inline bool TilingKeyIsOneOf(Key... key) {
  return ((ThisCore().tiling_key == static_cast<uint64_t>(key)) || ...);
}
}  // namespace internal
}  // namespace AscendC
#ifndef TILING_KEY_LIST
#define TILING_KEY_LIST(...) (::AscendC::internal::TilingKeyIsOneOf(__VA_ARGS__))
#endif

#endif  // HOSTNPU_ASCENDC_TILING_KERNEL_TILING_MACROS_H_
