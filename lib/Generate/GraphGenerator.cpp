//===- GraphGenerator.cpp - random graphs -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Generate/GraphGenerator.h"
#include "OpProposals.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

#include <cmath>

using namespace mlir;
using namespace tenon::generate;
using namespace tenon::graph;

/// Tensors stay small, so that the naive evaluation of a graph is quick.
static constexpr int64_t maxElements = 3000;

/// The number of elements when every symbol is 4.
static int64_t estimateElements(const Shape &shape) {
  int64_t count = 1;
  for (const SymInt &size : shape) {
    std::optional<int64_t> value =
        size.evaluate([](StringRef) { return std::optional<int64_t>(4); });
    if (!value || *value < 0)
      return INT64_MAX;
    count *= *value;
    if (count > maxElements)
      return count;
  }
  return count;
}

bool GraphGenerator::isSmall(const Shape &shape) {
  return estimateElements(shape) <= maxElements;
}

GraphGenerator::GraphGenerator(MLIRContext *context, uint64_t seed,
                               bool dynamic)
    : random(seed), builder(context), dynamic(dynamic) {}

void GraphGenerator::begin() {
  Location loc = builder.getUnknownLoc();
  module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  function = func::FuncOp::create(builder, loc, "main",
                                  builder.getFunctionType({}, {}));
  builder.setInsertionPointToEnd(function.addEntryBlock());
  values.clear();
  parameters = 0;
}

SmallVector<Value> GraphGenerator::getUnused() {
  SmallVector<Value> results;
  for (Operation &op : function.getBody().front())
    if (op.getNumOperands() != 0)
      for (Value result : op.getResults())
        if (result.use_empty())
          results.push_back(result);
  return results;
}

OwningOpRef<ModuleOp> GraphGenerator::finish(ValueRange results) {
  Block &body = function.getBody().front();
  func::ReturnOp::create(builder, builder.getUnknownLoc(), results);
  // Arguments that nothing uses stay: models have them too.
  SmallVector<Type> types;
  for (Value result : results)
    types.push_back(result.getType());
  function.setFunctionType(
      builder.getFunctionType(body.getArgumentTypes(), types));
  for (unsigned number = 0; number < body.getNumArguments(); ++number)
    function.setArgAttr(number, "graph.name",
                        builder.getStringAttr("x" + Twine(number)));
  for (unsigned number = 0; number < types.size(); ++number)
    function.setResultAttr(number, "graph.name",
                           builder.getStringAttr("y" + Twine(number)));
  return std::move(module);
}

/// Whether a small error of an operand may change the result by much.
static bool jumps(StringRef kind) {
  return llvm::is_contained({"floor",
                             "ceil",
                             "round",
                             "sign",
                             "less",
                             "less_equal",
                             "equal",
                             "argmax",
                             "argmin",
                             "hardmax",
                             "top_k",
                             "argmax_pool",
                             "mod",
                             "fmod",
                             "tan",
                             "cast",
                             "where",
                             "shrink",
                             "thresholded_relu",
                             "acos",
                             "asin",
                             "acosh",
                             "atanh",
                             "reciprocal",
                             "rsqrt",
                             "sqrt",
                             "pow",
                             "div",
                             "lp_pool",
                             "reduce_l2",
                             "reduce_log_sum",
                             "log"},
                            kind);
}

OwningOpRef<ModuleOp> GraphGenerator::generate(unsigned ops,
                                               const Proposal &special) {
  ScopedDiagnosticHandler silence(builder.getContext(),
                                  [](Diagnostic &) { return success(); });
  forcedElement = {};
  begin();
  newInput(anyShape(1, 4), anyFloat());
  unsigned added = 0;
  for (unsigned attempt = 0; added < ops && attempt < ops * 20; ++attempt) {
    if (special && chance(50)) {
      added += special(*this);
      continue;
    }
    const Kind &kind = kinds()[below(kinds().size())];
    avoidsComputed = jumps(kind.name);
    added += kind.add(*this);
  }
  avoidsComputed = false;
  return finish(getUnused());
}

OwningOpRef<ModuleOp> GraphGenerator::generateEach(StringRef name) {
  ScopedDiagnosticHandler silence(builder.getContext(),
                                  [](Diagnostic &) { return success(); });
  auto kind = llvm::find_if(
      kinds(), [&](const Kind &other) { return other.name == name; });
  begin();
  Type types[] = {builder.getF32Type(),
                  builder.getF64Type(),
                  builder.getF16Type(),
                  builder.getBF16Type(),
                  builder.getI64Type(),
                  builder.getI32Type(),
                  builder.getI8Type(),
                  builder.getIntegerType(8, /*isSigned=*/false),
                  i1()};
  bool any = false;
  for (Type type : types) {
    forcedElement = type;
    for (unsigned round = 0, fitting = 0; round < 12 && fitting < 2; ++round) {
      // New inputs each time: cases are independent.
      values.clear();
      fitting += kind->add(*this);
      any |= fitting > 0;
    }
  }
  forcedElement = {};
  if (!any)
    return {};
  return finish(getUnused());
}

