//===- LowerProgram.cpp - from a placed function to kernels and tables ----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InPlace.h"
#include "KernelBuilder.h"
#include "PackWeights.h"
#include "tenon/Backend/Backend.h"
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
  /// A kernel's result that is written over an input of the kernel.
  struct Overwrite {
    unsigned result, input;
  };

  LogicalResult declareValues();
  LogicalResult collectSymbols();
  LogicalResult checkSizes(Operation *op);
  LogicalResult visit(Operation *op);
  LogicalResult visitCall(kernel::CallOp call);
  LogicalResult buildOwnKernel(kernel::CallOp call, Step &step,
                               ArrayRef<Overwrite> overwrites);
  void packInputs(kernel::CallOp call, kernel::StagePlan &plan, Step &step);
  void useKernel(Location loc, kernel::StagePlan plan, Step &step);
  LogicalResult buildLibraryCall(kernel::CallOp call, Step &step);
  LogicalResult buildPluginCall(kernel::CallOp call, backend::LibraryCall built,
                                Step &step);
  void addCopy(const Twine &name, unsigned from, unsigned to);
  void finishOutputs();
  void setLifetimes();
  unsigned addBuffer(BufferKind kind, unsigned index, Type type);
  bool writesStraight(OpResult result, unsigned output,
                      SmallVectorImpl<Overwrite> &overwrites);

  struct Kernel {
    std::string name;
    BuiltKernel built;
  };

  func::FuncOp function;
  const LowerOptions &options;
  LoweredProgram program;
  llvm::StringMap<Kernel> kernels; // by what they compute
  /// Packed weights, by the buffer and the order of its axes.
  std::map<std::pair<unsigned, std::vector<unsigned>>, unsigned> packedBuffers;
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

static FailureOr<kernel::StagePlan> planKernel(kernel::CallOp call) {
  SmallVector<Operation *> ops;
  for (Operation &op : call.getBodyBlock().without_terminator())
    ops.push_back(&op);
  SmallVector<Value> inputs(call.getBodyBlock().getArguments());
  SmallVector<Value> outputs(call.getYielded());
  return kernel::planStages(ops, inputs, outputs);
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
  if (inputs.size() > 1 || producer.getBackend() != kernel::kCpuBackend)
    return false;
  FailureOr<kernel::StagePlan> plan = planKernel(producer);
  if (failed(plan))
    return false;
  int number = static_cast<int>(result.getResultNumber());
  for (auto [stage, planned] : llvm::enumerate(plan->stages))
    if (planned.output == number && canOverwrite(*plan, stage, inputs[0])) {
      overwrites.push_back({result.getResultNumber(), inputs[0]});
      return true;
    }
  return false;
}

LogicalResult ProgramLowering::buildOwnKernel(kernel::CallOp call, Step &step,
                                              ArrayRef<Overwrite> overwrites) {
  FailureOr<kernel::StagePlan> plan = planKernel(call);
  if (failed(plan)) {
    for (Operation &op : call.getBodyBlock().without_terminator())
      if (!isa<IndexFormInterface, ConstantOp>(op))
        return op.emitOpError() << "has no code generator for CPUs yet";
    return call.emitOpError() << "can't be planned as one kernel";
  }
  for (const Overwrite &overwrite : overwrites)
    for (kernel::Stage &stage : plan->stages)
      if (stage.output == static_cast<int>(overwrite.result))
        stage.inPlaceOf = static_cast<int>(overwrite.input);
  packInputs(call, *plan, step);
  useKernel(call.getLoc(), std::move(*plan), step);
  return success();
}

/// Steps of preparation that put weights as the kernel reads them best.
void ProgramLowering::packInputs(kernel::CallOp call, kernel::StagePlan &plan,
                                 Step &step) {
  auto isConstant = [&](unsigned input) {
    return prepared.contains(call.getInputs()[input]);
  };
  if (!options.reassociate || prepared.contains(call.getResult(0)))
    return;
  SmallVector<Shape, 0> shapes = plan.inputShapes;
  for (const PackedInput &packed :
       packWeights(plan, options.vectorBits, isConstant)) {
    unsigned from = step.buffers[packed.input];
    auto [it, inserted] = packedBuffers.try_emplace(
        {from, std::vector<unsigned>(packed.order.begin(), packed.order.end())},
        0);
    if (inserted) {
      Value weights = call.getInputs()[packed.input];
      it->second = addBuffer(BufferKind::Prepared, 0, weights.getType());
      Step pack;
      pack.name = "pack " + step.name;
      pack.buffers = {from, it->second};
      useKernel(call.getLoc(),
                planTranspose(shapes[packed.input],
                              getElementTypeOrSelf(weights.getType()),
                              packed.order),
                pack);
      prepareSteps.push_back(std::move(pack));
    }
    step.buffers[packed.input] = it->second;
  }
}

void ProgramLowering::useKernel(Location loc, kernel::StagePlan plan,
                                Step &step) {
  // Layers of one model repeat their kernels: equal plans share one function.
  auto [it, inserted] = kernels.try_emplace(plan.describe(), Kernel{});
  Kernel &kernel = it->second;
  if (inserted) {
    kernel.name = "k" + std::to_string(kernels.size() - 1);
    kernel.built = buildKernel(*program.kernels, loc, kernel.name,
                               std::move(plan), program.symbols, options);
    program.scratchBytes =
        SymInt::max(program.scratchBytes, kernel.built.scratchBytes);
  }
  step.kernel = kernel.name;
  step.extent = kernel.built.extent;
  step.grain = kernel.built.grain;
}

LogicalResult ProgramLowering::buildLibraryCall(kernel::CallOp call,
                                                Step &step) {
  auto &registry = backend::BackendRegistry::get(call.getContext());
  const backend::Backend *library = registry.lookup(call.getBackend());
  if (!library)
    return call.emitOpError()
           << "is placed on the backend '" << call.getBackend()
           << "', but there are only " << registry.getNames();
  FailureOr<backend::LibraryCall> built = library->describe(call);
  if (failed(built))
    return failure();
  if (built->plugin)
    return buildPluginCall(call, std::move(*built), step);
  step.kind = StepKind::Library;
  step.site = std::move(built->site);
  SmallVector<unsigned> buffers;
  for (unsigned input : built->inputs)
    buffers.push_back(step.buffers[input]);
  buffers.push_back(step.buffers.back());
  step.buffers = std::move(buffers);
  step.site.constantWeight =
      hasWeight(step.site.kind) &&
      prepared.contains(call.getInputs()[built->inputs[1]]);
  return success();
}

LogicalResult ProgramLowering::buildPluginCall(kernel::CallOp call,
                                               backend::LibraryCall built,
                                               Step &step) {
  step.kind = StepKind::Plugin;
  step.plugin = std::move(*built.plugin);
  SmallVector<unsigned> buffers;
  for (auto [number, input] : llvm::enumerate(built.inputs)) {
    buffers.push_back(step.buffers[input]);
    step.plugin.operands[number].isConstant =
        prepared.contains(call.getInputs()[input]);
  }
  for (unsigned output : built.outputs)
    buffers.push_back(step.buffers[call.getNumOperands() + output]);
  step.buffers = std::move(buffers);
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
  LogicalResult built = call.getBackend() == kernel::kCpuBackend
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
  for (Value value : terminator->getOperands())
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
