//===- TargetLowering.cpp - buffers, kernels and structure of a target ----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetLowering.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::lower;
using graph::DimsAttr;
using graph::SymInt;
using program::BufferType;

void lower::registerDialects(DialectRegistry &registry) {
  registry
      .insert<arith::ArithDialect, DLTIDialect, func::FuncDialect,
              gpu::GPUDialect, LLVM::LLVMDialect, math::MathDialect,
              NVVM::NVVMDialect, nvgpu::NVGPUDialect, program::ProgramDialect,
              scf::SCFDialect, vector::VectorDialect>();
}

TargetLowering::TargetLowering(Location loc, const LowerOptions &options)
    : options(options), module(ModuleOp::create(loc)), shared(loc.getContext()),
      prepareBuffers(loc.getContext()), prepareSteps(loc.getContext()),
      entryBuffers(loc.getContext()), runSteps(loc.getContext()) {
  MLIRContext *context = loc.getContext();
  context->loadDialect<arith::ArithDialect, DLTIDialect, func::FuncDialect,
                       LLVM::LLVMDialect, math::MathDialect,
                       program::ProgramDialect, scf::SCFDialect>();
  graph::setVersion(*module);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  target = program::TargetOp::create(builder, loc, options.device,
                                     /*images=*/ArrayAttr(),
                                     /*host=*/kernel::CpuAttr());
  builder.setInsertionPointToEnd(&target.getBody().emplaceBlock());
  prepare = program::PrepareOp::create(builder, loc, DimsAttr());
  Block &load = prepare.getBody().emplaceBlock();
  shared.setInsertionPoint(prepare);
  prepareSteps.setInsertionPointToEnd(&load);
  kernelModule = ModuleOp::create(builder, loc, "kernels");
  if (!options.isForGpu())
    return;
  context->loadDialect<gpu::GPUDialect, NVVM::NVVMDialect, nvgpu::NVGPUDialect,
                       vector::VectorDialect>();
  builder.setInsertionPointToEnd(kernelModule.getBody());
  gpuModule = gpu::GPUModuleOp::create(builder, loc, "kernels");
  kernelModule->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                        builder.getUnitAttr());
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

program::EntryOp TargetLowering::beginEntry(Location loc, StringRef name,
                                            ArrayRef<std::string> names) {
  symbols.assign(names.begin(), names.end());
  runScratch = 0;
  OpBuilder builder(kernelModule);
  SmallVector<StringRef> list(symbols.begin(), symbols.end());
  entry = program::EntryOp::create(builder, loc, name,
                                   builder.getStrArrayAttr(list), DimsAttr());
  builder.setInsertionPointToEnd(&entry.getBody().emplaceBlock());
  auto run = program::RunOp::create(builder, loc);
  entryBuffers.setInsertionPoint(run);
  runSteps.setInsertionPointToEnd(&run.getBody().emplaceBlock());
  return entry;
}

/// Sets the first and the last step that uses each buffer of the arena.
static void setLifetimes(Block &steps) {
  llvm::DenseSet<Operation *> seen;
  int64_t number = -1;
  for (Operation &step : steps) {
    if (program::isStep(&step))
      ++number;
    for (Value buffer : step.getOperands())
      if (auto arena = buffer.getDefiningOp<program::ArenaOp>()) {
        if (seen.insert(arena).second)
          arena.setFirst(number);
        arena.setLast(number);
      }
  }
}

static DimsAttr getScratchAttr(MLIRContext *context, const SymInt &bytes) {
  return bytes == SymInt(0) ? DimsAttr()
                            : DimsAttr::get(context, ArrayRef<SymInt>(bytes));
}

void TargetLowering::finishEntry() {
  setLifetimes(*runSteps.getInsertionBlock());
  if (DimsAttr scratch = getScratchAttr(entry.getContext(), runScratch))
    entry.setScratchAttr(scratch);
}

/// Returns the weight of a library call if the call packs it; else null.
static Value getPackedWeight(Operation *step) {
  auto call = dyn_cast<program::CallOp>(step);
  return call && call.getConstantWeight() ? call.getBuffers()[1] : Value();
}

/// Disables the packing of weights that are also read unpacked by an entry,
/// because a packed weight is a copy: the weights of a model should be in
/// memory only once.
static void keepSharedWeightsRaw(program::TargetOp target) {
  llvm::DenseSet<Value> raw;
  for (Operation &shared : target.getBody().front()) {
    if (shared.getNumResults() != 1)
      continue;
    Value buffer = shared.getResult(0);
    llvm::SmallPtrSet<Operation *, 4> entries;
    bool isRead = false;
    for (Operation *user : buffer.getUsers())
      if (auto entry = user->getParentOfType<program::EntryOp>()) {
        entries.insert(entry);
        isRead |= getPackedWeight(user) != buffer;
      }
    if (isRead && entries.size() > 1)
      raw.insert(buffer);
  }
  target->walk([&](program::CallOp call) {
    if (raw.contains(getPackedWeight(call)))
      call.setConstantWeight(false);
  });
}

OwningOpRef<ModuleOp> TargetLowering::finish() {
  if (!options.isForGpu())
    keepSharedWeightsRaw(target);
  Block &load = prepare.getBody().front();
  setLifetimes(load);
  if (DimsAttr scratch = getScratchAttr(target.getContext(), prepareScratch))
    prepare.setScratchAttr(scratch);
  if (load.empty())
    prepare.erase();
  return std::move(module);
}