const std::vector<GraphGenerator::Kind> &GraphGenerator::kinds() {
  static const std::vector<Kind> all = [] {
    std::vector<Kind> kinds;
    listPrimitives(kinds);
    listMovements(kinds);
    listComposites(kinds);
    return kinds;
  }();
  return all;
}

std::vector<std::string> GraphGenerator::listKinds() {
  std::vector<std::string> names;
  for (const Kind &kind : kinds())
    names.push_back(kind.name);
  return names;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

double GraphGenerator::number(double low, double high) {
  // A few digits, so that every element type reads the same number.
  double value = low + (high - low) * (random() % 1025) / 1024.0;
  return std::round(value * 8) / 8;
}

Type GraphGenerator::anyFloat() {
  if (forcedElement && isa<FloatType>(forcedElement))
    return forcedElement;
  switch (below(10)) {
  case 0:
    return builder.getF64Type();
  case 1:
    return builder.getF16Type();
  case 2:
    return builder.getBF16Type();
  default:
    return builder.getF32Type();
  }
}

Type GraphGenerator::anyInteger() {
  if (forcedElement && isInteger(forcedElement) && !isBool(forcedElement))
    return forcedElement;
  switch (below(6)) {
  case 0:
    return builder.getI8Type();
  case 1:
    return builder.getIntegerType(8, /*isSigned=*/false);
  case 2:
  case 3:
    return builder.getI32Type();
  default:
    return builder.getI64Type();
  }
}

Type GraphGenerator::anyElement() {
  if (forcedElement)
    return forcedElement;
  return chance(70) ? anyFloat() : chance(80) ? anyInteger() : i1();
}

Shape GraphGenerator::anyShape(unsigned minRank, unsigned maxRank,
                               int64_t maxSize) {
  Shape shape;
  unsigned rank = between(minRank, maxRank);
  for (unsigned axis = 0; axis < rank; ++axis)
    shape.push_back(SymInt(chance(5) ? 1 : between(1, maxSize)));
  if (chance(10) && rank > 0 && rank < 3)
    shape.back() = SymInt(between(17, 70)); // more than a vector
  if (dynamic && rank > 0 && chance(70))
    shape[chance(80) ? 0 : below(rank)] =
        SymInt::symbol(chance(80) ? "n" : "m");
  return shape;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value GraphGenerator::pickValue(llvm::function_ref<bool(RankedTensorType)> fits,
                                llvm::function_ref<Type()> element,
                                unsigned minRank, unsigned maxRank) {
  auto isGood = [&](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return type.getRank() >= minRank && type.getRank() <= maxRank && fits(type);
  };
  if (forcedElement) {
    if (!fits(RankedTensorType::get({}, forcedElement)))
      return {};
    return newInput(anyShape(minRank, maxRank), forcedElement);
  }
  if (!chance(12))
    for (unsigned attempt = 0; attempt < 12 && !values.empty(); ++attempt) {
      // Recent ones are taken more often: that makes graphs deep.
      size_t back =
          std::min<size_t>(below(values.size()), below(values.size()));
      Value value = values[values.size() - 1 - back];
      // Computed values are often at a tie: equal by construction, at the end
      // of an op's range, or coarse because of their type.
      Type type = getElementTypeOrSelf(value.getType());
      if (avoidsComputed && isFloat(type) && value.getDefiningOp() &&
          chance(type.getIntOrFloatBitWidth() == 16 ? 95 : 60))
        continue;
      if (isGood(value))
        return value;
    }
  return newInput(anyShape(minRank, maxRank), element());
}

Value GraphGenerator::pickFloat(unsigned minRank, unsigned maxRank) {
  return pickValue(
      [](RankedTensorType type) { return isFloat(type.getElementType()); },
      [&] { return anyFloat(); }, minRank, maxRank);
}

Value GraphGenerator::pickInteger(unsigned minRank, unsigned maxRank) {
  return pickValue(
      [](RankedTensorType type) {
        return isInteger(type.getElementType()) &&
               !isBool(type.getElementType());
      },
      [&] { return anyInteger(); }, minRank, maxRank);
}

Value GraphGenerator::pickNumber(unsigned minRank, unsigned maxRank) {
  return pickValue(
      [](RankedTensorType type) { return !isBool(type.getElementType()); },
      [&] { return chance(75) ? anyFloat() : anyInteger(); }, minRank, maxRank);
}

Value GraphGenerator::pickAny(unsigned minRank, unsigned maxRank) {
  return pickValue([](RankedTensorType) { return true; },
                   [&] { return anyElement(); }, minRank, maxRank);
}

Value GraphGenerator::pickSame(Value other) {
  if (!chance(25))
    for (unsigned attempt = 0; attempt < 16 && !values.empty(); ++attempt) {
      Value value = values[below(values.size())];
      if (value.getType() == other.getType() && value != other)
        return value;
    }
  Shape shape = getShape(other);
  Type element = getElementTypeOrSelf(other.getType());
  // Broadcast from a vector, a scalar, or with an axis of size 1.
  if (!shape.empty() && chance(50)) {
    Shape small(shape.begin() + below(shape.size()), shape.end());
    if (!small.empty() && chance(30))
      small[below(small.size())] = SymInt(1);
    Value base = chance(30) ? newConstant({}, element, number(-2, 2))
                            : newWeight(small, element);
    if (Value result = build("broadcast", {base}, {sizes("shape", shape)}))
      return result;
  }
  for (const SymInt &size : shape)
    if (!size.isConstant() && !size.getSymbol())
      return other; // an input can't have a computed size
  return newInput(shape, element);
}

Value GraphGenerator::newInput(const Shape &shape, Type element) {
  RankedTensorType type = getTensorType(shape, element);
  Value value =
      function.getBody().front().addArgument(type, builder.getUnknownLoc());
  values.push_back(value);
  return value;
}

Value GraphGenerator::newWeight(const Shape &shape, Type element) {
  RankedTensorType type = getTensorType(shape, element);
  if (!type.hasStaticShape() || chance(40))
    return newInput(shape, element);
  auto name = FlatSymbolRefAttr::get(builder.getContext(),
                                     "w" + std::to_string(parameters++));
  Value value = ParameterOp::create(builder, builder.getUnknownLoc(), type,
                                    name, /*buffer=*/StringAttr());
  values.push_back(value);
  return value;
}

Value GraphGenerator::newConstant(const Shape &shape, Type element,
                                  double value) {
  RankedTensorType type = getTensorType({}, element);
  Attribute scalar =
      isa<FloatType>(element)
          ? Attribute(builder.getFloatAttr(element, value))
          : Attribute(IntegerAttr::get(element, static_cast<int64_t>(value)));
  if (isa<IntegerType>(element) && element.isUnsignedInteger())
    scalar = IntegerAttr::get(
        element, llvm::APInt(8, static_cast<uint64_t>(std::abs(value)) & 255));
  Value result = ConstantOp::create(
      builder, builder.getUnknownLoc(),
      DenseElementsAttr::get(type, ArrayRef<Attribute>(scalar)));
  if (shape.empty())
    return result;
  return build("broadcast", {result}, {sizes("shape", shape)});
}

Value GraphGenerator::newIntegers(ArrayRef<int64_t> shape, Type element,
                                  int64_t low, int64_t high) {
  auto type = RankedTensorType::get(shape, element);
  SmallVector<Attribute> numbers;
  for (int64_t count = type.getNumElements(); count > 0; --count)
    numbers.push_back(IntegerAttr::get(element, between(low, high)));
  return ConstantOp::create(builder, builder.getUnknownLoc(),
                            DenseElementsAttr::get(type, numbers));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

NamedAttribute GraphGenerator::attribute(StringRef name, Attribute value) {
  return {builder.getStringAttr(name), value};
}
NamedAttribute GraphGenerator::ints(StringRef name, ArrayRef<int64_t> values) {
  return attribute(name, getInts(builder.getContext(), values));
}
NamedAttribute GraphGenerator::sizes(StringRef name, const Shape &shape) {
  return attribute(name, DimsAttr::get(builder.getContext(), shape));
}
NamedAttribute GraphGenerator::integer(StringRef name, int64_t value) {
  return attribute(name, builder.getI64IntegerAttr(value));
}
NamedAttribute GraphGenerator::real(StringRef name, double value) {
  return attribute(name, builder.getF64FloatAttr(value));
}
void GraphGenerator::maybe(Attributes &attributes, StringRef name) {
  if (chance(50))
    attributes.push_back(attribute(name, builder.getUnitAttr()));
}

Operation *GraphGenerator::add(StringRef name, ValueRange operands,
                               Attributes attributes) {
  for (Value operand : operands)
    if (!operand)
      return nullptr;
  OperationState state(builder.getUnknownLoc(), ("graph." + name).str());
  state.addOperands(operands);
  state.addAttributes(attributes);
  SmallVector<Type> types;
  // Inference reads properties, which an op of its own holds.
  Operation *draft = Operation::create(state);
  auto infer = dyn_cast<InferTypeOpInterface>(draft);
  bool fits =
      infer && succeeded(infer.inferReturnTypes(
                   builder.getContext(), state.location, draft->getOperands(),
                   draft->getAttrDictionary(), draft->getPropertiesStorage(),
                   draft->getRegions(), types));
  draft->destroy();
  for (Type type : types)
    fits &= isSmall(getShape(type));
  if (!fits)
    return nullptr;
  state.addTypes(types);
  Operation *op = builder.create(state);
  if (failed(verify(op))) {
    op->erase();
    return nullptr;
  }
  for (Value result : op->getResults())
    values.push_back(result);
  return op;
}

Value GraphGenerator::build(StringRef name, ValueRange operands,
                            Attributes attributes) {
  Operation *op = add(name, operands, std::move(attributes));
  return op ? op->getResult(0) : Value();
}
