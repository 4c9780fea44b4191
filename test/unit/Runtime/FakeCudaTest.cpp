//===- FakeCudaTest.cpp - tests of the driver over host memory ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeCuda/FakeRanks.h"

#include <atomic>
#include <unistd.h>

namespace {
class FakeDriver : public FakeRanks {
protected:
  ~FakeDriver() override { ::rmdir(id.internal); }

  /// Puts work that is done once a flag is set.
  void putWait(void *stream, const std::atomic<bool> &flag) {
    std::function<bool()> work = [&] { return flag.load(); };
    Call<void>(driver, "tenon_fake_put_waiting")(stream, &work);
  }
  /// Puts work that sets a flag.
  void putSet(void *stream, std::atomic<bool> &flag) {
    std::function<void()> work = [&] { flag = true; };
    Call<void>(driver, "tenon_fake_put")(stream, &work);
  }
};

enum { Success = 0, InvalidValue = 1, InvalidContext = 201, NotReady = 600 };
} // namespace

TEST_F(FakeDriver, WaitsForWhatAnEventSaw) {
  std::atomic<bool> isReady(false), isFirstDone(false), isSecondDone(false);
  Rank rank(*this, 0, 0);
  void *other, *event;
  rank.cuda("cuStreamCreate", &other, 1u);
  rank.cuda("cuEventCreate", &event, 0u);
  // An event that was not recorded.
  EXPECT_EQ(rank.cuda("cuEventQuery", event), Success);
  rank.cuda("cuStreamWaitEvent", other, event, 0u);
  putSet(rank.stream, isFirstDone);
  rank.cuda("cuEventRecord", event, rank.stream);
  putWait(rank.stream, isReady);
  putSet(rank.stream, isSecondDone);
  rank.cuda("cuStreamWaitEvent", other, event, 0u);
  EXPECT_FALSE(isFirstDone) << "no call asked for it";
  // The stream waits for what was recorded when it began to wait.
  rank.cuda("cuEventRecord", event, rank.stream);
  EXPECT_EQ(rank.cuda("cuStreamSynchronize", other), Success);
  EXPECT_TRUE(isFirstDone);
  EXPECT_EQ(rank.cuda("cuEventQuery", event), NotReady);
  EXPECT_FALSE(isSecondDone);
  isReady = true;
  EXPECT_EQ(rank.cuda("cuEventQuery", event), Success);
  EXPECT_TRUE(isSecondDone);
  rank.cuda("cuEventDestroy_v2", event);
  rank.cuda("cuStreamDestroy_v2", other);
}

TEST_F(FakeDriver, AsksOnlyForWhatAStreamWaitsFor) {
  std::atomic<bool> isOtherDone(false);
  Rank rank(*this, 0, 0);
  void *other;
  rank.cuda("cuStreamCreate", &other, 1u);
  putSet(other, isOtherDone);
  EXPECT_EQ(rank.synchronize(), Success);
  EXPECT_FALSE(isOtherDone);
  rank.cuda("cuStreamDestroy_v2", other);
  EXPECT_TRUE(isOtherDone);
}

TEST_F(FakeDriver, LetsThreadsWaitForEachOther) {
  // In turns, so that both threads wait.
  std::atomic<bool> flags[4] = {};
  onRanks(2, [&](Rank &rank) {
    if (rank.rank == 0) {
      putSet(rank.stream, flags[0]);
      putWait(rank.stream, flags[1]);
      putSet(rank.stream, flags[2]);
    } else {
      putWait(rank.stream, flags[0]);
      putSet(rank.stream, flags[1]);
      putWait(rank.stream, flags[2]);
      putSet(rank.stream, flags[3]);
    }
    EXPECT_EQ(rank.synchronize(), Success);
  });
  EXPECT_TRUE(flags[3]);
}

TEST_F(FakeDriver, WaitsForStreamsAndEventsThatAreGone) {
  std::atomic<bool> isDone(false);
  Rank rank(*this, 0, 0);
  void *other, *event;
  rank.cuda("cuStreamCreate", &other, 1u);
  rank.cuda("cuEventCreate", &event, 0u);
  putSet(other, isDone);
  rank.cuda("cuEventRecord", event, other);
  rank.cuda("cuStreamWaitEvent", rank.stream, event, 0u);
  rank.cuda("cuEventDestroy_v2", event);
  rank.cuda("cuStreamDestroy_v2", other);
  EXPECT_EQ(rank.synchronize(), Success);
  EXPECT_TRUE(isDone);
}

TEST_F(FakeDriver, CapturesStreamsThatJoin) {
  std::atomic<bool> isDone(false);
  Rank rank(*this, 0, 0);
  void *other, *event, *graph, *executable;
  rank.cuda("cuStreamCreate", &other, 1u);
  rank.cuda("cuEventCreate", &event, 0u);
  rank.cuda("cuStreamBeginCapture_v2", rank.stream, 1);
  rank.cuda("cuEventRecord", event, rank.stream);
  EXPECT_EQ(rank.cuda("cuStreamWaitEvent", other, event, 0u), Success);
  putSet(other, isDone);
  rank.cuda("cuEventRecord", event, other);
  EXPECT_EQ(rank.cuda("cuStreamWaitEvent", rank.stream, event, 0u), Success);
  EXPECT_EQ(rank.cuda("cuStreamEndCapture", rank.stream, &graph), Success);
  EXPECT_EQ(rank.cuda("cuStreamSynchronize", other), Success);
  EXPECT_FALSE(isDone);
  rank.cuda("cuGraphInstantiateWithFlags", &executable, graph, 0ul);
  rank.cuda("cuGraphLaunch", executable, rank.stream);
  EXPECT_EQ(rank.synchronize(), Success);
  EXPECT_TRUE(isDone);
  rank.cuda("cuGraphExecDestroy", executable);
  rank.cuda("cuGraphDestroy", graph);
  rank.cuda("cuEventDestroy_v2", event);
  rank.cuda("cuStreamDestroy_v2", other);
}

TEST_F(FakeDriver, KeepsDevicesApart) {
  Rank first(*this, 0, 0);
  uint64_t memory = first.allocate({1, 2});
  EXPECT_EQ(Call<int>(driver, "tenon_fake_current_device")(), 0);
  {
    Rank second(*this, 1, 1);
    EXPECT_EQ(Call<int>(driver, "tenon_fake_current_device")(), 1);
    EXPECT_EQ(Call<int>(driver, "tenon_fake_device_of")(memory + 4), 0);
    EXPECT_EQ(Call<int>(driver, "tenon_fake_device_of")(memory + 8), 0)
        << "an end belongs to its block";
    EXPECT_EQ(Call<int>(driver, "tenon_fake_device_of_stream")(first.stream),
              0);
    EXPECT_EQ(
        second.cuda("cuMemsetD8Async", memory, '\0', size_t(4), second.stream),
        InvalidValue);
    uint64_t own = second.allocate({3});
    EXPECT_EQ(
        second.cuda("cuMemsetD8Async", own, '\0', size_t(4), first.stream),
        InvalidContext);
    EXPECT_EQ(second.cuda("cuMemcpyDtoDAsync_v2", own, memory, size_t(4),
                          second.stream),
              InvalidValue);
    EXPECT_EQ(second.cuda("cuMemFree_v2", memory), InvalidValue);
    void *event;
    second.cuda("cuEventCreate", &event, 0u);
    EXPECT_EQ(second.cuda("cuEventRecord", event, first.stream),
              InvalidContext);
    second.cuda("cuEventDestroy_v2", event);
  }
  EXPECT_EQ(first.at(memory)[0], 1);
}
