//===- MutantAttention.cpp - models of attention --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attention of each form that its kernels have. Batches are symbols, of which
// the compiler expects enough to fill a GPU: blocks then do not share keys.
//
//===----------------------------------------------------------------------===//

#include "MutantProgram.h"

using namespace mutant;

/// By tensor cores. Depths are no multiples of what these take at once.
static const char *const kCausalF16 = R"(
!q = tensor<?x2x?x24xf16, #graph.dims<b, 2, s, 24>>
!k = tensor<?x2x?x24xf16, #graph.dims<b, 2, t, 24>>
!v = tensor<?x2x?x40xf16, #graph.dims<b, 2, t, 40>>
!y = tensor<?x2x?x40xf16, #graph.dims<b, 2, s, 40>>
func.func @main(%q: !q, %k: !k, %v: !v) -> !y {
  %0 = graph.attention %q, %k, %v scale = 0.25 causal : (!q, !k, !v) -> !y
  return %0 : !y
})";

/// Heads lie side by side in memory. Two warps share the columns of a result.
static const char *const kHeadsInside = R"(
!qi = tensor<?x?x2x18xbf16, #graph.dims<b, s, 2, 18>>
!ki = tensor<?x?x2x18xbf16, #graph.dims<b, t, 2, 18>>
!vi = tensor<?x?x2x144xbf16, #graph.dims<b, t, 2, 144>>
!yi = tensor<?x?x2x144xbf16, #graph.dims<b, s, 2, 144>>
!q = tensor<?x2x?x18xbf16, #graph.dims<b, 2, s, 18>>
!k = tensor<?x2x?x18xbf16, #graph.dims<b, 2, t, 18>>
!v = tensor<?x2x?x144xbf16, #graph.dims<b, 2, t, 144>>
!y = tensor<?x2x?x144xbf16, #graph.dims<b, 2, s, 144>>
func.func @main(%0: !qi, %1: !ki, %2: !vi) -> !yi {
  %q = graph.transpose %0 perm = [0, 2, 1, 3] : (!qi) -> !q
  %k = graph.transpose %1 perm = [0, 2, 1, 3] : (!ki) -> !k
  %v = graph.transpose %2 perm = [0, 2, 1, 3] : (!vi) -> !v
  %3 = graph.attention %q, %k, %v scale = 0.25 causal
    : (!q, !k, !v) -> !y
  %4 = graph.transpose %3 perm = [0, 2, 1, 3] : (!y) -> !yi
  return %4 : !yi
})";

/// Factors of tf32. If heads share keys, tiles have rows of two heads.
static const char *const kTf32 = R"(
!q = tensor<?x4x?x12xf32, #graph.dims<b, 4, s, 12>>
!k = tensor<?x2x?x12xf32, #graph.dims<b, 2, t, 12>>
!v = tensor<?x2x?x20xf32, #graph.dims<b, 2, t, 20>>
!y = tensor<?x4x?x20xf32, #graph.dims<b, 4, s, 20>>
func.func @main(%q: !q, %k: !k, %v: !v) -> !y {
  %0 = graph.attention %q, %k, %v scale = 0.25 causal : (!q, !k, !v) -> !y
  return %0 : !y
})";

/// Without tensor cores. The mask has all axes.
static const char *const kMaskF32 = R"(
!q = tensor<?x4x?x12xf32, #graph.dims<b, 4, s, 12>>
!k = tensor<?x2x?x12xf32, #graph.dims<b, 2, t, 12>>
!v = tensor<?x2x?x20xf32, #graph.dims<b, 2, t, 20>>
!m = tensor<?x4x?x?xf32, #graph.dims<b, 4, s, t>>
!y = tensor<?x4x?x20xf32, #graph.dims<b, 4, s, 20>>
func.func @main(%q: !q, %k: !k, %v: !v, %m: !m) -> !y {
  %0 = graph.attention %q, %k, %v, %m scale = 0.25 : (!q, !k, !v, !m) -> !y
  return %0 : !y
})";

/// A step of generating text: blocks share the keys.
static const char *const kDecode = R"(
!q = tensor<?x10x1x16xf32, #graph.dims<b, 10, 1, 16>>
!k = tensor<?x2x?x16xf32, #graph.dims<b, 2, t, 16>>
!v = tensor<?x2x?x32xf32, #graph.dims<b, 2, t, 32>>
!y = tensor<?x10x1x32xf32, #graph.dims<b, 10, 1, 32>>
func.func @main(%q: !q, %k: !k, %v: !v) -> !y {
  %0 = graph.attention %q, %k, %v scale = 0.25 : (!q, !k, !v) -> !y
  return %0 : !y
})";

void mutant::addAttentionModels(std::vector<Model> &models) {
  auto bst = [](int64_t batch, int64_t queries, int64_t keys) {
    return Sizes{{"b", batch}, {"s", queries}, {"t", keys}};
  };
  auto bt = [](int64_t batch, int64_t keys) {
    return Sizes{{"b", batch}, {"t", keys}};
  };
  auto add = [&](const char *name, const char *text, const char *has,
                 std::vector<Sizes> sizes) -> Model & {
    models.push_back({name, text, std::move(sizes)});
    models.back().has = has;
    // Weights of about the same size, and powers that overflow where they are
    // not relative to the largest.
    models.back().scales = {1, 64};
    return models.back();
  };
  // The last rows of queries and keys lie in each of the parts that a thread
  // copies, and there may be no keys at all.
  add("attention-f16", kCausalF16, "nvvm.ldmatrix",
      {bst(1, 20, 0), bst(1, 20, 11), bst(1, 64, 64), bst(1, 65, 127),
       bst(2, 70, 150)});
  add("attention-bf16", kHeadsInside, "nvvm.ldmatrix",
      {bst(1, 20, 0), bst(1, 10, 11), bst(1, 20, 20), bst(1, 20, 30),
       bst(1, 40, 40), bst(1, 10, 56), bst(1, 64, 64), bst(1, 28, 90),
       bst(1, 38, 100), bst(1, 58, 120), bst(2, 65, 75)});
  add("attention-tf32", kTf32, "nvgpu.mma.sync",
      {bst(1, 20, 0), bst(1, 20, 3), bst(1, 20, 20), bst(1, 20, 40),
       bst(1, 32, 64), bst(1, 65, 70), bst(2, 65, 127)})
      .tf32 = true;
  add("attention-mask", kMaskF32, "math.fma",
      {bst(1, 20, 0), bst(1, 20, 3), bst(1, 10, 20), bst(1, 10, 40),
       bst(1, 10, 70), bst(1, 16, 64), bst(2, 33, 127)});
  add("attention-decode", kDecode, "math.fma",
      {bt(1, 0), bt(1, 3), bt(1, 12), bt(1, 20), bt(1, 28), bt(1, 36),
       bt(1, 44), bt(1, 52), bt(1, 64), bt(1, 1025), bt(1, 1098), bt(1, 1110),
       bt(1, 1125), bt(3, 1020)})
      .numKernels = 2;
}
