//===- RankInterpreterTest.cpp - programs of ranks are interpreted --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankModels.h"
#include "Reference.h"
#include "tenon/Parallelize/CheckRanks.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tenon;
using namespace tenon::ranks;

namespace {
/// Runs programs of ranks on inputs of ones, with states of ones.
class RankInterpreterTest : public ::testing::Test {
protected:
  RankInterpreterTest() { loadDialects(context); }

  /// `steps` are those of ranks 0 and 1, which have the buffers %a and %b.
  /// There are the input %x, the output %y, the functions @double and @count,
  /// and the states @sum, which is transient, and @kept.
  RankRun run(const std::string &first, const std::string &second,
              Channels channels, uint64_t seed = 1);
  /// The faults that some seeds show; empty if none does.
  std::string findError(const std::string &first, const std::string &second,
                        Channels channels) {
    for (uint64_t seed = 0; seed < 20; ++seed)
      if (RankRun made = run(first, second, channels, seed);
          !made.error.empty())
        return made.error;
    return "";
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  TaskMemo memo;
};
} // namespace

RankRun RankInterpreterTest::run(const std::string &first,
                                 const std::string &second, Channels channels,
                                 uint64_t seed) {
  std::string text = R"(
    graph.state transient @sum : tensor<2xf64>
    graph.state @kept : tensor<2xf64>
    func.func @double(%x: tensor<2xf64>) -> tensor<2xf64> {
      %0 = graph.add %x, %x : tensor<2xf64>
      return %0 : tensor<2xf64>
    }
    func.func @count(%x: tensor<2xf64>) {
      %0 = graph.read_state @sum : tensor<2xf64>
      %1 = graph.add %0, %x : tensor<2xf64>
      graph.write_state @sum, %1 : tensor<2xf64>
      return
    }
    func.func @keep() {
      %0 = graph.read_state @sum : tensor<2xf64>
      graph.write_state @kept, %0 : tensor<2xf64>
      return
    }
    program.ranks @main {
      %x = program.input "x" : tensor<2xf64>
      %y = program.output "y" : tensor<2xf64>)";
  auto addRank = [&](const char *number, const std::string &steps) {
    // Each line is a step.
    long count = llvm::count(StringRef(steps).trim(), '\n');
    text += std::string("\nprogram.rank ") + number + " {\n";
    for (const char *name : {"%a", "%b"})
      text += std::string(name) +
              " = program.arena : tensor<2xf64> live 0 to " +
              std::to_string(count) + "\n";
    text += "program.run {\n" + steps + "}\n}\n";
  };
  addRank("0", first);
  addRank("1", second);
  text += "}";
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return {"does not verify", {}, {}};
  TaskFunctions functions(*module, memo, {});
  Tensor ones = Tensor::of(Float64Type::get(&context), {2}, {1, 1});
  States states;
  for (const char *name : {"sum", "kept"})
    states[name] = ones;
  return runRanks(*module->getOps<program::RanksOp>().begin(), ones, states,
                  channels, seed, functions);
}

TEST(RankModels, ComputeWhatTheModelDoes) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  loadDialects(context);
  for (const RankModel &model : getRankModels()) {
    SCOPED_TRACE(model.name);
    OwningOpRef<ModuleOp> module = buildRanks(context, model);
    ASSERT_TRUE(module);
    pipe::ProgramOp program = *module->getOps<pipe::ProgramOp>().begin();
    EXPECT_TRUE(succeeded(parallelize::checkRanks(program)));
    FailureOr<Reference> reference = Reference::build(program, 1);
    ASSERT_TRUE(succeeded(reference));
    TaskMemo memo;
    EXPECT_EQ(reference->compare(*module, memo, 1, 20), "");
  }
}

TEST_F(RankInterpreterTest, PassesTensorsOn) {
  for (Channels channels : {Channels::Tags, Channels::Ordered})
    for (uint64_t seed = 0; seed < 20; ++seed) {
      RankRun made = run(R"(
        program.task @double(%x) to (%a)
        %t = program.send %a to 1 tag 0 group 0
        program.wait %t
      )",
                         R"(
        %t = program.receive %a from 0 tag 0 group 0
        program.wait %t
        program.task @double(%a) to (%y)
      )",
                         channels, seed);
      ASSERT_EQ(made.error, "");
      EXPECT_EQ(made.outputs[0].data()[1].number, 4);
    }
}

