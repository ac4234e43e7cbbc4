// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/argument_list.h"

#include <fmt/format.h>

#include <cstring>

#include "memory/device_memory.h"
#include "runtime/context.h"

namespace hostnpu::runtime {
namespace {

base::Error Invalid(std::string message) {
  return base::Error{base::Code::kInvalidArgument, std::move(message)};
}

/// Keeps leased bytes until the launch before it in the stream is done.
class ReleaseTask : public Task {
 public:
  explicit ReleaseTask(std::vector<workspace::Lease> leases) : leases_(std::move(leases)) {}
  Progress Run(Stream&) override { return Progress::kDone; }
  std::string Describe() const override { return "giving back the data of arguments"; }

 private:
  std::vector<workspace::Lease> leases_;
};

/// Copies the bytes of placeholders to where the kernel reads them, in the stream's order: the same
/// block may be what the launch before still reads.
class PlaceTask : public Task {
 public:
  PlaceTask(void* place, std::vector<uint8_t> bytes) : place_(place), bytes_(std::move(bytes)) {}
  Progress Run(Stream&) override {
    memory::DeviceMemory::Get().SetExtent(place_, bytes_.size(), "argument data");
    std::memcpy(place_, bytes_.data(), bytes_.size());
    return Progress::kDone;
  }
  std::string Describe() const override { return "copying the data of an argument"; }

 private:
  void* const place_;  // leased until the ReleaseTask behind the launch
  const std::vector<uint8_t> bytes_;
};

}  // namespace

ArgumentList::ArgumentList(const KernelFunction& function)
    : function_(function), packed_(function.arguments_bytes) {}

base::Result<size_t> ArgumentList::Append(const void* value, size_t bytes) {
  if (given_ == function_.arguments.size()) {
    return Invalid(fmt::format("Kernel '{}' has {} parameters, and all have their arguments.",
                               function_.name, given_));
  }
  const size_t index = given_;
  if (auto updated = Update(ParameterHandle(index), value, bytes); !updated.ok()) {
    return std::move(updated).error();
  }
  given_ += 1;
  return index;
}

base::Result<size_t> ArgumentList::IndexOf(aclrtParamHandle parameter) const {
  const size_t index = reinterpret_cast<size_t>(parameter) - 1;
  if (index < function_.arguments.size() && index <= given_) return index;
  return Invalid(
      fmt::format("The parameter handle ({}) is none of this argument list.", parameter));
}

base::Result<void> ArgumentList::Update(aclrtParamHandle parameter, const void* value,
                                        size_t bytes) {
  HOSTNPU_ASSIGN_OR_RETURN(const size_t index, IndexOf(parameter));
  const HostnpuArgument& argument = function_.arguments[index];
  if (bytes != argument.size_bytes) {
    return Invalid(fmt::format("Argument {} of kernel '{}' has {} bytes, but its parameter has {}.",
                               index + 1, function_.name, bytes, argument.size_bytes));
  }
  std::memcpy(packed_.data() + argument.offset, value, bytes);
  return {};
}

base::Result<void*> ArgumentList::PlaceHolderBuffer(aclrtParamHandle parameter, size_t bytes) {
  HOSTNPU_ASSIGN_OR_RETURN(const size_t index, IndexOf(parameter));
  if (function_.arguments[index].is_pointer == 0) {
    return Invalid(
        fmt::format("Parameter {} of kernel '{}' is no pointer, so it cannot be a placeholder.",
                    index + 1, function_.name));
  }
  if (bytes == 0) return Invalid("A placeholder of 0 bytes has nothing to point to.");
  std::vector<uint8_t>& data = place_holders_[index];
  data.resize(bytes);
  return static_cast<void*>(data.data());
}

base::Result<void> ArgumentList::Finish() {
  if (given_ == function_.arguments.size()) return {};
  return Invalid(fmt::format("Kernel '{}' has {} parameters, but {} arguments were given.",
                             function_.name, function_.arguments.size(), given_));
}

base::Result<void> ArgumentList::TakePacked(const void* packed, size_t bytes,
                                            const std::vector<aclrtPlaceHolderInfo>& places) {
  const size_t used = function_.arguments.empty() ? 0
                                                  : function_.arguments.back().offset +
                                                        function_.arguments.back().size_bytes;
  if (bytes < used) {
    return Invalid(
        fmt::format("The arguments have {} bytes, but the parameters of kernel '{}' take {}.",
                    bytes, function_.name, used));
  }
  std::memcpy(packed_.data(), packed, used);
  given_ = function_.arguments.size();
  for (const aclrtPlaceHolderInfo& place : places) {
    size_t index = 0;
    while (index < given_ && function_.arguments[index].offset != place.addrOffset) ++index;
    if (index == given_ || place.dataOffset >= bytes) {
      return Invalid(
          fmt::format("The placeholder at offset {} with data at offset {} does not lie in the "
                      "{} bytes of the arguments of kernel '{}'.",
                      place.addrOffset, place.dataOffset, bytes, function_.name));
    }
    // The data of a placeholder goes as far as that of the next one, or the end.
    size_t end = bytes;
    for (const aclrtPlaceHolderInfo& other : places) {
      if (other.dataOffset > place.dataOffset) end = std::min<size_t>(end, other.dataOffset);
    }
    HOSTNPU_ASSIGN_OR_RETURN(void* data,
                             PlaceHolderBuffer(ParameterHandle(index), end - place.dataOffset));
    std::memcpy(data, static_cast<const uint8_t*>(packed) + place.dataOffset,
                end - place.dataOffset);
  }
  return {};
}

base::Result<void> ArgumentList::Launch(FunctionLaunch launch) {
  if (launch.function->name != function_.name) {
    return Invalid(fmt::format("The argument list is one of kernel '{}', not of '{}'.",
                               function_.name, launch.function->name));
  }
  if (auto finished = Finish(); !finished.ok()) return finished;
  HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(launch.stream));
  std::vector<uint8_t> packed = packed_;
  std::vector<workspace::Lease> leases;
  const auto sequence = stream->HoldSequence();
  for (const auto& [index, bytes] : place_holders_) {
    HOSTNPU_ASSIGN_OR_RETURN(
        auto lease, stream->memory().Acquire(SlotAt(Slot::kFirstArgument, index), bytes.size(),
                                             "argument data"));
    void* data = lease.base();
    std::memcpy(packed.data() + function_.arguments[index].offset, &data, sizeof(data));
    leases.push_back(std::move(lease));
  }
  auto lease = leases.begin();
  for (const auto& [index, bytes] : place_holders_) {
    stream->Enqueue(std::make_unique<PlaceTask>((lease++)->base(), bytes));
  }
  launch.packed = packed.data();
  launch.packed_bytes = packed.size();
  auto result = LaunchFunction(launch);
  if (!leases.empty()) stream->Enqueue(std::make_unique<ReleaseTask>(std::move(leases)));
  return result;
}

}  // namespace hostnpu::runtime
