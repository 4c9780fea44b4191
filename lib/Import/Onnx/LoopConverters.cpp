//===- LoopConverters.cpp - Loop and Scan, unrolled -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DynamicLoop.h"
#include "Operators.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

/// Loops with more steps are not unrolled.
static constexpr int64_t maxSteps = 1024;

using Imported = SmallVector<ImportedValue *>;

/// Returns the body if it is present and has few enough steps to be unrolled.
static const GraphProto *bodyOf(NodeContext &n, int64_t steps) {
  const AttributeProto *attr = n.find("body");
  if (!attr || !attr->has_g()) {
    n.error("attribute body is missing");
    return nullptr;
  }
  int64_t nodes = attr->g().node_size(), most = GraphImporter::maxUnrolledNodes;
  if (steps > maxSteps || steps * nodes > most) {
    n.error("unrolling " + Twine(steps) + " steps of " + Twine(nodes) +
            " nodes makes the graph too large; expected at most " +
            Twine(maxSteps) + " steps and " + Twine(most) + " nodes");
    return nullptr;
  }
  return &attr->g();
}

/// Returns a step's output as a tensor to be stacked; null after an error.
static Value tensorOf(NodeContext &n, ImportedValue &value) {
  if (value.isSequence())
    return n.error("'" + value.name +
                   "' is a sequence; expected a tensor for each step");
  return n.getImporter().materialize(value);
}

/// Concatenates the outputs of all steps along a new axis.
static Value stack(NodeContext &n, ArrayRef<Value> parts, int64_t axis) {
  SmallVector<Value> slices;
  for (Value part : parts)
    slices.push_back(n.unsqueeze(part, {axis}));
  return n.concat(slices, axis);
}

/// What no steps stack: the body's outputs from `first` on, with no element
/// along a new axis. One step is converted for their shapes, and erased again.
static FailureOr<SmallVector<Value>>
stackNothing(NodeContext &n, const GraphProto &body,
             ArrayRef<ImportedValue *> step, size_t first,
             ArrayRef<int64_t> axes) {
  GraphImporter &importer = n.getImporter();
  Block &block = importer.getEntryBlock();
  Operation *before = block.empty() ? nullptr : &block.back();
  auto outputs = importer.unrollStep(body, n.getScope(), step);
  if (failed(outputs))
    return failure();
  SmallVector<std::pair<Shape, Type>> types;
  for (auto [number, output] :
       llvm::enumerate(ArrayRef(*outputs).drop_front(first))) {
    Value part = tensorOf(n, *output);
    if (!part)
      return failure();
    FailureOr<int64_t> axis = n.axis(axes[number], rankOf(part) + 1);
    if (failed(axis))
      return failure();
    Shape shape = getShape(part);
    shape.insert(shape.begin() + *axis, SymInt(0));
    types.push_back({shape, getElementTypeOrSelf(part)});
  }
  Operation *last = block.empty() ? nullptr : &block.back();
  while (last && last != before && last != importer.getLastConstant()) {
    Operation *previous = last->getPrevNode();
    if (isOpTriviallyDead(last))
      last->erase();
    last = previous;
  }
  SmallVector<Value> stacked;
  for (const auto &[shape, type] : types)
    stacked.push_back(n.splat(0, shape, type));
  return stacked;
}

