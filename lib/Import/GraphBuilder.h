//===- GraphBuilder.h - builder of ops from untrusted parameters ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The builder that importers use. Every op is inferred and verified when it is
// created, so that a wrong parameter of the model becomes a diagnostic at its
// node. A function that fails returns a null value. Functions of null values do
// nothing and return null, so that compositions need no checks in between.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_GRAPHBUILDER_H
#define TENON_LIB_IMPORT_GRAPHBUILDER_H

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/Twine.h"

namespace tenon {

/// Parameters of an op: names and attributes.
using AttrList = llvm::ArrayRef<mlir::NamedAttribute>;

class GraphBuilder {
public:
  GraphBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return loc; }
  mlir::MLIRContext *getContext() { return builder.getContext(); }

  /// Emits an error at the location; returns a null value.
  mlir::Value error(const llvm::Twine &message);
  /// Whether an error was emitted through this builder.
  bool hasFailed() const { return hasError; }

  //===--------------------------------------------------------------------===//
  // Parameters
  //===--------------------------------------------------------------------===//

  mlir::NamedAttribute dims(llvm::StringRef name,
                            llvm::ArrayRef<graph::SymInt> values);
  mlir::NamedAttribute dims(llvm::StringRef name,
                            llvm::ArrayRef<int64_t> values);
  mlir::NamedAttribute integer(llvm::StringRef name, int64_t value);
  mlir::NamedAttribute number(llvm::StringRef name, double value);
  mlir::NamedAttribute flag(llvm::StringRef name);
  mlir::NamedAttribute type(llvm::StringRef name, mlir::Type type);
  mlir::NamedAttribute attr(llvm::StringRef name, mlir::Attribute value);

  //===--------------------------------------------------------------------===//
  // Ops
  //===--------------------------------------------------------------------===//

  template <typename OpTy>
  llvm::SmallVector<mlir::Value> ops(mlir::ValueRange operands,
                                     AttrList attrs = {}) {
    if (llvm::is_contained(operands, mlir::Value()))
      return {};
    typename OpTy::Properties properties;
    mlir::DictionaryAttr dictionary = builder.getDictionaryAttr(attrs);
    llvm::SmallVector<mlir::Type> types;
    if (mlir::failed(OpTy::setPropertiesFromAttr(
            properties, dictionary, [&] { return startError(); })) ||
        !checkOperands(operands) ||
        mlir::failed(OpTy::inferReturnTypes(
            getContext(), loc, operands, dictionary,
            mlir::OpaqueProperties(&properties), {}, types))) {
      hasError = true;
      return {};
    }
    mlir::OperationState state(loc, OpTy::getOperationName(), operands, types);
    state.useProperties(properties);
    return finish(state);
  }
  template <typename OpTy>
  mlir::Value op(mlir::ValueRange operands, AttrList attrs = {}) {
    llvm::SmallVector<mlir::Value> results = ops<OpTy>(operands, attrs);
    return results.size() == 1 ? results.front() : mlir::Value();
  }
  /// Builds a copy of `op`, which has one result and an inferred type, with
  /// other operands and some other attributes.
  mlir::Value copy(mlir::Operation *op, mlir::ValueRange operands,
                   AttrList attrs);
  template <typename OpTy> mlir::Value unary(mlir::Value x) {
    return op<OpTy>({x});
  }
  /// Broadcasts the operands as in numpy.
  template <typename OpTy> mlir::Value binary(mlir::Value a, mlir::Value b) {
    mlir::Value both[] = {a, b};
    if (!broadcastTogether(both))
      return {};
    return op<OpTy>(both);
  }

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value maximum(mlir::Value a, mlir::Value b);
  mlir::Value minimum(mlir::Value a, mlir::Value b);
  mlir::Value equal(mlir::Value a, mlir::Value b);
  mlir::Value less(mlir::Value a, mlir::Value b);
  mlir::Value where(mlir::Value condition, mlir::Value then,
                    mlir::Value otherwise);
  mlir::Value matmul(mlir::Value a, mlir::Value b, bool transposeA = false,
                     bool transposeB = false);
  /// Returns `x` if it has the type already.
  mlir::Value cast(mlir::Value x, mlir::Type elementType);

