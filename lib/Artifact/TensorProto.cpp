//===- TensorProto.cpp - ONNX tensors in .pb files ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/TensorProto.h"

#include "tenon/Artifact/File.h"
#include "tenon/Artifact/InputFiles.h"
#include "tenon/Artifact/OutputFile.h"

#include <cstring>
#include <optional>

namespace tenon::artifact {

namespace {
/// The field numbers of TensorProto.
enum Field {
  Dims = 1,
  DataType = 2,
  Segment = 3,
  FloatData = 4,
  Int32Data = 5,
  StringData = 6,
  Int64Data = 7,
  Name = 8,
  RawData = 9,
  DoubleData = 10,
  Uint64Data = 11,
  ExternalData = 13,
  DataLocation = 14
};

enum WireType { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

/// One field of a message.
struct FieldValue {
  uint64_t number = 0;
  int wire = 0;
  uint64_t scalar = 0;            // Varint, Fixed32, Fixed64
  const uint8_t *begin = nullptr; // Bytes
  size_t size = 0;
};

class WireReader {
public:
  WireReader(const uint8_t *begin, size_t size)
      : next(begin), end(begin + size) {}

  bool atEnd() const { return next == end; }

  bool readVarint(uint64_t &value) {
    value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (next == end)
        return false;
      uint8_t byte = *next++;
      if (shift < 64)
        value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (!(byte & 0x80))
        return true;
    }
    return false;
  }

  bool readFixed(uint64_t &value, size_t bytes) {
    if (static_cast<size_t>(end - next) < bytes)
      return false;
    value = 0;
    std::memcpy(&value, next, bytes);
    next += bytes;
    return true;
  }

