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
#include "tenon/Dialect/Kernel/IR/Targets.h"
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

static program::TargetOp getTarget(ModuleOp program) {
  return *program.getOps<program::TargetOp>().begin();
}

static program::EntryOp getEntry(ModuleOp program) {
  return program::getEntries(program).front();
}

/// The name of what a launch runs.
static StringRef getKernelName(program::LaunchOp launch) {
  return launch.getKernel().getLeafReference();
}

/// Uses the model's kernel instead of all steps.
bool Program::replaceSteps() {
  OwningOpRef<ModuleOp> own =
      parseSourceString<ModuleOp>(model.kernels, module->getContext());
  if (!own)
    return false;
  kernels.getBody()->clear();
  kernels.getBody()->getOperations().splice(kernels.getBody()->end(),
                                            own->getBody()->getOperations());
  program::EntryOp entry = getEntry(*program);
  SmallVector<Value> buffers;
  for (auto input : entry.getBody().getOps<program::InputOp>())
    buffers.push_back(input);
  for (auto output : entry.getBody().getOps<program::OutputOp>())
    buffers.push_back(output);
  SymbolRefAttr kernel;
  kernels.walk([&](gpu::GPUFuncOp function) {
    Operation *parent = function->getParentOp();
    kernel = SymbolRefAttr::get(
        StringAttr::get(module->getContext(), "kernels"),
        {FlatSymbolRefAttr::get(SymbolTable::getSymbolName(parent)),
         FlatSymbolRefAttr::get(function.getNameAttr())});
  });
  Block &steps = entry.getRun().getBody().front();
  while (!steps.empty())
    steps.back().erase();
  OpBuilder builder = OpBuilder::atBlockEnd(&steps);
  auto launch = program::LaunchOp::create(
      builder, entry.getLoc(), "k0", kernel, buffers,
      graph::DimsAttr::get(module->getContext(),
                           ArrayRef<graph::SymInt>(model.blocks)),
      /*grain=*/1, IntegerAttr(), IntegerAttr());
  launch.setBlock(model.blockThreads);
  return true;
}

bool Program::compile() {
  kernel::setTarget(*module,
                    kernel::makeTarget(module->getContext(), "cuda:sm_80"));
  PlacePipelineOptions place(kernel::getTarget(*module));
  place.quiet = true;
  place.place.plan = "all:cuda"; // no libraries
  PassManager passes(module.get()->getName());
  buildPreparePipeline(passes, place);
  buildGivePipeline(passes, place);
  if (failed(passes.run(*module)))
    return false;
  lower::LowerOptions options;
  options.device = Device::Cuda;
  if (model.tf32)
    options.numerics.precision = Precision::TF32;
  FailureOr<OwningOpRef<ModuleOp>> lowered =
      lower::lowerProgram(*module, options);
  if (failed(lowered))
    return false;
  program = std::move(*lowered);
  kernels = getTarget(*program).lookupSymbol<ModuleOp>("kernels");
  // Facts that the launch knows are also used to prove that mutants are
  // equivalent.
  program->walk([&](program::LaunchOp launch) {
    if (std::optional<int64_t> blocks =
            launch.getExtent().getEntry(0).getConstant())
      kernels.walk([&](gpu::GPUFuncOp function) {
        if (function.getName() == getKernelName(launch))
          function.setKnownGridSize(
              ArrayRef<int32_t>{static_cast<int32_t>(*blocks), 1, 1});
      });
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
    kernels = nullptr;
    ADD_FAILURE() << model.name << ": " << diagnostics;
  }
}

//===----------------------------------------------------------------------===//
// One run
//===----------------------------------------------------------------------===//

/// Like ProgramRun of RunProgram.cpp, without features that the models do
/// not use.
class Program::Run {
public:
  Run(Program &own, ModuleOp kernels, size_t number)
      : target(getTarget(*own.program)), entry(getEntry(*own.program)),
        kernels(kernels), reference(own.references[number]),
        sizes(*reference.sizes), bound(own.model.tf32 ? kTf32Bound : 1) {}

  Outcome run();

private:
  void allocate(Block &block);
  bool launch(program::LaunchOp step);
  bool compare(const Tensor &expected, emulate::Pointer pointer);
  bool end(Outcome::Kind kind, const Twine &text) {
    outcome.kind = kind;
    outcome.text = text.str();
    return false;
  }

  program::TargetOp target;
  program::EntryOp entry;
  ModuleOp kernels;
  const Reference &reference;
  const Sizes &sizes;
  const double bound;
  emulate::Memory memory;
  llvm::DenseMap<Value, emulate::Pointer> pointers;
  Outcome outcome;
};

/// Gives memory to the buffers that a block declares.
void Program::Run::allocate(Block &block) {
  size_t numInputs = 0;
  for (Operation &op : block) {
    if (op.getNumResults() != 1)
      continue;
    Value buffer = op.getResult(0);
    emulate::AllocationOptions options;
    if (auto input = dyn_cast<program::InputOp>(op)) {
      options.readOnly = true;
      artifact::TensorData data =
          interpret::toData(reference.inputs[numInputs++], Domain());
      pointers[buffer] = memory.allocate(
          "input '" + input.getName().str() + "'", data.bytes, options);
    } else {
      options.initialized = false;
      graph::SymInt bytes = program::countBytes(program::getTensorType(buffer));
      pointers[buffer] =
          memory.allocate("buffer " + std::to_string(pointers.size()),
                          evaluateSize(bytes, sizes), options);
    }
  }
}

bool Program::Run::launch(program::LaunchOp step) {
  gpu::GPUFuncOp function;
  kernels.walk([&](gpu::GPUFuncOp op) {
    if (op.getName() == getKernelName(step))
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
  config.grid[0] =
      static_cast<uint32_t>(evaluateSize(step.getExtent().getEntry(0), sizes));
  config.block[0] = static_cast<uint32_t>(*step.getBlock());
  config.dynamicSharedBytes = step.getShared().value_or(0);
  config.instructionBudget = uint64_t(1) << 30;
  SmallVector<emulate::Argument> arguments;
  for (Value buffer : step.getBuffers())
    arguments.push_back(pointers.lookup(buffer));
  arguments.push_back(emulate::Pointer());
  for (StringRef symbol : entry.getSymbols().getAsValueRange<StringAttr>())
    arguments.push_back(sizes.at(symbol.str()));
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
  allocate(target.getBody().front());
  allocate(entry.getBody().front());
  for (Operation &step : entry.getRun().getBody().front()) {
    if (auto copy = dyn_cast<program::CopyOp>(step))
      memory.write(pointers.lookup(copy.getTo()),
                   memory.getBytes(pointers.lookup(copy.getFrom())));
    else if (!launch(cast<program::LaunchOp>(step)))
      return outcome;
  }
  auto outputs = entry.getBody().getOps<program::OutputOp>();
  for (auto [output, expected] : llvm::zip_equal(outputs, reference.outputs)) {
    emulate::Pointer pointer = pointers.lookup(output.getBuffer());
    if (memory.findUninitialized(pointer)) {
      end(Outcome::Incomplete, "an element that nothing wrote");
      return outcome;
    }
    if (!compare(expected, pointer))
      return outcome;
  }
  return outcome;
}

Outcome Program::run(ModuleOp kernels, size_t number) {
  return Run(*this, kernels, number).run();
}
