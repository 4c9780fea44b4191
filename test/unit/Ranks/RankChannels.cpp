//===- RankChannels.cpp - which steps of ranks meet -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankChannels.h"

#include <map>

using namespace mlir;
using namespace tenon;
using namespace tenon::ranks;

bool tenon::ranks::isTransfer(Operation *step) {
  return isa<program::SendOp, program::ReceiveOp, program::AllReduceOp>(step);
}

unsigned tenon::ranks::getRank(Operation *step) {
  return static_cast<unsigned>(
      step->getParentOfType<program::RankOp>().getRank());
}

static int64_t getGroup(Operation *step) {
  return cast<IntegerAttr>(step->getAttr("group")).getInt();
}

static int64_t getTag(Operation *step) {
  return cast<IntegerAttr>(step->getAttr("tag")).getInt();
}

RankChannels::RankChannels(program::RanksOp ranks, Channels channels)
    : channels(channels) {
  collect(ranks);
  match();
  checkGroups();
}

ArrayRef<Operation *> RankChannels::getPartners(Operation *step) const {
  auto found = partners.find(step);
  return found == partners.end() ? ArrayRef<Operation *>() : found->second;
}

void RankChannels::collect(program::RanksOp ranks) {
  for (program::RankOp rank : ranks.getRanks()) {
    Steps &own = transfers.emplace_back();
    std::map<int64_t, Group> found;
    size_t number = 0;
    for (Operation &step : rank.getRun().getBody().front()) {
      ++number;
      if (!isTransfer(&step))
        continue;
      own.push_back(&step);
      Group &group = found[getGroup(&step)];
      group.number = getGroup(&step);
      group.numSteps = number;
      group.members.push_back(&step);
    }
    std::vector<Group> &list = groups.emplace_back();
    for (auto &[key, group] : found) {
      if (!list.empty())
        group.numSteps = std::max(group.numSteps, list.back().numSteps);
      list.push_back(std::move(group));
    }
    if (channels == Channels::Tags)
      continue;
    own.clear();
    for (const Group &group : list)
      llvm::append_range(own, group.members);
  }
}

/// What meets must agree.
void RankChannels::meet(Operation *one, Operation *other) {
  partners[one].push_back(other);
  if (!other)
    return;
  if (auto sum = dyn_cast<program::AllReduceOp>(one)) {
    auto its = cast<program::AllReduceOp>(other);
    if (sum.getStates() != its.getStates() || sum.getMean() != its.getMean())
      error = "sums that meet differ";
    return;
  }
  RankedTensorType type = program::getTensorType(one->getOperand(0));
  RankedTensorType its = program::getTensorType(other->getOperand(0));
  if (type != its)
    error = "the ends of a message have other types";
}

void RankChannels::match() {
  // The ends of messages by sender, receiver and tag; sums by their ranks, and
  // then by the rank that has them.
  using Key = std::tuple<int64_t, int64_t, int64_t>;
  std::map<Key, std::pair<Steps, Steps>> messages;
  std::map<std::pair<std::vector<int64_t>, int64_t>, std::map<int64_t, Steps>>
      sums;
  for (auto [number, steps] : llvm::enumerate(transfers)) {
    auto rank = static_cast<int64_t>(number);
    for (Operation *step : steps) {
      int64_t tag = channels == Channels::Tags ? getTag(step) : 0;
      if (auto send = dyn_cast<program::SendOp>(step)) {
        auto peer = static_cast<int64_t>(send.getRank());
        messages[{rank, peer, tag}].first.push_back(step);
      } else if (auto receive = dyn_cast<program::ReceiveOp>(step)) {
        auto peer = static_cast<int64_t>(receive.getRank());
        messages[{peer, rank, tag}].second.push_back(step);
      } else {
        auto sum = cast<program::AllReduceOp>(step);
        sums[{sum.getRanks().vec(), tag}][rank].push_back(step);
      }
    }
  }
  auto get = [](const Steps &list, size_t place) {
    return place < list.size() ? list[place] : nullptr;
  };
  for (const auto &[key, ends] : messages) {
    for (auto [place, step] : llvm::enumerate(ends.first))
      meet(step, get(ends.second, place));
    for (auto [place, step] : llvm::enumerate(ends.second))
      meet(step, get(ends.first, place));
  }
  for (auto &[key, lists] : sums)
    for (auto &[rank, steps] : lists)
      for (auto [place, step] : llvm::enumerate(steps))
        for (int64_t peer : key.first)
          if (peer != rank)
            meet(step, get(lists[peer], place));
}

/// A sum is a group of its own.
void RankChannels::checkGroups() {
  if (channels != Channels::Ordered)
    return;
  for (ArrayRef<Group> list : groups)
    for (const Group &group : list)
      if (group.members.size() > 1 &&
          llvm::any_of(group.members, llvm::IsaPred<program::AllReduceOp>))
        error = "the group of a sum has other steps";
}