  //===--------------------------------------------------------------------===//
  // Constants
  //===--------------------------------------------------------------------===//

  mlir::Value constant(mlir::DenseElementsAttr value);
  /// Constants of rank 0.
  mlir::Value scalar(double value, mlir::Type elementType);
  mlir::Value scalarLike(double value, mlir::Value like);
  mlir::Value splat(double value, llvm::ArrayRef<graph::SymInt> shape,
                    mlir::Type elementType);
  /// Builds an i64 vector.
  mlir::Value indices(llvm::ArrayRef<int64_t> values);
  /// Builds positions 0, 1, ... along `axis`.
  mlir::Value iota(llvm::ArrayRef<graph::SymInt> shape, int64_t axis,
                   mlir::Type elementType);
  /// Computes the value of a size expression as an i64 scalar.
  mlir::Value size(const graph::SymInt &value);

  //===--------------------------------------------------------------------===//
  // Shapes
  //===--------------------------------------------------------------------===//

  /// The shape to which numpy broadcasts these. If sizes differ or may differ,
  /// emits an error that names them.
  std::optional<graph::Shape>
  broadcastShapes(llvm::ArrayRef<graph::Shape> shapes);
  /// The shape to which to broadcast `from` if `wanted` is requested. If two
  /// sizes may differ, this is the wanted one, so that `broadcast` checks them.
  std::optional<graph::Shape> expandShape(llvm::ArrayRef<graph::SymInt> from,
                                          llvm::ArrayRef<graph::SymInt> wanted);
  mlir::Value broadcast(mlir::Value x, llvm::ArrayRef<graph::SymInt> shape);
  /// Broadcasts `x` to the shape of `wanted`, which it must not exceed. Sizes
  /// that may differ are equal where they are known of one of both. Returns
  /// false if a value is null or the shapes do not fit.
  bool broadcastInto(mlir::Value &x, mlir::Value &wanted);
  /// Returns false if a value is null or the shapes do not fit.
  bool broadcastTogether(llvm::MutableArrayRef<mlir::Value> values);
  mlir::Value reshape(mlir::Value x, llvm::ArrayRef<graph::SymInt> shape);
  mlir::Value transpose(mlir::Value x, llvm::ArrayRef<int64_t> perm);
  /// Inserts axes of size 1 at these (ascending) positions of the result.
  mlir::Value unsqueeze(mlir::Value x, llvm::ArrayRef<int64_t> axes);
  mlir::Value squeeze(mlir::Value x, llvm::ArrayRef<int64_t> axes);
  /// Selects the elements start, start + step, ... (`size` of them) along one
  /// axis.
  mlir::Value slice(mlir::Value x, int64_t axis, const graph::SymInt &start,
                    const graph::SymInt &size, int64_t step = 1);
  mlir::Value concat(mlir::ValueRange parts, int64_t axis);
  mlir::Value reverse(mlir::Value x, int64_t axis);
  mlir::Value gather(mlir::Value x, mlir::Value indices, int64_t axis);
  template <typename OpTy>
  mlir::Value reduce(mlir::Value x, llvm::ArrayRef<int64_t> axes,
                     bool keepdims) {
    llvm::SmallVector<mlir::NamedAttribute> attrs = {dims("axes", axes)};
    if (keepdims)
      attrs.push_back(flag("keepdims"));
    return op<OpTy>({x}, attrs);
  }
  /// Reshapes `x` of shape [c] so that it broadcasts along `axis` of a tensor
  /// of rank `rank`.
  mlir::Value alongAxis(mlir::Value x, int64_t axis, int64_t rank);

private:
  mlir::InFlightDiagnostic startError();
  bool checkOperands(mlir::ValueRange operands);
  llvm::SmallVector<mlir::Value> finish(mlir::OperationState &state);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  bool hasError = false;
};

/// The element type and rank of a value that is not null.
mlir::Type elementTypeOf(mlir::Value x);
int64_t rankOf(mlir::Value x);
/// The product of sizes.
graph::SymInt product(llvm::ArrayRef<graph::SymInt> sizes);

} // namespace tenon

#endif // TENON_LIB_IMPORT_GRAPHBUILDER_H
