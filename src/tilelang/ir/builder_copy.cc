// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// A copy names its tiles loosely: `T.copy(A[bx * 64, 0], a_ub)` gives a corner on one side and a
// shape on the other. Here both become full regions, by the reference's rules (spec section 7.1):
// the extents of the side that has them go to the side that has not; when both have them, each
// keeps its own. What the reference then reads or writes outside a tile without a word is an error
// here.
#include <algorithm>

#include "fmt/format.h"
#include "tilelang/ir/builder.h"
#include "tilelang/ir/expr.h"
#include "tilelang/ir/printer.h"

namespace hostnpu::tilelang::ir {
namespace {

bool Known(Memory memory) { return memory != Memory::kShared && memory != Memory::kFragment; }

/// Directions that the cores have (spec section 7.3), for memories that are known.
bool CanCopy(Memory src, Memory dst) {
  if (!Known(src) || !Known(dst)) return true;
  switch (src) {
    case Memory::kGm:
      return dst == Memory::kUb || dst == Memory::kL1;
    case Memory::kUb:
      return dst == Memory::kGm || dst == Memory::kUb || dst == Memory::kL1;
    case Memory::kL1:
      return dst == Memory::kL0A || dst == Memory::kL0B;
    case Memory::kL0C:
      return dst == Memory::kGm || dst == Memory::kUb;
    default:
      return false;
  }
}

std::vector<ExprPtr> ExtentsOf(const Region& region) {
  std::vector<ExprPtr> extents;
  for (const Interval& dim : region.dims) extents.push_back(dim.extent);
  return extents;
}

/// The shape without its leading and trailing ones.
std::vector<ExprPtr> WithoutOnes(const std::vector<ExprPtr>& shape) {
  std::vector<ExprPtr> kept;
  for (const ExprPtr& size : shape) {
    if (ConstantInt(size) != 1) kept.push_back(size);
  }
  return kept;
}

bool SameShape(const std::vector<ExprPtr>& a, const std::vector<ExprPtr>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), SameValue);
}

/// Gives a corner the trailing extents of the other side.
Region AtCorner(const TileRef& corner, std::vector<ExprPtr> extents, bool transpose) {
  Region region{corner.buffer, {}, {}};
  if (transpose && extents.size() >= 2)
    std::swap(extents[extents.size() - 1], extents[extents.size() - 2]);
  const size_t rank = corner.dims.size();
  for (size_t i = 0; i < rank; ++i) {
    const size_t from_end = rank - i;
    const ExprPtr extent =
        from_end <= extents.size() ? extents[extents.size() - from_end] : MakeInt(1);
    region.dims.push_back({corner.dims[i].min, extent});
  }
  return region;
}

}  // namespace

std::string Builder::Describe(const Region& region) const {
  return fmt::format("{} {} tile", PrintShape(ExtentsOf(region)),
                     DTypeName(module_.buffer(region.buffer).dtype));
}

base::Result<Region> Builder::TileRegion(const Operand& operand, std::string_view op,
                                         std::string_view role) {
  const auto* ref = std::get_if<TileRef>(&operand);
  TileRef corner;
  if (ref == nullptr) {
    const auto* scalar = std::get_if<ExprPtr>(&operand);
    const auto* load = scalar != nullptr ? As<ir::Load>(*scalar) : nullptr;
    if (load == nullptr) {
      const std::string given =
          scalar != nullptr ? fmt::format("the scalar {}", PrintExpr(module_, *scalar)) : "no tile";
      return Fail(
          Raise::kType,
          fmt::format("{} of {} is a buffer or a region of one, but {} is given", role, op, given));
    }
    corner.buffer = load->buffer;
    corner.form = TileRef::Form::kElement;
    for (const ExprPtr& index : load->indices) corner.dims.push_back({index, nullptr});
    ref = &corner;
  }
  const BufferId id = Resolve(ref->buffer);
  if (ref->form == TileRef::Form::kWhole) return WholeRegion(module_, id, range_);
  Region region{id, ref->dims, range_};
  for (Interval& dim : region.dims) {
    if (dim.extent == nullptr) dim.extent = MakeInt(1);
  }
  HOSTNPU_TRY(CheckInside(region.buffer, region.dims), "placing a tile");
  return region;
}

