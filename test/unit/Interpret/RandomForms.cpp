//===- RandomForms.cpp - random index forms -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomForms.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::interpret;

namespace {
class Generator {
public:
  Generator(std::mt19937_64 &random, MLIRContext *context)
      : random(random), builder(context) {}

  FormCase run() {
    types = {builder.getF32Type(),
             builder.getF64Type(),
             builder.getF16Type(),
             builder.getI32Type(),
             builder.getI64Type(),
             builder.getI8Type(),
             builder.getIntegerType(8, /*isSigned=*/false),
             builder.getI1Type()};
    FormCase result;
    unsigned rank = below(4);
    SmallVector<int64_t> shape;
    for (unsigned axis = 0; axis < rank; ++axis) {
      shape.push_back(1 + below(axis + 1 == rank ? 40 : 5));
      sizes[axis] = shape.back();
      scope.push_back(axis);
    }
    nextVar = rank;
    for (unsigned number = 0; number < 4; ++number)
      operands.push_back(makeTensor(number < 2 ? types[0] : pickType()));
    // One of indices.
    operands.push_back(makeTensor(types[4]));
    Type type = below(3) ? types[0] : pickType();
    Expr body = element(type, 4);
    result.form.elementType = type;
    for (int64_t size : shape)
      result.form.shape.push_back(SymInt(size));
    result.form.body = body;
    result.operands = operands;
    return result;
  }

private:
  uint64_t below(uint64_t end) { return random() % end; }
  Type pickType() { return types[below(types.size())]; }

  Tensor makeTensor(Type type) {
    SmallVector<int64_t> shape;
    int64_t count = 1;
    for (unsigned axis = below(4); axis > 0; --axis) {
      shape.push_back(1 + below(6));
      count *= shape.back();
    }
    std::vector<double> values;
    for (int64_t number = 0; number < count; ++number) {
      if (isa<FloatType>(type))
        values.push_back((static_cast<double>(below(65)) - 32) / 8);
      else if (type.isInteger(1))
        values.push_back(below(2));
      else
        values.push_back(static_cast<double>(below(12)) -
                         (type.isUnsignedInteger() ? 0 : 3));
    }
    return Tensor::of(type, shape, values);
  }

  /// Some index expression over the variables in scope.
  Expr freeIndex(unsigned depth) {
    if (depth == 0 || scope.empty() || below(4) == 0) {
      if (scope.empty() || below(4) == 0)
        return Expr::index(static_cast<int64_t>(below(7)) - 2);
      return Expr::var(scope[below(scope.size())]);
    }
    Expr a = freeIndex(depth - 1);
    switch (below(9)) {
    case 0:
    case 1:
      return Expr::addIndex(a, freeIndex(depth - 1));
    case 2:
      return Expr::subIndex(a, freeIndex(depth - 1));
    case 3:
      return Expr::mulIndex(a, Expr::index(static_cast<int64_t>(below(5)) - 1));
    case 4:
      return Expr::floorDivIndex(a, Expr::index(1 + below(4)));
    case 5:
      return Expr::modIndex(a, Expr::index(1 + below(5)));
    case 6:
      return Expr::minIndex(a, freeIndex(depth - 1));
    case 7:
      return Expr::selectIndex(condition(depth - 1), a, freeIndex(depth - 1));
    default:
      return Expr::fromElement(load(4, depth - 1));
    }
  }

  /// An index into an axis of `size` elements.
  Expr insideIndex(int64_t size, unsigned depth) {
    if (size == 1)
      return Expr::index(0);
    // A variable that fits, mostly: then the evaluators see that it does.
    if (below(2) && !scope.empty()) {
      unsigned var = scope[below(scope.size())];
      if (sizes[var] > 0 && sizes[var] <= size)
        return Expr::var(var);
    }
    Expr any = freeIndex(std::min(depth, 2u));
    if (below(2))
      return Expr::modIndex(any, Expr::index(size));
    return Expr::maxIndex(Expr::index(0),
                          Expr::minIndex(any, Expr::index(size - 1)));
  }

  Expr load(unsigned number, unsigned depth) {
    const Tensor &tensor = operands[number];
    SmallVector<Expr> indices;
    for (int64_t size : tensor.getShape())
      indices.push_back(insideIndex(size, depth));
    return Expr::load(number, indices, tensor.getElementType());
  }

  /// A load at any index, under a condition that it exists.
  Expr guardedLoad(unsigned number, unsigned depth) {
    const Tensor &tensor = operands[number];
    SmallVector<Expr> indices;
    Expr inside = Expr::always();
    for (int64_t size : tensor.getShape()) {
      indices.push_back(freeIndex(depth));
      inside = Expr::logicalAnd(
          inside, Expr::lessEqual(Expr::index(0), indices.back()));
      inside = Expr::logicalAnd(inside,
                                Expr::less(indices.back(), Expr::index(size)));
    }
    return Expr::select(inside,
                        Expr::load(number, indices, tensor.getElementType()),
                        Expr::constant(2, tensor.getElementType()));
  }

