//===- ScalarFnTest.cpp - facts about scalar functions --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/IndexForm.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace tenon::graph;

namespace {
constexpr ScalarFn functions[] = {
#define SCALAR_FN(NAME, ...) ScalarFn::NAME,
#include "tenon/Dialect/Graph/IR/ScalarFn.def"
};

/// The functions that have a floating-point value.
std::vector<ScalarFn> getNumericFunctions() {
  std::vector<ScalarFn> result;
  for (ScalarFn fn : functions)
    if ((getFacts(fn).types & ScalarFacts::Float) && !getFacts(fn).isPredicate)
      result.push_back(fn);
  return result;
}

/// Of an element or condition, given the values of the operands.
double compute(const Expr &expr, llvm::ArrayRef<double> values) {
  auto operand = [&](unsigned number) {
    return compute(expr->operands[number], values);
  };
  switch (expr.getKind()) {
  case ExprKind::Load:
    return values[expr->operand];
  case ExprKind::Constant:
    return expr->number;
  case ExprKind::Apply:
    return evaluate(expr->fn, operand(0),
                    expr->operands.size() > 1 ? operand(1) : 0);
  case ExprKind::Select:
    return operand(0) != 0 ? operand(1) : operand(2);
  case ExprKind::And:
    return operand(0) != 0 && operand(1) != 0;
  case ExprKind::FromBoolElement:
    return operand(0);
  default:
    ADD_FAILURE() << "unexpected " << expr.str();
    return 0;
  }
}

class ScalarFnTest : public ::testing::Test {
protected:
  /// A derivative in f64 at some operands.
  double derive(ScalarFn fn, unsigned operand, double x, double y = 0) {
    Expr derivative = getDerivativeExpr(fn, operand);
    EXPECT_TRUE(derivative) << stringify(fn).str();
    return derivative ? compute(derivative, {x, y}) : 0;
  }

  Expr getDerivativeExpr(ScalarFn fn, unsigned operand) {
    mlir::Type type = mlir::Builder(&context).getF64Type();
    llvm::SmallVector<Expr> loads;
    for (unsigned number = 0; number < arity(fn); ++number)
      loads.push_back(Expr::load(number, {}, type));
    return getDerivative(fn, operand, loads, Expr::apply(fn, loads));
  }

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  }

  /// A point of the domain of a unary function, away from its ends.
  double pickInside(ScalarFn fn) {
    ScalarInterval domain = getFacts(fn).domain;
    double low = std::isnan(domain.low) ? -1.4 : std::max(domain.low, -3.0);
    double high = std::isnan(domain.high) ? 1.4 : std::min(domain.high, 3.0);
    double margin = (high - low) / 20;
    return uniform(low + margin, high - margin);
  }

  mlir::MLIRContext context;
  std::mt19937_64 random{7};
};

/// Whether a function has a step or a kink close to the point.
bool isNearKink(ScalarFn fn, double x, double y) {
  auto isNearMultiple = [](double value, double step) {
    return std::fabs(std::remainder(value, step)) < 1e-3;
  };
  switch (fn) {
  case ScalarFn::Abs:
  case ScalarFn::Sign:
    return isNearMultiple(x, 100);
  case ScalarFn::Floor:
  case ScalarFn::Ceil:
  case ScalarFn::RoundEven:
    return isNearMultiple(x, 0.5);
  case ScalarFn::Mod:
  case ScalarFn::Fmod:
    return isNearMultiple(x / y, 1);
  case ScalarFn::Max:
  case ScalarFn::Min:
    return isNearMultiple(x - y, 100);
  default:
    return false;
  }
}

