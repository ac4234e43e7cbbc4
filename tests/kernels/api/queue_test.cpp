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
