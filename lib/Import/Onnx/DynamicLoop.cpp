//===- DynamicLoop.cpp - loops with a size-dependent number of steps ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body is imported for one step, whose number is a symbol. Conditions and
// counters are then expressions over that symbol and determine the number of
// steps. The computation of the step is batched over all steps.
//
//===----------------------------------------------------------------------===//

#include "DynamicLoop.h"

#include "StepBatching.h"

#include "tenon/Dialect/Graph/IR/SizeFacts.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

/// Returns 1 if `value` is at least 1, and otherwise 0.
static SymInt isPositive(const SymInt &value) {
  return SymInt::min(SymInt::max(value, SymInt(0)), SymInt(1));
}

static bool mentions(const SymInt &value, StringRef step) {
  bool found = false;
  value.visitSymbols([&](StringRef name) { found |= name == step; });
  return found;
}

/// Returns a value's single integer, if it is known at import.
static std::optional<SymInt> integerOf(NodeContext &n, ImportedValue &value) {
  if (value.isSequence())
    return std::nullopt;
  const FactTensor *fact = n.getImporter().getFact(value);
  if (!fact || fact->size() != 1 || !fact->elements[0].getInteger())
    return std::nullopt;
  return *fact->elements[0].getInteger();
}

static void collectOperands(const SymInt &value, std::vector<SymInt> &into) {
  into.push_back(value);
  for (const auto &[monomial, coefficient] : value.getTerms())
    for (const SymInt::AtomRef &atom : monomial.atoms)
      if (atom->kind != SymInt::AtomKind::Symbol) {
        collectOperands(*atom->lhs, into);
        collectOperands(*atom->rhs, into);
      }
}

/// The number of steps after which the condition `goesOn`, computed by step
/// number `step`, becomes false and stays false.
static std::optional<SymInt> stepsUntilFalse(const SymInt &goesOn,
                                             StringRef step) {
  SymInt k = SymInt::symbol(step);
  std::vector<SymInt> parts;
  collectOperands(goesOn, parts);
  for (const SymInt &part : parts)
    for (int64_t offset : {1, 0, 2}) {
      SymInt count = part + k + SymInt(offset);
      if (!count.isUnknown() && !mentions(count, step) &&
          provablyEqual(goesOn, isPositive(count - SymInt(1) - k)))
        return count;
    }
  return std::nullopt;
}

namespace {
class DynamicLoop {
public:
  DynamicLoop(NodeContext &n, const GraphProto &body)
      : n(n), importer(n.getImporter()), body(body),
        step(importer.newStepName()), k(SymInt::symbol(step)) {}

  LogicalResult convert(std::optional<SymInt> trips, const SymInt &condition) {
    if (failed(readStates()) || failed(countSteps(trips, condition)))
      return failure();
    Block &block = importer.getEntryBlock();
    Operation *before = block.empty() ? nullptr : &block.back();
    {
      SizeAssumption inside(numSteps - SymInt(1) - k);
      auto results = importer.unrollStep(body, n.getScope(), makeInputs());
      if (failed(results))
        return failure();
      outputs.assign(results->begin(), results->end());
    }
    return batch(before);
  }

private:
  LogicalResult fail(const Twine &why) {
    return n.fail("the number of steps depends on sizes, and " + why);
  }

  LogicalResult readStates() {
    for (size_t i = 2; i < n.numInputs(); ++i) {
      if (!n.has(i))
        return n.fail("input " + Twine(i) + " is missing");
      ImportedValue *value = n.getImported(i);
      if (value->stackedElements ||
          (value->sequence && !value->sequence->empty()))
        return fail("state " + Twine(i - 2) +
                    " is not an empty sequence at first");
      initial.push_back(value);
      rises.push_back(SymInt(1));
    }
    if (static_cast<size_t>(body.output_size()) < initial.size() + 1)
      return n.fail("the body has " + Twine(body.output_size()) +
                    " outputs; expected at least " + Twine(initial.size() + 1));
    marker = importer.newValue(FactTensor::scalar(SymInt(0)), n.getLoc());
    return success();
  }

  /// Returns the state at step k.
  ImportedValue *stateAt(size_t i) {
    ImportedValue &first = *initial[i];
    if (first.sequence) {
      ImportedValue *value = importer.newValue(Value(), n.getLoc());
      value->sequence =
          std::make_shared<TensorSequence>(TensorSequence{marker});
      return value;
    }
    std::optional<SymInt> start = integerOf(n, first);
    if (!start || rises[i] == SymInt(0))
      return &first;
    FactTensor fact = *importer.getFact(first);
    fact.elements = {Fact(*start + rises[i] * k)};
    return importer.newValue(std::move(fact), n.getLoc());
  }

  SmallVector<ImportedValue *> makeInputs() {
    FactTensor yes = FactTensor::scalar(SymInt(1));
    yes.dtype = artifact::DType::Bool;
    inputs = {importer.newValue(FactTensor::scalar(k), n.getLoc()),
              importer.newValue(std::move(yes), n.getLoc())};
    for (size_t i = 0; i < initial.size(); ++i)
      inputs.push_back(stateAt(i));
    return inputs;
  }

