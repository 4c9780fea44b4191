//===- Formula.h - conditions over integer terms --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integer terms of proofs are SymInts: polynomials over the rule's symbols (at
// least 0) and over index variables, which are symbols whose name begins with
// '%' and which range over all integers. SymInt's folding of max and min
// assumes that symbols are at least 0, so index variables never occur below
// them: a maximum of indices becomes two cases.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_FORMULA_H
#define TENON_PROOFKERNEL_FORMULA_H

#include "tenon/Dialect/Graph/IR/SymInt.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tenon::prove {

using graph::SymInt;

struct SumForm;
struct Formula;
using FormulaRef = std::shared_ptr<const Formula>;

/// Maps index variables to their values.
using Substitution = std::map<std::string, SymInt>;

SymInt substitute(const SymInt &term, const Substitution &substitution);

/// The name of index variable `number`.
std::string getVarName(unsigned number);
bool isVarName(llvm::StringRef name);
/// The index variables that occur in `term`.
void collectVars(const SymInt &term, std::map<std::string, unsigned> &vars);

/// The coefficient of `name` in `term`, if `name` occurs only once, in a
/// monomial of its own; otherwise nullopt.
std::optional<int64_t> getLinearCoefficient(const SymInt &term,
                                            llvm::StringRef name);
/// Solves `term` = 0 for `var`, if `var` occurs only once, with coefficient 1
/// or -1.
std::optional<SymInt> solveFor(const SymInt &term, llvm::StringRef var);

struct Formula {
  enum class Kind {
    True,
    False,
    NonNegative, // term >= 0
    Zero,        // term == 0
    And,
    Or,
    Not,
    Element // an i1 element: any truth value, the same for equal text
  };
  Kind kind;
  SymInt term;
  std::vector<FormulaRef> operands;
  std::shared_ptr<const SumForm> element;
  /// The canonical text: formulas of equal text are equal.
  std::string text;

  static FormulaRef always();
  static FormulaRef never();
  static FormulaRef nonNegative(const SymInt &term);
  static FormulaRef zero(const SymInt &term);
  static FormulaRef lessEqual(const SymInt &a, const SymInt &b) {
    return nonNegative(b - a);
  }
  static FormulaRef less(const SymInt &a, const SymInt &b) {
    return nonNegative(b - a - SymInt(1));
  }
  static FormulaRef equal(const SymInt &a, const SymInt &b) {
    return zero(a - b);
  }
  static FormulaRef conjunction(FormulaRef a, FormulaRef b);
  static FormulaRef disjunction(FormulaRef a, FormulaRef b);
  static FormulaRef negation(FormulaRef a);
  static FormulaRef ofElement(SumForm element);

  /// Whether some number overflowed 64 bits. Then nothing is known about the
  /// formula, and equal texts do not imply equality.
  bool isUnknown() const { return text.find('?') != std::string::npos; }
  bool isTrue() const { return kind == Kind::True; }
  bool isFalse() const { return kind == Kind::False; }
};

FormulaRef substitute(const FormulaRef &formula,
                      const Substitution &substitution);
void collectVars(const FormulaRef &formula,
                 std::map<std::string, unsigned> &vars);

/// Replaces `known` (and its negation) in `formula` by its truth value.
FormulaRef assume(const FormulaRef &formula, const FormulaRef &known,
                  bool value);

/// Collects the conjuncts of `formula`.
void flattenAnd(const FormulaRef &formula, std::vector<FormulaRef> &conjuncts);

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_FORMULA_H
