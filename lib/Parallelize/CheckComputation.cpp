//===- CheckComputation.cpp - ranks compute the model ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the programs of all ranks on names of values in place of numbers: each
// buffer holds a value of the model for some samples, or one that it does not
// have; each state is as before, has the gradients of some samples, or is
// updated. A task computes from what it reads; only what callers see is
// compared with the model: outputs, losses, and writes to states.
//
//===----------------------------------------------------------------------===//

#include "EntryChecker.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Parallelize/CheckRanks.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

Operation *EntryChecker::findMessage(const Rank &rank, Value buffer) {
  auto found = rank.onTheirWay.find(getWhole(buffer));
  return found == rank.onTheirWay.end() || found->second.empty()
             ? nullptr
             : found->second.front();
}

FailureOr<Content> EntryChecker::read(Rank &rank, Operation *step,
                                      Value buffer) {
  if (Operation *message = findMessage(rank, buffer);
      message && isa<program::ReceiveOp>(message))
    return fail(step) << "reads a buffer that " << describeStep(message)
                      << " still writes";
  std::optional<Content> content = buffers->read(buffer);
  if (!content)
    return fail(step) << "reads a buffer of " << program::getTensorType(buffer)
                      << " that does not hold one value of consecutive samples";
  return *content;
}

LogicalResult EntryChecker::write(Rank &rank, Operation *step, Value buffer,
                                  std::optional<Content> content) {
  if (Operation *message = findMessage(rank, buffer))
    return fail(step) << "writes a buffer that " << describeStep(message)
                      << " still uses";
  if (auto output = getWhole(buffer).getDefiningOp<program::OutputOp>();
      output && pooled.contains(output))
    return fail(step) << "writes the output '" << output.getName()
                      << "', to which steps add";
  if (!buffers->write(buffer, *content,
                      static_cast<int64_t>(rank.op.getRank())))
    return fail(step) << "writes what another rank writes";
  return success();
}

//===----------------------------------------------------------------------===//
// Messages and sums
//===----------------------------------------------------------------------===//

/// Once all ranks have begun it, each has the samples of all.
LogicalResult EntryChecker::finishSum(Rank &rank, program::AllReduceOp sum) {
  for (StringRef name : sum.getStates().getAsValueRange<StringAttr>()) {
    StateContent &state = rank.states[name];
    ++rank.numWrites[name];
    state.isOnItsWay = false;
    state.isSummed = true;
    state.samples.clear();
    for (program::AllReduceOp other : sums[sum.getTag()])
      if (other.getRanks() == sum.getRanks())
        for (const auto &[addend, samples] : begun[other].summed[name].samples)
          llvm::append_range(state.samples[addend], samples);
  }
  return success();
}

