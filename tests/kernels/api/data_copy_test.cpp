// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include "tensors.h"

namespace hostnpu::testing {
namespace {

using namespace AscendC;

std::vector<uint8_t> Bytes(size_t size) {
  std::vector<uint8_t> values(size);
  for (size_t i = 0; i < size; ++i) values[i] = static_cast<uint8_t>(i * 7 + i / 251);
  return values;
}

TEST(DataCopyTest, BurstsTakeTheirGapsOnBothSides) {
  std::vector<uint16_t> x = Counting<uint16_t>(2048);
  Gm<uint16_t> gx(x), gz(2048);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR z) {
        LocalTensor<uint16_t> lx = Ub<uint16_t>(0, 2048), ly = Ub<uint16_t>(8192, 2048);
        DataCopy(lx, In<uint16_t>(x), DataCopyParams(5, 3, 2, 1));  // rows of 48, gaps 32 and 16
        DataCopy(ly, lx, DataCopyParams(5, 3, 1, 0));               // and close up within UB
        DataCopy(In<uint16_t>(z), ly, DataCopyParams(5, 3, 0, 4));  // rows of 48 every 112
      },
      gx, gz);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t row = 0; row < 5; ++row) {
    for (uint32_t i = 0; i < 48; ++i) ASSERT_EQ(gz[row * 112 + i], row * 80 + i) << row;
    EXPECT_EQ(gz[row * 112 + 48], 0xA5A5) << "gaps are not written";
  }
}

TEST(DataCopyTest, TheInstructionBringsATilingToUbWhereItsMembersAreRead) {
  struct Tiling {
    uint64_t rows;
    uint32_t columns;
    float scale;
    uint8_t rest[48];
  };
  const Tiling tiling = {1ull << 40, 77, 1.5f, {}};
  std::vector<uint8_t> bytes(sizeof(tiling));
  std::memcpy(bytes.data(), &tiling, sizeof(tiling));
  Gm<uint8_t> gt(bytes), gz(sizeof(tiling));
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR t, GM_ADDR z) {
        __ubuf__ uint8_t* in_ub = (__ubuf__ uint8_t*)get_imm(1024);
        copy_gm_to_ubuf((__ubuf__ void*)in_ub, (__gm__ void*)t, 0, 1, 2, 0, 0);
        pipe_barrier(PIPE_ALL);
        auto* out = reinterpret_cast<__gm__ Tiling*>(z);
        out->rows = *(__ubuf__ uint64_t*)in_ub;
        out->columns = *(__ubuf__ uint32_t*)(in_ub + 8);
        out->scale = *(__ubuf__ float*)(in_ub + 12);
      },
      gt, gz);
  ASSERT_TRUE(result.ok) << result.report;
  Tiling read;
  std::memcpy(&read, &gz[0], sizeof(read));
  EXPECT_EQ(read.rows, tiling.rows);
  EXPECT_EQ(read.columns, tiling.columns);
  EXPECT_EQ(read.scale, tiling.scale);
}

TEST(DataCopyTest, ASliceOfThreeDimensionsIsCopiedToUbAndBack) {
  // 4 x 6 x 64, of it [1, 3] step 2, [2, 5] step 3, [16, 47].
  std::vector<float> x = Counting<float>(4 * 6 * 64);
  Gm<float> gx(x), gz(4 * 6 * 64);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR z) {
        const uint32_t whole[] = {64, 6, 4}, part[] = {32, 2, 2};
        GlobalTensor<float> gx = In<float>(x), gz = In<float>(z);
        LocalTensor<float> lx = Ub<float>(0, 128);
        gx.SetShapeInfo(ShapeInfo(3, whole));
        gz.SetShapeInfo(ShapeInfo(3, whole));
        lx.SetShapeInfo(ShapeInfo(3, part));
        const SliceInfo from[] = {{16, 47, 0, 4, 0}, {2, 5, 2, 1, 0}, {1, 3, 1, 1, 0}};
        const SliceInfo to[] = {{0, 31, 0, 4, 0}, {0, 1, 0, 1, 0}, {0, 1, 0, 1, 0}};
        DataCopy(lx, gx, to, from, 3);
        DataCopy(gz, lx, from, to, 3);
      },
      gx, gz);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t a = 0; a < 4; ++a) {
    for (uint32_t b = 0; b < 6; ++b) {
      for (uint32_t c = 0; c < 64; ++c) {
        const uint32_t at = (a * 6 + b) * 64 + c;
        const bool inside = (a == 1 || a == 3) && (b == 2 || b == 5) && c >= 16 && c < 48;
        uint32_t raw;
        std::memcpy(&raw, &gz[at], 4);
        if (inside) {
          ASSERT_EQ(gz[at], x[at]) << a << " " << b << " " << c;
        } else {
          ASSERT_EQ(raw, 0xA5A5A5A5u) << a << " " << b << " " << c;
        }
      }
    }
  }
}

