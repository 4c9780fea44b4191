//===- BuildPipeProgram.cpp - a model as stages ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Parallelize/PipeProgram.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

namespace {
class ProgramBuilder {
public:
  ProgramBuilder(func::FuncOp model, const ModelGraph &graph,
                 const Evaluation &plan, const Cluster &cluster,
                 const TrainingOptions &options)
      : model(model), graph(graph), plan(plan), cluster(cluster),
        options(options), builder(model) {}

  FailureOr<pipe::ProgramOp> build();

private:
  void assignStages();
  LogicalResult checkResults();
  /// The stage that reads each parameter, by its name.
  llvm::StringMap<unsigned> getParameterStages();
  void numberRanks();
  pipe::MeshAttr getMesh();
  DenseI64ArrayAttr getDevices();
  pipe::ProgramOp createProgram();
  LogicalResult createStage(unsigned number);
  /// What a stage reads for a value of the model: an argument of the program or
  /// the result of a stage, through a channel.
  FailureOr<Value> getSource(Value value, unsigned stage);
  /// The ops that a stage computes, in the order of the model, and the values
  /// that it reads.
  void collect(unsigned number, llvm::SetVector<Operation *> &ops,
               llvm::SetVector<Value> &inputs);
  SmallVector<Value> getOutputs(unsigned number);

  func::FuncOp model;
  const ModelGraph &graph;
  const Evaluation &plan;
  const Cluster &cluster;
  const TrainingOptions &options;
  OpBuilder builder;
  pipe::ProgramOp program;
  /// The stage of each op with samples, and of shared ones that are returned.
  llvm::DenseMap<Operation *, unsigned> stageOf;
  llvm::DenseMap<unsigned, int64_t> rankOf;
  llvm::DenseMap<Value, Value> results;
};
} // namespace

void ProgramBuilder::assignStages() {
  for (auto [number, stage] : llvm::enumerate(plan.plan))
    for (unsigned op : stage.operators)
      for (Operation *part : graph.ops[op])
        stageOf[part] = number;
}

/// An op without samples, and those that it reads.
static llvm::SetVector<Operation *> getSharedOps(Operation *op) {
  llvm::SetVector<Operation *> ops;
  ops.insert(op);
  for (size_t number = 0; number < ops.size(); ++number)
    for (Value operand : ops[number]->getOperands())
      if (Operation *defining = operand.getDefiningOp())
        ops.insert(defining);
  return ops;
}

llvm::StringMap<unsigned> ProgramBuilder::getParameterStages() {
  llvm::StringMap<unsigned> stages;
  for (unsigned number = 0; number < plan.plan.size(); ++number) {
    llvm::SetVector<Operation *> ops;
    llvm::SetVector<Value> inputs;
    collect(number, ops, inputs);
    for (Operation *op : ops)
      if (auto parameter = dyn_cast<graph::ParameterOp>(op))
        stages[parameter.getName()] = number;
  }
  return stages;
}

LogicalResult ProgramBuilder::checkResults() {
  Operation *end = model.getBody().front().getTerminator();
  llvm::StringMap<unsigned> readers = getParameterStages();
  for (Value value : end->getOperands()) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return end->emitOpError("can't be cut: it returns an argument");
    if (stageOf.count(op))
      continue;
    // What has no samples is computed by the stage that has its parameters, so
    // that no second one has them.
    unsigned stage = 0;
    for (Operation *part : getSharedOps(op))
      if (auto parameter = dyn_cast<graph::ParameterOp>(part))
        if (auto it = readers.find(parameter.getName()); it != readers.end())
          stage = it->second;
    stageOf[op] = stage;
  }
  return success();
}

/// Devices without a stage are no ranks.
void ProgramBuilder::numberRanks() {
  std::set<unsigned> devices;
  for (const PlannedStage &stage : plan.plan)
    devices.insert(stage.devices.begin(), stage.devices.end());
  for (auto [rank, device] : llvm::enumerate(devices))
    rankOf[device] = static_cast<int64_t>(rank);
}

