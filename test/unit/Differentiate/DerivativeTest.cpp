//===- DerivativeTest.cpp - the derivative of every op --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cotangents of every op, at random sizes and operands, against central
// differences of the interpreter in f64.
//
//===----------------------------------------------------------------------===//

#include "tenon/Compare/CentralDifferences.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/IR/IndexUses.h"
#include "tenon/Differentiate/ReverseMode.h"
#include "tenon/Interpret/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <map>
#include <random>
#include <set>

using namespace mlir;
using namespace tenon;
using interpret::Tensor;

static MLIRContext &getContext() {
  static auto *context = [] {
    auto *made = new MLIRContext;
    made->loadDialect<graph::GraphDialect, func::FuncDialect>();
    return made;
  }();
  return *context;
}

static std::string print(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os);
  return text;
}

static bool computes(Operation *op) {
  return isa<graph::IndexFormInterface, graph::DecomposableInterface,
             graph::ReferenceInterface>(op);
}

static bool isFloat(Type type) {
  return graph::isFloat(cast<RankedTensorType>(type).getElementType());
}

/// The examples of the reference and the models that show how ops are written.
static std::vector<OwningOpRef<ModuleOp>> readModules() {
  std::vector<OwningOpRef<ModuleOp>> modules;
  auto buffer = llvm::MemoryBuffer::getFile(TENON_REFERENCE_PAGE);
  EXPECT_TRUE(static_cast<bool>(buffer)) << TENON_REFERENCE_PAGE;
  StringRef text = (*buffer)->getBuffer(), begin = "```mlir\n";
  for (size_t at = 0; (at = text.find(begin, at)) != StringRef::npos;) {
    at += begin.size();
    StringRef example = text.slice(at, text.find("```", at));
    modules.push_back(parseSourceString<ModuleOp>(example, &getContext()));
  }
  std::vector<std::string> paths;
  std::error_code code;
  for (llvm::sys::fs::directory_iterator it(TENON_TEST_MODELS, code), end;
       it != end && !code; it.increment(code))
    if (StringRef(it->path()).ends_with("-parse.mlir"))
      paths.push_back(it->path());
  llvm::sort(paths);
  paths.push_back(TENON_VARIANTS);
  for (const std::string &path : paths) {
    modules.push_back(parseSourceFile<ModuleOp>(path, &getContext()));
    EXPECT_TRUE(modules.back()) << path;
  }
  return modules;
}

namespace {
/// One op in a block of its own, and a block that returns its cotangents.
class Instance {
public:
  Instance(Operation *op, uint64_t seed) : op(op), random(seed) {
    options.threads = 1;
  }

  /// Builds both blocks; false if the op has no derivative.
  bool build() {
    OpBuilder builder(&getContext());
    Location loc = op->getLoc();
    for (Type type : op->getOperandTypes()) {
      primal.addArgument(type, loc);
      adjoint.addArgument(type, loc);
    }
    for (Type type : op->getResultTypes())
      if (isFloat(type))
        adjoint.addArgument(type, loc);
    auto clone = [&](Block &block) {
      builder.setInsertionPointToStart(&block);
      IRMapping mapping;
      Operation *copy = builder.clone(*op, mapping);
      for (auto [number, operand] : llvm::enumerate(copy->getOpOperands()))
        operand.set(block.getArgument(number));
      return copy;
    };
    Operation *copy = clone(primal);
    func::ReturnOp::create(builder, loc, copy->getResults());

    copy = clone(adjoint);
    SmallVector<Value> cotangents;
    unsigned next = op->getNumOperands();
    for (Type type : op->getResultTypes())
      cotangents.push_back(isFloat(type) ? adjoint.getArgument(next++)
                                         : Value());
    SmallVector<bool> wanted;
    for (Value operand : op->getOperands())
      wanted.push_back(isFloat(operand.getType()));
    FailureOr<SmallVector<Value>> found =
        differentiate::buildCotangents(builder, copy, cotangents, wanted);
    if (failed(found))
      return false;
    SmallVector<Value> returned;
    for (Value value : *found) {
      positions.push_back(value ? int(returned.size()) : -1);
      if (value)
        returned.push_back(value);
    }
    for (auto [operand, value] : llvm::zip(copy->getOperands(), *found))
      if (value)
        EXPECT_EQ(operand.getType(), value.getType()) << print(op);
    func::ReturnOp::create(builder, loc, returned);
    bool isValid = true;
    for (Operation &built : adjoint.without_terminator())
      isValid &= succeeded(verify(&built));
    EXPECT_TRUE(isValid) << print(op);
    return isValid;
  }

  /// Draws sizes and operands until the op has finite results.
  bool draw() {
    ScopedDiagnosticHandler quiet(&getContext(),
                                  [](Diagnostic &) { return success(); });
    static constexpr std::pair<double, double> kRanges[] = {
        {-1.5, 1.5}, {0.1, 0.9}, {1.1, 2.5}};
    for (unsigned attempt = 0; attempt < 12; ++attempt)
      if (drawOnce(kRanges[attempt % 3]))
        return true;
    return false;
  }

