//===- TosaToGraph.cpp - conversion of tosa functions ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions are rebuilt op by op, in order, because the types of the new ops
// are inferred: inference knows the names of dynamic sizes, which a conversion
// with a type map could not name.
//
//===----------------------------------------------------------------------===//

#include "TosaConversion.h"

#include "tenon/Import/Passes.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tosa-to-graph"

namespace tenon::import {
#define GEN_PASS_DEF_TOSATOGRAPH
#include "tenon/Import/Passes.h.inc"
} // namespace tenon::import

using namespace mlir;
using namespace tenon;
using namespace tenon::import;
using graph::Shape;
using graph::SymInt;

//===----------------------------------------------------------------------===//
// TosaOpContext
//===----------------------------------------------------------------------===//

std::optional<Shape> TosaOpContext::shape(Value old) {
  auto found = values.shapes.find(old);
  if (found != values.shapes.end())
    return found->second;
  refuse("a shape is not known at compile time");
  return std::nullopt;
}

std::optional<SmallVector<int64_t>> TosaOpContext::constants(Value old) {
  std::optional<Shape> sizes = shape(old);
  if (!sizes)
    return std::nullopt;
  SmallVector<int64_t> result;
  for (const SymInt &size : *sizes) {
    if (!size.getConstant()) {
      refuse("a shape has the entry " + size.str() +
             ", where a constant is expected");
      return std::nullopt;
    }
    result.push_back(*size.getConstant());
  }
  return result;
}

bool TosaOpContext::isZero(Value zeroPoint) {
  if (auto constant = zeroPoint.getDefiningOp<tosa::ConstOp>())
    if (auto data = dyn_cast<DenseElementsAttr>(constant.getValues()))
      if (data.isSplat()) {
        Type type = data.getElementType();
        if (isa<FloatType>(type) ? data.getSplatValue<APFloat>().isZero()
                                 : data.getSplatValue<APInt>().isZero())
          return true;
      }
  return refuse("quantized: a zero point is not the constant 0");
}

bool TosaOpContext::finish(Value result) {
  if (!result)
    return false;
  values.tensors[source->getResult(0)] = result;
  return true;
}

bool TosaOpContext::finishShape(Shape shape) {
  values.shapes[source->getResult(0)] = std::move(shape);
  return true;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
class FunctionConversion {
public:
  explicit FunctionConversion(func::FuncOp function)
      : function(function), builder(function.getContext()) {}

  LogicalResult run();
  unsigned numConverted = 0;

private:
  bool nameArguments(Block &block);
  bool convert(Operation &op);

  func::FuncOp function;
  OpBuilder builder;
  TosaValues values;
};
} // namespace

static bool isTosa(Operation *op) {
  return isa_and_nonnull<tosa::TosaDialect>(op->getDialect());
}

/// Names the unnamed dynamic sizes of the arguments.
bool FunctionConversion::nameArguments(Block &block) {
  llvm::StringSet<> used;
  for (Type type : function.getArgumentTypes())
    if (isa<RankedTensorType>(type))
      for (const SymInt &size : graph::getShape(type))
        size.visitSymbols([&](StringRef name) { used.insert(name); });
  unsigned next = 0;
  SmallVector<Type> types;
  for (BlockArgument argument : block.getArguments()) {
    auto tensor = dyn_cast<RankedTensorType>(argument.getType());
    if (!tensor) {
      function.emitError() << "argument " << argument.getArgNumber()
                           << " has type " << argument.getType()
                           << "; expected a ranked tensor";
      return false;
    }
    Shape shape = graph::getShape(tensor);
    for (SymInt &size : shape) {
      if (!size.isUnknown())
        continue;
      std::string name;
      do
        name = "d" + std::to_string(next++);
      while (!used.insert(name).second);
      size = SymInt::symbol(name);
    }
    argument.setType(graph::getTensorType(shape, tensor.getElementType()));
    types.push_back(argument.getType());
    values.tensors[argument] = argument;
  }
  function.setFunctionType(
      builder.getFunctionType(types, function.getResultTypes()));
  return true;
}

bool FunctionConversion::convert(Operation &op) {
  // Values of other dialects are not converted.
  if (!isTosa(&op)) {
    for (OpOperand &operand : op.getOpOperands())
      if (Value converted = values.tensors.lookup(operand.get()))
        operand.set(converted);
    for (Value result : op.getResults())
      values.tensors[result] = result;
    return true;
  }
  // An error was already reported for the rejected op.
  for (Value operand : op.getOperands())
    if (!values.tensors.count(operand) && !values.shapes.count(operand) &&
        operand.getDefiningOp() && isTosa(operand.getDefiningOp()))
      return false;
  builder.setInsertionPoint(&op);
  TosaOpContext context(builder, &op, values);
  for (auto family : {convertTosaElementwise, convertTosaWindows,
                      convertTosaMovement, convertTosaShape}) {
    TosaStatus status = family(context, &op);
    if (status == TosaStatus::Unknown)
      continue;
    if (status == TosaStatus::Converted) {
      LDBG() << op.getName() << " at " << op.getLoc();
      ++numConverted;
      return true;
    }
    if (!context.hasFailed())
      context.refuse("a type or parameter has no counterpart");
    return false;
  }
  StringRef why =
      llvm::TypeSwitch<Operation *, StringRef>(&op)
          .Case<tosa::RescaleOp, tosa::TableOp>(
              [](auto) { return "quantized"; })
          .Case<tosa::IfOp, tosa::WhileOp>([](auto) { return "control flow"; })
          .Default([](Operation *) {
            return "it has no counterpart in the graph dialect";
          });
  return context.refuse(why);
}

LogicalResult FunctionConversion::run() {
  if (!function.getBody().hasOneBlock())
    return function.emitError("expected a function of one block");
  Block &block = function.getBody().front();
  if (!nameArguments(block))
    return failure();
  bool ok = true;
  SmallVector<Operation *> old;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    ok &= convert(op);
    if (isTosa(&op))
      old.push_back(&op);
  }
  if (!ok)
    return failure();
  for (Operation *op : llvm::reverse(old)) {
    if (!op->use_empty())
      return op->emitOpError(
          "is used by an op that is not of the tosa dialect");
    op->erase();
  }
  function.setFunctionType(builder.getFunctionType(
      function.getArgumentTypes(), block.getTerminator()->getOperandTypes()));
  return success();
}

namespace {
struct TosaToGraphPass
    : public tenon::import::impl::TosaToGraphBase<TosaToGraphPass> {
  void runOnOperation() override {
    bool ok = true;
    getOperation().walk([&](func::FuncOp function) {
      bool hasTosa = false;
      function.walk([&](Operation *op) { hasTosa |= isTosa(op); });
      if (function.isExternal() || !hasTosa)
        return;
      FunctionConversion conversion(function);
      ok &= succeeded(conversion.run());
      numConverted += conversion.numConverted;
    });
    if (!ok)
      signalPassFailure();
  }
};
} // namespace
