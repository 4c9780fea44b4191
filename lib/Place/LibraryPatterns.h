//===- LibraryPatterns.h - what oneDNN takes ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PLACE_LIBRARYPATTERNS_H
#define TENON_LIB_PLACE_LIBRARYPATTERNS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace tenon::place {

struct LibraryMatch {
  /// In order; the root (matmul or convolution) first among those that compute.
  llvm::SmallVector<mlir::Operation *> ops;
  std::string pattern;
};

/// The piece with `root` that oneDNN can run as one call: the root and the
/// chain of bias, residual and activations that follows it. Empty where the
/// root is not for oneDNN.
LibraryMatch matchOneDnn(mlir::Operation *root, int64_t leastWork);

} // namespace tenon::place

#endif // TENON_LIB_PLACE_LIBRARYPATTERNS_H
