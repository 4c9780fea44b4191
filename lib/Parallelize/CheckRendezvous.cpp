//===- CheckRendezvous.cpp - programs of ranks end ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Waiting is a graph. Its nodes are the steps of each rank, and the
// begin and the end of each group of messages (a sum is one, too):
//
//  - a step is after the one before it, and a wait after the end of its groups;
//  - a group begins after all steps that add to it or to a group before it, and
//    after the end of the group before it;
//  - it ends after it has begun, and after the groups of all its other ends
//  have;
//  - a barrier is after all that is before a barrier of the same number.
//
// The programs end under any timing if it has no cycle. Channels that start
// each message as soon as its step is reached wait for less.
//
//===----------------------------------------------------------------------===//

#include "RankText.h"
#include "tenon/Parallelize/CheckRanks.h"

#include <deque>
#include <map>
#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

namespace {
/// A step that adds to a group.
struct Member {
  Operation *op;
  unsigned rank;
  int64_t group;
  unsigned number; // of the step
};

class Rendezvous {
public:
  explicit Rendezvous(program::RanksOp ranks) : ranks(ranks.getRanks()) {}

  LogicalResult check();

private:
  using Key = std::tuple<int64_t, int64_t, int64_t>; // from, to, tag

  void collect();
  LogicalResult matchMessages();
  LogicalResult matchInOrder();
  LogicalResult matchSums();
  LogicalResult checkTags();
  LogicalResult checkEnd();
  void addEdges();

  void meet(const Member &a, const Member &b) { meetings.push_back({&a, &b}); }
  unsigned addNode(Operation *op) {
    nodes.push_back(op);
    after.emplace_back();
    return nodes.size() - 1;
  }

  SmallVector<program::RankOp> ranks;
  std::deque<Member> members;
  std::map<Key, std::vector<const Member *>> sends, receives;
  std::vector<std::vector<const Member *>> sums; // by rank
  std::vector<std::pair<const Member *, const Member *>> meetings;
  llvm::DenseMap<const Member *, const Member *> otherEnd;
  // The graph.
  std::vector<Operation *> nodes;
  std::vector<SmallVector<unsigned, 2>> after; // what each node waits for
};
} // namespace

void Rendezvous::collect() {
  sums.resize(ranks.size());
  for (auto [rank, op] : llvm::enumerate(ranks)) {
    auto self = static_cast<int64_t>(rank);
    unsigned number = 0;
    for (Operation &step : program::RankOp(op).getRun().getBody().front()) {
      Member member = {&step, unsigned(self), 0, number++};
      auto add = [&](int64_t group) -> const Member & {
        member.group = group;
        return members.emplace_back(member);
      };
      if (auto send = dyn_cast<program::SendOp>(step))
        sends[{self, send.getRank(), send.getTag()}].push_back(
            &add(send.getGroup()));
      else if (auto receive = dyn_cast<program::ReceiveOp>(step))
        receives[{receive.getRank(), self, receive.getTag()}].push_back(
            &add(receive.getGroup()));
      else if (auto sum = dyn_cast<program::AllReduceOp>(step))
        sums[rank].push_back(&add(sum.getGroup()));
    }
  }
}

static InFlightDiagnostic fail(const Member &member) {
  return member.op->emitError() << describeStep(member.op) << ": ";
}

/// The n-th send of a tag meets the n-th receive.
LogicalResult Rendezvous::matchMessages() {
  auto checkOther = [](const auto &own, const auto &others) -> LogicalResult {
    for (const auto &[key, list] : own) {
      auto other = others.find(key);
      size_t count = other == others.end() ? 0 : other->second.size();
      if (list.size() > count)
        return fail(*list[count]) << "has no other end";
    }
    return success();
  };
  if (failed(checkOther(sends, receives)) ||
      failed(checkOther(receives, sends)))
    return failure();
  for (const auto &[key, list] : sends)
    for (auto [send, receive] : llvm::zip_equal(list, receives[key])) {
      Type sent = program::getTensorType(send->op->getOperand(0));
      Type received = program::getTensorType(receive->op->getOperand(0));
      if (sent != received) {
        InFlightDiagnostic error = fail(*send);
        error << "sends " << sent << ", but " << describeStep(receive->op)
              << " receives " << received;
        error.attachNote(receive->op->getLoc()) << "the other end";
        return error;
      }
      otherEnd[send] = receive;
      otherEnd[receive] = send;
      meet(*send, *receive);
      meet(*receive, *send);
    }
  return success();
}

