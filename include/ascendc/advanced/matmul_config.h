// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The vocabulary of the Matmul library: formats, operand types, MatmulConfig and its presets,
// callbacks, policies, static tilings. Names, members and defaults are the vendor's; they lie in
// the global namespace as there. What a config says about staging (L1, double buffers, unit flags)
// changes no result, so most members are only carried.
#ifndef HOSTNPU_ASCENDC_ADVANCED_MATMUL_CONFIG_H_
#define HOSTNPU_ASCENDC_ADVANCED_MATMUL_CONFIG_H_

#include "../basic/tensor.h"
#include "../kernel_tiling/kernel_tiling.h"

enum class CubeFormat {
  ND = 0,
  NZ,
  ZN,
  ZZ,
  NN,
  ND_ALIGN,  // rows padded to 32 bytes
  SCALAR,
  VECTOR,
  ROW_MAJOR = ND,
  COLUMN_MAJOR = 8,
};
enum class LayoutMode { NONE = 0, BSNGD, SBNGD, BNGS1S2, NORMAL };
enum class BatchMode { NONE = 0, BATCH_LESS_THAN_L1, BATCH_LARGE_THAN_L1, SINGLE_LARGE_THAN_L1 };
enum BatchOutMode { SINGLE_BATCH = 0, MULTI_BATCH, DYNAMIC };
enum class IterateOrder { ORDER_M = 0, ORDER_N, UNDEF };
enum class ScheduleType { INNER_PRODUCT = 0, OUTER_PRODUCT };
enum IterateMode : uint8_t {
  ITERATE_MODE_NORMAL = 1,
  ITERATE_MODE_ALL = 2,
  ITERATE_MODE_BATCH = 4,
  ITERATE_MODE_N_BATCH = 8,
  ITERATE_MODE_DEFAULT = 255,
};
enum class DecompressionMode { DECOMP_NONE = 0 };
constexpr uint32_t SHARED_CO1_BUFFER_SIZE = 64 * 1024;

struct MatmulConfig {
  bool doNorm = false;
  bool doBasicBlock = false;
  bool doMultiDataLoad = false;
  uint32_t basicM = 0;
  uint32_t basicN = 0;
  uint32_t basicK = 0;
  bool intrinsicsCheck = false;
  bool isNBatch = false;
  bool enVecND2NZ = false;
  bool doSpecialBasicBlock = false;
  uint32_t doMTE2Preload = 0;
  uint32_t singleCoreM = 0;
  uint32_t singleCoreN = 0;
  uint32_t singleCoreK = 0;
  uint32_t stepM = 0;
  uint32_t stepN = 0;
  uint32_t baseMN = 0;
  uint32_t singleCoreMN = 0;
  bool enUnitFlag = true;
  bool isPerTensor = false;
  bool hasAntiQuantOffset = false;
  bool doIBShareNorm = false;
  bool doSpecialMDL = false;
  bool enableInit = true;
  BatchMode batchMode = BatchMode::NONE;
  bool enableEnd = true;
  bool enableGetTensorC = true;
  bool enableSetOrgShape = true;
  bool enableSetBias = true;
  bool enableSetTail = true;
  bool enableQuantVector = true;
  bool enableSetDefineData = true;
  uint8_t iterateMode = IterateMode::ITERATE_MODE_DEFAULT;
  bool enableReuse = true;
  bool enableUBReuse = true;
  bool enableL1CacheUB = false;
  bool intraBlockPartSum = false;
  IterateOrder iterateOrder = IterateOrder::UNDEF;
  ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
  bool enableDoubleCache = false;
  bool isBiasBatch = true;
  bool enableStaticPadZeros = false;
  bool isPartialOutput = false;
  bool enableMixDualMaster = false;
  bool isA2B2Shared = false;
  bool isEnableChannelSplit = false;
  bool enableKdimReorderLoad = false;
  bool isCO1Shared = false;
  uint32_t sharedCO1BufferSize = SHARED_CO1_BUFFER_SIZE;
  BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
  bool enableL1BankConflictOptimise = false;
  bool enableRelu = false;
  DecompressionMode decompMode = DecompressionMode::DECOMP_NONE;
};

enum class MatmulConfigMode { CONFIG_NORM, CONFIG_MDL, CONFIG_SPECIALMDL, CONFIG_IBSHARE };

