//===- Tensor.h - values of the reference interpreter -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The value of a tensor during interpretation. The domain (Domain in
// Interpreter.h) determines how elements of floating-point types are
// represented.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_INTERPRET_TENSOR_H
#define TENON_INTERPRET_TENSOR_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <memory>

namespace tenon::interpret {

/// One element. The element type and the domain determine which member is used:
/// floating-point elements are `number` (domains f64 and f32) or `residue`
/// (field); integers and booleans are `integer`.
union Cell {
  double number;
  int64_t integer;
  uint64_t residue;
};

/// A dense row-major tensor whose elements are cells. A copy shares the arrays
/// with its original: write through `data()`, `errors()` or `excluded()` only
/// while there is no copy.
class Tensor {
public:
  /// Creates a null tensor, which converts to false and has no data. A tensor
  /// without elements is not null.
  Tensor() = default;

  /// Allocates zeroed data. Fails if a size is negative, or if there is not
  /// enough memory (always for more than 2^48 elements).
  static mlir::FailureOr<Tensor> allocate(mlir::Type elementType,
                                          llvm::ArrayRef<int64_t> shape);
  /// Creates a tensor of domain f64 from one number per element, in row-major
  /// order. The numbers are truncated to integers if `elementType` is not a
  /// floating-point type, and are not rounded otherwise. There must be enough
  /// memory.
  static Tensor of(mlir::Type elementType, llvm::ArrayRef<int64_t> shape,
                   llvm::ArrayRef<double> values);

  explicit operator bool() const { return cells != nullptr; }
  mlir::Type getElementType() const { return elementType; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t getRank() const { return shape.size(); }
  int64_t getNumElements() const { return numElements; }
  mlir::RankedTensorType getType() const {
    return mlir::RankedTensorType::get(shape, elementType);
  }

  Cell *data() { return cells.get(); }
  const Cell *data() const { return cells.get(); }

  /// For each element, a bound on |x - y|, where x is the element in `data()`
  /// and y is the result of the same computation in the element's own type, in
  /// any order of summation. Meaningful only if the element is not excluded.
  /// Null if errors are not tracked.
  double *errors() { return errorCells.get(); }
  const double *errors() const { return errorCells.get(); }
  /// Nonzero for an element that has no bound, because the computation in its
  /// own type may overflow, or may decide a comparison, a rounding to an
  /// integer or the choice of an index differently than the doubles did. Null
  /// if errors are not tracked.
  uint8_t *excluded() { return excludedCells.get(); }
  const uint8_t *excluded() const { return excludedCells.get(); }
  /// Sets `errors()` and `excluded()` to new arrays of zeros: all elements are
  /// exact.
  void trackErrors();
  /// Returns the same elements, regarded as exact.
  Tensor withoutErrors() const;

private:
  mlir::Type elementType;
  llvm::SmallVector<int64_t, 6> shape;
  int64_t numElements = 0;
  std::shared_ptr<Cell> cells;
  std::shared_ptr<double> errorCells;
  std::shared_ptr<uint8_t> excludedCells;
};

} // namespace tenon::interpret

#endif // TENON_INTERPRET_TENSOR_H
