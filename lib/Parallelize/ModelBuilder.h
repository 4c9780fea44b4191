//===- ModelBuilder.h - names the values of a model -------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_MODELBUILDER_H
#define TENON_LIB_PARALLELIZE_MODELBUILDER_H

#include "ModelValues.h"
#include "tenon/Differentiate/Passes.h"

namespace tenon::parallelize {

/// A value of the model, for one number of samples.
struct Traced {
  Expressions::Id id;
  /// Places of what it is computed from, and by which op; none for arguments.
  llvm::SmallVector<unsigned, 2> sources;
  std::optional<mlir::OperationName> op;
  /// Whether the op does the same with each element.
  bool isElementwise = false;
};

/// All values, function by function.
using Trace = std::vector<Traced>;

/// A place in the traces.
struct Write {
  std::string state;
  StateChange change;
  unsigned place;
};

class ModelValues::Builder {
public:
  Builder(pipe::ProgramOp program, ModelValues &model)
      : program(program), model(model) {}

  mlir::LogicalResult build();

private:
  /// Notes which outputs are pooled, and whether the loss may be.
  mlir::LogicalResult findPoolings();
  mlir::LogicalResult evaluateAll(int64_t samples, bool isLargest);
  void evaluate(mlir::ModuleOp module, llvm::StringRef name, bool isLargest);
  /// Orders the values of a number of samples as those of the largest one are:
  /// for one sample, what repeats it, sums over it or changes its shape may be
  /// left out. Returns nothing if they differ otherwise.
  std::optional<Trace> align(unsigned size) const;
  mlir::LogicalResult number();
  /// Notes where the model has samples, by expression.
  mlir::LogicalResult noteSamples(int64_t count);
  void findRows();
  bool areOneNumber(const Value &value) const;
  Rows findRows(size_t place, const Rows &scaling) const;
  Rows reshapeRows(size_t place, const Rows &scaling) const;

  pipe::ProgramOp program;
  ModelValues &model;
  ProgramSamples samples;
  std::optional<differentiate::GraphTrainOptions> training;
  std::vector<Trace> traces; // by size
  /// Values that functions may be given by name.
  std::map<std::string, Expressions::Id> known;
  std::map<std::string, unsigned> leaves; // places of inputs and the target
  std::vector<unsigned> outputs;
  std::optional<unsigned> trainLoss, evaluationLoss;
  std::vector<Write> writes;
  std::vector<unsigned> numberOf; // by place
  /// For values of the largest size that the model has: whether they have
  /// samples along an axis, and in how many blocks; nothing if they are uncut.
  std::map<Expressions::Id, std::optional<int64_t>> blocksOf;
};

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_MODELBUILDER_H
