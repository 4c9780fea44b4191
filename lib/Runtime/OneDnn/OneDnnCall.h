//===- OneDnnCall.h - a call of oneDNN ------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_ONEDNN_ONEDNNCALL_H
#define TENON_LIB_RUNTIME_ONEDNN_ONEDNNCALL_H

#include "../LibraryCall.h"
#include "DnnlContext.h"
#include "Operands.h"

#include "tenon/Artifact/Program.h"

#include <memory>
#include <vector>

namespace tenon::runtime {

/// One step that calls oneDNN. It keeps the oneDNN objects of the last
/// `maxPlans` sets of shapes, so that calls with known shapes create nothing.
/// Each family of primitives has its own class.
class OneDnnCall : public LibraryCall {
public:
  ~OneDnnCall() override;

  /// Checks that the runtime supports the call's operands and post-ops.
  artifact::Status check() const;

  /// Selects the plan for these symbols, or makes it.
  artifact::Status select(const int64_t *symbols,
                          const void *rawWeight) override;

  /// Allocates no memory itself.
  artifact::Status run(void *const *buffers) override;

  const char *implementation() const override;

protected:
  struct CallPlan;

  OneDnnCall(const tenon_step &step, DnnlContext &context);

  /// Sizes are not negative, and the result has elements.
  virtual artifact::Status makePlan(CallPlan &plan,
                                    std::vector<CallOperand> operands,
                                    const void *rawWeight) = 0;
  /// Estimates the time of the call, as a number of multiplications.
  virtual double countWork(const std::vector<CallOperand> &operands) const = 0;
  /// Returns the floating-point exceptions (FE_INVALID, ...) that indicate that
  /// the result of the plan's primitive may differ from the graph's; 0: none.
  virtual int watchedExceptions(const CallPlan &) const { return 0; }
  virtual artifact::Status execute(CallPlan &plan, void *const *buffers);
  /// Like `execute`, but gives the graph's result for any operands.
  virtual artifact::Status executeCarefully(CallPlan &plan,
                                            void *const *buffers) {
    return execute(plan, buffers);
  }

  artifact::Error fail(const std::string &what) const;
  /// Creates the primitive of an operation's description (dnnl_..._desc_t).
  artifact::Status
  createPrimitive(CallPlan &plan, const void *description,
                  const_dnnl_primitive_attr_t attributes) const;
  /// Creates attributes: the primitive uses our scratch memory, which all calls
  /// share, and is followed by these post-ops (null: none).
  artifact::Status
  createAttributes(DnnlHandle<dnnl_primitive_attr_t> &attributes,
                   const_dnnl_post_ops_t postOps) const;
  /// Creates a primitive without post-ops; `described` is the status of
  /// creating its description.
  artifact::Status createPlainPrimitive(CallPlan &plan, dnnl_status_t described,
                                        const void *description) const;
  artifact::Status addMemory(CallPlan &plan, int argument, int32_t operand,
                             const dnnl_memory_desc_t &layout) const;
  artifact::Status addOperand(CallPlan &plan, int argument, int32_t position,
                              const CallOperand &operand) const;
  /// Lets the primitive use a copy of an operand in the layout `wanted`, which
  /// `plan.reorder` converts. Precedes addScratch.
  artifact::Status addConverted(CallPlan &plan, int argument,
                                const dnnl_memory_desc_t &from,
                                const dnnl_memory_desc_t &to,
                                const dnnl_memory_desc_t &wanted) const;
  artifact::Status addScratch(CallPlan &plan) const;
  /// Returns the address of the converted operand in this run.
  artifact::Expected<char *> findConverted(const CallPlan &plan) const;
  /// Binds the operands of post-ops, starting with operand `first`. Those fused
  /// into the primitive follow `earlier` post-ops of the primitive itself; the
  /// others go to the plan's tail.
  artifact::Status addPostOpOperands(CallPlan &plan,
                                     const std::vector<CallOperand> &operands,
                                     int32_t first, int32_t earlier) const;

  const tenon_step &step;
  const tenon_call &call;
  DnnlContext &context;

private:
  artifact::Status planAndExecute(CallPlan &plan, void *const *buffers);
  artifact::Status preparePlan(CallPlan &plan,
                               std::vector<CallOperand> operands,
                               const void *rawWeight);

  static constexpr size_t maxPlans = 32;

  std::vector<std::unique_ptr<CallPlan>> plans;
  CallPlan *selected = nullptr;
  uint64_t clock = 0;
};

/// The gradient of a convolution's weight; see BackwardWeightCall.cpp.
std::unique_ptr<OneDnnCall> makeBackwardWeightCall(const tenon_step &step,
                                                   DnnlContext &context);
/// Pools; see PoolCall.cpp.
std::unique_ptr<OneDnnCall> makePoolCall(const tenon_step &step,
                                         DnnlContext &context);
/// Local response normalization across channels; see LrnCall.cpp.
std::unique_ptr<OneDnnCall> makeLrnCall(const tenon_step &step,
                                        DnnlContext &context);
/// Softmax along the last axis; see SoftmaxCall.cpp.
std::unique_ptr<OneDnnCall> makeSoftmaxCall(const tenon_step &step,
                                            DnnlContext &context);
/// Layer normalization along the last axis; see LayerNormCall.cpp.
std::unique_ptr<OneDnnCall> makeLayerNormCall(const tenon_step &step,
                                              DnnlContext &context);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_ONEDNN_ONEDNNCALL_H
