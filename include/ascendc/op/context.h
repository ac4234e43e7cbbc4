// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The contexts that tiling, shape inference and type inference functions are called with. A context
// is a node (what the operator is called with) and the results the function leaves in it.
#ifndef HOSTNPU_ASCENDC_OP_CONTEXT_H_
#define HOSTNPU_ASCENDC_OP_CONTEXT_H_

#include <string.h>

#include "tensor.h"

namespace fe {
class PlatFormInfos;
}

namespace hostnpu::op {

/// How many workspaces a tiling function may ask for. The vendor's engines take 20 and 64.
inline constexpr size_t kWorkspaceCapacity = 64;
/// Bytes of tiling data a launch may carry.
inline constexpr size_t kTilingCapacity = 64 * 1024;

/// One input or output of the definition: absent, one tensor, or several (dynamic).
struct Instances {
  size_t first = 0;
  size_t count = 0;
  size_t GetInstanceStart() const { return first; }
  size_t GetInstanceNum() const { return count; }
};

/// What an operator is called with.
struct Node {
  std::string name;
  std::string type;
  std::vector<Instances> ir_inputs;  // by the definition
  std::vector<Instances> ir_outputs;
  std::vector<gert::Tensor> inputs;  // present ones only
  std::vector<gert::StorageShape> outputs;
  std::vector<gert::CompileTimeTensorDesc> input_descs;
  std::vector<gert::CompileTimeTensorDesc> output_descs;
  gert::RuntimeAttrs attrs;
  int32_t deterministic = 0;
  fe::PlatFormInfos* platform = nullptr;
  const void* compile_info = nullptr;
};

}  // namespace hostnpu::op

namespace gert {

using AnchorInstanceInfo = hostnpu::op::Instances;

/// Raw bytes of tiling data.
class TilingData {
 public:
  explicit TilingData(size_t capacity) : bytes_(capacity) {}
  size_t GetCapacity() const { return bytes_.size(); }
  size_t GetDataSize() const { return size_; }
  void SetDataSize(size_t size) { size_ = size; }
  void* GetData() { return bytes_.data(); }
  const void* GetData() const { return bytes_.data(); }
  /// Adds the bytes of a value; false when there is no room.
  template <typename T>
  ge::graphStatus Append(const T& value) {
    if (size_ + sizeof(T) > bytes_.size()) return ge::GRAPH_FAILED;
    memcpy(bytes_.data() + size_, &value, sizeof(T));
    size_ += sizeof(T);
    return ge::GRAPH_SUCCESS;
  }

 private:
  std::vector<uint8_t> bytes_;
  size_t size_ = 0;
};

/// What all contexts offer. Indices beyond the node give null.
class ExtendedKernelContext {
 public:
  explicit ExtendedKernelContext(hostnpu::op::Node& node) : node_(node) {}

  const char* GetNodeName() const { return node_.name.c_str(); }
  const char* GetNodeType() const { return node_.type.c_str(); }
  const RuntimeAttrs* GetAttrs() const { return &node_.attrs; }
  size_t GetComputeNodeInputNum() const { return node_.inputs.size(); }
  /// Where the tensors of an input of the definition lie among all; null beyond the definition.
  const AnchorInstanceInfo* GetIrInputInstanceInfo(size_t ir) const {
    return At(node_.ir_inputs, ir);
  }
  const AnchorInstanceInfo* GetIrOutputInstanceInfo(size_t ir) const {
    return At(node_.ir_outputs, ir);
  }
  size_t GetComputeNodeOutputNum() const { return node_.outputs.size(); }
  const CompileTimeTensorDesc* GetInputDesc(size_t index) const {
    return At(node_.input_descs, index);
  }
  const CompileTimeTensorDesc* GetOutputDesc(size_t index) const {
    return At(node_.output_descs, index);
  }
  const CompileTimeTensorDesc* GetRequiredInputDesc(size_t ir_index) const {
    return Of(node_.input_descs, node_.ir_inputs, ir_index, 0);
  }
  const CompileTimeTensorDesc* GetOptionalInputDesc(size_t ir_index) const {
    return Of(node_.input_descs, node_.ir_inputs, ir_index, 0);
  }
  const CompileTimeTensorDesc* GetDynamicInputDesc(size_t ir_index, size_t relative) const {
    return Of(node_.input_descs, node_.ir_inputs, ir_index, relative);
  }

