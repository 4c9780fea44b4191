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

/// The quotient, where the division leaves no remainder for any value of the
/// symbols. The divisor is a product of symbols and a constant.
std::optional<graph::SymInt> divideExactly(const graph::SymInt &total,
                                           const graph::SymInt &divisor);

/// The size that makes `to`, in which it stands as 1, have as many elements as
/// `from`. nullopt where it can't be told.
std::optional<graph::SymInt> remainingSize(llvm::ArrayRef<graph::SymInt> from,
                                           llvm::ArrayRef<graph::SymInt> to);

/// Whether the value is at least `least` for all values of the symbols.
bool isAtLeast(const graph::SymInt &value, int64_t least);

} // namespace tenon::onnx

#endif // TENON_LIB_IMPORT_ONNX_SIZEARITHMETIC_H
