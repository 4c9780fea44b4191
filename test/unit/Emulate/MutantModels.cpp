//===- MutantModels.cpp - models whose kernels are made wrong -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every kind of kernel, at sizes that are multiples of teams, tiles and
// accesses, and at others. Softmax does not mind which number it subtracts
// before it takes powers, unless these overflow: hence large inputs.
//
//===----------------------------------------------------------------------===//

#include "MutantProgram.h"

using namespace mutant;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

static const char *const kSoftmaxByWarps = R"(
!x = tensor<?x100xf32, #graph.dims<n, 100>>
func.func @main(%x: !x) -> !x {
  %0 = graph.softmax %x axis = 1 : !x
  return %0 : !x
})";

static const char *const kSoftmaxByBlocks = R"(
!x = tensor<?x601xf32, #graph.dims<n, 601>>
func.func @main(%x: !x) -> !x {
  %0 = graph.softmax %x axis = 1 : !x
  return %0 : !x
})";

static const char *const kNormByWarps = R"(
!x = tensor<?x77xf32, #graph.dims<n, 77>>
func.func @main(%x: !x, %scale: tensor<77xf32>, %shift: tensor<77xf32>) -> !x {
  %0 = graph.layer_norm %x, %scale, %shift axis = 1 epsilon = 1.0e-5
    : (!x, tensor<77xf32>, tensor<77xf32>) -> !x
  return %0 : !x
})";

static const char *const kNormByBlocks = R"(
!x = tensor<3x2056xf16>
func.func @main(%x: !x, %scale: tensor<2056xf16>, %shift: tensor<2056xf16>) -> !x {
  %0 = graph.layer_norm %x, %scale, %shift axis = 1 epsilon = 1.0e-5
    : (!x, tensor<2056xf16>, tensor<2056xf16>) -> !x
  return %0 : !x
})";

/// Each element of a row needs all of another kernel loop.
static const char *const kSoftmaxReversed = R"(
!x = tensor<?x120xf32, #graph.dims<n, 120>>
func.func @main(%x: !x) -> !x {
  %0 = graph.softmax %x axis = 1 : !x
  %1 = graph.reverse %0 axes = [1] : !x
  return %1 : !x
})";

static const char *const kRowMax = R"(
func.func @main(%x: tensor<?x1201xf32, #graph.dims<n, 1201>>)
    -> tensor<?xf32, #graph.dims<n>> {
  %0 = graph.reduce_max %x axes = [1]
    : (tensor<?x1201xf32, #graph.dims<n, 1201>>) -> tensor<?xf32, #graph.dims<n>>
  return %0 : tensor<?xf32, #graph.dims<n>>
})";

static const char *const kRowSum = R"(
func.func @main(%x: tensor<7x4x257xf32>) -> tensor<7xf32> {
  %0 = graph.reduce_sum %x axes = [1, 2] : (tensor<7x4x257xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
})";

static const char *const kColumnSum = R"(
func.func @main(%x: tensor<?x1204xf32, #graph.dims<n, 1204>>) -> tensor<1204xf32> {
  %0 = graph.reduce_sum %x axes = [0]
    : (tensor<?x1204xf32, #graph.dims<n, 1204>>) -> tensor<1204xf32>
  return %0 : tensor<1204xf32>
})";

/// In two kernels.
static const char *const kLongSum = R"(
func.func @main(%x: tensor<20000x3xf32>) -> tensor<3xf32> {
  %0 = graph.reduce_sum %x axes = [0] : (tensor<20000x3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
})";

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static const char *const kRaggedTail = R"(
!x = tensor<?xf32, #graph.dims<n>>
func.func @main(%x: !x, %y: !x) -> !x {
  %0 = graph.add %x, %y : !x
  %1 = graph.relu %0 : !x
  %2 = graph.mul %1, %y : !x
  return %2 : !x
})";

static const char *const kTransposedAdd = R"(
!x = tensor<?x?xf32, #graph.dims<m, n>>
!y = tensor<?x?xf32, #graph.dims<n, m>>
func.func @main(%x: !x, %y: !y) -> !x {
  %0 = graph.transpose %y perm = [1, 0] : (!y) -> !x
  %1 = graph.add %x, %0 : !x
  return %1 : !x
})";

static const char *const kGather = R"(
!i = tensor<?xi64, #graph.dims<n>>
!y = tensor<?x24xf32, #graph.dims<n, 24>>
func.func @main(%x: tensor<50x24xf32>, %i: !i) -> !y {
  %0 = graph.gather %x, %i axis = 0 : (tensor<50x24xf32>, !i) -> !y
  return %0 : !y
})";

static const char *const kConcat = R"(
!x = tensor<?x12xf32, #graph.dims<n, 12>>
!y = tensor<?x7xf32, #graph.dims<n, 7>>
!z = tensor<?x19xf32, #graph.dims<n, 19>>
func.func @main(%x: !x, %y: !y) -> !z {
  %0 = graph.concat %x, %y axis = 1 : (!x, !y) -> !z
  return %0 : !z
})";

static const char *const kPad = R"(
!x = tensor<?x13xf32, #graph.dims<n, 13>>
!y = tensor<?x21xf32, #graph.dims<n + 3, 21>>
func.func @main(%x: !x) -> !y {
  %0 = graph.pad %x low = [1, 5] high = [2, 3] constant value = 0.5 : (!x) -> !y
  return %0 : !y
})";

