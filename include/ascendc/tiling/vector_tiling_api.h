// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The host side of the high-level vector functions: how large a temporary buffer they want, and
// their tiling structs. The functions of this library need no temporary buffer, but kernels size
// their tiles by these answers, so they are what a device would want in kind: at least one repeat
// per live value, at most all elements.
#ifndef HOSTNPU_ASCENDC_TILING_VECTOR_TILING_API_H_
#define HOSTNPU_ASCENDC_TILING_VECTOR_TILING_API_H_

#include "../graph/tensor.h"
#include "../graph/types.h"
#include "../kernel_tiling/vector_tiling.h"
#include "../register/tilingdata_base.h"
#include "reduce_pattern_names.h"
#include "sort_config.h"

namespace optiling {

#ifdef HOSTNPU_TILING_AS_STRUCT
#define HOSTNPU_TILING_BEGIN(name) using ::name;
#define HOSTNPU_TILING_FIELD(type, name)
#define HOSTNPU_TILING_END
#include "vector_tiling.def"
#else
// clang-format off
#define HOSTNPU_TILING_BEGIN(name) BEGIN_TILING_DATA_DEF(name)
#define HOSTNPU_TILING_FIELD(type, name) TILING_DATA_FIELD_DEF(type, name);
#define HOSTNPU_TILING_END END_TILING_DATA_DEF;
#include "vector_tiling.def"
// clang-format on
#endif
#undef HOSTNPU_TILING_BEGIN
#undef HOSTNPU_TILING_FIELD
#undef HOSTNPU_TILING_END

}  // namespace optiling

namespace AscendC {

using TensorShape = ge::Shape;
using TensorDataType = ge::DataType;

namespace internal {

constexpr uint32_t kTmpRepeatBytes = 256;

inline uint32_t ElementsOf(const TensorShape& shape) {
  const int64_t size = shape.GetShapeSize();
  return size < 0           ? 0
         : size > INT32_MAX ? static_cast<uint32_t>(INT32_MAX)
                            : static_cast<uint32_t>(size);
}
/// Bytes for `nodes` live values of all elements, at least of one repeat.
inline uint32_t MaxTmpBytes(const TensorShape& shape, uint32_t type_size, uint32_t nodes) {
  const uint64_t one = uint64_t{ElementsOf(shape)} * type_size;
  const uint64_t repeats = (one + kTmpRepeatBytes - 1) / kTmpRepeatBytes;
  const uint64_t bytes = (repeats == 0 ? 1 : repeats) * kTmpRepeatBytes * nodes;
  return bytes > UINT32_MAX / 2 ? UINT32_MAX / 2 : static_cast<uint32_t>(bytes);
}
inline uint32_t MinTmpBytes(uint32_t nodes) { return kTmpRepeatBytes * nodes; }

/// Sets a field of a host class or of a kernel struct.
#define HOSTNPU_TILING_SETTER(field)                                                            \
  template <typename Tiling, typename Value>                                                    \
  auto Set_##field(Tiling& tiling, Value value, int)->decltype(tiling.set_##field(value)) {     \
    tiling.set_##field(value);                                                                  \
  }                                                                                             \
  template <typename Tiling, typename Value>                                                    \
  auto Set_##field(Tiling& tiling, Value value, long)->decltype(tiling.field = value, void()) { \
    tiling.field = value;                                                                       \
  }
HOSTNPU_TILING_SETTER(srcM)
HOSTNPU_TILING_SETTER(srcK)
HOSTNPU_TILING_SETTER(srcSize)
HOSTNPU_TILING_SETTER(outMaxM)
HOSTNPU_TILING_SETTER(outMaxK)
HOSTNPU_TILING_SETTER(outMaxSize)
HOSTNPU_TILING_SETTER(splitM)
HOSTNPU_TILING_SETTER(splitK)
HOSTNPU_TILING_SETTER(splitSize)
HOSTNPU_TILING_SETTER(reduceM)
HOSTNPU_TILING_SETTER(reduceK)
HOSTNPU_TILING_SETTER(reduceSize)
HOSTNPU_TILING_SETTER(rangeM)
HOSTNPU_TILING_SETTER(bLength)
HOSTNPU_TILING_SETTER(sLength)
HOSTNPU_TILING_SETTER(hLength)
HOSTNPU_TILING_SETTER(originalHLength)
HOSTNPU_TILING_SETTER(reciprocalOfHLength)
HOSTNPU_TILING_SETTER(inputXSize)
HOSTNPU_TILING_SETTER(meanVarSize)
HOSTNPU_TILING_SETTER(lastDimValueBack)
HOSTNPU_TILING_SETTER(loopRound)
HOSTNPU_TILING_SETTER(aLength)
HOSTNPU_TILING_SETTER(rLength)
HOSTNPU_TILING_SETTER(srcHeight)
HOSTNPU_TILING_SETTER(srcWidth)
HOSTNPU_TILING_SETTER(srcOriWidth)
HOSTNPU_TILING_SETTER(bsLength)
HOSTNPU_TILING_SETTER(bshLength)
HOSTNPU_TILING_SETTER(loopNum)
HOSTNPU_TILING_SETTER(stackBufferSize)
HOSTNPU_TILING_SETTER(rValueBack)
HOSTNPU_TILING_SETTER(tmpLocalSize)
HOSTNPU_TILING_SETTER(allDataSize)
HOSTNPU_TILING_SETTER(innerDataSize)
HOSTNPU_TILING_SETTER(kAlignFourBytes)
HOSTNPU_TILING_SETTER(kAlignTwoBytes)
#undef HOSTNPU_TILING_SETTER