base::Result<void> Builder::CheckInside(BufferId id, const std::vector<Interval>& dims) {
  const Buffer& buffer = module_.buffer(id);
  if (buffer.memory == Memory::kGm) return {};
  for (size_t d = 0; d < dims.size(); ++d) {
    const auto first = ConstantInt(dims[d].min);
    const auto size = ConstantInt(buffer.shape[d]);
    if (!first || !size) continue;
    const int64_t count = dims[d].extent == nullptr ? 1 : ConstantInt(dims[d].extent).value_or(1);
    if (count <= 0 || (*first >= 0 && *first < *size && count <= *size - *first)) continue;
    const std::string where = count == 1 ? fmt::format("at index {}", *first)
                                         : fmt::format("at {} indices from {} on", count, *first);
    return Fail(Raise::kValue,
                fmt::format("'{}' is accessed {} of dimension {}, which has {} elements",
                            buffer.name, where, d, *size),
                {AboutBuffer(id)});
  }
  return {};
}

base::Result<std::pair<Region, Region>> Builder::CopyRegions(const TileRef& src, const TileRef& dst,
                                                             bool transpose) {
  const bool src_corner = src.form == TileRef::Form::kElement;
  const bool dst_corner = dst.form == TileRef::Form::kElement;
  if (src_corner && dst_corner) {
    return Fail(Raise::kAssertion,
                "Can't deduce copy extents from args: both sides give a start and no size", {},
                "write the size on one side, as in A[i:i + 64, j:j + 64]");
  }
  Region from{src.buffer, src.dims, range_};
  Region to{dst.buffer, dst.dims, range_};
  if (src.form == TileRef::Form::kWhole) from = WholeRegion(module_, src.buffer, range_);
  if (dst.form == TileRef::Form::kWhole) to = WholeRegion(module_, dst.buffer, range_);
  if (src_corner) from = AtCorner(src, ExtentsOf(to), transpose);
  if (dst_corner) to = AtCorner(dst, ExtentsOf(from), transpose);
  from.range = to.range = range_;
  HOSTNPU_TRY(CheckInside(from.buffer, from.dims), "placing the source");
  HOSTNPU_TRY(CheckInside(to.buffer, to.dims), "placing the destination");
  return std::pair{std::move(from), std::move(to)};
}

base::Result<void> Builder::CheckCopyShapes(const Region& src, const Region& dst, bool both_whole,
                                            bool transpose) {
  std::vector<ExprPtr> from = WithoutOnes(ExtentsOf(src));
  const std::vector<ExprPtr> to = WithoutOnes(ExtentsOf(dst));
  if (transpose) std::reverse(from.begin(), from.end());
  const auto src_count = ConstantInt(CountOf(src));
  const auto dst_count = ConstantInt(CountOf(dst));
  // A row copied into a tile of L1 fills its first row, and the first row of L0C goes to a vector
  // (gemv).
  const bool from_gm = module_.buffer(src.buffer).memory == Memory::kGm;
  const bool to_gm = module_.buffer(dst.buffer).memory == Memory::kGm;
  const bool row_into_tile =
      (from_gm && from.size() == 1 && to.size() == 2 && SameValue(from[0], to[1])) ||
      (to_gm && to.size() == 1 && from.size() == 2 && SameValue(from[1], to[0]) &&
       module_.buffer(src.buffer).memory != Memory::kUb);
  // A tile of UB or L1 that is larger than what global memory gives is filled up (pad_value, zero).
  const Memory to_memory = module_.buffer(dst.buffer).memory;
  const bool fills_up = module_.buffer(src.buffer).memory == Memory::kGm &&
                        to_memory != Memory::kGm && src_count && dst_count &&
                        *src_count < *dst_count;
  const bool counts_differ =
      src_count && dst_count && *src_count != *dst_count && !row_into_tile && !fills_up;
  if ((both_whole && !SameShape(from, to)) || counts_differ) {
    return Fail(Raise::kValue,
                fmt::format("cannot copy a {} of '{}' into a {} of '{}'", Describe(src),
                            module_.buffer(src.buffer).name, Describe(dst),
                            module_.buffer(dst.buffer).name),
                {AboutBuffer(src.buffer), AboutBuffer(dst.buffer)});
  }
  return {};
}

