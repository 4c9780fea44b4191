//===- SetPrecision.cpp - storing f32 graphs in 16 bits -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One walk in program order decides for each op whether it takes and returns 16
// bits or f32. A value is converted directly after its definition, at most once
// in each direction and only if a use needs it. Conversions are moved up
// through ops that only move data, so that less data is moved and weights are
// rounded at load.
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"
#include "tenon/Support/Numerics.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "graph-set-precision"

namespace tenon::graph {
#define GEN_PASS_DEF_GRAPHSETPRECISION
#include "tenon/Dialect/Graph/Transforms/Passes.h.inc"
} // namespace tenon::graph

using namespace mlir;
using namespace tenon::graph;

namespace {
/// The type in which an op computes.
enum class Computes {
  Half,    ///< 16 bits; the op accumulates sums in f32
  Full,    ///< f32, and so are its results
  Bounded, ///< f32, but 16 bits can hold its results
  Follow,  ///< the widest type of its operands
  Move,    ///< any type: elements are only moved
};

/// What is known about a value of the f32 graph, in the order of precedence
/// when the operands decide the type of an op.
enum class Kind {
  Weight, ///< computed at load, in f32; takes any type
  Soft,   ///< f32, preferably stored in 16 bits: arguments, norms
  Half,   ///< 16 bits
  Full,   ///< f32
};

bool isF32(Value value) {
  return getElementTypeOrSelf(value.getType()).isF32();
}

class SetPrecision {
public:
  SetPrecision(func::FuncOp function, FloatType half)
      : function(function), half(half), builder(function.getContext()) {}

  LogicalResult run();

  unsigned numHalf = 0, numCasts = 0;

private:
  Computes classify(Operation *op) const;
  bool fits(const APFloat &value) const;
  bool fits(ConstantOp constant) const;
  Kind getSourceKind(Operation *op, bool isKnown) const;
  void visit(Operation *op);
  void convert(Operation *op, Kind result);
  Value getFull(Value value);
  Value getHalf(Value value, bool saturate = false);
  void buildHalf(Value value, bool saturate);
  Value findHalf(Value value, bool saturate) const {
    return isF32(value) ? halves[saturate].lookup(value) : value;
  }
  bool isMove(Operation *op) const {
    return op && op->getNumOperands() > 0 && classify(op) == Computes::Move;
  }
  /// The operands whose elements a moving op gives.
  static OperandRange getMoved(Operation *op) {
    OperandRange operands = op->getOperands();
    return isa<OptimizationBarrierOp>(op) ? operands.take_front() : operands;
  }
  void setHalf(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    value.setType(
        RankedTensorType::get(type.getShape(), half, type.getEncoding()));
  }

