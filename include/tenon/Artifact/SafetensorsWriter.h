//===- SafetensorsWriter.h - writing weights files ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_SAFETENSORSWRITER_H
#define TENON_ARTIFACT_SAFETENSORSWRITER_H

#include "tenon/Artifact/OutputFile.h"
#include "tenon/Artifact/Safetensors.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::artifact {

/// Writes a file whose bytes depend only on names, types, shapes and data, not
/// on the order of writing: tensors are sorted by decreasing element size, then
/// by name, so that each is aligned to its elements, and the data begins at a
/// multiple of 64 bytes. `__metadata__` marks the file as written by Tenon.
class SafetensorsWriter {
public:
  struct Declaration {
    std::string name;
    DType dtype;
    std::vector<int64_t> shape;
  };

  /// Writes the header. Names must be unique.
  static Expected<SafetensorsWriter>
  create(const std::string &path, std::vector<Declaration> tensors,
         const std::map<std::string, std::string> &metadata = {});

  /// Writes the next `bytes` of the tensor `name`; tensors may be written in
  /// any order.
  Status write(std::string_view name, const void *data, size_t bytes);
  /// Checks that every tensor is complete and puts the file in place.
  Status finish();

private:
  struct Slot {
    uint64_t offset;
    uint64_t bytes;
    uint64_t written = 0;
  };

  explicit SafetensorsWriter(OutputFile file) : file(std::move(file)) {}

  OutputFile file;
  std::map<std::string, Slot, std::less<>> slots;
};

/// Copies the tensors of one file to another.
Status copySafetensors(const std::string &from, const std::string &to);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_SAFETENSORSWRITER_H
