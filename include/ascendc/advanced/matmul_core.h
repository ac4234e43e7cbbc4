// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The state of a Matmul object and what its methods are made of; matmul.h is the interface users
// see.
#ifndef HOSTNPU_ASCENDC_ADVANCED_MATMUL_CORE_H_
#define HOSTNPU_ASCENDC_ADVANCED_MATMUL_CORE_H_

#include "matmul_batch.h"
#include "matmul_engine.h"
#include "matmul_tiles.h"

namespace AscendC {
namespace internal {

/// Runs cube instructions of a callback as the cube core would, wherever the object is.
class ScopedCubeCore {
 public:
  ScopedCubeCore() : kind_(ThisCore().core_kind) { ThisCore().core_kind = HOSTNPU_CORE_AIC; }
  ~ScopedCubeCore() { ThisCore().core_kind = kind_; }
  ScopedCubeCore(const ScopedCubeCore&) = delete;
  ScopedCubeCore& operator=(const ScopedCubeCore&) = delete;

 private:
  int32_t kind_;
};

/// The flag by which a cube core tells its vector cores that a product of theirs is done, where
/// both run the Matmul object (enableMixDualMaster).
constexpr uint32_t kDualMasterFlag = 9;
inline void TellVectorCores() { ThisCore().abi->cross_core_set(&ThisCore(), 2, kDualMasterFlag); }
inline void WaitForCube() { ThisCore().abi->cross_core_wait(&ThisCore(), kDualMasterFlag); }

template <class A, class B, class C, class Bias, const auto& MM_CFG, class CallBack, int triangle>
struct MatmulCore {
  using T = PrimT<typename A::T>;
  using DstT = PrimT<typename C::T>;
  using BiasT = PrimT<typename Bias::T>;
  using Sum = typename gemm::Traits<T>::Sum;
  static constexpr MatmulConfig kConfig = ConfigOf(MM_CFG);
  static constexpr bool kHasCopyIn =
      CallBack::CopyA1Ptr != nullptr || CallBack::CopyB1Ptr != nullptr;
  static constexpr bool kFractalC = C::format == CubeFormat::NZ;
  static constexpr bool kSparse = HasSparseIndex<B>(nullptr);

  MatmulTiles tiles;
  Product product;
  const uint64_t* scales = nullptr;
  HostnpuMemoryKind scales_kind = HOSTNPU_MEMORY_GM;
  uint64_t quant_scalar = 0;
  bool scale_is_set = false;
  uint8_t* workspace = nullptr;
  uint64_t fetched = 0;
  const uint8_t* sparse_index = nullptr;
  uint64_t k_step = 0;             // of the current tile, with isPartialOutput
  uint64_t held = 1;               // tiles that the last Iterate left in L0C
  uint64_t batches = 0;            // that have had a piece of L0C, one after another
  uint32_t filled_by_batches = 0;  // bit i: piece i holds the sums of a batch
  BatchesLeft left;                // by an IterateNBatch, in the workspace
  uint64_t user_info = 0;
  uint64_t self_data = 0;
  T scalar_a = {}, scalar_b = {};
  uint32_t l0c_offset = 0;  // of this object's accumulators
  uint32_t l0c_bytes = 0;

  void Init(const TCubeTiling* from) {
    tiles.Bind(from, MM_CFG);
    ReserveAccumulators();
    product = {};
    scale_is_set = false;
    scales = nullptr;
    sparse_index = nullptr;
    workspace = nullptr;
    fetched = 0;
    held = 1;
    batches = 0;
    filled_by_batches = 0;
    left = {};
  }

  void CheckTranspose(const char* api, bool wanted, bool allowed) const {
    if (HOSTNPU_UNLIKELY(wanted && !allowed)) {
      HOSTNPU_FAULT(
          HOSTNPU_FAULT_ARGUMENT, api,
          "is told that the matrix is transposed, and its MatmulType has isTrans = false");
    }
  }

  /// `rows` x `columns` as stored; org_* as stored, too.
  StoredMatrix Store(const uint8_t* base, HostnpuMemoryKind kind, CubeFormat format, uint64_t rows,
                     uint64_t columns, uint64_t org_rows, uint64_t org_columns) const {
    constexpr uint32_t kBits = SizeOfBits<T>::value;
    StoredMatrix s;
    s.base = base;
    s.kind = kind;
    s.element_bits = kBits;
    s.rows = rows;
    s.columns = columns;
    s.fractal = format == CubeFormat::NZ;
    const bool in_gm = kind == HOSTNPU_MEMORY_GM;
    s.padded_rows = RoundUp(in_gm ? org_rows : rows, 16);
    s.row_elements = in_gm ? org_columns : columns;
    if (format == CubeFormat::ND_ALIGN) s.row_elements = RoundUp(s.row_elements, 256 / kBits);
    return s;
  }
  /// Whether the matrix lies with its columns as rows: told so, or by its format, but not both.
  bool TurnedA() const { return product.transpose_a != (A::format == CubeFormat::COLUMN_MAJOR); }
  bool TurnedB() const { return product.transpose_b != (B::format == CubeFormat::COLUMN_MAJOR); }
  StoredMatrix StoredA(uint64_t row_elements = 0) const {
    StoredMatrix s = product.a;
    if (s.is_scalar) return s;
    const bool t = TurnedA();
    s = Store(s.base, s.kind, A::format, t ? tiles.single_k : tiles.single_m,
              t ? tiles.single_m : tiles.single_k, t ? tiles.org_ka : tiles.org_m,
              t ? tiles.org_m : tiles.org_ka);
    if (row_elements != 0) s.row_elements = row_elements;
    return s;
  }
  StoredMatrix StoredB(uint64_t row_elements = 0) const {
    StoredMatrix s = product.b;
    if (s.is_scalar) return s;
    const bool t = TurnedB();
    s = Store(s.base, s.kind, B::format, t ? tiles.single_n : tiles.single_k,
              t ? tiles.single_k : tiles.single_n, t ? tiles.org_n : tiles.org_kb,
              t ? tiles.org_kb : tiles.org_n);
    if (row_elements != 0) s.row_elements = row_elements;
    if (kSparse) {
      s.sparse_index = sparse_index;
      s.row_elements /= 2;
      s.index_rows = RoundUp(tiles.org_n, 16);
    }
    return s;
  }

