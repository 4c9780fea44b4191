//===- MutantAsync.cpp - kernels with asynchronous copies -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by hand: small ones, where copies are waited for group by group, and
// read by other threads than those that made them.
//
//===----------------------------------------------------------------------===//

#include "MutantProgram.h"

using namespace mutant;
using tenon::graph::SymInt;

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

void mutant::addAsyncModels(std::vector<Model> &models) {
  SymInt symbolN = SymInt::symbol("n");
  auto n = [](int64_t value) { return Sizes{{"n", value}}; };
  auto add = [&](const char *name, const char *text, const char *kernels,
                 std::vector<Sizes> sizes, SymInt blocks) {
    models.push_back({name, text, std::move(sizes)});
    Model &model = models.back();
    model.kernels = kernels;
    model.blocks = std::move(blocks);
    model.blockThreads = 64;
  };
  add("sum-async", kSumOfSteps, kSumOfStepsAsync,
      {Sizes{{"n", 3}, {"s", 5}}, Sizes{{"n", 1}, {"s", 1}}}, symbolN);
  add("reverse-async", kReverse, kReverseAsync, {n(300), n(256), n(1)},
      symbolN.ceilDiv(128));
}
