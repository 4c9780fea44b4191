//===- File.h - reading files ---------------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_FILE_H
#define TENON_ARTIFACT_FILE_H

#include "tenon/Artifact/Status.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tenon::artifact {

/// A regular file mapped for reading; pipes, devices and folders are refused.
/// The mapping is private: pages that are dropped (by madvise) are read again
/// on the next use.
class MappedFile {
public:
  static Expected<MappedFile> open(const std::string &path);

  MappedFile() = default;
  MappedFile(MappedFile &&other) noexcept { swap(other); }
  MappedFile &operator=(MappedFile &&other) noexcept {
    swap(other);
    return *this;
  }
  ~MappedFile();

  const uint8_t *data() const { return begin; }
  size_t size() const { return length; }

private:
  void swap(MappedFile &other) {
    std::swap(begin, other.begin);
    std::swap(length, other.length);
  }

  const uint8_t *begin = nullptr;
  size_t length = 0;
};

/// Reads the whole file. Errors name the path.
Expected<std::vector<uint8_t>> readFile(const std::string &path);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_FILE_H
