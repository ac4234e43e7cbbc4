// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The Matmul object. On the device a vector core's object sends messages to its cube core, which
// serves them; here the object multiplies itself, on whatever core it is called, and the cube core
// of a mixed kernel returns at REGIST_MATMUL_OBJ. Asynchronous forms have done their work when they
// return, so waits are empty; results that a program fetches later lie where the device would put
// them: in the workspace SetWorkspace names.
#ifndef HOSTNPU_ASCENDC_ADVANCED_MATMUL_H_
#define HOSTNPU_ASCENDC_ADVANCED_MATMUL_H_

#include "../basic/pipe.h"
#include "matmul_core.h"
#include "matmul_static_tiling.h"

namespace AscendC {

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE,
          const auto& MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>,
          template <const auto&, typename...> class MATMUL_POLICY = Impl::Detail::MatmulPolicy>
class MatmulImpl {
 public:
  using AType = A_TYPE;
  using BType = B_TYPE;
  using CType = C_TYPE;
  using BiasType = BIAS_TYPE;
  using SrcT = typename A_TYPE::T;
  using SrcAT = typename A_TYPE::T;
  using SrcBT = typename B_TYPE::T;
  using DstT = typename C_TYPE::T;
  using BiasT = typename BIAS_TYPE::T;
  using L0cT = typename GetMmDstType<PrimT<SrcAT>>::Type;
  using CallBack = MM_CB;
  static constexpr MatmulConfig kConfig = internal::ConfigOf(MM_CFG);
  static constexpr bool kInnerProduct = kConfig.scheduleType == ScheduleType::INNER_PRODUCT;

  MatmulImpl() = default;

  /// Binds a tiling; null: the static one of MM_CFG alone. Resets everything a Set function has
  /// set.
  void Init(const TCubeTiling* tiling, TPipe* = nullptr) {
    static_assert(IsSameType<PrimT<SrcAT>, PrimT<SrcBT>>::value,
                  "Matmul multiplies A and B of one element type on this chip");
    static_assert(!kConfig.intraBlockPartSum,
                  "Matmul: MatmulConfig::intraBlockPartSum does not exist on this chip");
    core_.Init(tiling);
  }

