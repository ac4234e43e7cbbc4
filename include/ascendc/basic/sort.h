// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// The sort family. A record is 8 bytes: the score in the low bytes (half: 2, float: 4), a 32-bit
// index in the high four. Sort32 makes records in runs of 32, MrgSort merges up to four descending
// lists, Sort does both. Descending throughout; equal scores keep their order.
#ifndef HOSTNPU_ASCENDC_BASIC_SORT_H_
#define HOSTNPU_ASCENDC_BASIC_SORT_H_

#include "../detail/lanes.h"
#include "../tiling/sort_config.h"
#include "burst.h"

namespace AscendC {

constexpr int32_t MRG_SORT_ELEMENT_LEN = 4;

struct MrgSort4Info {
  MrgSort4Info() {}
  MrgSort4Info(const uint16_t lengths[MRG_SORT_ELEMENT_LEN], bool suspend, uint16_t valid_bit,
               internal::RepeatCount repeats)
      : ifExhaustedSuspension(suspend), validBit(valid_bit), repeatTimes(repeats) {
    for (int i = 0; i < MRG_SORT_ELEMENT_LEN; ++i) elementLengths[i] = lengths[i];
  }

  uint16_t elementLengths[MRG_SORT_ELEMENT_LEN] = {0};  // records
  bool ifExhaustedSuspension = false;                   // stop when one list is used up
  uint16_t validBit = 0;                                // 3, 7 or 15: two, three or four lists
  internal::RepeatCount repeatTimes = 1;
};

template <typename T>
struct MrgSortSrcList {
  MrgSortSrcList() {}
  MrgSortSrcList(const LocalTensor<T>& a, const LocalTensor<T>& b, const LocalTensor<T>& c,
                 const LocalTensor<T>& d)
      : src1(a), src2(b), src3(c), src4(d) {}

