//===- ProductForm.h - matching sums of products --------------------------===//
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

/// A sum of three parts: one depends on the outer axes of the result, one on
/// its lanes (the trailing axes), and one on the term of the sum.
struct SplitIndex {
  NumericIndex outer, lane, term;
};

/// A condition on the split index: that it is 0, or that it is not negative.
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
    /// A term is omitted if one of its conditions does not hold.
    llvm::SmallVector<SplitCondition, 4> conditions;
  };
  Factor row, lane;
  size_t firstLaneAxis;
  llvm::SmallVector<unsigned, 4> vars;
  llvm::SmallVector<int64_t, 4> extents;
  Kind kind; // the type of the sum
  /// The casts that are applied to the sum, in order.
  llvm::SmallVector<Kind, 2> casts;
};

/// Returns nullopt if the form is not a sum of products, or if some element
/// that is read may not exist.
std::optional<ProductForm> matchProduct(const ConcreteForm &form,
                                        llvm::ArrayRef<Tensor> operands,
                                        const Arithmetic &arithmetic);

/// Evaluates a sum whose terms depend only on the given variables.
int64_t evaluateLinear(const NumericIndex &sum, llvm::ArrayRef<int64_t> vars);

} // namespace tenon::interpret

#endif // TENON_LIB_INTERPRET_PRODUCTFORM_H