/// One row layout of DataCopyPad, on every byte length around the edges of a block.
template <typename T>
void CheckPad(uint32_t elements, uint32_t left, uint32_t right, bool is_pad, uint32_t rows,
              uint32_t gm_gap, uint32_t ub_gap) {
  const uint32_t bytes = elements * sizeof(T);
  const uint32_t used = (left + elements + right) * sizeof(T);
  const uint32_t in_ub = (used + 31) / 32 * 32;
  std::vector<uint8_t> x = Bytes(rows * (bytes + gm_gap) + 64);
  Gm<uint8_t> gx(x), gub(32768), gz(rows * (bytes + gm_gap) + 64);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR ub, GM_ADDR z, uint32_t bytes, uint32_t left, uint32_t right,
         bool is_pad, uint32_t rows, uint32_t gm_gap, uint32_t ub_gap) {
        LocalTensor<T> lx = Ub<T>(0, 32768 / sizeof(T));
        DataCopy(lx, In<T>(ub), 32768 / sizeof(T));  // 0xA5 everywhere
        const auto wide = static_cast<uint16_t>(rows);
        DataCopyPad(
            lx, In<T>(x), DataCopyExtParams(wide, bytes, gm_gap, ub_gap, 0),
            DataCopyPadExtParams<T>(is_pad, static_cast<uint8_t>(left), static_cast<uint8_t>(right),
                                    T(sizeof(T) == 8 ? 0 : 9)));
        DataCopy(In<T>(ub), lx, 32768 / sizeof(T));
        if (left == 0) {  // rows back to GM as they were
          const uint32_t wider = right * sizeof(T) + bytes;
          const uint32_t skipped = (wider + 31) / 32 - (bytes + 31) / 32;
          DataCopyPad(In<T>(z), lx, DataCopyExtParams(wide, bytes, ub_gap + skipped, gm_gap, 0));
        }
      },
      gx, gub, gz, bytes, left, right, is_pad, rows, gm_gap, ub_gap);
  ASSERT_TRUE(result.ok) << result.report;
  const uint32_t unit = sizeof(T) == 8 ? 4 : sizeof(T);
  for (uint32_t row = 0; row < rows; ++row) {
    const uint8_t* from = x.data() + row * (bytes + gm_gap);
    const uint8_t* to = gub.data() + row * (in_ub + ub_gap * 32);
    const T value = T(sizeof(T) == 8 ? 0 : 9);
    uint8_t pad[8];
    std::memcpy(pad, &value, sizeof(T));
    for (uint32_t i = 0; i < in_ub; ++i) {
      const uint32_t begin = left * sizeof(T), end = begin + bytes;
      uint8_t expected;
      if (i >= begin && i < end) {
        expected = from[i - begin];
      } else if (left == 0 && right == 0) {
        expected = from[(i - end) % unit];  // the row's first element again
      } else {
        expected = is_pad ? pad[(i < begin ? i : i - end) % unit] : 0xFF;
      }
      ASSERT_EQ(to[i], expected) << "row " << row << " byte " << i << " of " << elements << " + "
                                 << left << "/" << right;
    }
    if (ub_gap != 0 && row + 1 < rows) EXPECT_EQ(to[in_ub], 0xA5);
    if (left != 0) continue;
    const uint8_t* back = gz.data() + row * (bytes + gm_gap);
    EXPECT_EQ(std::memcmp(back, from, bytes), 0);
    if (gm_gap != 0) EXPECT_EQ(back[bytes], 0xA5) << "the gap is not written";
  }
}

