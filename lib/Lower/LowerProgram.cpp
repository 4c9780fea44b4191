//===- LowerProgram.cpp - from a placed function to kernels and tables ----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InPlace.h"
#include "ProgramLowering.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

unsigned ProgramLowering::addBuffer(BufferKind kind, unsigned index,
                                    Type type) {
  Buffer buffer;
  buffer.kind = kind;
  buffer.index = index;
  buffer.bytes = countBytes(cast<RankedTensorType>(type));
  program.buffers.push_back(std::move(buffer));
  return program.buffers.size() - 1;
}

LogicalResult ProgramLowering::collectSymbols() {
  llvm::StringSet<> bound;
  for (Type type : function.getArgumentTypes())
    for (const SymInt &size : getShape(type))
      if (std::optional<StringRef> symbol = size.getSymbol())
        if (bound.insert(*symbol).second)
          program.symbols.push_back(symbol->str());
  return success();
}

/// Every size must follow from the inputs' sizes.
LogicalResult ProgramLowering::checkSizes(Operation *op) {
  auto check = [&](Type type) -> LogicalResult {
    for (auto [axis, size] : llvm::enumerate(getShape(type))) {
      if (size.isUnknown())
        return op->emitError() << "axis " << axis << " of " << type
                               << " has no known size at run time";
      std::string unbound;
      size.visitSymbols([&](StringRef symbol) {
        if (!llvm::is_contained(program.symbols, symbol))
          unbound = symbol.str();
      });
      if (!unbound.empty())
        return op->emitError() << "dimension '" << unbound
                               << "' is not the size of an axis of any input";
    }
    return success();
  };
  for (Type type : op->getResultTypes())
    if (failed(check(type)))
      return failure();
  WalkResult inside = op->walk([&](Operation *inner) {
    for (Type type : inner->getResultTypes())
      if (failed(check(type)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return failure(inside.wasInterrupted());
}

LogicalResult ProgramLowering::declareValues() {
  auto nameOf = [](DictionaryAttr attributes, StringRef prefix,
                   unsigned number) {
    if (attributes)
      if (auto name = attributes.getAs<StringAttr>("graph.name"))
        return name.str();
    return (prefix + Twine(number)).str();
  };
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type)
      return function.emitError()
             << "argument " << number << " is not a ranked tensor";
    for (auto [axis, size] : llvm::enumerate(getShape(type)))
      if (size.isUnknown())
        return function.emitError() << "axis " << axis << " of argument "
                                    << number << " is dynamic and has no name";
    program.inputs.push_back(
        {nameOf(function.getArgAttrDict(number), "arg", number), type});
    bufferOf[argument] = addBuffer(BufferKind::Input, number, type);
    auto donate =
        function.getArgAttrOfType<IntegerAttr>(number, "graph.donate");
    program.donations.push_back(donate ? donate.getInt() : -1);
  }
  for (auto [number, result] : llvm::enumerate(
           function.getResultTypes().take_front(countOwnResults(function)))) {
    auto type = dyn_cast<RankedTensorType>(result);
    if (!type)
      return function.emitError()
             << "result " << number << " is not a ranked tensor";
    program.outputs.push_back(
        {nameOf(function.getResultAttrDict(number), "result", number), type});
    outputBuffers.push_back(addBuffer(BufferKind::Output, number, type));
  }
  return success();
}

/// An output that takes over a donated input's storage is written straight only
/// if nothing reads the input later, and its producer not before it writes.
bool ProgramLowering::writesStraight(OpResult result, unsigned output,
                                     SmallVectorImpl<Overwrite> &overwrites) {
  auto producer = cast<kernel::CallOp>(result.getOwner());
  SmallVector<unsigned> inputs;
  for (auto [number, donated] : llvm::enumerate(program.donations)) {
    if (donated != static_cast<int32_t>(output))
      continue;
    Value argument = function.getArgument(number);
    if (isReadAfter(argument, producer))
      return false;
    llvm::append_range(inputs, findOperands(producer, argument));
  }
  if (inputs.empty())
    return true;
  if (inputs.size() > 1 || !kernel::isOwnCode(producer.getBackend()))
    return false;
  FailureOr<kernel::StagePlan> plan = planKernel(producer);
  if (failed(plan))
    return false;
  // On a GPU, other threads may be ahead within the row.
  if (options.forGpu)
    plan->numRowDims = cast<RankedTensorType>(result.getType()).getRank();
  int number = static_cast<int>(result.getResultNumber());
  for (auto [stage, planned] : llvm::enumerate(plan->stages))
    if (planned.output == number && canOverwrite(*plan, stage, inputs[0])) {
      overwrites.push_back({result.getResultNumber(), inputs[0]});
      return true;
    }
  return false;
}

/// Where the op came from, as the model names it.
static std::string describe(kernel::CallOp call) {
  std::string name = call.getPattern().str();
  std::string where;
  call.getLoc()->walk([&](Location loc) {
    if (auto named = dyn_cast<NameLoc>(loc)) {
      where = named.getName().str();
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return where.empty() ? name : where + " (" + name + ")";
}

/// Whether a size that only a run's inputs tell is part of what is computed.
static bool dependsOnSizes(kernel::CallOp call) {
  auto isSymbolic = [](Attribute attribute) {
    auto dims = dyn_cast_or_null<DimsAttr>(attribute);
    return dims && !dims.getExpressions().empty();
  };
  WalkResult result = call.walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrDictionary())
      if (isSymbolic(attribute.getValue()))
        return WalkResult::interrupt();
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        if (isSymbolic(tensor.getEncoding()))
          return WalkResult::interrupt();
    return WalkResult::advance();
  });
  return result.wasInterrupted();
}

LogicalResult ProgramLowering::visitCall(kernel::CallOp call) {
  addChecksBefore(call);
  bool prepares =
      !dependsOnSizes(call) && llvm::all_of(call.getInputs(), [&](Value input) {
        return prepared.contains(input);
      });
  Step step;
  step.name = describe(call);
  for (Value input : call.getInputs())
    step.buffers.push_back(bufferOf[input]);
  SmallVector<Overwrite> overwrites;
  for (OpResult result : call.getOutputs()) {
    auto output = outputOf.find(result);
    unsigned buffer;
    if (output != outputOf.end() && !prepares &&
        writesStraight(result, output->second, overwrites)) {
      buffer = outputBuffers[output->second];
      outputOf.erase(output);
    } else {
      buffer = addBuffer(prepares ? BufferKind::Prepared : BufferKind::Arena, 0,
                         result.getType());
    }
    bufferOf[result] = buffer;
    if (prepares)
      prepared.insert(result);
    step.buffers.push_back(buffer);
  }
  // Nothing to copy where the caller gave both the same memory.
  for (const Overwrite &overwrite : overwrites) {
    unsigned to = step.buffers[call.getInputs().size() + overwrite.result];
    addCopy("copy for " + step.name, step.buffers[overwrite.input], to);
    step.buffers[overwrite.input] = to;
  }
  LogicalResult built = kernel::isOwnCode(call.getBackend())
                            ? buildOwnKernel(call, step, overwrites)
                            : buildLibraryCall(call, step);
  if (failed(built))
    return failure();
  (prepares ? prepareSteps : runSteps).push_back(std::move(step));
  return success();
}

LogicalResult ProgramLowering::visit(Operation *op) {
  if (failed(checkSizes(op)))
    return failure();
  if (auto call = dyn_cast<kernel::CallOp>(op))
    return visitCall(call);
  if (auto parameter = dyn_cast<ParameterOp>(op)) {
    StringAttr name = parameter.getNameAttr().getAttr();
    auto [it, inserted] = paramOf.try_emplace(name, program.params.size());
    auto type = cast<RankedTensorType>(parameter.getType());
    if (inserted) {
      program.params.push_back({name.str(), type});
      addBuffer(BufferKind::Param, it->second, type);
    } else if (program.params[it->second].type != type) {
      return op->emitOpError()
             << "'" << name.str() << "' has type " << type << ", but elsewhere "
             << program.params[it->second].type;
    }
    for (auto [number, buffer] : llvm::enumerate(program.buffers))
      if (buffer.kind == BufferKind::Param && buffer.index == it->second)
        bufferOf[parameter.getResult()] = number;
    prepared.insert(parameter.getResult());
    return success();
  }
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    unsigned buffer = addBuffer(BufferKind::Constant, 0, constant.getType());
    program.buffers[buffer].data = constant.getValue();
    bufferOf[constant.getResult()] = buffer;
    prepared.insert(constant.getResult());
    return success();
  }
  if (auto reshape = dyn_cast<ReshapeOp>(op)) {
    // The same bytes under another shape.
    bufferOf[reshape.getResult()] = bufferOf[reshape.getX()];
    if (prepared.contains(reshape.getX()))
      prepared.insert(reshape.getResult());
    return success();
  }
  return op->emitOpError() << "is not placed on any backend";
}

void ProgramLowering::addCopy(const Twine &name, unsigned from, unsigned to) {
  Step copy;
  copy.name = name.str();
  copy.kind = StepKind::Copy;
  copy.buffers = {from, to};
  runSteps.push_back(std::move(copy));
}

/// Copies what could not be computed in its output's own storage.
void ProgramLowering::finishOutputs() {
  Operation *terminator = function.getBody().front().getTerminator();
  SmallVector<unsigned> sources;
  for (Value value :
       terminator->getOperands().take_front(program.outputs.size()))
    sources.push_back(bufferOf[value]);
  // An input that another output takes over is copied away before any output
  // is written here.
  for (auto [number, source] : llvm::enumerate(sources)) {
    const Buffer &buffer = program.buffers[source];
    if (buffer.kind != BufferKind::Input)
      continue;
    int32_t donated = program.donations[buffer.index];
    if (donated < 0 || donated == static_cast<int32_t>(number))
      continue;
    unsigned kept = addBuffer(BufferKind::Arena, 0,
                              terminator->getOperand(number).getType());
    addCopy("keep " + program.inputs[program.buffers[source].index].name,
            source, kept);
    sources[number] = kept;
  }
  for (auto [number, source] : llvm::enumerate(sources))
    if (source != outputBuffers[number])
      addCopy("copy to " + program.outputs[number].name, source,
              outputBuffers[number]);
}

void tenon::lower::setLifetimes(LoweredProgram &program) {
  llvm::DenseSet<unsigned> seen;
  for (auto [number, step] : llvm::enumerate(program.steps))
    for (unsigned buffer : step.buffers) {
      Buffer &used = program.buffers[buffer];
      if (seen.insert(buffer).second)
        used.firstStep = number;
      used.lastStep = number;
    }
}

FailureOr<LoweredProgram> ProgramLowering::run() {
  if (!function.getBody().hasOneBlock())
    return function.emitError() << "expected a function of one block";
  MLIRContext *context = function.getContext();
  context->loadDialect<arith::ArithDialect, DLTIDialect, func::FuncDialect,
                       LLVM::LLVMDialect, math::MathDialect, scf::SCFDialect>();
  program.name = function.getName().str();
  program.kernels = ModuleOp::create(function.getLoc());
  program.isForGpu = options.forGpu;
  if (options.forGpu) {
    context->loadDialect<gpu::GPUDialect, NVVM::NVVMDialect,
                         nvgpu::NVGPUDialect, vector::VectorDialect>();
    OpBuilder builder = OpBuilder::atBlockEnd(program.kernels->getBody());
    gpuModule = gpu::GPUModuleOp::create(builder, function.getLoc(), "kernels");
    program.kernels.get()->setAttr(
        gpu::GPUDialect::getContainerModuleAttrName(), builder.getUnitAttr());
  }
  if (failed(declareValues()) || failed(collectSymbols()))
    return failure();
  program.conditions = collectSizeConditions(function);
  Operation *terminator = function.getBody().front().getTerminator();
  for (auto [number, value] : llvm::enumerate(
           terminator->getOperands().take_front(program.outputs.size()))) {
    // A reshape of a kernel's result is written by the kernel.
    Value source = value;
    while (auto reshape = source.getDefiningOp<ReshapeOp>())
      source = reshape.getX();
    outputOf.try_emplace(source, number);
  }
  collectChecks();
  for (Operation &op : function.getBody().front().without_terminator())
    if (failed(visit(&op)))
      return failure();
  addOtherChecks();
  finishOutputs();
  program.numPrepareSteps = prepareSteps.size();
  program.steps = std::move(prepareSteps);
  for (Step &step : runSteps)
    program.steps.push_back(std::move(step));
  numberChecks();
  setLifetimes(program);
  if (!options.forGpu && failed(lowerKernelsToLLVM(*program.kernels, options)))
    return failure();
  return std::move(program);
}

FailureOr<LoweredProgram>
tenon::lower::lowerProgram(ModuleOp module, const LowerOptions &options) {
  auto function = module.lookupSymbol<func::FuncOp>("main");
  if (!function)
    return module.emitError() << "expected a function @main";
  return ProgramLowering(function, options).run();
}
