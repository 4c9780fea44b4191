//===- SizeFactsTest.cpp - what holds of sizes ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/SizeFacts.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

#include <gtest/gtest.h>

#include <random>

using namespace tenon::graph;

namespace {

SymInt read(llvm::StringRef text) {
  std::optional<SymInt> value = SymInt::parse(text);
  EXPECT_TRUE(value) << text.str();
  return value.value_or(SymInt::unknown());
}

struct Identity {
  const char *left, *right;
};

TEST(SizeFacts, IdentitiesAreDecided) {
  static const Identity identities[] = {
      // The sizes that exporters write for slices of a whole axis.
      {"max(-min(1, min(1, s) + s) + min(min(1, s) + s, s + 1), 0)", "s"},
      {"min(1, min(1, s) + s)", "min(1, s)"},
      {"max(min(s, s + 1), 0)", "s"},
      {"max(0, max(0, s) - 0)", "s"},
      {"min(s, max(0, s))", "s"},
      {"max(min(s, 512), 0)", "min(s, 512)"},
      {"max(min(t, s + t) - min(t, 0), 0)", "t"},
      // All but the last, and the last.
      {"max(s - 1, 0) + min(s, 1)", "s"},
      {"s - max(s - 1, 0)", "min(s, 1)"},
      {"s - min(1, s)", "max(s - 1, 0)"},
      // Steps.
      {"(s + 1) floordiv 2 + s floordiv 2", "s"},
      {"s ceildiv 2", "(s + 1) floordiv 2"},
      {"s floordiv 3 + (s + 1) floordiv 3 + (s + 2) floordiv 3", "s"},
      {"max((s + 1) floordiv 2, 0)", "(s + 1) floordiv 2"},
      {"(s floordiv 2) floordiv 2", "s floordiv 4"},
      {"((s - 1) floordiv 2 + 1 - 1) floordiv 2 + 1", "(s - 1) floordiv 4 + 1"},
      {"s - (s mod 4)", "s floordiv 4 * 4"},
      {"(s + (-s) mod 4) floordiv 4", "(s + 3) floordiv 4"},
      {"(s mod 4) mod 2", "s mod 2"},
      {"(4 * (s floordiv 4)) mod 4", "0"},
      {"min(s mod 4, 3)", "s mod 4"},
      {"max(0, (s + 2 - 3) floordiv 1 + 1)", "s"},
      // Parts of a split, put together.
      {"min(s, 3) + max(s - 3, 0)", "s"},
      {"min(s, 3) + min(max(s - 3, 0), 3) + max(s - 6, 0)", "s"},
      {"(s + 1) floordiv 2 + max(s - (s + 1) floordiv 2, 0)", "s"},
      // Two sizes.
      {"max(s, t) + min(s, t)", "s + t"},
      {"max(s, max(t, s))", "max(s, t)"},
      {"max(s + t, t)", "s + t"},
      {"min(max(s, t), s)", "s"},
      {"max(s, t) * min(s, t)", "s * t"},
      {"h * max(w - 1, 0) + h * min(w, 1)", "h * w"},
      {"max(h * w, h * w - h)", "h * w"},
      {"max(0, h * min(w, 3))", "h * min(w, 3)"},
      {"min((h * w) floordiv 2, h * w)", "(h * w) floordiv 2"},
      {"max(s floordiv t, 0)", "s floordiv t"},
  };
  for (const Identity &identity : identities) {
    SymInt left = read(identity.left), right = read(identity.right);
    EXPECT_TRUE(provablyEqual(left, right))
        << identity.left << " = " << identity.right;
    EXPECT_FALSE(provablyUnequal(left, right));
    EXPECT_FALSE(provablyEqual(left, right + SymInt(1)));
    EXPECT_TRUE(provablyUnequal(left, right + SymInt(1)))
        << identity.left << " = " << identity.right;
    EXPECT_TRUE(provablyAtLeast(left + SymInt(1), right));
    EXPECT_FALSE(provablyAtLeast(left, right + SymInt(1)));
  }
}

TEST(SizeFacts, OrdersAreDecided) {
  static const Identity orders[] = {
      {"s", "0"},
      {"s", "s floordiv 2"},
      {"s + 1", "(s + 1) floordiv 2 * 2"},
      {"min(s, 4)", "0"},
      {"4", "min(s, 4)"},
      {"s", "max(s - t, 0)"},
      {"max(s, 1)", "1"},
      {"s * t + s", "s"},
      {"(s + 3) floordiv 4 * 4", "s"},
      {"h * w", "h * (w floordiv 2)"},
  };
  for (const Identity &order : orders)
    EXPECT_TRUE(provablyAtLeast(read(order.left), read(order.right)))
        << order.left << " >= " << order.right;
}

TEST(SizeFacts, WhatHoldsForSomeSizesOnlyIsNotProved) {
  static const Identity claims[] = {{"s", "1"},
                                    {"s", "t"},
                                    {"s - 1", "0"},
                                    {"s floordiv 2 * 2", "s"},
                                    {"s * t", "s"},
                                    {"100000", "s"},
                                    {"(s - 5) floordiv 2", "0"}};
  for (const Identity &claim : claims)
    EXPECT_FALSE(provablyAtLeast(read(claim.left), read(claim.right)))
        << claim.left << " >= " << claim.right;
  EXPECT_FALSE(provablyUnequal(read("s"), read("t")));
  EXPECT_FALSE(provablyUnequal(read("s"), read("70000")));
  EXPECT_FALSE(provablyEqual(read("s * t"), read("t * s + 1")));
}

TEST(SizeFacts, UnequalForAllSizes) {
  EXPECT_TRUE(provablyUnequal(read("2 * s"), read("2 * t + 1")));
  EXPECT_TRUE(provablyUnequal(read("s mod 3"), read("5")));
  EXPECT_TRUE(provablyUnequal(read("max(s, 3)"), read("2")));
}

TEST(SizeFacts, NothingHoldsOfUnknownSizes) {
  SymInt unknown = SymInt::unknown();
  EXPECT_FALSE(provablyEqual(unknown, unknown));
  EXPECT_FALSE(provablyAtLeast(unknown, unknown));
  EXPECT_FALSE(provablyUnequal(unknown, SymInt(1)));
  EXPECT_TRUE(simplify(unknown).isUnknown());
}

TEST(SizeFacts, ExpressionsAreMadeSimple) {
  EXPECT_EQ(read("max(-min(1, min(1, s) + s) + min(min(1, s) + s, s + 1), 0)"),
            read("s"));
  EXPECT_EQ(simplify(read("(s + 1) floordiv 2 + s floordiv 2")), read("s"));
  EXPECT_EQ(read("min(1, min(1, s) + s)").str(), "min(1, s)");
  EXPECT_EQ(simplify(read("max(s, t) + min(s, t)")), read("s + t"));
  // Expressions without a shorter form do not change.
  EXPECT_EQ(simplify(read("min(s, 512)")).str(), read("min(s, 512)").str());
}

TEST(SizeFacts, WorkIsBounded) {
  // Far more cases than are distinguished: not decided, and soon.
  std::string sum = "0";
  for (unsigned i = 0; i < 40; ++i)
    sum += " + max(a" + std::to_string(i) + ", b" + std::to_string(i) + ")";
  SymInt many = read(sum);
  (void)provablyEqual(many * SymInt(2),
                      many + many + SymInt::max(read("z"), read("y")));
  SymInt power = read("s");
  for (unsigned i = 0; i < 12; ++i)
    power = power * (read("s + t"));
  (void)provablyAtLeast(SymInt::max(power, read("t")), read("t"));
  SymInt big = read("4611686018427387904 * s");
  EXPECT_TRUE(provablyAtLeast(big, SymInt(0)));
  (void)provablyAtLeast(SymInt::max(big, read("t")) * read("t"), big);
}

/// Expressions as models make them: sums, slices, windows, splits.
class RandomSizes {
public:
  explicit RandomSizes(uint64_t seed) : random(seed) {}

