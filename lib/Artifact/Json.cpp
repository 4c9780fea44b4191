//===- Json.cpp - reading and writing JSON --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Json.h"

#include <cerrno>
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
class Parser {
public:
  explicit Parser(std::string_view text) : text(text) {}

  Expected<JsonValue> run() {
    JsonValue value;
    if (!parseValue(value, 0))
      return takeError();
    skipSpace();
    if (pos != text.size()) {
      fail("expected the end of the text");
      return takeError();
    }
    return value;
  }

private:
  Error takeError() { return Error{std::move(message)}; }

  bool fail(std::string_view what) {
    if (message.empty())
      message = concat("JSON, byte ", pos, ": ", what);
    return false;
  }

  void skipSpace() {
    while (pos < text.size() && (text[pos] == ' ' || text[pos] == '\n' ||
                                 text[pos] == '\t' || text[pos] == '\r'))
      ++pos;
  }

  bool consume(char c) {
    if (pos >= text.size() || text[pos] != c)
      return false;
    ++pos;
    return true;
  }

  bool parseWord(std::string_view word) {
    if (text.substr(pos, word.size()) != word)
      return fail("expected a value");
    pos += word.size();
    return true;
  }

  bool parseValue(JsonValue &value, int depth) {
    if (depth > 64)
      return fail("expected at most 64 nested levels");
    skipSpace();
    if (pos >= text.size())
      return fail("expected a value, but the text ends");
    switch (text[pos]) {
    case '{':
      return parseObject(value, depth);
    case '[':
      return parseArray(value, depth);
    case '"':
      value.kind = JsonValue::Kind::String;
      return parseString(value.string);
    case 't':
      value.kind = JsonValue::Kind::Bool;
      value.boolean = true;
      return parseWord("true");
    case 'f':
      value.kind = JsonValue::Kind::Bool;
      return parseWord("false");
    case 'n':
      return parseWord("null");
    default:
      return parseNumber(value);
    }
  }

  bool parseObject(JsonValue &value, int depth) {
    value.kind = JsonValue::Kind::Object;
    ++pos;
    skipSpace();
    if (consume('}'))
      return true;
    for (;;) {
      skipSpace();
      value.members.emplace_back();
      if (pos >= text.size() || text[pos] != '"')
        return fail("expected a member's name");
      if (!parseString(value.members.back().first))
        return false;
      skipSpace();
      if (!consume(':'))
        return fail("expected ':'");
      if (!parseValue(value.members.back().second, depth + 1))
        return false;
      skipSpace();
      if (consume('}'))
        return true;
      if (!consume(','))
        return fail("expected ',' or '}'");
    }
  }

  bool parseArray(JsonValue &value, int depth) {
    value.kind = JsonValue::Kind::Array;
    ++pos;
    skipSpace();
    if (consume(']'))
      return true;
    for (;;) {
      value.array.emplace_back();
      if (!parseValue(value.array.back(), depth + 1))
        return false;
      skipSpace();
      if (consume(']'))
        return true;
      if (!consume(','))
        return fail("expected ',' or ']'");
    }
  }

  bool parseNumber(JsonValue &value) {
    size_t begin = pos;
    bool integral = true;
    consume('-');
    size_t digits = pos;
    while (pos < text.size() && text[pos] >= '0' && text[pos] <= '9')
      ++pos;
    if (pos == digits)
      return fail("expected a value");
    if (text[digits] == '0' && pos > digits + 1)
      return fail("expected a number without leading zeros");
    if (consume('.')) {
      integral = false;
      digits = pos;
      while (pos < text.size() && text[pos] >= '0' && text[pos] <= '9')
        ++pos;
      if (pos == digits)
        return fail("expected a digit");
    }
    if (pos < text.size() && (text[pos] == 'e' || text[pos] == 'E')) {
      integral = false;
      ++pos;
      if (!consume('+'))
        consume('-');
      digits = pos;
      while (pos < text.size() && text[pos] >= '0' && text[pos] <= '9')
        ++pos;
      if (pos == digits)
        return fail("expected a digit");
    }
    std::string copy(text.substr(begin, pos - begin));
    value.number = std::strtod(copy.c_str(), nullptr);
    value.kind = JsonValue::Kind::Number;
    if (integral) {
      errno = 0;
      long long parsed = std::strtoll(copy.c_str(), nullptr, 10);
      if (errno == 0) {
        value.kind = JsonValue::Kind::Integer;
        value.integer = parsed;
      }
    }
    return true;
  }

