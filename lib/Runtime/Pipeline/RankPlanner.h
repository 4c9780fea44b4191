//===- RankPlanner.h - makes the operations of a rank ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_PIPELINE_RANKPLANNER_H
#define TENON_LIB_RUNTIME_PIPELINE_RANKPLANNER_H

#include "RankPlan.h"

#include <deque>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

namespace tenon::runtime {

/// Where parts of a value are: those of one stream belong to one value or one
/// gradient.
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

/// The samples [begin, end) of a stream.
struct Piece {
  int64_t begin, end;
  int32_t buffer;
};

class RankPlanner {
public:
  RankPlanner(const artifact::Pipeline &pipeline, int64_t rank,
              const tenon_program &program, PipelineMode mode,
              MessageOrder order)
      : pipeline(pipeline), rank(rank), program(program), mode(mode),
        order(order), links(pipeline.numLinks, {-1, -1}) {}

  artifact::Expected<RankPlan> run();

private:
  template <typename... Parts> void damaged(const Parts &...parts) {
    if (error.empty())
      error = artifact::concat("the artifact is damaged: ", parts...);
  }

  void addStep(const artifact::PipelineStep &step);
  void addTask(const artifact::PipelineStep &step, const std::string &kind);
  void addOutput(const artifact::PipelineStep &step, const tenon_value &value,
                 PlanOperation &run);
  PlanTensor getInput(const artifact::PipelineStep &step,
                      std::string_view name);
  PlanTensor getOperand(const artifact::PipelineStep &step, size_t number);
  std::optional<Stream> findGradient(const artifact::PipelineStage &stage,
                                     int64_t number, std::string_view name,
                                     const artifact::PipelineValue *&value);
  int32_t assemble(const Stream &stream, const artifact::PipelineValue &value,
                   int64_t begin, int64_t end);
  void copy(const artifact::PipelineValue &value, const Piece &piece,
            int64_t begin, int64_t end, int32_t target);
  int32_t addBuffer(int64_t bytes);
  PlanOperation &add(PlanOperation::Kind kind);
  void finish();

  // Messages (RankMessages.cpp).
  void addTransfers(const artifact::PipelineStep &step);
  PlanMessage prepareSend(const artifact::PipelineTransfer &transfer);
  PlanMessage prepareReceive(const artifact::PipelineTransfer &transfer);
  PlanMessage describe(const artifact::PipelineTransfer &transfer);
  void addEarly(PlanOperation::Kind kind, std::vector<PlanMessage> messages);
  void limitSends();
  void addWait(int32_t message);
  void waitForReceive(int32_t buffer);
  void waitForSends(const artifact::PipelineStep &backward);
  void waitForAll();

  const artifact::Pipeline &pipeline;
  int64_t rank;
  const tenon_program &program;
  PipelineMode mode;
  MessageOrder order;
  RankPlan plan;
  std::string error;
  /// Operations with their places; receives have earlier ones.
  std::deque<std::pair<int64_t, PlanOperation>> operations;
  std::vector<int64_t> runPlaces;
  int64_t place = 0;
  /// The stage and operand that a link ends at.
  std::vector<std::pair<int64_t, int64_t>> links;
  std::map<Stream, std::vector<Piece>> streams;
  /// By stage, first sample and name: what later tasks may be given.
  std::map<std::tuple<int64_t, int64_t, std::string>, PlanTensor> known;
  /// Messages that no one has waited for: by buffer, by peer and tag, and for
  /// forward sends of training by stage and first sample.
  std::map<int32_t, int32_t> receives;
  std::map<std::pair<int, int>, std::deque<int32_t>> sends;
  std::multimap<std::pair<int64_t, int64_t>, int32_t> keptSends;
};

/// The bytes of some samples of a value.
int64_t getBytes(const artifact::PipelineValue &value, int64_t numSamples);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PIPELINE_RANKPLANNER_H
