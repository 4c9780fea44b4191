//===- DifferentiateMode.cpp - tenon-fuzz --differentiate -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DifferentiateMode.h"
#include "RandomInputs.h"

#include "tenon/Compare/CentralDifferences.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Differentiate/ReverseMode.h"
#include "tenon/Generate/GraphGenerator.h"
#include "tenon/Interpret/Interpreter.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <random>

using namespace mlir;
using namespace tenon;
using namespace tenon::fuzz;
using generate::GraphGenerator;
using interpret::Tensor;

static bool isFloat(Type type) {
  return graph::isFloat(cast<RankedTensorType>(type).getElementType());
}

/// Makes the parameters of `function` arguments, so that they can be varied.
static void makeParametersArguments(func::FuncOp function) {
  std::map<std::string, Value> arguments;
  for (auto parameter :
       llvm::make_early_inc_range(function.getOps<graph::ParameterOp>())) {
    Value &argument = arguments[parameter.getName().str()];
    if (!argument) {
      unsigned number = function.getNumArguments();
      auto name =
          StringAttr::get(function.getContext(), "p" + std::to_string(number));
      NamedAttribute named(StringAttr::get(function.getContext(), "graph.name"),
                           name);
      (void)function.insertArgument(
          number, parameter.getType(),
          DictionaryAttr::get(function.getContext(), named),
          parameter.getLoc());
      argument = function.getArgument(number);
    }
    parameter.replaceAllUsesWith(argument);
    parameter.erase();
  }
}

/// The number of inputs to try until all results are finite.
static constexpr unsigned kAttempts = 8;

namespace {
class DifferentiateFuzzer {
public:
  DifferentiateFuzzer(const CommandLine &line, MLIRContext &context)
      : line(line), context(context) {
    options.threads = 1;
  }

  int run() {
    for (unsigned number = 0; number < line.count; ++number) {
      uint64_t seed = line.seed + number;
      GraphGenerator generator(&context, seed, line.dynamic && seed % 2);
      OwningOpRef<ModuleOp> module = generator.generate(line.getOps(seed));
      if (line.print)
        llvm::outs() << "// " << seed << "\n" << *module << "\n";
      else
        runCase(*module->getOps<func::FuncOp>().begin(), seed);
    }
    if (line.print)
      return 0;
    for (const auto &[reason, count] : reasons)
      llvm::outs() << "not differentiable " << count << " times: " << reason
                   << "\n";
    llvm::outs() << line.count << " graphs: " << compared << " compared ("
                 << directions << " directions, " << skipped
                 << " near kinks or inexact), " << refused
                 << " not differentiable, " << undefined
                 << " not finite or invalid, " << unbounded
                 << " with infinite derivatives, " << wrong << " wrong\n";
    return wrong != 0;
  }

private:
  void fail(uint64_t seed, const Twine &text, func::FuncOp function) {
    ++wrong;
    llvm::outs() << "MISMATCH " << seed << ": " << text << "\n"
                 << function << "\n";
  }

  /// Builds the cotangents of the floating-point arguments into a copy of
  /// `function`, which has one further argument per floating-point result.
  /// `given` holds, per argument, the number of the copy's result or -1.
  FailureOr<func::FuncOp> build(func::FuncOp function,
                                SmallVectorImpl<int> &given) {
    func::FuncOp gradient = function.clone();
    Block &block = gradient.front();
    Operation *end = block.getTerminator();
    SmallVector<Operation *> ops;
    for (Operation &op : block.without_terminator())
      ops.push_back(&op);
    SmallVector<Value> sources;
    for (BlockArgument argument : block.getArguments())
      if (isFloat(argument.getType()))
        sources.push_back(argument);
    OpBuilder builder(end);
    differentiate::CotangentMap cotangents;
    for (Value result : end->getOperands())
      if (isFloat(result.getType())) {
        Value seed = block.addArgument(result.getType(), result.getLoc());
        Value &sum = cotangents[result];
        sum = sum ? graph::AddOp::create(builder, result.getLoc(), sum, seed)
                        .getResult()
                  : seed;
      }
    bool failed = mlir::failed(
        differentiate::pullBack(builder, ops, sources, cotangents));
    SmallVector<Value> returned;
    for (unsigned number = 0; number < function.getNumArguments(); ++number) {
      Value argument = block.getArgument(number);
      Value cotangent =
          isFloat(argument.getType()) ? cotangents.lookup(argument) : Value();
      given.push_back(cotangent ? int(returned.size()) : -1);
      if (cotangent)
        returned.push_back(cotangent);
    }
    end->setOperands(returned);
    gradient.removeResAttrsAttr();
    gradient.removeArgAttrsAttr();
    gradient.setFunctionType(FunctionType::get(
        &context, block.getArgumentTypes(), TypeRange(ValueRange(returned))));
    if (!failed)
      return gradient;
    gradient.erase();
    return failure();
  }

