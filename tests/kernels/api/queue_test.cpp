// Copyright 2026 The hostnpu Authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "kernel_fixture.h"

namespace hostnpu::testing {
namespace {

using namespace AscendC;

TEST(QueueTest, ADoubleBufferedVectorAddOverManyBlocksGivesTheSums) {
  constexpr uint32_t kTile = 1024;
  for (uint32_t workers : {1u, 2u, 8u}) {
    const uint32_t size = 37 * kTile;
    std::vector<float> x(size), y(size);
    for (uint32_t i = 0; i < size; ++i) x[i] = 0.5f * i, y[i] = 1.0f / (1 + i);
    Gm<float> gx(x), gy(y), gz(size);
    LaunchOptions options;
    options.blocks = 8;
    options.workers = workers;
    const LaunchResult result = Launch(
        options,
        [](GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t size) {
          TPipe pipe;
          TQue<TPosition::VECIN, 2> in_x, in_y;
          TQue<TPosition::VECOUT, 2> out;
          pipe.InitBuffer(in_x, 2, kTile * sizeof(float));
          pipe.InitBuffer(in_y, 2, kTile * sizeof(float));
          pipe.InitBuffer(out, 2, kTile * sizeof(float));
          GlobalTensor<float> gx, gy, gz;
          gx.SetGlobalBuffer((__gm__ float*)x, size);
          gy.SetGlobalBuffer((__gm__ float*)y, size);
          gz.SetGlobalBuffer((__gm__ float*)z, size);
          for (uint32_t tile = GetBlockIdx(); tile < size / kTile; tile += GetBlockNum()) {
            LocalTensor<float> lx = in_x.AllocTensor<float>();
            LocalTensor<float> ly = in_y.AllocTensor<float>();
            DataCopy(lx, gx[tile * kTile], kTile);
            DataCopy(ly, gy[tile * kTile], kTile);
            in_x.EnQue(lx);
            in_y.EnQue(ly);
            lx = in_x.DeQue<float>();
            ly = in_y.DeQue<float>();
            LocalTensor<float> lz = out.AllocTensor<float>();
            Add(lz, lx, ly, kTile);
            out.EnQue(lz);
            in_x.FreeTensor(lx);
            in_y.FreeTensor(ly);
            lz = out.DeQue<float>();
            DataCopy(gz[tile * kTile], lz, kTile);
            out.FreeTensor(lz);
          }
        },
        gx, gy, gz, size);
    ASSERT_TRUE(result.ok) << result.report;
    for (uint32_t i = 0; i < size; ++i) ASSERT_EQ(gz[i], x[i] + y[i]) << i;
  }
}

LaunchResult RunOnCore(void (*body)(), LaunchOptions options = {}) {
  return Launch(options, [](void (*the_body)()) { the_body(); }, body);
}

TEST(QueueTest, BuffersComeInTheOrderOfTheRingAndTensorsInTheOrderOfEnQue) {
  const LaunchResult result = RunOnCore([] {
    TPipe pipe;
    TQue<TPosition::VECIN, 3> queue;
    pipe.InitBuffer(queue, 3, 100);
    LocalTensor<int32_t> a = queue.AllocTensor<int32_t>();
    LocalTensor<int32_t> b = queue.AllocTensor<int32_t>();
    CORE_CHECK(a.GetSize() == 32 && b.address_.bufferAddr == 128);
    queue.EnQue(b);
    queue.EnQue(a);
    CORE_CHECK(queue.GetTensorCountInQue() == 2 && queue.VacantInQue());
    CORE_CHECK(queue.DeQue<int32_t>().address_.bufferAddr == 128);
    LocalTensor<int32_t> last = queue.DeQue<int32_t>();
    CORE_CHECK(last.address_.bufferAddr == 0 && !queue.HasTensorInQue());
    queue.FreeTensor(last);
    // The ring goes on behind the buffer taken last.
    CORE_CHECK(queue.AllocTensor<int32_t>().address_.bufferAddr == 256);
    CORE_CHECK(queue.HasIdleBuffer());
  });
  EXPECT_TRUE(result.ok) << result.report;
}

TEST(QueueTest, MisuseNamesTheQueueAndHowItStands) {
  EXPECT_EQ(
      RunOnCore([] {
        TPipe pipe;
        TQue<TPosition::VECIN, 1> queue;
        pipe.InitBuffer(queue, 2, 64);
        queue.EnQue(queue.AllocTensor<half>());
        queue.AllocTensor<half>();
        queue.AllocTensor<half>();
      }).message,
      "AllocTensor finds no free buffer (VECIN queue of depth 1 with 2 buffers of 64 bytes: 0 "
      "free, 1 allocated, 1 enqueued, 0 dequeued)");
  EXPECT_EQ(RunOnCore([] {
              TPipe pipe;
              TQue<TPosition::VECOUT, 1> queue;
              pipe.InitBuffer(queue, 1, 64);
              queue.DeQue<half>();
            }).message,
            "DeQue finds the queue empty (VECOUT queue of depth 1 with 1 buffer of 64 bytes: 1 "
            "free, 0 allocated, 0 enqueued, 0 dequeued)");
  EXPECT_EQ(RunOnCore([] {
              TPipe pipe;
              TQue<TPosition::VECIN, 1> queue;
              pipe.InitBuffer(queue, 2, 64);
              LocalTensor<half> a = queue.AllocTensor<half>();
              queue.FreeTensor(a);
              queue.FreeTensor(a);
            }).message,
            "FreeTensor is given a tensor that is free already (VECIN queue of depth 1 with 2 "
            "buffers of 64 bytes: 2 free, 0 allocated, 0 enqueued, 0 dequeued)");
  EXPECT_EQ(RunOnCore([] {
              TPipe pipe;
              TQue<TPosition::VECIN, 1> queue;
              pipe.InitBuffer(queue, 2, 64);
              queue.EnQue(queue.AllocTensor<half>());
              queue.EnQue(queue.AllocTensor<half>());
            }).message,
            "EnQue finds the queue full (VECIN queue of depth 1 with 2 buffers of 64 bytes: 0 "
            "free, 1 allocated, 1 enqueued, 0 dequeued)");
  EXPECT_EQ(RunOnCore([] {
              TPipe pipe;
              TQue<TPosition::VECIN, 1> queue, other;
              pipe.InitBuffer(queue, 1, 64);
              pipe.InitBuffer(other, 1, 64);
              other.EnQue(queue.AllocTensor<half>());
            }).message,
            "EnQue is given a tensor that is not of this queue (VECIN queue of depth 1 with 1 "
            "buffer of 64 bytes: 1 free, 0 allocated, 0 enqueued, 0 dequeued)");
  EXPECT_EQ(RunOnCore([] {
              TQue<TPosition::VECIN, 1> queue;
              queue.AllocTensor<half>();
            }).message,
            "AllocTensor is called on a VECIN queue that InitBuffer has not given buffers");
}

TEST(QueueTest, ABindingCarriesDataThroughOneBufferWithoutAnInstructionBetween) {
  Gm<int32_t> gx(640), gz(640);
  for (uint32_t i = 0; i < 640; ++i) gx[i] = static_cast<int32_t>(i * 7);
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR x, GM_ADDR z) {
        TPipe pipe;
        TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue;
        pipe.InitBuffer(queue, 2, 256);
        GlobalTensor<int32_t> gx, gz;
        gx.SetGlobalBuffer((__gm__ int32_t*)x, 640);
        gz.SetGlobalBuffer((__gm__ int32_t*)z, 640);
        for (uint32_t tile = 0; tile < 10; ++tile) {
          LocalTensor<int32_t> in = queue.AllocTensor<int32_t>();
          CORE_CHECK(in.address_.bufferAddr == tile % 2 * 256);
          CORE_CHECK(in.GetPosition() == (int32_t)TPosition::VECOUT);
          DataCopy(in, gx[tile * 64], 64);
          queue.EnQue(in);
          CORE_CHECK(pipe.FetchEventID(HardEvent::MTE2_MTE3) == 1);
          LocalTensor<int32_t> out = queue.DeQue<int32_t>();
          CORE_CHECK(pipe.FetchEventID(HardEvent::MTE2_MTE3) == 0);
          DataCopy(gz[tile * 64], out, 64);
          queue.FreeTensor(out);
          CORE_CHECK(pipe.FetchEventID(HardEvent::MTE3_MTE2) != 0);
        }
      },
      gx, gz);
  ASSERT_TRUE(result.ok) << result.report;
  EXPECT_EQ(gz.ToVector(), gx.ToVector());
  EXPECT_EQ(RunOnCore([] {
              TPipe pipe;
              TQueBind<TPosition::VECIN, TPosition::VECOUT, 2> queue;
              pipe.InitBuffer(queue, 1, 64);
              queue.DeQue<half>();
            }).message,
            "DeQue finds the queue empty (VECOUT queue of depth 2 with 1 buffer of 64 bytes: 1 "
            "free, 0 allocated, 0 enqueued, 0 dequeued)");
}

