//===- JsonTest.cpp - tests of JSON and manifests -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Json.h"
#include "tenon/Artifact/Manifest.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>

using namespace tenon::artifact;

TEST(Json, Reads) {
  Expected<JsonValue> json = parseJson(" {\"a\": [1, -2.5e1, true, null], "
                                       "\"b\\u00e9\\ud83d\\ude00\": \"\\n\"} ");
  ASSERT_TRUE(json) << json.error();
  const JsonValue *a = json->find("a");
  ASSERT_TRUE(a);
  ASSERT_EQ(a->array.size(), 4u);
  EXPECT_EQ(a->array[0].integer, 1);
  EXPECT_EQ(a->array[1].number, -25);
  EXPECT_TRUE(a->array[2].boolean);
  EXPECT_EQ(json->members[1].first, "b\xc3\xa9\xf0\x9f\x98\x80");
  EXPECT_EQ(parseJson("9223372036854775807")->integer, INT64_MAX);
  EXPECT_EQ(parseJson("-9223372036854775808")->integer, INT64_MIN);
  for (const char *large :
       {"9223372036854775808", "-9223372036854775809", "18446744073709551616"})
    EXPECT_EQ(parseJson(large)->kind, JsonValue::Kind::Number) << large;
}

TEST(Json, PrintsWhatItReads) {
  for (std::string text :
       {"null", "true", "false", "-7", "9223372036854775807", "0.25", "1e+300",
        "\"a\\\"\\n\u00e9\"", "[]", "{}", "[1, [2, []], {}]",
        "{\"a\": {\"b\": [null, 1.5]}, \"\\\"\": \"\"}"}) {
    Expected<JsonValue> json = parseJson(text);
    ASSERT_TRUE(json) << text;
    EXPECT_EQ(printJson(*json), text);
  }
}

TEST(Json, Refuses) {
  for (const char *text :
       {"", "{", "[1,]", "{\"a\" 1}", "01", "1.", "-", "tru", "\"a", "\"\\x\"",
        "1 2", "\"\\ud800\"", "\"\n\"", "[1 2]", "{1:2}"})
    EXPECT_FALSE(parseJson(text)) << text;
  for (std::string text :
       {"\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\\u12g4\"", "\"\xff\"",
        "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "1e999", "-1e999", "+1", ".5", "1e",
        "NaN", "Infinity", "[1],", "{\"a\":1,}", "/**/1", "'a'", "\x0b1"})
    EXPECT_FALSE(parseJson(text)) << text;
  EXPECT_EQ(parseJson("[1,]").error(),
            "JSON, byte 3: expected '[', '{', or a literal, but got ']'");
  EXPECT_EQ(parseJson("1e999").error(),
            "JSON, byte 4: number overflow parsing '1e999'");
  // Nothing that was read is repeated: it may be any bytes.
  EXPECT_EQ(parseJson("[\"a\xff\"]").error(),
            "JSON, byte 3: invalid string: ill-formed UTF-8 byte");
  for (const char *text :
       {"{\"a\":1,\"b\":2,\"a\":1}", "[{\"a\":{},\"\\u0061\":1}]",
        "{\"b\":{\"a\":1,\"a\":2}}"})
    EXPECT_EQ(
        parseJson(text).error(),
        "JSON: expected each name of an object once, but got \"a\" again");
  EXPECT_TRUE(parseJson("[{\"a\":{\"a\":1}},{\"a\":1}]"));
  EXPECT_EQ(parseJson(std::string_view("1\0 2", 4)).error(),
            "JSON, byte 1: expected no zero byte");
}

TEST(Json, LimitsNesting) {
  auto nested = [](size_t levels, char opening, char closing) {
    return std::string(levels, opening) + std::string(levels, closing);
  };
  EXPECT_TRUE(parseJson(nested(64, '[', ']')));
  for (size_t levels : {65, 1000000})
    EXPECT_EQ(parseJson(nested(levels, '[', ']')).error(),
              "JSON: expected at most 64 nested levels");
  std::string objects;
  for (int i = 0; i < 1000000; ++i)
    objects += "{\"a\":";
  EXPECT_EQ(parseJson(objects).error(),
            "JSON: expected at most 64 nested levels");
}

