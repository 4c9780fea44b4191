//===- Check.h - running both sides of rules at random sizes --------------===//
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
  /// The number of choices of sizes at which both sides are run.
  uint64_t instances = 200;
  uint64_t seed = 1;
  /// If not 0, one symbol of each choice has this value or slightly more, and
  /// the others are small.
  int64_t large = 0;
};

/// The result of checking a rule, or the rule with further leading axes.
struct CheckResult {
  unsigned leadingAxes = 0;
  /// The number of choices of sizes at which both sides were run, and how often
  /// they were compared exactly in the field, within error bounds in f64, and
  /// bit for bit in f32.
  uint64_t instances = 0, inField = 0, inF64 = 0, bitForBit = 0;
  /// The number of elements that were compared.
  uint64_t elements = 0;
  /// The first difference, and the arithmetic in which it was found.
  std::optional<rule::Counterexample> difference;
  std::string arithmetic;
  /// Why nothing could be run; empty if something was run.
  std::string problem;
};

/// Runs both sides of `rule` with the interpreter, at random sizes that satisfy
/// its conditions, and compares the results: exactly in the prime field of 2^61
/// - 1 elements if all ops are ring or field operations, otherwise in f64,
/// within the sum of both sides' error bounds. If `proved` says `exact`, also
/// bit for bit in f32, with infinities and NaN among the operands. Integers are
/// small, or at the ends of their types. A rule that lifts operands is also run
/// with one and with two leading axes. All choices follow from the seed.
std::vector<CheckResult> checkRule(rule::RuleOp rule,
                                   const rule::Certificate &proved,
                                   const CheckOptions &options = {});

} // namespace tenon::prove

#endif // TENON_PROVE_CHECK_H
