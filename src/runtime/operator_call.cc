// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The second phase of an operator call, as generated aclnn functions make it: it only places and
// launches what the first has planned (operator_plan.cc).
#include "runtime/operator_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "arch/chip.h"
#include "memory/device_memory.h"
#include "runtime/context.h"
#include "runtime/device.h"
#include "runtime/last_error.h"
#include "runtime/launch.h"
#include "runtime/launch_memory.h"
#include "runtime/stream.h"
#include "runtime/workspace_report.h"

namespace hostnpu::runtime {
namespace {

/// Copies a view element by element into a contiguous buffer.
void Gather(const aclTensor& view, uint8_t* to) {
  const auto element =
      static_cast<size_t>(ge::GetSizeInBytes(1, static_cast<ge::DataType>(view.dtype)));
  const size_t rank = view.view_dims.size();
  std::vector<int64_t> index(rank, 0);
  const uint8_t* base = view.Address();
  for (int64_t k = view.ElementCount(); k > 0; --k) {
    int64_t at = 0;
    for (size_t d = 0; d < rank; ++d) at += index[d] * view.strides[d];
    std::memcpy(to, base + at * static_cast<int64_t>(element), element);
    to += element;
    for (size_t d = rank; d-- > 0;) {
      if (++index[d] < view.view_dims[d]) break;
      index[d] = 0;
    }
  }
}

/// Bytes of the outputs that start with a value.
struct OutputFill {
  uint8_t* data = nullptr;
  size_t bytes = 0;
  std::string value;
};

/// Bytes that the host gives to a call: tiling data, a list of tensors.
struct PlacedData {
  std::byte* place = nullptr;
  std::string label;
  std::vector<uint8_t> bytes;
};

/// Before the kernel, in the order of the stream: data of the host, contiguous copies, initial
/// values.
struct Preparation {
  std::vector<PlacedData> data;
  std::byte* staging = nullptr;  // where leased copies begin; null: they lie in the caller's memory
  uint64_t staging_bytes = 0;
  std::vector<aclTensor> views;
  std::vector<uint8_t*> copies;  // where they go
  std::vector<OutputFill> fills;
};

class PrepareTask : public Task {
 public:
  PrepareTask(std::shared_ptr<OperatorCall> call, Preparation preparation)
      : call_(std::move(call)), preparation_(std::move(preparation)) {}
  Progress Run(Stream&) override {
    auto& memory = memory::DeviceMemory::Get();
    for (const PlacedData& data : preparation_.data) {
      memory.SetExtent(data.place, data.bytes.size(), data.label);
      std::memcpy(data.place, data.bytes.data(), data.bytes.size());
    }
    if (preparation_.staging != nullptr) {
      memory.SetExtent(preparation_.staging, preparation_.staging_bytes,
                       call_->op->type + " contiguous copies");
    }
    for (size_t i = 0; i < preparation_.views.size(); ++i) {
      Gather(preparation_.views[i], preparation_.copies[i]);
    }
    for (const OutputFill& fill : preparation_.fills) {
      for (size_t at = 0; at < fill.bytes; at += fill.value.size()) {
        std::memcpy(fill.data + at, fill.value.data(), fill.value.size());
      }
    }
    return Progress::kDone;
  }
  std::string Describe() const override { return fmt::format("preparing {}", call_->op->type); }

 private:
  const std::shared_ptr<OperatorCall> call_;
  const Preparation preparation_;
};

/// After the kernel: gives back what the call held.
class ReleaseTask : public Task {
 public:
  ReleaseTask(std::shared_ptr<OperatorCall> call, std::vector<workspace::Lease> leases)
      : call_(std::move(call)), leases_(std::move(leases)) {}
  Progress Run(Stream&) override { return Progress::kDone; }
  std::string Describe() const override { return fmt::format("ending {}", call_->op->type); }

