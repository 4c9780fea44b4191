//===- MpiTransport.cpp - messages between processes under Open MPI -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where Open MPI waits, it spins: ranks that share a core would take it from
// those that compute. So nothing here waits in MPI. A thread of its own tests
// what has begun, and sleeps between the tests for as long as nothing happens,
// up to `longestSleep`. It also makes long messages progress, which need both
// ends to call MPI, while the rank computes.
//
//===----------------------------------------------------------------------===//

#include "OpenMpi.h"
#include "Transport.h"

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <dlfcn.h>
#include <mutex>
#include <thread>

using namespace tenon::artifact;

namespace tenon::runtime {

namespace {
constexpr std::chrono::microseconds shortestSleep(20), longestSleep(500);

class MpiTransport : public Transport {
public:
  /// `isOwner`: whether MPI was started here, and not by the host.
  MpiTransport(OpenMpi mpi, bool isOwner) : mpi(mpi), isOwner(isOwner) {
    mpi.Comm_rank(mpi.world, &rank);
    mpi.Comm_size(mpi.world, &size);
    thread = std::thread([this] { serve(); });
  }
  ~MpiTransport() override;

  int getRank() const override { return rank; }
  int getSize() const override { return size; }
  Expected<Ticket> send(int to, int tag, const void *data,
                        size_t bytes) override {
    return begin(to, tag, /*isSend=*/true, const_cast<void *>(data), bytes);
  }
  Expected<Ticket> receive(int from, int tag, void *data,
                           size_t bytes) override {
    return begin(from, tag, /*isSend=*/false, data, bytes);
  }
  Status wait(const Ticket &ticket) override;
  Expected<bool> test(const Ticket &ticket) override {
    if (!ticket->isDone)
      return false;
    return ticket->status ? Expected<bool>(true) : ticket->status.takeError();
  }
  Status checkOthers() override { return Status::success(); }
  void giveUp(const std::string &why) override;

private:
  /// What has begun; it is done when all of its parts are.
  struct Active {
    Ticket ticket;
    std::vector<void *> requests;
  };

  Expected<Ticket> begin(int peer, int tag, bool isSend, void *data,
                         size_t bytes);
  void serve();
  bool testAll();

