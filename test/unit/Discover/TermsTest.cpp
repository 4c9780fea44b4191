//===- TermsTest.cpp - graphs that are stored once ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SmallTerms.h"

using namespace tenon::discover;
using namespace tenon::discover::test;

TEST(Terms, EqualGraphsAreOne) {
  SmallTerms graphs({"add", "matmul"});
  ValueId x = graphs.input(0), y = graphs.input(1);
  ValueId product = graphs.make("matmul", {x, y});
  EXPECT_EQ(product, graphs.make("matmul", {x, y}));
  EXPECT_NE(product, graphs.make("matmul", {y, x}));
  // What is computed twice is one op.
  ValueId sum = graphs.make("add", {product, product});
  EXPECT_EQ(graphs.terms->countOps(sum), 2u);
  EXPECT_EQ(graphs.terms->getOp(sum).treeSize, 3u);
}

TEST(Terms, RefusesWhatIsNotValid) {
  SmallTerms graphs({"add", "concat", "split"});
  ValueId x = graphs.input(0);
  ValueId wide = graphs.make("concat", {x, x}, /*choice=*/1);
  EXPECT_TRUE(graphs.terms->choose("add", {wide, x}).empty());
  // More ops than a graph may have.
  ValueId sum = x;
  const Terms::Op *last = nullptr;
  for (unsigned n = 0; n <= Terms::maxOps; ++n) {
    last = graphs.terms->add(graphs.terms->choose("add", {sum, x}).at(0),
                             {sum, x});
    if (!last)
      break;
    sum = last->firstResult;
  }
  EXPECT_FALSE(last);
  EXPECT_EQ(graphs.terms->countOps(sum), Terms::maxOps);
}

TEST(Terms, OrderIsTotal) {
  SmallTerms graphs({"add", "relu", "concat", "split"});
  std::vector<ValueId> values = {graphs.input(0), graphs.input(1)};
  for (unsigned n = 0; n < 2; ++n)
    for (ValueId a : std::vector(values)) {
      values.push_back(graphs.make("relu", {a}));
      for (ValueId b : {graphs.input(0), graphs.input(1)})
        values.push_back(graphs.make("add", {a, b}));
    }
  values.push_back(graphs.make("split", {graphs.input(0)}, 0, 0));
  values.push_back(graphs.make("split", {graphs.input(0)}, 0, 1));
  for (ValueId a : values)
    for (ValueId b : values) {
      EXPECT_EQ(graphs.terms->compare(a, b) == 0, a == b);
      EXPECT_EQ(graphs.terms->compare(a, b) < 0,
                graphs.terms->compare(b, a) > 0);
      for (ValueId c : values)
        if (graphs.terms->compare(a, b) < 0 && graphs.terms->compare(b, c) < 0)
          EXPECT_LT(graphs.terms->compare(a, c), 0);
    }
}

TEST(Terms, RenamingIsUndoneByItsInverse) {
  SmallTerms graphs({"add", "matmul"});
  ValueId x = graphs.input(0), y = graphs.input(1), z = graphs.input(2);
  ValueId value = graphs.make("add", {graphs.make("matmul", {z, x}), y});
  Renaming renaming = graphs.terms->canonicalize(value);
  ValueId canonical = *graphs.terms->substitute(value, renaming);
  EXPECT_EQ(canonical, graphs.make("add", {graphs.make("matmul", {x, y}), z}));
  EXPECT_EQ(graphs.terms->substitute(canonical,
                                     graphs.terms->canonicalize(canonical)),
            canonical);
  for (auto &[from, to] : renaming)
    std::swap(from, to);
  EXPECT_EQ(graphs.terms->substitute(canonical, renaming), value);
}

TEST(Terms, RollBackForgets) {
  SmallTerms graphs({"add"});
  ValueId x = graphs.input(0);
  ValueId before = graphs.make("add", {x, x});
  Terms::Mark mark = graphs.terms->mark();
  ValueId fresh = graphs.make("add", {before, graphs.input(5)});
  graphs.terms->rollBack(mark);
  EXPECT_EQ(graphs.terms->getNumValues(), fresh - 1);
  EXPECT_EQ(graphs.make("add", {x, x}), before);
  // Numbers are used again, for what comes then.
  ValueId other = graphs.make("add", {before, x});
  EXPECT_EQ(graphs.terms->str(other), "add(add(x0, x0), x0)");
}

TEST(OpSet, RefusesNamesThatItDoesNotKnow) {
  mlir::MLIRContext context;
  OpSet set;
  EXPECT_NE(set.add(&context, {"matmull"}).find("unknown op 'matmull'"),
            std::string::npos);
  OpSet twice;
  EXPECT_EQ(twice.add(&context, {"add", "add"}), "op 'add' is named twice");
  // An op whose attributes have no choices.
  OpSet other;
  EXPECT_NE(other.add(&context, {"resize"}), "");
}