static LogicalResult convertScan(NodeContext &n) {
  if (n.getOpset() < 9)
    return n.fail("Scan before opset 9, with a batch axis, is not supported");
  int64_t count = n.intAttr("num_scan_inputs", 0), total = n.numInputs();
  if (count < 1 || count > total)
    return n.fail("num_scan_inputs is " + Twine(count) + "; expected 1 to " +
                  Twine(total));
  int64_t states = total - count;
  auto listOf = [&](StringRef name, size_t size) {
    auto list = n.intsAttr(name).value_or(SmallVector<int64_t>());
    list.resize(size, 0);
    return list;
  };
  auto axes = listOf("scan_input_axes", count);
  auto reversed = listOf("scan_input_directions", count);
  SmallVector<Value> scanned;
  std::optional<int64_t> steps;
  for (int64_t i = 0; i < count; ++i) {
    if (n.has(states + i) && n.getImported(states + i)->isSequence())
      return n.fail("input " + Twine(states + i) +
                    " is a sequence; expected a tensor");
    Value x = n.data(states + i);
    if (!x)
      return failure();
    FailureOr<int64_t> axis = n.axis(axes[i], rankOf(x));
    if (failed(axis))
      return failure();
    axes[i] = *axis;
    std::optional<int64_t> size = getShape(x)[*axis].getConstant();
    if (!size || (steps && *steps != *size))
      return n.fail("a scanned axis has size " + getShape(x)[*axis].str() +
                    "; expected equal constants");
    steps = size;
    scanned.push_back(x);
  }
  const GraphProto *body = bodyOf(n, *steps);
  if (!body)
    return failure();
  if (body->output_size() < states || body->output_size() - states > 4096)
    return n.fail("the body has too few outputs");

  Imported state;
  for (int64_t i = 0; i < states; ++i) {
    if (!n.has(i))
      return n.fail("input " + Twine(i) + " is missing");
    state.push_back(n.getImported(i));
  }
  size_t numStacked = body->output_size() - states;
  SmallVector<SmallVector<Value>> stacked(numStacked);
  for (int64_t step = 0; step < *steps; ++step) {
    Imported inputs = state;
    for (int64_t i = 0; i < count; ++i) {
      int64_t at = reversed[i] ? *steps - 1 - step : step;
      Value part = n.squeeze(
          n.slice(scanned[i], axes[i], SymInt(at), SymInt(1)), {axes[i]});
      if (!part)
        return failure();
      inputs.push_back(n.getImporter().newValue(part, n.getLoc()));
    }
    auto outputs = n.getImporter().unrollStep(*body, n.getScope(), inputs);
    if (failed(outputs))
      return failure();
    state.assign(outputs->begin(), outputs->begin() + states);
    for (size_t i = 0; i < numStacked; ++i)
      stacked[i].push_back(tensorOf(n, *(*outputs)[states + i]));
    if (n.hasFailed())
      return failure();
  }
  auto outAxes = listOf("scan_output_axes", numStacked);
  auto outReversed = listOf("scan_output_directions", numStacked);
  SmallVector<Value> empty;
  if (*steps == 0) {
    Imported inputs = state;
    for (int64_t i = 0; i < count; ++i) {
      Shape shape = getShape(scanned[i]);
      shape.erase(shape.begin() + axes[i]);
      Value part = n.splat(0, shape, getElementTypeOrSelf(scanned[i]));
      inputs.push_back(n.getImporter().newValue(part, n.getLoc()));
    }
    auto stackedNothing = stackNothing(n, *body, inputs, states, outAxes);
    if (failed(stackedNothing))
      return failure();
    empty = *stackedNothing;
  }
  for (size_t i = 0; i < n.numOutputs(); ++i) {
    if (static_cast<int64_t>(i) < states) {
      n.getOutput(i).alias = state[i];
      continue;
    }
    size_t number = i - states;
    if (number < empty.size()) {
      n.getOutput(i).data = empty[number];
      continue;
    }
    if (number >= numStacked || !stacked[number].front())
      return n.fail("the body has no output for output " + Twine(i));
    SmallVector<Value> parts = stacked[number];
    if (outReversed[number])
      std::reverse(parts.begin(), parts.end());
    FailureOr<int64_t> axis = n.axis(outAxes[number], rankOf(parts[0]) + 1);
    if (failed(axis))
      return failure();
    n.getOutput(i).data = stack(n, parts, *axis);
  }
  return success(!n.hasFailed());
}

/// The value as a constant condition; nullopt if it is not constant.
static std::optional<bool> conditionOf(NodeContext &n, ImportedValue &value) {
  const FactTensor *fact = n.getImporter().getFact(value);
  if (!fact || fact->size() != 1)
    return std::nullopt;
  std::optional<int64_t> number = fact->elements[0].getConstantInteger();
  return number ? std::optional<bool>(*number != 0) : std::nullopt;
}

/// An input's single integer, if it is known at import but depends on sizes.
static std::optional<SymInt> symbolicInput(NodeContext &n, size_t i) {
  const FactTensor *fact = n.fact(i);
  const SymInt *value =
      fact && fact->size() == 1 ? fact->elements[0].getInteger() : nullptr;
  return value && !value->isConstant() ? std::optional<SymInt>(*value)
                                       : std::nullopt;
}