  OpenMpi mpi;
  bool isOwner;
  int rank = 0, size = 1;
  /// Held around every call of MPI, and whatever follows.
  std::mutex mutex;
  std::condition_variable changed, begun;
  std::vector<Active> active;
  bool ends = false;
  std::thread thread;
};
} // namespace

Expected<Transport::Ticket> MpiTransport::begin(int peer, int tag, bool isSend,
                                                void *data, size_t bytes) {
  if (peer < 0 || peer >= size)
    return makeError("there is no rank ", peer, " among ", size);
  Active message;
  message.ticket = std::make_shared<Message>();
  message.ticket->bytes = bytes;
  message.ticket->peer = peer;
  message.ticket->tag = tag;
  std::lock_guard<std::mutex> lock(mutex);
  size_t done = 0;
  do {
    int count = static_cast<int>(std::min(bytes - done, mostMpiBytes));
    void *request = nullptr;
    char *part = static_cast<char *>(data) + done;
    int code =
        isSend
            ? mpi.Isend(part, count, mpi.byte, peer, tag, mpi.world, &request)
            : mpi.Irecv(part, count, mpi.byte, peer, tag, mpi.world, &request);
    if (code != 0)
      return makeError("rank ", rank, " cannot exchange messages with rank ",
                       peer);
    message.requests.push_back(request);
    done += count;
  } while (done < bytes);
  Ticket ticket = message.ticket;
  active.push_back(std::move(message));
  begun.notify_one();
  return ticket;
}

/// Returns whether something happened.
bool MpiTransport::testAll() {
  bool happened = false;
  auto test = [&](Active &message) {
    while (!message.requests.empty()) {
      int isDone = 0;
      if (mpi.Test(&message.requests.back(), &isDone,
                   /*MPI_STATUS_IGNORE=*/nullptr) != 0) {
        message.ticket->status =
            makeError("rank ", rank, " cannot exchange messages with rank ",
                      message.ticket->peer);
        message.requests.clear();
        break;
      }
      if (!isDone)
        return false;
      message.requests.pop_back();
    }
    message.ticket->isDone = true;
    happened = true;
    return true;
  };
  active.erase(std::remove_if(active.begin(), active.end(), test),
               active.end());
  return happened;
}

void MpiTransport::serve() {
  std::chrono::microseconds sleep = shortestSleep;
  std::unique_lock<std::mutex> lock(mutex);
  while (!ends) {
    if (active.empty()) {
      begun.wait(lock, [&] { return ends || !active.empty(); });
      sleep = shortestSleep;
      continue;
    }
    if (testAll()) {
      changed.notify_all();
      sleep = shortestSleep;
      continue;
    }
    // A rank that begins a message wakes it.
    if (begun.wait_for(lock, sleep) == std::cv_status::no_timeout)
      sleep = shortestSleep;
    else
      sleep = std::min(2 * sleep, longestSleep);
  }
}

Status MpiTransport::wait(const Ticket &ticket) {
  std::unique_lock<std::mutex> lock(mutex);
  auto isDone = [&] { return ticket->isDone.load(); };
  if (watchdog.count() == 0)
    changed.wait(lock, isDone);
  else if (!changed.wait_for(lock, watchdog, isDone))
    return makeError("waited for rank ", ticket->peer, " for ",
                     watchdog.count(), " s");
  return ticket->status;
}

void MpiTransport::giveUp(const std::string &why) {
  // mpirun stops the other ranks, but does not report the reason.
  std::fprintf(stderr, "tenon: rank %d gave up: %s\n", rank, why.c_str());
  std::fflush(stderr);
  std::lock_guard<std::mutex> lock(mutex);
  (void)mpi.Abort(mpi.world, 1);
}

MpiTransport::~MpiTransport() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    ends = true;
  }
  begun.notify_one();
  thread.join();
  // A process that ends amid messages has failed. The others wait for it, and
  // so would Finalize.
  if (!active.empty())
    (void)mpi.Abort(mpi.world, 1);
  else if (isOwner)
    (void)mpi.Finalize();
}

/// Keeps the library that contains this function, if it is one.
static void keepLoaded() {
  Dl_info place;
  if (::dladdr(reinterpret_cast<void *>(&keepLoaded), &place))
    (void)::dlopen(place.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

Expected<Transport *> openMpiTransport() {
  static std::mutex mutex;
  // Ends MPI when the process ends: Open MPI's mpirun takes a process that has
  // not done so for a failed one.
  static std::unique_ptr<MpiTransport> transport;
  std::lock_guard<std::mutex> lock(mutex);
  if (transport)
    return transport.get();
  Expected<OpenMpi> mpi = OpenMpi::open();
  if (!mpi)
    return mpi.takeError();
  int isThere = 0, provided = 0;
  if (mpi->Initialized(&isThere) != 0)
    return makeError("cannot start Open MPI");
  // The host may have started it.
  if (isThere ? mpi->Query_thread(&provided) != 0
              : mpi->Init_thread(nullptr, nullptr, mpiThreadMultiple,
                                 &provided) != 0)
    return makeError("cannot start Open MPI");
  // Another artifact, or the host, may call it at the same time as this one.
  if (provided < (isThere ? mpiThreadMultiple : mpiThreadSerialized))
    return makeError("Open MPI: expected support for calls of several threads "
                     "(MPI_THREAD_MULTIPLE)");
  // Other artifacts use it until the process ends, even if the one that has
  // started it is closed before.
  if (!isThere)
    keepLoaded();
  transport = std::make_unique<MpiTransport>(*mpi, !isThere);
  return transport.get();
}

} // namespace tenon::runtime
