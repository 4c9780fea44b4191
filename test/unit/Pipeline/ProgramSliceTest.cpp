//===- ProgramSliceTest.cpp - some entries of a program -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipeline/ProgramSlice.h"
#include "Tables.h"
#include "TaskTables.h"

#include "gtest/gtest.h"

#include <set>

using namespace tenon::runtime;

/// Two entries with a state each, and one that both use.
static void addEntries(TaskTables &tables) {
  int32_t a = tables.addState("a", {4}), b = tables.addState("b", {2});
  int32_t both = tables.addState("both", {1});
  tables.startEntry("first");
  int32_t x = tables.addInput("x", {4});
  tables.addSet(x, a);
  tables.addSum(x, both);
  tables.startEntry("second");
  int32_t y = tables.addOutput("y", {2});
  tables.addSet(b, y);
  tables.addSum(b, both);
}

TEST(ProgramSlice, HasWhatItsEntriesUse) {
  TaskTables tables;
  addEntries(tables);
  const tenon_program &program = tables.get(nullptr, 0);
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

TEST(ProgramSlice, OfAllEntriesIsTheProgram) {
  TaskTables tables;
  addEntries(tables);
  const tenon_program &program = tables.get(nullptr, 0);
  ProgramSlice slice(program, {0, 1});
  EXPECT_EQ(slice.get().num_states, program.num_states);
  EXPECT_EQ(slice.get().num_buffers, program.num_buffers);
  EXPECT_EQ(slice.get().num_steps, program.num_steps);
  for (int32_t step = 0; step < program.num_steps; ++step)
    for (int32_t i = 0; i < program.steps[step].num_buffers; ++i)
      EXPECT_EQ(slice.get().steps[step].buffers[i],
                program.steps[step].buffers[i]);
}
