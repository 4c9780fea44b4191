//===- NasNet.cpp - an image model found by search ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelOptions.h"

#include <array>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::zoo;

/// Convolutions and pools keep the size, or halve it if their stride is 2.
static ModelBuilder::Window same(int64_t kernel, int64_t stride = 1) {
  return {kernel, stride, kernel / 2};
}

/// Takes a list, as C++ leaves the order of a call's arguments open: every
/// compiler shall write the same file.
static Value sum(ModelBuilder &b, std::array<Value, 2> terms) {
  return b.add(terms[0], terms[1]);
}

static Value squeeze(ModelBuilder &b, Value x, const Twine &name,
                     int64_t channels) {
  return b.relu(b.conv(x, name, channels, {}, false));
}

/// A depthwise convolution, then a 1x1 convolution. The model as published has
/// this twice in a row, with batch norms and activations; TASO has it once.
static Value separable(ModelBuilder &b, Value x, const Twine &name,
                       int64_t channels, int64_t kernel, int64_t stride = 1) {
  ModelBuilder::Window window = same(kernel, stride);
  window.groups = channels;
  Value y = b.conv(x, name + ".depthwise", channels, window, false);
  return b.conv(y, name + ".pointwise", channels, {}, false);
}

static Value buildNormalCell(ModelBuilder &b, Value previous, Value current,
                             const std::string &name, int64_t channels) {
  Value h = squeeze(b, current, name + ".current", channels);
  Value p = squeeze(b, previous, name + ".previous", channels);
  auto branch = [&](Value x, int number) {
    return separable(b, x, name + ".branch" + Twine(number), channels, 3);
  };
  auto average = [&](Value x) { return b.averagePool(x, same(3)); };
  SmallVector<Value> parts{
      sum(b, {branch(h, 0), h}), sum(b, {branch(p, 1), branch(h, 2)}),
      sum(b, {average(h), p}), sum(b, {average(p), average(p)}),
      sum(b, {branch(p, 3), branch(p, 4)})};
  return b.op<ConcatOp>(ValueRange(parts), /*axis=*/1);
}

/// Halves the image's height and width.
static Value buildReductionCell(ModelBuilder &b, Value previous, Value current,
                                const std::string &name, int64_t channels) {
  Value h = squeeze(b, current, name + ".current", channels);
  Value p = squeeze(b, previous, name + ".previous", channels);
  auto branch = [&](Value x, int number, int64_t kernel, int64_t stride) {
    return separable(b, x, name + ".branch" + Twine(number), channels, kernel,
                     stride);
  };
  Value first = sum(b, {branch(p, 0, 7, 2), branch(h, 1, 5, 2)});
  Value second = sum(b, {b.maxPool(h, same(3, 2)), branch(p, 2, 7, 2)});
  Value third = sum(b, {b.averagePool(h, same(3, 2)), branch(p, 3, 5, 2)});
  Value fourth = sum(b, {b.maxPool(h, same(3, 2)), branch(first, 4, 3, 1)});
  Value fifth = sum(b, {b.averagePool(first, same(3)), second});
  SmallVector<Value> parts{first, second, third, fourth, fifth};
  return b.op<ConcatOp>(ValueRange(parts), /*axis=*/1);
}

/// NasNet-A (Zoph et al., CVPR 2018) as TASO (SOSP 2019) ran it: three stages
/// of five normal cells and a reduction cell, from 128 channels on, up to the
/// last cell's feature map. Both inputs of a stage's first cell are the stage's
/// input.
OwningOpRef<ModuleOp> tenon::zoo::buildNasNetA(MLIRContext *context,
                                               const ModelOptions &options) {
  ModelBuilder b(context);
  int64_t size = options.pick(224, 64);
  Value x =
      b.begin({{"input", {options.batch, 3, size, size}, b.f32()}}).front();
  x = b.relu(b.conv(x, "stem", options.channels(64), same(7, 2), false));
  x = b.maxPool(x, same(3, 2));
  int64_t channels = options.channels(128);
  for (int stage = 0; stage < 3; ++stage) {
    std::string name = "stage" + std::to_string(stage);
    Value previous = x;
    for (int64_t cell = 0; cell < options.pick(5, 2); ++cell) {
      Value next = buildNormalCell(
          b, previous, x, name + ".cell" + std::to_string(cell), channels);
      previous = x;
      x = next;
    }
    channels *= 2;
    x = buildReductionCell(b, previous, x, name + ".reduction", channels);
  }
  return b.finish({{"output", x}});
}