struct MatmulShapeParams {
  uint32_t singleCoreM;
  uint32_t singleCoreN;
  uint32_t singleCoreK;
  uint32_t basicM;
  uint32_t basicN;
  uint32_t basicK;
};
struct MatmulQuantParams {
  bool isPerTensor;
  bool hasAntiQuantOffset;
};
struct MatmulBatchParams {
  bool isNBatch;
  BatchMode batchMode;
  bool isBiasBatch = true;
  BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
};
struct MatmulFuncParams {
  bool intrinsicsCheck;
  bool enVecND2NZ;
  bool enableDoubleCache;
  bool enableL1CacheUB;
  uint32_t doMTE2Preload;
  IterateOrder iterateOrder;
  ScheduleType scheduleType;
  bool enableReuse = true;
  bool enableUBReuse;
  bool isPartialOutput = false;
  bool isA2B2Shared = false;
  bool isEnableChannelSplit = false;
  bool enableKdimReorderLoad = false;
  bool enableL1BankConflictOptimise = false;
  bool enableRelu = false;
  DecompressionMode decompMode = DecompressionMode::DECOMP_NONE;
};
struct MatmulBiasParams {
  bool enableSetBias = true;
};
struct MatrixOffset {
  int32_t offset;
  int32_t row;
  int32_t col;
  int32_t height;
  int32_t width;
};

constexpr MatmulConfig GetNormalConfig(bool intrinsicsLimit = false, bool batchLoop = false,
                                       bool isVecND2NZ = false,
                                       BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1,
                                       bool isMsgReuse = true,
                                       IterateOrder iterateOrder = IterateOrder::UNDEF,
                                       ScheduleType scheduleType = ScheduleType::INNER_PRODUCT,
                                       bool enUnitFlag = true, bool enableMixDualMaster = false,
                                       BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH) {
  MatmulConfig config;
  config.doNorm = true;
  config.intrinsicsCheck = intrinsicsLimit;
  config.isNBatch = batchLoop;
  config.enVecND2NZ = isVecND2NZ;
  config.batchMode = bmmMode;
  config.enableReuse = isMsgReuse;
  config.iterateOrder = iterateOrder;
  config.scheduleType = scheduleType;
  config.enUnitFlag = enUnitFlag;
  config.enableMixDualMaster = enableMixDualMaster;
  config.bmmOutMode = bmmOutMode;
  return config;
}
constexpr MatmulConfig GetMDLConfig(bool intrinsicsLimit = false, bool batchLoop = false,
                                    uint32_t doMTE2Preload = 0, bool isVecND2NZ = false,
                                    bool isPerTensor = false, bool hasAntiQuantOffset = false,
                                    bool enUnitFlag = false, bool isMsgReuse = true,
                                    bool enableUBReuse = true, bool enableL1CacheUB = false,
                                    bool enableMixDualMaster = false,
                                    bool enableKdimReorderLoad = false,
                                    bool enableL1BankConflictOptimise = false) {
  MatmulConfig config;
  config.doMultiDataLoad = true;
  config.intrinsicsCheck = intrinsicsLimit;
  config.isNBatch = batchLoop;
  config.doMTE2Preload = doMTE2Preload;
  config.enVecND2NZ = isVecND2NZ;
  config.isPerTensor = isPerTensor;
  config.hasAntiQuantOffset = hasAntiQuantOffset;
  config.enUnitFlag = enUnitFlag;
  config.enableReuse = isMsgReuse;
  config.enableUBReuse = enableUBReuse;
  config.enableL1CacheUB = enableL1CacheUB;
  config.enableMixDualMaster = enableMixDualMaster;
  config.enableKdimReorderLoad = enableKdimReorderLoad;
  config.enableL1BankConflictOptimise = enableL1BankConflictOptimise;
  return config;
}
constexpr MatmulConfig GetSpecialMDLConfig(bool intrinsicsLimit = false, bool batchLoop = false,
                                           uint32_t doMTE2Preload = 0, bool isVecND2NZ = false,
                                           bool isPerTensor = false,
                                           bool hasAntiQuantOffset = false) {
  MatmulConfig config = GetMDLConfig(intrinsicsLimit, batchLoop, doMTE2Preload, isVecND2NZ,
                                     isPerTensor, hasAntiQuantOffset);
  config.doMultiDataLoad = false;
  config.doSpecialMDL = true;
  return config;
}
constexpr MatmulConfig GetBasicConfig(uint32_t basicM, uint32_t basicN, uint32_t basicK,
                                      bool intrinsicsLimit = false, bool batchLoop = false,
                                      BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1) {
  MatmulConfig config;
  config.doBasicBlock = true;
  config.basicM = basicM;
  config.basicN = basicN;
  config.basicK = basicK;
  config.intrinsicsCheck = intrinsicsLimit;
  config.isNBatch = batchLoop;
  config.batchMode = bmmMode;
  config.enUnitFlag = false;
  return config;
}
constexpr MatmulConfig GetSpecialBasicConfig(uint32_t basicM, uint32_t basicN, uint32_t basicK,
                                             uint32_t singleCoreM, uint32_t singleCoreN,
                                             uint32_t singleCoreK, uint32_t stepM, uint32_t stepN,
                                             bool intrinsicsLimit = false, bool batchLoop = false,
                                             BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1) {
  MatmulConfig config = GetBasicConfig(basicM, basicN, basicK, intrinsicsLimit, batchLoop, bmmMode);
  config.doBasicBlock = false;
  config.doSpecialBasicBlock = true;
  config.singleCoreM = singleCoreM;
  config.singleCoreN = singleCoreN;
  config.singleCoreK = singleCoreK;
  config.stepM = stepM;
  config.stepN = stepN;
  config.baseMN = basicM * basicN;
  config.singleCoreMN = singleCoreM * singleCoreN;
  return config;
}
constexpr MatmulConfig GetIBShareNormConfig(bool intrinsicsLimit = false, bool batchLoop = false,
                                            bool isVecND2NZ = false,
                                            BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1,
                                            bool isDoubleCache = false, bool enUnitFlag = true) {
  MatmulConfig config;
  config.doIBShareNorm = true;
  config.intrinsicsCheck = intrinsicsLimit;
  config.isNBatch = batchLoop;
  config.enVecND2NZ = isVecND2NZ;
  config.batchMode = bmmMode;
  config.enableDoubleCache = isDoubleCache;
  config.enUnitFlag = enUnitFlag;
  return config;
}
constexpr MatmulConfig CFG_NORM = GetNormalConfig();
constexpr MatmulConfig CFG_MDL = GetMDLConfig();
constexpr MatmulConfig MM_CFG_BB = GetBasicConfig(128, 128, 128);
constexpr MatmulConfig CFG_IBSHARE_NORM = GetIBShareNormConfig();

