//===- MeshRanks.cpp - programs of the ranks of a mesh --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function with a mesh becomes tasks and sums. The level of a value is the
// largest number of collectives on a path to it: a task computes all that has
// one level, and then collectives of this level add up, together if they are
// over the same axes.
//
//===----------------------------------------------------------------------===//

#include "RankEmitter.h"
#include "tenon/Dialect/Graph/IR/Compose.h"
#include "tenon/Dialect/Pipe/Transforms/Passes.h"
#include "tenon/Parallelize/PipeProgram.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

/// Each sum of each rank lists all its ranks.
static constexpr int64_t kMostRanks = 4096;

namespace {
/// The ops of one level, and their task.
struct Level {
  SmallVector<Operation *> ops;
  /// By axes.
  llvm::MapVector<ArrayAttr, SmallVector<graph::AllReduceOp>> sums;
  /// The values that the task reads, computes for later levels, and returns.
  llvm::SetVector<Value> inputs, kept;
  SmallVector<std::pair<unsigned, Value>> returned;
  func::FuncOp task;
};

class MeshEmitter {
public:
  explicit MeshEmitter(func::FuncOp function)
      : function(function), mesh(pipe::findMesh(function)),
        block(function.getBody().front()) {}

  LogicalResult emit();

private:
  LogicalResult checkTypes();
  void sortOps();
  void findValues();
  func::FuncOp addTask(unsigned number, SymbolTable &symbols);
  void addRanks(StringRef name);
  void addRank(program::RanksOp ranks, int64_t rank, ValueRange inputs,
               ValueRange outputs);

  unsigned getLevel(Value value) const { return levels.lookup(value); }
  /// Constants and parameters are computed where they are used.
  static bool isFree(Value value) {
    Operation *op = value.getDefiningOp();
    return op && op->getNumOperands() == 0;
  }
  /// As an input or output of the caller has it for one rank.
  static RankedTensorType getRow(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape = {1};
    llvm::append_range(shape, type.getShape());
    return RankedTensorType::get(shape, type.getElementType());
  }

  func::FuncOp function;
  pipe::MeshAttr mesh;
  Block &block;
  llvm::DenseMap<Value, unsigned> levels;
  std::vector<Level> list;
};
} // namespace

LogicalResult MeshEmitter::checkTypes() {
  if (failed(pipe::checkMeshFunction(function)))
    return failure();
  if (mesh.getNumPositions() > kMostRanks)
    return function.emitError() << "expected a mesh of at most " << kMostRanks
                                << " ranks, but got " << mesh.getNumPositions();
  for (BlockArgument argument : block.getArguments())
    if (!cast<RankedTensorType>(argument.getType()).hasStaticShape())
      return function.emitError()
             << "has a mesh; expected numbers as sizes of its inputs, but got "
             << argument.getType() << "; bind its symbols";
  for (Operation &op : block) {
    for (Type type : op.getResultTypes())
      if (!cast<RankedTensorType>(type).hasStaticShape())
        return op.emitOpError()
               << "expected numbers as sizes in a function with a mesh, but "
                  "got "
               << type << "; bind its symbols";
    auto collective = dyn_cast<graph::CollectiveInterface>(op);
    if (collective && !isa<graph::AllReduceOp>(op))
      return op.emitOpError("has no code for ranks");
    Type element =
        collective ? getElementTypeOrSelf(op.getResultTypes()[0]) : Type();
    if (collective && !element.isF32() && !element.isF64())
      return op.emitOpError() << "has code for f32 and f64 only, but got "
                              << op.getResultTypes()[0];
  }
  return success();
}

void MeshEmitter::sortOps() {
  for (Operation &op : block) {
    unsigned level = 0;
    for (Value operand : op.getOperands())
      level = std::max(level, getLevel(operand));
    if (list.size() <= level)
      list.resize(level + 1);
    auto sum = dyn_cast<graph::AllReduceOp>(op);
    if (sum)
      list[level].sums[sum.getAxes()].push_back(sum);
    else if (!isa<func::ReturnOp>(op))
      list[level].ops.push_back(&op);
    for (Value result : op.getResults())
      levels[result] = level + (sum ? 1 : 0);
  }
  unsigned last = 0;
  for (Value result : block.getTerminator()->getOperands())
    last = std::max(last, getLevel(result));
  list.resize(std::max<size_t>(list.size(), last + 1));
}

