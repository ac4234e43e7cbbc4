// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// What the three matmul_tiling classes share: the description of the product. Every Set function
// returns 0, or -1 for a value that cannot be; GetTiling returns 0, or -1 where no tiling within
// the chip's limits exists.
#ifndef HOSTNPU_ASCENDC_LIB_MATRIX_MATMUL_MATMUL_TILING_BASE_H_
#define HOSTNPU_ASCENDC_LIB_MATRIX_MATMUL_MATMUL_TILING_BASE_H_

#include "../../../basic/type_numbers_end.h"
#include "../../../tiling/cube_solver.h"
#include "matmul_tilingdata.h"

namespace matmul_tiling {

enum class DataType : int32_t {
  DT_FLOAT = 0,
  DT_FLOAT16 = 1,
  DT_INT8 = 2,
  DT_INT32 = 3,
  DT_UINT8 = 4,
  DT_INT16 = 6,
  DT_UINT16 = 7,
  DT_UINT32 = 8,
  DT_INT64 = 9,
  DT_UINT64 = 10,
  DT_DOUBLE = 11,
  DT_BOOL = 12,
  DT_BF16 = 27,
  DT_UNDEFINED = 28,
  DT_INT4 = 29,
  DT_BFLOAT16 = 33,
  DT_HIFLOAT8 = 34,
  DT_FLOAT8_E4M3FN = 35,
  DT_FLOAT8_E5M2 = 36,
  DT_FLOAT4_E2M1 = 37,
  DT_FLOAT8_E8M0 = 38,
  DT_FLOAT4_E1M2 = 39,
  DT_MAX = 40,
};
enum class TPosition : int32_t {
  GM,
  A1,
  A2,
  B1,
  B2,
  C1,
  C2,
  CO1,
  CO2,
  VECIN,
  VECOUT,
  VECCALC,
  LCM = VECCALC,
  SPM,
  SHM = SPM,
  TSCM,
  MAX,
};
enum class TilingPolicy : int32_t { FIXED_A_TSCM, FIXED_B_TSCM, FIXED_A_B_TSCM, NO_POLICY };
enum class CubeFormat : int32_t {
  ND = 0,
  NZ,
  ZN,
  ZZ,
  NN,
  ND_ALIGN,
  SCALAR,
  VECTOR,
  ROW_MAJOR = ND,
  COLUMN_MAJOR = 8,
};
enum class MatrixTraverse : int32_t { NOSET = 0, FIRSTM = 1, FIRSTN = 2 };
enum class MatrixMadType : int32_t { NORMAL = 0, HF32 = 1, MXMODE = 2 };
enum class DequantType : int32_t { SCALAR = 0, TENSOR = 1 };
enum class ScheduleType : int32_t { INNER_PRODUCT = 0, OUTER_PRODUCT = 1, N_BUFFER_33 = 2 };

struct SysTilingTempBufSize {
  int32_t ubSize = 0;
  int32_t l1Size = 0;
  int32_t l0cSize = 0;
};
struct MatTilingType {
  TPosition pos = TPosition::GM;
  CubeFormat type = CubeFormat::ND;
  DataType dataType = DataType::DT_FLOAT;
  bool isTrans = false;
};
struct MatmulConfigParams {
  int32_t mmConfigType;
  bool enableL1CacheUB;
  ScheduleType scheduleType;
  MatrixTraverse traverse;
  bool enVecND2NZ;
  MatmulConfigParams(int32_t type = 1, bool l1_cache = false,
                     ScheduleType schedule = ScheduleType::INNER_PRODUCT,
                     MatrixTraverse order = MatrixTraverse::NOSET, bool vec_nd2nz = false)
      : mmConfigType(type),
        enableL1CacheUB(l1_cache),
        scheduleType(schedule),
        traverse(order),
        enVecND2NZ(vec_nd2nz) {}
};

/// Bits of an element; 0: not a type of this chip's cube.
inline int32_t BitsOf(DataType type) {
  switch (type) {
    case DataType::DT_FLOAT:
    case DataType::DT_INT32:
    case DataType::DT_UINT32:
      return 32;
    case DataType::DT_FLOAT16:
    case DataType::DT_BF16:
    case DataType::DT_BFLOAT16:
      return 16;
    case DataType::DT_INT8:
    case DataType::DT_UINT8:
      return 8;
    case DataType::DT_INT4:
      return 4;
    default:
      return 0;
  }
}

class MatmulApiTilingBase {
 public:
  MatmulApiTilingBase() = default;
  /// The platform's memory sizes are those of the chip, which the solver knows.
  template <typename Platform>
  explicit MatmulApiTilingBase(const Platform&) {}
  virtual ~MatmulApiTilingBase() = default;

