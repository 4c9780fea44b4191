//===- ProductForm.h - forms that are sums of products ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_INTERPRET_PRODUCTFORM_H
#define TENON_LIB_INTERPRET_PRODUCTFORM_H

#include "FormEvaluators.h"
#include "IndexMath.h"

namespace tenon::interpret {

/// A quantity that is a sum of three parts: one that depends on the outer axes
/// of the result, one on its lanes (the other, trailing axes), and one on the
/// term of the sum.
struct SplitIndex {
  LinearIndex outer, lane, term;
};

/// A condition on the split index: that it is 0, or not negative.
struct SplitCondition {
  SplitIndex index;
  bool isEqual;
};

/// result[o, l] = casts(sum over k of rows[o, k] * lanes[o, l, k]), where the
/// first factor does not depend on the lane.
struct ProductForm {
  struct Factor {
    unsigned operand;
    SplitIndex offset;
    /// Where one does not hold, the term is left out.
    llvm::SmallVector<SplitCondition, 4> conditions;
  };
  Factor row, lane;
  size_t firstLaneAxis;
  llvm::SmallVector<unsigned, 4> vars;
  llvm::SmallVector<int64_t, 4> extents;
  Kind kind; // of the sum
  /// What is applied to the sum, in order.
  llvm::SmallVector<Kind, 2> casts;
};

/// nullopt when the form is none, or when it can't be seen that all elements
/// that are read exist.
std::optional<ProductForm> matchProduct(const ConcreteForm &form,
                                        llvm::ArrayRef<Tensor> operands,
                                        const Arithmetic &arithmetic);

/// The value of a sum whose terms depend on the given variables only.
int64_t evaluateLinear(const LinearIndex &sum, llvm::ArrayRef<int64_t> vars);

} // namespace tenon::interpret

#endif // TENON_LIB_INTERPRET_PRODUCTFORM_H
