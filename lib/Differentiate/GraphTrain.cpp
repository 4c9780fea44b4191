//===- GraphTrain.cpp - train step, evaluation and prediction -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchStatistics.h"
#include "Recompute.h"
#include "TrainStep.h"

#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Differentiate/Passes.h"

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/GlobPattern.h"

namespace tenon::differentiate {
#define GEN_PASS_DEF_GRAPHTRAIN
#include "tenon/Differentiate/Passes.h.inc"
} // namespace tenon::differentiate

using namespace mlir;
using namespace tenon;
using namespace tenon::differentiate;

namespace {
using Patterns = SmallVector<llvm::GlobPattern>;

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
  LogicalResult checkPatterns(func::FuncOp source);
  LogicalResult addStates(func::FuncOp source);
  FailureOr<func::FuncOp> addEntry(func::FuncOp source, StringRef name);
  LogicalResult addLoss(func::FuncOp entry);
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
  options.accumulate = accumulate;
  options.lossScale = lossScale;
  options.lossScaleGrowth = lossScaleGrowth;
  options.seed = seed;
  options.recompute = recompute;
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

/// A pattern that fits no parameter is a slip: it would change nothing.
LogicalResult GraphTrainPass::checkPatterns(func::FuncOp source) {
  for (auto [option, texts, patterns] :
       {std::tuple("freeze", &options.freeze, &frozen),
        std::tuple("no-decay", &options.noDecay, &undecayed)})
    for (auto [text, pattern] : llvm::zip_equal(*texts, *patterns))
      if (llvm::none_of(source.getOps<graph::ParameterOp>(),
                        [&, &pattern = pattern](graph::ParameterOp parameter) {
                          return pattern.match(parameter.getName());
                        }))
        return source.emitError()
               << "graph-train: " << option << ": '" << text
               << "' fits no parameter of '" << function << "'";
  return success();
}

/// A state for each parameter that training changes, which starts as its
/// weight.
LogicalResult GraphTrainPass::addStates(func::FuncOp source) {
  llvm::MapVector<StringRef, graph::ParameterOp> parameters;
  // Not the statistic: builds without statistics do not initialize it.
  unsigned count = 0;
  for (auto parameter : source.getOps<graph::ParameterOp>()) {
    if (isState(parameter) &&
        parameters.insert({parameter.getName(), parameter}).second)
      count += isTrained(parameter);
  }
  numTrained += count;
  if (count == 0)
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
    if (failed(addState(getOperation(), parameter.getLoc(), name, type,
                        parameter.getNameAttr())))
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
  if (failed(source) || failed(checkPatterns(*source)) ||
      failed(addStates(*source)))
    return failure();
  FailureOr<func::FuncOp> step = addEntry(*source, "train_step");
  if (failed(step) || failed(addLoss(*step)))
    return failure();
  FailureOr<SmallVector<Operation *>> forward =
      addTrainStep(*step, readStates(*step), options,
                   [&](StringRef name) { return !matches(undecayed, name); });
  if (failed(forward))
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
  unsigned added = 0;
  LogicalResult result =
      differentiate::recompute(*step, *forward, options.recompute, added);
  numRecomputed += added;
  return result;
}
