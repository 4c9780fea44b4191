//===- GraphTrain.cpp - train step, evaluation and prediction -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchStatistics.h"

#include "tenon/Dialect/Graph/IR/Compose.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Differentiate/Passes.h"
#include "tenon/Differentiate/ReverseMode.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/GlobPattern.h"

#define DEBUG_TYPE "graph-train"

namespace tenon::differentiate {
#define GEN_PASS_DEF_GRAPHTRAIN
#include "tenon/Differentiate/Passes.h.inc"
} // namespace tenon::differentiate

using namespace mlir;
using namespace tenon;
using namespace tenon::differentiate;

namespace {
using Patterns = SmallVector<llvm::GlobPattern>;

/// The values of trained parameters at their uses, by name, in the order of the
/// function.
using Trained = llvm::MapVector<StringRef, SmallVector<Value, 1>>;

class GraphTrainPass
    : public tenon::differentiate::impl::GraphTrainBase<GraphTrainPass> {
public:
  using GraphTrainBase::GraphTrainBase;

  void runOnOperation() override {
    if (failed(train()))
      signalPassFailure();
  }

private:
  LogicalResult train();
  LogicalResult checkOptions();
  FailureOr<func::FuncOp> findSource();
  LogicalResult findResult(func::FuncOp source);
  LogicalResult addStates(func::FuncOp source);
  LogicalResult addState(Location loc, StringRef name, RankedTensorType type,
                         FlatSymbolRefAttr parameter);
  FailureOr<func::FuncOp> addEntry(func::FuncOp source, StringRef name);
  LogicalResult addLoss(func::FuncOp entry);
  LogicalResult addStep(func::FuncOp entry);
  Trained readStates(func::FuncOp entry);
  GraphTrainOptions getOptions() const;
  bool isTrained(graph::ParameterOp parameter) const;
  /// Whether it is trained, or a statistic that follows the batches.
  bool isState(graph::ParameterOp parameter) const;

  auto error() { return getOperation().emitError() << "graph-train: "; }

  GraphTrainOptions options;
  unsigned number = 0; // of the result that `of` names
  Patterns frozen, undecayed;
  llvm::StringSet<> statistics; // names of parameters
};
} // namespace

/// The patterns are right.
static Patterns compilePatterns(ArrayRef<std::string> texts) {
  Patterns patterns;
  for (const std::string &text : texts)
    patterns.push_back(llvm::cantFail(llvm::GlobPattern::create(text)));
  return patterns;
}

static bool matches(const Patterns &patterns, StringRef name) {
  return llvm::any_of(patterns, [&](const llvm::GlobPattern &pattern) {
    return pattern.match(name);
  });
}

GraphTrainOptions GraphTrainPass::getOptions() const {
  GraphTrainOptions options;
  options.function = function;
  options.of = of;
  options.loss = loss;
  options.classAxis = classAxis;
  options.optimizer = optimizer;
  options.learningRate = learningRate;
  options.momentum = momentum;
  options.beta1 = beta1;
  options.beta2 = beta2;
  options.epsilon = epsilon;
  options.weightDecay = weightDecay;
  options.noDecay.assign(noDecay.begin(), noDecay.end());
  options.freeze.assign(freeze.begin(), freeze.end());
  options.clip = clip;
  options.schedule = schedule;
  options.warmup = warmup;
  options.steps = steps;
  options.batchNormMomentum = batchNormMomentum;
  return options;
}

