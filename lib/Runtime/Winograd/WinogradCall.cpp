//===- WinogradCall.cpp - Winograd convolution with oneDNN's matmul -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WinogradCall.h"

#include "../OneDnn/CallPlan.h"

#include "tenon/Runtime/Parallel.h"

#include <algorithm>
#include <array>

using namespace tenon::artifact;

namespace tenon::runtime {

/// Transformed tiles and products that are processed at a time: half of a
/// second-level cache, so that the rest stays available to other layers; but
/// enough tiles to reuse the weights well. Measured (AVX-512, 2 MiB of
/// second-level cache) with 16 to 784 tiles and 64 to 512 channels, some 100
/// tiles were as good as more, and 16 took up to twice as long.
static constexpr int64_t partBytes = 1 << 20;
static constexpr int64_t leastRows = 96;

/// Aligns the size of a buffer's part, so that the next part is aligned.
static int64_t alignBytes(int64_t bytes) { return (bytes + 63) / 64 * 64; }

namespace {
int64_t getTransformedBytes(const WinogradShape &shape, int64_t rows) {
  return alignBytes(shape.points() * rows * shape.channels * 4);
}
int64_t getProductBytes(const WinogradShape &shape, int64_t rows) {
  return alignBytes(shape.points() * rows * shape.groups *
                    shape.filledFilters() * 4);
}

/// Returns whether the axes have this order in memory, without gaps.
bool liesAs(const CallOperand &operand, std::array<size_t, 4> order) {
  int64_t stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    size_t axis = order[i];
    if (operand.dims[axis] > 1 && operand.strides[axis] != stride)
      return false;
    stride *= operand.dims[axis];
  }
  return isFloat(operand.dtype, 32);
}
constexpr std::array<size_t, 4> channelsLast = {0, 2, 3, 1};

struct WeightTransform {
  const WinogradShape &shape;
  const float *weights;
  float *transformed;

  static void run(void *data, int, int64_t lo, int64_t hi) {
    auto &call = *static_cast<WeightTransform *>(data);
    transformWeights(call.shape, call.weights, lo, hi, call.transformed);
  }
};
} // namespace

/// Returns the convolution if Winograd.h supports the call.
std::optional<WinogradShape>
WinogradCall::readShape(const std::vector<CallOperand> &operands) const {
  const CallOperand &input = operands[0], &weight = operands[1];
  const CallOperand &result = operands.back();
  const auto &conv = getFields<tenon_convolution>(call);
  if (!call.constant_weight || conv.num_spatial != 2 || input.isEmpty() ||
      weight.isEmpty() || weight.dims[2] != weight.dims[3] ||
      (weight.dims[2] != 3 && weight.dims[2] != 5) ||
      weight.dims[1] < winogradLeastChannels || !liesAs(input, channelsLast) ||
      !liesAs(result, channelsLast) || !liesAs(weight, {0, 1, 2, 3}))
    return std::nullopt;
  for (int axis : {0, 1})
    if (conv.strides[axis] != 1 || conv.dilations[axis] != 1)
      return std::nullopt;
  WinogradShape shape;
  shape.batch = input.dims[0];
  shape.channels = input.dims[1];
  shape.height = input.dims[2];
  shape.width = input.dims[3];
  shape.filters = result.dims[1];
  shape.outHeight = result.dims[2];
  shape.outWidth = result.dims[3];
  shape.groups = conv.groups;
  shape.padTop = conv.pads_begin[0];
  shape.padLeft = conv.pads_begin[1];
  shape.window = weight.dims[2];
  shape.tile = chooseWinogradTile(shape);
  return shape;
}

Status WinogradCall::makePlan(CallPlan &plan, std::vector<CallOperand> operands,
                              const void *rawWeight) {
  plan.winograd = readShape(operands);
  if (!plan.winograd)
    return ProductCall::makePlan(plan, std::move(operands), rawWeight);
  const WinogradShape &shape = *plan.winograd;
  int64_t perRow = shape.points() *
                   (shape.channels + shape.groups * shape.filledFilters()) * 4;
  int64_t most = std::max(partBytes / perRow, leastRows);
  int64_t parts = (shape.tiles() + most - 1) / most;
  plan.winogradRows = (shape.tiles() + parts - 1) / parts;
  if (Status status = addTail(plan, std::move(operands)); !status)
    return status;
  if (Status status = createProduct(plan); !status)
    return status;
  return bindWeight(plan, rawWeight);
}

