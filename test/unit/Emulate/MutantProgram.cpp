//===- MutantProgram.cpp - compiled kernels that are changed and run ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutantProgram.h"

#include "tenon/Artifact/TensorData.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Driver/Pipelines.h"
#include "tenon/Interpret/TensorConversion.h"
#include "tenon/Lower/Lower.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace tenon;
using namespace mutant;
using interpret::Domain;
using interpret::Tensor;
using lower::BufferKind;

/// How many times the bounds of f32 those of tf32 are. The inputs have no
/// digits that it has not; so what is rounded to 10 bits of mantissa is at most
/// what attention multiplies values with, and f32's bound is several times
/// 2^-24 of these.
static constexpr double kTf32Bound = 1024;

std::string Outcome::describe() const {
  switch (kind) {
  case Right:
    return "NOT CAUGHT";
  case Error:
    return emulate::getName(error).str();
  case Wrong:
    return "wrong numbers";
  case Incomplete:
    return "incomplete result";
  case Broken:
    return "BROKEN: " + text;
  }
  llvm_unreachable("not a kind of outcome");
}

static int64_t evaluateSize(const graph::SymInt &size, const Sizes &sizes) {
  return *size.evaluate([&](StringRef name) -> std::optional<int64_t> {
    return sizes.at(name.str());
  });
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

static double roundTo(FloatType type, double value) {
  llvm::APFloat number(value);
  bool losesInfo;
  number.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return number.convertToDouble();
}

/// In each row one element stands out, in the first
/// row the last one, so that a maximum that misses an element is a wrong one.
static Tensor drawInput(RankedTensorType type, const Sizes &sizes, double scale,
                        const Model &model, std::mt19937 &random) {
  SmallVector<int64_t> shape;
  int64_t count = 1;
  for (const graph::SymInt &size : graph::getShape(type)) {
    shape.push_back(evaluateSize(size, sizes));
    count *= shape.back();
  }
  bool isFloat = isa<FloatType>(type.getElementType());
  int64_t last = shape.empty() ? 1 : shape.back();
  std::vector<double> values;
  for (int64_t i = 0; i < count; ++i) {
    if (!isFloat) {
      values.push_back(static_cast<double>(
          model.low +
          static_cast<int64_t>(
              random() % static_cast<uint64_t>(model.bound - model.low))));
      continue;
    }
    bool standsOut = (i % last + 1 + i / last * 37) % last == 0;
    double value = static_cast<int>(random() % 513) - 256;
    values.push_back(roundTo(cast<FloatType>(type.getElementType()),
                             (value + (standsOut ? 768 : 0)) / 256 * scale));
  }
  return Tensor::of(type.getElementType(), shape, values);
}

bool Program::evaluate(const Sizes &sizes, double scale) {
  auto function = module->lookupSymbol<func::FuncOp>("main");
  std::mt19937 random(references.size() + 1);
  Reference reference;
  reference.sizes = &sizes;
  for (Type type : function.getArgumentTypes())
    reference.inputs.push_back(
        drawInput(cast<RankedTensorType>(type), sizes, scale, model, random));
  interpret::Options options;
  options.trackErrors = true;
  FailureOr<SmallVector<Tensor>> outputs =
      interpret::evaluate(function, reference.inputs, options);
  if (failed(outputs))
    return false;
  reference.outputs = std::move(*outputs);
  references.push_back(std::move(reference));
  return true;
}

/// Uses the model's kernel instead of all steps.
bool Program::replaceSteps() {
  program.kernels =
      parseSourceString<ModuleOp>(model.kernels, module->getContext());
  lower::Step step;
  step.kernel = "k0";
  step.extent = model.blocks;
  step.blockThreads = model.blockThreads;
  for (BufferKind kind : {BufferKind::Input, BufferKind::Output})
    for (auto [number, buffer] : llvm::enumerate(program.buffers))
      if (buffer.kind == kind)
        step.buffers.push_back(number);
  program.steps.assign(1, step);
  return bool(program.kernels);
}

bool Program::compile() {
  PlacePipelineOptions place;
  place.quiet = true;
  place.forGpu = true;
  place.plan = "all:cuda"; // no libraries
  PassManager passes(module.get()->getName());
  buildPlacePipeline(passes, place);
  if (failed(passes.run(*module)))
    return false;
  lower::LowerOptions options;
  options.forGpu = true;
  options.tf32 = model.tf32;
  FailureOr<lower::LoweredProgram> lowered =
      lower::lowerProgram(*module, options);
  if (failed(lowered))
    return false;
  program = std::move(*lowered);
  // What the launch knows, too, is used to prove that mutants are equivalent.
  for (const lower::Step &step : program.steps)
    if (std::optional<int64_t> blocks = step.extent.getConstant())
      program.kernels->walk([&](gpu::GPUFuncOp function) {
        if (function.getName() == step.kernel)
          function.setKnownGridSize(
              ArrayRef<int32_t>{static_cast<int32_t>(*blocks), 1, 1});
      });
  return !model.kernels || replaceSteps();
}

Program::Program(MLIRContext &context, const Model &model) : model(model) {
  std::string diagnostics;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &message) {
    diagnostics += message.str() + "\n";
    return success();
  });
  module = parseSourceString<ModuleOp>(model.text, &context);
  bool works = bool(module);
  for (const Sizes &sizes : llvm::drop_end(model.sizes))
    works = works && evaluate(sizes, model.scales.front());
  for (double scale : model.scales)
    works = works && evaluate(model.sizes.back(), scale);
  works = works && compile();
  if (!works) {
    program.kernels = nullptr;
    ADD_FAILURE() << model.name << ": " << diagnostics;
  }
}

