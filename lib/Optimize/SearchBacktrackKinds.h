//===- SearchBacktrackKinds.h - numbered kinds of ops ---------------------===//
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

/// Ops of the same kind compute the same function of their operands.
struct OpKind {
  bool isLibraryRoot = false, isElementwise = false, isMovement = false;
  bool isBroadcast = false, isReference = false;
  /// Elementwise ops that libraries fuse into their kernels.
  bool isActivation = false, isAdd = false;
  /// Ops that are folded into the weights of the preceding op.
  bool isBatchNorm = false;
  llvm::SmallVector<double, 4> operandBytes;
  llvm::SmallVector<double, 1> resultBytes;
  /// For each operand, whether the first result has its type.
  llvm::SmallVector<bool, 4> hasResultType;
  /// The key states which operands are weights, and which are equal to an
  /// earlier one.
  std::map<std::pair<uint64_t, uint64_t>, cost::Work> works;
};

/// Kinds are numbered in the order of their occurrence, so that numbers do not
/// depend on addresses.
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
