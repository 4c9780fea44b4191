//===- ModelRows.cpp - where the values of a model have samples -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelBuilder.h"
#include "tenon/Dialect/Graph/Transforms/BindSymbols.h"
#include "tenon/Dialect/Pipe/Transforms/Passes.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

/// The axis whose size follows the number of samples; -1 if there is none, or
/// several.
static Rows findScalingAxis(Type first, Type second, int64_t samples) {
  auto one = cast<RankedTensorType>(first),
       two = cast<RankedTensorType>(second);
  Rows rows;
  if (one.getRank() != two.getRank())
    return rows;
  for (int64_t i = 0; i < one.getRank(); ++i) {
    if (one.getDimSize(i) == two.getDimSize(i))
      continue;
    if (rows.axis >= 0 || one.getDimSize(i) % samples != 0)
      return {};
    rows = {i, one.getDimSize(i) / samples};
  }
  return rows;
}

LogicalResult ModelValues::Builder::noteSamples(int64_t count) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(program.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  func::FuncOp function = pipe::buildModelFunction(builder, program);
  FailureOr<graph::BatchAxes> axes =
      graph::getArgumentBatchAxes(function.front(), program.getLoc());
  graph::BatchOptions options;
  options.isTraining = training.has_value();
  options.batchNormPerMicroBatch = true;
  if (failed(axes) ||
      failed(graph::findBatchAxes(function.front(), options, *axes)) ||
      failed(graph::bindSymbols(*module, {{samples.symbol, count}})))
    return failure();
  // Parameters that training changes are states.
  for (auto parameter :
       llvm::make_early_inc_range(function.getOps<graph::ParameterOp>())) {
    if (!model.states.count(parameter.getName().str()))
      continue;
    builder.setInsertionPoint(parameter);
    parameter.replaceAllUsesWith(
        graph::ReadStateOp::create(builder, parameter.getLoc(),
                                   parameter.getType(), parameter.getName())
            .getResult());
    parameter.erase();
  }
  SmallVector<Expressions::Id> arguments;
  for (auto [number, value] : llvm::enumerate(function.getArguments())) {
    auto name = function.getArgAttrOfType<StringAttr>(number, "graph.name");
    arguments.push_back(model.expressions.getLeaf(
        "input " + name.str(), value.getType(), axes->hasSamples(value)));
  }
  Expressions::Evaluation made = model.expressions.evaluate(
      function, arguments, [](StringRef) { return false; });
  size_t place = function.getNumArguments();
  for (Operation &op : function.front())
    for (mlir::Value result : op.getResults()) {
      Expressions::Id id = made.values[place++];
      if (!axes->hasSamples(result))
        continue;
      std::optional<graph::SampleAxis> found = axes->get(result);
      blocksOf[id] = found ? found->outer.getConstant() : std::nullopt;
    }
  return success();
}

/// The elements of a sample stay in their place: as many others are before
/// them.
Rows ModelValues::Builder::reshapeRows(size_t place,
                                       const Rows &scaling) const {
  const Traced &traced = traces.back()[place];
  const Value &source = model.values[numberOf[traced.sources.front()]];
  auto countBefore = [&](Expressions::Id id, int64_t axis) {
    auto type = cast<RankedTensorType>(model.expressions.getType(id));
    int64_t count = 1;
    for (int64_t size : type.getShape().take_front(axis))
      count *= size;
    return count;
  };
  if (source.rows.axis < 0)
    return {};
  int64_t before =
      countBefore(source.ids.back(), source.rows.axis) * source.rows.blocks;
  int64_t after = countBefore(traced.id, scaling.axis);
  if (after == 0 || before % after != 0 || before == 0 ||
      scaling.count % (before / after) != 0)
    return {};
  Rows rows = scaling;
  rows.blocks = before / after;
  rows.count = scaling.count / rows.blocks;
  return rows;
}

/// `scaling`: the axis whose size follows the number of samples, and its rows
/// in all blocks.
Rows ModelValues::Builder::findRows(size_t place, const Rows &scaling) const {
  const Traced &traced = traces.back()[place];
  if (scaling.axis < 0)
    return {};
  Rows rows = scaling;
  if (auto known = blocksOf.find(traced.id); known != blocksOf.end()) {
    if (!known->second || *known->second == 0 ||
        scaling.count % *known->second != 0)
      return {};
    rows.blocks = *known->second;
    rows.count = scaling.count / rows.blocks;
    return rows;
  }
  // Derivatives have samples where the values have them that they are of.
  if (traced.op && traced.op->getStringRef() == "graph.reshape")
    return reshapeRows(place, scaling);
  for (unsigned source : traced.sources) {
    const Value &value = model.values[numberOf[source]];
    if (!value.hasSamples)
      continue;
    if (value.rows.axis < 0 || scaling.count % value.rows.blocks != 0)
      return {};
    rows.blocks = std::max(rows.blocks, value.rows.blocks);
  }
  rows.count = scaling.count / rows.blocks;
  return rows;
}

/// Whether values that are made of constants are one number for all sizes, but
/// for rounding: what a mean gives to each sample, its share of the mini-batch
/// divided by its number, is.
bool ModelValues::Builder::areOneNumber(const Value &value) const {
  constexpr double kRounding = 1e-6; // of a few operations in f32
  std::optional<double> first = model.expressions.getNumber(value.ids[0]);
  return first && llvm::all_of(value.ids, [&](Expressions::Id id) {
           std::optional<double> other = model.expressions.getNumber(id);
           return other &&
                  std::abs(*other - *first) <= kRounding * std::abs(*first);
         });
}

/// Ops do with each sample the same (findProgramSamples), and so do derivatives
/// of them; what is computed without samples has equal rows for each of them if
/// it repeats something.
void ModelValues::Builder::findRows() {
  if (traces.size() < 2)
    return;
  const Trace &trace = traces.back();
  for (size_t place = 0; place < numberOf.size(); ++place) {
    Value &value = model.values[numberOf[place]];
    Type one = model.expressions.getType(value.ids[0]);
    Type two = model.expressions.getType(value.ids[1]);
    Rows rows = findScalingAxis(one, two, model.sizes[0]);
    auto getSource = [&](unsigned source) -> const Value & {
      return model.values[numberOf[source]];
    };
    if (value.hasSamples) {
      if (value.rows.axis < 0)
        value.rows = findRows(place, rows);
      continue;
    }
    rows.areEqual = true;
    bool isRepeated =
        trace[place].op && trace[place].op->getStringRef() == "graph.broadcast"
            ? getSource(trace[place].sources[0]).ids[0] ==
                  getSource(trace[place].sources[0]).ids[1]
            : trace[place].isElementwise &&
                  llvm::all_of(trace[place].sources, [&](unsigned source) {
                    return getSource(source).rows.areEqual;
                  });
    if (rows.axis < 0 || !(isRepeated || areOneNumber(value)))
      continue;
    value.rows = rows;
    // For one sample, it may be what it repeats.
    if (!isRepeated)
      for (auto [size, id] : llvm::enumerate(value.ids))
        model.numbers[{unsigned(size), id}] = numberOf[place];
  }
}
