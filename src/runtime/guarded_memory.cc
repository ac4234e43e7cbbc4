// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The CPU twin lays each GM buffer against a guard page. A kernel's DMA is checked anyway; the
// guard is for everything else that writes: scalar stores through plain pointers, and the host
// program itself.
#include "runtime/guarded_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>

#include "memory/device_memory.h"
#include "runtime/device.h"
#include "runtime/launch_memory.h"

namespace hostnpu::runtime {
namespace {

constexpr size_t kPageBytes = 4096;
constexpr size_t kAlignBytes = 64;
constexpr uint8_t kFiller = 0xFF;

struct Region {
  uint8_t* begin = nullptr;  // of the accessible pages
  uint8_t* data = nullptr;
  size_t size_bytes = 0;
  uint8_t* end = nullptr;  // of the accessible pages; the guard page follows
};

struct Regions {
  std::mutex mutex;
  std::map<void*, Region> all;
  static Regions& Get() {
    static Regions& regions = *new Regions;
    return regions;
  }
};

base::Error Invalid(std::string message) {
  return base::Error{base::Code::kInvalidArgument, std::move(message)};
}

base::Result<void> CheckSurroundings(const Region& region, const std::string& name) {
  for (const uint8_t* p = region.data - 1; p >= region.begin; --p) {
    if (*p == kFiller) continue;
    return Invalid(
        fmt::format("Something wrote before {} ({} bytes): the byte {} before its start has "
                    "changed.",
                    name, region.size_bytes, region.data - p));
  }
  for (const uint8_t* p = region.data + region.size_bytes; p < region.end; ++p) {
    if (*p == kFiller) continue;
    return Invalid(
        fmt::format("Something wrote behind {} ({} bytes): the byte at offset {} has changed.",
                    name, region.size_bytes, p - region.data));
  }
  return {};
}

}  // namespace

base::Result<void*> AllocateGuarded(size_t size_bytes) {
  if (size_bytes == 0 || size_bytes > (size_t{1} << 46)) {
    return Invalid(fmt::format("The size ({} bytes) is not one of a buffer.", size_bytes));
  }
  const size_t padded = (size_bytes + kAlignBytes - 1) / kAlignBytes * kAlignBytes;
  const size_t pages = (padded + kPageBytes - 1) / kPageBytes * kPageBytes;
  void* raw = mmap(nullptr, pages + kPageBytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED) {
    return base::Error{base::Code::kOutOfMemory,
                       fmt::format("The host has no {} bytes of memory left.", pages)};
  }
  Region region;
  region.begin = static_cast<uint8_t*>(raw);
  region.end = region.begin + pages;
  region.data = region.end - padded;
  region.size_bytes = size_bytes;
  mprotect(region.end, kPageBytes, PROT_NONE);
  std::memset(region.begin, kFiller, static_cast<size_t>(region.data - region.begin));
  std::memset(region.data + size_bytes, kFiller, padded - size_bytes);
  FillUndefined(region.data, size_bytes);
  uint32_t device = 0;
  if (auto current = CurrentDevice(); current.ok()) device = *current;
  auto lent = memory::DeviceMemory::Get().Register(region.data, size_bytes, device, "");
  if (!lent.ok()) {
    munmap(raw, pages + kPageBytes);
    return std::move(lent).error();
  }
  Regions& regions = Regions::Get();
  std::lock_guard lock(regions.mutex);
  regions.all[region.data] = region;
  return static_cast<void*>(region.data);
}

base::Result<void> FreeGuarded(void* address) {
  if (address == nullptr) return {};
  Region region;
  {
    Regions& regions = Regions::Get();
    std::lock_guard lock(regions.mutex);
    auto found = regions.all.find(address);
    if (found == regions.all.end()) {
      return Invalid(fmt::format(
          "The address ({}) is not one that GmAlloc gave, or was freed before.", address));
    }
    region = found->second;
    regions.all.erase(found);
  }
  auto& memory = memory::DeviceMemory::Get();
  const auto buffer = memory.Find(address);
  auto result =
      CheckSurroundings(region, buffer.has_value() ? buffer->Name() : "a buffer of GmAlloc");
  static_cast<void>(memory.Unregister(address, region.size_bytes));
  munmap(region.begin, static_cast<size_t>(region.end - region.begin) + kPageBytes);
  return result;
}

}  // namespace hostnpu::runtime
