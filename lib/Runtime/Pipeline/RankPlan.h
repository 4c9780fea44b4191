//===- RankPlan.h - the operations of a rank ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the steps of a rank (Artifact/Pipeline.h) follows what it does in an
// iteration: which operations, in which order, on which memory. All of it is
// placed in one arena before the first iteration.
//
// Steps are checked as if each transfer ended before the next step began. Here,
// messages begin no later and are awaited no earlier than that, which can only
// shorten what ranks wait for each other: a receive begins some tasks before
// the one that needs it, and a send is awaited when its memory is needed again.
// Channels that match messages by their order alone get the transfers of a step
// as one exchange, in the order of the steps.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_PIPELINE_RANKPLAN_H
#define TENON_LIB_RUNTIME_PIPELINE_RANKPLAN_H

#include "tenon/Artifact/Pipeline.h"
#include "tenon/Artifact/Program.h"
#include "tenon/Artifact/Status.h"

#include <string>
#include <vector>

namespace tenon::runtime {

/// What a run of the pipeline is for.
enum class PipelineMode { Train, Evaluate, Predict };

/// When messages begin.
enum class MessageOrder {
  Early,    // each as soon as it can
  AsPlanned // the transfers of a step together, in the order of the steps
};

/// A tensor that a task is given or gives: dense in the arena, or a part of a
/// tensor of the caller.
struct PlanTensor {
  artifact::DType dtype = artifact::DType::F32;
  std::vector<int64_t> shape;
  int32_t buffer = -1; // -1: the caller's
  int32_t input = -1;  // the caller's input
  /// Where the part of the caller's tensor begins, and on which axis (-1: it is
  /// all of the tensor).
  int64_t begin = 0, axis = -1;

  int64_t getBytes() const;
};

struct PlanBuffer {
  int64_t bytes = 0;
  /// The first and the last operation that uses it.
  int32_t first = -1, last = -1;
  int64_t offset = 0; // in the arena
};

/// Copies the part [from, from + count) of an axis of a dense tensor to the
/// part that begins at `to` of another one.
struct PlanCopy {
  int32_t source = -1, target = -1; // buffers
  /// What is copied as one: `outer` times `count` rows of `rowBytes`.
  int64_t outer = 1, rowBytes = 0, count = 0;
  int64_t from = 0, to = 0;
  int64_t sourceRows = 0, targetRows = 0; // of the axis
};

/// A message to or from another rank.
struct PlanMessage {
  int32_t number = -1, buffer = -1;
  bool isSend = false;
  int peer = 0, tag = 0;
  int64_t bytes = 0;
};

struct PlanOperation {
  enum class Kind {
    Run,      // an entry
    Copy,     // within the arena
    Give,     // to the caller's output
    Send,     // begins a message
    Receive,  // begins a message
    Reserve,  // from now on, messages of a later exchange may be written
    Exchange, // begins messages together
    Wait,     // for a message
    Reduce,   // begins a sum of gradients
  };
  Kind kind = Kind::Run;
  // Run
  std::string entry;
  std::vector<PlanTensor> inputs, outputs;
  /// The output that is the loss of the samples [begin, end), or -1.
  int32_t loss = -1;
  int64_t begin = 0, end = 0;
  // Copy
  PlanCopy copy;
  // Give: the output, and where the part begins.
  int32_t output = -1;
  PlanTensor given;
  // Send, Receive: one. Reserve: those that are received. Exchange: all.
  std::vector<PlanMessage> messages;
  // Wait: the number of the message.
  int32_t message = -1;
  // Reduce
  int64_t stage = -1;
};

struct RankPlan {
  std::vector<PlanOperation> operations;
  std::vector<PlanBuffer> buffers;
  int32_t numMessages = 0;
  int64_t arenaBytes = 0;
};

/// Plans for the rank whose program has the tables `program`. Fails if these
/// don't fit to the description: the artifact is damaged then.
artifact::Expected<RankPlan> planRank(const artifact::Pipeline &pipeline,
                                      int64_t rank,
                                      const tenon_program &program,
                                      PipelineMode mode, MessageOrder order);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PIPELINE_RANKPLAN_H