  func::FuncOp function;
  FloatType half;
  OpBuilder builder;
  /// The kinds of values that were f32.
  llvm::DenseMap<Value, Kind> kinds;
  /// Values, of any type, that depend only on weights.
  llvm::DenseSet<Value> known;
  llvm::DenseMap<Value, Value> fulls;
  /// The 16-bit forms, by whether they saturate.
  llvm::DenseMap<Value, Value> halves[2];
};

struct GraphSetPrecisionPass
    : tenon::graph::impl::GraphSetPrecisionBase<GraphSetPrecisionPass> {
  using GraphSetPrecisionBase::GraphSetPrecisionBase;

  void runOnOperation() override {
    FloatType half;
    if (precision == tenon::Precision::F16)
      half = Float16Type::get(&getContext());
    else if (precision == tenon::Precision::BF16)
      half = BFloat16Type::get(&getContext());
    else {
      getOperation().emitError()
          << "graph-set-precision: expected the precision f16 or bf16, but got "
             "'"
          << tenon::getName(precision) << "'";
      return signalPassFailure();
    }
    if (getOperation().isExternal())
      return;
    SetPrecision rewriter(getOperation(), half);
    if (failed(rewriter.run()))
      return signalPassFailure();
    numHalf += rewriter.numHalf;
    numCasts += rewriter.numCasts;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Types of ops and constants
//===----------------------------------------------------------------------===//

/// The choices of torch.autocast, except that means are kept in f32 as well,
/// and that the results of norms and softmax may be stored in 16 bits. Ops that
/// are not listed are computed in f32.
Computes SetPrecision::classify(Operation *op) const {
  return llvm::TypeSwitch<Operation *, Computes>(op)
      .Case<MatmulOp, ConvOp, ConvTransposeOp, ConvBackwardWeightOp,
            AttentionOp>([](auto) { return Computes::Half; })
      .Case<SoftmaxOp, LogSoftmaxOp, LayerNormOp, RmsNormOp, BatchNormOp,
            GroupNormOp, InstanceNormOp, LrnOp>(
          [](auto) { return Computes::Bounded; })
      .Case<TransposeOp, ReshapeOp, OptimizationBarrierOp, BroadcastOp, TileOp,
            SliceOp, ConcatOp, SplitOp, ReverseOp, GatherOp, GatherElementsOp,
            GatherNdOp, EmbeddingOp, WhereOp>(
          [](auto) { return Computes::Move; })
      // A cast from f32 to f32 that is not folded yet; other casts have other
      // types.
      .Case([](CastOp convert) {
        return convert.getTo().isF32() ? Computes::Bounded : Computes::Follow;
      })
      .Case([&](PadOp pad) {
        return pad.getMode() != PadMode::Constant || fits(pad.getValue())
                   ? Computes::Move
                   : Computes::Full;
      })
      // Updates of one element would be rounded one by one.
      .Case<ScatterElementsOp, ScatterNdOp>([](auto scatter) {
        ScatterReduction reduction = scatter.getReduction();
        return reduction == ScatterReduction::Add ||
                       reduction == ScatterReduction::Mul
                   ? Computes::Full
                   : Computes::Follow;
      })
      .Case<MaxPoolOp, ArgmaxPoolOp, AvgPoolOp, ReduceMaxOp, ReduceMinOp,
            ArgmaxOp, ArgminOp, TopKOp, HardmaxOp, ResizeOp, EmbeddingBagOp>(
          [](auto) { return Computes::Follow; })
      .Case<ExpOp, LogOp, PowOp, ReciprocalOp, RsqrtOp, TanOp, AsinOp, AcosOp,
            SinhOp, CoshOp, SoftplusOp>([](auto) { return Computes::Full; })
      .Case([](ElementwiseInterface) { return Computes::Follow; })
      .Default([](auto) { return Computes::Full; });
}

/// Whether rounding keeps a finite number finite and a nonzero number nonzero.
bool SetPrecision::fits(const APFloat &value) const {
  APFloat rounded = value;
  bool losesInfo = false;
  rounded.convert(half.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return rounded.isFinite() == value.isFinite() &&
         rounded.isZero() == value.isZero();
}

bool SetPrecision::fits(ConstantOp constant) const {
  auto data = dyn_cast<DenseElementsAttr>(constant.getValue());
  if (!data)
    return true;
  if (data.isSplat())
    return fits(data.getSplatValue<APFloat>());
  // In larger constants, some elements may vanish compared to the others.
  return llvm::all_of(data.getValues<APFloat>(), [&](const APFloat &value) {
    return value.isZero() || fits(value) ||
           abs(value) < APFloat(APFloat::IEEEsingle(), 1);
  });
}

/// The kind of the results of an op without f32 operands.
Kind SetPrecision::getSourceKind(Operation *op, bool isKnown) const {
  if (auto constant = dyn_cast<ConstantOp>(op))
    return fits(constant) ? Kind::Weight : Kind::Full;
  if (isa<ParameterOp>(op))
    return Kind::Weight;
  // Small integers are exact in 16 bits; positions and counts are not.
  if (auto convert = dyn_cast<CastOp>(op)) {
    Type from = getElementTypeOrSelf(convert.getX().getType());
    if (from.isInteger() && from.getIntOrFloatBitWidth() <= 8)
      return isKnown ? Kind::Weight : Kind::Soft;
  }
  return Kind::Full;
}

//===----------------------------------------------------------------------===//
// The two forms of a value
//===----------------------------------------------------------------------===//

/// Rounds the constant to `half`. Finite elements beyond its range become its
/// largest numbers, so that masks still work and give no NaN.
static DenseElementsAttr roundConstant(DenseElementsAttr data, FloatType half) {
  const llvm::fltSemantics &semantics = half.getFloatSemantics();
  return cast<DenseFPElementsAttr>(data).mapValues(
      half, [&](const APFloat &value) {
        APFloat rounded = value;
        bool losesInfo = false;
        rounded.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
        if (rounded.isInfinity() && !value.isInfinity())
          rounded = APFloat::getLargest(semantics, value.isNegative());
        return rounded.bitcastToAPInt();
      });
}

Value SetPrecision::getFull(Value value) {
  if (isF32(value))
    return value;
  Value &full = fulls[value];
  if (!full) {
    builder.setInsertionPointAfterValue(value);
    full = CastOp::create(builder, value.getLoc(), value, builder.getF32Type());
    ++numCasts;
    halves[false][full] = halves[true][full] = value;
  }
  return full;
}

/// Builds the 16-bit form of an f32 value. If an op only moves the value, the
/// op's operands must have their 16-bit form already.
void SetPrecision::buildHalf(Value value, bool saturate) {
  Operation *op = value.getDefiningOp();
  Location loc = value.getLoc();
  builder.setInsertionPointAfterValue(value);
  if (auto constant = dyn_cast_or_null<ConstantOp>(op))
    if (auto data = dyn_cast<DenseElementsAttr>(constant.getValue())) {
      halves[saturate][value] = ConstantOp::create(
          builder, loc, cast<ElementsAttr>(roundConstant(data, half)));
      return;
    }
  if (isMove(op)) {
    IRMapping mapping;
    for (Value operand : getMoved(op))
      mapping.map(operand, findHalf(operand, saturate));
    Operation *moved = builder.clone(*op, mapping);
    for (auto [from, to] : llvm::zip(op->getResults(), moved->getResults())) {
      setHalf(to);
      halves[saturate][from] = to;
    }
    return;
  }
  Value x = value;
  if (saturate) {
    double largest =
        APFloat::getLargest(half.getFloatSemantics()).convertToDouble();
    Value clipped =
        ClipOp::create(builder, loc, x, builder.getF64FloatAttr(-largest),
                       builder.getF64FloatAttr(largest));
    Value isInf = IsInfOp::create(builder, loc, x, false, false);
    x = WhereOp::create(builder, loc, isInf, x, clipped);
  }
  halves[saturate][value] = CastOp::create(builder, loc, x, half);
  ++numCasts;
}

/// With `saturate`, finite elements stay finite.
Value SetPrecision::getHalf(Value value, bool saturate) {
  // Moved values are converted at their origin. Uses a work list, since a model
  // may move a value any number of times.
  SmallVector<Value> work{value};
  while (!work.empty()) {
    Value last = work.back();
    if (findHalf(last, saturate)) {
      work.pop_back();
      continue;
    }
    size_t size = work.size();
    if (Operation *op = last.getDefiningOp(); isMove(op))
      for (Value operand : getMoved(op))
        if (!findHalf(operand, saturate))
          work.push_back(operand);
    if (work.size() == size)
      buildHalf(last, saturate);
  }
  return findHalf(value, saturate);
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

/// Sets the types of an op by the kind of its results.
void SetPrecision::convert(Operation *op, Kind result) {
  bool isHalf = result == Kind::Half;
  LDBG() << op->getName() << " at " << op->getLoc() << " computes in "
         << (isHalf ? "16 bits" : "f32");
  numHalf += isHalf;
  unsigned moved = getMoved(op).size();
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (!kinds.contains(value) || operand.getOperandNumber() >= moved)
      continue;
    // Attention masks use numbers near the end of the range.
    auto attention = dyn_cast<AttentionOp>(op);
    bool saturate = attention && value == attention.getMask();
    operand.set(isHalf ? getHalf(value, saturate) : getFull(value));
  }
  for (Value value : op->getResults())
    if (isF32(value)) {
      kinds[value] = result;
      if (isHalf)
        setHalf(value);
    }
}

void SetPrecision::visit(Operation *op) {
  bool isKnown =
      llvm::all_of(getMoved(op), [&](Value v) { return known.contains(v); });
  if (isKnown)
    known.insert_range(op->getResults());
  bool givesF32 = llvm::any_of(op->getResults(), isF32);
  std::optional<Kind> widest;
  for (Value operand : getMoved(op))
    if (auto it = kinds.find(operand); it != kinds.end()) {
      widest = std::max(widest.value_or(Kind::Weight), it->second);
      // An op without f32 results, such as a comparison, needs unrounded
      // operands.
      if (!givesF32 && it->second == Kind::Soft)
        widest = Kind::Full;
    }
  if (!widest) {
    for (Value result : op->getResults())
      if (isF32(result))
        kinds[result] = getSourceKind(op, isKnown);
    return;
  }
  // Values computed at load are computed in f32 and rounded once.
  if (isKnown)
    return convert(op, *widest);
  switch (classify(op)) {
  case Computes::Half:
    return convert(op, Kind::Half);
  case Computes::Full:
    return convert(op, Kind::Full);
  case Computes::Bounded:
    return convert(op, Kind::Soft);
  case Computes::Move:
    if (*widest == Kind::Soft)
      return convert(op, Kind::Soft);
    [[fallthrough]];
  case Computes::Follow:
    return convert(op, *widest == Kind::Full ? Kind::Full : Kind::Half);
  }
}

LogicalResult SetPrecision::run() {
  SmallVector<Operation *> ops;
  for (Block &block : function.getBody())
    for (Operation &op : block) {
      bool isGraph = isa_and_nonnull<GraphDialect>(op.getDialect());
      if ((!isGraph && !isa<func::ReturnOp>(op)) || op.getNumRegions() > 0)
        return op.emitOpError("can't be given a precision: expected an op of "
                              "the graph dialect without regions");
      if (!isMemoryEffectFree(&op) && isGraph)
        return op.emitOpError("can't be given a precision: run "
                              "--graph-functionalize-state first");
      ops.push_back(&op);
    }
  for (BlockArgument argument : function.getArguments())
    // The argument may be a cache that is updated in place, which needs no copy
    // if it keeps its type.
    if (unsigned number = argument.getArgNumber(); isF32(argument))
      kinds[argument] = function.getArgAttr(number, "graph.donate") ||
                                getArgumentState(function, number)
                            ? Kind::Full
                            : Kind::Soft;
  for (Operation *op : ops) {
    if (!isa<func::ReturnOp>(op)) {
      visit(op);
      continue;
    }
    for (OpOperand &operand : op->getOpOperands())
      if (kinds.contains(operand.get()))
        operand.set(getFull(operand.get()));
  }
  // Erase ops whose f32 results have no uses left.
  for (Block &block : function.getBody())
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op))
        op.erase();
  return success();
}
