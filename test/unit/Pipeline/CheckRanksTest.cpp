//===- CheckRanksTest.cpp - damaged programs of ranks are refused ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Runtime/TestProgram.h"
#include "Pipeline/RankTables.h"
#include "RankProgram.h"
#include "Tables.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace tenon::runtime;

namespace {
/// Tables of two ranks, which may be damaged.
class Tables {
public:
  Tables();

  tenon_rank_tensor &tensor(int rank, int32_t number) {
    return const_cast<tenon_rank_tensor &>(ranks[rank].tensors[number]);
  }
  tenon_rank_step &step(int rank, int32_t number) {
    return const_cast<tenon_rank_step &>(ranks[rank].steps[number]);
  }
  tenon_entry &entry(int32_t number) {
    return const_cast<tenon_entry &>(program->entries[number]);
  }
  /// An entry of a list that a table has.
  static int32_t &at(const int32_t *list, int32_t place) {
    return const_cast<int32_t &>(list[place]);
  }

  tenon_rank_program ranks[2];
  tenon_program *program;

private:
  TestProgram test;
  RankProgram planned[2];
};
} // namespace

Tables::Tables() {
  test.addState("s", {2});
  test.addState("i", {2}, nullptr, tenon::artifact::DType::I32);
  test.entry.name = "main";
  test.entry.ranks = ranks;
  test.addInput("x", {4});
  test.addOutput("y", {4});
  test.addOutput("loss", {});
  test.startEntry("task");
  test.addInput("x", {2});
  test.addOutput("y", {2});
  test.addOutput("loss", {});
  program = &test.get();
  program->num_ranks = 2;
  program->num_tasks = 1;

  RankProgram &first = planned[0], &second = planned[1];
  int32_t buffer = first.addBuffer({2});
  int32_t input = first.addCallers(TENON_BUFFER_INPUT, 0, {4});
  int32_t inputPart = first.addPart(input, 0, 1, 2);
  int32_t output = first.addCallers(TENON_BUFFER_OUTPUT, 0, {4});
  int32_t outputPart = first.addPart(output, 0, 2, 2);
  int32_t number = first.addBuffer({});
  int32_t loss = first.addCallers(TENON_BUFFER_OUTPUT, 1, {});
  first.addTask(1, {inputPart, buffer, number});
  first.addCopy(buffer, outputPart);
  tenon_rank_step add = {};
  add.kind = TENON_RANK_ADD;
  first.addStep(add, {number, loss});
  first.begin(TENON_RANK_SEND, 0, 0, buffer, {1});
  first.beginSum(1, 1, {0}, {0, 1});
  first.wait();
  first.addBarrier();

  second.begin(TENON_RANK_RECEIVE, 0, 0, second.addBuffer({2}), {0});
  second.beginSum(1, 1, {0}, {0, 1});
  second.wait();
  second.addBarrier();
  for (int rank = 0; rank < 2; ++rank)
    ranks[rank] = planned[rank].get();
}

/// What is wrong after a change, without what all messages have.
template <typename Change> static std::string check(Change change) {
  Tables tables;
  change(tables);
  auto status = checkTables(*tables.program);
  EXPECT_TRUE(status) << status.error();
  std::string text = checkRanks(*tables.program).error(),
              common = "the artifact is damaged: ";
  EXPECT_EQ(text.substr(0, common.size()), text.empty() ? "" : common);
  return text.empty() ? text : text.substr(common.size());
}

/// Defines EXPECT_DAMAGED(message, change of `t`).
#define EXPECT_DAMAGED(MESSAGE, CHANGE)                                        \
  EXPECT_EQ(check([](Tables &t) { CHANGE; }), MESSAGE)

static const std::string first = "entry 'main', rank 0: ";

TEST(CheckRanks, AcceptsGoodTables) {
  EXPECT_EQ(check([](Tables &) {}), "");
}

