//===- ModelValues.cpp - what a model computes, by name of value ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelBuilder.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Dialect/Graph/Transforms/BindSymbols.h"
#include "tenon/Dialect/Pipe/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

ModelValues::State ModelValues::getState(graph::StateOp op) {
  return {op.getType(), op.getValueAttr(), op.getParameterAttr(),
          op.getTransient()};
}

/// Evaluates a function, and notes at the largest size what is wanted of it.
void ModelValues::Builder::evaluate(ModuleOp module, StringRef name,
                                    bool isLargest) {
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function)
    return;
  SmallVector<Expressions::Id> arguments;
  Trace &trace = traces.back();
  unsigned base = trace.size();
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    std::string argument =
        function.getArgAttrOfType<StringAttr>(number, "graph.name").str();
    auto found = known.find(argument);
    bool isLeaf = found == known.end();
    if (isLeaf) {
      bool has = argument == "target";
      for (auto [input, value] : llvm::zip_equal(
               program.getInputNames().getAsValueRange<StringAttr>(),
               program.getBody().getArguments()))
        if (input == argument)
          has = samples.axes.hasSamples(value);
      found = known
                  .emplace(argument, model.expressions.getLeaf(
                                         "input " + argument, type, has))
                  .first;
    }
    if (isLargest)
      leaves.try_emplace(argument, base + number);
    arguments.push_back(found->second);
  }
  Expressions::Evaluation made =
      model.expressions.evaluate(function, arguments, [&](StringRef state) {
        // What a task of samples writes, it finds as others left it.
        return llvm::is_contained({"forward", "backward", "norm"}, name) &&
               llvm::any_of(function.getOps<graph::WriteStateOp>(),
                            [&](graph::WriteStateOp write) {
                              return write.getState() == state;
                            });
      });
  for (auto [id, sources, op] :
       llvm::zip_equal(made.values, made.sources, made.ops)) {
    Traced &traced = trace.emplace_back();
    traced.id = id;
    for (unsigned source : sources)
      traced.sources.push_back(base + source);
    if (op)
      traced.op = op->getName();
    traced.isElementwise = isa_and_nonnull<graph::ElementwiseInterface>(op);
  }
  for (auto [number, place] : llvm::enumerate(made.results)) {
    auto result =
        function.getResultAttrOfType<StringAttr>(number, "graph.name");
    if (name == "forward" && result)
      known[result.str()] = made.values[place];
    if (!isLargest)
      continue;
    bool isLast = number + 1 == made.results.size();
    if (name == "main" || name == "predict")
      outputs.push_back(base + place);
    else if (name == "evaluate" && isLast)
      evaluationLoss = base + place;
    else if (name == "forward" && result &&
             result.getValue() == differentiate::kTaskLoss)
      trainLoss = base + place;
  }
  StateChange change = name == "forward"    ? StateChange::Statistic
                       : name == "backward" ? StateChange::Gradient
                       : name == "norm"     ? StateChange::Norm
                                            : StateChange::Update;
  if (isLargest)
    for (auto [state, place] : made.writes)
      writes.push_back({state.str(), change, base + place});
}

LogicalResult ModelValues::Builder::evaluateAll(int64_t count, bool isLargest) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(program.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  func::FuncOp function = pipe::buildModelFunction(builder, program);
  // Inputs and outputs may have one name.
  for (unsigned number = 0; number < function.getNumResults(); ++number)
    function.setResultAttr(
        number, "graph.name",
        builder.getStringAttr("result." + std::to_string(number)));
  if (!samples.symbol.empty() &&
      failed(graph::bindSymbols(*module, {{samples.symbol, count}})))
    return failure();
  if (training) {
    differentiate::GraphTrainOptions options = *training;
    options.tasks = true;
    options.of = std::to_string(*findOutput(program, training->of));
    options.share = graph::getWeight(model.lossPooling, count, model.miniBatch);
    PassManager passes(program.getContext(), ModuleOp::getOperationName());
    passes.addPass(differentiate::createGraphTrain(options));
    if (failed(passes.run(*module)))
      return failure();
  }
  for (auto state : module->getOps<graph::StateOp>())
    model.states[state.getSymName().str()] = getState(state);
  if (isLargest && !samples.symbol.empty() && failed(noteSamples(count)))
    return failure();
  traces.emplace_back();
  known.clear();
  for (StringRef name : {"main", "predict", "evaluate", "forward", "backward",
                         "norm", "update", "advance"})
    evaluate(*module, name, isLargest);
  return success();
}

