//===- RankMessages.cpp - the messages of a rank --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankPlanner.h"

using namespace tenon::artifact;

namespace tenon::runtime {

/// How many tasks before the one that needs it a receive begins.
static constexpr size_t receivesAhead = 2;
/// How many messages to one rank over one link may be on their way.
static constexpr size_t sendsAhead = 4;

void RankPlanner::addWait(int32_t message) {
  add(PlanOperation::Kind::Wait).message = message;
}

void RankPlanner::waitForReceive(int32_t buffer) {
  auto it = receives.find(buffer);
  if (it == receives.end())
    return;
  addWait(it->second);
  receives.erase(it);
}

void RankPlanner::limitSends() {
  for (auto &[key, messages] : sends)
    while (messages.size() > sendsAhead) {
      addWait(messages.front());
      messages.pop_front();
    }
}

/// What a stage has sent forward has been read when its gradients are there.
void RankPlanner::waitForSends(const PipelineStep &backward) {
  auto it = keptSends.lower_bound({backward.stage, backward.begin});
  while (it != keptSends.end() && it->first.first == backward.stage &&
         it->first.second < backward.end) {
    addWait(it->second);
    it = keptSends.erase(it);
  }
}

/// Waits for what is on its way.
void RankPlanner::waitForAll() {
  for (const auto &[buffer, message] : receives)
    addWait(message);
  for (const auto &[key, messages] : sends)
    for (int32_t message : messages)
      addWait(message);
  for (const auto &[key, message] : keptSends)
    addWait(message);
}

PlanMessage RankPlanner::describe(const PipelineTransfer &transfer) {
  PlanMessage message;
  message.number = plan.numMessages++;
  message.isSend = transfer.isSend;
  message.peer = static_cast<int>(transfer.peer);
  message.tag = static_cast<int>(2 * transfer.link + transfer.isGradient);
  return message;
}

PlanMessage RankPlanner::prepareSend(const PipelineTransfer &transfer) {
  PlanMessage message = describe(transfer);
  auto [stage, operand] = links[transfer.link];
  const PipelineOperand &value = pipeline.stages[stage].operands[operand];
  Stream stream = transfer.isGradient
                      ? Stream{Stream::Gradient, stage, operand}
                      : Stream{Stream::Value, value.stage, value.result};
  message.buffer = assemble(stream, value, transfer.begin, transfer.end);
  message.bytes = getBytes(value, transfer.end - transfer.begin);
  if (mode == PipelineMode::Train && !transfer.isGradient) {
    keptSends.insert({{value.stage, transfer.begin}, message.number});
    return message;
  }
  sends[{message.peer, message.tag}].push_back(message.number);
  return message;
}

PlanMessage RankPlanner::prepareReceive(const PipelineTransfer &transfer) {
  PlanMessage message = describe(transfer);
  auto [stage, operand] = links[transfer.link];
  const PipelineOperand &value = pipeline.stages[stage].operands[operand];
  message.bytes = getBytes(value, transfer.end - transfer.begin);
  message.buffer = addBuffer(message.bytes);
  receives[message.buffer] = message.number;
  streams[{transfer.isGradient ? Stream::LinkGradient : Stream::LinkValue,
           transfer.link}]
      .push_back({transfer.begin, transfer.end, message.buffer});
  return message;
}

/// Adds an operation for receives, some tasks earlier.
void RankPlanner::addEarly(PlanOperation::Kind kind,
                           std::vector<PlanMessage> messages) {
  add(kind).messages = std::move(messages);
  operations.back().first =
      runPlaces.size() < receivesAhead
          ? 1
          : runPlaces[runPlaces.size() - receivesAhead] - 1;
}

void RankPlanner::addTransfers(const PipelineStep &step) {
  std::vector<PlanMessage> all, received;
  for (const PipelineTransfer &transfer : step.transfers) {
    if (transfer.isGradient && mode != PipelineMode::Train)
      continue;
    if (links[transfer.link].first < 0)
      return damaged("no stage reads link ", transfer.link);
    all.push_back(transfer.isSend ? prepareSend(transfer)
                                  : prepareReceive(transfer));
    if (!transfer.isSend)
      received.push_back(all.back());
    if (order == MessageOrder::AsPlanned)
      continue;
    if (transfer.isSend) {
      limitSends();
      add(PlanOperation::Kind::Send).messages = {all.back()};
    } else {
      addEarly(PlanOperation::Kind::Receive, {all.back()});
    }
  }
  if (order == MessageOrder::Early || all.empty())
    return;
  if (!received.empty())
    addEarly(PlanOperation::Kind::Reserve, std::move(received));
  add(PlanOperation::Kind::Exchange).messages = std::move(all);
  limitSends();
}

} // namespace tenon::runtime
