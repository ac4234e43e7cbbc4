// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/api.h"
#include "runtime/context.h"
#include "runtime/stream.h"

using namespace hostnpu;           // NOLINT: C functions only
using namespace hostnpu::runtime;  // NOLINT

namespace {

constexpr uint32_t kLeastPriority = 7;  // 0 is the greatest
constexpr uint32_t kMostStreams = 1984;

base::Result<void> Create(aclrtStream* stream, uint32_t priority, uint32_t flags) {
  if (stream == nullptr) return NullArgument("stream");
  HOSTNPU_ASSIGN_OR_RETURN(auto context, CurrentContext());
  *stream = context->CreateStream(priority, flags)->handle();
  return {};
}

}  // namespace

aclError aclrtCreateStream(aclrtStream* stream) {
  return Call("aclrtCreateStream", [&] { return Create(stream, 0, 0); });
}

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag) {
  return Call("aclrtCreateStreamWithConfig", [&]() -> base::Result<void> {
    if (priority > kLeastPriority) {
      return base::Error{
          base::Code::kInvalidArgument,
          fmt::format("The priority ({}) is not between 0 and {}.", priority, kLeastPriority)};
    }
    return Create(stream, priority, flag);
  });
}

aclError aclrtDestroyStream(aclrtStream stream) {
  return Call("aclrtDestroyStream", [&] { return DestroyStream(stream, false); });
}

aclError aclrtDestroyStreamForce(aclrtStream stream) {
  return Call("aclrtDestroyStreamForce", [&] { return DestroyStream(stream, true); });
}

aclError aclrtSynchronizeStream(aclrtStream handle) {
  return Call("aclrtSynchronizeStream", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
    return stream->Synchronize();
  });
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream handle, int32_t timeout) {
  return Call("aclrtSynchronizeStreamWithTimeout", [&]() -> base::Result<void> {
    if (timeout < -1) return InvalidTimeout(timeout);
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
    return stream->Synchronize(timeout);
  });
}

aclError aclrtStreamQuery(aclrtStream handle, aclrtStreamStatus* status) {
  return Call("aclrtStreamQuery", [&]() -> base::Result<void> {
    if (status == nullptr) return NullArgument("status");
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
    *status = stream->IsIdle() ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    return {};
  });
}

aclError aclrtStreamAbort(aclrtStream handle) {
  return Call("aclrtStreamAbort", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
    stream->Abort();
    return {};
  });
}

aclError aclrtStreamGetId(aclrtStream handle, int32_t* id) {
  return Call("aclrtStreamGetId", [&]() -> base::Result<void> {
    if (id == nullptr) return NullArgument("streamId");
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
    *id = static_cast<int32_t>(stream->id());
    return {};
  });
}

aclError aclrtStreamGetPriority(aclrtStream handle, uint32_t* priority) {
  return Call("aclrtStreamGetPriority", [&]() -> base::Result<void> {
    if (priority == nullptr) return NullArgument("priority");
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
    *priority = stream->priority();
    return {};
  });
}

aclError aclrtStreamGetFlags(aclrtStream handle, uint32_t* flags) {
  return Call("aclrtStreamGetFlags", [&]() -> base::Result<void> {
    if (flags == nullptr) return NullArgument("flags");
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
    *flags = stream->flags();
    return {};
  });
}

aclError aclrtGetStreamAvailableNum(uint32_t* count) {
  return Call("aclrtGetStreamAvailableNum", [&]() -> base::Result<void> {
    if (count == nullptr) return NullArgument("streamCount");
    const size_t used = Streams().All().size();
    *count = used < kMostStreams ? kMostStreams - static_cast<uint32_t>(used) : 0;
    return {};
  });
}

aclError aclrtDeviceGetStreamPriorityRange(int32_t* least, int32_t* greatest) {
  return Call("aclrtDeviceGetStreamPriorityRange", [&]() -> base::Result<void> {
    if (least != nullptr) *least = kLeastPriority;
    if (greatest != nullptr) *greatest = 0;
    return {};
  });
}

aclError aclrtSetStreamFailureMode(aclrtStream handle, uint64_t mode) {
  return Call("aclrtSetStreamFailureMode", [&]() -> base::Result<void> {
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
    return stream->SetAttribute(Stream::Attribute::kFailureMode, mode);
  });
}

aclError aclrtSetStreamAttribute(aclrtStream handle, aclrtStreamAttr attribute,
                                 aclrtStreamAttrValue* value) {
  return Call("aclrtSetStreamAttribute", [&]() -> base::Result<void> {
    if (value == nullptr) return NullArgument("value");
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
    const bool is_mode = attribute == ACL_STREAM_ATTR_FAILURE_MODE;
    return stream->SetAttribute(static_cast<Stream::Attribute>(attribute),
                                is_mode ? value->failureMode : value->overflowSwitch);
  });
}

aclError aclrtGetStreamAttribute(aclrtStream handle, aclrtStreamAttr attribute,
                                 aclrtStreamAttrValue* value) {
  return Call("aclrtGetStreamAttribute", [&]() -> base::Result<void> {
    if (value == nullptr) return NullArgument("value");
    HOSTNPU_ASSIGN_OR_RETURN(auto stream, FindStream(handle));
    HOSTNPU_ASSIGN_OR_RETURN(const uint64_t number,
                             stream->GetAttribute(static_cast<Stream::Attribute>(attribute)));
    *value = {};
    value->failureMode = number;
    return {};
  });
}
