//===- FlowCheck.h - axis flow against evaluation -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A result is computed in parts along an axis. For each part, all elements of
// the operands that the axis flow does not name are replaced by other numbers.
// The parts joined must be the whole result, bit for bit.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_INTERPRET_FLOWCHECK_H
#define TENON_TEST_UNIT_INTERPRET_FLOWCHECK_H

#include "tenon/Dialect/Graph/Analysis/AxisFlow.h"
#include "tenon/Interpret/Interpreter.h"

#include <random>
#include <string>

namespace tenon::interpret {

/// One op at random sizes, with random operands.
class FlowInstance {
public:
  FlowInstance(mlir::Operation *op, uint64_t seed);

  /// Whether the op can be evaluated at these sizes.
  bool isValid() const { return !results.empty(); }
  const graph::Shape getShape(unsigned result) const;

  /// Cuts `result` along `axis`; says what is wrong with the flow, or nothing.
  std::string checkAxis(unsigned result, unsigned axis,
                        const graph::ResultAxisFlow &flow);
  /// Splits the reduction of `form`, the index form of a result.
  std::string checkReduced(const graph::IndexForm &form,
                           const graph::ReducedAxis &reduced);
  /// Checks with several cuts that were compared, of at least two elements.
  unsigned getNumChecks() const { return checks; }

private:
  bool draw();
  Tensor drawTensor(mlir::Type element, llvm::ArrayRef<int64_t> shape,
                    unsigned operand);
  int64_t evaluate(const graph::SymInt &size) const;
  /// Operand `number` with other elements outside of what is needed for the
  /// indices [from, to).
  Tensor poison(unsigned number, const graph::AxisAccess &access, int64_t from,
                int64_t to);

  mlir::Operation *op;
  std::mt19937_64 random;
  Symbols symbols;
  Options options;
  llvm::SmallVector<Tensor> operands, results;
  unsigned checks = 0;
};

} // namespace tenon::interpret

#endif // TENON_TEST_UNIT_INTERPRET_FLOWCHECK_H