static const char *const kUpdateInPlace = R"(
!c = tensor<?x?x4xf32, #graph.dims<b, n, 4>>
!m = tensor<?x?x4xi1, #graph.dims<b, n, 4>>
func.func @main(%cache: !c {graph.donate = 0 : i64},
                %new: tensor<?x1x4xf32, #graph.dims<b, 1, 4>>,
                %position: tensor<1xi64>) -> !c {
  %0 = graph.iota shape = [1, n, 1] axis = 1 of i64
    : () -> tensor<1x?x1xi64, #graph.dims<1, n, 1>>
  %1 = graph.reshape %position shape = [1, 1, 1]
    : (tensor<1xi64>) -> tensor<1x1x1xi64>
  %2 = graph.broadcast %1 shape = [1, n, 1]
    : (tensor<1x1x1xi64>) -> tensor<1x?x1xi64, #graph.dims<1, n, 1>>
  %3 = graph.equal %0, %2 : tensor<1x?x1xi64, #graph.dims<1, n, 1>>
  %4 = graph.broadcast %3 shape = [b, n, 4]
    : (tensor<1x?x1xi1, #graph.dims<1, n, 1>>) -> !m
  %5 = graph.broadcast %new shape = [b, n, 4]
    : (tensor<?x1x4xf32, #graph.dims<b, 1, 4>>) -> !c
  %6 = graph.where %4, %5, %cache : !m, !c, !c
  return %6 : !c
})";

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

static const char *const kMatmul = R"(
!a = tensor<?x?xf32, #graph.dims<m, k>>
!b = tensor<?x?xf32, #graph.dims<k, n>>
!c = tensor<?x?xf32, #graph.dims<m, n>>
func.func @main(%a: !a, %b: !b) -> !c {
  %0 = graph.matmul %a, %b : (!a, !b) -> !c
  return %0 : !c
})";

/// Both factors are read by wide accesses.
static const char *const kMatmulF16 = R"(
!a = tensor<?x1032xf16, #graph.dims<k, 1032>>
!b = tensor<?x40xf16, #graph.dims<k, 40>>
func.func @main(%a: !a, %b: !b) -> tensor<1032x40xf16> {
  %0 = graph.matmul %a, %b transpose_a : (!a, !b) -> tensor<1032x40xf16>
  return %0 : tensor<1032x40xf16>
})";

std::vector<Model> mutant::getModels() {
  auto n = [](int64_t value) { return Sizes{{"n", value}}; };
  auto k = [](int64_t value) { return Sizes{{"k", value}}; };
  auto mn = [](int64_t rows, int64_t columns) {
    return Sizes{{"m", rows}, {"n", columns}};
  };
  auto mkn = [](int64_t rows, int64_t terms, int64_t columns) {
    return Sizes{{"m", rows}, {"k", terms}, {"n", columns}};
  };
  std::vector<Model> models;
  auto add = [&](const char *name, const char *text,
                 std::vector<Sizes> sizes) -> Model & {
    models.push_back({name, text, std::move(sizes)});
    return models.back();
  };
  Model &byWarps = add("softmax-warps", kSoftmaxByWarps, {n(43), n(16), n(1)});
  byWarps.scales = {100};
  byWarps.has = "nvvm.bar.warp.sync";
  Model &byBlocks = add("softmax-blocks", kSoftmaxByBlocks, {n(40), n(1)});
  byBlocks.scales = {100};
  byBlocks.has = "gpu.barrier";
  Model &reversed = add("softmax-reversed", kSoftmaxReversed, {n(43), n(8)});
  reversed.scales = {100};
  reversed.has = "nvvm.bar.warp.sync";
  add("norm-warps", kNormByWarps, {n(11), n(24)}).has = "gpu.shuffle";
  add("norm-blocks-f16", kNormByBlocks, {{}}).has = "gpu.barrier";
  add("row-max", kRowMax, {n(40), n(1)}).has = "gpu.barrier";
  add("row-sum", kRowSum, {{}}).has = "gpu.barrier";
  add("column-sum", kColumnSum, {n(5), n(33), n(1)});
  add("long-sum", kLongSum, {{}}).numKernels = 2;
  add("ragged-tail", kRaggedTail, {n(2051), n(1024), n(5)});
  add("transposed-add", kTransposedAdd,
      {mn(37, 70), mn(64, 32), mn(33, 33), mn(1, 3), mn(5, 12), mn(5, 20),
       mn(5, 28)})
      .has = "gpu.barrier";
  Model &gather = add("gather", kGather, {n(33), n(64)});
  gather.low = -60;
  gather.bound = 60;
  add("concat", kConcat, {n(30), n(256), n(1)});
  add("pad", kPad, {n(20), n(1)});
  add("update-in-place", kUpdateInPlace,
      {Sizes{{"b", 100}, {"n", 3}}, Sizes{{"b", 64}, {"n", 4}}})
      .bound = 3;
  // The first rows of tiles are gone through apart from others.
  std::vector<Sizes> matrices = {mkn(37, 41, 45), mkn(1, 1, 1), mkn(64, 48, 64),
                                 mkn(1160, 9, 33), mkn(3, 0, 3)};
  // Tiles are copied in parts, and the last row, term and column lie in each of
  // them; and as many steps of terms are begun at once.
  for (int64_t i = 0; i < 8; ++i)
    for (int64_t step = 0; step < 5; ++step)
      matrices.push_back(mkn(4 * i + 2, 16 * step + 2 * i + 1, 4 * i + 2));
  add("matmul", kMatmul, matrices).has = "gpu.barrier";
  Model &rounded = add("matmul-tf32", kMatmul, matrices);
  rounded.tf32 = true;
  rounded.has = "nvgpu.mma.sync";
  add("matmul-f16", kMatmulF16, {k(9), k(1), k(70), k(0), k(40), k(130)}).has =
      "nvgpu.mma.sync";
  addAttentionModels(models);
  addAsyncModels(models);
  return models;
}
