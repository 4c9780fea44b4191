//===- BatchStatistics.cpp - batch norms in training ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchStatistics.h"

#include "tenon/Dialect/Graph/IR/Compose.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

/// A model may return its statistics, too.
static bool isStatistic(OpOperand &use) {
  if (isa<func::ReturnOp>(use.getOwner()))
    return true;
  auto norm = dyn_cast<BatchNormOp>(use.getOwner());
  return norm &&
         (norm.getMean() == use.get() || norm.getVariance() == use.get()) &&
         norm.getScale() != use.get() && norm.getBias() != use.get();
}

FailureOr<llvm::StringSet<>> tenon::differentiate::findStatistics(
    Block &model, llvm::function_ref<bool(StringRef)> isFrozen) {
  llvm::StringSet<> names;
  for (auto norm : model.getOps<BatchNormOp>()) {
    unsigned numTrained = 0, numFrozen = 0;
    for (Value statistic : {norm.getMean(), norm.getVariance()}) {
      if (statistic.getDefiningOp<ConstantOp>())
        return norm.emitOpError("can't be trained: expected statistics that "
                                "are parameters, but one is a constant");
      auto parameter = statistic.getDefiningOp<ParameterOp>();
      if (!parameter)
        continue;
      // Exporters write initializers with equal elements once: a new scale and
      // a new variance are ones.
      if (!llvm::all_of(parameter->getUses(), isStatistic))
        return norm.emitOpError("can't be trained: its statistic '")
               << parameter.getName()
               << "' is also another operand, as of parameters that an "
                  "exporter merged";
      if (isFrozen(parameter.getName())) {
        ++numFrozen;
        continue;
      }
      ++numTrained;
      names.insert(parameter.getName());
    }
    if (numTrained == 1)
      return norm.emitOpError("can't be trained: ")
             << (numFrozen ? "one of its statistics is frozen, but not the "
                             "other"
                           : "one of its statistics is a parameter, but the "
                             "other is computed");
  }
  return names;
}

namespace {
/// The new values of states, in the order of the norms.
using Updates = llvm::MapVector<StringRef, Value>;
} // namespace

/// Moves a state towards a value of the batch. Norms that share a state move it
/// one after the other.
static void moveState(Compose &compose, Updates &updates, ReadStateOp state,
                      Value now, double momentum) {
  Value &value = updates[state.getState()];
  if (!value)
    value = state;
  value = compose.add(compose.mul(value, compose.fullLike(1 - momentum, value)),
                      compose.mul(now, compose.fullLike(momentum, now)));
}

LogicalResult tenon::differentiate::normalizeByBatch(func::FuncOp entry,
                                                     double momentum) {
  Updates updates;
  for (auto norm : entry.getOps<BatchNormOp>()) {
    auto oldMean = norm.getMean().getDefiningOp<ReadStateOp>();
    auto oldVariance = norm.getVariance().getDefiningOp<ReadStateOp>();
    if (!oldMean || !oldVariance)
      continue;
    OpBuilder builder(norm);
    Compose compose(builder, norm.getLoc());
    Value x = norm.getX();
    Shape shape = getShape(x);
    int64_t axis = norm.getAxis();
    SmallVector<int64_t> axes;
    SymInt count(1);
    for (int64_t other = 0; other < getRank(x); ++other)
      if (other != axis) {
        axes.push_back(other);
        count = count * shape[other];
      }
    if (std::optional<int64_t> number = count.getConstant();
        number && *number < 2)
      return norm.emitOpError("can't be trained: expected at least 2 elements "
                              "for each channel, but got ")
             << *number;
    auto reduce = [&](Value value) {
      return compose.op<ReduceMeanOp>(
          value, getInts(builder.getContext(), axes), false);
    };
    Value mean = reduce(x);
    Value centered = compose.sub(x, compose.alongAxis(mean, axis, x));
    Value variance = reduce(compose.mul(centered, centered));
    norm.getMeanMutable().assign(mean);
    norm.getVarianceMutable().assign(variance);
    Type type = getElementType(mean);
    Value n = compose.count(count, type), one = compose.full(1.0, type, {});
    // A batch of one element a channel has the variance 0.
    Value factor =
        compose.div(n, compose.op<MaximumOp>(compose.sub(n, one), one));
    moveState(compose, updates, oldMean, mean, momentum);
    moveState(compose, updates, oldVariance,
              compose.mul(variance, compose.broadcastLike(factor, variance)),
              momentum);
  }
  auto builder = OpBuilder(entry.front().getTerminator());
  for (auto [state, value] : updates)
    WriteStateOp::create(builder, entry.getLoc(), state, value);
  return success();
}
