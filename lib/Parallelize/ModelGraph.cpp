//===- ModelGraph.cpp - operators of a model and their costs --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/ModelGraph.h"
#include "OperatorCosts.h"
#include "tenon/Dialect/Graph/Transforms/BindSymbols.h"
#include "tenon/Parallelize/SeriesParallel.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::parallelize;

/// A partition of numbers: groups in a topological order.
using Groups = std::vector<std::vector<unsigned>>;

namespace {
class ModelBuilder {
public:
  ModelBuilder(func::FuncOp model, const ModelOptions &options)
      : model(model), options(options) {}

  FailureOr<ModelGraph> build();

private:
  LogicalResult findSamples();
  LogicalResult checkSymbols();
  /// The ops with samples, as operators of their own.
  void addOps();
  llvm::SetVector<Operation *>
  getParameters(const std::vector<Operation *> &ops) const;
  /// Merges ops between which a value can't be passed in parts, or is an index
  /// whose bounds another op has to see, batch norms of the same statistics,
  /// and what is between them.
  Groups mergeInseparable();
  /// Replaces operators by groups of them.
  void merge(Groups groups);
  /// Adds weights, results and what is kept, and names.
  void finish();
  void countGiven();
  void addDigest();
  /// Replaces predicted seconds by measured ones.
  LogicalResult measure();

  func::FuncOp model;
  const ModelOptions &options;
  ModelGraph result;
  std::optional<OperatorCosts> costs;
};
} // namespace

LogicalResult ModelBuilder::findSamples() {
  Block &body = model.getBody().front();
  result.sampleSymbols = unifySampleSymbols(model);
  FailureOr<BatchAxes> axes = getArgumentBatchAxes(body, model.getLoc());
  if (failed(axes))
    return failure();
  result.batchAxes = std::move(*axes);
  std::optional<int64_t> size = result.batchAxes.size.getConstant();
  if (size && *size != options.miniBatch)
    return model.emitError()
           << "expected " << options.miniBatch
           << " samples, the mini-batch, or a symbol, but axis 0 of the first "
              "argument has "
           << *size;
  if (!size && !result.batchAxes.size.getSymbol())
    return model.emitError() << "expected a number or a symbol of samples, but "
                             << "got " << result.batchAxes.size.str();
  if (succeeded(findBatchAxes(body, options.batch, result.batchAxes)))
    return success();
  for (const std::string &name : result.sampleSymbols)
    mlir::emitRemark(model.getLoc())
        << "'" << name << "' was taken to be the number of samples, "
        << result.batchAxes.size.str() << ", too; if it is not, bind it";
  return failure();
}

LogicalResult ModelBuilder::checkSymbols() {
  std::optional<StringRef> batch = result.batchAxes.size.getSymbol();
  std::set<std::string> missing;
  auto visit = [&](Type type) {
    for (const SymInt &size : getShape(type))
      size.visitSymbols([&](StringRef name) {
        if (name != batch && !options.sizes.count(name.str()))
          missing.insert(name.str());
      });
  };
  for (Type type : model.getArgumentTypes())
    if (isa<RankedTensorType>(type))
      visit(type);
  for (Operation &op : model.getBody().front())
    for (Type type : op.getResultTypes())
      if (isa<RankedTensorType>(type))
        visit(type);
  if (missing.empty())
    return success();
  return model.emitError() << "the size '" << *missing.begin()
                           << "' has no value: bind it to a number";
}

void ModelBuilder::addOps() {
  llvm::DenseMap<Operation *, unsigned> numberOf;
  for (Operation &op : model.getBody().front()) {
    if (llvm::none_of(op.getResults(), [&](Value value) {
          return result.batchAxes.hasSamples(value);
        }))
      continue;
    std::set<unsigned> operands;
    for (Value operand : op.getOperands())
      if (auto it = numberOf.find(operand.getDefiningOp());
          it != numberOf.end())
        operands.insert(it->second);
    result.hasBatchStatistics |=
        options.batch.isTraining && isa<BatchNormOp>(op);
    numberOf[&op] = result.graph.size();
    result.graph.emplace_back();
    costs->add(&op, result.graph.back());
    result.graph.back().operands.assign(operands.begin(), operands.end());
    result.ops.push_back({&op});
  }
}

