//===- AttentionMask.cpp - the mask that attention adds to its scores -----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionMask.h"
#include "ContractionTile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

AttentionMask::AttentionMask(GpuKernelBuilder &kernel, ExprEmitter &sizes,
                             const AttentionForm &form, Value matrix)
    : kernel(kernel), type(form.type) {
  SymInt stride = 1;
  for (const SymInt &size : llvm::reverse(*form.mask)) {
    bool isSame = size.getConstant() == 1;
    strides.push_back(isSame ? Value() : sizes.emitSize(stride));
    stride = stride * size;
  }
  matrixStart = kernel.context.pointers[3];
  // Locate the first of the matrix's heads, then the axes of the batch.
  Value head = matrix, batch;
  if (!form.batch.empty()) {
    Value heads = sizes.emitSize(form.kvHeads);
    head = kernel.rem(matrix, heads);
    batch = kernel.div(matrix, heads);
  }
  head = kernel.mul(head, sizes.emitSize(form.groups()));
  matrixStart = addOffset(matrixStart, head, getStride(2));
  for (size_t axis = form.batch.size(); axis-- > 0;) {
    Value index = batch;
    if (axis > 0) {
      Value size = sizes.emitSize(form.batch[axis]);
      index = kernel.rem(batch, size);
      batch = kernel.div(batch, size);
    }
    matrixStart =
        addOffset(matrixStart, index, getStride(2 + form.batch.size() - axis));
  }
}

Value AttentionMask::addOffset(Value address, Value index, Value stride) {
  if (!stride)
    return address;
  Value bytes =
      kernel.mul(kernel.mul(index, stride), kernel.constant(byteWidth(type)));
  return offsetAddress(kernel, address, bytes);
}

void AttentionMask::addRow(Value head, Value query) {
  Value address = addOffset(matrixStart, head, getStride(2));
  rows.push_back(addOffset(address, query, getStride(1)));
}

Value AttentionMask::load(int64_t row, Value key) {
  bool isSame = row > 0 && rows[row] == rows[row - 1];
  if (isSame && lastKey == key)
    return lastValue;
  OpBuilder &b = kernel.builder;
  Value address = addOffset(rows[row], key, getStride(0));
  Type memory = type;
  lastKey = key;
  lastValue = LLVM::LoadOp::create(b, kernel.loc, memory, address,
                                   static_cast<unsigned>(byteWidth(type)));
  if (!type.isF32())
    lastValue = arith::ExtFOp::create(b, kernel.loc, b.getF32Type(), lastValue);
  return lastValue;
}
