// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Who am I: which core of which block a kernel runs on, of which kind, and its workspaces.
#ifndef HOSTNPU_ASCENDC_BASIC_IDENTITY_H_
#define HOSTNPU_ASCENDC_BASIC_IDENTITY_H_

#include "../detail/core.h"

namespace AscendC {

constexpr int32_t MIX = 0;
constexpr int32_t AIC = 1;
constexpr int32_t AIV = 2;

}  // namespace AscendC

// The kind of core this code runs on. A source that is compiled once runs on both kinds, so the
// kind is known only at run time; one that is compiled twice, once per kind, knows it while
// compiling, and `if constexpr (g_coreType == AscendC::AIC)` works.
#if defined(__DAV_C220_CUBE__) || defined(__DAV_CUBE__)
constexpr int32_t g_coreType = 1;
#elif defined(__DAV_C220_VEC__) || defined(__DAV_VEC__)
constexpr int32_t g_coreType = 2;
#else
namespace AscendC {
namespace internal {
struct CoreTypeHere {
  operator int32_t() const { return ThisCore().core_kind; }  // NOLINT: reads as the number it is
};
}  // namespace internal
}  // namespace AscendC
constexpr AscendC::internal::CoreTypeHere g_coreType{};
#endif

namespace AscendC {
using ::g_coreType;
}  // namespace AscendC

// Parenthesised, because users write `if ASCEND_IS_AIV {`.
#define ASCEND_IS_AIC (::g_coreType == ::AscendC::AIC)
#define ASCEND_IS_AIV (::g_coreType == ::AscendC::AIV)
#define ASCEND_IS_NOT_AIC (::g_coreType != ::AscendC::AIC)
#define ASCEND_IS_NOT_AIV (::g_coreType != ::AscendC::AIV)

// Marks of the kernel's type; the compiler driver reads them in the source, they do nothing here.
#define KERNEL_TASK_TYPE_DEFAULT(type)
#define KERNEL_TASK_TYPE(key, type)

namespace AscendC {

/// Which cores a kernel runs on, as KERNEL_TASK_TYPE names it.
enum KernelMetaType : uint8_t {
  KERNEL_TYPE_AIV_ONLY,
  KERNEL_TYPE_AIC_ONLY,
  KERNEL_TYPE_MIX_AIV_1_0,
  KERNEL_TYPE_MIX_AIC_1_0,
  KERNEL_TYPE_MIX_AIC_1_1,
  KERNEL_TYPE_MIX_AIC_1_2,
  KERNEL_TYPE_AICORE,
  KERNEL_TYPE_VECTORCORE,
  KERNEL_TYPE_MIX_AICORE,
  KERNEL_TYPE_MIX_VECTOR_CORE,
  KERNEL_TYPE_MAX,
};

/// Blocks of the launch, however many vector cores each of them has.
HOSTNPU_INLINE int64_t GetBlockNum() { return internal::ThisCore().block_count; }
/// The block of this core; on a vector core of a mixed kernel, its number among all vector cores.
HOSTNPU_INLINE int64_t GetBlockIdx() {
  const HostnpuCore& core = internal::ThisCore();
  if (core.core_kind == HOSTNPU_CORE_AIV && core.is_mix != 0) {
    return core.block_index * core.task_ratio + core.sub_block_index;
  }
  return core.block_index;
}
/// Which vector core of its block this is; 0 on a cube core.
HOSTNPU_INLINE int64_t GetSubBlockIdx() { return internal::ThisCore().sub_block_index; }
/// Vector cores of a block.
HOSTNPU_INLINE int64_t GetSubBlockNum() { return internal::ThisCore().sub_block_count; }
/// Vector cores per cube core of this kernel; 1 on a cube core.
HOSTNPU_INLINE int64_t GetTaskRatio() { return internal::ThisCore().task_ratio; }
/// The older spelling of GetTaskRatio.
HOSTNPU_INLINE int64_t GetTaskRation() { return GetTaskRatio(); }

namespace internal {
// Declared here, because <time.h> would cost every kernel compile time.
extern "C" int ClockGetTime(int clock, void* now) __asm__("clock_gettime");
}  // namespace internal
/// A counter for measuring time: the nanoseconds that the vendor's CPU twin returns as well.
inline int64_t GetSystemCycle() {
  struct {
    int64_t seconds;
    int64_t nanoseconds;
  } now;
  internal::ClockGetTime(1, &now);  // CLOCK_MONOTONIC
  return now.seconds * 1000000000 + now.nanoseconds;
}

/// Writes the version of the core's architecture.
HOSTNPU_INLINE void GetArchVersion(uint32_t& version) { version = 2201; }
/// A place in the program; only differences between two of them mean something.
inline int64_t GetProgramCounter() {
  return static_cast<int64_t>(reinterpret_cast<uintptr_t>(__builtin_return_address(0)));
}
/// Ends this core with an error.
[[noreturn]] inline void Trap() {
  HOSTNPU_FAULT(HOSTNPU_FAULT_ASSERT, "Trap", "was called by the kernel");
}
/// Bytes of a data block.
constexpr int16_t GetDataBlockSizeInBytes() { return ONE_BLK_SIZE; }

/// System part at the start of every workspace on this chip.
constexpr uint32_t RESERVED_WORKSPACE = 16 * 1024 * 1024;

/// Stores the workspace whose start is the system's, unless one is stored already.
HOSTNPU_INLINE void SetSysWorkspace(GM_ADDR workspace) {
  HostnpuCore& core = internal::ThisCore();
  if (core.system_workspace == nullptr) core.system_workspace = workspace;
}
/// Stores the workspace whose start is the system's.
HOSTNPU_INLINE void SetSysWorkspaceForce(GM_ADDR workspace) {
  internal::ThisCore().system_workspace = workspace;
}
/// The system workspace; null if there is none.
HOSTNPU_INLINE GM_ADDR GetSysWorkSpacePtr() { return internal::ThisCore().system_workspace; }
/// The part of the workspace that is the kernel's own. On the device it lies behind the stored
/// system part, whatever the argument is; in a launch by ICPU_RUN_KF it is the argument.
HOSTNPU_INLINE GM_ADDR GetUserWorkspace(GM_ADDR workspace) {
  const HostnpuCore& core = internal::ThisCore();
  if (core.is_twin != 0) return workspace;
  return core.system_workspace == nullptr ? nullptr : core.system_workspace + RESERVED_WORKSPACE;
}

}  // namespace AscendC

namespace hostnpu::kernel {
/// A register of the core that reads as a number.
template <int64_t (*read)()>
struct CoreRegister {
  operator int64_t() const { return read(); }  // NOLINT: used as a number
};
inline int64_t BlockIndex() { return AscendC::internal::ThisCore().block_index; }
inline int64_t BlockCount() { return AscendC::internal::ThisCore().block_count; }
}  // namespace hostnpu::kernel

/// The compiler's own names of the block's index and of the number of blocks. Objects and not
/// macros, so that a kernel may use the names for its own variables.
inline constexpr hostnpu::kernel::CoreRegister<&hostnpu::kernel::BlockIndex> block_idx = {};
inline constexpr hostnpu::kernel::CoreRegister<&hostnpu::kernel::BlockCount> block_num = {};
inline int64_t get_block_idx() { return block_idx; }
inline int64_t get_block_num() { return block_num; }

// Kernels call these without a namespace, too.
using AscendC::GetSysWorkSpacePtr;

#endif  // HOSTNPU_ASCENDC_BASIC_IDENTITY_H_