/// The parameters that ops read, also through ops without samples.
llvm::SetVector<Operation *>
ModelBuilder::getParameters(const std::vector<Operation *> &ops) const {
  llvm::SetVector<Operation *> found;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (!result.batchAxes.hasSamples(operand))
        collectParameters(operand, found);
  return found;
}

Groups ModelBuilder::mergeInseparable() {
  size_t count = result.graph.size();
  llvm::EquivalenceClasses<unsigned> classes;
  for (unsigned number = 0; number < count; ++number)
    classes.insert(number);
  llvm::DenseMap<Operation *, unsigned> numberOf;
  for (auto [number, ops] : llvm::enumerate(result.ops))
    numberOf[ops.front()] = number;
  llvm::DenseMap<Value, unsigned> normOf; // by statistic
  for (unsigned number = 0; number < count; ++number) {
    Operation *op = result.ops[number].front();
    for (Value value : op->getResults())
      if (!result.batchAxes.canPassParts(value) || isBoundedIndex(value))
        for (Operation *user : value.getUsers())
          if (auto it = numberOf.find(user); it != numberOf.end())
            classes.unionSets(number, it->second);
    if (auto norm = dyn_cast<BatchNormOp>(op))
      for (Value statistic : {norm.getMean(), norm.getVariance()})
        classes.unionSets(normOf.try_emplace(statistic, number).first->second,
                          number);
  }
  // What is between two of a class joins it, until nothing is.
  for (bool changed = true; changed;) {
    changed = false;
    // The classes before each operator, by their leaders.
    std::vector<llvm::DenseSet<unsigned>> before(count);
    for (unsigned number = 0; number < count; ++number) {
      unsigned own = classes.getLeaderValue(number);
      for (unsigned operand : result.graph[number].operands) {
        unsigned other = classes.getLeaderValue(operand);
        if (other != own && before[operand].contains(own)) {
          classes.unionSets(own, other);
          changed = true;
        }
        before[number].insert(before[operand].begin(), before[operand].end());
        before[number].insert(other);
      }
    }
  }
  llvm::MapVector<unsigned, std::vector<unsigned>> groups;
  for (unsigned number = 0; number < count; ++number)
    groups[classes.getLeaderValue(number)].push_back(number);
  Groups found;
  for (auto &[leader, numbers] : groups)
    found.push_back(std::move(numbers));
  return found;
}

/// Merges small parts of a tree, and neighbours in series up to `limit`.
static void coarsen(const OperatorGraph &graph, const SeriesParallel &tree,
                    double limit, Groups &groups) {
  if (tree.parts.empty() ||
      getSecondsPerSample(graph, tree.operators) <= limit) {
    groups.push_back(tree.operators);
    return;
  }
  if (tree.kind == SeriesParallel::Kind::Parallel) {
    for (const SeriesParallel &part : tree.parts)
      coarsen(graph, part, limit, groups);
    return;
  }
  std::vector<unsigned> group;
  double seconds = 0;
  auto flush = [&] {
    if (!group.empty())
      groups.push_back(std::move(group));
    group.clear();
    seconds = 0;
  };
  for (const SeriesParallel &part : tree.parts) {
    double own = getSecondsPerSample(graph, part.operators);
    if (own > limit && !part.parts.empty()) {
      flush();
      coarsen(graph, part, limit, groups);
      continue;
    }
    if (seconds + own > limit && seconds > limit / 16)
      flush();
    llvm::append_range(group, part.operators);
    seconds += own;
  }
  flush();
}

