//===- CalibrationModels.cpp - kernels of all kinds and sizes -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalibrationModels.h"
#include "tenon/Generate/ModelBuilder.h"

using namespace mlir;
using namespace tenon;
using generate::ModelBuilder;

namespace {
using Shape = std::vector<int64_t>;

/// Collects ops, each with its own inputs, and builds their model.
class Cases {
public:
  /// An op over inputs of these shapes.
  using Build = std::function<Value(ModelBuilder &, ValueRange, Twine)>;

  void add(std::vector<Shape> shapes, Build build) {
    cases.push_back({std::move(shapes), std::move(build)});
  }

  CalibrationModel finish(MLIRContext *context, std::string name) const;

private:
  struct Case {
    std::vector<Shape> shapes;
    Build build;
  };
  std::vector<Case> cases;
};
} // namespace

CalibrationModel Cases::finish(MLIRContext *context, std::string name) const {
  ModelBuilder builder(context);
  std::vector<ModelBuilder::Input> inputs;
  for (const auto &[number, one] : llvm::enumerate(cases))
    for (const auto &[position, shape] : llvm::enumerate(one.shapes))
      inputs.push_back(
          {"x" + std::to_string(number) + "." + std::to_string(position),
           graph::Shape(shape.begin(), shape.end()), builder.f32()});
  SmallVector<Value> arguments = builder.begin(inputs);
  std::vector<std::pair<std::string, Value>> results;
  ArrayRef<Value> rest = arguments;
  for (const auto &[number, one] : llvm::enumerate(cases)) {
    std::string weight = "w" + std::to_string(number);
    // Kernels read what other kernels have just written; barriers keep the two
    // apart.
    SmallVector<Value> own;
    for (Value input : rest.take_front(one.shapes.size())) {
      Value written = builder.op<graph::NegOp>(input);
      own.push_back(builder.op<graph::OptimizationBarrierOp>(written, written));
    }
    results.emplace_back("y" + std::to_string(number),
                         one.build(builder, own, weight));
    rest = rest.drop_front(one.shapes.size());
  }
  return {std::move(name), builder.finish(results)};
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {
struct Conv {
  /// The image is square.
  int64_t channels, size;
  int64_t results, kernel = 1, stride = 1, groups = 1;
};
} // namespace

/// One of several activations, so that what they cost beside a product is told
/// from what its columns cost.
static Value buildActivation(ModelBuilder &builder, Value x, unsigned number) {
  switch (number % 4) {
  case 0:
    return x;
  case 1:
    return builder.relu(x);
  case 2:
    return builder.op<graph::SiluOp>(x);
  default:
    return builder.op<graph::GeluOp>(x, /*tanh=*/false);
  }
}

/// A convolution over [1, size, size, channels], as models have them once their
/// layouts are chosen, with a bias.
static Value buildConv(ModelBuilder &builder, Value x, const Twine &name,
                       const Conv &conv, unsigned number) {
  auto ints = [&](std::initializer_list<int64_t> values) {
    return graph::getInts(builder.builder.getContext(), values);
  };
  int64_t pad = conv.kernel / 2;
  Value weight = builder.parameter(
      name + ".weight",
      {conv.results, conv.channels / conv.groups, conv.kernel, conv.kernel});
  Value y = builder.op<graph::ConvOp>(
      x, weight, ints({conv.stride, conv.stride}), ints({pad, pad, pad, pad}),
      ints({1, 1}), ints({conv.groups}), graph::Layout::ChannelsLast);
  Value bias = builder.parameter(name + ".bias", {conv.results});
  return buildActivation(
      builder, builder.add(y, builder.broadcastLike(bias, y)), number);
}

static CalibrationModel buildConvs(MLIRContext *context, std::string name,
                                   ArrayRef<Conv> convs) {
  Cases cases;
  for (const auto &[number, conv] : llvm::enumerate(convs))
    cases.add({{1, conv.size, conv.size, conv.channels}},
              [conv = conv, number = number](ModelBuilder &builder,
                                             ValueRange x, const Twine &name) {
                return buildConv(builder, x[0], name, conv, number);
              });
  return cases.finish(context, std::move(name));
}

static constexpr Conv kPoints[] = {
    {16, 112, 64},  {32, 112, 16},     {64, 56, 64},    {64, 56, 256},
    {24, 56, 72},   {128, 28, 128},    {256, 28, 512},  {192, 28, 32},
    {512, 28, 128}, {40, 28, 240},     {256, 14, 256},  {96, 14, 576},
    {48, 56, 12},   {72, 56, 12},      {16, 112, 24},   {24, 56, 36},
    {120, 28, 20},  {240, 28, 40},     {64, 112, 8},    {160, 14, 200},
    {96, 28, 60},   {16, 224, 24},     {512, 13, 1000}, {320, 7, 1000},
    {384, 14, 520}, {512, 14, 1024},   {1024, 7, 1000}, {512, 28, 72},
    {64, 192, 3},   {32, 192, 20},     {1024, 14, 256}, {480, 14, 112},
    {672, 7, 160},  {512, 7, 2048},    {960, 7, 160},   {1280, 1, 1000},
    {240, 1, 960},  {64, 28, 32, 1, 2}};

static constexpr Conv kWindows[] = {
    {3, 224, 32, 3, 2},    {3, 224, 64, 7, 2},    {3, 224, 16, 3, 1},
    {3, 128, 64, 3, 1},    {1, 64, 64, 3, 1},     {4, 64, 32, 3},
    {3, 224, 512, 32, 32}, {3, 224, 768, 16, 16}, {3, 224, 96, 4, 4},
    {3, 96, 24, 3, 2},     {3, 256, 32, 4, 4},    {2, 128, 16, 5},
    {32, 112, 32, 3},      {64, 56, 64, 3},       {128, 28, 128, 3},
    {256, 14, 256, 3},     {512, 7, 512, 3},      {64, 56, 128, 3, 2},
    {32, 28, 64, 5},       {48, 14, 128, 5},      {32, 28, 20, 3},
    {64, 56, 10, 3},       {16, 56, 24, 3},       {128, 14, 84, 3},
    {64, 14, 40, 5},       {8, 112, 4, 3},        {256, 7, 100, 3},
    {32, 56, 12, 3},       {256, 14, 200, 3},     {128, 28, 120, 3},
    {64, 192, 3, 3},       {16, 224, 12, 3},      {64, 112, 20, 3},
    {192, 14, 384, 3},     {16, 64, 16, 3},       {256, 28, 16, 3}};

static constexpr Conv kGroups[] = {
    {32, 112, 32, 3, 1, 32},   {96, 112, 96, 3, 2, 96},
    {144, 56, 144, 3, 1, 144}, {72, 56, 72, 5, 2, 72},
    {96, 56, 96, 7, 1, 96},    {240, 28, 240, 5, 1, 240},
    {192, 28, 192, 7, 1, 192}, {480, 14, 480, 3, 1, 480},
    {384, 14, 384, 7, 1, 384}, {672, 14, 672, 5, 2, 672},
    {960, 7, 960, 5, 1, 960},  {768, 7, 768, 7, 1, 768},
    {128, 56, 128, 3, 1, 32},  {256, 28, 256, 3, 1, 32},
    {512, 14, 512, 3, 1, 32},  {48, 56, 48, 3, 2, 6},
    {104, 28, 104, 3, 1, 13},  {208, 14, 208, 3, 1, 26}};

namespace {
struct Product {
  int64_t rows, depth, columns;
};
} // namespace

static constexpr Product kProducts[] = {
    {1, 512, 1000},  {1, 1280, 1000},  {1, 4096, 1024},  {1, 768, 768},
    {1, 64, 256},    {1, 2048, 512},   {4, 512, 512},    {16, 256, 256},
    {16, 768, 3072}, {49, 768, 768},   {64, 64, 64},     {128, 256, 1024},
    {128, 768, 768}, {128, 768, 3072}, {128, 3072, 768}, {197, 192, 576},
    {197, 192, 768}, {197, 768, 2304}, {384, 512, 512},  {784, 192, 768},
    {3136, 96, 384}, {3136, 96, 96},   {512, 128, 128},  {1024, 32, 32}};

static CalibrationModel buildProducts(MLIRContext *context) {
  Cases cases;
  for (const auto &[number, product] : llvm::enumerate(kProducts))
    cases.add({{product.rows, product.depth}},
              [product = product, number = number](
                  ModelBuilder &builder, ValueRange x, const Twine &name) {
                return buildActivation(
                    builder, builder.linear(x[0], name, product.columns),
                    number);
              });
  return cases.finish(context, "products");
}

namespace {
struct Heads {
  int64_t heads, queries, keys, size;
};
} // namespace

static constexpr Heads kHeads[] = {
    {12, 128, 128, 64}, {3, 197, 197, 64}, {12, 197, 197, 64},
    {8, 16, 16, 64},    {8, 1, 128, 64},   {12, 1, 512, 64},
    {192, 49, 49, 32},  {48, 49, 49, 32},  {4, 256, 256, 36},
    {8, 512, 512, 64},  {4, 64, 64, 32},   {6, 1024, 77, 64}};

static CalibrationModel buildAttention(MLIRContext *context) {
  Cases cases;
  for (const Heads &heads : kHeads) {
    Shape query = {1, heads.heads, heads.queries, heads.size};
    Shape key = {1, heads.heads, heads.keys, heads.size};
    cases.add({query, key, key}, [](ModelBuilder &builder, ValueRange x,
                                    const Twine &) {
      return builder.op<graph::AttentionOp>(x[0], x[1], x[2], /*mask=*/Value(),
                                            llvm::APFloat(0.125),
                                            /*causal=*/false);
    });
    cases.add({query, key},
              [](ModelBuilder &builder, ValueRange x, const Twine &) {
                return builder.op<graph::MatmulOp>(x[0], x[1],
                                                   /*transpose_a=*/false,
                                                   /*transpose_b=*/true);
              });
    cases.add({{1, heads.heads, heads.queries, heads.keys}},
              [](ModelBuilder &builder, ValueRange x, const Twine &) {
                return builder.op<graph::SoftmaxOp>(x[0], 3);
              });
  }
  return cases.finish(context, "attention");
}

/// Loops that compute what a convolution reads, for every tap: a bound of the
/// activation before, or the scale of a squeeze-and-excitation block.
static CalibrationModel buildComputed(MLIRContext *context) {
  static constexpr Conv kConvs[] = {{32, 112, 16},
                                    {64, 56, 64},
                                    {128, 28, 32},
                                    {576, 14, 96},
                                    {256, 14, 256},
                                    {960, 7, 160},
                                    {240, 1, 960},
                                    {144, 28, 48},
                                    {512, 7, 512},
                                    {96, 56, 32},
                                    {96, 56, 24},
                                    {120, 28, 20},
                                    {144, 28, 40},
                                    {240, 14, 84},
                                    {72, 56, 12},
                                    {480, 14, 90},
                                    {672, 7, 100},
                                    {960, 1, 1000},
                                    {48, 112, 8},
                                    {200, 14, 24},
                                    {64, 56, 64, 3},
                                    {128, 28, 128, 3},
                                    {16, 112, 16, 3},
                                    {256, 7, 256, 3},
                                    {64, 28, 64, 5},
                                    {32, 28, 32, 3, 2},
                                    {192, 14, 192, 3},
                                    {32, 56, 96, 3},
                                    {32, 112, 32, 3, 1, 32},
                                    {144, 56, 144, 3, 1, 144},
                                    {240, 28, 240, 5, 1, 240},
                                    {96, 112, 96, 3, 2, 96},
                                    {480, 14, 480, 3, 1, 480},
                                    {960, 7, 960, 5, 1, 960},
                                    {96, 56, 96, 7, 1, 96},
                                    {672, 14, 672, 5, 2, 672},
                                    {576, 14, 576, 3, 1, 576},
                                    {192, 28, 192, 3, 2, 192}};
  Cases cases;
  for (const auto &[number, conv] : llvm::enumerate(kConvs)) {
    Shape image = {1, conv.size, conv.size, conv.channels};
    if (number % 2)
      cases.add({image, {1, 1, 1, conv.channels}},
                [conv = conv](ModelBuilder &builder, ValueRange x,
                              const Twine &name) {
                  Value scale = builder.broadcastLike(x[1], x[0]);
                  Value scaled = builder.op<graph::MulOp>(x[0], scale);
                  return buildConv(builder, scaled, name, conv, /*number=*/0);
                });
    else
      cases.add({image}, [conv = conv](ModelBuilder &builder, ValueRange x,
                                       const Twine &name) {
        Value bounded = builder.op<graph::ClipOp>(x[0], llvm::APFloat(0.0),
                                                  llvm::APFloat(6.0));
        return buildConv(builder, bounded, name, conv, /*number=*/0);
      });
  }
  return cases.finish(context, "computed");
}

/// Loops that read images across memory: what fusing a transpose costs.
static CalibrationModel buildChannelsFirst(MLIRContext *context) {
  static constexpr Conv kConvs[] = {{16, 112, 64},
                                    {64, 56, 64},
                                    {256, 14, 256},
                                    {672, 7, 160},
                                    {3, 224, 32, 3, 2},
                                    {64, 56, 64, 3},
                                    {128, 28, 128, 3},
                                    {512, 7, 512, 3},
                                    {32, 112, 32, 3, 1, 32},
                                    {72, 56, 72, 5, 2, 72},
                                    {480, 14, 480, 3, 1, 480},
                                    {960, 7, 960, 5, 1, 960},
                                    {128, 56, 128, 3, 1, 32}};
  Cases cases;
  for (const Conv &conv : kConvs)
    cases.add({{1, conv.channels, conv.size, conv.size}},
              [conv](ModelBuilder &builder, ValueRange x, const Twine &name) {
                Value last = builder.transpose(x[0], {0, 2, 3, 1});
                return buildConv(builder, last, name, conv, /*number=*/1);
              });
  return cases.finish(context, "channels-first");
}

//===----------------------------------------------------------------------===//
// What is bound by memory
//===----------------------------------------------------------------------===//

static const Shape kTensors[] = {
    {1, 16, 32, 64},   {1, 8, 128, 128},  {1, 64, 56, 56}, {1, 128, 28, 28},
    {1, 512, 14, 14},  {1, 96, 112, 112}, {1, 960, 7, 7},  {1, 12, 128, 512},
    {1, 32, 256, 256}, {1, 1, 8, 128}};

static CalibrationModel buildElementwise(MLIRContext *context) {
  Cases cases;
  for (const Shape &shape : kTensors) {
    cases.add({shape, shape},
              [](ModelBuilder &builder, ValueRange x, const Twine &) {
                return builder.add(x[0], x[1]);
              });
    cases.add({shape}, [](ModelBuilder &builder, ValueRange x, const Twine &) {
      return builder.op<graph::SiluOp>(x[0]);
    });
    cases.add({shape}, [](ModelBuilder &builder, ValueRange x, const Twine &) {
      return builder.op<graph::GeluOp>(x[0], /*tanh=*/false);
    });
    cases.add({shape}, [](ModelBuilder &builder, ValueRange x, const Twine &) {
      return builder.op<graph::HardSwishOp>(x[0]);
    });
  }
  return cases.finish(context, "elementwise");
}

static CalibrationModel buildMovement(MLIRContext *context) {
  Cases cases;
  for (const Shape &shape : kTensors) {
    for (Shape perm : {Shape{0, 2, 3, 1}, Shape{0, 2, 1, 3}})
      cases.add({shape},
                [perm](ModelBuilder &builder, ValueRange x, const Twine &) {
                  return builder.transpose(x[0], perm);
                });
    cases.add({shape, shape},
              [](ModelBuilder &builder, ValueRange x, const Twine &) {
                return builder.op<graph::ConcatOp>(x, 1);
              });
  }
  return cases.finish(context, "movement");
}

static CalibrationModel buildReductions(MLIRContext *context) {
  Cases cases;
  for (const Shape &shape : kTensors) {
    for (int64_t axis : {1, 2})
      cases.add(
          {shape}, [axis](ModelBuilder &builder, ValueRange x, const Twine &) {
            return builder.op<graph::ReduceMeanOp>(
                x[0], graph::getInts(builder.builder.getContext(), {axis}),
                /*keepdims=*/false);
          });
    cases.add({shape}, [](ModelBuilder &builder, ValueRange x, const Twine &) {
      return builder.globalAveragePool(x[0]);
    });
    cases.add({shape}, [](ModelBuilder &builder, ValueRange x, const Twine &) {
      return builder.op<graph::ReduceMeanOp>(
          x[0], graph::getInts(builder.builder.getContext(), {3}),
          /*keepdims=*/true);
    });
    cases.add({shape},
              [](ModelBuilder &builder, ValueRange x, const Twine &name) {
                return builder.layerNorm(x[0], name, 1e-5);
              });
    cases.add({shape}, [](ModelBuilder &builder, ValueRange x, const Twine &) {
      ModelBuilder::Window window;
      window.kernel = 3;
      window.stride = 2;
      window.pad = 1;
      return builder.maxPool(x[0], window);
    });
  }
  return cases.finish(context, "reductions");
}

std::vector<CalibrationModel> buildCalibrationModels(MLIRContext *context) {
  std::vector<CalibrationModel> models;
  models.push_back(buildConvs(context, "points", kPoints));
  models.push_back(buildConvs(context, "windows", kWindows));
  models.push_back(buildConvs(context, "groups", kGroups));
  models.push_back(buildComputed(context));
  models.push_back(buildChannelsFirst(context));
  models.push_back(buildProducts(context));
  models.push_back(buildAttention(context));
  models.push_back(buildElementwise(context));
  models.push_back(buildMovement(context));
  models.push_back(buildReductions(context));
  return models;
}
