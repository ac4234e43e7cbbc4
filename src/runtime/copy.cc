// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// On the device a wrong size or kind of a copy overwrites a neighbour or faults somewhere later.
// Device memory here is ordinary memory, so a wrong copy would simply work: all the more it has to
// be said.
#include "runtime/copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "acl/acl_rt.h"
#include "memory/device_memory.h"
#include "runtime/device.h"
#include "runtime/last_error.h"
#include "runtime/status.h"

namespace hostnpu::runtime {
namespace {

using memory::BufferInfo;
using memory::DeviceMemory;
using memory::Origin;

const char* KindName(int kind) {
  switch (kind) {
    case ACL_MEMCPY_HOST_TO_HOST:
      return "ACL_MEMCPY_HOST_TO_HOST";
    case ACL_MEMCPY_HOST_TO_DEVICE:
      return "ACL_MEMCPY_HOST_TO_DEVICE";
    case ACL_MEMCPY_DEVICE_TO_HOST:
      return "ACL_MEMCPY_DEVICE_TO_HOST";
    case ACL_MEMCPY_DEVICE_TO_DEVICE:
      return "ACL_MEMCPY_DEVICE_TO_DEVICE";
    case ACL_MEMCPY_DEFAULT:
      return "ACL_MEMCPY_DEFAULT";
    case ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE:
      return "ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE";
    case ACL_MEMCPY_INNER_DEVICE_TO_DEVICE:
      return "ACL_MEMCPY_INNER_DEVICE_TO_DEVICE";
    case ACL_MEMCPY_INTER_DEVICE_TO_DEVICE:
      return "ACL_MEMCPY_INTER_DEVICE_TO_DEVICE";
    default:
      return nullptr;
  }
}

bool WantsDeviceDst(int kind) {
  return kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE ||
         kind == ACL_MEMCPY_DEVICE_TO_DEVICE || kind == ACL_MEMCPY_INNER_DEVICE_TO_DEVICE ||
         kind == ACL_MEMCPY_INTER_DEVICE_TO_DEVICE;
}

bool WantsDeviceSrc(int kind) {
  return kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE ||
         kind == ACL_MEMCPY_INNER_DEVICE_TO_DEVICE || kind == ACL_MEMCPY_INTER_DEVICE_TO_DEVICE;
}

struct Peers {
  std::mutex mutex;
  std::set<std::pair<uint32_t, uint32_t>> allowed;
};

Peers& AllPeers() {
  static Peers& peers = *new Peers;
  return peers;
}

bool MayCopyBetween(uint32_t a, uint32_t b) {
  if (a == b) return true;
  Peers& peers = AllPeers();
  std::lock_guard lock(peers.mutex);
  return peers.allowed.count({a, b}) != 0 || peers.allowed.count({b, a}) != 0;
}

/// One side of a copy.
struct Side {
  const char* name;  // "dst"
  const void* address;
  uint64_t bytes;
  bool wants_device;
  std::optional<BufferInfo> buffer;