/// Rows and columns: all dimensions but the last, and the last.
struct RowsAndColumns {
  uint32_t rows = 1;
  uint32_t columns = 0;
  explicit RowsAndColumns(const TensorShape& shape) {
    const size_t dims = shape.GetDimNum();
    if (dims == 0) return;
    columns = static_cast<uint32_t>(shape.GetDim(dims - 1));
    for (size_t i = 0; i + 1 < dims; ++i) rows *= static_cast<uint32_t>(shape.GetDim(i));
  }
};

/// The whole matrix in one go: this library does not split it.
template <typename Tiling>
void FillSoftMaxTiling(const TensorShape& shape, uint32_t type_size, Tiling& tiling) {
  const RowsAndColumns matrix(shape);
  const uint32_t block = type_size == 0 ? 0 : 32 / type_size;
  Set_srcM(tiling, matrix.rows, 0);
  Set_srcK(tiling, matrix.columns, 0);
  Set_srcSize(tiling, matrix.rows * matrix.columns, 0);
  Set_outMaxM(tiling, matrix.rows, 0);
  Set_outMaxK(tiling, block, 0);
  Set_outMaxSize(tiling, matrix.rows * block, 0);
  Set_splitM(tiling, matrix.rows, 0);
  Set_splitK(tiling, matrix.columns, 0);
  Set_splitSize(tiling, matrix.rows * matrix.columns, 0);
  Set_reduceM(tiling, matrix.rows, 0);
  Set_reduceK(tiling, block, 0);
  Set_reduceSize(tiling, matrix.rows * block, 0);
  Set_rangeM(tiling, 1u, 0);
}

}  // namespace internal

// Functions of one shape: Get<Name>MaxMinTmpSize and Get<Name>TmpBufferFactorSize.
#define HOSTNPU_TMP_SIZE(Name, nodes)                                                        \
  inline void Get##Name##MaxMinTmpSize(const TensorShape& shape, const uint32_t type_size,   \
                                       const bool reuse, uint32_t& max_value,                \
                                       uint32_t& min_value) {                                \
    static_cast<void>(reuse);                                                                \
    max_value = internal::MaxTmpBytes(shape, type_size, nodes);                              \
    min_value = internal::MinTmpBytes(nodes);                                                \
  }                                                                                          \
  inline void Get##Name##TmpBufferFactorSize(const uint32_t type_size, uint32_t& live_nodes, \
                                             uint32_t& extra_bytes) {                        \
    static_cast<void>(type_size);                                                            \
    live_nodes = nodes;                                                                      \
    extra_bytes = 0;                                                                         \
  }
