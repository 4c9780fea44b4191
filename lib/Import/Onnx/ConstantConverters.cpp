//===- ConstantConverters.cpp - constants, ranges, conditions -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;
using artifact::DType;

/// Reads a tensor attribute; the importer owns the tensor.
static const OnnxTensor *readAttrTensor(NodeContext &n,
                                        const TensorProto &proto) {
  llvm::Expected<OnnxTensor> tensor =
      readTensor(proto, n.getImporter().getFiles());
  if (!tensor) {
    n.error(llvm::toString(tensor.takeError()));
    return nullptr;
  }
  if (tensor->name.empty())
    tensor->name = n.getNode().output_size() ? n.getNode().output(0) : "";
  return n.getImporter().own(std::move(*tensor));
}

/// The importer keeps nodes of functions' subgraphs alive, so attributes can be
/// used in place.
static LogicalResult convertConstant(NodeContext &n) {
  if (n.numOutputs() == 0)
    return success();
  NodeContext::Output &output = n.getOutput(0);
  FactTensor fact;
  if (const AttributeProto *attr = n.find("value")) {
    output.constant = readAttrTensor(n, attr->t());
    return success(output.constant != nullptr);
  }
  if (const AttributeProto *attr = n.find("value_int")) {
    fact.elements.push_back(Fact(int64_t(attr->i())));
  } else if (auto ints = n.intsAttr("value_ints")) {
    if (ints->size() > static_cast<size_t>(maxFactElements))
      return n.fail("value_ints has " + Twine(ints->size()) + " elements");
    fact.shape = {static_cast<int64_t>(ints->size())};
    fact.elements.assign(ints->begin(), ints->end());
  } else if (const AttributeProto *attr = n.find("value_float")) {
    fact.dtype = DType::F32;
    fact.elements.push_back(Fact::number(attr->f()));
  } else if (auto floats = n.floatsAttr("value_floats")) {
    fact.dtype = DType::F32;
    fact.shape = {static_cast<int64_t>(floats->size())};
    for (double value : *floats)
      fact.elements.push_back(Fact::number(value));
  } else if (n.hasAttr("sparse_value")) {
    return n.fail("sparse tensors are not supported");
  } else if (n.hasAttr("value_string") || n.hasAttr("value_strings")) {
    return n.fail("strings are not supported");
  } else {
    return n.fail("the value is missing");
  }
  return n.finish(std::move(fact));
}

static LogicalResult convertConstantOfShape(NodeContext &n) {
  auto shape = n.sizes(0, "shape");
  if (failed(shape))
    return failure();
  Value value;
  if (const AttributeProto *attr = n.find("value")) {
    const OnnxTensor *tensor = readAttrTensor(n, attr->t());
    if (!tensor)
      return failure();
    if (tensor->numElements() != 1)
      return n.fail("the value has " + Twine(tensor->numElements()) +
                    " elements; expected 1");
    OnnxTensor scalar = *tensor;
    scalar.shape.clear();
    value = n.constant(scalar.toAttr(n.getContext()));
  } else {
    value = n.scalar(0, n.getBuilder().getF32Type());
  }
  return n.finish(n.broadcast(value, *shape));
}

/// Builds start + i * delta; the number of elements must be known at import.
static LogicalResult convertRange(NodeContext &n) {
  for (size_t i = 0; i < 3; ++i)
    if (!n.has(i))
      return n.fail("input " + Twine(i) + " is missing");
  Type type = n.type(0).getElementType();
  SymInt count;
  if (isFloat(type)) {
    auto start = n.numberInput(0, "start"), limit = n.numberInput(1, "limit"),
         delta = n.numberInput(2, "delta");
    if (failed(start) || failed(limit) || failed(delta))
      return failure();
    double number = std::ceil((*limit - *start) / *delta);
    if (!(number < 1e12))
      return n.fail("the range is too long");
    count = SymInt(static_cast<int64_t>(std::max(number, 0.0)));
  } else {
    auto start = n.sizes(0, "start"), limit = n.sizes(1, "limit");
    auto delta = n.integerInput(2, "delta");
    if (failed(start) || failed(limit) || failed(delta))
      return failure();
    if (start->size() != 1 || limit->size() != 1)
      return n.fail("start and limit must have one element");
    if (*delta == 0 || *delta == INT64_MIN)
      return n.fail("delta is " + Twine(*delta));
    SymInt span =
        *delta > 0 ? (*limit)[0] - (*start)[0] : (*start)[0] - (*limit)[0];
    count = SymInt::max(span.ceilDiv(SymInt(std::abs(*delta))), SymInt(0));
    if (n.numOutputs())
      n.getOutput(0).progression = std::make_shared<Progression>(
          Progression{(*start)[0], SymInt(*delta), count});
  }
  // Usually the range starts at 0 and has step 1.
  auto is = [&](size_t i, double value) {
    const FactTensor *fact = n.fact(i);
    return fact && fact->size() == 1 && fact->elements[0].getNumber() == value;
  };
  Value result = n.iota({count}, 0, type);
  if (!is(2, 1))
    result = n.mul(result, n.reshape(n.data(2), {}));
  if (!is(0, 0))
    result = n.add(result, n.reshape(n.data(0), {}));
  return n.finish(result);
}

/// Converts the selected branch; the condition must be known at import.
static LogicalResult convertIf(NodeContext &n) {
  auto condition = n.integerInput(0, "condition");
  if (failed(condition))
    return failure();
  StringRef name = *condition ? "then_branch" : "else_branch";
  const AttributeProto *branch = n.find(name);
  if (!branch || !branch->has_g())
    return n.fail("attribute " + name + " is missing");
  auto outputs = n.getImporter().inlineGraph(branch->g(), n.getScope());
  if (failed(outputs))
    return failure();
  if (outputs->size() != n.numOutputs())
    return n.fail("the branch has " + Twine(outputs->size()) +
                  " outputs; expected " + Twine(n.numOutputs()));
  for (auto [i, value] : llvm::enumerate(*outputs))
    n.getOutput(i).alias = value;
  return success();
}

ArrayRef<Operator> tenon::onnx::constantOperators() {
  constexpr Support D = Support::Direct, C = Support::Composed,
                    I = Support::Import;
  static const Operator table[] = {
      {"Constant", D, convertConstant, "no strings, no sparse tensors"},
      {"ConstantOfShape", C, convertConstantOfShape,
       "the shape known at import"},
      {"If", I, convertIf, "the condition known at import"},
      {"Range", C, convertRange, "the length known at import"},
  };
  return table;
}