 protected:
  template <typename T>
  static const T* At(const std::vector<T>& list, size_t index) {
    return index < list.size() ? &list[index] : nullptr;
  }
  template <typename T>
  static const T* Of(const std::vector<T>& list, const std::vector<hostnpu::op::Instances>& ir,
                     size_t ir_index, size_t relative) {
    if (ir_index >= ir.size() || relative >= ir[ir_index].count) return nullptr;
    return At(list, ir[ir_index].first + relative);
  }
  static const StorageShape* ShapeOf(const Tensor* tensor) {
    return tensor == nullptr ? nullptr : &tensor->GetShape();
  }

  hostnpu::op::Node& node_;
};

class TilingContext : public ExtendedKernelContext {
 public:
  explicit TilingContext(hostnpu::op::Node& node)
      : ExtendedKernelContext(node), tiling_data_(hostnpu::op::kTilingCapacity) {}

  const StorageShape* GetInputShape(size_t index) const { return ShapeOf(At(node_.inputs, index)); }
  const StorageShape* GetRequiredInputShape(size_t ir) const {
    return ShapeOf(GetDynamicInputTensor(ir, 0));
  }
  const StorageShape* GetOptionalInputShape(size_t ir) const {
    return ShapeOf(GetDynamicInputTensor(ir, 0));
  }
  const StorageShape* GetDynamicInputShape(size_t ir, size_t relative) const {
    return ShapeOf(GetDynamicInputTensor(ir, relative));
  }
  const Tensor* GetInputTensor(size_t index) const { return At(node_.inputs, index); }
  const Tensor* GetRequiredInputTensor(size_t ir) const { return GetDynamicInputTensor(ir, 0); }
  const Tensor* GetOptionalInputTensor(size_t ir) const { return GetDynamicInputTensor(ir, 0); }
  const Tensor* GetDynamicInputTensor(size_t ir, size_t relative) const {
    return Of(node_.inputs, node_.ir_inputs, ir, relative);
  }
  const StorageShape* GetOutputShape(size_t index) const { return At(node_.outputs, index); }

  ge::graphStatus SetTilingKey(uint64_t key) {
    tiling_key_ = key;
    return ge::GRAPH_SUCCESS;
  }
  uint64_t GetTilingKey() const { return tiling_key_; }
  ge::graphStatus SetBlockDim(uint32_t blocks) {
    block_dim_ = blocks;
    return ge::GRAPH_SUCCESS;
  }
  ge::graphStatus SetSimdNumBlocks(uint32_t blocks) { return SetBlockDim(blocks); }
  uint32_t GetBlockDim() const { return block_dim_; }
  ge::graphStatus SetAicpuBlockDim(uint32_t blocks) {
    aicpu_block_dim_ = blocks;
    return ge::GRAPH_SUCCESS;
  }
  uint32_t GetAicpuBlockDim() const { return aicpu_block_dim_; }
  ge::graphStatus SetTilingCond(int32_t condition) {
    tiling_condition_ = condition;
    return ge::GRAPH_SUCCESS;
  }
  int32_t GetTilingCond() const { return tiling_condition_; }
  ge::graphStatus SetNeedAtomic(bool atomic) {
    need_atomic_ = atomic;
    return ge::GRAPH_SUCCESS;
  }
  bool NeedAtomic() const { return need_atomic_; }
  ge::graphStatus SetScheduleMode(uint32_t mode) {
    schedule_mode_ = mode;
    return ge::GRAPH_SUCCESS;
  }
  uint32_t GetScheduleMode() const { return schedule_mode_; }
  ge::graphStatus SetLocalMemorySize(uint32_t bytes) {
    local_memory_bytes_ = bytes;
    return ge::GRAPH_SUCCESS;
  }
  uint32_t GetLocalMemorySize() const { return local_memory_bytes_; }

  /// The tiling data as a plain struct, zeroed; its size becomes the size of the data. Null if it
  /// is too large.
  template <typename T>
  T* GetTilingData() {
    if (sizeof(T) > tiling_data_.GetCapacity()) return nullptr;
    if (tiling_data_.GetDataSize() < sizeof(T)) tiling_data_.SetDataSize(sizeof(T));
    return static_cast<T*>(tiling_data_.GetData());
  }
  TilingData* GetRawTilingData() { return &tiling_data_; }

  /// Room for `count` workspace sizes in bytes, zero at first; null beyond
  /// hostnpu::op::kWorkspaceCapacity.
  size_t* GetWorkspaceSizes(size_t count) {
    if (count > hostnpu::op::kWorkspaceCapacity) return nullptr;
    workspace_sizes_.resize(hostnpu::op::kWorkspaceCapacity, 0);  // so that pointers stay good
    workspace_count_ = count;
    return workspace_sizes_.data();
  }
  size_t GetWorkspaceNum() const { return workspace_count_; }