void ModelBuilder::merge(Groups groups) {
  // Groups in the order in which all that they read is before them.
  std::vector<unsigned> groupOf(result.graph.size());
  for (auto [number, group] : llvm::enumerate(groups)) {
    llvm::sort(group);
    for (unsigned op : group)
      groupOf[op] = number;
  }
  std::vector<std::set<unsigned>> reads(groups.size());
  for (auto [number, node] : llvm::enumerate(result.graph))
    for (unsigned operand : node.operands)
      if (groupOf[operand] != groupOf[number])
        reads[groupOf[number]].insert(groupOf[operand]);
  std::vector<unsigned> order, place(groups.size(), ~0u);
  auto isReady = [&](unsigned group) {
    return llvm::all_of(reads[group],
                        [&](unsigned other) { return place[other] != ~0u; });
  };
  std::vector<unsigned> byFirst(groups.size());
  for (unsigned group = 0; group < groups.size(); ++group)
    byFirst[group] = group;
  llvm::sort(byFirst, [&](unsigned a, unsigned b) {
    return groups[a].front() < groups[b].front();
  });
  while (order.size() < groups.size()) {
    auto next = llvm::find_if(byFirst, [&](unsigned group) {
      return place[group] == ~0u && isReady(group);
    });
    assert(next != byFirst.end() && "expected convex groups");
    place[*next] = order.size();
    order.push_back(*next);
  }
  OperatorGraph merged;
  std::vector<std::vector<Operation *>> ops;
  for (unsigned group : order) {
    Operator sum;
    std::vector<Operation *> own;
    for (unsigned number : groups[group]) {
      const Operator &part = result.graph[number];
      sum.forward += part.forward;
      sum.backwardInput += part.backwardInput;
      sum.backwardWeight += part.backwardWeight;
      llvm::append_range(own, result.ops[number]);
    }
    for (unsigned other : reads[group])
      sum.operands.push_back(place[other]);
    llvm::sort(sum.operands);
    llvm::sort(
        own, [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
    merged.push_back(std::move(sum));
    ops.push_back(std::move(own));
  }
  result.graph = std::move(merged);
  result.ops = std::move(ops);
}

void ModelBuilder::finish() {
  llvm::DenseMap<Operation *, unsigned> numberOf;
  for (auto [number, ops] : llvm::enumerate(result.ops))
    for (Operation *op : ops)
      numberOf[op] = number;
  llvm::DenseMap<Operation *, std::vector<Operation *>> readers;
  for (const std::vector<Operation *> &ops : result.ops)
    for (Operation *op : ops)
      for (Operation *parameter : getParameters({op}))
        readers[parameter].push_back(op);
  // Parameters of several operators, in their order in the model.
  llvm::MapVector<Operation *, unsigned> shared;
  for (auto &[parameter, by] : readers) {
    unsigned first = numberOf.lookup(by.front());
    auto isOther = [&](Operation *op) { return numberOf.lookup(op) != first; };
    if (cast<ParameterOp>(parameter).isTrainable() && llvm::any_of(by, isOther))
      shared[parameter];
  }
  auto all = shared.takeVector();
  llvm::sort(all, [](const auto &a, const auto &b) {
    return a.first->isBeforeInBlock(b.first);
  });
  for (auto &[parameter, number] : all) {
    shared[parameter] = result.sharedParameters.size();
    result.sharedParameters.push_back(
        cast<ParameterOp>(parameter).getName().str());
  }
  // Each value is kept once: where it is computed, or by who reads an argument.
  llvm::DenseSet<Value> isSaved;
  std::set<std::pair<void *, unsigned>> isSavedInput;
  for (unsigned number = 0; number < result.ops.size(); ++number) {
    const std::vector<Operation *> &ops = result.ops[number];
    Operator &node = result.graph[number];
    for (Operation *op : ops) {
      costs->addWork(op, node);
      for (Value value : costs->getSaved(op)) {
        auto bytes =
            static_cast<int64_t>(costs->getBytesPerSample(value.getType()));
        auto it = numberOf.find(value.getDefiningOp());
        if (it != numberOf.end()) {
          if (isSaved.insert(value).second)
            result.graph[it->second].savedBytes += bytes;
        } else if (isSavedInput.insert({value.getAsOpaquePointer(), number})
                       .second) {
          node.savedBytes += bytes;
        }
      }
      for (Value value : op->getResults())
        if (llvm::any_of(value.getUsers(), [&](Operation *user) {
              auto it = numberOf.find(user);
              return it != numberOf.end() && it->second != number;
            }))
          node.resultBytes +=
              static_cast<int64_t>(costs->getBytesPerSample(value.getType()));
    }
    llvm::SetVector<Operation *> parameters = getParameters(ops);
    for (Operation *parameter : parameters) {
      auto bytes = static_cast<int64_t>(
          cost::CostModel(options.device)
              .getBytes(parameter->getResult(0).getType()));
      node.weightBytes += bytes;
      if (auto *it = shared.find(parameter); it != shared.end())
        node.sharedParameters.emplace_back(it->second, bytes);
      const std::vector<Operation *> &by = readers[parameter];
      for (auto [number, packed] : llvm::enumerate(node.packedBytes)) {
        double copies = 0, samples = std::exp2(number);
        for (Operation *reader : by)
          copies = std::max(copies, costs->countPackedCopies(reader, samples));
        packed += static_cast<int64_t>(copies * static_cast<double>(bytes));
      }
      if (options.device.device == Device::Cpu)
        node.largestWeightBytes = std::max(node.largestWeightBytes, bytes);
      // Gradients of a parameter that is read more than once are added as soon
      // as there are two. A product adds to the sum itself.
      int64_t count = by.size() > 1 ? 2 : isa<MatmulOp>(by.front()) ? 0 : 1;
      if (cast<ParameterOp>(parameter).isTrainable())
        node.gradientBytes = std::max(node.gradientBytes, count * bytes);
    }
    result.names.push_back(
        parameters.empty()
            ? ops.front()->getName().getStringRef().str()
            : cast<ParameterOp>(parameters.front()).getName().str());
  }
}

/// Each rank is given all inputs and outputs; GPUs have those of their tasks.
void ModelBuilder::countGiven() {
  if (options.device.device != Device::Cpu)
    return;
  double bytes = 0;
  auto add = [&](Value value) {
    double samples = result.batchAxes.hasSamples(value)
                         ? static_cast<double>(options.miniBatch)
                         : 1;
    bytes += samples * costs->getBytesPerSample(value.getType());
  };
  Block &body = model.getBody().front();
  llvm::for_each(body.getArguments(), add);
  llvm::for_each(body.getTerminator()->getOperands(), add);
  result.givenBytes = static_cast<int64_t>(bytes);
}

/// Names of parameters, types of what a sample has, and who reads whom.
void ModelBuilder::addDigest() {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto [number, node] : llvm::enumerate(result.graph)) {
    os << result.names[number] << " " << node.weightBytes << " "
       << node.resultBytes;
    for (unsigned operand : node.operands)
      os << " " << operand;
    for (Operation *op : result.ops[number])
      os << " " << op->getName() << " " << op->getResultTypes();
    os << "\n";
  }
  // 64 bits tell the models of a user apart.
  std::array<uint8_t, 32> hash =
      llvm::SHA256::hash(llvm::arrayRefFromStringRef(text));
  result.digest = llvm::toHex(ArrayRef(hash).take_front(8), /*LowerCase=*/true);
}

/// Operators are those of the roofline, so that a trace of a plan is of the
/// same ones, whatever its costs came from.
LogicalResult ModelBuilder::measure() {
  if (failed(costs->measure(model)))
    return failure();
  for (auto [node, ops] : llvm::zip(result.graph, result.ops)) {
    node.forward = node.backwardInput = node.backwardWeight = TaskCost();
    for (Operation *op : ops)
      costs->add(op, node);
  }
  return success();
}

FailureOr<ModelGraph> ModelBuilder::build() {
  if (!llvm::hasSingleElement(model.getBody()))
    return model.emitError("expected a body of one block");
  if (failed(findSamples()) || failed(checkSymbols()))
    return failure();
  costs.emplace(options, result.batchAxes, model.getBody().front());
  addOps();
  if (result.graph.empty())
    return model.emitError("expected an op that depends on samples");
  merge(mergeInseparable());
  SeriesParallel tree = decompose(result.graph);
  Groups groups;
  coarsen(result.graph, tree,
          options.leastShare *
              getSecondsPerSample(result.graph, tree.operators),
          groups);
  merge(std::move(groups));
  if (options.measure && failed(measure()))
    return failure();
  finish();
  countGiven();
  addDigest();
  return std::move(result);
}

FailureOr<ModelGraph>
tenon::parallelize::buildModelGraph(func::FuncOp model,
                                    const ModelOptions &options) {
  return ModelBuilder(model, options).build();
}
