//===- FamilyCallTest.cpp - tests of oneDNN's pools and norms -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What random inputs through the compiler (test/Lower/library-*.mlir) do not
// reach: single elements that are no numbers, and calls that are refused.
//
//===----------------------------------------------------------------------===//

#include "CallReference.h"

#include <gtest/gtest.h>

#include <limits>

using namespace tenon;
using namespace tenon::runtime;
using artifact::Status;

static constexpr float kInf = std::numeric_limits<float>::infinity();
static constexpr float kMost = std::numeric_limits<float>::max();

namespace {
/// A call whose operands have the shapes `dims`, the result's last, all in the
/// same order of axes.
class Call {
public:
  Call(int32_t kind, std::vector<Sizes> given, std::vector<int32_t> axes = {})
      : dims(std::move(given)), order(std::move(axes)) {
    table.primitive = kind;
    for (const Sizes &sizes : dims)
      operands.push_back({{TENON_DL_FLOAT, 32, 1},
                          static_cast<int32_t>(sizes.size()),
                          sizes.data(),
                          order.empty() || sizes.size() != order.size()
                              ? nullptr
                              : order.data()});
    table.library = TENON_LIBRARY_ONEDNN;
    table.num_operands = static_cast<int32_t>(operands.size());
    table.operands = operands.data();
  }

  Call &pool(Sizes sizes, Sizes steps, Sizes begins, bool countsPads = false) {
    window = std::move(sizes), strides = std::move(steps);
    pads = std::move(begins);
    pooled = {static_cast<int32_t>(window.size()), window.data(),
              strides.data(), pads.data(), countsPads};
    table.fields = &pooled;
    return *this;
  }
  Call &follow(std::vector<tenon_post_op> list) {
    postOps = std::move(list);
    table.num_post_ops = static_cast<int32_t>(postOps.size());
    table.post_ops = postOps.data();
    return *this;
  }

  /// The result of one call, on one thread.
  std::vector<float> run(std::vector<std::vector<float>> data) {
    std::vector<int32_t> buffers;
    for (size_t i = 0; i + 1 < dims.size(); ++i)
      buffers.push_back(program.addInput(
          "x", {static_cast<int64_t>(CallRun::count(dims[i]))}));
    std::vector<float> result(CallRun::count(dims.back()), 77);
    buffers.push_back(
        program.addOutput("y", {static_cast<int64_t>(result.size())}));
    program.addLibrary("call", buffers, table);
    tenon_options options = {};
    options.threads = 1;
    auto model = Model::load(program.get(), options, "");
    if (!model) {
      error = model.error();
      return {};
    }
    std::vector<Sizes> shapes;
    shapes.reserve(data.size() + 1);
    auto tensor = [&](std::vector<float> &from) {
      shapes.push_back({static_cast<int64_t>(from.size())});
      return tenon_tensor{
          from.data(),          1,       0, 1, {TENON_DL_FLOAT, 32, 1},
          shapes.back().data(), nullptr, 0};
    };
    std::vector<tenon_tensor> in;
    for (std::vector<float> &from : data)
      in.push_back(tensor(from));
    tenon_tensor out = tensor(result);
    if (Status status = (*model)->run(in.data(), in.size(), &out, 1); !status)
      error = status.error();
    return result;
  }

  tenon_call table = {};
  std::string error;

private:
  TestProgram program;
  std::vector<Sizes> dims;
  std::vector<int32_t> order;
  std::vector<tenon_call_operand> operands;
  std::vector<tenon_post_op> postOps;
  Sizes window, strides, pads;
  tenon_pool pooled = {};
};
} // namespace

/// A pool of windows of 2 x 2 over [1, 3, 4, 4], channels last.
static Call pool(int32_t kind) {
  Call call(kind, {{1, 3, 4, 4}, {1, 3, 2, 2}}, {0, 2, 3, 1});
  call.pool({2, 2}, {2, 2}, {0, 0});
  return call;
}

TEST(PoolCall, KeepsWhatIsNoNumber) {
  for (int32_t kind : {TENON_PRIMITIVE_MAX_POOL, TENON_PRIMITIVE_AVG_POOL})
    for (size_t at : {0, 3, 12, 15}) {
      std::vector<float> x(48, -1);
      x[at] = NAN;
      std::vector<float> y = pool(kind).run({x});
      EXPECT_TRUE(std::isnan(y[0])) << kind << " " << at;
      for (size_t i = 1; i < y.size(); ++i)
        EXPECT_EQ(y[i], -1) << kind << " " << at << " " << i;
    }
}

TEST(PoolCall, GreatestOfInfinities) {
  std::vector<float> x(48, -kInf);
  for (float y : pool(TENON_PRIMITIVE_MAX_POOL).run({x}))
    EXPECT_EQ(y, -kInf);
  // oneDNN's greatest are doubled for a while.
  x[0] = kMost;
  x[1] = -kMost;
  x[2] = -0.0f;
  std::vector<float> y = pool(TENON_PRIMITIVE_MAX_POOL).run({x});
  EXPECT_EQ(y[0], kMost);
  EXPECT_EQ(y[1], -kMost);
  EXPECT_TRUE(y[2] == 0 && std::signbit(y[2]));
}

