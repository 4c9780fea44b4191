//===- FunctionSnapshot.cpp - a function at one moment of a compile -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Prove/FunctionSnapshot.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"

#include "mlir/IR/IRMapping.h"

#include <map>

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;

static std::string getStateKey(FlatSymbolRefAttr state) {
  return "@" + state.getValue().str();
}

namespace {
/// Brings the copy into the form of a snapshot.
class Flattener {
public:
  explicit Flattener(FunctionSnapshot &snapshot)
      : snapshot(snapshot), block(snapshot.function->getBody().front()) {}

  void run();

private:
  /// The value of a state, which is an input if the function did not write it.
  Value &getState(FlatSymbolRefAttr state, Type type);
  void inlineCall(kernel::CallOp call);
  void addOutputs();

  FunctionSnapshot &snapshot;
  Block &block;
  std::map<std::string, Value> states, written;
};
} // namespace

Value &Flattener::getState(FlatSymbolRefAttr state, Type type) {
  std::string key = getStateKey(state);
  Value &value = states[key];
  if (!value) {
    value = block.addArgument(type, snapshot.function->getLoc());
    snapshot.inputs.push_back(key);
  }
  return value;
}

void Flattener::inlineCall(kernel::CallOp call) {
  Block &body = call.getBodyBlock();
  for (auto [argument, input] :
       llvm::zip(body.getArguments(), call.getInputs()))
    argument.replaceAllUsesWith(input);
  for (auto [result, value] : llvm::zip(call.getOutputs(), call.getYielded()))
    result.replaceAllUsesWith(value);
  Operation *end = body.getTerminator();
  block.getOperations().splice(call->getIterator(), body.getOperations(),
                               body.begin(), end->getIterator());
  call->erase();
}

void Flattener::addOutputs() {
  func::FuncOp function = *snapshot.function;
  unsigned results = 0, checks = 0;
  for (auto [number, value] :
       llvm::enumerate(block.getTerminator()->getOperands())) {
    std::string key;
    if (FlatSymbolRefAttr state = graph::getResultState(function, number))
      key = getStateKey(state);
    else if (function.getResultAttr(number, "graph.check"))
      key = "check " + std::to_string(checks++);
    else
      key = "result " + std::to_string(results++);
    snapshot.outputs.emplace_back(key, value);
  }
  for (const auto &[key, value] : written)
    snapshot.outputs.emplace_back(key, value);
}

void Flattener::run() {
  func::FuncOp function = *snapshot.function;
  for (unsigned number = 0; number < function.getNumArguments(); ++number) {
    FlatSymbolRefAttr state = graph::getArgumentState(function, number);
    std::string key =
        state ? getStateKey(state) : "argument " + std::to_string(number);
    if (state)
      states[key] = function.getArgument(number);
    snapshot.inputs.push_back(key);
  }
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    if (auto call = dyn_cast<kernel::CallOp>(op)) {
      inlineCall(call);
    } else if (auto read = dyn_cast<graph::ReadStateOp>(op)) {
      read.getResult().replaceAllUsesWith(
          getState(read.getStateAttr(), read.getType()));
      op.erase();
    } else if (auto write = dyn_cast<graph::WriteStateOp>(op)) {
      Value value = write.getValue();
      getState(write.getStateAttr(), value.getType()) = value;
      written[getStateKey(write.getStateAttr())] = value;
      op.erase();
    }
  }
  for (Operation &op : block.without_terminator())
    if (!isa<graph::GraphDialect>(op.getDialect()) || op.getNumRegions() > 0) {
      snapshot.problem =
          ("'" + op.getName().getStringRef() + "' is no op of a graph").str();
      return;
    }
  addOutputs();
}

FunctionSnapshot prove::takeSnapshot(func::FuncOp function) {
  FunctionSnapshot snapshot;
  snapshot.name = function.getName().str();
  IRMapping map;
  snapshot.function = cast<func::FuncOp>(function->clone(map));
  if (!function.getBody().hasOneBlock()) {
    snapshot.problem = "the function has several blocks";
    return snapshot;
  }
  function.walk([&](Operation *op) {
    if (Operation *copy = map.lookupOrNull(op))
      snapshot.origins[copy] = op;
  });
  Flattener(snapshot).run();
  return snapshot;
}

void prove::appendSnapshot(FunctionSnapshot &snapshot,
                           FunctionSnapshot &&more) {
  Block &block = snapshot.function->getBody().front();
  Block &from = more.function->getBody().front();
  for (auto [key, argument] : llvm::zip(more.inputs, from.getArguments())) {
    auto found = llvm::find(snapshot.inputs, key);
    if (found == snapshot.inputs.end()) {
      snapshot.problem = "the function has no input '" + key + "'";
      return;
    }
    Value same = block.getArgument(found - snapshot.inputs.begin());
    argument.replaceAllUsesWith(same);
    for (auto &[name, value] : more.outputs)
      if (value == argument)
        value = same;
  }
  block.getOperations().splice(block.getTerminator()->getIterator(),
                               from.getOperations(), from.begin(),
                               from.getTerminator()->getIterator());
  llvm::append_range(snapshot.outputs, more.outputs);
}
