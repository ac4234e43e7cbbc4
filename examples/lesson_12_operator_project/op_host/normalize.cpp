// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The host side of y = x / sqrt(mean(x^2) + epsilon): its definition, its shapes, and its tiling
// function, which also says how much workspace a call needs.
#include <algorithm>

#include "normalize_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
constexpr uint32_t kTile = 8192;   // floats: three buffers of 32 KiB in UB
constexpr size_t kSlotBytes = 32;  // each core's partial sum stands in a block of its own

static ge::graphStatus Tile(gert::TilingContext* context) {
  const int64_t elements = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
  if (elements <= 0 || elements > UINT32_MAX) return ge::GRAPH_FAILED;
  const uint32_t tiles = static_cast<uint32_t>((elements + kTile - 1) / kTile);
  NormalizeTilingData tiling;
  tiling.set_tiles(tiles);
  tiling.set_tile(kTile);
  tiling.set_last(static_cast<uint32_t>(elements - int64_t{tiles - 1} * kTile));
  tiling.set_epsilon(*context->GetAttrs()->GetFloat(0));
  tiling.SaveToBuffer(context->GetRawTilingData()->GetData(),
                      context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());

  auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
  const uint32_t cores = std::min(platform.GetCoreNumAiv(), tiles);
  context->SetBlockDim(cores);
  // The system part first, and behind it a slot for every core.
  context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize() + cores * kSlotBytes;
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
static ge::graphStatus InferShape(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}

class Normalize : public OpDef {
 public:
  explicit Normalize(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Output("y").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Attr("epsilon").AttrType(OPTIONAL).Float(1e-6f);
    this->SetInferShape(InferShape);
    this->AICore().SetTiling(optiling::Tile).AddConfig("ascend910b");
  }
};
OP_ADD(Normalize);
}  // namespace ops