namespace AscendC {
namespace internal {
constexpr void ApplyConfig(MatmulConfig& config, const MatmulShapeParams& p) {
  config.singleCoreM = p.singleCoreM;
  config.singleCoreN = p.singleCoreN;
  config.singleCoreK = p.singleCoreK;
  config.basicM = p.basicM;
  config.basicN = p.basicN;
  config.basicK = p.basicK;
}
constexpr void ApplyConfig(MatmulConfig& config, const MatmulQuantParams& p) {
  config.isPerTensor = p.isPerTensor;
  config.hasAntiQuantOffset = p.hasAntiQuantOffset;
}
constexpr void ApplyConfig(MatmulConfig& config, const MatmulBatchParams& p) {
  config.isNBatch = p.isNBatch;
  config.batchMode = p.batchMode;
  config.isBiasBatch = p.isBiasBatch;
  config.bmmOutMode = p.bmmOutMode;
}
constexpr void ApplyConfig(MatmulConfig& config, const MatmulFuncParams& p) {
  config.intrinsicsCheck = p.intrinsicsCheck;
  config.enVecND2NZ = p.enVecND2NZ;
  config.enableDoubleCache = p.enableDoubleCache;
  config.enableL1CacheUB = p.enableL1CacheUB;
  config.doMTE2Preload = p.doMTE2Preload;
  config.iterateOrder = p.iterateOrder;
  config.scheduleType = p.scheduleType;
  config.enableReuse = p.enableReuse;
  config.enableUBReuse = p.enableUBReuse;
  config.isPartialOutput = p.isPartialOutput;
  config.isA2B2Shared = p.isA2B2Shared;
  config.isEnableChannelSplit = p.isEnableChannelSplit;
  config.enableKdimReorderLoad = p.enableKdimReorderLoad;
  config.enableL1BankConflictOptimise = p.enableL1BankConflictOptimise;
  config.enableRelu = p.enableRelu;
  config.decompMode = p.decompMode;
}
constexpr void ApplyConfig(MatmulConfig& config, const MatmulBiasParams& p) {
  config.enableSetBias = p.enableSetBias;
}
}  // namespace internal
}  // namespace AscendC