TEST(DataCopyPadPointerTest, RowsFromAPointerArePaddedLikeThoseOfATensor) {
  Gm<uint32_t> gx(std::vector<uint32_t>{1, 2, 3, 4, 5, 6}), gz(16);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR z) {
        const LocalTensor<uint32_t> tile = Ub<uint32_t>(64, 16);
        const DataCopyExtParams rows(2, 12, 0, 0, 0);
        DataCopyPadGm2UBImpl((__ubuf__ uint32_t*)tile.GetPhyAddr(), (__gm__ uint32_t*)x, rows,
                             DataCopyPadExtParams<uint32_t>(true, 1, 2, 9));
        DataCopy(In<uint32_t>(z), tile, 16);
      },
      gx, gz);
  ASSERT_TRUE(result.ok) << result.report;
  const uint32_t expected[] = {9, 1, 2, 3, 9, 9};
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(gz[i], expected[i]) << i;
    EXPECT_EQ(gz[8 + i], expected[i] == 9 ? 9 : expected[i] + 3) << i;
  }
}

template <typename T>
class DataCopyPadTest : public ::testing::Test {};
using Types = ::testing::Types<int8_t, half, bfloat16_t, float, int32_t, int64_t>;
TYPED_TEST_SUITE(DataCopyPadTest, Types);

TYPED_TEST(DataCopyPadTest, UnpaddedRowsAreFilledWithTheirFirstElement) {
  for (uint32_t elements : {1u, 2u, 3u, 31u, 32u, 33u, 100u}) {
    CheckPad<TypeParam>(elements, 0, 0, false, 1, 0, 0);
    CheckPad<TypeParam>(elements, 0, 0, true, 3, 5, 2);
  }
}
TYPED_TEST(DataCopyPadTest, PaddingAndFillerHoldThePaddingValue) {
  const uint32_t most = 32 / sizeof(TypeParam);
  for (uint32_t elements : {1u, 5u, 32u, 77u}) {
    CheckPad<TypeParam>(elements, 0, 1, true, 2, 0, 0);
    CheckPad<TypeParam>(elements, 1, 0, true, 3, 3, 1);
    CheckPad<TypeParam>(elements, most, most, true, 2, 1, 0);
  }
}
TYPED_TEST(DataCopyPadTest, PaddingThatWasNeverGivenAValueShows) {
  CheckPad<TypeParam>(5, 0, 1, false, 2, 0, 0);
}

TEST(DataCopyPadValueTest, SetPadValueAndEarlierPaddingStandInForAMissingValue) {
  Gm<half> gx(Counting<half>(32)), gz(64);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR z) {
        LocalTensor<half> lx = Ub<half>(0, 64);
        SetPadValue(half(4));
        DataCopyPad(lx, In<half>(x), {1, 6, 0, 0}, {false, 1, 1, 0});
        DataCopyPad(lx[16], In<half>(x), DataCopyExtParams(1, 6, 0, 0, 0), {true, 1, 0, half(7)});
        DataCopyPad(lx[32], In<half>(x), DataCopyExtParams(1, 6, 0, 0, 0), {false, 1, 0, half(0)});
        DataCopy(In<half>(z), lx, 64);
      },
      gx, gz);
  ASSERT_TRUE(result.ok) << result.report;
  for (auto [at, value] : {std::pair<int, float>{0, 4}, {4, 4}, {15, 4}, {16, 7}, {32, 7}, {47, 7}})
    EXPECT_EQ(float(gz[at]), value) << at;
  EXPECT_EQ(float(gz[2]), 1.0f);
}

TEST(DataCopyPadValueTest, TheOlderRecordsTakeElementsOnEachSideAndTheRawBitsOfTheValue) {
  const DataCopyPadParams pad(true, 3, 2, 0x4880);  // 9 as a half
  EXPECT_TRUE(pad.isPad);
  EXPECT_EQ(pad.leftPadding, 3);
  EXPECT_EQ(pad.rightPadding, 2);
  EXPECT_EQ(pad.paddingValue, 0x4880u);
  EXPECT_FALSE(DataCopyPadParams().isPad);
  Gm<half> gx(Counting<half>(64)), gz(64);
  const auto kernel = [](GM_ADDR x, GM_ADDR z, uint32_t left) {
    const LocalTensor<half> lx = Ub<half>(0, 64);
    Duplicate(lx, half(-1), 64);
    DataCopyPad(lx, In<half>(x), DataCopyParams(2, 22, 8, 1),  // 11 of every 15
                DataCopyPadParams(true, static_cast<uint8_t>(left), 2, 0x4880));
    DataCopy(In<half>(z), lx, 64);
  };
  const LaunchResult result = Launch({}, kernel, gx, gz, 3u);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t i = 0; i < 64; ++i) {
    const uint32_t row = i / 32, at = i % 32;
    const float expected = at >= 16                 ? -1.0f
                           : at < 3 || at - 3 >= 11 ? 9.0f
                                                    : static_cast<float>(row * 15 + at - 3);
    EXPECT_EQ(float(gz[i]), expected) << i;
  }
  EXPECT_TRUE(Launch({}, kernel, gx, gz, 16u).ok);
  EXPECT_EQ(Launch({}, kernel, gx, gz, 17u).kind, HOSTNPU_FAULT_ARGUMENT);
}