  bool IsDevice() const { return buffer.has_value() && buffer->origin == Origin::kDevice; }
  bool IsKnown() const { return buffer.has_value(); }
  std::string Where() const {
    if (!buffer.has_value()) return fmt::format("host memory ({})", address);
    if (buffer->origin == Origin::kHost)
      return fmt::format("{}, which is host memory", buffer->Name());
    return fmt::format("{}, which is memory of [Device {}]", buffer->Name(), buffer->device);
  }
};

base::Error Invalid(std::string message) {
  return base::Error{base::Code::kInvalidArgument, std::move(message)};
}

base::Result<void> CheckRange(const Side& side) {
  if (!side.buffer.has_value()) return {};
  const BufferInfo& buffer = *side.buffer;
  if (buffer.freed) {
    return Invalid(fmt::format("{} ({}) points into {}, which has been freed.", side.name,
                               side.address, buffer.Name()));
  }
  const uint64_t offset = reinterpret_cast<uintptr_t>(side.address) - buffer.base;
  if (side.bytes <= buffer.size_bytes - offset) return {};
  return Invalid(fmt::format(
      "Count ({} bytes) from offset {} of {} goes {} bytes beyond its {} bytes.", side.bytes,
      offset, buffer.Name(), side.bytes - (buffer.size_bytes - offset), buffer.size_bytes));
}

base::Result<void> CheckSide(const Side& side, int kind, uint32_t device) {
  if (auto range = CheckRange(side); !range.ok()) return range;
  if (kind == ACL_MEMCPY_DEFAULT) return {};
  // Bytes lent by their owner (a tensor) are both: of the host, and usable by kernels.
  if (side.IsKnown() && side.buffer->origin == Origin::kExternal) return {};
  if (side.IsDevice() != side.wants_device) {
    return Invalid(
        fmt::format("{} is {}, but kind is {}.", side.name, side.Where(), KindName(kind)));
  }
  if (side.IsDevice() && !MayCopyBetween(side.buffer->device, device)) {
    return Invalid(
        fmt::format("{} is {}, and the current device is [Device {}] without peer access to "
                    "it (aclrtDeviceEnablePeerAccess).",
                    side.name, side.Where(), device));
  }
  return {};
}

std::string Doing(const Side& src, const Side& dst) {
  const auto place = [](const Side& side) {
    return side.IsDevice() ? fmt::format("[Device {}]", side.buffer->device)
                           : std::string("host memory");
  };
  return fmt::format("copying from {} to {}", place(src), place(dst));
}

base::Result<void> CheckSides(Side& dst, Side& src, int kind) {
  HOSTNPU_ASSIGN_OR_RETURN(const uint32_t device, CurrentDevice());
  dst.buffer = DeviceMemory::Get().Find(dst.address);
  src.buffer = DeviceMemory::Get().Find(src.address);
  HOSTNPU_TRY(CheckSide(dst, kind, device), Doing(src, dst));
  HOSTNPU_TRY(CheckSide(src, kind, device), Doing(src, dst));
  return {};
}

base::Result<void> CheckPointers(const void* dst, const void* src, int kind) {
  if (dst == nullptr) return Invalid("Argument dst is null.");
  if (src == nullptr) return Invalid("Argument src is null.");
  if (KindName(kind) == nullptr) {
    return Invalid(fmt::format("The kind ({}) is none of aclrtMemcpyKind.", kind));
  }
  return {};
}

std::vector<const void*> AddressesOf(const Copy& copy) { return {copy.dst, copy.src}; }
std::vector<const void*> AddressesOf(const Fill& fill) { return {fill.dst}; }

/// A copy or fill in a stream.
template <typename Work>
class MemoryTask : public Task {
 public:
  MemoryTask(const Work& work, const char* what) : work_(work), what_(what) {}
  Progress Run(Stream& stream) override {
    for (const void* address : AddressesOf(work_)) {
      const auto buffer = DeviceMemory::Get().Find(address);
      if (!buffer.has_value() || !buffer->freed) continue;
      base::Error error = Invalid(fmt::format("{} was freed before the {} had its turn in {}.",
                                              buffer->Name(), what_, stream.Name()));
      NoteUnreadFailure(error);
      stream.Fail(std::move(error));
      return Progress::kDone;
    }
    work_.Run();
    return Progress::kDone;
  }
  std::string Describe() const override { return fmt::format("doing a {}", what_); }

