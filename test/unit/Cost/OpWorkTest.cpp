//===- OpWorkTest.cpp - every op has work ---------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestModule.h"
#include "tenon/Cost/CostModel.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::cost;

/// Ops that are no work at run time, and ops that only move data.
static const std::set<StringRef> kFree = {"graph.constant", "graph.parameter",
                                          "graph.reshape"};
static const std::set<StringRef> kMoves = {
    "graph.transpose", "graph.broadcast",       "graph.tile",
    "graph.slice",     "graph.concat",          "graph.split",
    "graph.pad",       "graph.reverse",         "graph.resize",
    "graph.gather",    "graph.gather_elements", "graph.gather_nd",
    "graph.embedding", "graph.scatter_nd",      "graph.scatter_elements",
    "graph.iota"};

/// The modules that show how every op is written.
static std::vector<OwningOpRef<ModuleOp>> readModules() {
  std::vector<OwningOpRef<ModuleOp>> modules;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(TENON_TEST_MODELS, code), end;
       it != end && !code; it.increment(code))
    if (StringRef(it->path()).ends_with("-parse.mlir")) {
      modules.push_back(
          parseSourceFile<ModuleOp>(it->path(), &test::getContext()));
      EXPECT_TRUE(modules.back()) << it->path();
    }
  return modules;
}

TEST(OpWork, EveryOpHasSome) {
  llvm::Expected<DeviceProfile> profile = getProfile("cpu");
  ASSERT_TRUE(static_cast<bool>(profile));
  CostModel costs(std::move(*profile));
  std::set<StringRef> seen;
  for (OwningOpRef<ModuleOp> &module : readModules())
    module->walk([&](Operation *op) {
      if (!isa<graph::GraphDialect>(op->getDialect()))
        return;
      StringRef name = op->getName().getStringRef();
      seen.insert(name);
      // Costs are of functions whose states are arguments and results.
      if (isa<graph::StateOp, graph::ReadStateOp, graph::WriteStateOp>(op))
        return;
      // An op of constants runs at load.
      if (costs.isFree(op))
        return;
      Work work = costs.getWork(op);
      EXPECT_GT(work.bytesWritten, 0) << name.str();
      EXPECT_GT(costs.estimate(work).seconds, 0) << name.str();
      if (!kMoves.count(name))
        EXPECT_GT(work.matrixFlops + work.vectorFlops, 0) << name.str();
      EXPECT_FALSE(kFree.count(name)) << name.str();
    });
  std::set<StringRef> registered;
  for (RegisteredOperationName name :
       test::getContext().getRegisteredOperationsByDialect("graph"))
    registered.insert(name.getStringRef());
  EXPECT_GT(registered.size(), 100u);
  for (StringRef name : registered)
    EXPECT_TRUE(seen.count(name))
        << name.str() << " is in no *-parse.mlir of " << TENON_TEST_MODELS;
}

TEST(OpWork, TranscendentalsCountMore) {
  llvm::Expected<DeviceProfile> profile = getProfile("cpu");
  ASSERT_TRUE(static_cast<bool>(profile));
  CostModel costs(std::move(*profile));
  test::TestModule module("%x: tensor<10xf32>", R"(
    %0 = graph.exp %x : tensor<10xf32>
    %1 = graph.add %x, %x : tensor<10xf32>
    %2 = graph.reduce_sum %x axes = [0] : (tensor<10xf32>) -> tensor<f32>)");
  EXPECT_EQ(costs.getWork(module.get<graph::AddOp>()).vectorFlops, 10);
  EXPECT_EQ(costs.getWork(module.get<graph::ExpOp>()).vectorFlops, 120);
  EXPECT_EQ(costs.getWork(module.get<graph::ReduceSumOp>()).vectorFlops, 10);
}

TEST(OpWork, AttentionIsTwoMatmulsAndASoftmax) {
  llvm::Expected<DeviceProfile> profile = getProfile("cpu");
  ASSERT_TRUE(static_cast<bool>(profile));
  CostModel costs(std::move(*profile));
  test::TestModule module(
      "%q: tensor<2x4x8x16xf32>, %k: tensor<2x4x32x16xf32>, "
      "%v: tensor<2x4x32x24xf32>",
      R"(
    %0 = graph.attention %q, %k, %v scale = 0.25
        : (tensor<2x4x8x16xf32>, tensor<2x4x32x16xf32>, tensor<2x4x32x24xf32>)
        -> tensor<2x4x8x24xf32>)");
  Work work = costs.getWork(module.get<graph::AttentionOp>());
  double scores = 2 * 4 * 8 * 32;
  EXPECT_EQ(work.matrixFlops, 2 * scores * 16 + 2 * scores * 24);
  EXPECT_GT(work.vectorFlops, 12 * scores);
  // The scores stay inside.
  EXPECT_EQ(work.bytesWritten, 2 * 4 * 8 * 24 * 4.0);
}