TEST(DataCopyTest, TheEnhancedRecordKeepsItsMembersAndChangesNothingOutsideOfL0c) {
  const DataCopyEnhancedParams enhanced(BlockMode::BLOCK_MODE_VECTOR, DeqScale::DEQ8, 5, 1, true,
                                        pad_t::PAD_MODE3, 7);
  EXPECT_EQ(enhanced.blockMode, BlockMode::BLOCK_MODE_VECTOR);
  EXPECT_EQ(enhanced.deqScale, DeqScale::DEQ8);
  EXPECT_EQ(enhanced.deqValue, 5u);
  EXPECT_EQ(enhanced.sidStoreMode, 1);
  EXPECT_TRUE(enhanced.isRelu);
  EXPECT_EQ(enhanced.padMode, pad_t::PAD_MODE3);
  EXPECT_EQ(enhanced.padValue, 7u);
  std::vector<int32_t> x(160);
  for (int32_t i = 0; i < 160; ++i) x[static_cast<size_t>(i)] = i - 80;  // a relu would show
  Gm<int32_t> gx(x), gz(160);
  const auto kernel = [](GM_ADDR x, GM_ADDR z, uint32_t rows) {
    const DataCopyEnhancedParams enhanced(BlockMode::BLOCK_MODE_VECTOR, DeqScale::DEQ8, 5, 1, true,
                                          pad_t::PAD_MODE3, 7);
    const LocalTensor<int32_t> lx = Ub<int32_t>(0, 128), ly = Ub<int32_t>(512, 128);
    const auto count = static_cast<uint16_t>(rows);
    DataCopy(lx, In<int32_t>(x), DataCopyParams(count, 2, 3, 1), enhanced);  // 16 of every 40
    DataCopy(ly, lx, DataCopyParams(count, 2, 1, 0), enhanced);
    DataCopy(In<int32_t>(z), ly, DataCopyParams(count, 2, 0, 2), enhanced);  // 16 of every 32
  };
  const LaunchResult result = Launch({}, kernel, gx, gz, 4u);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t row = 0; row < 4; ++row) {
    for (uint32_t i = 0; i < 16; ++i)
      ASSERT_EQ(gz[row * 32 + i], static_cast<int32_t>(row * 40 + i) - 80) << row << " " << i;
    EXPECT_EQ(static_cast<uint32_t>(gz[row * 32 + 16]), 0xA5A5A5A5u);
  }
  EXPECT_EQ(Launch({}, kernel, gx, gz, 5u).kind, HOSTNPU_FAULT_GM_BOUNDS);
}

TEST(NdNzTest, RowsBecomeFractalsAndComeBack) {
  constexpr uint32_t kRows = 5, kColumns = 37;
  std::vector<half> x(2 * kRows * 48);
  for (size_t i = 0; i < x.size(); ++i) x[i] = half(int(i));
  Gm<half> gx(x), gz(4096), gback(2 * kRows * 48);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR z, GM_ADDR back) {
        LocalTensor<half> lx = Ub<half>(0, 4096);
        DataCopy(lx, In<half>(z), 4096);
        DataCopy(lx, In<half>(x), Nd2NzParams(2, kRows, kColumns, kRows * 48, 48, 8, 1, 512));
        DataCopy(In<half>(z), lx, 4096);
        DataCopy(In<half>(back), lx, Nz2NdParamsFull(2, kRows, 48, 2, 8, 48, kRows * 48));
      },
      gx, gz, gback);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t m = 0; m < 2; ++m) {
    for (uint32_t n = 0; n < kRows; ++n) {
      for (uint32_t d = 0; d < 48; ++d) {
        const float expected = d < kColumns ? float(x[(m * kRows + n) * 48 + d]) : 0.0f;
        EXPECT_EQ(float(gz[m * 512 + d / 16 * 8 * 16 + n * 16 + d % 16]), expected);
        EXPECT_EQ(float(gback[(m * kRows + n) * 48 + d]), expected);
      }
    }
  }
  EXPECT_EQ(BitsOf(gz[kRows * 16]), 0xA5A5) << "rows beyond nValue are not written";
}