  void SetScalar(StoredMatrix& matrix, T& place, T value) {
    place = value;
    matrix = {};
    matrix.is_scalar = true;
    matrix.element_bits = SizeOfBits<T>::value;
    tiles.index = -1;
  }
  void SetOperand(StoredMatrix& matrix, const uint8_t* base, HostnpuMemoryKind kind) {
    matrix = {};
    matrix.base = base;
    matrix.kind = kind;
    tiles.index = -1;
  }
  void SetBias(const void* row, HostnpuMemoryKind kind) {
    static_assert(SizeOfBits<BiasT>::value == 32 || SizeOfBits<BiasT>::value == 16,
                  "a bias of Matmul is half, bfloat16_t, float or int32_t");
    product.bias = row;
    product.bias_bits = SizeOfBits<BiasT>::value;
    product.bias_is_bfloat16 = IsSameType<BiasT, bfloat16_t>::value;
    bias_kind = kind;
  }
  HostnpuMemoryKind bias_kind = HOSTNPU_MEMORY_GM;

  void SetSparseIndex(const uint8_t* index) {
    static_assert(kSparse, "SetSparseIndex: B of this Matmul is no SparseMatmulType");
    static_assert(IsSameType<T, int8_t>::value &&
                      (B::format == CubeFormat::ND || B::format == CubeFormat::NZ) &&
                      B::pos == TPosition::GM && B::indexPosition == TPosition::GM,
                  "Matmul takes a sparse B of int8_t, ND or NZ in GM, with its index in GM");
    static_assert(kConfig.doMultiDataLoad && !kHasCopyIn,
                  "a sparse B works with the MDL template and without callbacks");
    sparse_index = index;
    tiles.index = -1;
  }
  void CheckSparse(const char* api, const Product& p) const {
    if (p.b.sparse_index == nullptr || !p.transpose_b || p.b.is_scalar || p.k % 8 != 0 ||
        tiles.org_kb % 8 != 0) {
      HOSTNPU_FAULT(
          HOSTNPU_FAULT_ARGUMENT, api,
          "has a sparse B, which wants to be a matrix, transposed (%s here), with a k that "
          "is a multiple of 8 (%llu of %llu here) and an index (SetSparseIndex %s)",
          p.transpose_b ? "it is" : "it is not", (unsigned long long)p.k,
          (unsigned long long)tiles.org_kb,
          p.b.sparse_index != nullptr ? "named one" : "was not called");
    }
  }

  void Restart() {
    tiles.index = -1;
    held = 1;
  }

  void CheckWorkspace(const char* api) const {
    if (HOSTNPU_UNLIKELY(workspace == nullptr)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                    "keeps its results in GM and has no place there: SetWorkspace names one");
    }
  }