base::Result<void> Builder::CheckCopyTypes(const ir::Copy& copy) {
  const Buffer& src = module_.buffer(copy.src.buffer);
  const Buffer& dst = module_.buffer(copy.dst.buffer);
  const std::vector<Note> notes = {AboutBuffer(copy.src.buffer), AboutBuffer(copy.dst.buffer)};
  if (!CanCopy(src.memory, dst.memory)) {
    return Fail(
        Raise::kValue,
        fmt::format(
            "Unsupported scope: src = {}, dst = {}: no instruction copies from '{}' to '{}'",
            MemoryName(src.memory), MemoryName(dst.memory), src.name, dst.name),
        notes);
  }
  const bool converts = src.memory == Memory::kL0C || !Known(src.memory) || !Known(dst.memory) ||
                        (src.memory == Memory::kUb && dst.memory == Memory::kUb);
  if (src.dtype != dst.dtype && !converts) {
    return Fail(Raise::kValue,
                fmt::format("a copy from {} to {} does not convert, but '{}' is {} and '{}' is {}",
                            MemoryName(src.memory), MemoryName(dst.memory), src.name,
                            DTypeName(src.dtype), dst.name, DTypeName(dst.dtype)),
                notes, "copy into a buffer of the same type, then T.tile.cast");
  }
  const bool to_l0 =
      dst.memory == Memory::kL0A || dst.memory == Memory::kL0B || dst.memory == Memory::kFragment;
  if (copy.transpose && !to_l0) {
    return Fail(
        Raise::kValue,
        fmt::format(
            "transpose=True is for copies from L1 to L0A or L0B, but this one goes from {} to {}",
            MemoryName(src.memory), MemoryName(dst.memory)));
  }
  if (copy.enable_relu && Known(src.memory) && src.memory != Memory::kL0C) {
    return Fail(Raise::kValue,
                fmt::format("enable_relu=True is for copies out of L0C, but '{}' is in {}",
                            src.name, MemoryName(src.memory)));
  }
  const bool vector =
      src.memory == Memory::kUb && (dst.memory == Memory::kGm || dst.memory == Memory::kUb);
  if (vector || (src.memory == Memory::kGm && dst.memory == Memory::kUb)) {
    return CheckCore(Core::kVector, fmt::format("a copy from {} to {}", MemoryName(src.memory),
                                                MemoryName(dst.memory)));
  }
  if ((src.memory == Memory::kGm && dst.memory == Memory::kL1) || src.memory == Memory::kL1 ||
      (src.memory == Memory::kL0C && dst.memory == Memory::kGm)) {
    return CheckCore(Core::kCube, fmt::format("a copy from {} to {}", MemoryName(src.memory),
                                              MemoryName(dst.memory)));
  }
  return {};
}

