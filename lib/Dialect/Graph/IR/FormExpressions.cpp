//===- FormExpressions.cpp - expressions that many index forms share ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormExpressions.h"

using namespace mlir;
using namespace tenon::graph;

Type tenon::graph::getAccumulationType(Type element) {
  if (element.isF16() || element.isBF16())
    return Float32Type::get(element.getContext());
  return element;
}

SmallVector<Expr> tenon::graph::getVars(unsigned count, unsigned first) {
  SmallVector<Expr> vars;
  for (unsigned number = 0; number < count; ++number)
    vars.push_back(Expr::var(first + number));
  return vars;
}

Expr tenon::graph::loadOf(Value operand, unsigned number,
                          ArrayRef<Expr> indices) {
  auto type = cast<RankedTensorType>(operand.getType());
  assert(static_cast<size_t>(type.getRank()) == indices.size() &&
         "one index per axis");
  return Expr::load(number, indices, type.getElementType());
}

Expr tenon::graph::getBroadcastIndex(const SymInt &size,
                                     const SymInt &resultSize, unsigned var) {
  return size.getConstant() == 1 && resultSize.getConstant() != 1
             ? Expr::index(0)
             : Expr::var(var);
}

Expr tenon::graph::getWrappedIndex(Expr element, const SymInt &size) {
  Expr index = Expr::fromElement(element);
  if (isUnsigned(element->type))
    return index;
  return Expr::selectIndex(Expr::less(index, Expr::index(0)),
                           Expr::addIndex(index, Expr::size(size)), index);
}

Expr tenon::graph::getClampedIndex(Expr element, const SymInt &size) {
  Expr wrapped = getWrappedIndex(element, size);
  return Expr::maxIndex(Expr::index(0),
                        Expr::minIndex(wrapped, Expr::size(size - SymInt(1))));
}

Expr tenon::graph::linearize(ArrayRef<Expr> indices, ArrayRef<SymInt> sizes) {
  Expr position = Expr::index(0);
  SymInt stride(1);
  for (size_t axis = indices.size(); axis-- > 0;) {
    position = Expr::addIndex(Expr::mulIndex(indices[axis], Expr::size(stride)),
                              position);
    stride = stride * sizes[axis];
  }
  return position;
}

SmallVector<Expr> tenon::graph::delinearize(Expr position,
                                            ArrayRef<SymInt> sizes) {
  SmallVector<Expr> indices(sizes.size());
  SymInt stride(1);
  for (size_t axis = sizes.size(); axis-- > 0;) {
    Expr quotient = Expr::floorDivIndex(position, Expr::size(stride));
    indices[axis] = axis == 0
                        ? quotient
                        : Expr::modIndex(quotient, Expr::size(sizes[axis]));
    stride = stride * sizes[axis];
  }
  return indices;
}
