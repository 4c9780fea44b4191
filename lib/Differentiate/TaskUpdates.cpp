//===- TaskUpdates.cpp - updates of a stage, as tasks ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TaskUpdates.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Differentiate/Training.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

/// The number of updates, where not each run is one.
static constexpr StringLiteral kUpdatesState = "optimizer.updates";

namespace {
class TaskUpdates : public Compose {
public:
  TaskUpdates(OpBuilder &builder, ModuleOp module, Location loc,
              const GraphTrainOptions &options)
      : Compose(builder, loc), module(module), options(options) {}

  LogicalResult build(const Trained &trained,
                      llvm::function_ref<bool(StringRef)> hasDecay);

private:
  /// A parameter, and its type.
  using Parameter = std::pair<StringRef, RankedTensorType>;

  void addFunction(const Twine &name, llvm::function_ref<void()> addBody);
  void addUpdate(const Twine &name, ArrayRef<Parameter> parameters,
                 llvm::function_ref<bool(StringRef)> hasDecay);
  void update(const Parameter &parameter, const StepScalars &scalars,
              double weightDecay);
  void addNorm(const Twine &name, ArrayRef<Parameter> parameters);
  void addAdvance();

  /// Reads a state, and adds it if it is new.
  Value read(StringRef name, RankedTensorType type);
  void write(StringRef name, Value value) {
    WriteStateOp::create(builder, loc, name, value);
  }
  Value select(Value condition, Value chosen, Value otherwise) {
    return op<WhereOp>(broadcastLike(condition, chosen), chosen, otherwise);
  }
  Value number(int64_t value) { return full(value, builder.getI64Type(), {}); }
  RankedTensorType scalar(Type element) {
    return RankedTensorType::get({}, element);
  }
  bool accumulates() const { return options.accumulate > 1; }
  /// Whether this run is the last one whose gradients an update adds.
  Value isLast();
  /// The gradient of the runs before this one and of this one.
  Value getSum(const Parameter &parameter);
  Value getMean(Value sum) {
    return accumulates()
               ? mul(sum, fullLike(1.0 / double(options.accumulate), sum))
               : sum;
  }

  ModuleOp module;
  const GraphTrainOptions &options;
  LogicalResult result = success();
};
} // namespace

static std::string getAccumulated(StringRef parameter) {
  return ("optimizer.gradient." + parameter).str();
}

std::string
tenon::differentiate::getTaskGradient(const GraphTrainOptions &options,
                                      StringRef parameter) {
  if (options.accumulate > 1)
    return ("optimizer.run_gradient." + parameter).str();
  return getAccumulated(parameter);
}

Value TaskUpdates::read(StringRef name, RankedTensorType type) {
  if (!module.lookupSymbol<StateOp>(name) &&
      failed(addState(module, loc, name, type)))
    result = failure();
  return ReadStateOp::create(builder, loc, type, name);
}

Value TaskUpdates::isLast() {
  Value step = read(kStepState, scalar(builder.getI64Type()));
  return op<EqualOp>(
      op<ModOp>(add(step, number(1)), number(options.accumulate)), number(0));
}

Value TaskUpdates::getSum(const Parameter &parameter) {
  auto [name, type] = parameter;
  Value own =
      ReadStateOp::create(builder, loc, type, getTaskGradient(options, name));
  return accumulates() ? add(read(getAccumulated(name), type), own) : own;
}

