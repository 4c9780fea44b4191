//===- EntryChecker.h - one entry of the ranks, on names --------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_ENTRYCHECKER_H
#define TENON_LIB_PARALLELIZE_ENTRYCHECKER_H

#include "RankMemory.h"
#include "RankText.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <set>

namespace tenon::parallelize {

/// What all entries of the program share.
struct Tasks {
  struct Made {
    llvm::SmallVector<ModelValues::Number> results;
    struct Write {
      llvm::StringRef state;
      ModelValues::Number value;
      /// The values that it adds to a sum (ModelValues::findAddends).
      std::optional<llvm::SmallVector<unsigned>> addends;
    };
    llvm::SmallVector<Write> writes;
    llvm::SmallVector<llvm::StringRef> reads;
  };
  /// By the function, and the expressions of its arguments.
  std::map<std::tuple<mlir::Operation *, std::vector<unsigned>,
                      std::set<llvm::StringRef>>,
           Made>
      made;
  llvm::DenseMap<mlir::Operation *, std::set<llvm::StringRef>> statesOf;
  /// The ranks whose tasks, of any entry, use each state.
  std::map<llvm::StringRef, std::set<int64_t>> holders;
};

class EntryChecker {
public:
  EntryChecker(pipe::ProgramOp program, ModelValues &model, Tasks &tasks,
               program::RanksOp ranks, ModelValues::Number loss)
      : program(program), model(model), tasks(tasks), ranks(ranks), loss(loss),
        module(ranks->getParentOfType<mlir::ModuleOp>()) {}

  mlir::LogicalResult check();

private:
  struct Rank {
    program::RankOp op;
    mlir::Block::iterator next;
    std::map<llvm::StringRef, StateContent> states;
    std::map<llvm::StringRef, unsigned> numWrites; // to each state
    /// Buffers that messages use, with the step that began it.
    llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Operation *, 1>>
        onTheirWay;
    unsigned numBarriers = 0;
  };
  /// An output to which ranks add what parts of the samples give.
  struct PooledOutput {
    ModelValues::Number value;
    graph::Pooling pooling = graph::Pooling::Sum;
    std::vector<Samples> added;
  };
  /// What a message has, or the states of a sum, once the step is reached.
  struct Begun {
    std::optional<Content> sent;
    std::map<llvm::StringRef, StateContent> summed;
  };

  mlir::InFlightDiagnostic fail(mlir::Operation *step) {
    return step->emitError() << describeStep(step) << ": ";
  }
  mlir::LogicalResult checkInterface();
  mlir::LogicalResult begin();
  mlir::FailureOr<bool> run(Rank &rank);
  mlir::LogicalResult runStep(Rank &rank, mlir::Operation *step);
  mlir::LogicalResult runTask(Rank &rank, program::TaskOp task);
  mlir::LogicalResult changeStates(Rank &rank, program::TaskOp task,
                                   const Tasks::Made &made, Samples samples,
                                   bool hasSamples);
  mlir::LogicalResult checkSums(Rank &rank, program::TaskOp task,
                                const Content &content);
  mlir::LogicalResult checkReads(Rank &rank, program::TaskOp task,
                                 const Tasks::Made &made, bool updates);
  /// A message that uses a buffer; null if there is none.
  static mlir::Operation *findMessage(const Rank &rank, mlir::Value buffer);
  mlir::LogicalResult addToOutput(Rank &rank, program::AddOp add);
  mlir::FailureOr<bool> wait(Rank &rank, mlir::Value token);
  mlir::LogicalResult finishSum(Rank &rank, program::AllReduceOp sum);
  mlir::FailureOr<Content> read(Rank &rank, mlir::Operation *step,
                                mlir::Value buffer);
  mlir::LogicalResult write(Rank &rank, mlir::Operation *step,
                            mlir::Value buffer, std::optional<Content> content);
  /// A value of all samples.
  Content getAllSamples(ModelValues::Number value) const {
    bool hasSamples = model.hasSamples(value);
    return {
        value, hasSamples ? Samples{0, model.getMiniBatch()} : Samples(), {}};
  }
  mlir::LogicalResult checkOutputs();
  mlir::LogicalResult checkStates();
  mlir::LogicalResult checkBarriers();
  const char *describe(llvm::StringRef name, const StateContent &state) const;
  /// How the model changes the state like that; nothing if it does not.
  std::optional<StateChange> findChange(const Tasks::Made::Write &write) const;
  /// Whether tasks still add to a state, so that what it has depends on when it
  /// is read.
  bool isRunning(Rank &rank, llvm::StringRef name) {
    if (ranks.getSymName() != "train_step")
      return false;
    if (changesBy(name, StateChange::Statistic))
      return true;
    return isSum(name) && !isComplete(name, rank.states[name]);
  }
  /// Whether it is a sum of gradients, or of their squares.
  bool isSum(llvm::StringRef name) const {
    return model.addends.count(name.str()) != 0;
  }
  /// Whether a state has each addend of each sample once.
  bool isComplete(llvm::StringRef name, const StateContent &state) const;
  bool changesBy(llvm::StringRef state, StateChange wanted) const {
    auto changes = model.changes.find(state.str());
    return changes != model.changes.end() &&
           llvm::any_of(changes->second, [&](const auto &change) {
             return change.second == wanted;
           });
  }

  pipe::ProgramOp program;
  ModelValues &model;
  Tasks &tasks;
  program::RanksOp ranks;
  ModelValues::Number loss; // of an entry that has one
  mlir::ModuleOp module;
  std::vector<Rank> all;
  std::optional<BufferContents> buffers;
  llvm::DenseMap<mlir::Operation *, Begun> begun;
  /// By sender, receiver and tag: the sends in their order, and how many were
  /// received.
  std::map<std::tuple<int64_t, int64_t, int64_t>,
           std::pair<std::vector<mlir::Operation *>, size_t>>
      channels;
  llvm::DenseMap<mlir::Operation *, size_t> places; // of receives in these
  /// By tag: the sums of all ranks.
  std::map<int64_t, llvm::SmallVector<program::AllReduceOp>> sums;
  llvm::DenseMap<mlir::Operation *, PooledOutput> pooled;
  /// By the number of barriers before it: a step that may fail. And the fewest
  /// barriers before an update.
  std::map<unsigned, mlir::Operation *> mayFail;
  unsigned firstUpdate = UINT_MAX;
};

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_ENTRYCHECKER_H
