//===- Resampling.cpp - interpolation matrices ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Resampling.h"

#include <algorithm>
#include <cmath>

using namespace tenon::onnx;

/// The position of output `y` in the input.
static double position(const Resampling &how, int64_t y, int64_t in,
                       int64_t out, double scale) {
  double length = scale * in;
  const std::string &mode = how.coordinates;
  if (mode == "align_corners")
    return length == 1 ? 0 : y * (in - 1) / (length - 1);
  if (mode == "asymmetric")
    return y / scale;
  if (mode == "tf_crop_and_resize") {
    double span = how.roiEnd - how.roiBegin;
    double inside =
        length == 1 ? span * (in - 1) / 2 : y * span * (in - 1) / (length - 1);
    return inside + how.roiBegin * (in - 1);
  }
  if (mode == "pytorch_half_pixel" && length == 1)
    return -0.5;
  double half = (y + 0.5) / scale - 0.5;
  if (mode == "half_pixel_symmetric")
    half += in / 2.0 * (1 - out / length);
  return half;
}

/// The interpolation kernel at distance `x`.
static double kernel(const Resampling &how, double x) {
  x = std::fabs(x);
  if (!how.cubic)
    return std::max(1 - x, 0.0);
  double a = how.cubicCoefficient;
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2)
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

ResamplingMatrix tenon::onnx::resamplingMatrix(const Resampling &how,
                                               int64_t in, int64_t out,
                                               double scale) {
  ResamplingMatrix result;
  result.weights.assign(in * out, 0.0);
  result.outside.assign(out, false);
  // Antialiasing widens the kernel if the axis shrinks.
  double stretch = how.antialias ? std::min(scale, 1.0) : 1.0;
  double reach = (how.cubic ? 2 : 1) / stretch;
  for (int64_t y = 0; y < out; ++y) {
    double x = position(how, y, in, out, scale);
    result.outside[y] = how.coordinates == "tf_crop_and_resize" &&
                        (x < 0 || x > static_cast<double>(in - 1));
    double *row = result.weights.data() + y * in;
    double sum = 0;
    int64_t first = static_cast<int64_t>(std::floor(x - reach));
    int64_t last = static_cast<int64_t>(std::ceil(x + reach));
    for (int64_t i = first; i <= last; ++i) {
      bool isOutside = i < 0 || i >= in;
      if (isOutside && how.excludeOutside)
        continue;
      double weight = kernel(how, stretch * (i - x));
      row[std::clamp<int64_t>(i, 0, in - 1)] += weight;
      sum += weight;
    }
    if (how.antialias || how.excludeOutside)
      for (int64_t i = 0; i < in && sum != 0; ++i)
        row[i] /= sum;
  }
  return result;
}