  SymInt make(unsigned depth) {
    if (depth == 0 || pick(6) == 0)
      return pick(3) ? SymInt::symbol(std::string(1, "stu"[pick(3)]))
                     : SymInt(pick(7) - 2);
    SymInt a = make(depth - 1), b = make(depth - 1);
    switch (pick(9)) {
    case 0:
    case 1:
      return a + b;
    case 2:
      return a - b;
    case 3:
      return depth > 2 ? a + b : a * b;
    case 4:
      return SymInt::max(a, b);
    case 5:
      return SymInt::min(a, b);
    case 6:
      return a.floorDiv(SymInt(pick(4) + 1));
    case 7:
      return a.ceilDiv(SymInt(pick(2) ? pick(4) + 1 : -pick(3) - 1));
    default:
      return a.mod(SymInt(pick(4) + 1));
    }
  }

  int64_t pick(int64_t count) {
    return std::uniform_int_distribution<int64_t>(0, count - 1)(random);
  }

private:
  std::mt19937_64 random;
};

std::optional<int64_t> at(const SymInt &value, const int64_t (&sizes)[3]) {
  return value.evaluate([&](llvm::StringRef name) -> std::optional<int64_t> {
    return sizes[name == "s" ? 0 : name == "t" ? 1 : 2];
  });
}

TEST(SizeFacts, WhatIsProvedHoldsAtAllSmallSizes) {
  RandomSizes random(11);
  unsigned numProved = 0, numEqual = 0;
  for (unsigned round = 0; round < 400; ++round) {
    SymInt a = random.make(3), b = random.make(3);
    // Pairs that are often equal or near each other.
    if (round % 2)
      b = a + SymInt::max(b, SymInt(0)) - SymInt::max(simplify(b), SymInt(0));
    bool atLeast = provablyAtLeast(a, b), equal = provablyEqual(a, b),
         unequal = provablyUnequal(a, b);
    SymInt shorter = simplify(a);
    numProved += atLeast || unequal;
    numEqual += equal;
    auto check = [&](const int64_t (&sizes)[3]) {
      std::optional<int64_t> x = at(a, sizes), y = at(b, sizes),
                             z = at(shorter, sizes);
      if (!x || !y)
        return;
      std::string what =
          a.str() + " and " + b.str() + " at " + std::to_string(sizes[0]) +
          ", " + std::to_string(sizes[1]) + ", " + std::to_string(sizes[2]);
      ASSERT_TRUE(!atLeast || *x >= *y) << what;
      ASSERT_TRUE(!equal || *x == *y) << what;
      ASSERT_TRUE(!unequal || *x != *y) << what;
      ASSERT_EQ(x, z) << what << ", simplified to " << shorter.str();
    };
    for (int64_t s = 0; s < 7; ++s)
      for (int64_t t = 0; t < 7; ++t)
        for (int64_t u = 0; u < 7; ++u)
          check({s, t, u});
    for (unsigned draw = 0; draw < 20; ++draw)
      check({random.pick(100000), random.pick(3000), random.pick(50)});
  }
  // The procedure is of use: much is proved of such pairs.
  EXPECT_GT(numProved, 100u);
  EXPECT_GT(numEqual, 100u);
}

// Types keep the texts of sizes, whose values a context knows for its lifetime.
TEST(SizeFacts, AssumptionsEndWithTheirScope) {
  mlir::MLIRContext context;
  context.loadDialect<GraphDialect>();
  mlir::Type rest =
      getTensorType({read("max(n - 1, 0)")}, mlir::Float32Type::get(&context));
  {
    SizeAssumption inside(read("n - 1"));
    EXPECT_EQ(read("max(0, n - 1)").str(), "n - 1");
    EXPECT_TRUE(provablyEqual(getShape(rest)[0], read("n - 1")));
  }
  EXPECT_EQ(getShape(rest)[0].str(), "max(0, n - 1)");
  EXPECT_FALSE(provablyEqual(getShape(rest)[0], read("n - 1")));
}
} // namespace
