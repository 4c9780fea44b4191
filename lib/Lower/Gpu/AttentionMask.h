//===- AttentionMask.h - the mask that attention adds to its scores -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_GPU_ATTENTIONMASK_H
#define TENON_LIB_LOWER_GPU_ATTENTIONMASK_H

#include "Attention.h"

namespace tenon::lower {

/// The mask of one matrix, broadcast to the shape of its scores.
class AttentionMask {
public:
  AttentionMask(GpuKernelBuilder &kernel, ExprEmitter &sizes,
                const AttentionForm &form, mlir::Value matrix);

  /// Adds one of the thread's rows: a query of one of the heads that share
  /// keys.
  void addRow(mlir::Value head, mlir::Value query);
  /// Loads the mask value of a row and a key.
  mlir::Value load(int64_t row, mlir::Value key);

private:
  /// Returns the stride along an axis of the scores, counted from the last one,
  /// or null if the mask is the same for the whole axis.
  mlir::Value getStride(size_t fromLast) const {
    return fromLast < strides.size() ? strides[fromLast] : mlir::Value();
  }
  mlir::Value addOffset(mlir::Value address, mlir::Value index,
                        mlir::Value stride);

  GpuKernelBuilder &kernel;
  mlir::Type type;
  llvm::SmallVector<mlir::Value> strides;
  mlir::Value matrixStart;
  llvm::SmallVector<mlir::Value> rows; // addresses
  /// The last value that was read, to read it only once for rows that share it.
  mlir::Value lastKey, lastValue;
};

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_GPU_ATTENTIONMASK_H
