//===- Laws.h - laws of non-polynomial functions --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All knowledge of proofs about functions, other than that equal arguments give
// equal results. Each law is stated only here, with its side condition;
// "proved" means proved by Signs.
//
//  E1  exp(a + b) = exp(a) exp(b), for all numbers. The normal form has one
//      exponential per summand of an exponent; equal summands are gathered:
//      exp(t) exp(t) = exp(2t), and exp(t) exp(-t) = 1 if t is proved real
//      (exp(-inf) exp(inf) is not a number).
//  E2  exp(log(y)) = y if y is proved positive.
//  E3  exp(-inf + a) = 0 if a is proved real.
//  L1  log(a b) = log(a) + log(b) and log(1/a) = -log(a), if a and b are
//      proved positive; log(exp(t)) = t if t is proved real; log(1) = 0.
//  L2  log(0) = -inf, as in the reference of the operations.
//  Q1  1/(a b) = 1/a 1/b. Quotients are those of a totalized field, in which
//      1/0 counts as 0, so this needs no condition. Factors that do not depend
//      on the variables of a sum are moved out: 1/(sum a b) = 1/a 1/(sum b).
//      If a divisor is not proved to be nonzero, the rule is NeedsFinite.
//  Q2  1/(1/a) = a, likewise.
//  Q3  1/exp(t) = exp(-t) if t is proved real: exp(t) is then positive.
//  Q4  a 1/a = 1 if a is proved positive. With Q5: if a is a sum that was
//      multiplied out, both sides of an equation are multiplied by it
//      (SumMatcher::clearDenominators).
//  M1  max(a, -inf) = a, and a maximum over the empty set is -inf; likewise
//      min and +inf.
//  O1  Integers are totally ordered: a <= b is not b < a, and a = b is neither
//      a < b nor b < a. The same holds for real numbers.
//  O2  a < a does not hold.
//  O3  a < max(b, c) if a < b or a < c; max(a, b) < c if a < c and b < c;
//      likewise min.
//  O4  a < b and b < a do not both hold.
//  D1  min(max(a, b), c) = max(min(a, c), min(b, c)).
//  D2  max(a, min(a, b)) = a.
//  R1  For integers, a / 1 = a, and a mod 1 = 0.
//  R2  For integers, (a mod b) mod b = a mod b, also if b is 0, -1 or less
//      (both remainders; ScalarFn).
//  R3  |a| |a| = a a, also for wrapping integers, infinities and NaN.
//  M2  A selection between a and b by a < b or a <= b is their minimum or
//      maximum.
//  M3  Among the constant arguments of a maximum, only the largest matters.
//  M4  max(a, -a) = |a|, for real numbers; M5 and M6 also.
//  M5  max(a + c, b + c) = max(a, b) + c.
//  M6  max(-a, -b) = -min(a, b).
//  A1  |a| = a if a is proved not negative, or is unsigned, or is |b|.
//  A2  |-a| = |a|, also for wrapping integers.
//  A3  |a b| = |a| |b|, for real numbers.
//  A4  sign(sign(a)) = sign(a); sign(a) |a| = a; sign(a) = 1 if a is proved
//      positive.
//  A5  sqrt(a a) = |a|; sqrt(a) sqrt(a) = a if a is proved not negative.
//  P1  a to an integer power is a product, also for wrapping integers; to 1/2
//      it is sqrt(a), with NeedsFinite because of -inf; and to a negative power
//      it is the reciprocal.
//  P2  a to the b is exp(b log(a)) if a is proved positive.
//  F1  floor, ceiling and the nearest integer of an integer are the integer.
//  F2  The functions that ScalarFn.def calls odd, such as sin, tanh, erf and
//      sign, are odd.
//  F3  cos and cosh are even.
//  I1  For integers of one width, not a = -a - 1 = a xor -1.
//  I2  a << k = 2^k a, and 0 if k is at least the width; a >> 0 = a.
//  I3  and, or and xor are associative and commutative; a and a = a or a = a,
//      a xor a = 0.
//  I4  a and -1 = a or 0 = a xor 0 = a; a and 0 = 0; a or -1 = -1.
//  I5  For unsigned integers, a / 2^k = a >> k and a rem 2^k = a and (2^k - 1);
//      the remainder with the divisor's sign also for signed integers.
//  I6  a / -1 = -a, and its remainder is 0.
//  C2  A cast to a type that holds every number of the operand's type, followed
//      by a cast to a third type, is the cast to the third type. Not for casts
//      from integers over floats to integers that do not hold every number of
//      the first type, since casts of floats saturate.
//  C3  A cast of integers to fewer bits, followed by one to even fewer bits, is
//      the cast to the last type.
//  C4  A cast of integers to fewer bits is a homomorphism of rings.
//  C1  A real number is neither infinite nor NaN; a positive one is not 0.
//
// In addition, sums of no elements are 0, and sums of positive numbers over
// nonempty sets are positive.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_LAWS_H
#define TENON_PROOFKERNEL_LAWS_H

