//===- RankSteps.cpp - what the steps of ranks do -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankRunner.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::ranks;

//===----------------------------------------------------------------------===//
// Messages and sums
//===----------------------------------------------------------------------===//

bool Runner::fetch(Operation *send) {
  if (!done.insert(send).second)
    return true;
  llvm::erase(pending, send);
  std::string what;
  std::optional<Bytes> bytes = memory.fetch(getRank(send), send, what);
  if (!bytes)
    return fail(send, what);
  fetched[send] = std::move(*bytes);
  return true;
}

bool Runner::store(Operation *receive) {
  if (!done.insert(receive).second)
    return true;
  llvm::erase(pending, receive);
  Operation *send = channels.getPartners(receive).front();
  if (!fetch(send))
    return false;
  memory.store(getRank(receive), receive, fetched[send]);
  return true;
}

/// Adds the states in the order of the ranks, and gives each the result.
void Runner::sum(program::AllReduceOp op) {
  if (!done.insert(op).second)
    return;
  llvm::erase(pending, op.getOperation());
  for (Operation *partner : channels.getPartners(op)) {
    done.insert(partner);
    llvm::erase(pending, partner);
  }
  for (StringRef name : op.getStates().getAsValueRange<StringAttr>()) {
    RankedTensorType type = all.front().states.lookup(name).getType();
    Tensor made = *Tensor::allocate(type.getElementType(), type.getShape());
    for (int64_t i = 0; i < made.getNumElements(); ++i) {
      double value = 0;
      for (int64_t rank : op.getRanks())
        value += all[rank].states.find(name)->second.data()[i].number;
      made.data()[i].number =
          op.getMean() ? value / static_cast<double>(op.getRanks().size())
                       : value;
    }
    for (int64_t rank : op.getRanks())
      all[rank].states[name] = made;
  }
}

/// In MPI, a message of a sum must not be taken for that of another step. A sum
/// uses two tags.
bool Runner::hasFreeTags(const Rank &rank, Operation *step) {
  auto getTags = [](Operation *op) {
    auto tag = cast<IntegerAttr>(op->getAttr("tag")).getInt();
    return std::pair(tag, tag + isa<program::AllReduceOp>(op));
  };
  auto [first, last] = getTags(step);
  for (Operation *other : rank.open) {
    auto [begin, end] = getTags(other);
    bool isSum =
        isa<program::AllReduceOp>(step) || isa<program::AllReduceOp>(other);
    if (!isSum || last < begin || end < first)
      continue;
    for (Operation *one : channels.getPartners(step))
      for (Operation *its : channels.getPartners(other))
        if (one && its && getRank(one) == getRank(its))
          return false;
  }
  return true;
}

bool Runner::begin(unsigned number, Operation *step) {
  Rank &rank = all[number];
  std::string what;
  if (mode == Channels::Tags && !hasFreeTags(rank, step))
    return fail(step, "uses a tag that is in use");
  if (auto sum = dyn_cast<program::AllReduceOp>(step)) {
    llvm::StringSet<> own;
    for (StringRef name : sum.getStates().getAsValueRange<StringAttr>())
      if (!mayChange(number, name, /*isWrite=*/true, what) ||
          !own.insert(name).second)
        return fail(step, "sums a state that is in use");
  } else if (!memory.beginUse(number, step, what)) {
    return fail(step, what);
  }
  rank.open.push_back(step);
  barriersAtRisk = std::max(barriersAtRisk, rank.numBarriers);
  if (auto receive = dyn_cast<program::ReceiveOp>(step))
    ofCallers.insert(receive.getBuffer());
  if (mode == Channels::Tags) {
    begun.insert(step);
    pending.push_back(step);
  }
  return true;
}

