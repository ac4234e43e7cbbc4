// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// REGIST_MATMUL_OBJ: binds Matmul objects to their tilings, and ends the kernel function on the
// cube core of a mixed kernel, where the device's library would serve the vector cores.
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
    HOSTNPU_FAULT(
        HOSTNPU_FAULT_ARGUMENT, kApi,
        "needs a system workspace of %llu bytes, and the kernel has none: give the launch "
        "a workspace of at least that size, and mark its parameter __kfc_workspace__, "
        "compile with -DHAVE_WORKSPACE, or call SetSysWorkspace(workspace)",
        (unsigned long long)kSystemWorkspaceBytes);
  }
  CheckGm(kApi, workspace, kSystemWorkspaceUsed, HOSTNPU_GM_WRITE);
}

/// Whether the cube core goes on after the registration of such an object.
template <typename Object, typename... Rest>
constexpr bool BothCoresRun(const Object&, const Rest&...) {
  return Object::kConfig.enableMixDualMaster;
}

/// Objects, each followed by a pointer to its tiling or, where its Init comes later, by nothing.
inline void RegisterObjects(TPipe*) {}
template <typename Object, typename... Rest>
void RegisterObjects(TPipe* pipe, Object& object, Rest&&... rest);
template <typename Object, typename Tiling, typename... Rest>
inline void RegisterNext(TPipe* pipe, Object& object, Tiling* tiling, Rest&&... rest) {
  object.Init(tiling, pipe);
  RegisterObjects(pipe, rest...);
}
template <typename Object, typename... Rest>
inline void RegisterNext(TPipe* pipe, Object& object, decltype(nullptr), Rest&&... rest) {
  object.Init(nullptr, pipe);
  RegisterObjects(pipe, rest...);
}
template <typename Object, typename Next, typename... Rest>
inline void RegisterNext(TPipe* pipe, Object&, Next& next, Rest&&... rest) {
  RegisterObjects(pipe, next, rest...);
}
template <typename Object>
inline void RegisterNext(TPipe*, Object&) {}
template <typename Object, typename... Rest>
inline void RegisterObjects(TPipe* pipe, Object& object, Rest&&... rest) {
  RegisterNext(pipe, object, rest...);
}

}  // namespace internal
}  // namespace AscendC

#ifdef ASCENDC_CUBE_ONLY
#define HOSTNPU_MATMUL_CUBE_ONLY true
#else
#define HOSTNPU_MATMUL_CUBE_ONLY false
#endif
#define REGIST_MATMUL_OBJ(pipe, workspace, ...)                                                   \
  do {                                                                                            \
    if (!(HOSTNPU_MATMUL_CUBE_ONLY) && ::AscendC::internal::ThisCore().is_mix) {                  \
      ::AscendC::internal::CheckSystemWorkspace(workspace);                                       \
      if (::AscendC::internal::OnCubeCore() && !::AscendC::internal::BothCoresRun(__VA_ARGS__)) { \
        return;                                                                                   \
      }                                                                                           \
    }                                                                                             \
    ::AscendC::internal::RegisterObjects(pipe, __VA_ARGS__);                                      \
  } while (false)
#define REGIST_MATMUL_OBJ_STATIC REGIST_MATMUL_OBJ
#define REGIST_CUBE_OBJ REGIST_MATMUL_OBJ

#endif  // HOSTNPU_ASCENDC_ADVANCED_MATMUL_REGISTER_H_
