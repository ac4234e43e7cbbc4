// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
//
// Sorting and transposing, against std::stable_sort and index arithmetic.
#include <algorithm>
#include <random>

#include "tensors.h"

namespace hostnpu::testing {
namespace {

using namespace AscendC;

/// Few different values, so that many are equal.
template <typename T>
std::vector<T> Scores(size_t size, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<T> values(size);
  for (T& v : values) v = T(int(random() % 50) - 25) / T(2);
  values[0] = T(-0.0f);
  if (size > 2) values[2] = T(0.0f);
  return values;
}
/// Positions of [first, last) in descending order of their values, equal ones as they stand.
template <typename T>
std::vector<uint32_t> Descending(const std::vector<T>& values, uint32_t first, uint32_t last) {
  std::vector<uint32_t> order(last - first);
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = first + i;
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return values[a] > values[b]; });
  return order;
}

template <typename T>
class SortTest : public ::testing::Test {};
using Types = ::testing::Types<half, float>;
TYPED_TEST_SUITE(SortTest, Types);

TYPED_TEST(SortTest, ARecordHasEightBytes) {
  using T = TypeParam;
  for (const uint32_t count : {0u, 1u, 32u, 100u}) {
    EXPECT_EQ(GetSortOffset<T>(count) * sizeof(T), count * 8);
    EXPECT_EQ(GetSortLen<T>(count) * sizeof(T), count * 8);
  }
}

TYPED_TEST(SortTest, RunsOf32AndFullSortsAreDescendingAndStable) {
  using T = TypeParam;
  for (uint32_t repeats : {1u, 2u, 4u, 5u, 9u, 17u, 33u}) {
    const uint32_t size = repeats * 32;
    std::vector<T> x = Scores<T>(size, repeats);
    std::vector<uint32_t> index(size);
    for (uint32_t i = 0; i < size; ++i) index[i] = 1000 + i;
    Gm<T> gx(x), gv(2 * size);
    Gm<uint32_t> gi(index), go(2 * size);
    const LaunchResult result = Launch(
        {},
        [](GM_ADDR x, GM_ADDR index, GM_ADDR v, GM_ADDR o, uint32_t repeats) {
          const uint32_t size = repeats * 32;
          LocalTensor<T> lx = Ub<T>(0, size), sorted = Ub<T>(16384, GetSortLen<T>(size)),
                         tmp = Ub<T>(32768, GetSortLen<T>(size)), concat, lv = Ub<T>(65536, size);
          LocalTensor<uint32_t> li = Ub<uint32_t>(49152, size), lo = Ub<uint32_t>(81920, size);
          DataCopy(lx, In<T>(x), size);
          DataCopy(li, In<uint32_t>(index), size);
          Concat(concat, lx, tmp, repeats);
          Sort<T, false>(sorted, concat, li, tmp, repeats);
          Extract(lv, lo, sorted, repeats);
          DataCopy(In<T>(v), lv, size);
          DataCopy(In<uint32_t>(o), lo, size);
          Sort<T, true>(sorted, concat, li, tmp, repeats);
          Extract(lv, lo, sorted, repeats);
          DataCopy(In<T>(v)[size], lv, size);
          DataCopy(In<uint32_t>(o)[size], lo, size);
        },
        gx, gi, gv, go, repeats);
    ASSERT_TRUE(result.ok) << result.report;
    for (uint32_t first = 0; first < size; first += 32) {
      const std::vector<uint32_t> order = Descending(x, first, first + 32);
      for (uint32_t i = 0; i < 32; ++i) {
        ASSERT_EQ(float(gv[first + i]), float(x[order[i]]));
        ASSERT_EQ(go[first + i], 1000 + order[i]) << first << " " << i;
      }
    }
    const std::vector<uint32_t> order = Descending(x, 0, size);
    for (uint32_t i = 0; i < size; ++i) ASSERT_EQ(go[size + i], 1000 + order[i]) << repeats;
  }
}

