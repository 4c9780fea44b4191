//===- WinogradCall.h - Winograd convolution with oneDNN's matmul ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_WINOGRAD_WINOGRADCALL_H
#define TENON_LIB_RUNTIME_WINOGRAD_WINOGRADCALL_H

#include "../OneDnn/ProductCall.h"
#include "Winograd.h"

#include <optional>

namespace tenon::runtime {

/// A Winograd convolution (Winograd.h) with oneDNN's matrix products. A weight
/// that is not constant would have to be transformed at every call, so a plain
/// oneDNN convolution is used for it.
class WinogradCall : public ProductCall {
public:
  using ProductCall::ProductCall;

  /// Tiles that are not finite are computed from the raw weight.
  bool needsRawWeight() const override { return true; }

protected:
  artifact::Status makePlan(CallPlan &plan, std::vector<CallOperand> operands,
                            const void *rawWeight) override;
  int watchedExceptions(const CallPlan &plan) const override;
  artifact::Status execute(CallPlan &plan, void *const *buffers) override;

private:
  struct Part;

  std::optional<WinogradShape>
  readShape(const std::vector<CallOperand> &operands) const;
  artifact::Status addTail(CallPlan &plan,
                           std::vector<CallOperand> operands) const;
  artifact::Status createProduct(CallPlan &plan) const;
  artifact::Status bindWeight(CallPlan &plan, const void *rawWeight);
  static void transformInput(void *data, int thread, int64_t lo, int64_t hi);
  static void transformResult(void *data, int thread, int64_t lo, int64_t hi);
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_WINOGRAD_WINOGRADCALL_H