TEST(QueueTest, TheStateOfATensorIsTheStepItIsAt) {
  const LaunchResult result = RunOnCore([] {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> queue;
    pipe.InitBuffer(queue, 2, 64);
    CORE_CHECK(queue.GetState(LocalTensor<half>()) == TBufState::FREE);
    LocalTensor<half> a = queue.AllocTensor<half>(), b = queue.AllocTensor<half>();
    CORE_CHECK(queue.GetState(a) == TBufState::OCCUPIED);
    queue.EnQue(a);
    CORE_CHECK(queue.GetState(a) == TBufState::ENQUE);
    CORE_CHECK(queue.GetState(b.GetBufferHandle()) == TBufState::OCCUPIED);
    queue.DeQue<half>();
    CORE_CHECK(queue.GetState(a) == TBufState::DEQUE);
    queue.FreeTensor(a);
    CORE_CHECK(queue.GetState(a) == TBufState::FREE);
  });
  EXPECT_TRUE(result.ok) << result.report;
  EXPECT_EQ(RunOnCore([] {
              TPipe pipe;
              TQue<TPosition::VECIN, 1> queue, other;
              pipe.InitBuffer(queue, 1, 64);
              pipe.InitBuffer(other, 1, 64);
              other.GetState(queue.AllocTensor<half>());
            }).message,
            "GetState is given a tensor that is not of this queue (VECIN queue of depth 1 with 1 "
            "buffer of 64 bytes: 1 free, 0 allocated, 0 enqueued, 0 dequeued)");
}

