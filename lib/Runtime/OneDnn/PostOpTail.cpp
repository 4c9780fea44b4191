//===- PostOpTail.cpp - post-ops that oneDNN does not compute -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PostOpTail.h"

#include "tenon/Runtime/Parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace tenon::runtime {

void PostOpTail::start(const CallOperand &result, int32_t position) {
  postOps.clear();
  resultPosition = position;
  rank = result.rank();
  supported = isFloat(result.dtype, 32) && rank >= 1 && rank <= maxRank;
  axes.resize(result.dims.size());
  std::iota(axes.begin(), axes.end(), 0);
  // Of equal strides, the axis of one element is the inner one: rows of images
  // with one channel are pixels, like those with several.
  std::sort(axes.begin(), axes.end(), [&](int64_t a, int64_t b) {
    return std::tuple(result.strides[a], result.dims[a], b) >
           std::tuple(result.strides[b], result.dims[b], a);
  });
  dims.clear();
  strides.clear();
  for (int64_t axis : axes) {
    dims.push_back(result.dims[axis]);
    strides.push_back(result.strides[axis]);
  }
}

bool PostOpTail::add(const tenon_post_op &postOp, const CallOperand *operand,
                     int32_t position) {
  if (!supported)
    return false;
  Entry entry = {postOp, position, {}};
  if (operand) {
    if (!isFloat(operand->dtype, 32) || operand->rank() != rank)
      return false;
    for (int64_t i = 0; i < rank; ++i) {
      int64_t size = operand->dims[axes[i]];
      if (size != dims[i] && size != 1)
        return false;
      entry.strides[i] = size == 1 ? 0 : operand->strides[axes[i]];
    }
  }
  postOps.push_back(entry);
  return true;
}

template <typename Function>
static void mapRow(float *x, int64_t step, int64_t count, Function function) {
  if (step == 1) // a loop that compilers vectorize
    for (int64_t i = 0; i < count; ++i)
      x[i] = function(x[i]);
  else
    for (int64_t i = 0; i < count; ++i)
      x[i * step] = function(x[i * step]);
}

template <typename Function>
static void zipRow(float *x, int64_t step, const float *y, int64_t otherStep,
                   int64_t count, Function function) {
  if (step == 1 && otherStep == 1)
    for (int64_t i = 0; i < count; ++i)
      x[i] = function(x[i], y[i]);
  else if (step == 1 && otherStep == 0)
    for (int64_t i = 0; i < count; ++i)
      x[i] = function(x[i], *y);
  else
    for (int64_t i = 0; i < count; ++i)
      x[i * step] = function(x[i * step], y[i * otherStep]);
}

