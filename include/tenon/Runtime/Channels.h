//===- Channels.h - messages between the ranks of a program ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranks exchange messages in two ways: between threads of one process, and
// between processes under Open MPI, which is opened at run time. Messages of
// one sender and one tag arrive in the order in which they were sent.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_RUNTIME_CHANNELS_H
#define TENON_RUNTIME_CHANNELS_H

#include "tenon/Artifact/Status.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tenon::runtime {

/// One rank's end of all channels. Used by one thread at a time.
class Channels {
public:
  using Message = std::vector<uint8_t>;

  virtual ~Channels() = default;
  virtual int getRank() const = 0;
  virtual int getSize() const = 0;
  /// Sends a message without waiting for the receiver.
  virtual artifact::Status send(int to, int tag, Message message) = 0;
  /// Waits for the message; fails if another rank gave up.
  virtual artifact::Expected<Message> receive(int from, int tag) = 0;
  /// Tells all ranks that this one gave up, and why. Waiting ranks stop with an
  /// error that contains the reason.
  virtual void giveUp(const std::string &why) = 0;
  /// Waits until all sent messages have left.
  virtual artifact::Status finish() = 0;
};

/// Opens the channels of `size` ranks of one process, indexed by rank. They
/// share their state and may be used from different threads.
std::vector<std::unique_ptr<Channels>> openLocalChannels(int size);

/// Opens this process's channels under mpirun. Fails with a reason if Open MPI
/// can't be opened. May be called at most once in a process.
artifact::Expected<std::unique_ptr<Channels>> openMpiChannels();

} // namespace tenon::runtime

#endif // TENON_RUNTIME_CHANNELS_H
