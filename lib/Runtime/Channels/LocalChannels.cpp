//===- LocalChannels.cpp - messages between threads -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Runtime/Channels.h"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>

using namespace tenon::artifact;
using namespace tenon::runtime;

namespace {
/// The state that all ranks share.
struct Exchange {
  std::mutex mutex;
  std::condition_variable changed;
  /// Messages by sender, receiver and tag.
  std::map<std::tuple<int, int, int>, std::deque<Channels::Message>> waiting;
  /// The first rank that gave up, and why; -1: none.
  int lost = -1;
  std::string reason;
};

class LocalChannels : public Channels {
public:
  LocalChannels(std::shared_ptr<Exchange> exchange, int rank, int size)
      : exchange(std::move(exchange)), rank(rank), size(size) {}

  int getRank() const override { return rank; }
  int getSize() const override { return size; }

  Status send(int to, int tag, Message message) override {
    if (to < 0 || to >= size)
      return makeError("there is no rank ", to, " among ", size);
    {
      std::lock_guard<std::mutex> lock(exchange->mutex);
      exchange->waiting[{rank, to, tag}].push_back(std::move(message));
    }
    exchange->changed.notify_all();
    return Status::success();
  }

  Expected<Message> receive(int from, int tag) override {
    if (from < 0 || from >= size)
      return makeError("there is no rank ", from, " among ", size);
    std::unique_lock<std::mutex> lock(exchange->mutex);
    std::deque<Message> &queue = exchange->waiting[{from, rank, tag}];
    exchange->changed.wait(
        lock, [&] { return !queue.empty() || exchange->lost >= 0; });
    if (queue.empty())
      return makeError("rank ", exchange->lost, " gave up: ", exchange->reason);
    Message message = std::move(queue.front());
    queue.pop_front();
    return message;
  }

  void giveUp(const std::string &why) override {
    {
      std::lock_guard<std::mutex> lock(exchange->mutex);
      if (exchange->lost < 0) {
        exchange->lost = rank;
        exchange->reason = why;
      }
    }
    exchange->changed.notify_all();
  }

  Status finish() override { return Status::success(); }

private:
  std::shared_ptr<Exchange> exchange;
  int rank, size;
};
} // namespace

std::vector<std::unique_ptr<Channels>>
tenon::runtime::openLocalChannels(int size) {
  auto exchange = std::make_shared<Exchange>();
  std::vector<std::unique_ptr<Channels>> ends;
  for (int rank = 0; rank < size; ++rank)
    ends.push_back(std::make_unique<LocalChannels>(exchange, rank, size));
  return ends;
}
