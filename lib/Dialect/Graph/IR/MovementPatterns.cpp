//===- MovementPatterns.cpp - canonicalization of movement ops ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All patterns are exact: the same elements end up at the same places. New ops
// have the type of the op they replace, which may be more specific than the
// inferred type.
//
//===----------------------------------------------------------------------===//

#include "InferenceChecks.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace tenon::graph;

static DimsAttr getDims(Operation *op, ArrayRef<SymInt> entries) {
  return DimsAttr::get(op->getContext(), entries);
}

static bool anyUnknown(ArrayRef<SymInt> entries) {
  return llvm::any_of(entries,
                      [](const SymInt &entry) { return entry.isUnknown(); });
}

static bool isOne(const SymInt &size) { return size.getConstant() == 1; }

//===----------------------------------------------------------------------===//
// transpose
//===----------------------------------------------------------------------===//

/// transpose(transpose(x)) is one transpose.
static LogicalResult mergeTransposes(TransposeOp op,
                                     PatternRewriter &rewriter) {
  auto inner = op.getX().getDefiningOp<TransposeOp>();
  if (!inner)
    return failure();
  ArrayRef<int64_t> first = inner.getPerm().getValues();
  SmallVector<int64_t> perm;
  for (int64_t axis : op.getPerm().getValues())
    perm.push_back(first[axis]);
  rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), inner.getX(),
                                           getInts(op.getContext(), perm));
  return success();
}

/// A transpose that moves only axes of size 1 is a reshape, which moves no
/// data.
static LogicalResult transposeToReshape(TransposeOp op,
                                        PatternRewriter &rewriter) {
  Shape x = getShape(op.getX()), shape = getResultShape(op);
  SmallVector<int64_t> kept;
  for (int64_t axis : op.getPerm().getValues())
    if (!isOne(x[axis]))
      kept.push_back(axis);
  if (!llvm::is_sorted(kept) || llvm::count_if(shape, [](const SymInt &size) {
                                  return size.isUnknown();
                                }) > 1)
    return failure();
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), op.getX(),
                                         getDims(op, shape));
  return success();
}

void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *) {
  patterns.add(mergeTransposes);
  patterns.add(transposeToReshape);
}

//===----------------------------------------------------------------------===//
// reshape
//===----------------------------------------------------------------------===//

/// reshape(reshape(x)) is one reshape.
static LogicalResult mergeReshapes(ReshapeOp op, PatternRewriter &rewriter) {
  auto inner = op.getX().getDefiningOp<ReshapeOp>();
  Shape shape = getResultShape(op);
  if (!inner || anyUnknown(shape))
    return failure();
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner.getX(),
                                         getDims(op, shape));
  return success();
}

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *) {
  patterns.add(mergeReshapes);
}

//===----------------------------------------------------------------------===//
// broadcast
//===----------------------------------------------------------------------===//

/// broadcast(broadcast(x)) is one broadcast.
static LogicalResult mergeBroadcasts(BroadcastOp op,
                                     PatternRewriter &rewriter) {
  auto inner = op.getX().getDefiningOp<BroadcastOp>();
  Shape shape = getResultShape(op);
  if (!inner || anyUnknown(shape))
    return failure();
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), inner.getX(),
                                           getDims(op, shape));
  return success();
}

/// Drops a reshape that adds leading axes of size 1; broadcast adds them
/// itself.
static LogicalResult dropLeadingOnes(BroadcastOp op,
                                     PatternRewriter &rewriter) {
  auto inner = op.getX().getDefiningOp<ReshapeOp>();
  if (!inner)
    return failure();
  Shape from = getShape(inner.getX()), to = getShape(inner.getResult());
  if (from.size() >= to.size())
    return failure();
  size_t added = to.size() - from.size();
  ArrayRef<SymInt> all(to);
  if (!llvm::all_of(all.take_front(added), isOne) ||
      !llvm::equal(all.drop_front(added), from))
    return failure();
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getType(), inner.getX(),
                                           op.getShape());
  return success();
}

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *) {
  patterns.add(mergeBroadcasts);
  patterns.add(dropLeadingOnes);
}

//===----------------------------------------------------------------------===//
// slice, split
//===----------------------------------------------------------------------===//

/// slice(slice(x)) is one slice.
static LogicalResult mergeSlices(SliceOp op, PatternRewriter &rewriter) {
  auto inner = op.getX().getDefiningOp<SliceOp>();
  if (!inner)
    return failure();
  Shape starts = inner.getStarts().getEntries();
  Shape steps = inner.getSteps().getEntries();
  for (auto [axis, both] : llvm::enumerate(llvm::zip(
           op.getStarts().getEntries(), op.getSteps().getEntries()))) {
    auto [start, step] = both;
    starts[axis] = starts[axis] + start * steps[axis];
    steps[axis] = steps[axis] * step;
  }
  if (anyUnknown(starts) || anyUnknown(steps))
    return failure();
  rewriter.replaceOpWithNewOp<SliceOp>(op, op.getType(), inner.getX(),
                                       getDims(op, starts), op.getSizes(),
                                       getDims(op, steps));
  return success();
}

void SliceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *) {
  patterns.add(mergeSlices);
}

/// A split into one part is its operand.
static LogicalResult dropSplitOfOne(SplitOp op, PatternRewriter &rewriter) {
  if (op.getNumResults() != 1 ||
      op.getResult(0).getType() != op.getX().getType())
    return failure();
  rewriter.replaceOp(op, op.getX());
  return success();
}

/// split(concat(a, b)) at the boundaries of the inputs gives a and b.
static LogicalResult splitAtSeams(SplitOp op, PatternRewriter &rewriter) {
  auto joined = op.getX().getDefiningOp<ConcatOp>();
  if (!joined || joined.getAxis() != op.getAxis() ||
      joined.getInputs().size() != op.getNumResults())
    return failure();
  for (auto [input, part, size] :
       llvm::zip(joined.getInputs(), op.getParts(), op.getSizes().getEntries()))
    if (input.getType() != part.getType() ||
        getShape(input)[op.getAxis()] != size)
      return failure();
  rewriter.replaceOp(op, joined.getInputs());
  return success();
}

void SplitOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *) {
  patterns.add(dropSplitOfOne);
  patterns.add(splitAtSeams);
}

//===----------------------------------------------------------------------===//
// concat
//===----------------------------------------------------------------------===//

/// Joins inputs of another concat on the same axis directly, if that concat has
/// no other uses; drops empty inputs.
static LogicalResult flattenConcat(ConcatOp op, PatternRewriter &rewriter) {
  SmallVector<Value> inputs;
  bool changed = false;
  for (Value input : op.getInputs()) {
    auto inner = input.getDefiningOp<ConcatOp>();
    bool isEmpty = getShape(input)[op.getAxis()].getConstant() == 0;
    if (inner && inner.getAxis() == op.getAxis() && input.hasOneUse()) {
      llvm::append_range(inputs, inner.getInputs());
      changed = true;
    } else if (isEmpty) {
      changed = true;
    } else {
      inputs.push_back(input);
    }
  }
  if (!changed || inputs.empty())
    return failure();
  rewriter.replaceOpWithNewOp<ConcatOp>(op, op.getType(), inputs,
                                        op.getAxisAttr());
  return success();
}

/// A concat of all parts of a split, in order, is the split's operand.
static LogicalResult concatOfSplit(ConcatOp op, PatternRewriter &rewriter) {
  auto split = op.getInputs().front().getDefiningOp<SplitOp>();
  if (!split || split.getAxis() != op.getAxis() ||
      split.getX().getType() != op.getType() ||
      !llvm::equal(op.getInputs(), split.getParts()))
    return failure();
  rewriter.replaceOp(op, split.getX());
  return success();
}

void ConcatOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *) {
  patterns.add(flattenConcat);
  patterns.add(concatOfSplit);
}

//===----------------------------------------------------------------------===//
// pad
//===----------------------------------------------------------------------===//

/// pad(pad(x)) is one pad, if both have the same constant or pad with edges.
static LogicalResult mergePads(PadOp op, PatternRewriter &rewriter) {
  auto inner = op.getX().getDefiningOp<PadOp>();
  if (!inner || inner.getMode() != op.getMode())
    return failure();
  bool sameConstant = op.getMode() == PadMode::Constant &&
                      op.getValueAttr() == inner.getValueAttr();
  if (!sameConstant && op.getMode() != PadMode::Edge)
    return failure();
  Shape low = op.getLow().getEntries(), high = op.getHigh().getEntries();
  for (auto [axis, amount] : llvm::enumerate(inner.getLow().getEntries()))
    low[axis] = low[axis] + amount;
  for (auto [axis, amount] : llvm::enumerate(inner.getHigh().getEntries()))
    high[axis] = high[axis] + amount;
  if (anyUnknown(low) || anyUnknown(high))
    return failure();
  rewriter.replaceOpWithNewOp<PadOp>(op, op.getType(), inner.getX(),
                                     getDims(op, low), getDims(op, high),
                                     op.getModeAttr(), op.getValueAttr());
  return success();
}

void PadOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                        MLIRContext *) {
  patterns.add(mergePads);
}

//===----------------------------------------------------------------------===//
// gather
//===----------------------------------------------------------------------===//