 private:
  const std::shared_ptr<OperatorCall> call_;
  const std::vector<workspace::Lease> leases_;
};

/// The buffer of an address that a kernel of that device may use. `complain` makes the error.
template <typename Complain>
base::Result<memory::BufferInfo> DeviceBufferOf(const void* address, uint32_t device,
                                                const Complain& complain) {
  auto buffer = memory::DeviceMemory::Get().Find(address);
  if (!buffer.has_value() || buffer->origin == memory::Origin::kHost) {
    return complain("is not device memory");
  }
  if (buffer->freed) {
    return complain(fmt::format("lies in {}, which has been freed", buffer->Name()));
  }
  if (buffer->device != device) {
    return complain(fmt::format("lies in {} of [Device {}], and the stream is on [Device {}]",
                                buffer->Name(), buffer->device, device));
  }
  return *std::move(buffer);
}

base::Result<void> CheckWorkspace(const OperatorCall& call, const void* workspace,
                                  uint64_t given_bytes, uint32_t device) {
  const auto complain = [&](const std::string& what) {
    return InvalidCall(fmt::format("The workspace ({}) of {} {}.", workspace, call.op->type, what),
                       ACLNN_ERR_PARAM_INVALID);
  };
  if (given_bytes < call.workspace_bytes) {
    return complain(
        fmt::format("has {} bytes, and {} are needed", given_bytes, call.workspace_bytes));
  }
  HOSTNPU_ASSIGN_OR_RETURN(const memory::BufferInfo buffer,
                           DeviceBufferOf(workspace, device, complain));
  const uint64_t offset = reinterpret_cast<uintptr_t>(workspace) - buffer.base;
  if (buffer.size_bytes - offset < call.workspace_bytes) {
    return complain(fmt::format(
        "is at offset {} of {}, which has {} bytes: {} are left, and {} are needed", offset,
        buffer.Name(), buffer.size_bytes, buffer.size_bytes - offset, call.workspace_bytes));
  }
  if (reinterpret_cast<uintptr_t>(workspace) % 32 != 0)
    return complain("is not a multiple of 32 bytes");
  return {};
}

// The host itself reads what it makes contiguous and writes what it fills, so these have to lie in
// device memory as a whole; all others the launch and the kernel's own accesses check.
base::Result<void> CheckBytes(const OperatorCall& call, const BoundTensor& bound, uint32_t device) {
  const auto complain = [&](const std::string& what) {
    return InvalidCall(fmt::format("Tensor \"{}\" of {} ({}) {}.", bound.name, call.op->type,
                                   bound.copy.data, what),
                       ACLNN_ERR_PARAM_INVALID);
  };
  HOSTNPU_ASSIGN_OR_RETURN(const memory::BufferInfo buffer,
                           DeviceBufferOf(bound.copy.data, device, complain));
  const auto range = bound.copy.ByteRange();
  const auto start =
      static_cast<int64_t>(reinterpret_cast<uintptr_t>(bound.copy.data) - buffer.base);
  if (!range.has_value() || start + range->first < 0 ||
      start + range->second > static_cast<int64_t>(buffer.size_bytes)) {
    return complain(fmt::format("goes with its strides and offset beyond {}, which has {} bytes",
                                buffer.Name(), buffer.size_bytes));
  }
  return {};
}

base::Result<void> CheckTensors(const OperatorCall& call, uint32_t device) {
  for (const BoundTensor& bound : call.tensors) {
    if (!bound.is_present || bound.copy.ElementCount() == 0) continue;
    if (bound.copy.data == nullptr) {
      return InvalidCall(fmt::format("Tensor \"{}\" of {} has no data.", bound.name, call.op->type),
                         ACLNN_ERR_PARAM_NULLPTR);
    }
    if (!bound.needs_staging && bound.fill.empty()) continue;
    if (auto bytes = CheckBytes(call, bound, device); !bytes.ok()) return bytes;
  }
  return {};
}

/// The workspace as one region: the library's part in front, as the tiling function counts it in.
PlanPointer PlanOf(const OperatorCall& call, uint64_t system_bytes) {
  const uint64_t front = std::min(system_bytes, call.kernel_workspace_bytes);
  return PlanOfOne(call.op->type, "workspace", front, call.kernel_workspace_bytes - front,
                   OperatorTable::Get().WorkspaceContents(call.op->type));
}

/// A list as kernels read it (include/ascendc/basic/list_tensor.h): where the pointers begin, the
/// shapes, the pointers.
std::vector<uint8_t> DescribeList(const OperatorCall& call, const BoundParameter& parameter,
                                  const std::vector<uint8_t*>& addresses) {
  std::vector<uint64_t> words(1);
  for (size_t i = 0; i < parameter.count; ++i) {
    const std::vector<int64_t>& dims = call.tensors[parameter.first + i].copy.view_dims;
    words.push_back((i == 0 ? parameter.count : i) << 32 | dims.size());
    words.insert(words.end(), dims.begin(), dims.end());
  }
  words[0] = words.size() * sizeof(uint64_t);
  for (size_t i = 0; i < parameter.count; ++i) {
    words.push_back(reinterpret_cast<uint64_t>(addresses[parameter.first + i]));
  }
  const auto* bytes = reinterpret_cast<const uint8_t*>(words.data());
  return {bytes, bytes + words.size() * sizeof(uint64_t)};
}

/// Leases bytes of the runtime's own for one call.
base::Result<std::byte*> Lease(Stream& stream, const OperatorCall& call, uint64_t bytes, Slot slot,
                               const char* what, std::vector<workspace::Lease>& leases) {
  auto lease = stream.memory().Acquire(slot, bytes, fmt::format("{} {}", call.op->type, what));
  if (!lease.ok()) {
    return std::move(lease.error().While(
        fmt::format("leasing {} bytes of {} for {}", bytes, what, call.op->type)));
  }
  std::byte* const base = lease->base();
  leases.push_back(std::move(lease).value());
  return base;
}

/// Where the kernel finds its workspace: in the caller's, or in one that is leased for it.
base::Result<uint8_t*> PlaceWorkspace(Stream& stream, const OperatorCall& call, uint8_t* given,
                                      LaunchMemory& memory) {
  if (call.kernel_workspace_bytes == 0) return static_cast<uint8_t*>(nullptr);
  if (given != nullptr && !ReportsWorkspaces()) return given;
  HOSTNPU_ASSIGN_OR_RETURN(const arch::Chip* chip, DeviceChip());
  PlanPointer plan = PlanOf(call, chip->system_workspace_bytes);
  if (given != nullptr) {
    memory.Watch(std::move(plan), reinterpret_cast<std::byte*>(given));
    return given;
  }
  auto front = memory.Lease(stream.memory(), Slot::kWorkspace, std::move(plan));
  if (front.ok()) return reinterpret_cast<uint8_t*>(*front);
  return std::move(front.error().While(fmt::format("leasing {} bytes of workspace for {}",
                                                   call.kernel_workspace_bytes, call.op->type)));
}

/// The addresses of all tensors, with what is to be done for them before the kernel. `copies` is
/// where the offsets of staged inputs count from.
std::vector<uint8_t*> PlaceTensors(const OperatorCall& call, uint8_t* copies,
                                   Preparation& preparation) {
  std::vector<uint8_t*> addresses;
  for (const BoundTensor& bound : call.tensors) {
    if (!bound.is_present) {
      addresses.push_back(nullptr);
    } else if (bound.needs_staging) {
      // Without bytes there is nothing to copy, and may be nowhere to copy to.
      addresses.push_back(copies == nullptr ? nullptr : copies + bound.staging);
      preparation.views.push_back(bound.copy);
      preparation.copies.push_back(addresses.back());
    } else {
      addresses.push_back(bound.copy.Address());
    }
    if (bound.fill.empty()) continue;
    preparation.fills.push_back(
        {addresses.back(), static_cast<size_t>(bound.copy.Bytes()), bound.fill});
  }
  return addresses;
}

/// What a kernel's launcher gave, as a result of the call.
base::Result<void> ResultOf(const OperatorCall& call, int status) {
  if (status == op::kNoSuchInstance) {
    return FailedCall(fmt::format("The kernel of {} has no instance for the tiling key {}.",
                                  call.op->type, call.tiling_key),
                      ACLNN_ERR_INNER_FIND_KERNEL_ERROR);
  }
  if (status != 0) {
    return NewestError().While(fmt::format("calling {} with tiling key {} and {} blocks",
                                           call.op->type, call.tiling_key, call.blocks));
  }
  return {};
}

}  // namespace

base::Result<void> RunCall(const std::shared_ptr<OperatorCall>& call, void* workspace,
                           uint64_t workspace_bytes, void* stream_handle) {
  if (call->skip) return {};
  HOSTNPU_ASSIGN_OR_RETURN(std::shared_ptr<Stream> stream, FindStream(stream_handle));
  if (auto r = CheckTensors(*call, stream->device()); !r.ok()) return r;
  const auto sequence = stream->HoldSequence();
  auto* base = static_cast<uint8_t*>(workspace);
  Preparation preparation;
  LaunchMemory memory;
  std::vector<workspace::Lease> leases;
  uint8_t* copies = nullptr;  // where the offsets of staged inputs count from
  if (base != nullptr && call->workspace_bytes > 0) {
    if (auto r = CheckWorkspace(*call, workspace, workspace_bytes, stream->device()); !r.ok())
      return r;
    copies = base;
  } else if (call->workspace_bytes > call->copies_begin) {
    preparation.staging_bytes = call->workspace_bytes - call->copies_begin;
    HOSTNPU_ASSIGN_OR_RETURN(preparation.staging,
                             Lease(*stream, *call, preparation.staging_bytes, Slot::kCopies,
                                   "contiguous copies", leases));
    copies = reinterpret_cast<uint8_t*>(preparation.staging) - call->copies_begin;
  }
  HOSTNPU_ASSIGN_OR_RETURN(base, PlaceWorkspace(*stream, *call, base, memory));
  const std::vector<uint8_t*> tensor_addresses = PlaceTensors(*call, copies, preparation);
  const auto place = [&](Slot slot, const char* what,
                         std::vector<uint8_t> bytes) -> base::Result<uint8_t*> {
    HOSTNPU_ASSIGN_OR_RETURN(std::byte * data,
                             Lease(*stream, *call, bytes.size(), slot, what, leases));
    preparation.data.push_back(
        {data, fmt::format("{} {}", call->op->type, what), std::move(bytes)});
    return reinterpret_cast<uint8_t*>(data);
  };
  std::vector<uint8_t*> addresses;
  for (const BoundParameter& parameter : call->parameters) {
    uint8_t* address = tensor_addresses[parameter.first];
    if (parameter.is_list) {
      HOSTNPU_ASSIGN_OR_RETURN(address,
                               place(SlotAt(Slot::kFirstList, addresses.size()), "list of tensors",
                                     DescribeList(*call, parameter, tensor_addresses)));
    }
    addresses.push_back(address);
  }
  addresses.push_back(base);
  addresses.push_back(nullptr);
  if (!call->tiling.empty()) {
    HOSTNPU_ASSIGN_OR_RETURN(addresses.back(), place(Slot::kTiling, "tiling", call->tiling));
  }
  stream->Enqueue(std::make_unique<PrepareTask>(call, std::move(preparation)));
  const BatchMode mode(call->batch_mode);
  LeaveForNextLaunch(std::move(memory));
  const int status =
      call->op->kernels[call->kernel](call->blocks, stream->handle(), call->tiling_key,
                                      addresses.data(), static_cast<uint32_t>(addresses.size()));
  TakeLeftMemory();  // if it was not launched
  stream->Enqueue(std::make_unique<ReleaseTask>(call, std::move(leases)));
  return ResultOf(*call, status);
}

}  // namespace hostnpu::runtime
