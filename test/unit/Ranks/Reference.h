//===- Reference.h - what programs of ranks must compute --------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model of a `pipe.program` in one piece, trained by --graph-train as the
// program says, and evaluated on the whole mini-batch.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RANKS_REFERENCE_H
#define TENON_TEST_UNIT_RANKS_REFERENCE_H

#include "RankInterpreter.h"
#include "tenon/Dialect/Pipe/IR/Pipe.h"

#include "mlir/IR/OwningOpRef.h"

namespace tenon::ranks {

class Reference {
public:
  /// Draws inputs and states. Fails, with a diagnostic, as --graph-train or the
  /// interpreter.
  static mlir::FailureOr<Reference> build(pipe::ProgramOp program,
                                          uint64_t seed);

  /// Runs the programs of ranks of a module on both kinds of channels, under
  /// `count` seeds each. Returns how they differ from the reference; empty if
  /// they don't.
  std::string compare(mlir::ModuleOp module, TaskMemo &memo, uint64_t seed,
                      unsigned count) const;

private:
  struct Entry {
    std::string name;
    std::vector<std::pair<std::string, mlir::RankedTensorType>> inputs, outputs;
    std::vector<Tensor> given, made;
    States states; // after it
  };
  /// The states that the tasks and sums of each rank use.
  using Holders = std::vector<std::set<std::string>>;

  mlir::LogicalResult evaluate(mlir::func::FuncOp function, uint64_t seed);
  mlir::LogicalResult drawStates(uint64_t seed);
  const Entry *find(llvm::StringRef name) const;
  std::string compareInterface(mlir::ModuleOp module) const;
  std::string compareRun(const Entry &entry, const RankRun &run,
                         const States &initial, const Holders &holders) const;

  mutable mlir::OwningOpRef<mlir::ModuleOp> module;
  interpret::ParameterSource parameters;
  States initial;
  std::vector<Entry> entries;
};

} // namespace tenon::ranks

#endif // TENON_TEST_UNIT_RANKS_REFERENCE_H