TEST(CheckRanks, RefusesDamagedEntries) {
  const std::string counts = " tasks among 2 entries";
  EXPECT_DAMAGED("it has 2 ranks and 2" + counts, t.program->num_tasks = 2);
  EXPECT_DAMAGED("it has 2 ranks and -1" + counts, t.program->num_tasks = -1);
  const std::string other = "entry 'main' is not that of ranks";
  EXPECT_DAMAGED(other, t.entry(0).ranks = nullptr);
  EXPECT_DAMAGED("it has 0 ranks and 1" + counts, t.entry(0).ranks = nullptr;
                 t.program->num_ranks = 0);
  EXPECT_DAMAGED(other, t.entry(0).num_symbols = 1);
  static const int64_t symbol[] = {-1};
  EXPECT_DAMAGED(other, const_cast<tenon_value &>(t.entry(0).inputs[0]).shape =
                            symbol);
  EXPECT_DAMAGED(other, const_cast<tenon_value &>(t.entry(0).outputs[0]).shape =
                            symbol);
  EXPECT_DAMAGED("task 'task' is an entry of ranks",
                 t.entry(1).ranks = t.entry(0).ranks);
  EXPECT_DAMAGED("entry 'main': rank 1 has 0 barriers, but rank 0 has 1",
                 t.ranks[1].num_steps = 3);
}

TEST(CheckRanks, RefusesRanksOfAProgramWithout) {
  Tables tables;
  tables.program->num_ranks = 0;
  EXPECT_EQ(checkTables(*tables.program).error(),
            "the artifact is damaged: entry 'main' is of ranks, but there are "
            "none");
}

TEST(CheckRanks, RefusesDamagedTensors) {
  auto tensor = [](int number, const char *what) {
    return first + "tensor " + std::to_string(number) + " " + what;
  };
  const char *type = "has an unknown type", *part = "lies outside of its whole";
  static const int64_t negative[] = {-1}, huge[] = {INT64_MAX}, three[] = {3};
  EXPECT_DAMAGED(tensor(0, type), t.tensor(0, 0).dtype.bits = 24);
  EXPECT_DAMAGED(tensor(0, type), t.tensor(0, 0).rank = -1);
  EXPECT_DAMAGED(tensor(0, type), t.tensor(0, 0).shape = nullptr);
  EXPECT_DAMAGED(tensor(0, type), t.tensor(0, 0).shape = negative);
  EXPECT_DAMAGED(tensor(0, type), t.tensor(0, 0).shape = huge);
  EXPECT_DAMAGED(tensor(2, part), t.tensor(0, 2).axis = 1);
  EXPECT_DAMAGED(tensor(2, part), t.tensor(0, 2).axis = -2);
  EXPECT_DAMAGED(tensor(2, part), t.tensor(0, 2).begin = -1);
  EXPECT_DAMAGED(tensor(2, part), t.tensor(0, 2).begin = 3);
  EXPECT_DAMAGED(tensor(2, part), t.tensor(0, 2).begin = INT64_MAX);
  EXPECT_DAMAGED(tensor(2, part), t.tensor(0, 2).whole = INT64_MIN);
  EXPECT_DAMAGED(tensor(2, "is of an impossible size"),
                 t.tensor(0, 2).whole = INT64_MAX);
  const char *arena = "lies outside of the arena";
  EXPECT_DAMAGED(tensor(0, arena), t.tensor(0, 0).offset = -4);
  EXPECT_DAMAGED(tensor(0, arena), t.tensor(0, 0).offset = 2);
  EXPECT_DAMAGED(tensor(0, arena), t.tensor(0, 0).offset = 124);
  EXPECT_DAMAGED(tensor(0, arena), t.tensor(0, 0).offset = INT64_MAX - 3);
  EXPECT_DAMAGED(tensor(5, arena), t.ranks[0].arena_bytes = 64);
  EXPECT_DAMAGED(first + "its arena has -1 bytes", t.ranks[0].arena_bytes = -1);
  EXPECT_DAMAGED(tensor(0, "has the unknown kind 2"), t.tensor(0, 0).kind = 2);
  EXPECT_DAMAGED(tensor(1, "has the index 1"), t.tensor(0, 1).index = 1);
  EXPECT_DAMAGED(tensor(3, "has the index -1"), t.tensor(0, 3).index = -1);
  const char *callers = "has another type than the caller's";
  EXPECT_DAMAGED(tensor(1, callers), t.tensor(0, 1).shape = three);
  EXPECT_DAMAGED(tensor(4, callers), t.tensor(0, 4).whole = 5);
  EXPECT_DAMAGED(tensor(1, callers), t.tensor(0, 1).dtype.code = TENON_DL_INT);
  EXPECT_DAMAGED(first + "it has no steps or no tensors",
                 t.ranks[0].tensors = nullptr);
  EXPECT_DAMAGED(first + "it has no steps or no tensors",
                 t.ranks[0].num_steps = -1);
}

