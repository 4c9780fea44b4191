//===- Statements.cpp - parts of the text of rules ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/Statements.h"

using namespace mlir;
using namespace tenon;
using graph::SymInt;
using rule::RuleOp;

std::pair<SymInt, SymInt> tenon::discover::separate(const SymInt &difference,
                                                    int64_t divisor) {
  SymInt positive, negative;
  for (const auto &[monomial, coefficient] : difference.getTerms()) {
    SymInt product((coefficient > 0 ? coefficient : -coefficient) / divisor);
    for (const SymInt::AtomRef &atom : monomial.atoms) {
      if (atom->kind == SymInt::AtomKind::Symbol)
        product = product * SymInt::symbol(atom->name);
      else if (atom->kind == SymInt::AtomKind::FloorDiv)
        product = product * atom->lhs->floorDiv(*atom->rhs);
      else if (atom->kind == SymInt::AtomKind::Max)
        product = product * SymInt::max(*atom->lhs, *atom->rhs);
      else
        product = product * SymInt::min(*atom->lhs, *atom->rhs);
    }
    SymInt &to = coefficient > 0 ? positive : negative;
    to = to + product;
  }
  return {positive, negative};
}

rule::ConditionAttr tenon::discover::stateAtLeastZero(MLIRContext *context,
                                                      const SymInt &value) {
  auto [greater, least] = separate(value);
  return rule::ConditionAttr::get(context, rule::ConditionKind::AtLeast,
                                  greater, least);
}

std::string tenon::discover::writeRule(RuleOp rule) {
  std::string printed, text;
  llvm::raw_string_ostream os(printed);
  rule->print(os);
  SmallVector<StringRef> lines;
  StringRef(printed).split(lines, '\n');
  for (StringRef line : lines) {
    if (line.ltrim().starts_with("%") || line.ltrim().starts_with("rule.yield"))
      line = line.split(" : ").first;
    text += line.rtrim().str() + "\n";
  }
  return text;
}
