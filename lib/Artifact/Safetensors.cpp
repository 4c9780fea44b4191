//===- Safetensors.cpp - the file format of weights -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Safetensors.h"

#include "tenon/Artifact/Json.h"
#include "tenon/Artifact/TensorData.h"

#include <algorithm>
#include <tuple>

namespace tenon::artifact {

const char *safetensorsName(DType dtype) {
  // In the order of DType.
  static const char *const names[] = {"F64", "F32", "F16", "BF16", "I64",
                                      "I32", "I8",  "U8",  "BOOL"};
  return names[static_cast<size_t>(dtype)];
}

static std::optional<DType> parseName(std::string_view name) {
  for (DType dtype :
       {DType::F64, DType::F32, DType::F16, DType::BF16, DType::I64, DType::I32,
        DType::I8, DType::U8, DType::Bool})
    if (name == safetensorsName(dtype))
      return dtype;
  return std::nullopt;
}

/// Reads one member of the header; `dataBegin` and `dataBytes` give the
/// position of the tensors in the file.
static Expected<SafetensorsEntry> parseEntry(const std::string &name,
                                             const JsonValue &json,
                                             uint64_t dataBegin,
                                             uint64_t dataBytes) {
  SafetensorsEntry entry;
  entry.name = name;
  const JsonValue *dtype = json.find("dtype");
  const JsonValue *shape = json.find("shape");
  const JsonValue *offsets = json.find("data_offsets");
  if (!dtype || !dtype->isString() || !shape || !shape->isArray() || !offsets ||
      !offsets->isArray() || offsets->array.size() != 2)
    return makeError("tensor '", name,
                     "': expected dtype, shape and two data_offsets");
  std::optional<DType> parsed = parseName(dtype->string);
  if (!parsed)
    return makeError("tensor '", name, "': element type '", dtype->string,
                     "' is not supported");
  entry.dtype = *parsed;
  for (const JsonValue &size : shape->array) {
    if (!size.isInteger())
      return makeError("tensor '", name, "': expected integers in its shape");
    entry.shape.push_back(size.integer);
  }
  Expected<int64_t> count = countElements(entry.shape, dtypeSize(entry.dtype));
  if (!count)
    return makeError("tensor '", name, "': ", count.error());
  entry.bytes = static_cast<uint64_t>(*count) * dtypeSize(entry.dtype);

  const JsonValue &begin = offsets->array[0];
  const JsonValue &end = offsets->array[1];
  if (!begin.isInteger() || !end.isInteger() || begin.integer < 0 ||
      end.integer < begin.integer)
    return makeError("tensor '", name,
                     "': expected data_offsets [begin, end] with begin <= end");
  if (static_cast<uint64_t>(end.integer) > dataBytes)
    return makeError("tensor '", name, "': data ends at byte ", end.integer,
                     ", but the file has only ", dataBytes,
                     " bytes of data (is it truncated?)");
  uint64_t bytes = static_cast<uint64_t>(end.integer - begin.integer);
  if (bytes != entry.bytes)
    return makeError("tensor '", name, "': expected ", entry.bytes,
                     " bytes for ", formatType(entry.dtype, entry.shape),
                     ", but got ", bytes);
  entry.offset = dataBegin + static_cast<uint64_t>(begin.integer);
  return entry;
}

Expected<SafetensorsFile> SafetensorsFile::open(const std::string &path) {
  Expected<MappedFile> mapped = MappedFile::open(path);
  if (!mapped)
    return mapped.takeError();
  Expected<SafetensorsFile> result = view(mapped->data(), mapped->size(), path);
  if (result)
    result->file = std::move(*mapped);
  return result;
}

Expected<SafetensorsFile> SafetensorsFile::view(const void *data, size_t size,
                                                const std::string &path) {
  SafetensorsFile result;
  const uint8_t *bytes = static_cast<const uint8_t *>(data);
  result.begin = bytes;
  auto fail = [&](const auto &...what) {
    return makeError("'", path,
                     "' is not a valid safetensors file: ", concat(what...));
  };

  if (size < 8)
    return fail("expected at least 8 bytes, but got ", size);
  uint64_t headerBytes = 0;
  for (int i = 7; i >= 0; --i)
    headerBytes = headerBytes << 8 | bytes[i];
  if (headerBytes > maxSafetensorsHeader || headerBytes > size - 8)
    return fail("expected a header of ", headerBytes,
                " bytes, but the file has ", size, " bytes");
  Expected<JsonValue> header = parseJson(
      std::string_view(reinterpret_cast<const char *>(bytes) + 8, headerBytes));
  if (!header)
    return fail("header: ", header.error());
  if (!header->isObject())
    return fail("header: expected an object");

  uint64_t dataBegin = 8 + headerBytes;
  uint64_t dataBytes = size - dataBegin;
  for (const auto &[name, value] : header->members) {
    if (name == "__metadata__") {
      if (!value.isObject())
        return fail("header: expected texts by name as __metadata__");
      for (const auto &[key, text] : value.members) {
        if (!text.isString())
          return fail("header: expected a text as '", key, "' of __metadata__");
        result.meta[key] = text.string;
      }
      continue;
    }
    Expected<SafetensorsEntry> entry =
        parseEntry(name, value, dataBegin, dataBytes);
    if (!entry)
      return fail(entry.error());
    result.tensors.push_back(std::move(*entry));
  }

  // Tensors must tile the data: sorted by position, each begins at the end of
  // the previous one.
  std::sort(result.tensors.begin(), result.tensors.end(),
            [](const SafetensorsEntry &a, const SafetensorsEntry &b) {
              return std::tie(a.offset, a.bytes, a.name) <
                     std::tie(b.offset, b.bytes, b.name);
            });
  uint64_t end = dataBegin;
  for (size_t i = 0; i < result.tensors.size(); ++i) {
    const SafetensorsEntry &entry = result.tensors[i];
    result.byName.emplace(entry.name, i);
    if (entry.offset != end)
      return fail("tensor '", entry.name, "': expected data at byte ",
                  end - dataBegin, ", but got ", entry.offset - dataBegin,
                  entry.offset < end ? " (tensors overlap)"
                                     : " (a gap between tensors)");
    end += entry.bytes;
  }
  if (end != size)
    return fail("expected ", end, " bytes in all, but got ", size);
  return result;
}

const SafetensorsEntry *SafetensorsFile::find(std::string_view name) const {
  auto found = byName.find(std::string(name));
  return found == byName.end() ? nullptr : &tensors[found->second];
}

} // namespace tenon::artifact
