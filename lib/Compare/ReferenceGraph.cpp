//===- ReferenceGraph.cpp - a model, evaluated value by value ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Compare/ReferenceGraph.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/IR/Origin.h"
#include "tenon/Dialect/Graph/Transforms/IndexChecks.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::compare;
using interpret::Tensor;

static std::string placesOf(const Origin &origin) {
  return llvm::join(origin.places, "\t");
}

ReferenceGraph::ReferenceGraph(func::FuncOp original, interpret::Options given)
    : function(original.clone()), options(std::move(given)) {
  graph::dropIndexChecks(*function);
  Operation *end = function->getBody().front().getTerminator();
  numOutputs = end->getNumOperands();
  decompose();
  for (auto [number, op] : llvm::enumerate(function->getBody().front()))
    order[&op] = number;
  // Only the outputs are needed from the terminator's operands.
  SmallVector<Value> work(end->getOperands().take_front(numOutputs));
  while (!work.empty())
    if (Operation *op = work.pop_back_val().getDefiningOp();
        op && live.insert(op).second)
      llvm::append_range(work, op->getOperands());
  for (Operation &op : function->getBody().front())
    if (live.contains(&op) &&
        llvm::any_of(op.getOperands(), [&](Value operand) {
          Operation *giver = operand.getDefiningOp();
          return !giver || ofInputs.contains(giver);
        }))
      ofInputs.insert(&op);
}

/// Makes the results of composites operands of the terminator, which then shows
/// the values that replaced them.
void ReferenceGraph::decompose() {
  Operation *end = function->getBody().front().getTerminator();
  std::vector<Composite> names;
  llvm::DenseSet<Operation *> kept;
  for (bool isOwn = true;; isOwn = false) {
    SmallVector<Operation *> found;
    for (Operation &op : function->getBody().front())
      if (isa<graph::DecomposableInterface>(op) && !kept.contains(&op))
        found.push_back(&op);
    if (found.empty())
      break;
    for (Operation *op : found) {
      for (OpResult result : op->getResults()) {
        names.push_back({parseOrigin(graph::getOrigin(result)), {}, isOwn});
        end->insertOperands(end->getNumOperands(), {Value(result)});
      }
      // For sizes without a decomposition, the interpreter reports the error,
      // if there is one.
      ScopedDiagnosticHandler silence(op->getContext(),
                                      [](Diagnostic &) { return success(); });
      if (failed(graph::decomposeAll(
              op, [&](Operation *candidate) { return candidate == op; })))
        kept.insert(op);
    }
  }
  composites = std::move(names);
  for (auto [number, composite] : llvm::enumerate(composites))
    composite.value = end->getOperand(numOutputs + number);
}

FailureOr<SmallVector<Tensor>> ReferenceGraph::run(Operation *op,
                                                   ArrayRef<Tensor> operands,
                                                   bool rounded,
                                                   bool checkIndices) {
  interpret::Options how = options;
  how.domain.kind =
      rounded ? interpret::Domain::Kind::F32 : interpret::Domain::Kind::F64;
  how.checkIndices = checkIndices;
  return interpret::evaluateOp(op, operands, symbols, how);
}

LogicalResult ReferenceGraph::evaluate(ArrayRef<Tensor> inputs) {
  Block &block = function->getBody().front();
  std::string error;
  std::vector<std::string> names;
  for (unsigned number = 0; number < inputs.size(); ++number) {
    auto name = function->getArgAttrOfType<StringAttr>(number, "graph.name");
    names.push_back(name ? "input '" + name.str() + "'"
                         : "input " + std::to_string(number));
  }
  if (inputs.size() != block.getNumArguments())
    return function->emitError() << "expected " << block.getNumArguments()
                                 << " inputs, but got " << inputs.size();
  if (failed(interpret::bindSymbols(block.getArgumentTypes(), inputs, names,
                                    symbols, error)))
    return function->emitError() << error;
  for (auto [argument, tensor] : llvm::zip(block.getArguments(), inputs)) {
    exact[argument] = tensor;
    shown[argument] = tensor;
  }
  for (Operation &op : block) {
    if (!live.contains(&op))
      continue;
    SmallVector<Tensor> operands;
    for (Value operand : op.getOperands())
      operands.push_back(exact.lookup(operand));
    FailureOr<SmallVector<Tensor>> results =
        run(&op, operands, /*rounded=*/false, /*checkIndices=*/true);
    if (failed(results))
      return failure();
    for (auto [result, tensor] : llvm::zip(op.getResults(), *results))
      exact[result] = tensor;
  }
  addLabels();
  return success();
}