TEST(QueueTest, FreeAllEventGivesTheEventIdsOfFreedBuffersToOtherQueues) {
  const auto kernel = [](bool frees) {
    TPipe pipe;
    TQue<TPosition::VECIN, 8> queue;
    TQue<TPosition::VECIN, 1> other;
    pipe.InitBuffer(queue, 8, 64);
    pipe.InitBuffer(other, 1, 64);
    for (int i = 0; i < 8; ++i) {
      LocalTensor<half> tensor = queue.AllocTensor<half>();
      queue.EnQue(tensor);
      queue.FreeTensor(queue.DeQue<half>());
    }
    if (frees) queue.FreeAllEvent();
    LocalTensor<half> tensor = other.AllocTensor<half>();
    other.FreeTensor(tensor);
    CORE_CHECK(pipe.FetchEventID(HardEvent::V_MTE2) == 1);
    queue.FreeAllEvent();
  };
  const LaunchResult result = Launch({}, kernel, true);
  EXPECT_TRUE(result.ok) << result.report;
  EXPECT_TRUE(result.flags_left.empty());
  EXPECT_EQ(Launch({}, kernel, false).message,
            "FreeTensor needs an event id of V_MTE2, and all 8 are taken by tensors in queues and "
            "by AllocEventID");
}

TEST(PipeTest, DestroyGivesBuffersAndEventIdsBackAndInitBeginsAnew) {
  const auto kernel = [](bool begins) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> queue;
    pipe.InitBuffer(queue, 2, 98304);
    LocalTensor<half> tensor = queue.AllocTensor<half>();
    queue.EnQue(tensor);
    queue.FreeTensor(queue.DeQue<half>());
    CORE_CHECK(pipe.FetchEventID(HardEvent::V_MTE2) == 1);
    pipe.Destroy();
    CORE_CHECK(pipe.FetchEventID(HardEvent::V_MTE2) == 0);
    pipe.Destroy();
    if (begins) pipe.Init();
    pipe.InitBuffer(queue, 2, 98304);
    CORE_CHECK(queue.AllocTensor<half>().address_.bufferAddr == 0);
  };
  const LaunchResult result = Launch({}, kernel, true);
  EXPECT_TRUE(result.ok) << result.report;
  EXPECT_TRUE(result.flags_left.empty());
  EXPECT_THAT(Launch({}, kernel, false).message,
              ::testing::HasSubstr("needs 393216 bytes of UB, which has 196608"));
  LaunchOptions cube;
  cube.aic = 1;
  cube.aiv = 0;
  const LaunchResult on_cube = RunOnCore(
      [] {
        TPipe pipe;
        CORE_CHECK(pipe.FetchEventID(HardEvent::M_MTE1) == 3);
        pipe.Destroy();
        CORE_CHECK(pipe.FetchEventID(HardEvent::M_MTE1) == 0);
      },
      cube);
  EXPECT_TRUE(on_cube.ok) << on_cube.report;
  EXPECT_TRUE(on_cube.flags_left.empty());
}

TEST(PipeTest, AnAbsoluteAddressCountsBytesAndATensorThereElements) {
  const LaunchResult result = RunOnCore([] {
    TPipe pipe;
    uint8_t* const ub = pipe.GetBaseAddr(static_cast<int8_t>(TPosition::VECIN));
    const LocalTensor<float> tensor = pipe.GetAbsAddr<TPosition::VECIN, float>(288, 24);
    CORE_CHECK(tensor.GetSize() == 24 && tensor.address_.bufferAddr == 288);
    CORE_CHECK(pipe.GetAbsAddr(tensor) == reinterpret_cast<uint64_t>(ub + 288));
    Duplicate(tensor, 2.5f, 24);
    for (int i = 0; i < 24; ++i) CORE_CHECK(reinterpret_cast<float*>(ub + 288)[i] == 2.5f);
    const TBuffAddr address = pipe.GetAbsAddr<TPosition::A1>(64, 100);
    CORE_CHECK(address.bufferAddr == 64 && address.dataLen == 100);
    CORE_CHECK(address.logicPos == static_cast<uint8_t>(TPosition::A1));
    CORE_CHECK(address.absAddr == pipe.GetBaseAddr(static_cast<int8_t>(TPosition::B1)) + 64);
  });
  EXPECT_TRUE(result.ok) << result.report;
  const auto end = [](int32_t count) {
    TPipe pipe;
    Duplicate(pipe.GetAbsAddr<TPosition::VECIN, float>(196608 - 64, 8), 1.0f, count);
  };
  EXPECT_TRUE(Launch({}, end, 16).ok);
  EXPECT_EQ(Launch({}, end, 17).kind, HOSTNPU_FAULT_LOCAL_BOUNDS);
}

