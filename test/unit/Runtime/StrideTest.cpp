//===- StrideTest.cpp - tests of tensors with gaps ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaTestSupport.h"
#include "StridedCopy.h"

using namespace tenon;
using namespace tenon::runtime;
using artifact::Status;

using Sizes = std::vector<int64_t>;

static bool sharesElements(Sizes sizes, Sizes strides) {
  return hasSharedElements(static_cast<int32_t>(sizes.size()), sizes.data(),
                           strides.data());
}

TEST(StridedCopy, FindsSharedElements) {
  EXPECT_FALSE(sharesElements({}, {}));
  EXPECT_FALSE(sharesElements({2, 3}, {3, 1}));
  EXPECT_FALSE(sharesElements({2, 3}, {1, 2}));
  EXPECT_FALSE(sharesElements({2, 3}, {100, 7}));
  EXPECT_FALSE(sharesElements({1, 3}, {0, 1}));
  EXPECT_TRUE(sharesElements({2, 3}, {0, 1}));
  EXPECT_TRUE(sharesElements({2, 3}, {2, 1}));
  // 0, 3, 2, 5: none is nested in the other.
  EXPECT_FALSE(sharesElements({2, 2}, {2, 3}));
  EXPECT_TRUE(sharesElements({3, 3}, {2, 4}));
}

TEST(StridedCopy, GathersAndScatters) {
  // Every layout of 2 x 3 x 4 in a larger block.
  for (Sizes strides : {Sizes{12, 4, 1}, Sizes{1, 2, 6}, Sizes{40, 10, 2},
                        Sizes{4, 8, 1}, Sizes{3, 1, 6}}) {
    std::vector<float> block(200);
    for (size_t i = 0; i < block.size(); ++i)
      block[i] = float(i);
    Sizes sizes = {2, 3, 4};
    tenon_tensor tensor = {
        block.data(),   1, 0, 3, {TENON_DL_FLOAT, 32, 1}, sizes.data(),
        strides.data(), 20};
    std::vector<float> dense(24), back(200, -1);
    gather(tensor, reinterpret_cast<char *>(dense.data()));
    size_t position = 0;
    for (int64_t i = 0; i < 2; ++i)
      for (int64_t j = 0; j < 3; ++j)
        for (int64_t k = 0; k < 4; ++k)
          EXPECT_EQ(dense[position++], float(5 + i * strides[0] +
                                             j * strides[1] + k * strides[2]));
    tensor.data = back.data();
    scatter(reinterpret_cast<char *>(dense.data()), tensor);
    size_t written = 0;
    for (size_t i = 0; i < back.size(); ++i)
      if (back[i] >= 0) {
        EXPECT_EQ(back[i], float(i));
        ++written;
      }
    EXPECT_EQ(written, 24u);
  }
}

TEST(StridedCopy, CopiesBetweenLayouts) {
  const Sizes layouts[] = {{12, 4, 1}, {1, 2, 6}, {40, 10, 2}, {4, 8, 1}};
  for (Sizes fromStrides : layouts)
    for (Sizes toStrides : layouts) {
      std::vector<float> source(200), target(200, -1);
      for (size_t i = 0; i < source.size(); ++i)
        source[i] = float(i);
      Sizes sizes = {2, 3, 4};
      tenon_tensor from = {
          source.data(),      1, 0, 3, {TENON_DL_FLOAT, 32, 1}, sizes.data(),
          fromStrides.data(), 20};
      tenon_tensor to = from;
      to.data = target.data();
      to.strides = toStrides.data();
      copyStrided(from, to);
      std::vector<float> expected(24), got(24);
      gather(from, reinterpret_cast<char *>(expected.data()));
      gather(to, reinterpret_cast<char *>(got.data()));
      EXPECT_EQ(got, expected);
      EXPECT_EQ(std::count(target.begin(), target.end(), -1), 176);
    }
}

/// y[n, 4] = x[n, 4] + 1, and z[n, 4] = x[n, 4] + 2.
static void addNumbers(const int64_t *, void *const *buffers, void *,
                       int64_t lo, int64_t hi) {
  const float *x = static_cast<const float *>(buffers[0]);
  for (int64_t i = 4 * lo; i < 4 * hi; ++i) {
    static_cast<float *>(buffers[1])[i] = x[i] + 1;
    static_cast<float *>(buffers[2])[i] = x[i] + 2;
  }
}

namespace {
class Strides : public ::testing::Test {
protected:
  TestProgram test;
  std::unique_ptr<Model> model;
  std::vector<float> block = std::vector<float>(64);
  Sizes shape = {3, 4};
  static constexpr tenon_dtype f32 = {TENON_DL_FLOAT, 32, 1};

