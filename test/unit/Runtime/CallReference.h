//===- CallReference.h - library calls by their definition ----------------===//
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

#ifndef TENON_TEST_UNIT_RUNTIME_CALLREFERENCE_H
#define TENON_TEST_UNIT_RUNTIME_CALLREFERENCE_H

#include "TestProgram.h"

#include "tenon/Artifact/Philox.h"

#include <cmath>
#include <functional>

namespace tenon::runtime {

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

struct PostOp {
  int32_t kind;
  float alpha = 0, beta = 0;
  std::vector<Operand> operand = {}; // one or none
};

/// A call with its data.
struct Case {
  int32_t library = TENON_LIBRARY_ONEDNN;
  int32_t kind = TENON_PRIMITIVE_MATMUL;
  Operand lhs, rhs;
  std::vector<Operand> bias; // one or none
  std::vector<PostOp> postOps;
  Sizes result;
  std::vector<int32_t> resultOrder;
  Sizes strides = {}, dilations = {}, begins = {}, ends = {};
  int64_t groups = 1;
  double tolerance = 1e-5; // of the largest result
  bool tf32 = false;
};

inline double applyPostOp(const PostOp &postOp, double x, const Sizes &index) {
  double operand = postOp.operand.empty() ? 0 : postOp.operand[0].at(index);
  switch (postOp.kind) {
  case TENON_POST_OP_RELU:
    return x > 0 ? x : postOp.alpha * x;
  case TENON_POST_OP_ADD:
    return x + operand;
  case TENON_POST_OP_MUL:
    return x * operand;
  case TENON_POST_OP_GELU_ERF:
    return 0.5 * x * (1 + std::erf(x / std::sqrt(2)));
  case TENON_POST_OP_GELU_TANH:
    return 0.5 * x *
           (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
  case TENON_POST_OP_TANH:
    return std::tanh(x);
  case TENON_POST_OP_SIGMOID:
    return 1 / (1 + std::exp(-x));
  case TENON_POST_OP_CLIP:
    return std::min<double>(std::max<double>(x, postOp.alpha), postOp.beta);
  case TENON_POST_OP_ELU:
    return x > 0 ? x : postOp.alpha * std::expm1(x);
  case TENON_POST_OP_SWISH:
    return x / (1 + std::exp(-postOp.alpha * x));
  case TENON_POST_OP_HARD_SWISH:
    return x * std::min(std::max(x / 6 + 0.5, 0.0), 1.0);
  case TENON_POST_OP_MISH:
    return x * std::tanh(std::log1p(std::exp(x)));
  case TENON_POST_OP_LINEAR:
    return postOp.alpha * x + postOp.beta;
  case TENON_POST_OP_EXP:
    return std::exp(x);
  case TENON_POST_OP_SQRT:
    return std::sqrt(x);
  case TENON_POST_OP_ABS:
    return std::fabs(x);
  case TENON_POST_OP_SUB:
    return x - operand;
  case TENON_POST_OP_DIV:
    return x / operand;
  case TENON_POST_OP_MAX:
    return std::max(x, operand);
  case TENON_POST_OP_MIN:
    return std::min(x, operand);
  }
  return NAN;
}

/// Calls `body` for every index below `dims`.
inline void forEach(const Sizes &dims,
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

inline double accumulate(const Case &test, const Sizes &index) {
  double sum = 0;
  if (test.kind == TENON_PRIMITIVE_MATMUL) {
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
      if (test.kind == TENON_PRIMITIVE_CONV) {
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
      if (test.kind == TENON_PRIMITIVE_CONV) {
        weight[0] = index[1], weight[1] = c;
      } else {
        weight[0] = in[1], weight[1] = index[1] % (outChannels / test.groups);
      }
      sum += test.lhs.at(in) * test.rhs.at(weight);
    }
  });
  return sum;
}

inline double expectedAt(const Case &test, const Sizes &index) {
  double value = accumulate(test, index);
  if (!test.bias.empty())
    value += test.bias[0].data[static_cast<size_t>(
        test.kind == TENON_PRIMITIVE_MATMUL ? index.back() : index[1])];
  for (const PostOp &postOp : test.postOps)
    value = applyPostOp(postOp, value, index);
  return value;
}

inline void fill(Operand &operand, uint64_t key, bool positive = false) {
  operand.data.resize(static_cast<size_t>(operand.count()));
  artifact::fillRandom(operand.data.data(), artifact::DType::F32, 0,
                       operand.count(), key,
                       positive ? artifact::Distribution::uniform(0.5, 2)
                                : artifact::Distribution::uniform(-1, 1));
}

/// A program of one step for a case, and a call of it.
class CallRun {
public:
  explicit CallRun(Case given) : test(std::move(given)) {
    fill(test.lhs, 1);
    fill(test.rhs, 2);
    for (Operand &bias : test.bias)
      fill(bias, 3);
    for (PostOp &postOp : test.postOps)
      for (Operand &operand : postOp.operand)
        fill(operand, 4, postOp.kind == TENON_POST_OP_DIV);
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
    if (artifact::Status status = call(actual); !status)
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
    return worst <= test.tolerance * std::max(largest, 1.0)
               ? ""
               : "error " + std::to_string(worst);
  }

  artifact::Status call(std::vector<float> &actual) {
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
  /// Inputs are flat: the call says how they are read.
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
    for (PostOp &postOp : test.postOps) {
      postOps.push_back({postOp.kind, postOp.alpha, postOp.beta});
      for (Operand &operand : postOp.operand)
        buffers.push_back(add(operand, "post"));
    }
    operands.push_back(
        {{TENON_DL_FLOAT, 32, 1},
         static_cast<int32_t>(test.result.size()),
         test.result.data(),
         test.resultOrder.empty() ? nullptr : test.resultOrder.data()});
    buffers.push_back(program.addOutput(
        "result", {static_cast<int64_t>(count(test.result))}));
    table.library = test.library;
    table.primitive = test.kind;
    table.num_operands = static_cast<int32_t>(operands.size());
    table.operands = operands.data();
    table.num_post_ops = static_cast<int32_t>(postOps.size());
    table.post_ops = postOps.data();
    table.constant_weight = test.rhs.constant;
    matmul.tf32 = conv.tf32 = test.tf32;
    conv.num_spatial = static_cast<int32_t>(test.strides.size());
    conv.strides = test.strides.data();
    conv.dilations = test.dilations.data();
    conv.pads_begin = test.begins.data();
    conv.pads_end = test.ends.data();
    conv.groups = test.groups;
    table.fields = test.kind == TENON_PRIMITIVE_MATMUL
                       ? static_cast<const void *>(&matmul)
                       : &conv;
    if (test.library == TENON_LIBRARY_CUBLASLT ||
        test.library == TENON_LIBRARY_CUDNN)
      program.program.device = TENON_PROGRAM_CUDA;
    program.addLibrary("call", buffers, table);
  }

  TestProgram program;
  tenon_call table = {};
  tenon_matmul matmul = {};
  tenon_convolution conv = {};
  std::vector<tenon_call_operand> operands;
  std::vector<tenon_post_op> postOps;
  std::vector<Operand *> inputs;
};

inline Case matmul(Sizes lhs, Sizes rhs, Sizes result, bool constant) {
  Case test;
  test.lhs.dims = std::move(lhs);
  test.rhs.dims = std::move(rhs);
  test.rhs.constant = constant;
  test.result = std::move(result);
  return test;
}

inline Case conv(Sizes in, Sizes weight, Sizes strides, Sizes dilations,
                 Sizes begins, Sizes ends, int64_t groups, bool constant,
                 bool transposed = false, Sizes extra = {}) {
  Case test;
  test.kind =
      transposed ? TENON_PRIMITIVE_CONV_TRANSPOSE : TENON_PRIMITIVE_CONV;
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
inline Case channelsLast(Case test) {
  std::vector<int32_t> order = {0};
  for (size_t i = 2; i < test.result.size(); ++i)
    order.push_back(static_cast<int32_t>(i));
  order.push_back(1);
  test.lhs.order = test.resultOrder = order;
  return test;
}

} // namespace tenon::runtime

#endif // TENON_TEST_UNIT_RUNTIME_CALLREFERENCE_H
