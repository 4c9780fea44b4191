//===- InferenceChecks.h - checks shared by type inference ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every check emits a diagnostic at `location`, if there is one, with the
// expected and the actual value. Symbolic sizes and parameters pass if the
// check is undecidable.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_INFERENCECHECKS_H
#define TENON_DIALECT_GRAPH_IR_INFERENCECHECKS_H

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/IR/SizeConditions.h"

namespace tenon::graph {

using OptionalLocation = std::optional<mlir::Location>;

/// Checks that a tensor is ranked; inference may run before operands are
/// verified.
mlir::FailureOr<Shape> checkTensor(OptionalLocation location, mlir::Type type,
                                   llvm::StringRef name);
mlir::LogicalResult checkCount(OptionalLocation location, DimsAttr ints,
                               size_t expected, llvm::StringRef name);
/// Checks the number of parameters that are not sizes; none may be unknown.
mlir::LogicalResult checkParameters(OptionalLocation location, DimsAttr ints,
                                    size_t expected, llvm::StringRef name);
mlir::LogicalResult checkAtLeast(OptionalLocation location, DimsAttr ints,
                                 int64_t least, llvm::StringRef name);
/// Checks that `axis` is in [0, rank).
mlir::LogicalResult checkAxis(OptionalLocation location, int64_t axis,
                              int64_t rank);
mlir::FailureOr<llvm::SmallVector<int64_t>>
checkConstants(OptionalLocation location, DimsAttr ints, llvm::StringRef name);
/// Checks that the axes are constant, distinct and in [0, rank).
mlir::FailureOr<llvm::SmallVector<int64_t>> checkAxes(OptionalLocation location,
                                                      DimsAttr axes,
                                                      int64_t rank,
                                                      llvm::StringRef name);
mlir::LogicalResult checkSameElement(OptionalLocation location, mlir::Type a,
                                     mlir::Type b, llvm::StringRef nameOfA,
                                     llvm::StringRef nameOfB);
/// Calls unify, with a diagnostic that starts with `what`.
mlir::FailureOr<SymInt> checkEqual(OptionalLocation location, const SymInt &a,
                                   const SymInt &b, const llvm::Twine &what);

/// Checks that a size computed from known sizes fits 64 bits; otherwise it is
/// unknown.
mlir::LogicalResult checkFits(OptionalLocation location, const SymInt &size,
                              llvm::ArrayRef<SymInt> from,
                              const llvm::Twine &what);

/// Checks that an axis of `size` elements that is indexed is not empty, unless
/// nothing is read.
mlir::LogicalResult checkAddressable(OptionalLocation location,
                                     const SymInt &size, int64_t axis,
                                     llvm::ArrayRef<SymInt> indices,
                                     llvm::StringRef name = "x");

/// The product of all sizes.
SymInt product(llvm::ArrayRef<SymInt> sizes);

/// The sizes of a result, merged from inference and the stated type.
template <typename OpTy> Shape getResultShape(OpTy op, unsigned result = 0) {
  Shape shape = getShape(op->getResult(result));
  llvm::SmallVector<mlir::Type> inferred;
  if (failed(OpTy::inferReturnTypes(op->getContext(), std::nullopt,
                                    typename OpTy::Adaptor(op), inferred)))
    return shape;
  for (auto [size, other] : llvm::zip(shape, getShape(inferred[result])))
    if (mlir::FailureOr<SymInt> both = unify(size, other); succeeded(both))
      size = *both;
  return shape;
}

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_INFERENCECHECKS_H
