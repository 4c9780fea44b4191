//===- LowerProgram.cpp - from a placed function to kernels and tables ----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "SiteBuilder.h"
#include "tenon/Lower/Lower.h"

#include "ExprEmitter.h"

#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

namespace {
class ProgramLowering {
public:
  ProgramLowering(func::FuncOp function, const LowerOptions &options)
      : function(function), options(options) {}

  FailureOr<LoweredProgram> run();

private:
  LogicalResult declareValues();
  LogicalResult collectSymbols();
  LogicalResult checkSizes(Operation *op);
  LogicalResult visit(Operation *op);
  LogicalResult visitCall(kernel::CallOp call);
  LogicalResult buildOwnKernel(kernel::CallOp call, Step &step);
  LogicalResult buildLibraryCall(kernel::CallOp call, Step &step);
  void finishOutputs();
  void setLifetimes();
  unsigned addBuffer(BufferKind kind, unsigned index, Type type);
  bool mustCopyOutput(Value value, unsigned output);

  struct Kernel {
    std::string name;
    BuiltKernel built;
  };

  func::FuncOp function;
  const LowerOptions &options;
  LoweredProgram program;
  llvm::StringMap<Kernel> kernels; // by what they compute
  llvm::DenseMap<Value, unsigned> bufferOf;
  llvm::DenseSet<Value> prepared; // known once weights are loaded
  llvm::DenseMap<Value, unsigned> outputOf;
  llvm::DenseMap<StringAttr, unsigned> paramOf;
  SmallVector<Step, 0> prepareSteps, runSteps;
  SmallVector<unsigned> outputBuffers;
};
} // namespace

static SymInt countBytes(Type type) {
  SymInt bytes = byteWidth(cast<RankedTensorType>(type).getElementType());
  for (const SymInt &size : getShape(type))
    bytes = bytes * size;
  return bytes;
}

unsigned ProgramLowering::addBuffer(BufferKind kind, unsigned index,
                                    Type type) {
  Buffer buffer;
  buffer.kind = kind;
  buffer.index = index;
  buffer.bytes = countBytes(type);
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
  for (auto [number, result] : llvm::enumerate(function.getResultTypes())) {
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
/// if nothing reads the input from then on.
bool ProgramLowering::mustCopyOutput(Value value, unsigned output) {
  Operation *producer = value.getDefiningOp();
  for (auto [number, donated] : llvm::enumerate(program.donations)) {
    if (donated != static_cast<int32_t>(output))
      continue;
    for (Operation *user : function.getArgument(number).getUsers())
      if (user == producer || !user->isBeforeInBlock(producer))
        return true;
  }
  return false;
}

LogicalResult ProgramLowering::buildOwnKernel(kernel::CallOp call, Step &step) {
  SmallVector<Operation *> ops;
  for (Operation &op : call.getBodyBlock().without_terminator())
    ops.push_back(&op);
  SmallVector<Value> inputs(call.getBodyBlock().getArguments());
  SmallVector<Value> outputs(call.getYielded());
  FailureOr<kernel::StagePlan> plan = kernel::planStages(ops, inputs, outputs);
  if (failed(plan)) {
    for (Operation *op : ops)
      if (!isa<IndexFormInterface, ConstantOp>(op))
        return op->emitOpError() << "has no code generator for CPUs yet";
    return call.emitOpError() << "can't be planned as one kernel";
  }
  // Layers of one model repeat their kernels: equal plans share one function.
  auto [it, inserted] = kernels.try_emplace(plan->describe(), Kernel{});
  Kernel &kernel = it->second;
  if (inserted) {
    kernel.name = "k" + std::to_string(kernels.size() - 1);
    kernel.built = buildKernel(*program.kernels, call.getLoc(), kernel.name,
                               std::move(*plan), program.symbols, options);
    program.scratchBytes =
        SymInt::max(program.scratchBytes, kernel.built.scratchBytes);
  }
  step.kernel = kernel.name;
  step.extent = kernel.built.extent;
  step.grain = kernel.built.grain;
  return success();
}

LogicalResult ProgramLowering::buildLibraryCall(kernel::CallOp call,
                                                Step &step) {
  FailureOr<BuiltSite> built = buildSite(call);
  if (failed(built))
    return failure();
  step.kind = StepKind::Library;
  step.site = std::move(built->site);
  SmallVector<unsigned> buffers;
  for (unsigned input : built->inputs)
    buffers.push_back(step.buffers[input]);
  buffers.push_back(step.buffers.back());
  step.buffers = std::move(buffers);
  step.site.constantWeight =
      prepared.contains(call.getInputs()[built->inputs[1]]);
  return success();
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
  bool prepares =
      !dependsOnSizes(call) && llvm::all_of(call.getInputs(), [&](Value input) {
        return prepared.contains(input);
      });
  Step step;
  step.name = describe(call);
  for (Value input : call.getInputs())
    step.buffers.push_back(bufferOf[input]);
  for (OpResult result : call.getOutputs()) {
    auto output = outputOf.find(result);
    unsigned buffer;
    if (output != outputOf.end() && !prepares &&
        !mustCopyOutput(result, output->second)) {
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
  LogicalResult built = call.getBackend() == kernel::kOneDnnBackend
                            ? buildLibraryCall(call, step)
                            : buildOwnKernel(call, step);
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

/// Copies what could not be computed in its output's own storage.
void ProgramLowering::finishOutputs() {
  Operation *terminator = function.getBody().front().getTerminator();
  for (auto [number, value] : llvm::enumerate(terminator->getOperands())) {
    unsigned source = bufferOf[value];
    if (source == outputBuffers[number])
      continue;
    Step copy;
    copy.name = "copy to " + program.outputs[number].name;
    copy.kind = StepKind::Copy;
    copy.buffers = {source, outputBuffers[number]};
    runSteps.push_back(std::move(copy));
  }
}

void ProgramLowering::setLifetimes() {
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
  if (failed(declareValues()) || failed(collectSymbols()))
    return failure();
  program.conditions = collectSizeConditions(function);
  Operation *terminator = function.getBody().front().getTerminator();
  for (auto [number, value] : llvm::enumerate(terminator->getOperands())) {
    // A reshape of a kernel's result is written by the kernel.
    Value source = value;
    while (auto reshape = source.getDefiningOp<ReshapeOp>())
      source = reshape.getX();
    outputOf.try_emplace(source, number);
  }
  for (Operation &op : function.getBody().front().without_terminator())
    if (failed(visit(&op)))
      return failure();
  finishOutputs();
  program.numPrepareSteps = prepareSteps.size();
  program.steps = std::move(prepareSteps);
  for (Step &step : runSteps)
    program.steps.push_back(std::move(step));
  setLifetimes();
  if (failed(lowerKernelsToLLVM(*program.kernels, options)))
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