  fe::PlatFormInfos* GetPlatformInfo() const { return node_.platform; }
  template <typename T>
  const T* GetCompileInfo() const {
    return static_cast<const T*>(node_.compile_info);
  }
  const void* GetCompileInfo() const { return node_.compile_info; }
  int32_t GetDeterministic() const { return node_.deterministic; }
  int32_t GetDeterministicLevel() const { return node_.deterministic; }

  /// The sizes asked for.
  std::vector<size_t> workspace_sizes() const {
    return {workspace_sizes_.begin(),
            workspace_sizes_.begin() + static_cast<ptrdiff_t>(workspace_count_)};
  }

 private:
  TilingData tiling_data_;
  std::vector<size_t> workspace_sizes_;
  size_t workspace_count_ = 0;
  uint64_t tiling_key_ = 0;
  uint32_t block_dim_ = 0;
  uint32_t aicpu_block_dim_ = 0;
  int32_t tiling_condition_ = 0;
  uint32_t schedule_mode_ = 0;
  uint32_t local_memory_bytes_ = 0;
  bool need_atomic_ = false;
};

class TilingParseContext : public ExtendedKernelContext {
 public:
  TilingParseContext(hostnpu::op::Node& node, void* compile_info)
      : ExtendedKernelContext(node), compile_info_(compile_info) {}
  template <typename T>
  T* GetCompiledInfo() {
    return static_cast<T*>(compile_info_);
  }
  const char* GetCompiledJson() const { return "{}"; }
  fe::PlatFormInfos* GetPlatformInfo() const { return node_.platform; }

 private:
  void* compile_info_;
};

class InferShapeContext : public ExtendedKernelContext {
 public:
  using ExtendedKernelContext::ExtendedKernelContext;
  const Shape* GetInputShape(size_t index) const { return Origin(At(node_.inputs, index)); }
  const Shape* GetRequiredInputShape(size_t ir) const { return GetDynamicInputShape(ir, 0); }
  const Shape* GetOptionalInputShape(size_t ir) const { return GetDynamicInputShape(ir, 0); }
  const Shape* GetDynamicInputShape(size_t ir, size_t relative) const {
    return Origin(Of(node_.inputs, node_.ir_inputs, ir, relative));
  }
  const Tensor* GetInputTensor(size_t index) const { return At(node_.inputs, index); }
  const Tensor* GetRequiredInputTensor(size_t ir) const { return GetDynamicInputTensor(ir, 0); }
  const Tensor* GetOptionalInputTensor(size_t ir) const { return GetDynamicInputTensor(ir, 0); }
  const Tensor* GetDynamicInputTensor(size_t ir, size_t relative) const {
    return Of(node_.inputs, node_.ir_inputs, ir, relative);
  }
  Shape* GetOutputShape(size_t index) {
    return index < node_.outputs.size() ? &node_.outputs[index].MutableOriginShape() : nullptr;
  }

 private:
  static const Shape* Origin(const Tensor* tensor) {
    return tensor == nullptr ? nullptr : &tensor->GetOriginShape();
  }
};
using InferShapeRangeContext = InferShapeContext;

class InferDataTypeContext : public ExtendedKernelContext {
 public:
  using ExtendedKernelContext::ExtendedKernelContext;
  ge::DataType GetInputDataType(size_t index) const { return TypeOf(At(node_.input_descs, index)); }
  ge::DataType GetRequiredInputDataType(size_t ir) const { return GetDynamicInputDataType(ir, 0); }
  ge::DataType GetOptionalInputDataType(size_t ir) const { return GetDynamicInputDataType(ir, 0); }
  ge::DataType GetDynamicInputDataType(size_t ir, size_t relative) const {
    return TypeOf(Of(node_.input_descs, node_.ir_inputs, ir, relative));
  }
  ge::DataType GetOutputDataType(size_t index) const {
    return TypeOf(At(node_.output_descs, index));
  }
  ge::graphStatus SetOutputDataType(size_t index, ge::DataType dtype) {
    if (index >= node_.output_descs.size()) return ge::GRAPH_FAILED;
    node_.output_descs[index].SetDataType(dtype);
    return ge::GRAPH_SUCCESS;
  }

 private:
  static ge::DataType TypeOf(const CompileTimeTensorDesc* desc) {
    return desc == nullptr ? ge::DT_UNDEFINED : desc->GetDataType();
  }
};

}  // namespace gert

#endif  // HOSTNPU_ASCENDC_OP_CONTEXT_H_
