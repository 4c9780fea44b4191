//===- FactEvaluation.cpp - evaluation of operators on facts --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactEvaluation.h"

#include "SizeArithmetic.h"
#include "onnx.pb.h"
#include "tenon/Dialect/Graph/IR/SizeConditions.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"

#include <cmath>

using namespace tenon;
using namespace tenon::onnx;
using artifact::DType;
using graph::SymInt;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

/// Whether a product of two such integers cannot overflow. Valid models use
/// small integers; larger ones are not evaluated here.
static bool isSmall(const SymInt &value) {
  for (const auto &[monomial, coefficient] : value.getTerms())
    if (coefficient > (int64_t(1) << 31) || coefficient < -(int64_t(1) << 31))
      return false;
  return !value.isUnknown();
}

/// Returns 1 if `value` is at least 1, and otherwise 0.
static SymInt isPositive(const SymInt &value) {
  return SymInt::min(SymInt::max(value, SymInt(0)), SymInt(1));
}

/// The result of a comparison, 0 or 1; an expression if it depends on the
/// sizes.
static SymInt compare(llvm::StringRef op, const SymInt &a, const SymInt &b) {
  if (op == "Less")
    return isPositive(b - a);
  if (op == "LessOrEqual")
    return isPositive(b - a + SymInt(1));
  if (provablyEqual(a, b))
    return SymInt(1);
  if (provablyUnequal(a, b))
    return SymInt(0);
  return SymInt(1) - isPositive(SymInt::max(a - b, b - a));
}

static std::optional<Fact> applyToIntegers(llvm::StringRef op, const SymInt &a,
                                           const SymInt &b, bool isFloat,
                                           graph::Conditions conditions) {
  if (!isSmall(a) || !isSmall(b))
    return std::nullopt;
  std::optional<int64_t> x = a.getConstant(), y = b.getConstant();
  if (op == "Add")
    return simplify(a + b);
  if (op == "Sub")
    return simplify(a - b);
  if (op == "Mul")
    return simplify(a * b);
  if (op == "Max")
    return SymInt::max(a, b);
  if (op == "Min")
    return SymInt::min(a, b);
  if (op == "Div" && !isFloat) {
    if (x && y)
      return *y ? std::optional<Fact>(Fact(*x / *y)) : std::nullopt;
    // ONNX division truncates towards 0.
    if (isAtLeast(b, 0) && !(y && *y == 0)) {
      graph::requireNotNegative(conditions, b - SymInt(1),
                                "expected a divisor of at least 1, but got " +
                                    b.str());
      return simplify(SymInt::max(a.floorDiv(b), SymInt(0)) +
                      SymInt::min(a.ceilDiv(b), SymInt(0)));
    }
  }
  if (op == "Div" && isFloat && y && *y != 0) {
    // Use floordiv if the division has no remainder.
    SymInt quotient = a.floorDiv(b);
    if (!x && provablyEqual(quotient * b, a))
      return quotient;
  }
  if (op == "Mod" && !isFloat && !(y && *y <= 0) && isAtLeast(b, 0)) {
    graph::requireNotNegative(conditions, b - SymInt(1),
                              "expected a divisor of at least 1, but got " +
                                  b.str());
    return simplify(a.mod(b));
  }
  if (op == "Equal" || op == "Less" || op == "LessOrEqual") {
    if (x && y)
      return Fact(int64_t(op == "Equal"  ? *x == *y
                          : op == "Less" ? *x < *y
                                         : *x <= *y));
    return compare(op, a, b);
  }
  return std::nullopt;
}

static std::optional<Fact> applyToNumbers(llvm::StringRef op, double a,
                                          double b) {
  if (op == "Add")
    return Fact::number(a + b);
  if (op == "Sub")
    return Fact::number(a - b);
  if (op == "Mul")
    return Fact::number(a * b);
  if (op == "Div")
    return Fact::number(a / b);
  if (op == "Equal")
    return Fact(int64_t(a == b));
  if (op == "Less")
    return Fact(int64_t(a < b));
  if (op == "LessOrEqual")
    return Fact(int64_t(a <= b));
  if (std::isnan(a) || std::isnan(b))
    return std::nullopt;
  if (op == "Max")
    return Fact::number(std::max(a, b));
  if (op == "Min")
    return Fact::number(std::min(a, b));
  return std::nullopt;
}

