//===- Discovery.h - rules found by enumeration ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TASO's generator (Jia and others, SOSP 2019, section 2) with proofs for all
// sizes: graphs that compute the same of random tensors are candidates, each is
// stated for all sizes and proved, and what is proved prunes what follows.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DISCOVER_DISCOVERY_H
#define TENON_DISCOVER_DISCOVERY_H

#include "tenon/Discover/Enumerator.h"

namespace tenon::discover {

struct DiscoveryOptions {
  std::vector<std::string> ops;
  /// Of either side of a rule, at least 1 and less than `Terms::maxOps`.
  unsigned maxOps = 3;
  uint64_t seed = 1;
};

/// What is known of a candidate.
enum class Verdict { Proved, Refuted, Unknown, NotStated };

struct FoundRule {
  std::string name, text;
  Verdict verdict = Verdict::Unknown;
  /// Why it is not proved, or not stated.
  std::string reason;
  /// Whether it states, from right to left, what another rule does.
  bool isReverse = false;
  /// Whether it has several results.
  bool hasSiblings = false;
  /// Whether it differs from another rule in which operands may have leading
  /// axes alone.
  bool sharesWeights = false;
  /// Whether it follows from those of the others for which this is false.
  bool isImplied = false;
};

/// Decides rules, given as texts, each by itself: their order and number do not
/// change what is found of one. Returns a verdict, and a reason, for each.
using Prover = std::function<std::vector<std::pair<Verdict, std::string>>(
    llvm::ArrayRef<std::string> rules)>;

struct LevelReport {
  unsigned numOps = 0;
  /// Graphs that were generated; of them, those that a rule rewrites, and those
  /// that only what is not proved rewrites; and those that are like no other.
  uint64_t generated = 0, rewritten = 0, leftOpen = 0, representatives = 0;
  /// Candidates: graphs with the fingerprint of another. Those that the rules
  /// that are known rewrite to the same graph follow; others are derived by an
  /// e-graph; what is left is accepted if it is proved.
  uint64_t candidates = 0, followed = 0, derived = 0, accepted = 0;
  double seconds = 0;
};

struct DiscoveryReport {
  std::vector<LevelReport> levels;
  /// Rules with two results: graphs that are the parts of one.
  LevelReport splits;
  std::vector<FoundRule> rules;
  double enumerationSeconds = 0, derivationSeconds = 0, proofSeconds = 0;
};

/// Called with what is done now, such as "4 ops: 239649 graphs", and with the
/// share of it that is done.
using Advance = std::function<void(const llvm::Twine &activity, double share)>;

/// Finds rules between graphs of an op set. The result depends on the options
/// and on the prover's verdicts alone. Processes are forked to enumerate. Fails,
/// with a reason in `error`, if an op is unknown, or if a process ends early or
/// can't write its temporary files.
mlir::FailureOr<DiscoveryReport>
discover(mlir::MLIRContext *context, const DiscoveryOptions &options,
         const Prover &prover, const Advance &advance, std::string &error);

} // namespace tenon::discover

#endif // TENON_DISCOVER_DISCOVERY_H
