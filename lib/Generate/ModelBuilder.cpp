//===- ModelBuilder.cpp - writing models with graph ops -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Generate/ModelBuilder.h"

#include "tenon/Dialect/Graph/IR/StateOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::generate;

ModelBuilder::ModelBuilder(MLIRContext *context) : builder(context) {
  context->loadDialect<GraphDialect, func::FuncDialect>();
  module = ModuleOp::create(builder.getUnknownLoc());
}

SmallVector<Value> ModelBuilder::begin(ArrayRef<Input> inputs, StringRef name) {
  SmallVector<Type> types;
  for (const Input &input : inputs)
    types.push_back(getTensorType(input.shape, input.elementType));
  builder.setInsertionPointToEnd(module->getBody());
  function = func::FuncOp::create(builder, builder.getUnknownLoc(), name,
                                  builder.getFunctionType(types, {}));
  for (auto [number, input] : llvm::enumerate(inputs)) {
    function.setArgAttr(number, "graph.name",
                        builder.getStringAttr(input.name));
    if (input.donatedTo >= 0)
      function.setArgAttr(number, "graph.donate",
                          builder.getI64IntegerAttr(input.donatedTo));
  }
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  return SmallVector<Value>(entry->getArguments());
}

void ModelBuilder::end(ArrayRef<std::pair<std::string, Value>> results) {
  SmallVector<Value> values;
  for (const auto &[name, value] : results)
    values.push_back(value);
  func::ReturnOp::create(builder, builder.getUnknownLoc(), values);
  function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                           ValueRange(values).getTypes()));
  for (auto [number, result] : llvm::enumerate(results))
    function.setResultAttr(number, "graph.name",
                           builder.getStringAttr(result.first));
}

void ModelBuilder::state(StringRef name, ArrayRef<int64_t> shape,
                         Type elementType) {
  builder.setInsertionPointToEnd(module->getBody());
  StateOp::create(builder, builder.getUnknownLoc(), name,
                  RankedTensorType::get(shape, elementType),
                  /*value=*/ElementsAttr(), /*parameter=*/FlatSymbolRefAttr());
}

Value ModelBuilder::readState(StringRef name) {
  auto state = module->lookupSymbol<StateOp>(name);
  return ReadStateOp::create(builder, builder.getUnknownLoc(), state.getType(),
                             name);
}

void ModelBuilder::writeState(StringRef name, Value value) {
  WriteStateOp::create(builder, builder.getUnknownLoc(), name, value);
}

Value ModelBuilder::parameter(const Twine &name, ArrayRef<int64_t> shape) {
  return op<ParameterOp>(
      RankedTensorType::get(shape, f32()),
      FlatSymbolRefAttr::get(builder.getContext(), name.str()),
      /*buffer=*/StringAttr());
}

Value ModelBuilder::scalar(double value) {
  auto type = RankedTensorType::get({}, f32());
  return op<ConstantOp>(cast<ElementsAttr>(
      DenseElementsAttr::get(type, builder.getF32FloatAttr(value))));
}

Value ModelBuilder::integers(ArrayRef<int64_t> values) {
  return op<ConstantOp>(cast<ElementsAttr>(builder.getI64TensorAttr(values)));
}

Value ModelBuilder::reshape(Value x, const Shape &shape) {
  return op<ReshapeOp>(x, DimsAttr::get(builder.getContext(), shape));
}

Value ModelBuilder::transpose(Value x, ArrayRef<int64_t> perm) {
  return op<TransposeOp>(x, ints(perm));
}

Value ModelBuilder::broadcastLike(Value x, Value like) {
  if (x.getType() == like.getType())
    return x;
  return op<BroadcastOp>(x,
                         DimsAttr::get(builder.getContext(), getShape(like)));
}

Value ModelBuilder::conv(Value x, const Twine &name, int64_t channels,
                         Window window, bool bias) {
  int64_t in = *getShape(x)[1].getConstant();
  Value weight = parameter(name + ".weight", {channels, in / window.groups,
                                              window.kernel, window.kernel});
  Value y = convolve(x, weight, window.stride, {window.pad, window.pad},
                     window.groups, window.dilation);
  if (!bias)
    return y;
  Value vector = parameter(name + ".bias", {channels});
  return add(y, broadcastLike(reshape(vector, {channels, 1, 1}), y));
}

Value ModelBuilder::convolve(Value x, Value weight, int64_t stride,
                             ArrayRef<int64_t> pads, int64_t groups,
                             int64_t dilation) {
  return op<ConvOp>(x, weight, ints({stride, stride}),
                    ints({pads[0], pads[1], pads[0], pads[1]}),
                    ints({dilation, dilation}), ints({groups}),
                    Layout::ChannelsFirst);
}

Value ModelBuilder::batchNorm(Value x, const Twine &name) {
  int64_t channels = *getShape(x)[1].getConstant();
  auto vector = [&](const Twine &part) {
    return parameter(name + part, {channels});
  };
  return op<BatchNormOp>(x, vector(".weight"), vector(".bias"),
                         vector(".running_mean"), vector(".running_var"),
                         /*axis=*/1, llvm::APFloat(1e-5));
}

Value ModelBuilder::maxPool(Value x, Window window) {
  return op<MaxPoolOp>(x, ints({window.kernel, window.kernel}),
                       ints({window.stride, window.stride}),
                       ints({window.pad, window.pad, window.pad, window.pad}),
                       ints({1, 1}), window.ceil, Layout::ChannelsFirst);
}

Value ModelBuilder::averagePool(Value x, Window window) {
  return op<AvgPoolOp>(x, ints({window.kernel, window.kernel}),
                       ints({window.stride, window.stride}),
                       ints({window.pad, window.pad, window.pad, window.pad}),
                       ints({1, 1}), window.ceil, Layout::ChannelsFirst,
                       /*count_include_pad=*/false);
}

Value ModelBuilder::globalAveragePool(Value x) {
  return op<ReduceMeanOp>(x, ints({2, 3}), /*keepdims=*/false);
}

Value ModelBuilder::linear(Value x, const Twine &name, int64_t features) {
  int64_t in = *getShape(x).back().getConstant();
  Value weight = parameter(name + ".weight", {features, in});
  Value y = op<MatmulOp>(x, weight, /*transpose_a=*/false,
                         /*transpose_b=*/true);
  return add(y, broadcastLike(parameter(name + ".bias", {features}), y));
}

Value ModelBuilder::layerNorm(Value x, const Twine &name, double epsilon) {
  int64_t features = *getShape(x).back().getConstant();
  int64_t axis = getShape(x).size() - 1;
  return op<LayerNormOp>(x, parameter(name + ".weight", {features}),
                         parameter(name + ".bias", {features}), axis,
                         llvm::APFloat(epsilon));
}