TYPED_TEST(SortTest, MergesOfTwoToFourListsCountWhatTheyUse) {
  using T = TypeParam;
  constexpr uint32_t kWords = 8 / sizeof(T);
  for (uint32_t lists : {2u, 3u, 4u}) {
    for (bool suspend : {false, true}) {
      const uint16_t lengths[4] = {32, 5, 17, 32};
      std::vector<T> x = Scores<T>(128, 100 + lists);
      Gm<T> gx(x), gr(128 * kWords);
      Gm<uint32_t> gn(16);
      const LaunchResult result = Launch(
          {},
          [](GM_ADDR x, GM_ADDR r, GM_ADDR n, uint32_t lists, bool suspend) {
            const uint16_t lengths[4] = {32, 5, 17, 32};
            LocalTensor<T> lx = Ub<T>(0, 128), runs = Ub<T>(4096, 128 * kWords),
                           merged = Ub<T>(8192, 128 * kWords);
            LocalTensor<uint32_t> li = Ub<uint32_t>(2048, 128);
            for (int i = 0; i < 128; ++i) li.SetValue(i, i);
            DataCopy(lx, In<T>(x), 128);
            Sort32(runs, lx, li, 4);
            MrgSortSrcList<T> src(runs[0], runs[32 * kWords], runs[64 * kWords], runs[96 * kWords]);
            const uint16_t valid = lists == 2 ? 3 : lists == 3 ? 7 : 15;
            MrgSort(merged, src, MrgSort4Info(lengths, suspend, valid, 1));
            DataCopy(In<T>(r), merged, 128 * kWords);
            uint16_t counts[4];
            GetMrgSortResult(counts[0], counts[1], counts[2], counts[3]);
            for (int i = 0; i < 4; ++i) In<uint32_t>(n).SetValue(i, counts[i]);
            uint32_t used[4] = {77, 77, 77, 77};
            MrgSort<T, true>(merged, src, lengths, used, valid, 1);
            for (int i = 0; i < 4; ++i) In<uint32_t>(n).SetValue(4 + i, used[i]);
          },
          gx, gr, gn, lists, suspend);
      ASSERT_TRUE(result.ok) << result.report;
      // The reference: a stable sort of what the lists hold, list by list.
      std::vector<uint32_t> all;
      for (uint32_t l = 0; l < lists; ++l) {
        const std::vector<uint32_t> run = Descending(x, l * 32, l * 32 + 32);
        all.insert(all.end(), run.begin(), run.begin() + lengths[l]);
      }
      std::stable_sort(all.begin(), all.end(), [&](uint32_t a, uint32_t b) { return x[a] > x[b]; });
      uint32_t used[4] = {}, written = 0;
      for (bool empty = false; written < all.size() && !(suspend && empty); ++written) {
        const uint32_t list = all[written] / 32;
        empty = ++used[list] == lengths[list];
      }
      for (uint32_t i = 0; i < written; ++i) {
        uint32_t index;
        std::memcpy(&index, reinterpret_cast<const uint8_t*>(gr.data()) + i * 8 + 4, 4);
        ASSERT_EQ(index, all[i]) << lists << " lists, record " << i;
        ASSERT_EQ(float(gr[i * kWords]), float(x[all[i]]));
      }
      for (uint32_t l = 0; l < lists; ++l) EXPECT_EQ(gn[l], used[l]) << suspend;
      if (suspend) {
        for (uint32_t l = 0; l < lists; ++l) EXPECT_EQ(gn[4 + l], used[l]);
      }
    }
  }
}

TYPED_TEST(SortTest, RepeatedMergesTakeFourAdjoiningListsEach) {
  using T = TypeParam;
  constexpr uint32_t kWords = 8 / sizeof(T);
  std::vector<T> x = Scores<T>(256, 8);
  Gm<T> gx(x), gr(256 * kWords);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR r) {
        LocalTensor<T> lx = Ub<T>(0, 256), runs = Ub<T>(4096, 256 * kWords),
                       merged = Ub<T>(8192, 256 * kWords);
        LocalTensor<uint32_t> li = Ub<uint32_t>(2048, 256);
        for (int i = 0; i < 256; ++i) li.SetValue(i, i);
        DataCopy(lx, In<T>(x), 256);
        Sort32(runs, lx, li, 8);
        const uint16_t lengths[4] = {32, 32, 32, 32};
        MrgSort(merged,
                MrgSortSrcList<T>(runs, runs[32 * kWords], runs[64 * kWords], runs[96 * kWords]),
                MrgSort4Info(lengths, false, 15, 2));
        DataCopy(In<T>(r), merged, 256 * kWords);
      },
      gx, gr);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t half_of = 0; half_of < 2; ++half_of) {
    const std::vector<uint32_t> order = Descending(x, half_of * 128, half_of * 128 + 128);
    for (uint32_t i = 0; i < 128; ++i)
      ASSERT_EQ(float(gr[(half_of * 128 + i) * kWords]), float(x[order[i]]));
  }
}

