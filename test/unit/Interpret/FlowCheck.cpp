//===- FlowCheck.cpp - axis flow against evaluation -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlowCheck.h"
#include "tenon/Dialect/Graph/IR/IndexUses.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::interpret;
using graph::AxisAccess;
using graph::Expr;
using graph::SymInt;

FlowInstance::FlowInstance(Operation *op, uint64_t seed)
    : op(op), random(seed) {
  options.threads = 1;
  ScopedDiagnosticHandler quiet(op->getContext(),
                                [](Diagnostic &) { return success(); });
  // Not all sizes fit every op.
  for (unsigned attempt = 0; attempt < 8 && results.empty(); ++attempt)
    if (draw()) {
      FailureOr<SmallVector<Tensor>> found =
          evaluateOp(op, operands, symbols, options);
      if (succeeded(found))
        results = std::move(*found);
    }
}

int64_t FlowInstance::evaluate(const SymInt &size) const {
  return size
      .evaluate([&](StringRef name) -> std::optional<int64_t> {
        auto it = symbols.find(name);
        return it == symbols.end() ? std::nullopt : std::optional(it->second);
      })
      .value_or(-1);
}

bool FlowInstance::draw() {
  symbols.clear();
  operands.clear();
  auto visit = [&](Type type) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (const SymInt &size : graph::getShape(tensor))
        size.visitSymbols([&](StringRef name) {
          symbols.try_emplace(name, 2 + random() % 5);
        });
  };
  for (Type type : op->getOperandTypes())
    visit(type);
  for (Type type : op->getResultTypes())
    visit(type);
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    SmallVector<int64_t> shape;
    for (const SymInt &size : graph::getShape(operand)) {
      shape.push_back(size.isUnknown() ? -1 : evaluate(size));
      if (shape.back() < 0 || shape.back() > 4096)
        return false;
    }
    operands.push_back(
        drawTensor(getElementTypeOrSelf(operand.getType()), shape, number));
  }
  return true;
}

Tensor FlowInstance::drawTensor(Type element, ArrayRef<int64_t> shape,
                                unsigned operand) {
  Tensor tensor = *Tensor::allocate(element, shape);
  // Indices stay in range, and so do their substitutes.
  int64_t low = 0, end = 4;
  for (const graph::IndexUse &use : graph::getIndexUses(op))
    if (use.indices == op->getOperand(operand))
      for (const graph::IndexRange &range : use.ranges) {
        end = std::min(end, evaluate(range.end));
      }
  std::uniform_real_distribution<double> numbers(-2, 2);
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    if (isa<FloatType>(element))
      tensor.data()[i].number = numbers(random);
    else if (element.isInteger(1))
      tensor.data()[i].integer = random() % 2;
    else
      tensor.data()[i].integer =
          low + static_cast<int64_t>(random() % std::max<int64_t>(end, 1));
  }
  return tensor;
}

const graph::Shape FlowInstance::getShape(unsigned result) const {
  graph::Shape shape;
  for (int64_t size : results[result].getShape())
    shape.push_back(size);
  return shape;
}

