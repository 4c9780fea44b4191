//===- Epilogue.h - what follows a product within one call ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_BACKEND_CUBLASLT_EPILOGUE_H
#define TENON_LIB_BACKEND_CUBLASLT_EPILOGUE_H

#include "tenon/Backend/Backend.h"

namespace tenon::backend {

/// Whether a library of CUDA computes in it, with sums in f32: f32, f16, bf16.
bool isCudaFloat(mlir::Value value);

/// A bias, a residual and an activation, in this order, each of which may be
/// missing: what cuBLASLt and cuDNN do to a product before they store it.
struct Epilogue {
  /// `last`: the product, which is the end of the chain.
  explicit Epilogue(mlir::Value product) : end(product) {}

  /// What may follow.
  struct Rules {
    /// Whether tanh gelu may be the activation; relu always may.
    bool gelu = false;
    /// Whether a residual or activation asks for a bias before it.
    bool needsBias = false;
    /// Whether anything may be added.
    bool sums = true;
  };
  /// Takes the op along that alone reads the end, if the call can do it.
  bool takeNext(const Rules &rules);

  /// Adds what was taken to the operands (before the result is) and posts.
  /// `residualLayout`: of the result, as the library sees it.
  void describe(Site &site, llvm::SmallVectorImpl<mlir::Value> &inputs,
                const SiteOperand &residualLayout) const;

  mlir::Value end;
  /// In the order of the chain, with the broadcast of the bias.
  llvm::SmallVector<mlir::Operation *> ops;
  mlir::Value bias, residual;
  std::optional<PostKind> activation;
};

/// The number of the block argument that each value is, in their order. Emits a
/// diagnostic where one is none.
mlir::FailureOr<llvm::SmallVector<unsigned>>
numberInputs(kernel::CallOp call, llvm::ArrayRef<mlir::Value> inputs);

/// Reads what follows the root of a region up to what the call yields.
/// `accounted`: ops of the region that are read already. Emits a diagnostic
/// where the region is more than that.
mlir::LogicalResult readEpilogue(kernel::CallOp call, mlir::Value yielded,
                                 const Epilogue::Rules &rules, size_t accounted,
                                 Epilogue &epilogue);

} // namespace tenon::backend

#endif // TENON_LIB_BACKEND_CUBLASLT_EPILOGUE_H