  /// A tiling is bound, and all sizes are ones that a matrix can have.
  void CheckTiling(const char* api) const {
    const TCubeTiling& t = tiles.tiling;
    if (HOSTNPU_UNLIKELY(t.baseM <= 0 || t.baseN <= 0 ||
                         ((kHasCopyIn || kConfig.isPartialOutput) && t.baseK <= 0))) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                    "has no tiling (baseM = %d, baseN = %d, baseK = %d): REGIST_MATMUL_OBJ or Init "
                    "binds one",
                    t.baseM, t.baseN, t.baseK);
    }
    if (HOSTNPU_UNLIKELY(tiles.HasBadSize())) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                    "multiplies m = %lld, n = %lld, k = %lld of matrices with M = %lld, N = %lld, "
                    "Ka = %lld, Kb = %lld, Kc = %lld; none of them may be negative",
                    (long long)tiles.single_m, (long long)tiles.single_n, (long long)tiles.single_k,
                    (long long)tiles.org_m, (long long)tiles.org_n, (long long)tiles.org_ka,
                    (long long)tiles.org_kb, (long long)tiles.org_c);
    }
  }

  /// The next tile of Iterate; false, and back at the start, after the last one.
  bool NextTile(const char* api) {
    CheckTiling(api);
    if constexpr (kConfig.isPartialOutput) {
      const uint64_t base_k = static_cast<uint64_t>(tiles.tiling.baseK);
      if (tiles.index >= 0 && (k_step + 1) * base_k < tiles.single_k) {
        ++k_step;
        return true;
      }
      k_step = 0;
    }
    if (tiles.index >= 0) tiles.index += static_cast<int64_t>(held - 1);
    do {
      if (!tiles.Next()) {
        Restart();
        return false;
      }
    } while (Skipped(tiles.Current()));
    held = tiles.InStep();
    return true;
  }

  /// The product with both operands resolved and checked for this core's part.
  Product Resolve(const char* api) const {
    CheckTiling(api);
    Product p = product;
    p.a = StoredA();
    p.b = StoredB();
    if (p.a.is_scalar) p.a.base = reinterpret_cast<const uint8_t*>(&scalar_a);
    if (p.b.is_scalar) p.b.base = reinterpret_cast<const uint8_t*>(&scalar_b);
    p.transpose_a = TurnedA();
    p.transpose_b = TurnedB();
    p.k = tiles.single_k;
    Check(api, p);
    return p;
  }
  void Check(const char* api, const Product& p) const {
    if constexpr (kSparse) CheckSparse(api, p);
    if constexpr (CallBack::CopyA1Ptr == nullptr) CheckStored(api, "A", p.a, p.a.rows, p.a.columns);
    if constexpr (CallBack::CopyB1Ptr == nullptr) CheckStored(api, "B", p.b, p.b.rows, p.b.columns);
    if (p.bias != nullptr) {
      const uint64_t bytes = tiles.single_n * p.bias_bits / 8;
      if (bias_kind == HOSTNPU_MEMORY_GM) {
        CheckGm(api, p.bias, bytes, HOSTNPU_GM_READ);
      } else {
        CheckLocal(api, bias_kind, p.bias, bytes);
      }
    }
  }

  /// Takes a piece of L0C that no object before has, starting over where L0C is used up: objects
  /// whose tiles do not fit together cannot be alive together on the device.
  void ReserveAccumulators() {
    if (tiles.tiling.baseM <= 0 || tiles.tiling.baseN <= 0) return;
    const uint64_t bytes = TileBytes() * (tiles.paired ? 2 : BatchPieces());
    const uint32_t size = ThisCore().memory[HOSTNPU_MEMORY_L0C].size_bytes;
    if (bytes <= l0c_bytes || bytes > size) return;  // the first tile says what is too large
    uint32_t& used = CubeRegs().matmul_l0c_bytes;
    if (used + bytes > size) used = 0;
    l0c_offset = used;
    l0c_bytes = static_cast<uint32_t>(bytes);
    used += l0c_bytes;
  }
  /// Of one base tile in L0C.
  uint64_t TileBytes() const {
    return RoundUp(static_cast<uint64_t>(tiles.tiling.baseM), 16) *
           RoundUp(static_cast<uint64_t>(tiles.tiling.baseN), 16) * 4;
  }
  /// Pieces of L0C that the batches lie in by turns.
  uint64_t BatchPieces() const { return tiles.tiling.dbL0C == 2 && !kConfig.enUnitFlag ? 2 : 1; }
  /// This object's accumulators: pieces of L0C, which keep them from call to call.
  uint8_t* Accumulators(const char* api, const TileShape& tile, uint64_t piece = 0) {
    const HostnpuLocalMemory& l0c = ThisCore().memory[HOSTNPU_MEMORY_L0C];
    const uint64_t bytes = RoundUp(tile.m, 16) * RoundUp(tile.n, 16) * 4;
    if (bytes > l0c.size_bytes) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_LOCAL_FULL, api,
                    "has base tiles of %llu x %llu, which need %llu bytes of L0C; L0C has %u bytes",
                    (unsigned long long)tile.m, (unsigned long long)tile.n,
                    (unsigned long long)bytes, l0c.size_bytes);
    }
    const uint64_t offset = (l0c_offset + bytes <= l0c.size_bytes ? l0c_offset : 0);
    const uint64_t at = offset + piece * TileBytes();
    if (at + bytes > l0c.size_bytes) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_LOCAL_FULL, api,
                    "has two base tiles of %llu bytes in L0C at a time; L0C has %u bytes",
                    (unsigned long long)TileBytes(), l0c.size_bytes);
    }
    return l0c.base + at;
  }

  void ComputeTile(const char* api, const TileShape& tile, uint8_t* c, bool accumulate) {
    Product p = Resolve(api);
    auto* sums = reinterpret_cast<Sum*>(c);
    if constexpr (kConfig.isPartialOutput) {
      static_assert(kConfig.doMultiDataLoad && !kHasCopyIn && !kSparse,
                    "MatmulConfig::isPartialOutput works with the MDL template, without callbacks "
                    "and with a dense B");
      const uint64_t base_k = static_cast<uint64_t>(tiles.tiling.baseK), k = k_step * base_k;
      p.k = p.k - k < base_k ? p.k - k : base_k;
      Skip(p.a, p.transpose_a, k);
      Skip(p.b, !p.transpose_b, k);
      if (k != 0) p.bias = nullptr;
    }
    if constexpr (kHasCopyIn) {
      MultiplyThroughL1(api, p, tile, sums, accumulate);
    } else {
      MultiplyRegion<T>(p, tile.m0, tile.m, tile.n0, tile.n, sums, RoundUp(tile.m, 16), accumulate);
    }
  }

  /// With callbacks that fill L1: one base block of A and B after another.
  void MultiplyThroughL1(const char* api, const Product& p, const TileShape& tile, Sum* c,
                         bool accumulate) {
    const HostnpuLocalMemory& l1 = ThisCore().memory[HOSTNPU_MEMORY_L1];
    const bool deep = kConfig.doMultiDataLoad || kConfig.doSpecialMDL;
    const uint64_t base_k = static_cast<uint64_t>(tiles.tiling.baseK);
    const uint64_t step_a = deep && tiles.tiling.stepKa > 0 ? tiles.tiling.stepKa * base_k : base_k;
    const uint64_t step_b = deep && tiles.tiling.stepKb > 0 ? tiles.tiling.stepKb * base_k : base_k;
    const uint64_t k_total = p.k;
    const uint64_t bytes_a = BytesInL1(p.transpose_a, tiles.tiling.baseM, k_total, step_a);
    const uint64_t bytes_b = BytesInL1(!p.transpose_b, tiles.tiling.baseN, k_total, step_b);
    const uint64_t at_b = CallBack::CopyA1Ptr == nullptr ? 0 : bytes_a;
    if (at_b + (CallBack::CopyB1Ptr == nullptr ? 0 : bytes_b) > l1.size_bytes) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_LOCAL_FULL, api,
                    "has callbacks that fill %llu bytes of L1 for A and %llu for B (base tiles of "
                    "%d x %d x %d, stepKa %d, stepKb %d); L1 has %u bytes",
                    (unsigned long long)at_b,
                    (unsigned long long)(CallBack::CopyB1Ptr == nullptr ? 0 : bytes_b),
                    tiles.tiling.baseM, tiles.tiling.baseN, tiles.tiling.baseK, tiles.tiling.stepKa,
                    tiles.tiling.stepKb, l1.size_bytes);
    }
    uint64_t held_a = ~uint64_t{0}, held_b = ~uint64_t{0};
    for (uint64_t k = 0; k < k_total; k += base_k) {
      const uint64_t depth = k_total - k < base_k ? k_total - k : base_k;
      Product part = p;
      part.k = depth;
      if constexpr (CallBack::CopyA1Ptr != nullptr) {
        const uint64_t block = k / step_a;
        const uint64_t use_k =
            k_total - block * step_a < step_a ? k_total - block * step_a : step_a;
        if (block != held_a) {
          FillL1(CallBack::CopyA1Ptr, TPosition::A1, 0, bytes_a, p.a.base, tile.row, block, tile.m,
                 use_k);
          held_a = block;
        }
        part.a = Store(l1.base, HOSTNPU_MEMORY_L1, CubeFormat::NZ, p.transpose_a ? use_k : tile.m,
                       p.transpose_a ? tile.m : use_k, 0, 0);
        Skip(part.a, p.transpose_a, k - block * step_a);
      } else {
        Skip(part.a, p.transpose_a, k);
        Skip(part.a, !p.transpose_a, tile.m0);
      }
      if constexpr (CallBack::CopyB1Ptr != nullptr) {
        const uint64_t block = k / step_b;
        const uint64_t use_k =
            k_total - block * step_b < step_b ? k_total - block * step_b : step_b;
        if (block != held_b) {
          FillL1(CallBack::CopyB1Ptr, TPosition::B1, at_b, bytes_b, p.b.base, block, tile.column,
                 use_k, tile.n);
          held_b = block;
        }
        part.b = Store(l1.base + at_b, HOSTNPU_MEMORY_L1, CubeFormat::NZ,
                       p.transpose_b ? tile.n : use_k, p.transpose_b ? use_k : tile.n, 0, 0);
        Skip(part.b, !p.transpose_b, k - block * step_b);
      } else {
        Skip(part.b, !p.transpose_b, k);
        Skip(part.b, p.transpose_b, tile.n0);
      }
      if (part.bias != nullptr) {
        part.bias = static_cast<const uint8_t*>(part.bias) + tile.n0 * part.bias_bits / 8;
      }
      MultiplyRegion<T>(part, 0, tile.m, 0, tile.n, c, RoundUp(tile.m, 16), accumulate || k != 0);
    }
  }
  /// What one fill of an operand takes: `base` rows or columns of it, and up to `step` of k.
  static uint64_t BytesInL1(bool k_is_row, int32_t base, uint64_t k, uint64_t step) {
    const uint64_t depth = k < step ? k : step;
    const uint64_t rows = k_is_row ? depth : static_cast<uint64_t>(base);
    const uint64_t columns = k_is_row ? static_cast<uint64_t>(base) : depth;
    return RoundUp(rows, 16) * CeilDiv(columns, uint64_t{C0Of<T>()}) * 32;
  }
  template <typename Copy>
  void FillL1(Copy copy, TPosition position, uint64_t offset, uint64_t bytes, const uint8_t* gm,
              uint64_t row, uint64_t column, uint64_t rows, uint64_t columns) {
    const ScopedCubeCore as_cube;
    const LocalTensor<int8_t> l1(position, static_cast<uint32_t>(offset),
                                 static_cast<uint32_t>(bytes));
    copy(l1, gm, static_cast<int>(row), static_cast<int>(column), static_cast<int>(rows),
         static_cast<int>(columns), user_info, self_data);
  }
  /// Moves a matrix's start along its stored rows (or columns).
  static void Skip(StoredMatrix& s, bool along_rows, uint64_t count) {
    if (s.is_scalar || count == 0) return;
    const uint64_t c0 = 256 / s.element_bits;
    if (s.fractal) {
      s.base += along_rows ? count * 32 : count / c0 * s.padded_rows * 32 + s.Bytes(count % c0);
    } else {
      s.base += s.Bytes(along_rows ? count * s.row_elements : count);
    }
  }

  QuantMode_t Quant(const char* api) const {
    constexpr bool kFloat = IsSameType<Sum, float>::value;
    if constexpr (IsSameType<DstT, Sum>::value) return NoQuant;
    if constexpr (kFloat && IsSameType<DstT, half>::value) return F322F16;
    if constexpr (kFloat && IsSameType<DstT, bfloat16_t>::value) return F322BF16;
    static_assert(IsSameType<DstT, Sum>::value || IsSameType<DstT, half>::value ||
                      (kFloat && IsSameType<DstT, bfloat16_t>::value) || sizeof(DstT) == 1,
                  "Matmul does not write this type from these operands on this chip");
    if (!scale_is_set) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                    "converts %s to %s and has no scale: SetQuantScalar or SetQuantVector sets it",
                    TypeName<Sum>(), TypeName<DstT>());
    }
    const bool by_column = scales != nullptr;
    if constexpr (!kFloat && IsSameType<DstT, half>::value) return by_column ? VDEQF16 : DEQF16;
    if constexpr (kFloat) return by_column ? VQF322B8_PRE : QF322B8_PRE;
    return by_column ? VREQ8 : REQ8;
  }

  /// `result` holds destination and layout; quantisation is added, and the tile written.
  void WriteRegion(const char* api, ResultTile result, const uint8_t* c, uint64_t padded_rows,
                   uint64_t m, uint64_t n0, uint64_t n) {
    constexpr uint64_t kMost = 256;
    uint64_t words[kMost + 16];
    result.quant = Quant(api);
    result.int_sums = IsSameType<Sum, int32_t>::value;
    result.relu = kConfig.enableRelu;
    const bool by_column = IsVectorQuant(result.quant);
    for (uint64_t at = 0; at < n; at += kMost) {
      const uint64_t count = by_column && n - at > kMost ? kMost : n - at;
      if (by_column) {
        const uint64_t* from = scales + n0 + at;
        if (scales_kind == HOSTNPU_MEMORY_GM) {
          CheckGm(api, from, count * 8, HOSTNPU_GM_READ);
        } else {
          CheckLocal(api, scales_kind, from, count * 8);
        }
        for (uint64_t i = 0; i < count + 16 && i < kMost + 16; ++i)
          words[i] = i < count ? from[i] : 0;
        result.words = words;
        result.vector_quant = true;
      } else if (IsScalarQuant(result.quant)) {
        CheckScale(api, result.quant, quant_scalar);
        result.words = &quant_scalar;
      }
      ResultTile piece = result;
      piece.dst += ColumnOffset(result, at) * sizeof(DstT);
      WriteTile(api, piece, c + at / 16 * padded_rows * 64, padded_rows, m, count);
      if (!by_column) break;
    }
  }
  static uint64_t ColumnOffset(const ResultTile& r, uint64_t columns) {
    if (r.fractal) return columns * r.padded_rows;  // whole column groups only
    return r.column_major ? columns * r.row_elements : columns;
  }

  /// The part of C that is written must lie within C: its rows would overlap.
  void CheckPlaceInC(const char* api) const {
    const bool by_columns = C::format == CubeFormat::COLUMN_MAJOR;
    const bool overlaps = kFractalC || by_columns
                              ? tiles.org_m < tiles.single_m && tiles.single_n > 1
                              : tiles.org_c < tiles.single_n && tiles.single_m > 1;
    if (HOSTNPU_LIKELY(!overlaps)) return;
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                  "writes %llu x %llu elements into a C of %llu x %llu: M and N of the tiling or "
                  "SetOrgShape are those of the whole matrix",
                  (unsigned long long)tiles.single_m, (unsigned long long)tiles.single_n,
                  (unsigned long long)tiles.org_m, (unsigned long long)tiles.org_c);
  }

  /// The layout of C at `dst`: the whole single-core C, or one tile alone.
  ResultTile Layout(const char* api, uint8_t* dst, HostnpuMemoryKind kind, const TileShape& tile,
                    bool alone, uint64_t row_elements = 0) const {
    ResultTile r;
    r.kind = kind;
    r.bytes = sizeof(DstT);
    r.fractal = kFractalC;
    r.split = kFractalC && kConfig.isEnableChannelSplit && IsSameType<DstT, float>::value;
    r.column_major = C::format == CubeFormat::COLUMN_MAJOR;
    const bool in_gm = kind == HOSTNPU_MEMORY_GM;
    r.padded_rows = alone ? RoundUp(tile.m, 16) : RoundUp(in_gm ? tiles.org_m : tiles.single_m, 16);
    if (r.column_major) {
      r.row_elements = alone ? tile.m : in_gm ? tiles.org_m : tiles.single_m;
    } else {
      r.row_elements = alone ? tile.n : in_gm ? tiles.org_c : tiles.single_n;
    }
    if (row_elements != 0) {
      r.row_elements = row_elements;
    } else if (in_gm && !alone) {
      CheckPlaceInC(api);
    }
    if (C::format == CubeFormat::ND_ALIGN)
      r.row_elements = RoundUp(r.row_elements, 32 / sizeof(DstT));
    r.dst = dst;
    if (!alone) {
      const uint64_t c0 = r.split ? 8 : sizeof(DstT) == 1 ? 32 : 16;
      r.dst += (r.fractal        ? tile.n0 * r.padded_rows + tile.m0 * c0
                : r.column_major ? tile.n0 * r.row_elements + tile.m0
                                 : tile.m0 * r.row_elements + tile.n0) *
               sizeof(DstT);
    }
    return r;
  }

  /// Whether a triangle policy leaves the tile out.
  static bool Skipped(const TileShape& tile) {
    return (triangle > 0 && tile.row > tile.column) || (triangle < 0 && tile.row < tile.column);
  }

  /// Computes what one Iterate does, from the current tile on.
  void ComputeStep(const char* api, bool accumulate) {
    const uint64_t first = static_cast<uint64_t>(tiles.index);
    for (uint64_t i = 0; i < held; ++i) {
      const TileShape tile = tiles.At(first + i);
      ComputeTile(api, tile, Accumulators(api, tile, i), accumulate);
    }
  }
  /// Writes what the last Iterate has computed.
  void WriteStep(const char* api, uint8_t* dst, HostnpuMemoryKind kind, bool alone) {
    if (HOSTNPU_UNLIKELY(alone && tiles.paired)) {
      UnsupportedFault(api,
                       "with ScheduleType::OUTER_PRODUCT writes two tiles to their places in C: "
                       "there is no enSequentialWrite");
    }
    const int64_t first = tiles.index;
    for (uint64_t i = 0; i < held; ++i) {
      WriteCurrent(api, dst, kind, alone, i);
      if (i + 1 < held) ++tiles.index;
    }
    tiles.index = first;
  }
  void WriteCurrent(const char* api, uint8_t* dst, HostnpuMemoryKind kind, bool alone,
                    uint64_t piece = 0) {
    CheckTiling(api);
    const TileShape tile = tiles.Current();
    uint8_t* c = Accumulators(api, tile, piece);
    ResultTile r = Layout(api, dst, kind, tile, alone);
    if constexpr (CallBack::DataCopyOutPtr != nullptr) {
      CallCopyOut(api, r, tile, c);
    } else {
      WriteRegion(api, r, c, RoundUp(tile.m, 16), tile.m, tile.n0, tile.n);
    }
  }
  void CallCopyOut(const char* api, const ResultTile& r, const TileShape& tile, uint8_t* c) {
    const HostnpuLocalMemory& l0c = ThisCore().memory[HOSTNPU_MEMORY_L0C];
    const ScopedCubeCore as_cube;
    const uint64_t bytes = RoundUp(tile.m, 16) * RoundUp(tile.n, 16) * 4;
    const LocalTensor<int8_t> co1(TPosition::CO1, static_cast<uint32_t>(c - l0c.base),
                                  static_cast<uint32_t>(bytes));
    DataCopyOutParams params;
    const QuantMode_t quant = Quant(api);
    if (IsVectorQuant(quant)) {
      UnsupportedFault(api,
                       "with a DataCopyOut callback and SetQuantVector is not implemented: "
                       "SetQuantScalar works");
    }
    params.quantMode = static_cast<uint8_t>(quant);
    params.cBurstNum = static_cast<uint16_t>(CeilDiv(tile.n, 16));
    params.burstLen = static_cast<uint16_t>(tile.m * 2);
    params.dstStride = static_cast<uint32_t>(r.row_elements);
    params.oriNSize = static_cast<uint16_t>(kFractalC ? 0 : tile.n);
    params.enUnitFlag = kConfig.enUnitFlag;
    params.quantScalar = quant_scalar;
    params.curM = static_cast<int>(tile.row);
    params.curN = static_cast<int>(tile.column);
    CallBack::DataCopyOutPtr(r.dst, co1, &params, user_info, self_data);
  }

  void IterateAllTo(const char* api, uint8_t* dst, HostnpuMemoryKind kind, bool sequential) {
    static_assert(!kConfig.isPartialOutput,
                  "with MatmulConfig::isPartialOutput every base k is a result of its own, which "
                  "Iterate and GetTensorC fetch one by one: IterateAll has no place for them");
    const Product p = Resolve(api);
    constexpr bool kByTiles = kHasCopyIn || CallBack::DataCopyOutPtr != nullptr || triangle != 0;
    if (!kByTiles && !sequential) {
      MultiplyAll(api, p, dst, kind, 0);
      return Restart();
    }
    for (uint64_t i = 0; i < tiles.Count(); ++i) {
      tiles.index = static_cast<int64_t>(i);
      const TileShape tile = tiles.Current();
      if (Skipped(tile)) continue;
      ComputeTile(api, tile, Accumulators(api, tile), false);
      WriteCurrent(api, dst, kind, sequential);
      if (sequential) dst += TileSlot();
    }
    Restart();
  }

  /// All of the single-core C in regions that suit the CPU's caches.
  void MultiplyAll(const char* api, const Product& p, uint8_t* dst, HostnpuMemoryKind kind,
                   uint64_t row_elements) {
    auto* c = reinterpret_cast<Sum*>(gemm::ThreadWorkArrays().c);
    TileShape part;
    for (part.n0 = 0; part.n0 < tiles.single_n; part.n0 += kEngineN) {
      part.n = tiles.single_n - part.n0 < kEngineN ? tiles.single_n - part.n0 : kEngineN;
      for (part.m0 = 0; part.m0 < tiles.single_m; part.m0 += kEngineM) {
        part.m = tiles.single_m - part.m0 < kEngineM ? tiles.single_m - part.m0 : kEngineM;
        MultiplyRegion<T>(p, part.m0, part.m, part.n0, part.n, c, RoundUp(part.m, 16), false);
        WriteRegion(api, Layout(api, dst, kind, part, false, row_elements),
                    reinterpret_cast<uint8_t*>(c), RoundUp(part.m, 16), part.m, part.n0, part.n);
      }
    }
  }

  /// Every tile contiguously, one after another, in the order of Iterate.
  void ComputeIntoWorkspace(const char* api) {
    static_assert(triangle == 0 && !kConfig.isPartialOutput,
                  "Iterate<false> writes all tiles whole: no triangle policy, no isPartialOutput");
    CheckWorkspace(api);
    const int64_t index = tiles.index;
    uint8_t* dst = workspace;
    for (uint64_t i = 0; i < tiles.Count(); ++i) {
      tiles.index = static_cast<int64_t>(i);
      const TileShape tile = tiles.Current();
      ComputeTile(api, tile, Accumulators(api, tile), false);
      WriteCurrent(api, dst, HOSTNPU_MEMORY_GM, true);
      dst += TileSlot();
    }
    tiles.index = index;
    fetched = 0;
  }
  uint64_t TileSlot() const {
    return static_cast<uint64_t>(tiles.tiling.baseM) * static_cast<uint64_t>(tiles.tiling.baseN) *
           sizeof(DstT);
  }
  uint8_t* NextInWorkspace(const char* api) {
    CheckTiling(api);
    CheckWorkspace(api);
    if (fetched >= tiles.Count()) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                    "is called for tile %llu of %llu of an asynchronous Iterate",
                    (unsigned long long)fetched + 1, (unsigned long long)tiles.Count());
    }
    return workspace + fetched++ * TileSlot();
  }
  void FetchTile(const char* api, uint8_t* dst, HostnpuMemoryKind kind) {
    const uint8_t* from = NextInWorkspace(api);
    const TileShape tile = tiles.At(fetched - 1);
    const uint64_t bytes = (kFractalC ? RoundUp(tile.m, 16) * RoundUp(tile.n, 16)
                                      : tile.m * (C::format == CubeFormat::ND_ALIGN
                                                      ? RoundUp(tile.n, 32 / sizeof(DstT))
                                                      : tile.n)) *
                           sizeof(DstT);
    CheckGm(api, from, bytes, HOSTNPU_GM_READ);
    if (kind == HOSTNPU_MEMORY_GM) {
      CheckGm(api, dst, bytes, HOSTNPU_GM_WRITE);
      WriteGm(dst, from, bytes);
    } else {
      CheckLocal(api, kind, dst, bytes);
      __builtin_memcpy(dst, from, bytes);
    }
  }

  /// One product of a batch. Where it is one base tile it stays in L0C, for a later batch to add
  /// to.
  void MultiplyInBatch(const char* api, const Product& p, uint8_t* dst, HostnpuMemoryKind kind,
                       uint64_t row_elements, bool accumulate) {
    const TileShape tile = tiles.Tile(0, 0);
    if (tiles.Count() != 1) {
      if (accumulate) {
        HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                      "has enPartialSum, which adds to the one base tile in L0C: m = %llu and n = "
                      "%llu are %llu base tiles of %d x %d",
                      (unsigned long long)tiles.single_m, (unsigned long long)tiles.single_n,
                      (unsigned long long)tiles.Count(), tiles.tiling.baseM, tiles.tiling.baseN);
      }
      return MultiplyAll(api, p, dst, kind, row_elements);
    }
    const uint64_t piece = batches++ % BatchPieces();
    if (HOSTNPU_UNLIKELY(accumulate && (filled_by_batches >> piece & 1) == 0)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                    "has enPartialSum, and no batch before it has left sums in this piece of L0C "
                    "(dbL0C = %d: batches take %llu of them by turns)",
                    tiles.tiling.dbL0C, (unsigned long long)BatchPieces());
    }
    filled_by_batches |= 1u << piece;
    uint8_t* c = Accumulators(api, tile, piece);
    MultiplyRegion<T>(p, 0, tile.m, 0, tile.n, reinterpret_cast<Sum*>(c), RoundUp(tile.m, 16),
                      accumulate);
    WriteRegion(api, Layout(api, dst, kind, tile, false, row_elements), c, RoundUp(tile.m, 16),
                tile.m, 0, tile.n);
  }

  void RunBatch(const char* api, uint8_t* dst, HostnpuMemoryKind kind, uint64_t loop,
                const BatchCall& call) {
    static_assert(
        !kHasCopyIn && CallBack::DataCopyOutPtr == nullptr && triangle == 0 && !kSparse &&
            !kConfig.isPartialOutput,
        "IterateBatch calls no callbacks, leaves no tiles out, adds up all of k and takes "
        "no sparse B on this host: use Iterate or IterateAll for each matrix");
    if (call.batch_a == 0 || call.batch_b == 0) return;
    const uint64_t count = call.batch_a > call.batch_b ? call.batch_a : call.batch_b;
    if (count % call.batch_a != 0 || count % call.batch_b != 0) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                    "has batchA = %u and batchB = %u; one is a multiple of the other", call.batch_a,
                    call.batch_b);
    }
    if (SummedProducts(A::layout, tiles.tiling) == 1)
      return MultiplyBatch(api, dst, kind, loop, count, call);
    if (HOSTNPU_UNLIKELY(kind != HOSTNPU_MEMORY_GM)) {
      UnsupportedFault(api, "sums over the G axis (that of C is 1) in GM only");
    }
    const ScopedAtomic<DstT> sums(api, 1);
    MultiplyBatch(api, dst, kind, loop, count, call);
  }
  /// Matrices of C that `count` products make.
  uint64_t ResultsOf(uint64_t count) const {
    return count / SummedProducts(A::layout, tiles.tiling);
  }

  void MultiplyBatch(const char* api, uint8_t* dst, HostnpuMemoryKind kind, uint64_t loop,
                     uint64_t count, const BatchCall& call) {
    const TCubeTiling& t = tiles.tiling;
    const BatchAxes of_a =
        AxesOf<A>(t.ALayoutInfoB, t.ALayoutInfoS, t.ALayoutInfoN, t.ALayoutInfoG, t.ALayoutInfoD);
    const BatchAxes of_b =
        AxesOf<B>(t.BLayoutInfoB, t.BLayoutInfoS, t.BLayoutInfoN, t.BLayoutInfoG, t.BLayoutInfoD);
    const Product whole = Resolve(api);
    constexpr uint32_t kBits = SizeOfBits<T>::value;
    for (uint64_t i = 0; i < count; ++i) {
      Product p = whole;
      const uint64_t ia = loop * call.batch_a + i / (count / call.batch_a);
      const uint64_t ib = loop * call.batch_b + i / (count / call.batch_b);
      const BatchPlace a =
          PlaceInBatch(A::layout, of_a, ia, StoredRows(p.a), StoredColumns<A>(p.a), call.stride_a);
      const BatchPlace b =
          PlaceInBatch(B::layout, of_b, ib, StoredRows(p.b), StoredColumns<B>(p.b), call.stride_b);
      const BatchPlace c =
          PlaceOfC((loop * count + i) / SummedProducts(A::layout, tiles.tiling), call.stride_c);
      if (!p.a.is_scalar) p.a.base += a.offset * kBits / 8;
      if (!p.b.is_scalar) p.b.base += b.offset * kBits / 8;
      if (!p.a.fractal) p.a.row_elements = a.row_elements;
      if (!p.b.fractal) p.b.row_elements = b.row_elements;
      if (p.bias != nullptr && kConfig.isBiasBatch) {
        p.bias = static_cast<const uint8_t*>(p.bias) +
                 (loop * count + i) * tiles.single_n * p.bias_bits / 8;
      }
      Check(api, p);
      MultiplyInBatch(api, p, dst + c.offset * sizeof(DstT), kind, c.row_elements, call.accumulate);
    }
    Restart();
  }
  uint8_t* InWorkspace(uint64_t matrix) const {
    return workspace + PlaceOfC(matrix, 0).offset * sizeof(DstT);
  }
  /// Elements of the workspace that a matrix takes up.
  uint64_t SizeInWorkspace() const {
    return kFractalC ? RoundUp(tiles.single_m, 16) * RoundUp(tiles.single_n, 16)
                     : tiles.single_m * StoredWidth<C>(tiles.single_n);
  }
  /// `count` matrices of the workspace to local memory, as far apart as there. What ND_ALIGN adds
  /// to a row becomes zero.
  void CopyFromWorkspace(const char* api, uint64_t first, uint64_t count, uint8_t* dst,
                         HostnpuMemoryKind kind) const {
    const uint64_t width = kFractalC ? SizeInWorkspace() : StoredWidth<C>(tiles.single_n);
    const uint64_t used = kFractalC ? width : tiles.single_n;
    const uint64_t start = PlaceOfC(first, 0).offset;
    for (uint64_t i = first; i < first + count; ++i) {
      const BatchPlace place = PlaceOfC(i, 0);
      for (uint64_t row = 0; row < (kFractalC ? 1 : tiles.single_m); ++row) {
        const uint64_t at = place.offset + row * place.row_elements;
        CopyPaddedRow(api, workspace + at * sizeof(DstT), used * sizeof(DstT), kind,
                      dst + (at - start) * sizeof(DstT), width * sizeof(DstT));
      }
    }
  }

  /// Where matrix `i` of C lies.
  BatchPlace PlaceOfC(uint64_t i, uint64_t stride) const {
    const TCubeTiling& t = tiles.tiling;
    const BatchAxes axes =
        AxesOf<C>(t.CLayoutInfoB, t.CLayoutInfoS1, t.CLayoutInfoN, t.CLayoutInfoG, t.CLayoutInfoS2);
    return PlaceInBatch(C::layout, axes, i, kFractalC ? RoundUp(tiles.org_m, 16) : tiles.single_m,
                        kFractalC ? RoundUp(tiles.org_n, 16) : StoredWidth<C>(tiles.single_n),
                        stride);
  }
};

}  // namespace internal
}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_MATMUL_CORE_H_