  Expr condition(unsigned depth) {
    Expr a = freeIndex(std::min(depth, 2u)), b = freeIndex(1);
    switch (below(7)) {
    case 0:
      return Expr::less(a, b);
    case 1:
      return Expr::lessEqual(a, b);
    case 2:
      return Expr::equal(a, b);
    case 3:
      return depth
                 ? Expr::logicalAnd(condition(depth - 1), condition(depth - 1))
                 : Expr::less(a, b);
    case 4:
      return depth ? Expr::logicalOr(condition(depth - 1), condition(depth - 1))
                   : Expr::less(a, b);
    case 5:
      return depth ? Expr::logicalNot(condition(depth - 1)) : Expr::less(a, b);
    default:
      return depth ? Expr::fromBool(element(types[7], depth - 1))
                   : Expr::lessEqual(a, b);
    }
  }

  Expr element(Type type, unsigned depth) {
    bool isFloat = isa<FloatType>(type);
    if (depth == 0 || below(6) == 0) {
      if (below(5) == 0)
        return Expr::constant(
            static_cast<double>(below(4)) + (isFloat ? 0.25 : 0), type);
      return Expr::cast(load(below(4), 1), type);
    }
    switch (below(8)) {
    case 0:
      return Expr::cast(guardedLoad(below(4), depth - 1), type);
    case 1:
      return Expr::cast(element(pickType(), depth - 1), type);
    case 2:
      return Expr::fromIndex(freeIndex(depth - 1), type);
    case 3:
      return Expr::select(condition(depth - 1), element(type, depth - 1),
                          element(type, depth - 1));
    case 4:
    case 5:
      return reduction(type, depth);
    default:
      return function(type, depth);
    }
  }

  Expr function(Type type, unsigned depth) {
    Expr a = element(type, depth - 1);
    auto pick = [&](ArrayRef<ScalarFn> fns) { return fns[below(fns.size())]; };
    if (type.isInteger(1)) {
      if (below(2)) {
        Type compared = types[below(5)];
        return Expr::apply(
            pick({ScalarFn::Equal, ScalarFn::Less, ScalarFn::LessEqual}),
            {element(compared, depth - 1), element(compared, depth - 1)});
      }
      return Expr::apply(pick({ScalarFn::And, ScalarFn::Or, ScalarFn::Xor}),
                         {a, element(type, depth - 1)});
    }
    bool isFloat = isa<FloatType>(type);
    if (below(3) == 0)
      return Expr::apply(
          isFloat ? pick({ScalarFn::Neg, ScalarFn::Abs, ScalarFn::Exp,
                          ScalarFn::Sqrt, ScalarFn::Floor, ScalarFn::Tanh,
                          ScalarFn::Sign, ScalarFn::Erf})
                  : pick({ScalarFn::Neg, ScalarFn::Abs, ScalarFn::Not,
                          ScalarFn::Sign}),
          {a});
    return Expr::apply(
        isFloat
            ? pick({ScalarFn::Add, ScalarFn::Sub, ScalarFn::Mul, ScalarFn::Div,
                    ScalarFn::Max, ScalarFn::Min, ScalarFn::Mod, ScalarFn::Pow})
            : pick({ScalarFn::Add, ScalarFn::Sub, ScalarFn::Mul, ScalarFn::Div,
                    ScalarFn::Max, ScalarFn::Min, ScalarFn::Mod,
                    ScalarFn::ShiftLeft, ScalarFn::ShiftRight, ScalarFn::Fmod}),
        {a, element(type, depth - 1)});
  }

  Expr reduction(Type type, unsigned depth) {
    if (nesting == 2)
      return function(type, depth);
    ++nesting;
    size_t outer = scope.size();
    SmallVector<unsigned> vars;
    SmallVector<Expr> extents;
    for (unsigned count = 1 + below(2); count > 0; --count) {
      vars.push_back(nextVar++);
      if (below(3) == 0 && !scope.empty()) {
        // A box that depends on outer variables.
        extents.push_back(
            Expr::addIndex(Expr::modIndex(freeIndex(1), Expr::index(4)),
                           Expr::index(below(2))));
        sizes[vars.back()] = 0;
      } else {
        int64_t size = 1 + below(5);
        extents.push_back(Expr::index(size));
        sizes[vars.back()] = size;
      }
      scope.push_back(vars.back());
    }
    Expr guard = Expr::always();
    if (below(2))
      guard = condition(2);
    if (below(4) == 0 && outer > 0)
      guard = Expr::logicalAnd(
          guard, Expr::equal(Expr::var(vars.front()),
                             Expr::addIndex(Expr::var(scope[below(outer)]),
                                            Expr::index(below(2)))));
    ReduceKind kind = static_cast<ReduceKind>(below(4));
    if (type.isInteger(1))
      kind = below(2) ? ReduceKind::Max : ReduceKind::Min;
    Expr body = below(3) ? element(type, depth - 1)
                         : Expr::apply(type.isInteger(1) ? ScalarFn::And
                                                         : ScalarFn::Mul,
                                       {Expr::cast(load(below(4), 1), type),
                                        Expr::cast(load(below(4), 1), type)});
    scope.resize(outer);
    --nesting;
    return Expr::reduce(kind, vars, extents, guard, body);
  }

  std::mt19937_64 &random;
  Builder builder;
  SmallVector<Type> types;
  std::vector<Tensor> operands;
  SmallVector<unsigned> scope;
  /// The value of every variable; 0 if it is not constant.
  llvm::DenseMap<unsigned, int64_t> sizes;
  unsigned nextVar = 0, nesting = 0;
};
} // namespace

FormCase tenon::interpret::makeRandomForm(std::mt19937_64 &random,
                                          MLIRContext *context) {
  return Generator(random, context).run();
}
