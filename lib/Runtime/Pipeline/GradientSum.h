//===- GradientSum.h - sums over ranks ------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_PIPELINE_GRADIENTSUM_H
#define TENON_LIB_RUNTIME_PIPELINE_GRADIENTSUM_H

#include "../Memory.h"
#include "Transport.h"

#include "tenon/Artifact/DType.h"
#include "tenon/Runtime/Model.h"

#include <string>
#include <vector>

namespace tenon::runtime {

/// A state or a buffer that ranks sum.
struct Summand {
  std::string name;    // of a state
  int32_t tensor = -1; // of a buffer, in the table of the rank
  artifact::DType dtype = artifact::DType::F32; // f32 or f64
  std::vector<int64_t> shape;
  /// Whether the mean is wanted, not the sum.
  bool isMean = false;
};

/// Replaces states and buffers of several ranks by their sum, while the rank
/// runs other tasks: each rank sums a part of the elements, always in the order
/// of the ranks, and gives it to the others. So all ranks have the same bits,
/// which do not depend on the timing.
class GradientSum {
public:
  /// `ranks`: those that sum, this one among them. Uses `tag` and the one
  /// behind it. `memory` must outlive it.
  GradientSum(Model &model, Transport &transport, HostMemory &memory,
              std::vector<int64_t> ranks, int tag,
              std::vector<Summand> summands);

  /// Before the first sum.
  artifact::Status allocate();
  /// Reads what is summed, which must not change until it is done. `tensors`:
  /// the table's, of which dense ones in host memory are summed. A sum that was
  /// not done is forgotten: its messages must not arrive any more.
  artifact::Status begin(const std::vector<tenon_tensor> &tensors);
  /// Continues as far as messages allow, or if `mayWait` to the end. Returns
  /// whether it is done, and the sums are written.
  artifact::Expected<bool> advance(bool mayWait);
  unsigned getPhase() const { return static_cast<unsigned>(phase); }
  int64_t getBytes() const { return data.size() + inbox.size(); }

private:
  enum class Phase { Idle, Scatter, Gather };

  struct Place {
    size_t offset = 0, count = 0;
  };
  size_t getBegin(size_t part) const;
  size_t getPartBytes(size_t part) const {
    return getBegin(part + 1) - getBegin(part);
  }
  artifact::Expected<bool> waitForAll(bool mayWait);
  artifact::Status exchange(bool isScatter);
  void sumOwnPart();
  artifact::Status writeSums();

  Model &model;
  Transport &transport;
  HostMemory &memory;
  std::vector<int64_t> ranks;
  size_t own = 0; // the place of this rank among them
  int tag;
  std::vector<Summand> summands;
  std::vector<Place> places;   // of these in `data`
  std::vector<void *> buffers; // of these in the run; null for states
  size_t dataBytes = 0;
  Block data, inbox;
  Phase phase = Phase::Idle;
  std::vector<Transport::Ticket> tickets;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PIPELINE_GRADIENTSUM_H
