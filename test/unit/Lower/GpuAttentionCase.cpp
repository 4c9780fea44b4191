//===- GpuAttentionCase.cpp - attention in the emulator -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuAttentionCase.h"

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Kernel/IR/Kernel.h"
#include "tenon/Dialect/Kernel/IR/Targets.h"
#include "tenon/Driver/EmulateProgram.h"
#include "tenon/Driver/Pipelines.h"
#include "tenon/Driver/Registration.h"
#include "tenon/Interpret/TensorConversion.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace tenon;
using namespace tenon::interpret;
using namespace tenon::lower;

/// Within the interpreter's bounds, f32 arithmetic whose factors have 10 bits
/// of mantissa.
static constexpr double kTf32Bound = 8192;

static MLIRContext &getContext() {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    registerAllDialects(registry);
    return new MLIRContext(registry, MLIRContext::Threading::DISABLED);
  }();
  return *context;
}

namespace {
/// Sizes of a tensor, with the names that they have.
struct Axes {
  std::vector<std::pair<std::string, int64_t>> sizes;

  void add(const std::string &name, int64_t size) {
    sizes.emplace_back(name, size);
  }
  /// The transposed layout: heads after the sequence.
  Axes interleave() const {
    Axes result = *this;
    std::swap(result.sizes[sizes.size() - 3], result.sizes[sizes.size() - 2]);
    return result;
  }
  std::string getType(const std::string &element, bool symbolic) const {
    std::string shape, names;
    for (const auto &[name, size] : sizes) {
      bool isNamed = symbolic && !name.empty();
      shape += (isNamed ? "?" : std::to_string(size)) + "x";
      names +=
          (names.empty() ? "" : ", ") + (isNamed ? name : std::to_string(size));
    }
    return "tensor<" + shape + element +
           (symbolic ? ", #graph.dims<" + names + ">>" : ">");
  }
};
} // namespace

std::string GpuAttentionCase::getText() const {
  Axes q, k, v, result, m;
  for (auto [number, size] : llvm::enumerate(batch))
    for (Axes *axes : {&q, &k, &v, &result})
      axes->add("b" + std::to_string(number), size);
  for (auto [axes, first, second, third] :
       {std::tuple(&q, heads, std::pair(countsQueries ? "" : "s", queries),
                   depth),
        std::tuple(&k, kvHeads, std::pair("t", keys), depth),
        std::tuple(&v, kvHeads, std::pair("t", keys), valueDepth),
        std::tuple(&result, heads, std::pair(countsQueries ? "" : "s", queries),
                   valueDepth)}) {
    axes->add("", first);
    axes->add(second.first, second.second);
    axes->add("", third);
  }
  std::string arguments, operands, types, transposes, perm;
  for (size_t axis = 0; axis < batch.size(); ++axis)
    perm += std::to_string(axis) + ", ";
  perm += std::to_string(batch.size() + 1) + ", " +
          std::to_string(batch.size()) + ", " +
          std::to_string(batch.size() + 2);
  auto transpose = [&](const std::string &from, const std::string &to) {
    return " = graph.transpose %0 perm = [" + perm + "] : (" + from + ") -> " +
           to + "\n";
  };
  auto addOperand = [&](std::string name, const Axes &axes) {
    std::string type = axes.getType(this->type, symbolic), given = type;
    std::string operand = name;
    if (interleaved && name != "m") {
      given = axes.interleave().getType(this->type, symbolic);
      operand += "t";
      std::string text = transpose(given, type);
      text.replace(text.find("%0"), 2, "%" + name);
      transposes += "  %" + operand + text;
    }
    arguments += (arguments.empty() ? "%" : ", %") + name + ": " + given;
    operands += (operands.empty() ? "%" : ", %") + operand;
    types += (types.empty() ? "" : ", ") + type;
  };
  addOperand("q", q);
  addOperand("k", k);
  addOperand("v", v);
  if (mask) {
    size_t missing = result.sizes.size() - mask->size();
    for (auto [number, size] : llvm::enumerate(*mask)) {
      size_t axis = missing + number;
      std::string name =
          axis + 1 == result.sizes.size() ? "t" : result.sizes[axis].first;
      m.add(size == 1 ? "" : name, size);
    }
    addOperand("m", m);
  }
  std::string to = result.getType(type, symbolic), returned = to;
  std::string last = "  return %0 : " + to;
  if (interleaved) {
    returned = result.interleave().getType(type, symbolic);
    last = "  %1" + transpose(to, returned) + "  return %1 : " + returned;
  }
  return "func.func @main(" + arguments + ") -> " + returned + " {\n" +
         transposes + "  %0 = graph.attention " + operands +
         " scale = " + llvm::formatv("{0:E}", scale).str() +
         (causal ? " causal" : "") + " : (" + types + ") -> " + to + "\n" +
         last + "\n}\n";
}

static Tensor draw(Type element, std::vector<int64_t> shape,
                   const std::function<double(int64_t)> &next) {
  artifact::TensorData data;
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  const llvm::fltSemantics &semantics =
      cast<FloatType>(element).getFloatSemantics();
  unsigned width = element.getIntOrFloatBitWidth() / 8;
  std::vector<uint8_t> bytes(count * width);
  for (int64_t i = 0; i < count; ++i) {
    bool inexact;
    llvm::APFloat number(next(i));
    number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &inexact);
    uint64_t bits = number.bitcastToAPInt().getZExtValue();
    std::memcpy(&bytes[i * width], &bits, width);
  }
  return *fromBytes(bytes.data(), getDType(element), element, shape, Domain());
}