/// The trip count and the conditions must be known at import.
static LogicalResult convertLoop(NodeContext &n) {
  std::optional<SymInt> dynamicTrips = symbolicInput(n, 0),
                        dynamicCondition = symbolicInput(n, 1);
  if (dynamicTrips || dynamicCondition) {
    const AttributeProto *attr = n.find("body");
    if (!attr || !attr->has_g())
      return n.fail("attribute body is missing");
    auto valueOf = [&](size_t i) -> std::optional<SymInt> {
      const FactTensor *fact = n.fact(i);
      return fact && fact->size() == 1 && fact->elements[0].getInteger()
                 ? std::optional<SymInt>(*fact->elements[0].getInteger())
                 : std::nullopt;
    };
    std::optional<SymInt> trips = valueOf(0), condition = valueOf(1);
    if ((n.has(0) && !trips) || (n.has(1) && !condition))
      return n.fail("the trip count or the condition depends on " +
                    n.whatDecides(*n.getImported(n.has(0) && !trips ? 0 : 1)));
    return convertDynamicLoop(n, attr->g(), trips,
                              condition.value_or(SymInt(1)));
  }
  int64_t trips = maxSteps;
  bool hasTrips = false;
  if (n.has(0)) {
    auto count = n.integerInput(0, "trip count");
    if (failed(count))
      return failure();
    // PyTorch writes `while` with the largest count.
    hasTrips = *count != INT64_MAX;
    if (hasTrips)
      trips = std::max<int64_t>(*count, 0);
  }
  bool running = true;
  if (n.has(1)) {
    auto first = n.integerInput(1, "condition");
    if (failed(first))
      return failure();
    running = *first;
  }
  const GraphProto *body = bodyOf(n, running && hasTrips ? trips : 0);
  if (!body)
    return failure();
  Imported state;
  for (size_t i = 2; i < n.numInputs(); ++i) {
    if (!n.has(i))
      return n.fail("input " + Twine(i) + " is missing");
    state.push_back(n.getImported(i));
  }
  size_t states = state.size();
  if (static_cast<size_t>(body->output_size()) < states + 1)
    return n.fail("the body has " + Twine(body->output_size()) +
                  " outputs; expected at least " + Twine(states + 1));
  SmallVector<SmallVector<Value>> stacked(body->output_size() - states - 1);
  GraphImporter &importer = n.getImporter();
  FactTensor yes = FactTensor::scalar(SymInt(1));
  yes.dtype = artifact::DType::Bool;
  for (int64_t step = 0; running && step < trips; ++step) {
    Imported inputs = {
        importer.newValue(FactTensor::scalar(SymInt(step)), n.getLoc()),
        importer.newValue(yes, n.getLoc())};
    inputs.append(state);
    auto outputs = importer.unrollStep(*body, n.getScope(), inputs);
    if (failed(outputs))
      return failure();
    std::optional<bool> goesOn = conditionOf(n, *(*outputs)[0]);
    if (!goesOn)
      return n.fail("the condition after step " + Twine(step) + " depends on " +
                    n.whatDecides(*(*outputs)[0]));
    running = *goesOn;
    if (running && !hasTrips && step + 1 == trips)
      return n.fail("the loop does not end within " + Twine(maxSteps) +
                    " steps");
    state.assign(outputs->begin() + 1, outputs->begin() + 1 + states);
    for (size_t i = 0; i < stacked.size(); ++i)
      stacked[i].push_back(tensorOf(n, *(*outputs)[states + 1 + i]));
    if (n.hasFailed())
      return failure();
  }
  SmallVector<Value> empty;
  if (!stacked.empty() && stacked.front().empty()) {
    Imported inputs = {
        importer.newValue(FactTensor::scalar(SymInt(0)), n.getLoc()),
        importer.newValue(yes, n.getLoc())};
    inputs.append(state);
    auto stackedNothing = stackNothing(n, *body, inputs, 1 + states,
                                       SmallVector<int64_t>(stacked.size(), 0));
    if (failed(stackedNothing))
      return failure();
    empty = *stackedNothing;
  }
  for (size_t i = 0; i < n.numOutputs(); ++i) {
    if (i < states) {
      n.getOutput(i).alias = state[i];
      continue;
    }
    size_t number = i - states;
    if (number < empty.size()) {
      n.getOutput(i).data = empty[number];
      continue;
    }
    if (number >= stacked.size() || !stacked[number].front())
      return n.fail("the body has no output for output " + Twine(i));
    n.getOutput(i).data = stack(n, stacked[number], 0);
  }
  return success(!n.hasFailed());
}

ArrayRef<Operator> tenon::onnx::loopOperators() {
  static const Operator table[] = {
      {"Loop", Support::Composed, convertLoop,
       "unrolled, or all steps at once where their number depends on sizes: "
       "trip count and conditions known at import",
       true},
      {"Scan", Support::Composed, convertScan,
       "unrolled: a static length, opset 9 on", true},
  };
  return table;
}
