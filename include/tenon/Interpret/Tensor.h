//===- Tensor.h - values of the reference interpreter -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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

/// A dense row-major tensor whose elements are cells. Copies share the data; do
/// not write through `data()` while a copy exists.
class Tensor {
public:
  Tensor() = default;

  /// Allocates zeroed data. Fails if there is not enough memory.
  static mlir::FailureOr<Tensor> allocate(mlir::Type elementType,
                                          llvm::ArrayRef<int64_t> shape);
  /// Creates a tensor from numbers in row-major order, in domain f64.
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

  /// An absolute bound, per element, on the error of a computation in the
  /// elements' own type; null if errors are not tracked.
  double *errors() { return errorCells.get(); }
  const double *errors() const { return errorCells.get(); }
  /// Whether an element depends on a near tie (see Options::trackErrors) and
  /// has no meaningful bound; null if errors are not tracked.
  uint8_t *excluded() { return excludedCells.get(); }
  const uint8_t *excluded() const { return excludedCells.get(); }
  /// Adds both arrays, filled with zeros.
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
