//===- SafetensorsWriter.cpp - writing weights files ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/SafetensorsWriter.h"
#include "tenon/Artifact/Json.h"
#include "tenon/Artifact/TensorData.h"

#include <algorithm>

namespace tenon::artifact {

Expected<SafetensorsWriter>
SafetensorsWriter::create(const std::string &path,
                          std::vector<Declaration> tensors,
                          const std::map<std::string, std::string> &metadata) {
  std::sort(tensors.begin(), tensors.end(),
            [](const Declaration &a, const Declaration &b) {
              size_t sizeA = dtypeSize(a.dtype), sizeB = dtypeSize(b.dtype);
              return sizeA != sizeB ? sizeA > sizeB : a.name < b.name;
            });

  // The mark comes first, because isWrittenByTenon looks for it there.
  std::string header =
      concat("{\"__metadata__\":{\"", safetensorsMark, "\":\"weights\"");
  for (const auto &[key, value] : metadata)
    if (key != safetensorsMark)
      header += ',' + quoteJson(key) + ':' + quoteJson(value);
  header += '}';
  std::map<std::string, Slot, std::less<>> slots;
  uint64_t offset = 0;
  for (const Declaration &tensor : tensors) {
    Expected<int64_t> count =
        countElements(tensor.shape, dtypeSize(tensor.dtype));
    if (!count)
      return makeError("tensor '", tensor.name, "': ", count.error());
    if (tensor.name == "__metadata__")
      return makeError("a tensor cannot be named '__metadata__'");
    Slot slot;
    slot.offset = offset;
    slot.bytes = static_cast<uint64_t>(*count) * dtypeSize(tensor.dtype);
    if (!slots.emplace(tensor.name, slot).second)
      return makeError("tensor '", tensor.name, "': its name occurs twice");
    offset += slot.bytes;
    header += concat(",", quoteJson(tensor.name), ":{\"dtype\":\"",
                     safetensorsName(tensor.dtype), "\",\"shape\":[");
    for (size_t i = 0; i < tensor.shape.size(); ++i)
      header += concat(i ? "," : "", tensor.shape[i]);
    header += concat("],\"data_offsets\":[", slot.offset, ",", offset, "]}");
  }
  header += '}';
  while ((8 + header.size()) % 64 != 0)
    header += ' ';
  if (header.size() > maxSafetensorsHeader)
    return makeError("cannot write '", path, "': the header would have ",
                     header.size(), " bytes, more than the format allows");

  Expected<OutputFile> file = OutputFile::create(path);
  if (!file)
    return file.takeError();
  uint8_t length[8];
  for (int i = 0; i < 8; ++i)
    length[i] = static_cast<uint8_t>(header.size() >> (8 * i));
  SafetensorsWriter writer(std::move(*file));
  if (Status status = writer.file.write(0, length, 8); !status)
    return status.takeError();
  if (Status status = writer.file.write(8, header.data(), header.size());
      !status)
    return status.takeError();
  for (auto &[name, slot] : slots)
    slot.offset += 8 + header.size();
  writer.slots = std::move(slots);
  return writer;
}

Status SafetensorsWriter::write(std::string_view name, const void *data,
                                size_t bytes) {
  auto found = slots.find(name);
  if (found == slots.end())
    return makeError("tensor '", name, "' was not declared");
  Slot &slot = found->second;
  if (bytes > slot.bytes - slot.written)
    return makeError("tensor '", name, "': expected ", slot.bytes,
                     " bytes, but got ", slot.written + bytes);
  if (Status status = file.write(slot.offset + slot.written, data, bytes);
      !status)
    return status;
  slot.written += bytes;
  return Status::success();
}

Status SafetensorsWriter::finish() {
  for (const auto &[name, slot] : slots)
    if (slot.written != slot.bytes)
      return makeError("tensor '", name, "': expected ", slot.bytes,
                       " bytes, but got ", slot.written);
  return file.commit();
}

Status copySafetensors(const std::string &from, const std::string &to) {
  Expected<SafetensorsFile> source = SafetensorsFile::open(from);
  if (!source)
    return source.takeError();
  std::vector<SafetensorsWriter::Declaration> declarations;
  for (const SafetensorsEntry &entry : source->entries())
    declarations.push_back({entry.name, entry.dtype, entry.shape});
  Expected<SafetensorsWriter> writer = SafetensorsWriter::create(
      to, std::move(declarations), source->metadata());
  if (!writer)
    return writer.takeError();
  for (const SafetensorsEntry &entry : source->entries())
    if (Status status =
            writer->write(entry.name, source->data(entry), entry.bytes);
        !status)
      return status;
  return writer->finish();
}

} // namespace tenon::artifact