std::optional<Fact> tenon::onnx::applyBinary(llvm::StringRef op, const Fact &a,
                                             const Fact &b, DType dtype,
                                             graph::Conditions conditions) {
  if (op == "Greater")
    return applyBinary("Less", b, a, dtype);
  if (op == "GreaterOrEqual")
    return applyBinary("LessOrEqual", b, a, dtype);
  bool isFloat = artifact::isFloat(dtype);
  const SymInt *x = a.getInteger(), *y = b.getInteger();
  if (x && y) {
    if (op == "And" || op == "Or" || op == "Xor") {
      if (dtype != DType::Bool)
        return std::nullopt;
      SymInt both = *x * *y;
      return Fact(simplify(op == "And"  ? both
                           : op == "Or" ? *x + *y - both
                                        : *x + *y - both - both));
    }
    if (std::optional<Fact> exact =
            applyToIntegers(op, *x, *y, isFloat, conditions))
      return exact;
  }
  std::optional<double> p = a.getNumber(), q = b.getNumber();
  if (!isFloat || !p || !q)
    return std::nullopt;
  return applyToNumbers(op, *p, *q);
}

static std::optional<Fact> applyUnary(llvm::StringRef op, const Fact &a,
                                      DType dtype) {
  const SymInt *x = a.getInteger();
  if (x && !isSmall(*x))
    return std::nullopt;
  if (x) {
    if (op == "Identity" || op == "Floor" || op == "Ceil" || op == "Round")
      return a;
    if (op == "Neg" && !(artifact::isFloat(dtype) && *x == SymInt(0)))
      return -*x;
    if (op == "Not" && dtype == DType::Bool)
      return SymInt(1) - *x;
    if (op == "Abs")
      return SymInt::max(*x, -*x);
    if (op == "Relu")
      return SymInt::max(*x, SymInt(0));
    if (op == "Sign")
      return isPositive(*x) - isPositive(-*x);
  }
  std::optional<double> number = a.getNumber();
  if (!number)
    return std::nullopt;
  if (op == "Abs")
    return Fact::number(std::fabs(*number));
  if (!artifact::isFloat(dtype))
    return std::nullopt;
  if (op == "Identity")
    return a;
  if (op == "Neg")
    return Fact::number(-*number);
  if (op == "Floor")
    return Fact::number(std::floor(*number));
  if (op == "Ceil")
    return Fact::number(std::ceil(*number));
  if (op == "Round")
    return Fact::number(std::nearbyint(*number));
  if (op == "Sqrt")
    return Fact::number(std::sqrt(*number));
  if (op == "Reciprocal")
    return Fact::number(1 / *number);
  return std::nullopt;
}

/// Evaluates ONNX's Cast; returns nullopt if the conversion would round a
/// symbol.
static std::optional<Fact> castFact(const Fact &a, DType from, DType to) {
  if (from == to)
    return a;
  if (to == DType::Bool) {
    const SymInt *integer = a.getInteger();
    if (integer && !integer->isConstant())
      return SymInt(1) - compare("Equal", *integer, SymInt(0));
    std::optional<double> number = a.getNumber();
    return number ? std::optional<Fact>(int64_t(*number != 0)) : std::nullopt;
  }
  if (artifact::isFloat(to)) {
    std::optional<double> number = a.getNumber();
    if (number && std::fabs(*number) >= maxExactNumber)
      return std::nullopt;
    return roundTo(to, a);
  }
  if (const SymInt *integer = a.getInteger()) {
    std::optional<int64_t> value = integer->getConstant();
    bool fits = to == DType::I64 ||
                (to == DType::I32 &&
                 (!value || (*value >= INT32_MIN && *value <= INT32_MAX))) ||
                (value && to == DType::I8 && *value >= -128 && *value < 128) ||
                (value && to == DType::U8 && *value >= 0 && *value < 256);
    return fits ? std::optional<Fact>(a) : std::nullopt;
  }
  std::optional<double> number = a.getNumber();
  if (!number || !(std::fabs(*number) < 2147483647.0) ||
      (to != DType::I64 && to != DType::I32))
    return std::nullopt;
  return Fact(static_cast<int64_t>(*number));
}