/// Spills from 256 halves, counting from 1, and reads back to zeros behind them.
template <typename Body>
LaunchResult Spill(const Gm<half>& spill, const Gm<half>& seen, Body body) {
  return Launch(
      {},
      [](GM_ADDR spill_address, GM_ADDR seen_address, Body spills) {
        TPipe pipe;
        TBuf<> buffer;
        pipe.InitBuffer(buffer, 1024);
        GlobalTensor<half> spill, seen;
        spill.SetGlobalBuffer((__gm__ half*)spill_address, 512);
        seen.SetGlobalBuffer((__gm__ half*)seen_address, 256);
        const LocalTensor<half> from = buffer.Get<half>(256);
        const LocalTensor<half> to = buffer.GetWithOffset<half>(256, 512);
        for (uint32_t i = 0; i < 256; ++i) from.SetValue(i, half(int(i) + 1));
        Duplicate(to, half(0), 256);
        spills(pipe, spill, from, to);
        DataCopy(seen, to, 256);
      },
      spill, seen, body);
}

TEST(PipeTest, ASpillCountsElementsAndItsOffsetBytes) {
  Gm<half> spill(512), seen(256);
  const LaunchResult rows = Spill(spill, seen, [](TPipe& pipe, auto& gm, auto& from, auto& to) {
    pipe.InitSpmBuffer(gm[64], 704);
    pipe.WriteSpmBuffer(from, 48, 32);                            // elements 80 to 127
    pipe.WriteSpmBuffer(from, DataCopyParams(3, 2, 1, 4), 256);   // 32 of every 96, from 192 on
    pipe.ReadSpmBuffer(to, 32, 64);                               // from element 96 on
    pipe.ReadSpmBuffer(to[64], DataCopyParams(3, 1, 5, 2), 256);  // 16 of every 96 to every 48
  });
  ASSERT_TRUE(rows.ok) << rows.report;
  for (uint32_t i = 0; i < 512; ++i) {
    uint32_t expected = 0;
    if (i >= 80 && i < 128) expected = i - 80 + 1;
    if (i >= 192 && i < 480 && (i - 192) % 96 < 32) expected = (i - 192) / 96 * 48 + i % 96 + 1;
    if (expected == 0) {
      ASSERT_EQ(BitsOf(spill[i]), 0xA5A5) << i;
    } else {
      ASSERT_EQ(float(spill[i]), float(expected)) << i;
    }
  }
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t expected = i < 32 ? 17 + i : 0;
    if (i >= 64 && i < 208 && (i - 64) % 48 < 16) expected = (i - 64) / 48 * 48 + (i - 64) % 48 + 1;
    ASSERT_EQ(float(seen[i]), float(expected)) << i;
  }
  const LaunchResult all = Spill(spill, seen, [](TPipe& pipe, auto& gm, auto& from, auto& to) {
    pipe.InitSpmBuffer(gm, 512);
    pipe.WriteSpmBuffer(from, 0);  // all of the tensor
    pipe.ReadSpmBuffer(to, 0);
  });
  ASSERT_TRUE(all.ok) << all.report;
  for (uint32_t i = 0; i < 256; ++i) ASSERT_EQ(float(seen[i]), float(i + 1)) << i;
}

TEST(PipeTest, ASpillStaysWithinItsBuffer) {
  Gm<half> spill(512), seen(256);
  const auto message = [&](auto body) { return Spill(spill, seen, body).message; };
  EXPECT_EQ(message([](TPipe& pipe, auto& gm, auto& from, auto&) {
              pipe.InitSpmBuffer(gm, 512);
              pipe.WriteSpmBuffer(from, 240, 64);
            }),
            "WriteSpmBuffer touches 480 bytes from byte 64 on of an SPM buffer of 512 bytes");
  EXPECT_EQ(message([](TPipe& pipe, auto& gm, auto&, auto& to) {
              pipe.InitSpmBuffer(gm, 512);
              pipe.ReadSpmBuffer(to, DataCopyParams(2, 1, 13, 0), 32);  // ends with the buffer
              pipe.ReadSpmBuffer(to, DataCopyParams(2, 1, 15, 0), 0);
            }),
            "ReadSpmBuffer touches 544 bytes from byte 0 on of an SPM buffer of 512 bytes");
  EXPECT_EQ(message([](TPipe& pipe, auto& gm, auto& from, auto&) {
              pipe.InitSpmBuffer(gm, 512);
              pipe.WriteSpmBuffer(from, 16, -32);
            }),
            "WriteSpmBuffer touches 32 bytes from byte -32 on of an SPM buffer of 512 bytes");
  EXPECT_EQ(message([](TPipe& pipe, auto&, auto&, auto& to) { pipe.ReadSpmBuffer(to, 16); }),
            "ReadSpmBuffer is called before InitSpmBuffer");
  EXPECT_THAT(message([](TPipe& pipe, auto&, auto&, auto&) { pipe.InitSpmBuffer(512); }),
              ::testing::HasSubstr("without a workspace spills to L1, which this chip cannot"));
}

