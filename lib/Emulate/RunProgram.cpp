//===- RunProgram.cpp - runs a program for GPUs on the CPU ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Emulate/RunProgram.h"
#include "tenon/Artifact/IndexCheck.h"
#include "tenon/Artifact/TensorData.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Emulate/Emulator.h"
#include "tenon/Interpret/TensorConversion.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::interpret;
using artifact::TensorData;
using emulate::RunOptions;
using emulate::RunStatistics;

namespace {
/// A run of an entry, after its load.
class ProgramRun {
public:
  ProgramRun(func::FuncOp function, program::EntryOp entry, States &states,
             const RunOptions &options, RunStatistics &statistics)
      : function(function), target(entry->getParentOfType<program::TargetOp>()),
        entry(entry), states(states), options(options), statistics(statistics) {
  }

  FailureOr<SmallVector<Tensor>> run(ArrayRef<Tensor> inputs);

private:
  int64_t evaluate(const graph::SymInt &size) const;
  /// Gives memory with known contents to a buffer.
  LogicalResult fill(Value buffer, StringRef name, FailureOr<Tensor> tensor);
  LogicalResult declareShared();
  LogicalResult declareOwn(Block &block, ArrayRef<Tensor> inputs);
  LogicalResult allocate(Value buffer);
  LogicalResult runSteps(Block &steps);
  LogicalResult launch(program::LaunchOp step);
  LogicalResult callLibrary(program::CallOp step);
  LogicalResult copy(program::CopyOp step);
  LogicalResult runStep(Operation *step);
  LogicalResult examine(program::CheckOp check);
  FailureOr<Tensor> read(Value buffer, const Twine &name);

  func::FuncOp function;
  program::TargetOp target;
  program::EntryOp entry;
  States &states;
  const RunOptions &options;
  RunStatistics &statistics;
  Symbols symbols;
  emulate::Memory memory;
  llvm::DenseMap<Value, emulate::Pointer> pointers; // of what is alive
  llvm::StringMap<emulate::Kernel> kernels;
};
} // namespace

int64_t ProgramRun::evaluate(const graph::SymInt &size) const {
  std::optional<int64_t> value =
      size.evaluate([&](StringRef name) -> std::optional<int64_t> {
        auto it = symbols.find(name);
        return it == symbols.end() ? std::nullopt
                                   : std::optional<int64_t>(it->second);
      });
  assert(value && "a size of the program follows from its inputs");
  return *value;
}

LogicalResult ProgramRun::fill(Value buffer, StringRef name,
                               FailureOr<Tensor> tensor) {
  if (failed(tensor))
    return failure();
  emulate::AllocationOptions readOnly;
  readOnly.readOnly = true;
  TensorData data = toData(*tensor, Domain());
  pointers[buffer] = memory.allocate(name.str(), data.bytes, readOnly);
  return success();
}

LogicalResult ProgramRun::allocate(Value buffer) {
  int64_t bytes = evaluate(program::countBytes(program::getTensorType(buffer)));
  if (bytes < 0 || bytes > int64_t(1) << 36)
    return function.emitError()
           << "a buffer of " << bytes << " bytes is too large to emulate";
  emulate::AllocationOptions fresh;
  fresh.initialized = false;
  pointers[buffer] = memory.allocate("a buffer", bytes, fresh);
  return success();
}

static FailureOr<Tensor> evaluateConstant(ElementsAttr value, Location loc) {
  OpBuilder builder(value.getContext());
  OwningOpRef<graph::ConstantOp> op =
      graph::ConstantOp::create(builder, loc, value.getType(), value);
  FailureOr<SmallVector<Tensor>> results =
      interpret::evaluateOp(op->getOperation(), {}, Symbols(), Options());
  if (failed(results))
    return failure();
  return results->front();
}

LogicalResult ProgramRun::declareShared() {
  for (Operation &op : target.getBody().front()) {
    LogicalResult result = success();
    if (auto param = dyn_cast<program::ParameterOp>(op)) {
      if (!options.parameters)
        return function.emitError() << "parameter '" << param.getName()
                                    << "' has no value (--params)";
      result = fill(param, param.getName(),
                    options.parameters(function, param.getName(),
                                       cast<RankedTensorType>(param.getType()),
                                       Domain()));
    } else if (auto constant = dyn_cast<program::ConstantOp>(op)) {
      result = fill(constant, "a constant",
                    evaluateConstant(constant.getValue(), function.getLoc()));
    } else if (auto state = dyn_cast<program::StateOp>(op)) {
      auto value = states.find(state.getName());
      if (value == states.end())
        return function.emitError()
               << "state '" << state.getName() << "' has no value";
      TensorData data = toData(value->second, Domain());
      pointers[state] = memory.allocate(state.getName().str(), data.bytes);
    } else if (isa<program::PreparedOp>(op)) {
      result = allocate(op.getResult(0));
    }
    if (failed(result))
      return failure();
  }
  return success();
}