base::Result<StmtPtr> Builder::Copy(const Operand& src, const Operand& dst, bool enable_relu,
                                    bool transpose, const ExprPtr& pad_value) {
  const auto as_ref = [&](const Operand& operand, const char* role) -> base::Result<TileRef> {
    HOSTNPU_ASSIGN_OR_RETURN(const Region region, TileRegion(operand, "T.copy", role));
    TileRef ref{region.buffer, TileRef::Form::kElement, region.dims};
    if (const auto* given = std::get_if<TileRef>(&operand)) ref.form = given->form;
    return ref;
  };
  HOSTNPU_ASSIGN_OR_RETURN(const TileRef from, as_ref(src, "src"));
  HOSTNPU_ASSIGN_OR_RETURN(const TileRef to, as_ref(dst, "dst"));
  HOSTNPU_ASSIGN_OR_RETURN(auto regions, CopyRegions(from, to, transpose));
  const bool both_whole = from.form == TileRef::Form::kWhole && to.form == TileRef::Form::kWhole;
  const auto copy = Make<ir::Copy>(range_, [&](ir::Copy& node) {
    node.src = std::move(regions.first);
    node.dst = std::move(regions.second);
    node.enable_relu = enable_relu;
    node.transpose = transpose;
    if (pad_value) node.pad_value = MakeCast(module_.buffer(node.dst.buffer).dtype, pad_value);
  });
  if (auto verdict = CheckCopyTypes(*copy); !verdict.ok()) return std::move(verdict).error();
  if (auto verdict = CheckCopyShapes(copy->src, copy->dst, both_whole, transpose); !verdict.ok()) {
    return std::move(verdict).error();
  }
  return StmtPtr(copy);
}

base::Result<Region> Builder::MatrixOperand(const Operand& operand, std::string_view op,
                                            std::string_view role) {
  HOSTNPU_ASSIGN_OR_RETURN(Region region, TileRegion(operand, op, role));
  const Buffer& buffer = module_.buffer(region.buffer);
  if (region.dims.size() < 2) {
    return Fail(Raise::kAssertion,
                fmt::format("{} of {} has at least 2 dimensions, but '{}' has {}", role, op,
                            buffer.name, region.dims.size()),
                {AboutBuffer(region.buffer)});
  }
  for (size_t i = 0; i + 2 < region.dims.size(); ++i) {
    if (ConstantInt(region.dims[i].extent) != 1) {
      return Fail(
          Raise::kAssertion,
          fmt::format(
              "the leading dimensions of {} of {} are single indices, but dimension {} of '{}' has "
              "extent {}",
              role, op, i, buffer.name, PrintExpr(module_, region.dims[i].extent)),
          {AboutBuffer(region.buffer)});
    }
  }
  return region;
}

base::Result<StmtPtr> Builder::Gemm(const Operand& a, const Operand& b, const Operand& c,
                                    bool transpose_a, bool transpose_b, const ExprPtr& init,
                                    bool mma) {
  const char* op = mma ? "T.mma" : "T.gemm_v0";
  HOSTNPU_TRY(CheckCore(Core::kCube, op), "checking the core");
  HOSTNPU_ASSIGN_OR_RETURN(Region lhs, MatrixOperand(a, op, "A"));
  HOSTNPU_ASSIGN_OR_RETURN(Region rhs, MatrixOperand(b, op, "B"));
  HOSTNPU_ASSIGN_OR_RETURN(Region out, MatrixOperand(c, op, "C"));
  const auto size = [](const Region& region, size_t from_end) {
    return region.dims[region.dims.size() - from_end].extent;
  };
  const std::vector<Note> notes = {AboutBuffer(lhs.buffer), AboutBuffer(rhs.buffer),
                                   AboutBuffer(out.buffer)};
  const ExprPtr k_a = size(lhs, transpose_a ? 2 : 1);
  const ExprPtr k_b = size(rhs, transpose_b ? 1 : 2);
  const ExprPtr m_a = size(lhs, transpose_a ? 1 : 2);
  const ExprPtr n_b = size(rhs, transpose_b ? 2 : 1);
  const auto differ = [](const ExprPtr& x, const ExprPtr& y) {
    return ConstantInt(x) && ConstantInt(y) && ConstantInt(x) != ConstantInt(y);
  };
  if (differ(k_a, k_b)) {
    return Fail(Raise::kAssertion,
                fmt::format("T.gemm K shape check failed: K_A = {}, K_B = {}",
                            PrintExpr(module_, k_a), PrintExpr(module_, k_b)),
                notes);
  }
  if (differ(m_a, size(out, 2)) || differ(n_b, size(out, 1))) {
    return Fail(
        Raise::kAssertion,
        fmt::format("{} of a {} x {} and a {} x {} matrix does not fit the {} of '{}'", op,
                    PrintExpr(module_, m_a), PrintExpr(module_, k_a), PrintExpr(module_, k_b),
                    PrintExpr(module_, n_b), Describe(out), module_.buffer(out.buffer).name),
        notes);
  }
  const DType type_a = module_.buffer(lhs.buffer).dtype;
  const DType type_b = module_.buffer(rhs.buffer).dtype;
  const bool fp8 =
      DTypeBits(type_a) == 8 && IsFloat(type_a) && DTypeBits(type_b) == 8 && IsFloat(type_b);
  if (type_a != type_b && !fp8) {
    return Fail(Raise::kValue,
                fmt::format("A of {} is {} and B is {}, but both have one type", op,
                            DTypeName(type_a), DTypeName(type_b)),
                notes);
  }
  return StmtPtr(Make<ir::Gemm>(range_, [&](ir::Gemm& node) {
    node.a = std::move(lhs);
    node.b = std::move(rhs);
    node.c = std::move(out);
    node.transpose_a = transpose_a;
    node.transpose_b = transpose_b;
    node.init = MakeCondition(init);
    node.mma = mma;
  }));
}

