//===- Compare.cpp - comparing results with expected ones -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Compare.h"

#include <cmath>
#include <limits>

namespace tenon::artifact {

/// Returns |a - b|; NaN if they disagree in a way that no bound covers.
static double errorOf(const TensorData &a, const TensorData &b, int64_t i) {
  if (!isFloat(a.dtype)) {
    int64_t x = a.getInteger(i), y = b.getInteger(i);
    uint64_t distance =
        x > y ? uint64_t(x) - uint64_t(y) : uint64_t(y) - uint64_t(x);
    return static_cast<double>(distance);
  }
  double x = a.get(i), y = b.get(i);
  if (std::isnan(x) && std::isnan(y))
    return 0;
  if (std::isinf(x) || std::isinf(y))
    return x == y ? 0 : std::numeric_limits<double>::quiet_NaN();
  return std::fabs(x - y);
}

Expected<Comparison> compareTensors(const TensorData &actual,
                                    const TensorData &expected,
                                    const Tolerance &tolerance) {
  if (actual.dtype != expected.dtype || actual.shape != expected.shape)
    return makeError("expected ", formatType(expected.dtype, expected.shape),
                     ", but got ", formatType(actual.dtype, actual.shape));
  Comparison result;
  result.elements = expected.numElements();
  for (int64_t i = 0; i < result.elements; ++i) {
    double value = std::fabs(expected.get(i));
    if (std::isfinite(value) && value > result.maxExpected)
      result.maxExpected = value;
  }
  result.bound = tolerance.absolute + tolerance.relative * result.maxExpected;
  for (int64_t i = 0; i < result.elements; ++i) {
    double error = errorOf(actual, expected, i);
    if (!(error <= result.bound))
      ++result.mismatches;
    if (std::isnan(result.worstError))
      continue;
    if (result.worst < 0 || std::isnan(error) || error > result.worstError) {
      result.worst = i;
      result.worstError = error;
    }
  }
  if (result.worst >= 0) {
    result.worstActual = actual.get(result.worst);
    result.worstExpected = expected.get(result.worst);
    result.worstIndex.resize(expected.shape.size());
    int64_t rest = result.worst;
    for (size_t axis = expected.shape.size(); axis-- > 0;) {
      result.worstIndex[axis] = rest % expected.shape[axis];
      rest /= expected.shape[axis];
    }
  }
  return result;
}

std::string Comparison::summary() const {
  if (worst < 0)
    return "no elements";
  std::string index = "[";
  for (int64_t i : worstIndex)
    index += concat(index.size() > 1 ? ", " : "", i);
  index += ']';
  std::string text =
      concat("max error ", worstError, " at ", index, " (got ", worstActual,
             ", expected ", worstExpected, "), bound ", bound);
  if (mismatches > 0)
    text += concat("; ", mismatches, " of ", elements, " elements differ");
  return text;
}

} // namespace tenon::artifact