LogicalResult ProgramRun::declareOwn(Block &block, ArrayRef<Tensor> inputs) {
  for (Operation &op : block) {
    LogicalResult result = success();
    if (auto input = dyn_cast<program::InputOp>(op)) {
      result = fill(input, input.getName(), inputs.front());
      inputs = inputs.drop_front();
    } else if (isa<program::OutputOp, program::FindingsOp>(op)) {
      result = allocate(op.getResult(0));
    }
    if (failed(result))
      return failure();
  }
  return success();
}

LogicalResult ProgramRun::launch(program::LaunchOp step) {
  auto kernelOp = cast<gpu::GPUFuncOp>(
      SymbolTable::lookupSymbolIn(target, step.getKernel()));
  auto fail = [&](llvm::Error error) {
    return emitError(kernelOp.getLoc())
           << "in '" << step.getName()
           << "': " << llvm::toString(std::move(error));
  };
  auto it = kernels.find(kernelOp.getName());
  if (it == kernels.end()) {
    llvm::Expected<emulate::Kernel> compiled =
        emulate::Kernel::compile(kernelOp);
    if (!compiled)
      return fail(compiled.takeError());
    it = kernels.try_emplace(kernelOp.getName(), std::move(*compiled)).first;
    ++statistics.kernels;
  }
  int64_t blocks = evaluate(step.getExtent().getEntry(0));
  if (blocks == 0)
    return success();
  emulate::LaunchConfig config;
  config.grid[0] = static_cast<uint32_t>(blocks);
  config.block[0] = static_cast<uint32_t>(*step.getBlock());
  config.dynamicSharedBytes = step.getShared().value_or(0);
  config.instructionBudget = options.instructionBudget;
  SmallVector<emulate::Argument> arguments;
  for (Value buffer : step.getBuffers())
    arguments.push_back(pointers.lookup(buffer));
  arguments.push_back(emulate::Pointer()); // no kernel has a workspace
  for (StringRef symbol : entry.getSymbols().getAsValueRange<StringAttr>())
    arguments.push_back(symbols.lookup(symbol));
  emulate::LaunchStatistics launched;
  if (llvm::Error error =
          emulate::launch(it->second, config, arguments, memory, &launched))
    return fail(std::move(error));
  ++statistics.launches;
  statistics.instructions += launched.instructions;
  return success();
}

/// In place of the library, which is not here: what it computes, by the
/// interpreter.
LogicalResult ProgramRun::callLibrary(program::CallOp step) {
  if (!step.getReference())
    return function.emitError() << "'" << step.getName()
                                << "' does not say what the library computes";
  auto reference = cast<func::FuncOp>(
      SymbolTable::lookupSymbolIn(target, *step.getReference()));
  auto shapeOf = [&](RankedTensorType type) {
    SmallVector<int64_t> shape;
    for (const graph::SymInt &size : graph::getShape(type))
      shape.push_back(evaluate(size));
    return shape;
  };
  SmallVector<Tensor> operands;
  for (auto [number, type] : llvm::enumerate(reference.getArgumentTypes())) {
    emulate::Pointer from = pointers.lookup(step.getBuffers()[number]);
    if (memory.findUninitialized(from))
      return emitError(reference.getLoc())
             << "'" << step.getName() << "' reads uninitialized memory";
    auto tensor = cast<RankedTensorType>(type);
    Type element = tensor.getElementType();
    FailureOr<Tensor> operand =
        fromBytes(memory.getBytes(from).data(), getDType(element), element,
                  shapeOf(tensor), Domain());
    if (failed(operand))
      return emitError(reference.getLoc())
             << "'" << step.getName() << "': an operand can't be read";
    operands.push_back(std::move(*operand));
  }
  Symbols bound = symbols;
  FailureOr<SmallVector<Tensor>> results = interpret::evaluateBlock(
      reference.getBody().front(), operands, bound, Options());
  if (failed(results))
    return failure();
  ++statistics.libraryCalls;
  memory.write(pointers.lookup(step.getBuffers().back()),
               toData(results->front(), Domain()).bytes);
  return success();
}

/// Copies a buffer. Fails if any of its bytes is uninitialized, because the
/// write below would mark it as initialized.
LogicalResult ProgramRun::copy(program::CopyOp step) {
  emulate::Pointer from = pointers.lookup(step.getFrom());
  if (memory.findUninitialized(from))
    return function.emitError()
           << "'" << step.getName() << "' copies uninitialized memory";
  memory.write(pointers.lookup(step.getTo()), memory.getBytes(from));
  return success();
}

LogicalResult ProgramRun::runStep(Operation *step) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(step)
      .Case([&](program::CallOp call) { return callLibrary(call); })
      .Case([&](program::LaunchOp op) { return launch(op); })
      .Case([&](program::CopyOp op) { return copy(op); })
      .Case([&](program::CheckOp check) { return examine(check); })
      .Default([&](Operation *op) {
        return function.emitError()
               << "'" << op->getName() << "' can't be emulated";
      });
}

