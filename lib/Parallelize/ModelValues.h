//===- ModelValues.h - what a model computes, by name of value --*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model of a `pipe.program`, in one piece, as --graph-train differentiates
// it for some samples of a mini-batch. Its values are known by numbers, which
// do not depend on how many samples there are: so a value of any task is a
// value of the model, for some samples, or none of it.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_MODELVALUES_H
#define TENON_LIB_PARALLELIZE_MODELVALUES_H

#include "Expressions.h"
#include "PlannedStages.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"

#include <map>
#include <set>

namespace tenon::parallelize {

/// Where the rows of samples are in a value, if each sample has its own.
struct Rows {
  int64_t axis = -1;     // -1: they are not apart, as in a sum over samples
  int64_t count = 1;     // of each sample
  int64_t blocks = 1;    // in a row, each of which has all samples
  bool areEqual = false; // all samples have the same
  bool operator==(const Rows &other) const {
    return axis == other.axis && count == other.count &&
           blocks == other.blocks && areEqual == other.areEqual;
  }
};

/// How a state is changed.
enum class StateChange {
  Statistic, // by a forward task, for its samples
  Gradient,  // by a backward task, likewise
  Norm,      // by the squares of complete gradients
  Update     // once, by the whole mini-batch
};

class ModelValues {
public:
  /// Fails, with a diagnostic, if an op couples samples, or as --graph-train.
  static mlir::FailureOr<ModelValues> build(pipe::ProgramOp program);

  /// A value of the model, or one that it does not have.
  struct Number {
    bool isModel = false;
    unsigned number = 0;
    bool operator==(const Number &other) const {
      return isModel == other.isModel && number == other.number;
    }
    bool operator<(const Number &other) const {
      return std::pair(isModel, number) <
             std::pair(other.isModel, other.number);
    }
  };

  /// Place of a number of samples among those that tasks have; -1: none has so
  /// many.
  int findSize(int64_t samples) const;
  /// The value's expression for the number of samples that has this place.
  Expressions::Id getId(Number value, unsigned size) const {
    return value.isModel ? values[value.number].ids[size] : value.number;
  }
  /// The value that an expression is; `size`: nothing of what is computed
  /// without samples. A sum of values of the model, such as what one reader
  /// adds to the gradient of a value, becomes one of them.
  Number getNumber(Expressions::Id id, std::optional<unsigned> size);
  bool hasSamples(Number value) const;
  Rows getRows(Number value) const;

  int64_t getMiniBatch() const { return miniBatch; }
  bool isTraining() const { return training; }

  mutable Expressions expressions;
  /// The type of a value of the model for all samples.
  mlir::RankedTensorType getWholeType(Number value) const;

  /// A state of the model.
  struct State {
    mlir::Type type;
    mlir::Attribute value, parameter;
    bool isTransient = false;
    bool operator==(const State &other) const {
      return type == other.type && value == other.value &&
             parameter == other.parameter && isTransient == other.isTransient;
    }
  };
  static State getState(graph::StateOp op);
  std::map<std::string, State> states;
  /// The model's inputs and outputs, the target and the losses.
  std::vector<Number> inputs, outputs;
  Number target, trainLoss, evaluationLoss;
  /// How the outputs, if they are pooled, and the loss of all samples follow
  /// from those of their parts.
  std::vector<std::optional<graph::Pooling>> poolings;
  graph::Pooling lossPooling = graph::Pooling::Mean;
  /// How the model changes each state, and what it writes.
  std::map<std::string, std::map<Number, StateChange>> changes;
  /// The values that the model adds to each sum of gradients or of their
  /// squares, each with how often it does. Stages that share a parameter add
  /// some of them each.
  std::map<std::string, std::vector<std::pair<Number, int64_t>>> addends;
  /// The places among these of what a task writes to a sum beside its value
  /// before, each as often; nothing if it is another value.
  std::optional<llvm::SmallVector<unsigned>>
  findAddends(llvm::StringRef state, Expressions::Id written, unsigned size);
  /// The samples of a task of the stage that has a parameter. A batch norm
  /// depends on how many there are.
  std::map<std::string, int64_t> partOf;

private:
  struct Value {
    std::vector<Expressions::Id> ids; // by size
    bool hasSamples = false;
    Rows rows;
  };
  class Builder;

  /// A value that is added to a state; nothing if parts of the samples can't
  /// each add theirs.
  std::optional<Number> getAddend(llvm::StringRef state, Expressions::Id id,
                                  unsigned size);
  Number addPartialSum(Expressions::Id id, unsigned size);
  /// A state as tasks that add to it find it, of the type of what they write.
  Expressions::Id getRunning(llvm::StringRef state, Expressions::Id written) {
    return expressions.getState(state, expressions.getType(written),
                                /*isRunning=*/true);
  }

  int64_t miniBatch = 1;
  bool training = false;
  std::vector<int64_t> sizes;
  std::vector<Value> values;
  std::map<std::pair<unsigned, Expressions::Id>, unsigned> numbers;
  /// Of values that are the same for each number of samples.
  std::map<Expressions::Id, unsigned> fixedNumbers;
};

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_MODELVALUES_H
