//===- MutantPoint.h - single faults for kernels --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_UNITTESTS_EMULATE_MUTANTPOINT_H
#define TENON_UNITTESTS_EMULATE_MUTANTPOINT_H

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace mutant {

enum class Fault {
  Barrier,   // of a block or a warp: removed
  Index,     // an address, or a constant in one or in a condition: one more
  Mask,      // a condition by positions: true or false; a bound: removed
  AsyncWait, // removed, or for fewer copies; or a group not ended
  Shuffle,   // another lane's value, or of another width
  Store,     // removed, or behind the barrier that follows
  Loop       // one iteration fewer, or one more
};
constexpr unsigned kNumFaults = 7;
const char *getName(Fault fault);

/// A place of a module of kernels, and what is made wrong there.
struct Point {
  /// Variants of masks: what a condition is, or which operand a minimum or
  /// maximum is.
  enum : unsigned { True, False, FirstOperand, SecondOperand };

  Fault fault;
  unsigned op; // by order of a walk
  unsigned variant = 0;
  std::string text; // for messages
};

/// All of them, but for those that change nothing, by what MutantPoint.cpp says
/// of each kind. The barriers among those are added to `redundant`.
std::vector<Point> listPoints(mlir::ModuleOp kernels,
                              std::vector<Point> *redundant = nullptr);

/// The op before a barrier that stores in shared memory, if it can be moved.
mlir::Operation *findStoreBefore(mlir::Operation *barrier);

/// A copy of the module with one fault. Null if the verifier refuses it.
mlir::OwningOpRef<mlir::ModuleOp> plant(mlir::ModuleOp kernels,
                                        const Point &point);

} // namespace mutant

#endif // TENON_UNITTESTS_EMULATE_MUTANTPOINT_H
