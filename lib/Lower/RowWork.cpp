//===- RowWork.cpp - estimated time of a row of a kernel ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowWork.h"
#include "AffineOffsets.h"
#include "tenon/Dialect/Graph/Analysis/SizeEstimate.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

// Nanoseconds per f32 in vectors of x86-64-v3, measured at 3 GHz with operands
// in the second-level cache.
static constexpr double kAccess = 0.05;
static constexpr double kArithmetic = 0.03;
static constexpr double kDivision = 0.2;
static constexpr double kExponential = 0.4;
static constexpr double kErrorFunction = 1.0;
/// A call to libm, which computes one element at a time.
static constexpr double kCall = 6.0;
/// An access at an index that is not linear in the loops' variables.
static constexpr double kScatteredAccess = 0.6;

static double timeOf(ScalarFn fn, Type type) {
  bool isFloat = isa<FloatType>(type);
  bool isPolynomial = !type.isF64();
  switch (getFacts(fn).cost) {
  case ScalarCost::Cheap:
  case ScalarCost::Simple:
    return kArithmetic;
  case ScalarCost::Division:
    return isFloat ? kDivision : kCall;
  case ScalarCost::Exponential:
    return isPolynomial ? kExponential : kCall;
  case ScalarCost::ErrorFunction:
    return isPolynomial ? kErrorFunction : kCall;
  case ScalarCost::Remainder:
  case ScalarCost::Call:
  case ScalarCost::Power:
    return kCall;
  }
  llvm_unreachable("unknown cost");
}

namespace {
/// Adds up the time of one element; shared subexpressions count once.
class ElementTime {
public:
  double visit(const Expr &expr) {
    if (!seen.insert(expr.getPointer()).second)
      return 0;
    switch (expr.getKind()) {
    case ExprKind::Load:
      return visitLoad(expr);
    case ExprKind::Reduce: {
      double count = 1;
      for (const Expr &extent : ArrayRef<Expr>(expr->operands).drop_back(2))
        if (extent.getKind() == ExprKind::Size)
          count *= static_cast<double>(estimateSize(extent->size));
      return count * (visit(expr->operands.back()) + kArithmetic);
    }
    case ExprKind::Apply:
      return timeOf(expr->fn, expr->operands.front()->type) +
             visitOperands(expr);
    case ExprKind::Cast:
      return kArithmetic + visitOperands(expr);
    default:
      return visitOperands(expr);
    }
  }

private:
  double visitOperands(const Expr &expr) {
    double time = 0;
    for (const Expr &operand : expr->operands)
      time += visit(operand);
    return time;
  }

  double visitLoad(const Expr &load) {
    if (!getAffineForm(load->operands[0]))
      return kScatteredAccess + visitOperands(load);
    return kAccess;
  }

  llvm::DenseSet<const ExprNode *> seen;
};
} // namespace

double tenon::lower::estimateRowTime(const kernel::LoopPlan &plan) {
  double time = 0;
  for (auto [number, loop] : llvm::enumerate(plan.loops)) {
    double width = loop.elementType.getIntOrFloatBitWidth() / 32.0;
    // Half types are computed in f32 and rounded after every function.
    if (loop.elementType.isF16() || loop.elementType.isBF16())
      width = 2;
    time += static_cast<double>(estimateSize(plan.innerSize(number))) *
            (ElementTime().visit(loop.body) + kAccess) * std::max(width, 0.25);
  }
  return time;
}
