//===- AttentionMask.h - what is added to attention's scores --------------===//
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

/// The mask of one matrix, which broadcasts to its scores.
class AttentionMask {
public:
  AttentionMask(GpuKernelBuilder &kernel, ExprEmitter &sizes,
                const AttentionForm &form, mlir::Value matrix);

  /// Says of one more of the thread's rows what it is: a query of one of the
  /// heads that share keys.
  void addRow(mlir::Value head, mlir::Value query);
  /// What is added to the score of a row and a key.
  mlir::Value load(int64_t row, mlir::Value key);

private:
  /// Elements between neighbours along an axis of the scores, counted from the
  /// last one; null: the mask is the same for all.
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
  /// What was read last, to read it once for rows that have the same.
  mlir::Value lastKey, lastValue;
};

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_GPU_ATTENTIONMASK_H
