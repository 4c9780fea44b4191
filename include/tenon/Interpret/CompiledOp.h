//===- CompiledOp.h - ops that are evaluated many times -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_INTERPRET_COMPILEDOP_H
#define TENON_INTERPRET_COMPILEDOP_H

#include "tenon/Interpret/Interpreter.h"

#include "mlir/IR/Operation.h"

#include <memory>

namespace tenon::interpret {

/// An op on operands of constant sizes, prepared once for many evaluations:
/// what `evaluateOp` derives from the op each time (types, index forms, loops)
/// is kept. Evaluations use one thread, and may be made by several at a time.
class CompiledOp {
public:
  /// Fails, with a diagnostic at `op`, if a size is not constant, or if the op
  /// (or one of those that it is decomposed into) has no index form.
  static mlir::FailureOr<CompiledOp> compile(mlir::Operation *op,
                                             Domain domain);
  ~CompiledOp();
  CompiledOp(CompiledOp &&) noexcept;
  CompiledOp &operator=(CompiledOp &&) noexcept;

  /// The results for operands of the op's types. Fails, with a reason in
  /// `error`, if an index is out of range, or if there is not enough memory.
  mlir::FailureOr<llvm::SmallVector<Tensor>>
  evaluate(llvm::ArrayRef<Tensor> operands, std::string &error) const;

private:
  struct Steps;
  explicit CompiledOp(std::unique_ptr<Steps> steps);
  std::unique_ptr<Steps> steps;
};

} // namespace tenon::interpret

#endif // TENON_INTERPRET_COMPILEDOP_H
