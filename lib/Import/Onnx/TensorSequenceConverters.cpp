//===- TensorSequenceConverters.cpp - sequences of tensors ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sequences exist only at import, as lists of values with a known length. Loops
// that build or read one are unrolled.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

/// Longer sequences are rejected.
static constexpr size_t maxLength = 1 << 16;

/// Input `i` as a sequence; null after an error.
static const TensorSequence *sequenceOf(NodeContext &n, size_t i) {
  if (!n.has(i)) {
    n.error("input " + Twine(i) + " is missing");
    return nullptr;
  }
  const TensorSequence *sequence = n.getImported(i)->sequence.get();
  if (n.getImported(i)->stackedElements)
    n.error("input '" + n.getImported(i)->name +
            "' is a sequence whose length depends on sizes; only its length "
            "and ConcatFromSequence are supported");
  else if (!sequence)
    n.error("input '" + n.getImported(i)->name +
            "' is a tensor; expected a sequence");
  return sequence;
}

static LogicalResult finishSequence(NodeContext &n, TensorSequence elements) {
  if (n.hasFailed())
    return failure();
  if (elements.size() > maxLength)
    return n.fail("the sequence has " + Twine(elements.size()) +
                  " elements; expected at most " + Twine(maxLength));
  if (n.numOutputs())
    n.getOutput(0).sequence =
        std::make_shared<TensorSequence>(std::move(elements));
  return success();
}

/// Returns position input `i` of a sequence, in [0, count); `otherwise` if the
/// input is absent.
static FailureOr<int64_t> positionOf(NodeContext &n, size_t i, int64_t count,
                                     int64_t otherwise) {
  int64_t position = otherwise;
  if (n.has(i)) {
    auto given = n.integerInput(i, "position");
    if (failed(given))
      return failure();
    position = *given;
  }
  int64_t normal = position < 0 ? position + count : position;
  if (normal < 0 || normal >= count)
    return n.fail("position " + Twine(position) +
                  " is out of range for a sequence of " + Twine(count) +
                  " places");
  return normal;
}

static LogicalResult convertEmpty(NodeContext &n) {
  return finishSequence(n, {});
}

static LogicalResult convertConstruct(NodeContext &n) {
  TensorSequence elements;
  for (size_t i = 0; i < n.numInputs(); ++i) {
    if (!n.has(i))
      return n.fail("input " + Twine(i) + " is missing");
    elements.push_back(n.getImported(i));
  }
  return finishSequence(n, std::move(elements));
}

static LogicalResult convertInsert(NodeContext &n) {
  const TensorSequence *sequence = sequenceOf(n, 0);
  if (!sequence)
    return failure();
  if (!n.has(1) || n.getImported(1)->isSequence())
    return n.fail("input 1 is missing or is a sequence; expected a tensor");
  int64_t count = sequence->size();
  // A new element may also be inserted after the last one; -1 means before the
  // last one.
  int64_t position = count;
  if (n.has(2)) {
    auto given = n.integerInput(2, "position");
    if (failed(given))
      return failure();
    position = *given < 0 ? *given + count : *given;
    if (position < 0 || position > count)
      return n.fail("position " + Twine(*given) +
                    " is out of range; expected " + Twine(-count) + " to " +
                    Twine(count));
  }
  TensorSequence elements = *sequence;
  elements.insert(elements.begin() + position, n.getImported(1));
  return finishSequence(n, std::move(elements));
}

static LogicalResult convertErase(NodeContext &n) {
  const TensorSequence *sequence = sequenceOf(n, 0);
  if (!sequence)
    return failure();
  auto position = positionOf(n, 1, sequence->size(), -1);
  if (failed(position))
    return failure();
  TensorSequence elements = *sequence;
  elements.erase(elements.begin() + *position);
  return finishSequence(n, std::move(elements));
}

static LogicalResult convertAt(NodeContext &n) {
  const TensorSequence *sequence = sequenceOf(n, 0);
  if (!sequence)
    return failure();
  if (!n.has(1))
    return n.fail("input 1 (position) is missing");
  auto position = positionOf(n, 1, sequence->size(), 0);
  if (failed(position))
    return failure();
  if (n.numOutputs())
    n.getOutput(0).alias = (*sequence)[*position];
  return success();
}

static LogicalResult convertLength(NodeContext &n) {
  if (n.has(0) && n.getImported(0)->stackedElements)
    return n.finish(FactTensor::scalar(
        getShape(n.getImported(0)->stackedElements).front()));
  const TensorSequence *sequence = sequenceOf(n, 0);
  if (!sequence)
    return failure();
  return n.finish(
      FactTensor::scalar(SymInt(static_cast<int64_t>(sequence->size()))));
}

