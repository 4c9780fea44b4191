//===- TaskFunctions.cpp - what tasks compute -----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskFunctions.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::ranks;

/// Adds the text of a function and of those that it calls, and their states.
static void describe(ModuleOp module, func::FuncOp op,
                     TaskFunctions::Function &function, std::string &text,
                     std::set<Operation *> &seen) {
  if (!op || !seen.insert(op).second)
    return;
  llvm::raw_string_ostream os(text);
  op.print(os);
  op.walk([&](Operation *inner) {
    if (auto read = dyn_cast<graph::ReadStateOp>(inner))
      function.reads.insert(read.getState().str());
    else if (auto write = dyn_cast<graph::WriteStateOp>(inner))
      function.writes.insert(write.getState().str());
    else if (auto call = dyn_cast<func::CallOp>(inner))
      describe(module, module.lookupSymbol<func::FuncOp>(call.getCallee()),
               function, text, seen);
  });
}

const TaskFunctions::Function &TaskFunctions::get(StringRef name) {
  auto [entry, isNew] = functions.try_emplace(name);
  Function &function = entry->second;
  if (isNew) {
    function.op = module.lookupSymbol<func::FuncOp>(name);
    std::set<Operation *> seen;
    std::string text;
    describe(module, function.op, function, text, seen);
    function.number = memo.texts.try_emplace(std::move(text), memo.texts.size())
                          .first->second;
  }
  return function;
}

bool TaskFunctions::isTransient(StringRef state) {
  auto op = module.lookupSymbol<graph::StateOp>(state);
  return op && op.getTransient();
}

static void append(std::string &key, const Tensor &tensor) {
  llvm::raw_string_ostream os(key);
  os << tensor.getType() << ":";
  key.append(reinterpret_cast<const char *>(tensor.data()),
             tensor.getNumElements() * sizeof(interpret::Cell));
}

bool TaskFunctions::evaluate(const Function &function, ArrayRef<Tensor> inputs,
                             States &states, SmallVector<Tensor> &results,
                             std::string &error) {
  std::string key = std::to_string(function.number);
  for (const Tensor &input : inputs)
    append(key, input);
  for (const std::string &name : function.reads)
    if (auto state = states.find(name); state != states.end())
      append(key, state->second);
  auto found = memo.kept.find(key);
  if (found == memo.kept.end()) {
    found = memo.recent.find(key);
    if (found == memo.recent.end()) {
      TaskMemo::Result made;
      ScopedDiagnosticHandler handler(module.getContext(),
                                      [&](Diagnostic &diagnostic) {
                                        made.error += diagnostic.str();
                                        return success();
                                      });
      interpret::Options options;
      options.checkIndices = true;
      options.threads = 1;
      options.parameters = parameters;
      States copy = states;
      auto values =
          interpret::evaluateEntry(function.op, inputs, copy, options);
      if (succeeded(values)) {
        made.error.clear();
        made.results = *values;
        for (const std::string &name : function.writes)
          made.writes.push_back({name, copy.lookup(name)});
      } else if (made.error.empty()) {
        made.error = "fails";
      }
      found = (memo.keeps ? memo.kept : memo.recent)
                  .emplace(std::move(key), std::move(made))
                  .first;
    }
  }
  const TaskMemo::Result &result = found->second;
  error = result.error;
  if (!error.empty())
    return false;
  results = result.results;
  for (const auto &[name, value] : result.writes)
    states[name] = value;
  return true;
}
