//===- ValueNumbers.h - numbers of equal values -----------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PROVE_VALUENUMBERS_H
#define TENON_LIB_PROVE_VALUENUMBERS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <vector>

namespace tenon::prove {

/// Numbers values of one or more functions so that values of the same number
/// are equal: the same op, with the same attributes and result types, on
/// operands of the same numbers.
class ValueNumbers {
public:
  /// Numbers an input. Inputs of the same key are equal.
  void addInput(mlir::Value value, llvm::StringRef key);
  /// Numbers the results of an op whose operands have numbers. Returns whether
  /// an equal op had them before.
  bool addOp(mlir::Operation *op);
  /// Gives a value the number of one that was shown to be equal.
  void set(mlir::Value value, unsigned number) { numbers[value] = number; }
  unsigned get(mlir::Value value) const { return numbers.lookup(value); }
  /// The number that the next new value has.
  unsigned getNext() const { return next; }

private:
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::StringMap<unsigned> inputs;
  std::map<std::vector<const void *>, unsigned> ops;
  unsigned next = 0;
};

/// Whether two ops are the same operation: then equal operands give equal
/// results.
bool areSameOperation(mlir::Operation *a, mlir::Operation *b);

} // namespace tenon::prove

#endif // TENON_LIB_PROVE_VALUENUMBERS_H
