//===- MpiChannels.cpp - messages between processes under Open MPI --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpenMpi.h"
#include "tenon/Runtime/Channels.h"

#include <algorithm>
#include <cstdio>
#include <deque>

using namespace tenon::artifact;
using namespace tenon::runtime;

namespace {
class MpiChannels : public Channels {
public:
  explicit MpiChannels(OpenMpi mpi) : mpi(mpi) {
    mpi.Comm_rank(mpi.world, &rank);
    mpi.Comm_size(mpi.world, &size);
  }
  ~MpiChannels() override { (void)mpi.Finalize(); }

  int getRank() const override { return rank; }
  int getSize() const override { return size; }
  Status send(int to, int tag, Message message) override;
  Expected<Message> receive(int from, int tag) override;
  void giveUp(const std::string &why) override;
  Status finish() override;

private:
  /// A message in transit: its length is sent first, then its bytes.
  struct Pending {
    uint64_t length;
    Message message;
    std::vector<void *> requests;
  };
  Status post(Pending &pending, const void *data, uint64_t count, int to,
              int tag);

  OpenMpi mpi;
  int rank = 0, size = 1;
  std::deque<Pending> pending; // a deque keeps the addresses of elements
};
} // namespace

Status MpiChannels::post(Pending &pending, const void *data, uint64_t count,
                         int to, int tag) {
  const auto *bytes = static_cast<const uint8_t *>(data);
  do {
    uint64_t piece = std::min(count, mostMpiBytes);
    void *request = nullptr;
    if (mpi.Isend(bytes, static_cast<int>(piece), mpi.byte, to, tag, mpi.world,
                  &request) != 0)
      return makeError("rank ", rank, " cannot send to rank ", to);
    pending.requests.push_back(request);
    bytes += piece;
    count -= piece;
  } while (count);
  return Status::success();
}

Status MpiChannels::send(int to, int tag, Message message) {
  if (to < 0 || to >= size)
    return makeError("there is no rank ", to, " among ", size);
  pending.push_back({message.size(), std::move(message), {}});
  Pending &last = pending.back();
  if (Status status = post(last, &last.length, sizeof(last.length), to, tag);
      !status)
    return status;
  return post(last, last.message.data(), last.message.size(), to, tag);
}

Expected<Channels::Message> MpiChannels::receive(int from, int tag) {
  if (from < 0 || from >= size)
    return makeError("there is no rank ", from, " among ", size);
  uint64_t length = 0;
  auto get = [&](void *data, uint64_t count) {
    return mpi.Recv(data, static_cast<int>(count), mpi.byte, from, tag,
                    mpi.world, /*MPI_STATUS_IGNORE=*/nullptr) == 0;
  };
  bool received = get(&length, sizeof(length));
  Message message(received ? length : 0);
  uint8_t *bytes = message.data();
  uint64_t left = length;
  // An empty message is sent as one part of no bytes.
  while (received) {
    uint64_t piece = std::min(left, mostMpiBytes);
    received = get(bytes, piece);
    bytes += piece;
    left -= piece;
    if (!left)
      break;
  }
  if (!received)
    return makeError("rank ", rank, " cannot receive from rank ", from);
  return message;
}

void MpiChannels::giveUp(const std::string &why) {
  // mpirun stops the other ranks, but does not report the reason.
  std::fprintf(stderr, "tenon: rank %d gave up: %s\n", rank, why.c_str());
  std::fflush(stderr);
  (void)mpi.Abort(mpi.world, 1);
}

Status MpiChannels::finish() {
  for (Pending &message : pending)
    for (void *request : message.requests)
      if (mpi.Wait(&request, /*MPI_STATUS_IGNORE=*/nullptr) != 0)
        return makeError("rank ", rank, " cannot finish sending");
  pending.clear();
  // Wait, so that no rank leaves while others still need it.
  if (mpi.Barrier(mpi.world) != 0)
    return makeError("rank ", rank, " cannot wait for the other ranks");
  return Status::success();
}

Expected<std::unique_ptr<Channels>> tenon::runtime::openMpiChannels() {
  Expected<OpenMpi> mpi = OpenMpi::open();
  if (!mpi)
    return mpi.takeError();
  int provided = 0;
  if (mpi->Init_thread(nullptr, nullptr, mpiThreadFunneled, &provided) != 0)
    return makeError("cannot start Open MPI");
  return std::unique_ptr<Channels>(std::make_unique<MpiChannels>(*mpi));
}
