//===- Patterns.cpp - products with their epilogues -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Structure.h"

#include "tenon/Dialect/Graph/IR/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::backend;

bool tenon::backend::isProductTaken(Operation *op) {
  if (!isa<MatmulOp, ConvOp, ConvTransposeOp>(op) || !isF32(op->getResult(0)) ||
      !isF32(op->getOperand(0)))
    return false;
  auto constant = [](DimsAttr ints) { return ints.getConstants().has_value(); };
  if (auto conv = dyn_cast<ConvOp>(op))
    return constant(conv.getStrides()) && constant(conv.getPads()) &&
           constant(conv.getDilations()) && constant(conv.getGroups());
  if (auto conv = dyn_cast<ConvTransposeOp>(op)) {
    if (!constant(conv.getStrides()) || !constant(conv.getPads()) ||
        !constant(conv.getDilations()) || !constant(conv.getGroups()) ||
        !constant(conv.getOutputPadding()))
      return false;
    // Rows that no window reaches are left to generated code.
    return llvm::all_of(llvm::zip_equal(*conv.getOutputPadding().getConstants(),
                                        *conv.getStrides().getConstants()),
                        [](auto entry) {
                          auto [extra, stride] = entry;
                          return extra < stride;
                        });
  }
  return true;
}

namespace {
/// Grows the chain that starts at a root.
class Matcher {
public:
  Matcher(Operation *root, bool withTransposes)
      : root(root), withTransposes(withTransposes), chain(root->getResult(0)) {
    subgraph.ops.push_back(root);
    subgraph.pattern = root->getName().stripDialect().str();
  }

  /// Matches the chain. With transposes, appends only subgraphs that contain
  /// some.
  void run(SmallVectorImpl<Subgraph> &subgraphs);

private:
  bool takeOperandTransposes();
  bool takeResultTranspose();

  Operation *root;
  bool withTransposes;
  Subgraph subgraph;
  Value chain;
};
} // namespace

bool tenon::backend::isFreeTranspose(TransposeOp op, bool onResult) {
  std::optional<SmallVector<int64_t>> perm = op.getPerm().getConstants();
  if (!perm || perm->size() < 3)
    return false;
  int64_t rank = perm->size();
  // The innermost axis in memory must be a matrix axis.
  return onResult ? perm->back() == rank - 1
                  : perm->back() == rank - 1 || (*perm)[rank - 2] == rank - 1;
}

bool Matcher::takeOperandTransposes() {
  bool taken = false;
  for (Value operand : root->getOperands()) {
    auto transpose = operand.getDefiningOp<TransposeOp>();
    if (!transpose || !transpose->hasOneUse() ||
        !isFreeTranspose(transpose, /*onResult=*/false))
      continue;
    subgraph.ops.push_back(transpose);
    subgraph.pattern = "transpose+" + subgraph.pattern;
    taken = true;
  }
  return taken;
}

bool Matcher::takeResultTranspose() {
  if (!chain.hasOneUse())
    return false;
  auto transpose = dyn_cast<TransposeOp>(*chain.getUsers().begin());
  // A flattened result has no batch axes to move.
  if (!transpose || getShape(root->getOperand(1)).size() == 2 ||
      !isFreeTranspose(transpose, /*onResult=*/true))
    return false;
  subgraph.ops.push_back(transpose);
  subgraph.pattern += "+transpose";
  return true;
}

void Matcher::run(SmallVectorImpl<Subgraph> &subgraphs) {
  bool isMatmul = isa<MatmulOp>(root);
  bool differs = withTransposes && isMatmul && takeOperandTransposes();
  for (unsigned postOps = 0;; ++postOps) {
    if (differs || !withTransposes)
      subgraphs.push_back(subgraph);
    if (withTransposes && isMatmul) {
      Subgraph shorter = subgraph;
      if (takeResultTranspose())
        subgraphs.push_back(subgraph);
      subgraph = std::move(shorter);
    }
    if (postOps == kMostPostOps || !takePostOp(subgraph, chain))
      return;
  }
}

void tenon::backend::matchChain(Operation *root,
                                SmallVectorImpl<Subgraph> &subgraphs) {
  if (!isProductTaken(root))
    return;
  for (bool withTransposes : {false, true})
    Matcher(root, withTransposes).run(subgraphs);
}

bool tenon::backend::isBackwardWeightTaken(Operation *op) {
  auto constant = [](DimsAttr ints) { return ints.getConstants().has_value(); };
  auto conv = dyn_cast<ConvBackwardWeightOp>(op);
  return conv && isF32(conv.getResult()) && constant(conv.getKernel()) &&
         constant(conv.getStrides()) && constant(conv.getPads()) &&
         constant(conv.getDilations()) && constant(conv.getGroups());
}

void tenon::backend::matchBackwardWeight(Operation *root,
                                         SmallVectorImpl<Subgraph> &subgraphs) {
  if (isBackwardWeightTaken(root))
    subgraphs.push_back({{root}, root->getName().stripDialect().str()});
}
