// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// REGIST_MATMUL_OBJ: binds Matmul objects to their tilings, and ends the kernel function on the cube
// core of a mixed kernel, where the device's library would serve the vector cores.
#ifndef HOSTNPU_ASCENDC_ADVANCED_MATMUL_REGISTER_H_
#define HOSTNPU_ASCENDC_ADVANCED_MATMUL_REGISTER_H_

#include "matmul.h"

namespace AscendC {
namespace internal {

/// What the library's message queues and staging areas take, and what is reserved for them.
constexpr uint64_t kSystemWorkspaceUsed = 10748288;
constexpr uint64_t kSystemWorkspaceBytes = 16777216;

/// A Matmul object of a mixed kernel needs the system workspace, though here it stays unused:
/// without it the program would hang on the device.
inline void CheckSystemWorkspace(const void* workspace) {
  constexpr const char* kApi = "REGIST_MATMUL_OBJ";
  if (workspace == nullptr) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi,
                  "needs a system workspace of %llu bytes, and the kernel has none: give the launch "
                  "a workspace of at least that size, and mark its parameter __kfc_workspace__, "
                  "compile with -DHAVE_WORKSPACE, or call SetSysWorkspace(workspace)",
                  (unsigned long long)kSystemWorkspaceBytes);
  }
  CheckGm(kApi, workspace, kSystemWorkspaceUsed, HOSTNPU_GM_WRITE);
}

template <typename T>
struct IsPointerType {
  static constexpr bool value = false;
};
template <typename T>
struct IsPointerType<T*> {
  static constexpr bool value = true;
};
template <>
struct IsPointerType<decltype(nullptr)> {
  static constexpr bool value = true;
};

inline void RegisterObjects(TPipe*) {}
template <typename Object>
inline void RegisterObjects(TPipe*, Object&) {}  // its Init comes later
/// Objects, each followed by a pointer to its tiling or by nothing.
template <typename Object, typename Next, typename... Rest>
inline void RegisterObjects(TPipe* pipe, Object& object, Next&& next, Rest&&... rest) {
  using Plain = typename hostnpu::kernel::Decayed<Next>::Type;
  if constexpr (IsPointerType<Plain>::value) {
    object.Init(next, pipe);
    RegisterObjects(pipe, rest...);
  } else {
    RegisterObjects(pipe, next, rest...);
  }
}

}  // namespace internal
}  // namespace AscendC

#ifdef ASCENDC_CUBE_ONLY
#define HOSTNPU_MATMUL_CUBE_ONLY true
#else
#define HOSTNPU_MATMUL_CUBE_ONLY false
#endif
#define REGIST_MATMUL_OBJ(pipe, workspace, ...)                                        \
  do {                                                                                 \
    if (!(HOSTNPU_MATMUL_CUBE_ONLY) && ::AscendC::internal::ThisCore().is_mix) {       \
      ::AscendC::internal::CheckSystemWorkspace(workspace);                            \
      if (::AscendC::internal::OnCubeCore()) return;                                   \
    }                                                                                  \
    ::AscendC::internal::RegisterObjects(pipe, __VA_ARGS__);                           \
  } while (false)
#define REGIST_MATMUL_OBJ_STATIC REGIST_MATMUL_OBJ
#define REGIST_CUBE_OBJ REGIST_MATMUL_OBJ

#endif  // HOSTNPU_ASCENDC_ADVANCED_MATMUL_REGISTER_H_
