//===- RankText.h - steps of ranks in words ---------------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_RANKTEXT_H
#define TENON_LIB_PARALLELIZE_RANKTEXT_H

#include "tenon/Dialect/Program/IR/Program.h"

#include <string>

namespace tenon::parallelize {

/// Such as "step 3 of rank 1 (sends to rank 0)".
std::string describeStep(mlir::Operation *step);

/// The buffer that a part is of; other buffers themselves.
mlir::Value getWhole(mlir::Value buffer);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_RANKTEXT_H