TEST(GmFillTest, FillsExactlyItsElements) {
  Gm<int32_t> gz(1001), gy(64);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR z, GM_ADDR y) {
        GlobalTensor<int32_t> gz = In<int32_t>(z), gy = In<int32_t>(y);
        InitGlobalMemory(gz, 1000, 7);
        InitOutput<int32_t>(gy, 3, -1);
        WriteGmByPassDCache((__gm__ int32_t*)y + 5, 12);
        gy.SetValue(6, ReadGmByPassDCache((__gm__ int32_t*)y + 5) + 1);
      },
      gz, gy);
  ASSERT_TRUE(result.ok) << result.report;
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(gz[i], 7);
  EXPECT_EQ(static_cast<uint32_t>(gz[1000]), 0xA5A5A5A5u);
  EXPECT_EQ(gy[2], -1);
  EXPECT_EQ(static_cast<uint32_t>(gy[3]), 0xA5A5A5A5u);
  EXPECT_EQ(gy[6], 13);
}

// Faults: each guilty case beside its innocent neighbour.

TEST(DataCopyFaultTest, AGmOverrunByOneBlockIsNamedWithItsBuffer) {
  Gm<float> gx(100, "input x");
  const auto kernel = [](GM_ADDR x, uint32_t count) {
    DataCopy(Ub<float>(0, 256), In<float>(x), count);
  };
  EXPECT_TRUE(Launch({}, kernel, gx, 96u).ok);
  const LaunchResult guilty = Launch({}, kernel, gx, 104u);
  EXPECT_EQ(guilty.kind, HOSTNPU_FAULT_GM_BOUNDS);
  EXPECT_NE(guilty.message.find("input x"), std::string::npos) << guilty.message;
}

TEST(DataCopyFaultTest, TheInstructionIsCheckedOnBothSides) {
  Gm<uint8_t> gx(96, "the tiling");
  const auto kernel = [](GM_ADDR x, uint64_t offset, uint32_t blocks) {
    copy_gm_to_ubuf((__ubuf__ void*)get_imm(offset), (__gm__ void*)x, 0, 1,
                    static_cast<uint16_t>(blocks), 0, 0);
  };
  EXPECT_TRUE(Launch({}, kernel, gx, uint64_t{0}, 3u).ok);
  const LaunchResult beyond = Launch({}, kernel, gx, uint64_t{0}, 4u);
  EXPECT_EQ(beyond.kind, HOSTNPU_FAULT_GM_BOUNDS);
  EXPECT_NE(beyond.message.find("copy_gm_to_ubuf"), std::string::npos) << beyond.message;
  EXPECT_NE(beyond.message.find("the tiling"), std::string::npos) << beyond.message;
  EXPECT_EQ(Launch({}, kernel, gx, uint64_t{16}, 3u).kind, HOSTNPU_FAULT_ALIGNMENT);
  EXPECT_TRUE(Launch({}, kernel, gx, uint64_t{192 * 1024 - 96}, 3u).ok);
  EXPECT_EQ(Launch({}, kernel, gx, uint64_t{192 * 1024 - 64}, 3u).kind, HOSTNPU_FAULT_LOCAL_BOUNDS);
  EXPECT_EQ(Launch({}, kernel, gx, uint64_t{248 * 1024}, 3u).kind, HOSTNPU_FAULT_LOCAL_BOUNDS);
}

TEST(DataCopyFaultTest, TheGapBeyondTheLastBurstIsNotTouched) {
  Gm<float> gx(4 * 64 - 32, "x");
  const auto kernel = [](GM_ADDR x, uint32_t rows) {
    DataCopy(Ub<float>(0, 4096), In<float>(x), DataCopyParams(rows, 4, 4, 0));
  };
  EXPECT_TRUE(Launch({}, kernel, gx, 4u).ok);
  EXPECT_EQ(Launch({}, kernel, gx, 5u).kind, HOSTNPU_FAULT_GM_BOUNDS);
}

