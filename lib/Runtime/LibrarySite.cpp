//===- LibrarySite.cpp - a call of oneDNN -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibrarySite.h"

#include "SitePlan.h"

#include "tenon/Runtime/Parallel.h"

#include <algorithm>
#include <cstring>

using namespace tenon::artifact;

namespace tenon::runtime {

LibrarySite::LibrarySite(const tenon_step &step, DnnlContext &context)
    : step(step), site(*step.site), context(context) {}

LibrarySite::~LibrarySite() = default;

Error LibrarySite::fail(const std::string &what) const {
  return makeError("step '", step.name, "': ", what);
}

Expected<std::unique_ptr<LibrarySite>>
LibrarySite::create(const tenon_step &step, DnnlContext &context) {
  std::unique_ptr<LibrarySite> result(new LibrarySite(step, context));
  const tenon_site &site = *step.site;
  if (site.library != TENON_LIBRARY_ONEDNN)
    return result->fail(
        concat("library number ", site.library, " is unknown to this runtime"));
  if (site.kind < TENON_SITE_MATMUL || site.kind > TENON_SITE_CONV_TRANSPOSE)
    return result->fail(concat("library call number ", site.kind,
                               " is unknown to this runtime"));
  int32_t binaries = 0;
  for (int32_t i = 0; i < site.num_posts; ++i)
    binaries += isBinaryPost(site.posts[i].kind);
  int32_t expected = 3 + (site.has_bias ? 1 : 0) + binaries;
  if (site.num_operands != expected || step.num_buffers != expected)
    return result->fail(concat("expected ", expected, " operands, but got ",
                               site.num_operands, " operands and ",
                               step.num_buffers, " buffers"));
  for (int32_t i = 0; i < site.num_operands; ++i) {
    tenon_dtype dtype = site.operands[i].dtype;
    if (oneDnnType(dtype) == dnnl_data_type_undef)
      return result->fail(concat("oneDNN has no element type with code ",
                                 dtype.code, " and ", dtype.bits, " bits"));
  }
  return result;
}

Status LibrarySite::select(const int64_t *symbols, const void *rawWeight) {
  std::vector<SiteOperand> operands = readOperands(site, symbols);
  std::vector<int64_t> key;
  for (const SiteOperand &operand : operands)
    key.insert(key.end(), operand.dims.begin(), operand.dims.end());
  ++clock;
  for (const std::unique_ptr<Plan> &plan : plans)
    if (plan->key == key) {
      plan->lastUse = clock;
      selected = plan.get();
      return Status::success();
    }

  if (plans.size() == maxPlans) {
    auto oldest = std::min_element(
        plans.begin(), plans.end(),
        [](const auto &a, const auto &b) { return a->lastUse < b->lastUse; });
    plans.erase(oldest);
  }
  selected = nullptr;
  auto plan = std::make_unique<Plan>();
  plan->key = std::move(key);
  plan->lastUse = clock;
  if (Status status = makePlan(*plan, std::move(operands), rawWeight); !status)
    return status;
  plans.push_back(std::move(plan));
  selected = plans.back().get();
  return Status::success();
}

/// Multiplications that outweigh waking a second thread (half a microsecond
/// with libgomp on an idle machine; much more when cores are shared).
static constexpr double minParallelWork = 200000;

/// Of the call without what follows it.
static double countMultiplications(const tenon_site &site,
                                   const std::vector<SiteOperand> &operands) {
  auto volume = [](const SiteOperand &operand) {
    double product = 1;
    for (int64_t size : operand.dims)
      product *= static_cast<double>(size);
    return product;
  };
  const SiteOperand &lhs = operands[0], &rhs = operands[1];
  const SiteOperand &result = operands.back();
  if (site.kind == TENON_SITE_MATMUL)
    return volume(result) * static_cast<double>(lhs.dims.back());
  // Every weight meets every position: of the result, or of the input.
  bool forward = site.kind == TENON_SITE_CONV;
  const SiteOperand &positions = forward ? result : lhs;
  return volume(rhs) * volume(positions) /
         static_cast<double>(positions.dims[1]);
}

/// Whether a whole tensor (not one element per channel) is added or the like.
bool LibrarySite::addsTensor(const std::vector<SiteOperand> &operands) const {
  for (size_t i = 2 + (site.has_bias ? 1 : 0); i + 1 < operands.size(); ++i)
    if (operands[i].dims == operands.back().dims)
      return true;
  return false;
}

Status LibrarySite::makePlan(Plan &plan, std::vector<SiteOperand> operands,
                             const void *rawWeight) {
  for (const SiteOperand &operand : operands)
    for (int64_t size : operand.dims)
      if (size < 0)
        return fail(concat("an operand would have the size ", size));
  if (operands.back().isEmpty()) {
    plan.isEmpty = true;
    return Status::success();
  }
  if (operands[0].isEmpty() || operands[1].isEmpty())
    return planEmptySum(plan, std::move(operands));
  plan.isSmall = countMultiplications(site, operands) < minParallelWork;
  plan.operands = operands;
  ThreadScope scope(plan.isSmall ? 1 : defaultThreads());

  // With channels last, oneDNN 2.6.3 adds a whole tensor 3 to 8 % faster behind
  // its brgemm matmul than behind its 1x1 convolution, which has no brgemm
  // then.
  std::vector<SiteOperand> rows = operands;
  if (shapeConvAsMatmul(site, rows) && addsTensor(rows)) {
    plan.isMatmul = true;
    Status status = choosePrimitive(plan, rows);
    if (status && plan.implementation.compare(0, 3, "brg") == 0)
      return bindOperands(plan, rows, rawWeight);
  }
  plan.isMatmul = site.kind == TENON_SITE_MATMUL;
  if (plan.isMatmul)
    shapeMatmul(site, operands);
  else
    shapeConv(site, operands);
  const SiteOperand &result = operands.back();
  for (size_t i = 2 + (site.has_bias ? 1 : 0); i + 1 < operands.size(); ++i)
    for (size_t axis = 0; axis < result.dims.size(); ++axis)
      if (operands[i].dims[axis] != 1 &&
          operands[i].dims[axis] != result.dims[axis])
        return fail(concat("expected operand ", i, " to broadcast to ",
                           formatShape(result.dims), ", but got ",
                           formatShape(operands[i].dims)));
  if (Status status = choosePrimitive(plan, operands); !status)
    return status;
  return bindOperands(plan, operands, rawWeight);
}

/// oneDNN refuses operands without elements. Every sum is over none of them:
/// the result is 0, before the bias and what follows.
Status LibrarySite::planEmptySum(Plan &plan,
                                 std::vector<SiteOperand> operands) const {
  plan.implementation = "zeros";
  const SiteOperand result = operands.back();
  plan.zeroedBytes = sizeof(float);
  for (int64_t size : result.dims)
    plan.zeroedBytes *= static_cast<size_t>(size);
  int32_t last = site.num_operands - 1, operand = 2;
  plan.tail.start(result, last);
  if (site.has_bias) {
    // Of a convolution: one element per channel.
    SiteOperand &bias = operands[operand];
    if (site.kind != TENON_SITE_MATMUL && bias.rank() == 1) {
      bias.dims.insert(bias.dims.end(), result.rank() - 2, 1);
      bias.strides.insert(bias.strides.end(), result.rank() - 2, 1);
    }
    bias.extendTo(result.rank());
    if (!plan.tail.add({TENON_POST_ADD, 0, 0}, &bias, operand++))
      return fail("its bias is not supported for a sum over no elements");
  }
  for (int32_t i = 0; i < site.num_posts; ++i) {
    int32_t position = isBinaryPost(site.posts[i].kind) ? operand++ : -1;
    if (position >= 0)
      operands[position].extendTo(result.rank());
    if (!plan.tail.add(site.posts[i],
                       position < 0 ? nullptr : &operands[position], position))
      return fail("what follows a sum over no elements is not supported");
  }
  return Status::success();
}

Status LibrarySite::addMemory(Plan &plan, int argument, int32_t operand,
                              const dnnl_memory_desc_t &layout) const {
  Plan::Argument entry;
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

Status LibrarySite::bindOperands(Plan &plan,
                                 const std::vector<SiteOperand> &operands,
                                 const void *rawWeight) {
  const OneDnn &dnnl = context.dnnl();
  int32_t last = site.num_operands - 1;
  auto add = [&](int argument, int32_t operand) -> Status {
    dnnl_memory_desc_t layout;
    if (!operands[operand].describe(dnnl, layout))
      return fail("oneDNN refuses the layout of an operand");
    return addMemory(plan, argument, operand, layout);
  };
  if (Status status = add(DNNL_ARG_SRC, 0); !status)
    return status;
  if (Status status = add(DNNL_ARG_DST, last); !status)
    return status;
  int32_t operand = 2;
  if (site.has_bias)
    if (Status status = add(DNNL_ARG_BIAS, operand++); !status)
      return status;
  plan.tail.start(operands[last], last);
  for (int32_t i = 0; i < site.num_posts; ++i) {
    int32_t position = isBinaryPost(site.posts[i].kind) ? operand++ : -1;
    if (i >= plan.fusedPosts) {
      if (!plan.tail.add(site.posts[i],
                         position < 0 ? nullptr : &operands[position],
                         position))
        return fail("what follows it is not supported for these types");
    } else if (position >= 0) {
      if (Status status =
              add(DNNL_ARG_ATTR_MULTIPLE_POST_OP(i) | DNNL_ARG_SRC_1, position);
          !status)
        return status;
    }
  }

  // Where the weight's layout is another than the raw one, it is packed: once
  // when it is constant, else at every call.
  dnnl_memory_desc_t plain;
  if (!operands[1].describe(dnnl, plain))
    return fail("oneDNN refuses the layout of the weight");
  const dnnl_memory_desc_t wanted = *dnnl.primitive_desc_query_md(
      plan.descriptor.get(), dnnl_query_weights_md, 0);
  bool same = dnnl.memory_desc_equal(&plain, &wanted);
  if (same && (rawWeight || !site.constant_weight)) {
    usesRaw = true;
    if (Status status = addMemory(plan, DNNL_ARG_WEIGHTS, 1, plain); !status)
      return status;
  } else {
    if (Status status = addMemory(plan, DNNL_ARG_WEIGHTS, -1, wanted); !status)
      return status;
    const void *data;
    if (site.constant_weight) {
      Expected<const void *> packed =
          context.pack(step.buffers[1], rawWeight, plain, wanted);
      if (!packed)
        return fail(packed.error());
      data = *packed;
      hasPacked = true;
    } else {
      Expected<Block> block = Block::allocate(
          static_cast<int64_t>(dnnl.memory_desc_get_size(&wanted)),
          "a converted weight");
      if (!block)
        return fail(block.error());
      plan.converted = std::move(*block);
      data = plan.converted.data();
      plan.reorder = std::make_unique<Reorder>();
      if (Status status = plan.reorder->create(context, plain, wanted); !status)
        return fail(status.error());
    }
    dnnl.memory_set_data_handle(plan.arguments.back().memory.get(),
                                const_cast<void *>(data));
  }

  const dnnl_memory_desc_t scratch = *dnnl.primitive_desc_query_md(
      plan.descriptor.get(), dnnl_query_scratchpad_md, 0);
  plan.scratchBytes = static_cast<int64_t>(dnnl.memory_desc_get_size(&scratch));
  if (plan.scratchBytes > 0) {
    if (Expected<char *> data = context.scratchpad(plan.scratchBytes); !data)
      return fail(data.error());
    plan.scratchArgument = plan.arguments.size();
    if (Status status = addMemory(plan, DNNL_ARG_SCRATCHPAD, -1, scratch);
        !status)
      return status;
  }
  return Status::success();
}

Status LibrarySite::run(void *const *buffers) {
  Plan &plan = *selected;
  if (plan.isEmpty)
    return Status::success();
  int threads = plan.isSmall ? 1 : defaultThreads();
  ThreadScope scope(threads);
  if (!dropsNan(plan.fusedPosts))
    return execute(plan, buffers);
  // In the memory of an operand, the result can't be computed again.
  const void *result = buffers[site.num_operands - 1];
  for (int32_t i = 0; i + 1 < site.num_operands; ++i)
    if (buffers[i] == result)
      return executeCarefully(plan, buffers);
  // The instructions that lose a NaN say so by a flag, which stays until it is
  // cleared: what raised it may have been anything before.
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (Status status = execute(plan, buffers); !status)
      return status;
    if (!takeInvalidFlag(threads))
      return Status::success();
  }
  return executeCarefully(plan, buffers);
}

Status LibrarySite::executeCarefully(Plan &plan, void *const *buffers) {
  if (!plan.careful) {
    auto careful = std::make_unique<Plan>();
    careful->mayFuse = 0;
    while (!dropsNan(careful->mayFuse + 1))
      ++careful->mayFuse;
    if (Status status =
            makePlan(*careful, plan.operands, usesRaw ? buffers[1] : nullptr);
        !status)
      return status;
    plan.careful = std::move(careful);
  }
  return execute(*plan.careful, buffers);
}

Status LibrarySite::execute(Plan &plan, void *const *buffers) {
  if (plan.zeroedBytes > 0) {
    std::memset(buffers[site.num_operands - 1], 0, plan.zeroedBytes);
    if (!plan.tail.isEmpty())
      plan.tail.run(buffers);
    return Status::success();
  }
  const OneDnn &dnnl = context.dnnl();
  if (plan.reorder)
    if (Status status =
            plan.reorder->run(context, buffers[1], plan.converted.data());
        !status)
      return fail(status.error());
  for (Plan::Argument &argument : plan.arguments)
    if (argument.operand >= 0 && argument.data != buffers[argument.operand]) {
      argument.data = buffers[argument.operand];
      dnnl.memory_set_data_handle(argument.memory.get(),
                                  const_cast<void *>(argument.data));
    }
  if (plan.scratchBytes > 0) {
    // The shared scratch memory moves when another plan makes it grow.
    Plan::Argument &scratch = plan.arguments[plan.scratchArgument];
    if (scratch.data != context.currentScratchpad()) {
      scratch.data = context.currentScratchpad();
      dnnl.memory_set_data_handle(scratch.memory.get(),
                                  const_cast<void *>(scratch.data));
    }
  }
  dnnl_status_t status = dnnl.primitive_execute(
      plan.primitive.get(), context.stream(),
      static_cast<int>(plan.list.size()), plan.list.data());
  if (status != dnnl_success)
    return fail(oneDnnStatusText(status));
  if (!plan.tail.isEmpty())
    plan.tail.run(buffers);
  return Status::success();
}

const char *LibrarySite::implementation() const {
  return selected ? selected->implementation.c_str() : nullptr;
}

int64_t LibrarySite::memoryBytes() const {
  int64_t sum = 0;
  for (const std::unique_ptr<Plan> &plan : plans)
    sum += plan->converted.size() +
           (plan->careful ? plan->careful->converted.size() : 0);
  return sum;
}

} // namespace tenon::runtime
