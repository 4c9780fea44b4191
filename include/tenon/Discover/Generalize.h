//===- Generalize.h - from two graphs to a rule for all sizes -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DISCOVER_GENERALIZE_H
#define TENON_DISCOVER_GENERALIZE_H

#include "tenon/Dialect/Rule/IR/Rule.h"
#include "tenon/Discover/Terms.h"

#include "mlir/IR/OwningOpRef.h"

#include <set>

namespace tenon::discover {

/// Two graphs that may be equal, result by result.
struct Candidate {
  llvm::SmallVector<ValueId, 2> source, target;
};

/// A candidate whose sizes and numbers are symbols.
struct Generalized {
  using Shape = graph::Shape;
  mlir::OwningOpRef<rule::RuleOp> rule;
  /// Whether operands may have further leading axes.
  bool isLifted = false;
  /// In how many ways numbers that nothing determines could be those of ops of
  /// the source; 1 if everything is determined.
  unsigned numPairings = 1;
  /// The inputs of the source, with their shapes.
  std::vector<std::pair<ValueId, Shape>> inputs;
  /// The numbers of each op of both sides.
  std::map<OpId, Shape> numbers;
  /// Values that are at least 0 wherever the rule may fire.
  std::vector<graph::SymInt> conditions;
};

struct StatementOptions {
  /// Whether leading axes that all ops treat alike are left out, so that the
  /// operands may have any.
  bool lifts = true;
  /// Whether, of these, only operands that no product reads on its right have
  /// leading axes: activations of a batch, but not weights.
  bool sharesWeights = false;
  /// Symbols of the rule that a condition makes at least 1.
  std::set<std::string> positive;
  /// Which op of the source has the numbers of an op of the target that nothing
  /// determines; less than `Generalized::numPairings`.
  unsigned pairing = 0;
};

/// States a candidate for all sizes that its ops allow: every size of an input
/// and every free number of an op is a symbol of its own, unless the ops of
/// either side (as type inference states their requirements), or the equality
/// of the results, force it to equal others. What else the target requires
/// becomes a condition of the rule. Numbers of the target that nothing
/// determines, such as where it splits, are taken from an op of the source that
/// has the same. Nothing is proved here.
///
/// Fails, with a reason, if the target reads inputs that the source does not,
/// or if no sizes satisfy both sides.
mlir::FailureOr<Generalized>
generalize(mlir::MLIRContext *context, const Terms &terms,
           const Candidate &candidate, llvm::StringRef name,
           const StatementOptions &options, std::string &reason);

} // namespace tenon::discover

#endif // TENON_DISCOVER_GENERALIZE_H