/// The values that each task reads, and later ones read of it.
void MeshEmitter::findValues() {
  auto read = [&](Level &level, unsigned number, Value value) {
    Operation *op = value.getDefiningOp();
    bool isSum = isa_and_nonnull<graph::AllReduceOp>(op);
    if (isFree(value) || (op && !isSum && getLevel(value) == number))
      return;
    level.inputs.insert(value);
    if (op && !isSum)
      list[getLevel(value)].kept.insert(value);
  };
  for (auto [number, value] :
       llvm::enumerate(block.getTerminator()->getOperands()))
    list[getLevel(value)].returned.push_back({number, value});
  for (auto [number, level] : llvm::enumerate(list)) {
    for (Operation *op : level.ops)
      if (op->getNumOperands() > 0)
        for (Value operand : op->getOperands())
          read(level, number, operand);
    for (auto &[axes, sums] : level.sums)
      for (graph::AllReduceOp sum : sums)
        read(level, number, sum.getX());
    for (auto [place, value] : level.returned)
      read(level, number, value);
  }
}

/// The task of a level. Its results are what is kept, then summed, then
/// returned.
func::FuncOp MeshEmitter::addTask(unsigned number, SymbolTable &symbols) {
  Level &level = list[number];
  OpBuilder builder(function.getContext());
  SmallVector<Type> inputs;
  for (Value value : level.inputs)
    inputs.push_back(isa<BlockArgument>(value) ? Type(getRow(value))
                                               : value.getType());
  auto task = func::FuncOp::create(
      function.getLoc(), (function.getName() + "." + Twine(number)).str(),
      builder.getFunctionType(inputs, {}));
  Block *body = task.addEntryBlock();
  builder.setInsertionPointToStart(body);
  graph::Compose compose(builder, function.getLoc());
  IRMapping mapping;
  for (auto [value, argument] :
       llvm::zip_equal(level.inputs, body->getArguments()))
    mapping.map(value, compose.reshape(argument, graph::getShape(value)));
  auto get = [&](Value value) {
    if (isFree(value) && !mapping.contains(value))
      builder.clone(*value.getDefiningOp(), mapping);
    return mapping.lookup(value);
  };
  for (Operation *op : level.ops) {
    if (op->getNumOperands() == 0)
      continue;
    for (Value operand : op->getOperands())
      get(operand);
    builder.clone(*op, mapping);
  }
  SmallVector<Value> results;
  for (Value value : level.kept)
    results.push_back(get(value));
  for (auto &[axes, sums] : level.sums)
    for (graph::AllReduceOp sum : sums)
      results.push_back(get(sum.getX()));
  for (auto [place, value] : level.returned)
    results.push_back(
        compose.reshape(get(value), graph::getShape(getRow(value))));
  func::ReturnOp::create(builder, function.getLoc(), results);
  task.setFunctionType(
      builder.getFunctionType(inputs, ValueRange(results).getTypes()));
  symbols.insert(task);
  return task;
}