ModuleOp TargetLowering::getReferences() {
  if (!references) {
    OpBuilder builder = OpBuilder::atBlockEnd(&target.getBody().front());
    references = ModuleOp::create(builder, target.getLoc(), "references");
  }
  return references;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

FailureOr<Value> TargetLowering::getParameter(Operation *op, StringRef name,
                                              RankedTensorType type) {
  Value &buffer = parameters[name];
  if (!buffer)
    return buffer = program::ParameterOp::create(
               shared, op->getLoc(), BufferType::get(shared.getContext()), name,
               type);
  if (RankedTensorType other = program::getTensorType(buffer); other != type)
    return op->emitOpError() << "'" << name << "' has type " << type
                             << ", but elsewhere " << other;
  return buffer;
}

Value TargetLowering::getConstant(Location loc, ElementsAttr value) {
  Value &buffer = constants[value];
  if (!buffer)
    buffer = program::ConstantOp::create(
        shared, loc, BufferType::get(shared.getContext()), value);
  return buffer;
}

Value TargetLowering::addState(Location loc, StringRef name,
                               RankedTensorType type, ElementsAttr initial,
                               bool isTransient, Value source) {
  return states[name] = program::StateOp::create(
             shared, loc, BufferType::get(shared.getContext()), name, type,
             initial, isTransient, source);
}

void TargetLowering::addRanks(program::RanksOp ranks) {
  OpBuilder(kernelModule).clone(*ranks);
}

Value TargetLowering::addInput(Location loc, StringRef name,
                               RankedTensorType type,
                               std::optional<int32_t> donated) {
  return program::InputOp::create(
      entryBuffers, loc, BufferType::get(entryBuffers.getContext()), name, type,
      donated ? entryBuffers.getI32IntegerAttr(*donated) : IntegerAttr());
}

Value TargetLowering::addOutput(Location loc, StringRef name,
                                RankedTensorType type) {
  return program::OutputOp::create(entryBuffers, loc,
                                   BufferType::get(entryBuffers.getContext()),
                                   name, type, StringAttr());
}

Value TargetLowering::addPrepared(Location loc, RankedTensorType type) {
  return program::PreparedOp::create(
      shared, loc, BufferType::get(shared.getContext()), type);
}

Value TargetLowering::addArena(Location loc, RankedTensorType type,
                               bool prepares, StringRef origin) {
  OpBuilder &builder = prepares ? prepareBuffers : entryBuffers;
  // The steps of a load come into the same block, behind its buffers.
  if (prepares && lastPrepareArena)
    prepareBuffers.setInsertionPointAfter(lastPrepareArena);
  else if (prepares)
    prepareBuffers.setInsertionPointToStart(prepareSteps.getInsertionBlock());
  auto arena = program::ArenaOp::create(
      builder, loc, BufferType::get(builder.getContext()), type, 0, 0,
      IntegerAttr(),
      origin.empty() ? StringAttr() : builder.getStringAttr(origin));
  if (prepares)
    lastPrepareArena = arena;
  return arena;
}

Value TargetLowering::addFindings(Location loc, RankedTensorType type) {
  return program::FindingsOp::create(
      entryBuffers, loc, BufferType::get(entryBuffers.getContext()), type);
}

void TargetLowering::addRequirement(Location loc, StringRef text,
                                    const SymInt &value) {
  program::RequireOp::create(
      entryBuffers, loc, text,
      DimsAttr::get(entryBuffers.getContext(), ArrayRef<SymInt>(value)));
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

std::string TargetLowering::getKey(StringRef plan) const {
  std::string key = plan.str();
  for (const std::string &symbol : symbols)
    key += "\n" + symbol;
  return key;
}

Launch TargetLowering::useKernel(Location loc, kernel::LoopPlan plan,
                                 bool prepares) {
  auto [it, inserted] = kernels.try_emplace(getKey(plan.describe()), Kernel{});
  Kernel &kernel = it->second;
  if (inserted) {
    kernel.name = "k" + std::to_string(kernels.size() - 1);
    kernel.built = buildKernel(kernelModule, loc, kernel.name, std::move(plan),
                               symbols, options);
  }
  SymInt &scratch = prepares ? prepareScratch : runScratch;
  scratch = SymInt::max(scratch, kernel.built.scratchBytes);
  Launch launch;
  launch.kernel = kernel.name;
  launch.extent = kernel.built.extent;
  launch.grain = kernel.built.grain;
  return launch;
}

Launch TargetLowering::useGpuKernel(
    Location loc, StringRef key,
    llvm::function_ref<GpuKernel(const GpuKernelPlace &)> build) {
  auto [it, inserted] = kernels.try_emplace(getKey(key), Kernel{});
  Kernel &kernel = it->second;
  if (inserted) {
    kernel.name = "k" + std::to_string(kernels.size() - 1);
    kernel.gpu = build({gpuModule, loc, kernel.name, symbols, options});
  }
  Launch launch;
  launch.kernel = kernel.name;
  launch.extent = kernel.gpu.blocks;
  launch.blockThreads = kernel.gpu.blockThreads;
  launch.sharedBytes = kernel.gpu.sharedBytes;
  return launch;
}

SmallVector<Value> &TargetLowering::getPreparedResults(StringRef plan,
                                                       ArrayRef<Value> inputs) {
  std::vector<const void *> buffers;
  for (Value input : inputs)
    buffers.push_back(input.getAsOpaquePointer());
  return preparedResults[{plan.str(), std::move(buffers)}];
}
