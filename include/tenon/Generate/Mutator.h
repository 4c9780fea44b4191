//===- Mutator.h - false rules from true rules ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GENERATE_MUTATOR_H
#define TENON_GENERATE_MUTATOR_H

#include "tenon/Dialect/Rule/IR/Rule.h"

#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringSet.h"

#include <limits>
#include <vector>

namespace tenon::generate {

/// Makes false rules from true ones, to test whether a prover distinguishes
/// them. Each mutant has one edit in its target (operands or results swapped; a
/// different operand, op, axis, number or flag) or lacks a condition. A few
/// mutants are true: for example, the operands of a sum may be swapped.
class Mutator {
public:
  explicit Mutator(uint64_t limit = std::numeric_limits<uint64_t>::max())
      : limit(limit) {}

  /// Returns at most `limit` mutants of `rule`, of all kinds. No mutant has the
  /// statement of `rule` or of an earlier rule or mutant, or the name of an
  /// earlier one.
  std::vector<mlir::OwningOpRef<rule::RuleOp>> mutate(rule::RuleOp rule);

private:
  void mutateOp(mlir::Operation *op);
  void mutateAttributes(mlir::Operation *op);
  void mutateOperands(mlir::Operation *op);
  void dropConditions();
  /// Adds the original with `edit` applied to the copy of `op`, an op of its
  /// target, unless the result is invalid or not new.
  void add(mlir::Operation *op, llvm::StringRef what,
           llvm::function_ref<void(mlir::Operation *)> edit);
  void add(rule::RuleOp mutant, llvm::StringRef what);

  uint64_t limit;
  rule::RuleOp original;
  /// The mutants of the original, in the order of its ops.
  std::vector<mlir::OwningOpRef<rule::RuleOp>> found;
  llvm::StringSet<> statements, names;
};

} // namespace tenon::generate

#endif // TENON_GENERATE_MUTATOR_H
