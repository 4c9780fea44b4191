//===- RankUpdates.cpp - the end of a step of training --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankEmitter.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Differentiate/Training.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

llvm::SetVector<StringRef>
RankEmitter::getWrites(unsigned stage, ArrayRef<StringRef> kinds) const {
  llvm::SetVector<StringRef> states;
  pipe::StageOp op = plan.model.stages[stage];
  for (StringRef kind : kinds)
    if (auto function =
            tasks.lookup<func::FuncOp>((op.getName() + "." + kind).str()))
      for (auto write : function.getOps<graph::WriteStateOp>())
        states.insert(write.getState());
  return states;
}

llvm::MapVector<StringRef, SmallVector<unsigned>>
RankEmitter::getSharedGradients() const {
  llvm::MapVector<StringRef, SmallVector<unsigned>> stages;
  for (unsigned stage = 0; stage < plan.model.stages.size(); ++stage)
    for (StringRef state : getWrites(stage, {"backward", "backward_weight"}))
      stages[state].push_back(stage);
  stages.remove_if([](const auto &entry) { return entry.second.size() == 1; });
  return stages;
}

void RankEmitter::addSum(ArrayRef<StringRef> states, ArrayRef<int64_t> among,
                         int64_t tag, bool isMean, IntegerAttr stage) {
  sums.push_back(
      program::AllReduceOp::create(builder, ranks.getLoc(), tokenType, isMean,
                                   builder.getStrArrayAttr(states),
                                   ValueRange(), among, tag, group++, stage)
          .getToken());
}

/// The sums of gradients, which backward tasks write, and the means of
/// statistics, which forward tasks do.
void RankEmitter::addSums(unsigned stage) {
  llvm::SetVector<StringRef> gradients =
      getWrites(stage, {"backward", "backward_weight"});
  for (auto &[state, stages] : getSharedGradients())
    gradients.remove(state);
  llvm::SetVector<StringRef> statistics = getWrites(stage, {"forward"});
  SmallVector<int64_t> among = plan.getRanks(stage);
  // Behind the tags of links; a sum has two.
  int64_t tag = 2 * int64_t(plan.links.size()) + 4 * int64_t(stage);
  IntegerAttr number = builder.getI64IntegerAttr(stage);
  if (!gradients.empty())
    addSum(gradients.getArrayRef(), among, tag, /*isMean=*/false, number);
  if (!statistics.empty())
    addSum(statistics.getArrayRef(), among, tag + 2, /*isMean=*/true, number);
}

/// Ranks that have a parameter of several stages add up their gradients of it,
/// once all tasks are done: those of the same ranks together.
void RankEmitter::addSharedSums() {
  std::map<std::vector<int64_t>, SmallVector<StringRef>> byRanks;
  for (auto &[state, stages] : getSharedGradients()) {
    SmallVector<int64_t> among = plan.getRanks(stages);
    byRanks[{among.begin(), among.end()}].push_back(state);
  }
  for (auto [number, entry] : llvm::enumerate(byRanks))
    if (const auto &among = entry.first;
        among.size() > 1 && llvm::is_contained(among, int64_t(rank)))
      addSum(entry.second, among, getFreeTag(1 + int64_t(number)),
             /*isMean=*/false, IntegerAttr());
}

void RankEmitter::addStateTask(StringRef name, std::optional<unsigned> stage,
                               StringRef kind) {
  auto function = tasks.lookup<func::FuncOp>(name);
  if (!function)
    return;
  program::TaskOp::create(
      builder, function.getLoc(),
      FlatSymbolRefAttr::get(function.getNameAttr()), ValueRange(),
      ValueRange(), stage ? builder.getI64IntegerAttr(*stage) : IntegerAttr(),
      stage ? builder.getStringAttr(kind) : StringAttr(), DenseI64ArrayAttr(),
      FloatAttr());
}

/// The first of some stages that this rank has: what a trace says of a task for
/// parameters of all of them.
unsigned RankEmitter::getOwn(ArrayRef<unsigned> stages) const {
  for (unsigned stage : stages)
    if (llvm::is_contained(plan.getRanks(stage), int64_t(rank)))
      return stage;
  return stages.front();
}

/// The first of the ranks that have a parameter adds the squares of its
/// gradient; then all add up theirs, in the order of the ranks.
void RankEmitter::addNorm() {
  bool clips = false;
  auto add = [&](StringRef name, ArrayRef<unsigned> stages) {
    clips |= tasks.lookup(name) != nullptr;
    if (plan.getRanks(stages).front() == int64_t(rank))
      addStateTask(name, getOwn(stages), "norm");
  };
  for (unsigned number = 0; number < plan.model.stages.size(); ++number) {
    pipe::StageOp stage = plan.model.stages[number];
    add((stage.getName() + ".norm").str(), number);
  }
  for (auto &[parameter, stages] : plan.shared)
    add(("norm." + parameter).str(), stages);
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, plan.programs.size()));
  if (!clips || all.size() == 1)
    return;
  sums.clear();
  addSum(StringRef(differentiate::kSquaresState), all, getFreeTag(0),
         /*isMean=*/false, IntegerAttr());
  addWait(sums.back());
}

/// Once no rank can fail any more, each updates the parameters of its stages.
void RankEmitter::addUpdate() {
  program::BarrierOp::create(builder, ranks.getLoc());
  for (auto [number, stage] : llvm::enumerate(plan.model.stages))
    if (pipe::StageOp op = stage;
        llvm::is_contained(op.getRanks(), int64_t(rank)))
      addStateTask((op.getName() + ".update").str(), number, "update");
  for (auto &[parameter, stages] : plan.shared)
    if (llvm::is_contained(plan.getRanks(stages), int64_t(rank)))
      addStateTask(("update." + parameter).str(), getOwn(stages), "update");
  addStateTask("advance", std::nullopt, "");
}
