//===- Parameters.h - the parameters of an instance ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_PARAMETERS_H
#define TENON_LIB_RUNTIME_PARAMETERS_H

#include "SharedWeights.h"

#include "tenon/Artifact/Program.h"
#include "tenon/Artifact/Status.h"

#include <vector>

namespace tenon::runtime {

/// The data of every parameter: of weights, used in place, or drawn.
class Parameters {
public:
  Parameters(const tenon_program &program, HostMemory &memory,
             SharedWeights &weights)
      : program(program), memory(memory), weights(weights) {}

  /// Parameters of the weights; further tensors in them are ignored.
  artifact::Status open();

  /// Parameters drawn by defaultParameterDistribution, by `threads` threads.
  artifact::Status draw(uint64_t seed, int threads);

  const void *data(int32_t index) const { return pointers[index]; }
  int64_t byteSize(int32_t index) const { return sizes[index]; }

  /// The parameter is not read any more for now. Mapped memory goes back to the
  /// system, and is read again if need be; other memory stays.
  void drop(int32_t index);
  /// As `drop`, but for good: other memory is given back, and `data` is null.
  void release(int32_t index);
  /// Makes a parameter of weights available again.
  artifact::Status reload(int32_t index);
  /// Nothing is read any more.
  void clear();

  /// Bytes of memory (not of the mapped file).
  int64_t ownedBytes() const;

private:
  const tenon_program &program;
  HostMemory &memory;
  SharedWeights &weights;
  std::vector<const void *> pointers;
  std::vector<int64_t> sizes;
  std::vector<SharedWeights::Piece> pieces;
  std::vector<Block> drawn;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PARAMETERS_H