TEST(FullSortTest, ANanOfALaterRunComesBeforeAllNumbers) {
  Gm<uint32_t> first(1);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR first) {
        LocalTensor<float> x = Ub<float>(0, 64), sorted = Ub<float>(4096, 128),
                           tmp = Ub<float>(8192, 128), value = Ub<float>(12288, 64);
        LocalTensor<uint32_t> index = Ub<uint32_t>(16384, 64), out = Ub<uint32_t>(20480, 64);
        for (uint32_t i = 0; i < 64; ++i) x.SetValue(i, 1.0f * i), index.SetValue(i, i);
        x.SetValue(5, INFINITY);
        x.SetValue(40, NAN);
        Sort<float, true>(sorted, x, index, tmp, 2);
        Extract(value, out, sorted, 2);
        CORE_CHECK(out.GetValue(1) == 5);
        In<uint32_t>(first).SetValue(0, out.GetValue(0));
      },
      first);
  ASSERT_TRUE(result.ok) << result.report;
  EXPECT_EQ(first[0], 40u);
}

TEST(SortFaultTest, UnknownValidBitsAndOverlongListsAreRefused) {
  const auto kernel = [](uint32_t valid, uint32_t length) {
    const uint16_t lengths[4] = {static_cast<uint16_t>(length), 0, 0, 0};
    LocalTensor<float> a = Ub<float>(0, 64), b = Ub<float>(65536, 64);
    MrgSort(b, MrgSortSrcList<float>(a, a, a, a),
            MrgSort4Info(lengths, false, static_cast<uint16_t>(valid), 1));
  };
  EXPECT_TRUE(Launch({}, kernel, 15u, 4095u).ok);
  EXPECT_EQ(Launch({}, kernel, 1u, 4u).kind, HOSTNPU_FAULT_ARGUMENT);
  EXPECT_EQ(Launch({}, kernel, 15u, 4096u).kind, HOSTNPU_FAULT_ARGUMENT);
}

TEST(ProposalTest, SixteenAreSortedAndMergedByTheirScores) {
  std::vector<half> scores(32), labels(32);
  for (int i = 0; i < 32; ++i) scores[i] = half(i * 7 % 32), labels[i] = half(i);
  Gm<half> gs(scores), gl(labels), gz(64);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR s, GM_ADDR l, GM_ADDR z) {
        LocalTensor<half> ls = Ub<half>(0, 32), ll = Ub<half>(1024, 32), p = Ub<half>(2048, 256),
                          sorted = Ub<half>(4096, 256), lz = Ub<half>(8192, 64);
        DataCopy(ls, In<half>(s), 32);
        DataCopy(ll, In<half>(l), 32);
        ProposalConcat(p, ls, 2, 4);
        ProposalConcat(p, ll, 2, 5);
        RpSort16(sorted, p, 2);
        const uint16_t lengths[4] = {16, 16, 0, 0};
        MrgSort4(p, MrgSortSrcList<half>(sorted, sorted[128], sorted, sorted),
                 MrgSort4Info(lengths, false, 3, 1));
        ProposalExtract(lz, p, 2, 4);
        ProposalExtract(lz[32], p, 2, 5);
        DataCopy(In<half>(z), lz, 64);
      },
      gs, gl, gz);
  ASSERT_TRUE(result.ok) << result.report;
  const std::vector<uint32_t> order = Descending(scores, 0, 32);
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(float(gz[i]), float(scores[order[i]]));
    EXPECT_EQ(float(gz[32 + i]), float(order[i]));
  }
}