TEST(Json, RefusesEveryPrefix) {
  std::string text =
      "{\"a\\u00e9\": [1, -2.5e-1, \"\xc3\xa9\", true, null, {}]}";
  ASSERT_TRUE(parseJson(text));
  for (size_t length = 0; length < text.size(); ++length)
    EXPECT_FALSE(parseJson(text.substr(0, length))) << length;
}

TEST(Json, KeepsTheOrder) {
  Expected<JsonValue> json = parseJson("{\"b\": 1, \"a\": 2}");
  ASSERT_TRUE(json) << json.error();
  ASSERT_EQ(json->members.size(), 2u);
  EXPECT_EQ(json->members[0].first, "b");
  EXPECT_EQ(json->find("b")->integer, 1);
}

TEST(Json, IgnoresTheLocale) {
  // C.UTF-8 has a decimal point; others are there only if they were installed.
  for (const char *locale : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
    if (!std::setlocale(LC_NUMERIC, locale))
      continue;
    EXPECT_EQ(parseJson("1.5")->number, 1.5) << locale;
    EXPECT_EQ(formatJsonNumber(1.5), "1.5") << locale;
  }
  std::setlocale(LC_NUMERIC, "C");
}

TEST(Json, Writes) {
  EXPECT_EQ(quoteJson("a\"\\\n\x01\xc3\xa9\xff"),
            "\"a\\\"\\\\\\n\\u0001\xc3\xa9\xef\xbf\xbd\"");
  EXPECT_EQ(formatJsonNumber(0.1), "0.1");
  EXPECT_EQ(formatJsonNumber(INFINITY), "\"inf\"");
  for (double value : {1.0 / 3, 1e300, -0.0, 123456789.0})
    EXPECT_EQ(parseJson(formatJsonNumber(value))->number, value);
}

TEST(Manifest, Reads) {
  Expected<Manifest> manifest = parseManifest(
      "{\"schema_version\": 1, \"name\": \"m\", \"compiler\": \"c\","
      " \"target\": \"cpu:x86-64-v3\", \"new\": [1], \"symbols\": [\"n\"],"
      " \"inputs\": [{\"name\": \"x\", \"dtype\": \"f32\","
      " \"shape\": [\"n\", 3], \"donated_to\": 0}],"
      " \"outputs\": [{\"name\": \"y\", \"dtype\": \"i64\","
      " \"shape\": [null]}], \"parameters\": [],"
      " \"parameters_file\": \"m.safetensors\"}");
  ASSERT_TRUE(manifest) << manifest.error();
  EXPECT_EQ(manifest->name, "m");
  EXPECT_EQ(manifest->symbols, std::vector<std::string>{"n"});
  EXPECT_EQ(manifest->inputs[0].formatType(), "f32 nx3");
  EXPECT_EQ(manifest->inputs[0].staticShape(), (std::vector<int64_t>{-1, 3}));
  EXPECT_EQ(manifest->inputs[0].donatedTo, 0);
  EXPECT_EQ(manifest->outputs[0].formatType(), "i64 ?");
  EXPECT_EQ(manifest->parametersFile, "m.safetensors");
}

TEST(Manifest, Refuses) {
  auto errorOf = [](const std::string &text) {
    return parseManifest(text).error();
  };
  EXPECT_EQ(errorOf("{}"), "manifest: expected schema_version");
  EXPECT_EQ(errorOf("{\"schema_version\": 9}"),
            "manifest: expected schema_version 1, but got 9");
  EXPECT_EQ(errorOf("{\"schema_version\": 1}"),
            "manifest: expected the list 'inputs'");
  EXPECT_EQ(errorOf("{\"schema_version\": 1, \"inputs\": [{\"name\": \"x\","
                    " \"dtype\": \"f31\", \"shape\": []}]}"),
            "manifest: 'x': unknown element type 'f31'");
  EXPECT_EQ(errorOf("{\"schema_version\": 1, \"inputs\": [{\"name\": \"x\","
                    " \"dtype\": \"f32\", \"shape\": [-2]}]}"),
            "manifest: 'x': expected sizes, names or null in its shape");
}
