//===- Windows.h - windows of convolutions and pools ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_ONNX_WINDOWS_H
#define TENON_LIB_IMPORT_ONNX_WINDOWS_H

#include "NodeContext.h"

namespace tenon::onnx {

/// How a window moves over the spatial axes. There is one entry per axis,
/// except that pads has all begins, then all ends.
struct Windows {
  llvm::SmallVector<int64_t> kernel, strides, dilations;
  graph::Shape pads;
};

/// Reads strides, dilations, pads and auto_pad. `spatial` has the input's sizes
/// of the axes that the kernel covers.
mlir::FailureOr<Windows> readWindows(NodeContext &n,
                                     llvm::ArrayRef<int64_t> kernel,
                                     llvm::ArrayRef<graph::SymInt> spatial);

/// Reads a list of one integer per spatial axis, each in [least, 2^31]; the
/// default is `otherwise`.
mlir::FailureOr<llvm::SmallVector<int64_t>>
spatialAttr(NodeContext &n, llvm::StringRef name, size_t count,
            int64_t otherwise, int64_t least);

} // namespace tenon::onnx

#endif // TENON_LIB_IMPORT_ONNX_WINDOWS_H
