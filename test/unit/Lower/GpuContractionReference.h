//===- GpuContractionReference.h - index forms, an element at a time ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_LOWER_GPUCONTRACTIONREFERENCE_H
#define TENON_TEST_UNIT_LOWER_GPUCONTRACTIONREFERENCE_H

#include "tenon/Dialect/Graph/IR/IndexForm.h"

#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"

#include <cmath>
#include <functional>
#include <map>

namespace tenon::lower {

using graph::Expr;
using graph::ExprKind;
using graph::ScalarFn;
using graph::SymInt;

/// Computes index forms by plain loops in f64, whatever their types.
class Evaluator {
public:
  using Load = std::function<double(const Expr &, Evaluator &)>;

  Evaluator(Load load, std::function<int64_t(const SymInt &)> size)
      : load(std::move(load)), size(std::move(size)) {}

  std::map<unsigned, int64_t> vars;

  int64_t index(const Expr &e) {
    auto at = [&](unsigned i) { return index(e->operands[i]); };
    switch (e.getKind()) {
    case ExprKind::Size:
      return size(e->size);
    case ExprKind::Var:
      return vars.at(e->var);
    case ExprKind::IndexAdd:
      return at(0) + at(1);
    case ExprKind::IndexMul:
      return at(0) * at(1);
    case ExprKind::IndexMin:
      return std::min(at(0), at(1));
    case ExprKind::IndexMax:
      return std::max(at(0), at(1));
    case ExprKind::IndexSelect:
      return condition(e->operands[0]) ? at(1) : at(2);
    case ExprKind::IndexFloorDiv:
      return llvm::divideFloorSigned(at(0), at(1));
    case ExprKind::IndexMod:
      return at(0) - llvm::divideFloorSigned(at(0), at(1)) * at(1);
    default:
      ADD_FAILURE() << e.str();
      return 0;
    }
  }

  bool condition(const Expr &e) {
    auto at = [&](unsigned i) { return index(e->operands[i]); };
    switch (e.getKind()) {
    case ExprKind::True:
      return true;
    case ExprKind::IndexLess:
      return at(0) < at(1);
    case ExprKind::IndexLessEqual:
      return at(0) <= at(1);
    case ExprKind::IndexEqual:
      return at(0) == at(1);
    case ExprKind::And:
      return condition(e->operands[0]) && condition(e->operands[1]);
    case ExprKind::Or:
      return condition(e->operands[0]) || condition(e->operands[1]);
    case ExprKind::Not:
      return !condition(e->operands[0]);
    case ExprKind::FromBoolElement:
      return element(e->operands[0]) != 0;
    default:
      ADD_FAILURE() << e.str();
      return false;
    }
  }

  double element(const Expr &e) {
    auto at = [&](unsigned i) { return element(e->operands[i]); };
    switch (e.getKind()) {
    case ExprKind::Load:
      return load(e, *this);
    case ExprKind::Constant:
      return e->number;
    case ExprKind::Cast:
      return at(0);
    case ExprKind::Select:
      return condition(e->operands[0]) ? at(1) : at(2);
    case ExprKind::Reduce: {
      double sum = 0;
      std::function<void(size_t)> nest = [&](size_t depth) {
        if (depth == e->vars.size()) {
          if (condition(e->operands[depth]))
            sum += element(e->operands[depth + 1]);
          return;
        }
        int64_t extent = index(e->operands[depth]);
        for (int64_t i = 0; i < extent; ++i) {
          vars[e->vars[depth]] = i;
          nest(depth + 1);
        }
      };
      nest(0);
      return sum;
    }
    case ExprKind::Apply:
      switch (e->fn) {
      case ScalarFn::Add:
        return at(0) + at(1);
      case ScalarFn::Sub:
        return at(0) - at(1);
      case ScalarFn::Mul:
        return at(0) * at(1);
      case ScalarFn::Max:
        return std::max(at(0), at(1));
      case ScalarFn::Min:
        return std::min(at(0), at(1));
      case ScalarFn::Less:
        return at(0) < at(1);
      case ScalarFn::Tanh:
        return std::tanh(at(0));
      default:
        ADD_FAILURE() << e.str();
        return 0;
      }
    default:
      ADD_FAILURE() << e.str();
      return 0;
    }
  }

private:
  Load load;
  std::function<int64_t(const SymInt &)> size;
};

} // namespace tenon::lower

#endif // TENON_TEST_UNIT_LOWER_GPUCONTRACTIONREFERENCE_H
