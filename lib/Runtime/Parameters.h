//===- Parameters.h - the parameters of an instance ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_PARAMETERS_H
#define TENON_LIB_RUNTIME_PARAMETERS_H

#include "Memory.h"

#include "tenon/Artifact/Program.h"
#include "tenon/Artifact/Safetensors.h"
#include "tenon/Artifact/Status.h"

#include <optional>
#include <string>
#include <vector>

namespace tenon::runtime {

/// The data of every parameter: mapped from a file and used in place, or drawn.
class Parameters {
public:
  /// Parameters of the file at `path`; further tensors in it are ignored.
  artifact::Status open(const tenon_program &program, const std::string &path);

  /// Parameters drawn by defaultParameterDistribution, by `threads` threads.
  artifact::Status draw(const tenon_program &program, uint64_t seed,
                        int threads);

  const void *data(int32_t index) const { return pointers[index]; }
  int64_t byteSize(int32_t index) const { return sizes[index]; }

  /// The parameter is not read any more for now. Mapped memory goes back to the
  /// system, and is read again if need be; drawn memory stays.
  void drop(int32_t index);
  /// As `drop`, but for good: drawn memory is freed too.
  void release(int32_t index);

  /// Bytes of memory of our own (not of the mapped file).
  int64_t ownedBytes() const;

private:
  std::optional<artifact::SafetensorsFile> file;
  std::vector<const void *> pointers;
  std::vector<int64_t> sizes;
  std::vector<Block> owned; // drawn, or copied for their alignment
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PARAMETERS_H
