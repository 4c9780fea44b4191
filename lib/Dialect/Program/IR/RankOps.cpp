//===- RankOps.cpp - what ranks do together -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyBuffers.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Dialect/Graph/Transforms/IndexChecks.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::program;

SmallVector<RankOp> RanksOp::getRanks() {
  return llvm::to_vector(getBody().getOps<RankOp>());
}

RunOp RankOp::getRun() { return *getBody().getOps<RunOp>().begin(); }

//===----------------------------------------------------------------------===//
// Steps by themselves
//===----------------------------------------------------------------------===//

/// The op of the buffer, or of what it is a part of.
static Operation *getWhole(Value buffer) {
  if (auto part = buffer.getDefiningOp<PartOp>())
    return part.getWhole().getDefiningOp();
  return buffer.getDefiningOp();
}

LogicalResult PartOp::verify() {
  if (!isa<InputOp, OutputOp, ArenaOp>(getWhole().getDefiningOp()))
    return emitOpError("expected a part of an input, an output or a buffer of "
                       "the arena");
  RankedTensorType whole = getTensorType(getWhole());
  auto type = cast<RankedTensorType>(getType());
  auto axis = static_cast<int64_t>(getAxis());
  auto begin = static_cast<int64_t>(getBegin());
  bool fits = type.getElementType() == whole.getElementType() &&
              type.getRank() == whole.getRank() && axis >= 0 &&
              axis < type.getRank() && whole.hasStaticShape();
  for (int64_t i = 0; fits && i < type.getRank(); ++i)
    fits = i == axis ? begin >= 0 && begin <= whole.getDimSize(i) &&
                           type.getDimSize(i) <= whole.getDimSize(i) - begin
                     : type.getDimSize(i) == whole.getDimSize(i);
  if (!fits)
    return emitOpError() << "expected a part along axis " << axis << " from "
                         << begin << " on of " << whole << ", but got " << type;
  return success();
}

LogicalResult TaskOp::verify() {
  for (Value input : getInputs())
    if (!isa<InputOp, ArenaOp>(::getWhole(input)))
      return emitOpError("expected inputs of the arena or the caller");
  llvm::SmallPtrSet<Operation *, 16> used;
  for (Value input : getInputs())
    used.insert(::getWhole(input));
  for (Value output : getOutputs()) {
    if (!isa<OutputOp, ArenaOp>(::getWhole(output)))
      return emitOpError("expected outputs of the arena or the caller");
    if (!used.insert(::getWhole(output)).second)
      return emitOpError("writes a buffer that it reads, or one twice");
  }
  if (std::optional<ArrayRef<int64_t>> samples = getSamples();
      samples && samples->size() != 2)
    return emitOpError("expected two numbers as samples");
  if (getSeconds() && !(getSeconds()->convertToDouble() >= 0))
    return emitOpError("expected seconds of at least 0");
  return success();
}

LogicalResult AddOp::verify() {
  RankedTensorType type = getTensorType(getNumber());
  if (!getOutput().getDefiningOp<OutputOp>() ||
      isa<OutputOp>(::getWhole(getNumber())) ||
      type != getTensorType(getOutput()) || !type.hasStaticShape() ||
      type.getNumElements() != 1 || !isa<FloatType>(type.getElementType()))
    return emitOpError("expected a floating-point number, and an output of its "
                       "type");
  if (getSamples().size() != 2)
    return emitOpError("expected two numbers as samples");
  return success();
}

static LogicalResult verifyToken(Operation *op) {
  Value token = op->getResult(0);
  if (!token.hasOneUse())
    return op->emitOpError()
           << "expected one 'program.wait' for this transfer, but got "
           << llvm::range_size(token.getUses());
  if (token.getUsers().begin()->getBlock() != op->getBlock())
    return op->emitOpError("expected 'program.wait' in the same list of steps");
  return success();
}

static LogicalResult verifyNumber(Operation *op, StringRef name,
                                  uint64_t value) {
  if (value <= INT32_MAX / 2)
    return success();
  return op->emitOpError() << "expected a " << name << " from 0 to "
                           << INT32_MAX / 2 << ", but got "
                           << static_cast<int64_t>(value);
}

template <typename TransferOp>
static LogicalResult verifyTransfer(TransferOp op) {
  if (failed(verifyNumber(op, "rank", op.getRank())) ||
      failed(verifyNumber(op, "tag", op.getTag())) ||
      failed(verifyNumber(op, "group", op.getGroup())))
    return failure();
  if (!op.getBuffer().template getDefiningOp<ArenaOp>())
    return op.emitOpError("expected a buffer of the arena");
  return verifyToken(op);
}

