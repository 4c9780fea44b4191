//===- Mutator.h - wrong rules made of right ones -------------------------===//
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

/// Makes wrong rules of right ones, to see whether a prover tells them apart.
/// Each mutant has one edit in its target (operands or results swapped, another
/// operand, op, axis, number or flag) or lacks a condition. A few mutants are
/// true: the operands of a sum may be swapped.
class Mutator {
public:
  explicit Mutator(uint64_t limit = std::numeric_limits<uint64_t>::max())
      : limit(limit) {}

  /// At most `limit` mutants of `rule`, of all kinds. None states what `rule`
  /// or an earlier rule or mutant does, nor has the name of an earlier one.
  std::vector<mlir::OwningOpRef<rule::RuleOp>> mutate(rule::RuleOp rule);

private:
  void mutateOp(mlir::Operation *op);
  void mutateAttributes(mlir::Operation *op);
  void mutateOperands(mlir::Operation *op);
  void dropConditions();
  /// Adds the original with `edit` applied to the copy of `op`, an op of its
  /// target, unless that states nothing valid or nothing new.
  void add(mlir::Operation *op, llvm::StringRef what,
           llvm::function_ref<void(mlir::Operation *)> edit);
  void add(rule::RuleOp mutant, llvm::StringRef what);

  uint64_t limit;
  rule::RuleOp original;
  /// Mutants of the original, in the order of its ops.
  std::vector<mlir::OwningOpRef<rule::RuleOp>> found;
  llvm::StringSet<> statements, names;
};

} // namespace tenon::generate

#endif // TENON_GENERATE_MUTATOR_H