TEST_F(ScalarFnTest, DerivativesAreThoseOfDifferences) {
  for (ScalarFn fn : getNumericFunctions())
    for (unsigned operand = 0; operand < arity(fn); ++operand) {
      unsigned checked = 0;
      for (unsigned trial = 0; trial < 500; ++trial) {
        double x = pickInside(fn), y = uniform(0.2, 3);
        if (arity(fn) == 2) {
          x = uniform(0.2, 3);
          if (fn != ScalarFn::Pow && trial % 2)
            x = -x;
          if (trial % 4 > 1)
            y = -y;
        }
        if (isNearKink(fn, x, y))
          continue;
        double step = 1e-5;
        double dx = operand == 0 ? step : 0, dy = operand == 1 ? step : 0;
        double difference =
            (evaluate(fn, x + dx, y + dy) - evaluate(fn, x - dx, y - dy)) /
            (2 * step);
        double derivative = derive(fn, operand, x, y);
        EXPECT_NEAR(derivative, difference, 1e-6 * (1 + std::fabs(difference)))
            << stringify(fn).str() << " by operand " << operand << " at " << x
            << ", " << y;
        ++checked;
      }
      EXPECT_GT(checked, 300u) << stringify(fn).str();
    }
}

TEST_F(ScalarFnTest, DerivativesAtEdges) {
  EXPECT_EQ(derive(ScalarFn::Abs, 0, 0), 0);
  for (ScalarFn fn : {ScalarFn::Max, ScalarFn::Min}) {
    EXPECT_EQ(derive(fn, 0, 2, 2), 0.5);
    EXPECT_EQ(derive(fn, 1, 2, 2), 0.5);
  }
  EXPECT_EQ(derive(ScalarFn::Pow, 0, 0, 0), 0);
  EXPECT_EQ(derive(ScalarFn::Pow, 0, -3, 2), -6);
  EXPECT_EQ(derive(ScalarFn::Pow, 1, 0, 2), 0);
}

TEST_F(ScalarFnTest, PredicatesAndBitsHaveNoDerivative) {
  for (ScalarFn fn : functions)
    if (getFacts(fn).isPredicate || !(getFacts(fn).types & ScalarFacts::Float))
      for (unsigned operand = 0; operand < arity(fn); ++operand)
        EXPECT_FALSE(getDerivativeExpr(fn, operand)) << stringify(fn).str();
}

TEST_F(ScalarFnTest, Parity) {
  for (ScalarFn fn : getNumericFunctions()) {
    const ScalarFacts &facts = getFacts(fn);
    if (facts.arity != 1)
      continue;
    bool isOdd = true, isEven = true;
    for (unsigned trial = 0; trial < 200; ++trial) {
      double x = pickInside(fn);
      if (std::isnan(evaluate(fn, -x))) {
        isOdd = isEven = false;
        break;
      }
      // To the bit: the prover's laws have no tolerance.
      isOdd &= evaluate(fn, -x) == -evaluate(fn, x);
      isEven &= evaluate(fn, -x) == evaluate(fn, x);
    }
    EXPECT_EQ(isOdd, facts.parity == ScalarParity::Odd) << facts.name.str();
    EXPECT_EQ(isEven, facts.parity == ScalarParity::Even) << facts.name.str();
  }
}

TEST_F(ScalarFnTest, Trend) {
  for (ScalarFn fn : getNumericFunctions()) {
    const ScalarFacts &facts = getFacts(fn);
    if (facts.arity != 1 || std::isnan(facts.domain.low))
      continue;
    bool isRising = true, isFalling = true;
    for (unsigned trial = 0; trial < 500; ++trial) {
      double x = pickInside(fn), y = pickInside(fn);
      double low = evaluate(fn, std::min(x, y));
      double high = evaluate(fn, std::max(x, y));
      isRising &= low <= high;
      isFalling &= low >= high;
    }
    EXPECT_EQ(isRising, facts.trend == ScalarTrend::Rising) << facts.name.str();
    EXPECT_EQ(isFalling, facts.trend == ScalarTrend::Falling)
        << facts.name.str();
  }
}

