//===- Laws.h - laws of functions that are no polynomials -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that proofs know of functions, beyond that equal arguments give equal
// results. Each law is stated here once, with its side condition; "proved"
// means by Signs.
//
//  E1  exp(a + b) = exp(a) exp(b), for all numbers. The normal form has one
//      exponential per summand of an exponent; equal summands are gathered:
//      exp(t) exp(t) = exp(2t), and exp(t) exp(-t) = 1 where t is proved real
//      (exp(-inf) exp(inf) is no number).
//  E2  exp(log(y)) = y where y is proved positive.
//  E3  exp(-inf + a) = 0 where a is proved real.
//  L1  log(a b) = log(a) + log(b) and log(1/a) = -log(a), where a and b are
//      proved positive; log(exp(t)) = t where t is proved real; log(1) = 0.
//  L2  log(0) = -inf, as the reference of the operations has it.
//  Q1  1/(a b) = 1/a 1/b. Quotients are those of a totalized field, in which
//      1/0 counts as 0. With it, this needs no condition, and what does not
//      depend on the variables of a sum leaves it: 1/(sum a b) = 1/a 1/(sum b).
//      A divisor that is not proved other than 0 makes a rule NeedsFinite.
//  Q2  1/(1/a) = a, likewise.
//  Q3  1/exp(t) = exp(-t) where t is proved real: it is then positive.
//  Q4  a 1/a = 1 where a is proved positive. With Q5: where a stands as a sum
//      that was multiplied out, both sides of an equation are multiplied by it
//      (SumMatcher::clearDenominators).
//  M1  max(a, -inf) = a, and a maximum over the empty set is -inf; likewise
//      min and +inf.
//  O1  Integers are in one order: a <= b is not b < a, and a = b is neither
//      a < b nor b < a. So are real numbers.
//  O2  a < a does not hold.
//  O3  a < max(b, c) where a < b or a < c; max(a, b) < c where a < c and b < c;
//      likewise min.
//  O4  a < b and b < a do not both hold.
//  D1  min(max(a, b), c) = max(min(a, c), min(b, c)).
//  D2  max(a, min(a, b)) = a.
//  R1  For integers, a / 1 = a, and a mod 1 = 0.
//  R2  For integers, (a mod b) mod b = a mod b, also where b is 0, -1 or below
//      (both remainders; ScalarFn).
//  R3  |a| |a| = a a, for wrapping integers, infinities and NaN too.
//  C1  A real number is not infinite, and no NaN; a positive one is not 0.
//
// With all of them: sums over nothing are 0, and sums of positive numbers over
// a set with an element are positive.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_LAWS_H
#define TENON_PROOFKERNEL_LAWS_H

#include "tenon/ProofKernel/Signs.h"

namespace tenon::prove {

class Normalizer;

class Laws {
public:
  explicit Laws(Signs &signs) : signs(signs) {}

  /// Gathers the exponentials of a product (E1), and cancels what stands beside
  /// its reciprocal (Q4).
  void gather(Term &product);

  /// exp, log and 1/x of a normal form without cases. Each gives nothing where
  /// the normalizer fails.
  std::optional<SumForm> getExp(Normalizer &normalizer, const SumForm &arg,
                                mlir::Type type);
  std::optional<SumForm> getLog(Normalizer &normalizer, const SumForm &arg,
                                mlir::Type type);
  std::optional<SumForm> getReciprocal(Normalizer &normalizer,
                                       const SumForm &arg, mlir::Type type);
  /// Whether a divisor is a real number that is proved not to be 0.
  bool isNonZero(const SumForm &form);

  /// A comparison or test of real numbers whose answer is known (C1).
  std::optional<bool> decide(graph::ScalarFn fn,
                             const std::vector<SumForm> &args);
  /// The names of the laws of a function, for people; empty where there are
  /// none.
  static llvm::StringRef getNames(graph::ScalarFn fn);

  /// A quotient or remainder of integers that is known (R1, R2).
  static std::optional<SumForm> divide(graph::ScalarFn fn,
                                       const std::vector<SumForm> &args);
  /// What a product of two equal absolute values is the square of (R3).
  static const SumForm *getSquared(const SumForm &a, const SumForm &b);
  /// Drops arguments of a maximum (minimum) that decide nothing (M1); keeps
  /// one.
  static void dropNeutral(bool isMax, mlir::Type type,
                          std::vector<SumForm> &args);

  Signs &signs;
  /// What was used (rule::FloatClass).
  unsigned floatClass = 0;

private:
  void gatherExps(Term &product);
  void cancelReciprocals(Term &product);
};

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_LAWS_H
