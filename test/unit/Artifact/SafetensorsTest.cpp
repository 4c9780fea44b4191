//===- SafetensorsTest.cpp - tests of weight files ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/SafetensorsWriter.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace tenon::artifact;

static std::string scratchPath(const char *name) {
  return ::testing::TempDir() + "tenon-" + std::to_string(::getpid()) + "-" +
         name;
}

namespace {
class Safetensors : public ::testing::Test {
protected:
  std::string path = scratchPath("weights.safetensors");
  void TearDown() override { std::remove(path.c_str()); }

  /// Error of a file with this header and so many bytes of data.
  std::string errorOf(const std::string &header, size_t dataBytes) {
    std::string text(8, '\0');
    for (int i = 0; i < 8; ++i)
      text[i] = static_cast<char>(header.size() >> (8 * i));
    text += header + std::string(dataBytes, 'x');
    return errorOfBytes(text);
  }

  std::string errorOfBytes(const std::string &text) {
    EXPECT_TRUE(writeFile(path, text.data(), text.size()));
    Expected<SafetensorsFile> file = SafetensorsFile::open(path);
    if (file)
      return "";
    std::string prefix = "'" + path + "' is not a valid safetensors file: ";
    EXPECT_EQ(file.error().substr(0, prefix.size()), prefix);
    return file.error().substr(prefix.size());
  }
};
} // namespace

TEST_F(Safetensors, RoundTripsInAnyOrder) {
  std::vector<SafetensorsWriter::Declaration> tensors = {
      {"b", DType::U8, {3}},
      {"a \"1\"", DType::F32, {2, 2}},
      {"d", DType::F64, {}},
      {"empty", DType::BF16, {0, 4}}};
  float a[] = {1, 2, 3, 4};
  uint8_t b[] = {5, 6, 7};
  double d = 8;
  std::vector<uint8_t> first;
  for (int order = 0; order < 2; ++order) {
    auto writer = SafetensorsWriter::create(path, tensors, {{"k", "v"}});
    ASSERT_TRUE(writer) << writer.error();
    if (order) {
      ASSERT_TRUE(writer->write("b", b, 3));
    }
    ASSERT_TRUE(writer->write("a \"1\"", a, 4));
    ASSERT_TRUE(writer->write("d", &d, 8));
    ASSERT_TRUE(writer->write("a \"1\"", a + 1, 12));
    if (!order) {
      ASSERT_TRUE(writer->write("b", b, 3));
    }
    Status status = writer->finish();
    ASSERT_TRUE(status) << status.error();
    std::vector<uint8_t> bytes = *readFile(path);
    if (order) {
      EXPECT_EQ(bytes, first);
    }
    first = bytes;
    std::swap(tensors[0], tensors[2]);
  }

  Expected<SafetensorsFile> file = SafetensorsFile::open(path);
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(file->metadata().at("k"), "v");
  ASSERT_EQ(file->entries().size(), 4u);
  const SafetensorsEntry *entry = file->find("a \"1\"");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->shape, (std::vector<int64_t>{2, 2}));
  EXPECT_EQ(std::memcmp(file->data(*entry), a, 16), 0);
  entry = file->find("d");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->offset % 64, 0u);
  EXPECT_FALSE(file->find("c"));
}

TEST_F(Safetensors, WriterChecks) {
  auto errorOfDeclarations =
      [&](std::vector<SafetensorsWriter::Declaration> tensors) {
        auto writer = SafetensorsWriter::create(path, std::move(tensors));
        return writer ? std::string() : writer.error();
      };
  EXPECT_EQ(errorOfDeclarations({{"a", DType::U8, {1}}, {"a", DType::U8, {1}}}),
            "tensor 'a': its name occurs twice");
  EXPECT_EQ(errorOfDeclarations({{"a", DType::U8, {-1}}}),
            "tensor 'a': expected sizes of at least 0, but got -1");

  auto writer = SafetensorsWriter::create(path, {{"a", DType::U8, {4}}});
  ASSERT_TRUE(writer);
  EXPECT_EQ(writer->write("b", "", 0).error(), "tensor 'b' was not declared");
  EXPECT_EQ(writer->write("a", "12345", 5).error(),
            "tensor 'a': expected 4 bytes, but got 5");
  EXPECT_TRUE(writer->write("a", "123", 3));
  EXPECT_EQ(writer->finish().error(),
            "tensor 'a': expected 4 bytes, but got 3");
  EXPECT_FALSE(SafetensorsFile::open(path)) << "a failed file must not appear";
}

TEST_F(Safetensors, ReportsFullDisk) {
  auto writer = SafetensorsWriter::create("/dev/full", {});
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error(), "can't write '/dev/full': No space left on device");
}

