//===- Compose.h - builder of decompositions ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thin layer over the op builders, so that a decomposition reads like its
// formula. Broadcasts to another value's shape, constants of a type and casts
// are one call each.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_COMPOSE_H
#define TENON_DIALECT_GRAPH_IR_COMPOSE_H

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/Builders.h"

namespace tenon::graph {

/// Builds ops at the insertion point of `builder`, at `loc`. Every method takes
/// and returns ranked tensors.
class Compose {
public:
  Compose(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// Builds any op whose type is inferred.
  template <typename OpTy, typename... Args> mlir::Value op(Args &&...args) {
    return OpTy::create(builder, loc, std::forward<Args>(args)...)
        ->getResult(0);
  }

  /// The result has the sizes of `a`; those of `b` may be equal at run time
  /// only.
  mlir::Value add(mlir::Value a, mlir::Value b) {
    return op<AddOp>(a, reshape(b, getShape(a)));
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) {
    return op<SubOp>(a, reshape(b, getShape(a)));
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) {
    return op<MulOp>(a, reshape(b, getShape(a)));
  }
  mlir::Value div(mlir::Value a, mlir::Value b) {
    return op<DivOp>(a, reshape(b, getShape(a)));
  }

  /// Returns `x` if its element type is `type`.
  mlir::Value cast(mlir::Value x, mlir::Type type);
  /// Casts f16 and bf16 to f32, the type in which composites compute.
  mlir::Value widen(mlir::Value x);
  /// Broadcasts to `shape`; returns `x` if it has that shape.
  mlir::Value broadcast(mlir::Value x, const Shape &shape);
  mlir::Value broadcastLike(mlir::Value x, mlir::Value like) {
    return broadcast(x, getShape(like));
  }
  mlir::Value reshape(mlir::Value x, const Shape &shape);
  /// Returns the same elements as a value of `type`, whose sizes may be stated
  /// differently.
  mlir::Value withType(mlir::Value x, mlir::Type type);
  /// A scalar of an element type, broadcast to `shape`.
  mlir::Value full(double value, mlir::Type type, const Shape &shape);
  mlir::Value full(int64_t value, mlir::Type type, const Shape &shape);
  mlir::Value fullLike(double value, mlir::Value like);
  /// Places x, of shape [size of axis], along axis `axis` of `like`, and
  /// repeats it along the other axes.
  mlir::Value alongAxis(mlir::Value x, int64_t axis, mlir::Value like);
  /// The product of sizes as a scalar of `type`.
  mlir::Value count(const SymInt &value, mlir::Type type);
  /// Reduces constant axes and keeps them with size 1.
  template <typename OpTy>
  mlir::Value reduceKeep(mlir::Value x, llvm::ArrayRef<int64_t> axes) {
    return op<OpTy>(x, getInts(builder.getContext(), axes), true);
  }
  /// Computes (x - mean) / sqrt(variance + epsilon) over `axes`.
  mlir::Value normalize(mlir::Value x, llvm::ArrayRef<int64_t> axes,
                        double epsilon);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

mlir::Type getElementType(mlir::Value tensor);
inline int64_t getRank(mlir::Value tensor) {
  return llvm::cast<mlir::RankedTensorType>(tensor.getType()).getRank();
}

/// The axes in [first, last).
llvm::SmallVector<int64_t> axesFrom(int64_t first, int64_t last);

/// Whether every size has a name or is constant. A decomposition cannot
/// broadcast to an unnamed size.
bool hasNamedSizes(mlir::Operation *op);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_COMPOSE_H
