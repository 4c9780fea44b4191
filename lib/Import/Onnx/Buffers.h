//===- Buffers.h - weights that are no parameters ---------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An ONNX model does not say which of its initializers its author trains. These
// functions find the others, which are buffers in the words of PyTorch, by what
// they hold and how they are used. docs/training.md states what they find.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_ONNX_BUFFERS_H
#define TENON_LIB_IMPORT_ONNX_BUFFERS_H

#include "Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::onnx {

/// Whether PyTorch's exporters made up the name, as of a constant or of a
/// weight that they transposed: it is no name in the author's module.
bool isExportersName(llvm::StringRef name);

/// Why a floating-point initializer is no parameter ("a mask"); empty if it may
/// be one.
llvm::StringRef findBufferReason(const OnnxTensor &tensor);

/// Whether all elements are equal.
bool isUniform(const OnnxTensor &tensor);

/// Whether `other` has the elements of `tensor`, a matrix, transposed.
bool isTransposeOf(const OnnxTensor &other, const OnnxTensor &tensor);

/// Whether a batch norm uses the value as its mean or variance.
bool isStatistic(mlir::OpOperand &use);

/// Of weights with equal elements, sets the reason of those that are constants
/// of an exporter, and warns of others that several ops read: exporters write
/// initializers with equal values once.
void markUniform(mlir::func::FuncOp function,
                 llvm::ArrayRef<const OnnxTensor *> weights);

/// Sets the reason of weights with names of an exporter whose gradient is
/// always zero: no path of differentiable ops leads from them to a result.
void markWithoutGradient(mlir::func::FuncOp function);

/// Sets the reason of the parameters of `function` that only weigh the classes
/// of a loss: vectors that are read by index.
void markClassWeights(mlir::func::FuncOp function);

} // namespace tenon::onnx

#endif // TENON_LIB_IMPORT_ONNX_BUFFERS_H
