//===- ConvolutionPlan.h - how cuDNN does a convolution -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CUDA_CONVOLUTIONPLAN_H
#define TENON_LIB_RUNTIME_CUDA_CONVOLUTIONPLAN_H

#include "PlannedSite.h"

namespace tenon::runtime::cuda {

struct ConvolutionPlan {
  bool isEmpty = false;
  Owned<CuDnn::Tensor> input, result, bias;
  Owned<CuDnn::Filter> weight;
  Owned<CuDnn::Convolution> convolution;
  Owned<CuDnn::Activation> activation; // null: none
  int algorithm = 0;
  size_t workspaceBytes = 0;
  /// What follows is computed in the same call, or left to others, as the
  /// library does not do it with this algorithm. The first call finds out.
  enum { Untried, Fused, Apart } epilogue = Untried;
  std::string implementation;
};

/// What an algorithm has to be like.
struct AlgorithmWishes {
  int math = CuDnn::DefaultMath; // the most that it may do to factors
  /// Whether Winograd's transforms may be used.
  bool allowsWinograd = false;
  /// What follows is a bias alone, which one algorithm computes in the same
  /// call: then that is preferred.
  bool isBiasAlone = false;
};

/// Sets the algorithm and the math of a plan whose descriptors are there: the
/// first that the library offers (nothing is measured) and that gives the same
/// result every time. `found`: whether there is one. Returns what the search
/// failed with.
CuDnn::Status findAlgorithm(const CuDnn &dnn, const AlgorithmWishes &wishes,
                            ConvolutionPlan &plan, bool &found);

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_CONVOLUTIONPLAN_H
