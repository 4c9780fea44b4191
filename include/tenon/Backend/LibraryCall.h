//===- LibraryCall.h - a placed subgraph as a library call ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The description that a backend gives of a `kernel.call` placed on it. Sizes
// are SymInts; tenon/Artifact/Program.h defines the fields of the emitted form.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_BACKEND_LIBRARYCALL_H
#define TENON_BACKEND_LIBRARYCALL_H

#include "tenon/Backend/PluginCall.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Program/IR/Program.h"

#include <optional>
#include <string>

namespace tenon::backend {

using SiteKind = program::Primitive;
using SiteLibrary = program::Library;

/// Returns whether operand 1 is a weight, by which the others are multiplied.
inline bool hasWeight(SiteKind kind) { return kind <= SiteKind::ConvTranspose; }

using PostOpKind = program::PostOpKind;

struct PostOp {
  PostOpKind kind = PostOpKind::Relu;
  float alpha = 0, beta = 0;
};

/// An operand of a library call: its logical shape and the order of its axes in
/// memory, outermost first (empty: row-major).
struct SiteOperand {
  mlir::Type elementType;
  graph::Shape shape;
  llvm::SmallVector<int32_t> order;
};

/// A call of oneDNN, of code built on it, or of a CUDA library.
struct Site {
  SiteLibrary library = SiteLibrary::OneDnn;
  SiteKind kind = SiteKind::Matmul;
  llvm::SmallVector<SiteOperand, 0> operands; // the step's buffers, result last
  bool hasBias = false;
  llvm::SmallVector<PostOp> postOps;
  llvm::SmallVector<int64_t> strides, dilations, padsBegin, padsEnd;
  int64_t groups = 1;
  bool constantWeight = false;
  /// Whether the factors of f32 products may be rounded to tf32. Set by Lower.
  bool tf32 = false;
  llvm::SmallVector<int64_t> window;
  float alpha = 0, beta = 0, k = 0, epsilon = 0;
};

struct LibraryCall {
  Site site;
  /// For each operand of the site except the results: the kernel's input.
  llvm::SmallVector<unsigned> inputs;
  /// The order of axes that the library requires for operand 1, which must be
  /// known at load; empty: unchanged.
  llvm::SmallVector<unsigned> weightOrder;
  /// Used instead of `site` for a plug-in call. `outputs` has the kernel's
  /// output for each of its results.
  std::optional<PluginCall> plugin;
  llvm::SmallVector<unsigned> outputs;
};

} // namespace tenon::backend

#endif // TENON_BACKEND_LIBRARYCALL_H
