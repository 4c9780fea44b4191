//===- Epilogue.h - epilogues of CUDA library calls -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_BACKEND_CUDA_EPILOGUE_H
#define TENON_LIB_BACKEND_CUDA_EPILOGUE_H

#include "tenon/Backend/Backend.h"

namespace tenon::backend {

/// Returns whether CUDA libraries support its type, with sums in f32: f32, f16,
/// bf16.
bool isCudaFloat(mlir::Value value);

/// A bias, a residual and an activation, in this order, each of which is
/// optional: the ops that cuBLASLt and cuDNN apply to a product before they
/// store it.
struct Epilogue {
  /// `product` is the initial end of the chain.
  explicit Epilogue(mlir::Value product) : end(product) {}

  /// The ops that are allowed in the epilogue.
  struct Rules {
    /// Whether tanh gelu may be the activation; relu always may.
    bool gelu = false;
    /// Whether a residual or an activation requires a bias before it.
    bool needsBias = false;
    /// Whether a bias or a residual may be added.
    bool sums = true;
  };
  /// Adds the only reader of the chain's end to the epilogue, if the call
  /// supports it.
  bool takeNext(const Rules &rules);

  /// Adds the epilogue to the operands (before the result is added) and
  /// post-ops. `residualLayout`: the result's layout in the library.
  void describe(LibraryCall &built, llvm::SmallVectorImpl<mlir::Value> &inputs,
                const CallOperand &residualLayout) const;

  mlir::Value end;
  /// The ops in the order of the chain, with the broadcast of the bias.
  llvm::SmallVector<mlir::Operation *> ops;
  mlir::Value bias, residual;
  std::optional<program::PostOpKind> activation;
};

/// Reads the epilogue from the root of a region up to what the call yields.
/// `accounted`: number of ops of the region that were read already. Emits a
/// diagnostic if the region has other ops.
mlir::LogicalResult readEpilogue(kernel::CallOp call, mlir::Value yielded,
                                 const Epilogue::Rules &rules, size_t accounted,
                                 Epilogue &epilogue);

} // namespace tenon::backend

#endif // TENON_LIB_BACKEND_CUDA_EPILOGUE_H
