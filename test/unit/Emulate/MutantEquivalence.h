//===- MutantEquivalence.h - changes that change nothing ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Proves from the kernel's code that a mutant is equivalent to the original
// kernel. Any other mutant that survives shows a gap in the emulator or in the
// inputs.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_UNITTESTS_EMULATE_MUTANTEQUIVALENCE_H
#define TENON_UNITTESTS_EMULATE_MUTANTEQUIVALENCE_H

#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/KnownBits.h"

namespace mutant {

/// Whether the op loads, stores, or copies.
bool isAccess(mlir::Operation *op);
/// Whether the op or one inside of it does.
bool hasAccess(mlir::Operation *op);
bool isBarrier(mlir::Operation *op);

/// Intervals of integers, for all blocks, threads and arguments.
class Ranges {
public:
  explicit Ranges(mlir::Operation *kernels);

  /// Whether the condition has this value in every thread.
  bool isAlways(mlir::Value condition, bool value) const;
  /// Whether the op is in a branch that no thread takes.
  bool isNeverRun(mlir::Operation *op) const;
  /// Whether the op's result is the same, too, with one more than the constant
  /// that operand `number` is: a constant, or the rest of what is less than the
  /// divisor.
  bool keepsResult(mlir::Operation *op, unsigned number) const;
  /// Whether the value is less than a constant just where it is less than one
  /// more, because no thread has that constant.
  bool keepsOrder(mlir::arith::CmpIOp less) const;

private:
  llvm::KnownBits getBits(mlir::Value value) const;

  mlir::DataFlowSolver solver;
};

/// Whether nothing is accessed by one thread before the barrier and by another
/// one after it. It is so where, of every variable or argument that is written,
/// either all accesses lie on one side of the barrier, or each thread reads and
/// writes the same elements: by the same expressions, in loops of the same
/// bounds. Barriers in loops count as needed.
bool isRedundantBarrier(mlir::Operation *barrier);

/// Whether the op is the length of parts: a loop goes from i * length to
/// i * length + length, or ends before. Longer parts cover what others did.
bool isLengthOfParts(mlir::Operation *op);

/// Whether a condition x < ceil(n / lanes) only guards accesses that stand
/// under x * lanes + lanes <= n, or else in a loop over [x * lanes, n): both
/// are empty where it fails.
bool isCoveredByTail(mlir::scf::IfOp branch);

} // namespace mutant

#endif // TENON_UNITTESTS_EMULATE_MUTANTEQUIVALENCE_H