/// The concatenated elements, if they are known at import and short.
static std::optional<FactTensor> concatFacts(NodeContext &n,
                                             const TensorSequence &sequence,
                                             int64_t axis, bool isNew) {
  std::vector<FactTensor> parts;
  for (ImportedValue *element : sequence) {
    const FactTensor *fact = n.getImporter().getFact(*element);
    if (!fact)
      return std::nullopt;
    parts.push_back(*fact);
    if (isNew) {
      auto &shape = parts.back().shape;
      if (axis > static_cast<int64_t>(shape.size()))
        return std::nullopt;
      shape.insert(shape.begin() + axis, 1);
    }
  }
  NodeProto node;
  node.set_op_type("Concat");
  AttributeProto *attr = node.add_attribute();
  attr->set_name("axis");
  attr->set_i(axis);
  SmallVector<const FactTensor *> inputs;
  for (const FactTensor &part : parts)
    inputs.push_back(&part);
  auto results = evaluateFacts({node, n.getOpset(), inputs});
  return results ? std::optional<FactTensor>(results->front()) : std::nullopt;
}

/// Concatenates the rows of `stacked` along `axis` of a row, or along a new
/// axis at its place.
static LogicalResult concatRows(NodeContext &n, Value stacked) {
  bool isNew = n.intAttr("new_axis", 0) != 0;
  int64_t rank = rankOf(stacked) - 1;
  FailureOr<int64_t> axis = n.axisAttr("axis", 0, rank + isNew);
  if (failed(axis))
    return failure();
  SmallVector<int64_t> perm = llvm::to_vector(llvm::seq<int64_t>(1, rank + 1));
  perm.insert(perm.begin() + *axis, 0);
  Value x = *axis == 0 ? stacked : n.transpose(stacked, perm);
  if (!x || isNew)
    return n.finish(x);
  Shape shape = getShape(x);
  shape[*axis] = shape[*axis] * shape[*axis + 1];
  shape.erase(shape.begin() + *axis + 1);
  return n.finish(n.reshape(x, shape));
}

static LogicalResult convertConcat(NodeContext &n) {
  if (n.has(0) && n.getImported(0)->stackedElements)
    return concatRows(n, n.getImported(0)->stackedElements);
  const TensorSequence *sequence = sequenceOf(n, 0);
  if (!sequence)
    return failure();
  if (sequence->empty())
    return n.fail("the sequence is empty; expected at least 1 element");
  if (!n.hasAttr("axis"))
    return n.fail("attribute axis is missing");
  bool isNew = n.intAttr("new_axis", 0) != 0;
  int64_t rank = n.getImporter().getType(*sequence->front()).getRank();
  FailureOr<int64_t> axis = n.axisAttr("axis", 0, rank + isNew);
  if (failed(axis))
    return failure();
  if (auto fact = concatFacts(n, *sequence, *axis, isNew))
    return n.finish(std::move(*fact));
  SmallVector<Value> parts;
  for (ImportedValue *element : *sequence) {
    Value part = n.getImporter().materialize(*element);
    parts.push_back(isNew ? n.unsqueeze(part, {*axis}) : part);
  }
  return n.finish(n.concat(parts, *axis));
}

/// The sizes of the parts along the axis; nullopt after an error.
static std::optional<Shape> partSizes(NodeContext &n, const SymInt &total,
                                      bool isVector) {
  if (isVector) {
    auto sizes = n.sizes(1, "split");
    return failed(sizes) ? std::nullopt : std::optional<Shape>(*sizes);
  }
  int64_t each = 1;
  if (n.has(1)) {
    auto given = n.integerInput(1, "split");
    if (failed(given))
      return std::nullopt;
    each = *given;
  }
  std::optional<int64_t> size = total.getConstant();
  if (!size) {
    n.error("the number of parts of size " + Twine(each) +
            " depends on the size " + total.str() + "; expected a constant");
    return std::nullopt;
  }
  if (each < 1 || (*size + each - 1) / each > static_cast<int64_t>(maxLength)) {
    n.error("parts of size " + Twine(each) + " of an axis of size " +
            Twine(*size) + "; expected 1 to " + Twine(maxLength) + " parts");
    return std::nullopt;
  }
  Shape sizes;
  for (int64_t left = *size; left > 0; left -= each)
    sizes.push_back(SymInt(std::min(each, left)));
  return sizes;
}

