//===- InOrderPlanTest.cpp - plans whose messages keep the order ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The operations of ranks over NCCL, on streams that run whenever they may, in
// random orders. Each byte of an arena knows the buffer that was written last:
// an operation that reads another one, or a message whose memory changes on its
// way, is an error, and so are ranks that wait for each other.
//
//===----------------------------------------------------------------------===//

#include "RandomRun.h"

#include "Pipeline/ProgramSlice.h"
#include "Pipeline/RankPlan.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <map>

using namespace tenon;
using namespace tenon::runtime;

namespace {
using Kind = PlanOperation::Kind;
constexpr int32_t onItsWay = -2;

struct Rank {
  RankPlan plan;
  std::vector<int32_t> content; // by byte of the arena: a buffer
  /// Numbers of operations, on the stream of tasks and that of messages.
  std::vector<size_t> tasks, groups;
  size_t nextTask = 0, nextGroup = 0;                // places in these
  bool isRunning = false;                            // the next group
  std::vector<bool> isDone;                          // by operation
  std::map<int32_t, size_t> exchanges, reservations; // of messages
};

class Streams {
public:
  Streams(const RandomRun &run, PipelineMode mode, uint64_t seed);
  /// Runs everything; returns what went wrong.
  std::string run();

private:
  bool advanceTasks(Rank &rank);
  bool beginGroup(Rank &rank);
  bool endGroup(size_t number);
  bool isReady(const Rank &rank, size_t operation) const;
  bool areThere(size_t number, const PlanOperation &operation);
  void write(Rank &rank, int32_t buffer, int32_t content);
  void read(Rank &rank, int32_t buffer, const char *what);
  void fail(const std::string &text) {
    if (error.empty())
      error = text;
  }

  const artifact::Pipeline &pipeline;
  std::mt19937_64 random;
  std::vector<Rank> ranks;
  std::string error;
};
} // namespace

Streams::Streams(const RandomRun &run, PipelineMode mode, uint64_t seed)
    : pipeline(run.getDescription()), random(seed),
      ranks(pipeline.ranks.size()) {
  for (size_t number = 0; number < ranks.size(); ++number) {
    Rank &rank = ranks[number];
    auto plan = planRank(pipeline, static_cast<int64_t>(number),
                         run.getProgram(), mode, MessageOrder::AsPlanned);
    if (!plan) {
      fail(plan.error());
      return;
    }
    rank.plan = std::move(*plan);
    rank.content.assign(rank.plan.arenaBytes, -1);
    rank.isDone.resize(rank.plan.operations.size());
    for (size_t i = 0; i < rank.plan.operations.size(); ++i) {
      const PlanOperation &operation = rank.plan.operations[i];
      bool isGroup =
          operation.kind == Kind::Exchange || operation.kind == Kind::Reduce;
      (isGroup ? rank.groups : rank.tasks).push_back(i);
      for (const PlanMessage &message : operation.messages)
        (isGroup ? rank.exchanges : rank.reservations)[message.number] = i;
    }
  }
}

void Streams::write(Rank &rank, int32_t buffer, int32_t content) {
  const PlanBuffer &place = rank.plan.buffers[buffer];
  std::fill_n(rank.content.begin() + place.offset, place.bytes, content);
}

void Streams::read(Rank &rank, int32_t buffer, const char *what) {
  if (buffer < 0)
    return;
  const PlanBuffer &place = rank.plan.buffers[buffer];
  auto begin = rank.content.begin() + place.offset;
  if (!std::all_of(begin, begin + place.bytes,
                   [&](int32_t content) { return content == buffer; }))
    fail(std::string(what) + " reads a buffer that another one has replaced");
}

bool Streams::advanceTasks(Rank &rank) {
  if (rank.nextTask == rank.tasks.size())
    return false;
  size_t number = rank.tasks[rank.nextTask];
  const PlanOperation &operation = rank.plan.operations[number];
  switch (operation.kind) {
  case Kind::Wait: {
    auto exchange = rank.exchanges.find(operation.message);
    if (exchange == rank.exchanges.end() || exchange->second > number)
      fail("a wait for a message that has not begun");
    else if (!rank.isDone[exchange->second])
      return false;
    break;
  }
  case Kind::Run:
    for (const PlanTensor &tensor : operation.inputs)
      read(rank, tensor.buffer, "a task");
    for (const PlanTensor &tensor : operation.outputs)
      write(rank, tensor.buffer, tensor.buffer);
    break;
  case Kind::Copy:
    read(rank, operation.copy.source, "a copy");
    write(rank, operation.copy.target, operation.copy.target);
    break;
  case Kind::Give:
    read(rank, operation.given.buffer, "a result");
    break;
  case Kind::Reserve:
    break;
  default:
    fail("a message that begins alone");
  }
  rank.isDone[number] = true;
  ++rank.nextTask;
  return true;
}

