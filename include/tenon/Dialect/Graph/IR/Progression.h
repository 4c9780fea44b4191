//===- Progression.h - constants that follow from their index ---*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_PROGRESSION_H
#define TENON_DIALECT_GRAPH_IR_PROGRESSION_H

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/IR/IndexForm.h"

namespace tenon::graph {

/// The element of a constant of integers at the index (i0, ..., ir-1), if all
/// elements are equal or they are start + step0 * i0 + ... + stepr-1 * ir-1,
/// such as 0, 1, 2, ...; null otherwise, and for i1.
Expr getProgression(ConstantOp constant);

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_PROGRESSION_H
