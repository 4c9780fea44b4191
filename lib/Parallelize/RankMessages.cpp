//===- RankMessages.cpp - the messages of a rank --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MessageSlack.h"
#include "RankEmitter.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

void RankEmitter::addWait(Value token) {
  program::WaitOp::create(builder, ranks.getLoc(), token);
}

void RankEmitter::waitForReceive(Value buffer) {
  auto *it = receives.find(buffer);
  if (it == receives.end())
    return;
  addWait(it->second);
  receives.erase(it);
}

void RankEmitter::limitSends() {
  for (auto &[key, tokens] : sends)
    while (tokens.size() > kSendsAhead) {
      addWait(tokens.front());
      tokens.pop_front();
    }
}

/// What a stage has sent forward has been read when its gradients are there.
void RankEmitter::waitForSends(const Step &backward) {
  unsigned stage = backward.task.stage;
  auto it = keptSends.lower_bound({stage, backward.begin});
  while (it != keptSends.end() && it->first.first == stage &&
         it->first.second < backward.end) {
    addWait(it->second);
    it = keptSends.erase(it);
  }
}

/// Waits for what is on its way.
void RankEmitter::waitForAll() {
  for (const auto &[buffer, token] : receives)
    addWait(token);
  for (const auto &[key, tokens] : sends)
    for (Value token : tokens)
      addWait(token);
  for (const auto &[key, token] : keptSends)
    addWait(token);
  for (Value token : sums)
    addWait(token);
}

static int64_t getTag(const Transfer &transfer) {
  return 2 * int64_t(transfer.link) + transfer.isGradient;
}

void RankEmitter::addSend(const Transfer &transfer) {
  OpOperand &operand = *plan.links[transfer.link];
  unsigned reader = plan.getNumber(operand.getOwner());
  Value value = operand.get();
  if (auto channel = value.getDefiningOp<pipe::ChannelOp>())
    value = channel.getValue();
  auto result = cast<OpResult>(value);
  unsigned giver = plan.getNumber(result.getOwner());
  Stream stream =
      transfer.isGradient
          ? Stream{Stream::Gradient, reader,
                   int64_t(operand.getOperandNumber())}
          : Stream{Stream::Value, giver, int64_t(result.getResultNumber())};
  Value buffer = assemble(stream, value, transfer.begin, transfer.end);
  Value token =
      program::SendOp::create(builder, operand.getOwner()->getLoc(), tokenType,
                              buffer, transfer.peer, getTag(transfer), group)
          .getToken();
  if (entry == CalledEntry::Train && !transfer.isGradient)
    keptSends.insert({{giver, transfer.begin}, token});
  else
    sends[{transfer.peer, getTag(transfer)}].push_back(token);
  limitSends();
}

void RankEmitter::addReceive(const Transfer &transfer) {
  OpOperand &operand = *plan.links[transfer.link];
  Value buffer = addArena(
      plan.bind(operand.get().getType(), transfer.end - transfer.begin));
  OpBuilder::InsertionGuard guard(builder);
  bool isFirst = taskOps.size() < kReceivesAhead;
  if (!isFirst)
    builder.setInsertionPoint(taskOps[taskOps.size() - kReceivesAhead]);
  else if (lastEarly)
    builder.setInsertionPointAfter(lastEarly);
  else
    builder.setInsertionPointToStart(&run.getBody().front());
  auto made = program::ReceiveOp::create(builder, operand.getOwner()->getLoc(),
                                         tokenType, buffer, transfer.peer,
                                         getTag(transfer), group);
  if (isFirst)
    lastEarly = made;
  receives[buffer] = made.getToken();
  streams[{transfer.isGradient ? Stream::LinkGradient : Stream::LinkValue,
           transfer.link}]
      .push_back({transfer.begin, transfer.end, buffer});
}

/// Whether the stage before a link has anything to do with its gradient.
bool RankEmitter::needsGradient(unsigned link) const {
  Value value = plan.links[link]->get();
  if (auto channel = value.getDefiningOp<pipe::ChannelOp>())
    value = channel.getValue();
  auto giver = cast<pipe::StageOp>(value.getDefiningOp());
  return llvm::any_of(
      ArrayRef<StringRef>{"backward", "backward_input", "backward_weight"},
      [&](StringRef kind) {
        return tasks.lookup((giver.getName() + "." + kind).str()) != nullptr;
      });
}

/// The transfers of a step are one group.
void RankEmitter::addTransfers(const Step &step) {
  bool hasAny = false;
  for (const Transfer &transfer : step.transfers) {
    if (transfer.isGradient &&
        (entry != CalledEntry::Train || !needsGradient(transfer.link)))
      continue;
    hasAny = true;
    if (transfer.isSend)
      addSend(transfer);
    else
      addReceive(transfer);
  }
  group += hasAny;
}
