//===- Steps.cpp - creation of step ops -----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetLowering.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::lower;
using graph::DimsAttr;
using graph::SymInt;

static DimsAttr getSize(OpBuilder &builder, const SymInt &size) {
  return DimsAttr::get(builder.getContext(), ArrayRef<SymInt>(size));
}

void TargetLowering::addLaunch(const Step &step, const Launch &launch) {
  OpBuilder &builder = getStepBuilder(step.prepares);
  MLIRContext *context = builder.getContext();
  SmallVector<FlatSymbolRefAttr> path;
  if (options.isForGpu())
    path.push_back(FlatSymbolRefAttr::get(context, "kernels"));
  path.push_back(FlatSymbolRefAttr::get(context, launch.kernel));
  auto kernel = SymbolRefAttr::get(builder.getStringAttr("kernels"), path);
  auto op =
      program::LaunchOp::create(builder, step.loc, step.name, kernel,
                                step.buffers, getSize(builder, launch.extent),
                                launch.grain, IntegerAttr(), IntegerAttr());
  if (options.isForGpu()) {
    op.setBlock(launch.blockThreads);
    op.setShared(launch.sharedBytes);
  }
}

void TargetLowering::addLibraryCall(const Step &step,
                                    const backend::LibraryCall &call,
                                    bool hasConstantWeight,
                                    StringRef reference) {
  OpBuilder &builder = getStepBuilder(step.prepares);
  MLIRContext *context = builder.getContext();
  SmallVector<Type> types;
  SmallVector<Attribute> orders;
  bool isPlain = true;
  for (const backend::CallOperand &operand : call.operands) {
    types.push_back(graph::getTensorType(operand.shape, operand.elementType));
    orders.push_back(builder.getDenseI32ArrayAttr(operand.order));
    isPlain &= operand.order.empty();
  }
  SmallVector<Attribute> postOps(call.postOps.begin(), call.postOps.end());
  SymbolRefAttr symbol;
  if (!reference.empty())
    symbol = SymbolRefAttr::get(builder.getStringAttr("references"),
                                FlatSymbolRefAttr::get(context, reference));
  program::CallOp::create(
      builder, step.loc, step.name, call.library, call.primitive, step.buffers,
      builder.getTypeArrayAttr(types),
      isPlain ? ArrayAttr() : builder.getArrayAttr(orders),
      postOps.empty() ? ArrayAttr() : builder.getArrayAttr(postOps),
      hasConstantWeight, symbol);
}

void TargetLowering::addPluginCall(const Step &step,
                                   const backend::PluginCall &call) {
  OpBuilder &builder = getStepBuilder(step.prepares);
  SmallVector<Type> types;
  SmallVector<bool> lifted, constant;
  for (const backend::PluginOperand &operand : call.operands) {
    types.push_back(graph::getTensorType(operand.shape, operand.elementType));
    lifted.push_back(operand.isLifted);
    constant.push_back(operand.isConstant);
  }
  SmallVector<StringRef> names;
  SmallVector<SymInt> values;
  for (const auto &[name, value] : call.symbols) {
    names.push_back(name);
    values.push_back(value);
  }
  program::PluginOp::create(
      builder, step.loc, step.name, call.backend, call.pattern, step.buffers,
      call.file, call.version, call.patternsHash, getSize(builder, call.items),
      lifted, constant, call.numResults, builder.getTypeArrayAttr(types),
      names.empty() ? ArrayAttr() : builder.getStrArrayAttr(names),
      names.empty() ? DimsAttr() : DimsAttr::get(builder.getContext(), values));
}

void TargetLowering::addCopy(Location loc, const Twine &name, Value from,
                             Value to) {
  program::CopyOp::create(runSteps, loc, name.str(), from, to);
}
