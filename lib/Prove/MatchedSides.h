//===- MatchedSides.h - both sides of a rule where it fires ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trials must not share the assumptions of proofs. So the source is built as a
// model would have it, with numbers for its symbols, and the matcher of the
// optimizer decides whether the rule fires there.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_MATCHEDSIDES_H
#define TENON_LIB_PROVE_MATCHEDSIDES_H

#include "tenon/Dialect/Rule/Match/RuleMatch.h"

#include "mlir/IR/Block.h"

#include <map>
#include <memory>
#include <string>

namespace tenon::prove {

class MatchedSides {
public:
  explicit MatchedSides(rule::RuleOp rule);
  ~MatchedSides();

  /// Builds the source with `values` for the symbols. Returns false if an op of
  /// it is not valid at these sizes, or if the rule does not match it: a size
  /// condition or a hypothesis of the proof does not hold. (Conditions on
  /// elements are not checked.)
  bool build(const std::map<std::string, int64_t> &values);

  /// The side that `build` made, which ends in `rule.yield`.
  mlir::Block &getSource() { return *source; }
  /// The target of the match; null if it is not valid at these sizes, with the
  /// reason.
  mlir::Block *getTarget(std::string &reason);

private:
  std::unique_ptr<mlir::Block> makeSide(mlir::Region &side,
                                        const rule::SymbolMap &symbols,
                                        std::string &reason);

  rule::RuleOp rule;
  /// Lists the hypotheses that the proof kernel states for the rule.
  rule::ProvedRule assumed;
  std::unique_ptr<rule::RulePattern> pattern;
  std::unique_ptr<mlir::Block> source, target;
  rule::SymbolMap symbols;
  std::string targetProblem;
};

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_MATCHEDSIDES_H
