//===- GraphToGpu.cpp - conversion of elementwise graphs to GPU kernels ---===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprEmitter.h"

#include "tenon/Lower/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::lower {
#define GEN_PASS_DEF_GRAPHTOGPU
#include "tenon/Lower/Passes.h.inc"
} // namespace tenon::lower

using namespace mlir;
using namespace tenon;
using namespace tenon::lower;
using graph::Expr;

namespace {
struct GraphToGpuPass : lower::impl::GraphToGpuBase<GraphToGpuPass> {
  void runOnOperation() override;

private:
  FailureOr<Expr> composeElement(func::FuncOp function);
  LogicalResult buildKernel(func::FuncOp function, Expr element);
};
} // namespace

/// Returns the result's element at flat index i0, as an expression over loads
/// of the arguments at the same index.
FailureOr<Expr> GraphToGpuPass::composeElement(func::FuncOp function) {
  Block &block = function.getBody().front();
  auto results = block.getTerminator()->getOperands();
  if (!function.getBody().hasOneBlock() || results.size() != 1) {
    function.emitError() << "expected one block and one result, but got "
                         << function.getBody().getBlocks().size() << " and "
                         << results.size();
    return failure();
  }
  auto stated = cast<RankedTensorType>(results[0].getType());
  auto hasShape = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getShape() == stated.getShape() &&
           type.getEncoding() == stated.getEncoding();
  };
  llvm::DenseMap<Value, Expr> elements;
  for (BlockArgument argument : block.getArguments()) {
    if (!hasShape(argument)) {
      function.emitError() << "expected argument " << argument.getArgNumber()
                           << " of the result's shape, but got "
                           << argument.getType() << " for " << stated;
      return failure();
    }
    elements[argument] =
        Expr::load(argument.getArgNumber(), {Expr::var(0)},
                   cast<RankedTensorType>(argument.getType()).getElementType());
  }
  for (Operation &op : block.without_terminator()) {
    if (op.getNumResults() == 1 && hasShape(op.getResult(0))) {
      if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
        auto value = dyn_cast<SplatElementsAttr>(constant.getValue());
        if (value && isa<FloatType>(value.getElementType())) {
          elements[op.getResult(0)] =
              Expr::constant(value.getSplatValue<APFloat>().convertToDouble(),
                             value.getElementType());
          continue;
        }
      }
      if (auto elementwise = dyn_cast<graph::ElementwiseInterface>(op)) {
        SmallVector<Expr> operands;
        for (Value operand : op.getOperands())
          operands.push_back(elements.lookup(operand));
        elements[op.getResult(0)] = elementwise.getScalarForm(operands);
        continue;
      }
    }
    op.emitError() << "expected an elementwise op of the result's shape, but "
                      "got '"
                   << op.getName() << "'";
    return failure();
  }
  return elements.lookup(results[0]);
}

LogicalResult GraphToGpuPass::buildKernel(func::FuncOp function, Expr element) {
  OpBuilder builder(function);
  Location loc = function.getLoc();
  builder.setInsertionPointAfter(function);
  std::string name = function.getSymName().str();
  auto module = gpu::GPUModuleOp::create(builder, loc, name + "_gpu");
  builder.setInsertionPointToStart(&module.getBodyRegion().front());
  Type pointer = LLVM::LLVMPointerType::get(&getContext());
  // The operands are the result, the arguments and the number of elements.
  SmallVector<Type> types(function.getNumArguments() + 1, pointer);
  types.push_back(builder.getI64Type());
  auto kernel = gpu::GPUFuncOp::create(
      builder, loc, name, FunctionType::get(&getContext(), types, {}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  Block &body = kernel.getBody().front();
  builder.setInsertionPointToStart(&body);

  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  Value size = gpu::BlockDimOp::create(builder, loc, gpu::Dimension::x);
  Value thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  Value index = arith::AddIOp::create(
      builder, loc, arith::MulIOp::create(builder, loc, block, size), thread);
  Value count = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                           body.getArguments().back());
  Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       index, count);
  auto guard = scf::IfOp::create(builder, loc, inside, /*withElse=*/false);
  gpu::ReturnOp::create(builder, loc);

  builder.setInsertionPointToStart(&guard.getThenRegion().front());
  EmitContext context;
  for (unsigned number = 0; number < function.getNumArguments(); ++number)
    context.pointers.push_back(body.getArgument(number + 1));
  ExprEmitter emitter(builder, loc, context);
  emitter.setVar(0, index);
  Value value = emitter.emitElement(element);
  emitter.store(value, body.getArgument(0), index, element->type);
  ++numKernels;
  return success();
}

void GraphToGpuPass::runOnOperation() {
  SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
  for (func::FuncOp function : functions) {
    FailureOr<Expr> element = composeElement(function);
    if (failed(element) || failed(buildKernel(function, *element)))
      return signalPassFailure();
  }
  // A launch of a kernel requires this attribute on the enclosing module.
  if (!functions.empty())
    getOperation()->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                            UnitAttr::get(&getContext()));
}
