//===- OriginTest.cpp - texts that say what a value is --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/Origin.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace tenon::graph;

namespace {
class Origin : public ::testing::Test {
protected:
  Origin() { context.loadDialect<GraphDialect>(); }

  Location named(llvm::StringRef name) {
    return NameLoc::get(StringAttr::get(&context, name), line("m.onnx", 1, 0));
  }
  Location line(llvm::StringRef file, unsigned line, unsigned column) {
    return FileLineColLoc::get(&context, file, line, column);
  }
  std::string originAt(Location loc) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    auto type = RankedTensorType::get({1}, builder.getF32Type());
    return getOrigin(cast<OpResult>(
        ConstantOp::create(builder, loc,
                           cast<ElementsAttr>(DenseElementsAttr::get(
                               type, builder.getF32FloatAttr(1))))
            .getResult()));
  }

  MLIRContext context;
};
} // namespace

TEST_F(Origin, PlacesComeBeforeTheOp) {
  EXPECT_EQ(originAt(named("Relu_3 (Relu)")), "Relu_3 (Relu) graph.constant");
  EXPECT_EQ(originAt(line("/some/folder/m.mlir", 12, 8)),
            "m.mlir:12:8 graph.constant");
  EXPECT_EQ(originAt(UnknownLoc::get(&context)), "graph.constant");
}

TEST_F(Origin, FusedPlacesAreListedOnce) {
  Location inner = FusedLoc::get(&context, {named("a"), named("b")});
  Location outer =
      FusedLoc::get(&context, {inner, line("m.mlir", 1, 2), named("a")});
  EXPECT_EQ(originAt(outer), "a\tb\tm.mlir:1:2 graph.constant");
  EXPECT_EQ(originAt(CallSiteLoc::get(named("callee"), named("caller"))),
            "callee graph.constant");
}

TEST_F(Origin, OddNamesStayOneLine) {
  EXPECT_EQ(originAt(named("a\tb\n")), "a?b? graph.constant");
  EXPECT_EQ(originAt(named("")), "m.onnx:1:0 graph.constant");
  llvm::SmallVector<Location> many;
  for (int number = 0; number < 20; ++number)
    many.push_back(named(std::to_string(number)));
  std::vector<std::string> places = getPlaces(FusedLoc::get(&context, many));
  ASSERT_EQ(places.size(), 16u);
  EXPECT_EQ(places[14], "14");
  EXPECT_EQ(places[15], "...");
}
