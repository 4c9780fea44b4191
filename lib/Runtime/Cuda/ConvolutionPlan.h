//===- ConvolutionPlan.h - the plan of a cuDNN convolution ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CUDA_CONVOLUTIONPLAN_H
#define TENON_LIB_RUNTIME_CUDA_CONVOLUTIONPLAN_H

#include "PlannedCall.h"

namespace tenon::runtime::cuda {

struct ConvolutionPlan {
  bool isEmpty = false;
  Owned<CuDnn::Tensor> input, result, bias;
  Owned<CuDnn::Filter> weight;
  Owned<CuDnn::Convolution> convolution;
  Owned<CuDnn::Activation> activation; // null: none
  int algorithm = 0;
  size_t workspaceBytes = 0;
  /// Whether the epilogue is computed in the same call, or separately because
  /// the library does not support it with this algorithm. The first call
  /// decides.
  enum { Untried, Fused, Apart } epilogue = Untried;
  std::string implementation;
};

/// Requirements on an algorithm.
struct AlgorithmWishes {
  int math = CuDnn::DefaultMath; // the strongest rounding allowed for factors
  /// Whether Winograd algorithms may be used.
  bool allowsWinograd = false;
  /// The epilogue is only a bias. One algorithm computes it in the same call
  /// and is then preferred.
  bool isBiasAlone = false;
};

/// Sets the algorithm and the math of a plan whose descriptors exist: the first
/// deterministic algorithm that the library offers (nothing is measured).
/// `found` returns whether there is one. Returns the status of a failed search.
CuDnn::Status findAlgorithm(const CuDnn &dnn, const AlgorithmWishes &wishes,
                            ConvolutionPlan &plan, bool &found);

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_CONVOLUTIONPLAN_H
