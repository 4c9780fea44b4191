//===- TaskFunctions.h - what tasks compute ---------------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions are evaluated by tenon/Interpret. Results are remembered by the
// text of the function and by all that it reads: an edit of a program leaves
// most of its tasks unchanged, and each of them runs under many seeds.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RANKS_TASKFUNCTIONS_H
#define TENON_TEST_UNIT_RANKS_TASKFUNCTIONS_H

#include "tenon/Interpret/States.h"

#include <set>
#include <string>
#include <unordered_map>

namespace tenon::ranks {

using interpret::States;
using interpret::Tensor;

/// What is remembered, of all modules.
struct TaskMemo {
  struct Result {
    std::string error; // empty if the evaluation succeeded
    llvm::SmallVector<Tensor> results;
    std::vector<std::pair<std::string, Tensor>> writes;
  };
  std::unordered_map<std::string, Result> kept, recent;
  std::unordered_map<std::string, unsigned> texts; // numbers of functions
  /// Whether new results are kept until the end, or else until `forget`.
  bool keeps = false;
  void forget() { recent.clear(); }
};

/// The functions of one module, which does not change meanwhile.
class TaskFunctions {
public:
  TaskFunctions(mlir::ModuleOp module, TaskMemo &memo,
                interpret::ParameterSource parameters)
      : module(module), memo(memo), parameters(std::move(parameters)) {}

  struct Function {
    mlir::func::FuncOp op; // null if there is none
    unsigned number = 0;   // of its text, with the functions that it calls
    std::set<std::string> reads, writes;
  };
  const Function &get(llvm::StringRef name);

  /// Fails, with a reason in `error`, as the evaluation does.
  bool evaluate(const Function &function, llvm::ArrayRef<Tensor> inputs,
                States &states, llvm::SmallVector<Tensor> &results,
                std::string &error);

  bool isTransient(llvm::StringRef state);
  mlir::ModuleOp getModule() const { return module; }

private:
  mlir::ModuleOp module;
  TaskMemo &memo;
  interpret::ParameterSource parameters;
  llvm::StringMap<Function> functions;
};

} // namespace tenon::ranks

#endif // TENON_TEST_UNIT_RANKS_TASKFUNCTIONS_H
