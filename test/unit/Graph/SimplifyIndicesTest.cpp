//===- SimplifyIndicesTest.cpp - what ranges decide of index forms --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Analysis/SimplifyIndices.h"
#include "tenon/Dialect/Graph/IR/Progression.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"

#include "mlir/IR/Builders.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tenon::graph;

namespace {
/// Expressions over i0 in [0, n), i1 in [0, 4) and data.
class SimplifyIndices : public testing::Test {
protected:
  SimplifyIndices() { context.loadDialect<GraphDialect>(); }

  std::string simplify(const Expr &expr, bool mayReadData = true) {
    IndexRanges ranges({n, SymInt(4)}, expr);
    return simplifyIndices(expr, ranges, mayReadData).str();
  }
  Expr position(const Expr &index) { return Expr::fromIndex(index, i64); }
  Expr number(int64_t value) { return Expr::constantInt(value, i64); }
  Expr apply(ScalarFn fn, const Expr &a, const Expr &b) {
    return Expr::apply(fn, {a, b});
  }
  Expr data() { return Expr::load(0, {Expr::var(0)}, i64); }
  Expr index(const Expr &element) { return Expr::fromElement(element); }

  MLIRContext context;
  Type i64 = IntegerType::get(&context, 64);
  Type i32 = IntegerType::get(&context, 32);
  SymInt n = SymInt::symbol("n");
  Expr b = Expr::var(0), r = Expr::var(1);
};
} // namespace

TEST_F(SimplifyIndices, ElementsOfPositionsAreIndices) {
  Expr flat = apply(ScalarFn::Add, apply(ScalarFn::Mul, position(b), number(4)),
                    position(r));
  std::string linear =
      Expr::addIndex(Expr::mulIndex(b, Expr::index(4)), r).str();
  EXPECT_EQ(simplify(index(flat)), linear);
  // The row and the column of a position, and its clamp to what it is in.
  EXPECT_EQ(simplify(index(apply(ScalarFn::Div, flat, number(4)))), b.str());
  EXPECT_EQ(simplify(index(apply(ScalarFn::Mod, flat, number(4)))), r.str());
  Expr size = Expr::size(n * SymInt(4) - SymInt(1));
  EXPECT_EQ(simplify(Expr::maxIndex(Expr::index(0),
                                    Expr::minIndex(index(flat), size))),
            linear);
  // i32 may wrap.
  Expr narrow = Expr::apply(
      ScalarFn::Add, {Expr::fromIndex(b, i32), Expr::constantInt(1, i32)});
  EXPECT_EQ(simplify(index(narrow)), index(narrow).str());
}

TEST_F(SimplifyIndices, LargeFactorsMayWrap) {
  Expr far = apply(ScalarFn::Mul, position(b), number(int64_t(1) << 40));
  EXPECT_EQ(simplify(index(far)), index(far).str());
  Expr less = apply(ScalarFn::Less, number(-1), far);
  EXPECT_EQ(simplify(less), less.str());
}

TEST_F(SimplifyIndices, RangesDecideConditions) {
  Expr x = Expr::load(1, {b}, i64), y = Expr::load(2, {b}, i64);
  Expr inside = Expr::less(r, Expr::index(4));
  EXPECT_EQ(simplify(Expr::select(inside, x, y)), x.str());
  EXPECT_EQ(simplify(Expr::select(Expr::logicalNot(inside), x, y)), y.str());
  Expr first = Expr::less(r, Expr::index(2));
  EXPECT_EQ(simplify(Expr::select(first, x, y)),
            Expr::select(first, x, y).str());
  Expr same =
      apply(ScalarFn::Equal, position(b),
            apply(ScalarFn::Sub, position(Expr::addIndex(b, r)), position(r)));
  EXPECT_EQ(simplify(same),
            Expr::constantInt(1, IntegerType::get(&context, 1)).str());
}

TEST_F(SimplifyIndices, SumsThatCount) {
  Expr k = Expr::var(7);
  auto sum = [&](const Expr &guard, const Expr &body) {
    return Expr::reduce(ReduceKind::Sum, {7}, {Expr::size(n)}, guard, body);
  };
  EXPECT_EQ(simplify(index(sum(Expr::always(), number(3)))),
            Expr::size(n * SymInt(3)).str());
  // A running sum of ones, less one.
  Expr count = sum(Expr::lessEqual(k, b), number(1));
  EXPECT_EQ(simplify(index(apply(ScalarFn::Sub, count, number(1)))), b.str());
  Expr of = sum(Expr::always(), position(k));
  EXPECT_EQ(simplify(index(of)), index(of).str());
}

TEST_F(SimplifyIndices, DataHasBoundsOnly) {
  Expr bounded =
      apply(ScalarFn::Min, apply(ScalarFn::Max, data(), number(0)), number(3));
  Expr row = index(apply(
      ScalarFn::Add, apply(ScalarFn::Mul, position(b), number(4)), bounded));
  Expr clamped = Expr::minIndex(row, Expr::size(n * SymInt(4) - SymInt(1)));
  EXPECT_EQ(simplify(clamped), simplify(row));
  EXPECT_EQ(simplify(row, /*mayReadData=*/false).find("index(x0"),
            std::string::npos);
  // A sum of data may wrap before it is bounded.
  Expr wraps =
      apply(ScalarFn::Max, apply(ScalarFn::Add, data(), number(1)), number(0));
  EXPECT_EQ(simplify(index(wraps)), index(wraps).str());
}

TEST_F(SimplifyIndices, Progressions) {
  OpBuilder builder(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToEnd(module->getBody());
  auto get = [&](ArrayRef<int64_t> shape, ArrayRef<int64_t> values) {
    auto type = RankedTensorType::get(shape, i64);
    ElementsAttr elements = DenseElementsAttr::get(type, values);
    Expr element = getProgression(
        ConstantOp::create(builder, builder.getUnknownLoc(), elements));
    return element ? element.str() : "";
  };
  EXPECT_EQ(get({4}, {0, 1, 2, 3}), position(b).str());
  EXPECT_EQ(
      get({2, 2}, {5, 4, 8, 7}),
      position(Expr::addIndex(Expr::addIndex(Expr::index(5),
                                             Expr::mulIndex(b, Expr::index(3))),
                              Expr::mulIndex(r, Expr::index(-1))))
          .str());
  EXPECT_EQ(get({3}, {7, 7, 7}), number(7).str());
  EXPECT_EQ(get({}, {7}), number(7).str());
  EXPECT_EQ(get({3}, {0, 1, 3}), "");
  EXPECT_EQ(get({2, 2}, {0, 1, 2, 4}), "");
  EXPECT_EQ(get({2}, {INT64_MIN, INT64_MAX}), "");
  EXPECT_EQ(get({0}, {}), "");
}
