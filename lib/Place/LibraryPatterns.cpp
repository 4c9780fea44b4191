//===- LibraryPatterns.cpp - what oneDNN takes ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LibraryPatterns.h"

#include "tenon/Dialect/Graph/IR/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::place;

/// Multiply-adds, with dynamic sizes counted as 128.
static double countWork(Operation *root) {
  auto guess = [](const SymInt &size) {
    std::optional<int64_t> value =
        size.evaluate([](StringRef) { return std::optional<int64_t>(128); });
    return value ? static_cast<double>(*value) : 0.0;
  };
  double work = 1;
  for (const SymInt &size : getShape(root->getResult(0)))
    work *= guess(size);
  if (auto matmul = dyn_cast<MatmulOp>(root)) {
    Shape lhs = getShape(matmul.getLhs());
    return work * guess(lhs[lhs.size() - (matmul.getTransposeA() ? 2 : 1)]);
  }
  // A transposed convolution does one multiply-add per input element and kernel
  // element of each of its output channels; this overestimates it.
  Shape weight = getShape(root->getOperand(1));
  for (const SymInt &size : ArrayRef<SymInt>(weight).drop_front(1))
    work *= guess(size);
  return work;
}

static bool isF32(Value value) {
  return getElementTypeOrSelf(value.getType()).isF32();
}

static bool isRoot(Operation *op) {
  if (!isa<MatmulOp, ConvOp, ConvTransposeOp>(op) || !isF32(op->getResult(0)) ||
      !isF32(op->getOperand(0)))
    return false;
  auto constant = [](DimsAttr ints) { return ints.getConstants().has_value(); };
  if (auto conv = dyn_cast<ConvOp>(op))
    return constant(conv.getStrides()) && constant(conv.getPads()) &&
           constant(conv.getDilations()) && constant(conv.getGroups());
  if (auto conv = dyn_cast<ConvTransposeOp>(op)) {
    // Extra output rows are left to own code.
    if (!constant(conv.getStrides()) || !constant(conv.getPads()) ||
        !constant(conv.getDilations()) || !constant(conv.getGroups()) ||
        !constant(conv.getOutputPadding()))
      return false;
    return llvm::all_of(*conv.getOutputPadding().getConstants(),
                        [](int64_t extra) { return extra == 0; });
  }
  return true;
}

/// The broadcast that a call can take over into a post-op: one value per
/// channel, per column or for all, so that at most one axis differs from 1.
static Operation *getNarrowBroadcast(Value value) {
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return nullptr;
  unsigned wide = 0;
  for (const SymInt &size : getShape(broadcast.getX()))
    wide += size.getConstant() != 1;
  return wide <= 1 ? broadcast.getOperation() : nullptr;
}

static bool isSplat(Value value) {
  Operation *op = value.getDefiningOp();
  if (auto broadcast = dyn_cast_or_null<BroadcastOp>(op))
    op = broadcast.getX().getDefiningOp();
  auto constant = dyn_cast_or_null<ConstantOp>(op);
  if (!constant)
    return false;
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  return elements && elements.isSplat();
}

namespace {
/// Grows the chain behind a root.
class Matcher {
public:
  explicit Matcher(Operation *root) : root(root), chain(root->getResult(0)) {
    match.ops.push_back(root);
    match.pattern = root->getName().stripDialect().str();
  }

  LibraryMatch run() {
    if (isa<MatmulOp>(match.ops.front()))
      takeOperandTransposes();
    while (posts < kMostPosts && extend())
      ++posts;
    if (isa<MatmulOp>(root))
      takeResultTranspose();
    return std::move(match);
  }

private:
  static constexpr unsigned kMostPosts = 8;

  bool extend();
  void takeOperandTransposes();
  void takeResultTranspose();

  Operation *root;
  LibraryMatch match;
  Value chain;
  unsigned posts = 0;
};
} // namespace

/// A matrix multiplication reads its operands, and writes its result, in any
/// order of axes whose innermost stays a matrix axis: transposes between heads
/// and positions cost nothing.
static bool isFreeTranspose(TransposeOp op, bool onResult) {
  std::optional<SmallVector<int64_t>> perm = op.getPerm().getConstants();
  if (!perm || perm->size() < 3)
    return false;
  int64_t rank = perm->size();
  // Memory's innermost axis must be one of the matrix.
  return onResult ? perm->back() == rank - 1
                  : perm->back() == rank - 1 || (*perm)[rank - 2] == rank - 1;
}

void Matcher::takeOperandTransposes() {
  for (Value operand : root->getOperands()) {
    auto transpose = operand.getDefiningOp<TransposeOp>();
    if (!transpose || !transpose->hasOneUse() ||
        !isFreeTranspose(transpose, /*onResult=*/false))
      continue;
    match.ops.push_back(transpose);
    match.pattern = "transpose+" + match.pattern;
  }
}

void Matcher::takeResultTranspose() {
  if (!chain.hasOneUse())
    return;
  auto transpose = dyn_cast<TransposeOp>(*chain.getUsers().begin());
  // A result that is a flattened matrix has no batch axes to move.
  if (!transpose || getShape(root->getOperand(1)).size() == 2 ||
      !isFreeTranspose(transpose, /*onResult=*/true))
    return;
  match.ops.push_back(transpose);
  match.pattern += "+transpose";
}

bool Matcher::extend() {
  if (!chain.hasOneUse())
    return false;
  Operation *user = *chain.getUsers().begin();
  bool unary = isa<ReluOp, ClipOp, SigmoidOp, TanhOp, GeluOp, EluOp, SiluOp,
                   AbsOp, SqrtOp, ExpOp, LeakyReluOp>(user);
  bool commutes = isa<AddOp, MulOp, MaximumOp, MinimumOp>(user);
  bool ordered = isa<SubOp, DivOp>(user);
  if (!unary && !commutes && !ordered)
    return false;
  if (!unary) {
    bool first = user->getOperand(0) == chain;
    if (ordered && !first)
      return false;
    Value other = user->getOperand(first ? 1 : 0);
    if (isSplat(other)) {
      // x / c is not x * (1 / c), and max(x, c) has no linear form.
      if (!isa<AddOp, MulOp, SubOp>(user))
        return false;
      Operation *constant = other.getDefiningOp();
      if (auto broadcast = dyn_cast<BroadcastOp>(constant)) {
        match.ops.push_back(broadcast.getX().getDefiningOp());
      }
      match.ops.push_back(constant);
    } else if (other.getDefiningOp<BroadcastOp>()) {
      // A wide broadcast would have to be stored: own code reads it in place.
      Operation *broadcast = getNarrowBroadcast(other);
      if (!broadcast)
        return false;
      match.ops.push_back(broadcast);
    }
  }
  match.ops.push_back(user);
  match.pattern += "+" + user->getName().stripDialect().str();
  chain = user->getResult(0);
  return true;
}

LibraryMatch tenon::place::matchOneDnn(Operation *root, int64_t leastWork) {
  if (!isRoot(root) || countWork(root) < static_cast<double>(leastWork))
    return {};
  return Matcher(root).run();
}