//===----------------------------------------------------------------------===//
// One run
//===----------------------------------------------------------------------===//

/// As ProgramRun of EmulateProgram.cpp, without what the models do not have.
class Program::Run {
public:
  Run(Program &own, ModuleOp kernels, size_t number)
      : program(own.program), kernels(kernels),
        reference(own.references[number]), sizes(*reference.sizes),
        bound(own.model.tf32 ? kTf32Bound : 1) {}

  Outcome run();

private:
  void allocate();
  bool launch(const lower::Step &step);
  bool compare(const Tensor &expected, emulate::Pointer pointer);
  bool end(Outcome::Kind kind, const Twine &text) {
    outcome.kind = kind;
    outcome.text = text.str();
    return false;
  }

  const lower::LoweredProgram &program;
  ModuleOp kernels;
  const Reference &reference;
  const Sizes &sizes;
  const double bound;
  emulate::Memory memory;
  std::vector<emulate::Pointer> pointers;
  Outcome outcome;
};

void Program::Run::allocate() {
  for (const lower::Buffer &buffer : program.buffers) {
    emulate::AllocationOptions options;
    if (buffer.kind == BufferKind::Input) {
      options.readOnly = true;
      artifact::TensorData data =
          interpret::toData(reference.inputs[buffer.index], Domain());
      pointers.push_back(memory.allocate(
          "input " + std::to_string(buffer.index), data.bytes, options));
    } else {
      options.initialized = false;
      pointers.push_back(
          memory.allocate("buffer " + std::to_string(pointers.size()),
                          evaluateSize(buffer.bytes, sizes), options));
    }
  }
}

bool Program::Run::launch(const lower::Step &step) {
  gpu::GPUFuncOp function;
  kernels.walk([&](gpu::GPUFuncOp op) {
    if (op.getName() == step.kernel)
      function = op;
  });
  bool works = true;
  auto fail = [&](llvm::Error error) {
    llvm::handleAllErrors(std::move(error),
                          [&](const emulate::EmulationError &error) {
                            works = end(Outcome::Error, error.getText());
                            outcome.error = error.getKind();
                          });
    // Such a mutant was not run.
    if (!works && (outcome.error == emulate::ErrorKind::Unsupported ||
                   outcome.error == emulate::ErrorKind::BadLaunch))
      outcome.kind = Outcome::Broken;
    return works;
  };
  llvm::Expected<emulate::Kernel> kernel = emulate::Kernel::compile(function);
  if (!kernel)
    return fail(kernel.takeError());
  emulate::LaunchConfig config;
  config.grid[0] = static_cast<uint32_t>(evaluateSize(step.extent, sizes));
  config.block[0] = static_cast<uint32_t>(step.blockThreads);
  config.dynamicSharedBytes = static_cast<uint64_t>(step.sharedBytes);
  config.instructionBudget = uint64_t(1) << 30;
  SmallVector<emulate::Argument> arguments;
  for (unsigned buffer : step.buffers)
    arguments.push_back(pointers[buffer]);
  arguments.push_back(emulate::Pointer());
  for (const std::string &symbol : program.symbols)
    arguments.push_back(sizes.at(symbol));
  return fail(emulate::launch(*kernel, config, arguments, memory));
}

bool Program::Run::compare(const Tensor &expected, emulate::Pointer pointer) {
  Type type = expected.getElementType();
  FailureOr<Tensor> actual = interpret::fromBytes(
      memory.getBytes(pointer).data(), interpret::getDType(type), type,
      expected.getShape(), Domain());
  if (failed(actual))
    return end(Outcome::Broken, "no result");
  for (int64_t i = 0; i < expected.getNumElements(); ++i) {
    if (expected.excluded()[i])
      return end(Outcome::Broken, "a result near a tie");
    double x = actual->data()[i].number, y = expected.data()[i].number;
    bool isRight =
        isa<FloatType>(type)
            ? std::isnan(y) ? std::isnan(x)
                            : std::fabs(x - y) <= expected.errors()[i] * bound
            : actual->data()[i].integer == expected.data()[i].integer;
    if (!isRight)
      return end(Outcome::Wrong, "element " + Twine(i) + ": expected " +
                                     std::to_string(y) + ", but got " +
                                     std::to_string(x));
  }
  return true;
}

Outcome Program::Run::run() {
  allocate();
  for (const lower::Step &step : program.steps) {
    if (step.kind == lower::StepKind::Copy)
      memory.write(pointers[step.buffers[1]],
                   memory.getBytes(pointers[step.buffers[0]]));
    else if (!launch(step))
      return outcome;
  }
  for (auto [number, buffer] : llvm::enumerate(program.buffers)) {
    if (buffer.kind != BufferKind::Output)
      continue;
    if (memory.findUninitialized(pointers[number])) {
      end(Outcome::Incomplete, "an element that nothing wrote");
      return outcome;
    }
    if (!compare(reference.outputs[buffer.index], pointers[number]))
      return outcome;
  }
  return outcome;
}

Outcome Program::run(ModuleOp kernels, size_t number) {
  return Run(*this, kernels, number).run();
}