base::Result<StmtPtr> Builder::AtomicAdd(const Operand& dst, const Operand& src) {
  static constexpr const char* kPrefix =
      "T.tile.atomic_add V1 only supports local tensor -> GM atomic add.";
  const auto as_ref = [&](const Operand& operand, const char* role) -> base::Result<TileRef> {
    auto region = TileRegion(operand, "T.tile.atomic_add", role);
    if (!region.ok())
      return Fail(Raise::kType, fmt::format("{} {}", kPrefix, region.error().message));
    TileRef ref{region->buffer, TileRef::Form::kElement, region->dims};
    if (const auto* given = std::get_if<TileRef>(&operand)) ref.form = given->form;
    return ref;
  };
  HOSTNPU_ASSIGN_OR_RETURN(const TileRef to, as_ref(dst, "dst"));
  HOSTNPU_ASSIGN_OR_RETURN(const TileRef from, as_ref(src, "src"));
  const Buffer& target = module_.buffer(to.buffer);
  const Buffer& source = module_.buffer(from.buffer);
  const std::vector<Note> notes = {AboutBuffer(to.buffer), AboutBuffer(from.buffer)};
  if (target.memory != Memory::kGm) {
    return Fail(
        Raise::kValue,
        fmt::format("{} dst '{}' is in {}.", kPrefix, target.name, MemoryName(target.memory)),
        notes);
  }
  if (source.memory == Memory::kGm) {
    return Fail(Raise::kValue, fmt::format("{} src '{}' is in GM.", kPrefix, source.name), notes);
  }
  if (source.memory == Memory::kUb && source.dtype != target.dtype) {
    return Fail(Raise::kValue,
                fmt::format("{} src '{}' is {}, dst '{}' is {}.", kPrefix, source.name,
                            DTypeName(source.dtype), target.name, DTypeName(target.dtype)),
                notes);
  }
  HOSTNPU_ASSIGN_OR_RETURN(auto regions, CopyRegions(from, to, false));
  if (auto verdict = CheckCopyShapes(regions.first, regions.second, false, false); !verdict.ok()) {
    return Fail(Raise::kValue, fmt::format("{} {}", kPrefix, verdict.error().message), notes);
  }
  return StmtPtr(Make<ir::AtomicAdd>(range_, [&](ir::AtomicAdd& node) {
    node.src = std::move(regions.first);
    node.dst = std::move(regions.second);
  }));
}

}  // namespace hostnpu::tilelang::ir