TEST(PipeTest, InitSocStateUndoesMasksAndAtomicWritesAndKeepsTheOverflowMode) {
  Gm<float> sum(std::vector<float>(72, 5.0f));
  const LaunchResult result = Launch(
      {},
      [](GM_ADDR address) {
        const LocalTensor<float> x(TPosition::VECCALC, 0, 64), y(TPosition::VECCALC, 256, 64);
        const LocalTensor<half> narrow(TPosition::VECCALC, 512, 64);
        Duplicate(x, 1.0e6f, 64);
        Duplicate(y, 0.0f, 64);
        AscendCUtils::SetOverflow(0);
        SetMaskCount();
        SetVectorMask<float>(0, 3);
        SetAtomicAdd<float>();
        InitSocState();
        Adds<float, false>(y, x, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
        Cast(narrow, x, RoundMode::CAST_NONE, 64);
        GlobalTensor<float> out;
        out.SetGlobalBuffer((__gm__ float*)address, 72);
        DataCopy(out, y, 64);
        Duplicate(x, static_cast<float>(narrow.GetValue(0)), 8);
        DataCopy(out[64], x, 8);
      },
      sum);
  ASSERT_TRUE(result.ok) << result.report;
  for (uint32_t i = 0; i < 64; ++i) ASSERT_EQ(sum[i], 1000001.0f) << i;
  EXPECT_EQ(sum[64], 65504.0f) << "half still saturates";
}

TEST(PipeTest, MoreThanUbHasListsTheBuffersAndTheExcess) {
  const LaunchResult fits = RunOnCore([] {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> queue;
    TBuf<> scratch;
    pipe.InitBuffer(queue, 2, 65536);
    pipe.InitBuffer(scratch, 65536);
  });
  EXPECT_TRUE(fits.ok) << fits.report;
  const LaunchResult result = RunOnCore([] {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> queue;
    TBuf<> scratch;
    pipe.InitBuffer(queue, 2, 65536);
    pipe.InitBuffer(scratch, 65537);
  });
  EXPECT_EQ(result.kind, HOSTNPU_FAULT_LOCAL_FULL);
  EXPECT_EQ(result.message,
            "InitBuffer needs 196640 bytes of UB, which has 196608: 32 too many. The buffers are "
            "VECIN 2 x 65536, VECCALC 1 x 65568 bytes (the last one does not fit)");
}

TEST(PipeTest, SixtyFourBuffersAreThere) {
  const auto take = [](uint32_t last) {
    return Launch(
        {},
        [](uint32_t number) {
          TPipe pipe;
          TQue<TPosition::VECIN, 1> first, second;
          pipe.InitBuffer(first, 60, 32);
          pipe.InitBuffer(second, static_cast<uint8_t>(number), 32);
        },
        last);
  };
  EXPECT_TRUE(take(4).ok);
  EXPECT_EQ(take(5).message,
            "InitBuffer asks for 5 buffers more, and 60 are in use; a TPipe has 64");
}

TEST(PipeTest, ResetBeginsAtTheBottomAgainAndScmComesFromTheTop) {
  const LaunchResult result = RunOnCore([] {
    TPipe pipe;
    TBuf<> a;
    pipe.InitBuffer(a, 190000);
    pipe.Reset();
    pipe.InitBuffer(a, 190000);
    CORE_CHECK(a.Get<half>().address_.bufferAddr == 0);
    CORE_CHECK(a.GetWithOffset<half>(16, 64).address_.bufferAddr == 64);
    TSCM<TPosition::VECIN, 1> scm;
    pipe.InitBuffer(scm, 1, 1024);
    CORE_CHECK(scm.AllocTensor<half>().address_.bufferAddr == 512 * 1024 - 1024);
  });
  EXPECT_TRUE(result.ok) << result.report;
}

TEST(PipeTest, ACopyHandsOutWhatIsLeft) {
  const LaunchResult result = RunOnCore([] {
    TPipe pipe;
    TBuf<TPosition::VECCALC> first, second, third;
    pipe.InitBuffer(first, 1024);
    TPipe copy = pipe;
    copy.InitBuffer(second, 512);
    CORE_CHECK(second.Get<float>().GetPhyAddr() - first.Get<float>().GetPhyAddr() == 1024);
    copy.Reset();
    copy.InitBuffer(third, 512);
    CORE_CHECK(third.Get<float>().GetPhyAddr() == first.Get<float>().GetPhyAddr());
    pipe = copy;
    TQue<TPosition::VECIN, 1> queue;
    pipe.InitBuffer(queue, 1, 256);
    LocalTensor<float> tile = queue.AllocTensor<float>();
    CORE_CHECK(tile.GetPhyAddr() - third.Get<float>().GetPhyAddr() == 512);
    queue.FreeTensor(tile);
  });
  EXPECT_TRUE(result.ok) << result.report;
}

TEST(PipeTest, ACopyThatIsFullSaysWhatItsOriginalTook) {
  const LaunchResult result = RunOnCore([] {
    TPipe pipe;
    TBuf<TPosition::VECCALC> first, second;
    pipe.InitBuffer(first, 131072);
    TPipe copy = pipe;
    copy.InitBuffer(second, 131072);
  });
  ASSERT_FALSE(result.ok);
  EXPECT_NE(result.message.find("VECCALC 1 x 131072, VECCALC 1 x 131072"), std::string::npos)
      << result.message;
}

TEST(PipeTest, ABufferDoesNotGiveMoreThanItHas) {
  EXPECT_EQ(RunOnCore([] {
              TPipe pipe;
              TBuf<> scratch;
              pipe.InitBuffer(scratch, 64);
              scratch.GetWithOffset<float>(16, 32);
            }).message,
            "TBuf::GetWithOffset asks for 64 bytes at byte 32 of a VECCALC buffer of 64 bytes");
}

TEST(PipeTest, PoolsCarveAndShareMemory) {
  const LaunchResult result = RunOnCore([] {
    TPipe pipe;
    TBufPool<TPosition::VECCALC> outer, left, right;
    TQue<TPosition::VECIN, 1> queue, other;
    pipe.InitBufPool(outer, 4096);
    outer.InitBufPool(left, 1024);
    outer.InitBuffer(queue, 2, 512);
    outer.InitBufPool(right, 1024, left);
    left.InitBuffer(other, 1, 256);
    CORE_CHECK(other.AllocTensor<half>().address_.bufferAddr == 0);
    CORE_CHECK(queue.AllocTensor<half>().address_.bufferAddr == 1024);
    left.Reset();
    right.InitBuffer(other, 1, 1024);
    CORE_CHECK(other.AllocTensor<half>().address_.bufferAddr == 0);
  });
  EXPECT_TRUE(result.ok) << result.report;
  EXPECT_EQ(RunOnCore([] {
              TPipe pipe;
              TBufPool<TPosition::VECCALC> pool;
              TQue<TPosition::VECIN, 1> queue;
              pipe.InitBufPool(pool, 1024);
              pool.InitBuffer(queue, 2, 544);
            }).message,
            "TBufPool::InitBuffer asks for 2 VECIN buffers of 544 bytes; 0 of the pool's 1024 "
            "bytes are taken: 64 too many");
}

/// A pool of a user's own: each queue's buffers from the bottom, and buffers of one queue that lie
/// where those of another do.
class SharingPool {
 public:
  SharingPool() { Init(); }
  template <typename Queue>
  bool InitBuffer(Queue& queue, uint8_t number, uint32_t bytes) {
    const uint32_t address = GetCurAddr();
    Place(queue, number, address, bytes);
    SetCurAddr(address + number * bytes);
    return true;
  }
  template <TPosition position>
  bool InitBuffer(TBuf<position>& buffer, uint32_t bytes) {
    return InitBuffer(buffer, 1, bytes);
  }
  template <typename Queue>
  void Share(Queue& queue, uint8_t number, uint32_t address, uint32_t bytes) {
    Place(queue, number, address, bytes);
  }

 private:
  template <typename Queue>
  void Place(Queue& queue, uint8_t number, uint32_t address, uint32_t bytes) {
    const uint8_t first = GetCurBufSize();
    queue.InitStartBufHandle(GetBufHandle(first), number, bytes);
    for (uint8_t i = 0; i < number; ++i) {
      queue.InitBufHandle(this, i, GetBufHandle(static_cast<uint8_t>(first + i)),
                          address + i * bytes, bytes);
    }
    SetCurBufSize(static_cast<uint8_t>(first + number));
  }

 public:
  EXTERN_IMPL_BUFPOOL(SharingPool, TPosition::VECCALC, 6);
};

TEST(PipeTest, APoolOfTheUsersOwnPlacesQueuesAndBuffersByHandle) {
  const LaunchResult result = RunOnCore([] {
    TPipe pipe;
    TBuf<> before;
    pipe.InitBuffer(before, 4096);
    SharingPool pool;
    pipe.InitBufPool(pool, 8192);
    CORE_CHECK(pool.GetCurAddr() == 4096 && pool.GetCurBufSize() == 0);
    TQue<TPosition::VECIN, 2> in, again;
    TBuf<> scratch;
    pool.InitBuffer(in, 2, 1024);
    pool.InitBuffer(scratch, 512);
    pool.Share(again, 1, 5120, 1024);
    CORE_CHECK(pool.GetCurAddr() == 4096 + 2560 && pool.GetCurBufSize() == 4);
    LocalTensor<float> first = in.AllocTensor<float>(), second = in.AllocTensor<float>();
    CORE_CHECK(first.address_.bufferAddr == 4096 && first.GetSize() == 256);
    CORE_CHECK(scratch.Get<float>().address_.bufferAddr == 6144 && scratch.GetBufLen() == 512);
    Duplicate(second, 3.0f, 256);
    in.EnQue(second);
    second = in.DeQue<float>();
    CORE_CHECK(again.AllocTensor<float>().GetValue(255) == 3.0f);
    in.FreeTensor(second);
    CORE_CHECK(pipe.FetchEventID(HardEvent::V_MTE2) == 1);
    pool.Reset();
    CORE_CHECK(pipe.FetchEventID(HardEvent::V_MTE2) == 0);
    CORE_CHECK(pool.GetCurAddr() == 4096 && pool.GetCurBufSize() == 0);
    pool.InitBuffer(in, 6, 64);
    CORE_CHECK(pool.GetCurBufSize() == 6);
  });
  EXPECT_TRUE(result.ok) << result.report;
  EXPECT_TRUE(result.flags_left.empty());
  EXPECT_EQ(RunOnCore([] {
              SharingPool pool;
              pool.GetBufHandle(6);
            }).message,
            "GetBufHandle is given buffer 6; EXTERN_IMPL_BUFPOOL has made the pool for 6 buffers");
  EXPECT_EQ(RunOnCore([] {
              SharingPool pool;
              pool.SetCurBufSize(6);
              pool.SetCurBufSize(7);
            }).message,
            "SetCurBufSize is given a count of 7; EXTERN_IMPL_BUFPOOL has made the pool for 6 "
            "buffers");
  EXPECT_THAT(RunOnCore([] {
                TPipe pipe;
                SharingPool pool;
                pipe.InitBufPool(pool, 196640);
              }).message,
              ::testing::HasSubstr("needs 196640 bytes of UB, which has 196608"));
}

TEST(PipeTest, WithoutAPipeTheAllocatorHandsOutUbFromTheBottom) {
  const LaunchResult result = RunOnCore([] {
    LocalMemAllocator<Hardware::UB> allocator;
    LocalTensor<float> a = allocator.Alloc<float, 3>();
    LocalTensor<half> b = allocator.Alloc<TPosition::VECIN, half>(100);
    CORE_CHECK(a.GetSize() == 3 && b.address_.bufferAddr == 32);
    CORE_CHECK(allocator.GetCurAddr() == 32 + 224);
  });
  EXPECT_TRUE(result.ok) << result.report;
}

TEST(EventTest, IdsAreTheLowestFreeOnesAndQueuesTakeThemToo) {
  const LaunchResult result = RunOnCore([] {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> queue;
    pipe.InitBuffer(queue, 2, 64);
    const TEventID a = pipe.AllocEventID<HardEvent::MTE2_V>();
    CORE_CHECK(a == 0 && GetTPipePtr()->FetchEventID(HardEvent::MTE2_V) == 1);
    queue.EnQue(queue.AllocTensor<half>());
    CORE_CHECK(pipe.FetchEventID<HardEvent::MTE2_V>() == 2);
    LocalTensor<half> tensor = queue.DeQue<half>();
    CORE_CHECK(pipe.FetchEventID<HardEvent::MTE2_V>() == 1);
    pipe.ReleaseEventID<HardEvent::MTE2_V>(a);
    CORE_CHECK(pipe.FetchEventID<HardEvent::MTE2_V>() == 0);
    queue.FreeTensor(tensor);
    CORE_CHECK(pipe.FetchEventID<HardEvent::V_MTE2>() == 1);
  });
  EXPECT_TRUE(result.ok) << result.report;
  EXPECT_EQ(RunOnCore([] {
              TPipe pipe;
              for (int i = 0; i < 9; ++i) pipe.AllocEventID<HardEvent::V_S>();
            }).message,
            "AllocEventID needs an event id of V_S, and all 8 are taken by tensors in queues and "
            "by AllocEventID");
}

TEST(EventTest, AWaitWithoutItsSetIsAnErrorAndAPairIsNot) {
  EXPECT_TRUE(RunOnCore([] {
                SetFlag<HardEvent::MTE3_MTE2>(3);
                WaitFlag<HardEvent::MTE3_MTE2>(3);
                set_flag(PIPE_V, PIPE_S, EVENT_ID1);
                WaitFlag<HardEvent::V_S>(1);
                TQueSync<PIPE_MTE1, PIPE_MTE3> sync;
                sync.SetFlag(0);
                sync.WaitFlag(0);
                PipeBarrier<PIPE_ALL>();
                pipe_barrier(PIPE_V);
                DataSyncBarrier<MemDsbT::ALL>();
              }).ok);
  EXPECT_TRUE(RunOnCore([] {
                set_flag(PIPE_MTE2, PIPE_V, EVENT_ID4);
                set_flag(PIPE_V, PIPE_MTE2, EVENT_ID5);
                wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID4);
                wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID5);
              }).flags_left.empty());
  EXPECT_EQ(RunOnCore([] {
              set_flag(PIPE_MTE2, PIPE_V, EVENT_ID4);
              wait_flag(PIPE_V, PIPE_MTE2, EVENT_ID4);
            }).message,
            "wait_flag waits for V_MTE2 flag 4, which is not set: it would wait for ever");
  EXPECT_THAT(RunOnCore([] { wait_flag(PIPE_V, PIPE_M, EVENT_ID0); }).message + "|" +
                  RunOnCore([] { wait_flag(PIPE_S, PIPE_S, EVENT_ID0); }).message,
              ::testing::AllOf(::testing::HasSubstr("V_M flag 0"),
                               ::testing::HasSubstr("is given pipes 0 and 0; the chip has no")));
  const LaunchResult result = RunOnCore([] {
    SetFlag<HardEvent::MTE3_MTE2>(3);
    WaitFlag<HardEvent::MTE3_MTE2>(2);
  });
  EXPECT_EQ(result.kind, HOSTNPU_FAULT_STALL);
  EXPECT_EQ(result.message,
            "WaitFlag waits for MTE3_MTE2 flag 2, which is not set: it would wait for ever");
  EXPECT_EQ(RunOnCore([] { SetFlag<HardEvent::MTE3_MTE2>(8); }).message,
            "SetFlag is given MTE3_MTE2 flag 8; ids are 0 to 7");
}