  LocalTensor<T> src1;
  LocalTensor<T> src2;
  LocalTensor<T> src3;
  LocalTensor<T> src4;
};

namespace internal {

constexpr uint32_t kSortRun = 32;
constexpr uint32_t kRecordBytes = 8;

/// A record: score and index.
template <typename T>
struct SortRecord {
  T score;
  uint8_t pad_[4 - sizeof(T)];
  uint32_t index;
};
template <>
struct SortRecord<float> {
  float score;
  uint32_t index;
};
static_assert(sizeof(SortRecord<half>) == 8 && sizeof(SortRecord<float>) == 8, "8-byte records");

/// Unsigned numbers that order as the scores do, the largest score first. Zeros of either sign are
/// equal; NaNs without a sign come before infinity.
HOSTNPU_INLINE uint32_t DescendingKey(float score) {
  const uint32_t raw = __builtin_bit_cast(uint32_t, score + 0.0f);
  return (raw & 0x80000000u) != 0 ? raw : ~raw & 0x7FFFFFFFu;
}

template <typename T>
HOSTNPU_INLINE bool ComesBefore(const SortRecord<T>& a, const SortRecord<T>& b) {
  return DescendingKey(static_cast<float>(a.score)) < DescendingKey(static_cast<float>(b.score));
}

/// Sorts 32 scores by counting for each how many come before it.
template <typename T>
inline void SortRun(SortRecord<T>* dst, const T* scores, const uint32_t* indices) {
  uint64_t keys[kSortRun];
  SortRecord<T> records[kSortRun];
  for (uint32_t i = 0; i < kSortRun; ++i) {
    keys[i] = static_cast<uint64_t>(DescendingKey(static_cast<float>(scores[i]))) << 5 | i;
    records[i] = {};
    records[i].score = scores[i];
    records[i].index = indices[i];
  }
  for (uint32_t i = 0; i < kSortRun; ++i) {
    int64_t before = 0;
    const int64_t key = static_cast<int64_t>(keys[i]);
    for (uint32_t j = 0; j < kSortRun; ++j) before += static_cast<int64_t>(keys[j]) < key;
    dst[before] = records[i];
  }
}

/// One merge of up to four lists; says how many records of each went out.
template <typename T>
inline uint64_t MergeLists(SortRecord<T>* dst, const SortRecord<T>* const* lists,
                           const uint32_t* lengths, uint32_t list_count, bool suspend,
                           uint16_t* consumed) {
  uint32_t at[4] = {0, 0, 0, 0};
  uint64_t total = 0, written = 0;
  for (uint32_t i = 0; i < list_count; ++i) total += lengths[i];
  while (written < total) {
    uint32_t best = list_count;
    bool one_is_empty = false;
    for (uint32_t i = 0; i < list_count; ++i) {
      if (at[i] == lengths[i]) {
        one_is_empty = true;
      } else if (best == list_count || ComesBefore(lists[i][at[i]], lists[best][at[best]])) {
        best = i;
      }
    }
    if (suspend && one_is_empty) break;
    dst[written++] = lists[best][at[best]++];
  }
  for (uint32_t i = 0; i < 4; ++i) consumed[i] = static_cast<uint16_t>(at[i]);
  return written;
}

template <typename T>
HOSTNPU_INLINE SortRecord<T>* Records(const LocalTensor<T>& tensor) {
  return reinterpret_cast<SortRecord<T>*>(tensor.address_.absAddr);
}
template <typename T>
HOSTNPU_INLINE void CheckRead(const char* api, const LocalTensor<T>& tensor, uint64_t bytes,
                              const char* operand) {
  CheckSide(api, LocalSide(tensor, 0, operand), 1, bytes, HOSTNPU_GM_READ);
}
template <typename T>
HOSTNPU_INLINE void CheckWrite(const char* api, const LocalTensor<T>& tensor, uint64_t bytes,
                               const char* operand) {
  CheckSide(api, LocalSide(tensor, 0, operand), 1, bytes, HOSTNPU_GM_WRITE);
}
template <typename T>
inline void MergeSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src,
                      const MrgSort4Info& info) {
  constexpr const char* kApi = "MrgSort";
  const uint32_t list_count = info.validBit == 3 ? 2 : info.validBit == 7 ? 3 : 4;
  if (info.validBit != 3 && info.validBit != 7 && info.validBit != 15) {
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi,
                  "has validBit = %u; 3, 7 and 15 (two, three and four lists) exist",
                  info.validBit);
  }
  CheckRepeatTime(kApi, info.repeatTimes);
  if (info.repeatTimes == 0) return;
  const LocalTensor<T>* sources[4] = {&src.src1, &src.src2, &src.src3, &src.src4};
  const SortRecord<T>* lists[4] = {};
  uint32_t lengths[4] = {};
  uint64_t total = 0;
  for (uint32_t i = 0; i < list_count; ++i) {
    lengths[i] = info.elementLengths[i];
    CheckField(kApi, "elementLengths", lengths[i], 4095);
    total += lengths[i];
    lists[i] = Records(*sources[i]);
  }
  const uint64_t repeats = static_cast<uint64_t>(info.repeatTimes);
  for (uint32_t i = 0; repeats > 1 && i < 4; ++i) {
    if (list_count == 4 && lengths[i] == lengths[0] && lists[i] == lists[0] + i * lengths[0])
      continue;
    HOSTNPU_FAULT(HOSTNPU_FAULT_ARGUMENT, kApi,
                  "has repeatTimes = %u but not four adjoining lists of one length (list %u)",
                  static_cast<uint32_t>(repeats), i + 1);
  }
  static const char* const kOperands[4] = {"src1", "src2", "src3", "src4"};
  for (uint32_t i = 0; i < list_count; ++i) {
    const uint64_t records = (repeats - 1) * total + lengths[i];
    CheckRead(kApi, *sources[i], records * kRecordBytes, kOperands[i]);
  }
  CheckWrite(kApi, dst, repeats * total * kRecordBytes, "dst");
  SortRecord<T>* out = Records(dst);
  for (uint64_t r = 0; r < repeats; ++r) {
    MergeLists<T>(out + r * total, lists, lengths, list_count, info.ifExhaustedSuspension,
                  Regs().merge_sort_counts);
    for (uint32_t i = 0; i < list_count; ++i) lists[i] += total;
  }
}

#define HOSTNPU_CHECK_SORT_TYPE(api, T)                                                  \
  static_assert(IsSameType<PrimT<T>, half>::value || IsSameType<PrimT<T>, float>::value, \
                api " takes half or float")

}  // namespace internal

/// Elements of T that the records of `count` elements take.
template <typename T>
inline uint32_t GetSortLen(uint32_t count) {
  return count * (internal::kRecordBytes / sizeof(T));
}
template <typename T>
inline uint32_t GetSortOffset(uint32_t count) {
  return GetSortLen<T>(count);
}

/// Sorts each run of 32 values, with their indices, into records.
template <typename T>
inline void Sort32(const LocalTensor<T>& dst, const LocalTensor<T>& values,
                   const LocalTensor<uint32_t>& indices, int32_t repeatTime) {
  HOSTNPU_CHECK_SORT_TYPE("Sort32<T>", T);
  internal::CheckRepeatTime("Sort32", repeatTime);
  if (!internal::OnVectorCore() || repeatTime == 0) return;
  const uint64_t count = static_cast<uint64_t>(repeatTime) * internal::kSortRun;
  internal::CheckRead("Sort32", values, count * sizeof(PrimT<T>), "src0");
  internal::CheckRead("Sort32", indices, count * 4, "src1");
  internal::CheckWrite("Sort32", dst, count * internal::kRecordBytes, "dst");
  for (uint64_t at = 0; at < count; at += internal::kSortRun) {
    internal::SortRun(internal::Records(dst) + at, values.Data() + at, indices.Data() + at);
  }
}

