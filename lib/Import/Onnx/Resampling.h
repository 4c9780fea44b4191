//===- Resampling.h - interpolation matrices ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_ONNX_RESAMPLING_H
#define TENON_LIB_IMPORT_ONNX_RESAMPLING_H

#include <cstdint>
#include <string>
#include <vector>

namespace tenon::onnx {

/// Linear or cubic interpolation along one axis, as ONNX Resize defines it.
struct Resampling {
  bool cubic = false;
  bool antialias = false;
  bool excludeOutside = false;
  double cubicCoefficient = -0.75;
  std::string coordinates;
  /// For tf_crop_and_resize: the part of the axis, in [0, 1].
  double roiBegin = 0, roiEnd = 1;
};

struct ResamplingMatrix {
  /// The matrix [out, in], row-major.
  std::vector<double> weights;
  /// Whether each output is outside of the input (tf_crop_and_resize).
  std::vector<bool> outside;
};

/// Requires that `in` and `out` are at least 1.
ResamplingMatrix resamplingMatrix(const Resampling &how, int64_t in,
                                  int64_t out, double scale);

} // namespace tenon::onnx

#endif // TENON_LIB_IMPORT_ONNX_RESAMPLING_H
