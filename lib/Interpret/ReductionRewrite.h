//===- ReductionRewrite.h - reductions over fewer variables -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_INTERPRET_REDUCTIONREWRITE_H
#define TENON_LIB_INTERPRET_REDUCTIONREWRITE_H

#include "tenon/Dialect/Graph/IR/IndexForm.h"

namespace tenon::interpret {

/// Replaces reduction variables that the guard determines (i = j + 1) by their
/// value, and variables with one iteration by 0. The reduced elements and their
/// order do not change.
graph::Expr eliminateEqualities(const graph::Expr &body);

} // namespace tenon::interpret

#endif // TENON_LIB_INTERPRET_REDUCTIONREWRITE_H