bool Runner::await(unsigned number, Operation *step) {
  if (auto op = dyn_cast<program::AllReduceOp>(step))
    sum(op);
  else if (!(isa<program::SendOp>(step) ? fetch(step) : store(step)))
    return false;
  memory.endUse(step);
  llvm::erase(all[number].open, step);
  return true;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Whether a task or a sum may use a state.
bool Runner::mayChange(unsigned number, StringRef state, bool isWrite,
                       std::string &what) {
  Rank &rank = all[number];
  for (Operation *step : rank.open)
    if (auto sum = dyn_cast<program::AllReduceOp>(step))
      for (StringRef name : sum.getStates().getAsValueRange<StringAttr>())
        if (name == state) {
          what = "uses the state '" + state.str() + "', which is being summed";
          return false;
        }
  if (isWrite && rank.numBarriers == 0 && !functions.isTransient(state)) {
    what = "changes the state '" + state.str() + "' before a barrier";
    return false;
  }
  return true;
}

bool Runner::runTask(unsigned number, program::TaskOp task) {
  const TaskFunctions::Function &function = functions.get(task.getEntry());
  std::string what;
  for (const std::string &state : function.reads)
    if (!mayChange(number, state, /*isWrite=*/false, what))
      return fail(task, what);
  for (const std::string &state : function.writes)
    if (!mayChange(number, state, /*isWrite=*/true, what))
      return fail(task, what);
  // A task may write a result before it has read all that it needs.
  for (auto [number, output] : llvm::enumerate(task.getOutputs())) {
    auto others = llvm::to_vector(task.getInputs());
    llvm::append_range(others, task.getOutputs().take_front(number));
    for (Value other : others)
      if (memory.overlap(output, other))
        return fail(task, "writes to another buffer of the task");
  }
  SmallVector<Tensor> inputs, results;
  for (Value buffer : task.getInputs()) {
    std::optional<Bytes> bytes = memory.read(number, buffer, what);
    if (!bytes)
      return fail(task, what);
    inputs.push_back(toTensor(*bytes, program::getTensorType(buffer)));
  }
  // Inputs of callers may make a task fail, such as an index.
  unsigned numBarriers = all[number].numBarriers;
  if (llvm::any_of(task.getInputs(),
                   [&](Value buffer) { return isOfCallers(buffer); })) {
    barriersAtRisk = std::max(barriersAtRisk, numBarriers);
    for (Value buffer : task.getOutputs())
      ofCallers.insert(getWhole(buffer));
  }
  for (const std::string &state : function.writes)
    if (!functions.isTransient(state))
      barriersAtChange = std::min(barriersAtChange, numBarriers);
  if (!functions.evaluate(function, inputs, all[number].states, results, what))
    return fail(task, what);
  for (auto [buffer, tensor] : llvm::zip_equal(task.getOutputs(), results))
    if (!memory.write(number, buffer, toBytes(tensor), what))
      return fail(task, what);
  return true;
}

bool Runner::isOfCallers(Value buffer) const {
  Value whole = getWhole(buffer);
  return whole.getDefiningOp<program::InputOp>() || ofCallers.contains(whole);
}

bool Runner::add(unsigned number, program::AddOp op) {
  std::string what;
  std::optional<Bytes> bytes = memory.read(number, op.getNumber(), what);
  if (!bytes)
    return fail(op, what);
  Tensor tensor = toTensor(*bytes, program::getTensorType(op.getNumber()));
  double factor = op.getFactor() ? op.getFactor()->convertToDouble() : 1;
  addends[op.getOutput()].push_back(
      {op.getSamples().front(), tensor.data()[0].number * factor});
  return true;
}

bool Runner::doStep(unsigned number) {
  Rank &rank = all[number];
  memory.beginStep(number, static_cast<int64_t>(rank.next));
  Operation *step = rank.steps[rank.next++];
  if (auto task = dyn_cast<program::TaskOp>(step))
    return runTask(number, task);
  if (auto op = dyn_cast<program::AddOp>(step))
    return add(number, op);
  if (isTransfer(step))
    return begin(number, step);
  if (auto copy = dyn_cast<program::CopyOp>(step)) {
    std::string what;
    if (isOfCallers(copy.getFrom()))
      ofCallers.insert(getWhole(copy.getTo()));
    std::optional<Bytes> bytes = memory.read(number, copy.getFrom(), what);
    return (bytes && memory.write(number, copy.getTo(), *bytes, what)) ||
           fail(step, what);
  }
  if (auto wait = dyn_cast<program::WaitOp>(step))
    return llvm::all_of(wait.getTokens(), [&](Value token) {
      return await(number, token.getDefiningOp());
    });
  rank.numBarriers += isa<program::BarrierOp>(step);
  return true;
}
