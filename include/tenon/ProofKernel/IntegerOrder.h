//===- IntegerOrder.h - comparisons of integer elements ---------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROOFKERNEL_INTEGERORDER_H
#define TENON_PROOFKERNEL_INTEGERORDER_H

#include "tenon/ProofKernel/SumForm.h"

namespace tenon::prove {

/// Returns the index that an i64 element is, if it is a sum of indices, sizes
/// and constants with small coefficients. Such a sum does not wrap, since no
/// axis of a tensor has 2^44 elements.
std::optional<SymInt> getIndexNumber(const SumForm &element, mlir::Type type);

/// A side of a comparison of i64 elements: an index, or else any integer, the
/// same for equal names.
struct IntegerSide {
  std::optional<SymInt> index;
  std::string name;
};

struct IntegerLess {
  IntegerSide left, right;
};

/// Returns the sides if the element is a < b, of type i64.
std::optional<IntegerLess> getIntegerLess(const SumForm &element);

} // namespace tenon::prove

#endif // TENON_PROOFKERNEL_INTEGERORDER_H