TEST_F(Safetensors, RefusesDamage) {
  EXPECT_EQ(errorOfBytes("abc"), "expected at least 8 bytes, but got 3");
  EXPECT_EQ(errorOfBytes(std::string("\x10\0\0\0\0\0\0\0{}", 10)),
            "expected a header of 16 bytes, but the file has 10 bytes");
  EXPECT_EQ(errorOf("[]", 0), "header: expected an object");
  EXPECT_EQ(errorOf("{\"a\":", 0), "header: JSON, byte 5: expected '[', '{', "
                                   "or a literal, but got end of input");
  EXPECT_EQ(errorOf("{\"__metadata__\":5}", 0),
            "header: expected texts by name as __metadata__");
  EXPECT_EQ(errorOf("{\"__metadata__\":{\"a\":5}}", 0),
            "header: expected a text as 'a' of __metadata__");
  EXPECT_EQ(errorOf("{\"a\":{}}", 0),
            "tensor 'a': expected dtype, shape and two data_offsets");
  auto entry = [](const char *name, const char *dtype, const char *shape,
                  int begin, int end) {
    return concat("\"", name, "\":{\"dtype\":\"", dtype, "\",\"shape\":", shape,
                  ",\"data_offsets\":[", begin, ",", end, "]}");
  };
  EXPECT_EQ(errorOf("{" + entry("a", "F32", "[2]", 0, 8) + "}", 8), "");
  EXPECT_EQ(errorOf("{" + entry("a", "U16", "[2]", 0, 4) + "}", 4),
            "tensor 'a': element type 'U16' is not supported");
  EXPECT_EQ(errorOf("{" + entry("a", "F32", "[2]", 0, 8) + "}", 5),
            "tensor 'a': data ends at byte 8, but the file has only 5 bytes of "
            "data (is it truncated?)");
  EXPECT_EQ(errorOf("{" + entry("a", "F32", "[3]", 0, 8) + "}", 8),
            "tensor 'a': expected 12 bytes for f32 3, but got 8");
  EXPECT_EQ(errorOf("{" + entry("a", "F32", "[-2]", 0, 8) + "}", 8),
            "tensor 'a': expected sizes of at least 0, but got -2");
  EXPECT_EQ(errorOf("{" + entry("a", "U8", "[8]", 0, 8) + "," +
                        entry("b", "U8", "[8]", 4, 12) + "}",
                    12),
            "tensor 'b': expected data at byte 8, but got 4 (tensors overlap)");
  EXPECT_EQ(errorOf("{" + entry("a", "U8", "[4]", 0, 4) + "," +
                        entry("b", "U8", "[4]", 8, 12) + "}",
                    12),
            "tensor 'b': expected data at byte 4, but got 8 (a gap between "
            "tensors)");
  EXPECT_EQ(errorOf("{" + entry("a", "U8", "[4]", 0, 4) + "," +
                        entry("a", "U8", "[4]", 4, 8) + "}",
                    8),
            "header: JSON: expected each name of an object once, but got "
            "\"a\" again");
  EXPECT_EQ(errorOf("{" + entry("a", "U8", "[4]", 0, 4) + "}", 6),
            "expected 65 bytes in all, but got 67");
}

TEST_F(Safetensors, SurvivesBitFlips) {
  auto writer = SafetensorsWriter::create(
      path, {{"a", DType::F32, {2, 3}}, {"b", DType::U8, {1}}});
  ASSERT_TRUE(writer->write("a", std::string(24, 'a').data(), 24));
  ASSERT_TRUE(writer->write("b", "b", 1));
  ASSERT_TRUE(writer->finish());
  std::vector<uint8_t> bytes = *readFile(path);
  size_t header = bytes.size() - 25;
  for (size_t i = 0; i < header * 8; ++i) {
    bytes[i / 8] ^= static_cast<uint8_t>(1 << (i % 8));
    ASSERT_TRUE(writeFile(path, bytes.data(), bytes.size()));
    (void)SafetensorsFile::open(path);
    bytes[i / 8] ^= static_cast<uint8_t>(1 << (i % 8));
  }
}

TEST(File, Refuses) {
  EXPECT_EQ(MappedFile::open("/nonexistent").error(),
            "cannot open '/nonexistent': No such file or directory");
  EXPECT_EQ(MappedFile::open("/tmp").error(),
            "cannot read '/tmp': expected a regular file, but it is a folder");
  EXPECT_EQ(writeFile("/nonexistent/x", "", 0).error(),
            "can't write '/nonexistent/x': No such file or directory");
}
