//===- Vision.cpp - the MLP and the image models --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelOptions.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::zoo;

/// Height and width of images.
static int64_t imageSize(const ModelOptions &options) {
  return options.pick(224, 64);
}

/// Blocks of a stage. Its first one differs from the others, which are alike:
/// one of them is enough for a small model.
static int64_t countBlocks(const ModelOptions &options, unsigned stage) {
  static constexpr int64_t blocks[] = {3, 4, 6, 3};
  return options.pick(blocks[stage], 2);
}

/// 784 -> 512 -> 256 -> 10 with ReLU, as is usual for MNIST.
OwningOpRef<ModuleOp> tenon::zoo::buildMlp(MLIRContext *context,
                                           const ModelOptions &options) {
  ModelBuilder b(context);
  int64_t pixels = options.pick(784, 112);
  Value x = b.begin({{"input", {options.batch, pixels}, b.f32()}}).front();
  x = b.relu(b.linear(x, "fc1", options.channels(512)));
  x = b.relu(b.linear(x, "fc2", options.channels(256)));
  return b.finish({{"output", b.linear(x, "fc3", 10)}});
}

/// A bottleneck block: 1x1, 3x3 (which strides: "v1.5"), 1x1 to 4 times the
/// width, added to the (projected) input.
static Value buildBottleneck(ModelBuilder &b, Value x, const Twine &name,
                             int64_t width, int64_t stride, bool project) {
  Value y = b.relu(
      b.batchNorm(b.conv(x, name + ".conv1", width, {}, false), name + ".bn1"));
  y = b.relu(b.batchNorm(
      b.conv(y, name + ".conv2", width, {3, stride, 1}, false), name + ".bn2"));
  y = b.batchNorm(b.conv(y, name + ".conv3", 4 * width, {}, false),
                  name + ".bn3");
  if (project)
    x = b.batchNorm(
        b.conv(x, name + ".downsample.0", 4 * width, {1, stride}, false),
        name + ".downsample.1");
  return b.relu(b.add(y, x));
}

/// A basic block: two 3x3 convolutions, added to the (projected) input.
static Value buildBasicBlock(ModelBuilder &b, Value x, const Twine &name,
                             int64_t width, int64_t stride) {
  Value y = b.relu(b.batchNorm(
      b.conv(x, name + ".conv1", width, {3, stride, 1}, false), name + ".bn1"));
  y = b.batchNorm(b.conv(y, name + ".conv2", width, {3, 1, 1}, false),
                  name + ".bn2");
  if (stride > 1)
    x = b.batchNorm(
        b.conv(x, name + ".downsample.0", width, {1, stride}, false),
        name + ".downsample.1");
  return b.relu(b.add(y, x));
}

/// The residual networks of He et al. (CVPR 2016), torchvision's variants, of
/// blocks that `build` adds: `build(b, x, name, width, isFirst, stride)`.
template <typename BuildBlock>
static OwningOpRef<ModuleOp>
buildResNet(MLIRContext *context, const ModelOptions &options,
            ArrayRef<int64_t> blocks, BuildBlock build) {
  ModelBuilder b(context);
  int64_t size = imageSize(options);
  Value x =
      b.begin({{"input", {options.batch, 3, size, size}, b.f32()}}).front();
  int64_t width = options.channels(64);
  x = b.relu(b.batchNorm(b.conv(x, "conv1", width, {7, 2, 3}, false), "bn1"));
  x = b.maxPool(x, {3, 2, 1});
  for (auto [stage, count] : llvm::enumerate(blocks)) {
    for (int64_t block = 0; block < count; ++block)
      x = build(b, x, "layer" + Twine(stage + 1) + "." + Twine(block), width,
                block == 0, block == 0 && stage > 0 ? 2 : 1);
    width *= 2;
  }
  return b.finish({{"output", b.linear(b.globalAveragePool(x), "fc",
                                       options.channels(1000))}});
}

