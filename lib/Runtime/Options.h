//===- Options.h - option structures of callers that may grow -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_OPTIONS_H
#define TENON_LIB_RUNTIME_OPTIONS_H

#include "tenon/Artifact/Status.h"

#include <cstdint>
#include <cstring>

namespace tenon::runtime {

/// Copies a structure that begins with its own size to `read`, which has
/// `bytes` bytes and is zero-initialized. Fields of a newer caller beyond that
/// are refused unless they are zero.
inline artifact::Status readOptions(const char *name, const void *given,
                                    uint64_t bytes, void *read) {
  uint64_t size = 0;
  std::memcpy(&size, given, sizeof size);
  if (size < sizeof size || size > 65536)
    return artifact::makeError(name, ".struct_size: expected sizeof(", name,
                               "), but got ", size);
  const char *data = static_cast<const char *>(given);
  for (uint64_t i = bytes; i < size; ++i)
    if (data[i] != 0)
      return artifact::makeError(name, ": byte ", i,
                                 " is not zero, but this artifact knows only ",
                                 bytes, " bytes");
  std::memcpy(read, given, size < bytes ? size : bytes);
  return artifact::Status::success();
}

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_OPTIONS_H
