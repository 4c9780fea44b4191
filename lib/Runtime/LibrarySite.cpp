//===- LibrarySite.cpp - a call of oneDNN -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibrarySite.h"

#include "PostTail.h"

#include "tenon/Runtime/Parallel.h"

#include <algorithm>
#include <string>

using namespace tenon::artifact;

namespace tenon::runtime {

/// What oneDNN prepared for one set of shapes.
struct LibrarySite::Plan {
  /// An argument of the primitive and where its data comes from.
  struct Argument {
    DnnlHandle<dnnl_memory_t> memory;
    int32_t operand; // position in the step's buffers; -1: never moves
    const void *data = nullptr;
  };

  std::vector<int64_t> key; // sizes of all operands
  bool isEmpty = false;     // the result has no elements
  bool isSmall = false;     // not worth a second thread
  uint64_t lastUse = 0;
  std::string implementation;
  DnnlHandle<dnnl_primitive_t> primitive;
  std::vector<Argument> arguments;
  std::vector<dnnl_exec_arg_t> list; // as dnnl_primitive_execute takes them
  int64_t scratchBytes = 0;
  size_t scratchArgument = 0;
  /// Converts a weight that is not constant, at every call.
  std::unique_ptr<Reorder> reorder;
  Block converted;
  PostTail tail;
};

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

/// Whether an operand has the result's sizes, or one element per channel (axis
/// 1 of a convolution, the last of a matmul), or one element.
static bool isPlainBroadcast(const SiteOperand &operand,
                             const SiteOperand &result, size_t channelAxis) {
  bool full = true, channels = true, scalar = true;
  for (size_t i = 0; i < result.dims.size(); ++i) {
    full &= operand.dims[i] == result.dims[i];
    channels &= operand.dims[i] == (i == channelAxis ? result.dims[i] : 1);
    scalar &= operand.dims[i] == 1;
  }
  return full || channels || scalar;
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
  for (const SiteOperand &operand : operands)
    if (operand.isEmpty())
      return fail("a sum over no elements is not supported");
  if (site.kind == TENON_SITE_MATMUL)
    shapeMatmul(site, operands);
  else
    shapeConv(site, operands);
  plan.isSmall = countMultiplications(site, operands) < minParallelWork;
  const SiteOperand &result = operands.back();
  for (size_t i = 2 + (site.has_bias ? 1 : 0); i + 1 < operands.size(); ++i)
    for (size_t axis = 0; axis < result.dims.size(); ++axis)
      if (operands[i].dims[axis] != 1 &&
          operands[i].dims[axis] != result.dims[axis])
        return fail(concat("expected operand ", i, " to broadcast to ",
                           formatShape(result.dims), ", but got ",
                           formatShape(operands[i].dims)));
  ThreadScope scope(plan.isSmall ? 1 : defaultThreads());
  return bindOperands(plan, operands, rawWeight);
}

/// The first `count` posts in oneDNN's terms.
Status LibrarySite::addPosts(const std::vector<SiteOperand> &operands,
                             int32_t count, dnnl_post_ops_t posts) const {
  const OneDnn &dnnl = context.dnnl();
  size_t operand = 2 + (site.has_bias ? 1 : 0);
  for (int32_t i = 0; i < count; ++i) {
    const tenon_post &post = site.posts[i];
    float alpha = post.alpha, beta = post.beta;
    dnnl_alg_kind_t kind;
    switch (post.kind) {
    case TENON_POST_RELU:
      kind = dnnl_eltwise_relu;
      break;
    case TENON_POST_GELU_ERF:
      kind = dnnl_eltwise_gelu_erf;
      break;
    case TENON_POST_GELU_TANH:
      kind = dnnl_eltwise_gelu_tanh;
      break;
    case TENON_POST_TANH:
      kind = dnnl_eltwise_tanh;
      break;
    case TENON_POST_SIGMOID:
      kind = dnnl_eltwise_logistic;
      break;
    case TENON_POST_CLIP:
      kind = dnnl_eltwise_clip;
      break;
    case TENON_POST_ELU:
      kind = dnnl_eltwise_elu;
      break;
    case TENON_POST_SWISH:
      kind = dnnl_eltwise_swish;
      break;
    case TENON_POST_LINEAR:
      kind = dnnl_eltwise_linear;
      break;
    case TENON_POST_EXP:
      kind = dnnl_eltwise_exp;
      break;
    case TENON_POST_SQRT:
      kind = dnnl_eltwise_sqrt;
      break;
    case TENON_POST_ABS:
      kind = dnnl_eltwise_abs;
      break;
    case TENON_POST_ADD:
      kind = dnnl_binary_add;
      break;
    case TENON_POST_MUL:
      kind = dnnl_binary_mul;
      break;
    case TENON_POST_SUB:
      kind = dnnl_binary_sub;
      break;
    case TENON_POST_DIV:
      kind = dnnl_binary_div;
      break;
    case TENON_POST_MAX:
      kind = dnnl_binary_max;
      break;
    case TENON_POST_MIN:
      kind = dnnl_binary_min;
      break;
    default:
      return fail(concat("what follows it, number ", post.kind,
                         ", is unknown to this runtime"));
    }
    dnnl_status_t status;
    if (isBinaryPost(post.kind)) {
      dnnl_memory_desc_t layout;
      if (!operands[operand++].describe(dnnl, layout))
        return fail("oneDNN refuses the layout of an operand");
      status = dnnl.post_ops_append_binary(posts, kind, &layout);
    } else {
      status = dnnl.post_ops_append_eltwise(posts, 1.0f, kind, alpha, beta);
    }
    if (status != dnnl_success)
      return fail(concat("what follows it: ", oneDnnStatusText(status)));
  }
  return Status::success();
}

Status LibrarySite::createPrimitive(Plan &plan,
                                    const std::vector<SiteOperand> &operands,
                                    int32_t fusedPosts,
                                    dnnl_primitive_desc_t *descriptor) const {
  const OneDnn &dnnl = context.dnnl();
  DnnlHandle<dnnl_post_ops_t> posts(dnnl.post_ops_destroy);
  DnnlHandle<dnnl_primitive_attr_t> attributes(dnnl.primitive_attr_destroy);
  dnnl_status_t status = dnnl.post_ops_create(posts.out());
  if (status == dnnl_success)
    status = dnnl.primitive_attr_create(attributes.out());
  if (status == dnnl_success)
    status = dnnl.primitive_attr_set_scratchpad_mode(attributes.get(),
                                                     dnnl_scratchpad_mode_user);
  if (status != dnnl_success)
    return fail(oneDnnStatusText(status));
  if (Status added = addPosts(operands, fusedPosts, posts.get()); !added)
    return added;
  status = dnnl.primitive_attr_set_post_ops(attributes.get(), posts.get());
  if (status != dnnl_success)
    return fail(oneDnnStatusText(status));

  dnnl_memory_desc_t source, weight, bias, result;
  if (!operands[0].describe(dnnl, source) ||
      !operands.back().describe(dnnl, result) ||
      !operands[1].describe(dnnl, weight) ||
      (site.has_bias && !operands[2].describe(dnnl, bias)))
    return fail("oneDNN refuses the layout of an operand");
  const dnnl_memory_desc_t *optionalBias = site.has_bias ? &bias : nullptr;
  if (site.kind == TENON_SITE_MATMUL) {
    // A weight that is not constant is read once per call: converting it first
    // costs as much as it saves.
    if (site.constant_weight)
      weight = operands[1].describeAny();
    dnnl_matmul_desc_t description;
    status = dnnl.matmul_desc_init(&description, &source, &weight, optionalBias,
                                   &result);
    if (status == dnnl_success)
      status =
          dnnl.primitive_desc_create(descriptor, &description, attributes.get(),
                                     context.engine(), nullptr);
  } else {
    // oneDNN is many times slower on weights in other layouts than its own.
    weight = operands[1].describeAny();
    dnnl_dims_t strides, dilations, begins, ends;
    const SiteOperand &kernel = operands[1];
    int64_t firstKernel = kernel.rank() - site.num_spatial;
    for (int32_t i = 0; i < site.num_spatial; ++i) {
      strides[i] = site.strides[i];
      dilations[i] = site.dilations[i] - 1;
      begins[i] = site.pads_begin[i];
      // From the sizes: rounding down leaves a rest that pads_end has and
      // oneDNN does not expect.
      int64_t in = operands[0].dims[2 + i], out = operands.back().dims[2 + i];
      int64_t extent =
          (kernel.dims[firstKernel + i] - 1) * site.dilations[i] + 1;
      ends[i] = site.kind == TENON_SITE_CONV
                    ? (out - 1) * strides[i] + extent - in - begins[i]
                    : (in - 1) * strides[i] + extent - out - begins[i];
    }
    if (site.kind == TENON_SITE_CONV) {
      dnnl_convolution_desc_t description;
      status = dnnl.dilated_convolution_forward_desc_init(
          &description, dnnl_forward_inference, dnnl_convolution_direct,
          &source, &weight, optionalBias, &result, strides, dilations, begins,
          ends);
      if (status == dnnl_success)
        status = dnnl.primitive_desc_create(descriptor, &description,
                                            attributes.get(), context.engine(),
                                            nullptr);
    } else {
      dnnl_deconvolution_desc_t description;
      status = dnnl.dilated_deconvolution_forward_desc_init(
          &description, dnnl_forward_inference, dnnl_deconvolution_direct,
          &source, &weight, optionalBias, &result, strides, dilations, begins,
          ends);
      if (status == dnnl_success)
        status = dnnl.primitive_desc_create(descriptor, &description,
                                            attributes.get(), context.engine(),
                                            nullptr);
    }
  }
  if (status != dnnl_success)
    return fail(oneDnnStatusText(status));

  plan.primitive = DnnlHandle<dnnl_primitive_t>(dnnl.primitive_destroy);
  status = dnnl.primitive_create(plan.primitive.out(), *descriptor);
  if (status != dnnl_success)
    return fail(oneDnnStatusText(status));
  const char *name = nullptr;
  dnnl.primitive_desc_query(*descriptor, dnnl_query_impl_info_str, 0, &name);
  plan.implementation = name ? name : "";
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

/// Creates the primitive with as many posts as oneDNN does well. It accepts
/// broadcasts that only its reference code can do (matmul, a thousand times
/// slower) or, with channels last, that it does wrong (2.6.3, convolution,
/// broadcasts along spatial axes).
Status LibrarySite::choosePrimitive(
    Plan &plan, const std::vector<SiteOperand> &operands,
    DnnlHandle<dnnl_primitive_desc_t> &descriptor, int32_t &fusedPosts) const {
  bool isMatmul = site.kind == TENON_SITE_MATMUL;
  size_t channelAxis = isMatmul ? operands.back().dims.size() - 1 : 1;
  size_t operand = 2 + (site.has_bias ? 1 : 0);
  int32_t plain = 0; // posts before the first unusual broadcast
  for (; plain < site.num_posts; ++plain)
    if (isBinaryPost(site.posts[plain].kind) &&
        !isPlainBroadcast(operands[operand++], operands.back(), channelAxis))
      break;
  std::vector<int32_t> counts;
  if (isMatmul && plain != site.num_posts)
    counts.push_back(site.num_posts);
  counts.push_back(plain);
  if (plain != 0)
    counts.push_back(0);
  Status status;
  for (int32_t count : counts) {
    descriptor = DnnlHandle<dnnl_primitive_desc_t>(
        context.dnnl().primitive_desc_destroy);
    fusedPosts = count;
    status = createPrimitive(plan, operands, count, descriptor.out());
    if (status && plan.implementation.compare(0, 3, "ref") != 0)
      return status;
  }
  return status;
}

Status LibrarySite::bindOperands(Plan &plan,
                                 const std::vector<SiteOperand> &operands,
                                 const void *rawWeight) {
  const OneDnn &dnnl = context.dnnl();
  DnnlHandle<dnnl_primitive_desc_t> descriptor(dnnl.primitive_desc_destroy);
  int32_t fusedPosts = 0;
  if (Status status = choosePrimitive(plan, operands, descriptor, fusedPosts);
      !status)
    return status;

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
    if (i >= fusedPosts) {
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
  const dnnl_memory_desc_t wanted =
      *dnnl.primitive_desc_query_md(descriptor.get(), dnnl_query_weights_md, 0);
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
      descriptor.get(), dnnl_query_scratchpad_md, 0);
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
  ThreadScope scope(plan.isSmall ? 1 : defaultThreads());
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
    sum += plan->converted.size();
  return sum;
}

} // namespace tenon::runtime