/// Start and step of the positions that constant indices select on an axis of
/// `size` elements; nullopt if they are not an arithmetic progression.
static std::optional<std::pair<int64_t, int64_t>>
getProgression(DenseIntElementsAttr indices, int64_t size) {
  SmallVector<int64_t> positions;
  for (const APInt &value : indices) {
    int64_t index = value.getSExtValue();
    if (index < 0)
      index += size;
    positions.push_back(std::clamp<int64_t>(index, 0, size - 1));
  }
  int64_t step = positions.size() > 1 ? positions[1] - positions[0] : 1;
  if (step == 0)
    return std::nullopt;
  for (size_t number = 1; number < positions.size(); ++number)
    if (positions[number] - positions[number - 1] != step)
      return std::nullopt;
  return std::pair(positions.front(), step);
}

/// A gather with constant indices at equal distances is a slice.
static LogicalResult gatherToSlice(GatherOp op, PatternRewriter &rewriter) {
  DenseIntElementsAttr indices;
  uint64_t axis = op.getAxis();
  Shape sizes = getShape(op.getX());
  std::optional<int64_t> size = sizes[axis].getConstant();
  if (!size || *size < 1 ||
      !matchPattern(op.getIndices(), m_Constant(&indices)) ||
      indices.getNumElements() < 1 || anyUnknown(sizes) ||
      anyUnknown(getResultShape(op)))
    return failure();
  auto progression = getProgression(indices, *size);
  if (!progression)
    return failure();
  Shape starts(sizes.size(), SymInt(0)), steps(sizes.size(), SymInt(1));
  std::tie(starts[axis], steps[axis]) = *progression;
  sizes[axis] = SymInt(indices.getNumElements());
  Value slice =
      SliceOp::create(rewriter, op.getLoc(), op.getX(), getDims(op, starts),
                      getDims(op, sizes), getDims(op, steps));
  if (slice.getType() != op.getType())
    slice = ReshapeOp::create(rewriter, op.getLoc(), op.getType(), slice,
                              getDims(op, getResultShape(op)));
  rewriter.replaceOp(op, slice);
  return success();
}

void GatherOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *) {
  patterns.add(gatherToSlice);
}

//===----------------------------------------------------------------------===//
// matmul
//===----------------------------------------------------------------------===//

/// The operand of a transpose that swaps the last two axes only.
static Value getUntransposed(Value value) {
  auto transpose = value.getDefiningOp<TransposeOp>();
  if (!transpose)
    return {};
  SmallVector<int64_t> perm = llvm::to_vector(transpose.getPerm().getValues());
  if (perm.size() < 2)
    return {};
  std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
  if (!llvm::equal(perm, llvm::seq<int64_t>(0, perm.size())))
    return {};
  return transpose.getX();
}

/// Folds transposes of the matrices into the flags of matmul.
static LogicalResult absorbTransposes(MatmulOp op, PatternRewriter &rewriter) {
  Value lhs = getUntransposed(op.getLhs()), rhs = getUntransposed(op.getRhs());
  if (!lhs && !rhs)
    return failure();
  rewriter.replaceOpWithNewOp<MatmulOp>(
      op, op.getType(), lhs ? lhs : op.getLhs(), rhs ? rhs : op.getRhs(),
      op.getTransposeA() != static_cast<bool>(lhs),
      op.getTransposeB() != static_cast<bool>(rhs));
  return success();
}

/// The operand of a broadcast that only repeats batches that `other` has too,
/// so that matmul can repeat them.
static Value getUnrepeated(Value value, Value other, ArrayRef<SymInt> result) {
  auto broadcast = value.getDefiningOp<BroadcastOp>();
  if (!broadcast)
    return {};
  Shape from = getShape(broadcast.getX()), to = getShape(value);
  Shape others = getShape(other);
  if (from.size() < 2 ||
      std::max(from.size(), others.size()) != result.size() ||
      from[from.size() - 1] != to[to.size() - 1] ||
      from[from.size() - 2] != to[to.size() - 2])
    return {};
  // Batch axes are counted from the innermost one, which is axis rank - 3.
  auto getBatch = [](ArrayRef<SymInt> shape, size_t number) {
    return number + 3 > shape.size() ? SymInt(1)
                                     : shape[shape.size() - 3 - number];
  };
  for (size_t number = 0; number + 2 < result.size(); ++number) {
    SymInt own = getBatch(from, number);
    if ((isOne(own) ? getBatch(others, number) : own) !=
        getBatch(result, number))
      return {};
  }
  return broadcast.getX();
}

static LogicalResult absorbBroadcasts(MatmulOp op, PatternRewriter &rewriter) {
  Shape result = getResultShape(op);
  Value lhs = op.getLhs(), rhs = op.getRhs();
  if (Value x = getUnrepeated(lhs, rhs, result))
    lhs = x;
  else if (Value x = getUnrepeated(rhs, lhs, result))
    rhs = x;
  else
    return failure();
  rewriter.replaceOpWithNewOp<MatmulOp>(op, op.getType(), lhs, rhs,
                                        op.getTransposeA(), op.getTransposeB());
  return success();
}

void MatmulOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                           MLIRContext *) {
  patterns.add(absorbTransposes);
  patterns.add(absorbBroadcasts);
}
