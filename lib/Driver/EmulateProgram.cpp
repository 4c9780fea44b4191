//===- EmulateProgram.cpp - runs a program for GPUs on the CPU ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/EmulateProgram.h"
#include "tenon/Artifact/IndexCheck.h"
#include "tenon/Artifact/TensorData.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Driver/GpuImages.h"
#include "tenon/Emulate/Emulator.h"
#include "tenon/Interpret/TensorConversion.h"
#include "tenon/Lower/Lower.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::interpret;
using artifact::TensorData;
using lower::BufferKind;
using lower::LoweredProgram;
using lower::Step;
using lower::StepKind;

namespace {
class ProgramRun {
public:
  ProgramRun(func::FuncOp function, LoweredProgram &program,
             const EmulateOptions &options, EmulateStatistics &statistics)
      : function(function), program(program), options(options),
        statistics(statistics), pointers(program.buffers.size()),
        isAlive(program.buffers.size()) {}

  FailureOr<SmallVector<Tensor>> run(ArrayRef<Tensor> inputs);

private:
  int64_t evaluate(const graph::SymInt &size) const;
  LogicalResult fill(unsigned buffer, ArrayRef<Tensor> inputs);
  LogicalResult beginLives(size_t step);
  void endLives(size_t step);
  LogicalResult launch(const Step &step);
  LogicalResult callLibrary(const Step &step);
  LogicalResult runStep(const Step &step);
  LogicalResult examine(const lower::CheckedIndices &check);
  FailureOr<Tensor> readOutput(unsigned number);

