//===- StepTables.cpp - steps as constants --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuTables.h"
#include "PluginTables.h"
#include "TableContext.h"
#include "tenon/Artifact/Program.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace tenon;
using namespace tenon::emit;
using namespace tenon::program;
using graph::SymInt;
using llvm::Constant;
using mlir::Operation;

#include "tenon/Dialect/Program/IR/PrimitiveTables.inc"

/// Returns whether a function is a tenon_kernel_fn. Types of two contexts
/// differ, so they are compared structurally.
static bool hasKernelType(const llvm::Function &function) {
  llvm::FunctionType *type = function.getFunctionType();
  return type->getReturnType()->isVoidTy() && type->getNumParams() == 5 &&
         !type->isVarArg() && type->getParamType(0)->isPointerTy() &&
         type->getParamType(1)->isPointerTy() &&
         type->getParamType(2)->isPointerTy() &&
         type->getParamType(3)->isIntegerTy(64) &&
         type->getParamType(4)->isIntegerTy(64);
}

namespace {
class StepTables {
public:
  StepTables(TableContext &context, const ProgramPart &part,
             const llvm::Module *kernels)
      : context(context), tables(context.tables), part(part), kernels(kernels) {
  }

  Constant *build(Operation *step, unsigned number);

private:
  Constant *library(CallOp call, unsigned number);
  Constant *plugin(PluginOp call, unsigned number);
  Constant *kernel(LaunchOp launch);

  TableContext &context;
  TableBuilder &tables;
  const ProgramPart &part;
  const llvm::Module *kernels;
};
} // namespace

Constant *StepTables::library(CallOp call, unsigned number) {
  llvm::SmallVector<Constant *> operands, postOps;
  llvm::SmallVector<SymInt, 0> computed;
  for (auto [position, attribute] : llvm::enumerate(call.getTypes())) {
    auto type = mlir::cast<mlir::RankedTensorType>(
        mlir::cast<mlir::TypeAttr>(attribute).getValue());
    graph::Shape shape = graph::getShape(type);
    for (const SymInt &size : shape)
      if (context.getShapeEntry(part, size) == INT64_MIN)
        computed.push_back(size);
    llvm::ArrayRef<int32_t> order;
    if (std::optional<mlir::ArrayAttr> orders = call.getOrders())
      order = mlir::cast<mlir::DenseI32ArrayAttr>((*orders)[position]);
    operands.push_back(
        StructBuilder(tables, sizeof(tenon_call_operand))
            .add(TENON_FIELD(tenon_call_operand, dtype),
                 context.dtypeOf(type.getElementType()))
            .add(TENON_FIELD(tenon_call_operand, rank),
                 tables.int32(type.getRank()))
            .add(TENON_FIELD(tenon_call_operand, shape),
                 context.shapeOf(part, shape))
            .add(TENON_FIELD(tenon_call_operand, order), tables.int32s(order))
            .finish());
  }
  if (std::optional<mlir::ArrayAttr> list = call.getPosts())
    for (PostOpAttr postOp : list->getAsRange<PostOpAttr>())
      postOps.push_back(
          StructBuilder(tables, sizeof(tenon_post_op))
              .add(TENON_FIELD(tenon_post_op, kind),
                   tables.int32(static_cast<int>(postOp.getKind())))
              .add(TENON_FIELD(tenon_post_op, alpha),
                   tables.float32(postOp.getAlpha().convertToFloat()))
              .add(TENON_FIELD(tenon_post_op, beta),
                   tables.float32(postOp.getBeta().convertToFloat()))
              .finish());
  Constant *value =
      StructBuilder(tables, sizeof(tenon_call))
          .add(TENON_FIELD(tenon_call, library),
               tables.int32(static_cast<int>(call.getLibrary())))
          .add(TENON_FIELD(tenon_call, primitive),
               tables.int32(call.getPrimitive().getNumber()))
          .add(TENON_FIELD(tenon_call, fields),
               addFields(tables, call.getPrimitive()))
          .add(TENON_FIELD(tenon_call, num_operands),
               tables.int32(operands.size()))
          .add(TENON_FIELD(tenon_call, operands),
               tables.array("operands", operands, alignof(tenon_call_operand)))
          .add(TENON_FIELD(tenon_call, num_post_ops),
               tables.int32(postOps.size()))
          .add(TENON_FIELD(tenon_call, post_ops),
               tables.array("posts", postOps, alignof(tenon_post_op)))
          .add(TENON_FIELD(tenon_call, constant_weight),
               tables.int32(call.getConstantWeight()))
          .add(TENON_FIELD(tenon_call, sizes),
               context.sizesFunction(
                   part, "call_sizes_" + std::to_string(number), computed))
          .finish();
  return tables.array("call", value, alignof(tenon_call));
}

