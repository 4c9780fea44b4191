//===- ModelBuilder.h - writing models with graph ops ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GENERATE_MODELBUILDER_H
#define TENON_GENERATE_MODELBUILDER_H

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tenon::generate {

/// Builds `func.func @main`, or several functions, op by op. Parameters are
/// named by their path, as PyTorch does ("layer1.0.conv1.weight").
class ModelBuilder {
public:
  explicit ModelBuilder(mlir::MLIRContext *context);

  struct Input {
    std::string name;
    graph::Shape shape;
    mlir::Type elementType;
    /// The result that may take over the input's storage; none if negative.
    int64_t donatedTo = -1;
  };
  /// Starts a function; gives its arguments.
  llvm::SmallVector<mlir::Value> begin(llvm::ArrayRef<Input> inputs,
                                       llvm::StringRef name = "main");
  /// Ends the function with named results.
  void end(llvm::ArrayRef<std::pair<std::string, mlir::Value>> results);
  /// The module, after the end of its last function.
  mlir::OwningOpRef<mlir::ModuleOp> take() { return std::move(module); }
  /// Both at once.
  mlir::OwningOpRef<mlir::ModuleOp>
  finish(llvm::ArrayRef<std::pair<std::string, mlir::Value>> results) {
    end(results);
    return take();
  }

  /// Declares a state that starts as zeros, between functions.
  void state(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
             mlir::Type elementType);
  mlir::Value readState(llvm::StringRef name);
  void writeState(llvm::StringRef name, mlir::Value value);

  mlir::Type f32() { return builder.getF32Type(); }
  mlir::Type i64() { return builder.getI64Type(); }

  mlir::Value parameter(const llvm::Twine &name, llvm::ArrayRef<int64_t> shape);
  mlir::Value scalar(double value);
  /// A constant of rank 1 and type i64.
  mlir::Value integers(llvm::ArrayRef<int64_t> values);

  template <typename OpTy, typename... Args> mlir::Value op(Args &&...args) {
    return OpTy::create(builder, builder.getUnknownLoc(),
                        std::forward<Args>(args)...)
        ->getResult(0);
  }

  mlir::Value reshape(mlir::Value x, const graph::Shape &shape);
  mlir::Value transpose(mlir::Value x, llvm::ArrayRef<int64_t> perm);
  /// Broadcasts to the shape of `like`.
  mlir::Value broadcastLike(mlir::Value x, mlir::Value like);
  mlir::Value add(mlir::Value a, mlir::Value b) {
    return op<graph::AddOp>(a, b);
  }
  mlir::Value relu(mlir::Value x) { return op<graph::ReluOp>(x); }

  struct Window {
    int64_t kernel = 1, stride = 1, pad = 0;
    int64_t groups = 1, dilation = 1;
    bool ceil = false;
  };
  /// NCHW convolution with a square window; `bias` adds a vector of channels.
  mlir::Value conv(mlir::Value x, const llvm::Twine &name, int64_t channels,
                   Window window, bool bias);
  /// NCHW convolution with a kernel of any shape; `pads` are those of height
  /// and width, equal before and after.
  mlir::Value convolve(mlir::Value x, mlir::Value weight, int64_t stride,
                       llvm::ArrayRef<int64_t> pads, int64_t groups = 1,
                       int64_t dilation = 1);
  mlir::Value batchNorm(mlir::Value x, const llvm::Twine &name);
  mlir::Value maxPool(mlir::Value x, Window window);
  /// Padding does not count in the mean.
  mlir::Value averagePool(mlir::Value x, Window window);
  /// The mean over the spatial axes of [n, c, h, w], as [n, c].
  mlir::Value globalAveragePool(mlir::Value x);
  /// x W^T + b with W of shape [features, in].
  mlir::Value linear(mlir::Value x, const llvm::Twine &name, int64_t features);
  mlir::Value layerNorm(mlir::Value x, const llvm::Twine &name, double epsilon);

  mlir::OpBuilder builder;

private:
  graph::DimsAttr ints(llvm::ArrayRef<int64_t> values) {
    return graph::getInts(builder.getContext(), values);
  }
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
};

} // namespace tenon::generate

#endif // TENON_GENERATE_MODELBUILDER_H
