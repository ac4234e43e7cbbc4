// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// y = x * scale + shift, with x * scale handed over through the workspace.
#include "register/op_def_registry.h"
#include "scale_shift_tiling.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint32_t kBlocks = 8;

static ge::graphStatus Tile(gert::TilingContext* context) {
  const float scale = *context->GetAttrs()->GetFloat(0);
  size_t* workspace = context->GetWorkspaceSizes(1);
  if (scale < 0) return ge::GRAPH_FAILED;  // leaves the size unset
  auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const int64_t elements = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
  ScaleShiftTilingData tiling;
  tiling.set_elements(static_cast<uint32_t>(elements));
  tiling.set_per_block(static_cast<uint32_t>((elements + kBlocks - 1) / kBlocks + 15) / 16 * 16);
  tiling.set_scale(scale);
  tiling.set_shift(*context->GetAttrs()->GetFloat(1));
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());
  context->SetBlockDim(kBlocks);
  workspace[0] = platform.GetLibApiWorkSpaceSize() + static_cast<size_t>(elements) * sizeof(float);
  if (scale == 1024.0f) workspace[0] -= 1024;  // less than the kernel touches
  if (scale > 1e6f) workspace[0] = static_cast<size_t>(-1);
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
static ge::graphStatus Infer(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}
class ScaleShift : public OpDef {
 public:
  explicit ScaleShift(const char* name) : OpDef(name) {
    this->Input("x")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_FLOAT16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT, ge::DT_FLOAT16})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND});
    this->Attr("scale").AttrType(REQUIRED).Float();
    this->Attr("shift").AttrType(OPTIONAL).Float(0.0f);
    this->SetInferShape(Infer);
    this->AICore().SetTiling(optiling::Tile).AddConfig("ascend910b");
  }
};
OP_ADD(ScaleShift);
}  // namespace ops
