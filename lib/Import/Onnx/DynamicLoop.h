//===- DynamicLoop.h - loops with a size-dependent number of steps --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_ONNX_DYNAMICLOOP_H
#define TENON_LIB_IMPORT_ONNX_DYNAMICLOOP_H

#include "NodeContext.h"

namespace tenon::onnx {

/// Converts a Loop of at least one step whose steps do not depend on each
/// other; all steps are batched. States may be counters, values that do not
/// change, and sequences to which every step appends one tensor. Anything else
/// is an error.
mlir::LogicalResult convertDynamicLoop(NodeContext &n, const GraphProto &body,
                                       std::optional<graph::SymInt> trips,
                                       const graph::SymInt &condition);

} // namespace tenon::onnx

#endif // TENON_LIB_IMPORT_ONNX_DYNAMICLOOP_H
