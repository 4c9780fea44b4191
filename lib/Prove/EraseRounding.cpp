//===- EraseRounding.cpp - functions without 16-bit types -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EraseRounding.h"
#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/IR/AttrTypeSubElements.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::prove;

static bool hasType(const FunctionSnapshot &snapshot, Type element) {
  if (!snapshot.function)
    return false;
  WalkResult result = snapshot.function.get()->walk([&](Operation *op) {
    return llvm::any_of(
               op->getResultTypes(),
               [&](Type type) { return getElementTypeOrSelf(type) == element; })
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return result.wasInterrupted();
}

FloatType prove::findNewHalf(const FunctionSnapshot &before,
                             const FunctionSnapshot &after) {
  MLIRContext *context = before.function.get()->getContext();
  for (FloatType half : {FloatType(Float16Type::get(context)),
                         FloatType(BFloat16Type::get(context))})
    if (hasType(after, half) && !hasType(before, half))
      return half;
  return {};
}

/// The elements as f32, rounded to `half`. Finite numbers stay finite.
static DenseElementsAttr roundElements(DenseElementsAttr elements,
                                       FloatType half) {
  const llvm::fltSemantics &narrow = half.getFloatSemantics();
  auto round = [&](const APFloat &value) {
    APFloat rounded = value;
    bool loses = false;
    rounded.convert(narrow, APFloat::rmNearestTiesToEven, &loses);
    if (rounded.isInfinity() && !value.isInfinity())
      rounded = APFloat::getLargest(narrow, value.isNegative());
    rounded.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                    &loses);
    return rounded.bitcastToAPInt();
  };
  return cast<DenseFPElementsAttr>(elements).mapValues(
      Float32Type::get(half.getContext()), round);
}

/// The value that is clipped to the finite numbers of `half`, unless it is
/// infinite; null for another op.
static Value getClipped(WhereOp op, FloatType half) {
  auto isInf = op.getCondition().getDefiningOp<IsInfOp>();
  auto clip = op.getOtherwise().getDefiningOp<ClipOp>();
  double largest =
      APFloat::getLargest(half.getFloatSemantics()).convertToDouble();
  if (!isInf || !clip || isInf.getX() != op.getThen() ||
      clip.getX() != op.getThen() ||
      clip.getHigh().convertToDouble() != largest ||
      clip.getLow().convertToDouble() != -largest)
    return {};
  return op.getThen();
}

void prove::eraseRounding(FunctionSnapshot &snapshot, FloatType half) {
  func::FuncOp function = *snapshot.function;
  auto single = Float32Type::get(half.getContext());
  auto isErased = [&](Type type) { return type == half || type == single; };
  for (Operation &op : llvm::make_early_inc_range(
           function.getBody().front().without_terminator())) {
    Value kept;
    if (auto convert = dyn_cast<CastOp>(op)) {
      if (isErased(getElementTypeOrSelf(convert.getX().getType())) &&
          isErased(convert.getTo()))
        kept = convert.getX();
    } else if (auto where = dyn_cast<WhereOp>(op)) {
      kept = getClipped(where, half);
    } else if (auto constant = dyn_cast<ConstantOp>(op)) {
      auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
      if (!elements || !isErased(elements.getElementType()))
        continue;
      DenseElementsAttr rounded = roundElements(elements, half);
      constant.setValueAttr(cast<ElementsAttr>(rounded));
      constant.getResult().setType(cast<RankedTensorType>(rounded.getType()));
    }
    if (!kept)
      continue;
    Value result = op.getResult(0);
    result.replaceAllUsesWith(kept);
    for (auto &[key, value] : snapshot.outputs)
      if (value == result)
        value = kept;
    snapshot.origins.erase(&op);
    op.erase();
  }
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](FloatType type) -> std::optional<Type> {
    return type == half ? std::optional<Type>(single) : std::nullopt;
  });
  replacer.recursivelyReplaceElementsIn(function, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}
