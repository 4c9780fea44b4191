//===- IndexArithmetic.h - coordinates in floating point ------------------===//
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

/// Whether `element` is f64 arithmetic of indices and constants alone, such as
/// a coordinate of `resize`. It decides which element is taken, so all who
/// compute it round every step and keep the stated order: they get the same
/// bits. Functions whose rounding IEEE 754 leaves open are none of it.
bool isIndexArithmetic(const Expr &element);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_INDEXARITHMETIC_H