/// Adds the epilogue, except the bias and a relu directly after it.
Status WinogradCall::addTail(CallPlan &plan,
                             std::vector<CallOperand> operands) const {
  shapeConv(call, operands);
  plan.fusedPostOps = call.num_post_ops > 0 &&
                      call.post_ops[0].kind == TENON_POST_OP_RELU &&
                      call.post_ops[0].alpha == 0;
  // A fused post-op has no operand, because it is not binary.
  return addPostOpOperands(plan, operands, firstPostOperand(call),
                           /*earlier=*/0);
}

/// Computes the products of all points and groups, as one batched matrix
/// product.
Status WinogradCall::createProduct(CallPlan &plan) const {
  const OneDnn &dnnl = context.dnnl();
  const WinogradShape &shape = *plan.winograd;
  int64_t batches = shape.groups * shape.points(), rows = plan.winogradRows;
  auto makeOperand = [&](int64_t height, int64_t width) {
    CallOperand operand;
    operand.dtype = {TENON_DL_FLOAT, 32, 1};
    operand.dims = {batches, height, width};
    operand.strides = {height * width, width, 1};
    return operand;
  };
  int64_t channels = shape.channels / shape.groups;
  int64_t filters = shape.filledFilters();
  CallOperand input = makeOperand(rows, channels);
  CallOperand weight = makeOperand(channels, filters);
  CallOperand result = makeOperand(rows, filters);
  dnnl_memory_desc_t source, target, any = describeAny(weight);
  if (!describe(dnnl, input, source) || !describe(dnnl, result, target))
    return fail("oneDNN refuses the layout of transformed tiles");
  dnnl_matmul_desc_t description;
  dnnl_status_t status =
      dnnl.matmul_desc_init(&description, &source, &any, nullptr, &target);
  if (Status created = createPlainPrimitive(plan, status, &description);
      !created)
    return created;
  plan.implementation = concat("winograd ", shape.tile, "x", shape.tile, ", ",
                               plan.implementation);

  // The arguments must be in the order that `execute` expects.
  if (Status added = addMemory(plan, DNNL_ARG_SRC, -1, source); !added)
    return added;
  if (Status added = addMemory(plan, DNNL_ARG_DST, -1, target); !added)
    return added;
  const dnnl_memory_desc_t scratch = *dnnl.primitive_desc_query_md(
      plan.descriptor.get(), dnnl_query_scratchpad_md, 0);
  if (Status added = addMemory(plan, DNNL_ARG_SCRATCHPAD, -1, scratch); !added)
    return added;
  plan.scratchBytes = getTransformedBytes(shape, rows) +
                      getProductBytes(shape, rows) +
                      static_cast<int64_t>(dnnl.memory_desc_get_size(&scratch));
  if (Expected<char *> data = context.scratchpad(plan.scratchBytes); !data)
    return fail(data.error());
  return Status::success();
}

Status WinogradCall::bindWeight(CallPlan &plan, const void *rawWeight) {
  const OneDnn &dnnl = context.dnnl();
  const WinogradShape &shape = *plan.winograd;
  const dnnl_memory_desc_t wanted = *dnnl.primitive_desc_query_md(
      plan.descriptor.get(), dnnl_query_weights_md, 0);
  const std::string kind = concat("winograd ", shape.tile, " ", shape.window);
  CallOperand operand;
  operand.dtype = {TENON_DL_FLOAT, 32, 1};
  int64_t channels = shape.channels / shape.groups;
  int64_t filters = shape.filledFilters();
  operand.dims = {shape.groups * shape.points(), channels, filters};
  operand.strides = {channels * filters, filters, 1};
  dnnl_memory_desc_t plain;
  if (!describe(dnnl, operand, plain))
    return fail("oneDNN refuses the layout of transformed weights");
  const void *packed = context.findPacked(step.buffers[1], kind, plain, wanted);
  if (!packed) {
    Block transformed;
    auto transform = [&]() -> Expected<const void *> {
      if (!rawWeight)
        return static_cast<const void *>(nullptr);
      Expected<Block> block = Block::allocate(
          context.memory(),
          static_cast<int64_t>(dnnl.memory_desc_get_size(&plain)),
          "a transformed weight");
      if (!block)
        return block.takeError();
      transformed = std::move(*block);
      WeightTransform call{shape, static_cast<const float *>(rawWeight),
                           reinterpret_cast<float *>(transformed.data())};
      if (!context.memory().isPlanned())
        parallelFor(shape.channels, 1, defaultThreads(), WeightTransform::run,
                    &call);
      return static_cast<const void *>(transformed.data());
    };
    Expected<const void *> converted =
        context.pack(step.buffers[1], kind, transform, plain, wanted);
    if (!converted)
      return fail(converted.error());
    packed = *converted;
  }
  if (Status status = addMemory(plan, DNNL_ARG_WEIGHTS, -1, wanted); !status)
    return status;
  context.dnnl().memory_set_data_handle(plan.arguments.back().memory.get(),
                                        const_cast<void *>(packed));
  return Status::success();
}

