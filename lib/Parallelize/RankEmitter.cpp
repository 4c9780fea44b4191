//===- RankEmitter.cpp - the program of one rank --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankEmitter.h"
#include "RankText.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Dialect/Pipe/Transforms/Passes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

RankEmitter::RankEmitter(const PlannedStages &plan, const StageLoss &loss,
                         CalledEntry entry, SymbolTable &tasks,
                         program::RanksOp ranks, unsigned rank)
    : plan(plan), loss(loss), entry(entry), tasks(tasks), ranks(ranks),
      rank(rank), builder(ranks.getContext()),
      bufferType(program::BufferType::get(ranks.getContext())),
      tokenType(program::TokenType::get(ranks.getContext())) {
  for (Operation &buffer : ranks.getBody().front()) {
    if (isa<program::InputOp>(buffer))
      inputs.push_back(buffer.getResult(0));
    else if (isa<program::OutputOp>(buffer))
      outputs.push_back(buffer.getResult(0));
  }
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

Value RankEmitter::addArena(RankedTensorType type) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(run);
  return program::ArenaOp::create(builder, ranks.getLoc(), bufferType, type, 0,
                                  0, IntegerAttr(), StringAttr());
}

/// Indices of the axis from `begin` on, as many as the type has; the whole if
/// there is no axis.
Value RankEmitter::getPart(Value whole, std::optional<unsigned> axis,
                           int64_t begin, RankedTensorType type) {
  if (!axis || program::getTensorType(whole) == type)
    return whole;
  Value &part =
      parts[{whole.getAsOpaquePointer(), begin, type.getDimSize(*axis)}];
  if (part)
    return part;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(run);
  return part = program::PartOp::create(builder, ranks.getLoc(), bufferType,
                                        whole, *axis, begin, type);
}

void RankEmitter::copy(Value value, const Piece &piece, int64_t begin,
                       int64_t end, Value target) {
  int64_t from = std::max(piece.begin, begin), to = std::min(piece.end, end);
  if (from >= to)
    return;
  waitForReceive(piece.buffer);
  graph::SampleAxis samples = *plan.samples.get(value);
  int64_t rows = *samples.rows.getConstant();
  RankedTensorType type = plan.bind(value.getType(), to - from);
  Value source =
      getPart(piece.buffer, samples.axis, (from - piece.begin) * rows, type);
  program::CopyOp::create(
      builder, ranks.getLoc(), "samples", source,
      getPart(target, samples.axis, (from - begin) * rows, type));
}

/// Returns a buffer with the samples [begin, end) of a stream; null if it lacks
/// some.
Value RankEmitter::assemble(const Stream &stream, Value value, int64_t begin,
                            int64_t end) {
  const std::vector<Piece> &pieces = streams[stream];
  int64_t covered = 0;
  // The last one: of a value without samples, it is the newest.
  for (const Piece &piece : llvm::reverse(pieces)) {
    if ((piece.begin == begin && piece.end == end) ||
        !plan.samples.get(value)) {
      waitForReceive(piece.buffer);
      return piece.buffer;
    }
    covered += std::max<int64_t>(0, std::min(piece.end, end) -
                                        std::max(piece.begin, begin));
  }
  if (covered != end - begin)
    return {};
  Value target = addArena(plan.bind(value.getType(), end - begin));
  for (const Piece &piece : pieces)
    copy(value, piece, begin, end, target);
  streams[stream].push_back({begin, end, target});
  return target;
}

/// From the first to the last step that uses each buffer.
void parallelize::setLives(program::RunOp run) {
  llvm::DenseSet<Operation *> seen;
  auto use = [&](Value buffer, int64_t number) {
    auto arena = getWhole(buffer).getDefiningOp<program::ArenaOp>();
    if (!arena)
      return;
    if (seen.insert(arena).second)
      arena.setFirst(number);
    arena.setLast(number);
  };
  for (auto [number, step] : llvm::enumerate(run.getBody().front()))
    for (Value operand : step.getOperands()) {
      if (!isa<program::TokenType>(operand.getType()))
        use(operand, number);
      else
        for (Value buffer : operand.getDefiningOp()->getOperands())
          use(buffer, number);
    }
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

Value RankEmitter::getOperand(const Step &step, OpOperand &operand) {
  Value value = operand.get();
  std::optional<graph::SampleAxis> samples = plan.samples.get(value);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    int64_t rows = samples ? *samples->rows.getConstant() : 1;
    return getPart(inputs[argument.getArgNumber()],
                   samples ? std::optional(samples->axis) : std::nullopt,
                   step.begin * rows,
                   plan.bind(value.getType(), step.end - step.begin));
  }
  int64_t link = plan.findLink(operand);
  if (link >= 0)
    return assemble({Stream::LinkValue, link}, value, step.begin, step.end);
  auto result = cast<OpResult>(value);
  return assemble({Stream::Value, plan.getNumber(result.getOwner()),
                   int64_t(result.getResultNumber())},
                  value, step.begin, step.end);
}

