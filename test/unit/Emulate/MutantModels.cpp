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
using tenon::graph::SymInt;

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

/// Each element of a row needs all of another stage.
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

//===----------------------------------------------------------------------===//
// Asynchronous copies, which the compiler does not make
//===----------------------------------------------------------------------===//

static const char *const kSumOfSteps = R"(
func.func @main(%x: tensor<?x?x64xf32, #graph.dims<n, s, 64>>)
    -> tensor<?x64xf32, #graph.dims<n, 64>> {
  %0 = graph.reduce_sum %x axes = [1] : (tensor<?x?x64xf32, #graph.dims<n, s, 64>>)
    -> tensor<?x64xf32, #graph.dims<n, 64>>
  return %0 : tensor<?x64xf32, #graph.dims<n, 64>>
})";

/// One step's numbers are under way while those of the one before are added,
/// by other threads than those that copied them.
static const char *const kSumOfStepsAsync = R"(
gpu.module @kernels {
  llvm.mlir.global internal @tiles() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x i8>
  gpu.func @k0(%in: !llvm.ptr, %out: !llvm.ptr, %workspace: !llvm.ptr, %n: i64, %s: i64) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c63 = arith.constant 63 : index
    %c64 = arith.constant 64 : index
    %zero = arith.constant 0.0 : f32
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %steps = arith.index_cast %s : i64 to index
    %mirror = arith.subi %c63, %t : index
    %shared = llvm.mlir.addressof @tiles : !llvm.ptr<3>
    %first = arith.muli %b, %steps : index
    %i0 = arith.muli %first, %c64 : index
    %i1 = arith.addi %i0, %t : index
    %i2 = arith.index_cast %i1 : index to i64
    %t64 = arith.index_cast %t : index to i64
    %from0 = llvm.getelementptr %in[%i2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %global0 = llvm.addrspacecast %from0 : !llvm.ptr to !llvm.ptr<1>
    %to0 = llvm.getelementptr %shared[%t64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    nvvm.cp.async.shared.global %to0, %global0, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    %sum = scf.for %step = %c0 to %steps step %c1 iter_args(%carried = %zero) -> (f32) {
      %next = arith.addi %step, %c1 : index
      %exists = arith.cmpi ult, %next, %steps : index
      scf.if %exists {
        %j0 = arith.addi %first, %next : index
        %j1 = arith.muli %j0, %c64 : index
        %j2 = arith.addi %j1, %t : index
        %j3 = arith.index_cast %j2 : index to i64
        %from = llvm.getelementptr %in[%j3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %global = llvm.addrspacecast %from : !llvm.ptr to !llvm.ptr<1>
        %other = arith.remui %next, %c2 : index
        %k0 = arith.muli %other, %c64 : index
        %k1 = arith.addi %k0, %t : index
        %k2 = arith.index_cast %k1 : index to i64
        %to = llvm.getelementptr %shared[%k2] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
        nvvm.cp.async.shared.global %to, %global, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
      }
      nvvm.cp.async.commit.group
      nvvm.cp.async.wait.group 1
      gpu.barrier
      %this = arith.remui %step, %c2 : index
      %l0 = arith.muli %this, %c64 : index
      %l1 = arith.addi %l0, %mirror : index
      %l2 = arith.index_cast %l1 : index to i64
      %read = llvm.getelementptr %shared[%l2] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
      %x = llvm.load %read : !llvm.ptr<3> -> f32
      %added = arith.addf %carried, %x : f32
      gpu.barrier
      scf.yield %added : f32
    }
    %o0 = arith.muli %b, %c64 : index
    %o1 = arith.addi %o0, %mirror : index
    %o2 = arith.index_cast %o1 : index to i64
    %write = llvm.getelementptr %out[%o2] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %sum, %write : f32, !llvm.ptr
    gpu.return
  }
})";

static const char *const kReverse = R"(
func.func @main(%x: tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>> {
  %0 = graph.reverse %x axes = [0] : tensor<?xf32, #graph.dims<n>>
  return %0 : tensor<?xf32, #graph.dims<n>>
})";

/// Two groups of copies, each waited for by itself.
static const char *const kReverseAsync = R"(
gpu.module @kernels {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<512 x i8>
  gpu.func @k0(%in: !llvm.ptr, %out: !llvm.ptr, %workspace: !llvm.ptr, %n: i64) kernel {
    %c1 = arith.constant 1 : index
    %c63 = arith.constant 63 : index
    %c64 = arith.constant 64 : index
    %c128 = arith.constant 128 : index
    %size = arith.index_cast %n : i64 to index
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %mirror = arith.subi %c63, %t : index
    %shared = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %base = arith.muli %b, %c128 : index
    %at = arith.addi %base, %t : index
    %at2 = arith.addi %at, %c64 : index
    %t64 = arith.index_cast %t : index to i64
    %to = llvm.getelementptr %shared[%t64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    %to2 = llvm.getelementptr %to[64] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
    %in1 = arith.cmpi ult, %at, %size : index
    scf.if %in1 {
      %i = arith.index_cast %at : index to i64
      %from = llvm.getelementptr %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %global = llvm.addrspacecast %from : !llvm.ptr to !llvm.ptr<1>
      nvvm.cp.async.shared.global %to, %global, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    }
    nvvm.cp.async.commit.group
    %in2 = arith.cmpi ult, %at2, %size : index
    scf.if %in2 {
      %i = arith.index_cast %at2 : index to i64
      %from = llvm.getelementptr %in[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %global = llvm.addrspacecast %from : !llvm.ptr to !llvm.ptr<1>
      nvvm.cp.async.shared.global %to2, %global, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    }
    nvvm.cp.async.commit.group
    %m64 = arith.index_cast %mirror : index to i64
    %read = llvm.getelementptr %shared[%m64] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, f32
    %read2 = llvm.getelementptr %read[64] : (!llvm.ptr<3>) -> !llvm.ptr<3>, f32
    %last = arith.subi %size, %c1 : index
    %p0 = arith.addi %base, %mirror : index
    %p1 = arith.addi %p0, %c64 : index
    nvvm.cp.async.wait.group 1
    gpu.barrier
    %has1 = arith.cmpi ult, %p0, %size : index
    scf.if %has1 {
      %q = arith.subi %last, %p0 : index
      %i = arith.index_cast %q : index to i64
      %x = llvm.load %read : !llvm.ptr<3> -> f32
      %write = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %x, %write : f32, !llvm.ptr
    }
    nvvm.cp.async.wait.group 0
    gpu.barrier
    %has2 = arith.cmpi ult, %p1, %size : index
    scf.if %has2 {
      %q = arith.subi %last, %p1 : index
      %i = arith.index_cast %q : index to i64
      %x = llvm.load %read2 : !llvm.ptr<3> -> f32
      %write = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      llvm.store %x, %write : f32, !llvm.ptr
    }
    gpu.return
  }
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
  SymInt symbolN = SymInt::symbol("n");
  std::vector<Model> models;
  auto add = [&](const char *name, const char *text,
                 std::vector<Sizes> sizes) -> Model & {
    models.push_back({name, text, std::move(sizes)});
    return models.back();
  };
  Model &byWarps = add("softmax-warps", kSoftmaxByWarps, {n(43), n(16), n(1)});
  byWarps.scale = 100;
  byWarps.has = "nvvm.bar.warp.sync";
  Model &byBlocks = add("softmax-blocks", kSoftmaxByBlocks, {n(40), n(1)});
  byBlocks.scale = 100;
  byBlocks.has = "gpu.barrier";
  Model &reversed = add("softmax-reversed", kSoftmaxReversed, {n(43), n(8)});
  reversed.scale = 100;
  reversed.has = "nvvm.bar.warp.sync";
  add("norm-warps", kNormByWarps, {n(11), n(24)}).has = "gpu.shuffle";
  add("norm-blocks-f16", kNormByBlocks, {{}}).has = "gpu.barrier";
  add("row-max", kRowMax, {n(40), n(1)}).has = "gpu.barrier";
  add("row-sum", kRowSum, {{}}).has = "gpu.barrier";
  add("column-sum", kColumnSum, {n(5), n(33), n(1)});
  add("long-sum", kLongSum, {{}}).numKernels = 2;
  add("ragged-tail", kRaggedTail, {n(2051), n(1024), n(5)});
  add("transposed-add", kTransposedAdd,
      {mn(37, 70), mn(64, 32), mn(33, 33), mn(1, 3)})
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
                                 mkn(1160, 9, 33)};
  add("matmul", kMatmul, matrices).has = "gpu.barrier";
  Model &rounded = add("matmul-tf32", kMatmul, matrices);
  rounded.tf32 = true;
  rounded.has = "nvgpu.mma.sync";
  add("matmul-f16", kMatmulF16, {k(9), k(1), k(70)}).has = "nvgpu.mma.sync";
  auto addAsync = [&](const char *name, const char *text, const char *kernels,
                      std::vector<Sizes> sizes, SymInt blocks) {
    Model &model = add(name, text, std::move(sizes));
    model.kernels = kernels;
    model.blocks = std::move(blocks);
    model.blockThreads = 64;
  };
  addAsync("sum-async", kSumOfSteps, kSumOfStepsAsync,
           {Sizes{{"n", 3}, {"s", 5}}, Sizes{{"n", 1}, {"s", 1}}}, symbolN);
  addAsync("reverse-async", kReverse, kReverseAsync, {n(300), n(256), n(1)},
           symbolN.ceilDiv(128));
  return models;
}
