//===- MpiChannels.cpp - messages between processes under Open MPI --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Open MPI is opened at run time, so that programs start on machines without
// it. Its handles are addresses of objects in the library, so other MPI
// implementations are not supported.
//
//===----------------------------------------------------------------------===//

#include "tenon/Runtime/Channels.h"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <dlfcn.h>

using namespace tenon::artifact;
using namespace tenon::runtime;

namespace {
/// The functions of Open MPI that are used here. Handles are pointers.
struct OpenMpi {
  int (*Init_thread)(int *, char ***, int, int *);
  int (*Comm_rank)(void *, int *);
  int (*Comm_size)(void *, int *);
  int (*Isend)(const void *, int, void *, int, int, void *, void **);
  int (*Recv)(void *, int, void *, int, int, void *, void *);
  int (*Wait)(void **, void *);
  int (*Barrier)(void *);
  int (*Abort)(void *, int);
  int (*Finalize)();
  void *world; // MPI_COMM_WORLD
  void *byte;  // MPI_BYTE

  static Expected<OpenMpi> open();
};

constexpr int threadFunneled = 1; // MPI_THREAD_FUNNELED
/// MPI counts are ints: longer messages are sent in several parts.
constexpr uint64_t maxPiece = uint64_t(1) << 30;

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

Expected<OpenMpi> OpenMpi::open() {
  // RTLD_GLOBAL, because Open MPI's plugins look up its symbols.
  void *library = nullptr;
  for (const char *name : {"libmpi.so.40", "libmpi.so"})
    if (!library)
      library = ::dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    return makeError("cannot open Open MPI: ", ::dlerror(),
                     " (Debian: package libopenmpi3)");
  OpenMpi mpi = {};
  std::string missing;
  auto find = [&](auto &function, const char *name) {
    void *symbol = ::dlsym(library, name);
    if (!symbol && missing.empty())
      missing = name;
    function = reinterpret_cast<std::decay_t<decltype(function)>>(symbol);
  };
  find(mpi.Init_thread, "MPI_Init_thread");
  find(mpi.Comm_rank, "MPI_Comm_rank");
  find(mpi.Comm_size, "MPI_Comm_size");
  find(mpi.Isend, "MPI_Isend");
  find(mpi.Recv, "MPI_Recv");
  find(mpi.Wait, "MPI_Wait");
  find(mpi.Barrier, "MPI_Barrier");
  find(mpi.Abort, "MPI_Abort");
  find(mpi.Finalize, "MPI_Finalize");
  find(mpi.world, "ompi_mpi_comm_world");
  find(mpi.byte, "ompi_mpi_byte");
  if (!missing.empty())
    return makeError("expected Open MPI, but libmpi.so has no '", missing, "'");
  return mpi;
}

Status MpiChannels::post(Pending &pending, const void *data, uint64_t count,
                         int to, int tag) {
  const auto *bytes = static_cast<const uint8_t *>(data);
  do {
    uint64_t piece = std::min(count, maxPiece);
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
    uint64_t piece = std::min(left, maxPiece);
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
  if (mpi->Init_thread(nullptr, nullptr, threadFunneled, &provided) != 0)
    return makeError("cannot start Open MPI");
  return std::unique_ptr<Channels>(std::make_unique<MpiChannels>(*mpi));
}