static LogicalResult convertSplit(NodeContext &n) {
  if (!n.has(0))
    return n.fail("input 0 is missing");
  const FactTensor *fact = n.fact(0);
  Shape shape = n.shape(0);
  FailureOr<int64_t> axis = n.axisAttr("axis", 0, shape.size());
  if (failed(axis))
    return failure();
  bool isVector = n.has(1) && n.rank(1) == 1;
  auto sizes = partSizes(n, shape[*axis], isVector);
  if (!sizes)
    return failure();
  bool dropsAxis = !n.has(1) && !n.intAttr("keepdims", 1);

  TensorSequence elements;
  // Elements known at import are still known.
  if (fact && fact->rank() == 1) {
    int64_t begin = 0;
    for (const SymInt &size : *sizes) {
      std::optional<int64_t> count = size.getConstant();
      if (!count || *count < 0 || *count > fact->size() - begin)
        return n.fail("a part of size " + size.str() + " does not fit; " +
                      Twine(fact->size() - begin) + " elements are left");
      FactTensor part;
      part.dtype = fact->dtype;
      if (!dropsAxis)
        part.shape = {*count};
      part.elements.assign(fact->elements.begin() + begin,
                           fact->elements.begin() + begin + *count);
      begin += *count;
      elements.push_back(n.getImporter().newValue(std::move(part), n.getLoc()));
    }
    if (begin != fact->size())
      return n.fail("the parts have " + Twine(begin) + " elements; expected " +
                    Twine(fact->size()));
    return finishSequence(n, std::move(elements));
  }
  Value x = n.data(0);
  if (!x)
    return failure();
  SmallVector<Value> parts;
  if (!sizes->empty())
    parts = n.ops<SplitOp>({x},
                           {n.integer("axis", *axis), n.dims("sizes", *sizes)});
  for (Value part : parts) {
    if (dropsAxis)
      part = n.squeeze(part, {*axis});
    if (!part)
      return failure();
    elements.push_back(n.getImporter().newValue(part, n.getLoc()));
  }
  return finishSequence(n, std::move(elements));
}

/// Converts the body for each element. Tensors among the further inputs are
/// passed unchanged, sequences element by element.
static LogicalResult convertMap(NodeContext &n) {
  const TensorSequence *sequence = sequenceOf(n, 0);
  if (!sequence)
    return failure();
  const AttributeProto *body = n.find("body");
  if (!body || !body->has_g())
    return n.fail("attribute body is missing");
  for (size_t i = 1; i < n.numInputs(); ++i)
    if (!n.has(i) || (n.getImported(i)->sequence &&
                      n.getImported(i)->sequence->size() != sequence->size()))
      return n.fail("input " + Twine(i) +
                    " is missing or differs in length from input 0");
  std::vector<TensorSequence> results(n.numOutputs());
  for (size_t at = 0; at < sequence->size(); ++at) {
    SmallVector<ImportedValue *> inputs = {(*sequence)[at]};
    for (size_t i = 1; i < n.numInputs(); ++i) {
      ImportedValue *input = n.getImported(i);
      inputs.push_back(input->sequence ? (*input->sequence)[at] : input);
    }
    auto outputs = n.getImporter().unrollStep(body->g(), n.getScope(), inputs);
    if (failed(outputs))
      return failure();
    if (outputs->size() < results.size())
      return n.fail("the body has " + Twine(outputs->size()) +
                    " outputs; expected " + Twine(results.size()));
    for (size_t i = 0; i < results.size(); ++i)
      results[i].push_back((*outputs)[i]);
  }
  for (size_t i = 0; i < results.size(); ++i)
    n.getOutput(i).sequence =
        std::make_shared<TensorSequence>(std::move(results[i]));
  return success(!n.hasFailed());
}

ArrayRef<Operator> tenon::onnx::tensorSequenceOperators() {
  constexpr Support I = Support::Import;
  static const Operator table[] = {
      {"ConcatFromSequence", Support::Composed, convertConcat,
       "of a sequence of known length", true},
      {"SequenceAt", I, convertAt, "the position known at import", true},
      {"SequenceConstruct", I, convertConstruct, ""},
      {"SequenceEmpty", I, convertEmpty, ""},
      {"SequenceErase", I, convertErase, "the position known at import", true},
      {"SequenceInsert", I, convertInsert, "the position known at import",
       true},
      {"SequenceLength", I, convertLength, "", true},
      {"SequenceMap", Support::Composed, convertMap, "unrolled", true},
      {"SplitToSequence", Support::Composed, convertSplit,
       "the number of parts known at import"},
  };
  return table;
}