  bool parseHex(unsigned &code) {
    if (text.size() - pos < 4)
      return fail("expected four hexadecimal digits");
    code = 0;
    for (int i = 0; i < 4; ++i, ++pos) {
      char c = text[pos];
      unsigned digit;
      if (c >= '0' && c <= '9')
        digit = c - '0';
      else if (c >= 'a' && c <= 'f')
        digit = c - 'a' + 10;
      else if (c >= 'A' && c <= 'F')
        digit = c - 'A' + 10;
      else
        return fail("expected a hexadecimal digit");
      code = code * 16 + digit;
    }
    return true;
  }

  static void appendUtf8(std::string &out, unsigned code) {
    if (code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xc0 | (code >> 6));
      out += static_cast<char>(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
      out += static_cast<char>(0xe0 | (code >> 12));
      out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
      out += static_cast<char>(0x80 | (code & 0x3f));
    } else {
      out += static_cast<char>(0xf0 | (code >> 18));
      out += static_cast<char>(0x80 | ((code >> 12) & 0x3f));
      out += static_cast<char>(0x80 | ((code >> 6) & 0x3f));
      out += static_cast<char>(0x80 | (code & 0x3f));
    }
  }

  bool parseEscape(std::string &out) {
    if (pos >= text.size())
      return fail("expected an escape, but the text ends");
    char c = text[pos++];
    switch (c) {
    case '"':
    case '\\':
    case '/':
      out += c;
      return true;
    case 'b':
      out += '\b';
      return true;
    case 'f':
      out += '\f';
      return true;
    case 'n':
      out += '\n';
      return true;
    case 'r':
      out += '\r';
      return true;
    case 't':
      out += '\t';
      return true;
    case 'u':
      break;
    default:
      return fail("expected an escape");
    }
    unsigned code;
    if (!parseHex(code))
      return false;
    if (code >= 0xd800 && code < 0xdc00) {
      unsigned low;
      if (!consume('\\') || !consume('u'))
        return fail("expected the second half of a surrogate pair");
      if (!parseHex(low))
        return false;
      if (low < 0xdc00 || low > 0xdfff)
        return fail("expected the second half of a surrogate pair");
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (code >= 0xdc00 && code < 0xe000) {
      return fail("expected the first half of a surrogate pair");
    }
    appendUtf8(out, code);
    return true;
  }

  bool parseString(std::string &out) {
    ++pos; // the quotation mark
    while (pos < text.size()) {
      unsigned char c = text[pos];
      if (c == '"') {
        ++pos;
        return true;
      }
      if (c < 0x20)
        return fail("expected no control character in a string");
      ++pos;
      if (c != '\\')
        out += static_cast<char>(c);
      else if (!parseEscape(out))
        return false;
    }
    return fail("expected '\"', but the text ends");
  }

  std::string_view text;
  size_t pos = 0;
  std::string message;
};
} // namespace

Expected<JsonValue> parseJson(std::string_view text) {
  return Parser(text).run();
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

std::string formatJsonNumber(double value) {
  if (std::isnan(value))
    return "\"nan\"";
  if (std::isinf(value))
    return value < 0 ? "\"-inf\"" : "\"inf\"";
  char text[40];
  // Use the shortest of the usual precisions that reads back exactly.
  for (int precision : {6, 9, 15, 17}) {
    std::snprintf(text, sizeof text, "%.*g", precision, value);
    if (std::strtod(text, nullptr) == value)
      break;
  }
  return text;
}

} // namespace tenon::artifact