 private:
  const Work work_;
  const char* const what_;
};

}  // namespace

void Copy::Run() const {
  const size_t whole_rows = dst_pitch == row_bytes && src_pitch == row_bytes ? rows : 1;
  for (size_t row = 0; row < rows; row += whole_rows) {
    std::memmove(static_cast<char*>(dst) + row * dst_pitch,
                 static_cast<const char*>(src) + row * src_pitch, row_bytes * whole_rows);
  }
}

void Fill::Run() const {
  if (bytes != 0) std::memset(dst, value, bytes);
}

base::Result<Copy> CheckCopy(void* dst, size_t dest_max, const void* src, size_t count, int kind) {
  if (count == 0) return Copy{dst, src, 0, 0, 0, 0};
  if (auto pointers = CheckPointers(dst, src, kind); !pointers.ok()) return pointers.error();
  Side to{"dst", dst, count, WantsDeviceDst(kind), {}};
  Side from{"src", src, count, WantsDeviceSrc(kind), {}};
  if (count > dest_max) {
    const auto buffer = DeviceMemory::Get().Find(dst);
    const std::string of = buffer.has_value() && !buffer->freed ? " of " + buffer->Name() : "";
    to.buffer = buffer;
    from.buffer = DeviceMemory::Get().Find(src);
    return Invalid(fmt::format("Count ({} bytes) is larger than destMax ({} bytes){}.", count,
                               dest_max, of))
        .While(Doing(from, to));
  }
  if (auto sides = CheckSides(to, from, kind); !sides.ok()) return std::move(sides).error();
  return Copy{dst, src, count, 1, count, count};
}

base::Result<Copy> CheckCopy2d(void* dst, size_t dst_pitch, const void* src, size_t src_pitch,
                               size_t width, size_t height, int kind) {
  if (width == 0 || height == 0) return Copy{dst, src, 0, 0, 0, 0};
  if (auto pointers = CheckPointers(dst, src, kind); !pointers.ok()) return pointers.error();
  if (width > dst_pitch || width > src_pitch) {
    return Invalid(fmt::format("Width ({} bytes) is larger than {} ({} bytes).", width,
                               width > dst_pitch ? "dpitch" : "spitch",
                               width > dst_pitch ? dst_pitch : src_pitch));
  }
  const size_t longest = std::max(dst_pitch, src_pitch);
  if (height > (SIZE_MAX - width) / longest) {
    return Invalid(fmt::format("Height ({}) times pitch ({} bytes) is more than there can be.",
                               height, longest));
  }
  Side to{"dst", dst, (height - 1) * dst_pitch + width, WantsDeviceDst(kind), {}};
  Side from{"src", src, (height - 1) * src_pitch + width, WantsDeviceSrc(kind), {}};
  if (auto sides = CheckSides(to, from, kind); !sides.ok()) return std::move(sides).error();
  return Copy{dst, src, width, height, dst_pitch, src_pitch};
}

std::string CallText(const char* function, int kind) {
  const char* name = KindName(kind);
  return fmt::format("calling {}(kind = {})", function,
                     name != nullptr ? std::string(name) : std::to_string(kind));
}

base::Result<Fill> CheckFill(void* dst, size_t max_count, int32_t value, size_t count) {
  if (dst == nullptr) return Invalid("Argument devPtr is null.");
  if (count > max_count) {
    return Invalid(
        fmt::format("Count ({} bytes) is larger than maxCount ({} bytes).", count, max_count));
  }
  HOSTNPU_ASSIGN_OR_RETURN(const uint32_t device, CurrentDevice());
  Side side{"devPtr", dst, count, true, DeviceMemory::Get().Find(dst)};
  if (side.buffer.has_value() && count != 0) {
    HOSTNPU_TRY(CheckRange(side), "filling memory");
    if (side.IsDevice() && !MayCopyBetween(side.buffer->device, device)) {
      return Invalid(fmt::format("devPtr is {}, and the current device is [Device {}].",
                                 side.Where(), device));
    }
  }
  return Fill{dst, count, static_cast<uint8_t>(value)};
}

base::Result<void> EnqueueCopy(Stream& stream, const Copy& copy) {
  stream.Enqueue(std::make_unique<MemoryTask<Copy>>(copy, "copy"));
  return {};
}

base::Result<void> EnqueueFill(Stream& stream, const Fill& fill) {
  stream.Enqueue(std::make_unique<MemoryTask<Fill>>(fill, "fill"));
  return {};
}

base::Result<void> SetPeerAccess(uint32_t device, int64_t peer, bool enabled) {
  HOSTNPU_ASSIGN_OR_RETURN(const uint32_t other, CheckDevice(peer));
  if (other == device) {
    return Invalid(fmt::format("[Device {}] is the current device itself, not a peer.", device));
  }
  Peers& peers = AllPeers();
  std::lock_guard lock(peers.mutex);
  if (enabled) {
    peers.allowed.insert({device, other});
  } else {
    peers.allowed.erase({device, other});
  }
  return {};
}

}  // namespace hostnpu::runtime
