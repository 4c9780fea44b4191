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
