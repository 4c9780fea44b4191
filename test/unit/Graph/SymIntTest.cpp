//===- SymIntTest.cpp - integers over dimension symbols -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/SymInt.h"

#include "llvm/Support/MathExtras.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>

using namespace tenon::graph;

namespace {
const SymInt n = SymInt::symbol("n"), m = SymInt::symbol("m"),
             k = SymInt::symbol("k");

TEST(SymInt, NormalFormDecidesEqualityOfPolynomials) {
  EXPECT_EQ((n + m) * (n - m), n * n - m * m);
  EXPECT_EQ(n - n, SymInt(0));
  EXPECT_EQ((SymInt(2) * n + SymInt(1)).str(), "2 * n + 1");
  EXPECT_EQ((m * n * SymInt(3) - n).str(), (-n + n * m * SymInt(3)).str());
  EXPECT_NE(n, m);
  EXPECT_NE(n, n + SymInt(1));
}

TEST(SymInt, ConstantsAndSymbolsAreRecognized) {
  EXPECT_EQ((n + SymInt(4) - n).getConstant(), 4);
  EXPECT_EQ(n.getConstant(), std::nullopt);
  EXPECT_EQ(*n.getSymbol(), "n");
  EXPECT_EQ((n + m).getSymbol(), std::nullopt);
  EXPECT_EQ((SymInt(2) * n).getSymbol(), std::nullopt);
  EXPECT_EQ(SymInt(7).getSymbol(), std::nullopt);
}

TEST(SymInt, UnknownEqualsNothing) {
  SymInt unknown = SymInt::unknown();
  EXPECT_FALSE(unknown == unknown);
  EXPECT_FALSE(unknown.provablyDiffers(SymInt(1)));
  EXPECT_TRUE((unknown + n).isUnknown());
  EXPECT_TRUE((unknown - unknown).isUnknown());
  EXPECT_TRUE((unknown * SymInt(0)).isUnknown());
  EXPECT_TRUE(SymInt::max(unknown, n).isUnknown());
  EXPECT_EQ(unknown.str(), "?");
  EXPECT_TRUE(SymInt::parse("?")->isUnknown());
}

TEST(SymInt, OverflowIsUnknown) {
  SymInt big(INT64_MAX);
  EXPECT_TRUE((big + SymInt(1)).isUnknown());
  EXPECT_TRUE((big * SymInt(2)).isUnknown());
  EXPECT_TRUE((big * n + n).isUnknown());
}

TEST(SymInt, FloorDivTakesOutWhatDivides) {
  EXPECT_EQ((SymInt(4) * n).floorDiv(SymInt(2)), SymInt(2) * n);
  EXPECT_EQ((SymInt(4) * n + SymInt(3)).floorDiv(SymInt(2)),
            SymInt(2) * n + SymInt(1));
  EXPECT_EQ((n * m + k).floorDiv(n), m + k.floorDiv(n));
  EXPECT_EQ((n + SymInt(5)).floorDiv(SymInt(2)),
            (n + SymInt(1)).floorDiv(SymInt(2)) + SymInt(2));
  EXPECT_EQ((n + m).floorDiv(n + m), SymInt(1));
  EXPECT_EQ(SymInt(0).floorDiv(n), SymInt(0));
  EXPECT_EQ(SymInt(-7).floorDiv(SymInt(2)), SymInt(-4));
  EXPECT_EQ(SymInt(-7).ceilDiv(SymInt(2)), SymInt(-3));
  EXPECT_EQ(SymInt(-7).mod(SymInt(2)), SymInt(1));
  EXPECT_EQ(SymInt(7).mod(SymInt(-2)), SymInt(-1));
  EXPECT_TRUE(n.floorDiv(SymInt(0)).isUnknown());
}

TEST(SymInt, MaxAndMinAreCommutativeAndDecidedWhereTheyCanBe) {
  EXPECT_EQ(SymInt::max(n, m), SymInt::max(m, n));
  EXPECT_EQ(SymInt::min(n, m), SymInt::min(m, n));
  EXPECT_EQ(SymInt::max(n + SymInt(1), n), n + SymInt(1));
  EXPECT_EQ(SymInt::min(n + SymInt(1), n), n);
  // Symbols are sizes: not below 0.
  EXPECT_EQ(SymInt::max(n, SymInt(0)), n);
  EXPECT_EQ(SymInt::max(n, SymInt(1)).str(), "max(1, n)");
}

TEST(SymInt, DifferencesThatHoldForAllSizes) {
  EXPECT_TRUE(n.provablyDiffers(n + SymInt(1)));
  EXPECT_TRUE((n + m + SymInt(2)).provablyDiffers(SymInt(1)));
  EXPECT_FALSE(n.provablyDiffers(m));
  EXPECT_FALSE(n.provablyDiffers(SymInt(4)));
  EXPECT_FALSE((SymInt(2) * n).provablyDiffers(n));
}

TEST(SymInt, TextThatIsNoExpressionIsRefused) {
  for (const char *text : {"", "+", "n +", "n m", "(n", "max(n", "max(n)",
                           "n floordiv", "1 2", "n)", "99999999999999999999"})
    EXPECT_FALSE(SymInt::parse(text).has_value()) << text;
}

//===----------------------------------------------------------------------===//
// Random expressions
//===----------------------------------------------------------------------===//

using Env = std::function<std::optional<int64_t>(llvm::StringRef)>;

/// A SymInt, and the value that it should have, computed beside it.
struct Sample {
  SymInt expr;
  std::function<int64_t(int64_t, int64_t, int64_t)> value;
};

int64_t floorDivide(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

class RandomSymInts {
public:
  explicit RandomSymInts(uint64_t seed) : random(seed) {}

  Sample make(unsigned depth) {
    if (depth == 0 || pick(5) == 0)
      return leaf();
    Sample a = make(depth - 1), b = make(depth - 1);
    auto x = a.value, y = b.value;
    switch (pick(8)) {
    case 0:
      return {a.expr + b.expr, [=](int64_t n, int64_t m, int64_t k) {
                return x(n, m, k) + y(n, m, k);
              }};
    case 1:
      return {a.expr - b.expr, [=](int64_t n, int64_t m, int64_t k) {
                return x(n, m, k) - y(n, m, k);
              }};
    case 2:
      return {a.expr * b.expr, [=](int64_t n, int64_t m, int64_t k) {
                return x(n, m, k) * y(n, m, k);
              }};
    case 3:
      return {SymInt::max(a.expr, b.expr),
              [=](int64_t n, int64_t m, int64_t k) {
                return std::max(x(n, m, k), y(n, m, k));
              }};
    case 4:
      return {SymInt::min(a.expr, b.expr),
              [=](int64_t n, int64_t m, int64_t k) {
                return std::min(x(n, m, k), y(n, m, k));
              }};
    default:
      break;
    }
    Sample d = divisor();
    auto z = d.value;
    switch (pick(3)) {
    case 0:
      return {a.expr.floorDiv(d.expr), [=](int64_t n, int64_t m, int64_t k) {
                return floorDivide(x(n, m, k), z(n, m, k));
              }};
    case 1:
      return {a.expr.ceilDiv(d.expr), [=](int64_t n, int64_t m, int64_t k) {
                return -floorDivide(-x(n, m, k), z(n, m, k));
              }};
    default:
      return {a.expr.mod(d.expr), [=](int64_t n, int64_t m, int64_t k) {
                int64_t p = x(n, m, k), q = z(n, m, k);
                return p - q * floorDivide(p, q);
              }};
    }
  }

  int64_t pick(int64_t count) {
    return std::uniform_int_distribution<int64_t>(0, count - 1)(random);
  }

private:
  Sample leaf() {
    switch (pick(4)) {
    case 0:
      return {n, [](int64_t n, int64_t, int64_t) { return n; }};
    case 1:
      return {m, [](int64_t, int64_t m, int64_t) { return m; }};
    case 2:
      return {k, [](int64_t, int64_t, int64_t k) { return k; }};
    default:
      int64_t value = pick(13) - 6;
      return {SymInt(value), [=](int64_t, int64_t, int64_t) { return value; }};
    }
  }

  /// Never 0 where symbols are not below 0.
  Sample divisor() {
    int64_t value = pick(6) + 1;
    switch (pick(4)) {
    case 0:
      return {m + SymInt(value),
              [=](int64_t, int64_t m, int64_t) { return m + value; }};
    case 1:
      return {SymInt(-value),
              [=](int64_t, int64_t, int64_t) { return -value; }};
    default:
      return {SymInt(value), [=](int64_t, int64_t, int64_t) { return value; }};
    }
  }

  std::mt19937_64 random;
};

Env bind(int64_t nValue, int64_t mValue, int64_t kValue) {
  return [=](llvm::StringRef name) -> std::optional<int64_t> {
    return name == "n" ? nValue : name == "m" ? mValue : kValue;
  };
}

TEST(SymInt, RandomExpressionsKeepTheirValue) {
  RandomSymInts samples(1);
  unsigned decided = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    Sample sample = samples.make(3);
    for (unsigned draw = 0; draw < 4; ++draw) {
      int64_t a = samples.pick(8), b = samples.pick(8), c = samples.pick(8);
      std::optional<int64_t> value = sample.expr.evaluate(bind(a, b, c));
      ASSERT_TRUE(value) << sample.expr.str();
      EXPECT_EQ(*value, sample.value(a, b, c))
          << sample.expr.str() << " at " << a << ", " << b << ", " << c;
      std::optional<int64_t> least = sample.expr.lowerBound();
      if (least) {
        EXPECT_LE(*least, *value) << sample.expr.str();
      }
      decided += least.has_value();
    }
  }
  // The bound is of use: it is there for a fair part of the expressions.
  EXPECT_GT(decided, 1000u);
}

TEST(SymInt, RandomExpressionsSurviveBeingWritten) {
  RandomSymInts samples(2);
  for (unsigned round = 0; round < 3000; ++round) {
    SymInt expr = samples.make(4).expr;
    std::optional<SymInt> read = SymInt::parse(expr.str());
    ASSERT_TRUE(read) << expr.str();
    EXPECT_EQ(*read, expr) << expr.str() << " became " << read->str();
    EXPECT_EQ(read->str(), expr.str());
  }
}

TEST(SymInt, RandomSubstitutionsCommuteWithEvaluation) {
  RandomSymInts samples(3);
  for (unsigned round = 0; round < 2000; ++round) {
    SymInt expr = samples.make(3).expr;
    int64_t a = samples.pick(8), b = samples.pick(8), c = samples.pick(8);
    // n becomes 2 * m + k, which is not below 0 either.
    SymInt replaced =
        expr.substitute([&](llvm::StringRef name) -> std::optional<SymInt> {
          if (name == "n")
            return SymInt(2) * m + k;
          return std::nullopt;
        });
    EXPECT_EQ(replaced.evaluate(bind(a, b, c)),
              expr.evaluate(bind(2 * b + c, b, c)))
        << expr.str() << " became " << replaced.str();
    replaced.visitSymbols([&](llvm::StringRef name) { EXPECT_NE(name, "n"); });
  }
}

TEST(SymInt, ProvablyDifferentExpressionsNeverMeet) {
  RandomSymInts samples(4);
  unsigned differ = 0;
  for (unsigned round = 0; round < 3000; ++round) {
    Sample x = samples.make(2), y = samples.make(2);
    bool equal = x.expr == y.expr, apart = x.expr.provablyDiffers(y.expr);
    differ += apart;
    EXPECT_FALSE(equal && apart);
    for (unsigned draw = 0; draw < 8; ++draw) {
      int64_t a = samples.pick(8), b = samples.pick(8), c = samples.pick(8);
      bool meet = x.value(a, b, c) == y.value(a, b, c);
      if (equal) {
        EXPECT_TRUE(meet) << x.expr.str() << " and " << y.expr.str();
      }
      if (apart) {
        EXPECT_FALSE(meet) << x.expr.str() << " and " << y.expr.str();
      }
    }
  }
  EXPECT_GT(differ, 100u);
}
} // namespace
