//===- Json.h - reading and writing JSON ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// JSON texts as values, for the headers of safetensors files and for manifests.
// nlohmann's parser reads them (record 0025); it is linked into every artifact.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_JSON_H
#define TENON_ARTIFACT_JSON_H

#include "tenon/Artifact/Status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::artifact {

/// A JSON value. Members of objects keep their order.
struct JsonValue {
  enum class Kind { Null, Bool, Integer, Number, String, Array, Object };

  Kind kind = Kind::Null;
  bool boolean = false;
  int64_t integer = 0; // Integer: fits in int64
  double number = 0;   // Integer and Number
  std::string string;  // String, in UTF-8
  std::vector<JsonValue> array;
  std::vector<std::pair<std::string, JsonValue>> members; // Object

  bool isObject() const { return kind == Kind::Object; }
  bool isArray() const { return kind == Kind::Array; }
  bool isString() const { return kind == Kind::String; }
  bool isInteger() const { return kind == Kind::Integer; }
  /// Returns the first member of that name, or null.
  const JsonValue *find(std::string_view name) const;
};

/// Parses one JSON text (RFC 8259) in UTF-8 with at most 64 nested levels.
/// Errors state the byte offset, except for the depth and for names that an
/// object has twice. Integers that int64 can't hold are Numbers; numbers beyond
/// double are refused.
Expected<JsonValue> parseJson(std::string_view text);

/// Returns `text` in quotation marks, escaped. Bytes that are not UTF-8 become
/// U+FFFD.
std::string quoteJson(std::string_view text);

/// The value as text, in one line.
std::string printJson(const JsonValue &value);

/// Formats a number so that it reads back as the same double; NaN and
/// infinities, which JSON lacks, become the strings "nan", "inf" and "-inf".
std::string formatJsonNumber(double value);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_JSON_H
