//===- SearchBacktrackKinds.h - what ops do, by number --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_OPTIMIZE_SEARCHBACKTRACKKINDS_H
#define TENON_LIB_OPTIMIZE_SEARCHBACKTRACKKINDS_H

#include "tenon/Cost/CostModel.h"

#include <map>
#include <vector>

namespace tenon::optimize::backtrack {

/// Ops of one kind compute the same from the same operands.
struct OpKind {
  bool isLibraryRoot = false, isElementwise = false, isMovement = false;
  bool isBroadcast = false, isReference = false;
  /// Elementwise ops that libraries run behind a kernel of theirs.
  bool isActivation = false, isAdd = false;
  /// Folded into the weights of what it follows.
  bool isBatchNorm = false;
  llvm::SmallVector<double, 4> operandBytes;
  llvm::SmallVector<double, 1> resultBytes;
  /// By operand: whether the first result has its type.
  llvm::SmallVector<bool, 4> hasResultType;
  /// By which operands are weights, and which are the same as one before.
  std::map<std::pair<uint64_t, uint64_t>, cost::Work> works;
};

/// Kinds are numbered as they are met, so that numbers do not depend on where
/// anything lies in memory.
class KindTable {
public:
  explicit KindTable(const cost::CostModel &costs) : costs(costs) {}

  unsigned intern(mlir::Operation *op);
  OpKind &operator[](unsigned kind) { return kinds[kind]; }

private:
  const cost::CostModel &costs;
  std::vector<OpKind> kinds;
  std::map<std::vector<const void *>, unsigned> numbers;
};

} // namespace tenon::optimize::backtrack

#endif // TENON_LIB_OPTIMIZE_SEARCHBACKTRACKKINDS_H
