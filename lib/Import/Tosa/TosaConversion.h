//===- TosaConversion.h - conversion of tosa functions --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_TOSA_TOSACONVERSION_H
#define TENON_LIB_IMPORT_TOSA_TOSACONVERSION_H

#include "../GraphBuilder.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/DenseMap.h"

namespace tenon::import {

/// The converted values of tosa ops: tensors, and shapes, which have no
/// run-time form in the graph dialect.
struct TosaValues {
  llvm::DenseMap<mlir::Value, mlir::Value> tensors;
  llvm::DenseMap<mlir::Value, graph::Shape> shapes;
};

/// One op under conversion.
class TosaOpContext : public GraphBuilder {
public:
  TosaOpContext(mlir::OpBuilder &builder, mlir::Operation *op,
                TosaValues &values)
      : GraphBuilder(builder, op->getLoc()), source(op), values(values) {}

  /// The operand's tensor; null if its producer was rejected.
  mlir::Value tensor(mlir::Value old) { return values.tensors.lookup(old); }
  /// The operand's shape; an error if it is not known.
  std::optional<graph::Shape> shape(mlir::Value old);
  /// The same for constant shapes.
  std::optional<llvm::SmallVector<int64_t>> constants(mlir::Value old);
  /// Whether a zero point is the constant 0; an error if not.
  bool isZero(mlir::Value zeroPoint);
  /// Sets result 0; returns false if it is null.
  bool finish(mlir::Value result);
  bool finishShape(graph::Shape shape);
  bool refuse(const llvm::Twine &why) {
    error("'" + source->getName().getStringRef() +
          "' is not supported: " + why);
    return false;
  }

private:
  mlir::Operation *source;
  TosaValues &values;
};

enum class TosaStatus { Converted, Failed, Unknown };

TosaStatus convertTosaElementwise(TosaOpContext &c, mlir::Operation *op);
TosaStatus convertTosaWindows(TosaOpContext &c, mlir::Operation *op);
TosaStatus convertTosaMovement(TosaOpContext &c, mlir::Operation *op);
TosaStatus convertTosaShape(TosaOpContext &c, mlir::Operation *op);

inline TosaStatus status(bool converted) {
  return converted ? TosaStatus::Converted : TosaStatus::Failed;
}

} // namespace tenon::import

#endif // TENON_LIB_IMPORT_TOSA_TOSACONVERSION_H