/// Returns null if no step has given it.
Value RankEmitter::getInput(const Step &step, StringRef name) {
  unsigned number = step.task.stage;
  auto key = std::tuple(number, step.begin, name.str());
  if (auto it = known.find(key); it != known.end()) {
    waitForReceive(it->second);
    return it->second;
  }
  pipe::StageOp stage = plan.model.stages[number];
  for (OpOperand &operand : stage->getOpOperands())
    if (pipe::getValueName(operand.get()) == name)
      return known[key] = getOperand(step, operand);
  bool isJudged = loss.judged && loss.judged.getOwner() == stage;
  if (isJudged && loss.target && name == "target") {
    int64_t rows = *loss.samples.rows.getConstant();
    SmallVector<int64_t> shape(loss.target.getShape());
    shape[loss.samples.axis] = rows * (step.end - step.begin);
    return getPart(inputs.back(), loss.samples.axis, step.begin * rows,
                   loss.target.clone(shape));
  }
  // From a reader of a result.
  for (OpResult result : stage->getResults()) {
    std::string begin = "gradient." + pipe::getValueName(result) + ".";
    unsigned reader;
    if (!name.starts_with(begin) ||
        name.drop_front(begin.size()).getAsInteger(10, reader))
      continue;
    Reader from = getReaders(result)[reader];
    int64_t link = plan.findLink(from.stage->getOpOperand(from.operand));
    Stream stream = link >= 0
                        ? Stream{Stream::LinkGradient, link}
                        : Stream{Stream::Gradient, plan.getNumber(from.stage),
                                 from.operand};
    return known[key] = assemble(stream, result, step.begin, step.end);
  }
  return {};
}

void RankEmitter::addOutput(const Step &step, StringRef name, Value buffer) {
  unsigned number = step.task.stage;
  pipe::StageOp stage = plan.model.stages[number];
  int64_t begin = step.begin, end = step.end;
  for (OpResult result : stage->getResults())
    if (pipe::getValueName(result) == name)
      streams[{Stream::Value, number, int64_t(result.getResultNumber())}]
          .push_back({begin, end, buffer});
  bool isJudged = loss.judged && loss.judged.getOwner() == stage;
  // The losses of training have their weights already.
  if (isJudged && name == differentiate::kTaskLoss)
    addToOutput(step, buffer, outputs.front(),
                entry == CalledEntry::Train ? graph::Pooling::Sum
                                            : loss.pooling);
  StringRef operandName = name;
  if (operandName.consume_front("gradient.")) {
    for (OpOperand &operand : stage->getOpOperands())
      if (pipe::getValueName(operand.get()) == operandName)
        streams[{Stream::Gradient, number, operand.getOperandNumber()}]
            .push_back({begin, end, buffer});
    return;
  }
  known[{number, begin, name.str()}] = buffer;
}

void RankEmitter::addToOutput(const Step &step, Value number, Value output,
                              graph::Pooling pooling) {
  FloatAttr weight;
  if (pooling == graph::Pooling::Mean)
    weight = builder.getF64FloatAttr(
        graph::getWeight(pooling, step.end - step.begin, plan.getMiniBatch()));
  program::AddOp::create(builder, number.getLoc(), number, output,
                         ArrayRef<int64_t>{step.begin, step.end}, weight);
}

/// Gives results that are outputs of the program to the caller.
void RankEmitter::giveOutputs(const Step &step) {
  pipe::StageOp stage = plan.model.stages[step.task.stage];
  Operation *end = stage->getBlock()->getTerminator();
  for (auto [number, value] : llvm::enumerate(end->getOperands())) {
    auto result = dyn_cast<OpResult>(value);
    if (!result || result.getOwner() != stage)
      continue;
    std::optional<graph::SampleAxis> samples = plan.samples.get(value);
    Value source =
        known[{step.task.stage, step.begin, pipe::getValueName(result)}];
    RankedTensorType type = plan.bind(value.getType(), step.end - step.begin);
    if (std::optional<graph::Pooling> pooling =
            plan.samples.getPooling(value)) {
      addToOutput(step, source, outputs[number], *pooling);
      continue;
    }
    if (!samples) {
      // All ranks of the stage have it.
      if (*llvm::min_element(stage.getRanks()) != int64_t(rank))
        continue;
      program::CopyOp::create(builder, stage.getLoc(), "output", source,
                              outputs[number]);
      continue;
    }
    int64_t rows = *samples->rows.getConstant(),
            blocks = *samples->outer.getConstant(),
            size = (step.end - step.begin) * rows;
    SmallVector<int64_t> shape(type.getShape());
    shape[samples->axis] = size;
    for (int64_t block = 0; block < blocks; ++block)
      program::CopyOp::create(
          builder, stage.getLoc(), "output",
          getPart(source, samples->axis, block * size, type.clone(shape)),
          getPart(outputs[number], samples->axis,
                  (block * plan.getMiniBatch() + step.begin) * rows,
                  type.clone(shape)));
  }
}

