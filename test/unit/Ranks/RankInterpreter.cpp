//===- RankInterpreter.cpp - runs programs of ranks -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankRunner.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::ranks;

Runner::Runner(program::RanksOp ranks, ArrayRef<Tensor> inputs,
               const States &states, Channels channels, uint64_t seed,
               TaskFunctions &functions)
    : ranks(ranks), mode(channels), channels(ranks, channels),
      functions(functions), memory(ranks, inputs), random(seed) {
  // A rank may be much slower than the others, and so may messages.
  static constexpr unsigned weights[] = {1, 10, 100};
  for (program::RankOp op : ranks.getRanks()) {
    Rank &rank = all.emplace_back();
    for (Operation &step : op.getRun().getBody().front())
      rank.steps.push_back(&step);
    rank.states = states;
    rank.weight = weights[below(3)];
  }
  eventWeight = weights[below(3)];
}

bool Runner::fail(Operation *step, const std::string &what) {
  llvm::raw_string_ostream os(error);
  os << "rank " << getRank(step) << ", step "
     << std::distance(step->getBlock()->begin(), step->getIterator()) << ", "
     << step->getName() << ": " << what;
  return false;
}

//===----------------------------------------------------------------------===//
// What may happen next
//===----------------------------------------------------------------------===//

bool Runner::haveBegun(ArrayRef<Operation *> steps) const {
  return llvm::all_of(
      steps, [&](Operation *step) { return step && begun.contains(step); });
}

bool Runner::hasEnded(Operation *step) const {
  if (mode == Channels::Ordered)
    return ended.contains(step);
  return begun.contains(step) && haveBegun(channels.getPartners(step));
}

bool Runner::isReady(const Rank &rank) const {
  if (rank.next == rank.steps.size())
    return false;
  Operation *step = rank.steps[rank.next];
  if (auto wait = dyn_cast<program::WaitOp>(step))
    return llvm::all_of(wait.getTokens(), [&](Value token) {
      return hasEnded(token.getDefiningOp());
    });
  if (isa<program::BarrierOp>(step))
    return llvm::all_of(all, [&](const Rank &other) {
      return other.numBarriers > rank.numBarriers ||
             (other.numBarriers == rank.numBarriers &&
              other.next < other.steps.size() &&
              isa<program::BarrierOp>(other.steps[other.next]));
    });
  return true;
}

/// Begins and ends the groups that may.
void Runner::advanceGroups() {
  if (mode != Channels::Ordered)
    return;
  for (bool goesOn = true; goesOn;) {
    goesOn = false;
    for (auto [number, rank] : llvm::enumerate(all)) {
      ArrayRef<RankChannels::Group> groups = channels.getGroups(number);
      if (rank.numBegun == rank.numEnded && rank.numBegun < groups.size() &&
          groups[rank.numBegun].numSteps <= rank.next) {
        for (Operation *step : groups[rank.numBegun++].members) {
          begun.insert(step);
          pending.push_back(step);
        }
        goesOn = true;
      }
      if (rank.numEnded == rank.numBegun)
        continue;
      ArrayRef<Operation *> members = groups[rank.numEnded].members;
      if (!llvm::all_of(members, [&](Operation *step) {
            return haveBegun(channels.getPartners(step));
          }))
        continue;
      ended.insert(members.begin(), members.end());
      ++rank.numEnded;
      goesOn = true;
    }
  }
}

/// Lets a message or a sum proceed, if one can.
bool Runner::doEvent() {
  std::vector<Operation *> possible;
  for (Operation *step : pending)
    if (isa<program::SendOp>(step) || haveBegun(channels.getPartners(step)))
      possible.push_back(step);
  if (possible.empty())
    return true;
  Operation *step = possible[below(possible.size())];
  if (isa<program::SendOp>(step))
    return fetch(step);
  if (isa<program::ReceiveOp>(step))
    return store(step);
  sum(cast<program::AllReduceOp>(step));
  return true;
}

//===----------------------------------------------------------------------===//
// Begin and end
//===----------------------------------------------------------------------===//

bool Runner::failDeadlock() {
  error = "deadlock:";
  for (const Rank &rank : all)
    if (rank.next < rank.steps.size())
      error += " rank " + std::to_string(&rank - all.data()) + " at step " +
               std::to_string(rank.next);
  return false;
}

/// Reads the outputs.
bool Runner::finish(RankRun &made) {
  if (barriersAtRisk >= barriersAtChange) {
    error = "a step may fail after another rank has changed a lasting state";
    return false;
  }
  for (auto output : ranks.getBody().getOps<program::OutputOp>()) {
    RankedTensorType type = program::getTensorType(output);
    auto found = addends.find(output);
    if (found != addends.end()) {
      if (memory.isWritten(output)) {
        error = "an output is written, and numbers are added to it";
        return false;
      }
      llvm::sort(found->second, [](const Addend &a, const Addend &b) {
        return std::pair(a.begin, a.value) < std::pair(b.begin, b.value);
      });
      double sum = 0;
      for (const Addend &addend : found->second)
        sum += addend.value;
      SmallVector<double> values = {sum};
      made.outputs.push_back(
          Tensor::of(type.getElementType(), type.getShape(), values));
      continue;
    }
    std::optional<Bytes> bytes = memory.getOutput(output);
    if (!bytes) {
      error = "the output '" + output.getName().str() + "' is not written";
      return false;
    }
    made.outputs.push_back(toTensor(*bytes, type));
  }
  for (Rank &rank : all)
    made.states.push_back(std::move(rank.states));
  return true;
}

RankRun Runner::run() {
  RankRun made;
  error = channels.getError();
  for (bool goesOn = error.empty(); goesOn;) {
    advanceGroups();
    std::vector<std::pair<unsigned, unsigned>> choices; // rank, weight
    unsigned total = 0;
    for (auto [number, rank] : llvm::enumerate(all))
      if (isReady(rank)) {
        choices.push_back({unsigned(number), rank.weight});
        total += rank.weight;
      }
    if (choices.empty()) {
      bool areDone = llvm::all_of(
          all, [](const Rank &rank) { return rank.next == rank.steps.size(); });
      goesOn = false;
      if (areDone)
        finish(made);
      else
        failDeadlock();
      continue;
    }
    auto draw = static_cast<unsigned>(below(total + eventWeight));
    if (draw >= total) {
      goesOn = doEvent();
      continue;
    }
    size_t choice = 0;
    for (; draw >= choices[choice].second; ++choice)
      draw -= choices[choice].second;
    goesOn = doStep(choices[choice].first);
  }
  made.error = error;
  return made;
}

RankRun tenon::ranks::runRanks(program::RanksOp ranks, ArrayRef<Tensor> inputs,
                               const States &states, Channels channels,
                               uint64_t seed, TaskFunctions &functions) {
  return Runner(ranks, inputs, states, channels, seed, functions).run();
}