  compare::GradientCheck check() {
    auto run = [&](ArrayRef<Tensor> inputs) {
      return interpret::evaluateBlock(primal, inputs, symbols, options);
    };
    SmallVector<Tensor> cotangents, arguments = inputs;
    for (const Tensor &result : results) {
      cotangents.push_back(drawTensor(result.getElementType(),
                                      result.getShape(), {-1, 1}, Value()));
      if (isa<FloatType>(result.getElementType()))
        arguments.push_back(cotangents.back());
    }
    FailureOr<SmallVector<Tensor>> found =
        interpret::evaluateBlock(adjoint, arguments, symbols, options);
    compare::GradientCheck failed;
    failed.message = "the cotangents can't be evaluated";
    if (mlir::failed(found))
      return failed;
    SmallVector<Tensor> gradients;
    for (int position : positions)
      gradients.push_back(position < 0 ? Tensor() : (*found)[position]);
    SmallVector<bool> isChecked(inputs.size(), true);
    FailureOr<compare::GradientCheck> check = compare::checkGradient(
        run, inputs, cotangents, gradients, isChecked, random());
    return succeeded(check) ? *check : failed;
  }

private:
  bool drawOnce(std::pair<double, double> range) {
    symbols.clear();
    inputs.clear();
    auto visit = [&](Type type) {
      for (const graph::SymInt &size : graph::getShape(type))
        size.visitSymbols([&](StringRef name) {
          symbols.try_emplace(name, 2 + random() % 4);
        });
    };
    llvm::for_each(op->getOperandTypes(), visit);
    llvm::for_each(op->getResultTypes(), visit);
    for (Value operand : op->getOperands()) {
      SmallVector<int64_t> shape;
      for (const graph::SymInt &size : graph::getShape(operand)) {
        shape.push_back(evaluate(size));
        if (shape.back() < 0 || shape.back() > 512)
          return false;
      }
      inputs.push_back(
          drawTensor(cast<RankedTensorType>(operand.getType()).getElementType(),
                     shape, range, operand));
    }
    FailureOr<SmallVector<Tensor>> found =
        interpret::evaluateBlock(primal, inputs, symbols, options);
    if (failed(found))
      return false;
    results = std::move(*found);
    for (const Tensor &result : results)
      if (isa<FloatType>(result.getElementType()))
        for (int64_t i = 0; i < result.getNumElements(); ++i)
          if (!std::isfinite(result.data()[i].number))
            return false;
    return true;
  }

  int64_t evaluate(const graph::SymInt &size) const {
    return size
        .evaluate([&](StringRef name) -> std::optional<int64_t> {
          auto it = symbols.find(name);
          return it == symbols.end() ? std::nullopt : std::optional(it->second);
        })
        .value_or(-1);
  }

  Tensor drawTensor(Type element, ArrayRef<int64_t> shape,
                    std::pair<double, double> range, Value operand) {
    Tensor tensor = *Tensor::allocate(element, shape);
    // Gathers and scatters define what indices out of range do.
    bool isLoss = isa<graph::NllLossOp, graph::SoftmaxCrossEntropyOp>(op);
    int64_t low = isLoss ? 0 : -5, end = isLoss ? 2 : 6;
    if (isLoss)
      for (const graph::IndexUse &use : graph::getIndexUses(op))
        if (use.indices == operand)
          end = std::max<int64_t>(1, evaluate(use.ranges[0].end));
    std::uniform_real_distribution<double> numbers(range.first, range.second);
    for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
      if (isa<FloatType>(element))
        tensor.data()[i].number = numbers(random);
      else if (element.isInteger(1))
        tensor.data()[i].integer = random() % 2;
      else
        tensor.data()[i].integer =
            low + static_cast<int64_t>(random() % (end - low));
    }
    return tensor;
  }

  Operation *op;
  std::mt19937_64 random;
  Block primal, adjoint;
  /// Per operand, the result of the adjoint that is its cotangent, or -1.
  SmallVector<int> positions;
  interpret::Symbols symbols;
  interpret::Options options;
  SmallVector<Tensor> inputs, results;
};
} // namespace

/// Ops of floating-point results without a derivative: random signs, and what
/// has no floating-point operand.
static bool isConstantOp(Operation *op) {
  return llvm::none_of(op->getOperandTypes(), isFloat) ||
         llvm::none_of(op->getResultTypes(), isFloat);
}

TEST(Derivatives, AgreeWithCentralDifferences) {
  std::map<std::string, unsigned> compared;
  std::set<std::string> seen;
  unsigned skipped = 0, total = 0;
  double worst = 0;
  uint64_t seed = 1;
  for (OwningOpRef<ModuleOp> &module : readModules()) {
    if (!module)
      continue;
    module->walk([&](Operation *op) {
      if (!computes(op) || isConstantOp(op))
        return;
      std::string name = op->getName().getStringRef().str();
      seen.insert(name);
      for (unsigned repeat = 0; repeat < 3; ++repeat) {
        Instance instance(op, ++seed);
        std::string message;
        ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &d) {
          message += d.str();
          return success();
        });
        if (!instance.build()) {
          // Two kinds of scatter multiply, and sizes without names.
          EXPECT_TRUE(StringRef(message).contains("are multiplied") ||
                      StringRef(message).contains("have names"))
              << print(op) << ": " << message;
          break;
        }
        if (!instance.draw())
          continue;
        compare::GradientCheck check = instance.check();
        EXPECT_EQ(check.message, "") << print(op) << message;
        EXPECT_TRUE(check.isFinite) << print(op);
        compared[name] += check.compared;
        total += check.compared;
        skipped += check.skipped;
        worst = std::max(worst, check.error);
      }
    });
  }
  for (const std::string &name : seen)
    EXPECT_GT(compared[name], 0u) << name;
  RecordProperty("compared", total);
  RecordProperty("skipped", skipped);
  std::printf("%u directions, %u skipped, largest error %.1e\n", total, skipped,
              worst);
  EXPECT_GE(total, 1000u);
  EXPECT_LE(skipped, total / 20);
}
