//===- Json.cpp - reading and writing JSON --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace tenon::artifact {

const JsonValue *JsonValue::find(std::string_view name) const {
  for (const auto &[key, value] : members)
    if (key == name)
      return &value;
  return nullptr;
}

namespace {
/// Builds the value from the events of nlohmann's parser, which is iterative:
/// texts of any depth can't overflow the stack.
class Builder {
public:
  // The types that the parser's events carry.
  using number_integer_t = int64_t;
  using number_unsigned_t = uint64_t;
  using number_float_t = double;
  using string_t = std::string;
  using binary_t = nlohmann::json::binary_t;

  bool null() { return add(JsonValue::Kind::Null), true; }
  bool boolean(bool value) {
    add(JsonValue::Kind::Bool).boolean = value;
    return true;
  }
  bool number_integer(int64_t value) {
    JsonValue &added = add(JsonValue::Kind::Integer);
    added.integer = value;
    added.number = static_cast<double>(value);
    return true;
  }
  bool number_unsigned(uint64_t value) {
    if (value <= INT64_MAX)
      return number_integer(static_cast<int64_t>(value));
    return number_float(static_cast<double>(value), "");
  }
  bool number_float(double value, const std::string &) {
    add(JsonValue::Kind::Number).number = value;
    return true;
  }
  bool string(std::string &text) {
    add(JsonValue::Kind::String).string = std::move(text);
    return true;
  }
  bool binary(binary_t &) { return false; } // not in texts
  bool key(std::string &text) {
    name = std::move(text);
    return true;
  }
  bool start_object(size_t) { return open(JsonValue::Kind::Object); }
  bool start_array(size_t) { return open(JsonValue::Kind::Array); }
  bool end_object() {
    std::vector<std::string_view> names;
    for (const auto &[name, value] : parents.back()->members)
      names.push_back(name);
    std::sort(names.begin(), names.end());
    if (auto twice = std::adjacent_find(names.begin(), names.end());
        twice != names.end()) {
      message = concat("JSON: expected each name of an object once, but got ",
                       quoteJson(*twice), " again");
      return false;
    }
    parents.pop_back();
    return true;
  }
  bool end_array() { return parents.pop_back(), true; }
  bool parse_error(size_t position, const std::string &,
                   const nlohmann::json::exception &failure) {
    message = concat("JSON, byte ", position - (position > 0), ": ",
                     describe(failure.what()));
    return false;
  }

  JsonValue root;
  std::string message; // of the error

private:
  JsonValue &add(JsonValue::Kind kind) {
    JsonValue *value = &root;
    if (!parents.empty() && parents.back()->isArray())
      value = &parents.back()->array.emplace_back();
    else if (!parents.empty())
      value = &parents.back()
                   ->members.emplace_back(std::move(name), JsonValue())
                   .second;
    value->kind = kind;
    return *value;
  }

  bool open(JsonValue::Kind kind) {
    if (parents.size() == 64) {
      message = "JSON: expected at most 64 nested levels";
      return false;
    }
    parents.push_back(&add(kind));
    return true;
  }

  /// Turns "[...] parse error ... - unexpected A; expected B" into "expected B,
  /// but got A". What the parser last read is left out: it may be any bytes.
  static std::string describe(std::string_view text) {
    if (size_t at = text.find(" - "); at != text.npos)
      text.remove_prefix(at + 3);
    else if (size_t end = text.find("] "); end != text.npos)
      text.remove_prefix(end + 2);
    text = text.substr(0, text.find("; last read"));
    std::string_view got = "unexpected ", wanted = "; expected ";
    size_t at = text.find(wanted);
    if (text.substr(0, got.size()) != got || at == text.npos)
      return std::string(text);
    return concat("expected ", text.substr(at + wanted.size()), ", but got ",
                  text.substr(got.size(), at - got.size()));
  }

  /// The objects and arrays that are open. Only the last one grows, so the
  /// addresses of the others stay valid.
  std::vector<JsonValue *> parents;
  std::string name; // of the next member
};
} // namespace

Expected<JsonValue> parseJson(std::string_view text) {
  // The parser would take a zero byte for the end of the text.
  if (size_t zero = text.find('\0'); zero != text.npos)
    return makeError("JSON, byte ", zero, ": expected no zero byte");
  Builder builder;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder))
    return makeError(builder.message);
  return std::move(builder.root);
}

/// Returns the length of the well-formed UTF-8 sequence at the start of `text`,
/// or 0.
static size_t utf8Length(std::string_view text) {
  unsigned char lead = text[0];
  if (lead < 0x80)
    return 1;
  size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length)
    return 0;
  for (size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80)
      return 0;
  unsigned char second = text[1];
  if ((lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
      (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f))
    return 0;
  return length;
}

std::string quoteJson(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    unsigned char c = text[0];
    size_t length = utf8Length(text);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", c);
      out += escape;
    } else if (length == 0) {
      out += "\xef\xbf\xbd";
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out += '"';
}

std::string printJson(const JsonValue &value) {
  std::string out;
  auto add = [&](const std::string &text) {
    out += out.size() > 1 ? ", " : "";
    out += text;
  };
  switch (value.kind) {
  case JsonValue::Kind::Null:
    return "null";
  case JsonValue::Kind::Bool:
    return value.boolean ? "true" : "false";
  case JsonValue::Kind::Integer:
    return std::to_string(value.integer);
  case JsonValue::Kind::Number:
    return formatJsonNumber(value.number);
  case JsonValue::Kind::String:
    return quoteJson(value.string);
  case JsonValue::Kind::Array:
    out = "[";
    for (const JsonValue &element : value.array)
      add(printJson(element));
    return out + "]";
  case JsonValue::Kind::Object:
    out = "{";
    for (const auto &[name, member] : value.members)
      add(quoteJson(name) + ": " + printJson(member));
    return out + "}";
  }
  return out;
}

std::string formatJsonNumber(double value) {
  if (std::isnan(value))
    return "\"nan\"";
  if (std::isinf(value))
    return value < 0 ? "\"-inf\"" : "\"inf\"";
  char text[40] = {};
  // Use the shortest of the usual precisions that reads back exactly.
  for (int precision : {6, 9, 15, 17}) {
    std::snprintf(text, sizeof text, "%.*g", precision, value);
    if (std::strtod(text, nullptr) == value)
      break;
  }
  // The host may have set a locale with a decimal comma.
  for (char &c : text)
    if (c == *std::localeconv()->decimal_point)
      c = '.';
  return text;
}

} // namespace tenon::artifact