LogicalResult SendOp::verify() { return verifyTransfer(*this); }
LogicalResult ReceiveOp::verify() { return verifyTransfer(*this); }

LogicalResult AllReduceOp::verify() {
  ArrayRef<int64_t> ranks = getRanks();
  if (ranks.size() < 2 || ranks.front() < 0 ||
      !std::is_sorted(ranks.begin(), ranks.end(), std::less_equal<>()))
    return emitOpError("expected two ranks or more, at least 0 and ascending");
  llvm::SmallPtrSet<void *, 16> summed;
  bool areDistinct = true;
  for (Attribute state : getStates())
    areDistinct &=
        summed.insert(const_cast<void *>(state.getAsOpaquePointer())).second;
  for (Value buffer : getBuffers()) {
    areDistinct &= summed.insert(buffer.getAsOpaquePointer()).second;
    Type element = getTensorType(buffer).getElementType();
    if (!buffer.getDefiningOp<ArenaOp>() ||
        (!element.isF32() && !element.isF64()))
      return emitOpError("expected buffers of the arena, of f32 or f64");
  }
  if (summed.empty() || !areDistinct)
    return emitOpError("expected states or buffers to sum, each of them once");
  if (failed(verifyNumber(*this, "tag", getTag())) ||
      failed(verifyNumber(*this, "group", getGroup())))
    return failure();
  return verifyToken(*this);
}

LogicalResult WaitOp::verify() {
  if (getTokens().empty())
    return emitOpError("expected a transfer to wait for");
  return success();
}

//===----------------------------------------------------------------------===//
// Programs of ranks
//===----------------------------------------------------------------------===//

static LogicalResult verifyRank(RankOp rank, int64_t numRanks) {
  unsigned numRuns = 0;
  for (Operation &op : rank.getBody().front()) {
    if (isa<RunOp>(op)) {
      if (++numRuns > 1)
        return op.emitOpError("must occur once in a rank");
      continue;
    }
    if (!isa<ArenaOp, PartOp>(op) || numRuns > 0)
      return op.emitOpError("is not allowed here in 'program.rank'");
    if (failed(verifyBuffer(&op)))
      return failure();
  }
  if (numRuns == 0)
    return rank.emitOpError("has no 'program.run'");
  auto number = static_cast<int64_t>(rank.getRank());
  unsigned numOpen = 0;
  for (Operation &op : rank.getRun().getBody().front()) {
    if (!isa<TaskOp, CopyOp, AddOp, SendOp, ReceiveOp, AllReduceOp, WaitOp,
             BarrierOp>(op))
      return op.emitOpError("is no step of a rank");
    std::optional<int64_t> peer;
    if (auto send = dyn_cast<SendOp>(op))
      peer = send.getRank();
    if (auto receive = dyn_cast<ReceiveOp>(op))
      peer = receive.getRank();
    if (peer && (*peer >= numRanks || *peer == number))
      return op.emitOpError() << "expected another of " << numRanks
                              << " ranks, but got " << *peer;
    if (auto sum = dyn_cast<AllReduceOp>(op))
      if (sum.getRanks().back() >= numRanks ||
          !llvm::is_contained(sum.getRanks(), number))
        return op.emitOpError() << "expected some of " << numRanks
                                << " ranks, rank " << number << " among them";
    if (auto copy = dyn_cast<CopyOp>(op))
      if (getTensorType(copy.getFrom()) != getTensorType(copy.getTo()) ||
          isa<InputOp>(getWhole(copy.getTo())) ||
          isa<OutputOp>(getWhole(copy.getFrom())))
        return op.emitOpError()
               << "can't copy " << getTensorType(copy.getFrom()) << " to "
               << getTensorType(copy.getTo());
    numOpen += op.getNumResults();
    if (auto wait = dyn_cast<WaitOp>(op))
      numOpen -= wait.getTokens().size();
    if (isa<BarrierOp>(op) && numOpen > 0)
      return op.emitOpError("expected no transfer on its way");
  }
  Block &buffers = rank.getBody().front();
  if (failed(verifyLifetimes(buffers, rank.getRun().getBody().front())))
    return failure();
  return verifyPlaces(buffers);
}

