//===- FormRecursion.h - recursive evaluation of index forms ----*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_INTERPRET_FORMRECURSION_H
#define TENON_LIB_INTERPRET_FORMRECURSION_H

#include "Arithmetic.h"

namespace tenon::interpret {

/// Evaluates an index form, whose sizes are constant, at one index.
class FormRecursion {
public:
  /// With `stepsLeft`, fails when it has counted it down to 0.
  explicit FormRecursion(const Arithmetic &arithmetic,
                         uint64_t *stepsLeft = nullptr)
      : arithmetic(arithmetic), stepsLeft(stepsLeft) {}

  /// The element at the index that `vars` begin with.
  Cell element(const graph::Expr &expr);

  /// The index, and then the variables of reductions.
  llvm::SmallVector<int64_t, 8> vars;
  /// Ends the evaluation.
  bool failed = false;

protected:
  ~FormRecursion() = default;
  /// The element that an expression of the kind Load reads.
  virtual Cell load(const graph::Expr &expr,
                    llvm::ArrayRef<int64_t> indices) = 0;

private:
  int64_t index(const graph::Expr &expr);
  bool boolean(const graph::Expr &expr);
  void reduce(const graph::Expr &expr, unsigned number, Cell &sum);
  void countStep();

  const Arithmetic &arithmetic;
  uint64_t *stepsLeft;
};

} // namespace tenon::interpret

#endif // TENON_LIB_INTERPRET_FORMRECURSION_H