/// The block's buffers of the arena live between their first and last step.
LogicalResult ProgramRun::runSteps(Block &steps) {
  llvm::DenseMap<Value, Operation *> lastUse;
  for (Operation &step : steps)
    for (Value buffer : step.getOperands())
      lastUse[buffer] = &step;
  for (Operation &step : steps) {
    if (isa<program::ArenaOp>(step))
      continue;
    for (Value buffer : step.getOperands())
      if (!pointers.contains(buffer) && failed(allocate(buffer)))
        return failure();
    if (failed(runStep(&step)))
      return failure();
    for (Value buffer : step.getOperands())
      if (buffer.getDefiningOp<program::ArenaOp>() &&
          lastUse[buffer] == &step && pointers.contains(buffer)) {
        memory.release(pointers.lookup(buffer));
        pointers.erase(buffer);
      }
  }
  return success();
}

LogicalResult ProgramRun::examine(program::CheckOp check) {
  std::vector<int64_t> words(static_cast<size_t>(2 * check.getParts()));
  std::memcpy(words.data(),
              memory.getBytes(pointers.lookup(check.getFindings())).data(),
              words.size() * sizeof(int64_t));
  std::optional<artifact::WrongIndex> wrong =
      artifact::findWrongIndex(words.data(), check.getParts());
  if (!wrong)
    return success();
  artifact::IndexLimits limits;
  for (const graph::SymInt &size : check.getShape().getEntries())
    limits.shape.push_back(evaluate(size));
  for (auto range : check.getRanges().getAsRange<program::RangeAttr>())
    limits.bounds.push_back({range.getAxis(),
                             evaluate(range.getBounds().getEntry(0)),
                             evaluate(range.getBounds().getEntry(1))});
  if (std::optional<uint64_t> ignored = check.getIgnored())
    limits.ignored = static_cast<int64_t>(*ignored);
  InFlightDiagnostic error = emitError(function.getLoc())
                             << check.getReader() << ": "
                             << artifact::describe(limits, *wrong);
  if (std::optional<StringRef> input = check.getInput())
    error << " of input '" << *input << "'";
  return error;
}

FailureOr<Tensor> ProgramRun::read(Value buffer, const Twine &name) {
  emulate::Pointer pointer = pointers.lookup(buffer);
  if (std::optional<uint64_t> byte = memory.findUninitialized(pointer))
    return function.emitError()
           << "nothing wrote byte " << *byte << " of " << name;
  RankedTensorType type = program::getTensorType(buffer);
  SmallVector<int64_t> shape;
  for (const graph::SymInt &size : graph::getShape(type))
    shape.push_back(evaluate(size));
  Type element = type.getElementType();
  return fromBytes(memory.getBytes(pointer).data(), getDType(element), element,
                   shape, Domain());
}

FailureOr<SmallVector<Tensor>> ProgramRun::run(ArrayRef<Tensor> inputs) {
  SmallVector<std::string> names;
  SmallVector<Type> types;
  for (auto input : entry.getBody().getOps<program::InputOp>()) {
    names.push_back("input '" + input.getName().str() + "'");
    types.push_back(program::getTensorType(input));
  }
  std::string error;
  if (failed(bindSymbols(types, inputs, names, symbols, error)))
    return function.emitError() << error;
  if (failed(declareShared()) ||
      failed(declareOwn(entry.getBody().front(), inputs)))
    return failure();
  for (auto prepare : target.getBody().getOps<program::PrepareOp>())
    if (failed(runSteps(prepare.getBody().front())))
      return failure();
  if (failed(runSteps(entry.getRun().getBody().front())))
    return failure();
  SmallVector<Tensor> outputs;
  for (auto declared : entry.getBody().getOps<program::OutputOp>()) {
    FailureOr<Tensor> output =
        read(declared, "output '" + declared.getName() + "'");
    if (failed(output))
      return failure();
    outputs.push_back(*output);
  }
  // A failed run must not change any state.
  States changed;
  for (auto state : target.getBody().getOps<program::StateOp>()) {
    FailureOr<Tensor> value = read(state, "state '" + state.getName() + "'");
    if (failed(value))
      return failure();
    changed[state.getName()] = *value;
  }
  for (auto &state : changed)
    states[state.first()] = state.second;
  return outputs;
}

FailureOr<SmallVector<Tensor>>
emulate::runProgram(func::FuncOp function, program::TargetOp target,
                    ArrayRef<Tensor> inputs, States &states,
                    const RunOptions &options, RunStatistics *statistics) {
  RunStatistics unused;
  auto entries = target.getBody().getOps<program::EntryOp>();
  auto entry = llvm::find_if(entries, [&](program::EntryOp entry) {
    return entry.getSymName() == function.getName();
  });
  return ProgramRun(function, *entry, states, options,
                    statistics ? *statistics : unused)
      .run(inputs);
}
