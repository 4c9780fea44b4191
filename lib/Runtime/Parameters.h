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

/// The data of every parameter, either from weights, which are used in place,
/// or drawn at random.
class Parameters {
public:
  Parameters(const tenon_program &program, HostMemory &memory,
             SharedWeights &weights)
      : program(program), memory(memory), weights(weights) {}

  /// Opens the parameters in the weights; additional tensors are ignored.
  artifact::Status open();

  /// Draws parameters by defaultParameterDistribution, each when it is loaded,
  /// on `threads` threads; after `finishLoading`, on the calling one.
  artifact::Status draw(uint64_t seed, int threads);
  void finishLoading() { drawThreads = 1; }
  /// Plans for weights that are read in place, without opening them: they are
  /// counted in `inPlace`, which must outlive the parameters.
  artifact::Status plan(HostMemory &inPlace);

  /// Null: it is not loaded, or empty.
  const void *data(int32_t index) const { return pointers[index]; }
  int64_t byteSize(int32_t index) const { return sizes[index]; }

  /// States that the parameter is not read for now. The pages of a mapped file
  /// are dropped, and read again if needed; other memory stays.
  void drop(int32_t index);
  /// Like `drop`, but permanently: other memory is freed, and `data` becomes
  /// null.
  void release(int32_t index);
  /// Makes a parameter available again: reads it from the weights, or draws it.
  artifact::Status reload(int32_t index);
  /// Releases all parameters, as `release` does.
  void releaseAll();

  /// Returns the bytes of memory, without the mapped file.
  int64_t ownedBytes() const;

private:
  artifact::Status listSizes();
  artifact::Status drawOne(int32_t index);

  const tenon_program &program;
  HostMemory &memory;
  SharedWeights &weights;
  HostMemory *plannedPlace = nullptr; // not null: of weights that are planned
  std::vector<const void *> pointers;
  std::vector<int64_t> sizes;
  std::vector<SharedWeights::Piece> pieces;
  std::vector<Block> drawn; // empty: parameters are from the weights
  uint64_t drawSeed = 0;
  int drawThreads = 1;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PARAMETERS_H