int WinogradCall::watchedExceptions(const CallPlan &plan) const {
  return plan.winograd ? 0 : ProductCall::watchedExceptions(plan);
}

/// Tiles that are transformed and multiplied together.
struct WinogradCall::Part {
  const CallPlan &plan;
  void *const *buffers;
  const float *input, *weights;
  float *transformed, *products, *result;
  WinogradEnd end;
  int64_t first;
};

void WinogradCall::transformInput(void *data, int, int64_t lo, int64_t hi) {
  const Part &part = *static_cast<const Part *>(data);
  for (int64_t row = lo; row < hi; ++row)
    transformTile(*part.plan.winograd, part.input, part.first + row, row,
                  part.plan.winogradRows, part.transformed);
}

void WinogradCall::transformResult(void *data, int, int64_t lo, int64_t hi) {
  const Part &part = *static_cast<const Part *>(data);
  const WinogradShape &shape = *part.plan.winograd;
  for (int64_t row = lo; row < hi; ++row) {
    int64_t tile = part.first + row;
    if (!transformProducts(shape, part.products, tile, row,
                           part.plan.winogradRows, part.end, part.result))
      convolveTile(shape, part.input, part.weights, tile, part.end,
                   part.result);
    if (part.plan.tail.isEmpty())
      continue;
    int64_t image = tile / (shape.tilesDown() * shape.tilesAcross());
    int64_t y = tile / shape.tilesAcross() % shape.tilesDown() * shape.tile;
    int64_t x = tile % shape.tilesAcross() * shape.tile;
    int64_t width = std::min(shape.tile, shape.outWidth - x);
    for (int64_t end = std::min(y + shape.tile, shape.outHeight); y < end;
         ++y) {
      int64_t position = (image * shape.outHeight + y) * shape.outWidth + x;
      part.plan.tail.runRows(part.buffers, position, position + width);
    }
  }
}

Status WinogradCall::execute(CallPlan &plan, void *const *buffers) {
  if (!plan.winograd)
    return ProductCall::execute(plan, buffers);
  const OneDnn &dnnl = context.dnnl();
  const WinogradShape &shape = *plan.winograd;
  int64_t rows = plan.winogradRows;
  Expected<char *> memory = context.scratchpad(plan.scratchBytes);
  if (!memory)
    return fail(memory.error());
  char *transformed = *memory;
  char *products = transformed + getTransformedBytes(shape, rows);
  char *scratch = products + getProductBytes(shape, rows);
  char *places[] = {transformed, products, scratch};
  for (int i = 0; i < 3; ++i)
    if (dnnl_status_t status = dnnl.memory_set_data_handle(
            plan.arguments[i].memory.get(), places[i]);
        status != dnnl_success)
      return fail(oneDnnStatusText(status));

  Part part{plan,
            buffers,
            static_cast<const float *>(buffers[0]),
            static_cast<const float *>(buffers[1]),
            reinterpret_cast<float *>(transformed),
            reinterpret_cast<float *>(products),
            static_cast<float *>(buffers[call.num_operands - 1]),
            {hasBias(call) ? static_cast<const float *>(buffers[2]) : nullptr,
             plan.fusedPostOps > 0},
            0};
  for (; part.first < shape.tiles(); part.first += rows) {
    int64_t count = std::min(rows, shape.tiles() - part.first);
    parallelFor(count, 1, defaultThreads(), transformInput, &part);
    // The last part may have fewer tiles: the memory still holds products of
    // other tiles, which are ignored.
    dnnl_status_t status = dnnl.primitive_execute(
        plan.primitive.get(), context.stream(),
        static_cast<int>(plan.list.size()), plan.list.data());
    if (status != dnnl_success)
      return fail(oneDnnStatusText(status));
    parallelFor(count, 1, defaultThreads(), transformResult, &part);
  }
  return Status::success();
}

} // namespace tenon::runtime