TEST(DataCopyFaultTest, ACountThatIsNoWholeBlockIsRefused) {
  Gm<half> gx(64);
  const auto kernel = [](GM_ADDR x, uint32_t count) {
    DataCopy(Ub<half>(0, 64), In<half>(x), count);
  };
  EXPECT_TRUE(Launch({}, kernel, gx, 32u).ok);
  const LaunchResult guilty = Launch({}, kernel, gx, 33u);
  EXPECT_EQ(guilty.kind, HOSTNPU_FAULT_ALIGNMENT);
  EXPECT_NE(guilty.message.find("DataCopyPad"), std::string::npos) << guilty.message;
}

TEST(DataCopyFaultTest, AUbAddressOffItsBlockNamesTheOperand) {
  Gm<half> gx(64);
  const auto kernel = [](GM_ADDR x, uint32_t offset) {
    DataCopy(In<half>(x), Ub<half>(0, 128)[offset], 16);
  };
  EXPECT_TRUE(Launch({}, kernel, gx, 16u).ok);
  const LaunchResult guilty = Launch({}, kernel, gx, 17u);
  EXPECT_EQ(guilty.kind, HOSTNPU_FAULT_ALIGNMENT);
  EXPECT_NE(guilty.message.find("src at UB byte 34"), std::string::npos) << guilty.message;
}

TEST(DataCopyFaultTest, AUbOverrunIsRefused) {
  Gm<half> gx(128);
  const auto kernel = [](GM_ADDR x, uint32_t count) {
    DataCopy(Ub<half>(196608 - 128, 64), In<half>(x), count);
  };
  EXPECT_TRUE(Launch({}, kernel, gx, 64u).ok);
  EXPECT_EQ(Launch({}, kernel, gx, 80u).kind, HOSTNPU_FAULT_LOCAL_BOUNDS);
}

TEST(DataCopyFaultTest, FieldsBeyondTheirRangeAreRefused) {
  Gm<float> gx(64);
  const auto rows = [](GM_ADDR x, uint32_t rows) {
    DataCopy(Ub<float>(0, 4096 * 8), In<float>(x),
             DataCopyParams(static_cast<uint16_t>(rows), 0, 0, 0));
  };
  EXPECT_TRUE(Launch({}, rows, gx, 4095u).ok);
  EXPECT_EQ(Launch({}, rows, gx, 4096u).kind, HOSTNPU_FAULT_ARGUMENT);
  const auto padding = [](GM_ADDR x, uint32_t left) {
    DataCopyPad(Ub<float>(0, 64), In<float>(x), DataCopyExtParams(1, 4, 0, 0, 0),
                {true, static_cast<uint8_t>(left), 0, 0.0f});
  };
  EXPECT_TRUE(Launch({}, padding, gx, 8u).ok);
  EXPECT_EQ(Launch({}, padding, gx, 9u).kind, HOSTNPU_FAULT_ARGUMENT);
}

TEST(DataCopyFaultTest, NothingMovesOnTheWrongKindOfCore) {
  Gm<float> gx(8);
  LaunchOptions cube_only;
  cube_only.aic = 1;
  cube_only.aiv = 0;
  const LaunchResult result =
      Launch(cube_only, [](GM_ADDR x) { DataCopy(In<float>(x), Ub<float>(0, 1024), 1024); }, gx);
  EXPECT_TRUE(result.ok) << result.report;
}

TEST(DataCopyFaultTest, AFillOfMoreBytesThanANumberHoldsIsOutOfBounds) {
  Gm<float> gx(64, "output x");
  const auto kernel = [](GM_ADDR x, uint64_t size) { Fill(In<float>(x), size, 1.0f); };
  EXPECT_TRUE(Launch({}, kernel, gx, uint64_t{64}).ok);
  EXPECT_EQ(gx[63], 1.0f);
  const LaunchResult guilty = Launch({}, kernel, gx, (uint64_t{1} << 62) + 1);
  EXPECT_EQ(guilty.kind, HOSTNPU_FAULT_GM_BOUNDS) << guilty.message;
}

// Atomic write-out.

