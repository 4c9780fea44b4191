//===- RankBuffers.cpp - what a rank has in memory, and when --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankBuffers.h"

#include "llvm/ADT/StringSet.h"

#include <algorithm>

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

int64_t tenon::parallelize::getNumOps(const Step &step) {
  if (step.kind == Step::Kind::Compute)
    return 1;
  // Each transfer, or the sum, then the wait.
  return step.kind == Step::Kind::Group
             ? static_cast<int64_t>(step.transfers.size()) + 1
             : 2;
}

RankLives::RankLives(const PipelineModel &model, const std::vector<Step> &steps,
                     ArrayRef<int64_t> places)
    : model(model) {
  for (auto [number, step] : llvm::enumerate(steps)) {
    if (step.kind != Step::Kind::Compute)
      continue;
    TaskPlaces &task = tasks[{step.task.stage, step.task.microBatch}];
    int64_t place = places[number];
    task.last = std::max(task.last, place);
    if (step.task.kind == TaskKind::Forward) {
      task.forward = place;
      continue;
    }
    if (task.firstBackward < 0)
      task.firstBackward = place;
    if (step.task.kind != TaskKind::BackwardWeight)
      task.gradient = place;
  }
}

Life RankLives::get(const Transfer &transfer, int64_t place,
                    int64_t wait) const {
  const Link &link = model.pipeline.links[transfer.link];
  // Which stage computes what is sent, or reads what is received.
  unsigned stage = transfer.isSend == transfer.isGradient ? link.to : link.from;
  int64_t size = model.pipeline.stages[stage].microBatch;
  Life life = {place, wait};
  for (int64_t number = transfer.begin / size; number * size < transfer.end;
       ++number) {
    auto task = tasks.find({stage, number});
    if (task == tasks.end())
      continue;
    const TaskPlaces &at = task->second;
    if (!transfer.isSend) {
      life.last = std::max(life.last, at.last);
      continue;
    }
    int64_t giver = transfer.isGradient ? at.gradient : at.forward;
    if (giver >= 0)
      life.first = std::min(life.first, giver);
  }
  return life;
}

std::vector<SavedBuffer> RankLives::getSaved() const {
  std::vector<SavedBuffer> saved;
  if (!model.isTraining)
    return saved;
  for (const auto &[key, at] : tasks) {
    pipe::StageOp stage = model.stages[key.first];
    const Stage &numbers = model.pipeline.stages[key.first];
    auto share = static_cast<int64_t>(stage.getRanks().size());
    int64_t bytes =
        stage.getSavedBytes().value_or(0) * (numbers.microBatch / share);
    if (bytes == 0 || at.forward < 0 || at.firstBackward < 0)
      continue;
    if (!stage.getRecompute() && !stage.getOffload()) {
      saved.push_back({bytes, {at.forward, at.last}});
      continue;
    }
    saved.push_back({bytes, {at.forward, at.forward}});
    saved.push_back({bytes, {at.firstBackward, at.last}});
  }
  return saved;
}

std::string tenon::parallelize::getGradientsName(pipe::StageOp stage) {
  return (stage.getName() + ".gradients").str();
}

std::string tenon::parallelize::getStatesName(pipe::StageOp stage) {
  return (stage.getName() + ".states").str();
}

StageWeights tenon::parallelize::getStageWeights(pipe::StageOp stage) {
  StageWeights weights;
  llvm::StringSet<> names;
  int64_t numbers = 0;
  double bytes = 0;
  for (auto parameter : stage.getBody().getOps<graph::ParameterOp>()) {
    if (!names.insert(parameter.getName()).second)
      continue;
    weights.parameters.push_back(parameter);
    auto type = cast<RankedTensorType>(parameter.getResult().getType());
    if (!isa<FloatType>(type.getElementType()))
      continue;
    numbers += type.getNumElements();
    bytes += static_cast<double>(type.getNumElements()) *
             (type.getElementTypeBitWidth() / 8);
  }
  auto program = cast<pipe::ProgramOp>(stage->getParentOp());
  if (!program.getTraining())
    return weights;
  Builder builder(stage.getContext());
  numbers = std::max<int64_t>(numbers, 1);
  weights.gradients = RankedTensorType::get({numbers}, builder.getF32Type());
  double factor = program.getStateFactor()
                      ? program.getStateFactor()->convertToDouble()
                      : 1;
  int64_t rest = static_cast<int64_t>(bytes * factor) - 4 * numbers;
  if (rest > 0)
    weights.states = RankedTensorType::get({rest}, builder.getI8Type());
  return weights;
}