  func::FuncOp function;
  LoweredProgram &program;
  const EmulateOptions &options;
  EmulateStatistics &statistics;
  Symbols symbols;
  emulate::Memory memory;
  SmallVector<emulate::Pointer> pointers;
  SmallVector<bool> isAlive;
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

/// Memory whose contents are known before the first step.
LogicalResult ProgramRun::fill(unsigned number, ArrayRef<Tensor> inputs) {
  const lower::Buffer &buffer = program.buffers[number];
  emulate::AllocationOptions readOnly;
  readOnly.readOnly = true;
  Domain domain;
  FailureOr<Tensor> tensor = failure();
  std::string name;
  switch (buffer.kind) {
  case BufferKind::Input:
    name = program.inputs[buffer.index].name;
    tensor = inputs[buffer.index];
    break;
  case BufferKind::Param: {
    const lower::ModelValue &param = program.params[buffer.index];
    name = param.name;
    if (!options.parameters)
      return function.emitError()
             << "parameter '" << name << "' has no value (--params)";
    tensor = options.parameters(function, name, param.type, domain);
    break;
  }
  case BufferKind::Constant: {
    name = "constant " + std::to_string(number);
    OpBuilder builder(function.getContext());
    OwningOpRef<graph::ConstantOp> op = graph::ConstantOp::create(
        builder, function.getLoc(), buffer.data.getType(), buffer.data);
    Options reference;
    FailureOr<SmallVector<Tensor>> value =
        interpret::evaluateOp(op->getOperation(), {}, symbols, reference);
    if (succeeded(value))
      tensor = value->front();
    break;
  }
  default:
    return success();
  }
  if (failed(tensor))
    return failure();
  TensorData data = toData(*tensor, domain);
  pointers[number] = memory.allocate(name, data.bytes, readOnly);
  isAlive[number] = true;
  return success();
}

LogicalResult ProgramRun::beginLives(size_t step) {
  emulate::AllocationOptions fresh;
  fresh.initialized = false;
  for (auto [number, buffer] : llvm::enumerate(program.buffers)) {
    bool isRunTime = buffer.kind == BufferKind::Arena ||
                     buffer.kind == BufferKind::Prepared ||
                     buffer.kind == BufferKind::Output ||
                     buffer.kind == BufferKind::Check;
    if (!isRunTime || isAlive[number] ||
        (buffer.kind == BufferKind::Arena && buffer.firstStep != step))
      continue;
    int64_t bytes = evaluate(buffer.bytes);
    if (bytes < 0 || bytes > int64_t(1) << 36)
      return function.emitError()
             << "a buffer of " << bytes << " bytes is too large to emulate";
    pointers[number] =
        memory.allocate("buffer " + std::to_string(number), bytes, fresh);
    isAlive[number] = true;
  }
  return success();
}

void ProgramRun::endLives(size_t step) {
  for (auto [number, buffer] : llvm::enumerate(program.buffers))
    if (buffer.kind == BufferKind::Arena && isAlive[number] &&
        buffer.lastStep == step) {
      memory.release(pointers[number]);
      isAlive[number] = false;
    }
}

LogicalResult ProgramRun::launch(const Step &step) {
  auto module = *program.kernels->getOps<gpu::GPUModuleOp>().begin();
  auto kernelOp = module.lookupSymbol<gpu::GPUFuncOp>(step.kernel);
  auto fail = [&](llvm::Error error) {
    return emitError(kernelOp.getLoc())
           << "in '" << step.name << "': " << llvm::toString(std::move(error));
  };
  auto it = kernels.find(step.kernel);
  if (it == kernels.end()) {
    llvm::Expected<emulate::Kernel> compiled =
        emulate::Kernel::compile(kernelOp);
    if (!compiled)
      return fail(compiled.takeError());
    it = kernels.try_emplace(step.kernel, std::move(*compiled)).first;
    ++statistics.kernels;
  }
  int64_t blocks = evaluate(step.extent);
  if (blocks == 0)
    return success();
  emulate::LaunchConfig config;
  config.grid[0] = static_cast<uint32_t>(blocks);
  config.block[0] = static_cast<uint32_t>(step.blockThreads);
  config.dynamicSharedBytes = static_cast<uint64_t>(step.sharedBytes);
  config.instructionBudget = options.instructionBudget;
  SmallVector<emulate::Argument> arguments;
  for (unsigned buffer : step.buffers)
    arguments.push_back(pointers[buffer]);
  arguments.push_back(emulate::Pointer()); // no kernel has a workspace
  for (const std::string &symbol : program.symbols)
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
LogicalResult ProgramRun::callLibrary(const Step &step) {
  auto reference =
      program.references->lookupSymbol<func::FuncOp>(step.reference);
  auto shapeOf = [&](RankedTensorType type) {
    SmallVector<int64_t> shape;
    for (const graph::SymInt &size : graph::getShape(type))
      shape.push_back(evaluate(size));
    return shape;
  };
  SmallVector<Tensor> operands;
  for (auto [number, type] : llvm::enumerate(reference.getArgumentTypes())) {
    emulate::Pointer from = pointers[step.buffers[number]];
    if (memory.findUninitialized(from))
      return emitError(reference.getLoc())
             << "'" << step.name << "' reads uninitialized memory";
    auto tensor = cast<RankedTensorType>(type);
    Type element = tensor.getElementType();
    FailureOr<Tensor> operand =
        fromBytes(memory.getBytes(from).data(), getDType(element), element,
                  shapeOf(tensor), Domain());
    if (failed(operand))
      return emitError(reference.getLoc())
             << "'" << step.name << "': an operand can't be read";
    operands.push_back(std::move(*operand));
  }
  Symbols bound = symbols;
  FailureOr<SmallVector<Tensor>> results = interpret::evaluateBlock(
      reference.getBody().front(), operands, bound, Options());
  if (failed(results))
    return failure();
  ++statistics.libraryCalls;
  memory.write(pointers[step.buffers.back()],
               toData(results->front(), Domain()).bytes);
  return success();
}

LogicalResult ProgramRun::runStep(const Step &step) {
  switch (step.kind) {
  case StepKind::Library:
    return callLibrary(step);
  case StepKind::Kernel:
    return launch(step);
  case StepKind::Copy: {
    // As a copy on the device would, it brings along what nobody wrote.
    emulate::Pointer from = pointers[step.buffers[0]];
    emulate::Pointer to = pointers[step.buffers[1]];
    if (memory.findUninitialized(from))
      return function.emitError()
             << "'" << step.name << "' copies uninitialized memory";
    memory.write(to, memory.getBytes(from));
    return success();
  }
  default:
    return function.emitError()
           << "'" << step.name << "' is a call of a plug-in for CPUs";
  }
}

LogicalResult ProgramRun::examine(const lower::CheckedIndices &check) {
  std::vector<int64_t> words(static_cast<size_t>(2 * check.parts));
  std::memcpy(words.data(), memory.getBytes(pointers[check.buffer]).data(),
              words.size() * sizeof(int64_t));
  std::optional<artifact::WrongIndex> wrong =
      artifact::findWrongIndex(words.data(), check.parts);
  if (!wrong)
    return success();
  artifact::IndexLimits limits;
  for (const graph::SymInt &size : check.shape)
    limits.shape.push_back(evaluate(size));
  for (const graph::IndexRange &range : check.ranges)
    limits.bounds.push_back(
        {range.axis, evaluate(range.low), evaluate(range.end)});
  limits.ignored = check.ignored;
  return emitError(function.getLoc())
         << check.reader << ": " << artifact::describe(limits, *wrong)
         << (check.input.empty() ? "" : " of input '" + check.input + "'");
}

FailureOr<Tensor> ProgramRun::readOutput(unsigned number) {
  for (auto [position, buffer] : llvm::enumerate(program.buffers)) {
    if (buffer.kind != BufferKind::Output || buffer.index != number)
      continue;
    const lower::ModelValue &output = program.outputs[number];
    if (std::optional<uint64_t> byte =
            memory.findUninitialized(pointers[position]))
      return function.emitError() << "nothing wrote byte " << *byte
                                  << " of output '" << output.name << "'";
    SmallVector<int64_t> shape;
    for (const graph::SymInt &size : graph::getShape(output.type))
      shape.push_back(evaluate(size));
    Type element = output.type.getElementType();
    return fromBytes(memory.getBytes(pointers[position]).data(),
                     getDType(element), element, shape, Domain());
  }
  llvm_unreachable("every output has a buffer");
}

FailureOr<SmallVector<Tensor>> ProgramRun::run(ArrayRef<Tensor> inputs) {
  SmallVector<std::string> names;
  for (const lower::ModelValue &input : program.inputs)
    names.push_back("input '" + input.name + "'");
  std::string error;
  if (failed(bindSymbols(function.getArgumentTypes(), inputs, names, symbols,
                         error)))
    return function.emitError() << error;
  for (unsigned number = 0; number < program.buffers.size(); ++number)
    if (failed(fill(number, inputs)))
      return failure();
  for (auto [number, step] : llvm::enumerate(program.steps)) {
    if (failed(beginLives(number)) || failed(runStep(step)))
      return failure();
    for (const lower::CheckedIndices &check : program.checks)
      if (check.step == number && failed(examine(check)))
        return failure();
    endLives(number);
  }
  SmallVector<Tensor> outputs;
  for (unsigned number = 0; number < program.outputs.size(); ++number) {
    FailureOr<Tensor> output = readOutput(number);
    if (failed(output))
      return failure();
    outputs.push_back(*output);
  }
  return outputs;
}

FailureOr<SmallVector<Tensor>>
tenon::emulateProgram(ModuleOp placed, ArrayRef<Tensor> inputs,
                      const EmulateOptions &options,
                      EmulateStatistics *statistics) {
  lower::LowerOptions lowering;
  lowering.forGpu = true;
  lowering.reassociate = options.reassociate;
  lowering.tf32 = options.tf32;
  FailureOr<LoweredProgram> program = lower::lowerProgram(placed, lowering);
  if (failed(program) || (!options.archs.empty() &&
                          failed(assembleKernels(*program, options.archs))))
    return failure();
  EmulateStatistics unused;
  auto function = placed.lookupSymbol<func::FuncOp>("main");
  return ProgramRun(function, *program, options,
                    statistics ? *statistics : unused)
      .run(inputs);
}
