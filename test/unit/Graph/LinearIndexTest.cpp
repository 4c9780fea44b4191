//===- LinearIndexTest.cpp - linear forms and ranges of indices -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/Analysis/LinearIndex.h"

#include "gtest/gtest.h"

using namespace tenon::graph;

static Expr var(unsigned number) { return Expr::var(number); }
static Expr times(Expr index, const SymInt &size) {
  return Expr::mulIndex(index, Expr::size(size));
}
static std::string text(const LinearIndex &index) {
  return index.getExpr().str();
}

TEST(LinearIndex, AddsMultiplesOfEqualTerms) {
  SymInt n = SymInt::symbol("n");
  Expr quotient = Expr::floorDivIndex(var(0), Expr::index(3));
  Expr again = Expr::floorDivIndex(var(0), Expr::index(3));
  LinearIndex sum = getLinearIndex(Expr::addIndex(
      Expr::addIndex(times(var(1), n), times(quotient, 2)),
      Expr::addIndex(times(again, -2), Expr::addIndex(var(1), Expr::size(n)))));
  ASSERT_EQ(sum.terms.size(), 1u);
  EXPECT_TRUE(sum.isAffine());
  EXPECT_EQ(sum.getCoefficient(1), n + 1);
  EXPECT_EQ(sum.getCoefficient(0), SymInt(0));
  EXPECT_EQ(sum.constant, n);
}

TEST(LinearIndex, KeepsProductsOfVariablesWhole) {
  LinearIndex product = getLinearIndex(Expr::mulIndex(var(0), var(1)));
  ASSERT_EQ(product.terms.size(), 1u);
  EXPECT_FALSE(product.isAffine());
  EXPECT_FALSE(getAffineForm(Expr::mulIndex(var(0), var(1))));
}

TEST(LinearIndex, ResolvesQuotientsByRanges) {
  SymInt n = SymInt::symbol("n");
  Expr load = Expr::always();
  IndexRanges ranges({SymInt(6), SymInt(4)}, load);
  Expr position = Expr::addIndex(times(var(0), 4), var(1));
  auto linear = [&](const Expr &index) {
    return text(getLinearIndex(index, &ranges));
  };
  EXPECT_EQ(linear(Expr::floorDivIndex(position, Expr::index(4))), "i0");
  EXPECT_EQ(linear(Expr::modIndex(position, Expr::index(4))), "i1");
  // 8 is not a multiple of 4, and 4 * i0 + i1 exceeds 8.
  EXPECT_EQ(linear(Expr::floorDivIndex(position, Expr::index(8))),
            "(((i0 * 4) + i1) floordiv 8)");
  // Without ranges, nothing is resolved.
  EXPECT_EQ(text(getLinearIndex(Expr::modIndex(position, Expr::index(4)))),
            "(((i0 * 4) + i1) mod 4)");
  // A divisor that may be 0 divides nothing.
  EXPECT_EQ(
      linear(Expr::floorDivIndex(times(var(0), n - 1), Expr::size(n - 1))),
      "((i0 * n - 1) floordiv n - 1)");
}

TEST(LinearIndex, NegativeRestsBorrow) {
  IndexRanges ranges({SymInt(6)}, Expr::always());
  Expr index = Expr::subIndex(times(var(0), 4), Expr::index(1));
  // (4 * i - 1) floordiv 4 is i - 1, not i.
  EXPECT_EQ(
      text(getLinearIndex(Expr::floorDivIndex(index, Expr::index(4)), &ranges)),
      "(i0 + -1)");
}

TEST(IndexRanges, BoundsSumsByTheirSigns) {
  SymInt n = SymInt::symbol("n");
  IndexRanges ranges({SymInt(6), n}, Expr::always());
  IndexInterval sum = ranges.get(Expr::addIndex(
      times(var(0), -2), Expr::addIndex(var(1), Expr::index(3))));
  EXPECT_EQ(*sum.low, SymInt(-7));
  EXPECT_EQ(*sum.high, n + 2);
  IndexInterval product = ranges.get(Expr::mulIndex(var(0), var(1)));
  EXPECT_FALSE(product.low || product.high);
  IndexInterval least = ranges.get(
      Expr::minIndex(Expr::mulIndex(var(0), var(1)), Expr::index(5)));
  EXPECT_FALSE(least.low);
  EXPECT_EQ(*least.high, SymInt(5));
  EXPECT_FALSE(ranges.get(var(7)).low);
}

TEST(LinearIndex, OwnIndices) {
  mlir::MLIRContext context;
  mlir::Type f32 = mlir::Float32Type::get(&context);
  EXPECT_TRUE(loadsOwnIndex(Expr::load(0, {var(0), var(1)}, f32), 2));
  EXPECT_FALSE(loadsOwnIndex(Expr::load(0, {var(0), var(1)}, f32), 3));
  EXPECT_FALSE(loadsOwnIndex(Expr::load(0, {var(1), var(0)}, f32), 2));
  EXPECT_EQ(countOwnIndices(Expr::load(0, {var(0), var(0)}, f32)), 1u);
  EXPECT_EQ(countOwnIndices(Expr::load(0, {}, f32)), 0u);
}
