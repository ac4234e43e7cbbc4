// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The table that kernels call. Each function finds its Core behind the record it is given and asks
// the launch; only bounds checks against GM and printing are answered here.
#include "engine/device_abi.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "base/symbolize.h"
#include "engine/job.h"
#include "memory/device_memory.h"

extern "C" {
__thread HostnpuCore* hostnpu_core
    __attribute__((tls_model("initial-exec"), visibility("default"))) = nullptr;
}

namespace hostnpu::engine {
namespace {

Core& CoreOf(HostnpuCore* core) { return *static_cast<Core*>(core->engine); }

[[noreturn]] void FailCore(HostnpuCore* core, HostnpuFaultKind kind, const char* api,
                           std::string message) {
  Core& owner = CoreOf(core);
  owner.job->Fail(owner, kind, api, std::move(message));
}

__attribute__((noreturn, format(printf, 4, 5))) void AbiFault(HostnpuCore* core,
                                                              HostnpuFaultKind kind,
                                                              const char* api, const char* format,
                                                              ...) {
  char text[2048];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  FailCore(core, kind, api, text);
}

const char* Verb(HostnpuGmAccess access) { return access == HOSTNPU_GM_WRITE ? "writes" : "reads"; }

/// Says what is wrong with an access that no live device buffer holds.
std::string DescribeGmFault(const Core& core, uintptr_t begin, uint64_t bytes,
                            HostnpuGmAccess access) {
  using memory::BufferInfo;
  const memory::DeviceMemory& table = memory::DeviceMemory::Get();
  std::optional<BufferInfo> buffer = table.Find(reinterpret_cast<const void*>(begin));
  if (begin == 0) return fmt::format("{} {} bytes at a null GM address", Verb(access), bytes);
  if (!buffer.has_value()) {
    std::optional<BufferInfo> below = table.NearestBelow(reinterpret_cast<const void*>(begin));
    if (below.has_value() && begin - below->base < below->size_bytes + (1u << 20)) {
      return fmt::format("{} {} bytes at offset {} of {}, which has {} bytes", Verb(access), bytes,
                         begin - below->base, below->Name(), below->size_bytes);
    }
    return fmt::format("{} {} bytes at {:#x}, which is not device memory", Verb(access), bytes,
                       begin);
  }
  if (buffer->freed) {
    return fmt::format("{} {} bytes at offset {} of {}, which has been freed", Verb(access), bytes,
                       begin - buffer->base, buffer->Name());
  }
  if (buffer->origin == memory::Origin::kHost) {
    return fmt::format("{} {} bytes at offset {} of {}, which is host memory", Verb(access), bytes,
                       begin - buffer->base, buffer->Name());
  }
  if (buffer->device != core.window_device) {
    return fmt::format("{} {} bytes of {}, which is on [Device {}]; the kernel runs on [Device {}]",
                       Verb(access), bytes, buffer->Name(), buffer->device, core.window_device);
  }
  return fmt::format("{} {} bytes at offset {} of {}, which has {} bytes: {} too many",
                     Verb(access), bytes, begin - buffer->base, buffer->Name(), buffer->size_bytes,
                     begin + bytes - buffer->base - buffer->size_bytes);
}

void AbiGmCheck(HostnpuCore* core, const char* api, const void* address, uint64_t bytes,
                HostnpuGmAccess access) {
  Core& owner = CoreOf(core);
  const auto begin = reinterpret_cast<uintptr_t>(address);
  std::optional<memory::BufferInfo> buffer = memory::DeviceMemory::Get().FindRange(address, bytes);
  if (!buffer.has_value() || buffer->freed || buffer->origin == memory::Origin::kHost ||
      buffer->device != owner.window_device || bytes > buffer->size_bytes ||
      begin - buffer->base > buffer->size_bytes - bytes) {
    std::string what = DescribeGmFault(owner, begin, bytes, access);
    if (access != HOSTNPU_GM_READ_SCALAR ||
        !memory::DeviceMemory::Get().IsPadding(address, bytes, owner.window_device)) {
      buffer.reset();  // FailCore() drops this frame, and nothing in it is destroyed
      FailCore(core, HOSTNPU_FAULT_GM_BOUNDS, api, std::move(what));
    }
    what = fmt::format("{} {}: undefined bytes that aclrtMalloc adds", api, what);
    return owner.job->NoteOddity(
        {api, std::move(what), owner.Name(), owner.Order(), base::CaptureStack()});
  }
  if (owner.job->on_trial()) {  // no window: the next write has to come here, too
    if (access == HOSTNPU_GM_WRITE) owner.job->KeepForUndo(address, bytes);
    return;
  }
  const uint32_t slot = core->gm_window_next++ % HOSTNPU_GM_WINDOW_COUNT;
  core->gm_window[slot] = core->gm_window[0];
  core->gm_window[0] = {buffer->base, buffer->base + buffer->size_bytes};
}

// GM is locked by 4 KiB page; the table of locks is shared by all devices, which costs nothing but
// a rare collision.
struct alignas(64) PageLock {
  std::atomic<uint32_t> held{0};
};
PageLock page_locks[512];

PageLock& LockOf(const void* address) {
  return page_locks[(reinterpret_cast<uintptr_t>(address) >> 12) % std::size(page_locks)];
}

void AbiGmLock(HostnpuCore* core, const void* address) {
  std::atomic<uint32_t>& held = LockOf(address).held;
  while (held.exchange(1, std::memory_order_acquire) != 0) {
    while (held.load(std::memory_order_relaxed) != 0) {
#if defined(__x86_64__)
      __builtin_ia32_pause();
#endif
    }
  }
  CoreOf(core).locked_gm = address;
}

void AbiGmUnlock(HostnpuCore* core, const void* address) {
  CoreOf(core).locked_gm = nullptr;
  LockOf(address).held.store(0, std::memory_order_release);
}

void CheckFlag(HostnpuCore* core, const char* api, uint32_t flag) {
  if (flag < kFlagCount) return;
  FailCore(core, HOSTNPU_FAULT_FLAG, api,
           fmt::format("flag {} is not between 0 and {}", flag, kFlagCount - 1));
}

// Cores of a launch that meet must all be on the chip at once; blocks beyond its cores never would
// be. Whether a kernel comes here at all its arguments may decide, so it cannot be known earlier
// unless the launch says so (SetScheduleMode, or the attribute of aclrtLaunchKernelWithConfig).
void CheckResident(Core& core, const char* api) {
  auto lack = LackOfCores(core.job->spec());
  if (!lack.has_value()) return;
  core.job->UndoTrial();
  std::string message = "all cores of the launch meet here, but " + *lack;
  lack.reset();  // Fail() drops this frame, and nothing in it is destroyed
  core.job->Fail(core, HOSTNPU_FAULT_ARGUMENT, api, std::move(message));
}

void AbiCrossCoreSet(HostnpuCore* core, uint32_t mode, uint32_t flag) {
  CheckFlag(core, "CrossCoreSetFlag", flag);
  if (mode > 2) {
    FailCore(core, HOSTNPU_FAULT_FLAG, "CrossCoreSetFlag",
             fmt::format("mode {} is not 0, 1 or 2", mode));
  }
  Core& owner = CoreOf(core);
  if (mode == 0) CheckResident(owner, "CrossCoreSetFlag");
  owner.job->SetFlag(owner, mode, flag, __builtin_return_address(0));
}

constexpr const char* kWaitNames[kFlagCount] = {
    "CrossCoreWaitFlag(0)",  "CrossCoreWaitFlag(1)",  "CrossCoreWaitFlag(2)",
    "CrossCoreWaitFlag(3)",  "CrossCoreWaitFlag(4)",  "CrossCoreWaitFlag(5)",
    "CrossCoreWaitFlag(6)",  "CrossCoreWaitFlag(7)",  "CrossCoreWaitFlag(8)",
    "CrossCoreWaitFlag(9)",  "CrossCoreWaitFlag(10)", "CrossCoreWaitFlag(11)",
    "CrossCoreWaitFlag(12)", "CrossCoreWaitFlag(13)", "CrossCoreWaitFlag(14)",
    "CrossCoreWaitFlag(15)"};

void AbiCrossCoreWait(HostnpuCore* core, uint32_t flag) {
  CheckFlag(core, "CrossCoreWaitFlag", flag);
  Core& owner = CoreOf(core);
  owner.job->WaitFlag(owner, flag, kWaitNames[flag]);
}

// The vendor's own sequence: flags 11 to 14 are set aside for it.
void AbiSyncAll(HostnpuCore* core, uint32_t aiv_only) {
  Core& owner = CoreOf(core);
  CheckResident(owner, "SyncAll");
  Job& job = *owner.job;
  void* const place = __builtin_return_address(0);
  if (aiv_only != 0) {
    if (owner.kind != HOSTNPU_CORE_AIV) return;
    job.SetFlag(owner, 0, 14, place);
    job.WaitFlag(owner, 14, "SyncAll()");
    return;
  }
  if (core->is_mix == 0) {
    job.SetFlag(owner, 0, 11, place);
    job.WaitFlag(owner, 11, "SyncAll<false>()");
    return;
  }
  if (owner.kind == HOSTNPU_CORE_AIV) {
    job.SetFlag(owner, 2, 12, place);
    job.WaitFlag(owner, 13, "SyncAll<false>()");
    return;
  }
  job.WaitFlag(owner, 12, "SyncAll<false>()");
  job.SetFlag(owner, 0, 11, place);
  job.WaitFlag(owner, 11, "SyncAll<false>()");
  job.SetFlag(owner, 2, 13, place);
}

void AbiBarrier(HostnpuCore* core, const char* what, uint64_t key, uint32_t participants) {
  Core& owner = CoreOf(core);
  CheckResident(owner, what);
  owner.job->Barrier(owner, what, key, participants);
}

void AbiWaitUntil(HostnpuCore* core, const char* what, int (*ready)(void*), void* context) {
  Core& owner = CoreOf(core);
  owner.job->NoteEvent();
  owner.job->Wait(owner, what, ready, context);
  owner.job->NoteEvent();
}

void AbiYield(HostnpuCore* core) {
  Core& owner = CoreOf(core);
  owner.job->Poll(owner);
}

std::atomic<bool> printed{false};

void AbiPrint(HostnpuCore*, const char* text, size_t length) {
  static std::mutex& mutex = *new std::mutex;
  std::lock_guard lock(mutex);
  std::fwrite(text, 1, length, stdout);
  printed.store(true, std::memory_order_relaxed);
}

void AbiFlagLeft(HostnpuCore* core, const char* event, uint32_t id, const char* api, uint64_t sets,
                 uint64_t waits, void* place) {
  Core& owner = CoreOf(core);
  const std::string name = owner.Name();
  owner.job->NoteFlagLeft({fmt::format("{} flag {}", event, id), api, name, name,
                           fmt::format("WaitFlag<HardEvent::{}>({})", event, id), sets, waits,
                           place, owner.Order()});
}

void AbiBeginBlockLocals(HostnpuCore* core, const void* image, size_t bytes) {
  CoreOf(core).block_locals.Begin(image, bytes);
}

constexpr HostnpuDeviceAbi kAbi = {
    HOSTNPU_DEVICE_ABI_VERSION,
    sizeof(HostnpuDeviceAbi),
    AbiFault,
    AbiGmCheck,
    AbiGmLock,
    AbiGmUnlock,
    AbiCrossCoreSet,
    AbiCrossCoreWait,
    AbiSyncAll,
    AbiBarrier,
    AbiWaitUntil,
    AbiYield,
    AbiPrint,
    nullptr,
    AbiBeginBlockLocals,
    AbiFlagLeft,
};

}  // namespace

void PrepareCore(Core& core, const LaunchSpec& spec) {
  HostnpuCore& abi = core.abi;
  const uint64_t generation = memory::DeviceMemory::Get().generation();
  if (core.memory_generation != generation || core.window_device != spec.device ||
      core.job->on_trial()) {
    std::memset(abi.gm_window, 0, sizeof(abi.gm_window));
    core.memory_generation = generation;
    core.window_device = spec.device;
  }
  abi.abi = &kAbi;
  core.memory.Describe(abi.memory);
  if (spec.fill_local_memory.has_value()) core.memory.Fill(*spec.fill_local_memory);
  const bool is_mix = spec.cores.aic != 0 && spec.cores.aiv != 0;
  abi.core_kind = core.kind;
  abi.task_ratio =
      core.kind == HOSTNPU_CORE_AIC || !is_mix ? 1 : static_cast<int32_t>(spec.cores.aiv);
  abi.block_index = static_cast<int64_t>(core.block->index);
  abi.block_count = static_cast<int64_t>(spec.blocks);
  abi.sub_block_index = core.lane;
  abi.sub_block_count = core.kind == HOSTNPU_CORE_AIC ? 1 : static_cast<int64_t>(spec.cores.aiv);
  abi.is_mix = is_mix ? 1 : 0;
  abi.tiling_key = spec.tiling_key;
  abi.system_workspace = spec.system_workspace;
  abi.pipe = nullptr;
  abi.kernel_name = spec.kernel_name.c_str();
  abi.engine = &core;
  abi.is_twin = spec.is_twin ? 1 : 0;
  abi.poll_count = 0;
  core.odd_divisions = 0;  // of a launch that dropped the core
  core.block_locals.Clear();
  std::memset(abi.registers, 0, sizeof(abi.registers));
}

void GiveUpGmLock(Core& core) {
  if (core.locked_gm != nullptr) AbiGmUnlock(&core.abi, core.locked_gm);
}

std::vector<SourceLocation> UserLocations(const std::vector<std::vector<void*>>& stacks) {
  std::vector<void*> addresses;  // cores wait at few places: each address once
  for (const auto& stack : stacks) addresses.insert(addresses.end(), stack.begin(), stack.end());
  std::sort(addresses.begin(), addresses.end());
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  const std::vector<std::vector<base::Frame>> frames = base::Symbolize(addresses);
  const auto is_ours = [](const base::Frame& frame) {
    return frame.file.find("include/ascendc/") != std::string::npos ||
           frame.file.find("include/tilelang/") != std::string::npos ||
           frame.file.find("include/hostnpu/") != std::string::npos ||  // of an installation
           frame.file.find("/src/engine/") != std::string::npos ||
           frame.file.find("/src/base/") != std::string::npos;
  };
  const auto place = [&](const std::vector<void*>& stack) -> SourceLocation {
    for (void* address : stack) {
      const auto at = std::lower_bound(addresses.begin(), addresses.end(), address);
      for (const base::Frame& frame : frames[static_cast<size_t>(at - addresses.begin())]) {
        if (!is_ours(frame)) return {frame.file, frame.line, frame.column};
      }
    }
    return {};
  };
  std::vector<SourceLocation> locations;
  for (const auto& stack : stacks) locations.push_back(place(stack));
  return locations;
}

void FlushPrints() {
  if (!printed.load(std::memory_order_relaxed) || !printed.exchange(false)) return;
  std::fflush(stdout);
}

}  // namespace hostnpu::engine
