//===- Product.cpp - matmuls as calls of cuBLASLt -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Product.h"
#include "tenon/Artifact/StridedProduct.h"
#include "tenon/Backend/Operands.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::backend;

bool Product::takeOperandTransposes() {
  std::tie(lhs, rhs) = getOperandTransposes(root);
  return lhs || rhs;
}

bool Product::takeResultTranspose() {
  // The added tensor would have another layout than the result.
  if (epilogue.residual || !epilogue.end.hasOneUse())
    return false;
  result = dyn_cast<TransposeOp>(*epilogue.end.getUsers().begin());
  if (result && !result.getPerm().getConstants())
    result = TransposeOp();
  return static_cast<bool>(result);
}

static SymInt getDepth(MatmulOp root) {
  Shape shape = getShape(root.getLhs());
  return shape[shape.size() - (root.getTransposeA() ? 2 : 1)];
}

Epilogue::Rules Product::getRules() const {
  Epilogue::Rules rules;
  rules.gelu = true;
  // An empty sum is not a call but a fill with zeros. This is correct only if
  // nothing but an activation follows, which keeps zeros.
  rules.sums = getDepth(root).getConstant().value_or(0) > 0;
  return rules;
}

LibraryCall Product::describe(SmallVectorImpl<Value> &inputs) const {
  LibraryCall built;
  // Accessors of ops are not const.
  MatmulOp matmul = root;
  TransposeOp left = lhs, right = rhs, out = result;
  size_t rank = getShape(matmul.getResult()).size();
  built.operands.push_back(
      viewMatmulOperand(matmul.getLhs(), left, matmul.getTransposeA(), rank));
  built.operands.push_back(
      viewMatmulOperand(matmul.getRhs(), right, matmul.getTransposeB(), rank));
  inputs.push_back(left ? left.getX() : matmul.getLhs());
  inputs.push_back(right ? right.getX() : matmul.getRhs());
  CallOperand stored =
      viewMatmulOperand(matmul.getResult(), TransposeOp(), false, rank);
  if (out)
    // Axis i of the stored tensor is axis perm[i] of the result.
    for (auto [position, axis] : llvm::enumerate(*out.getPerm().getConstants()))
      stored.order[position] = axis;
  epilogue.describe(built, inputs, stored);
  built.operands.push_back(std::move(stored));
  return built;
}

StringRef Product::getRefusal() const {
  MatmulOp matmul = root;
  Type type = getElementTypeOrSelf(matmul.getResult().getType());
  if (!isCudaFloat(matmul.getResult()) ||
      getElementTypeOrSelf(matmul.getLhs().getType()) != type ||
      getElementTypeOrSelf(matmul.getRhs().getType()) != type)
    return "expected operands and a result of one of f32, f16 and bf16";
  SmallVector<Value> inputs;
  LibraryCall call = describe(inputs);
  auto toTensor = [](const CallOperand &operand) {
    return artifact::StridedTensor<SymInt>(
        {operand.shape.begin(), operand.shape.end()}, operand.order.data());
  };
  for (const CallOperand &operand : call.operands)
    for (const SymInt &size : operand.shape)
      if (size.isUnknown())
        return "expected sizes that depend only on the inputs' sizes";
  if (!artifact::describeProduct(toTensor(call.operands[0]),
                                 toTensor(call.operands[1]),
                                 toTensor(call.operands.back())))
    return "expected matrices with dense rows or columns, and batches with one "
           "constant stride";
  return "";
}

Subgraph Product::getSubgraph() const {
  Subgraph subgraph;
  MatmulOp matmul = root;
  subgraph.ops.push_back(matmul);
  for (TransposeOp transpose : {lhs, rhs})
    if (transpose) {
      subgraph.ops.push_back(transpose);
      subgraph.pattern += "transpose+";
    }
  subgraph.pattern += "matmul";
  for (Operation *op : epilogue.ops) {
    subgraph.ops.push_back(op);
    if (!isa<BroadcastOp>(op))
      subgraph.pattern += "+" + op->getName().stripDialect().str();
  }
  if (result) {
    subgraph.ops.push_back(TransposeOp(result));
    subgraph.pattern += "+transpose";
  }
  return subgraph;
}