template <typename T>
void CheckAtomic(T expected_add, T expected_max, T expected_min) {
  constexpr uint32_t kSize = 3000;  // several pages, each at an odd place
  std::vector<T> zero(kSize + 64, T(0));
  Gm<T> add(zero), max(zero), min(zero);
  LaunchOptions options;
  options.blocks = 20;
  const LaunchResult result = Launch(
      options,
      [](GM_ADDR add, GM_ADDR max, GM_ADDR min) {
        LocalTensor<T> x = Ub<T>(0, kSize + 64);
        for (uint32_t i = 0; i < kSize; ++i) x.SetValue(i, T(int(GetBlockIdx()) - 5));
        const DataCopyExtParams row(1, kSize * sizeof(T), 0, 0, 0);
        SetAtomicAdd<T>();
        DataCopyPad(In<T>(add)[3], x, row);
        SetAtomicMax<T>();
        DataCopyPad(In<T>(max)[3], x, row);
        SetAtomicMin<T>();
        DataCopyPad(In<T>(min)[3], x, row);
        SetAtomicNone();
        if (GetBlockIdx() != 0) return;
        DataCopyPad(In<T>(min), x, DataCopyExtParams(1, sizeof(T), 0, 0, 0));
      },
      add, max, min);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t i = 3; i < kSize + 3; ++i) {
    ASSERT_EQ(float(add[i]), float(expected_add)) << i;
    ASSERT_EQ(float(max[i]), float(expected_max)) << i;
    ASSERT_EQ(float(min[i]), float(expected_min)) << i;
  }
  EXPECT_EQ(float(add[2]), 0.0f);
  EXPECT_EQ(float(add[kSize + 3]), 0.0f);
  EXPECT_EQ(float(min[0]), -5.0f) << "what block 0 has written once the atomic was off";
}

TEST(AtomicTest, AddMaxAndMinOfManyCoresLoseNothing) {
  // Blocks 0 to 19 write -5 to 14: the sum is 90.
  CheckAtomic<float>(90, 14, -5);
  CheckAtomic<half>(90, 14, -5);
  CheckAtomic<bfloat16_t>(90, 14, -5);
  CheckAtomic<int8_t>(90, 14, -5);
  CheckAtomic<int16_t>(90, 14, -5);
  CheckAtomic<int32_t>(90, 14, -5);
}

template <AtomicDtype dtype, typename T>
void CheckStoreConfig(uint16_t code) {
  Gm<T> z(std::vector<T>(128, T(40)));
  Gm<uint16_t> seen(8);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR z, GM_ADDR seen) {
        const LocalTensor<T> x = Ub<T>(0, 64);
        for (uint32_t i = 0; i < 64; ++i) x.SetValue(i, T(int(i) - 9));
        auto* out = (__gm__ uint16_t*)seen;
        SetAtomicMin<half>();  // which the configuration replaces
        SetStoreAtomicConfig<dtype, AtomicOp::ATOMIC_SUM>();
        GetStoreAtomicConfig(out[0], out[1]);
        DataCopy(In<T>(z), x, 64);
        SetStoreAtomicConfig<AtomicDtype::ATOMIC_NONE, AtomicOp::ATOMIC_SUM>();
        GetStoreAtomicConfig(out[2], out[3]);
        DataCopy(In<T>(z)[64], x, 64);
      },
      z, seen);
  ASSERT_TRUE(result.ok) << result.report;
  EXPECT_EQ(seen[0], code);
  EXPECT_EQ(seen[1], 0);
  EXPECT_EQ(seen[2], 0);
  EXPECT_EQ(seen[3], 0);
  for (int i = 0; i < 64; ++i) {
    ASSERT_EQ(float(z[size_t(i)]), float(40 + i - 9)) << code;
    ASSERT_EQ(float(z[size_t(i) + 64]), float(i - 9)) << code;
  }
}

TEST(AtomicTest, AStoreConfigurationSumsInItsTypeAndIsReadBack) {
  CheckStoreConfig<AtomicDtype::ATOMIC_F32, float>(1);
  CheckStoreConfig<AtomicDtype::ATOMIC_F16, half>(2);
  CheckStoreConfig<AtomicDtype::ATOMIC_S16, int16_t>(3);
  CheckStoreConfig<AtomicDtype::ATOMIC_S32, int32_t>(4);
  CheckStoreConfig<AtomicDtype::ATOMIC_S8, int8_t>(5);
  CheckStoreConfig<AtomicDtype::ATOMIC_BF16, bfloat16_t>(6);
}

