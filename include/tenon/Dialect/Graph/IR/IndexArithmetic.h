//===- IndexArithmetic.h - floating-point coordinates ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_INDEXARITHMETIC_H
#define TENON_DIALECT_GRAPH_IR_INDEXARITHMETIC_H

#include "tenon/Dialect/Graph/IR/IndexForm.h"

namespace tenon::graph {

/// Whether `element` is f64 arithmetic on only indices and constants, such as a
/// coordinate of `resize`. It determines which element is read, so every
/// evaluator and code generator rounds each step and keeps the stated order,
/// and all get the same bits. Functions whose rounding IEEE 754 does not define
/// are excluded.
bool isIndexArithmetic(const Expr &element);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_INDEXARITHMETIC_H
