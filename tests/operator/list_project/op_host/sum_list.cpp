// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "../op_kernel/sum_list_key.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
static ge::graphStatus Tile(gert::TilingContext* context) {
  const size_t count = context->GetIrInputInstanceInfo(0)->GetInstanceNum();
  uint32_t elements = 0xffffffff;
  for (size_t i = 0; i < count; ++i) {
    const auto size = context->GetDynamicInputShape(0, i)->GetStorageShape().GetShapeSize();
    if (static_cast<uint32_t>(size) < elements) elements = static_cast<uint32_t>(size);
  }
  *context->GetTilingData<uint32_t>() = elements;
  const auto D_T = static_cast<uint32_t>(context->GetInputDesc(0)->GetDataType());
  const uint32_t NEGATE = *context->GetAttrs()->GetBool(0) ? 1 : 0;
  ASCENDC_TPL_SEL_PARAM(context, D_T, NEGATE);
  context->SetBlockDim(1);
  auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize() + elements * sizeof(float);
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
static ge::graphStatus Infer(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetDynamicInputShape(0, 0);
  for (size_t i = 0; i < context->GetIrInputInstanceInfo(0)->GetInstanceNum(); ++i) {
    *context->GetOutputShape(1 + i) = *context->GetDynamicInputShape(0, i);
  }
  return ge::GRAPH_SUCCESS;
}
class SumList : public OpDef {
 public:
  explicit SumList(const char* name) : OpDef(name) {
    const std::vector<ge::DataType> types = {ge::DT_FLOAT, ge::DT_FLOAT16};
    const std::vector<ge::Format> formats = {ge::FORMAT_ND, ge::FORMAT_ND};
    this->Input("x").ParamType(DYNAMIC).DataType(types).Format(formats);
    this->Output("y").ParamType(REQUIRED).DataType(types).Format(formats);
    this->Output("z").ParamType(DYNAMIC).DataType(types).Format(formats);
    this->Attr("negate").AttrType(OPTIONAL).Bool(false);
    this->SetInferShape(Infer);
    this->AICore().SetTiling(optiling::Tile).AddConfig("ascend910b");
  }
};
OP_ADD(SumList);
}  // namespace ops
