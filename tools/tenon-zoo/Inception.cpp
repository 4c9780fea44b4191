//===- Inception.cpp - Inception-v3 ---------------------------------------===//
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

namespace {
/// Builds blocks of convolutions with ReLU. Names are torchvision's.
struct InceptionBuilder {
  ModelBuilder &b;
  const ModelOptions &options;
  std::string block;

  /// Keeps the size.
  Value conv(Value x, const Twine &name, int64_t channels, int64_t height = 1,
             int64_t width = 1) {
    return build(x, name, channels, height, width, 1, {height / 2, width / 2});
  }
  /// No padding: 3x3, which strides or takes the border off.
  Value valid(Value x, const Twine &name, int64_t channels, int64_t stride) {
    return build(x, name, channels, 3, 3, stride, {0, 0});
  }
  Value average(Value x) { return b.averagePool(x, {3, 1, 1}); }
  Value concat(ArrayRef<Value> parts) {
    return b.op<ConcatOp>(ValueRange(parts), /*axis=*/1);
  }

  Value buildA(Value x, int64_t pooled);
  Value buildB(Value x);
  Value buildC(Value x, int64_t narrow);
  Value buildD(Value x);
  Value buildE(Value x);

private:
  Value build(Value x, const Twine &name, int64_t channels, int64_t height,
              int64_t width, int64_t stride, ArrayRef<int64_t> pads) {
    Value weight = b.parameter(block + name + ".conv.weight",
                               {options.channels(channels),
                                *getShape(x)[1].getConstant(), height, width});
    return b.relu(b.convolve(x, weight, stride, pads));
  }
};
} // namespace

Value InceptionBuilder::buildA(Value x, int64_t pooled) {
  Value one = conv(x, "branch1x1", 64);
  Value five = conv(x, "branch5x5_1", 48);
  five = conv(five, "branch5x5_2", 64, 5, 5);
  Value three = conv(x, "branch3x3dbl_1", 64);
  three = conv(three, "branch3x3dbl_2", 96, 3, 3);
  three = conv(three, "branch3x3dbl_3", 96, 3, 3);
  Value pool = conv(average(x), "branch_pool", pooled);
  return concat({one, five, three, pool});
}

/// Halves the size, as D does.
Value InceptionBuilder::buildB(Value x) {
  Value three = valid(x, "branch3x3", 384, 2);
  Value twice = conv(x, "branch3x3dbl_1", 64);
  twice = conv(twice, "branch3x3dbl_2", 96, 3, 3);
  twice = valid(twice, "branch3x3dbl_3", 96, 2);
  return concat({b.averagePool(x, {3, 2}), three, twice});
}

/// 7x7 convolutions as 1x7 and 7x1.
Value InceptionBuilder::buildC(Value x, int64_t narrow) {
  Value one = conv(x, "branch1x1", 192);
  Value seven = conv(x, "branch7x7_1", narrow);
  seven = conv(seven, "branch7x7_2", narrow, 1, 7);
  seven = conv(seven, "branch7x7_3", 192, 7, 1);
  Value twice = conv(x, "branch7x7dbl_1", narrow);
  twice = conv(twice, "branch7x7dbl_2", narrow, 7, 1);
  twice = conv(twice, "branch7x7dbl_3", narrow, 1, 7);
  twice = conv(twice, "branch7x7dbl_4", narrow, 7, 1);
  twice = conv(twice, "branch7x7dbl_5", 192, 1, 7);
  Value pool = conv(average(x), "branch_pool", 192);
  return concat({one, seven, twice, pool});
}

Value InceptionBuilder::buildD(Value x) {
  Value three = conv(x, "branch3x3_1", 192);
  three = valid(three, "branch3x3_2", 320, 2);
  Value seven = conv(x, "branch7x7x3_1", 192);
  seven = conv(seven, "branch7x7x3_2", 192, 1, 7);
  seven = conv(seven, "branch7x7x3_3", 192, 7, 1);
  seven = valid(seven, "branch7x7x3_4", 192, 2);
  return concat({three, seven, b.maxPool(x, {3, 2})});
}

Value InceptionBuilder::buildE(Value x) {
  Value one = conv(x, "branch1x1", 320);
  Value three = conv(x, "branch3x3_1", 384);
  Value threeA = conv(three, "branch3x3_2a", 384, 1, 3);
  Value threeB = conv(three, "branch3x3_2b", 384, 3, 1);
  Value twice = conv(x, "branch3x3dbl_1", 448);
  twice = conv(twice, "branch3x3dbl_2", 384, 3, 3);
  Value twiceA = conv(twice, "branch3x3dbl_3a", 384, 1, 3);
  Value twiceB = conv(twice, "branch3x3dbl_3b", 384, 3, 1);
  Value pool = conv(b.maxPool(x, {3, 1, 1}), "branch_pool", 192);
  return concat({one, threeA, threeB, twiceA, twiceB, pool});
}

/// Inception-v3 (Szegedy et al., CVPR 2016) as TENSAT (MLSys 2021) ran it:
/// without batch norm and without classifier, up to the mean over the image.
/// It takes a mean in block B and a maximum in E where torchvision does the
/// reverse.
OwningOpRef<ModuleOp>
tenon::zoo::buildInceptionV3(MLIRContext *context,
                             const ModelOptions &options) {
  ModelBuilder b(context);
  // After the last stride, a small image has 2x2 instead of 8x8 elements.
  int64_t size = options.pick(299, 107);
  Value x =
      b.begin({{"input", {options.batch, 3, size, size}, b.f32()}}).front();
  auto in = [&](const std::string &name) {
    return InceptionBuilder{b, options, name.empty() ? name : name + "."};
  };
  InceptionBuilder stem = in("");
  x = stem.valid(x, "Conv2d_1a_3x3", 32, 2);
  x = stem.valid(x, "Conv2d_2a_3x3", 32, 1);
  x = stem.conv(x, "Conv2d_2b_3x3", 64, 3, 3);
  x = b.maxPool(x, {3, 2});
  x = stem.conv(x, "Conv2d_3b_1x1", 80);
  x = stem.valid(x, "Conv2d_4a_3x3", 192, 1);
  x = b.maxPool(x, {3, 2});
  x = in("Mixed_5b").buildA(x, 32);
  x = in("Mixed_5c").buildA(x, 64);
  if (!options.small)
    x = in("Mixed_5d").buildA(x, 64);
  x = in("Mixed_6a").buildB(x);
  x = in("Mixed_6b").buildC(x, 128);
  x = in("Mixed_6c").buildC(x, 160);
  if (!options.small)
    x = in("Mixed_6d").buildC(x, 160);
  if (!options.small)
    x = in("Mixed_6e").buildC(x, 192);
  x = in("Mixed_7a").buildD(x);
  x = in("Mixed_7b").buildE(x);
  x = in("Mixed_7c").buildE(x);
  return b.finish({{"output", b.averagePool(x, {options.pick(8, 2), 1})}});
}