TEST_F(RankInterpreterTest, FindsDeadlocks) {
  const char *first = R"(
        program.copy "in" %x to %b
        %t = program.send %b to 1 tag 0 group 0
        program.wait %t
        %u = program.receive %a from 1 tag 1 group 1
        program.wait %u
      )";
  // Both sends are awaited before the receives begin.
  const char *second = R"(
        program.copy "in" %x to %b
        %u = program.send %b to 0 tag 1 group 1
        program.wait %u
        %t = program.receive %a from 0 tag 0 group 0
        program.wait %t
      )";
  for (Channels channels : {Channels::Tags, Channels::Ordered})
    EXPECT_EQ(findError(first, second, channels),
              "deadlock: rank 0 at step 2 rank 1 at step 2");
}

TEST_F(RankInterpreterTest, OrderedGroupsWaitForThoseBefore) {
  const char *first = R"(
        program.copy "in" %x to %a
        %t = program.send %a to 1 tag 0 group 0
        %u = program.send %a to 1 tag 1 group 1
        program.wait %t
        program.wait %u
        program.copy "out" %x to %y
      )";
  // The message of group 1 is awaited before that of group 0 begins.
  const char *second = R"(
        %u = program.receive %b from 0 tag 1 group 1
        program.wait %u
        %t = program.receive %a from 0 tag 0 group 0
        program.wait %t
      )";
  EXPECT_EQ(findError(first, second, Channels::Tags), "");
  EXPECT_EQ(findError(first, second, Channels::Ordered),
            "deadlock: rank 0 at step 3 rank 1 at step 1");
}

TEST_F(RankInterpreterTest, FindsAccessesToBuffersInUse) {
  const char *first = R"(
        program.copy "in" %x to %a
        %t = program.send %a to 1 tag 0 group 0
        program.wait %t
      )";
  EXPECT_NE(findError(first, R"(
        %t = program.receive %a from 0 tag 0 group 0
        program.task @double(%a) to (%y)
        program.wait %t
      )",
                      Channels::Tags)
                .find("reads a buffer that a message still writes"),
            std::string::npos);
  EXPECT_NE(findError(R"(
        program.copy "in" %x to %a
        %t = program.send %a to 1 tag 0 group 0
        program.task @double(%x) to (%a)
        program.wait %t
      )",
                      R"(
        %t = program.receive %a from 0 tag 0 group 0
        program.wait %t
        program.copy "out" %a to %y
      )",
                      Channels::Ordered)
                .find("writes a buffer that a message still uses"),
            std::string::npos);
  EXPECT_NE(
      findError("\n program.task @double(%a) to (%y)\n", "\n", Channels::Tags)
          .find("reads what no step has written"),
      std::string::npos);
}

TEST_F(RankInterpreterTest, SumsStates) {
  auto getSteps = [](const std::string &mean, const char *value) {
    return "\n program.task @double(%x) to (%a)\n program.task @count(%" +
           std::string(value) + ")\n %t = program.all_reduce " + mean +
           " [\"sum\"] among [0, 1] tag 0 group 0\n program.wait %t\n";
  };
  std::string out = "program.copy \"out\" %x to %y\n";
  for (Channels channels : {Channels::Tags, Channels::Ordered}) {
    // 1 + 1 and 1 + 2.
    RankRun sums = run(getSteps("", "x") + out, getSteps("", "a"), channels);
    ASSERT_EQ(sums.error, "");
    RankRun means =
        run(getSteps("mean", "x") + out, getSteps("mean", "a"), channels);
    ASSERT_EQ(means.error, "");
    for (int rank : {0, 1}) {
      EXPECT_EQ(sums.states[rank]["sum"].data()[0].number, 5);
      EXPECT_EQ(means.states[rank]["sum"].data()[0].number, 2.5);
    }
    EXPECT_EQ(
        run(getSteps("", "x") + out, getSteps("mean", "a"), channels).error,
        "sums that meet differ");
  }
  std::string early = getSteps("", "x");
  early.insert(early.find(" program.wait"), " program.task @count(%x)\n");
  EXPECT_NE(findError(early + out, getSteps("", "a"), Channels::Tags)
                .find("uses the state 'sum', which is being summed"),
            std::string::npos);
}

TEST_F(RankInterpreterTest, LastingStatesChangeBehindABarrier) {
  std::string keep = "program.task @keep()\n", barrier = "program.barrier\n";
  std::string out = "program.copy \"out\" %x to %y\n";
  EXPECT_EQ(
      findError("\n" + barrier + keep + out, "\n" + barrier, Channels::Tags),
      "");
  EXPECT_NE(
      findError("\n" + keep + barrier + out, "\n" + barrier, Channels::Tags)
          .find("changes the state 'kept' before a barrier"),
      std::string::npos);
}