//===----------------------------------------------------------------------===//
// Elementwise operators
//===----------------------------------------------------------------------===//

std::optional<FactTensor>
tenon::onnx::broadcastFact(const FactTensor &x, llvm::ArrayRef<int64_t> shape) {
  if (x.shape.size() > shape.size())
    return std::nullopt;
  std::optional<int64_t> count = countElements(shape);
  if (!count)
    return std::nullopt;
  size_t offset = shape.size() - x.shape.size();
  for (size_t i = 0; i < x.shape.size(); ++i)
    if (x.shape[i] != 1 && x.shape[i] != shape[i + offset])
      return std::nullopt;
  FactTensor result;
  result.dtype = x.dtype;
  result.shape.assign(shape.begin(), shape.end());
  for (int64_t linear = 0; linear < *count; ++linear) {
    int64_t rest = linear, from = 0, stride = 1;
    for (size_t i = shape.size(); i-- > 0;) {
      int64_t position = rest % shape[i];
      rest /= shape[i];
      if (i < offset)
        continue;
      from += (x.shape[i - offset] == 1 ? 0 : position) * stride;
      stride *= x.shape[i - offset];
    }
    result.elements.push_back(x.elements[from]);
  }
  return result;
}

std::optional<llvm::SmallVector<int64_t>>
tenon::onnx::broadcastFactShapes(llvm::ArrayRef<const FactTensor *> tensors) {
  llvm::SmallVector<int64_t> shape;
  for (const FactTensor *tensor : tensors) {
    if (tensor->shape.size() > shape.size())
      shape.insert(shape.begin(), tensor->shape.size() - shape.size(), 1);
    for (size_t i = 0; i < tensor->shape.size(); ++i) {
      int64_t size = tensor->shape[i];
      int64_t &joined = shape[shape.size() - tensor->shape.size() + i];
      if (joined == 1)
        joined = size;
      else if (size != 1 && size != joined)
        return std::nullopt;
    }
  }
  return shape;
}

/// Whether the type can represent the value; otherwise arithmetic would wrap.
static bool fits(DType dtype, const Fact &value) {
  std::optional<int64_t> number = value.getConstantInteger();
  if (!number || artifact::isFloat(dtype) || dtype == DType::I64)
    return true;
  switch (dtype) {
  case DType::I32:
    return *number >= INT32_MIN && *number <= INT32_MAX;
  case DType::I8:
    return *number >= INT8_MIN && *number <= INT8_MAX;
  case DType::U8:
    return *number >= 0 && *number <= UINT8_MAX;
  default:
    return *number == 0 || *number == 1;
  }
}

static std::optional<FactTensor> binary(llvm::StringRef op, const FactTensor &a,
                                        const FactTensor &b,
                                        graph::Conditions conditions) {
  auto shape = broadcastFactShapes({&a, &b});
  if (!shape || a.dtype != b.dtype)
    return std::nullopt;
  auto left = broadcastFact(a, *shape), right = broadcastFact(b, *shape);
  if (!left || !right)
    return std::nullopt;
  FactTensor result;
  bool compares =
      op == "Equal" || op.starts_with("Less") || op.starts_with("Greater");
  result.dtype = compares ? DType::Bool : a.dtype;
  result.shape = *shape;
  for (size_t i = 0; i < left->elements.size(); ++i) {
    auto element = applyBinary(op, left->elements[i], right->elements[i],
                               a.dtype, conditions);
    if (!element)
      return std::nullopt;
    result.elements.push_back(roundTo(result.dtype, *element));
  }
  return result;
}

static std::optional<FactTensor>
map(const FactTensor &x, DType dtype,
    llvm::function_ref<std::optional<Fact>(const Fact &)> function) {
  FactTensor result;
  result.dtype = dtype;
  result.shape = x.shape;
  for (const Fact &element : x.elements) {
    std::optional<Fact> value = function(element);
    if (!value)
      return std::nullopt;
    result.elements.push_back(roundTo(dtype, *value));
  }
  return result;
}

