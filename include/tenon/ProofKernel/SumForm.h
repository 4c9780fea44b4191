//===- SumForm.h - elements as sums of products ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The normal form of elements over the real numbers: a sum of terms of the form
//
//   coefficient * sum over vars, where domain holds, of scale * factors
//
// Guards of selections and bounds of reductions are all in `domain`; products
// of sums are multiplied out. A non-polynomial expression (exp, max, a
// quotient, a maximum over a window) is a factor whose arguments are in normal
// form.
//
// A whole sum has one element type, which its factors store; each factor also
// stores the type of its arguments. A comparison of numbers in i8 may differ
// from the same comparison in i64. Sums of integers are elements of the ring of
// integers modulo 2^width, in which all properties of polynomials hold as well.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_SUMFORM_H
#define TENON_PROOFKERNEL_SUMFORM_H

#include "tenon/ProofKernel/Formula.h"

#include "tenon/Dialect/Graph/IR/IndexForm.h"

namespace tenon::prove {

struct Term;

struct SumForm {
  std::vector<Term> terms;

  /// Canonical, except for the order of terms; equal texts are equal sums.
  std::string str() const;
  /// The text without indices, domains and coefficients. Sums that may be equal
  /// have equal keys.
  std::string getKey() const;
};

struct Factor {
  enum class Kind {
    Load,       // operand `operand` at `indices`
    Constant,   // `number`, if it is not a small fraction
    Index,      // indices[0] as an element, if it is not in `scale`
    Reciprocal, // of args[0]
    Apply,      // `fn` of args
    Cast,       // args[0] to `type`
    Reduce      // `reduce` over `vars` in `domain` of args[0]
  };
  Kind kind;
  /// The element types of the factor and of its arguments.
  mlir::Type type, argType;
  unsigned operand = 0;
  std::vector<SymInt> indices;
  double number = 0;
  graph::ScalarFn fn = graph::ScalarFn::Neg;
  graph::ReduceKind reduce = graph::ReduceKind::Sum;
  std::vector<std::string> vars;
  FormulaRef domain;
  std::vector<SumForm> args;
  /// For exact proofs: maxima, minima and reductions for which the order of 0
  /// and -0 matters.
  bool isOrdered = false;
  /// Whether it is known to be a real number (ElementSigns); ignored in
  /// comparisons.
  bool isReal = false;

  std::string str() const;
  std::string getKey() const;
};

struct Term {
  /// The coefficient, a fraction in lowest terms with a positive denominator.
  int64_t numerator = 1, denominator = 1;
  std::vector<std::string> vars;
  FormulaRef domain = Formula::always();
  SymInt scale = SymInt(1);
  std::vector<Factor> factors; // sorted by key

  std::string str() const;
  std::string getKey() const;
  void sortFactors();
};

/// Whether elements of a type are added and multiplied as in a ring: all types
/// other than truth values.
bool hasArithmetic(mlir::Type type);

/// A number; a sum without terms if it is 0.
SumForm getConstantSum(int64_t numerator, int64_t denominator = 1);
SumForm getFactorSum(Factor factor);
Factor getReciprocalFactor(SumForm arg, mlir::Type type);
/// Returns the factor if `form` is just this factor; otherwise null.
const Factor *getOnlyFactor(const SumForm &form);

/// Returns the reduction over a set, if an argument of a maximum (minimum) is
/// one; null if it is a single element, such as a product over a set.
const Factor *getSet(const SumForm &arg, graph::ScalarFn fn);

/// Like `str`, but with bound variables named by their depth: terms that differ
/// only in these names have equal texts.
std::string getCanonicalText(Term term);
std::string getCanonicalText(Factor factor);
std::string getCanonicalText(SumForm form);

/// Merges equal terms and drops zero terms. Returns false on overflow of
/// coefficients. Sets `cancelled` if x - x = 0 was used.
bool simplify(SumForm &form, bool *cancelled = nullptr);

/// Replaces free variables. Renames bound variables of the form if they would
/// capture a variable of a value.
SumForm substitute(const SumForm &form, const Substitution &substitution);
Factor substitute(const Factor &factor, const Substitution &substitution);
Term substitute(const Term &term, const Substitution &substitution);
/// Replaces variables inside the scope of `factor` or `term`; the caller must
/// prevent captures. Used to rename their bound variables.
Factor replaceInside(const Factor &factor, const Substitution &substitution);
Term replaceInside(const Term &term, const Substitution &substitution);
/// Collects the free index variables.
void collectVars(const SumForm &form, std::map<std::string, unsigned> &vars);
void collectVars(const Factor &factor, std::map<std::string, unsigned> &vars);
void collectVars(const Term &term, std::map<std::string, unsigned> &vars);

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_SUMFORM_H