/// Returns whether what was begun has ended.
FailureOr<bool> EntryChecker::wait(Rank &rank, Value token) {
  Operation *op = token.getDefiningOp();
  if (auto send = dyn_cast<program::SendOp>(op)) {
    llvm::erase(rank.onTheirWay[send.getBuffer()], op);
    return true;
  }
  if (auto receive = dyn_cast<program::ReceiveOp>(op)) {
    auto self = static_cast<int64_t>(rank.op.getRank());
    auto &[sends, count] =
        channels[{receive.getRank(), self, receive.getTag()}];
    size_t place = places.lookup(receive);
    if (place >= sends.size())
      return false;
    llvm::erase(rank.onTheirWay[receive.getBuffer()], op);
    if (failed(write(rank, op, receive.getBuffer(), begun[sends[place]].sent)))
      return failure();
    return true;
  }
  auto sum = cast<program::AllReduceOp>(op);
  for (program::AllReduceOp other : sums[sum.getTag()])
    if (other.getRanks() == sum.getRanks() && !begun.count(other))
      return false;
  if (failed(finishSum(rank, sum)))
    return failure();
  return true;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

LogicalResult EntryChecker::runStep(Rank &rank, Operation *step) {
  auto self = static_cast<int64_t>(rank.op.getRank());
  if (isa<program::SendOp, program::ReceiveOp, program::AllReduceOp>(step))
    mayFail.try_emplace(rank.numBarriers, step);
  if (auto task = dyn_cast<program::TaskOp>(step))
    return runTask(rank, task);
  if (auto add = dyn_cast<program::AddOp>(step))
    return addToOutput(rank, add);
  if (auto copy = dyn_cast<program::CopyOp>(step)) {
    FailureOr<Content> content = read(rank, step, copy.getFrom());
    return failed(content) ? failure()
                           : write(rank, step, copy.getTo(), *content);
  }
  if (auto send = dyn_cast<program::SendOp>(step)) {
    FailureOr<Content> content = read(rank, step, send.getBuffer());
    if (failed(content))
      return failure();
    begun[step].sent = *content;
    rank.onTheirWay[send.getBuffer()].push_back(step);
    channels[{self, send.getRank(), send.getTag()}].first.push_back(step);
    return success();
  }
  if (auto receive = dyn_cast<program::ReceiveOp>(step)) {
    if (Operation *message = findMessage(rank, receive.getBuffer()))
      return fail(step) << "writes a buffer that " << describeStep(message)
                        << " still uses";
    rank.onTheirWay[receive.getBuffer()].push_back(step);
    places[step] =
        channels[{receive.getRank(), self, receive.getTag()}].second++;
    return success();
  }
  if (auto sum = dyn_cast<program::AllReduceOp>(step)) {
    if (!sum.getBuffers().empty())
      return fail(step) << "sums buffers, which the model does not";
    for (StringRef name : sum.getStates().getAsValueRange<StringAttr>()) {
      StateContent &state = rank.states[name];
      bool isStatistic = changesBy(name, StateChange::Statistic);
      if (state.isOnItsWay || state.isSummed || state.isUpdated)
        return fail(step) << "sums the state '" << name << "' again";
      // A stage may have a parameter, but no influence of it on the loss.
      auto holders = tasks.holders.find(name);
      bool isHolder =
          holders != tasks.holders.end() && holders->second.count(self) != 0;
      if (state.samples.empty() && !(isSum(name) && isHolder))
        return fail(step) << "sums the state '" << name
                          << "', to which no task has added";
      if (isStatistic != sum.getMean())
        return fail(step) << "expected the " << (isStatistic ? "mean" : "sum")
                          << " of the state '" << name << "'";
      begun[step].summed[name] = state;
      state.isOnItsWay = true;
    }
    return success();
  }
  rank.numBarriers += isa<program::BarrierOp>(step);
  return success();
}

/// Runs a rank until it waits for another one. Returns whether it did a step.
FailureOr<bool> EntryChecker::run(Rank &rank) {
  Block &steps = rank.op.getRun().getBody().front();
  bool hasRun = false;
  for (; rank.next != steps.end(); ++rank.next) {
    Operation *step = &*rank.next;
    if (auto waits = dyn_cast<program::WaitOp>(step)) {
      for (Value token : waits.getTokens()) {
        FailureOr<bool> hasEnded = wait(rank, token);
        if (failed(hasEnded) || !*hasEnded)
          return failed(hasEnded) ? hasEnded : FailureOr<bool>(hasRun);
      }
    } else if (failed(runStep(rank, step))) {
      return failure();
    }
    hasRun = true;
  }
  return hasRun;
}

//===----------------------------------------------------------------------===//
// Begin and end
//===----------------------------------------------------------------------===//

/// The caller gives and is given what it is of the model.
LogicalResult EntryChecker::checkInterface() {
  using Interface = std::vector<std::pair<StringRef, ModelValues::Number>>;
  Interface given, made;
  auto add = [](Interface &list, ArrayAttr names,
                ArrayRef<ModelValues::Number> values) {
    for (auto [name, value] :
         llvm::zip_equal(names.getAsValueRange<StringAttr>(), values))
      list.push_back({name, value});
  };
  add(given, program.getInputNames(), model.inputs);
  if (loss.isModel) {
    if (model.target.isModel)
      given.push_back({"target", model.target});
    made.push_back({"loss", loss});
  } else {
    add(made, program.getOutputNames(), model.outputs);
  }
  auto check = [&](auto ops, const Interface &wanted,
                   StringRef what) -> LogicalResult {
    auto list = llvm::to_vector(ops);
    if (list.size() != wanted.size())
      return ranks.emitError() << "expected " << wanted.size() << " " << what
                               << "s, but got " << list.size();
    for (auto [op, one] : llvm::zip_equal(list, wanted)) {
      bool isRight = op.getName() == one.first &&
                     (!one.second.isModel ||
                      op.getType() == model.getWholeType(one.second));
      if (!isRight)
        return op.emitOpError() << "expected the " << what << " '" << one.first
                                << "' of the model, with its type";
    }
    return success();
  };
  auto inputs = ranks.getBody().getOps<program::InputOp>();
  auto outputs = ranks.getBody().getOps<program::OutputOp>();
  return success(succeeded(check(inputs, given, "input")) &&
                 succeeded(check(outputs, made, "output")));
}

LogicalResult EntryChecker::begin() {
  if (failed(checkInterface()))
    return failure();
  buffers.emplace(model);
  auto outputs = ranks.getBody().getOps<program::OutputOp>();
  for (auto [number, output] : llvm::enumerate(outputs)) {
    if (loss.isModel)
      // Losses of training have their weights already.
      pooled[output] = {loss,
                        ranks.getSymName() == "train_step" ? graph::Pooling::Sum
                                                           : model.lossPooling,
                        {}};
    else if (std::optional<graph::Pooling> pooling = model.poolings[number])
      pooled[output] = {model.outputs[number], *pooling, {}};
  }
  auto inputs = ranks.getBody().getOps<program::InputOp>();
  for (auto [number, input] : llvm::enumerate(inputs)) {
    ModelValues::Number value =
        number == model.inputs.size() ? model.target : model.inputs[number];
    if (value.isModel)
      buffers->write(input, getAllSamples(value), /*rank=*/-1);
  }
  for (program::RankOp op : ranks.getRanks()) {
    Rank &rank = all.emplace_back();
    rank.op = op;
    rank.next = op.getRun().getBody().front().begin();
    for (auto sum : op.getRun().getBody().getOps<program::AllReduceOp>())
      sums[sum.getTag()].push_back(sum);
  }
  return success();
}

LogicalResult EntryChecker::checkOutputs() {
  for (auto [number, output] :
       llvm::enumerate(ranks.getBody().getOps<program::OutputOp>())) {
    if (auto found = pooled.find(output); found != pooled.end()) {
      if (!isCover(found->second.added, model.getMiniBatch()))
        return ranks.emitError()
               << "@" << ranks.getSymName() << " does not add up '"
               << output.getName() << "' of each sample once";
      continue;
    }
    ModelValues::Number value = model.outputs[number];
    std::optional<Content> content = buffers->read(output);
    Content wanted = getAllSamples(value);
    if (!content || !(*content == wanted))
      return output.emitOpError() << "'" << output.getName() << "' "
                                  << (content ? "is not the model's"
                                              : "is not there for all samples");
  }
  return success();
}

/// All ranks that have a state must change it as the model does.
LogicalResult EntryChecker::checkStates() {
  bool trains = ranks.getSymName() == "train_step";
  for (const auto &[name, changes] : model.changes) {
    auto holders = tasks.holders.find(StringRef(name));
    if (holders == tasks.holders.end() && trains)
      return ranks.emitError() << "no rank has the state '" << name << "'";
    if (!trains || holders == tasks.holders.end())
      continue;
    bool isStatistic = changesBy(name, StateChange::Statistic);
    for (int64_t number : holders->second) {
      const StateContent &state = all[number].states[name];
      if (state.isOnItsWay)
        return all[number].op.emitError()
               << "rank " << number << " does not wait for the sum of '" << name
               << "'";
      bool isRight = isSum(name) ? state.isFresh()
                     : isStatistic
                         ? state.isSummed == (holders->second.size() > 1)
                         : state.isUpdated;
      if (!isRight)
        return all[number].op.emitError()
               << "rank " << number << ": the state '" << name
               << (isSum(name)   ? "' keeps gradients"
                   : isStatistic ? "' is not the mean over its ranks"
                                 : "' is not updated");
      if (isStatistic && !isComplete(name, state))
        return all[number].op.emitError()
               << "rank " << number << ": the state '" << name
               << "' has not the statistics of each sample once";
    }
  }
  return success();
}

/// No rank has updated a state when a step of another one may still fail.
LogicalResult EntryChecker::checkBarriers() {
  auto late = mayFail.lower_bound(firstUpdate);
  if (late == mayFail.end())
    return success();
  return fail(late->second) << "may fail behind a barrier, where others update";
}

LogicalResult EntryChecker::check() {
  if (failed(begin()))
    return failure();
  for (bool goesOn = true; goesOn;) {
    goesOn = false;
    for (Rank &rank : all) {
      FailureOr<bool> hasRun = run(rank);
      if (failed(hasRun))
        return failure();
      goesOn |= *hasRun;
    }
  }
  // checkRendezvous has shown that they end.
  for (Rank &rank : all)
    if (rank.next != rank.op.getRun().getBody().front().end())
      return fail(&*rank.next) << "never ends";
  return success(succeeded(checkBarriers()) && succeeded(checkOutputs()) &&
                 succeeded(checkStates()));
}

/// Tasks compute by graph ops only.
static LogicalResult checkBody(func::FuncOp task) {
  if (task.isExternal() || !task.getBody().hasOneBlock())
    return task.emitError("expected a task of one block");
  for (unsigned i = 0; i < task.getNumArguments(); ++i)
    if (graph::getArgumentState(task, i))
      return task.emitError("expected a task before its states are arguments");
  for (Operation &op : task.getBody().front())
    if (!isa<func::ReturnOp>(op) &&
        !isa_and_nonnull<graph::GraphDialect>(op.getDialect()))
      return op.emitOpError("does not belong in a task");
  return success();
}

/// Which ranks use which states.
static LogicalResult findHolders(ModuleOp module, Tasks &tasks) {
  for (auto ranks : module.getOps<program::RanksOp>())
    for (program::RankOp rank : ranks.getRanks())
      for (auto task : rank.getRun().getBody().getOps<program::TaskOp>()) {
        auto function = module.lookupSymbol<func::FuncOp>(task.getEntry());
        auto [states, isNew] = tasks.statesOf.try_emplace(function);
        if (isNew && failed(checkBody(function)))
          return failure();
        if (isNew)
          for (Operation &op : function.getBody().front()) {
            if (auto read = dyn_cast<graph::ReadStateOp>(op))
              states->second.insert(read.getState());
            if (auto write = dyn_cast<graph::WriteStateOp>(op))
              states->second.insert(write.getState());
          }
        for (StringRef state : states->second)
          tasks.holders[state].insert(static_cast<int64_t>(rank.getRank()));
      }
  return success();
}

LogicalResult tenon::parallelize::checkComputation(pipe::ProgramOp program) {
  FailureOr<ModelValues> model = ModelValues::build(program);
  if (failed(model))
    return failure();
  auto module = program->getParentOfType<ModuleOp>();
  Tasks tasks;
  if (failed(findHolders(module, tasks)))
    return failure();
  for (auto state : module.getOps<graph::StateOp>()) {
    auto own = model->states.find(state.getSymName().str());
    bool isUsed = tasks.holders.count(state.getSymName()) != 0;
    if (isUsed && (own == model->states.end() ||
                   !(own->second == ModelValues::getState(state))))
      return state.emitOpError(
          "differs from the state of the model of its name");
  }
  std::map<std::string, ModelValues::Number> wanted;
  if (model->isTraining())
    wanted = {{"train_step", model->trainLoss},
              {"evaluate", model->evaluationLoss},
              {"predict", {}}};
  else
    wanted = {{program.getName().str(), {}}};
  for (auto ranks : module.getOps<program::RanksOp>()) {
    auto entry = wanted.find(ranks.getSymName().str());
    if (entry == wanted.end())
      return ranks.emitError()
             << "the model has no entry @" << ranks.getSymName();
    if (ranks.getRanks().size() != program.getRanks())
      return ranks.emitError() << "expected " << program.getRanks()
                               << " ranks, but got " << ranks.getRanks().size();
    if (failed(
            EntryChecker(program, *model, tasks, ranks, entry->second).check()))
      return failure();
    wanted.erase(entry);
  }
  if (!wanted.empty())
    return program.emitError() << "has no entry @" << wanted.begin()->first;
  return success();
}
