//===- RandomRun.h - random pipelines under random schedules --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_PIPELINE_RANDOMRUN_H
#define TENON_TEST_UNIT_PIPELINE_RANDOMRUN_H

#include "TaskTables.h"

#include "tenon/Artifact/Pipeline.h"
#include "tenon/Parallelize/CheckPrograms.h"
#include "tenon/Parallelize/Plan.h"
#include "tenon/Parallelize/Schedules.h"

#include <random>

namespace tenon {

/// A pipeline whose programs of ranks --pipe-check accepts.
class RandomRun {
public:
  explicit RandomRun(uint64_t seed) : random(seed) {}

  /// Returns false, with a reason, if there is no such schedule.
  bool make(std::string &reason);
  /// The loss and the parameters after two iterations.
  std::vector<float> run(int32_t ranks, std::string &error);

  const artifact::Pipeline &getDescription() const { return description; }
  const tenon_program &getProgram() const { return *program; }

private:
  size_t below(size_t count) { return random() % count; }
  void makePipeline();
  bool makeSchedule(std::string &reason);
  void describe();
  void addTasks();
  void addBackward(unsigned stage, bool isInput, bool isWeight);
  runtime::TaskTables::Shape getShape(unsigned stage, bool isTurned) const;
  artifact::PipelineSamples getSamples(unsigned link) const {
    return {isTurned[link] ? 1 : 0, 1};
  }

  std::mt19937_64 random;
  parallelize::Pipeline pipeline;
  parallelize::Schedule schedule;
  parallelize::LaneRanks laneRanks;
  parallelize::RankPrograms programs;
  std::vector<bool> splits;   // by stage
  std::vector<bool> isTurned; // by link: whether samples are columns
  artifact::Pipeline description;
  std::string text;
  runtime::TaskTables tables;
  std::vector<int32_t> parameters, gradients; // buffers, by stage
  int32_t numTasks = 0;
  tenon_program *program = nullptr;
};

} // namespace tenon

#endif // TENON_TEST_UNIT_PIPELINE_RANDOMRUN_H
