//===- Safetensors.h - the file format of weights -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// https://github.com/huggingface/safetensors: a file consists of eight bytes
// (little-endian) with the size of a JSON header, the header, and the tensors,
// which cover the rest of the file without gap or overlap.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_SAFETENSORS_H
#define TENON_ARTIFACT_SAFETENSORS_H

#include "tenon/Artifact/DType.h"
#include "tenon/Artifact/File.h"
#include "tenon/Artifact/Status.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tenon::artifact {

/// The reference implementation's limit on the header, in bytes.
constexpr uint64_t maxSafetensorsHeader = 100000000;

/// Returns the name of an element type in the header, such as "F32" for f32.
const char *safetensorsName(DType dtype);

struct SafetensorsEntry {
  std::string name;
  DType dtype;
  std::vector<int64_t> shape;
  uint64_t offset; // bytes from the start of the file
  uint64_t bytes;
};

/// A checked file, mapped into memory.
class SafetensorsFile {
public:
  /// Errors name the path, the tensor, and what was expected.
  static Expected<SafetensorsFile> open(const std::string &path);

  /// Reads a file from memory that the caller keeps alive; errors contain
  /// `name`.
  static Expected<SafetensorsFile> view(const void *data, size_t size,
                                        const std::string &name);

  /// Returns the tensors in the order of their data in the file.
  const std::vector<SafetensorsEntry> &entries() const { return tensors; }
  const std::map<std::string, std::string> &metadata() const { return meta; }
  /// Returns null if there is no tensor of that name.
  const SafetensorsEntry *find(std::string_view name) const;
  /// Returns the tensor's bytes, which may be unaligned and are valid as long
  /// as this object.
  const uint8_t *data(const SafetensorsEntry &entry) const {
    return begin + entry.offset;
  }

private:
  MappedFile file;
  const uint8_t *begin = nullptr; // the mapped file or the caller's bytes
  std::vector<SafetensorsEntry> tensors;
  std::map<std::string, std::string> meta;
  std::unordered_map<std::string, size_t> byName;
};

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_SAFETENSORS_H