/// The same messages meet on channels that match them by their order.
LogicalResult Rendezvous::matchInOrder() {
  std::map<std::pair<int64_t, int64_t>, std::vector<const Member *>> sent, got;
  auto gather = [](const auto &messages, auto &pairs) {
    for (const auto &[key, list] : messages)
      llvm::append_range(pairs[{std::get<0>(key), std::get<1>(key)}], list);
    for (auto &[pair, list] : pairs)
      llvm::sort(list, [](const Member *a, const Member *b) {
        return std::pair(a->group, a->number) < std::pair(b->group, b->number);
      });
  };
  gather(sends, sent);
  gather(receives, got);
  for (const auto &[pair, list] : sent)
    for (auto [send, receive] : llvm::zip_equal(list, got[pair]))
      if (otherEnd[send] != receive) {
        InFlightDiagnostic error = fail(*send);
        error << "in the order of groups, it meets "
              << describeStep(receive->op) << ", another message";
        error.attachNote(receive->op->getLoc()) << "the other end";
        return error;
      }
  return success();
}

/// Sums of the same ranks are the same, in one order.
LogicalResult Rendezvous::matchSums() {
  std::map<std::vector<int64_t>, std::vector<std::vector<const Member *>>> sets;
  std::set<std::pair<unsigned, int64_t>> tags;
  for (auto [rank, list] : llvm::enumerate(sums)) {
    for (size_t i = 0; i < list.size(); ++i) {
      if (i > 0 && list[i]->group <= list[i - 1]->group)
        return fail(*list[i])
               << "expected a group after that of the sum before it";
      auto sum = cast<program::AllReduceOp>(list[i]->op);
      for (int64_t tag : {sum.getTag(), sum.getTag() + 1})
        if (!tags.insert({unsigned(rank), tag}).second)
          return fail(*list[i])
                 << "another sum of the rank uses the tag " << tag;
      auto &of = sets[std::vector<int64_t>(sum.getRanks())];
      of.resize(ranks.size());
      of[rank].push_back(list[i]);
    }
  }
  for (const auto &[set, lists] : sets) {
    const auto &first = lists[set.front()];
    for (int64_t rank : set) {
      const auto &list = lists[rank];
      if (list.size() != first.size()) {
        const auto &longer = list.size() > first.size() ? list : first;
        return fail(*longer[std::min(list.size(), first.size())])
               << "rank " << set.front() << " has " << first.size()
               << " sums over these ranks, but rank " << rank << " has "
               << list.size();
      }
    }
    for (int64_t rank : set) {
      for (auto [one, other] : llvm::zip_equal(first, lists[rank])) {
        auto a = cast<program::AllReduceOp>(one->op);
        auto b = cast<program::AllReduceOp>(other->op);
        auto types = [](program::AllReduceOp sum) {
          return llvm::map_to_vector(sum.getBuffers(), program::getTensorType);
        };
        if (a.getStates() != b.getStates() || a.getMean() != b.getMean() ||
            a.getTag() != b.getTag() || types(a) != types(b)) {
          InFlightDiagnostic error = fail(*other);
          error << "differs from the sum of rank " << set.front();
          error.attachNote(a.getLoc()) << "that sum";
          return error;
        }
        if (one == other)
          continue;
        for (int64_t peer : set)
          if (peer != rank)
            meet(*other, *lists[peer][&one - first.data()]);
      }
    }
    for (size_t i = 0; i < first.size(); ++i)
      for (int64_t peer : set)
        if (peer != set.front())
          meet(*first[i], *lists[peer][i]);
  }
  return success();
}

/// Messages of sums have other tags than transfers between their ranks, and
/// groups of their own.
LogicalResult Rendezvous::checkTags() {
  llvm::DenseSet<std::pair<unsigned, int64_t>> groups;
  for (const auto *messages : {&sends, &receives})
    for (const auto &[key, list] : *messages)
      for (const Member *member : list)
        groups.insert({member->rank, member->group});
  for (const auto &list : sums)
    for (const Member *member : list) {
      auto sum = cast<program::AllReduceOp>(member->op);
      auto self = static_cast<int64_t>(member->rank);
      auto tag = static_cast<int64_t>(sum.getTag());
      for (int64_t peer : sum.getRanks())
        if (sends.count({self, peer, tag}) ||
            sends.count({self, peer, tag + 1}))
          return fail(*member) << "a transfer to rank " << peer
                               << " has the tag " << tag << " or " << tag + 1;
      if (groups.contains({member->rank, member->group}))
        return fail(*member) << "a transfer is in the group " << member->group;
    }
  return success();
}

