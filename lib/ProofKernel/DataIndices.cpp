//===- DataIndices.cpp - indices that are elements of a tensor ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/DataIndices.h"

#include "llvm/ADT/STLExtras.h"

#include <optional>

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using graph::Expr;
using graph::ExprKind;
using graph::IndexForm;
using graph::ReduceKind;
using graph::ScalarFn;
using graph::Shape;
using graph::SymInt;

static bool dependsOnData(const Expr &index) {
  if (index.getKind() == ExprKind::FromElement)
    return true;
  return index.getSort() == graph::ExprSort::Index &&
         llvm::any_of(index->operands, dependsOnData);
}

static bool isSize(const Expr &index, const SymInt &size) {
  return index.getKind() == ExprKind::Size && index->size == size;
}

namespace {
/// An index that is the sum of an integer element, as i64, and an index that
/// does not depend on data. If `wrapsAt` is set, that is added where the
/// element is below 0.
struct DataIndex {
  Expr element;
  Expr offset;
  std::optional<SymInt> wrapsAt;
};
} // namespace

/// Returns the element as i64, if that holds every number of its type.
static Expr getWide(const Expr &element) {
  if (element->type.isInteger(64))
    return element->type.isUnsignedInteger() ? Expr() : element;
  if (graph::isBool(element->type) || graph::isFloat(element->type))
    return {};
  return Expr::cast(element, IntegerType::get(element->type.getContext(), 64));
}

