//===- KernelClass.cpp - kernels whose costs follow the same rates --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Cost/KernelClass.h"
#include "tenon/Dialect/Graph/Analysis/Views.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Kernel/Analysis/Prepared.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

namespace {
/// What an op is among those of a kernel. Later kinds decide more.
enum class Rank { Elementwise, Function, Copy, Transpose, Other, Product };

struct Kind {
  Rank rank;
  std::string name;
};

/// Finds the class of one kernel.
class Classifier {
public:
  Classifier(kernel::CallOp call, const kernel::LoadAnalysis *loads)
      : call(call), loads(loads) {}

  std::string run();

private:
  Kind describe(Operation *op);
  std::string describeProduct(MatmulOp op);
  std::string describeProduct(ConvOp op);
  std::string getWidth(int64_t columns);
  std::string describeReductions() const;

  kernel::CallOp call;
  const kernel::LoadAnalysis *loads;
  unsigned products = 0, reductions = 0;
  bool hasFunctions = false, reducesRows = true;
  bool readsTransposed = false, readsComputed = false;
};
} // namespace

/// A product of one row reads its weight once, and does little else.
static bool hasOneRow(MatmulOp op) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  int64_t rows = 1;
  for (int64_t size : type.getShape().drop_back())
    rows *= size;
  return !ShapedType::isDynamicShape(type.getShape()) && rows == 1;
}

/// In generated loops, vectors of 512 bits need columns that fill them.
std::string Classifier::getWidth(int64_t columns) {
  bool isNarrow = kernel::isGeneratedCode(call.getBackend()) && columns % 16;
  return isNarrow ? ", narrow" : "";
}

/// Whether a factor is computed in the kernel, so that it is computed again for
/// every column of the product, or keeps its loops from being blocked.
static bool isComputed(Value factor) {
  Operation *op = factor.getDefiningOp();
  return op && !op->hasTrait<OpTrait::ConstantLike>() && !isView(op) &&
         !isa<TransposeOp>(op);
}

std::string Classifier::describeProduct(MatmulOp op) {
  auto isWeight = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument &&
           kernel::isPrepared(call.getInputs()[argument.getArgNumber()], loads);
  };
  if (isWeight(op.getRhs()) || isWeight(op.getLhs()))
    return hasOneRow(op)
               ? "matvec"
               : "matmul" +
                     getWidth(cast<RankedTensorType>(op.getResult().getType())
                                  .getShape()
                                  .back());
  // Libraries pack a factor as they read it; loops go across its rows.
  bool isAcross = kernel::isGeneratedCode(call.getBackend()) &&
                  (op.getTransposeA() || op.getTransposeB());
  return isAcross ? "matmul of transposed activations"
                  : "matmul of activations";
}

std::string Classifier::describeProduct(ConvOp op) {
  auto weight = cast<RankedTensorType>(op.getWeight().getType());
  ArrayRef<int64_t> shape = weight.getShape();
  if (op.getGroups().getEntry(0).getConstant() != 1)
    return shape[1] == 1 ? "depthwise conv" : "group conv";
  // Few channels of an image do not fill a vector.
  if (shape[1] > 0 && shape[1] <= 4)
    return "conv of few channels";
  bool isPoint =
      llvm::all_of(shape.drop_front(2), [](int64_t size) { return size == 1; });
  return (isPoint ? "conv 1x1" : "conv") + getWidth(shape[0]);
}

static bool isFunction(Operation *op) {
  return isa<SigmoidOp, SiluOp, SoftplusOp, MishOp, GeluOp, EluOp, CeluOp,
             SeluOp, ExpOp, LogOp, SinOp, CosOp, TanOp, AsinOp, AcosOp, AtanOp,
             SinhOp, CoshOp, TanhOp, AsinhOp, AcoshOp, AtanhOp, ErfOp, ErfInvOp,
             PowOp>(op);
}

/// Whether a reduction goes along rows of memory.
static bool isOfRows(Operation *reduce) {
  auto axes = reduce->getAttrOfType<DimsAttr>("axes");
  auto type = dyn_cast<RankedTensorType>(reduce->getOperand(0).getType());
  return axes && type &&
         llvm::any_of(axes.getEntries(), [&](const SymInt &axis) {
           return axis.getConstant() == type.getRank() - 1;
         });
}

Kind Classifier::describe(Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (isa<MatmulOp, ConvOp>(op))
    readsComputed |=
        isComputed(op->getOperand(0)) || isComputed(op->getOperand(1));
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return {Rank::Product, describeProduct(matmul)};
  if (auto conv = dyn_cast<ConvOp>(op))
    return {Rank::Product, describeProduct(conv)};
  if (isa<ConvTransposeOp, ConvBackwardWeightOp, AttentionOp>(op))
    return {Rank::Product, name.str()};
  if (isFunction(op))
    return {Rank::Function, "functions"};
  // Beside other ops, broadcasts are free.
  if (isa<ElementwiseInterface, BroadcastOp, ReshapeOp, IotaOp, ConstantOp>(op))
    return {Rank::Elementwise, "elementwise"};
  if (isa<ConcatOp, SliceOp, SplitOp, PadOp, TileOp, ReverseOp>(op))
    return {Rank::Copy, "copy"};
  if (isa<TransposeOp>(op))
    return {Rank::Transpose, "transpose"};
  if (name.starts_with("reduce_")) {
    ++reductions;
    reducesRows &= isOfRows(op);
    return {Rank::Other, "reduce"};
  }
  if (name.ends_with("_pool"))
    return {Rank::Other, "pool"};
  if (name.ends_with("_norm"))
    return {Rank::Other, "norm"};
  if (name.ends_with("softmax"))
    return {Rank::Other, "softmax"};
  if (name.starts_with("gather") || name == "embedding")
    return {Rank::Other, "gather"};
  return {Rank::Other, name.str()};
}

/// Composites are decomposed before they are placed.
std::string Classifier::describeReductions() const {
  if (reductions > 1)
    return hasFunctions ? "softmax" : "norm";
  return reducesRows ? "reduce rows" : "reduce columns";
}

/// Whether the results are f32, and so is everything on the way but masks and
/// indices.
static bool isOfFloats(kernel::CallOp call) {
  auto getElement = [](Type type) { return getElementTypeOrSelf(type); };
  bool isF32 = llvm::all_of(call->getResultTypes(), [&](Type type) {
    return getElement(type).isF32();
  });
  for (Operation &op : call.getBodyBlock().without_terminator())
    for (Type type : op.getResultTypes())
      isF32 &= getElement(type).isF32() || getElement(type).isInteger();
  return isF32;
}

std::string Classifier::run() {
  if (!isOfFloats(call))
    return "";
  Kind most{Rank::Elementwise, "elementwise"};
  for (Operation &op : call.getBodyBlock().without_terminator()) {
    Kind kind = describe(&op);
    products += kind.rank == Rank::Product;
    hasFunctions |= kind.rank == Rank::Function;
    readsTransposed |= kind.rank == Rank::Transpose;
    if (kind.rank > most.rank)
      most = std::move(kind);
  }
  // How chains of products behave depends on all their sizes.
  if (products > 1)
    return "";
  if (most.name == "reduce")
    most.name = describeReductions();
  // A loop that reads across memory, several times if it reduces.
  if (readsTransposed && most.rank > Rank::Transpose)
    most.name += " of transposed";
  else if (readsComputed)
    most.name += " of computed";
  return (call.getBackend() + " " + most.name).str();
}

std::string tenon::cost::getKernelClass(kernel::CallOp call,
                                        const kernel::LoadAnalysis *loads) {
  return Classifier(call, loads).run();
}