void MeshEmitter::addRank(program::RanksOp ranks, int64_t rank,
                          ValueRange inputs, ValueRange outputs) {
  Location loc = function.getLoc();
  OpBuilder builder = OpBuilder::atBlockEnd(&ranks.getBody().front());
  auto op = program::RankOp::create(builder, loc, rank);
  OpBuilder buffers = OpBuilder::atBlockEnd(&op.getBody().emplaceBlock());
  auto run = program::RunOp::create(buffers, loc);
  buffers.setInsertionPoint(run);
  builder.setInsertionPointToEnd(&run.getBody().emplaceBlock());
  Type bufferType = program::BufferType::get(builder.getContext());
  Type tokenType = program::TokenType::get(builder.getContext());
  auto addPart = [&](Value whole, Value value) -> Value {
    return program::PartOp::create(buffers, loc, bufferType, whole, 0, rank,
                                   getRow(value));
  };
  llvm::DenseMap<Value, Value> held;
  auto hold = [&](Value value) {
    return held[value] =
               program::ArenaOp::create(buffers, loc, bufferType,
                                        cast<RankedTensorType>(value.getType()),
                                        0, 0, IntegerAttr(), StringAttr());
  };
  for (auto [argument, input] : llvm::zip_equal(block.getArguments(), inputs))
    if (!argument.use_empty())
      held[argument] = addPart(input, argument);
  int64_t group = 0;
  for (Level &level : list) {
    SmallVector<Value> given, made;
    for (Value value : level.inputs)
      given.push_back(held.lookup(value));
    for (Value value : level.kept)
      made.push_back(hold(value));
    SmallVector<SmallVector<Value>> summed;
    for (auto &[axes, sums] : level.sums) {
      summed.emplace_back();
      for (graph::AllReduceOp sum : sums)
        summed.back().push_back(hold(sum));
      llvm::append_range(made, summed.back());
    }
    for (auto [place, value] : level.returned)
      made.push_back(addPart(outputs[place], value));
    if (level.task)
      program::TaskOp::create(
          builder, loc, FlatSymbolRefAttr::get(level.task.getNameAttr()), given,
          made, IntegerAttr(), StringAttr(), DenseI64ArrayAttr(), FloatAttr());
    SmallVector<Value> tokens;
    for (auto [one, own] : llvm::zip_equal(level.sums, summed)) {
      SmallVector<int64_t> among = mesh.getGroup(rank, one.first);
      if (among.size() > 1)
        tokens.push_back(program::AllReduceOp::create(
            builder, loc, tokenType, /*mean=*/false, builder.getArrayAttr({}),
            own, among, 2 * group, group, IntegerAttr()));
      ++group;
    }
    if (!tokens.empty())
      program::WaitOp::create(builder, loc, tokens);
  }
  setLives(run);
}

void MeshEmitter::addRanks(StringRef name) {
  Location loc = function.getLoc();
  OpBuilder builder(function);
  auto ranks = program::RanksOp::create(builder, loc, name);
  builder.setInsertionPointToEnd(&ranks.getBody().emplaceBlock());
  Type buffer = program::BufferType::get(builder.getContext());
  auto getAll = [&](Value value) {
    SmallVector<int64_t> shape(getRow(value).getShape());
    shape.front() = mesh.getNumPositions();
    return getRow(value).clone(shape);
  };
  auto getName = [](Attribute stated, StringRef prefix, unsigned number) {
    auto name = dyn_cast_or_null<StringAttr>(stated);
    return name ? name.str() : (prefix + Twine(number)).str();
  };
  SmallVector<Value> inputs, outputs;
  for (auto [number, value] : llvm::enumerate(block.getArguments()))
    inputs.push_back(program::InputOp::create(
        builder, loc, buffer,
        getName(function.getArgAttr(number, "graph.name"), "arg", number),
        getAll(value), IntegerAttr()));
  for (auto [number, value] :
       llvm::enumerate(block.getTerminator()->getOperands()))
    outputs.push_back(program::OutputOp::create(
        builder, loc, buffer,
        getName(function.getResultAttr(number, "graph.name"), "result", number),
        getAll(value), StringAttr()));
  for (int64_t rank = 0; rank < mesh.getNumPositions(); ++rank)
    addRank(ranks, rank, inputs, outputs);
}

LogicalResult MeshEmitter::emit() {
  if (failed(checkTypes()))
    return failure();
  sortOps();
  findValues();
  SymbolTable symbols(function->getParentOfType<ModuleOp>());
  for (auto [number, level] : llvm::enumerate(list))
    if (!level.kept.empty() || !level.sums.empty() || !level.returned.empty())
      level.task = addTask(number, symbols);
  std::string name = function.getName().str();
  addRanks(name);
  function.erase();
  return success();
}

bool tenon::parallelize::hasMeshes(ModuleOp module) {
  return llvm::any_of(module.getOps<func::FuncOp>(), pipe::findMesh);
}

LogicalResult tenon::parallelize::emitMeshRanks(ModuleOp module) {
  auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
  pipe::MeshAttr first;
  for (func::FuncOp function : functions) {
    pipe::MeshAttr mesh = pipe::findMesh(function);
    if (!mesh)
      return function.emitError("has no mesh, as other functions have");
    if (first && mesh != first)
      return function.emitError() << "expected the mesh of the first function, "
                                  << first << ", but got " << mesh;
    first = mesh;
  }
  for (func::FuncOp function : functions)
    if (failed(MeshEmitter(function).emit()))
      return failure();
  return success();
}
