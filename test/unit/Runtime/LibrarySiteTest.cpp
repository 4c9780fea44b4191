//===- LibrarySiteTest.cpp - tests of oneDNN calls ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every call is compared with loops over the definition, in double.
//
//===----------------------------------------------------------------------===//

#include "TestProgram.h"

#include "tenon/Artifact/Philox.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <malloc.h>

using namespace tenon;
using namespace tenon::runtime;
using artifact::Status;

namespace {
using Sizes = std::vector<int64_t>;

/// A tensor with logical sizes and an order in memory.
struct Operand {
  Sizes dims;
  std::vector<int32_t> order = {}; // empty: row-major
  bool constant = false;
  std::vector<float> data = {};

  Sizes strides() const {
    Sizes result(dims.size());
    int64_t stride = 1;
    for (size_t i = dims.size(); i-- > 0;) {
      size_t axis = order.empty() ? i : static_cast<size_t>(order[i]);
      result[axis] = stride;
      stride *= dims[axis];
    }
    return result;
  }
  int64_t count() const {
    int64_t n = 1;
    for (int64_t size : dims)
      n *= size;
    return n;
  }
  /// Element at a logical index, broadcast as numpy does.
  double at(const Sizes &index) const {
    Sizes steps = strides();
    int64_t position = 0;
    size_t skip = index.size() - dims.size();
    for (size_t i = 0; i < dims.size(); ++i)
      if (dims[i] != 1)
        position += index[i + skip] * steps[i];
    return data[static_cast<size_t>(position)];
  }
};

struct Post {
  int32_t kind;
  float alpha = 0, beta = 0;
  std::vector<Operand> operand = {}; // one or none
};

/// A site with its data.
struct Case {
  int32_t kind = TENON_SITE_MATMUL;
  Operand lhs, rhs;
  std::vector<Operand> bias; // one or none
  std::vector<Post> posts;
  Sizes result;
  std::vector<int32_t> resultOrder;
  Sizes strides = {}, dilations = {}, begins = {}, ends = {};
  int64_t groups = 1;
};

double applyPost(const Post &post, double x, const Sizes &index) {
  double operand = post.operand.empty() ? 0 : post.operand[0].at(index);
  switch (post.kind) {
  case TENON_POST_RELU:
    return x > 0 ? x : post.alpha * x;
  case TENON_POST_ADD:
    return x + operand;
  case TENON_POST_MUL:
    return x * operand;
  case TENON_POST_GELU_ERF:
    return 0.5 * x * (1 + std::erf(x / std::sqrt(2)));
  case TENON_POST_GELU_TANH:
    return 0.5 * x *
           (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
  case TENON_POST_TANH:
    return std::tanh(x);
  case TENON_POST_SIGMOID:
    return 1 / (1 + std::exp(-x));
  case TENON_POST_CLIP:
    return std::min<double>(std::max<double>(x, post.alpha), post.beta);
  case TENON_POST_ELU:
    return x > 0 ? x : post.alpha * std::expm1(x);
  case TENON_POST_SWISH:
    return x / (1 + std::exp(-post.alpha * x));
  case TENON_POST_LINEAR:
    return post.alpha * x + post.beta;
  case TENON_POST_EXP:
    return std::exp(x);
  case TENON_POST_SQRT:
    return std::sqrt(x);
  case TENON_POST_ABS:
    return std::fabs(x);
  case TENON_POST_SUB:
    return x - operand;
  case TENON_POST_DIV:
    return x / operand;
  case TENON_POST_MAX:
    return std::max(x, operand);
  case TENON_POST_MIN:
    return std::min(x, operand);
  }
  return NAN;
}

/// Calls `body` for every index below `dims`.
void forEach(const Sizes &dims,
             const std::function<void(const Sizes &)> &body) {
  Sizes index(dims.size(), 0);
  for (int64_t size : dims)
    if (size == 0)
      return;
  for (;;) {
    body(index);
    size_t axis = dims.size();
    while (axis-- > 0) {
      if (++index[axis] < dims[axis])
        break;
      index[axis] = 0;
    }
    if (axis == static_cast<size_t>(-1))
      return;
  }
}

double accumulate(const Case &test, const Sizes &index) {
  double sum = 0;
  if (test.kind == TENON_SITE_MATMUL) {
    Sizes l = index, r = index;
    size_t rank = index.size();
    for (int64_t k = 0; k < test.lhs.dims.back(); ++k) {
      l[rank - 1] = k;
      r[rank - 2] = k;
      sum += test.lhs.at(l) * test.rhs.at(r);
    }
    return sum;
  }
  size_t spatial = index.size() - 2;
  Sizes kernel(test.rhs.dims.begin() + 2, test.rhs.dims.end());
  int64_t inChannels = test.lhs.dims[1], outChannels = test.result[1];
  int64_t group = index[1] / (outChannels / test.groups);
  int64_t perGroup = inChannels / test.groups;
  forEach(kernel, [&](const Sizes &tap) {
    Sizes in(index.size());
    in[0] = index[0];
    for (size_t i = 0; i < spatial; ++i) {
      int64_t offset = tap[i] * test.dilations[i] - test.begins[i];
      if (test.kind == TENON_SITE_CONV) {
        in[i + 2] = index[i + 2] * test.strides[i] + offset;
      } else {
        int64_t scaled = index[i + 2] - offset;
        if (scaled < 0 || scaled % test.strides[i] != 0)
          return;
        in[i + 2] = scaled / test.strides[i];
      }
      if (in[i + 2] < 0 || in[i + 2] >= test.lhs.dims[i + 2])
        return;
    }
    for (int64_t c = 0; c < perGroup; ++c) {
      in[1] = group * perGroup + c;
      Sizes weight(tap.size() + 2);
      std::copy(tap.begin(), tap.end(), weight.begin() + 2);
      if (test.kind == TENON_SITE_CONV) {
        weight[0] = index[1], weight[1] = c;
      } else {
        weight[0] = in[1], weight[1] = index[1] % (outChannels / test.groups);
      }
      sum += test.lhs.at(in) * test.rhs.at(weight);
    }
  });
  return sum;
}

double expectedAt(const Case &test, const Sizes &index) {
  double value = accumulate(test, index);
  if (!test.bias.empty())
    value += test.bias[0].data[static_cast<size_t>(
        test.kind == TENON_SITE_MATMUL ? index.back() : index[1])];
  for (const Post &post : test.posts)
    value = applyPost(post, value, index);
  return value;
}

void fill(Operand &operand, uint64_t key, bool positive = false) {
  operand.data.resize(static_cast<size_t>(operand.count()));
  artifact::fillRandom(operand.data.data(), artifact::DType::F32, 0,
                       operand.count(), key,
                       positive ? artifact::Distribution::uniform(0.5, 2)
                                : artifact::Distribution::uniform(-1, 1));
}

/// A program of one step for a case, and a call of it.
class SiteRun {
public:
  explicit SiteRun(Case given) : test(std::move(given)) {
    fill(test.lhs, 1);
    fill(test.rhs, 2);
    for (Operand &bias : test.bias)
      fill(bias, 3);
    for (Post &post : test.posts)
      for (Operand &operand : post.operand)
        fill(operand, 4, post.kind == TENON_POST_DIV);
  }

  /// Compares with the reference; empty when they agree.
  std::string check(int32_t threads = 1) {
    describe();
    tenon_options options = {};
    options.threads = threads;
    auto loaded = Model::load(program.get(), options, "");
    if (!loaded)
      return loaded.error();
    model = std::move(*loaded);
    return compare();
  }

  std::string compare() {
    std::vector<float> actual(count(test.result), NAN);
    if (Status status = call(actual); !status)
      return status.error();
    Operand result{test.result, test.resultOrder, false, actual};
    double largest = 0, worst = 0;
    forEach(test.result, [&](const Sizes &index) {
      double expected = expectedAt(test, index);
      double error = std::fabs(expected - result.at(index));
      largest = std::max(largest, std::fabs(expected));
      if (!(error <= worst))
        worst = std::isnan(error) ? INFINITY : error;
    });
    return worst <= 1e-5 * std::max(largest, 1.0)
               ? ""
               : "error " + std::to_string(worst);
  }

  Status call(std::vector<float> &actual) {
    std::vector<tenon_tensor> in;
    std::vector<Sizes> shapes;
    shapes.reserve(inputs.size() + 1);
    auto tensor = [&](std::vector<float> &data) {
      shapes.push_back({static_cast<int64_t>(data.size())});
      return tenon_tensor{
          data.data(),          1,       0, 1, {TENON_DL_FLOAT, 32, 1},
          shapes.back().data(), nullptr, 0};
    };
    for (Operand *operand : inputs)
      in.push_back(tensor(operand->data));
    tenon_tensor out = tensor(actual);
    return model->run(in.data(), in.size(), &out, 1);
  }

  static size_t count(const Sizes &dims) {
    size_t n = 1;
    for (int64_t size : dims)
      n *= static_cast<size_t>(size);
    return n;
  }

  Case test;
  std::unique_ptr<Model> model;

private:
  /// Inputs are flat: the site says how they are read.
  int32_t add(Operand &operand, const char *name) {
    operands.push_back(
        {{TENON_DL_FLOAT, 32, 1},
         static_cast<int32_t>(operand.dims.size()),
         operand.dims.data(),
         operand.order.empty() ? nullptr : operand.order.data()});
    if (operand.constant)
      return program.addConstant(operand.data.data(), operand.count() * 4);
    inputs.push_back(&operand);
    return program.addInput(name, {operand.count()});
  }

  void describe() {
    std::vector<int32_t> buffers = {add(test.lhs, "lhs"), add(test.rhs, "rhs")};
    for (Operand &bias : test.bias)
      buffers.push_back(add(bias, "bias"));
    for (Post &post : test.posts) {
      posts.push_back({post.kind, post.alpha, post.beta});
      for (Operand &operand : post.operand)
        buffers.push_back(add(operand, "post"));
    }
    operands.push_back(
        {{TENON_DL_FLOAT, 32, 1},
         static_cast<int32_t>(test.result.size()),
         test.result.data(),
         test.resultOrder.empty() ? nullptr : test.resultOrder.data()});
    buffers.push_back(program.addOutput(
        "result", {static_cast<int64_t>(count(test.result))}));
    site.library = TENON_LIBRARY_ONEDNN;
    site.kind = test.kind;
    site.num_operands = static_cast<int32_t>(operands.size());
    site.operands = operands.data();
    site.has_bias = !test.bias.empty();
    site.num_posts = static_cast<int32_t>(posts.size());
    site.posts = posts.data();
    site.num_spatial = static_cast<int32_t>(test.strides.size());
    site.strides = test.strides.data();
    site.dilations = test.dilations.data();
    site.pads_begin = test.begins.data();
    site.pads_end = test.ends.data();
    site.groups = test.groups;
    site.constant_weight = test.rhs.constant;
    program.addLibrary("site", buffers, site);
  }

  TestProgram program;
  tenon_site site = {};
  std::vector<tenon_site_operand> operands;
  std::vector<tenon_post> posts;
  std::vector<Operand *> inputs;
};

Case matmul(Sizes lhs, Sizes rhs, Sizes result, bool constant) {
  Case test;
  test.lhs.dims = std::move(lhs);
  test.rhs.dims = std::move(rhs);
  test.rhs.constant = constant;
  test.result = std::move(result);
  return test;
}

Case conv(Sizes in, Sizes weight, Sizes strides, Sizes dilations, Sizes begins,
          Sizes ends, int64_t groups, bool constant, bool transposed = false,
          Sizes extra = {}) {
  Case test;
  test.kind = transposed ? TENON_SITE_CONV_TRANSPOSE : TENON_SITE_CONV;
  test.result = {in[0], transposed ? weight[1] * groups : weight[0]};
  for (size_t i = 0; i < strides.size(); ++i) {
    int64_t extent = (weight[i + 2] - 1) * dilations[i] + 1;
    int64_t pads = begins[i] + ends[i];
    test.result.push_back(transposed
                              ? (in[i + 2] - 1) * strides[i] + extent - pads +
                                    (extra.empty() ? 0 : extra[i])
                              : (in[i + 2] + pads - extent) / strides[i] + 1);
  }
  test.lhs.dims = std::move(in);
  test.rhs.dims = std::move(weight);
  test.rhs.constant = constant;
  test.strides = std::move(strides);
  test.dilations = std::move(dilations);
  test.begins = std::move(begins);
  test.ends = std::move(ends);
  test.groups = groups;
  return test;
}

/// Channels last in memory, for input and result.
Case channelsLast(Case test) {
  std::vector<int32_t> order = {0};
  for (size_t i = 2; i < test.result.size(); ++i)
    order.push_back(static_cast<int32_t>(i));
  order.push_back(1);
  test.lhs.order = test.resultOrder = order;
  return test;
}
} // namespace

TEST(LibrarySite, Matmul) {
  for (bool constant : {false, true})
    for (int32_t threads : {1, 2}) {
      EXPECT_EQ(
          SiteRun(matmul({5, 7}, {7, 3}, {5, 3}, constant)).check(threads), "");
      EXPECT_EQ(
          SiteRun(matmul({1, 70}, {70, 33}, {1, 33}, constant)).check(threads),
          "");
      EXPECT_EQ(SiteRun(matmul({64, 96}, {96, 128}, {64, 128}, constant))
                    .check(threads),
                "");
    }
}

TEST(LibrarySite, MatmulTransposed) {
  for (bool constant : {false, true}) {
    Case test = matmul({5, 7}, {7, 3}, {5, 3}, constant);
    test.rhs.order = {1, 0};
    EXPECT_EQ(SiteRun(test).check(), "");
    test.lhs.order = {1, 0};
    EXPECT_EQ(SiteRun(test).check(), "");
    test.resultOrder = {1, 0};
    EXPECT_EQ(SiteRun(test).check(), "");
  }
}

TEST(LibrarySite, MatmulBatches) {
  for (bool constant : {false, true}) {
    // A weight without batches, a full one, and broadcasts both ways.
    EXPECT_EQ(
        SiteRun(matmul({2, 3, 5, 7}, {7, 4}, {2, 3, 5, 4}, constant)).check(),
        "");
    EXPECT_EQ(
        SiteRun(matmul({2, 3, 5, 7}, {2, 3, 7, 4}, {2, 3, 5, 4}, constant))
            .check(),
        "");
    EXPECT_EQ(SiteRun(matmul({2, 1, 5, 7}, {3, 7, 4}, {2, 3, 5, 4}, constant))
                  .check(),
              "");
    EXPECT_EQ(
        SiteRun(matmul({5, 7}, {2, 3, 7, 4}, {2, 3, 5, 4}, constant)).check(),
        "");
    // Attention: [batch, heads, sequence, size] taken from
    // [batch, sequence, heads, size], keys transposed.
    Case test = matmul({2, 3, 5, 8}, {2, 3, 8, 6}, {2, 3, 5, 6}, constant);
    test.lhs.order = {0, 2, 1, 3};
    test.rhs.order = {0, 3, 1, 2};
    EXPECT_EQ(SiteRun(test).check(), "");
    // Batches that cannot become rows, with a weight that has none.
    test = matmul({2, 3, 5, 7}, {7, 4}, {2, 3, 5, 4}, constant);
    test.lhs.order = {0, 2, 1, 3};
    EXPECT_EQ(SiteRun(test).check(), "");
  }
}

TEST(LibrarySite, MatmulPosts) {
  const int32_t eltwise[] = {
      TENON_POST_RELU, TENON_POST_GELU_ERF, TENON_POST_GELU_TANH,
      TENON_POST_TANH, TENON_POST_SIGMOID,  TENON_POST_CLIP,
      TENON_POST_ELU,  TENON_POST_SWISH,    TENON_POST_LINEAR,
      TENON_POST_EXP,  TENON_POST_ABS};
  for (int32_t kind : eltwise) {
    Case test = matmul({5, 7}, {7, 19}, {5, 19}, true);
    test.bias = {{{19}}};
    test.posts = {{kind, kind == TENON_POST_CLIP ? -0.5f : 0.3f, 0.7f}};
    EXPECT_EQ(SiteRun(test).check(), "") << kind;
  }
  Case root = matmul({5, 7}, {7, 19}, {5, 19}, true);
  root.posts = {{TENON_POST_ABS}, {TENON_POST_SQRT}};
  EXPECT_EQ(SiteRun(root).check(), "");
}

TEST(LibrarySite, MatmulBinaryPosts) {
  const int32_t binary[] = {TENON_POST_ADD, TENON_POST_MUL, TENON_POST_SUB,
                            TENON_POST_DIV, TENON_POST_MAX, TENON_POST_MIN};
  for (int32_t kind : binary)
    for (Sizes dims : {Sizes{2, 5, 19}, Sizes{5, 19}, Sizes{19}, Sizes{1},
                       Sizes{}, Sizes{2, 5, 1}, Sizes{5, 1}, Sizes{2, 1, 19}})
      for (bool constant : {false, true}) {
        Case test = matmul({2, 5, 7}, {7, 19}, {2, 5, 19}, constant);
        test.bias = {{{19}}};
        test.posts = {{kind, 0, 0, {{dims}}}, {TENON_POST_RELU}};
        EXPECT_EQ(SiteRun(test).check(), "")
            << kind << " " << artifact::formatShape(dims);
      }
}

TEST(LibrarySite, Conv) {
  for (bool constant : {false, true})
    for (bool last : {false, true}) {
      auto check = [&](Case test) {
        return SiteRun(last ? channelsLast(test) : test).check();
      };
      // Plain, strided and padded unevenly, dilated, 1x1, three channels.
      EXPECT_EQ(check(conv({1, 16, 8, 8}, {32, 16, 3, 3}, {1, 1}, {1, 1},
                           {1, 1}, {1, 1}, 1, constant)),
                "");
      EXPECT_EQ(check(conv({2, 5, 9, 8}, {6, 5, 3, 2}, {2, 3}, {1, 1}, {1, 0},
                           {0, 2}, 1, constant)),
                "");
      EXPECT_EQ(check(conv({1, 4, 12, 12}, {8, 4, 3, 3}, {1, 1}, {2, 3}, {2, 3},
                           {2, 3}, 1, constant)),
                "");
      EXPECT_EQ(check(conv({1, 8, 7, 7}, {16, 8, 1, 1}, {2, 2}, {1, 1}, {0, 0},
                           {0, 0}, 1, constant)),
                "");
      EXPECT_EQ(check(conv({1, 3, 14, 14}, {16, 3, 7, 7}, {2, 2}, {1, 1},
                           {3, 3}, {3, 3}, 1, constant)),
                "");
    }
}

TEST(LibrarySite, ConvGroupsAndRanks) {
  for (bool last : {false, true}) {
    auto check = [&](Case test) {
      return SiteRun(last ? channelsLast(test) : test).check();
    };
    EXPECT_EQ(check(conv({1, 16, 8, 8}, {32, 4, 3, 3}, {1, 1}, {1, 1}, {1, 1},
                         {1, 1}, 4, true)),
              "");
    EXPECT_EQ(check(conv({1, 16, 8, 8}, {16, 1, 3, 3}, {2, 2}, {1, 1}, {1, 1},
                         {1, 1}, 16, true)),
              "");
    EXPECT_EQ(check(conv({1, 6, 8, 8}, {9, 2, 3, 3}, {1, 1}, {1, 1}, {0, 0},
                         {0, 0}, 3, false)),
              "");
    EXPECT_EQ(check(conv({2, 4, 20}, {8, 4, 5}, {2}, {1}, {2}, {2}, 1, true)),
              "");
    EXPECT_EQ(check(conv({1, 4, 5, 6, 7}, {8, 4, 2, 3, 2}, {1, 2, 1}, {1, 1, 2},
                         {0, 1, 1}, {1, 1, 0}, 1, true)),
              "");
  }
  // A weight that lies as [spatial..., c, o], as some exporters write it.
  Case test = conv({1, 16, 8, 8}, {32, 16, 3, 3}, {1, 1}, {1, 1}, {1, 1},
                   {1, 1}, 1, true);
  test.rhs.order = {2, 3, 1, 0};
  EXPECT_EQ(SiteRun(test).check(), "");
  test = conv({1, 16, 8, 8}, {32, 4, 3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}, 4,
              true);
  test.rhs.order = {2, 3, 1, 0};
  EXPECT_EQ(SiteRun(test).check(), "");
}

TEST(LibrarySite, ConvPosts) {
  for (bool last : {false, true}) {
    // Bias, residual, activation; then what broadcasts.
    for (Sizes dims :
         {Sizes{1, 32, 8, 8}, Sizes{1, 32, 1, 1}, Sizes{32, 1, 1}, Sizes{}}) {
      Case test = conv({1, 16, 8, 8}, {32, 16, 3, 3}, {1, 1}, {1, 1}, {1, 1},
                       {1, 1}, 1, true);
      if (last)
        test = channelsLast(test);
      test.bias = {{{32}}};
      Operand residual{dims};
      if (last && dims.size() == 4)
        residual.order = {0, 2, 3, 1};
      test.posts = {{TENON_POST_ADD, 0, 0, {residual}}, {TENON_POST_RELU}};
      EXPECT_EQ(SiteRun(test).check(), "")
          << last << " " << artifact::formatShape(dims);
    }
  }
  Case test = conv({1, 16, 8, 8}, {32, 16, 3, 3}, {1, 1}, {1, 1}, {1, 1},
                   {1, 1}, 1, true);
  test.posts = {{TENON_POST_ADD, 0, 0, {Operand{{8, 8}}}}};
  EXPECT_EQ(SiteRun(test).check(),
            "step 'site': expected operand 2 to have the result's sizes, one "
            "element per channel, or one element, but got 1x1x8x8");
}

TEST(LibrarySite, ConvTranspose) {
  for (bool last : {false, true})
    for (bool constant : {false, true}) {
      auto check = [&](Case test) {
        return SiteRun(last ? channelsLast(test) : test).check();
      };
      EXPECT_EQ(check(conv({1, 8, 5, 5}, {8, 6, 3, 3}, {2, 2}, {1, 1}, {1, 1},
                           {1, 1}, 1, constant, true)),
                "");
      EXPECT_EQ(check(conv({2, 8, 5, 4}, {8, 6, 3, 2}, {2, 3}, {1, 1}, {1, 0},
                           {0, 1}, 1, constant, true, {1, 2})),
                "");
      EXPECT_EQ(check(conv({1, 8, 5, 5}, {8, 3, 3, 3}, {1, 1}, {2, 2}, {0, 0},
                           {0, 0}, 4, constant, true)),
                "");
      EXPECT_EQ(check(conv({1, 4, 9}, {4, 6, 4}, {2}, {1}, {1}, {1}, 1,
                           constant, true)),
                "");
    }
  Case test = conv({1, 8, 5, 5}, {8, 6, 3, 3}, {2, 2}, {1, 1}, {1, 1}, {1, 1},
                   1, true, true);
  test.bias = {{{6}}};
  test.posts = {{TENON_POST_RELU}};
  EXPECT_EQ(SiteRun(test).check(), "");
  test.posts = {{TENON_POST_ADD, 0, 0, {Operand{test.result}}}};
  EXPECT_EQ(SiteRun(test).check(), "");
}

TEST(LibrarySite, EmptyResultsAndSums) {
  EXPECT_EQ(SiteRun(matmul({0, 7}, {7, 3}, {0, 3}, true)).check(), "");
  EXPECT_EQ(SiteRun(matmul({2, 0}, {0, 3}, {2, 3}, false)).check(),
            "step 'site': a sum over no elements is not supported");
}

TEST(LibrarySite, RefusesUnknownTypes) {
  TestProgram program;
  int64_t shape[] = {2, 2};
  tenon_site_operand operands[3];
  for (tenon_site_operand &operand : operands)
    operand = {{TENON_DL_FLOAT, 64, 1}, 2, shape, nullptr};
  tenon_site site = {};
  site.num_operands = 3;
  site.operands = operands;
  site.groups = 1;
  int32_t x = program.addInput("x", {2, 2}, artifact::DType::F64);
  int32_t y = program.addOutput("y", {2, 2}, artifact::DType::F64);
  program.addLibrary("m", {x, x, y}, site);
  EXPECT_EQ(Model::load(program.get(), {}, "").error(),
            "step 'm': oneDNN has no element type with code 2 and 64 bits");
  for (tenon_site_operand &operand : operands)
    operand.dtype = {TENON_DL_FLOAT, 32, 1};
  site.num_operands = 4;
  EXPECT_EQ(Model::load(program.get(), {}, "").error(),
            "step 'm': expected 3 operands, but got 4 operands and 3 buffers");
}

TEST(LibrarySite, HeapStaysConstant) {
  Case test = conv({1, 16, 8, 8}, {32, 16, 3, 3}, {1, 1}, {1, 1}, {1, 1},
                   {1, 1}, 1, true);
  test.posts = {{TENON_POST_RELU}};
  SiteRun site(channelsLast(test));
  ASSERT_EQ(site.check(2), "");
  std::vector<float> actual(SiteRun::count(test.result));
  for (int i = 0; i < 10; ++i)
    ASSERT_TRUE(site.call(actual));
  size_t before = ::mallinfo2().uordblks;
  for (int i = 0; i < 10000; ++i)
    if (!site.call(actual))
      FAIL();
  EXPECT_EQ(::mallinfo2().uordblks, before);
}

//===----------------------------------------------------------------------===//
// Dynamic sizes, packing
//===----------------------------------------------------------------------===//

/// y[n, 24] = x[n, 40] * p[40, 24] with p prepared from a parameter.
namespace {
class DynamicMatmul : public ::testing::Test {
protected:
  static constexpr int64_t in = 40, out = 24;
  TestProgram program;
  int64_t lhs[2] = {-1, in}, rhs[2] = {in, out}, result[2] = {-1, out};
  tenon_site_operand operands[3] = {
      {{TENON_DL_FLOAT, 32, 1}, 2, lhs, nullptr},
      {{TENON_DL_FLOAT, 32, 1}, 2, rhs, nullptr},
      {{TENON_DL_FLOAT, 32, 1}, 2, result, nullptr}};
  tenon_site site = {};