#include "tenon/ProofKernel/Signs.h"

namespace tenon::prove {

class Normalizer;

class Laws {
public:
  /// The highest power that is multiplied out.
  static constexpr int64_t maxPower = 4;

  explicit Laws(Signs &signs) : signs(signs) {}

  /// Merges the exponentials of a product (E1), cancels factors with their
  /// reciprocal (Q4), and joins pairs (R3, A4, A5).
  void gather(Term &product);

  /// Apply exp, log and 1/x to a normal form without cases. They return nothing
  /// if the normalizer fails.
  std::optional<SumForm> getExp(Normalizer &normalizer, const SumForm &arg,
                                mlir::Type type);
  std::optional<SumForm> getLog(Normalizer &normalizer, const SumForm &arg,
                                mlir::Type type);
  std::optional<SumForm> getReciprocal(Normalizer &normalizer,
                                       const SumForm &arg, mlir::Type type);
  /// Whether a divisor is a real number that is proved not to be 0.
  bool isNonZero(const SumForm &form);

  /// Decides a comparison or test of real numbers, if its result is known (C1).
  std::optional<bool> decide(graph::ScalarFn fn,
                             const std::vector<SumForm> &args);
  /// The names of the laws of a function, for messages; empty if there are
  /// none.
  static llvm::StringRef getNames(graph::ScalarFn fn);

  /// Rewrites a function of these arguments, which have no cases. Returns
  /// nothing if no law applies (A1 to A5, F1 to F3, I1 to I6).
  std::optional<SumForm> rewrite(Normalizer &normalizer, const Factor &factor,
                                 const std::vector<SumForm> &args);
  /// A power with this non-negative exponent (P1).
  static std::optional<SumForm> getPower(Normalizer &normalizer,
                                         const SumForm &base, int64_t exponent);
  /// A cast of a number without cases to another type (C2 to C4).
  static std::optional<SumForm> cast(Normalizer &normalizer, const SumForm &arg,
                                     mlir::Type from, mlir::Type to);
  /// Rewrites a maximum or minimum of elements, not of sets (M3 to M6). If it
  /// returns nothing, it may still have removed arguments.
  std::optional<SumForm> rewriteExtremum(Normalizer &normalizer,
                                         const Factor &extremum,
                                         std::vector<SumForm> &args);

  /// The quotient or remainder of integers, if it is known (R1, R2).
  static std::optional<SumForm> divide(graph::ScalarFn fn,
                                       const std::vector<SumForm> &args);
  /// Returns the value whose square the product of two equal absolute values is
  /// (R3).
  static const SumForm *getSquared(const SumForm &a, const SumForm &b);
  /// Removes arguments of a maximum (minimum) that do not affect the result
  /// (M1), but keeps one.
  static void dropNeutral(bool isMax, mlir::Type type,
                          std::vector<SumForm> &args);

  Signs &signs;
  /// The properties that were used (rule::FloatClass).
  unsigned floatClass = 0;

private:
  void gatherExps(Term &product);
  void cancelReciprocals(Term &product);
  void gatherPairs(Term &product);
  std::optional<SumForm> getAbs(Normalizer &normalizer, const Factor &abs,
                                SumForm arg);
  std::optional<SumForm> getSqrt(Normalizer &normalizer, const Factor &sqrt,
                                 const SumForm &arg);
  std::optional<SumForm> rewriteReal(Normalizer &normalizer,
                                     const Factor &factor, SumForm arg);
  std::optional<SumForm> rewriteInteger(Normalizer &normalizer,
                                        const Factor &factor,
                                        std::vector<SumForm> args);
};

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_LAWS_H
