//===- Check.h - both sides of rules, run at random sizes -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROVE_CHECK_H
#define TENON_PROVE_CHECK_H

#include "tenon/Dialect/Rule/IR/Certificate.h"
#include "tenon/Dialect/Rule/IR/Rule.h"

namespace tenon::prove {

struct CheckOptions {
  /// At how many sizes both sides are run.
  uint64_t instances = 200;
  uint64_t seed = 1;
  /// Not 0: one symbol of each choice is that, or some more; the others are
  /// small.
  int64_t large = 0;
};

/// What was found for a rule, or for a rule with further leading axes.
struct CheckResult {
  unsigned leadingAxes = 0;
  /// Choices of sizes at which both sides were run, and how they were compared:
  /// exactly in the field, else within error bounds in f64; bit for bit in f32.
  uint64_t instances = 0, inField = 0, inF64 = 0, bitForBit = 0;
  /// Elements that were compared.
  uint64_t elements = 0;
  /// The first difference, and in which arithmetic.
  std::optional<rule::Counterexample> difference;
  std::string arithmetic;
  /// Why nothing could be run; else empty.
  std::string problem;
};

/// Runs both sides of `rule` at random sizes that satisfy its conditions, by
/// the interpreter, and compares the results: exactly in the prime field of
/// 2^61 - 1 elements where all ops are ring or field operations; elsewhere in
/// f64, within the sum of both sides' error bounds; bit for bit in f32, with
/// infinities and NaN among the operands, where `proved` says `exact`. Integers
/// are small, or at the ends of their types. A rule
/// that lifts operands is then run with one and with two further axes. All
/// choices follow from the seed.
std::vector<CheckResult> checkRule(rule::RuleOp rule,
                                   const rule::Certificate &proved,
                                   const CheckOptions &options = {});

} // namespace tenon::prove

#endif // TENON_PROVE_CHECK_H
