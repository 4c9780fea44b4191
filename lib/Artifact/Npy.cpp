//===- Npy.cpp - the file format of NumPy arrays --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Npy.h"

#include "tenon/Artifact/File.h"
#include "tenon/Artifact/InputFiles.h"
#include "tenon/Artifact/OutputFile.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace tenon::artifact {

static const char magic[] = "\x93NUMPY";

namespace {
/// The contents of the header, a Python dictionary.
struct Header {
  std::string descr;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
};

class HeaderParser {
public:
  explicit HeaderParser(std::string_view text) : text(text) {}

  Expected<Header> run() {
    Header header;
    bool seen[3] = {false, false, false};
    if (!consume('{'))
      return makeError("header: expected '{'");
    while (!consume('}')) {
      std::string key;
      if (!parseString(key) || !consume(':'))
        return makeError("header: expected 'key': value");
      if (key == "descr") {
        seen[0] = true;
        if (!parseString(header.descr))
          return makeError("header: expected a simple element type (structured "
                           "arrays are not supported)");
      } else if (key == "fortran_order") {
        seen[1] = true;
        if (consumeWord("True"))
          header.fortranOrder = true;
        else if (!consumeWord("False"))
          return makeError("header: expected True or False");
      } else if (key == "shape") {
        seen[2] = true;
        if (!parseShape(header.shape))
          return makeError("header: expected a tuple of sizes");
      } else {
        return makeError("header: unexpected key '", key, "'");
      }
      if (!consume(',') && peek() != '}')
        return makeError("header: expected ',' or '}'");
    }
    if (!seen[0] || !seen[1] || !seen[2])
      return makeError("header: expected descr, fortran_order and shape");
    return header;
  }

private:
  char peek() {
    while (pos < text.size() &&
           (text[pos] == ' ' || text[pos] == '\n' || text[pos] == '\t'))
      ++pos;
    return pos < text.size() ? text[pos] : '\0';
  }

  bool consume(char c) {
    if (peek() != c)
      return false;
    ++pos;
    return true;
  }

  bool consumeWord(std::string_view word) {
    peek();
    if (text.substr(pos, word.size()) != word)
      return false;
    pos += word.size();
    return true;
  }

  bool parseString(std::string &out) {
    char quote = peek();
    if (quote != '\'' && quote != '"')
      return false;
    size_t end = text.find(quote, pos + 1);
    if (end == std::string_view::npos)
      return false;
    out = std::string(text.substr(pos + 1, end - pos - 1));
    pos = end + 1;
    return true;
  }

  bool parseShape(std::vector<int64_t> &shape) {
    if (!consume('('))
      return false;
    while (!consume(')')) {
      peek();
      size_t begin = pos;
      int64_t size = 0;
      while (pos < text.size() && text[pos] >= '0' && text[pos] <= '9') {
        if (__builtin_mul_overflow(size, int64_t(10), &size) ||
            __builtin_add_overflow(size, int64_t(text[pos] - '0'), &size))
          return false;
        ++pos;
      }
      if (pos == begin)
        return false;
      if (pos < text.size() && text[pos] == 'L') // written by Python 2
        ++pos;
      shape.push_back(size);
      if (!consume(',') && peek() != ')')
        return false;
    }
    return true;
  }

  std::string_view text;
  size_t pos = 0;
};
} // namespace

static Expected<DType> parseDescr(const std::string &descr) {
  std::string kind = descr;
  if (!kind.empty() && kind[0] == '>')
    return makeError("big-endian data ('", descr, "') is not supported");
  if (!kind.empty() && (kind[0] == '<' || kind[0] == '|' || kind[0] == '='))
    kind.erase(0, 1);
  static constexpr std::pair<const char *, DType> known[] = {
      {"f8", DType::F64}, {"f4", DType::F32}, {"f2", DType::F16},
      {"i8", DType::I64}, {"i4", DType::I32}, {"i1", DType::I8},
      {"u1", DType::U8},  {"b1", DType::Bool}};
  for (const auto &[name, dtype] : known)
    if (kind == name)
      return dtype;
  static constexpr std::pair<const char *, const char *> refused[] = {
      {"i2", "i16"},       {"u2", "u16"},         {"u4", "u32"},  {"u8", "u64"},
      {"c8", "complex64"}, {"c16", "complex128"}, {"f16", "f128"}};
  for (const auto &[name, type] : refused)
    if (kind == name)
      return makeError("element type ", type, " ('", descr,
                       "') is not supported");
  return makeError("element type '", descr, "' is not supported");
}

static const char *descrOf(DType dtype) {
  switch (dtype) {
  case DType::F64:
    return "<f8";
  case DType::F32:
    return "<f4";
  case DType::F16:
    return "<f2";
  case DType::BF16:
    return nullptr;
  case DType::I64:
    return "<i8";
  case DType::I32:
    return "<i4";
  case DType::I8:
    return "|i1";
  case DType::U8:
    return "|u1";
  case DType::Bool:
    return "|b1";
  }
  return nullptr;
}