// Transpositions.

TEST(TransposeTest, A16x16MatrixTurnsInPlace) {
  std::vector<half> x(256);
  for (int i = 0; i < 256; ++i) x[i] = half(i);
  Gm<half> gx(x);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x) {
        LocalTensor<half> lx = Ub<half>(0, 256);
        DataCopy(lx, In<half>(x), 256);
        Transpose(lx, lx);
        DataCopy(In<half>(x), lx, 256);
      },
      gx);
  ASSERT_TRUE(result.ok) << result.report;
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) ASSERT_EQ(float(gx[i * 16 + j]), j * 16 + i);
}

template <typename T>
void CheckNchw() {
  constexpr uint32_t n = 2, c = 5, h = 4, w = 8, size = n * c * h * w;
  std::vector<T> x(size);
  for (uint32_t i = 0; i < size; ++i) x[i] = T(int(i % 100));
  Gm<T> gx(x), gz(size), gback(size);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR z, GM_ADDR back) {
        LocalTensor<T> lx = Ub<T>(0, size), lz = Ub<T>(8192, size);
        LocalTensor<uint8_t> tmp = Ub<uint8_t>(65536, 65536);
        DataCopy(lx, In<T>(x), size);
        Transpose(lz, lx, tmp, TransposeParamsExt(n, c, h, w, TransposeType::TRANSPOSE_NCHW2NHWC));
        Transpose(lx, lz, tmp, TransposeParamsExt(n, c, h, w, TransposeType::TRANSPOSE_NHWC2NCHW));
        DataCopy(In<T>(z), lz, size);
        DataCopy(In<T>(back), lx, size);
      },
      gx, gz, gback);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t in = 0; in < n; ++in) {
    for (uint32_t ic = 0; ic < c; ++ic) {
      for (uint32_t i = 0; i < h * w; ++i) {
        const uint32_t at = (in * c + ic) * h * w + i;
        ASSERT_EQ(float(gz[(in * h * w + i) * c + ic]), float(x[at]));
        ASSERT_EQ(float(gback[at]), float(x[at]));
      }
    }
  }
}
TEST(TransposeTest, NchwBecomesNhwcAndComesBack) {
  CheckNchw<int8_t>();
  CheckNchw<half>();
  CheckNchw<float>();
}

TEST(TransDataTo5HdTest, Rows16BitTurnOverRepeatsAndAddressKinds) {
  std::vector<uint16_t> x(1024);
  for (int i = 0; i < 1024; ++i) x[i] = static_cast<uint16_t>(i);
  Gm<uint16_t> gx(x), gz(4096);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR z) {
        LocalTensor<uint16_t> lx = Ub<uint16_t>(0, 1024), lz = Ub<uint16_t>(8192, 4096);
        DataCopy(lx, In<uint16_t>(x), 1024);
        LocalTensor<uint16_t> src[16], dst[16];
        uint64_t src_at[16], dst_at[16];
        __ubuf__ uint16_t *from[16], *to[16];
        LocalTensor<uint64_t> src_in_ub = Ub<uint64_t>(65536, 16),
                              dst_in_ub = Ub<uint64_t>(66560, 16);
        for (int i = 0; i < 16; ++i) {
          src[i] = lx[i * 16];
          dst[i] = lz[i * 16];
          src_at[i] = (uint64_t)lx[i * 16].GetPhyAddr();
          dst_at[i] = (uint64_t)lz[1024 + i * 16].GetPhyAddr();
          src_in_ub.SetValue(i, (uint64_t)lx[i * 16].GetPhyAddr());
          dst_in_ub.SetValue(i, (uint64_t)lz[2048 + i * 16].GetPhyAddr());
          from[i] = (__ubuf__ uint16_t*)lx[i * 16].GetPhyAddr();
          to[i] = (__ubuf__ uint16_t*)(lz.GetPhyAddr() + (3072 + i * 16) * sizeof(uint16_t));
        }
        const TransDataTo5HDParams params(false, false, 4, 16, 16);
        TransDataTo5HD<uint16_t>(dst, src, params);
        TransDataTo5HD<uint16_t>(dst_at, src_at, params);
        TransDataTo5HD<uint16_t>(dst_in_ub, src_in_ub, params);
        TransDataTo5HDImpl(to, from, params);
        DataCopy(In<uint16_t>(z), lz, 4096);
      },
      gx, gz);
  ASSERT_TRUE(result.ok) << result.report;
  for (int form = 0; form < 4; ++form)
    for (int r = 0; r < 4; ++r)
      for (int i = 0; i < 16; ++i)
        for (int j = 0; j < 16; ++j)
          ASSERT_EQ(gz[form * 1024 + r * 256 + i * 16 + j], r * 256 + j * 16 + i) << form;
}

