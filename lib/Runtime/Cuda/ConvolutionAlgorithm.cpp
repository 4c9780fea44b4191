//===- ConvolutionAlgorithm.cpp - choosing cuDNN's algorithm --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvolutionPlan.h"

namespace tenon::runtime::cuda {

/// Returns whether an algorithm that the library offers is deterministic and
/// rounds no more than `wishes` allow.
static bool isAllowed(const CuDnn::Found &found,
                      const AlgorithmWishes &wishes) {
  bool isWinograd = found.algorithm == CuDnn::Winograd ||
                    found.algorithm == CuDnn::WinogradNonfused;
  return found.status == CuDnn::Success &&
         found.determinism == CuDnn::Deterministic &&
         // This math would round f32 to f16.
         found.math != CuDnn::ConvertingMath &&
         !(wishes.math == CuDnn::FmaMath && found.math == CuDnn::TensorMath) &&
         !(isWinograd && !wishes.allowsWinograd);
}

/// Puts an algorithm into the plan if it supports this convolution within the
/// workspace.
static bool take(const CuDnn &dnn, int algorithm, int math,
                 ConvolutionPlan &plan) {
  size_t bytes = 0;
  if (dnn.convolutionSetMath(plan.convolution.get(), math) != CuDnn::Success ||
      dnn.getWorkspace(dnn.handle, plan.input.get(), plan.weight.get(),
                       plan.convolution.get(), plan.result.get(), algorithm,
                       &bytes) != CuDnn::Success ||
      bytes > size_t(libraryWorkspaceBytes))
    return false;
  plan.algorithm = algorithm;
  plan.workspaceBytes = bytes;
  return true;
}

CuDnn::Status findAlgorithm(const CuDnn &dnn, const AlgorithmWishes &wishes,
                            ConvolutionPlan &plan, bool &found) {
  found = true;
  int most = 0, count = 0;
  CuDnn::Status status = dnn.countAlgorithms(dnn.handle, &most);
  if (status != CuDnn::Success)
    return status;
  std::vector<CuDnn::Found> offers(static_cast<size_t>(std::max(most, 1)));
  status = dnn.findAlgorithms(dnn.handle, plan.input.get(), plan.weight.get(),
                              plan.convolution.get(), plan.result.get(),
                              static_cast<int>(offers.size()), &count,
                              offers.data());
  if (status != CuDnn::Success)
    return status;
  offers.resize(static_cast<size_t>(count));

  auto takeOffer = [&](bool isAny) {
    for (const CuDnn::Found &offer : offers) {
      // With descriptors that forbid tensor cores, the default is FMA.
      int math = wishes.math == CuDnn::FmaMath ? CuDnn::FmaMath : offer.math;
      if ((isAny || offer.algorithm == CuDnn::ImplicitPrecompGemm) &&
          isAllowed(offer, wishes) && take(dnn, offer.algorithm, math, plan))
        return true;
    }
    return false;
  };
  if ((wishes.isBiasAlone && takeOffer(/*isAny=*/false)) ||
      takeOffer(/*isAny=*/true))
    return CuDnn::Success;
  // Heuristics do not list all algorithms; these two support nearly every
  // convolution.
  found = take(dnn, CuDnn::ImplicitPrecompGemm, wishes.math, plan) ||
          take(dnn, CuDnn::ImplicitGemm, wishes.math, plan);
  return CuDnn::Success;
}

} // namespace tenon::runtime::cuda
