//===- FormatsTest.cpp - tests of .npy and .pb files --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Npy.h"
#include "tenon/Artifact/TensorProto.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace tenon::artifact;

static const uint8_t *bytesOf(const std::string &text) {
  return reinterpret_cast<const uint8_t *>(text.data());
}

static TensorData counting(DType dtype, std::vector<int64_t> shape) {
  TensorData tensor = *TensorData::zeros(dtype, std::move(shape));
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    tensor.setInteger(i, i);
  return tensor;
}

static const DType allTypes[] = {DType::F64,  DType::F32, DType::F16,
                                 DType::BF16, DType::I64, DType::I32,
                                 DType::I8,   DType::U8,  DType::Bool};

TEST(Npy, RoundTrips) {
  for (DType dtype : allTypes)
    for (std::vector<int64_t> shape : std::vector<std::vector<int64_t>>{
             {}, {5}, {2, 3}, {2, 0, 3}, {1, 2, 3, 4}}) {
      TensorData tensor = counting(dtype, shape);
      Expected<std::string> text = formatNpy(tensor);
      if (dtype == DType::BF16) {
        EXPECT_EQ(text.error(), "the .npy format has no element type for bf16");
        continue;
      }
      Expected<TensorData> back = parseNpy(bytesOf(*text), text->size());
      ASSERT_TRUE(back) << back.error();
      EXPECT_EQ(back->dtype, dtype);
      EXPECT_EQ(back->shape, shape);
      EXPECT_EQ(back->bytes, tensor.bytes);
    }
}

static std::string npyWith(std::string header, std::string data) {
  std::string text("\x93NUMPY\1\0", 8);
  text += static_cast<char>(header.size() & 0xff);
  text += static_cast<char>(header.size() >> 8);
  return text + header + data;
}

TEST(Npy, TurnsFortranOrder) {
  std::string text =
      npyWith("{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3), }",
              std::string("\0\3\1\4\2\5", 6));
  Expected<TensorData> tensor = parseNpy(bytesOf(text), text.size());
  ASSERT_TRUE(tensor) << tensor.error();
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(tensor->getInteger(i), i);
}

TEST(Npy, Refuses) {
  auto errorOf = [](const std::string &text) {
    return parseNpy(bytesOf(text), text.size()).error();
  };
  auto typed = [&](const char *descr) {
    return errorOf(npyWith(
        concat("{'descr': '", descr, "', 'fortran_order': False, 'shape': ()}"),
        ""));
  };
  EXPECT_EQ(typed("<i2"), "element type i16 ('<i2') is not supported");
  EXPECT_EQ(typed("<u2"), "element type u16 ('<u2') is not supported");
  EXPECT_EQ(typed("<u4"), "element type u32 ('<u4') is not supported");
  EXPECT_EQ(typed("<u8"), "element type u64 ('<u8') is not supported");
  EXPECT_EQ(typed(">f4"), "big-endian data ('>f4') is not supported");
  EXPECT_EQ(typed("|O"), "element type '|O' is not supported");
  EXPECT_EQ(typed("<f4"), "expected 4 bytes of data for f32 scalar, but got 0");
  EXPECT_NE(errorOf("").find("not an .npy file"), std::string::npos);
  EXPECT_NE(
      errorOf(npyWith("{'descr': [('a', '<f4')]}", "")).find("structured"),
      std::string::npos);
}

TEST(Npy, SurvivesTruncation) {
  std::string text = *formatNpy(counting(DType::F32, {2, 3}));
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(parseNpy(bytesOf(text), size)) << size;
}

TEST(TensorProto, RoundTrips) {
  for (DType dtype : allTypes) {
    NamedTensor tensor{"x", counting(dtype, {2, 3})};
    std::string text = formatTensorProto(tensor);
    Expected<NamedTensor> back = parseTensorProto(bytesOf(text), text.size());
    ASSERT_TRUE(back) << back.error();
    EXPECT_EQ(back->name, "x");
    EXPECT_EQ(back->tensor.dtype, dtype);
    EXPECT_EQ(back->tensor.shape, tensor.tensor.shape);
    EXPECT_EQ(back->tensor.bytes, tensor.tensor.bytes);
  }
}

TEST(TensorProto, ReadsTypedFields) {
  // dims: 2 (packed), data_type: float, float_data: 1, 2 (packed).
  std::string packed("\x0a\x01\x02\x10\x01\x22\x08\0\0\x80\x3f\0\0\0\x40", 15);
  Expected<NamedTensor> tensor =
      parseTensorProto(bytesOf(packed), packed.size());
  ASSERT_TRUE(tensor) << tensor.error();
  EXPECT_EQ(tensor->tensor.get(0), 1);
  EXPECT_EQ(tensor->tensor.get(1), 2);

  // dims: 2 (one), data_type: int64, int64_data: -1, 300 (one by one).
  std::string single("\x08\x02\x10\x07\x38\xff\xff\xff\xff\xff\xff\xff\xff\xff"
                     "\x01\x38\xac\x02",
                     18);
  tensor = parseTensorProto(bytesOf(single), single.size());
  ASSERT_TRUE(tensor) << tensor.error();
  EXPECT_EQ(tensor->tensor.getInteger(0), -1);
  EXPECT_EQ(tensor->tensor.getInteger(1), 300);

  // data_type: float16, int32_data: 0x3c00 (a scalar).
  std::string half("\x10\x0a\x2a\x02\x80\x78", 6);
  tensor = parseTensorProto(bytesOf(half), half.size());
  ASSERT_TRUE(tensor) << tensor.error();
  EXPECT_EQ(tensor->tensor.get(0), 1);
}

TEST(TensorProto, Refuses) {
  auto errorOf = [](std::string text) {
    return parseTensorProto(bytesOf(text), text.size()).error();
  };
  EXPECT_EQ(errorOf(""), "not a tensor message: it has no data_type");
  EXPECT_EQ(errorOf("\x10\x08"), "element type string is not supported");
  EXPECT_EQ(errorOf("\x10\x05"), "element type int16 is not supported");
  EXPECT_EQ(errorOf("\x10\x63"), "element type number 99 is unknown");
  EXPECT_EQ(errorOf("\x10\x01"),
            "expected 1 elements for f32 scalar, but got 0");
  EXPECT_EQ(errorOf("\x10\x01\x70\x01"), "external data is not supported here");
  // A scalar of float with its data in int32_data.
  EXPECT_EQ(errorOf("\x10\x01\x28\x05"),
            "expected the data of f32 in field 4, but got field 5");
}

TEST(TensorProto, SurvivesDamage) {
  std::string text =
      formatTensorProto(NamedTensor{"x", counting(DType::F32, {2, 3})});
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(parseTensorProto(bytesOf(text), size)) << size;
  for (size_t i = 0; i < text.size() * 8; ++i) {
    std::string flipped = text;
    flipped[i / 8] ^= static_cast<char>(1 << (i % 8));
    (void)parseTensorProto(bytesOf(flipped), flipped.size());
  }
}
