//===- MatchedSides.cpp - both sides of a rule where it fires -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatchedSides.h"

#include "tenon/ProofKernel/CheckOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using graph::SymInt;

MatchedSides::MatchedSides(rule::RuleOp rule)
    : rule(rule), assumed{rule, {}, nullptr} {
  assumed.certificate.status = rule::Status::Proved;
  assumed.certificate.elements = "real";
  assumed.certificate.hypotheses = getHypotheses(rule);
  pattern = std::make_unique<rule::RulePattern>(
      assumed, rule::RulePattern::Check::Nothing);
}

MatchedSides::~MatchedSides() = default;

/// Null if a size of an operand is not a number of at least 0, or if an op is
/// not valid.
std::unique_ptr<Block> MatchedSides::makeSide(Region &side,
                                              const rule::SymbolMap &symbols,
                                              std::string &reason) {
  auto block = std::make_unique<Block>();
  for (Type type : rule.getArgumentTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    SmallVector<int64_t> sizes;
    for (const SymInt &size :
         rule::substitute(
             graph::DimsAttr::get(rule.getContext(), graph::getShape(tensor)),
             symbols)
             .getEntries()) {
      std::optional<int64_t> number = size.getConstant();
      if (!number || *number < 0) {
        reason = "a size of an operand is " + size.str();
        return nullptr;
      }
      sizes.push_back(*number);
    }
    block->addArgument(RankedTensorType::get(sizes, tensor.getElementType()),
                       rule.getLoc());
  }
  OpBuilder builder(rule.getContext());
  builder.setInsertionPointToEnd(block.get());
  SmallVector<bool> lifted(block->getNumArguments(), false);
  auto results =
      rule::instantiate(builder, rule.getLoc(), side, block->getArguments(),
                        symbols, lifted, /*batch=*/{}, reason);
  if (failed(results))
    return nullptr;
  rule::YieldOp::create(builder, rule.getLoc(), *results);
  return block;
}

bool MatchedSides::build(const std::map<std::string, int64_t> &values) {
  target.reset();
  targetProblem.clear();
  rule::SymbolMap chosen;
  for (const auto &[name, value] : values)
    chosen.emplace(name, SymInt(value));
  std::string reason;
  source = makeSide(rule.getSource(), chosen, reason);
  if (!source)
    return false;
  SmallVector<Operation *> ops;
  for (Operation &op : source->without_terminator())
    ops.push_back(&op);
  rule::BlockView view(*source);
  rule::MatchFilter filter;
  filter.fixed = ops;
  return pattern->visitMatches(
      view,
      [&](const rule::RuleMatch &match) {
        symbols = match.symbols;
        return rule::checkSizeConditions(rule, match) &&
               rule::hasTargetSymbols(rule, symbols);
      },
      filter);
}

Block *MatchedSides::getTarget(std::string &reason) {
  if (!target && targetProblem.empty()) {
    target = makeSide(rule.getTarget(), symbols, targetProblem);
    if (!target && targetProblem.empty())
      targetProblem = "an op is not valid";
  }
  reason = targetProblem;
  return target.get();
}