TEST(EventTest, AWaitWithoutItsSetIsReportedAsItselfWhileOtherCoresWaitElsewhere) {
  constexpr uint32_t kLine = __LINE__ + 4;
  const LaunchResult result = RunOnCore(
      [] {
        if (GetBlockIdx() == 1) {
          WaitFlag<HardEvent::MTE3_MTE2>(2);
        }
        SyncAll();
      },
      {.blocks = 2, .workers = 1});
  EXPECT_EQ(result.kind, HOSTNPU_FAULT_STALL);
  EXPECT_EQ(result.line, kLine);
  EXPECT_THAT(result.report, ::testing::StartsWith("WaitFlag waits for MTE3_MTE2 flag 2"));
  EXPECT_THAT(result.report, ::testing::HasSubstr("block 1"));
}

TEST(EventTest, AFlagThatIsNeverWaitedForIsNamedAtTheEndWithItsLastSet) {
  constexpr uint32_t kLine = __LINE__ + 3;
  const auto kernel = [](int32_t waits) {
    for (int turn = 0; turn < 5; ++turn) {
      SetFlag<HardEvent::MTE3_V>(2);
      if (turn < waits) WaitFlag<HardEvent::MTE3_V>(2);
    }
  };
  LaunchOptions options;
  options.blocks = 3;
  EXPECT_TRUE(Launch(options, kernel, 5).flags_left.empty());
  const LaunchResult result = Launch(options, kernel, 4);
  EXPECT_TRUE(result.ok) << result.report;
  ASSERT_EQ(result.flags_left.size(), 1u) << "one for all cores";
  EXPECT_THAT(
      result.flags_left[0],
      ::testing::HasSubstr("with MTE3_V flag 2 still set: 5 sets and 4 waits on AIV, block "));
  EXPECT_THAT(result.flags_left[0], ::testing::HasSubstr("and likewise on 2 more cores"));
  EXPECT_THAT(result.flags_left[0],
              ::testing::HasSubstr("queue_test.cpp:" + std::to_string(kLine) + ":"));
}