/// Applies one post-op to `count` elements of the result that are `step` apart.
static void applyToRow(const tenon_post_op &postOp, float *x, int64_t step,
                       const float *y, int64_t otherStep, int64_t count) {
  float a = postOp.alpha, b = postOp.beta;
  switch (postOp.kind) {
  case TENON_POST_OP_RELU:
    if (a == 0) // 0 times minus infinity would be NaN
      return mapRow(x, step, count, [](float v) { return v < 0 ? 0 : v; });
    return mapRow(x, step, count, [=](float v) { return v > 0 ? v : a * v; });
  case TENON_POST_OP_GELU_ERF:
    return mapRow(x, step, count, [](float v) {
      return 0.5f * v * (1 + std::erf(v * 0.70710678f));
    });
  case TENON_POST_OP_GELU_TANH:
    return mapRow(x, step, count, [](float v) {
      float inner = 0.79788456f * (v + 0.044715f * v * v * v);
      return 0.5f * v * (1 + std::tanh(inner));
    });
  case TENON_POST_OP_TANH:
    return mapRow(x, step, count, [](float v) { return std::tanh(v); });
  case TENON_POST_OP_SIGMOID:
    return mapRow(x, step, count,
                  [](float v) { return 1 / (1 + std::exp(-v)); });
  case TENON_POST_OP_CLIP:
    return mapRow(x, step, count, [=](float v) {
      return v < a ? a : v > b ? b : v;
    });
  case TENON_POST_OP_ELU:
    return mapRow(x, step, count,
                  [=](float v) { return v > 0 ? v : a * std::expm1(v); });
  case TENON_POST_OP_SWISH:
    return mapRow(x, step, count,
                  [=](float v) { return v / (1 + std::exp(-a * v)); });
  case TENON_POST_OP_HARD_SWISH:
    return mapRow(x, step, count, [](float v) {
      float gate = v / 6 + 0.5f;
      return v * (gate < 0 ? 0 : gate > 1 ? 1 : gate);
    });
  case TENON_POST_OP_MISH:
    return mapRow(x, step, count, [](float v) {
      float soft = v > 20 ? v : std::log1p(std::exp(v));
      return v * std::tanh(soft);
    });
  case TENON_POST_OP_LINEAR:
    return mapRow(x, step, count, [=](float v) { return a * v + b; });
  case TENON_POST_OP_EXP:
    return mapRow(x, step, count, [](float v) { return std::exp(v); });
  case TENON_POST_OP_SQRT:
    return mapRow(x, step, count, [](float v) { return std::sqrt(v); });
  case TENON_POST_OP_ABS:
    return mapRow(x, step, count, [](float v) { return std::fabs(v); });
  case TENON_POST_OP_ADD:
    return zipRow(x, step, y, otherStep, count,
                  [](float v, float w) { return v + w; });
  case TENON_POST_OP_MUL:
    return zipRow(x, step, y, otherStep, count,
                  [](float v, float w) { return v * w; });
  case TENON_POST_OP_SUB:
    return zipRow(x, step, y, otherStep, count,
                  [](float v, float w) { return v - w; });
  case TENON_POST_OP_DIV:
    return zipRow(x, step, y, otherStep, count,
                  [](float v, float w) { return v / w; });
  case TENON_POST_OP_MAX: // the maximum of NaN and a number is NaN
    return zipRow(x, step, y, otherStep, count,
                  [](float v, float w) { return v > w || v != v ? v : w; });
  case TENON_POST_OP_MIN:
    return zipRow(x, step, y, otherStep, count,
                  [](float v, float w) { return v < w || v != v ? v : w; });
  default:
    return;
  }
}

struct PostOpTail::Call {
  const PostOpTail *tail;
  void *const *buffers;
};

void PostOpTail::runPart(void *data, int, int64_t lo, int64_t hi) {
  const Call &call = *static_cast<const Call *>(data);
  call.tail->runRows(call.buffers, lo, hi);
}

void PostOpTail::runRows(void *const *buffers, int64_t lo, int64_t hi) const {
  float *result = static_cast<float *>(buffers[resultPosition]);
  int64_t inner = rank - 1;
  for (int64_t row = lo; row < hi; ++row) {
    int64_t index[maxRank], rest = row, offset = 0;
    for (int64_t i = inner; i-- > 0;) {
      index[i] = rest % dims[i];
      rest /= dims[i];
      offset += index[i] * strides[i];
    }
    for (const Entry &entry : postOps) {
      const float *operand = nullptr;
      if (isBinaryPostOp(entry.postOp.kind)) {
        operand = static_cast<const float *>(buffers[entry.position]);
        for (int64_t i = 0; i < inner; ++i)
          operand += index[i] * entry.strides[i];
      }
      applyToRow(entry.postOp, result + offset, strides[inner], operand,
                 entry.strides[inner], dims[inner]);
    }
  }
}

void PostOpTail::run(void *const *buffers) const {
  int64_t rows = 1;
  for (int64_t i = 0; i + 1 < rank; ++i)
    rows *= dims[i];
  Call call{this, buffers};
  int64_t grain =
      std::max<int64_t>(1, 16384 / std::max<int64_t>(1, dims.back()));
  parallelFor(rows, grain, defaultThreads(), runPart, &call);
}

} // namespace tenon::runtime
