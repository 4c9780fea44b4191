//===- ProductCall.h - matmuls and convolutions by oneDNN -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_ONEDNN_PRODUCTCALL_H
#define TENON_LIB_RUNTIME_ONEDNN_PRODUCTCALL_H

#include "OneDnnCall.h"

namespace tenon::runtime {

/// A matmul, convolution or transposed convolution.
///
/// Constant weights are multiplied by oneDNN's matmul, not by its inner
/// product. With packed weights (oneDNN 2.6.3, AVX-512, bias and GELU) the
/// differences are noise (inner product against matmul, on one thread and on
/// two): 128x768x768 562 us against 553 us, and 285-315 against 280;
/// 128x768x3072 2.29 ms against 2.24, and 1.14 against 1.12; 1x2048x1000 76 us
/// against 86, and 41 against 43. Packing saves 5 to 17 % over row-major
/// weights, and up to two thirds over transposed ones with few rows.
class ProductCall : public OneDnnCall {
public:
  ProductCall(const tenon_step &step, DnnlContext &context)
      : OneDnnCall(step, context) {}

  bool needsRawWeight() const override { return usesRaw || !hasPacked; }

protected:
  artifact::Status makePlan(CallPlan &plan, std::vector<CallOperand> operands,
                            const void *rawWeight) override;
  double countWork(const std::vector<CallOperand> &operands) const override;
  int watchedExceptions(const CallPlan &plan) const override;
  artifact::Status execute(CallPlan &plan, void *const *buffers) override;
  artifact::Status executeCarefully(CallPlan &plan,
                                    void *const *buffers) override;

private:
  artifact::Status planEmptySum(CallPlan &plan,
                                std::vector<CallOperand> operands) const;
  /// Whether the product is added to what the result has.
  bool addsInPlace() const;
  bool addsTensor(const std::vector<CallOperand> &operands) const;
  artifact::Status createProduct(CallPlan &plan,
                                 const std::vector<CallOperand> &operands,
                                 int32_t fusedPostOps) const;
  artifact::Status
  choosePrimitive(CallPlan &plan,
                  const std::vector<CallOperand> &operands) const;
  artifact::Status bindOperands(CallPlan &plan,
                                const std::vector<CallOperand> &operands,
                                const void *rawWeight);
  artifact::Status bindWeight(CallPlan &plan, const CallOperand &operand,
                              const void *rawWeight);

  bool usesRaw = false;
  bool hasPacked = false;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_ONEDNN_PRODUCTCALL_H
