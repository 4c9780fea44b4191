//===- SizeArithmetic.h - exact quotients of sizes ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_ONNX_SIZEARITHMETIC_H
#define TENON_LIB_IMPORT_ONNX_SIZEARITHMETIC_H

#include "tenon/Dialect/Graph/IR/SymInt.h"

#include "llvm/ADT/ArrayRef.h"

namespace tenon::onnx {

/// Returns the quotient if the division has no remainder for any value of the
/// symbols. The divisor is a product of symbols and a constant.
std::optional<graph::SymInt> divideExactly(const graph::SymInt &total,
                                           const graph::SymInt &divisor);

/// Returns the size that makes the number of elements of `to`, in which it is
/// replaced by 1, equal to that of `from`. Returns nullopt if it cannot be
/// determined.
std::optional<graph::SymInt> remainingSize(llvm::ArrayRef<graph::SymInt> from,
                                           llvm::ArrayRef<graph::SymInt> to);

/// Whether the value is at least `least` for all values of the symbols.
bool isAtLeast(const graph::SymInt &value, int64_t least);

} // namespace tenon::onnx

#endif // TENON_LIB_IMPORT_ONNX_SIZEARITHMETIC_H