HOSTNPU_TMP_SIZE(Log, 1)
HOSTNPU_TMP_SIZE(Log2, 2)
HOSTNPU_TMP_SIZE(Log10, 1)
HOSTNPU_TMP_SIZE(Ceil, 2)
HOSTNPU_TMP_SIZE(Floor, 2)
HOSTNPU_TMP_SIZE(Trunc, 2)
HOSTNPU_TMP_SIZE(Rint, 2)
HOSTNPU_TMP_SIZE(Frac, 2)
HOSTNPU_TMP_SIZE(Sign, 3)
HOSTNPU_TMP_SIZE(Sin, 4)
HOSTNPU_TMP_SIZE(Cos, 4)
HOSTNPU_TMP_SIZE(Tan, 6)
HOSTNPU_TMP_SIZE(Asin, 4)
HOSTNPU_TMP_SIZE(Acos, 4)
HOSTNPU_TMP_SIZE(Atan, 6)
HOSTNPU_TMP_SIZE(Sinh, 3)
HOSTNPU_TMP_SIZE(Cosh, 3)
HOSTNPU_TMP_SIZE(Tanh, 2)
HOSTNPU_TMP_SIZE(Asinh, 4)
HOSTNPU_TMP_SIZE(Acosh, 3)
HOSTNPU_TMP_SIZE(Atanh, 3)
HOSTNPU_TMP_SIZE(Erf, 4)
HOSTNPU_TMP_SIZE(Erfc, 8)
HOSTNPU_TMP_SIZE(Lgamma, 8)
HOSTNPU_TMP_SIZE(Digamma, 8)
HOSTNPU_TMP_SIZE(Exp, 4)
HOSTNPU_TMP_SIZE(Sigmoid, 2)
HOSTNPU_TMP_SIZE(Xor, 2)
HOSTNPU_TMP_SIZE(Fmod, 3)
HOSTNPU_TMP_SIZE(Clamp, 2)
HOSTNPU_TMP_SIZE(Axpy, 2)
HOSTNPU_TMP_SIZE(GeGLU, 4)
HOSTNPU_TMP_SIZE(ReGlu, 4)
HOSTNPU_TMP_SIZE(LayerNorm, 6)
HOSTNPU_TMP_SIZE(LayerNormGrad, 9)
HOSTNPU_TMP_SIZE(LayerNormGradBeta, 4)
HOSTNPU_TMP_SIZE(WelfordFinalize, 2)
#undef HOSTNPU_TMP_SIZE

template <typename Platform>
inline void GetRintMaxMinTmpSize(const Platform&, const TensorShape& shape,
                                 const uint32_t type_size, const bool reuse, uint32_t& max_value,
                                 uint32_t& min_value) {
  GetRintMaxMinTmpSize(shape, type_size, reuse, max_value, min_value);
}
template <typename Platform>
inline void GetRintTmpBufferFactorSize(const Platform&, const uint32_t type_size,
                                       uint32_t& live_nodes, uint32_t& extra_bytes) {
  GetRintTmpBufferFactorSize(type_size, live_nodes, extra_bytes);
}
template <typename Platform>
inline void GetRoundMaxMinTmpSize(const Platform&, const TensorShape& shape,
                                  const uint32_t type_size, const bool, uint32_t& max_value,
                                  uint32_t& min_value) {
  max_value = internal::MaxTmpBytes(shape, type_size, 2);
  min_value = internal::MinTmpBytes(2);
}
template <typename Platform>
inline void GetBroadCastMaxMinTmpSize(const Platform&, const TensorShape&, const TensorShape& dst,
                                      uint32_t type_size, const bool, uint32_t& max_value,
                                      uint32_t& min_value) {
  max_value = internal::MaxTmpBytes(dst, type_size, 1);
  min_value = internal::MinTmpBytes(2);
}
inline void GetPowerMaxMinTmpSize(const TensorShape& base, const TensorShape& exponent,
                                  const bool is_int, const uint32_t type_size, const bool,
                                  uint32_t& max_value, uint32_t& min_value) {
  const bool base_is_larger = internal::ElementsOf(base) >= internal::ElementsOf(exponent);
  const uint32_t nodes = is_int ? 6 : 8;
  max_value = internal::MaxTmpBytes(base_is_larger ? base : exponent, type_size, nodes);
  min_value = internal::MinTmpBytes(nodes);
}
inline void GetSumMaxMinTmpSize(const uint32_t n, const uint32_t type_size, const bool,
                                uint32_t& max_size, uint32_t& min_size) {
  const uint64_t repeats = (uint64_t{n} * type_size + 255) / 256;
  min_size = static_cast<uint32_t>((repeats * type_size + 31) / 32 * 32);
  if (min_size < internal::kTmpRepeatBytes) min_size = internal::kTmpRepeatBytes;
  max_size = min_size;
}
inline void GetMeanMaxMinTmpSize(const uint32_t n, const uint32_t src_size, const uint32_t acc_size,
                                 const bool reuse, uint32_t& max_size, uint32_t& min_size) {
  GetSumMaxMinTmpSize(n, acc_size > src_size ? acc_size : src_size, reuse, max_size, min_size);
  if (acc_size > src_size) max_size = min_size += (n * acc_size + 31) / 32 * 32;
}
inline void GetSiluTmpSize(const TensorShape& shape, const uint32_t type_size, const bool,
                           uint32_t& max_value, uint32_t& min_value) {
  max_value = internal::MaxTmpBytes(shape, type_size, 1);
  min_value = internal::MinTmpBytes(1);
}
inline void GetSwishTmpSize(const TensorShape& shape, const uint32_t type_size, const bool reuse,
                            uint32_t& max_value, uint32_t& min_value) {
  GetSiluTmpSize(shape, type_size, reuse, max_value, min_value);
}
inline void GetGeluMaxMinTmpSize(const TensorShape& shape, const uint32_t type_size,
                                 uint32_t& max_value, uint32_t& min_value) {
  max_value = internal::MaxTmpBytes(shape, type_size, 3);
  min_value = internal::MinTmpBytes(3);
}
inline uint32_t GetGeluMinTmpSize(const TensorShape&, const uint32_t) {
  return internal::MinTmpBytes(3);
}
inline uint32_t GetGeluMaxTmpSize(const TensorShape& shape, const uint32_t type_size) {
  return internal::MaxTmpBytes(shape, type_size, 3);
}
inline void GetSwiGLUMaxMinTmpSize(const TensorShape& shape, const uint32_t type_size,
                                   uint32_t& max_value, uint32_t& min_value, const bool) {
  max_value = internal::MaxTmpBytes(shape, type_size, 4);
  min_value = internal::MinTmpBytes(4);
}
inline void GetAscendDequantMaxMinTmpSize(const TensorShape& shape, const uint32_t,
                                          uint32_t& max_value, uint32_t& min_value) {
  max_value = internal::MaxTmpBytes(shape, 4, 2);
  const internal::RowsAndColumns matrix(shape);
  min_value = (2 * matrix.columns + 64) * 4;
  if (min_value > max_value) max_value = min_value;
}
inline void GetAscendQuantMaxMinTmpSize(const TensorShape& shape, const uint32_t type_size,
                                        uint32_t& max_value, uint32_t& min_value) {
  max_value = internal::MaxTmpBytes(shape, type_size, 2);
  min_value = internal::MinTmpBytes(2);
}