static std::optional<FactTensor> where(const FactTensor &condition,
                                       const FactTensor &then,
                                       const FactTensor &otherwise) {
  auto shape = broadcastFactShapes({&condition, &then, &otherwise});
  if (!shape)
    return std::nullopt;
  auto c = broadcastFact(condition, *shape), t = broadcastFact(then, *shape),
       o = broadcastFact(otherwise, *shape);
  if (!c || !t || !o)
    return std::nullopt;
  for (size_t i = 0; i < c->elements.size(); ++i) {
    const SymInt *chosen = c->elements[i].getInteger();
    if (!chosen)
      return std::nullopt;
    if (std::optional<int64_t> constant = chosen->getConstant()) {
      if (!*constant)
        t->elements[i] = o->elements[i];
      continue;
    }
    // The condition is 0 or 1.
    const SymInt *yes = t->elements[i].getInteger(),
                 *no = o->elements[i].getInteger();
    if (!yes || !no || !isSmall(*yes) || !isSmall(*no))
      return std::nullopt;
    SymInt value = simplify(*no + *chosen * (*yes - *no));
    if (value.isUnknown())
      return std::nullopt;
    t->elements[i] = value;
  }
  return t;
}

static std::optional<FactTensor> elementwise(const FactQuery &query) {
  llvm::StringRef op = query.node.op_type();
  auto inputs = query.inputs;
  static const char *const unaries[] = {"Identity",   "Neg",   "Abs",  "Floor",
                                        "Ceil",       "Round", "Sqrt", "Not",
                                        "Reciprocal", "Relu",  "Sign"};
  static const char *const binaries[] = {
      "Add", "Sub", "Mul",         "Div",     "Equal",          "Less",
      "And", "Or",  "LessOrEqual", "Greater", "GreaterOrEqual", "Xor",
      "Mod"};
  if (llvm::is_contained(unaries, op) && inputs.size() == 1)
    return map(*inputs[0], inputs[0]->dtype, [&](const Fact &x) {
      return applyUnary(op, x, inputs[0]->dtype);
    });
  if (llvm::is_contained(binaries, op) && inputs.size() == 2 &&
      !(op == "Mod" && intAttr(query, "fmod", 0)) && !hasAttr(query, "axis"))
    return binary(op, *inputs[0], *inputs[1], query.conditions);
  if ((op == "Max" || op == "Min") && !inputs.empty()) {
    std::optional<FactTensor> result = *inputs[0];
    for (const FactTensor *input : inputs.drop_front())
      if (result)
        result = binary(op, *result, *input, query.conditions);
    return result;
  }
  if (op == "Where" && inputs.size() == 3)
    return where(*inputs[0], *inputs[1], *inputs[2]);
  if (op == "Cast" && inputs.size() == 1) {
    std::optional<DType> to = toDType(int32_t(intAttr(query, "to", 0)));
    if (!to)
      return std::nullopt;
    return map(*inputs[0], *to, [&](const Fact &x) {
      return castFact(x, inputs[0]->dtype, *to);
    });
  }
  if (op == "CastLike" && inputs.size() == 2)
    return map(*inputs[0], inputs[1]->dtype, [&](const Fact &x) {
      return castFact(x, inputs[0]->dtype, inputs[1]->dtype);
    });
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

int64_t tenon::onnx::intAttr(const FactQuery &query, llvm::StringRef name,
                             int64_t otherwise) {
  for (const AttributeProto &attr : query.node.attribute())
    if (attr.name() == name)
      return attr.i();
  return otherwise;
}

bool tenon::onnx::hasAttr(const FactQuery &query, llvm::StringRef name) {
  return llvm::any_of(query.node.attribute(), [&](const AttributeProto &attr) {
    return attr.name() == name;
  });
}

std::optional<int64_t>
tenon::onnx::countElements(llvm::ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t size : shape) {
    if (size < 0 || size > maxFactElements)
      return std::nullopt;
    count *= size;
    if (count > maxFactElements)
      return std::nullopt;
  }
  return count;
}

std::optional<std::vector<FactTensor>>
tenon::onnx::evaluateFacts(const FactQuery &query) {
  if (query.node.op_type() == "Split")
    return splitFact(query);
  std::optional<FactTensor> result = evaluateStructure(query);
  if (!result &&
      llvm::all_of(query.inputs, [](const FactTensor *x) { return x; }))
    result = elementwise(query);
  if (!result || !llvm::all_of(result->elements, [&](const Fact &element) {
        return fits(result->dtype, element);
      }))
    return std::nullopt;
  return std::vector<FactTensor>{std::move(*result)};
}