/// A group waits for the tasks before it, or if it only receives, for the
/// reservation of its memory.
bool Streams::isReady(const Rank &rank, size_t number) const {
  const PlanOperation &operation = rank.plan.operations[number];
  size_t after = number;
  bool hasSends = operation.kind == Kind::Reduce;
  for (const PlanMessage &message : operation.messages)
    hasSends |= message.isSend;
  if (!hasSends)
    after = rank.reservations.at(operation.messages.front().number) + 1;
  return rank.nextTask == rank.tasks.size() ||
         rank.tasks[rank.nextTask] >= after;
}

bool Streams::beginGroup(Rank &rank) {
  if (rank.isRunning || rank.nextGroup == rank.groups.size() ||
      !isReady(rank, rank.groups[rank.nextGroup]))
    return false;
  rank.isRunning = true;
  for (const PlanMessage &message :
       rank.plan.operations[rank.groups[rank.nextGroup]].messages) {
    if (message.isSend)
      read(rank, message.buffer, "a send");
    else
      write(rank, message.buffer, onItsWay);
  }
  return true;
}

/// Whether the other ranks have begun theirs: of each two ranks, the n-th
/// message that one sends is the n-th that the other receives.
bool Streams::areThere(size_t number, const PlanOperation &operation) {
  auto countBegun = [&](size_t other) {
    return ranks[other].nextGroup + (ranks[other].isRunning ? 1 : 0);
  };
  if (operation.kind == Kind::Reduce) {
    const std::vector<int64_t> &set = pipeline.stages[operation.stage].ranks;
    return std::all_of(set.begin(), set.end(), [&](int64_t other) {
      const Rank &rank = ranks[other];
      auto begin = rank.groups.begin();
      return std::any_of(begin, begin + countBegun(other), [&](size_t group) {
        const PlanOperation &one = rank.plan.operations[group];
        return one.kind == Kind::Reduce && one.stage == operation.stage;
      });
    });
  }
  // How many messages of a pair each side has begun, up to this group.
  auto count = [&](size_t of, int peer, bool isSend, size_t end) {
    size_t found = 0;
    for (size_t i = 0; i < end; ++i)
      for (const PlanMessage &message :
           ranks[of].plan.operations[ranks[of].groups[i]].messages)
        found += message.peer == peer && message.isSend == isSend;
    return found;
  };
  for (const PlanMessage &message : operation.messages) {
    auto peer = static_cast<size_t>(message.peer);
    size_t own =
        count(number, message.peer, message.isSend, countBegun(number));
    size_t theirs = count(peer, static_cast<int>(number), !message.isSend,
                          countBegun(peer));
    if (theirs < own)
      return false;
  }
  return true;
}

bool Streams::endGroup(size_t number) {
  Rank &rank = ranks[number];
  if (!rank.isRunning)
    return false;
  size_t place = rank.groups[rank.nextGroup];
  const PlanOperation &operation = rank.plan.operations[place];
  if (!areThere(number, operation))
    return false;
  for (const PlanMessage &message : operation.messages) {
    if (message.isSend) {
      read(rank, message.buffer, "a send on its way");
      continue;
    }
    const PlanBuffer &buffer = rank.plan.buffers[message.buffer];
    auto begin = rank.content.begin() + buffer.offset;
    if (!std::all_of(begin, begin + buffer.bytes,
                     [](int32_t content) { return content == onItsWay; }))
      fail("the memory of a receive was written meanwhile");
    write(rank, message.buffer, message.buffer);
  }
  rank.isDone[place] = true;
  rank.isRunning = false;
  ++rank.nextGroup;
  return true;
}

std::string Streams::run() {
  auto hasEnded = [&] {
    return std::all_of(ranks.begin(), ranks.end(), [](const Rank &rank) {
      return rank.nextTask == rank.tasks.size() &&
             rank.nextGroup == rank.groups.size();
    });
  };
  std::vector<size_t> order(3 * ranks.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  while (error.empty() && !hasEnded()) {
    std::shuffle(order.begin(), order.end(), random);
    bool wentOn = std::any_of(order.begin(), order.end(), [&](size_t choice) {
      Rank &rank = ranks[choice / 3];
      return choice % 3 == 0   ? advanceTasks(rank)
             : choice % 3 == 1 ? beginGroup(rank)
                               : endGroup(choice / 3);
    });
    if (!wentOn)
      fail("all ranks wait for others");
  }
  return error;
}

TEST(InOrderPlans, KeepTheirMemoryUnderAnyTiming) {
  int numRun = 0;
  for (uint64_t number = 1; numRun < 300; ++number) {
    RandomRun one(number);
    std::string reason;
    if (!one.make(reason))
      continue;
    ++numRun;
    for (uint64_t timing = 0; timing < 3; ++timing)
      ASSERT_EQ(Streams(one, PipelineMode::Train, timing).run(), "")
          << "seed " << number << ", timing " << timing;
  }
}