inline void GetSortMaxMinTmpSize(const TensorShape& shape, TensorDataType, TensorDataType, bool,
                                 const SortConfig&, uint32_t& max_value, uint32_t& min_value) {
  max_value = min_value = internal::MaxTmpBytes(shape, 8, 2);  // records, twice
}

inline void GetCumSumMaxMinTmpSize(const TensorShape& shape, const uint32_t, const bool, const bool,
                                   uint32_t& max_value, uint32_t& min_value) {
  max_value = min_value = internal::MaxTmpBytes(shape, 4, 2);  // sums in float, twice
}

/// `rows` of `inner` elements each.
inline bool GetTopKMaxMinTmpSize(const int32_t inner, const int32_t rows, const bool, const bool,
                                 TopKMode, const bool, const uint32_t, uint32_t& max_value,
                                 uint32_t& min_value) {
  if (inner <= 0 || rows <= 0) return false;
  max_value = min_value = internal::MaxTmpBytes(TensorShape({rows, inner}), 8, 2);  // records
  return true;
}
template <typename Platform>
inline bool GetTopKMaxMinTmpSize(const Platform&, const int32_t inner, const int32_t rows,
                                 const bool reuse, const bool has_index, TopKMode mode,
                                 const bool largest, const uint32_t type_size, uint32_t& max_value,
                                 uint32_t& min_value) {
  return GetTopKMaxMinTmpSize(inner, rows, reuse, has_index, mode, largest, type_size, max_value,
                              min_value);
}
/// Of the struct, TopK reads nothing: these are the sizes that a kernel may want to know.
template <typename Tiling>
inline bool TopKTilingFunc(const int32_t inner, const int32_t rows, const int32_t k,
                           const uint32_t type_size, const bool has_index, TopKMode mode,
                           const bool largest, Tiling& tiling) {
  uint32_t most = 0, least = 0;
  if (type_size == 0 || k < 1 || k > inner ||
      !GetTopKMaxMinTmpSize(inner, rows, false, has_index, mode, largest, type_size, most, least)) {
    return false;
  }
  internal::Set_tmpLocalSize(tiling, static_cast<int32_t>(least / type_size), 0);
  internal::Set_allDataSize(tiling, inner * rows, 0);
  internal::Set_innerDataSize(tiling, inner, 0);
  internal::Set_kAlignFourBytes(tiling, (k + 7) / 8 * 8, 0);
  internal::Set_kAlignTwoBytes(tiling, (k + 15) / 16 * 16, 0);
  return true;
}
template <typename Platform, typename Tiling>
inline bool TopKTilingFunc(const Platform&, const int32_t inner, const int32_t rows,
                           const int32_t k, const uint32_t type_size, const bool has_index,
                           TopKMode mode, const bool largest, Tiling& tiling) {
  return TopKTilingFunc(inner, rows, k, type_size, has_index, mode, largest, tiling);
}