Constant *StepTables::plugin(PluginOp call, unsigned number) {
  llvm::SmallVector<Constant *> dtypes;
  for (mlir::Type type : call.getTypes().getAsValueRange<mlir::TypeAttr>())
    dtypes.push_back(context.dtypeOf(
        mlir::cast<mlir::RankedTensorType>(type).getElementType()));
  Constant *sizes =
      context.sizesFunction(part, "plugin_sizes_" + std::to_string(number),
                            getPluginSizes(call), /*always=*/true);
  return addPluginCall(tables, call, dtypes, sizes);
}

Constant *StepTables::kernel(LaunchOp launch) {
  llvm::Module &module = tables.getModule();
  auto *pointer = llvm::PointerType::getUnqual(module.getContext());
  auto *index = llvm::Type::getInt64Ty(module.getContext());
  auto *type =
      llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()),
                              {pointer, pointer, pointer, index, index}, false);
  std::string name = context.program.getSymbol(launch);
  const llvm::Function *defined =
      kernels ? kernels->getFunction(name) : nullptr;
  if (!defined || defined->isDeclaration())
    context.fail("step '" + launch.getName() + "': kernel '" + name +
                 "' is not defined");
  else if (!hasKernelType(*defined))
    context.fail("step '" + launch.getName() + "': kernel '" + name +
                 "' does not have the type of tenon_kernel_fn");
  auto *function = llvm::cast<llvm::Function>(
      module.getOrInsertFunction(name, type).getCallee());
  function->setVisibility(llvm::GlobalValue::HiddenVisibility);
  function->setDSOLocal(true);
  return function;
}

/// Returns the extent of a launch; 1 for other steps.
static SymInt getExtent(Operation *step) {
  auto launch = mlir::dyn_cast<LaunchOp>(step);
  return launch ? launch.getExtent().getEntry(0) : SymInt(1);
}

Constant *StepTables::build(Operation *step, unsigned number) {
  llvm::SmallVector<int32_t> buffers;
  for (mlir::Value buffer : step->getOperands())
    buffers.push_back(static_cast<int32_t>(context.program.getNumber(buffer)));
  auto launch = mlir::dyn_cast<LaunchOp>(step);
  auto call = mlir::dyn_cast<CallOp>(step);
  auto plugged = mlir::dyn_cast<PluginOp>(step);
  bool forGpu = context.program.isForGpu();
  int kind = launch    ? TENON_STEP_KERNEL
             : call    ? TENON_STEP_LIBRARY
             : plugged ? TENON_STEP_PLUGIN
                       : TENON_STEP_COPY;
  return StructBuilder(tables, sizeof(tenon_step))
      .add(TENON_FIELD(tenon_step, name), tables.text(getStepName(step)))
      .add(TENON_FIELD(tenon_step, kind), tables.int32(kind))
      .add(TENON_FIELD(tenon_step, num_buffers), tables.int32(buffers.size()))
      .add(TENON_FIELD(tenon_step, buffers), tables.int32s(buffers))
      .add(TENON_FIELD(tenon_step, kernel),
           launch && !forGpu ? kernel(launch) : tables.null())
      .add(TENON_FIELD(tenon_step, call),
           call ? library(call, number) : tables.null())
      .add(TENON_FIELD(tenon_step, extent), context.staticSize(getExtent(step)))
      .add(TENON_FIELD(tenon_step, grain),
           tables.int64(launch ? launch.getGrain() : 1))
      .add(TENON_FIELD(tenon_step, plugin),
           plugged ? plugin(plugged, number) : tables.null())
      .add(TENON_FIELD(tenon_step, launch),
           launch && forGpu ? addLaunch(tables, launch) : tables.null())
      .finish();
}

llvm::SmallVector<Constant *>
tenon::emit::addSteps(TableContext &context, const ProgramPart &part,
                      const llvm::Module *kernels) {
  StepTables tables(context, part, kernels);
  llvm::SmallVector<Constant *> steps;
  for (auto [number, step] : llvm::enumerate(part.steps))
    steps.push_back(tables.build(step, part.firstStep + number));
  return steps;
}
