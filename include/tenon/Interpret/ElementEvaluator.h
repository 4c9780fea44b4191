//===- ElementEvaluator.h - single elements of a graph's values -*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interpreter computes whole tensors. To compare two graphs at a few
// elements, it is enough to compute what these elements depend on, which does
// not grow with the number of elements.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_INTERPRET_ELEMENTEVALUATOR_H
#define TENON_INTERPRET_ELEMENTEVALUATOR_H

#include "tenon/Interpret/Interpreter.h"

#include "mlir/IR/Value.h"

#include <map>
#include <memory>

namespace tenon::interpret {

/// Computes elements of values of one block, whose ops are primitives and
/// constants.
class ElementEvaluator {
public:
  /// Gives the element of the block's argument of a number.
  using ArgumentFn =
      std::function<Cell(unsigned number, llvm::ArrayRef<int64_t> index)>;

  /// Evaluation fails after `maxSteps` elements. `symbols` has all sizes.
  ElementEvaluator(Symbols symbols, Domain domain, ArgumentFn getArgument,
                   uint64_t maxSteps)
      : symbols(std::move(symbols)), domain(domain),
        getArgument(std::move(getArgument)), steps(maxSteps) {}

  /// The element of `value` at an index inside of it. Returns nothing if an op
  /// has no index form, if an index is out of range, or if that takes too long.
  std::optional<Cell> evaluate(mlir::Value value,
                               llvm::ArrayRef<int64_t> index);

private:
  class Frame;
  struct Result;
  /// The results of an op; null if it has no index form.
  const std::vector<Result> *getResults(mlir::Operation *op);

  Symbols symbols;
  Domain domain;
  ArgumentFn getArgument;
  uint64_t steps;
  bool failed = false;
  std::map<mlir::Operation *, std::shared_ptr<std::vector<Result>>> results;
  std::map<std::pair<const void *, std::vector<int64_t>>, Cell> known;
};

} // namespace tenon::interpret

#endif // TENON_INTERPRET_ELEMENTEVALUATOR_H