  /// Returns false if the bytes are not a message.
  bool readField(FieldValue &field) {
    uint64_t tag;
    if (!readVarint(tag))
      return false;
    field.number = tag >> 3;
    field.wire = static_cast<int>(tag & 7);
    if (field.number == 0)
      return false;
    switch (field.wire) {
    case Varint:
      return readVarint(field.scalar);
    case Fixed64:
      return readFixed(field.scalar, 8);
    case Fixed32:
      return readFixed(field.scalar, 4);
    case Bytes: {
      uint64_t size;
      if (!readVarint(size) || size > static_cast<uint64_t>(end - next))
        return false;
      field.begin = next;
      field.size = static_cast<size_t>(size);
      next += size;
      return true;
    }
    default:
      return false;
    }
  }

private:
  const uint8_t *next;
  const uint8_t *end;
};

/// Reads the numbers of one field, packed or single. `wire` is the wire type of
/// a single one.
bool readNumbers(const FieldValue &field, int wire,
                 std::vector<uint64_t> &numbers) {
  if (field.wire == wire) {
    numbers.push_back(field.scalar);
    return true;
  }
  if (field.wire != Bytes)
    return false;
  WireReader reader(field.begin, field.size);
  while (!reader.atEnd()) {
    uint64_t value;
    bool good = wire == Varint
                    ? reader.readVarint(value)
                    : reader.readFixed(value, wire == Fixed32 ? 4 : 8);
    if (!good)
      return false;
    numbers.push_back(value);
  }
  return true;
}
} // namespace

/// Map between our types and the standard's numbers.
static int protoType(DType dtype) {
  // In the order of DType.
  static constexpr int numbers[] = {11, 1, 10, 16, 7, 6, 3, 2, 9};
  return numbers[static_cast<size_t>(dtype)];
}

static Expected<DType> parseProtoType(uint64_t number) {
  for (DType dtype :
       {DType::F64, DType::F32, DType::F16, DType::BF16, DType::I64, DType::I32,
        DType::I8, DType::U8, DType::Bool})
    if (number == static_cast<uint64_t>(protoType(dtype)))
      return dtype;
  static constexpr const char *names[] = {
      "undefined",      "float",        "uint8",          "int8",
      "uint16",         "int16",        "int32",          "int64",
      "string",         "bool",         "float16",        "double",
      "uint32",         "uint64",       "complex64",      "complex128",
      "bfloat16",       "float8e4m3fn", "float8e4m3fnuz", "float8e5m2",
      "float8e5m2fnuz", "uint4",        "int4",           "float4e2m1"};
  if (number < std::size(names))
    return makeError("element type ", names[number], " is not supported");
  return makeError("element type number ", number, " is unknown");
}

Expected<NamedTensor> parseTensorProto(const uint8_t *bytes, size_t size) {
  NamedTensor result;
  std::vector<int64_t> shape;
  std::vector<uint64_t> typed; // values of the typed field that is present
  uint64_t typedField = 0;
  std::optional<uint64_t> type;
  const uint8_t *raw = nullptr;
  size_t rawBytes = 0;
  bool hasRaw = false;

  WireReader reader(bytes, size);
  while (!reader.atEnd()) {
    FieldValue field;
    if (!reader.readField(field))
      return makeError("not a tensor message, or truncated");
    bool good = true;
    switch (field.number) {
    case Dims: {
      std::vector<uint64_t> sizes;
      good = readNumbers(field, Varint, sizes);
      shape.insert(shape.end(), sizes.begin(), sizes.end());
      break;
    }
    case DataType:
      good = field.wire == Varint;
      type = field.scalar;
      break;
    case FloatData:
      typedField = field.number;
      good = readNumbers(field, Fixed32, typed);
      break;
    case DoubleData:
      typedField = field.number;
      good = readNumbers(field, Fixed64, typed);
      break;
    case Int32Data:
    case Int64Data:
    case Uint64Data:
      typedField = field.number;
      good = readNumbers(field, Varint, typed);
      break;
    case Name:
      good = field.wire == Bytes;
      if (good)
        result.name.assign(reinterpret_cast<const char *>(field.begin),
                           field.size);
      break;
    case RawData:
      good = field.wire == Bytes;
      hasRaw = true;
      raw = field.begin;
      rawBytes = field.size;
      break;
    case Segment:
      return makeError("a tensor in segments is not supported");
    case ExternalData:
      return makeError("external data is not supported here");
    case DataLocation:
      if (field.wire == Varint && field.scalar == 1)
        return makeError("external data is not supported here");
      break;
    default: // text, and types of later versions
      break;
    }
    if (!good)
      return makeError("not a tensor message: field ", field.number,
                       " has an unexpected form");
  }

  if (!type)
    return makeError("not a tensor message: it has no data_type");
  Expected<DType> dtype = parseProtoType(*type);
  if (!dtype)
    return dtype.takeError();
  Expected<int64_t> count = countElements(shape, dtypeSize(*dtype));
  if (!count)
    return count.takeError();
  size_t expected = static_cast<size_t>(*count) * dtypeSize(*dtype);
  if (hasRaw && rawBytes != expected)
    return makeError("expected ", expected, " bytes of raw_data for ",
                     formatType(*dtype, shape), ", but got ", rawBytes);
  if (!hasRaw && typed.size() != static_cast<size_t>(*count))
    return makeError("expected ", *count, " elements for ",
                     formatType(*dtype, shape), ", but got ", typed.size());

  // The size is known only now to be backed by data in the file.
  Expected<TensorData> tensor = TensorData::zeros(*dtype, std::move(shape));
  if (!tensor)
    return tensor.takeError();
  if (hasRaw) {
    if (expected > 0)
      std::memcpy(tensor->bytes.data(), raw, expected);
  } else if (!typed.empty()) {
    uint64_t wanted = *dtype == DType::F32   ? FloatData
                      : *dtype == DType::F64 ? DoubleData
                      : *dtype == DType::I64 ? Int64Data
                                             : Int32Data;
    if (typedField != wanted)
      return makeError("expected the data of ", dtypeName(*dtype), " in field ",
                       wanted, ", but got field ", typedField);
    // Every element is stored in the low bytes of its number, including f16 and
    // bf16, which int32_data holds as bit patterns.
    size_t width = dtypeSize(*dtype);
    for (size_t i = 0; i < typed.size(); ++i)
      std::memcpy(tensor->bytes.data() + i * width, &typed[i], width);
  }
  if (*dtype == DType::Bool)
    for (uint8_t &byte : tensor->bytes)
      byte = byte != 0;
  result.tensor = std::move(*tensor);
  return result;
}

Expected<NamedTensor> readTensorProto(const std::string &path) {
  noteInput(path);
  Expected<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.takeError();
  Expected<NamedTensor> tensor = parseTensorProto(file->data(), file->size());
  if (!tensor)
    return makeError("'", path, "': ", tensor.error());
  return tensor;
}

static void appendVarint(std::string &out, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

static void appendTag(std::string &out, uint64_t field, int wire) {
  appendVarint(out, field << 3 | static_cast<uint64_t>(wire));
}

std::string formatTensorProto(const NamedTensor &tensor) {
  std::string out;
  for (int64_t size : tensor.tensor.shape) {
    appendTag(out, Dims, Varint);
    appendVarint(out, static_cast<uint64_t>(size));
  }
  appendTag(out, DataType, Varint);
  appendVarint(out, static_cast<uint64_t>(protoType(tensor.tensor.dtype)));
  if (!tensor.name.empty()) {
    appendTag(out, Name, Bytes);
    appendVarint(out, tensor.name.size());
    out += tensor.name;
  }
  appendTag(out, RawData, Bytes);
  appendVarint(out, tensor.tensor.bytes.size());
  out.append(reinterpret_cast<const char *>(tensor.tensor.bytes.data()),
             tensor.tensor.bytes.size());
  return out;
}

Status writeTensorProto(const std::string &path, const NamedTensor &tensor) {
  std::string text = formatTensorProto(tensor);
  return writeFile(path, text.data(), text.size());
}

} // namespace tenon::artifact
