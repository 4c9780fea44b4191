//===- GpuContractionCase.cpp - runs contractions in the emulator ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuContractionCase.h"
#include "../../../lib/Lower/AffineOffsets.h"
#include "GpuContractionReference.h"

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <random>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

LowerOptions GpuContractionCase::forGpu() {
  LowerOptions options;
  options.device = Device::Cuda;
  return options;
}
LowerOptions GpuContractionCase::withTf32() {
  LowerOptions options = forGpu();
  options.numerics.precision = Precision::TF32;
  return options;
}
LowerOptions GpuContractionCase::strictly() {
  LowerOptions options = forGpu();
  options.numerics.fp = FpMode::Strict;
  return options;
}

GpuContractionCase::GpuContractionCase(const std::string &signature,
                                       const std::string &body,
                                       LowerOptions options)
    : context(std::make_unique<MLIRContext>()), options(options) {
  context->loadDialect<arith::ArithDialect, func::FuncDialect, GraphDialect,
                       gpu::GPUDialect, LLVM::LLVMDialect, math::MathDialect,
                       NVVM::NVVMDialect, nvgpu::NVGPUDialect, scf::SCFDialect,
                       vector::VectorDialect>();
  std::string text = "func.func @f" + signature + " {\n" + body + "\n}";
  source = parseSourceString<ModuleOp>(text, context.get());
  EXPECT_TRUE(source) << text;
  if (!source)
    return;
  auto function = *source->getOps<func::FuncOp>().begin();
  Block &block = function.getBody().front();
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  SmallVector<Value> arguments(block.getArguments());
  SmallVector<Value> results(block.getTerminator()->getOperands());
  FailureOr<kernel::LoopPlan> planned =
      kernel::planLoops(ops, arguments, results);
  EXPECT_TRUE(succeeded(planned)) << text;
  if (failed(planned))
    return;
  plan = *planned;
  for (Value argument : arguments) {
    inputTypes.push_back(getElementTypeOrSelf(argument.getType()));
    for (const SymInt &size : getShape(argument))
      size.visitSymbols([&](StringRef symbol) {
        if (!llvm::is_contained(symbols, symbol))
          symbols.push_back(symbol.str());
      });
  }
  plan.numRowDims = plan.loops.front().shape.size();
  linearizeLoads(plan);
  mergeDimensions(plan);
  mergeChain(plan);
  contraction = matchContraction(plan, options);
  if (!contraction)
    return;
  OpBuilder builder(context.get());
  Location loc = builder.getUnknownLoc();
  kernels = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(kernels->getBody());
  auto gpuModule = gpu::GPUModuleOp::create(builder, loc, "kernels");
  kernel = buildContraction({gpuModule, loc, "kernel", symbols, this->options},
                            plan, *contraction);
  EXPECT_TRUE(succeeded(verify(*kernels)));
}

gpu::GPUFuncOp GpuContractionCase::getKernel() {
  gpu::GPUFuncOp found;
  kernels->walk([&](gpu::GPUFuncOp function) { found = function; });
  return found;
}

static const llvm::fltSemantics &semanticsOf(Type type) {
  return cast<FloatType>(type).getFloatSemantics();
}

static double roundTo(double value, Type type) {
  bool inexact;
  llvm::APFloat number(value);
  number.convert(semanticsOf(type), llvm::APFloat::rmNearestTiesToEven,
                 &inexact);
  return number.convertToDouble();
}

static std::vector<uint8_t> toBytes(ArrayRef<double> values, Type type) {
  unsigned width = byteWidth(type);
  std::vector<uint8_t> bytes(values.size() * width);
  for (auto [number, value] : llvm::enumerate(values)) {
    bool inexact;
    llvm::APFloat element(value);
    element.convert(semanticsOf(type), llvm::APFloat::rmNearestTiesToEven,
                    &inexact);
    uint64_t bits = element.bitcastToAPInt().getZExtValue();
    std::memcpy(&bytes[number * width], &bits, width);
  }
  return bytes;
}

static double fromBytes(const uint8_t *bytes, Type type) {
  if (type.isInteger(1))
    return *bytes;
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, byteWidth(type));
  return llvm::APFloat(semanticsOf(type),
                       llvm::APInt(type.getIntOrFloatBitWidth(), bits))
      .convertToDouble();
}

static int64_t valueOf(const SymInt &size,
                       const std::map<std::string, int64_t> &sizes) {
  return *size.evaluate([&](StringRef name) -> std::optional<int64_t> {
    return sizes.at(name.str());
  });
}