LogicalResult GraphTrainPass::checkOptions() {
  options = getOptions();
  if (std::string wrong = checkTrainOptions(options); !wrong.empty())
    return error() << wrong;
  frozen = compilePatterns(options.freeze);
  undecayed = compilePatterns(options.noDecay);
  return success();
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

FailureOr<func::FuncOp> GraphTrainPass::findSource() {
  auto source = getOperation().lookupSymbol<func::FuncOp>(function);
  if (!source || source.isExternal())
    return error() << "function: expected the name of a function with a body, "
                      "but got '"
                   << function << "'";
  if (!source.getBody().hasOneBlock())
    return source.emitError() << "graph-train: expected a function of one "
                                 "block";
  for (auto other : getOperation().getOps<func::FuncOp>())
    if (other != source && other.isPublic())
      return other.emitError()
             << "graph-train: expected '" << function
             << "' as the only entry, but got '" << other.getName() << "' too";
  auto writes = source.getOps<graph::WriteStateOp>();
  if (!writes.empty())
    return (*writes.begin())
        ->emitOpError("can't be in a model that is trained");
  if (failed(findResult(source)))
    return failure();
  auto type = dyn_cast<RankedTensorType>(source.getResultTypes()[number]);
  if (!type || !graph::isFloat(type.getElementType()))
    return source.emitError()
           << "graph-train: of: expected a result of a "
              "floating-point type, but result #"
           << number << " is of type " << source.getResultTypes()[number];
  FailureOr<llvm::StringSet<>> found = findStatistics(
      source, [&](StringRef name) { return matches(frozen, name); });
  if (failed(found))
    return failure();
  statistics = std::move(*found);
  return source;
}

/// Sets the number of the result that `of` names.
LogicalResult GraphTrainPass::findResult(func::FuncOp source) {
  std::string names;
  for (unsigned result = 0; result < source.getNumResults(); ++result) {
    auto name = source.getResultAttrOfType<StringAttr>(result, "graph.name");
    if (!name)
      continue;
    number = result;
    if (name == options.of)
      return success();
    names += (names.empty() ? "" : ", ") + name.str();
  }
  if (!StringRef(options.of).getAsInteger(10, number) &&
      number < source.getNumResults())
    return success();
  InFlightDiagnostic diagnostic =
      source.emitError() << "graph-train: of: expected the name or number of a "
                            "result of '"
                         << options.function << "', but got '" << options.of
                         << "'";
  diagnostic.attachNote() << "it has " << source.getNumResults()
                          << " results, numbered from 0";
  if (!names.empty())
    diagnostic.attachNote() << "names: " << names;
  return diagnostic;
}

bool GraphTrainPass::isTrained(graph::ParameterOp parameter) const {
  return graph::isFloat(
             cast<RankedTensorType>(parameter.getType()).getElementType()) &&
         !matches(frozen, parameter.getName()) &&
         !statistics.contains(parameter.getName());
}

bool GraphTrainPass::isState(graph::ParameterOp parameter) const {
  return isTrained(parameter) || statistics.contains(parameter.getName());
}

LogicalResult GraphTrainPass::addState(Location loc, StringRef name,
                                       RankedTensorType type,
                                       FlatSymbolRefAttr parameter) {
  if (Operation *known = getOperation().lookupSymbol(name)) {
    InFlightDiagnostic diagnostic =
        emitError(loc) << "graph-train: the state of '" << name
                       << "' needs a name that the model already uses";
    diagnostic.attachNote(known->getLoc()) << "here";
    return diagnostic;
  }
  auto builder = OpBuilder::atBlockBegin(getOperation().getBody());
  auto last = getOperation().getOps<graph::StateOp>();
  for (graph::StateOp state : last)
    builder.setInsertionPointAfter(state);
  graph::StateOp::create(builder, loc, name, type, ElementsAttr(), parameter);
  return success();
}

/// A state for each parameter that training changes, which starts as its
/// weight.
LogicalResult GraphTrainPass::addStates(func::FuncOp source) {
  llvm::MapVector<StringRef, graph::ParameterOp> parameters;
  for (auto parameter : source.getOps<graph::ParameterOp>()) {
    if (isState(parameter) &&
        parameters.insert({parameter.getName(), parameter}).second)
      numTrained += isTrained(parameter);
  }
  if (numTrained == 0)
    return source.emitError() << "graph-train: expected a parameter to train "
                                 "in '"
                              << function << "'";
  for (auto &[name, parameter] : parameters) {
    auto type = cast<RankedTensorType>(parameter.getType());
    if (Type element = type.getElementType();
        !element.isF32() && !element.isF64())
      return parameter.emitOpError()
             << "can't be trained: expected elements of f32 or f64, but got "
             << element << "; --precision converts what is computed";
    if (failed(
            addState(parameter.getLoc(), name, type, parameter.getNameAttr())))
      return failure();
  }
  return success();
}

FailureOr<func::FuncOp> GraphTrainPass::addEntry(func::FuncOp source,
                                                 StringRef name) {
  if (getOperation().lookupSymbol(name))
    return source.emitError() << "graph-train: '" << name << "' exists already";
  func::FuncOp entry = source.clone();
  entry.setName(name);
  entry.setPublic();
  getOperation().push_back(entry);
  return entry;
}

/// Replaces the parameters of an entry that training changes by reads of their
/// states. Returns those that are trained.
Trained GraphTrainPass::readStates(func::FuncOp entry) {
  Trained trained;
  for (auto parameter :
       llvm::make_early_inc_range(entry.getOps<graph::ParameterOp>())) {
    if (!isState(parameter))
      continue;
    OpBuilder builder(parameter);
    auto read = graph::ReadStateOp::create(
        builder, parameter.getLoc(), parameter.getType(), parameter.getName());
    if (isTrained(parameter))
      trained[read.getState()].push_back(read);
    parameter.getResult().replaceAllUsesWith(read);
    parameter.erase();
  }
  return trained;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

/// Replaces the results by the loss, and adds the argument of the target.
LogicalResult GraphTrainPass::addLoss(func::FuncOp entry) {
  Block &block = entry.front();
  Operation *end = block.getTerminator();
  Value prediction = end->getOperand(number);
  FailureOr<RankedTensorType> type =
      getTargetType(entry.getLoc(), loss, prediction, classAxis);
  if (failed(type))
    return failure();
  Value target;
  MLIRContext *context = &getContext();
  if (*type) {
    auto name = StringAttr::get(context, "target");
    for (unsigned number = 0; number < entry.getNumArguments(); ++number)
      if (entry.getArgAttr(number, "graph.name") == name)
        return entry.emitError() << "graph-train: argument " << number
                                 << " has the name of the target, 'target'";
    unsigned number = entry.getNumArguments();
    if (failed(entry.insertArgument(
            number, *type,
            DictionaryAttr::get(context, NamedAttribute("graph.name", name)),
            entry.getLoc())))
      return failure();
    target = entry.getArgument(number);
  }
  OpBuilder builder(end);
  Value value =
      buildLoss(builder, entry.getLoc(), loss, prediction, target, classAxis);
  end->setOperands(value);
  entry.removeResAttrsAttr();
  entry.setFunctionType(FunctionType::get(context, block.getArgumentTypes(),
                                          TypeRange(value.getType())));
  entry.setResultAttr(0, "graph.name", StringAttr::get(context, "loss"));
  return success();
}

/// Adds gradients and updates behind the loss.
LogicalResult GraphTrainPass::addStep(func::FuncOp entry) {
  Trained trained = readStates(entry);
  if (failed(normalizeByBatch(entry, batchNormMomentum)))
    return failure();
  Block &block = entry.front();
  Operation *end = block.getTerminator();
  Value loss = end->getOperand(0);
  SmallVector<Operation *> ops;
  for (Operation &op : block.without_terminator())
    ops.push_back(&op);
  OpBuilder builder(end);
  Location loc = entry.getLoc();
  graph::Compose compose(builder, loc);
  SmallVector<Value> sources;
  for (auto &[name, values] : trained)
    llvm::append_range(sources, values);
  CotangentMap cotangents;
  cotangents[loss] = compose.fullLike(1, loss);
  if (failed(pullBack(builder, ops, sources, cotangents)))
    return failure();
  SmallVector<Value> gradients;
  for (auto &[name, values] : trained) {
    Value sum;
    for (Value value : values)
      if (Value cotangent = cotangents.lookup(value))
        sum = sum ? compose.add(sum, cotangent) : cotangent;
    if (!sum)
      return values.front().getDefiningOp()->emitError()
             << "graph-train: the loss does not depend on '" << name
             << "' in a differentiable way; freeze it to train the others";
    gradients.push_back(sum);
  }
  if (clip > 0)
    clipByGlobalNorm(builder, loc, clip, gradients);

  constexpr StringLiteral kStep = "optimizer.step";
  auto stepType = RankedTensorType::get({}, builder.getI64Type());
  if (failed(addState(loc, kStep, stepType, {})))
    return failure();
  Value step = graph::ReadStateOp::create(builder, loc, stepType, kStep);
  OptimizerOptions optimizer = getOptimizerOptions(options);
  StepScalars scalars = buildStepScalars(builder, loc, optimizer, step);
  LogicalResult result = success();
  for (auto [entry, gradient] : llvm::zip_equal(trained, gradients)) {
    StringRef name = entry.first;
    Value parameter = entry.second.front();
    auto nameOf = [&, name = name](StringRef state) {
      return ("optimizer." + state + "." + name).str();
    };
    OptimizerStates states;
    states.read = [&](StringRef state, RankedTensorType type) -> Value {
      if (!getOperation().lookupSymbol<graph::StateOp>(nameOf(state)) &&
          failed(addState(loc, nameOf(state), type, {})))
        result = failure();
      return graph::ReadStateOp::create(builder, loc, type, nameOf(state));
    };
    states.write = [&](StringRef state, Value value) {
      graph::WriteStateOp::create(builder, loc, nameOf(state), value);
    };
    Value updated =
        buildUpdate(builder, loc, optimizer, scalars,
                    matches(undecayed, name) ? 0 : double(weightDecay),
                    parameter, gradient, states);
    graph::WriteStateOp::create(builder, loc, name, updated);
    LDBG() << "trains " << name;
  }
  Value next =
      compose.add(step, compose.full(int64_t(1), builder.getI64Type(), {}));
  graph::WriteStateOp::create(builder, loc, kStep, next);
  return result;
}

/// Erases ops whose results are not used, last first.
static void eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

LogicalResult GraphTrainPass::train() {
  if (failed(checkOptions()))
    return failure();
  FailureOr<func::FuncOp> source = findSource();
  if (failed(source) || failed(addStates(*source)))
    return failure();
  FailureOr<func::FuncOp> step = addEntry(*source, "train_step");
  if (failed(step) || failed(addLoss(*step)) || failed(addStep(*step)))
    return failure();
  FailureOr<func::FuncOp> evaluate = addEntry(*source, "evaluate");
  if (failed(evaluate) || failed(addLoss(*evaluate)))
    return failure();
  FailureOr<func::FuncOp> predict = addEntry(*source, "predict");
  if (failed(predict))
    return failure();
  (void)readStates(*evaluate);
  (void)readStates(*predict);
  source->erase();
  for (func::FuncOp entry : {*step, *evaluate, *predict})
    eraseUnused(entry.front());
  return success();
}