void ReferenceGraph::addLabels() {
  llvm::DenseMap<Value, SmallVector<const Composite *>> given;
  for (const Composite &composite : composites)
    given[composite.value].push_back(&composite);
  auto add = [&](Value value, Origin origin, bool isOwn) {
    const Tensor &tensor = getTensor(value);
    Operation *op = value.getDefiningOp();
    labels.push_back({std::move(origin), tensor.getNumElements(),
                      isa<FloatType>(tensor.getElementType()), isOwn,
                      /*isLast=*/true, !op || ofInputs.contains(op)});
    values.push_back(value);
  };
  llvm::StringSet<> compositePlaces;
  for (const Composite &composite : composites)
    compositePlaces.insert(placesOf(composite.origin));
  for (Operation &op : function->getBody().front()) {
    if (!live.contains(&op) || isa<graph::ConstantOp, graph::ParameterOp>(op))
      continue;
    for (OpResult result : op.getResults()) {
      for (const Composite *composite : given.lookup(result))
        add(result, composite->origin, composite->isOwn);
      if (isa<graph::DecomposableInterface>(op))
        continue;
      Origin origin = parseOrigin(graph::getOrigin(result));
      bool isOwn = !compositePlaces.contains(placesOf(origin));
      add(result, std::move(origin), isOwn);
    }
  }
  // The origin of a composite identifies only its final value, because a
  // compiler may have decomposed it in another way.
  llvm::StringMap<SmallVector<size_t>> groups;
  for (auto [number, label] : llvm::enumerate(labels))
    groups[placesOf(label.origin)].push_back(number);
  for (auto &[places, members] : groups)
    if (compositePlaces.contains(places))
      for (size_t member : members)
        labels[member].isLast = llvm::any_of(
            given.lookup(values[member]),
            [](const Composite *composite) { return composite->isOwn; });
  firstOutput = labels.size();
  Operation *end = function->getBody().front().getTerminator();
  for (Value output : end->getOperands().take_front(numOutputs))
    add(output, Origin(), true);
}

void ReferenceGraph::show(Value value, Tensor tensor) {
  shown[value] = std::move(tensor);
  local[0].erase(value);
  local[1].erase(value);
}

FailureOr<Tensor> ReferenceGraph::compute(Value value, bool rounded) {
  Tensors &known = local[rounded];
  Operation *target = value.getDefiningOp();
  if (!target)
    return exact.lookup(value);
  SmallVector<Operation *> work{target};
  llvm::DenseSet<Operation *> needed;
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (!needed.insert(op).second)
      continue;
    for (Value operand : op->getOperands())
      if (!shown.count(operand) && !known.count(operand))
        work.push_back(operand.getDefiningOp());
  }
  SmallVector<Operation *> ops(needed.begin(), needed.end());
  llvm::sort(ops, [&](Operation *a, Operation *b) {
    return order.lookup(a) < order.lookup(b);
  });
  for (Operation *op : ops) {
    SmallVector<Tensor> operands;
    for (Value operand : op->getOperands()) {
      auto it = shown.find(operand);
      operands.push_back(it != shown.end() ? it->second
                                           : known.lookup(operand));
    }
    FailureOr<SmallVector<Tensor>> results =
        run(op, operands, rounded, /*checkIndices=*/false);
    if (failed(results))
      return failure();
    // The target's own results are used only for this query.
    if (op == target)
      return (*results)[cast<OpResult>(value).getResultNumber()];
    for (auto [result, tensor] : llvm::zip(op->getResults(), *results))
      known[result] = tensor;
  }
  llvm_unreachable("the target is among the ops");
}

std::vector<Operation *> ReferenceGraph::findOps(Value value) const {
  std::vector<Operation *> ops;
  SmallVector<Operation *> work;
  if (Operation *op = value.getDefiningOp())
    work.push_back(op);
  llvm::DenseSet<Operation *> seen;
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    bool isTarget = ops.empty();
    if ((!isTarget && !ofInputs.contains(op)) || !seen.insert(op).second)
      continue;
    ops.push_back(op);
    for (Value operand : op->getOperands())
      if (Operation *giver = operand.getDefiningOp();
          giver && !shown.count(operand))
        work.push_back(giver);
  }
  llvm::sort(ops, [&](Operation *a, Operation *b) {
    return order.lookup(a) < order.lookup(b);
  });
  return ops;
}

/// Adds an origin once, under the name that the model has for it; for a
/// composite, the model knows only its name.
void ReferenceGraph::addOrigin(Value value,
                               std::vector<Origin> &origins) const {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return;
  Origin origin = parseOrigin(graph::getOrigin(result));
  for (const Composite &composite : composites)
    if (composite.isOwn && !origin.places.empty() &&
        composite.origin.places == origin.places)
      origin = composite.origin;
  origin.result = 0;
  if (llvm::none_of(origins, [&](const Origin &listed) {
        return listed.op == origin.op && listed.places == origin.places;
      }))
    origins.push_back(std::move(origin));
}

std::vector<Origin> ReferenceGraph::listOps(Value value) const {
  std::vector<Origin> origins;
  for (Operation *op : findOps(value))
    addOrigin(op->getResult(0), origins);
  return origins;
}

std::vector<Origin> ReferenceGraph::listReads(Value value) const {
  std::vector<Origin> origins;
  for (Operation *op : findOps(value))
    for (Value operand : op->getOperands())
      if (shown.count(operand))
        addOrigin(operand, origins);
  return origins;
}