  void SetOrgShape(int orgM, int orgN, int orgK) { SetOrgShape(orgM, orgN, orgK, orgK); }
  void SetOrgShape(int orgM, int orgN, int orgKa, int orgKb, int orgKc = 0) {
    core_.tiles.org_m = orgM;
    core_.tiles.org_n = orgN;
    core_.tiles.org_ka = orgKa;
    core_.tiles.org_kb = orgKb;
    core_.tiles.org_c = orgKc == 0 ? orgN : orgKc;
  }
  void SetSingleShape(int singleM, int singleN, int singleK) { SetTail(singleM, singleN, singleK); }
  /// What of the tiling's single-core shape is computed; -1: all.
  void SetTail(int tailM = -1, int tailN = -1, int tailK = -1) {
    core_.tiles.SetSingle(tailM, tailN, tailK);
  }
  /// Has a product of floats round A and B to HF32: ties to even (0), or toward zero (1), as the
  /// register of SetHF32TransMode says.
  void SetHF32(bool enableHF32 = false, int32_t transMode = 0) {
    if (HOSTNPU_UNLIKELY(transMode != 0 && transMode != 1)) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, "Matmul::SetHF32",
                    "has transMode = %d; 0 (ties to even) and 1 (ties toward zero) exist",
                    transMode);
    }
    core_.product.hf32 = enableHF32;
    core_.product.hf32_ties_to_even = transMode == 0;
  }
  void SetSubBlockIdx(uint8_t subBlockIdx) { sub_block_ = subBlockIdx; }
  uint8_t GetSubBlockIdx() { return sub_block_; }

  void SetTensorA(const GlobalTensor<SrcAT>& gm, bool isTransposeA = false) {
    core_.CheckTranspose("SetTensorA", isTransposeA, A_TYPE::isTrans);
    core_.SetOperand(core_.product.a, reinterpret_cast<const uint8_t*>(gm.address_),
                     HOSTNPU_MEMORY_GM);
    core_.product.transpose_a = isTransposeA;
  }
  void SetTensorA(const LocalTensor<SrcAT>& leftMatrix, bool isTransposeA = false) {
    core_.CheckTranspose("SetTensorA", isTransposeA, A_TYPE::isTrans);
    core_.SetOperand(core_.product.a, leftMatrix.address_.absAddr, leftMatrix.Memory());
    core_.product.transpose_a = isTransposeA;
  }
  void SetTensorA(SrcAT aScalar) { core_.SetScalar(core_.product.a, core_.scalar_a, aScalar); }
  void SetTensorB(const GlobalTensor<SrcBT>& gm, bool isTransposeB = false) {
    core_.CheckTranspose("SetTensorB", isTransposeB, B_TYPE::isTrans);
    core_.SetOperand(core_.product.b, reinterpret_cast<const uint8_t*>(gm.address_),
                     HOSTNPU_MEMORY_GM);
    core_.product.transpose_b = isTransposeB;
  }
  void SetTensorB(const LocalTensor<SrcBT>& rightMatrix, bool isTransposeB = false) {
    core_.CheckTranspose("SetTensorB", isTransposeB, B_TYPE::isTrans);
    core_.SetOperand(core_.product.b, rightMatrix.address_.absAddr, rightMatrix.Memory());
    core_.product.transpose_b = isTransposeB;
  }
  void SetTensorB(SrcBT bScalar) { core_.SetScalar(core_.product.b, core_.scalar_b, bScalar); }

  /// One row of N values that each row of C starts from.
  void SetBias(const GlobalTensor<BiasT>& biasGlobal) {
    core_.SetBias(biasGlobal.address_, HOSTNPU_MEMORY_GM);
  }
  void SetBias(const LocalTensor<BiasT>& inputBias) {
    core_.SetBias(inputBias.address_.absAddr, inputBias.Memory());
  }
  void DisableBias() { core_.product.bias = nullptr; }
  void ClearBias() { core_.product.bias = nullptr; }

  /// The quantisation word of all columns, or one per column; see Fixpipe.
  void SetQuantScalar(const uint64_t quantScalar) {
    core_.scale_is_set = true;
    core_.scales = nullptr;
    core_.quant_scalar = quantScalar;
  }
  void SetQuantVector(const GlobalTensor<uint64_t>& quantTensor) {
    SetScales(quantTensor.address_, HOSTNPU_MEMORY_GM);
  }
  void SetQuantVector(const LocalTensor<uint64_t>& quantTensor) {
    SetScales(reinterpret_cast<const uint64_t*>(quantTensor.address_.absAddr),
              quantTensor.Memory());
  }
  void SetAntiQuantScalar(const SrcT, const SrcT) {
    internal::UnsupportedFault("Matmul::SetAntiQuantScalar", "does not exist on this chip");
  }
  void SetAntiQuantVector(const LocalTensor<SrcT>&, const LocalTensor<SrcT>&) {
    internal::UnsupportedFault("Matmul::SetAntiQuantVector", "does not exist on this chip");
  }
  /// The places of the stored values of a 4:2 sparse B, two bits each, NZ. Comes after SetTensorB.
  void SetSparseIndex(const GlobalTensor<uint8_t>& indexGlobal) {
    core_.SetSparseIndex(reinterpret_cast<const uint8_t*>(indexGlobal.address_));
  }

  /// For the callbacks.
  void SetUserDefInfo(const uint64_t tilingPtr) { core_.user_info = tilingPtr; }
  void SetSelfDefineData(const uint64_t dataPtr) { core_.self_data = dataPtr; }

  /// Where results of asynchronous calls wait until they are fetched.
  template <class T>
  void SetWorkspace(GlobalTensor<T>& addr) {
    core_.workspace = reinterpret_cast<uint8_t*>(addr.address_);
  }
  template <class T>
  void SetWorkspace(__gm__ const T* addr, int) {
    core_.workspace = reinterpret_cast<uint8_t*>(const_cast<T*>(addr));
  }
  void SetLocalWorkspace(const LocalTensor<uint8_t>&) {}  // this chip needs no UB for results
  void SetBatchNum(int32_t batchA, int32_t batchB) {
    batch_a_ = static_cast<uint32_t>(batchA);
    batch_b_ = static_cast<uint32_t>(batchB);
  }

  /// Computes the next base tile; false after the last one. With enPartialSum it adds to the tile
  /// the last call left. With ScheduleType::OUTER_PRODUCT it computes two tiles beside each other
  /// where there are two. Asynchronous: computes all tiles into the workspace at the first call.
  template <bool sync = true>
  bool Iterate(bool enPartialSum = false) {
    static_assert(kInnerProduct || (sync && !kConfig.doMultiDataLoad && !kConfig.doSpecialMDL),
                  "ScheduleType::OUTER_PRODUCT works with the synchronous Iterate of the Norm "
                  "template, and with IterateAll");
    CheckOneMaster();
    constexpr const char* kApi = "Matmul::Iterate";
    if (!core_.NextTile(kApi)) return false;
    if constexpr (!sync) {
      if (enPartialSum)
        internal::UnsupportedFault(kApi, "with enPartialSum works synchronously only");
      const internal::ScopedAtomic<PrimT<DstT>> plain(kApi, 0);
      if (core_.tiles.index == 0) core_.ComputeIntoWorkspace(kApi);
      return true;
    }
    core_.ComputeStep(kApi, enPartialSum);
    return true;
  }
  /// The same into a tile of L0C that the caller owns.
  template <bool sync = true, typename T>
  bool Iterate(bool enPartialSum, const LocalTensor<T>& localCmatrix) {
    static_assert(kInnerProduct, "with ScheduleType::OUTER_PRODUCT Iterate takes no localCmatrix");
    CheckOneMaster();
    if (!core_.NextTile("Matmul::Iterate")) return false;
    const internal::TileShape tile = core_.tiles.Current();
    const uint64_t bytes = internal::RoundUp(tile.m, 16) * internal::RoundUp(tile.n, 16) * 4;
    internal::CheckPosition("Matmul::Iterate", "localCmatrix", localCmatrix, HOSTNPU_MEMORY_L0C);
    internal::CheckOperand("Matmul::Iterate", "localCmatrix", HOSTNPU_MEMORY_L0C,
                           localCmatrix.address_.absAddr, bytes, 64);
    core_.ComputeTile("Matmul::Iterate", tile, localCmatrix.address_.absAddr, enPartialSum);
    return true;
  }

  /// Writes the tile of the last Iterate to its place in C, or contiguously.
  template <bool sync = true>
  void GetTensorC(const GlobalTensor<DstT>& gm, uint8_t enAtomic = 0,
                  bool enSequentialWrite = false) {
    CheckOneMaster();
    constexpr const char* kApi = "Matmul::GetTensorC";
    const internal::ScopedAtomic<PrimT<DstT>> atomic(kApi, enAtomic);
    auto* dst = reinterpret_cast<uint8_t*>(gm.address_);
    if constexpr (!sync) {
      core_.FetchTile(kApi, dst, HOSTNPU_MEMORY_GM);
      return;
    }
    core_.WriteStep(kApi, dst, HOSTNPU_MEMORY_GM, enSequentialWrite);
  }
  /// Writes it to UB, contiguously.
  template <bool sync = true, bool doPad = false>
  void GetTensorC(const LocalTensor<DstT>& c, uint8_t enAtomic = 0, bool = false, uint32_t = 0,
                  uint32_t = 0, uint32_t = 0, uint32_t = 0) {
    CheckOneMaster();
    static_assert(!doPad, "GetTensorC<sync, doPad>: doPad = true is not implemented");
    static_assert(kInnerProduct, "with ScheduleType::OUTER_PRODUCT GetTensorC writes to GM only");
    constexpr const char* kApi = "Matmul::GetTensorC";
    static_cast<void>(enAtomic);  // there is nothing to combine with in UB
    if constexpr (!sync) {
      core_.FetchTile(kApi, c.address_.absAddr, c.Memory());
      return;
    }
    core_.WriteCurrent(kApi, c.address_.absAddr, c.Memory(), true);
  }
  template <bool sync = true>
  void GetTensorC(const GlobalTensor<DstT>& gm, const LocalTensor<DstT>& co2Local,
                  uint8_t enAtomic = 0, bool enSequentialWrite = false) {
    GetTensorC<sync>(gm, enAtomic, enSequentialWrite);
    GetTensorC<sync>(co2Local, enAtomic, enSequentialWrite);
  }
  /// The next tile in the workspace of an asynchronous Iterate.
  template <bool sync = true>
  GlobalTensor<DstT> GetTensorC(uint8_t = 0, bool = false) {
    static_assert(!sync, "GetTensorC() without a destination is asynchronous: GetTensorC<false>()");
    GlobalTensor<DstT> tile;
    tile.SetGlobalBuffer(
        reinterpret_cast<__gm__ PrimT<DstT>*>(core_.NextInWorkspace("Matmul::GetTensorC")),
        core_.tiles.tiling.baseM * core_.tiles.tiling.baseN);
    return tile;
  }
  void AsyncGetTensorC(const LocalTensor<DstT>& c) { GetTensorC<false>(c); }
  void WaitGetTensorC() {}
  template <bool isTurnOnDebug = true>
  MatrixOffset GetOffsetC() {
    core_.CheckTiling("Matmul::GetOffsetC");
    const internal::TileShape tile = core_.tiles.Current();
    return {static_cast<int32_t>(tile.m0 * core_.tiles.org_c + tile.n0),
            static_cast<int32_t>(tile.m0), static_cast<int32_t>(tile.n0),
            static_cast<int32_t>(tile.m), static_cast<int32_t>(tile.n)};
  }

  /// Computes and writes all of the single-core C. A call with fakeMsg computes nothing: on the
  /// device it pairs with the call of the other vector core that shares an operand.
  template <bool sync = true>
  void IterateAll(const GlobalTensor<DstT>& gm, uint8_t enAtomic = 0,
                  bool enSequentialWrite = false, bool waitIterateAll = false,
                  bool fakeMsg = false) {
    static_cast<void>(waitIterateAll);
    if (fakeMsg) {
      if (!A_TYPE::ibShare && !B_TYPE::ibShare)
        internal::UnsupportedFault("Matmul::IterateAll",
                                   "has fakeMsg, which is for a MatmulType with IBSHARE only");
      return;
    }
    if constexpr (kConfig.enableMixDualMaster) {
      // Both kinds of core come here; the cube core multiplies and tells its vector cores.
      if (!internal::OnCubeCore()) {
        if (sync) internal::WaitForCube();
        return;
      }
    }
    const internal::ScopedAtomic<PrimT<DstT>> atomic("Matmul::IterateAll", enAtomic);
    core_.IterateAllTo("Matmul::IterateAll", reinterpret_cast<uint8_t*>(gm.address_),
                       HOSTNPU_MEMORY_GM, enSequentialWrite);
    if constexpr (kConfig.enableMixDualMaster) {
      if (sync || waitIterateAll) internal::TellVectorCores();
    }
  }
  template <bool sync = true>
  void IterateAll(const LocalTensor<DstT>& ubCmatrix, uint8_t = 0, bool = false, bool = false) {
    CheckOneMaster();
    core_.IterateAllTo("Matmul::IterateAll", ubCmatrix.address_.absAddr, ubCmatrix.Memory(), false);
  }
  void WaitIterateAll() {
    if constexpr (kConfig.enableMixDualMaster) {
      if (!internal::OnCubeCore()) internal::WaitForCube();
    }
  }

  /// max(batchA, batchB) products at once; the smaller operand is reused. Where G of C alone is 1,
  /// the products over G are added up, and to what C holds. With enPartialSum each is
  /// added to the sums that the batch before it in the same piece of L0C has left there.
  template <bool sync = true, bool waitIterateBatch = false>
  void IterateBatch(const GlobalTensor<DstT>& gm, uint32_t batchA, uint32_t batchB, bool,
                    const uint32_t matrixStrideA = 0, const uint32_t matrixStrideB = 0,
                    const uint32_t matrixStrideC = 0, const bool enPartialSum = false,
                    const uint8_t enAtomic = 0) {
    CheckOneMaster();
    const internal::ScopedAtomic<PrimT<DstT>> atomic("Matmul::IterateBatch", enAtomic);
    core_.RunBatch("Matmul::IterateBatch", reinterpret_cast<uint8_t*>(gm.address_),
                   HOSTNPU_MEMORY_GM, 0,
                   {batchA, batchB, matrixStrideA, matrixStrideB, matrixStrideC, enPartialSum});
  }
  template <bool sync = true>
  void IterateBatch(const LocalTensor<DstT>& ub, uint32_t batchA, uint32_t batchB, bool,
                    const uint32_t matrixStrideA = 0, const uint32_t matrixStrideB = 0,
                    const uint32_t matrixStrideC = 0, const bool enPartialSum = false,
                    const uint8_t = 0) {
    CheckOneMaster();
    core_.RunBatch("Matmul::IterateBatch", ub.address_.absAddr, ub.Memory(), 0,
                   {batchA, batchB, matrixStrideA, matrixStrideB, matrixStrideC, enPartialSum});
  }
  /// The forms of cube-only kernels; SetBatchNum comes first.
  template <typename Flag,
            typename = typename internal::EnableIf<IsSameType<Flag, bool>::value>::Type>
  void IterateBatch(const GlobalTensor<DstT>& gm, Flag enPartialSum, uint8_t enAtomic, bool,
                    const uint32_t matrixStrideA = 0, const uint32_t matrixStrideB = 0,
                    const uint32_t matrixStrideC = 0) {
    CheckOneMaster();
    const internal::ScopedAtomic<PrimT<DstT>> atomic("Matmul::IterateBatch", enAtomic);
    core_.RunBatch("Matmul::IterateBatch", reinterpret_cast<uint8_t*>(gm.address_),
                   HOSTNPU_MEMORY_GM, 0,
                   {batch_a_, batch_b_, matrixStrideA, matrixStrideB, matrixStrideC, enPartialSum});
  }
  template <typename Flag,
            typename = typename internal::EnableIf<IsSameType<Flag, bool>::value>::Type>
  void IterateBatch(const LocalTensor<DstT>& ub, Flag enPartialSum, uint8_t, bool,
                    const uint32_t matrixStrideA = 0, const uint32_t matrixStrideB = 0,
                    const uint32_t matrixStrideC = 0) {
    CheckOneMaster();
    core_.RunBatch("Matmul::IterateBatch", ub.address_.absAddr, ub.Memory(), 0,
                   {batch_a_, batch_b_, matrixStrideA, matrixStrideB, matrixStrideC, enPartialSum});
  }
  /// batchLoop times IterateBatch over consecutive batches, into the workspace.
  template <bool sync = true, bool waitIterateBatch = false>
  void IterateNBatch(const uint32_t batchLoop, uint32_t batchA, uint32_t batchB, bool,
                     const uint32_t matrixStrideA = 0, const uint32_t matrixStrideB = 0,
                     const uint32_t matrixStrideC = 0, const bool enPartialSum = false,
                     const uint8_t enAtomic = 0) {
    static_assert(!IsPlainLayout(A_TYPE::layout) && !IsPlainLayout(B_TYPE::layout) &&
                      C_TYPE::layout != LayoutMode::NORMAL,
                  "IterateNBatch takes the layouts BSNGD, SBNGD and BNGS1S2");
    CheckManyBatches("Matmul::IterateNBatch");
    const internal::ScopedAtomic<PrimT<DstT>> atomic("Matmul::IterateNBatch", enAtomic);
    for (uint32_t loop = 0; loop < batchLoop; ++loop) {
      core_.RunBatch("Matmul::IterateNBatch", core_.workspace, HOSTNPU_MEMORY_GM, loop,
                     {batchA, batchB, matrixStrideA, matrixStrideB, matrixStrideC, enPartialSum});
    }
    const uint64_t products = uint64_t{batchLoop} * internal::MostOf(batchA, batchB);
    core_.left = {sync ? 0 : core_.ResultsOf(products), 0};
  }
  /// The next batch of an IterateNBatch<false>, which lies in the workspace.
  template <bool sync = true>
  GlobalTensor<DstT> GetBatchTensorC(uint32_t batchA, uint32_t batchB, bool = false) {
    CheckManyBatches("Matmul::GetBatchTensorC");
    const uint64_t count = core_.ResultsOf(internal::MostOf(batchA, batchB));
    const uint64_t first = core_.left.Take("Matmul::GetBatchTensorC", count);
    GlobalTensor<DstT> batch;
    batch.SetGlobalBuffer(reinterpret_cast<__gm__ PrimT<DstT>*>(core_.InWorkspace(first)),
                          count * core_.SizeInWorkspace());
    return batch;
  }
  template <bool sync = true>
  GlobalTensor<DstT> GetBatchC(uint32_t batchA, uint32_t batchB, bool sequential = false) {
    return GetBatchTensorC<sync>(batchA, batchB, sequential);
  }
  /// The same, copied to UB, where its matrices lie as far apart as in the workspace.
  template <bool sync = true>
  void GetBatchTensorC(const LocalTensor<DstT>& c, uint32_t batchA, uint32_t batchB, bool = false) {
    CheckManyBatches("Matmul::GetBatchTensorC");
    const uint64_t count = core_.ResultsOf(internal::MostOf(batchA, batchB));
    const uint64_t first = core_.left.Take("Matmul::GetBatchTensorC", count);
    core_.CopyFromWorkspace("Matmul::GetBatchTensorC", first, count, c.address_.absAddr,
                            c.Memory());
  }
  template <bool sync = true>
  void GetBatchC(const LocalTensor<DstT>& c, uint32_t batchA, uint32_t batchB, bool s = false) {
    GetBatchTensorC<sync>(c, batchA, batchB, s);
  }
  void WaitIterateBatch() {}
  void End() { core_.Restart(); }

 private:
  void SetScales(const uint64_t* scales, HostnpuMemoryKind kind) {
    core_.scale_is_set = true;
    core_.scales = scales;
    core_.scales_kind = kind;
  }
  /// Where both kinds of core run the object, the device knows IterateAll to GM only.
  static constexpr void CheckOneMaster() {
    static_assert(
        !kConfig.enableMixDualMaster,
        "with MatmulConfig::enableMixDualMaster a Matmul object has IterateAll to GM only");
  }
  static constexpr bool IsPlainLayout(LayoutMode layout) {
    return layout == LayoutMode::NONE || layout == LayoutMode::NORMAL;
  }
  /// Without isNBatch the device does nothing.
  void CheckManyBatches(const char* api) const {
    CheckOneMaster();
    if constexpr (!kConfig.isNBatch) {
      HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                    "needs a MatmulConfig with isNBatch = true, which the batchLoop of "
                    "GetNormalConfig sets; here it is false");
    }
    core_.CheckWorkspace(api);
  }
  internal::MatmulCore<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB,
                       MATMUL_POLICY<MM_CFG>::kTriangle>
      core_;
  uint8_t sub_block_ = 0;
  uint32_t batch_a_ = 1;
  uint32_t batch_b_ = 1;
};

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE,
          const auto& MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>,
          template <const auto&, typename...> class MATMUL_POLICY = Impl::Detail::MatmulPolicy>
using Matmul = MatmulImpl<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB, MATMUL_POLICY>;
template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE = C_TYPE,
          const auto& MM_CFG = CFG_NORM,
          class MM_CB = MatmulCallBackFunc<nullptr, nullptr, nullptr>,
          template <const auto&, typename...> class MATMUL_POLICY = Impl::Detail::MatmulPolicy>
using MatmulClient = MatmulImpl<A_TYPE, B_TYPE, C_TYPE, BIAS_TYPE, MM_CFG, MM_CB, MATMUL_POLICY>;

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_ADVANCED_MATMUL_H_
