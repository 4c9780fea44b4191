//===- CpuLibrary.h - the built-in libraries of CPU programs --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CPULIBRARY_H
#define TENON_LIB_RUNTIME_CPULIBRARY_H

#include "LibraryCall.h"
#include "Memory.h"
#include "SharedWeights.h"

#include "tenon/Artifact/Program.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tenon::runtime {

/// A built-in library (Libraries.def) as one instance of a program uses it: its
/// handles, and what its calls share.
class CpuLibrary {
public:
  virtual ~CpuLibrary() = default;

  /// Makes the call of a step. Fails if this runtime does not support it; the
  /// message names the step.
  virtual artifact::Expected<std::unique_ptr<LibraryCall>>
  createCall(const tenon_step &step) = 0;
  /// Returns whether a call of LibraryCall::select has failed since the last
  /// call of this function because it got no raw weight.
  virtual bool takeMissedRaw() { return false; }
  /// Returns the memory that all calls write at every run; null if there is
  /// none.
  virtual const Block *scratchMemory() const { return nullptr; }
  /// Returns the memory that the calls share, in bytes.
  virtual int64_t memoryBytes() const { return 0; }
};

/// The libraries that an instance has opened.
class CpuLibraries {
public:
  /// `origins`, by buffer: the keys of the weights among all users of
  /// `weights`.
  CpuLibraries(HostMemory &memory, SharedWeights &weights,
               std::vector<std::string> origins)
      : memory(memory), weights(weights), origins(std::move(origins)) {}

  /// Opens the library with this number (tenon_library), unless it is
  /// open. Fails if it is not on this machine or unknown to this runtime.
  artifact::Expected<CpuLibrary *> open(int32_t number);

  using Map = std::map<int32_t, std::unique_ptr<CpuLibrary>>;
  Map::const_iterator begin() const { return libraries.begin(); }
  Map::const_iterator end() const { return libraries.end(); }

  HostMemory &memory;
  SharedWeights &weights;
  const std::vector<std::string> origins;

private:
  Map libraries;
};

// openOneDnn(CpuLibraries &) and so on, each defined in the folder of its
// library. `all` opens other libraries that it is made of.
#define TENON_OPEN_Cpu(Name)                                                   \
  artifact::Expected<std::unique_ptr<CpuLibrary>> open##Name(CpuLibraries &all);
#define TENON_OPEN_Cuda(Name)
#define TENON_LIBRARY(Name, NAME, number, name, device)                        \
  TENON_OPEN_##device(Name)
#include "tenon/Artifact/Libraries.def"
#undef TENON_OPEN_Cpu
#undef TENON_OPEN_Cuda

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_CPULIBRARY_H
