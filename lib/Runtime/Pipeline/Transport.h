//===- Transport.h - messages between the ranks of a pipeline -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Messages have a known size, and are copied from the memory of the sender to
// that of the receiver once both have begun (rendezvous). Messages of one
// sender, receiver and tag arrive in their order.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_PIPELINE_TRANSPORT_H
#define TENON_LIB_RUNTIME_PIPELINE_TRANSPORT_H

#include "tenon/Artifact/Status.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tenon::runtime {

/// A message that a rank sends or receives.
struct Message {
  const void *source = nullptr; // of a send between threads
  void *target = nullptr;       // of a receive between threads
  size_t bytes = 0;
  int peer = 0, tag = 0;
  std::atomic<bool> isDone{false};
  artifact::Status status; // once it is done
};

/// One rank's end. Used by one thread at a time.
class Transport {
public:
  using Ticket = std::shared_ptr<Message>;

  virtual ~Transport() = default;
  virtual int getRank() const = 0;
  virtual int getSize() const = 0;
  /// Begin a message, whose memory must stay until it is done.
  virtual artifact::Expected<Ticket> send(int to, int tag, const void *data,
                                          size_t bytes) = 0;
  virtual artifact::Expected<Ticket> receive(int from, int tag, void *data,
                                             size_t bytes) = 0;
  /// Waits until it is done. Fails if the message fails, if another rank gave
  /// up, or if it is not done before the watchdog's time.
  virtual artifact::Status wait(const Ticket &ticket) = 0;
  /// Whether it is done, or failed, without waiting.
  virtual artifact::Expected<bool> test(const Ticket &ticket) = 0;
  /// Fails if another rank gave up. Where its end ends this process, it never
  /// fails.
  virtual artifact::Status checkOthers() = 0;
  /// Tells all ranks that this one gave up, and why; then no message uses its
  /// memory any more. The others' waits fail.
  virtual void giveUp(const std::string &why) = 0;

  /// How long a wait may take; 0: for ever.
  void setWatchdog(std::chrono::seconds limit) { watchdog = limit; }
  std::chrono::seconds getWatchdog() const { return watchdog; }

protected:
  std::chrono::seconds watchdog{0};
};

/// Between threads of one process.
class LocalTransports {
public:
  explicit LocalTransports(int size);
  ~LocalTransports();

  Transport &get(int rank) { return *ends[rank]; }
  /// The first rank that gave up, or -1, and why.
  int getLostRank(std::string &reason) const;
  /// Forgets everything that was begun. No rank may use its end meanwhile.
  void reset();

private:
  class Exchange;
  class End;

  std::unique_ptr<Exchange> exchange;
  std::vector<std::unique_ptr<Transport>> ends;
};

/// Between processes under Open MPI's mpirun, which is opened at run time. One
/// per process, which is never closed: MPI can't be started twice. Fails if the
/// library can't be opened or has no threads.
artifact::Expected<Transport *> openMpiTransport();

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PIPELINE_TRANSPORT_H