/// Nodes of devices; if the devices are one node, an axis of these.
pipe::MeshAttr ProgramBuilder::getMesh() {
  SmallVector<StringAttr> names;
  SmallVector<int64_t> sizes;
  SmallVector<double> seconds, bandwidth;
  auto addAxis = [&](StringRef name, unsigned size, const Cluster::Wire &wire) {
    names.push_back(builder.getStringAttr(name));
    sizes.push_back(size);
    seconds.push_back(wire.latency);
    bandwidth.push_back(wire.bytesPerSecond);
  };
  if (cluster.count > cluster.perNode)
    addAxis("node", llvm::divideCeil(cluster.count, cluster.perNode),
            cluster.between);
  addAxis("device", std::min(cluster.count, cluster.perNode), cluster.inside);
  SmallVector<int64_t> memory = {cluster.memoryBytes};
  if (!cluster.devices.empty()) {
    int64_t count = 1;
    for (int64_t size : sizes)
      count *= size;
    // The last node may have fewer devices than its positions.
    memory.assign(count, cluster.getMostMemory());
    for (unsigned device = 0; device < cluster.count; ++device)
      memory[device] = cluster.devices[device].memoryBytes;
  }
  return pipe::MeshAttr::get(builder.getContext(), names, sizes,
                             builder.getDenseI64ArrayAttr(memory),
                             builder.getDenseF64ArrayAttr(seconds),
                             builder.getDenseF64ArrayAttr(bandwidth));
}

DenseI64ArrayAttr ProgramBuilder::getDevices() {
  SmallVector<int64_t> devices(rankOf.size());
  for (auto [device, rank] : rankOf)
    devices[rank] = device;
  return builder.getDenseI64ArrayAttr(devices);
}

pipe::ProgramOp ProgramBuilder::createProgram() {
  auto getNames = [&](unsigned count, StringRef kind, auto getAttr) {
    SmallVector<StringRef> names;
    SmallVector<std::string> made;
    made.reserve(count);
    for (unsigned number = 0; number < count; ++number) {
      auto name = dyn_cast_or_null<StringAttr>(getAttr(number));
      made.push_back(name ? name.str() : (kind + Twine(number)).str());
      names.push_back(made.back());
    }
    return builder.getStrArrayAttr(names);
  };
  ArrayAttr inputs =
      getNames(model.getNumArguments(), "input.", [&](unsigned number) {
        return model.getArgAttr(number, "graph.name");
      });
  ArrayAttr outputs =
      getNames(model.getNumResults(), "output.", [&](unsigned number) {
        return model.getResultAttr(number, "graph.name");
      });
  auto created = pipe::ProgramOp::create(
      builder, model.getLoc(), model.getSymNameAttr(),
      builder.getTypeArrayAttr(model.getResultTypes()), inputs, outputs,
      builder.getI64IntegerAttr(static_cast<int64_t>(rankOf.size())),
      builder.getI64IntegerAttr(options.miniBatch),
      options.forwardOnly ? UnitAttr() : builder.getUnitAttr(),
      /*train=*/StringAttr(),
      options.forwardOnly ? FloatAttr()
                          : builder.getF64FloatAttr(options.stateFactor),
      getMesh(), getDevices(), builder.getStringAttr(graph.digest));
  Block &body = created.getBody().emplaceBlock();
  for (BlockArgument argument : model.getArguments())
    body.addArgument(argument.getType(), argument.getLoc());
  return created;
}

void ProgramBuilder::collect(unsigned number, llvm::SetVector<Operation *> &ops,
                             llvm::SetVector<Value> &inputs) {
  SmallVector<Operation *> todo;
  for (Operation &op : model.getBody().front())
    if (auto it = stageOf.find(&op); it != stageOf.end())
      if (it->second == number)
        todo.push_back(&op);
  llvm::SetVector<Operation *> found(todo.begin(), todo.end());
  while (!todo.empty()) {
    Operation *op = todo.pop_back_val();
    for (Value operand : op->getOperands()) {
      Operation *defining = operand.getDefiningOp();
      bool isComputed = defining && (!graph.batchAxes.hasSamples(operand) ||
                                     stageOf.lookup(defining) == number);
      if (isComputed) {
        if (found.insert(defining))
          todo.push_back(defining);
      } else {
        inputs.insert(operand);
      }
    }
  }
  SmallVector<Operation *> sorted(found.begin(), found.end());
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  ops.insert(sorted.begin(), sorted.end());
}

/// Values that another stage reads, or the model returns.
SmallVector<Value> ProgramBuilder::getOutputs(unsigned number) {
  SmallVector<Value> outputs;
  for (Operation &op : model.getBody().front()) {
    auto it = stageOf.find(&op);
    if (it == stageOf.end() || it->second != number)
      continue;
    for (Value value : op.getResults()) {
      bool isRead = llvm::any_of(value.getUsers(), [&](Operation *user) {
        if (user->hasTrait<OpTrait::IsTerminator>())
          return true;
        auto other = stageOf.find(user);
        return graph.batchAxes.hasSamples(value) && other != stageOf.end() &&
               other->second != number;
      });
      if (isRead)
        outputs.push_back(value);
    }
  }
  return outputs;
}