  int32_t SetAType(TPosition pos, CubeFormat type, DataType dtype, bool isTrans = false) {
    return SetType(&aType_, pos, type, dtype, isTrans);
  }
  int32_t SetBType(TPosition pos, CubeFormat type, DataType dtype, bool isTrans = false) {
    return SetType(&bType_, pos, type, dtype, isTrans);
  }
  int32_t SetCType(TPosition pos, CubeFormat type, DataType dtype) {
    return SetType(&cType_, pos, type, dtype, false);
  }
  int32_t SetBiasType(TPosition pos, CubeFormat type, DataType dtype) {
    return SetType(&biasType_, pos, type, dtype, false);
  }
  int32_t SetDequantType(DequantType) { return 0; }
  virtual int32_t SetShape(int32_t m, int32_t n, int32_t k) {
    problem_.m = m;
    problem_.n = n;
    problem_.k = k;
    return m > 0 && n > 0 && k > 0 ? 0 : -1;
  }
  int32_t SetOrgShape(int32_t orgM, int32_t orgN, int32_t orgK) {
    return SetOrgShape(orgM, orgN, orgK, orgK);
  }
  int32_t SetOrgShape(int32_t orgM, int32_t orgN, int32_t orgKa, int32_t orgKb) {
    problem_.org_m = orgM;
    problem_.org_n = orgN;
    problem_.org_ka = orgKa;
    problem_.org_kb = orgKb;
    return orgM > 0 && orgN > 0 && orgKa > 0 && orgKb > 0 ? 0 : -1;
  }
  int32_t SetALayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    return SetLayout(a_layout_, b, s, n, g, d);
  }
  int32_t SetBLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    return SetLayout(b_layout_, b, s, n, g, d);
  }
  int32_t SetCLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    return SetLayout(c_layout_, b, s, n, g, d);
  }
  int32_t SetBatchInfoForNormal(int32_t batchA, int32_t batchB, int32_t m, int32_t n, int32_t k) {
    const int32_t batch = batchA > batchB ? batchA : batchB;
    SetALayout(batchA, m, 1, 1, k);
    SetBLayout(batchB, n, 1, 1, k);
    SetCLayout(batch, m, 1, 1, n);
    return SetBatchNum(batch);
  }
  int32_t SetBatchNum(int32_t batch) {
    batchNum = batch;
    return batch > 0 ? 0 : -1;
  }
  int32_t EnableBias(bool isBiasIn = false) {
    problem_.has_bias = isBiasIn;
    return 0;
  }
  int32_t SetBias(bool isBiasIn = false) { return EnableBias(isBiasIn); }
  /// Base tile sizes; -1: the solver's.
  int32_t SetFixSplit(int32_t baseM = -1, int32_t baseN = -1, int32_t baseK = -1) {
    problem_.base_m = baseM;
    problem_.base_n = baseN;
    problem_.base_k = baseK;
    const auto legal = [](int32_t x) { return x == -1 || x > 0; };
    return legal(baseM) && legal(baseN) && legal(baseK) ? 0 : -1;
  }
  /// Bytes that the product may use; -1: all there are.
  int32_t SetBufferSpace(int32_t l1Size = -1, int32_t l0CSize = -1, int32_t ubSize = -1,
                         int32_t = -1) {
    const internal::CubeProblem chip;
    problem_.l1_bytes = l1Size >= 0 ? l1Size : chip.l1_bytes;
    problem_.l0c_bytes = l0CSize >= 0 ? l0CSize : chip.l0c_bytes;
    problem_.ub_bytes = ubSize >= 0 ? ubSize : chip.ub_bytes;
    return problem_.l1_bytes <= chip.l1_bytes && problem_.l0c_bytes <= chip.l0c_bytes ? 0 : -1;
  }
  int32_t SetTraverse(MatrixTraverse traverse) {
    problem_.traverse = static_cast<int32_t>(traverse);
    return 0;
  }
  int32_t SetMadType(MatrixMadType madType) { return madType == MatrixMadType::MXMODE ? -1 : 0; }
  int32_t SetSplitRange(int32_t maxBaseM = -1, int32_t maxBaseN = -1, int32_t maxBaseK = -1,
                        int32_t = -1, int32_t = -1, int32_t = -1) {
    problem_.max_base_m = maxBaseM;
    problem_.max_base_n = maxBaseN;
    problem_.max_base_k = maxBaseK;
    return 0;
  }
  int32_t SetDoubleBuffer(bool, bool, bool, bool, bool = true, bool = true) { return 0; }
  void SetMatmulConfigParams(int32_t = 1, bool = false, ScheduleType = ScheduleType::INNER_PRODUCT,
                             MatrixTraverse traverse = MatrixTraverse::NOSET, bool = false) {
    if (traverse != MatrixTraverse::NOSET) SetTraverse(traverse);
  }
  void SetMatmulConfigParams(const MatmulConfigParams& params) {
    if (params.traverse != MatrixTraverse::NOSET) SetTraverse(params.traverse);
  }
  int32_t SetSparse(bool = false) { return 0; }
  bool EnableL1BankConflictOptimise() { return false; }
  int32_t GetBaseM() const { return solved_.baseM; }
  int32_t GetBaseN() const { return solved_.baseN; }
  int32_t GetBaseK() const { return solved_.baseK; }

  virtual int64_t GetTiling(AscendC::tiling::TCubeTiling& tiling) {
    if (!Solve()) return -1;
    tiling = solved_;
    return 0;
  }