inline uint32_t GetDropOutMinTmpSize(const TensorShape&, const uint32_t, const bool) {
  return internal::MinTmpBytes(2);
}
inline uint32_t GetDropOutMaxTmpSize(const TensorShape& shape, const uint32_t type_size,
                                     const bool) {
  return internal::MaxTmpBytes(shape, type_size, 2);
}
inline void GetDropOutMaxMinTmpSize(const TensorShape& shape, const uint32_t type_size,
                                    const bool reuse, uint32_t& max_value, uint32_t& min_value) {
  max_value = GetDropOutMaxTmpSize(shape, type_size, reuse);
  min_value = GetDropOutMinTmpSize(shape, type_size, reuse);
}
#define HOSTNPU_SELECT_TMP_SIZE(Name)                                                           \
  inline uint32_t Get##Name##MinTmpSize(const TensorShape&, const TensorShape&, const uint32_t, \
                                        const TensorShape&, const uint32_t, const bool) {       \
    return internal::MinTmpBytes(3);                                                            \
  }                                                                                             \
  inline uint32_t Get##Name##MaxTmpSize(const TensorShape&, const TensorShape&, const uint32_t, \
                                        const TensorShape& mask, const uint32_t mask_size,      \
                                        const bool) {                                           \
    return internal::MaxTmpBytes(mask, mask_size < 2 ? 2 : mask_size, 3);                       \
  }                                                                                             \
  inline void Get##Name##MaxMinTmpSize(const TensorShape& src0, const TensorShape& src1,        \
                                       const uint32_t size, const TensorShape& mask,            \
                                       const uint32_t mask_size, const bool reuse,              \
                                       uint32_t& max_value, uint32_t& min_value) {              \
    max_value = Get##Name##MaxTmpSize(src0, src1, size, mask, mask_size, reuse);                \
    min_value = Get##Name##MinTmpSize(src0, src1, size, mask, mask_size, reuse);                \
  }
HOSTNPU_SELECT_TMP_SIZE(Select)
HOSTNPU_SELECT_TMP_SIZE(SelectWithBytesMask)
#undef HOSTNPU_SELECT_TMP_SIZE

// Softmax.
#define HOSTNPU_SOFTMAX_TMP_SIZE(Name)                                                           \
  inline uint32_t Get##Name##MinTmpSize(const TensorShape& shape, const uint32_t type_size,      \
                                        const bool) {                                            \
    const internal::RowsAndColumns matrix(shape);                                                \
    return internal::MaxTmpBytes(TensorShape({static_cast<int64_t>(matrix.columns)}), type_size, \
                                 4);                                                             \
  }                                                                                              \
  inline uint32_t Get##Name##MaxTmpSize(const TensorShape& shape, const uint32_t type_size,      \
                                        const bool) {                                            \
    return internal::MaxTmpBytes(shape, type_size, 4);                                           \
  }
