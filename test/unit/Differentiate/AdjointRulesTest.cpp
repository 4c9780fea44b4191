//===- AdjointRulesTest.cpp - the adjoints that are proved are built ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every rule of rules/adjoints states sum(A(x) * y) = sum(x * G(y)). Here G
// must be, op by op, what differentiation builds for A.
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Rule/IR/Rule.h"
#include "tenon/Differentiate/ReverseMode.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

#include <set>

using namespace mlir;
using namespace tenon;

static std::string print(Value value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  value.print(os);
  return text;
}

/// The number of an argument of the block that `value` is of, or -1.
static int getNumber(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument ? int(argument.getArgNumber()) : -1;
}

/// Ops of this kind state a shape anew.
static Value skipRestated(Value value) {
  while (auto reshape = value.getDefiningOp<graph::ReshapeOp>()) {
    if (graph::getShape(reshape.getX()) != graph::getShape(reshape))
      break;
    value = reshape.getX();
  }
  return value;
}

/// Says where the two graphs, which end in these values, differ; empty if they
/// don't.
static std::string compareGraphs(Value built, Value stated) {
  built = skipRestated(built);
  stated = skipRestated(stated);
  Operation *a = built.getDefiningOp(), *b = stated.getDefiningOp();
  if (!a || !b)
    return getNumber(built) == getNumber(stated) && !a && !b
               ? ""
               : "built: " + print(built) + "\nstated: " + print(stated);
  if (a->getName() != b->getName() ||
      a->getPropertiesAsAttribute() != b->getPropertiesAsAttribute() ||
      a->getNumOperands() != b->getNumOperands())
    return "built: " + print(built) + "\nstated: " + print(stated);
  for (auto [x, y] : llvm::zip(a->getOperands(), b->getOperands()))
    if (std::string found = compareGraphs(x, y); !found.empty())
      return found;
  return "";
}

/// The op that a rule's side multiplies by `other`, below the sum.
static graph::MulOp getProduct(Region &region, unsigned sum) {
  Operation *yield = region.front().getTerminator();
  Operation *value = yield->getOperand(0).getDefiningOp();
  if (auto add = dyn_cast<graph::AddOp>(value))
    value = add->getOperand(sum).getDefiningOp();
  // Ranks sum what each has summed.
  if (auto all = dyn_cast<graph::AllReduceOp>(value))
    value = all.getX().getDefiningOp();
  auto reduce = dyn_cast<graph::ReduceSumOp>(value);
  return reduce ? reduce.getX().getDefiningOp<graph::MulOp>() : nullptr;
}

TEST(AdjointRules, AreWhatDifferentiationBuilds) {
  MLIRContext context;
  context.loadDialect<graph::GraphDialect, rule::RuleDialect>();
  unsigned count = 0;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(TENON_ADJOINTS, code), end;
       it != end && !code; it.increment(code)) {
    if (!StringRef(it->path()).ends_with(".mlir"))
      continue;
    auto module = parseSourceFile<ModuleOp>(it->path(), &context);
    ASSERT_TRUE(module) << it->path();
    module->walk([&](rule::RuleOp rule) {
      ++count;
      std::string name = rule.getSymName().str();
      graph::MulOp source = getProduct(rule.getSource(), 0);
      ASSERT_TRUE(source) << name;
      Block &block = rule.getSource().front();
      SmallVector<Operation *> ops;
      for (Operation &op : block.without_terminator())
        if (&op != source && op.isBeforeInBlock(source))
          ops.push_back(&op);
      OpBuilder builder(block.getTerminator());
      differentiate::CotangentMap cotangents;
      cotangents[source.getLhs()] = source.getRhs();
      // A concatenation has several adjoints, whose products are added.
      for (unsigned sum = 0; sum < 2; ++sum) {
        graph::MulOp target = getProduct(rule.getTarget(), sum);
        ASSERT_TRUE(target) << name;
        int number = getNumber(target.getLhs());
        if (sum == 1 && number == 0)
          break;
        Value x = block.getArgument(number);
        differentiate::CotangentMap found = cotangents;
        ASSERT_TRUE(
            succeeded(differentiate::pullBack(builder, ops, {x}, found)))
            << name;
        ASSERT_TRUE(found.lookup(x)) << name;
        EXPECT_EQ(compareGraphs(found.lookup(x), target.getRhs()), "") << name;
      }
    });
  }
  EXPECT_GE(count, 30u);
}