static int64_t divideDown(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

Tensor FlowInstance::poison(unsigned number, const AxisAccess &access,
                            int64_t from, int64_t to) {
  const Tensor &tensor = operands[number];
  if (access.kind == AxisAccess::Kind::Shared ||
      access.kind == AxisAccess::Kind::Whole)
    return tensor;
  Tensor other = drawTensor(tensor.getElementType(), tensor.getShape(), number);
  bool isFloat = isa<FloatType>(tensor.getElementType());
  for (int64_t i = 0; i < other.getNumElements(); ++i)
    if (isFloat && random() % 2)
      other.data()[i].number = std::nan("");
    else if (tensor.getElementType().isInteger(1))
      other.data()[i].integer = 1 - tensor.data()[i].integer;
  if (access.kind == AxisAccess::Kind::Unread)
    return other;
  int64_t size = tensor.getShape()[access.axis];
  int64_t stride = evaluate(access.stride), divisor = evaluate(access.divisor);
  std::optional<int64_t> constant = access.stride.getConstant();
  if (constant)
    stride = *constant; // may be negative
  auto at = [&](int64_t index, const SymInt &offset) {
    int64_t shift = offset
                        .evaluate([&](StringRef name) {
                          return std::optional<int64_t>(symbols.lookup(name));
                        })
                        .value_or(0);
    int64_t place = divideDown(stride * index + shift, divisor);
    return std::clamp<int64_t>(place, 0, std::max<int64_t>(size - 1, 0));
  };
  int64_t begin = std::min(at(from, access.low), at(to - 1, access.low));
  int64_t end = std::max(at(from, access.high), at(to - 1, access.high)) + 1;
  int64_t inner = 1;
  for (int64_t one : tensor.getShape().drop_front(access.axis + 1))
    inner *= one;
  for (int64_t i = 0; i < other.getNumElements(); ++i) {
    int64_t index = i / inner % size;
    if (index >= begin && index < end)
      other.data()[i] = tensor.data()[i];
  }
  return other;
}

static bool isSameCell(Type element, const Cell &a, const Cell &b) {
  if (!isa<FloatType>(element))
    return a.integer == b.integer;
  return a.number == b.number || (std::isnan(a.number) && std::isnan(b.number));
}

std::string FlowInstance::checkAxis(unsigned result, unsigned axis,
                                    const graph::ResultAxisFlow &flow) {
  const Tensor &whole = results[result];
  int64_t size = whole.getShape()[axis], inner = 1;
  for (int64_t one : whole.getShape().drop_front(axis + 1))
    inner *= one;
  if (size < 2 || whole.getNumElements() == 0)
    return "";
  int64_t cut = 1 + random() % (size - 1);
  for (auto [from, to] : {std::pair<int64_t, int64_t>(0, cut),
                          std::pair<int64_t, int64_t>(cut, size)}) {
    SmallVector<Tensor> poisoned;
    for (unsigned number = 0; number < operands.size(); ++number)
      poisoned.push_back(poison(number, flow.operands[number], from, to));
    FailureOr<SmallVector<Tensor>> found =
        evaluateOp(op, poisoned, symbols, options);
    if (failed(found))
      return "a part can't be evaluated";
    const Tensor &part = (*found)[result];
    for (int64_t i = 0; i < whole.getNumElements(); ++i) {
      int64_t index = i / inner % size;
      if (index >= from && index < to &&
          !isSameCell(whole.getElementType(), whole.data()[i], part.data()[i]))
        return "axis " + std::to_string(axis) + ", part [" +
               std::to_string(from) + ", " + std::to_string(to) +
               "): element " + std::to_string(i) + " differs";
    }
  }
  ++checks;
  return "";
}

std::string FlowInstance::checkReduced(const graph::IndexForm &form,
                                       const graph::ReducedAxis &reduced) {
  Expr root = form.body;
  if (root.getKind() == graph::ExprKind::Cast)
    root = root->operands[0];
  unsigned number = llvm::find(root->vars, reduced.var) - root->vars.begin();
  int64_t size = evaluate(reduced.size);
  if (size < 2)
    return "";
  int64_t cut = 1 + random() % (size - 1);
  auto compute = [&](int64_t from, int64_t to, ArrayRef<Tensor> tensors) {
    SmallVector<Expr> extents(root->operands.begin(),
                              root->operands.begin() + root->vars.size());
    extents[number] = Expr::index(to - from);
    Expr body = graph::rewrite(root->operands.back(), [&](Expr node) -> Expr {
      if (node.getKind() == graph::ExprKind::Var && node->var == reduced.var)
        return Expr::addIndex(node, Expr::index(from));
      return {};
    });
    graph::IndexForm part = form;
    part.elementType = root->type;
    part.body = Expr::reduce(root->reduce, root->vars, extents,
                             root->operands[root->vars.size()], body);
    std::string error;
    return evaluateForm(part, tensors, symbols, options, error);
  };
  FailureOr<Tensor> whole = compute(0, size, operands);
  if (failed(whole))
    return "the reduction can't be evaluated";
  SmallVector<Tensor, 2> parts;
  for (auto [from, to] : {std::pair<int64_t, int64_t>(0, cut),
                          std::pair<int64_t, int64_t>(cut, size)}) {
    SmallVector<Tensor> poisoned(operands.begin(), operands.end());
    for (auto [operand, axis] : reduced.axes) {
      AxisAccess access;
      access.kind = AxisAccess::Kind::Sliced;
      access.axis = axis;
      poisoned[operand] = poison(operand, access, from, to);
    }
    FailureOr<Tensor> part = compute(from, to, poisoned);
    if (failed(part))
      return "a part can't be evaluated";
    parts.push_back(*part);
  }
  for (int64_t i = 0; i < whole->getNumElements(); ++i) {
    const Cell &a = parts[0].data()[i], &b = parts[1].data()[i];
    const Cell &expected = whole->data()[i];
    if (isa<FloatType>(root->type)) {
      double joined =
          reduced.kind == graph::ReduceKind::Sum    ? a.number + b.number
          : reduced.kind == graph::ReduceKind::Prod ? a.number * b.number
          : reduced.kind == graph::ReduceKind::Max
              ? std::max(a.number, b.number)
              : std::min(a.number, b.number);
      if (!(std::abs(joined - expected.number) <=
            1e-9 * (1 + std::abs(expected.number))))
        return "element " + std::to_string(i) + " of the joined parts differs";
    } else {
      int64_t joined =
          reduced.kind == graph::ReduceKind::Sum    ? a.integer + b.integer
          : reduced.kind == graph::ReduceKind::Prod ? a.integer * b.integer
          : reduced.kind == graph::ReduceKind::Max
              ? std::max(a.integer, b.integer)
              : std::min(a.integer, b.integer);
      if (joined != expected.integer)
        return "element " + std::to_string(i) + " of the joined parts differs";
    }
  }
  ++checks;
  return "";
}