void Rendezvous::addEdges() {
  // By rank: the nodes of its steps; by rank and group: begin and end.
  std::vector<std::vector<unsigned>> stepNodes(ranks.size());
  std::map<std::pair<unsigned, int64_t>, std::pair<unsigned, unsigned>> groups;
  std::map<std::pair<unsigned, int64_t>, unsigned> lastStep;
  std::map<unsigned, SmallVector<unsigned>> beforeBarrier;
  for (const Member &member : members) {
    unsigned &last = lastStep[{member.rank, member.group}];
    last = std::max(last, member.number);
  }
  for (auto [rank, op] : llvm::enumerate(ranks)) {
    unsigned numBarriers = 0;
    for (Operation &step : program::RankOp(op).getRun().getBody().front()) {
      unsigned node = addNode(&step);
      if (!stepNodes[rank].empty())
        after[node].push_back(stepNodes[rank].back());
      if (isa<program::BarrierOp>(step)) {
        if (!stepNodes[rank].empty())
          beforeBarrier[numBarriers].push_back(stepNodes[rank].back());
        ++numBarriers;
      }
      stepNodes[rank].push_back(node);
    }
  }
  unsigned prefix = 0;
  std::pair<unsigned, int64_t> before;
  for (auto [key, last] : lastStep) {
    bool isFirst = groups.empty() || before.first != key.first;
    prefix = isFirst ? last : std::max(prefix, last);
    Operation *op = nodes[stepNodes[key.first][last]];
    unsigned begin = addNode(op), end = addNode(op);
    after[begin].push_back(stepNodes[key.first][prefix]);
    if (!isFirst)
      after[begin].push_back(groups[before].second);
    after[end].push_back(begin);
    groups[key] = {begin, end};
    before = key;
  }
  for (auto [one, other] : meetings)
    after[groups[{one->rank, one->group}].second].push_back(
        groups[{other->rank, other->group}].first);
  llvm::DenseMap<Operation *, unsigned> ends;
  for (const Member &member : members)
    ends[member.op] = groups[{member.rank, member.group}].second;
  for (auto [rank, list] : llvm::enumerate(stepNodes)) {
    unsigned numBarriers = 0;
    for (unsigned node : list) {
      if (auto wait = dyn_cast<program::WaitOp>(nodes[node]))
        for (Value token : wait.getTokens())
          after[node].push_back(ends[token.getDefiningOp()]);
      if (isa<program::BarrierOp>(nodes[node]))
        llvm::append_range(after[node], beforeBarrier[numBarriers++]);
    }
  }
}

/// Fails with a cycle, if there is one.
LogicalResult Rendezvous::checkEnd() {
  std::vector<unsigned> left(nodes.size());
  std::vector<SmallVector<unsigned, 2>> before(nodes.size());
  std::vector<unsigned> ready;
  for (unsigned node = 0; node < nodes.size(); ++node) {
    left[node] = after[node].size();
    for (unsigned other : after[node])
      before[other].push_back(node);
    if (left[node] == 0)
      ready.push_back(node);
  }
  size_t numDone = 0;
  while (!ready.empty()) {
    unsigned node = ready.back();
    ready.pop_back();
    ++numDone;
    for (unsigned next : before[node])
      if (--left[next] == 0)
        ready.push_back(next);
  }
  if (numDone == nodes.size())
    return success();
  unsigned node =
      llvm::find_if(left, [](unsigned count) { return count > 0; }) -
      left.begin();
  std::vector<unsigned> path;
  std::vector<int> place(nodes.size(), -1);
  while (place[node] < 0) {
    place[node] = static_cast<int>(path.size());
    path.push_back(node);
    node = *llvm::find_if(after[node],
                          [&](unsigned other) { return left[other] > 0; });
  }
  // A step once, although its group has nodes as well.
  SmallVector<Operation *> cycle;
  for (size_t i = place[node]; i < path.size(); ++i)
    if (cycle.empty() || cycle.back() != nodes[path[i]])
      cycle.push_back(nodes[path[i]]);
  std::string text = "the programs do not end: " + describeStep(cycle.front());
  for (size_t i = 1; i < cycle.size(); ++i)
    text +=
        (i > 1 ? ", which waits for " : " waits for ") + describeStep(cycle[i]);
  InFlightDiagnostic error = cycle.front()->emitError() << text;
  for (size_t i = 1; i < cycle.size(); ++i)
    error.attachNote(cycle[i]->getLoc()) << describeStep(cycle[i]);
  return error;
}

LogicalResult Rendezvous::check() {
  collect();
  if (failed(matchMessages()) || failed(matchInOrder()) ||
      failed(matchSums()) || failed(checkTags()))
    return failure();
  addEdges();
  return checkEnd();
}

LogicalResult tenon::parallelize::checkRendezvous(program::RanksOp ranks) {
  return Rendezvous(ranks).check();
}