/// ResNet-18.
OwningOpRef<ModuleOp> tenon::zoo::buildResNet18(MLIRContext *context,
                                                const ModelOptions &options) {
  return buildResNet(context, options, {2, 2, 2, 2},
                     [](ModelBuilder &b, Value x, const Twine &name,
                        int64_t width, bool, int64_t stride) {
                       return buildBasicBlock(b, x, name, width, stride);
                     });
}

/// ResNet-50 v1.5, whose 3x3 convolutions stride.
OwningOpRef<ModuleOp> tenon::zoo::buildResNet50(MLIRContext *context,
                                                const ModelOptions &options) {
  SmallVector<int64_t> blocks;
  for (unsigned stage = 0; stage < 4; ++stage)
    blocks.push_back(countBlocks(options, stage));
  return buildResNet(context, options, blocks,
                     [](ModelBuilder &b, Value x, const Twine &name,
                        int64_t width, bool isFirst, int64_t stride) {
                       return buildBottleneck(b, x, name, width, stride,
                                              isFirst);
                     });
}

/// A bottleneck block whose 3x3 convolution has groups (32) and whose output
/// has twice the width. The projection of the input has an activation of its
/// own, which ResNeXt as published has not: so TASO built it.
static Value buildResNeXtBlock(ModelBuilder &b, Value x, const Twine &name,
                               int64_t width, int64_t groups, int64_t stride,
                               bool project) {
  ModelBuilder::Window grouped{3, stride, 1};
  grouped.groups = groups;
  Value y = b.relu(b.conv(x, name + ".conv1", width, {}, false));
  y = b.relu(b.conv(y, name + ".conv2", width, grouped, false));
  y = b.conv(y, name + ".conv3", 2 * width, {}, false);
  if (project)
    x = b.relu(
        b.conv(x, name + ".downsample.0", 2 * width, {1, stride}, false));
  return b.relu(b.add(x, y));
}

/// ResNeXt-50 32x4d (Xie et al., CVPR 2017) as TASO (SOSP 2019) ran it: without
/// batch norm, and up to the last block's feature map.
OwningOpRef<ModuleOp> tenon::zoo::buildResNeXt50(MLIRContext *context,
                                                 const ModelOptions &options) {
  ModelBuilder b(context);
  int64_t size = imageSize(options);
  Value x =
      b.begin({{"input", {options.batch, 3, size, size}, b.f32()}}).front();
  x = b.relu(b.conv(x, "conv1", options.channels(64), {7, 2, 3}, false));
  x = b.maxPool(x, {3, 2, 1});
  // A group has as many channels in a small model as in the full one.
  int64_t width = options.channels(128), groups = options.pick(32, 4);
  for (unsigned stage = 0; stage < 4; ++stage) {
    for (int64_t block = 0; block < countBlocks(options, stage); ++block)
      x = buildResNeXtBlock(
          b, x, "layer" + Twine(stage + 1) + "." + Twine(block), width, groups,
          block == 0 && stage > 0 ? 2 : 1, block == 0);
    width *= 2;
  }
  return b.finish({{"output", x}});
}

/// A fire module: a 1x1 squeeze, then 1x1 and 3x3 side by side.
static Value buildFire(ModelBuilder &b, Value x, const Twine &name,
                       int64_t squeeze, int64_t expand) {
  x = b.relu(b.conv(x, name + ".squeeze", squeeze, {}, true));
  Value one = b.relu(b.conv(x, name + ".expand1x1", expand, {}, true));
  Value three = b.relu(b.conv(x, name + ".expand3x3", expand, {3, 1, 1}, true));
  return b.op<ConcatOp>(ValueRange{one, three}, /*axis=*/1);
}