TEST(PoolCall, PostOpsOfOneKindDiffer) {
  std::vector<float> x(48, 2);
  for (int32_t kind : {TENON_PRIMITIVE_MAX_POOL, TENON_PRIMITIVE_AVG_POOL}) {
    Call call = pool(kind);
    call.follow({{TENON_POST_OP_LINEAR, 3, 0}, {TENON_POST_OP_LINEAR, 1, 5}});
    for (float y : call.run({x}))
      EXPECT_EQ(y, 11) << kind;
  }
}

TEST(PoolCall, CarefulPostOpsAllFollow) {
  // The maximum is computed again for the NaN, and then all post-ops.
  std::vector<float> x(48, 2);
  x[0] = NAN;
  Call call(TENON_PRIMITIVE_MAX_POOL,
            {{1, 3, 4, 4}, {1, 3, 2, 2}, {1, 3, 2, 2}}, {0, 2, 3, 1});
  call.pool({2, 2}, {2, 2}, {0, 0});
  call.follow({{TENON_POST_OP_ADD, 0, 0}, {TENON_POST_OP_RELU, 0, 0}});
  std::vector<float> y = call.run({x, std::vector<float>(12, -5)});
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_EQ(y[1], 0);
}

TEST(PoolCall, WithoutInput) {
  // One window of padding alone.
  auto run = [](int32_t kind, bool countsPads = false) {
    Call call(kind, {{1, 2, 0}, {1, 2, 1}});
    return call.pool({2}, {1}, {1}, countsPads).run({{}});
  };
  EXPECT_EQ(run(TENON_PRIMITIVE_MAX_POOL), std::vector<float>(2, -kInf));
  EXPECT_EQ(run(TENON_PRIMITIVE_AVG_POOL, true), std::vector<float>(2, 0));
  for (float y : run(TENON_PRIMITIVE_AVG_POOL))
    EXPECT_TRUE(std::isnan(y));
}

TEST(SoftmaxCall, RowsWithWhatIsNoNumber) {
  for (size_t size : {5, 16, 37})
    for (size_t at : {size_t(0), size - 1})
      for (float bad : {NAN, kInf}) {
        std::vector<float> x(3 * size, 1);
        x[size + at] = bad;
        int64_t columns = static_cast<int64_t>(size);
        std::vector<float> y =
            Call(TENON_PRIMITIVE_SOFTMAX, {{3, columns}, {3, columns}})
                .run({x});
        for (size_t i = 0; i < y.size(); ++i)
          if (i / size != 1)
            EXPECT_FLOAT_EQ(y[i], 1 / static_cast<float>(size));
          else // with infinity too: its difference from itself is NaN
            EXPECT_TRUE(std::isnan(y[i])) << size << " " << at << " " << i;
      }
}

TEST(SoftmaxCall, MaskedRows) {
  std::vector<float> x = {-kInf, 0, 0, -kInf, -kInf, -kInf};
  std::vector<float> y =
      Call(TENON_PRIMITIVE_SOFTMAX, {{2, 3}, {2, 3}}).run({x});
  EXPECT_EQ(std::vector<float>(y.begin(), y.begin() + 3),
            (std::vector<float>{0, 0.5, 0.5}));
  for (size_t i = 3; i < 6; ++i)
    EXPECT_TRUE(std::isnan(y[i]));
}

TEST(LrnCall, GreatNumbers) {
  // (1 + 0.1 * 1e24)^(3/4) is finite; its cube is not.
  Call call(TENON_PRIMITIVE_LRN, {{1, 16, 1, 2}, {1, 16, 1, 2}}, {0, 2, 3, 1});
  tenon_lrn lrn = {1, 0.1f, 0.75f, 1};
  call.table.fields = &lrn;
  for (float y : call.run({std::vector<float>(32, 1e12f)}))
    EXPECT_NEAR(y * 1e6f, 1e18f / std::pow(1e23f, 0.75f), 1e-4f);
}

TEST(FamilyCall, Refused) {
  Call unknown(99, {{2, 3}, {2, 3}});
  unknown.run({std::vector<float>(6)});
  EXPECT_NE(unknown.error.find("library call number 99"), std::string::npos);
  Call missing(TENON_PRIMITIVE_SOFTMAX, {{2, 3}, {2, 3}, {2, 3}});
  missing.run({std::vector<float>(6), std::vector<float>(6)});
  EXPECT_NE(missing.error.find("expected 2 operands, but got 3"),
            std::string::npos);
  Call followed(TENON_PRIMITIVE_SOFTMAX, {{2, 3}, {2, 3}});
  followed.follow({{TENON_POST_OP_RELU, 0, 0}}).run({std::vector<float>(6)});
  EXPECT_NE(followed.error.find("does not support post-ops"),
            std::string::npos);
  Call scale(TENON_PRIMITIVE_LAYER_NORM, {{2, 3}, {4}, {2, 3}});
  tenon_layer_norm norm = {0};
  scale.table.fields = &norm;
  scale.run({std::vector<float>(6), std::vector<float>(4)});
  EXPECT_NE(scale.error.find("expected scale and shift of 3 elements"),
            std::string::npos);
  Call first(TENON_PRIMITIVE_LRN, {{1, 2, 3, 3}, {1, 2, 3, 3}});
  tenon_lrn lrn = {3, 0, 0, 0};
  first.table.fields = &lrn;
  first.run({std::vector<float>(18)});
  EXPECT_NE(first.error.find("channels last"), std::string::npos);
}