/// Merges two, three or four descending lists of records into one.
template <typename T>
inline void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& src,
                    const MrgSort4Info& params) {
  HOSTNPU_CHECK_SORT_TYPE("MrgSort<T>", T);
  if (internal::OnVectorCore()) internal::MergeSort(dst, src, params);
}
/// As above; where isExhaustedSuspension, sortedNum says how much of each list was used.
template <typename T, bool isExhaustedSuspension = false>
inline void MrgSort(const LocalTensor<T>& dst, const MrgSortSrcList<T>& sortList,
                    const uint16_t elementCountList[4], uint32_t sortedNum[4], uint16_t validBit,
                    int32_t repeatTime) {
  HOSTNPU_CHECK_SORT_TYPE("MrgSort<T>", T);
  if (!internal::OnVectorCore()) return;
  internal::CheckRepeatTime("MrgSort", repeatTime);
  internal::MergeSort(dst, sortList,
                      MrgSort4Info(elementCountList, isExhaustedSuspension, validBit, repeatTime));
  if (!isExhaustedSuspension) return;
  for (int i = 0; i < 4; ++i) sortedNum[i] = internal::Regs().merge_sort_counts[i];
}
/// How many records of each list the last merge used.
inline void GetMrgSortResult(uint16_t& list1, uint16_t& list2, uint16_t& list3, uint16_t& list4) {
  const uint16_t* counts = internal::Regs().merge_sort_counts;
  list1 = counts[0];
  list2 = counts[1];
  list3 = counts[2];
  list4 = counts[3];
}

/// On this chip Sort reads the values as they are: `concat` becomes another name of `src`.
template <typename T>
inline void Concat(LocalTensor<T>& concat, const LocalTensor<T>& src, const LocalTensor<T>&,
                   int32_t repeatTime) {
  HOSTNPU_CHECK_SORT_TYPE("Concat<T>", T);
  internal::CheckRepeatTime("Concat", repeatTime);
  concat = src;
}

/// Sorts repeatTime * 32 values into records: each run of 32, or all of them where isFullSort.
template <typename T, bool isFullSort>
inline void Sort(const LocalTensor<T>& dst, const LocalTensor<T>& concat,
                 const LocalTensor<uint32_t>& index, LocalTensor<T>& tmp, int32_t repeatTime) {
  Sort32(dst, concat, index, repeatTime);
  if (!isFullSort || !internal::OnVectorCore() || repeatTime <= 1) return;
  using Record = internal::SortRecord<PrimT<T>>;
  const uint32_t count = static_cast<uint32_t>(repeatTime) * internal::kSortRun;
  internal::CheckWrite("Sort", tmp, uint64_t{count} * internal::kRecordBytes, "tmp");
  Record* from = internal::Records(dst);
  Record* to = internal::Records(tmp);
  for (uint32_t run = internal::kSortRun; run < count; run *= 4) {
    for (uint32_t first = 0; first < count; first += 4 * run) {
      const Record* lists[4];
      uint32_t lengths[4];
      for (uint32_t i = 0; i < 4; ++i) {
        const uint32_t begin = first + i * run;
        lists[i] = from + begin;
        lengths[i] = begin >= count ? 0 : count - begin < run ? count - begin : run;
      }
      internal::MergeLists<PrimT<T>>(to + first, lists, lengths, 4, false,
                                     internal::Regs().merge_sort_counts);
    }
    Record* const swap = from;
    from = to;
    to = swap;
  }
  // The device leaves the result in both.
  __builtin_memcpy(to, from, uint64_t{count} * internal::kRecordBytes);
}

/// Unpacks repeatTime * 32 records into values and indices.
template <typename T>
inline void Extract(const LocalTensor<T>& dstValue, const LocalTensor<uint32_t>& dstIndex,
                    const LocalTensor<T>& sorted, int32_t repeatTime) {
  HOSTNPU_CHECK_SORT_TYPE("Extract<T>", T);
  internal::CheckRepeatTime("Extract", repeatTime);
  if (!internal::OnVectorCore() || repeatTime == 0) return;
  const uint64_t count = static_cast<uint64_t>(repeatTime) * internal::kSortRun;
  internal::CheckRead("Extract", sorted, count * internal::kRecordBytes, "sorted");
  internal::CheckWrite("Extract", dstValue, count * sizeof(PrimT<T>), "dstValue");
  internal::CheckWrite("Extract", dstIndex, count * 4, "dstIndex");
  const internal::SortRecord<PrimT<T>>* records = internal::Records(sorted);
  for (uint64_t i = 0; i < count; ++i) {
    const internal::SortRecord<PrimT<T>> record = records[i];
    dstValue.Data()[i] = record.score;
    dstIndex.Data()[i] = record.index;
  }
}

}  // namespace AscendC

#endif  // HOSTNPU_ASCENDC_BASIC_SORT_H_