  void runCase(func::FuncOp function, uint64_t seed) {
    makeParametersArguments(function);
    std::string message;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (message.empty())
        message = diagnostic.str();
      return success();
    });
    SmallVector<int> given;
    FailureOr<func::FuncOp> gradient = build(function, given);
    if (failed(gradient)) {
      ++refused;
      ++reasons[message];
      return;
    }
    OwningOpRef<func::FuncOp> owned(*gradient);
    if (failed(verify(*gradient)))
      return fail(seed, "the gradient is not valid: " + message, *gradient);

    auto evaluate = [&](ArrayRef<Tensor> at) {
      return interpret::evaluate(function, at, options);
    };
    // Not all inputs are in the domains of all functions. If a value between is
    // not finite, 0 times its derivative is not 0, though no result needs it.
    OwningOpRef<func::FuncOp> every(returnAll(function));
    FailureOr<SmallVector<Tensor>> inputs = failure(), results = failure();
    bool isDefined = false;
    for (unsigned attempt = 0; attempt < kAttempts && !isDefined; ++attempt) {
      std::string error;
      inputs = drawInputs(function, seed + attempt * 1000003, error);
      if (failed(inputs))
        continue;
      separate(*inputs, seed);
      FailureOr<SmallVector<Tensor>> all =
          interpret::evaluate(*every, *inputs, options);
      if (succeeded(all) && areFinite(*all))
        results = evaluate(*inputs);
      isDefined = succeeded(results) && areFinite(*results);
    }
    if (!isDefined) {
      ++undefined;
      return;
    }
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> numbers(-1, 1);
    SmallVector<Tensor> cotangents, arguments = *inputs;
    for (const Tensor &result : *results) {
      cotangents.push_back(
          *Tensor::allocate(result.getElementType(), result.getShape()));
      if (!isa<FloatType>(result.getElementType()))
        continue;
      for (int64_t i = 0; i < result.getNumElements(); ++i)
        cotangents.back().data()[i].number = numbers(random);
      arguments.push_back(cotangents.back());
    }
    FailureOr<SmallVector<Tensor>> found =
        interpret::evaluate(*gradient, arguments, options);
    if (failed(found))
      return fail(seed, "the gradient can't be evaluated: " + message,
                  *gradient);
    SmallVector<Tensor> gradients;
    for (int number : given)
      gradients.push_back(number < 0 ? Tensor() : (*found)[number]);
    SmallVector<bool> isChecked(inputs->size(), true);
    FailureOr<compare::GradientCheck> check = compare::checkGradient(
        evaluate, *inputs, cotangents, gradients, isChecked, seed);
    if (failed(check)) {
      ++undefined;
      return;
    }
    // Such as that of sqrt at 0, which hard_swish often is.
    if (!check->isFinite) {
      ++unbounded;
      return;
    }
    if (!check->message.empty())
      return fail(seed, check->message, function);
    directions += check->compared;
    skipped += check->skipped;
    compared += check->compared != 0;
  }

  /// A copy of `function` that returns every value.
  static func::FuncOp returnAll(func::FuncOp function) {
    func::FuncOp copy = function.clone();
    Operation *end = copy.front().getTerminator();
    SmallVector<Value> values;
    for (Operation &op : copy.front().without_terminator())
      llvm::append_range(values, op.getResults());
    end->setOperands(values);
    copy.removeResAttrsAttr();
    copy.setFunctionType(FunctionType::get(function.getContext(),
                                           function.getArgumentTypes(),
                                           TypeRange(ValueRange(values))));
    return copy;
  }

  /// Moves numbers, which may be equal in narrow types, a little: a maximum of
  /// equal numbers has no derivative.
  static void separate(MutableArrayRef<Tensor> tensors, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> numbers(-1e-2, 1e-2);
    for (Tensor &tensor : tensors)
      if (isa<FloatType>(tensor.getElementType()))
        for (int64_t i = 0; i < tensor.getNumElements(); ++i)
          tensor.data()[i].number += numbers(random);
  }

  static bool areFinite(ArrayRef<Tensor> results) {
    for (const Tensor &result : results)
      if (isa<FloatType>(result.getElementType()))
        for (int64_t i = 0; i < result.getNumElements(); ++i)
          if (!std::isfinite(result.data()[i].number))
            return false;
    return true;
  }

  const CommandLine &line;
  MLIRContext &context;
  interpret::Options options;
  unsigned compared = 0, directions = 0, skipped = 0, refused = 0,
           undefined = 0, unbounded = 0, wrong = 0;
  std::map<std::string, unsigned> reasons;
};
} // namespace

int tenon::fuzz::runDifferentiate(const CommandLine &line,
                                  MLIRContext &context) {
  return DifferentiateFuzzer(line, context).run();
}
