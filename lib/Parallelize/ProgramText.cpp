//===- ProgramText.cpp - steps of ranks in words --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramText.h"

#include "llvm/Support/ErrorHandling.h"

using namespace tenon::parallelize;

static const char *getName(TaskKind kind) {
  switch (kind) {
  case TaskKind::Forward:
    return "forward";
  case TaskKind::Backward:
    return "backward";
  case TaskKind::BackwardInput:
    return "backward-input";
  case TaskKind::BackwardWeight:
    return "backward-weight";
  }
  llvm_unreachable("unknown kind of task");
}

std::string tenon::parallelize::getTaskText(const Task &task) {
  return std::string(getName(task.kind)) + " " +
         std::to_string(task.microBatch) + " of stage " +
         std::to_string(task.stage);
}

std::string tenon::parallelize::getTransferText(const Transfer &transfer) {
  return std::string(transfer.isSend ? "sends " : "receives ") +
         (transfer.isGradient ? "gradients" : "values") + " of link " +
         std::to_string(transfer.link) + ", samples " +
         std::to_string(transfer.begin) + " to " +
         std::to_string(transfer.end - 1) +
         (transfer.isSend ? ", to" : ", from") + " rank " +
         std::to_string(transfer.peer);
}

std::string tenon::parallelize::getStepText(unsigned rank, size_t number,
                                            const Step &step) {
  std::string text =
      "step " + std::to_string(number) + " of rank " + std::to_string(rank);
  switch (step.kind) {
  case Step::Kind::Compute:
    return text + " (" + getTaskText(step.task) + ")";
  case Step::Kind::ReduceGradients:
    return text + " (gradients of stage " + std::to_string(step.task.stage) +
           ")";
  case Step::Kind::Group:
    text += " (";
    for (const Transfer &transfer : step.transfers)
      text += (&transfer == step.transfers.data() ? "" : "; ") +
              getTransferText(transfer);
    return text + ")";
  }
  llvm_unreachable("unknown kind of step");
}
