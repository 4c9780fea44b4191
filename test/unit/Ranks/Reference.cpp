//===- Reference.cpp - what programs of ranks must compute ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Dialect/Graph/Transforms/BindSymbols.h"
#include "tenon/Dialect/Pipe/Transforms/Passes.h"
#include "tenon/Differentiate/Passes.h"

#include "mlir/Pass/PassManager.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace tenon;
using namespace tenon::ranks;

/// What the name stands for under a seed.
static Tensor draw(StringRef name, RankedTensorType type, uint64_t seed,
                   double least) {
  std::mt19937_64 random(seed);
  for (char letter : name)
    random.seed(random() + static_cast<unsigned char>(letter));
  Tensor tensor = *Tensor::allocate(type.getElementType(), type.getShape());
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    uint64_t number = random();
    if (isa<FloatType>(type.getElementType()))
      tensor.data()[i].number =
          least + (1 - least) * static_cast<double>(number >> 11) * 0x1p-53;
    else // Indices of classes and rows.
      tensor.data()[i].integer = static_cast<int64_t>(number % 3);
  }
  return tensor;
}

/// Weights and what an earlier run has left: moments are above 0.
LogicalResult Reference::drawStates(uint64_t seed) {
  interpret::Options options;
  options.parameters = parameters;
  FailureOr<States> states = interpret::getInitialStates(*module, options);
  if (failed(states))
    return failure();
  initial = std::move(*states);
  for (auto state : module->getOps<graph::StateOp>())
    if (!state.getValue() && !state.getParameter())
      initial[state.getSymName()] =
          draw(state.getSymName(), state.getTensorType(), seed, 0.1);
  return success();
}

