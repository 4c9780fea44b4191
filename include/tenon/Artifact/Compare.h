//===- Compare.h - comparing results with expected ones -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_COMPARE_H
#define TENON_ARTIFACT_COMPARE_H

#include "tenon/Artifact/Status.h"
#include "tenon/Artifact/TensorData.h"

#include <string>
#include <vector>

namespace tenon::artifact {

/// An element agrees when |actual - expected| <= absolute + relative * M, with
/// M the largest finite |expected| of the tensor. NaN agrees only with NaN, and
/// an infinity only with the same infinity.
struct Tolerance {
  double relative = 1e-3;
  double absolute = 0;
};

struct Comparison {
  int64_t elements = 0;
  int64_t mismatches = 0;
  double maxExpected = 0; // M
  double bound = 0;       // absolute + relative * M
  /// The worst element: the first one with a NaN or infinity mismatch, or else
  /// the one with the largest error. -1 for a tensor without elements.
  int64_t worst = -1;
  std::vector<int64_t> worstIndex;
  double worstActual = 0;
  double worstExpected = 0;
  double worstError = 0; // NaN on a NaN or infinity mismatch

  bool agrees() const { return mismatches == 0; }
  /// For example "max error 1.2e-07 at [0, 3] (got 1, expected 1), bound
  /// 0.001".
  std::string summary() const;
};

/// Fails if types or shapes differ.
Expected<Comparison> compareTensors(const TensorData &actual,
                                    const TensorData &expected,
                                    const Tolerance &tolerance);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_COMPARE_H
