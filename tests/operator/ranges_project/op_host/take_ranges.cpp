// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "../op_kernel/take_ranges_tiling.h"
#include "register/op_def_registry.h"

namespace {

/// The i-th range [begin, end) of the attribute; false if it is none.
bool RangeOf(const gert::ContinuousVectorVector& ranges, size_t i, int64_t* begin, int64_t* end) {
  const gert::ContinuousVector* range = ranges.Get(i);
  if (range == nullptr || range->GetSize() != 2) return false;
  const auto* values = static_cast<const int64_t*>(range->GetData());
  *begin = values[0];
  *end = values[1];
  return *begin >= 0 && *begin <= *end;
}

}  // namespace

namespace optiling {
static ge::graphStatus Tile(gert::TilingContext* context) {
  const auto* ranges = context->GetAttrs()->GetAttrPointer<gert::ContinuousVectorVector>(0);
  const auto* negate = context->GetAttrs()->GetAttrPointer<gert::TypedContinuousVector<bool>>(1);
  auto* tiling = context->GetTilingData<TakeRangesTiling>();
  if (ranges == nullptr || negate == nullptr || ranges->GetSize() > kMaxRanges) {
    return ge::GRAPH_FAILED;
  }
  tiling->count = static_cast<uint32_t>(ranges->GetSize());
  for (size_t i = 0; i < ranges->GetSize(); ++i) {
    int64_t begin = 0;
    int64_t end = 0;
    if (!RangeOf(*ranges, i, &begin, &end)) return ge::GRAPH_FAILED;
    tiling->begin[i] = static_cast<uint32_t>(begin);
    tiling->end[i] = static_cast<uint32_t>(end);
    tiling->negate[i] = i < negate->GetSize() && negate->GetData()[i] ? 1 : 0;
  }
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}
}  // namespace optiling

namespace ops {
static ge::graphStatus Infer(gert::InferShapeContext* context) {
  const gert::ContinuousVectorVector* ranges = context->GetAttrs()->GetListListInt(0);
  if (ranges == nullptr || ranges->GetSize() != context->GetComputeNodeOutputNum()) {
    return ge::GRAPH_FAILED;
  }
  for (size_t i = 0; i < ranges->GetSize(); ++i) {
    int64_t begin = 0;
    int64_t end = 0;
    if (!RangeOf(*ranges, i, &begin, &end)) return ge::GRAPH_FAILED;
    *context->GetOutputShape(i) = gert::Shape({end - begin});
  }
  return ge::GRAPH_SUCCESS;
}
class TakeRanges : public OpDef {
 public:
  explicit TakeRanges(const char* name) : OpDef(name) {
    this->Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Output("z").ParamType(DYNAMIC).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Attr("ranges").AttrType(OPTIONAL).ListListInt({{0, 2}});
    this->Attr("negate").AttrType(OPTIONAL).ListBool({});
    this->SetInferShape(Infer);
    this->AICore().SetTiling(optiling::Tile).AddConfig("ascend910b");
  }
};
OP_ADD(TakeRanges);

/// Its output list is as long as the input list that it follows.
static ge::graphStatus TileTwice(gert::TilingContext* context) {
  *context->GetTilingData<uint32_t>() = 0;
  context->SetBlockDim(1);
  return ge::GRAPH_SUCCESS;
}
class TwiceEach : public OpDef {
 public:
  explicit TwiceEach(const char* name) : OpDef(name) {
    this->Input("x").ParamType(DYNAMIC).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
    this->Output("y").ParamType(DYNAMIC).Follow("x");
    this->AICore().SetTiling(TileTwice).AddConfig("ascend910b");
  }
};
OP_ADD(TwiceEach);
}  // namespace ops