TEST(TransDataTo5HdTest, Rows32BitFillTwoRowsPerColumn) {
  std::vector<float> x(128);
  for (int i = 0; i < 128; ++i) x[i] = i;
  Gm<float> gx(x), gz(128);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR z) {
        LocalTensor<float> lx = Ub<float>(0, 128), lz = Ub<float>(8192, 128);
        DataCopy(lx, In<float>(x), 128);
        LocalTensor<float> src[16], dst[16];
        for (int i = 0; i < 16; ++i) src[i] = lx[i * 8], dst[i] = lz[i * 8];
        TransDataTo5HD<float>(dst, src, TransDataTo5HDParams(false, false, 1, 0, 0));
        DataCopy(In<float>(z), lz, 128);
      },
      gx, gz);
  ASSERT_TRUE(result.ok) << result.report;
  for (int column = 0; column < 8; ++column)
    for (int row = 0; row < 16; ++row) ASSERT_EQ(gz[column * 16 + row], row * 8 + column);
}

TEST(TransDataTo5HdTest, Rows8BitTakeHalvesOfBlocks) {
  std::vector<uint8_t> x(512);
  for (int i = 0; i < 512; ++i) x[i] = static_cast<uint8_t>(i % 251);
  for (bool dst_high : {false, true}) {
    for (bool src_high : {false, true}) {
      Gm<uint8_t> gx(x), gz(512);
      const LaunchResult result = Launch(
          {},
          [](GM_ADDR x, GM_ADDR z, bool dst_high, bool src_high) {
            LocalTensor<uint8_t> lx = Ub<uint8_t>(0, 512), lz = Ub<uint8_t>(8192, 512);
            DataCopy(lx, In<uint8_t>(x), 512);
            DataCopy(lz, In<uint8_t>(z), 512);
            LocalTensor<uint8_t> src[16], dst[16];
            for (int i = 0; i < 16; ++i) src[i] = lx[i * 32], dst[i] = lz[i * 32];
            TransDataTo5HD<uint8_t>(dst, src, TransDataTo5HDParams(dst_high, src_high, 1, 0, 0));
            DataCopy(In<uint8_t>(z), lz, 512);
          },
          gx, gz, dst_high, src_high);
      ASSERT_TRUE(result.ok) << result.report;
      for (int i = 0; i < 16; ++i) {
        for (int j = 0; j < 16; ++j) {
          ASSERT_EQ(gz[i * 32 + (dst_high ? 16 : 0) + j], x[j * 32 + (src_high ? 16 : 0) + i]);
          ASSERT_EQ(gz[i * 32 + (dst_high ? 0 : 16) + j], 0xA5) << "the other half stays";
        }
      }
    }
  }
}

TEST(TransDataTo5HdTest, HalvesOfWiderTypesAreRefused) {
  const auto kernel = [](bool high) {
    LocalTensor<half> x = Ub<half>(0, 256);
    LocalTensor<half> list[16];
    for (int i = 0; i < 16; ++i) list[i] = x[i * 16];
    TransDataTo5HD<half>(list, list, TransDataTo5HDParams(high, false, 1, 0, 0));
  };
  EXPECT_TRUE(Launch({}, kernel, false).ok);
  EXPECT_EQ(Launch({}, kernel, true).kind, HOSTNPU_FAULT_ARGUMENT);
}