std::optional<Trace> ModelValues::Builder::align(unsigned size) const {
  const Trace &trace = traces[size], &largest = traces.back();
  // Whether a value has as many elements as another one for more samples.
  auto areLike = [&](Expressions::Id own, Expressions::Id other) {
    auto count = [&](Expressions::Id id) {
      return cast<RankedTensorType>(model.expressions.getType(id))
          .getNumElements();
    };
    return count(own) == count(other) ||
           count(own) * model.sizes.back() == count(other) * model.sizes[size];
  };
  Trace made;
  std::vector<unsigned> placeOf; // in `trace`, by that in `largest`
  // Reshapes that only these samples have are what they are of.
  std::vector<unsigned> same;
  for (unsigned place = 0; place < trace.size(); ++place)
    same.push_back(place);
  auto areSame = [&](ArrayRef<unsigned> own, ArrayRef<unsigned> wanted) {
    return own.size() == wanted.size() &&
           llvm::all_of(llvm::zip(own, wanted), [&](auto pair) {
             return same[std::get<0>(pair)] == same[std::get<1>(pair)];
           });
  };
  unsigned next = 0;
  auto isReshape = [&] {
    return next < trace.size() && trace[next].op &&
           trace[next].op->getStringRef() == "graph.reshape";
  };
  auto skip = [&] {
    same[next] = same[trace[next].sources.front()];
    ++next;
  };
  for (const Traced &wanted : largest) {
    SmallVector<unsigned, 2> sources;
    for (unsigned source : wanted.sources)
      sources.push_back(placeOf[source]);
    // The number of samples, as a divisor, is the last of n + 1 positions.
    bool isPosition = wanted.op && wanted.op->getStringRef() == "graph.iota";
    auto isWanted = [&] {
      return next < trace.size() && trace[next].op == wanted.op &&
             areSame(trace[next].sources, sources) &&
             (isPosition || areLike(trace[next].id, wanted.id));
    };
    while (!isWanted() && isReshape())
      skip();
    if (isWanted())
      placeOf.push_back(next++);
    else if (wanted.op && sources.size() == 1 &&
             llvm::is_contained(
                 {"graph.broadcast", "graph.reduce_sum", "graph.reshape"},
                 wanted.op->getStringRef()) &&
             areLike(trace[sources.front()].id, wanted.id))
      placeOf.push_back(sources.front());
    else
      return std::nullopt;
    made.push_back(wanted);
    made.back().id = trace[placeOf.back()].id;
  }
  while (isReshape())
    skip();
  return next == trace.size() ? std::optional(std::move(made)) : std::nullopt;
}

/// Values are one if they are for each number of samples.
LogicalResult ModelValues::Builder::number() {
  for (unsigned size = 0; size < traces.size(); ++size) {
    std::optional<Trace> aligned = align(size);
    if (!aligned)
      return program.emitError("not proved: the model has other ops for other "
                               "numbers of samples");
    traces[size] = std::move(*aligned);
  }
  std::map<std::vector<Expressions::Id>, unsigned> known;
  for (size_t place = 0; place < traces.back().size(); ++place) {
    std::vector<Expressions::Id> ids;
    for (const Trace &trace : traces)
      ids.push_back(trace[place].id);
    auto [it, isNew] = known.try_emplace(ids, model.values.size());
    numberOf.push_back(it->second);
    if (!isNew)
      continue;
    for (auto [size, id] : llvm::enumerate(ids))
      model.numbers.try_emplace({unsigned(size), id}, it->second);
    if (llvm::all_equal(ids))
      model.fixedNumbers.try_emplace(ids.front(), it->second);
    Value &value = model.values.emplace_back();
    value.hasSamples = model.expressions.hasSamples(ids.front());
    value.ids = std::move(ids);
  }
  return success();
}

