//===- ProgramText.cpp - steps of ranks in words --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramText.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>

using namespace tenon::parallelize;

/// In messages, words are not joined by underscores.
static std::string getWords(TaskKind kind) {
  std::string words = getName(kind);
  std::replace(words.begin(), words.end(), '_', '-');
  return words;
}

std::string tenon::parallelize::getTaskText(const Task &task) {
  return getWords(task.kind) + " " + std::to_string(task.microBatch) +
         " of stage " + std::to_string(task.stage);
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
