//===- FingerprintsTest.cpp - what graphs compute -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/Fingerprints.h"
#include "SmallTerms.h"

using namespace tenon::discover;
using namespace tenon::discover::test;

namespace {
class FingerprintsTest : public ::testing::Test {
protected:
  /// The hashes of a graph, whose parts are kept.
  std::pair<uint64_t, uint64_t> hash(ValueId value) {
    for (ValueId operand : graphs.terms->getOp(value).operands)
      if (!graphs.terms->isInput(operand)) {
        hash(operand);
        fingerprints.keep(operand);
      }
    sketch = fingerprints.sketch(value);
    uint64_t full = fingerprints.distinguish(value, sketch);
    return {sketch.hash, full};
  }

  SmallTerms graphs{{"add", "sub", "mul", "matmul", "relu", "concat", "split"}};
  Fingerprints fingerprints{*graphs.terms, 3};
  Fingerprints::Sketch sketch;
  ValueId x = graphs.input(0), y = graphs.input(1), z = graphs.input(2);
};
} // namespace

TEST_F(FingerprintsTest, NamesOfInputsDoNotMatter) {
  ValueId one = graphs.make("add", {graphs.make("matmul", {x, y}), z});
  ValueId other = graphs.make("add", {graphs.make("matmul", {z, x}), y});
  EXPECT_EQ(hash(one), hash(other));
  // Nor does the order in which they are read.
  ValueId turned = graphs.make("add", {x, graphs.make("matmul", {y, z})});
  EXPECT_EQ(hash(one), hash(turned));
}

TEST_F(FingerprintsTest, EqualFunctionsAreEqual) {
  ValueId apart = graphs.make(
      "add", {graphs.make("matmul", {x, y}), graphs.make("matmul", {z, y})});
  ValueId together = graphs.make("matmul", {graphs.make("add", {x, z}), y});
  EXPECT_EQ(hash(apart), hash(together));
}

TEST_F(FingerprintsTest, OtherFunctionsDiffer) {
  ValueId left = graphs.make("sub", {graphs.make("matmul", {x, y}), x});
  ValueId right = graphs.make("sub", {graphs.make("matmul", {y, x}), x});
  EXPECT_NE(hash(left), hash(right));
  // Those that differ only where two inputs do.
  ValueId squares = graphs.make(
      "add", {graphs.make("mul", {x, x}), graphs.make("mul", {y, y})});
  ValueId mixed = graphs.make(
      "add", {graphs.make("mul", {x, y}), graphs.make("mul", {x, y})});
  EXPECT_NE(hash(squares), hash(mixed));
}

TEST_F(FingerprintsTest, InputsWithoutEffectAreLeftOut) {
  ValueId both = graphs.make("concat", {x, y});
  ValueId part = graphs.make("split", {both}, /*choice=*/0, /*result=*/1);
  hash(part);
  ASSERT_EQ(sketch.inputs.size(), 1u);
  EXPECT_EQ(sketch.inputs[0], y);
}

TEST_F(FingerprintsTest, TiesAreInputsThatMayTradePlaces) {
  hash(graphs.make("add", {x, y}));
  EXPECT_EQ(sketch.ties.size(), 1u);
  hash(graphs.make("sub", {x, y}));
  EXPECT_EQ(sketch.ties.size(), 2u);
}
