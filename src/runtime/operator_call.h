// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#ifndef HOSTNPU_RUNTIME_OPERATOR_CALL_H_
#define HOSTNPU_RUNTIME_OPERATOR_CALL_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ascendc/op/definition.h"
#include "base/result.h"
#include "hostnpu/operator_call.h"
#include "runtime/op_tensor.h"
#include "workspace/signature.h"

namespace hostnpu::runtime {

/// The operators of all loaded libraries, by type. Entries live for ever.
class OperatorTable {
 public:
  static OperatorTable& Get();
  op::Operator& Entry(const std::string& type);
  /// Null if no library defines it.
  const op::Operator* Find(const std::string& type) const;
  std::vector<const op::Operator*> All() const;

  /// What the workspace of an operator holds at the start of a call, where the runtime leases it;
  /// also of one that is not loaded yet.
  void SetWorkspaceContents(const std::string& type, workspace::Contents contents);
  workspace::Contents WorkspaceContents(const std::string& type) const;

 private:
  struct State;
  State& state() const;
};

/// One input or output of the definition: its tensors in OperatorCall::tensors. One tensor, which
/// may be absent, or a list.
struct BoundParameter {
  size_t first = 0;
  size_t count = 0;
  bool is_list = false;
};

/// One input or output tensor of a call.
struct BoundTensor {
  std::string name;         // "x", or "x[2]" in a list
  bool is_present = false;  // no: an optional one that is absent
  aclTensor copy;           // what the kernel is launched with; survives the caller's object
  uint64_t staging = 0;     // offset in the workspace of a contiguous copy of an input
  bool needs_staging = false;
  bool is_output = false;
  std::string fill;  // what an output holds before the kernel, repeated; empty: what it did
};

/// A planned call: the first phase made it, the second launches it, once or (repeatable) often.
struct OperatorCall {
  const op::Operator* op = nullptr;
  std::vector<BoundParameter> parameters;  // inputs, then outputs
  std::vector<BoundTensor> tensors;        // of the parameters, in their order
  std::vector<uint8_t> tiling;
  uint64_t tiling_key = 0;
  uint32_t blocks = 0;
  bool batch_mode = false;  // SetScheduleMode(1)
  size_t kernel = 0;        // index into op->kernels
  uint64_t kernel_workspace_bytes = 0;
  uint64_t copies_begin = 0;     // offset of the contiguous copies behind the kernel's part
  uint64_t workspace_bytes = 0;  // with them
  bool skip = false;             // all outputs are empty
  bool repeatable = false;
};

/// Errors with one of the numbers of aclnn/acl_meta.h.
base::Error InvalidCall(std::string message, int number);
base::Error FailedCall(std::string message, int number);

/// kNotFound names the operators there are.
base::Result<const op::Operator*> FindOperator(const std::string& type);

/// First phase. Every error names the operator, the parameter, the value and what is allowed.
base::Result<std::shared_ptr<OperatorCall>> PlanCall(const std::string& type,
                                                     const HostnpuOpArgument* arguments,
                                                     uint32_t count);
/// What an operator gives for its inputs: what a caller that lets outputs be made has to make.
struct InferredOutput {
  std::string name;      // "y", or "y[2]" in a list
  size_t parameter = 0;  // index into Operator::outputs
  std::vector<int64_t> dims;
  aclDataType dtype = ACL_DT_UNDEFINED;
};
/// Shapes and data types of all outputs; `arguments` are the inputs and the attributes,
/// `list_lengths` says how long outputs are that are lists and follow no input list. Errors: as of
/// PlanCall(), a length that nothing tells or that is none, and a shape that nothing tells.
base::Result<std::vector<InferredOutput>> InferOutputs(
    const std::string& type, const HostnpuOpArgument* arguments, uint32_t count,
    const std::map<std::string, size_t>& list_lengths);
/// Second phase. The call is kept alive until the launch has finished.
base::Result<void> RunCall(const std::shared_ptr<OperatorCall>& call, void* workspace,
                           uint64_t workspace_bytes, void* stream);

/// Executors by their C handle.
aclOpExecutor* AddExecutor(std::shared_ptr<OperatorCall> call);
base::Result<std::shared_ptr<OperatorCall>> FindExecutor(const aclOpExecutor* executor);
void RemoveExecutor(const aclOpExecutor* executor);

}  // namespace hostnpu::runtime

#endif  // HOSTNPU_RUNTIME_OPERATOR_CALL_H_
