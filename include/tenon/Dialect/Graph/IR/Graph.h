//===- Graph.h - the graph dialect ----------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_GRAPH_H
#define TENON_DIALECT_GRAPH_IR_GRAPH_H

#include "tenon/Dialect/Graph/IR/IndexForm.h"
#include "tenon/Dialect/Graph/IR/SymInt.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tenon/Dialect/Graph/IR/GraphDialect.h.inc"
#include "tenon/Dialect/Graph/IR/GraphEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tenon/Dialect/Graph/IR/GraphAttrs.h.inc"

#include "tenon/Dialect/Graph/IR/GraphInterfaces.h.inc"

namespace tenon::graph {

/// Says in a module, by `graph.version`, of which version of Tenon's dialects
/// (tenon/Support/DialectVersion.h) it is.
void setVersion(mlir::Operation *module);

//===----------------------------------------------------------------------===//
// Types and shapes
//===----------------------------------------------------------------------===//

/// The sizes of a ranked tensor; dynamic axes without a name are unknown.
Shape getShape(mlir::Type tensor);
inline Shape getShape(mlir::Value tensor) { return getShape(tensor.getType()); }

/// The tensor type of these sizes. It has a `#graph.dims` if one of them is not
/// constant.
mlir::RankedTensorType getTensorType(llvm::ArrayRef<SymInt> shape,
                                     mlir::Type elementType);

/// Whether each stated type equals the inferred one. Sizes that inference does
/// not know, or cannot compare, count as equal. What has to hold for that is
/// recorded as by inference at `location` (SizeConditions.h).
bool areCompatible(mlir::TypeRange inferred, mlir::TypeRange stated,
                   std::optional<mlir::Location> location = std::nullopt);

/// Merges two sizes that must be equal: returns the more specific one. Fails if
/// they provably differ. If they are not known to be equal, that is recorded as
/// by inference at `location`.
mlir::FailureOr<SymInt>
unify(const SymInt &a, const SymInt &b,
      std::optional<mlir::Location> location = std::nullopt);

/// Index forms of an op with ElementwiseInterface.
llvm::SmallVector<IndexForm> elementwiseIndexForms(mlir::Operation *op);

/// Builds a `#graph.dims<...>` of constants.
DimsAttr getInts(mlir::MLIRContext *context, llvm::ArrayRef<int64_t> values);

/// Predicates for the dialect's element types. Signless integers wider than 1
/// bit are signed.
bool isFloat(mlir::Type elementType);
bool isInteger(mlir::Type elementType);
bool isUnsigned(mlir::Type elementType);
bool isBool(mlir::Type elementType);

} // namespace tenon::graph

#define GET_OP_CLASSES
#include "tenon/Dialect/Graph/IR/GraphOps.h.inc"

#endif // TENON_DIALECT_GRAPH_IR_GRAPH_H
