// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Region proposals, which chips before this one sort instead of records: eight elements, of which
// 0 to 3 are coordinates, 4 the score and 5 the label. The vendor's library refuses them here; they
// work so that kernels that are shared between chips do.
#ifndef HOSTNPU_ASCENDC_BASIC_PROPOSAL_H_
#define HOSTNPU_ASCENDC_BASIC_PROPOSAL_H_

#include "sort.h"

namespace AscendC {
namespace internal {

constexpr uint32_t kProposalElements = 8;
constexpr uint32_t kProposalScore = 4;
constexpr uint32_t kProposalRun = 16;

template <typename T>
struct Proposal {
  T element[kProposalElements];
};
template <typename T>
HOSTNPU_INLINE Proposal<PrimT<T>>* Proposals(const LocalTensor<T>& tensor) {
  return reinterpret_cast<Proposal<PrimT<T>>*>(tensor.address_.absAddr);
}

/// Sixteen proposals by descending score, equal ones as they stand.
template <typename T>
inline void SortProposals(Proposal<T>* dst, const Proposal<T>* src) {
  Proposal<T> sorted[kProposalRun];
  for (uint32_t i = 0; i < kProposalRun; ++i) {
    uint32_t before = 0;
    for (uint32_t j = 0; j < kProposalRun; ++j) {
      const T a = src[j].element[kProposalScore], b = src[i].element[kProposalScore];
      before += a > b || (a == b && j < i);
    }
    sorted[before] = src[i];
  }
  __builtin_memcpy(dst, sorted, sizeof(sorted));
}

template <typename T>
inline uint64_t StartProposals(const char* api, int32_t repeat, int32_t mode) {
  CheckRepeatTime(api, repeat);
  if (mode < 0 || mode > 5) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, api,
                  "has modeNumber = %d; 0 to 3 (coordinates), 4 (score) and 5 (label) exist", mode);
  }
  return static_cast<uint64_t>(repeat) * kProposalRun;
}

}  // namespace internal

/// Puts repeatTime * 16 elements into field `modeNumber` of as many proposals.
template <typename T>
inline void ProposalConcat(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                           const int32_t repeatTime, const int32_t modeNumber) {
  HOSTNPU_CHECK_SORT_TYPE("ProposalConcat<T>", T);
  if (!internal::OnVectorCore()) return;
  const uint64_t count = internal::StartProposals<T>("ProposalConcat", repeatTime, modeNumber);
  if (count == 0) return;
  internal::CheckRead("ProposalConcat", src, count * sizeof(PrimT<T>), "src");
  internal::CheckWrite("ProposalConcat", dst, count * sizeof(internal::Proposal<PrimT<T>>), "dst");
  for (uint64_t i = 0; i < count; ++i)
    internal::Proposals(dst)[i].element[modeNumber] = src.Data()[i];
}
/// Takes field `modeNumber` out of repeatTime * 16 proposals.
template <typename T>
inline void ProposalExtract(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                            const int32_t repeatTime, const int32_t modeNumber) {
  HOSTNPU_CHECK_SORT_TYPE("ProposalExtract<T>", T);
  if (!internal::OnVectorCore()) return;
  const uint64_t count = internal::StartProposals<T>("ProposalExtract", repeatTime, modeNumber);
  if (count == 0) return;
  internal::CheckRead("ProposalExtract", src, count * sizeof(internal::Proposal<PrimT<T>>), "src");
  internal::CheckWrite("ProposalExtract", dst, count * sizeof(PrimT<T>), "dst");
  for (uint64_t i = 0; i < count; ++i)
    dst.Data()[i] = internal::Proposals(src)[i].element[modeNumber];
}
/// Sorts each run of 16 proposals by descending score.
template <typename T>
inline void RpSort16(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                     const int32_t repeatTime) {
  HOSTNPU_CHECK_SORT_TYPE("RpSort16<T>", T);
  if (!internal::OnVectorCore()) return;
  const uint64_t count = internal::StartProposals<T>("RpSort16", repeatTime, 0);
  if (count == 0) return;
  const uint64_t bytes = count * sizeof(internal::Proposal<PrimT<T>>);
  internal::CheckRead("RpSort16", src, bytes, "src");
  internal::CheckWrite("RpSort16", dst, bytes, "dst");
  for (uint64_t at = 0; at < count; at += internal::kProposalRun)
    internal::SortProposals(internal::Proposals(dst) + at, internal::Proposals(src) + at);
}
/// Merges two, three or four lists of proposals, each by descending score.
template <typename T>
inline void MrgSort4(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src,
                     const MrgSort4Info& params) {
  HOSTNPU_CHECK_SORT_TYPE("MrgSort4<T>", T);
  if (!internal::OnVectorCore()) return;
  constexpr const char* kApi = "MrgSort4";
  const uint32_t lists = params.validBit == 3 ? 2 : params.validBit == 7 ? 3 : 4;
  if ((params.validBit != 3 && params.validBit != 7 && params.validBit != 15) ||
      params.repeatTimes != 1) {
    HOSTNPU_FAULT(
        HOSTNPU_FAULT_ARGUMENT, kApi,
        "has validBit = %u and repeatTimes = %lld; 3, 7 and 15 (two, three and four lists) "
        "once exist",
        params.validBit, (long long)params.repeatTimes);
  }
  const LocalTensor<T>* sources[4] = {&src.src1, &src.src2, &src.src3, &src.src4};
  uint32_t at[4] = {0, 0, 0, 0};
  uint64_t total = 0;
  for (uint32_t i = 0; i < lists; ++i) {
    internal::CheckField(kApi, "elementLengths", params.elementLengths[i], 4095);
    total += params.elementLengths[i];
    internal::CheckRead(kApi, *sources[i],
                        params.elementLengths[i] * sizeof(internal::Proposal<PrimT<T>>), "src");
  }
  internal::CheckWrite(kApi, dst, total * sizeof(internal::Proposal<PrimT<T>>), "dst");
  for (uint64_t written = 0; written < total; ++written) {
    uint32_t best = lists;
    bool empty = false;
    const auto score = [&](uint32_t i) {
      return internal::Proposals(*sources[i])[at[i]].element[internal::kProposalScore];
    };
    for (uint32_t i = 0; i < lists; ++i) {
      if (at[i] == params.elementLengths[i]) {
        empty = true;
      } else if (best == lists || score(i) > score(best)) {
        best = i;
      }
    }
    if (params.ifExhaustedSuspension && empty) break;
    internal::Proposals(dst)[written] = internal::Proposals(*sources[best])[at[best]++];
  }
  for (uint32_t i = 0; i < 4; ++i)
    internal::Regs().merge_sort_counts[i] = static_cast<uint16_t>(at[i]);
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_PROPOSAL_H_