HOSTNPU_SOFTMAX_TMP_SIZE(SoftMax)
HOSTNPU_SOFTMAX_TMP_SIZE(LogSoftMax)
#undef HOSTNPU_SOFTMAX_TMP_SIZE
inline uint32_t GetSoftMaxFlashMinTmpSize(const TensorShape& shape, const uint32_t type_size,
                                          const bool, const bool reuse) {
  return GetSoftMaxMinTmpSize(shape, type_size, reuse);
}
inline uint32_t GetSoftMaxFlashMaxTmpSize(const TensorShape& shape, const uint32_t type_size,
                                          const bool, const bool reuse) {
  return GetSoftMaxMaxTmpSize(shape, type_size, reuse);
}
inline uint32_t GetSoftMaxFlashV2MinTmpSize(const TensorShape& shape, const uint32_t size1,
                                            const uint32_t size2, const bool, const bool = false,
                                            const bool = false) {
  return GetSoftMaxMinTmpSize(shape, size1 > size2 ? size1 : size2, false);
}
inline uint32_t GetSoftMaxFlashV2MaxTmpSize(const TensorShape& shape, const uint32_t size1,
                                            const uint32_t size2, const bool, const bool = false,
                                            const bool = false) {
  return GetSoftMaxMaxTmpSize(shape, size1 > size2 ? size1 : size2, false);
}
inline uint32_t GetSoftMaxGradMinTmpSize(const TensorShape& shape, const uint32_t type_size,
                                         const bool, const bool reuse) {
  return GetSoftMaxMinTmpSize(shape, type_size, reuse);
}
inline uint32_t GetSoftMaxGradMaxTmpSize(const TensorShape& shape, const uint32_t type_size,
                                         const bool, const bool reuse) {
  return GetSoftMaxMaxTmpSize(shape, type_size, reuse);
}
template <typename Tiling>
inline void SoftMaxTilingFunc(const TensorShape& shape, const uint32_t type_size, const uint32_t,
                              Tiling& tiling) {
  internal::FillSoftMaxTiling(shape, type_size, tiling);
}
template <typename Tiling>
inline void LogSoftMaxTilingFunc(const TensorShape& shape, const uint32_t type_size, const uint32_t,
                                 Tiling& tiling) {
  internal::FillSoftMaxTiling(shape, type_size, tiling);
}
template <typename Tiling>
inline void SoftMaxFlashTilingFunc(const TensorShape& shape, const uint32_t type_size,
                                   const uint32_t, Tiling& tiling, const bool = false) {
  internal::FillSoftMaxTiling(shape, type_size, tiling);
}
template <typename Tiling>
inline void SoftMaxFlashV2TilingFunc(const TensorShape& shape, const uint32_t size1, const uint32_t,
                                     const uint32_t, Tiling& tiling, const bool, const bool = false,
                                     const bool = false) {
  internal::FillSoftMaxTiling(shape, size1, tiling);
}
template <typename Tiling>
inline void SoftMaxGradTilingFunc(const TensorShape& shape, const uint32_t type_size,
                                  const uint32_t, Tiling& tiling, const bool = false) {
  internal::FillSoftMaxTiling(shape, type_size, tiling);
}
template <typename Tiling>
inline bool IsBasicBlockInSoftMax(Tiling&, const uint32_t = 2) {
  return false;
}

// Normalization.
inline bool GetRmsNormMaxMinTmpSize(const TensorShape& shape, const uint32_t type_size,
                                    uint32_t& max_value, uint32_t& min_value, const bool = false) {
  max_value = internal::MaxTmpBytes(shape, type_size < 4 ? 4 : type_size, 3);
  const internal::RowsAndColumns matrix(shape);
  min_value = internal::MaxTmpBytes(TensorShape({static_cast<int64_t>(matrix.columns)}), 4, 3);
  return true;
}
inline bool GetRmsNormMaxTmpSize(const TensorShape& shape, const uint32_t type_size,
                                 uint32_t& max_value, const bool basic = false) {
  uint32_t unused = 0;
  return GetRmsNormMaxMinTmpSize(shape, type_size, max_value, unused, basic);
}
inline bool GetRmsNormMinTmpSize(const TensorShape& shape, const uint32_t type_size,
                                 uint32_t& min_value, const bool basic = false) {
  uint32_t unused = 0;
  return GetRmsNormMaxMinTmpSize(shape, type_size, unused, min_value, basic);
}
/// Shapes are [b, s, h]; false where the original h is larger than the padded one.
template <typename Tiling>
inline bool GetRmsNormTilingInfo(const TensorShape& shape, const TensorShape& origin,
                                 const uint32_t, const uint32_t, Tiling& tiling,
                                 const bool = false) {
  if (shape.GetDimNum() != 3 || origin.GetDimNum() != 3 || origin.GetDim(2) <= 0 ||
      origin.GetDim(2) > shape.GetDim(2)) {
    return false;
  }
  internal::Set_bLength(tiling, static_cast<uint32_t>(shape.GetDim(0)), 0);
  internal::Set_sLength(tiling, static_cast<uint32_t>(shape.GetDim(1)), 0);
  internal::Set_hLength(tiling, static_cast<uint32_t>(shape.GetDim(2)), 0);
  internal::Set_originalHLength(tiling, static_cast<uint32_t>(origin.GetDim(2)), 0);
  internal::Set_reciprocalOfHLength(tiling, 1.0f / static_cast<float>(origin.GetDim(2)), 0);
  internal::Set_loopRound(tiling, 1u, 0);
  return true;
}
namespace internal {
/// [b, s, h, original h].
template <typename Tiling>
inline void SetShapeOfRows(const TensorShape& shape, Tiling& tiling) {
  Set_bLength(tiling, static_cast<uint32_t>(shape.GetDim(0)), 0);
  Set_sLength(tiling, static_cast<uint32_t>(shape.GetDim(1)), 0);
  Set_hLength(tiling, static_cast<uint32_t>(shape.GetDim(2)), 0);
  Set_originalHLength(tiling, static_cast<uint32_t>(shape.GetDim(3)), 0);
}
}  // namespace internal