  void SetUp() override {
    program.addSymbol("n");
    int32_t x = program.addInput("x", {-1, in});
    int32_t y = program.addOutput("y", {-1, out});
    int32_t w = program.addParam("w", {in, out});
    int32_t p = program.addPrepared(in * out * 4);
    site.num_operands = 3;
    site.operands = operands;
    site.groups = 1;
    site.constant_weight = 1;
    program.addKernel(
        "prepare", {w, p},
        [](const int64_t *, void *const *buffers, void *, int64_t lo,
           int64_t hi) {
          for (int64_t i = lo; i < hi; ++i)
            static_cast<float *>(buffers[1])[i] =
                2 * static_cast<const float *>(buffers[0])[i];
        },
        in * out);
    program.addLibrary("matmul", {x, p, y}, site);
    program.program.num_prepare_steps = 1;
    program.program.buffer_bytes = [](const int64_t *n, int64_t *bytes) {
      bytes[0] = n[0] * in * 4;
      bytes[1] = n[0] * out * 4;
      bytes[2] = bytes[3] = in * out * 4;
    };
    program.program.dims = [](const int64_t *n, int64_t *sizes) {
      sizes[0] = sizes[2] = n[0];
      sizes[1] = in, sizes[3] = out;
    };
  }
};
} // namespace

TEST_F(DynamicMatmul, PacksOnceForAllSizes) {
  tenon_options options = {};
  options.random_params = 1;
  auto loaded = Model::load(program.get(), options, "");
  ASSERT_TRUE(loaded) << loaded.error();
  Model &model = **loaded;
  std::vector<float> w(in * out);
  artifact::fillRandom(
      w.data(), artifact::DType::F32, 0, in * out, artifact::streamKey(0, "w"),
      artifact::defaultParameterDistribution(artifact::DType::F32, {in, out}));
  // More sizes than plans are kept.
  for (int round = 0; round < 2; ++round)
    for (int64_t n = 0; n < 45; ++n) {
      TestTensor x({n, in}), y({n, out}, NAN);
      for (size_t i = 0; i < x.data.size(); ++i)
        x.data[i] = static_cast<float>(i % 11) - 5;
      Status status = run(model, {&x}, {&y});
      ASSERT_TRUE(status) << status.error();
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < out; ++j) {
          double sum = 0;
          for (int64_t k = 0; k < in; ++k)
            sum += 2.0 * x.data[i * in + k] * w[k * out + j];
          ASSERT_NEAR(y.data[i * out + j], sum, 1e-4);
        }
    }
  // One packed copy serves all sizes, and the parameter and the prepared weight
  // are gone. (Columns are padded from 24 to 64, rows from 40 to 48.)
  EXPECT_LT(model.memoryBytes(), 48 * 64 * 4 + 4096);
}