LogicalResult Reference::evaluate(func::FuncOp function, uint64_t seed) {
  Entry &entry = entries.emplace_back();
  entry.name = function.getName();
  auto getName = [](Attribute name) {
    return cast<StringAttr>(name).getValue().str();
  };
  for (auto [number, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto tensor = cast<RankedTensorType>(type);
    entry.inputs.push_back(
        {getName(function.getArgAttr(number, "graph.name")), tensor});
    entry.given.push_back(draw(entry.inputs.back().first, tensor, seed, -1));
  }
  for (auto [number, type] : llvm::enumerate(function.getResultTypes()))
    entry.outputs.push_back(
        {getName(function.getResultAttr(number, "graph.name")),
         cast<RankedTensorType>(type)});
  interpret::Options options;
  options.checkIndices = true;
  options.threads = 1;
  options.parameters = parameters;
  entry.states = initial;
  auto made =
      interpret::evaluateEntry(function, entry.given, entry.states, options);
  if (failed(made))
    return failure();
  entry.made.assign(made->begin(), made->end());
  return success();
}

/// The symbol of the number of samples: the only one of such models.
static std::string getSymbol(func::FuncOp model) {
  for (Type type : model.getArgumentTypes())
    for (const graph::SymInt &size : graph::getShape(type))
      if (std::optional<StringRef> symbol = size.getSymbol())
        return symbol->str();
  return "";
}

FailureOr<Reference> Reference::build(pipe::ProgramOp program, uint64_t seed) {
  Reference made;
  made.parameters = [seed](Operation *, StringRef name, RankedTensorType type,
                           interpret::Domain) -> FailureOr<Tensor> {
    return draw(name, type, seed, -1);
  };
  made.module = ModuleOp::create(program.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(made.module->getBody());
  func::FuncOp model = pipe::buildModelFunction(builder, program);
  if (auto samples = program.getMiniBatch())
    if (failed(graph::bindSymbols(
            *made.module,
            {{getSymbol(model), static_cast<int64_t>(*samples)}})))
      return failure();
  if (!program.getTrain()) {
    model.setName(program.getName());
  } else {
    auto options =
        differentiate::parseTrainOptions(*program.getTrain(), program.getLoc());
    if (failed(options))
      return failure();
    PassManager passes(program.getContext());
    passes.addPass(differentiate::createGraphTrain(*options));
    if (failed(passes.run(*made.module)))
      return failure();
  }
  if (failed(made.drawStates(seed)))
    return failure();
  for (auto function : made.module->getOps<func::FuncOp>())
    if (failed(made.evaluate(function, seed)))
      return failure();
  return std::move(made);
}

const Reference::Entry *Reference::find(StringRef name) const {
  for (const Entry &entry : entries)
    if (entry.name == name)
      return &entry;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// Callers see the same entries and lasting states.
std::string Reference::compareInterface(ModuleOp other) const {
  size_t numEntries = 0;
  for (auto ranks : other.getOps<program::RanksOp>()) {
    const Entry *entry = find(ranks.getSymName());
    if (!entry)
      return "there is another entry";
    ++numEntries;
    std::vector<std::pair<std::string, RankedTensorType>> inputs, outputs;
    for (Operation &op : ranks.getBody().front()) {
      if (auto input = dyn_cast<program::InputOp>(op))
        inputs.push_back(
            {input.getName().str(), program::getTensorType(input)});
      if (auto output = dyn_cast<program::OutputOp>(op))
        outputs.push_back(
            {output.getName().str(), program::getTensorType(output)});
    }
    if (inputs != entry->inputs || outputs != entry->outputs)
      return "the inputs or outputs of @" + entry->name + " are others";
  }
  if (numEntries != entries.size())
    return "an entry is missing";
  for (auto state : module->getOps<graph::StateOp>()) {
    auto its = other.lookupSymbol<graph::StateOp>(state.getSymName());
    if (!its || its.getTransient() || its.getType() != state.getType() ||
        its.getValueAttr() != state.getValueAttr() ||
        its.getParameterAttr() != state.getParameterAttr())
      return "the state '" + state.getSymName().str() + "' is another";
  }
  for (auto state : other.getOps<graph::StateOp>())
    if (!module->lookupSymbol(state.getSymName()) && !state.getTransient())
      return "the state '" + state.getSymName().str() + "' is new";
  return "";
}

static bool areEqual(const Tensor &tensor, const Tensor &wanted) {
  if (!tensor || tensor.getType() != wanted.getType())
    return false;
  bool isFloat = isa<FloatType>(wanted.getElementType());
  double largest = 0;
  for (int64_t i = 0; isFloat && i < wanted.getNumElements(); ++i)
    largest = std::max(largest, std::fabs(wanted.data()[i].number));
  for (int64_t i = 0; i < wanted.getNumElements(); ++i) {
    interpret::Cell a = tensor.data()[i], b = wanted.data()[i];
    // Also false for NaNs.
    bool isSame = isFloat ? std::fabs(a.number - b.number) <=
                                1e-9 * (std::fabs(b.number) + 1e-3 * largest)
                          : a.integer == b.integer;
    if (!isSame)
      return false;
  }
  return true;
}

std::string Reference::compareRun(const Entry &entry, const RankRun &run,
                                  const States &before,
                                  const Holders &holders) const {
  if (!run.error.empty())
    return run.error;
  for (size_t i = 0; i < entry.made.size(); ++i)
    if (!areEqual(run.outputs[i], entry.made[i]))
      return "the output '" + entry.outputs[i].first + "' differs";
  std::set<StringRef> seen;
  for (size_t rank = 0; rank < run.states.size(); ++rank)
    for (const std::string &name : holders[rank]) {
      seen.insert(name);
      auto wanted = entry.states.find(name);
      // The others are zero, before and after.
      if (!areEqual(run.states[rank].lookup(name), wanted == entry.states.end()
                                                       ? before.lookup(name)
                                                       : wanted->second))
        return "the state '" + name + "' of rank " + std::to_string(rank) +
               " differs";
    }
  for (const auto &state : entry.states)
    if (!seen.count(state.first()))
      return "no rank has the state '" + state.first().str() + "'";
  return "";
}

std::string Reference::compare(ModuleOp other, TaskMemo &memo, uint64_t seed,
                               unsigned count) const {
  if (std::string wrong = compareInterface(other); !wrong.empty())
    return wrong;
  States before = initial;
  for (auto state : other.getOps<graph::StateOp>())
    if (!before.contains(state.getSymName())) {
      RankedTensorType type = state.getTensorType();
      before[state.getSymName()] =
          *Tensor::allocate(type.getElementType(), type.getShape());
    }
  TaskFunctions functions(other, memo, parameters);
  Holders holders;
  for (auto ranks : other.getOps<program::RanksOp>())
    for (auto [number, rank] : llvm::enumerate(ranks.getRanks())) {
      holders.resize(std::max<size_t>(holders.size(), number + 1));
      for (Operation &step : program::RankOp(rank).getRun().getBody().front())
        if (auto task = dyn_cast<program::TaskOp>(step)) {
          const TaskFunctions::Function &used = functions.get(task.getEntry());
          holders[number].insert(used.reads.begin(), used.reads.end());
          holders[number].insert(used.writes.begin(), used.writes.end());
        } else if (auto sum = dyn_cast<program::AllReduceOp>(step)) {
          for (StringRef name : sum.getStates().getAsValueRange<StringAttr>())
            holders[number].insert(name.str());
        }
    }
  for (auto ranks : other.getOps<program::RanksOp>()) {
    const Entry &entry = *find(ranks.getSymName());
    for (unsigned i = 0; i < count; ++i)
      for (Channels channels : {Channels::Tags, Channels::Ordered}) {
        RankRun run =
            runRanks(ranks, entry.given, before, channels, seed + i, functions);
        std::string wrong = compareRun(entry, run, before, holders);
        if (!wrong.empty())
          return (channels == Channels::Tags ? "tags: @" : "ordered: @") +
                 entry.name + ": " + wrong;
      }
  }
  return "";
}
