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
  EXPECT_EQ(parseJson("9223372036854775808")->kind, JsonValue::Kind::Number);
}

TEST(Json, Refuses) {
  for (const char *text :
       {"", "{", "[1,]", "{\"a\" 1}", "01", "1.", "-", "tru", "\"a", "\"\\x\"",
        "1 2", "\"\\ud800\"", "\"\n\"", "[1 2]", "{1:2}"})
    EXPECT_FALSE(parseJson(text)) << text;
  std::string deep(100000, '[');
  EXPECT_EQ(parseJson(deep).error(),
            "JSON, byte 65: expected at most 64 nested levels");
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