void GpuContractionCase::fill(const Sizes &sizes, bool isExact) {
  std::mt19937 random(17);
  inputs.clear();
  outputs.clear();
  auto allocate = [&](StringRef name, Type type, ArrayRef<SymInt> shape,
                      bool isOutput) {
    Buffer buffer{type, 1, {}, {}};
    for (const SymInt &size : shape)
      buffer.count *= valueOf(size, sizes);
    emulate::AllocationOptions how;
    how.initialized = how.readOnly = !isOutput;
    how.alignment = kWidestAccess;
    if (!isOutput) {
      for (int64_t i = 0; i < buffer.count; ++i)
        buffer.values.push_back(
            isExact
                ? static_cast<double>(static_cast<int>(random() % 9) - 4) / 4
                : roundTo(random() / 2147483648.0 - 1, type));
      buffer.pointer = memory.allocate(name, toBytes(buffer.values, type), how);
    } else {
      buffer.pointer =
          memory.allocate(name, buffer.count * byteWidth(type), how);
    }
    (isOutput ? outputs : inputs).push_back(std::move(buffer));
  };
  for (auto [number, shape] : llvm::enumerate(plan.inputShapes))
    allocate("input" + std::to_string(number), inputTypes[number], shape,
             false);
  int numOutputs = 0;
  for (const KernelLoop &loop : plan.loops)
    numOutputs = std::max(numOutputs, loop.output + 1);
  for (int number = 0; number < numOutputs; ++number)
    for (const KernelLoop &loop : plan.loops)
      if (loop.output == number)
        allocate("output" + std::to_string(number), loop.elementType,
                 loop.shape, true);
}

std::string GpuContractionCase::launchFilled(const Sizes &sizes) {
  llvm::Expected<emulate::Kernel> compiled =
      emulate::Kernel::compile(getKernel());
  if (!compiled)
    return toString(compiled.takeError());
  SmallVector<emulate::Argument> arguments;
  for (const auto *buffers : {&inputs, &outputs})
    for (const Buffer &buffer : *buffers)
      arguments.push_back(buffer.pointer);
  arguments.push_back(emulate::Pointer());
  for (const std::string &symbol : symbols)
    arguments.push_back(sizes.at(symbol));
  emulate::LaunchConfig config;
  config.grid[0] = static_cast<uint32_t>(valueOf(kernel.blocks, sizes));
  config.block[0] = static_cast<uint32_t>(kernel.blockThreads);
  config.dynamicSharedBytes = kernel.sharedBytes;
  if (llvm::Error error = emulate::launch(*compiled, config, arguments, memory))
    return toString(std::move(error));
  return "";
}

static constexpr int64_t kMostCompared = 20000;

void GpuContractionCase::compare(const Sizes &sizes, double tolerance) {
  auto size = [&](const SymInt &value) { return valueOf(value, sizes); };
  std::vector<double> values(plan.loops.size());
  bool takesMagnitudes = false;
  Evaluator evaluator(
      [&](const Expr &load, Evaluator &at) {
        if (load->operand >= plan.numInputs)
          return values[load->operand - plan.numInputs];
        double value =
            inputs[load->operand].values.at(at.index(load->operands[0]));
        return takesMagnitudes ? std::abs(value) : value;
      },
      size);
  SmallVector<int64_t> shape;
  int64_t count = 1;
  for (const SymInt &extent : plan.loops.front().shape) {
    shape.push_back(size(extent));
    count *= shape.back();
  }
  for (const Buffer &output : outputs)
    EXPECT_FALSE(memory.findUninitialized(output.pointer).has_value());
  int failures = 0;
  int64_t step = count / kMostCompared + 1;
  for (int64_t position = 0; position < count && failures < 5;
       position += step) {
    int64_t rest = position;
    for (size_t axis = shape.size(); axis-- > 0;) {
      evaluator.vars[axis] = rest % shape[axis];
      rest /= shape[axis];
    }
    double magnitude = 1;
    if (tolerance > 0) {
      takesMagnitudes = true;
      magnitude = std::abs(evaluator.element(plan.loops.front().body));
      takesMagnitudes = false;
    }
    for (auto [number, loop] : llvm::enumerate(plan.loops)) {
      values[number] = evaluator.element(loop.body);
      if (loop.output < 0)
        continue;
      const Buffer &output = outputs[loop.output];
      double found = fromBytes(memory.getBytes(output.pointer).data() +
                                   position * byteWidth(output.type),
                               output.type);
      double rounding = output.type.isF32()   ? 1e-6
                        : output.type.isF16() ? 1.0 / 1024
                                              : 1.0 / 128;
      double allowed =
          rounding * (1 + std::abs(values[number])) + tolerance * magnitude;
      if (!(std::abs(found - values[number]) <= allowed)) {
        ADD_FAILURE() << "output " << loop.output << " at " << position
                      << ": expected " << values[number] << ", but got "
                      << found;
        ++failures;
      }
    }
  }
}

std::string GpuContractionCase::launch(const Sizes &sizes) {
  fill(sizes, true);
  return launchFilled(sizes);
}

void GpuContractionCase::run(const Sizes &sizes) {
  ASSERT_TRUE(matches());
  fill(sizes, true);
  ASSERT_EQ(launchFilled(sizes), "");
  compare(sizes, 0);
}

void GpuContractionCase::runAny(double tolerance, const Sizes &sizes) {
  ASSERT_TRUE(matches());
  fill(sizes, false);
  ASSERT_EQ(launchFilled(sizes), "");
  compare(sizes, tolerance);
}
