//===- ProgramSliceTest.cpp - some entries of a program -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipeline/ProgramSlice.h"
#include "../Runtime/TestProgram.h"
#include "Tables.h"

#include "gtest/gtest.h"

using namespace tenon::runtime;

/// Two entries with a state each, and one that both use.
static const tenon_program &makeProgram(TestProgram &tables) {
  auto kernel = [](const int64_t *, void *const *, void *, int64_t, int64_t) {};
  int32_t a = tables.addState("a", {4}), b = tables.addState("b", {2});
  int32_t both = tables.addState("both", {1});
  tables.entry.name = "first";
  int32_t x = tables.addInput("x", {4});
  tables.addKernel("set", {x, a}, kernel, 4);
  tables.addKernel("sum", {x, both}, kernel, 1);
  tables.startEntry("second");
  int32_t y = tables.addOutput("y", {2});
  tables.addKernel("set", {b, y}, kernel, 2);
  tables.addKernel("sum", {b, both}, kernel, 1);
  return tables.get();
}

TEST(ProgramSlice, HasWhatItsEntriesUse) {
  TestProgram tables;
  const tenon_program &program = makeProgram(tables);
  ASSERT_TRUE(checkTables(program));
  ProgramSlice slice(program, {1});
  const tenon_program &second = slice.get();
  EXPECT_TRUE(checkTables(second)) << checkTables(second).error();
  ASSERT_EQ(second.num_entries, 1);
  EXPECT_STREQ(second.entries[0].name, "second");
  ASSERT_EQ(second.num_states, 2);
  EXPECT_STREQ(second.states[0].value.name, "b");
  EXPECT_STREQ(second.states[1].value.name, "both");
  EXPECT_EQ(second.num_steps, 2);
  EXPECT_EQ(second.num_buffers, 3);
}

TEST(ProgramSlice, HasMoreStates) {
  TestProgram tables;
  const tenon_program &program = makeProgram(tables);
  ProgramSlice slice(program, {1}, {0});
  EXPECT_TRUE(checkTables(slice.get())) << checkTables(slice.get()).error();
  ASSERT_EQ(slice.get().num_states, 3);
  EXPECT_STREQ(slice.get().states[0].value.name, "a");
  EXPECT_EQ(slice.get().num_buffers, 3);
  EXPECT_TRUE(Model::load(slice.get(), {}, ""));
}

TEST(ProgramSlice, OfAllEntriesIsTheProgram) {
  TestProgram tables;
  const tenon_program &program = makeProgram(tables);
  ProgramSlice slice(program, {0, 1});
  EXPECT_EQ(slice.get().num_states, program.num_states);
  EXPECT_EQ(slice.get().num_buffers, program.num_buffers);
  EXPECT_EQ(slice.get().num_steps, program.num_steps);
  for (int32_t step = 0; step < program.num_steps; ++step)
    for (int32_t i = 0; i < program.steps[step].num_buffers; ++i)
      EXPECT_EQ(slice.get().steps[step].buffers[i],
                program.steps[step].buffers[i]);
}
