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
//  M2  What is chosen by a < b or a <= b, of a and b, is their minimum or
//      maximum.
//  M3  Of constants among the arguments of a maximum, the largest decides.
//  M4  max(a, -a) = |a|, of real numbers; so below to M6.
//  M5  max(a + c, b + c) = max(a, b) + c.
//  M6  max(-a, -b) = -min(a, b).
//  A1  |a| = a where a is proved not negative, or unsigned, or itself |b|.
//  A2  |-a| = |a|, also of wrapping integers.
//  A3  |a b| = |a| |b|, of real numbers.
//  A4  sign(sign(a)) = sign(a); sign(a) |a| = a; sign(a) = 1 where a is proved
//      positive.
//  A5  sqrt(a a) = |a|; sqrt(a) sqrt(a) = a where a is proved not negative.
//  P1  a to a whole power is a product, also of wrapping integers; to 1/2 it is
//      sqrt(a), for -inf NeedsFinite; and to a negative one the reciprocal.
//  P2  a to the b is exp(b log(a)) where a is proved positive.
//  F1  Integers are their floor, ceiling and nearest integer.
//  F2  sin, tan, asin, atan, sinh, tanh, asinh, atanh, erf and sign are odd.
//  F3  cos and cosh are even.
//  I1  Of integers of one width, not a = -a - 1; xor with -1 is that, too.
//  I2  a << k = 2^k a, and 0 where k is not below the width; a >> 0 = a.
//  I3  and, or and xor are associative and commutative; a and a = a or a = a,
//      a xor a = 0.
//  I4  a and -1 = a or 0 = a xor 0 = a; a and 0 = 0; a or -1 = -1.
//  I5  For unsigned integers, a / 2^k = a >> k and a rem 2^k = a and (2^k - 1);
//      the remainder with the divisor's sign also for others.
//  I6  a / -1 = -a, and its remainder is 0.
//  C2  A cast to a type that holds every number of the other, and on to a
//  third,
//      is the cast to the third; not from integers over floats to integers that
//      do not hold every number of the first, since casts of floats saturate.
//  C3  So is one to fewer bits and on to fewer still, of integers.
//  C4  A cast of integers to fewer bits is a homomorphism of rings.
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
  /// Powers that are multiplied out.
  static constexpr int64_t maxPower = 4;

  explicit Laws(Signs &signs) : signs(signs) {}

  /// Gathers the exponentials of a product (E1), cancels what stands beside its
  /// reciprocal (Q4), and joins pairs (R3, A4, A5).
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

  /// What a function of these arguments is, which have no cases; nothing where
  /// no law says it (A1 to A5, F1 to F3, I1 to I6).
  std::optional<SumForm> rewrite(Normalizer &normalizer, const Factor &factor,
                                 const std::vector<SumForm> &args);
  /// A power with this exponent, of at least 0 (P1).
  static std::optional<SumForm> getPower(Normalizer &normalizer,
                                         const SumForm &base, int64_t exponent);
  /// A cast of a number without cases to another type (C2 to C4).
  static std::optional<SumForm> cast(Normalizer &normalizer, const SumForm &arg,
                                     mlir::Type from, mlir::Type to);
  /// A maximum or minimum of elements, no sets (M3 to M6). Else may leave less
  /// arguments.
  std::optional<SumForm> rewriteExtremum(Normalizer &normalizer,
                                         const Factor &extremum,
                                         std::vector<SumForm> &args);

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