FailureOr<Value> ProgramBuilder::getSource(Value value, unsigned stage) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return Value(program.getBody().getArgument(argument.getArgNumber()));
  graph::SampleAxis samples = *graph.batchAxes.get(value);
  std::optional<int64_t> rows = samples.rows.getConstant();
  if (!rows)
    return value.getDefiningOp()->emitOpError()
           << "can't be cut behind: each sample has " << samples.rows.str()
           << " rows, which is no number";
  unsigned from = stageOf.lookup(value.getDefiningOp());
  return pipe::ChannelOp::create(builder, value.getLoc(), value.getType(),
                                 results.lookup(value), samples.axis, *rows,
                                 plan.plan[from].microBatch,
                                 plan.plan[stage].microBatch)
      .getResult();
}

LogicalResult ProgramBuilder::createStage(unsigned number) {
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<Value> inputs;
  collect(number, ops, inputs);
  SmallVector<Value> operands, outputs = getOutputs(number);
  SmallVector<Type> types;
  for (Value input : inputs) {
    FailureOr<Value> source = getSource(input, number);
    if (failed(source))
      return failure();
    operands.push_back(*source);
  }
  for (Value output : outputs)
    types.push_back(output.getType());
  const PlannedStage &planned = plan.plan[number];
  const Stage &times = plan.pipeline.stages[number];
  int64_t saved = 0;
  for (unsigned op : planned.operators)
    saved += graph.graph[op].savedBytes;
  SmallVector<int64_t> ranks;
  for (unsigned device : planned.devices)
    ranks.push_back(rankOf.lookup(device));
  SmallVector<double> seconds = {times.forward, times.backwardInput,
                                 times.backwardWeight};
  if (times.last)
    seconds.append({times.last->forward, times.last->backwardInput,
                    times.last->backwardWeight});
  auto getFlag = [&](bool flag) {
    return flag ? builder.getUnitAttr() : UnitAttr();
  };
  auto stage = pipe::StageOp::create(
      builder, model.getLoc(), types,
      builder.getStringAttr("s" + Twine(number)),
      builder.getDenseI64ArrayAttr(ranks),
      builder.getI64IntegerAttr(planned.microBatch),
      builder.getI64IntegerAttr(planned.k), getFlag(planned.recompute),
      getFlag(planned.offload), getFlag(planned.eager),
      builder.getDenseF64ArrayAttr(seconds), builder.getI64IntegerAttr(saved),
      builder.getDenseI64ArrayAttr(
          llvm::to_vector_of<int64_t>(ArrayRef<unsigned>(planned.operators))),
      operands);
  Block &body = stage.getBody().emplaceBlock();
  IRMapping mapping;
  for (Value input : inputs)
    mapping.map(input, body.addArgument(input.getType(), input.getLoc()));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&body);
  for (Operation *op : ops)
    builder.clone(*op, mapping);
  SmallVector<Value> yielded;
  for (auto [output, result] : llvm::zip(outputs, stage.getResults())) {
    yielded.push_back(mapping.lookup(output));
    results[output] = result;
  }
  pipe::YieldOp::create(builder, model.getLoc(), yielded);
  return success();
}

FailureOr<pipe::ProgramOp> ProgramBuilder::build() {
  assignStages();
  if (failed(checkResults()))
    return failure();
  numberRanks();
  program = createProgram();
  builder.setInsertionPointToStart(&program.getBody().front());
  for (unsigned number = 0; number < plan.plan.size(); ++number)
    if (failed(createStage(number))) {
      program.erase();
      return failure();
    }
  SmallVector<Value> returned;
  for (Value value : model.getBody().front().getTerminator()->getOperands())
    returned.push_back(results.lookup(value));
  pipe::YieldOp::create(builder, model.getLoc(), returned);
  return program;
}

FailureOr<pipe::ProgramOp> tenon::parallelize::buildPipeProgram(
    func::FuncOp model, const ModelGraph &graph, const Evaluation &plan,
    const Cluster &cluster, const TrainingOptions &options) {
  return ProgramBuilder(model, graph, plan, cluster, options).build();
}