/// SqueezeNet 1.1 (Iandola et al., 2016; torchvision's variant).
OwningOpRef<ModuleOp> tenon::zoo::buildSqueezeNet(MLIRContext *context,
                                                  const ModelOptions &options) {
  ModelBuilder b(context);
  int64_t size = imageSize(options);
  Value x =
      b.begin({{"input", {options.batch, 3, size, size}, b.f32()}}).front();
  ModelBuilder::Window pool{3, 2, 0};
  pool.ceil = true;
  x = b.relu(b.conv(x, "features.0", options.channels(64), {3, 2}, true));
  x = b.maxPool(x, pool);
  auto fire = [&](const Twine &name, int64_t squeeze, int64_t expand) {
    x = buildFire(b, x, name, options.channels(squeeze),
                  options.channels(expand));
  };
  fire("features.3", 16, 64);
  fire("features.4", 16, 64);
  x = b.maxPool(x, pool);
  fire("features.6", 32, 128);
  fire("features.7", 32, 128);
  x = b.maxPool(x, pool);
  fire("features.9", 48, 192);
  fire("features.10", 48, 192);
  fire("features.11", 64, 256);
  fire("features.12", 64, 256);
  x = b.relu(b.conv(x, "classifier.1", options.channels(1000), {}, true));
  return b.finish({{"output", b.globalAveragePool(x)}});
}

/// VGG-19 (Simonyan and Zisserman, ICLR 2015; torchvision's variant).
OwningOpRef<ModuleOp> tenon::zoo::buildVgg19(MLIRContext *context,
                                             const ModelOptions &options) {
  ModelBuilder b(context);
  int64_t size = imageSize(options);
  Value x =
      b.begin({{"input", {options.batch, 3, size, size}, b.f32()}}).front();
  static constexpr struct {
    int convs, channels;
  } stages[] = {{2, 64}, {2, 128}, {4, 256}, {4, 512}, {4, 512}};
  int layer = 0;
  for (const auto &stage : stages) {
    int64_t channels = options.channels(stage.channels);
    for (int i = 0; i < stage.convs; ++i) {
      x = b.relu(
          b.conv(x, "features." + Twine(layer), channels, {3, 1, 1}, true));
      layer += 2; // PyTorch numbers the activations, and the pools, too.
    }
    x = b.maxPool(x, {2, 2});
    ++layer;
  }
  size /= 32;
  x = b.reshape(x, {options.batch, options.channels(512) * size * size});
  x = b.relu(b.linear(x, "classifier.0", options.channels(4096)));
  x = b.relu(b.linear(x, "classifier.3", options.channels(4096)));
  return b.finish(
      {{"output", b.linear(x, "classifier.6", options.channels(1000))}});
}

/// CSRNet (Li et al., CVPR 2018; configuration B): ten convolutions of VGG-16,
/// then six whose kernels are dilated by 2, and a map of densities.
OwningOpRef<ModuleOp> tenon::zoo::buildCsrNet(MLIRContext *context,
                                              const ModelOptions &options) {
  ModelBuilder b(context);
  int64_t height = options.pick(384, 64), width = options.pick(512, 64);
  Value x =
      b.begin({{"input", {options.batch, 3, height, width}, b.f32()}}).front();
  static constexpr struct {
    int convs, channels;
  } stages[] = {{2, 64}, {2, 128}, {3, 256}, {3, 512}};
  int layer = 0;
  for (const auto &stage : stages) {
    if (layer > 0) {
      x = b.maxPool(x, {2, 2});
      ++layer; // PyTorch numbers the pools, and the activations, too.
    }
    for (int i = 0; i < stage.convs; ++i) {
      x = b.relu(b.conv(x, "frontend." + Twine(layer),
                        options.channels(stage.channels), {3, 1, 1}, true));
      layer += 2;
    }
  }
  ModelBuilder::Window dilated{3, 1, 2};
  dilated.dilation = 2;
  layer = 0;
  for (int64_t channels : {512, 512, 512, 256, 128, 64}) {
    x = b.relu(b.conv(x, "backend." + Twine(layer), options.channels(channels),
                      dilated, true));
    layer += 2;
  }
  return b.finish({{"output", b.conv(x, "output_layer", 1, {}, true)}});
}
