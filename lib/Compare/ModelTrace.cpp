//===- ModelTrace.cpp - tracing a run of a model --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Compare/ModelTrace.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/IR/Origin.h"
#include "tenon/Dialect/Graph/Transforms/IndexChecks.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Interpret/TensorConversion.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::compare;
using interpret::Tensor;

std::vector<std::string> tenon::compare::getInputNames(func::FuncOp function) {
  std::vector<std::string> names;
  for (unsigned number = 0; number < function.getNumArguments(); ++number) {
    auto name = function.getArgAttrOfType<StringAttr>(number, "graph.name");
    names.push_back(name ? name.str() : "arg" + std::to_string(number));
  }
  return names;
}

std::vector<std::string> tenon::compare::getOutputNames(func::FuncOp function) {
  std::vector<std::string> names;
  for (unsigned number = 0, count = graph::countOwnResults(function);
       number < count; ++number) {
    auto name = function.getResultAttrOfType<StringAttr>(number, "graph.name");
    names.push_back(name ? name.str() : "result" + std::to_string(number));
  }
  return names;
}

namespace {
class Tracer {
public:
  Tracer(func::FuncOp function, interpret::Options given)
      : function(function), options(std::move(given)) {
    options.domain.kind = interpret::Domain::Kind::F32;
    options.checkIndices = true;
  }

  FailureOr<Trace> run(ArrayRef<Tensor> inputs);

private:
  LogicalResult bind(ArrayRef<Tensor> inputs);
  LogicalResult runOp(Operation *op);
  void keep(OpResult result, const Tensor &tensor);
  void findLive();

  func::FuncOp function;
  interpret::Options options;
  interpret::Symbols symbols;
  llvm::DenseMap<Value, Tensor> tensors;
  llvm::DenseMap<Value, unsigned> uses; // remaining uses
  llvm::DenseSet<Operation *> live, ofInputs;
  llvm::DenseMap<Value, size_t> numbers; // position in the trace
  Trace trace;
};
} // namespace

void Tracer::findLive() {
  Operation *end = function.getBody().front().getTerminator();
  SmallVector<Value> work(end->getOperands());
  for (Value output : work)
    ++uses[output];
  while (!work.empty())
    if (Operation *op = work.pop_back_val().getDefiningOp();
        op && live.insert(op).second)
      for (Value operand : op->getOperands()) {
        ++uses[operand];
        work.push_back(operand);
      }
}

LogicalResult Tracer::bind(ArrayRef<Tensor> inputs) {
  Block &block = function.getBody().front();
  std::string error;
  std::vector<std::string> names;
  for (const std::string &name : getInputNames(function))
    names.push_back("input '" + name + "'");
  if (inputs.size() != block.getNumArguments())
    return function.emitError() << "expected " << block.getNumArguments()
                                << " inputs, but got " << inputs.size();
  if (failed(interpret::bindSymbols(block.getArgumentTypes(), inputs, names,
                                    symbols, error)))
    return function.emitError() << error;
  for (auto [argument, tensor] : llvm::zip(block.getArguments(), inputs))
    tensors[argument] = tensor;
  return success();
}

/// Returns the op result that computes a value; for a kernel, the op within it.
/// Null if the kernel returns one of its operands.
static OpResult findSource(OpResult result) {
  auto call = dyn_cast<kernel::CallOp>(result.getOwner());
  if (!call)
    return result;
  return dyn_cast<OpResult>(call.getBody().front().getTerminator()->getOperand(
      result.getResultNumber()));
}

void Tracer::keep(OpResult result, const Tensor &tensor) {
  OpResult source = findSource(result);
  if (!source)
    return;
  TracedValue value;
  value.origin = parseOrigin(graph::getOrigin(source));
  if (auto call = dyn_cast<kernel::CallOp>(result.getOwner()))
    value.step = (call.getBackend() + " " + call.getPattern()).str();
  value.data = interpret::toData(tensor, options.domain);
  Operation *op = result.getOwner();
  if (isa<graph::CastOp, graph::ReshapeOp, graph::TransposeOp>(op))
    if (auto it = numbers.find(op->getOperand(0)); it != numbers.end()) {
      value.repeats = trace.values[it->second].repeats;
      value.repeats.push_back(it->second);
    }
  numbers[result] = trace.values.size();
  trace.values.push_back(std::move(value));
}

LogicalResult Tracer::runOp(Operation *op) {
  SmallVector<Tensor> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(tensors.lookup(operand));
    if (--uses[operand] == 0)
      tensors.erase(operand);
    Operation *giver = operand.getDefiningOp();
    if (!giver || ofInputs.contains(giver))
      ofInputs.insert(op);
  }
  FailureOr<SmallVector<Tensor>> results =
      interpret::evaluateOp(op, operands, symbols, options);
  if (failed(results))
    return failure();
  for (auto [result, tensor] : llvm::zip(op->getResults(), *results)) {
    if (uses.lookup(result) == 0)
      continue;
    tensors[result] = tensor;
    if (ofInputs.contains(op))
      keep(result, tensor);
  }
  return success();
}

FailureOr<Trace> Tracer::run(ArrayRef<Tensor> inputs) {
  // A placed model shows the results of its kernels, as an artifact does.
  trace.isOfModel = function.getBody().front().getOps<kernel::CallOp>().empty();
  graph::dropIndexChecks(function);
  findLive();
  if (failed(bind(inputs)))
    return failure();
  Block &block = function.getBody().front();
  for (Operation &op : block)
    if (live.contains(&op) && failed(runOp(&op)))
      return failure();
  std::vector<std::string> names = getOutputNames(function);
  for (auto [name, output] :
       llvm::zip(names, block.getTerminator()->getOperands())) {
    TracedValue value;
    value.output = name;
    value.data = interpret::toData(tensors.lookup(output), options.domain);
    trace.values.push_back(std::move(value));
  }
  return std::move(trace);
}

FailureOr<Trace> tenon::compare::traceModel(func::FuncOp function,
                                            ArrayRef<Tensor> inputs,
                                            interpret::Options options) {
  OwningOpRef<func::FuncOp> copy = function.clone();
  return Tracer(*copy, std::move(options)).run(inputs);
}
