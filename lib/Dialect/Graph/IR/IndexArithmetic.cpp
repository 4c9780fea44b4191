//===- IndexArithmetic.cpp - floating-point coordinates -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/IndexArithmetic.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace tenon::graph;

static bool containsLoad(const Expr &expr) {
  bool found = false;
  walk(expr, [&](Expr node) { found |= node.getKind() == ExprKind::Load; });
  return found;
}

static bool isExactlyRounded(ScalarFn fn) { return getFacts(fn).ulps <= 0.5; }

bool tenon::graph::isIndexArithmetic(const Expr &element) {
  if (!element->type || !element->type.isF64())
    return false;
  switch (element.getKind()) {
  case ExprKind::Constant:
    return true;
  case ExprKind::FromIndex:
    return !containsLoad(element);
  case ExprKind::Apply:
    return isExactlyRounded(element->fn) &&
           llvm::all_of(element->operands, isIndexArithmetic);
  case ExprKind::Select:
    return !containsLoad(element->operands[0]) &&
           isIndexArithmetic(element->operands[1]) &&
           isIndexArithmetic(element->operands[2]);
  default:
    return false;
  }
}