/// A preset changed by any of the parameter records above.
template <MatmulConfigMode mode, typename... Params>
constexpr MatmulConfig GetMMConfig(Params&&... params) {
  MatmulConfig config = mode == MatmulConfigMode::CONFIG_MDL          ? CFG_MDL
                        : mode == MatmulConfigMode::CONFIG_SPECIALMDL ? GetSpecialMDLConfig()
                        : mode == MatmulConfigMode::CONFIG_IBSHARE    ? CFG_IBSHARE_NORM
                                                                      : CFG_NORM;
  (AscendC::internal::ApplyConfig(config, params), ...);
  return config;
}

/// A tiling known at compile time; -1: take the run-time one.
struct MatmulApiStaticTiling {
  int32_t usedCoreNum = -1;
  int32_t M = -1;
  int32_t N = -1;
  int32_t Ka = -1;
  int32_t Kb = -1;
  int32_t singleCoreM = -1;
  int32_t singleCoreN = -1;
  int32_t singleCoreK = -1;
  int32_t baseM = -1;
  int32_t baseN = -1;
  int32_t baseK = -1;
  int32_t depthA1 = -1;
  int32_t depthB1 = -1;
  int32_t stepM = -1;
  int32_t stepN = -1;
  int32_t isBias = -1;
  int32_t transLength = -1;
  int32_t iterateOrder = -1;
  int32_t shareMode = -1;
  int32_t shareL1Size = -1;
  int32_t shareL0CSize = -1;
  int32_t shareUbSize = -1;
  int32_t stepKa = -1;
  int32_t stepKb = -1;
  int32_t depthAL1CacheUB = -1;
  int32_t depthBL1CacheUB = -1;
  int32_t dbL0A = -1;
  int32_t dbL0B = -1;
  int32_t dbL0C = -1;
  int32_t ALayoutInfoB = -1;
  int32_t ALayoutInfoS = -1;
  int32_t ALayoutInfoN = -1;
  int32_t ALayoutInfoG = -1;
  int32_t ALayoutInfoD = -1;
  int32_t BLayoutInfoB = -1;
  int32_t BLayoutInfoS = -1;
  int32_t BLayoutInfoN = -1;
  int32_t BLayoutInfoG = -1;
  int32_t BLayoutInfoD = -1;
  int32_t CLayoutInfoB = -1;
  int32_t CLayoutInfoS1 = -1;
  int32_t CLayoutInfoN = -1;
  int32_t CLayoutInfoG = -1;
  int32_t CLayoutInfoS2 = -1;
  int32_t BatchNum = -1;
  int32_t mxTypePara = -1;
  MatmulConfig cfg = CFG_NORM;
};