  void SetUp() override {
    test.addSymbol("n");
    int32_t x = test.addInput("x", {-1, 4}), y = test.addOutput("y", {-1, 4}),
            z = test.addOutput("z", {-1, 4});
    test.addKernel("add", {x, y, z}, addNumbers, -1);
    test.entry.buffer_bytes = [](const int64_t *n, int64_t *out) {
      out[0] = out[1] = out[2] = 16 * n[0];
    };
    test.entry.step_extents = [](const int64_t *n, int64_t *out) {
      out[0] = n[0];
    };
    auto loaded = Model::load(test.get(), {}, "");
    ASSERT_TRUE(loaded) << loaded.error();
    model = std::move(*loaded);
    for (size_t i = 0; i < block.size(); ++i)
      block[i] = float(i);
  }
  tenon_tensor view(float *data, Sizes &strides) {
    return {data, 1, 0, 2, f32, shape.data(), strides.data(), 0};
  }
  std::string runError(tenon_tensor x, tenon_tensor y, tenon_tensor z) {
    tenon_tensor out[] = {y, z};
    return model->run(&x, 1, out, 2).error();
  }
};
} // namespace

TEST_F(Strides, OfInputsAndOutputs) {
  std::vector<float> result(64, -1);
  Sizes dense = {4, 1}, transposed = {1, 3}, wide = {8, 1}, broadcast = {0, 1},
        one = {0, 0};
  for (int round = 0; round < 2; ++round) {
    // Two halves of one matrix.
    result.assign(64, -1);
    ASSERT_EQ(runError(view(block.data(), transposed),
                       view(result.data(), wide),
                       view(result.data() + 4, wide)),
              "");
    for (int64_t i = 0; i < 3; ++i)
      for (int64_t j = 0; j < 4; ++j) {
        EXPECT_EQ(result[i * 8 + j], float(i + 3 * j + 1));
        EXPECT_EQ(result[i * 8 + 4 + j], float(i + 3 * j + 2));
      }
    EXPECT_EQ(result[24], -1);
    ASSERT_EQ(runError(view(block.data(), broadcast),
                       view(result.data(), transposed),
                       view(result.data() + 12, dense)),
              "");
    EXPECT_EQ(result[2 + 3 * 3], 4);
    EXPECT_EQ(result[12 + 11], 5);
    ASSERT_EQ(runError(view(block.data() + 7, one), view(result.data(), dense),
                       view(result.data() + 12, transposed)),
              "");
    EXPECT_EQ(result[11], 8);
    EXPECT_EQ(result[12], 9);
    // Copied before anything is written.
    std::vector<float> same = block;
    ASSERT_EQ(runError(view(same.data(), transposed), view(same.data(), dense),
                       view(result.data(), dense)),
              "");
    EXPECT_EQ(same[11], block[2 + 3 * 3] + 1);
  }
}

TEST_F(Strides, AreChecked) {
  std::vector<float> result(64);
  Sizes dense = {4, 1}, negative = {-4, 1}, shared = {2, 1}, wide = {8, 1},
        far = {int64_t(1) << 60, 1};
  tenon_tensor x = view(block.data(), dense), y = view(result.data(), dense),
               z = view(result.data() + 12, dense);
  EXPECT_EQ(runError(view(block.data() + 8, negative), y, z),
            "input 'x': axis 0: expected a stride of at least 0 that fits in "
            "memory, but got -4");
  EXPECT_EQ(runError(view(block.data(), far), y, z),
            "input 'x': axis 0: expected a stride of at least 0 that fits in "
            "memory, but got 1152921504606846976");
  EXPECT_EQ(
      runError(x, view(result.data(), shared), z),
      "output 'y': expected strides that give each element a distinct address");
  EXPECT_EQ(
      runError(x, view(result.data(), wide), view(result.data() + 3, wide)),
      "output 'z' overlaps output 'y': expected separate memory");
  EXPECT_EQ(runError(x, y, view(result.data() + 8, dense)),
            "output 'z' overlaps output 'y': expected separate memory");
  // No element has a stride.
  shape[0] = 0;
  EXPECT_EQ(runError(view(block.data(), negative), y, z), "");
}

using CudaStrides = CudaTest;

TEST_F(CudaStrides, OnHostAndDevice) {
  TestProgram test;
  makeStatic(test); // (x + 1) * 2
  auto model = load(test.get());
  int64_t size = 8, two = 2, three = 3;
  for (int round = 0; round < 4; ++round) {
    DeviceTensor x(library, std::vector<float>(24, 1)),
        y(library, std::vector<float>(24, -1));
    std::vector<float> host(24, 3), result(24, -1);
    for (bool isOnDevice : {true, false}) {
      tenon_tensor in = x.get(), out = y.get();
      if (!isOnDevice) {
        in.device_type = out.device_type = TENON_DEVICE_CPU;
        in.data = host.data();
        out.data = result.data();
      }
      in.shape = out.shape = &size;
      in.strides = &two;
      out.strides = &three;
      Status status = model->run(&in, 1, &out, 1);
      ASSERT_TRUE(status) << status.error();
      std::vector<float> values = isOnDevice ? y.values() : result;
      for (size_t i = 0; i < 24; ++i)
        EXPECT_EQ(values[i], i % 3 ? -1 : isOnDevice ? 4 : 8) << i;
    }
  }
}