TEST(AtomicTest, TheTypeChangesAloneAndDisablingEndsBoth) {
  // As floats these negative integers are NaNs, of which none is larger.
  Gm<int32_t> z(std::vector<int32_t>(32, -5));
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR z) {
        const LocalTensor<int32_t> x = Ub<int32_t>(0, 8);
        for (uint32_t i = 0; i < 8; ++i) x.SetValue(i, int32_t(i) - 8);
        const GlobalTensor<int32_t> out = In<int32_t>(z);
        SetAtomicMax<float>();
        SetAtomicType<int32_t>();
        DataCopy(out, x, 8);
        DisableDmaAtomic();
        DataCopy(out[8], x, 8);
        SetAtomicType<int32_t>();  // the operation is the sum again
        DataCopy(out[16], x, 8);
        SetAtomicMin<int16_t>();
        SetAtomicType<int32_t>();
        DataCopy(out[24], x, 8);
        DisableDmaAtomic();
      },
      z);
  ASSERT_TRUE(result.ok) << result.report;
  for (int32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(z[size_t(i)], std::max(-5, i - 8)) << i;
    EXPECT_EQ(z[size_t(i) + 8], i - 8) << i;
    EXPECT_EQ(z[size_t(i) + 16], i - 13) << i;
    EXPECT_EQ(z[size_t(i) + 24], std::min(-5, i - 8)) << i;
  }
}

TEST(AtomicTest, WritingPartOfAnElementIsRefused) {
  Gm<float> sum(std::vector<float>(8));
  const auto kernel = [](GM_ADDR sum, uint32_t bytes) {
    SetAtomicAdd<float>();
    DataCopyPad(In<half>(sum), Ub<half>(0, 16), DataCopyExtParams(1, bytes, 0, 0, 0));
  };
  EXPECT_TRUE(Launch({}, kernel, sum, 8u).ok);
  const LaunchResult guilty = Launch({}, kernel, sum, 6u);
  EXPECT_EQ(guilty.kind, HOSTNPU_FAULT_ARGUMENT) << guilty.message;
  EXPECT_NE(guilty.message.find("elements of float, and 6 bytes"), std::string::npos)
      << guilty.message;
}

TEST(AtomicTest, ScalarAtomicsReturnTheOldValueAndLoseNothing) {
  Gm<int32_t> counters(std::vector<int32_t>{0, 0, 1000, 5, 0, 0, 0, 0});
  Gm<float> sum(std::vector<float>{0});
  LaunchOptions options;
  options.blocks = 30;
  const LaunchResult result = Launch(
      options,
      [](GM_ADDR counters, GM_ADDR sum) {
        auto* c = (__gm__ int32_t*)counters;
        for (int i = 0; i < 100; ++i) AtomicAdd(c, 1);
        AtomicMax(c + 1, int32_t(GetBlockIdx()));
        AtomicMin(c + 2, int32_t(GetBlockIdx()) + 7);
        if (AtomicCas(c + 3, 5, 100) == 5) AtomicAdd(c + 4, 1);
        AtomicExch(c + 5, 9);
        AtomicAdd((__gm__ float*)sum, 0.5f);
      },
      counters, sum);
  ASSERT_TRUE(result.ok) << result.report;
  EXPECT_EQ(counters.ToVector(), (std::vector<int32_t>{3000, 29, 7, 100, 1, 9, 0, 0}));
  EXPECT_EQ(sum[0], 15.0f);
}

TEST(AtomicTest, ScalarSumsWrapAround) {
  Gm<int32_t> narrow(std::vector<int32_t>{INT32_MAX, INT32_MIN});
  Gm<uint64_t> wide(std::vector<uint64_t>{UINT64_MAX - 1});
  const auto kernel = [](GM_ADDR narrow, GM_ADDR wide) {
    CORE_CHECK(AtomicAdd((__gm__ int32_t*)narrow, 3) == INT32_MAX);
    AtomicAdd((__gm__ int32_t*)narrow + 1, -1);
    AtomicAdd((__gm__ uint64_t*)wide, uint64_t{5});
  };
  const LaunchResult result = Launch({}, kernel, narrow, wide);
  ASSERT_TRUE(result.ok) << result.report;
  EXPECT_EQ(narrow.ToVector(), (std::vector<int32_t>{INT32_MIN + 2, INT32_MAX}));
  EXPECT_EQ(wide[0], 3u);
}

}  // namespace
}  // namespace hostnpu::testing
