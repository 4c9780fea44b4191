//===- FakeNcclTest.cpp - tests of NCCL over files ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeCuda/FakeRanks.h"

#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace {
class FakeNccl : public FakeRanks {
protected:
  ~FakeNccl() override {
    // The last rank removed it. It is empty where none ever was there.
    if (::access(id.internal, F_OK) == 0)
      EXPECT_EQ(::rmdir(id.internal), 0) << "files were left";
  }
};
} // namespace

TEST_F(FakeNccl, SendsAroundACycle) {
  onComm(3, [](Rank &rank) {
    uint64_t from = rank.allocate({float(rank.rank), 5}),
             to = rank.allocate({-1, -1});
    rank.nccl("ncclGroupStart");
    EXPECT_EQ(rank.send(from, 2, (rank.rank + 1) % 3), 0);
    EXPECT_EQ(rank.receive(to, 2, (rank.rank + 2) % 3), 0);
    EXPECT_EQ(rank.nccl("ncclGroupEnd"), 0);
    EXPECT_EQ(rank.at(to)[0], -1) << "no call asked for it";
    EXPECT_EQ(rank.synchronize(), 0);
    EXPECT_EQ(rank.at(to)[0], float((rank.rank + 2) % 3));
    EXPECT_EQ(rank.at(to)[1], 5);
  });
}

TEST_F(FakeNccl, ReducesInTheOrderOfRanks) {
  // The sum of the first two is lost if the third comes before.
  const float values[] = {1, 1e-8f, -1};
  onComm(3, [&](Rank &rank) {
    uint64_t from = rank.allocate({values[rank.rank], float(rank.rank)}),
             to = rank.allocate({-1, -1});
    for (int time = 0; time < 3; ++time) {
      EXPECT_EQ(rank.reduce(from, to, 2), 0);
      EXPECT_EQ(rank.synchronize(), 0);
      EXPECT_EQ(rank.at(to)[0], (values[0] + values[1]) + values[2]);
      EXPECT_EQ(rank.at(to)[1], 3);
    }
    EXPECT_EQ(rank.reduce(from, from, 2, NcclAverage), 0);
    EXPECT_EQ(rank.synchronize(), 0);
    EXPECT_EQ(rank.at(from)[1], 1);
    EXPECT_EQ(rank.nccl("ncclCommFinalize", rank.comm), 0);
  });
}

TEST_F(FakeNccl, SplitsInTheOrderOfKeys) {
  onComm(3, [](Rank &rank) {
    const int colors[] = {5, 5, -1};
    void *part = &part;
    ASSERT_EQ(rank.nccl("ncclCommSplit", rank.comm, colors[rank.rank],
                        -rank.rank, &part, nullptr),
              0);
    ASSERT_EQ(part == nullptr, rank.rank == 2);
    if (!part)
      return;
    // The second rank is the first one now.
    uint64_t value = rank.allocate({float(rank.rank)});
    std::swap(part, rank.comm);
    if (rank.rank == 1)
      EXPECT_EQ(rank.send(value, 1, 1), 0);
    else
      EXPECT_EQ(rank.receive(value, 1, 0), 0);
    EXPECT_EQ(rank.synchronize(), 0);
    EXPECT_EQ(*rank.at(value), 1);
    std::swap(part, rank.comm);
    EXPECT_EQ(rank.nccl("ncclCommDestroy", part), 0);
  });
}