/// Placed for GPUs.
static OwningOpRef<ModuleOp> placeForGpu(ModuleOp module, bool strict) {
  OwningOpRef<ModuleOp> placed = module.clone();
  Numerics numerics;
  if (strict)
    numerics.fp = FpMode::Strict;
  kernel::setTarget(*placed, kernel::makeTarget(placed->getContext(),
                                                "cuda:sm_80", numerics));
  PlacePipelineOptions options(kernel::getTarget(*placed));
  options.quiet = true;
  options.place.plan = "all:cuda";
  PassManager passes(placed.get()->getName());
  buildPreparePipeline(passes, options);
  buildGivePipeline(passes, options);
  EXPECT_TRUE(succeeded(passes.run(*placed)));
  return placed;
}

static bool hasAttention(ModuleOp placed) {
  return placed
      .walk([](graph::AttentionOp op) {
        EXPECT_TRUE(isa<kernel::CallOp>(op->getParentOp()));
        return WalkResult::interrupt();
      })
      .wasInterrupted();
}

bool GpuAttentionCase::isKept() const {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(getText(), &getContext());
  EXPECT_TRUE(module) << getText();
  return module && hasAttention(*placeForGpu(*module, strict));
}

size_t GpuAttentionCase::countTransposes() const {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(getText(), &getContext());
  size_t count = 0;
  if (module)
    placeForGpu(*module, strict)->walk([&](kernel::CallOp call) {
      count += call.getBodyBlock().getOps<graph::AttentionOp>().empty();
    });
  return count;
}

size_t GpuAttentionCase::countKernels() const { return runAndCount(); }

void GpuAttentionCase::run() const {
  EXPECT_TRUE(isKept());
  runAndCount();
}

static void compare(const Tensor &expected, const Tensor &found,
                    double factor) {
  int failures = 0;
  ASSERT_EQ(expected.getNumElements(), found.getNumElements());
  for (int64_t i = 0; i < expected.getNumElements() && failures < 3; ++i) {
    if (expected.excluded()[i])
      continue;
    double x = found.data()[i].number, y = expected.data()[i].number;
    double bound = expected.errors()[i] * factor;
    bool agrees = std::isnan(y)   ? std::isnan(x)
                  : std::isinf(y) ? x == y
                                  : std::fabs(x - y) <= bound;
    if (agrees)
      continue;
    ADD_FAILURE() << "element " << i << ": expected " << y << " within "
                  << bound << ", but got " << x;
    ++failures;
  }
}

size_t GpuAttentionCase::runAndCount() const {
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(getText(), &getContext());
  if (!module) {
    ADD_FAILURE() << getText();
    return 0;
  }
  auto main = module->lookupSymbol<func::FuncOp>("main");
  std::mt19937 random(17);
  Type element = getElementTypeOrSelf(main.getArgumentTypes()[0]);
  auto uniform = [&](int64_t) { return random() / 2147483648.0 - 1; };
  auto shapeOf = [&](int64_t heads, int64_t rows, int64_t depth) {
    std::vector<int64_t> shape = batch;
    if (interleaved)
      std::swap(heads, rows);
    shape.insert(shape.end(), {heads, rows, depth});
    return shape;
  };
  SmallVector<Tensor> inputs = {
      draw(element, shapeOf(heads, queries, depth), uniform),
      draw(element, shapeOf(kvHeads, keys, depth), uniform),
      draw(element, shapeOf(kvHeads, keys, valueDepth), [&](int64_t i) {
        return hasInfinity && i == valueDepth ? INFINITY : uniform(i);
      })};
  if (mask)
    inputs.push_back(draw(element, *mask, [&](int64_t i) {
      bool isHidden =
          hides == Hides::All || (hides == Hides::Some && random() % 3 == 0);
      return isHidden ? -INFINITY : maskOffset + uniform(i);
    }));

  std::string diagnostic;
  ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &message) {
    diagnostic += message.str() + "\n";
    return success();
  });
  Options options;
  options.trackErrors = true;
  FailureOr<SmallVector<Tensor>> expected = evaluate(main, inputs, options);
  if (failed(expected)) {
    ADD_FAILURE() << "interpreter: " << diagnostic;
    return 0;
  }
  OwningOpRef<ModuleOp> placed = placeForGpu(*module, strict);
  EmulateOptions emulation;
  if (tf32)
    emulation.numerics.precision = Precision::TF32;
  if (strict)
    emulation.numerics.fp = FpMode::Strict;
  emulate::RunStatistics statistics;
  interpret::States states;
  FailureOr<SmallVector<Tensor>> found =
      emulateProgram(placed->lookupSymbol<func::FuncOp>("main"), inputs, states,
                     emulation, &statistics);
  if (failed(found)) {
    ADD_FAILURE() << "emulator: " << diagnostic << getText();
    return 0;
  }
  compare(expected->front(), found->front(), tf32 ? kTf32Bound : 1);

  // A placed module means what the model means.
  options.trackErrors = false;
  FailureOr<SmallVector<Tensor>> same =
      evaluate(placed->lookupSymbol<func::FuncOp>("main"), inputs, options);
  if (failed(same)) {
    ADD_FAILURE() << "interpreter of placed: " << diagnostic;
    return 0;
  }
  compare(expected->front(), same->front(), 1);
  return statistics.kernels;
}