double RankEmitter::getSeconds(const Task &task, StringRef kind) const {
  TaskSeconds seconds =
      plan.model.pipeline.getSeconds(task.stage, task.microBatch);
  return kind == "backward" ? seconds.backwardInput + seconds.backwardWeight
         : kind == "backward_input"  ? seconds.backwardInput
         : kind == "backward_weight" ? seconds.backwardWeight
                                     : seconds.forward;
}

LogicalResult RankEmitter::addTask(const Step &step, StringRef kind) {
  unsigned number = step.task.stage;
  pipe::StageOp stage = plan.model.stages[number];
  auto function = tasks.lookup<func::FuncOp>(
      plan.getTaskName(number, kind, step.end - step.begin));
  // It has nothing to do.
  if (!function)
    return success();
  bool isBackward = kind.starts_with("backward");
  if (isBackward)
    waitForSends(step);
  auto getName = [](StringAttr name) { return name ? name.getValue() : ""; };
  SmallVector<Value> given, made;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    StringRef name =
        getName(function.getArgAttrOfType<StringAttr>(i, "graph.name"));
    Value buffer = getInput(step, name);
    if (!buffer)
      return stage.emitError()
             << "rank " << rank << ": no step before task '" << kind
             << "' of samples " << step.begin << " to " << step.end - 1
             << " of stage '" << stage.getName() << "' gives '" << name << "'";
    given.push_back(buffer);
  }
  for (Type type : function.getResultTypes())
    made.push_back(addArena(cast<RankedTensorType>(type)));
  auto task = program::TaskOp::create(
      builder, stage.getLoc(), FlatSymbolRefAttr::get(function.getNameAttr()),
      given, made, builder.getI64IntegerAttr(number),
      builder.getStringAttr(isBackward ? kind : "forward"),
      builder.getDenseI64ArrayAttr({step.begin, step.end}),
      builder.getF64FloatAttr(getSeconds(step.task, kind)));
  taskOps.push_back(task);
  for (auto [i, buffer] : llvm::enumerate(made))
    addOutput(
        step,
        getName(function.getResultAttrOfType<StringAttr>(i, "graph.name")),
        buffer);
  if (entry == CalledEntry::Predict)
    giveOutputs(step);
  return success();
}

LogicalResult RankEmitter::addCompute(const Step &step) {
  TaskKind kind = step.task.kind;
  if (entry != CalledEntry::Train) {
    if (kind != TaskKind::Forward)
      return success();
    bool isJudged =
        entry == CalledEntry::Evaluate &&
        loss.judged.getOwner() == plan.model.stages[step.task.stage];
    return addTask(step, isJudged ? "evaluate" : "predict");
  }
  // Where some backward tasks are two, all are.
  if (kind == TaskKind::Backward && plan.splitsBackward[step.task.stage])
    return success(succeeded(addTask(step, getName(TaskKind::BackwardInput))) &&
                   succeeded(addTask(step, getName(TaskKind::BackwardWeight))));
  return addTask(step, getName(kind));
}

LogicalResult RankEmitter::addStep(const Step &step) {
  if (step.kind == Step::Kind::Compute)
    return addCompute(step);
  if (step.kind == Step::Kind::Group)
    addTransfers(step);
  else if (entry == CalledEntry::Train)
    addSums(step.task.stage);
  return success();
}

LogicalResult RankEmitter::emit() {
  builder.setInsertionPointToEnd(&ranks.getBody().front());
  op = program::RankOp::create(builder, ranks.getLoc(), rank);
  builder.setInsertionPointToEnd(&op.getBody().emplaceBlock());
  run = program::RunOp::create(builder, ranks.getLoc());
  builder.setInsertionPointToEnd(&run.getBody().emplaceBlock());
  for (const Step &step : plan.programs[rank])
    if (failed(addStep(step)))
      return failure();
  bool trains = entry == CalledEntry::Train;
  if (trains)
    addSharedSums();
  waitForAll();
  if (trains)
    addNorm();
  if (trains)
    addUpdate();
  setLives(run);
  return success();
}
