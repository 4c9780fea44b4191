//===- RankRunner.h - one run of a program of ranks -------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RANKS_RANKRUNNER_H
#define TENON_TEST_UNIT_RANKS_RANKRUNNER_H

#include "RankInterpreter.h"
#include "RankStorage.h"

#include <limits>
#include <random>

namespace tenon::ranks {

class Runner {
public:
  Runner(program::RanksOp ranks, llvm::ArrayRef<Tensor> inputs,
         const States &states, Channels channels, uint64_t seed,
         TaskFunctions &functions);

  RankRun run();

private:
  struct Rank {
    std::vector<mlir::Operation *> steps;
    size_t next = 0;
    States states;
    /// How often the rank is chosen, beside the others.
    unsigned weight = 1;
    unsigned numBarriers = 0;
    /// What has begun, and was not awaited.
    std::vector<mlir::Operation *> open;
    /// Ordered channels: how many groups have begun and ended.
    size_t numBegun = 0, numEnded = 0;
  };
  struct Addend {
    int64_t begin;
    double value;
  };

  size_t below(size_t count) { return random() % count; }
  bool fail(mlir::Operation *step, const std::string &what);

  // What may happen next.
  bool isReady(const Rank &rank) const;
  bool hasEnded(mlir::Operation *step) const;
  bool haveBegun(llvm::ArrayRef<mlir::Operation *> steps) const;
  void advanceGroups();
  bool doEvent();

  // Steps.
  bool doStep(unsigned number);
  bool runTask(unsigned number, program::TaskOp task);
  bool mayChange(unsigned number, llvm::StringRef state, bool isWrite,
                 std::string &what);
  bool isOfCallers(mlir::Value buffer) const;
  bool add(unsigned number, program::AddOp op);
  bool begin(unsigned number, mlir::Operation *step);
  bool hasFreeTags(const Rank &rank, mlir::Operation *step);
  bool await(unsigned number, mlir::Operation *step);

  // What messages and sums do to memory, once each.
  bool fetch(mlir::Operation *send);
  bool store(mlir::Operation *receive);
  void sum(program::AllReduceOp op);

  bool finish(RankRun &made);
  bool failDeadlock();

  program::RanksOp ranks;
  Channels mode;
  RankChannels channels;
  TaskFunctions &functions;
  RankStorage memory;
  std::mt19937_64 random;
  std::string error;
  std::vector<Rank> all;
  llvm::DenseSet<mlir::Operation *> begun, ended, done;
  llvm::DenseMap<mlir::Operation *, Bytes> fetched; // by send
  std::vector<mlir::Operation *> pending;           // begun, but not done
  llvm::DenseMap<mlir::Value, std::vector<Addend>> addends;
  unsigned eventWeight;
  /// Buffers of the arena with what callers or other ranks gave, or what was
  /// computed from that.
  llvm::DenseSet<mlir::Value> ofCallers;
  /// How many barriers the rank has behind it that changes a lasting state with
  /// the fewest, and the one that does what may fail with the most.
  unsigned barriersAtChange = std::numeric_limits<unsigned>::max();
  unsigned barriersAtRisk = 0;
};

} // namespace tenon::ranks

#endif // TENON_TEST_UNIT_RANKS_RANKRUNNER_H