static std::string step(int number, const std::string &what) {
  return first + "step " + std::to_string(number) + " " + what;
}

TEST(CheckRanks, RefusesDamagedSteps) {
  EXPECT_DAMAGED(step(0, "has the unknown kind 8"), t.step(0, 0).kind = 8);
  EXPECT_DAMAGED(step(0, "has no tensors"), t.step(0, 0).num_tensors = -1);
  EXPECT_DAMAGED(step(0, "has no tensors"), t.step(0, 0).tensors = nullptr);
  EXPECT_DAMAGED(step(0, "uses tensor 7"), t.at(t.step(0, 0).tensors, 0) = 7);
  EXPECT_DAMAGED(step(1, "uses tensor -1"), t.at(t.step(0, 1).tensors, 1) = -1);
  EXPECT_DAMAGED(step(0, "runs the entry 0"), t.step(0, 0).entry = 0);
  EXPECT_DAMAGED(step(0, "runs the entry 2"), t.step(0, 0).entry = 2);
  EXPECT_DAMAGED(step(0, "runs 'task', whose sizes are not constant"),
                 t.entry(1).num_symbols = 1);
  EXPECT_DAMAGED(step(0, "has 2 tensors"), t.step(0, 0).num_tensors = 2);
  EXPECT_DAMAGED(step(0, "gives 'task' another tensor 0"),
                 t.at(t.step(0, 0).tensors, 0) = 1);
  EXPECT_DAMAGED(step(0, "gives 'task' another tensor 0"),
                 t.at(t.step(0, 0).tensors, 0) = 4);
  EXPECT_DAMAGED(step(0, "gives 'task' another tensor 1"),
                 t.at(t.step(0, 0).tensors, 1) = 2);
  EXPECT_DAMAGED(step(0, "takes -1 s"), t.step(0, 0).seconds = -1);
  EXPECT_DAMAGED(step(0, "takes nan s"), t.step(0, 0).seconds = NAN);
  EXPECT_DAMAGED(step(1, "expected two tensors"), t.step(0, 1).num_tensors = 1);
  const char *copy = "copies between tensors that do not fit";
  EXPECT_DAMAGED(step(1, copy), t.at(t.step(0, 1).tensors, 0) = 4);
  EXPECT_DAMAGED(step(1, copy), t.at(t.step(0, 1).tensors, 1) = 2);
  EXPECT_DAMAGED(step(1, copy), t.at(t.step(0, 1).tensors, 1) = 3);
  EXPECT_DAMAGED(step(2, "expected two tensors"), t.step(0, 2).num_tensors = 1);
  const char *add = "adds tensors that are no numbers";
  EXPECT_DAMAGED(step(2, add), t.at(t.step(0, 2).tensors, 0) = 6);
  EXPECT_DAMAGED(step(2, add), t.at(t.step(0, 2).tensors, 0) = 0);
  EXPECT_DAMAGED(step(2, add), t.at(t.step(0, 2).tensors, 1) = 5);
  EXPECT_DAMAGED(step(2, add), t.at(t.step(0, 2).tensors, 1) = 4);
}