#ifndef HOSTNPU_TILING_AS_STRUCT
  virtual int64_t GetTiling(optiling::TCubeTiling& tiling) {
    if (!Solve()) return -1;
#define HOSTNPU_TILING_FIELD(name) tiling.set_##name(solved_.name);
#include "../../../tiling/cube_tiling.def"
#undef HOSTNPU_TILING_FIELD
    return 0;
  }
#endif

  MatTilingType aType_;
  MatTilingType bType_;
  MatTilingType cType_;
  MatTilingType biasType_;
  int32_t batchNum = 0;

 protected:
  bool Solve() {
    const int32_t a_bits = BitsOf(aType_.dataType), b_bits = BitsOf(bType_.dataType);
    const int32_t c_bits = BitsOf(cType_.dataType);
    if (a_bits == 0 || b_bits == 0 || c_bits == 0) return false;
    problem_.a_bits = a_bits;
    problem_.c_bits = c_bits;
    problem_.bias_bits = BitsOf(biasType_.dataType) == 0 ? 32 : BitsOf(biasType_.dataType);
    problem_.c_in_ub = cType_.pos == TPosition::VECIN || cType_.pos == TPosition::VECOUT ||
                       cType_.pos == TPosition::VECCALC;
    if (problem_.m <= 0) {  // SetOrgShape alone describes the whole product
      problem_.m = problem_.org_m;
      problem_.n = problem_.org_n;
      problem_.k = problem_.org_ka;
    }
    internal::CubeProblem problem = problem_;
    // What lies in L1 is the whole matrix on every core.
    if (aType_.pos == TPosition::TSCM && problem.single_m <= 0) problem.single_m = problem.m;
    if (bType_.pos == TPosition::TSCM && problem.single_n <= 0) problem.single_n = problem.n;
    if (!internal::SolveCube(problem, &solved_)) return false;
    AscendC::tiling::TCubeTiling& t = solved_;
    int32_t* const a[5] = {&t.ALayoutInfoB, &t.ALayoutInfoS, &t.ALayoutInfoN, &t.ALayoutInfoG,
                           &t.ALayoutInfoD};
    int32_t* const b[5] = {&t.BLayoutInfoB, &t.BLayoutInfoS, &t.BLayoutInfoN, &t.BLayoutInfoG,
                           &t.BLayoutInfoD};
    int32_t* const c[5] = {&t.CLayoutInfoB, &t.CLayoutInfoS1, &t.CLayoutInfoN, &t.CLayoutInfoG,
                           &t.CLayoutInfoS2};
    for (int i = 0; i < 5; ++i) {
      *a[i] = a_layout_[i];
      *b[i] = b_layout_[i];
      *c[i] = c_layout_[i];
    }
    t.BatchNum = batchNum;
    return true;
  }

  internal::CubeProblem problem_;
  AscendC::tiling::TCubeTiling solved_;

 private:
  static int32_t SetType(MatTilingType* type, TPosition pos, CubeFormat format, DataType dtype,
                         bool transposed) {
    type->pos = pos;
    type->type = format;
    type->dataType = dtype;
    type->isTrans = transposed;
    return 0;
  }
  static int32_t SetLayout(int32_t (&layout)[5], int32_t b, int32_t s, int32_t n, int32_t g,
                           int32_t d) {
    layout[0] = b;
    layout[1] = s;
    layout[2] = n;
    layout[3] = g;
    layout[4] = d;
    return 0;
  }

  int32_t a_layout_[5] = {};
  int32_t b_layout_[5] = {};
  int32_t c_layout_[5] = {};
};

}  // namespace matmul_tiling

#endif  // HOSTNPU_ASCENDC_LIB_MATRIX_MATMUL_MATMUL_TILING_BASE_H_