LogicalResult RanksOp::verifyRegions() {
  SmallVector<RankOp> ranks = getRanks();
  llvm::StringSet<> inputs, outputs;
  for (Operation &op : getBody().front()) {
    if (isa<RankOp>(op))
      continue;
    auto input = dyn_cast<InputOp>(op);
    auto output = dyn_cast<OutputOp>(op);
    if ((!input && !output) ||
        (!ranks.empty() && ranks.front()->isBeforeInBlock(&op)))
      return op.emitOpError("is not allowed here in 'program.ranks'");
    if (failed(verifyBuffer(&op)) ||
        failed(input ? insertName(inputs, input.getName(), &op)
                     : insertName(outputs, output.getName(), &op)))
      return failure();
    if (!getTensorType(op.getResult(0)).hasStaticShape())
      return op.emitOpError("expected constant sizes");
    if (input && input.getDonates())
      return op.emitOpError("can't donate its memory");
  }
  if (ranks.empty())
    return emitOpError("expected at least one rank");
  auto countBarriers = [](RankOp rank) {
    return llvm::range_size(rank.getRun().getBody().getOps<BarrierOp>());
  };
  for (auto [number, rank] : llvm::enumerate(ranks)) {
    if (rank.getRank() != number)
      return rank.emitOpError()
             << "expected rank " << number << ", but got " << rank.getRank();
    if (failed(verifyRank(rank, static_cast<int64_t>(ranks.size()))))
      return failure();
    if (countBarriers(rank) != countBarriers(ranks.front()))
      return rank.emitOpError("expected as many barriers as rank 0 has");
  }
  return success();
}

/// The types of a task's arguments and results, without those that are states.
static bool getTaskTypes(Operation *task, SmallVector<Type> &inputs,
                         SmallVector<Type> &outputs) {
  if (auto function = dyn_cast<func::FuncOp>(task)) {
    for (auto [number, type] : llvm::enumerate(function.getArgumentTypes()))
      if (!graph::getArgumentState(function, number))
        inputs.push_back(type);
    for (unsigned i = 0; i < graph::countUncheckedResults(function); ++i)
      if (!graph::getResultState(function, i))
        outputs.push_back(function.getResultTypes()[i]);
    return true;
  }
  auto entry = dyn_cast<EntryOp>(task);
  if (!entry)
    return false;
  for (Operation &op : entry.getBody().front()) {
    if (auto input = dyn_cast<InputOp>(op))
      inputs.push_back(input.getType());
    else if (auto output = dyn_cast<OutputOp>(op))
      outputs.push_back(output.getType());
  }
  return true;
}

static LogicalResult verifyTask(TaskOp op, Operation *task) {
  SmallVector<Type> inputs, outputs;
  if (!task || !getTaskTypes(task, inputs, outputs))
    return op.emitOpError()
           << "expected a task, but there is no " << op.getEntryAttr();
  auto check = [&](OperandRange buffers, ArrayRef<Type> types,
                   StringRef what) -> LogicalResult {
    if (buffers.size() != types.size())
      return op.emitOpError() << "expected " << types.size() << " " << what
                              << ", but got " << buffers.size();
    for (auto [number, buffer, type] : llvm::enumerate(buffers, types))
      if (getTensorType(buffer) != type)
        return op.emitOpError() << what << ": number " << number << " has type "
                                << getTensorType(buffer) << ", but "
                                << op.getEntryAttr() << " has " << type;
    return success();
  };
  return success(succeeded(check(op.getInputs(), inputs, "inputs")) &&
                 succeeded(check(op.getOutputs(), outputs, "outputs")));
}

/// The type of a state, or null.
static Type findStateType(Operation *parent, StringRef name,
                          SymbolTableCollection &symbols) {
  if (isa<ModuleOp>(parent)) {
    auto state = symbols.lookupSymbolIn<graph::StateOp>(
        parent, StringAttr::get(parent->getContext(), name));
    return state ? state.getTensorType() : Type();
  }
  for (auto state : cast<TargetOp>(parent).getBody().getOps<StateOp>())
    if (state.getName() == name)
      return state.getType();
  return {};
}

LogicalResult RanksOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *parent = getOperation()->getParentOp();
  llvm::StringMap<Type> states;
  for (RankOp rank : getRanks())
    for (Operation &op : rank.getRun().getBody().front()) {
      if (auto task = dyn_cast<TaskOp>(op))
        if (failed(verifyTask(
                task, symbols.lookupSymbolIn(parent, task.getEntryAttr()))))
          return failure();
      auto sum = dyn_cast<AllReduceOp>(op);
      if (!sum)
        continue;
      for (StringRef name : sum.getStates().getAsValueRange<StringAttr>()) {
        auto [type, isNew] = states.try_emplace(name);
        if (isNew)
          type->second = findStateType(parent, name, symbols);
        if (!type->second)
          return sum.emitOpError() << "there is no state '" << name << "'";
        Type element = getElementTypeOrSelf(type->second);
        if (!element.isF32() && !element.isF64())
          return sum.emitOpError() << "can't sum the state '" << name
                                   << "' of type " << type->second;
      }
    }
  return success();
}