TEST(CheckRanks, RefusesDamagedTransfers) {
  const char *arena = "expected a buffer of the arena";
  EXPECT_DAMAGED(step(3, arena), t.at(t.step(0, 3).tensors, 0) = 1);
  EXPECT_DAMAGED(step(3, arena), t.step(0, 3).num_tensors = 0);
  const char *rank = "expected another rank";
  EXPECT_DAMAGED(step(3, rank), t.at(t.step(0, 3).ranks, 0) = 0);
  EXPECT_DAMAGED(step(3, rank), t.at(t.step(0, 3).ranks, 0) = 2);
  EXPECT_DAMAGED(step(3, rank), t.at(t.step(0, 3).ranks, 0) = -1);
  EXPECT_DAMAGED(step(3, rank), t.step(0, 3).ranks = nullptr);
  EXPECT_DAMAGED(step(3, "has the tag -1"), t.step(0, 3).tag = -1);
  EXPECT_DAMAGED(step(3, "has the tag 2147483647"),
                 t.step(0, 3).tag = INT32_MAX);
  EXPECT_DAMAGED(step(3, "has the group -1"), t.step(0, 3).group = -1);
  EXPECT_DAMAGED(step(4, "has the group 0"), t.step(0, 4).group = 0);
  EXPECT_DAMAGED("entry 'main': rank 1 does not receive what rank 0 sends with "
                 "the tag 0",
                 t.step(1, 0).tag = 3);
  static const int64_t one[] = {1};
  EXPECT_DAMAGED("entry 'main': rank 1 does not receive what rank 0 sends with "
                 "the tag 0",
                 t.tensor(1, 0).shape = one);
}

TEST(CheckRanks, RefusesDamagedSums) {
  EXPECT_DAMAGED(step(4, "expected two ranks or more"),
                 t.step(0, 4).num_ranks = 1);
  const char *set = "sums over ranks that are no such set";
  EXPECT_DAMAGED(step(4, set), t.at(t.step(0, 4).ranks, 1) = 2);
  EXPECT_DAMAGED(step(4, set), t.at(t.step(0, 4).ranks, 1) = 0);
  EXPECT_DAMAGED(step(4, set), t.at(t.step(0, 4).ranks, 0) = -1);
  EXPECT_DAMAGED(step(4, "expected a state or a tensor"),
                 t.step(0, 4).num_states = 0);
  EXPECT_DAMAGED(step(4, "sums state 2"), t.at(t.step(0, 4).states, 0) = 2);
  EXPECT_DAMAGED(step(4, "sums state -1"), t.at(t.step(0, 4).states, 0) = -1);
  EXPECT_DAMAGED(step(4, "can't sum state 'i'"),
                 t.at(t.step(0, 4).states, 0) = 1);
  const char *other =
      "entry 'main': rank 1 does not sum what others do with the tag 1";
  EXPECT_DAMAGED(other, t.step(1, 1).is_mean = 1);
  EXPECT_DAMAGED(other, t.step(1, 1).tag = 3);
}

TEST(CheckRanks, RefusesDamagedWaits) {
  EXPECT_DAMAGED(step(5, "waits for step 5"),
                 t.at(t.step(0, 5).awaited, 1) = 5);
  EXPECT_DAMAGED(step(5, "waits for step -1"),
                 t.at(t.step(0, 5).awaited, 1) = -1);
  EXPECT_DAMAGED(step(5, "waits for step 0"),
                 t.at(t.step(0, 5).awaited, 1) = 0);
  // Twice for the same.
  EXPECT_DAMAGED(step(5, "waits for step 3"),
                 t.at(t.step(0, 5).awaited, 1) = 3);
  EXPECT_DAMAGED(step(5, "waits for nothing"), t.step(0, 5).num_awaited = -1);
  EXPECT_DAMAGED(step(5, "waits for nothing"), t.step(0, 5).awaited = nullptr);
  EXPECT_DAMAGED(step(6, "is a barrier amid transfers"),
                 t.step(0, 5).num_awaited = 1);
  EXPECT_DAMAGED(first + "it ends amid 2 transfers", t.ranks[0].num_steps = 5);
}