namespace AscendC {

/// Position, format, element type, and whether SetTensorA/B may say "transposed".
template <TPosition POSITION, CubeFormat FORMAT, typename TYPE, bool ISTRANS = false,
          LayoutMode LAYOUT = LayoutMode::NONE, bool IBSHARE = false,
          TPosition SRCPOS = TPosition::GM>
struct MatmulType {
  static constexpr TPosition pos = POSITION;
  static constexpr CubeFormat format = FORMAT;
  using T = TYPE;
  static constexpr bool isTrans = ISTRANS;
  static constexpr LayoutMode layout = LAYOUT;
  static constexpr bool ibShare = IBSHARE;
  static constexpr TPosition srcPos = SRCPOS;
};
template <TPosition POSITION, TPosition INDEX_POSITION, CubeFormat FORMAT, typename TYPE,
          bool ISTRANS = false, LayoutMode LAYOUT = LayoutMode::NONE, bool IBSHARE = false>
struct SparseMatmulType : MatmulType<POSITION, FORMAT, TYPE, ISTRANS, LAYOUT, IBSHARE> {
  static constexpr TPosition indexPosition = INDEX_POSITION;
};

namespace internal {
/// Whether an operand comes with the index of a 4:2 sparse matrix.
template <class T>
constexpr bool HasSparseIndex(decltype(T::indexPosition)*) {
  return true;
}
template <class T>
constexpr bool HasSparseIndex(...) {
  return false;
}
}  // namespace internal

/// The vendor's batch products bring it along, and kernels that build on them call it.
constexpr uint16_t CeilDiv(uint16_t num1, uint16_t num2) {
  return static_cast<uint16_t>((num1 + num2 - 1) / num2);
}

/// The accumulator of A's element type.
template <typename T>
struct GetMmDstType {
  using Type = float;
};
template <>
struct GetMmDstType<int8_t> {
  using Type = int32_t;
};
template <>
struct GetMmDstType<int4b_t> {
  using Type = int32_t;
};

/// User code in place of the copies to L1 and out of L0C.
template <
    void (*DataCopyOut)(const __gm__ void* gm, const LocalTensor<int8_t>& co1Local,
                        const void* dataCopyOutParams, const uint64_t tilingPtr,
                        const uint64_t dataPtr) = nullptr,
    void (*CopyA1)(const LocalTensor<int8_t>& aMatrix, const __gm__ void* gm, int row, int col,
                   int useM, int useK, const uint64_t tilingPtr, const uint64_t dataPtr) = nullptr,
    void (*CopyB1)(const LocalTensor<int8_t>& bMatrix, const __gm__ void* gm, int row, int col,
                   int useK, int useN, const uint64_t tilingPtr, const uint64_t dataPtr) = nullptr>
struct MatmulCallBackFunc {
  static constexpr auto DataCopyOutPtr = DataCopyOut;
  static constexpr auto CopyA1Ptr = CopyA1;
  static constexpr auto CopyB1Ptr = CopyB1;
};

/// What the DataCopyOut callback gets.
struct DataCopyOutParams {
  uint8_t quantMode = 0;
  uint16_t cBurstNum = 0;  // column groups of 16
  uint16_t burstLen = 0;   // blocks of one group
  uint16_t srcStride = 0;
  uint32_t dstStride = 0;  // elements from row to row of C
  uint16_t oriNSize = 0;
  bool enUnitFlag = false;
  uint64_t quantScalar = 0;
  int curM = 0;
  int curN = 0;
  uint64_t cbufWorkspaceAddr = 0;
};

namespace Impl {
// Constants of the vendor's library that kernels name.
constexpr int32_t QUEUE_DEPTH = 1;
constexpr int32_t DB_ON = 2;
constexpr int32_t DB_OFF = 1;
constexpr int32_t L1_SIZE = TOTAL_L1_SIZE;

namespace Detail {
template <const auto& MM_CFG, typename...>
struct MatmulPolicy {
  static constexpr int kTriangle = 0;
};
template <const auto& MM_CFG, typename... T>
struct MatmulWithScalePolicy : MatmulPolicy<MM_CFG, T...> {};
template <const auto& MM_CFG, typename... T>
struct NBuffer33MatmulPolicy : MatmulPolicy<MM_CFG, T...> {};
template <const auto& MM_CFG, typename... T>
struct SplitMMatmulPolicy : MatmulPolicy<MM_CFG, T...> {};
template <const auto& MM_CFG, typename... T>
struct SplitNMatmulPolicy : MatmulPolicy<MM_CFG, T...> {};
/// Only base tiles on and above (or below) the diagonal.
template <const auto& MM_CFG, typename... T>
struct TrianUpperMatmulPolicy : MatmulPolicy<MM_CFG, T...> {
  static constexpr int kTriangle = 1;
};
template <const auto& MM_CFG, typename... T>
struct TrianLowerMatmulPolicy : MatmulPolicy<MM_CFG, T...> {
  static constexpr int kTriangle = -1;
};
}  // namespace Detail
}  // namespace Impl

namespace internal {
constexpr const MatmulConfig& ConfigOf(const MatmulConfig& config) { return config; }
constexpr const MatmulConfig& ConfigOf(const MatmulApiStaticTiling& tiling) { return tiling.cfg; }
}  // namespace internal

/// The config of a Matmul's MM_CFG, which is one or a static tiling with one.
template <typename T>
constexpr const MatmulConfig& ToMatmulConfig(const T& config) {
  return internal::ConfigOf(config);
}

}  // namespace AscendC

namespace matmul = AscendC;

#endif  // HOSTNPU_ASCENDC_ADVANCED_MATMUL_CONFIG_H_
