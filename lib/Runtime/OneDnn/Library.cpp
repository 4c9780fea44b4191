//===- Library.cpp - oneDNN as an instance uses it -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Library.h"
#include "ProductSite.h"

using namespace tenon::artifact;

namespace tenon::runtime {

static std::unique_ptr<LibrarySite> makeSite(const tenon_step &step,
                                             DnnlContext &context) {
  switch (step.site->kind) {
  case TENON_SITE_MATMUL:
  case TENON_SITE_CONV:
  case TENON_SITE_CONV_TRANSPOSE:
    return std::make_unique<ProductSite>(step, context);
  case TENON_SITE_CONV_BACKWARD_WEIGHT:
    return makeBackwardWeightSite(step, context);
  case TENON_SITE_MAX_POOL:
  case TENON_SITE_AVG_POOL:
  case TENON_SITE_AVG_POOL_PADDED:
    return makePoolSite(step, context);
  case TENON_SITE_LRN:
    return makeLrnSite(step, context);
  case TENON_SITE_SOFTMAX:
    return makeSoftmaxSite(step, context);
  case TENON_SITE_LAYER_NORM:
    return makeLayerNormSite(step, context);
  default:
    return nullptr;
  }
}

Expected<std::unique_ptr<CallSite>>
checkSite(const tenon_step &step, std::unique_ptr<LibrarySite> site) {
  if (!site)
    return makeError("step '", step.name, "': library call number ",
                     step.site->kind, " is unknown to this runtime");
  if (Status status = site->check(); !status)
    return status.takeError();
  return std::unique_ptr<CallSite>(std::move(site));
}

Expected<std::unique_ptr<CallSite>>
OneDnnLibrary::createSite(const tenon_step &step) {
  return checkSite(step, makeSite(step, *context));
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
