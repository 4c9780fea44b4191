//===- NodeContext.cpp - access of converters to their nodes --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NodeContext.h"

#include "tenon/Dialect/Graph/IR/SizeFacts.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using graph::Shape;

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

Value NodeContext::data(size_t i) {
  if (!has(i))
    return error("input " + Twine(i) + " is missing");
  return importer.materialize(*inputs[i]);
}

SmallVector<Value> NodeContext::allData() {
  SmallVector<Value> values;
  for (size_t i = 0; i < inputs.size(); ++i)
    values.push_back(data(i));
  return values;
}

const FactTensor *NodeContext::fact(size_t i) {
  return has(i) ? importer.getFact(*inputs[i]) : nullptr;
}

std::optional<Progression> NodeContext::progression(size_t i) {
  if (!has(i))
    return std::nullopt;
  if (inputs[i]->progression)
    return *inputs[i]->progression;
  const FactTensor *known = fact(i);
  if (!known || known->rank() != 1 || artifact::isFloat(known->dtype) ||
      known->dtype == artifact::DType::Bool || known->size() == 0)
    return std::nullopt;
  std::optional<Shape> values = known->getIntegers();
  if (!values)
    return std::nullopt;
  graph::SymInt delta =
      values->size() > 1 ? (*values)[1] - (*values)[0] : graph::SymInt(0);
  for (size_t at = 2; at < values->size(); ++at)
    if (!graph::provablyEqual((*values)[at] - (*values)[at - 1], delta))
      return std::nullopt;
  return Progression{values->front(), delta,
                     graph::SymInt(static_cast<int64_t>(values->size()))};
}

RankedTensorType NodeContext::type(size_t i) {
  return importer.getType(*inputs[i]);
}

/// `fact` is what the import knows of the value: of sizes, it is no number that
/// can be used here.
static std::string dependsOnData(StringRef what, const ImportedValue &value,
                                 const FactTensor *fact) {
  if (fact)
    return ("the " + what + ", '" + value.name +
            "', depends on sizes that are not known at import; expected a "
            "constant (--bind fixes a size)")
        .str();
  return ("the " + what + ", '" + value.name +
          "', depends on run-time data; expected a constant or a computation "
          "on shapes (--bind fixes an input to a constant)")
      .str();
}

StringRef NodeContext::whatDecides(ImportedValue &value) {
  return importer.getFact(value) ? "sizes that are not known at import"
                                 : "run-time data";
}

FailureOr<Shape> NodeContext::sizes(size_t i, StringRef what) {
  if (!has(i))
    return fail("input " + Twine(i) + " (" + what + ") is missing");
  const FactTensor *value = fact(i);
  std::optional<Shape> result = value ? value->getIntegers() : std::nullopt;
  if (!result)
    return fail(dependsOnData(what, *inputs[i], value));
  return *result;
}

FailureOr<SmallVector<int64_t>> NodeContext::integers(size_t i,
                                                      StringRef what) {
  FailureOr<Shape> values = sizes(i, what);
  if (failed(values))
    return failure();
  SmallVector<int64_t> result;
  for (const graph::SymInt &value : *values) {
    std::optional<int64_t> constant = value.getConstant();
    if (!constant)
      return fail("the " + what + " depends on the size " + value.str() +
                  "; expected a constant");
    result.push_back(*constant);
  }
  return result;
}

FailureOr<SmallVector<double>> NodeContext::numbers(size_t i, StringRef what) {
  if (!has(i))
    return fail("input " + Twine(i) + " (" + what + ") is missing");
  const FactTensor *value = fact(i);
  auto result = value ? value->getNumbers() : std::nullopt;
  if (!result)
    return fail(dependsOnData(what, *inputs[i], value));
  return *result;
}

FailureOr<int64_t> NodeContext::integerInput(size_t i, StringRef what) {
  auto values = integers(i, what);
  if (failed(values))
    return failure();
  if (values->size() != 1)
    return fail("the " + what + " has " + Twine(values->size()) +
                " elements; expected 1");
  return values->front();
}

FailureOr<double> NodeContext::numberInput(size_t i, StringRef what) {
  auto values = numbers(i, what);
  if (failed(values))
    return failure();
  if (values->size() != 1)
    return fail("the " + what + " has " + Twine(values->size()) +
                " elements; expected 1");
  return values->front();
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

const AttributeProto *NodeContext::find(StringRef name) const {
  for (const AttributeProto &attr : node.attribute())
    if (attr.name() == name)
      return &attr;
  return nullptr;
}

int64_t NodeContext::intAttr(StringRef name, int64_t otherwise) const {
  const AttributeProto *attr = find(name);
  return attr ? attr->i() : otherwise;
}

double NodeContext::floatAttr(StringRef name, double otherwise) const {
  const AttributeProto *attr = find(name);
  return attr ? attr->f() : otherwise;
}

StringRef NodeContext::stringAttr(StringRef name, StringRef otherwise) const {
  const AttributeProto *attr = find(name);
  return attr ? StringRef(attr->s()) : otherwise;
}

std::optional<SmallVector<int64_t>>
NodeContext::intsAttr(StringRef name) const {
  const AttributeProto *attr = find(name);
  if (!attr)
    return std::nullopt;
  return SmallVector<int64_t>(attr->ints().begin(), attr->ints().end());
}

std::optional<SmallVector<double>>
NodeContext::floatsAttr(StringRef name) const {
  const AttributeProto *attr = find(name);
  if (!attr)
    return std::nullopt;
  return SmallVector<double>(attr->floats().begin(), attr->floats().end());
}

SmallVector<std::string> NodeContext::stringsAttr(StringRef name) const {
  const AttributeProto *attr = find(name);
  if (!attr)
    return {};
  return SmallVector<std::string>(attr->strings().begin(),
                                  attr->strings().end());
}

FailureOr<int64_t> NodeContext::axis(int64_t value, int64_t rank) {
  if (value < -rank || value >= rank)
    return fail("axis " + Twine(value) + " is out of range; expected " +
                Twine(-rank) + " to " + Twine(rank - 1));
  return value < 0 ? value + rank : value;
}

FailureOr<SmallVector<int64_t>> NodeContext::axes(ArrayRef<int64_t> values,
                                                  int64_t rank) {
  SmallVector<int64_t> result;
  for (int64_t value : values) {
    FailureOr<int64_t> normal = axis(value, rank);
    if (failed(normal))
      return failure();
    result.push_back(*normal);
  }
  llvm::sort(result);
  if (std::adjacent_find(result.begin(), result.end()) != result.end())
    return fail("the axes are not distinct");
  return result;
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

LogicalResult NodeContext::finish(ArrayRef<Value> results) {
  if (hasFailed())
    return failure();
  if (outputs.size() > results.size()) {
    for (size_t i = results.size(); i < outputs.size(); ++i)
      if (wants(i))
        return fail("output " + Twine(i) +
                    " is not supported; expected at "
                    "most " +
                    Twine(results.size()) + " outputs");
  }
  for (auto [i, result] : llvm::enumerate(results)) {
    if (!result)
      return fail("the node has no result");
    if (i < outputs.size())
      outputs[i].data = result;
  }
  return success();
}

LogicalResult NodeContext::finish(FactTensor fact) {
  if (hasFailed())
    return failure();
  if (!outputs.empty())
    outputs[0].fact = std::make_shared<FactTensor>(std::move(fact));
  return success();
}