static std::optional<DataIndex> getDataIndex(const Expr &index) {
  ArrayRef<Expr> operands = index->operands;
  switch (index.getKind()) {
  case ExprKind::FromElement:
    if (Expr wide = getWide(operands[0]))
      return DataIndex{wide, Expr::index(0), std::nullopt};
    return std::nullopt;
  case ExprKind::IndexAdd:
    for (unsigned side : {0, 1}) {
      if (dependsOnData(operands[1 - side]))
        continue;
      std::optional<DataIndex> data = getDataIndex(operands[side]);
      if (!data || data->wrapsAt)
        return std::nullopt;
      data->offset = Expr::addIndex(data->offset, operands[1 - side]);
      return data;
    }
    return std::nullopt;
  case ExprKind::IndexSelect: {
    // v < 0 ? v + n : v
    const Expr &condition = operands[0], &then = operands[1], &v = operands[2];
    if (v.getKind() != ExprKind::FromElement ||
        condition.getKind() != ExprKind::IndexLess ||
        condition->operands[0].getPointer() != v.getPointer() ||
        !isSize(condition->operands[1], SymInt(0)) ||
        then.getKind() != ExprKind::IndexAdd ||
        then->operands[0].getPointer() != v.getPointer() ||
        then->operands[1].getKind() != ExprKind::Size)
      return std::nullopt;
    std::optional<DataIndex> data = getDataIndex(v);
    if (data)
      data->wrapsAt = then->operands[1]->size;
    return data;
  }
  case ExprKind::IndexMin:
  case ExprKind::IndexMax:
    for (unsigned side : {0, 1}) {
      if (dependsOnData(operands[1 - side]))
        continue;
      std::optional<DataIndex> data = getDataIndex(operands[side]);
      if (!data || data->wrapsAt || !isSize(data->offset, SymInt(0)))
        return std::nullopt;
      bool isMin = index.getKind() == ExprKind::IndexMin;
      data->element =
          Expr::apply(isMin ? ScalarFn::Min : ScalarFn::Max,
                      {data->element, Expr::fromIndex(operands[1 - side],
                                                      data->element->type)});
      return data;
    }
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

/// Compares the element with an index.
static Expr compare(ScalarFn fn, const DataIndex &data, const Expr &index) {
  Expr at = Expr::addIndex(index, Expr::mulIndex(data.offset, Expr::index(-1)));
  return Expr::fromBool(
      Expr::apply(fn, {data.element, Expr::fromIndex(at, data.element->type)}));
}

/// Whether the index equals `at`, which is in [0, n) if it wraps at n.
static Expr isAt(const DataIndex &data, const Expr &at) {
  Expr equal = compare(ScalarFn::Equal, data, at);
  if (!data.wrapsAt)
    return equal;
  Expr fromEnd = Expr::addIndex(at, Expr::size(SymInt(0) - *data.wrapsAt));
  return Expr::logicalOr(equal, compare(ScalarFn::Equal, data, fromEnd));
}

/// Whether the index, clamped to an axis of `size`, is `at`, which is in [0,
/// size).
static Expr isClampedAt(const DataIndex &data, const SymInt &size,
                        const Expr &at) {
  SymInt least = data.wrapsAt ? SymInt(0) - *data.wrapsAt : SymInt(0);
  Expr below =
      Expr::logicalAnd(Expr::equal(at, Expr::index(0)),
                       compare(ScalarFn::Less, data, Expr::size(least)));
  Expr above = Expr::logicalAnd(
      Expr::equal(at, Expr::size(size - SymInt(1))),
      Expr::logicalNot(compare(ScalarFn::Less, data, Expr::size(size))));
  return Expr::logicalOr(isAt(data, at), Expr::logicalOr(below, above));
}

namespace {
class Rewriter {
public:
  Rewriter(Operation *op, const IndexForm &form, unsigned first)
      : op(op), shape(form.shape), first(first), next(shape.size()) {
    graph::walk(form.body, [&](Expr node) {
      for (unsigned var : node->vars)
        next = std::max(next, var + 1);
    });
  }

  Expr rewrite(const Expr &expr) {
    return graph::rewrite(expr, [&](Expr node) -> Expr {
      switch (node.getKind()) {
      case ExprKind::Load:
        return rewriteLoad(node);
      case ExprKind::IndexLess:
      case ExprKind::IndexLessEqual:
      case ExprKind::IndexEqual:
        return rewriteComparison(node);
      default:
        return {};
      }
    });
  }

  bool readsData = false;

private:
  Expr rewriteLoad(const Expr &load) {
    if (load->operand < first)
      return {};
    Shape sizes = graph::getShape(op->getOperand(load->operand - first));
    SmallVector<Expr> at, extents;
    SmallVector<unsigned> vars;
    Expr guard = Expr::always();
    for (auto [index, size] : llvm::zip(load->operands, sizes)) {
      at.push_back(index);
      if (!dependsOnData(index))
        continue;
      Expr var = Expr::var(next);
      Expr hit;
      if (std::optional<DataIndex> data = getClamped(index, size)) {
        data->element = rewrite(data->element);
        hit = isClampedAt(*data, size, var);
      } else if (std::optional<DataIndex> data = getDataIndex(index);
                 data && !data->wrapsAt) {
        data->element = rewrite(data->element);
        hit = isAt(*data, var);
      } else {
        return {};
      }
      at.back() = var;
      guard = Expr::logicalAnd(guard, hit);
      vars.push_back(next++);
      extents.push_back(Expr::size(size));
    }
    if (vars.empty())
      return {};
    readsData = true;
    return Expr::reduce(ReduceKind::Sum, vars, extents, guard,
                        Expr::load(load->operand, at, load->type));
  }

  /// Matches max(0, min(v, size - 1)).
  static std::optional<DataIndex> getClamped(const Expr &index,
                                             const SymInt &size) {
    if (index.getKind() != ExprKind::IndexMax ||
        !isSize(index->operands[0], SymInt(0)) ||
        index->operands[1].getKind() != ExprKind::IndexMin ||
        !isSize(index->operands[1]->operands[1], size - SymInt(1)))
      return std::nullopt;
    std::optional<DataIndex> data =
        getDataIndex(index->operands[1]->operands[0]);
    if (data && data->wrapsAt && *data->wrapsAt != size)
      return std::nullopt;
    return data;
  }

  Expr rewriteComparison(const Expr &comparison) {
    bool left = dependsOnData(comparison->operands[0]);
    const Expr &side = comparison->operands[left ? 0 : 1];
    const Expr &other = comparison->operands[left ? 1 : 0];
    if (!dependsOnData(side) || dependsOnData(other))
      return {};
    std::optional<DataIndex> data = getDataIndex(side);
    if (!data)
      return {};
    data->element = rewrite(data->element);
    if (comparison.getKind() == ExprKind::IndexEqual) {
      // An index of the result that is below the size at which it wraps.
      if (data->wrapsAt &&
          (other.getKind() != ExprKind::Var || other->var >= shape.size() ||
           shape[other->var] != *data->wrapsAt))
        return {};
      readsData = true;
      return isAt(*data, other);
    }
    if (data->wrapsAt)
      return {};
    readsData = true;
    bool isLess = comparison.getKind() == ExprKind::IndexLess;
    if (left)
      return compare(isLess ? ScalarFn::Less : ScalarFn::LessEqual, *data,
                     other);
    // a < v unless v <= a, and a <= v unless v < a.
    return Expr::logicalNot(
        compare(isLess ? ScalarFn::LessEqual : ScalarFn::Less, *data, other));
  }

  Operation *op;
  const Shape shape;
  const unsigned first;
  unsigned next;
};
} // namespace

IndexForm prove::getFormWithoutData(Operation *op, const IndexForm &form,
                                    unsigned first, bool &readsData) {
  IndexForm made = form;
  Rewriter rewriter(op, form, first);
  made.body = rewriter.rewrite(form.body);
  readsData |= rewriter.readsData;
  return made;
}

SmallVector<IndexForm> prove::getFormsWithoutData(graph::IndexFormInterface op,
                                                  bool &readsData) {
  SmallVector<IndexForm> forms = op.getIndexForms();
  for (IndexForm &form : forms)
    form = getFormWithoutData(op, form, /*first=*/0, readsData);
  return forms;
}