/// The shape is [b, s, h, original h].
template <typename Tiling>
inline void GetLayerNormNDTilingInfo(const TensorShape& shape, const uint32_t, const uint32_t,
                                     const bool, Tiling& tiling) {
  const auto dim = [&](size_t i) { return static_cast<uint32_t>(shape.GetDim(i)); };
  internal::SetShapeOfRows(shape, tiling);
  internal::Set_inputXSize(tiling, dim(0) * dim(1) * dim(2), 0);
  internal::Set_meanVarSize(tiling, dim(0) * dim(1), 0);
  internal::Set_loopRound(tiling, 1u, 0);
  internal::Set_lastDimValueBack(tiling, dim(3) == 0 ? 0.0f : 1.0f / static_cast<float>(dim(3)), 0);
}
/// The form over [a, r].
template <typename Tiling>
inline void GetLayerNormNDTilingInfo(const TensorShape& shape, const uint32_t, const uint32_t,
                                     const bool, const bool, Tiling& tiling) {
  const internal::RowsAndColumns matrix(shape);
  internal::Set_aLength(tiling, matrix.rows, 0);
  internal::Set_rLength(tiling, matrix.columns, 0);
  internal::Set_inputXSize(tiling, matrix.rows * matrix.columns, 0);
  internal::Set_meanVarSize(tiling, matrix.rows, 0);
  internal::Set_loopRound(tiling, 1u, 0);
  internal::Set_rValueBack(
      tiling, matrix.columns == 0 ? 0.0f : 1.0f / static_cast<float>(matrix.columns), 0);
}
inline void GetLayerNormMaxMinTmpSize(const TensorShape& shape, const uint32_t type_size,
                                      const bool reuse, const bool, const bool, uint32_t& max_value,
                                      uint32_t& min_value) {
  GetLayerNormMaxMinTmpSize(shape, type_size, reuse, max_value, min_value);
}

/// The shape is [b, s, h, original h].
template <typename Tiling>
inline void GetLayerNormGradNDTilingInfo(const TensorShape& shape, const uint32_t stack_bytes,
                                         const uint32_t, const bool, Tiling& tiling) {
  internal::SetShapeOfRows(shape, tiling);
  internal::Set_stackBufferSize(tiling, stack_bytes, 0);
  internal::Set_loopNum(tiling, 1u, 0);
}
template <typename Tiling>
inline void GetLayerNormGradBetaNDTilingInfo(const TensorShape& shape, const uint32_t stack_bytes,
                                             const uint32_t, const bool, Tiling& tiling) {
  const uint32_t rows = static_cast<uint32_t>(shape.GetDim(0) * shape.GetDim(1));
  internal::SetShapeOfRows(shape, tiling);
  internal::Set_stackBufferSize(tiling, stack_bytes, 0);
  internal::Set_bsLength(tiling, rows, 0);
  internal::Set_bshLength(tiling, rows * static_cast<uint32_t>(shape.GetDim(2)), 0);
  internal::Set_loopRound(tiling, 1u, 0);
}
inline bool GetDeepNormMaxMinTmpSize(const TensorShape& shape, const uint32_t type_size, const bool,
                                     const bool, uint32_t& max_value, uint32_t& min_value) {
  max_value = internal::MaxTmpBytes(shape, type_size < 4 ? 4 : type_size, 4);
  const internal::RowsAndColumns matrix(shape);
  min_value = internal::MaxTmpBytes(TensorShape({static_cast<int64_t>(matrix.columns)}), 4, 4);
  return matrix.columns != 0;
}
/// Shapes are [b, s, h]; false where the original h is larger than the padded one, or that than
/// DeepNorm takes.
template <typename Tiling>
inline bool GetDeepNormTilingInfo(const TensorShape& shape, const TensorShape& origin,
                                  const uint32_t, const uint32_t, const bool, const bool,
                                  Tiling& tiling) {
  if (shape.GetDimNum() != 3 || origin.GetDimNum() != 3 || origin.GetDim(2) <= 0 ||
      origin.GetDim(2) > shape.GetDim(2) || shape.GetDim(2) > 2040) {
    return false;
  }
  const int64_t rows = shape.GetDim(0) * shape.GetDim(1);
  internal::SetShapeOfRows(
      TensorShape({shape.GetDim(0), shape.GetDim(1), shape.GetDim(2), origin.GetDim(2)}), tiling);
  internal::Set_inputXSize(tiling, static_cast<uint32_t>(rows * shape.GetDim(2)), 0);
  internal::Set_meanVarSize(tiling, static_cast<uint32_t>(rows), 0);
  internal::Set_loopRound(tiling, 1u, 0);
  internal::Set_lastDimValueBack(tiling, 1.0f / static_cast<float>(origin.GetDim(2)), 0);
  return true;
}
inline void GetNormalizeMaxMinTmpSize(const TensorShape& shape, const uint32_t size_u,
                                      const uint32_t size_t_, const bool, const bool, const bool,
                                      uint32_t& max_value, uint32_t& min_value) {
  max_value = internal::MaxTmpBytes(shape, size_u > size_t_ ? size_u : size_t_, 2);
  min_value = internal::MinTmpBytes(2);
}
inline void GetWelfordUpdateMaxMinTmpSize(const TensorShape& shape, const uint32_t,
                                          const uint32_t size_u, const bool, const bool,
                                          uint32_t& max_value, uint32_t& min_value) {
  max_value = internal::MaxTmpBytes(shape, size_u, 3);
  min_value = internal::MinTmpBytes(3);
}

