//===- Pipeline.h - what the ranks of a pipeline do -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An artifact of a pipeline has one program for all ranks. Its entries are what
// callers run, which have no steps, and behind them the tasks of all stages.
// This description, a JSON text in the program's tables, says which tasks each
// rank runs, on which samples, and what it sends and receives.
//
// The task KIND of stage S is the entry S.KIND:
//
//   predict                          the stage
//   evaluate                         the stage, and the loss
//   forward                          of training
//   backward                         of training, for inputs and weights, or
//   backward_input, backward_weight  in two tasks
//   update                           the optimizer's step
//
// and the entry `advance` counts the optimizer's steps. A task's inputs and
// outputs are known by their names:
//
//   the names of operands and results    of the stage
//   target                               of the loss
//   loss                                 the part of the loss of these samples
//   saved.*, kept.*                      what a task hands on to the next of
//                                        the same stage and samples
//   gradient.RESULT.K                    from reader K of a result
//   gradient.OPERAND                     for the stage that the operand is of
//
// Gradients of weights are added to the states optimizer.gradient.NAME, which
// `update` reads and resets.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_PIPELINE_H
#define TENON_ARTIFACT_PIPELINE_H

#include "tenon/Artifact/DType.h"
#include "tenon/Artifact/Status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::artifact {

/// What the names of states begin with that hold sums of gradients. Only tasks
/// see them: callers and files of states do not.
inline constexpr std::string_view gradientStatePrefix = "optimizer.gradient.";

inline bool isGradientState(std::string_view name) {
  return name.substr(0, gradientStatePrefix.size()) == gradientStatePrefix;
}

/// The stage of a task's entry; empty for entries of no stage.
inline std::string_view getStageName(std::string_view entry) {
  size_t dot = entry.rfind('.');
  return dot == entry.npos ? std::string_view() : entry.substr(0, dot);
}

/// Which part of a value belongs to which samples: sample s is at the indices
/// [s * rows, (s + 1) * rows) of the axis. -1: all samples share the value.
struct PipelineSamples {
  int64_t axis = -1, rows = 1;
};

/// A tensor between tasks.
struct PipelineValue {
  std::string name;
  DType dtype = DType::F32;
  /// Of one sample, whose axis of samples has the size `rows`.
  std::vector<int64_t> shape;
  PipelineSamples samples;

  std::vector<int64_t> getShape(int64_t numSamples) const;
};

struct PipelineOperand : PipelineValue {
  /// The number of the program's input, or -1: then it is a result of a stage,
  /// if this is of other ranks through a link.
  int64_t input = -1;
  int64_t stage = -1, result = -1, link = -1;
};

struct PipelineResult : PipelineValue {
  /// The numbers of the program's outputs that it is.
  std::vector<int64_t> outputs;
};

struct PipelineStage {
  std::string name;
  std::vector<int64_t> ranks;
  /// What the plan expects of a forward task, a backward task for inputs, and
  /// one for weights.
  std::vector<double> seconds = {0, 0, 0};
  std::vector<PipelineOperand> operands;
  std::vector<PipelineResult> results;
};

/// One end of a message. Messages between two ranks over one link in one
/// direction arrive in their order.
struct PipelineTransfer {
  bool isSend = false;
  int64_t peer = 0;
  int64_t link = 0;
  bool isGradient = false;
  int64_t begin = 0, end = 0; // samples
};

struct PipelineStep {
  /// The kind of a task, `transfer`, or `reduce`: the sum of the gradients of a
  /// stage over its ranks.
  std::string kind;
  int64_t stage = -1;
  int64_t begin = 0, end = 0; // samples of a task
  std::vector<PipelineTransfer> transfers;

  bool isForward() const { return kind == "forward" || kind == "predict"; }
};

struct Pipeline {
  int64_t miniBatch = 1;
  bool isTraining = false;
  /// In training: the stage that computes the loss, and the samples of its
  /// target.
  int64_t lossStage = -1;
  PipelineSamples target;
  /// Inputs of the model; behind them, entries with a loss have the target.
  int64_t numInputs = 0;
  int64_t numLinks = 0;
  std::vector<PipelineStage> stages;
  std::vector<std::vector<PipelineStep>> ranks;

  std::string toJson() const;
};

/// Fails if a member is missing or of another type, or a number of a stage,
/// result, rank or sample is out of its range.
Expected<Pipeline> parsePipeline(std::string_view text);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_PIPELINE_H
