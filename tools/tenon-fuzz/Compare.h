//===- Compare.h - two graphs on the same inputs --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_FUZZ_COMPARE_H
#define TENON_TOOLS_TENON_FUZZ_COMPARE_H

#include "tenon/Interpret/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>

namespace tenon::fuzz {

/// What was compared, by result of a function.
struct Comparison {
  /// Equal in the prime field, element by element.
  uint64_t inField = 0;
  /// Within the error bounds, in f64.
  uint64_t bounded = 0;
  /// Equal bit by bit in f32 (of `bitForBit`).
  uint64_t bitForBit = 0;
  /// Elements of those compared within bounds, and how many of them depend on
  /// a near tie or are not finite.
  int64_t elements = 0, excluded = 0;
  /// Whether the first function has no meaning at the sizes drawn.
  bool isInvalid = false;
  /// The first difference; empty if there is none.
  std::string difference;
};

struct CompareOptions {
  uint64_t seed = 0;
  /// Both must do the same operations in the same order. Otherwise the
  /// propagation of infinities and NaN is not compared: s (a + b) and s a + s b
  /// differ there.
  bool bitForBit = false;
  /// Whether also a NaN or an infinity that only the second function gives is
  /// not compared.
  bool finite = false;
  /// The inputs, in domain f64; if absent, they follow from the seed.
  std::optional<llvm::SmallVector<interpret::Tensor>> inputs;
};

/// Evaluates both on inputs drawn from the seed: in the prime field, and where
/// results differ there that are more than polynomials, in f64.
void compareFunctions(mlir::func::FuncOp before, mlir::func::FuncOp after,
                      const CompareOptions &options, Comparison &comparison);

} // namespace tenon::fuzz

#endif // TENON_TOOLS_TENON_FUZZ_COMPARE_H