TEST(EventTest, SetsInBranchesThatLookAlikeKeepTheirPlaces) {
  constexpr uint32_t kLine = __LINE__ + 3;
  const auto kernel = [](int32_t which) {
    if (which == 0) {
      SetFlag<HardEvent::V_S>(0);
      SetFlag<HardEvent::V_MTE3>(which + 1);
    } else {
      SetFlag<HardEvent::V_S>(0);
      SetFlag<HardEvent::V_MTE2>(which);
    }
  };
  for (int32_t which : {0, 1}) {
    const auto left = Launch({}, kernel, which).flags_left;
    ASSERT_EQ(left.size(), 2u);
    const auto first = left[0].find("V_S") != std::string::npos ? left[0] : left[1];
    EXPECT_THAT(first,
                ::testing::HasSubstr("cpp:" + std::to_string(kLine + (which == 0 ? 0 : 3)) + ":"));
  }
}

TEST(EventTest, QueuesLeaveOnlyTheFlagOfATensorThatNobodyTook) {
  constexpr uint32_t kLine = __LINE__ + 8;
  const auto kernel = [](bool takes) {
    TPipe pipe;
    TQue<TPosition::VECIN, 2> queue;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(queue, 2, 256);
    pipe.InitBuffer(out, 1, 256);
    for (int turn = 0; turn < 3; ++turn) {
      queue.EnQue(queue.AllocTensor<float>());
      if (turn == 2 && !takes) break;
      LocalTensor<float> x = queue.DeQue<float>(), y = out.AllocTensor<float>();
      queue.FreeTensor(x);
      out.EnQue(y);
      out.FreeTensor(out.DeQue<float>());
    }
  };
  EXPECT_TRUE(Launch({}, kernel, true).flags_left.empty());
  const auto left = Launch({}, kernel, false).flags_left;
  ASSERT_EQ(left.size(), 1u);
  EXPECT_THAT(left[0], ::testing::HasSubstr("MTE2_V flag"));
  EXPECT_THAT(left[0], ::testing::HasSubstr("set by EnQue at"));
  EXPECT_THAT(left[0], ::testing::HasSubstr("queue_test.cpp:" + std::to_string(kLine) + ":"));
}

}  // namespace
}  // namespace hostnpu::testing
