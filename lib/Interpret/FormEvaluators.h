//===- FormEvaluators.h - evaluators of index forms ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_INTERPRET_FORMEVALUATORS_H
#define TENON_LIB_INTERPRET_FORMEVALUATORS_H

#include "Arithmetic.h"
#include "tenon/Interpret/Interpreter.h"

namespace tenon::interpret {

/// An index form whose sizes are all constant.
struct ConcreteForm {
  llvm::SmallVector<int64_t, 6> shape;
  mlir::Type elementType;
  graph::Expr body;
};

/// The form with symbols replaced by their values.
mlir::FailureOr<ConcreteForm> concretize(const graph::IndexForm &form,
                                         const Symbols &symbols,
                                         std::string &error);

/// Whether the form consists of ring and field operations on floating-point
/// elements, and of any operations on integers and indices.
bool isFieldForm(const graph::Expr &body);

/// The specification: evaluates every element by recursion over the expression.
mlir::LogicalResult evaluateNaive(const ConcreteForm &form,
                                  llvm::ArrayRef<Tensor> operands,
                                  const Arithmetic &arithmetic,
                                  uint64_t *stepsLeft, Tensor &result,
                                  std::string &error);

/// Like evaluateNaive, with error bounds (see Options::trackErrors). Operands
/// without bounds are exact.
mlir::LogicalResult evaluateBounded(const ConcreteForm &form,
                                    llvm::ArrayRef<Tensor> operands,
                                    Tensor &result, std::string &error);

/// Gives the same results as evaluateNaive, by loops over batches of elements.
mlir::LogicalResult evaluateLoops(const ConcreteForm &form,
                                  llvm::ArrayRef<Tensor> operands,
                                  const Arithmetic &arithmetic,
                                  unsigned threads, Tensor &result,
                                  std::string &error);

/// Evaluates forms that are sums of products of two operands, such as matmul
/// and conv. Returns nullopt, and writes nothing, for other forms.
std::optional<mlir::LogicalResult>
evaluateSumOfProducts(const ConcreteForm &form, llvm::ArrayRef<Tensor> operands,
                      const Arithmetic &arithmetic, unsigned threads,
                      Tensor &result);

/// For example "operand 1 at [0, 7], but its shape is [1, 7]".
std::string describeOutside(unsigned operand, llvm::ArrayRef<int64_t> index,
                            llvm::ArrayRef<int64_t> shape);

/// Runs `task(0..count-1)` on up to `threads` threads.
void parallelFor(unsigned threads, size_t count,
                 llvm::function_ref<void(size_t)> task);

} // namespace tenon::interpret

#endif // TENON_LIB_INTERPRET_FORMEVALUATORS_H
