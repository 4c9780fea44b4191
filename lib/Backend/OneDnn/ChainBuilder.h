//===- ChainBuilder.h - the oneDNN call for a chain of ops ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_BACKEND_ONEDNN_CHAINBUILDER_H
#define TENON_LIB_BACKEND_ONEDNN_CHAINBUILDER_H

#include "tenon/Backend/LibraryCall.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"

namespace tenon::backend {

/// How shapes of the graph are mapped to the library's logical shapes.
enum class View {
  Plain,        // unchanged
  ChannelsLast, // [n, spatial..., c] in memory, [n, c, spatial...] logically
  Flat          // all leading axes of a matmul joined into one
};

/// Reads a region: a product or a pool, and its post-ops.
class ChainBuilder {
public:
  ChainBuilder(kernel::CallOp call, bool mayFlatten)
      : call(call), mayFlatten(mayFlatten) {}
  mlir::FailureOr<LibraryCall> run();
  /// Returns whether leading axes were joined although an operand has only some
  /// of them: such an operand can't be broadcast to the joined axis.
  bool isFlattenedWrongly() const { return flattenedWrongly; }

private:
  mlir::LogicalResult checkProduct(mlir::Operation *op);
  mlir::LogicalResult visitMatmul(graph::MatmulOp op);
  mlir::LogicalResult visitTranspose(graph::TransposeOp op);
  llvm::SmallVector<int32_t> takeTranspose(mlir::Value &value);
  template <typename Primitive, typename Op>
  mlir::LogicalResult visitConvolution(Op op);
  mlir::LogicalResult visitBackwardWeight(graph::ConvBackwardWeightOp op);
  mlir::LogicalResult visitPool(mlir::Operation *op);
  template <typename Primitive, typename Op>
  mlir::LogicalResult visitWindow(Op pool, bool countsPads);
  mlir::LogicalResult visitPostOp(mlir::Operation *op);
  mlir::LogicalResult addPostOpOperand(program::PostOpKind kind,
                                       mlir::Value other, bool mayBeBias);
  CallOperand view(mlir::Type type, graph::Shape shape);
  mlir::LogicalResult addInput(mlir::Value value, CallOperand operand);
  void addPostOp(program::PostOpKind kind, double alpha = 0, double beta = 0) {
    built.postOps.push_back(program::PostOpAttr::get(call.getContext(), kind,
                                                     static_cast<float>(alpha),
                                                     static_cast<float>(beta)));
  }

  kernel::CallOp call;
  bool mayFlatten, flattenedWrongly = false;
  LibraryCall built;
  mlir::Value chain;
  View how = View::Plain;
  bool mayHaveBias = false; // and has none yet
  unsigned channelAxis = 0; // of the result in the graph
};

} // namespace tenon::backend

#endif // TENON_LIB_BACKEND_ONEDNN_CHAINBUILDER_H
