//===- Channels.h - messages between the ranks of a program ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two ways for ranks to exchange messages: threads of one process, and
// processes under Open MPI, which is opened at run time. Messages of one sender
// and one tag arrive in the order in which they were sent.
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
  /// Does not wait for the receiver.
  virtual artifact::Status send(int to, int tag, Message message) = 0;
  /// Waits for the message; fails when another rank gave up.
  virtual artifact::Expected<Message> receive(int from, int tag) = 0;
  /// Tells all ranks that this one gave up, and why. Ranks that wait stop with
  /// an error that names it.
  virtual void giveUp(const std::string &why) = 0;
  /// Waits until everything sent has left.
  virtual artifact::Status finish() = 0;
};

/// The ends of `size` ranks of one process, by rank. They share what they need
/// and may be used from different threads.
std::vector<std::unique_ptr<Channels>> openLocalChannels(int size);

/// This process's end under mpirun. Fails, with what is missing, where Open MPI
/// can't be opened. At most once in a process.
artifact::Expected<std::unique_ptr<Channels>> openMpiChannels();

} // namespace tenon::runtime

#endif // TENON_RUNTIME_CHANNELS_H
