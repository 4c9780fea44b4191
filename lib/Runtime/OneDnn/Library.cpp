//===- Library.cpp - oneDNN as an instance uses it ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Library.h"
#include "ProductCall.h"

using namespace tenon::artifact;

namespace tenon::runtime {

static std::unique_ptr<OneDnnCall> makeCall(const tenon_step &step,
                                            DnnlContext &context) {
  switch (step.call->primitive) {
  case TENON_PRIMITIVE_MATMUL:
  case TENON_PRIMITIVE_CONV:
  case TENON_PRIMITIVE_CONV_TRANSPOSE:
    return std::make_unique<ProductCall>(step, context);
  case TENON_PRIMITIVE_CONV_BACKWARD_WEIGHT:
    return makeBackwardWeightCall(step, context);
  case TENON_PRIMITIVE_MAX_POOL:
  case TENON_PRIMITIVE_AVG_POOL:
    return makePoolCall(step, context);
  case TENON_PRIMITIVE_LRN:
    return makeLrnCall(step, context);
  case TENON_PRIMITIVE_SOFTMAX:
    return makeSoftmaxCall(step, context);
  case TENON_PRIMITIVE_LAYER_NORM:
    return makeLayerNormCall(step, context);
  default:
    return nullptr;
  }
}

Expected<std::unique_ptr<LibraryCall>>
checkCall(const tenon_step &step, std::unique_ptr<OneDnnCall> call) {
  if (!call)
    return makeError("step '", step.name, "': library call number ",
                     step.call->primitive, " is unknown to this runtime");
  if (Status status = call->check(); !status)
    return status.takeError();
  return std::unique_ptr<LibraryCall>(std::move(call));
}

Expected<std::unique_ptr<LibraryCall>>
OneDnnLibrary::createCall(const tenon_step &step) {
  return checkCall(step, makeCall(step, *context));
}

Expected<std::unique_ptr<CpuLibrary>> openOneDnn(CpuLibraries &all) {
  Expected<std::unique_ptr<DnnlContext>> context =
      DnnlContext::create(all.memory, all.weights, all.origins);
  if (!context)
    return context.takeError();
  return std::unique_ptr<CpuLibrary>(
      std::make_unique<OneDnnLibrary>(std::move(*context)));
}

} // namespace tenon::runtime
