//===- SumForm.h - elements as sums of products ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The normal form of elements over the real numbers: a sum of terms, each
//
//   coefficient * sum over vars, where domain holds, of scale * factors
//
// Guards of selections and bounds of reductions all stand in `domain`;
// products of sums are multiplied out. What is no polynomial (exp, max, a
// quotient, a maximum over a window) is a factor of its own whose arguments
// are in normal form.
//
// All of a sum is of one element type, which stands in its factors, and in a
// factor for its arguments: a number that is a comparison's argument is another
// in i8 than in i64. Sums of integers are elements of the ring of integers
// modulo 2^width, in which all that is said of polynomials holds, too.
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

  /// Canonical up to the order of terms; equal texts are equal sums.
  std::string str() const;
  /// The same without indices, domains and coefficients: what can be equal
  /// has equal keys.
  std::string getKey() const;
};

struct Factor {
  enum class Kind {
    Load,       // operand `operand` at `indices`
    Constant,   // `number`, where it is no small fraction
    Index,      // indices[0] as an element, where it is not `scale`
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
  /// Maxima, minima and reductions whose order matters, of 0 and -0: of what is
  /// exact.
  bool isOrdered = false;
  /// Known to be a real number (ElementSigns); not a part of what it is.
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

/// Whether elements of a type are added and multiplied as a ring's: all but
/// truth values.
bool hasArithmetic(mlir::Type type);

/// A number; nothing where it is 0.
SumForm getConstantSum(int64_t numerator, int64_t denominator = 1);
SumForm getFactorSum(Factor factor);
Factor getReciprocalFactor(SumForm arg, mlir::Type type);
/// The factor that `form` is, if it is nothing else.
const Factor *getOnlyFactor(const SumForm &form);

/// The reduction over a set that an argument of a maximum (minimum) is; null
/// where it is a single element, such as a product over a set.
const Factor *getSet(const SumForm &arg, graph::ScalarFn fn);

/// As `str`, but with the variables that it binds named by their depth: what
/// differs in these names alone has equal texts.
std::string getCanonicalText(Term term);
std::string getCanonicalText(Factor factor);
std::string getCanonicalText(SumForm form);

/// The sum with equal terms merged and zero terms dropped. Fails on overflow
/// of coefficients. Sets `cancelled` where x - x = 0 was used.
bool simplify(SumForm &form, bool *cancelled = nullptr);

/// Replaces free variables. What a form binds is renamed where it would capture
/// a variable of a value.
SumForm substitute(const SumForm &form, const Substitution &substitution);
Factor substitute(const Factor &factor, const Substitution &substitution);
Term substitute(const Term &term, const Substitution &substitution);
/// The same inside of what `factor` or `term` binds itself, of which the caller
/// has taken care: for new names of its variables.
Factor replaceInside(const Factor &factor, const Substitution &substitution);
Term replaceInside(const Term &term, const Substitution &substitution);
/// The index variables that are free.
void collectVars(const SumForm &form, std::map<std::string, unsigned> &vars);
void collectVars(const Factor &factor, std::map<std::string, unsigned> &vars);
void collectVars(const Term &term, std::map<std::string, unsigned> &vars);

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_SUMFORM_H