LogicalResult ModelValues::Builder::findPoolings() {
  Operation *end = program.getBody().front().getTerminator();
  for (mlir::Value output : end->getOperands())
    model.poolings.push_back(samples.axes.getPooling(output));
  if (!training)
    return success();
  std::optional<unsigned> judged = findOutput(program, training->of);
  if (!judged)
    return program.emitError() << "there is no output '" << training->of << "'";
  if (training->loss != differentiate::Loss::Result)
    return success();
  if (!model.poolings[*judged])
    return program.emitError("expected a loss that is the sum or the mean of "
                             "the losses of samples");
  model.lossPooling = *model.poolings[*judged];
  return success();
}

LogicalResult ModelValues::Builder::build() {
  FailureOr<ProgramSamples> found = findProgramSamples(program);
  if (failed(found))
    return failure();
  samples = std::move(*found);
  model.training = program.getTraining();
  model.miniBatch = static_cast<int64_t>(program.getMiniBatch().value_or(1));
  if (model.training) {
    if (!program.getTrain())
      return program.emitError(
          "trains, but does not say how; expected 'train'");
    FailureOr<differentiate::GraphTrainOptions> parsed =
        differentiate::parseTrainOptions(*program.getTrain(), program.getLoc());
    if (failed(parsed))
      return failure();
    training = std::move(*parsed);
  }
  if (failed(findPoolings()))
    return failure();
  std::set<int64_t> parts;
  for (auto stage : program.getBody().getOps<pipe::StageOp>()) {
    std::vector<int64_t> own = getShareSizes(stage);
    parts.insert(own.begin(), own.end());
    for (auto parameter : stage.getBody().getOps<graph::ParameterOp>())
      model.partOf[parameter.getName().str()] = own.front();
  }
  if (parts.size() == 1 && !samples.symbol.empty())
    parts.insert(2 * *parts.begin());
  model.sizes.assign(parts.begin(), parts.end());
  for (int64_t size : model.sizes)
    if (failed(evaluateAll(size, size == model.sizes.back())))
      return failure();
  if (failed(number()))
    return failure();
  findRows();
  auto get = [&](unsigned place) {
    Expressions::Id id = traces.front()[place].id;
    return model.expressions.isZero(id) ? Number{false, id}
                                        : Number{true, numberOf[place]};
  };
  for (StringRef name : program.getInputNames().getAsValueRange<StringAttr>()) {
    auto leaf = leaves.find(name.str());
    model.inputs.push_back(leaf == leaves.end() ? Number() : get(leaf->second));
  }
  for (unsigned place : outputs)
    model.outputs.push_back(get(place));
  bool hasTarget = training && training->loss != differentiate::Loss::Result;
  if (auto leaf = leaves.find("target"); hasTarget && leaf != leaves.end())
    model.target = get(leaf->second);
  if (trainLoss)
    model.trainLoss = get(*trainLoss);
  if (evaluationLoss)
    model.evaluationLoss = get(*evaluationLoss);
  for (const Write &write : writes) {
    model.changes[write.state][get(write.place)] = write.change;
    if (write.change == StateChange::Update ||
        write.change == StateChange::Statistic)
      continue;
    Expressions::Id sum = traces.back()[write.place].id;
    auto &addends = model.addends[write.state];
    for (Expressions::Id addend : model.expressions.getAddends(sum)) {
      if (addend == model.getRunning(write.state, sum))
        continue;
      std::optional<Number> value = model.getAddend(
          write.state, addend, unsigned(model.sizes.size() - 1));
      if (!value)
        return program.emitError()
               << "not proved: the state '" << write.state
               << "' is increased by a value that is the same for each number "
                  "of samples";
      auto known = llvm::find_if(
          addends, [&](const auto &one) { return one.first == *value; });
      if (known == addends.end())
        addends.emplace_back(*value, 1);
      else
        ++known->second;
    }
  }
  return success();
}

FailureOr<ModelValues> ModelValues::build(pipe::ProgramOp program) {
  ModelValues model;
  if (failed(Builder(program, model).build()))
    return failure();
  return std::move(model);
}