  /// Determines the increments of the counters and the number of steps for
  /// which the condition holds.
  LogicalResult countSteps(std::optional<SymInt> trips,
                           const SymInt &condition) {
    std::optional<SymInt> goesOn;
    bool changed = true;
    for (unsigned attempt = 0; changed; ++attempt) {
      auto results = importer.tryStep(body, n.getScope(), makeInputs());
      if (failed(results) || attempt > 2)
        return fail("the body can't be converted for a symbolic step number");
      changed = false;
      for (size_t i = 0; i < initial.size(); ++i) {
        std::optional<SymInt> from = integerOf(n, *inputs[2 + i]),
                              to = integerOf(n, *(*results)[1 + i]);
        if (!from)
          continue;
        SymInt rise = to ? simplify(*to - *from) : SymInt::unknown();
        if (rise.isUnknown() || mentions(rise, step))
          return fail("state " + Twine(i) + " is not a counter");
        changed |= rises[i] != rise;
        rises[i] = rise;
      }
      goesOn = integerOf(n, *(*results)[0]);
    }
    if (!goesOn)
      return fail("the condition after a step is no expression of sizes and "
                  "of the step's number");
    std::optional<SymInt> count;
    if (!provablyEqual(*goesOn, SymInt(1))) {
      count = stepsUntilFalse(*goesOn, step);
      if (!count)
        return fail("the condition after step " + k.str() + " is " +
                    goesOn->str() + "; expected one that ends the loop");
      // The first condition is evaluated before step 0.
      if (!provablyEqual(condition, isPositive(*count))) {
        if (!provablyEqual(condition, SymInt(1)))
          return fail("the first condition, " + condition.str() +
                      ", differs from that of the steps");
        count = SymInt::max(*count, SymInt(1));
      }
    } else if (!provablyEqual(condition, SymInt(1))) {
      return fail("whether the first step runs depends on sizes, too: " +
                  condition.str());
    }
    if (trips && trips->getConstant() != INT64_MAX)
      count = count ? SymInt::min(*count, *trips) : *trips;
    if (!count || count->isUnknown())
      return fail("there is neither a trip count nor a condition");
    numSteps = SymInt::max(*count, SymInt(0));
    return success();
  }

  LogicalResult batch(Operation *before) {
    Block &block = importer.getEntryBlock();
    SmallVector<Operation *> ops;
    for (Operation *op = before ? before->getNextNode() : &block.front(); op;
         op = op->getNextNode())
      ops.push_back(op);
    StepBatching batching(n, step, numSteps);
    for (Operation *op : ops)
      if (!batching.add(op))
        return failure();
    for (size_t i = 0; i + 1 < outputs.size(); ++i)
      if (i < n.numOutputs() && failed(setOutput(i, batching)))
        return failure();
    for (Operation *op : llvm::reverse(ops))
      if (batching.isReplaced(op) && op->use_empty())
        op->erase();
    for (Operation &op : block)
      if (batching.mentionsStep(&op))
        return fail("the body uses the step number as run-time data");
    return success(!n.hasFailed());
  }

  LogicalResult setOutput(size_t i, StepBatching &batching) {
    NodeContext::Output &into = n.getOutput(i);
    ImportedValue &value = *outputs[i + 1];
    if (i >= initial.size()) {
      if (value.isSequence())
        return n.fail("output " + Twine(i) +
                      " of the body is a sequence; "
                      "expected a tensor for each step");
      into.data = all(value, batching);
      return success(into.data != nullptr);
    }
    if (initial[i]->sequence) {
      if (!value.sequence || value.sequence->size() != 2 ||
          value.sequence->front() != marker)
        return fail("state " + Twine(i) +
                    " is a sequence, but not every step appends one "
                    "tensor to it");
      into.stackedElements = all(*value.sequence->back(), batching);
      return success(into.stackedElements != nullptr);
    }
    if (std::optional<SymInt> start = integerOf(n, *initial[i])) {
      FactTensor fact = *importer.getFact(*initial[i]);
      fact.elements = {Fact(simplify(*start + rises[i] * numSteps))};
      into.fact = std::make_shared<FactTensor>(std::move(fact));
      return success();
    }
    if (&value != initial[i] && (!value.data || value.data != initial[i]->data))
      return fail("state " + Twine(i) + " depends on the previous step");
    into.alias = initial[i];
    return success();
  }

  Value all(ImportedValue &value, StepBatching &batching) {
    Value result = importer.materialize(value);
    return result ? batching.get(result) : Value();
  }

  NodeContext &n;
  GraphImporter &importer;
  const GraphProto &body;
  std::string step;
  /// The step number.
  SymInt k, numSteps;
  SmallVector<ImportedValue *> initial, inputs, outputs;
  SmallVector<SymInt> rises;
  ImportedValue *marker = nullptr;
};
} // namespace

LogicalResult tenon::onnx::convertDynamicLoop(NodeContext &n,
                                              const GraphProto &body,
                                              std::optional<SymInt> trips,
                                              const SymInt &condition) {
  return DynamicLoop(n, body).convert(trips, condition);
}
