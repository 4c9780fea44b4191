//===- Safetensors.h - the file format of weights -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// https://github.com/huggingface/safetensors: eight bytes (little-endian) with
// the size of a JSON header, the header, and the tensors, which cover the rest
// of the file without gap or overlap.
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

/// "F32" for f32 and so on: the names of element types in the header.
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

  /// As a file of these bytes, which the caller keeps; `name` is in errors.
  static Expected<SafetensorsFile> view(const void *data, size_t size,
                                        const std::string &name);

  /// In the order of their data in the file.
  const std::vector<SafetensorsEntry> &entries() const { return tensors; }
  const std::map<std::string, std::string> &metadata() const { return meta; }
  /// Null when there is none of that name.
  const SafetensorsEntry *find(std::string_view name) const;
  /// The tensor's bytes, valid as long as this file; they may lie at any
  /// alignment.
  const uint8_t *data(const SafetensorsEntry &entry) const {
    return begin + entry.offset;
  }

private:
  MappedFile file;
  const uint8_t *begin = nullptr; // of the file's bytes, or the caller's
  std::vector<SafetensorsEntry> tensors;
  std::map<std::string, std::string> meta;
  std::unordered_map<std::string, size_t> byName;
};

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_SAFETENSORS_H
