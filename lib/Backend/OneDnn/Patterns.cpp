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

static bool isRoot(Operation *op) {
  if (!isa<MatmulOp, ConvOp, ConvTransposeOp>(op) || !isF32(op->getResult(0)) ||
      !isF32(op->getOperand(0)))
    return false;
  auto constant = [](DimsAttr ints) { return ints.getConstants().has_value(); };
  if (auto conv = dyn_cast<ConvOp>(op))
    return constant(conv.getStrides()) && constant(conv.getPads()) &&
           constant(conv.getDilations()) && constant(conv.getGroups());
  if (auto conv = dyn_cast<ConvTransposeOp>(op)) {
    // Extra output rows are left to generated code.
    if (!constant(conv.getStrides()) || !constant(conv.getPads()) ||
        !constant(conv.getDilations()) || !constant(conv.getGroups()) ||
        !constant(conv.getOutputPadding()))
      return false;
    return llvm::all_of(*conv.getOutputPadding().getConstants(),
                        [](int64_t extra) { return extra == 0; });
  }
  return true;
}

namespace {
/// Grows the chain that starts at a root.
class Matcher {
public:
  Matcher(Operation *root, bool withTransposes)
      : root(root), withTransposes(withTransposes), chain(root->getResult(0)) {
    piece.ops.push_back(root);
    piece.pattern = root->getName().stripDialect().str();
  }

  /// Matches the chain. With transposes, appends only subgraphs that contain
  /// some.
  void run(SmallVectorImpl<Piece> &pieces);

private:
  bool takeOperandTransposes();
  bool takeResultTranspose();

  Operation *root;
  bool withTransposes;
  Piece piece;
  Value chain;
};
} // namespace

/// A matrix multiplication can read its operands and write its result in any
/// order of axes whose innermost axis is a matrix axis. Transposes between
/// heads and positions are therefore free.
static bool isFreeTranspose(TransposeOp op, bool onResult) {
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
    piece.ops.push_back(transpose);
    piece.pattern = "transpose+" + piece.pattern;
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
  piece.ops.push_back(transpose);
  piece.pattern += "+transpose";
  return true;
}

void Matcher::run(SmallVectorImpl<Piece> &pieces) {
  bool isMatmul = isa<MatmulOp>(root);
  bool differs = withTransposes && isMatmul && takeOperandTransposes();
  for (unsigned posts = 0;; ++posts) {
    if (differs || !withTransposes)
      pieces.push_back(piece);
    if (withTransposes && isMatmul) {
      Piece shorter = piece;
      if (takeResultTranspose())
        pieces.push_back(piece);
      piece = std::move(shorter);
    }
    if (posts == kMostPosts || !takePost(piece, chain))
      return;
  }
}

void tenon::backend::matchChain(Operation *root,
                                SmallVectorImpl<Piece> &pieces) {
  if (!isRoot(root))
    return;
  for (bool withTransposes : {false, true})
    Matcher(root, withTransposes).run(pieces);
}
