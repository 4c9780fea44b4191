//===- Operands.h - operands as oneDNN describes them ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_ONEDNN_OPERANDS_H
#define TENON_LIB_RUNTIME_ONEDNN_OPERANDS_H

#include "../CallOperands.h"
#include "OneDnn.h"

namespace tenon::runtime {

/// Returns oneDNN's element type; undefined for types that it lacks.
dnnl_data_type_t oneDnnType(tenon_dtype dtype);

/// Writes oneDNN's description of an operand; returns false if oneDNN refuses
/// it.
bool describe(const OneDnn &dnnl, const CallOperand &operand,
              dnnl_memory_desc_t &out);

/// Returns a description of the operand's sizes in a layout that oneDNN may
/// choose.
dnnl_memory_desc_t describeAny(const CallOperand &operand);

/// Extends the operands of a matmul (lhs, rhs, [bias], post-op operands,
/// result) to the ranks that oneDNN requires. If the weight has no batches and
/// the layout in memory allows it, all batches and rows become the rows of one
/// product.
void shapeMatmul(const tenon_call &call, std::vector<CallOperand> &operands);

/// Turns a convolution that is a matrix product (one kernel element, no pads or
/// strides, channels last) into the operands of that product. Returns false
/// without any change for other convolutions.
bool shapeConvAsMatmul(const tenon_call &call,
                       std::vector<CallOperand> &operands);

/// Splits the groups off the output channels, axis 0, of a weight of
/// [o, c / groups, ...], if there are several.
void splitGroups(const tenon_call &call, CallOperand &weight);

/// Turns the operands of a convolution into those of oneDNN: splits the groups
/// off the weight's channels.
void shapeConv(const tenon_call &call, std::vector<CallOperand> &operands);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_ONEDNN_OPERANDS_H
