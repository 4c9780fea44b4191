//===- IndexForm.cpp - builders of index-form expressions -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/IndexForm.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace tenon::graph;

ExprSort Expr::getSort() const {
  switch (node->kind) {
  case ExprKind::Size:
  case ExprKind::Var:
  case ExprKind::IndexAdd:
  case ExprKind::IndexMul:
  case ExprKind::IndexFloorDiv:
  case ExprKind::IndexMod:
  case ExprKind::IndexMin:
  case ExprKind::IndexMax:
  case ExprKind::IndexSelect:
  case ExprKind::FromElement:
    return ExprSort::Index;
  case ExprKind::Load:
  case ExprKind::Constant:
  case ExprKind::Apply:
  case ExprKind::Cast:
  case ExprKind::FromIndex:
  case ExprKind::Select:
  case ExprKind::Reduce:
    return ExprSort::Element;
  default:
    return ExprSort::Bool;
  }
}

static Expr make(ExprNode node) {
  return Expr(std::make_shared<const ExprNode>(std::move(node)));
}

static Expr makeOp(ExprKind kind, std::initializer_list<Expr> operands,
                   Type type = {}) {
  ExprNode node;
  node.kind = kind;
  node.type = type;
  node.operands.assign(operands.begin(), operands.end());
  return make(std::move(node));
}

/// The size, if the expression is a size.
static std::optional<SymInt> asSize(const Expr &expr) {
  if (expr.getKind() == ExprKind::Size)
    return expr->size;
  return std::nullopt;
}

static bool isIndex(const Expr &expr, int64_t value) {
  std::optional<SymInt> size = asSize(expr);
  return size && size->getConstant() == value;
}

//===----------------------------------------------------------------------===//
// Index
//===----------------------------------------------------------------------===//

Expr Expr::size(const SymInt &value) {
  ExprNode node;
  node.kind = ExprKind::Size;
  node.size = value;
  return make(std::move(node));
}

Expr Expr::var(unsigned number) {
  ExprNode node;
  node.kind = ExprKind::Var;
  node.var = number;
  return make(std::move(node));
}

Expr Expr::addIndex(Expr a, Expr b) {
  if (isIndex(a, 0))
    return b;
  if (isIndex(b, 0))
    return a;
  if (auto x = asSize(a), y = asSize(b); x && y)
    return size(*x + *y);
  return makeOp(ExprKind::IndexAdd, {a, b});
}

Expr Expr::subIndex(Expr a, Expr b) {
  return addIndex(a, mulIndex(index(-1), b));
}

Expr Expr::mulIndex(Expr a, Expr b) {
  if (isIndex(a, 1) || isIndex(b, 0))
    return b;
  if (isIndex(b, 1) || isIndex(a, 0))
    return a;
  if (auto x = asSize(a), y = asSize(b); x && y)
    return size(*x * *y);
  return makeOp(ExprKind::IndexMul, {a, b});
}

Expr Expr::floorDivIndex(Expr a, Expr b) {
  if (isIndex(b, 1))
    return a;
  if (auto x = asSize(a), y = asSize(b); x && y && y->getConstant() != 0)
    return size(x->floorDiv(*y));
  return makeOp(ExprKind::IndexFloorDiv, {a, b});
}

Expr Expr::modIndex(Expr a, Expr b) {
  if (isIndex(b, 1))
    return index(0);
  if (auto x = asSize(a), y = asSize(b); x && y && y->getConstant() != 0)
    return size(x->mod(*y));
  return makeOp(ExprKind::IndexMod, {a, b});
}

Expr Expr::minIndex(Expr a, Expr b) {
  if (auto x = asSize(a), y = asSize(b); x && y)
    return size(SymInt::min(*x, *y));
  return makeOp(ExprKind::IndexMin, {a, b});
}

Expr Expr::maxIndex(Expr a, Expr b) {
  if (auto x = asSize(a), y = asSize(b); x && y)
    return size(SymInt::max(*x, *y));
  return makeOp(ExprKind::IndexMax, {a, b});
}

Expr Expr::selectIndex(Expr condition, Expr then, Expr otherwise) {
  if (condition.getKind() == ExprKind::True)
    return then;
  return makeOp(ExprKind::IndexSelect, {condition, then, otherwise});
}

