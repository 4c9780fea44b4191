//===- LibraryCall.h - a step that calls a library on the CPU -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_LIBRARYCALL_H
#define TENON_LIB_RUNTIME_LIBRARYCALL_H

#include "tenon/Artifact/Status.h"

#include <cstdint>

namespace tenon::runtime {

/// What the CPU's executor needs of a step that calls a built-in library. Each
/// library implements it in a folder of its own.
class LibraryCall {
public:
  virtual ~LibraryCall() = default;

  /// Selects how the call is computed for these symbols. `rawWeight` is the
  /// constant weight's data in the layout of Program.h, or null after it was
  /// released. It is ignored if the weight is not constant.
  virtual artifact::Status select(const int64_t *symbols,
                                  const void *rawWeight) = 0;
  /// Runs what was selected; `buffers` are as in tenon_kernel_fn.
  virtual artifact::Status run(void *const *buffers) = 0;
  /// Returns whether the constant weight must be kept unpacked.
  virtual bool needsRawWeight() const { return false; }
  /// Returns the library's name of the selected implementation; null if none is
  /// selected.
  virtual const char *implementation() const = 0;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_LIBRARYCALL_H
