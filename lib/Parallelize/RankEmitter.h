//===- RankEmitter.h - the program of one rank ------------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the steps of a rank as ops, in the order of the plan. Messages are
// planned here: a receive begins some tasks before the one that needs it, and a
// send is awaited when its memory is needed again, both of which let ranks wait
// less; `group` keeps the order of the plan. What a task reads is copied
// together where no buffer has just these samples.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PARALLELIZE_RANKEMITTER_H
#define TENON_LIB_PARALLELIZE_RANKEMITTER_H

#include "StageTasks.h"
#include "tenon/Dialect/Program/IR/Program.h"

#include <deque>
#include <map>
#include <tuple>

namespace tenon::parallelize {

/// What callers run.
enum class CalledEntry { Train, Evaluate, Predict };

/// Samples of a value: of a result of a stage here, or of a link; or of a
/// gradient of an operand of a stage here, or of a link.
struct Stream {
  enum Kind { Value, LinkValue, Gradient, LinkGradient };
  Kind kind;
  /// Value: stage and result. Gradient: stage and operand. Otherwise, the link.
  int64_t first, second = 0;

  bool operator<(const Stream &other) const {
    return std::tie(kind, first, second) <
           std::tie(other.kind, other.first, other.second);
  }
};

class RankEmitter {
public:
  /// `ranks` has the inputs and outputs already.
  RankEmitter(const PlannedStages &plan, const StageLoss &loss,
              CalledEntry entry, mlir::SymbolTable &tasks,
              program::RanksOp ranks, unsigned rank);

  /// Adds the rank's program at the end of `ranks`.
  mlir::LogicalResult emit();

private:
  struct Piece {
    int64_t begin, end;
    mlir::Value buffer;
  };

  // Tasks.
  mlir::LogicalResult addStep(const Step &step);
  mlir::LogicalResult addCompute(const Step &step);
  mlir::LogicalResult addTask(const Step &step, llvm::StringRef kind);
  /// The seconds that the plan expects of a task.
  double getSeconds(const Task &task, llvm::StringRef kind) const;
  mlir::Value getInput(const Step &step, llvm::StringRef name);
  mlir::Value getOperand(const Step &step, mlir::OpOperand &operand);
  void addOutput(const Step &step, llvm::StringRef name, mlir::Value buffer);
  void giveOutputs(const Step &step);
  /// Adds what the samples of a step give to a pooled output.
  void addToOutput(const Step &step, mlir::Value number, mlir::Value output,
                   graph::Pooling pooling);
  void addSums(unsigned stage);

  // The end of a step of training (RankUpdates.cpp).
  void addSharedSums();
  void addNorm();
  void addUpdate();
  void addStateTask(llvm::StringRef name, std::optional<unsigned> stage,
                    llvm::StringRef kind);
  unsigned getOwn(llvm::ArrayRef<unsigned> stages) const;
  void addSum(llvm::ArrayRef<llvm::StringRef> states,
              llvm::ArrayRef<int64_t> among, int64_t tag, bool isMean,
              mlir::IntegerAttr stage);
  /// The states to which backward tasks of several stages add.
  llvm::MapVector<llvm::StringRef, llvm::SmallVector<unsigned>>
  getSharedGradients() const;
  llvm::SetVector<llvm::StringRef>
  getWrites(unsigned stage, llvm::ArrayRef<llvm::StringRef> kinds) const;
  /// The tags behind those of links and of the sums of stages. A sum has two.
  int64_t getFreeTag(int64_t number) const {
    return 2 * int64_t(plan.links.size()) +
           4 * int64_t(plan.model.stages.size()) + 2 * number;
  }

  // Buffers.
  mlir::Value addArena(mlir::RankedTensorType type);
  mlir::Value getPart(mlir::Value whole, std::optional<unsigned> axis,
                      int64_t begin, mlir::RankedTensorType type);
  mlir::Value assemble(const Stream &stream, mlir::Value value, int64_t begin,
                       int64_t end);
  void copy(mlir::Value value, const Piece &piece, int64_t begin, int64_t end,
            mlir::Value target);

  // Messages (RankMessages.cpp).
  void addTransfers(const Step &step);
  bool needsGradient(unsigned link) const;
  void addSend(const Transfer &transfer);
  void addReceive(const Transfer &transfer);
  void addWait(mlir::Value token);
  void waitForReceive(mlir::Value buffer);
  void waitForSends(const Step &backward);
  void limitSends();
  void waitForAll();

  const PlannedStages &plan;
  const StageLoss &loss;
  CalledEntry entry;
  mlir::SymbolTable &tasks;
  program::RanksOp ranks;
  unsigned rank;
  mlir::OpBuilder builder;
  mlir::Type bufferType, tokenType;
  llvm::SmallVector<mlir::Value> inputs, outputs;
  program::RankOp op;
  program::RunOp run;
  /// Tasks, in order.
  llvm::SmallVector<mlir::Operation *> taskOps;
  /// The last step that was put before the first tasks.
  mlir::Operation *lastEarly = nullptr;
  int64_t group = 0;
  std::map<Stream, std::vector<Piece>> streams;
  /// By stage, first sample and name: what later tasks may be given.
  std::map<std::tuple<unsigned, int64_t, std::string>, mlir::Value> known;
  std::map<std::tuple<void *, int64_t, int64_t>, mlir::Value> parts;
  /// Tokens that no one has waited for: by buffer, by peer and tag, and for
  /// forward sends of training by stage and first sample.
  llvm::MapVector<mlir::Value, mlir::Value> receives;
  std::map<std::pair<int64_t, int64_t>, std::deque<mlir::Value>> sends;
  std::multimap<std::pair<unsigned, int64_t>, mlir::Value> keptSends;
  llvm::SmallVector<mlir::Value> sums;
};

/// Sets from which to which step each buffer of the arena is live.
void setLives(program::RunOp run);

} // namespace tenon::parallelize

#endif // TENON_LIB_PARALLELIZE_RANKEMITTER_H