TEST_F(ScalarFnTest, DomainAndRange) {
  for (ScalarFn fn : getNumericFunctions()) {
    const ScalarFacts &facts = getFacts(fn);
    if (facts.arity != 1 || std::isnan(facts.domain.low))
      continue;
    for (unsigned trial = 0; trial < 500; ++trial) {
      double x = uniform(-20, 20) * (trial % 2 ? 1 : 0.1);
      double value = evaluate(fn, x);
      EXPECT_EQ(facts.domain.contains(x), std::isfinite(value))
          << facts.name.str() << " at " << x;
      if (std::isfinite(value))
        EXPECT_TRUE(facts.range.contains(value))
            << facts.name.str() << " at " << x;
    }
  }
}

TEST_F(ScalarFnTest, TableIsConsistent) {
  mlir::Type f32 = mlir::Builder(&context).getF32Type();
  for (ScalarFn fn : functions) {
    const ScalarFacts &facts = getFacts(fn);
    llvm::SmallVector<Expr> loads;
    for (unsigned number = 0; number < facts.arity; ++number)
      loads.push_back(Expr::load(number, {}, f32));
    EXPECT_EQ(Expr::apply(fn, loads)->type.isInteger(1), facts.isPredicate);
    EXPECT_TRUE(facts.arity == 1 || facts.arity == 2);
    // Only polynomials and calls are inexact, and only with floats.
    if (facts.types != ScalarFacts::Integer)
      EXPECT_EQ(facts.ulps > 1, facts.cost >= ScalarCost::Exponential)
          << facts.name.str();
  }
}

TEST_F(ScalarFnTest, InverseErf) {
  // By 40 digits.
  const std::pair<double, double> known[] = {
      {0.5, 0.47693627620446987338},     {-0.875, -1.0847870400692831413},
      {0x1p-10, 0.00086545619796713755}, {1e-300, 8.8622692545275803586e-301},
      {0.99, 1.8213863677184494559},     {0.9999999, 3.7665625816384708887},
      {1 - 0x1p-24, 3.8325068569007109}, {1 - 0x1p-40, 5.0512540852493899671},
      {1 - 0x1p-53, 5.8635847487551679}};
  auto erfInv = [](double x) { return evaluate(ScalarFn::ErfInv, x); };
  for (auto [x, value] : known)
    EXPECT_NEAR(erfInv(x), value, 1e-15 * std::fabs(value)) << x;
  for (double x = -5.5; x < 5.5; x += 0.01)
    // Next to 1 an error of erf(x) is a large one of its inverse.
    EXPECT_NEAR(erfInv(std::erf(x)), x, 1e-15 + 2e-16 * std::exp(x * x)) << x;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(erfInv(1), infinity);
  EXPECT_EQ(erfInv(-1), -infinity);
  EXPECT_EQ(erfInv(0), 0);
  EXPECT_TRUE(std::signbit(erfInv(-0.0)));
  for (double x : {1 + 0x1p-52, -1.5, 2.0, infinity, -infinity, double(NAN)})
    EXPECT_TRUE(std::isnan(erfInv(x))) << x;
}

TEST_F(ScalarFnTest, FormulasAreTheFunctions) {
  mlir::Type f64 = mlir::Builder(&context).getF64Type();
  unsigned formulas = 0;
  for (ScalarFn fn : getNumericFunctions()) {
    llvm::SmallVector<Expr> loads;
    for (unsigned number = 0; number < arity(fn); ++number)
      loads.push_back(Expr::load(number, {}, f64));
    Expr formula = getFormula(fn, loads);
    if (!formula)
      continue;
    ++formulas;
    for (unsigned trial = 0; trial < 500; ++trial) {
      double x = pickInside(fn), y = pickInside(fn);
      double value = evaluate(fn, x, y);
      EXPECT_NEAR(compute(formula, {x, y}), value, 1e-15 * std::fabs(value))
          << stringify(fn).str() << " at " << x << ", " << y;
    }
  }
  EXPECT_GT(formulas, 0u);
}
} // namespace