void TaskUpdates::addFunction(const Twine &name,
                              llvm::function_ref<void()> addBody) {
  builder.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(builder, loc, name.str(),
                                       builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  addBody();
  func::ReturnOp::create(builder, loc);
}

void TaskUpdates::update(const Parameter &parameter, const StepScalars &scalars,
                         double weightDecay) {
  auto [name, type] = parameter;
  Value old = ReadStateOp::create(builder, loc, type, name);
  Value sum = getSum(parameter), gradient = getMean(sum);
  if (options.clip > 0)
    gradient = buildClipped(builder, loc, options.clip,
                            read(kSquaresState, scalar(builder.getF64Type())),
                            gradient);
  Value applies = accumulates() ? isLast() : Value();
  llvm::StringMap<Value> before;
  OptimizerStates states;
  states.read = [&, name = name](StringRef kind, RankedTensorType stateType) {
    return before[kind] = read(getOptimizerState(kind, name), stateType);
  };
  auto change = [&](StringRef state, Value value, Value otherwise) {
    write(state, applies ? select(applies, value, otherwise) : value);
  };
  states.write = [&, name = name](StringRef kind, Value value) {
    change(getOptimizerState(kind, name), value, before.lookup(kind));
  };
  Value updated = buildUpdate(builder, loc, getOptimizerOptions(options),
                              scalars, weightDecay, old, gradient, states);
  change(name, updated, old);
  write(getTaskGradient(options, name), fullLike(0, sum));
  if (accumulates())
    write(getAccumulated(name), select(applies, fullLike(0, sum), sum));
}

void TaskUpdates::addUpdate(const Twine &name, ArrayRef<Parameter> parameters,
                            llvm::function_ref<bool(StringRef)> hasDecay) {
  addFunction(name, [&] {
    Value count = read(accumulates() ? kUpdatesState : kStepState,
                       scalar(builder.getI64Type()));
    StepScalars scalars =
        buildStepScalars(builder, loc, getOptimizerOptions(options), count);
    for (const Parameter &parameter : parameters)
      update(parameter, scalars,
             hasDecay(parameter.first) ? options.weightDecay : 0);
  });
}

void TaskUpdates::addNorm(const Twine &name, ArrayRef<Parameter> parameters) {
  addFunction(name, [&] {
    Value squares = read(kSquaresState, scalar(builder.getF64Type()));
    for (const Parameter &parameter : parameters)
      squares =
          add(squares, buildSquares(builder, loc, getMean(getSum(parameter))));
    write(kSquaresState, squares);
  });
}

/// Counts the step, which all stages of a rank read in their updates.
void TaskUpdates::addAdvance() {
  addFunction("advance", [&] {
    auto type = scalar(builder.getI64Type());
    Value step = read(kStepState, type);
    if (accumulates()) {
      Value updates = read(kUpdatesState, type);
      write(kUpdatesState, select(isLast(), add(updates, number(1)), updates));
    }
    if (options.clip > 0)
      write(kSquaresState,
            fullLike(0, read(kSquaresState, scalar(builder.getF64Type()))));
    write(kStepState, add(step, number(1)));
  });
}

LogicalResult TaskUpdates::build(const Trained &trained,
                                 llvm::function_ref<bool(StringRef)> hasDecay) {
  if (options.clip > 0) {
    if (failed(
            addState(module, loc, kSquaresState, scalar(builder.getF64Type()))))
      return failure();
    module.lookupSymbol<StateOp>(kSquaresState).setTransient(true);
  }
  SmallVector<Parameter> own;
  auto addAll = [&](const Twine &suffix, ArrayRef<Parameter> parameters) {
    if (options.clip > 0)
      addNorm("norm" + suffix, parameters);
    addUpdate("update" + suffix, parameters, hasDecay);
  };
  for (const auto &[name, values] : trained) {
    Parameter parameter{name,
                        mlir::cast<RankedTensorType>(values.front().getType())};
    if (llvm::is_contained(options.shared, name))
      addAll("." + name, parameter);
    else
      own.push_back(parameter);
  }
  if (!own.empty())
    addAll("", own);
  addAdvance();
  return result;
}

LogicalResult tenon::differentiate::addTaskUpdates(
    ModuleOp module, Location loc, const Trained &trained,
    const GraphTrainOptions &options,
    llvm::function_ref<bool(StringRef)> hasDecay) {
  OpBuilder builder(module.getContext());
  return TaskUpdates(builder, module, loc, options).build(trained, hasDecay);
}