TEST(ListTensorTest, ReadsShapesPointersAndRefusesTheNextTensor) {
  Gm<float> a(6), b(20);
  // Two tensors of two dims: [3, 2] and [4, 5].
  std::vector<uint64_t> words = {7 * 8, 2 | uint64_t{2} << 32, 3, 2, 2 | uint64_t{1} << 32, 4, 5};
  words.push_back(reinterpret_cast<uint64_t>(a.data()));
  words.push_back(reinterpret_cast<uint64_t>(b.data()));
  Gm<uint64_t> list(words), out(8);
  const auto kernel = [](GM_ADDR list, GM_ADDR out, uint32_t index) {
    ListTensorDesc tensors((__gm__ void*)list);
    uint64_t shape[8];
    TensorDesc<float> desc;
    desc.SetShapeAddr(shape);
    tensors.GetDesc(desc, index);
    GlobalTensor<uint64_t> o = In<uint64_t>(out);
    o.SetValue(0, tensors.GetSize());
    o.SetValue(1, desc.GetDim());
    o.SetValue(2, desc.GetShape(0));
    o.SetValue(3, desc.GetShape(1));
    o.SetValue(4, (uint64_t)desc.GetDataPtr());
    o.SetValue(5, desc.GetIndex());
    o.SetValue(6, desc.GetDataObj().GetSize());
  };
  ASSERT_TRUE(Launch({}, kernel, list, out, 1u).ok);
  EXPECT_EQ(out.ToVector()[0], 2u);
  EXPECT_EQ(out[1], 2u);
  EXPECT_EQ(out[2], 4u);
  EXPECT_EQ(out[3], 5u);
  EXPECT_EQ(out[4], reinterpret_cast<uint64_t>(b.data()));
  EXPECT_EQ(out[5], 1u);
  EXPECT_EQ(out[6], 20u);
  EXPECT_EQ(Launch({}, kernel, list, out, 2u).kind, HOSTNPU_FAULT_ARGUMENT);
}

TEST(ScalarTest, BitsOfAValueAreANumber) {
  EXPECT_EQ(GetScalarBitcodeValue(1.0f), 0x3F800000u);
  EXPECT_EQ(GetScalarBitcodeValue(half(-2)), 0xC000u);
  EXPECT_EQ((GetScalarBitcodeValue<uint16_t, half>(0x3C00)), half(1));
}

TEST(ScalarTest, CountsBits) {
  EXPECT_EQ(GetBitCount<1>(0xF0u), 4);
  EXPECT_EQ(ScalarGetCountOfValue<0>(0xF0u), 60);
  EXPECT_EQ(CountLeadingZero(0), 64);
  EXPECT_EQ(ScalarCountLeadingZero(1), 63);
  EXPECT_EQ(GetSFFValue<1>(0x28), 3);
  EXPECT_EQ(ScalarGetSFFValue<0>(7), 3);
  EXPECT_EQ(GetSFFValue<1>(0), -1);
  EXPECT_EQ(CountBitsCntSameAsSignBit(1), 62);
  EXPECT_EQ(float(ScalarCast<float, half, RoundMode::CAST_ROUND>(1.0f + 1.0f / 2048)),
            float(half(1.0f + 1.0f / 1024)));
  EXPECT_EQ(float(ScalarCast<float, half, RoundMode::CAST_RINT>(1.0f + 1.0f / 2048)), 1.0f);
  EXPECT_EQ(float(ScalarCast<float, half, RoundMode::CAST_FLOOR>(-1.0f - 1.0f / 4096)),
            float(half(-1.0f - 1.0f / 1024)));
  EXPECT_EQ((ScalarCast<float, int32_t, RoundMode::CAST_RINT>(2.5f)), 2);
  EXPECT_EQ((ScalarCast<float, int32_t, RoundMode::CAST_CEIL>(2.1f)), 3);
  EXPECT_EQ((ScalarCast<float, int32_t, RoundMode::CAST_ROUND>(3e10f)), 2147483647);
  EXPECT_EQ(ToFloat(ToBfloat16(1.0f + 1.0f / 512)), 1.0f);
}

}  // namespace
}  // namespace hostnpu::testing