// Reductions by a pattern: sums of the half as many elements that are left after each step.
#define HOSTNPU_PATTERN_TMP_SIZE(Name)                                                 \
  inline void Get##Name##MaxMinTmpSize(const TensorShape& shape, const TensorDataType, \
                                       ReducePattern, bool, bool, uint32_t& max_value, \
                                       uint32_t& min_value) {                          \
    max_value = min_value = internal::MaxTmpBytes(shape, 4, 1);                        \
  }
HOSTNPU_PATTERN_TMP_SIZE(ReduceSum)
HOSTNPU_PATTERN_TMP_SIZE(ReduceMean)
HOSTNPU_PATTERN_TMP_SIZE(ReduceProd)
HOSTNPU_PATTERN_TMP_SIZE(ReduceMax)
HOSTNPU_PATTERN_TMP_SIZE(ReduceMin)
HOSTNPU_PATTERN_TMP_SIZE(ReduceAll)
HOSTNPU_PATTERN_TMP_SIZE(ReduceAny)
#undef HOSTNPU_PATTERN_TMP_SIZE

// Anti-quantisation: all elements as float, and a row of offsets and scales.
inline uint32_t GetAscendAntiQuantMaxTmpSize(const TensorShape& shape, const TensorShape&, bool,
                                             TensorDataType, TensorDataType) {
  return internal::MaxTmpBytes(shape, 4, 2);
}
inline uint32_t GetAscendAntiQuantMinTmpSize(const TensorShape&, const TensorShape& scale, bool,
                                             TensorDataType, TensorDataType) {
  const internal::RowsAndColumns matrix(scale);
  return internal::MaxTmpBytes(TensorShape({static_cast<int64_t>(matrix.columns)}), 4, 3);
}
inline void GetAscendAntiQuantMaxMinTmpSize(const TensorShape& shape, const TensorShape& scale,
                                            bool transposed, TensorDataType from, TensorDataType to,
                                            uint32_t& max_value, uint32_t& min_value) {
  max_value = GetAscendAntiQuantMaxTmpSize(shape, scale, transposed, from, to);
  min_value = GetAscendAntiQuantMinTmpSize(shape, scale, transposed, from, to);
  if (max_value < min_value) max_value = min_value;
}

// Rows padded to whole blocks, and back. Shapes are [rows, columns].
inline void GetPadMaxMinTmpSize(const TensorShape& shape, const uint32_t type_size,
                                uint32_t& max_value, uint32_t& min_value) {
  max_value = internal::MaxTmpBytes(shape, type_size, 2);
  min_value = internal::MinTmpBytes(2);
}
template <typename Tiling>
inline void PadTilingFunc(const TensorShape& shape, const TensorShape& origin, const uint32_t,
                          const uint32_t, Tiling& tiling) {
  const internal::RowsAndColumns matrix(shape);
  internal::Set_srcHeight(tiling, matrix.rows, 0);
  internal::Set_srcWidth(tiling, matrix.columns, 0);
  internal::Set_srcOriWidth(tiling, internal::RowsAndColumns(origin).columns, 0);
}
template <typename Platform>
inline void GetUnPadMaxMinTmpSize(const Platform&, const TensorShape& shape,
                                  const uint32_t type_size, uint32_t& max_value,
                                  uint32_t& min_value) {
  GetPadMaxMinTmpSize(shape, type_size, max_value, min_value);
}
template <typename Tiling>
inline void UnPadTilingFunc(const TensorShape& shape, const uint32_t, const uint32_t,
                            Tiling& tiling) {
  const internal::RowsAndColumns matrix(shape);
  internal::Set_srcHeight(tiling, matrix.rows, 0);
  internal::Set_srcWidth(tiling, matrix.columns, 0);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_TILING_VECTOR_TILING_API_H_
