//===- StageFunctions.cpp - stages and programs as functions --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Pipe/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "pipe-inline"

namespace tenon::pipe {
#define GEN_PASS_DEF_PIPEINLINE
#include "tenon/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace tenon::pipe

using namespace mlir;
using namespace tenon;
using namespace tenon::pipe;

ProgramOp pipe::getProgram(ModuleOp module) {
  auto programs = module.getOps<ProgramOp>();
  if (programs.empty() || std::next(programs.begin()) != programs.end())
    return {};
  return *programs.begin();
}

std::string pipe::getValueName(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto program = cast<ProgramOp>(argument.getOwner()->getParentOp());
    return cast<StringAttr>(program.getInputNames()[argument.getArgNumber()])
        .getValue()
        .str();
  }
  if (auto channel = value.getDefiningOp<ChannelOp>())
    return getValueName(channel.getValue());
  auto result = cast<OpResult>(value);
  return cast<StageOp>(result.getOwner()).getName().str() + "." +
         std::to_string(result.getResultNumber());
}

/// Builds a function `main` whose arguments and results have names.
static func::FuncOp buildMain(OpBuilder &builder, Location loc,
                              TypeRange inputs,
                              ArrayRef<std::string> inputNames,
                              TypeRange outputs,
                              ArrayRef<std::string> outputNames) {
  auto function = func::FuncOp::create(
      builder, loc, "main", builder.getFunctionType(inputs, outputs));
  function.addEntryBlock();
  for (auto [number, name] : llvm::enumerate(inputNames))
    function.setArgAttr(number, "graph.name", builder.getStringAttr(name));
  for (auto [number, name] : llvm::enumerate(outputNames))
    function.setResultAttr(number, "graph.name", builder.getStringAttr(name));
  return function;
}

func::FuncOp pipe::buildStageFunction(OpBuilder &builder, StageOp stage) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<std::string> inputs, outputs;
  for (Value operand : stage.getOperands())
    inputs.push_back(getValueName(operand));
  for (Value result : stage.getResults())
    outputs.push_back(getValueName(result));
  func::FuncOp function =
      buildMain(builder, stage.getLoc(), stage.getOperands().getTypes(), inputs,
                stage.getResultTypes(), outputs);
  Block &block = function.getBody().front();
  IRMapping mapping;
  mapping.map(stage.getBody().getArguments(), block.getArguments());
  builder.setInsertionPointToStart(&block);
  Block &body = stage.getBody().front();
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(mapping.lookup(value));
  func::ReturnOp::create(builder, stage.getLoc(), results);
  return function;
}

func::FuncOp pipe::buildModelFunction(OpBuilder &builder, ProgramOp program) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<std::string> inputs, outputs;
  for (StringRef name : program.getInputNames().getAsValueRange<StringAttr>())
    inputs.push_back(name.str());
  for (StringRef name : program.getOutputNames().getAsValueRange<StringAttr>())
    outputs.push_back(name.str());
  Block &body = program.getBody().front();
  func::FuncOp function =
      buildMain(builder, program.getLoc(), body.getArgumentTypes(), inputs,
                body.getTerminator()->getOperandTypes(), outputs);
  Block &block = function.getBody().front();
  builder.setInsertionPointToStart(&block);
  IRMapping mapping;
  mapping.map(body.getArguments(), block.getArguments());
  for (Operation &op : body.without_terminator()) {
    if (auto channel = dyn_cast<ChannelOp>(op))
      mapping.map(channel.getResult(), mapping.lookup(channel.getValue()));
    auto stage = dyn_cast<StageOp>(op);
    if (!stage)
      continue;
    LDBG() << "stage '" << stage.getName() << "'";
    for (auto [argument, operand] :
         llvm::zip(stage.getBody().getArguments(), stage.getOperands()))
      mapping.map(argument, mapping.lookup(operand));
    Block &inner = stage.getBody().front();
    for (Operation &op : inner.without_terminator())
      builder.clone(op, mapping);
    for (auto [result, value] :
         llvm::zip(stage.getResults(), inner.getTerminator()->getOperands()))
      mapping.map(result, mapping.lookup(value));
  }
  SmallVector<Value> results;
  for (Value value : body.getTerminator()->getOperands())
    results.push_back(mapping.lookup(value));
  func::ReturnOp::create(builder, program.getLoc(), results);
  return function;
}

namespace {
struct PipeInlinePass : pipe::impl::PipeInlineBase<PipeInlinePass> {
  void runOnOperation() override;
};
} // namespace

/// Removes what the ranks of a program run, under the name of the model, with
/// their tasks: they do what the model does, once more.
static void eraseRanks(ModuleOp module) {
  llvm::SmallSetVector<Operation *, 8> erased;
  for (auto symbol : module.getOps<SymbolOpInterface>()) {
    if (symbol.getName() != "main" || isa<ProgramOp, func::FuncOp>(*symbol))
      continue;
    if (auto uses = SymbolTable::getSymbolUses(&symbol->getRegion(0)))
      for (SymbolTable::SymbolUse use : *uses)
        if (Operation *task = SymbolTable::lookupSymbolIn(
                module, use.getSymbolRef().getRootReference());
            isa_and_nonnull<func::FuncOp>(task))
          erased.insert(task);
    erased.insert(symbol);
  }
  for (Operation *op : llvm::reverse(erased))
    op->erase();
}

void PipeInlinePass::runOnOperation() {
  ProgramOp program = getProgram(getOperation());
  bool hasMesh = false;
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (findMesh(function)) {
      hasMesh = true;
      if (failed(stackRanks(function)))
        return signalPassFailure();
    }
  if (!program && hasMesh)
    return;
  if (!program) {
    getOperation().emitError(
        "expected one 'pipe.program' in the module, or functions with a mesh");
    return signalPassFailure();
  }
  eraseRanks(getOperation());
  OpBuilder builder(program);
  buildModelFunction(builder, program);
  numInlined += llvm::range_size(program.getBody().getOps<StageOp>());
  program.erase();
}