std::optional<SmallVector<unsigned>>
ModelValues::findAddends(StringRef state, Expressions::Id written,
                         unsigned size) {
  const auto &all = addends[state.str()];
  Expressions::Id before = getRunning(state, written);
  SmallVector<Expressions::Id> own(expressions.getAddends(written));
  if (own.empty())
    own.push_back(written);
  auto *old = llvm::find(own, before);
  if (old == own.end())
    return std::nullopt;
  own.erase(old);
  SmallVector<unsigned> places;
  for (Expressions::Id addend : own) {
    std::optional<Number> number = getAddend(state, addend, size);
    auto known = llvm::find_if(
        all, [&](const auto &one) { return one.first == number; });
    if (!number || known == all.end())
      return std::nullopt;
    places.push_back(known - all.begin());
  }
  return places;
}

/// A value without samples, such as the gradient of a penalty in a mean, is
/// added by each part for its share, which depends on its size: one that is the
/// same for each size would be counted once for each part. Squares are added
/// once in all.
std::optional<ModelValues::Number>
ModelValues::getAddend(StringRef state, Expressions::Id id, unsigned size) {
  auto it = numbers.find({size, id});
  bool isNorm = llvm::any_of(changes[state.str()], [](const auto &change) {
    return change.second == StateChange::Norm;
  });
  if (isNorm || it == numbers.end() || values[it->second].hasSamples)
    return getNumber(id, size);
  if (llvm::all_equal(values[it->second].ids))
    return std::nullopt;
  return Number{true, it->second};
}

int ModelValues::findSize(int64_t samples) const {
  auto found = llvm::find(sizes, samples);
  return found == sizes.end() ? -1 : static_cast<int>(found - sizes.begin());
}

ModelValues::Number ModelValues::getNumber(Expressions::Id id,
                                           std::optional<unsigned> size) {
  // Zeros are the same in all models.
  if (expressions.isZero(id))
    return {false, id};
  if (!size) {
    auto it = fixedNumbers.find(id);
    return it == fixedNumbers.end() ? Number{false, id}
                                    : Number{true, it->second};
  }
  auto it = numbers.find({*size, id});
  if (it == numbers.end())
    return addPartialSum(id, *size);
  // Values that depend on the number of samples, and on no sample, such as
  // their part of the mini-batch, is another value for another number.
  const Value &value = values[it->second];
  bool isOfSize =
      !value.hasSamples && !llvm::all_equal(value.ids) && !value.rows.areEqual;
  return isOfSize ? Number{false, id} : Number{true, it->second};
}

/// If all addends have each sample at the same rows, so has the sum.
ModelValues::Number ModelValues::addPartialSum(Expressions::Id id,
                                               unsigned size) {
  SmallVector<unsigned> addends;
  for (Expressions::Id addend : expressions.getAddends(id)) {
    auto it = numbers.find({size, addend});
    if (it == numbers.end())
      return {false, id};
    const Value &value = values[it->second];
    if (!value.hasSamples || value.rows.axis < 0 ||
        (!addends.empty() && !(value.rows == values[addends.front()].rows)))
      return {false, id};
    addends.push_back(it->second);
  }
  if (addends.empty())
    return {false, id};
  Value sum;
  sum.hasSamples = true;
  sum.rows = values[addends.front()].rows;
  unsigned number = values.size();
  for (unsigned other = 0; other < sizes.size(); ++other) {
    SmallVector<Expressions::Id> ids;
    for (unsigned addend : addends)
      ids.push_back(values[addend].ids[other]);
    sum.ids.push_back(
        expressions.getSum(expressions.getType(ids.front()), ids));
    numbers.try_emplace({other, sum.ids.back()}, number);
  }
  values.push_back(std::move(sum));
  return {true, number};
}

bool ModelValues::hasSamples(Number value) const {
  return value.isModel ? values[value.number].hasSamples
                       : expressions.hasSamples(value.number);
}

Rows ModelValues::getRows(Number value) const {
  return value.isModel ? values[value.number].rows : Rows();
}

RankedTensorType ModelValues::getWholeType(Number value) const {
  auto type = cast<RankedTensorType>(expressions.getType(getId(value, 0)));
  Rows rows = getRows(value);
  if (rows.axis < 0)
    return type;
  SmallVector<int64_t> shape(type.getShape());
  shape[rows.axis] = rows.blocks * rows.count * miniBatch;
  return type.clone(shape);
}
