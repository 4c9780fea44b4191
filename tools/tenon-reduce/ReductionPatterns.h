//===- ReductionPatterns.h - how graphs are made smaller ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_REDUCE_REDUCTIONPATTERNS_H
#define TENON_TOOLS_TENON_REDUCE_REDUCTIONPATTERNS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

/// Lets the reducer replace ops of the graph dialect by an operand of the same
/// type, or by zeros. Without patterns it can only erase whole functions, since
/// an op inside of one has users.
void registerReductionPatterns(mlir::DialectRegistry &registry);

#endif // TENON_TOOLS_TENON_REDUCE_REDUCTIONPATTERNS_H