/// Copies column-major `from` to row-major `to`.
static void copyFortran(const uint8_t *from, TensorData &to) {
  size_t rank = to.shape.size(), size = dtypeSize(to.dtype);
  std::vector<int64_t> index(rank, 0), strides(rank, 1);
  for (size_t i = 1; i < rank; ++i)
    strides[i] = strides[i - 1] * to.shape[i - 1];
  int64_t source = 0, count = to.numElements();
  for (int64_t i = 0; i < count; ++i) {
    std::memcpy(to.bytes.data() + i * size, from + source * size, size);
    for (size_t axis = rank; axis-- > 0;) {
      source += strides[axis];
      if (++index[axis] < to.shape[axis])
        break;
      source -= strides[axis] * to.shape[axis];
      index[axis] = 0;
    }
  }
}

Expected<NpyLayout> parseNpyLayout(const uint8_t *bytes, size_t size) {
  if (size < 10 || std::memcmp(bytes, magic, 6) != 0)
    return makeError("not an .npy file: expected it to begin with \\x93NUMPY");
  uint8_t major = bytes[6];
  if (major < 1 || major > 3)
    return makeError("expected version 1 to 3 of the .npy format, but got ",
                     static_cast<int>(major));
  size_t prefix = major == 1 ? 10 : 12;
  if (size < prefix)
    return makeError("the file is truncated in its header");
  size_t length = bytes[8] | bytes[9] << 8;
  if (major > 1)
    length |= static_cast<size_t>(bytes[10]) << 16 |
              static_cast<size_t>(bytes[11]) << 24;
  if (length > size - prefix)
    return makeError("expected a header of ", length, " bytes, but only ",
                     size - prefix, " are left");
  Expected<Header> header =
      HeaderParser(std::string_view(
                       reinterpret_cast<const char *>(bytes) + prefix, length))
          .run();
  if (!header)
    return header.takeError();
  Expected<DType> dtype = parseDescr(header->descr);
  if (!dtype)
    return dtype.takeError();
  Expected<int64_t> count = countElements(header->shape, dtypeSize(*dtype));
  if (!count)
    return count.takeError();
  size_t expected = static_cast<size_t>(*count) * dtypeSize(*dtype);
  size_t got = size - prefix - length;
  if (got != expected)
    return makeError("expected ", expected, " bytes of data for ",
                     formatType(*dtype, header->shape), ", but got ", got);
  return NpyLayout{*dtype, header->shape,
                   header->fortranOrder && header->shape.size() > 1,
                   prefix + length};
}

Expected<TensorData> parseNpy(const uint8_t *bytes, size_t size) {
  Expected<NpyLayout> layout = parseNpyLayout(bytes, size);
  if (!layout)
    return layout.takeError();
  Expected<TensorData> tensor = TensorData::zeros(layout->dtype, layout->shape);
  if (!tensor)
    return tensor;
  const uint8_t *data = bytes + layout->offset;
  if (layout->isColumnMajor)
    copyFortran(data, *tensor);
  else if (!tensor->bytes.empty())
    std::memcpy(tensor->bytes.data(), data, tensor->bytes.size());
  if (layout->dtype == DType::Bool)
    for (uint8_t &byte : tensor->bytes)
      byte = byte != 0;
  return tensor;
}

Expected<TensorData> readNpy(const std::string &path) {
  noteInput(path);
  Expected<MappedFile> file = MappedFile::open(path);
  if (!file)
    return file.takeError();
  Expected<TensorData> tensor = parseNpy(file->data(), file->size());
  if (!tensor)
    return makeError("'", path, "': ", tensor.error());
  return tensor;
}

Expected<std::string> formatNpy(const TensorData &tensor) {
  const char *descr = descrOf(tensor.dtype);
  if (!descr)
    return makeError("the .npy format has no element type for ",
                     dtypeName(tensor.dtype));
  std::string header =
      concat("{'descr': '", descr, "', 'fortran_order': False, 'shape': (");
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    header += concat(i ? ", " : "", tensor.shape[i]);
  header += tensor.shape.size() == 1 ? ",), }" : "), }";
  // As in NumPy, the header with its prefix and the closing newline is a
  // multiple of 64 bytes.
  size_t prefix = 10;
  bool wide = header.size() + 64 > 65535;
  if (wide)
    prefix = 12;
  while ((prefix + header.size() + 1) % 64 != 0)
    header += ' ';
  header += '\n';
  std::string out(magic, 6);
  out += wide ? '\2' : '\1';
  out += '\0';
  for (size_t i = 0; i < prefix - 8; ++i)
    out += static_cast<char>(header.size() >> (8 * i) & 0xff);
  out += header;
  out.append(reinterpret_cast<const char *>(tensor.bytes.data()),
             tensor.bytes.size());
  return out;
}

Status writeNpy(const std::string &path, const TensorData &tensor) {
  Expected<std::string> text = formatNpy(tensor);
  if (!text)
    return makeError("cannot write '", path, "': ", text.error());
  return writeFile(path, text->data(), text->size());
}

} // namespace tenon::artifact
