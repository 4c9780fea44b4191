//===- OneDnnCall.cpp - a call of oneDNN ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OneDnnCall.h"

#include "../Process.h"
#include "CallPlan.h"

#include "tenon/Runtime/Parallel.h"

#include <algorithm>

using namespace tenon::artifact;

namespace tenon::runtime {

OneDnnCall::OneDnnCall(const tenon_step &step, DnnlContext &context)
    : step(step), call(*step.call), context(context) {}

OneDnnCall::~OneDnnCall() = default;

Error OneDnnCall::fail(const std::string &what) const {
  return makeError("step '", step.name, "': ", what);
}

/// Counts the operands without those of post-ops. A layer normalization has
/// neither scale nor shift, only the scale, or both.
static int32_t countOwnOperands(const tenon_call &call) {
  if (call.primitive <= TENON_PRIMITIVE_CONV_TRANSPOSE)
    return 3 + (hasBias(call) ? 1 : 0);
  if (call.primitive == TENON_PRIMITIVE_CONV_BACKWARD_WEIGHT)
    return 3;
  if (call.primitive == TENON_PRIMITIVE_LAYER_NORM)
    return std::clamp(call.num_operands, 2, 4);
  return 2;
}

Status OneDnnCall::check() const {
  if (call.num_post_ops > 0 && call.primitive > TENON_PRIMITIVE_AVG_POOL)
    return fail("this library call does not support post-ops");
  int32_t binaries = 0;
  for (int32_t i = 0; i < call.num_post_ops; ++i)
    binaries += isBinaryPostOp(call.post_ops[i].kind);
  int32_t expected = countOwnOperands(call) + binaries;
  if (call.num_operands != expected || step.num_buffers != expected)
    return fail(concat("expected ", expected, " operands, but got ",
                       call.num_operands, " operands and ", step.num_buffers,
                       " buffers"));
  for (int32_t i = 0; i < call.num_operands; ++i) {
    tenon_dtype dtype = call.operands[i].dtype;
    if (oneDnnType(dtype) == dnnl_data_type_undef)
      return fail(concat("oneDNN has no element type with code ", dtype.code,
                         " and ", dtype.bits, " bits"));
  }
  return Status::success();
}

Status OneDnnCall::select(const int64_t *symbols, const void *rawWeight) {
  std::vector<CallOperand> operands = readOperands(call, symbols);
  std::vector<int64_t> key;
  for (const CallOperand &operand : operands)
    key.insert(key.end(), operand.dims.begin(), operand.dims.end());
  ++clock;
  for (const std::unique_ptr<CallPlan> &plan : plans)
    if (plan->key == key) {
      plan->lastUse = clock;
      selected = plan.get();
      // A failed plan for other sizes may have released it.
      if (Expected<char *> data = context.scratchpad(plan->scratchBytes); !data)
        return fail(data.error());
      return Status::success();
    }

  selected = nullptr;
  if (plans.size() == maxPlans) {
    auto oldest = std::min_element(
        plans.begin(), plans.end(),
        [](const auto &a, const auto &b) { return a->lastUse < b->lastUse; });
    plans.erase(oldest);
  }
  auto plan = std::make_unique<CallPlan>();
  plan->key = std::move(key);
  plan->lastUse = clock;
  if (Status status = preparePlan(*plan, std::move(operands), rawWeight);
      !status)
    return status;
  plans.push_back(std::move(plan));
  selected = plans.back().get();
  return Status::success();
}

/// The number of multiplications from which a second thread is worth waking
/// (half a microsecond with libgomp on an idle machine; much more if cores are
/// shared).
static constexpr double minParallelWork = 200000;

Status OneDnnCall::preparePlan(CallPlan &plan,
                               std::vector<CallOperand> operands,
                               const void *rawWeight) {
  for (const CallOperand &operand : operands)
    for (int64_t size : operand.dims)
      if (size < 0)
        return fail(concat("an operand would have the size ", size));
  if (operands.back().isEmpty()) {
    plan.isEmpty = true;
    return Status::success();
  }
  plan.isSmall = countWork(operands) < minParallelWork;
  plan.operands = operands;
  ThreadScope scope(plan.isSmall ? 1 : defaultThreads());
  return makePlan(plan, std::move(operands), rawWeight);
}

//===----------------------------------------------------------------------===//
// Functions that calls use to make plans
//===----------------------------------------------------------------------===//

Status
OneDnnCall::createAttributes(DnnlHandle<dnnl_primitive_attr_t> &attributes,
                             const_dnnl_post_ops_t postOps) const {
  const OneDnn &dnnl = context.dnnl();
  attributes = DnnlHandle<dnnl_primitive_attr_t>(dnnl.primitive_attr_destroy);
  dnnl_status_t status = dnnl.primitive_attr_create(attributes.out());
  if (status == dnnl_success)
    status = dnnl.primitive_attr_set_scratchpad_mode(attributes.get(),
                                                     dnnl_scratchpad_mode_user);
  if (status == dnnl_success && postOps)
    status = dnnl.primitive_attr_set_post_ops(attributes.get(), postOps);
  if (status != dnnl_success)
    return fail(oneDnnStatusText(status));
  return Status::success();
}

Status
OneDnnCall::createPrimitive(CallPlan &plan, const void *description,
                            const_dnnl_primitive_attr_t attributes) const {
  const OneDnn &dnnl = context.dnnl();
  plan.descriptor =
      DnnlHandle<dnnl_primitive_desc_t>(dnnl.primitive_desc_destroy);
  dnnl_status_t status =
      dnnl.primitive_desc_create(plan.descriptor.out(), description, attributes,
                                 context.engine(), nullptr);
  if (status != dnnl_success)
    return fail(oneDnnStatusText(status));
  plan.primitive = DnnlHandle<dnnl_primitive_t>(dnnl.primitive_destroy);
  if (Status created =
          dnnl.createPrimitive(plan.primitive.out(), plan.descriptor.get());
      !created)
    return fail(created.error());
  const char *name = nullptr;
  dnnl.primitive_desc_query(plan.descriptor.get(), dnnl_query_impl_info_str, 0,
                            &name);
  plan.implementation = name ? name : "";
  return Status::success();
}

Status OneDnnCall::createPlainPrimitive(CallPlan &plan, dnnl_status_t described,
                                        const void *description) const {
  if (described != dnnl_success)
    return fail(oneDnnStatusText(described));
  DnnlHandle<dnnl_primitive_attr_t> attributes;
  if (Status created = createAttributes(attributes, nullptr); !created)
    return created;
  return createPrimitive(plan, description, attributes.get());
}

Status OneDnnCall::addMemory(CallPlan &plan, int argument, int32_t operand,
                             const dnnl_memory_desc_t &layout) const {
  CallPlan::Argument entry;
  entry.memory = DnnlHandle<dnnl_memory_t>(context.dnnl().memory_destroy);
  entry.operand = operand;
  dnnl_status_t status = context.dnnl().memory_create(
      entry.memory.out(), &layout, context.engine(), DNNL_MEMORY_NONE);
  if (status != dnnl_success)
    return fail(oneDnnStatusText(status));
  plan.list.push_back({argument, entry.memory.get()});
  plan.arguments.push_back(std::move(entry));
  return Status::success();
}

Status OneDnnCall::addOperand(CallPlan &plan, int argument, int32_t position,
                              const CallOperand &operand) const {
  dnnl_memory_desc_t layout;
  if (!describe(context.dnnl(), operand, layout))
    return fail("oneDNN refuses the layout of an operand");
  return addMemory(plan, argument, position, layout);
}

Status OneDnnCall::addConverted(CallPlan &plan, int argument,
                                const dnnl_memory_desc_t &from,
                                const dnnl_memory_desc_t &to,
                                const dnnl_memory_desc_t &wanted) const {
  plan.reorder = std::make_unique<Reorder>();
  if (Status created = plan.reorder->create(context, from, to); !created)
    return fail(created.error());
  plan.convertedBytes =
      static_cast<int64_t>(context.dnnl().memory_desc_get_size(&wanted));
  plan.convertedArgument = plan.arguments.size();
  return addMemory(plan, argument, -1, wanted);
}

/// A line of caches, which blocks of memory begin at, too.
static constexpr int64_t kAlignment = 64;

Status OneDnnCall::addScratch(CallPlan &plan) const {
  const OneDnn &dnnl = context.dnnl();
  const dnnl_memory_desc_t scratch = *dnnl.primitive_desc_query_md(
      plan.descriptor.get(), dnnl_query_scratchpad_md, 0);
  auto bytes = static_cast<int64_t>(dnnl.memory_desc_get_size(&scratch));
  plan.convertedOffset = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  plan.scratchBytes = plan.convertedOffset + plan.convertedBytes;
  if (Expected<char *> data = context.scratchpad(plan.scratchBytes); !data)
    return fail(data.error());
  if (bytes == 0)
    return Status::success();
  plan.scratchArgument = plan.arguments.size();
  return addMemory(plan, DNNL_ARG_SCRATCHPAD, -1, scratch);
}

Expected<char *> OneDnnCall::findConverted(const CallPlan &plan) const {
  Expected<char *> data = context.scratchpad(plan.scratchBytes);
  if (!data)
    return fail(data.error());
  return *data + plan.convertedOffset;
}

Status OneDnnCall::addPostOpOperands(CallPlan &plan,
                                     const std::vector<CallOperand> &operands,
                                     int32_t first, int32_t earlier) const {
  int32_t last = call.num_operands - 1, operand = first;
  plan.tail.start(operands[last], last);
  for (int32_t i = 0; i < call.num_post_ops; ++i) {
    int32_t position = isBinaryPostOp(call.post_ops[i].kind) ? operand++ : -1;
    if (i >= plan.fusedPostOps) {
      if (!plan.tail.add(call.post_ops[i],
                         position < 0 ? nullptr : &operands[position],
                         position))
        return fail("its post-ops are not supported for these types");
    } else if (position >= 0) {
      int argument = DNNL_ARG_ATTR_MULTIPLE_POST_OP(earlier + i);
      if (Status status = addOperand(plan, argument | DNNL_ARG_SRC_1, position,
                                     operands[position]);
          !status)
        return status;
    }
  }
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Status OneDnnCall::run(void *const *buffers) {
  CallPlan &plan = *selected;
  if (plan.isEmpty)
    return Status::success();
  int threads = plan.isSmall ? 1 : defaultThreads();
  ThreadScope scope(threads);
  int watched = watchedExceptions(plan);
  if (watched == 0)
    return execute(plan, buffers);
  // The result cannot be recomputed if it overwrites an operand.
  const void *result = buffers[call.num_operands - 1];
  for (int32_t i = 0; i + 1 < call.num_operands; ++i)
    if (buffers[i] == result)
      return planAndExecute(plan, buffers);
  // Instructions that lose a NaN (or similar) set a flag, which stays set until
  // it is cleared: anything earlier may have set it, hence the second attempt.
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (Status status = execute(plan, buffers); !status)
      return status;
    if (!takeExceptions(threads, watched))
      return Status::success();
  }
  return planAndExecute(plan, buffers);
}

/// Marks library work, because executeCarefully may create a plan during a run.
Status OneDnnCall::planAndExecute(CallPlan &plan, void *const *buffers) {
  LibraryWork work;
  return executeCarefully(plan, buffers);
}

Status OneDnnCall::execute(CallPlan &plan, void *const *buffers) {
  if (plan.isCareful)
    return planAndExecute(plan, buffers);
  const OneDnn &dnnl = context.dnnl();
  dnnl_status_t status = dnnl_success;
  auto place = [&](CallPlan::Argument &argument, void *data) {
    if (status != dnnl_success || argument.data == data)
      return;
    status = dnnl.memory_set_data_handle(argument.memory.get(), data);
    argument.data = status == dnnl_success ? data : nullptr;
  };
  for (CallPlan::Argument &argument : plan.arguments)
    if (argument.operand >= 0)
      place(argument, buffers[argument.operand]);
  if (plan.scratchBytes > 0) {
    // The shared scratch memory moves when another plan makes it grow.
    Expected<char *> data = context.scratchpad(plan.scratchBytes);
    if (!data)
      return fail(data.error());
    if (plan.scratchArgument)
      place(plan.arguments[*plan.scratchArgument], *data);
    if (plan.reorder)
      place(plan.arguments[plan.convertedArgument],
            *data + plan.convertedOffset);
  }
  if (status == dnnl_success)
    status = dnnl.primitive_execute(plan.primitive.get(), context.stream(),
                                    static_cast<int>(plan.list.size()),
                                    plan.list.data());
  if (status != dnnl_success)
    return fail(oneDnnStatusText(status));
  if (!plan.tail.isEmpty())
    plan.tail.run(buffers);
  return Status::success();
}

const char *OneDnnCall::implementation() const {
  return selected ? selected->implementation.c_str() : nullptr;
}

} // namespace tenon::runtime