Expr Expr::fromElement(Expr element) {
  if (element.getKind() == ExprKind::FromIndex)
    return element->operands[0];
  return makeOp(ExprKind::FromElement, {element});
}

//===----------------------------------------------------------------------===//
// Element
//===----------------------------------------------------------------------===//

Expr Expr::load(unsigned operand, ArrayRef<Expr> indices, Type type) {
  ExprNode node;
  node.kind = ExprKind::Load;
  node.type = type;
  node.operand = operand;
  node.operands.assign(indices.begin(), indices.end());
  return make(std::move(node));
}

Expr Expr::constant(double value, Type type) {
  if (isa<IntegerType>(type))
    return constantInt(static_cast<int64_t>(value), type);
  ExprNode node;
  node.kind = ExprKind::Constant;
  node.type = type;
  node.number = value;
  return make(std::move(node));
}

Expr Expr::constantInt(int64_t value, Type type) {
  if (isa<FloatType>(type))
    return constant(static_cast<double>(value), type);
  ExprNode node;
  node.kind = ExprKind::Constant;
  node.type = type;
  node.integer = value;
  return make(std::move(node));
}

Expr Expr::apply(ScalarFn fn, ArrayRef<Expr> operands) {
  assert(operands.size() == arity(fn) && "wrong number of operands");
  ExprNode node;
  node.kind = ExprKind::Apply;
  node.fn = fn;
  Type type = operands.front()->type;
  if (getFacts(fn).isPredicate)
    type = IntegerType::get(type.getContext(), 1);
  node.type = type;
  node.operands.assign(operands.begin(), operands.end());
  return make(std::move(node));
}

Expr Expr::cast(Expr element, Type type) {
  if (element->type == type)
    return element;
  return makeOp(ExprKind::Cast, {element}, type);
}

Expr Expr::fromIndex(Expr index, Type type) {
  return makeOp(ExprKind::FromIndex, {index}, type);
}

Expr Expr::select(Expr condition, Expr then, Expr otherwise) {
  if (condition.getKind() == ExprKind::True)
    return then;
  return makeOp(ExprKind::Select, {condition, then, otherwise}, then->type);
}

Expr Expr::reduce(ReduceKind kind, ArrayRef<unsigned> vars,
                  ArrayRef<Expr> extents, Expr guard, Expr body) {
  assert(vars.size() == extents.size() && "one extent per variable");
  if (vars.empty() && guard.getKind() == ExprKind::True)
    return body;
  ExprNode node;
  node.kind = ExprKind::Reduce;
  node.type = body->type;
  node.reduce = kind;
  node.vars.assign(vars.begin(), vars.end());
  node.operands.assign(extents.begin(), extents.end());
  node.operands.push_back(guard);
  node.operands.push_back(body);
  return make(std::move(node));
}

//===----------------------------------------------------------------------===//
// Bool
//===----------------------------------------------------------------------===//

Expr Expr::always() { return makeOp(ExprKind::True, {}); }

Expr Expr::less(Expr a, Expr b) { return makeOp(ExprKind::IndexLess, {a, b}); }

Expr Expr::lessEqual(Expr a, Expr b) {
  return makeOp(ExprKind::IndexLessEqual, {a, b});
}

Expr Expr::equal(Expr a, Expr b) {
  return makeOp(ExprKind::IndexEqual, {a, b});
}

Expr Expr::logicalAnd(Expr a, Expr b) {
  if (a.getKind() == ExprKind::True)
    return b;
  if (b.getKind() == ExprKind::True)
    return a;
  return makeOp(ExprKind::And, {a, b});
}

Expr Expr::logicalOr(Expr a, Expr b) {
  if (a.getKind() == ExprKind::True || b.getKind() == ExprKind::True)
    return always();
  return makeOp(ExprKind::Or, {a, b});
}

Expr Expr::logicalNot(Expr a) {
  if (a.getKind() == ExprKind::Not)
    return a->operands[0];
  return makeOp(ExprKind::Not, {a});
}

Expr Expr::fromBool(Expr element) {
  return makeOp(ExprKind::FromBoolElement, {element});
}
