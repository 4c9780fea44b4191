//===- GraphBuilder.cpp - builder of ops from untrusted parameters --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphBuilder.h"

#include "tenon/Dialect/Graph/IR/SizeFacts.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

/// No tensor of a valid model has more elements. Larger sizes mean that the
/// file is broken, and their products would overflow.
static constexpr int64_t maxElements = int64_t(1) << 46;

Type tenon::elementTypeOf(Value x) {
  return cast<RankedTensorType>(x.getType()).getElementType();
}

int64_t tenon::rankOf(Value x) {
  return cast<RankedTensorType>(x.getType()).getRank();
}

SymInt tenon::product(ArrayRef<SymInt> sizes) {
  SymInt result(1);
  for (const SymInt &size : sizes)
    result = result * size;
  return result;
}

Value GraphBuilder::error(const Twine &message) {
  startError() << message;
  return {};
}

InFlightDiagnostic GraphBuilder::startError() {
  hasError = true;
  return emitError(loc);
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

NamedAttribute GraphBuilder::dims(StringRef name, ArrayRef<SymInt> values) {
  return attr(name, DimsAttr::get(getContext(), values));
}
NamedAttribute GraphBuilder::dims(StringRef name, ArrayRef<int64_t> values) {
  return attr(name, getInts(getContext(), values));
}
NamedAttribute GraphBuilder::integer(StringRef name, int64_t value) {
  return attr(name, builder.getI64IntegerAttr(value));
}
NamedAttribute GraphBuilder::number(StringRef name, double value) {
  return attr(name, builder.getF64FloatAttr(value));
}
NamedAttribute GraphBuilder::flag(StringRef name) {
  return attr(name, builder.getUnitAttr());
}
NamedAttribute GraphBuilder::type(StringRef name, Type type) {
  return attr(name, TypeAttr::get(type));
}
NamedAttribute GraphBuilder::attr(StringRef name, Attribute value) {
  return builder.getNamedAttr(name, value);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool GraphBuilder::checkOperands(ValueRange operands) {
  for (Value operand : operands)
    if (!isa<RankedTensorType>(operand.getType())) {
      startError() << "expected a ranked tensor, but got " << operand.getType();
      return false;
    }
  return true;
}

SmallVector<Value> GraphBuilder::finish(OperationState &state) {
  for (Type type : state.types) {
    int64_t elements = 1;
    for (int64_t size : llvm::cast<RankedTensorType>(type).getShape()) {
      if (ShapedType::isDynamic(size) || size == 0)
        continue;
      if (size > maxElements / elements) {
        startError() << "the result of '" << state.name << "', " << type
                     << ", is too large; expected at most " << maxElements
                     << " elements";
        return {};
      }
      elements *= size;
    }
  }
  Operation *op = builder.create(state);
  if (failed(verify(op))) {
    hasError = true;
    op->erase();
    return {};
  }
  return llvm::to_vector(ValueRange(op->getResults()));
}

Value GraphBuilder::copy(Operation *op, ValueRange operands, AttrList attrs) {
  if (llvm::is_contained(operands, Value()) || !checkOperands(operands))
    return {};
  Operation *made = op->cloneWithoutRegions();
  made->setOperands(operands);
  for (NamedAttribute attr : attrs)
    made->setAttr(attr.getName(), attr.getValue());
  auto inference = llvm::cast<InferTypeOpInterface>(made);
  SmallVector<Type> types;
  if (failed(inference.inferReturnTypes(
          getContext(), loc, made->getOperands(), made->getRawDictionaryAttrs(),
          made->getPropertiesStorage(), made->getRegions(), types)) ||
      types.size() != 1) {
    hasError = true;
    made->destroy();
    return {};
  }
  made->getResult(0).setType(types.front());
  builder.insert(made);
  if (succeeded(verify(made)))
    return made->getResult(0);
  hasError = true;
  made->erase();
  return {};
}

Value GraphBuilder::add(Value a, Value b) { return binary<AddOp>(a, b); }
Value GraphBuilder::sub(Value a, Value b) { return binary<SubOp>(a, b); }
Value GraphBuilder::mul(Value a, Value b) { return binary<MulOp>(a, b); }
Value GraphBuilder::div(Value a, Value b) { return binary<DivOp>(a, b); }
Value GraphBuilder::maximum(Value a, Value b) {
  return binary<MaximumOp>(a, b);
}
Value GraphBuilder::minimum(Value a, Value b) {
  return binary<MinimumOp>(a, b);
}
Value GraphBuilder::equal(Value a, Value b) { return binary<EqualOp>(a, b); }
Value GraphBuilder::less(Value a, Value b) { return binary<LessOp>(a, b); }

Value GraphBuilder::where(Value condition, Value then, Value otherwise) {
  Value all[] = {condition, then, otherwise};
  if (!broadcastTogether(all))
    return {};
  return op<WhereOp>(all);
}

Value GraphBuilder::matmul(Value a, Value b, bool transposeA, bool transposeB) {
  SmallVector<NamedAttribute> attrs;
  if (transposeA)
    attrs.push_back(flag("transpose_a"));
  if (transposeB)
    attrs.push_back(flag("transpose_b"));
  return op<MatmulOp>({a, b}, attrs);
}

Value GraphBuilder::cast(Value x, Type elementType) {
  if (!x || elementTypeOf(x) == elementType)
    return x;
  return op<CastOp>({x}, {type("to", elementType)});
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value GraphBuilder::constant(DenseElementsAttr value) {
  return ConstantOp::create(builder, loc, value);
}

static Attribute elementAttr(double value, Type elementType) {
  if (isa<FloatType>(elementType))
    return FloatAttr::get(elementType, value);
  return IntegerAttr::get(elementType,
                          APInt(elementType.getIntOrFloatBitWidth(),
                                static_cast<int64_t>(value),
                                /*isSigned=*/true, /*implicitTrunc=*/true));
}

Value GraphBuilder::scalar(double value, Type elementType) {
  return constant(DenseElementsAttr::get(RankedTensorType::get({}, elementType),
                                         elementAttr(value, elementType)));
}

Value GraphBuilder::scalarLike(double value, Value like) {
  return like ? scalar(value, elementTypeOf(like)) : Value();
}

Value GraphBuilder::splat(double value, ArrayRef<SymInt> shape,
                          Type elementType) {
  return broadcast(scalar(value, elementType), shape);
}

Value GraphBuilder::indices(ArrayRef<int64_t> values) {
  return constant(builder.getI64TensorAttr(values));
}

Value GraphBuilder::iota(ArrayRef<SymInt> shape, int64_t axis,
                         Type elementType) {
  return op<IotaOp>({}, {dims("shape", shape), integer("axis", axis),
                         type("element", elementType)});
}

namespace {
/// Computes polynomials with graph ops.
class SizeComputation {
public:
  explicit SizeComputation(GraphBuilder &b) : b(b) {}

  Value compute(const SymInt &value) {
    Type i64 = b.getBuilder().getI64Type();
    if (value.isUnknown())
      return b.error("expected a size that the shapes of the model's inputs "
                     "determine, but got one that depends on data");
    Value sum;
    for (const auto &[monomial, coefficient] : value.getTerms()) {
      Value term;
      for (const SymInt::AtomRef &atom : monomial.atoms) {
        Value factor = compute(*atom);
        term = term ? b.mul(term, factor) : factor;
      }
      if (!term)
        term = integer(coefficient);
      else if (coefficient != 1)
        term = b.mul(term, integer(coefficient));
      sum = sum ? b.add(sum, term) : term;
    }
    return sum ? sum : b.scalar(0, i64);
  }

private:
  Value integer(int64_t value) {
    Type i64 = b.getBuilder().getI64Type();
    return b.constant(
        DenseElementsAttr::get(RankedTensorType::get({}, i64),
                               Attribute(IntegerAttr::get(i64, value))));
  }

  Value compute(const SymInt::Atom &atom) {
    if (atom.kind == SymInt::AtomKind::Symbol) {
      // Take the last element of 0, 1, ..., n.
      SymInt n = SymInt::symbol(atom.name);
      Value positions = b.iota({n + SymInt(1)}, 0, b.getBuilder().getI64Type());
      return b.squeeze(b.slice(positions, 0, n, SymInt(1)), {0});
    }
    Value lhs = compute(*atom.lhs), rhs = compute(*atom.rhs);
    if (atom.kind == SymInt::AtomKind::Max)
      return b.maximum(lhs, rhs);
    if (atom.kind == SymInt::AtomKind::Min)
      return b.minimum(lhs, rhs);
    // x - x mod d is a multiple of d, so the rounding of the division does not
    // matter.
    return b.div(b.sub(lhs, b.binary<ModOp>(lhs, rhs)), rhs);
  }

  GraphBuilder &b;
};
} // namespace

Value GraphBuilder::size(const SymInt &value) {
  return SizeComputation(*this).compute(value);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

/// Whether `size`, such as that of x[:1], is 1 or 0, and 0 only if `target` is
/// 0 as well: then it broadcasts to `target` for all sizes.
static bool isOneOrEmpty(const SymInt &size, const SymInt &target) {
  return provablyAtLeast(SymInt(1), size) &&
         provablyAtLeast(size * target, target);
}

/// The size to which numpy broadcasts both sizes.
static std::optional<SymInt> joinSizes(const SymInt &a, const SymInt &b) {
  if (a.getConstant() == 1)
    return b;
  if (b.getConstant() == 1)
    return a;
  if (provablyEqual(a, b))
    return b.isConstant() || b.str().size() < a.str().size() ? b : a;
  if (isOneOrEmpty(a, b))
    return b;
  if (isOneOrEmpty(b, a))
    return a;
  if (a.isUnknown() || b.isUnknown() || provablyUnequal(a, b))
    return std::nullopt;
  // Either one size is 1, or both are equal. Only the latter is supported, and
  // the op that needs it checks it at run time.
  if (a.isConstant() != b.isConstant())
    return a.isConstant() ? a : b;
  return b.str().size() < a.str().size() ? b : a;
}

std::optional<Shape> GraphBuilder::broadcastShapes(ArrayRef<Shape> shapes) {
  size_t rank = 0;
  for (const Shape &shape : shapes)
    rank = std::max(rank, shape.size());
  Shape result(rank, SymInt(1));
  for (const Shape &shape : shapes)
    for (size_t i = 0; i < shape.size(); ++i) {
      const SymInt &size = shape[i];
      SymInt &joined = result[rank - shape.size() + i];
      std::optional<SymInt> both = joinSizes(joined, size);
      if (!both) {
        error("sizes " + joined.str() + " and " + size.str() +
              " can't be broadcast; expected equal sizes or 1");
        return std::nullopt;
      }
      joined = *both;
    }
  return result;
}

std::optional<Shape> GraphBuilder::expandShape(ArrayRef<SymInt> from,
                                               ArrayRef<SymInt> wanted) {
  std::optional<Shape> shape = broadcastShapes({Shape(from), Shape(wanted)});
  if (!shape)
    return std::nullopt;
  for (size_t i = 0; i < wanted.size(); ++i) {
    SymInt &size = (*shape)[shape->size() - wanted.size() + i];
    if (wanted[i].getConstant() != 1 && !provablyEqual(wanted[i], size) &&
        !isOneOrEmpty(wanted[i], size))
      size = wanted[i];
  }
  return shape;
}

Value GraphBuilder::broadcast(Value x, ArrayRef<SymInt> shape) {
  if (!x)
    return {};
  Shape from = getShape(x);
  if (ArrayRef<SymInt>(from) == shape)
    return x;
  // An axis that may be empty is padded to one element, which is read only if
  // there is a result: graph.broadcast repeats axes of size 1.
  size_t missing = shape.size() - std::min(shape.size(), from.size());
  SmallVector<SymInt> low(from.size(), SymInt(0)), high = low;
  bool pads = false;
  for (size_t i = 0; i < from.size() && missing + i < shape.size(); ++i)
    if (!from[i].isConstant() && !provablyEqual(from[i], shape[missing + i]) &&
        isOneOrEmpty(from[i], shape[missing + i])) {
      high[i] = SymInt(1) - from[i];
      pads = true;
    }
  if (pads)
    x = op<PadOp>(
        {x}, {dims("low", low), dims("high", high),
              attr("mode", PadModeAttr::get(getContext(), PadMode::Constant)),
              number("value", 0)});
  return op<BroadcastOp>({x}, {dims("shape", shape)});
}

bool GraphBuilder::broadcastInto(Value &x, Value &wanted) {
  if (!x || !wanted)
    return false;
  Shape shape = getShape(wanted);
  std::optional<Shape> both = broadcastShapes({getShape(x), shape});
  if (!both)
    return false;
  bool fits = both->size() == shape.size();
  for (size_t i = 0; i < shape.size() && fits; ++i)
    fits = shape[i].getConstant() != 1 || (*both)[i].getConstant() == 1;
  if (!fits) {
    error("an operand of rank " + Twine(getShape(x).size()) +
          " can't be broadcast to the shape of the other");
    return false;
  }
  x = broadcast(x, *both);
  wanted = broadcast(wanted, *both);
  return x && wanted;
}

bool GraphBuilder::broadcastTogether(MutableArrayRef<Value> values) {
  SmallVector<Shape> shapes;
  for (Value value : values) {
    if (!value)
      return false;
    shapes.push_back(getShape(value));
  }
  std::optional<Shape> shape = broadcastShapes(shapes);
  if (!shape)
    return false;
  for (Value &value : values)
    if (!(value = broadcast(value, *shape)))
      return false;
  return true;
}

Value GraphBuilder::reshape(Value x, ArrayRef<SymInt> shape) {
  if (!x || ArrayRef<SymInt>(getShape(x)) == shape)
    return x;
  return op<ReshapeOp>({x}, {dims("shape", shape)});
}

Value GraphBuilder::transpose(Value x, ArrayRef<int64_t> perm) {
  return op<TransposeOp>({x}, {dims("perm", perm)});
}

Value GraphBuilder::unsqueeze(Value x, ArrayRef<int64_t> axes) {
  if (!x)
    return {};
  Shape shape = getShape(x);
  for (int64_t axis : axes) {
    if (axis < 0 || axis > static_cast<int64_t>(shape.size()))
      return error("axis " + Twine(axis) + " to insert is out of range");
    shape.insert(shape.begin() + axis, SymInt(1));
  }
  return reshape(x, shape);
}

Value GraphBuilder::squeeze(Value x, ArrayRef<int64_t> axes) {
  if (!x)
    return {};
  Shape shape;
  for (auto [axis, size] : llvm::enumerate(getShape(x)))
    if (!llvm::is_contained(axes, static_cast<int64_t>(axis)))
      shape.push_back(size);
  return reshape(x, shape);
}

Value GraphBuilder::slice(Value x, int64_t axis, const SymInt &start,
                          const SymInt &size, int64_t step) {
  if (!x)
    return {};
  if (axis < 0 || axis >= rankOf(x))
    return error("axis " + Twine(axis) +
                 " is out of range for a tensor of "
                 "rank " +
                 Twine(rankOf(x)));
  Shape sizes = getShape(x);
  SmallVector<SymInt> starts(sizes.size(), SymInt(0));
  SmallVector<SymInt> steps(sizes.size(), SymInt(1));
  sizes[axis] = size;
  starts[axis] = start;
  steps[axis] = SymInt(step);
  return op<SliceOp>({x}, {dims("starts", starts), dims("sizes", sizes),
                           dims("steps", steps)});
}

Value GraphBuilder::concat(ValueRange parts, int64_t axis) {
  if (parts.size() == 1)
    return parts.front();
  return op<ConcatOp>(parts, {integer("axis", axis)});
}

Value GraphBuilder::reverse(Value x, int64_t axis) {
  return op<ReverseOp>({x}, {dims("axes", ArrayRef<int64_t>(axis))});
}

Value GraphBuilder::gather(Value x, Value indices, int64_t axis) {
  return op<GatherOp>({x, indices}, {integer("axis", axis)});
}

Value GraphBuilder::alongAxis(Value x, int64_t axis, int64_t rank) {
  if (!x)
    return {};
  if (rankOf(x) != 1)
    return error("expected a vector, but got a tensor of rank " +
                 Twine(rankOf(x)));
  Shape shape(rank - axis, SymInt(1));
  shape[0] = getShape(x)[0];
  return reshape(x, shape);
}