TEST_F(FakeNccl, RunsBetweenProcesses) {
  auto body = [&](int number) {
    Rank rank(*this, number, number);
    EXPECT_EQ(rank.init(2), 0);
    uint64_t value = rank.allocate({float(number + 1)});
    EXPECT_EQ(rank.reduce(value, value, 1), 0);
    EXPECT_EQ(rank.synchronize(), 0);
    EXPECT_EQ(*rank.at(value), 3);
  };
  pid_t child = ::fork();
  if (child == 0) {
    body(1);
    ::_exit(HasFailure());
  }
  body(0);
  int status;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(FakeNccl, RunsInAGraph) {
  onComm(2, [](Rank &rank) {
    uint64_t value = rank.allocate({1});
    void *graph, *executable;
    ASSERT_EQ(rank.cuda("cuStreamBeginCapture_v2", rank.stream, 1), 0);
    EXPECT_EQ(rank.reduce(value, value, 1), 0);
    ASSERT_EQ(rank.cuda("cuStreamEndCapture", rank.stream, &graph), 0);
    ASSERT_EQ(rank.cuda("cuGraphInstantiateWithFlags", &executable, graph, 0ul),
              0);
    for (float expected : {2, 4, 8}) {
      EXPECT_EQ(rank.cuda("cuGraphLaunch", executable, rank.stream), 0);
      EXPECT_EQ(rank.synchronize(), 0);
      EXPECT_EQ(*rank.at(value), expected);
    }
    rank.cuda("cuGraphExecDestroy", executable);
    rank.cuda("cuGraphDestroy", graph);
  });
}

//===----------------------------------------------------------------------===//
// Calls that do not block
//===----------------------------------------------------------------------===//

TEST_F(FakeNccl, SettlesCallsWithoutBlocking) {
  onRanks(2, [](Rank &rank) {
    ASSERT_EQ(rank.initWithoutBlocking(2), 0);
    uint64_t value = rank.allocate({1}), other = rank.allocate({10});
    EXPECT_EQ(rank.reduce(value, value, 1), NcclInProgress);
    // No call asked whether it was settled.
    EXPECT_EQ(rank.reduce(other, other, 1), NcclInvalidUsage);
    EXPECT_EQ(rank.nccl("ncclCommDestroy", rank.comm), NcclInvalidUsage);
    EXPECT_EQ(rank.state(rank.comm), NcclInProgress);
    // The work is on its stream no earlier.
    EXPECT_EQ(rank.synchronize(), 0);
    EXPECT_EQ(*rank.at(value), 1);
    EXPECT_EQ(rank.settle(rank.comm), 0);
    EXPECT_EQ(rank.nccl("ncclCommDestroy", rank.comm), NcclInvalidUsage);
    EXPECT_EQ(rank.synchronize(), 0);
    EXPECT_EQ(*rank.at(value), 2);

    void *all;
    EXPECT_EQ(rank.nccl("ncclCommSplit", rank.comm, 0, 0, &all, nullptr),
              NcclInProgress);
    EXPECT_EQ(all, nullptr);
    EXPECT_EQ(rank.settle(rank.comm), 0);
    EXPECT_EQ(rank.state(all), 0);
    EXPECT_EQ(rank.nccl("ncclCommFinalize", all), NcclInProgress);
    EXPECT_EQ(rank.settle(all), 0);
    EXPECT_EQ(rank.nccl("ncclCommDestroy", all), 0);
    EXPECT_EQ(rank.nccl("ncclCommFinalize", rank.comm), NcclInProgress);
    EXPECT_EQ(rank.settle(rank.comm), 0);
    EXPECT_EQ(rank.reduce(value, value, 1), NcclInvalidUsage);
  });
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

TEST_F(FakeNccl, RefusesTwoRanksOnADevice) {
  for (int expected : {int(NcclInvalidUsage), 0}) {
    if (expected == 0)
      ::setenv("TENON_FAKE_NCCL_VERSION", "23003", 1);
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i)
      threads.emplace_back([&, i] {
        Rank rank(*this, i, 0);
        EXPECT_EQ(rank.initWithoutBlocking(2), expected);
        bool isNamed = rank.lastError().find("Duplicate GPU detected") !=
                       std::string::npos;
        EXPECT_EQ(isNamed, expected != 0);
        EXPECT_EQ(rank.nccl("ncclCommAbort", rank.comm), 0);
        rank.comm = nullptr;
      });
    for (std::thread &thread : threads)
      thread.join();
    EXPECT_EQ(Call<int>(nccl, "ncclGetUniqueId")(&id), 0);
  }
}

TEST_F(FakeNccl, FailsInit) {
  ::setenv("TENON_FAKE_NCCL_FAIL_INIT", "2", 1);
  Rank rank(*this, 0, 0);
  EXPECT_EQ(rank.init(1), 2);
  EXPECT_EQ(rank.comm, nullptr);
}

TEST_F(FakeNccl, WaitsForEverUntilItIsAborted) {
  int next = Call<int>(nccl, "tenon_fake_nccl_groups")() + 1;
  for (const char *how : {"HANG", "FAIL_GROUP"}) {
    std::string name = std::string("TENON_FAKE_NCCL_") + how;
    ::setenv(name.c_str(), std::to_string(next).c_str(), 1);
    Rank rank(*this, 0, 0);
    ASSERT_EQ(rank.init(1), 0);
    uint64_t value = rank.allocate({7}), other = rank.allocate({1});
    void *event;
    rank.cuda("cuEventCreate", &event, 0u);
    EXPECT_EQ(rank.reduce(value, other, 1), 0);
    rank.cuda("cuEventRecord", event, rank.stream);
    EXPECT_EQ(rank.cuda("cuEventQuery", event), 600);
    EXPECT_EQ(rank.state(rank.comm),
              how == std::string("HANG") ? 0 : int(NcclRemoteError));
    EXPECT_EQ(rank.nccl("ncclCommDestroy", rank.comm), NcclInvalidUsage);
    EXPECT_EQ(rank.nccl("ncclCommAbort", rank.comm), 0);
    rank.comm = nullptr;
    EXPECT_EQ(rank.cuda("cuEventQuery", event), 0);
    EXPECT_EQ(*rank.at(other), 1);
    rank.cuda("cuEventDestroy_v2", event);
    ++next;
    EXPECT_EQ(Call<int>(nccl, "ncclGetUniqueId")(&id), 0);
  }
}

TEST_F(FakeNccl, FindsMessagesOfAnotherSize) {
  onComm(2, [](Rank &rank) {
    uint64_t value = rank.allocate({1, 2, 3});
    if (rank.rank == 0)
      EXPECT_EQ(rank.send(value, 2, 1), 0);
    else
      EXPECT_EQ(rank.receive(value, 3, 0), 0);
    EXPECT_EQ(rank.synchronize(), 700);
    EXPECT_EQ(rank.state(rank.comm),
              rank.rank == 0 ? 0 : int(NcclInternalError));
  });
  Call<FakeCuda *>(driver, "tenon_fake_cuda")();
}

TEST_F(FakeNccl, RefusesWhatNcclDoesNotAllow) {
  Rank rank(*this, 0, 0);
  NcclConfig config;
  config.magic = 0;
  EXPECT_EQ(rank.init(1, &config), NcclInvalidArgument);
  EXPECT_EQ(rank.send(0, 1, 0), NcclInvalidArgument) << "no communicator";
  ASSERT_EQ(rank.init(1), 0);
  EXPECT_EQ(rank.nccl("ncclGroupEnd"), NcclInvalidUsage);
  uint64_t value = rank.allocate({1, 2});
  EXPECT_EQ(rank.send(value, 1, 1), NcclInvalidArgument) << "no such peer";
  EXPECT_EQ(rank.send(value, 2, 0), NcclInvalidUsage) << "to itself";
  EXPECT_EQ(rank.reduce(value, value, 3), NcclInvalidArgument) << "too many";
  EXPECT_EQ(rank.reduce(value + 4, value, 2), NcclInvalidArgument);

  // In a group, the first error ends it.
  rank.nccl("ncclGroupStart");
  EXPECT_EQ(rank.send(value, 1, 1), NcclInvalidArgument);
  EXPECT_EQ(rank.reduce(value, value, 1), 0);
  void *made;
  EXPECT_EQ(rank.nccl("ncclCommSplit", rank.comm, 0, 0, &made, nullptr),
            NcclInvalidUsage);
  EXPECT_EQ(rank.nccl("ncclGroupEnd"), NcclInvalidArgument);

  // Another device, of the context, of the stream and of the memory.
  void *mine = rank.stream, *comm = rank.comm;
  {
    Rank other(*this, 0, 1);
    uint64_t foreign = other.allocate({1});
    EXPECT_EQ(rank.reduce(value, value, 1), NcclInvalidUsage);
    void *context;
    rank.cuda("cuDevicePrimaryCtxRetain", &context, 0);
    rank.cuda("cuCtxPushCurrent_v2", context);
    rank.stream = other.stream;
    EXPECT_EQ(rank.reduce(value, value, 1), NcclInvalidUsage);
    rank.stream = mine;
    EXPECT_EQ(rank.reduce(foreign, value, 1), NcclInvalidArgument);
    rank.cuda("cuCtxPopCurrent_v2", &context);
    rank.cuda("cuDevicePrimaryCtxRelease_v2", 0);
  }
  // A message to itself that is received.
  rank.nccl("ncclGroupStart");
  EXPECT_EQ(rank.send(value, 1, 0), 0);
  EXPECT_EQ(rank.receive(value + 4, 1, 0), 0);
  EXPECT_EQ(rank.nccl("ncclGroupEnd"), 0);
  EXPECT_EQ(rank.synchronize(), 0);
  EXPECT_EQ(rank.at(value)[1], 1);
  EXPECT_EQ(rank.nccl("ncclCommDestroy", comm), 0);
  EXPECT_EQ(rank.reduce(value, value, 1), NcclInvalidArgument) << "destroyed";
  rank.comm = nullptr;
}

TEST_F(FakeNccl, WritesATrace) {
  std::string path = testing::TempDir() + "/fake-nccl-trace";
  ::setenv("TENON_FAKE_NCCL_TRACE", path.c_str(), 1);
  {
    Rank rank(*this, 0, 0);
    ASSERT_EQ(rank.init(1), 0);
    uint64_t value = rank.allocate({1, 2});
    rank.nccl("ncclGroupStart");
    rank.send(value, 1, 0);
    rank.receive(value + 4, 1, 0);
    rank.reduce(value, value, 2, NcclAverage);
    rank.nccl("ncclGroupEnd");
    rank.reduce(value, value, 2);
    rank.synchronize();
  }
  ::unsetenv("TENON_FAKE_NCCL_TRACE");
  std::ifstream file(path);
  std::string first, second;
  std::getline(file, first);
  std::getline(file, second);
  EXPECT_EQ(first, "rank 0 world: send to 0 1 type7, receive from 0 1 type7, "
                   "all-reduce op4 2 type7");
  EXPECT_EQ(second, "rank 0 world: all-reduce op0 2 type7");
  std::remove(path.c_str());
}
