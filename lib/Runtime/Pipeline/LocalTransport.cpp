//===- LocalTransport.cpp - messages between threads ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Transport.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>

using namespace tenon::artifact;

namespace tenon::runtime {

/// The state that all ranks share. The rank that comes second copies the
/// message.
class LocalTransports::Exchange {
public:
  explicit Exchange(int size) : changed(size) {}

  using Ticket = Transport::Ticket;

  Expected<Ticket> begin(int rank, int peer, int tag, bool isSend,
                         const void *source, void *target, size_t bytes);
  Status wait(int rank, const Ticket &ticket, std::chrono::seconds limit);
  Expected<bool> test(const Ticket &ticket);
  Status checkOthers();
  void giveUp(int rank, const std::string &why);
  int getLostRank(std::string &reason);
  void reset();

private:
  /// The two ends that wait for each other: one of the queues is empty.
  struct Meeting {
    std::deque<Ticket> sends, receives;
  };

  Status getLoss() const {
    return makeError("rank ", lost, " gave up: ", lossReason);
  }

  std::mutex mutex;
  std::vector<std::condition_variable> changed; // by rank
  std::map<std::tuple<int, int, int>, Meeting> meetings;
  int numCopies = 0; // in progress
  int lost = -1;
  std::string lossReason;
};

Expected<Transport::Ticket>
LocalTransports::Exchange::begin(int rank, int peer, int tag, bool isSend,
                                 const void *source, void *target,
                                 size_t bytes) {
  if (peer < 0 || peer >= static_cast<int>(changed.size()))
    return makeError("there is no rank ", peer, " among ", changed.size());
  auto own = std::make_shared<Message>();
  own->source = source;
  own->target = target;
  own->bytes = bytes;
  own->peer = peer;
  own->tag = tag;
  Ticket other;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (lost >= 0)
      return getLoss().takeError();
    Meeting &meeting = meetings[isSend ? std::tuple(rank, peer, tag)
                                       : std::tuple(peer, rank, tag)];
    std::deque<Ticket> &others = isSend ? meeting.receives : meeting.sends;
    if (others.empty()) {
      (isSend ? meeting.sends : meeting.receives).push_back(own);
      return own;
    }
    other = std::move(others.front());
    others.pop_front();
    ++numCopies;
  }
  Message &from = isSend ? *own : *other, &to = isSend ? *other : *own;
  Status status;
  if (from.bytes != to.bytes)
    status = makeError("rank ", isSend ? rank : peer, " sent ", from.bytes,
                       " bytes, but rank ", isSend ? peer : rank, " receives ",
                       to.bytes);
  else if (from.bytes > 0)
    std::memcpy(to.target, from.source, from.bytes);
  own->status = status;
  other->status = status;
  bool hasLoss;
  {
    std::lock_guard<std::mutex> lock(mutex);
    --numCopies;
    own->isDone = true;
    other->isDone = true;
    hasLoss = lost >= 0;
  }
  changed[peer].notify_all();
  // Ranks that gave up wait for the last copy.
  for (size_t i = 0; hasLoss && i < changed.size(); ++i)
    changed[i].notify_all();
  return own;
}

Status LocalTransports::Exchange::wait(int rank, const Ticket &ticket,
                                       std::chrono::seconds limit) {
  if (!ticket->isDone) {
    std::unique_lock<std::mutex> lock(mutex);
    auto isOver = [&] { return ticket->isDone || lost >= 0; };
    if (limit.count() == 0)
      changed[rank].wait(lock, isOver);
    else if (!changed[rank].wait_for(lock, limit, isOver))
      return makeError("waited for rank ", ticket->peer, " for ", limit.count(),
                       " s");
    if (!ticket->isDone)
      return getLoss();
  }
  return ticket->status;
}

Expected<bool> LocalTransports::Exchange::test(const Ticket &ticket) {
  if (ticket->isDone)
    return ticket->status ? Expected<bool>(true) : ticket->status.takeError();
  std::lock_guard<std::mutex> lock(mutex);
  if (lost >= 0)
    return getLoss().takeError();
  return false;
}

Status LocalTransports::Exchange::checkOthers() {
  std::lock_guard<std::mutex> lock(mutex);
  return lost >= 0 ? getLoss() : Status::success();
}

/// Copies that go on may use the memory of this rank, so it waits for them.
void LocalTransports::Exchange::giveUp(int rank, const std::string &why) {
  std::unique_lock<std::mutex> lock(mutex);
  if (lost < 0) {
    lost = rank;
    lossReason = why;
  }
  for (std::condition_variable &each : changed)
    each.notify_all();
  changed[rank].wait(lock, [&] { return numCopies == 0; });
}

int LocalTransports::Exchange::getLostRank(std::string &reason) {
  std::lock_guard<std::mutex> lock(mutex);
  reason = lossReason;
  return lost;
}

void LocalTransports::Exchange::reset() {
  std::lock_guard<std::mutex> lock(mutex);
  meetings.clear();
  lost = -1;
  lossReason.clear();
}

class LocalTransports::End : public Transport {
public:
  End(Exchange &exchange, int rank, int size)
      : exchange(exchange), rank(rank), size(size) {}

  int getRank() const override { return rank; }
  int getSize() const override { return size; }
  Expected<Ticket> send(int to, int tag, const void *data,
                        size_t bytes) override {
    return exchange.begin(rank, to, tag, /*isSend=*/true, data, nullptr, bytes);
  }
  Expected<Ticket> receive(int from, int tag, void *data,
                           size_t bytes) override {
    return exchange.begin(rank, from, tag, /*isSend=*/false, nullptr, data,
                          bytes);
  }
  Status wait(const Ticket &ticket) override {
    return exchange.wait(rank, ticket, watchdog);
  }
  Expected<bool> test(const Ticket &ticket) override {
    return exchange.test(ticket);
  }
  Status checkOthers() override { return exchange.checkOthers(); }
  void giveUp(const std::string &why) override { exchange.giveUp(rank, why); }

private:
  Exchange &exchange;
  int rank, size;
};

LocalTransports::LocalTransports(int size)
    : exchange(std::make_unique<Exchange>(size)) {
  for (int rank = 0; rank < size; ++rank)
    ends.push_back(std::make_unique<End>(*exchange, rank, size));
}

LocalTransports::~LocalTransports() = default;

int LocalTransports::getLostRank(std::string &reason) const {
  return exchange->getLostRank(reason);
}

void LocalTransports::reset() { exchange->reset(); }

} // namespace tenon::runtime
