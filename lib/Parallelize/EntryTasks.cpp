//===- EntryTasks.cpp - tasks, and the states that they change ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EntryChecker.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::parallelize;

const char *EntryChecker::describe(StringRef name,
                                   const StateContent &state) const {
  return state.isUpdated                      ? "is updated already"
         : state.samples.empty()              ? "has no gradients"
         : isComplete(name, state)            ? "is complete"
         : changesBy(name, StateChange::Norm) ? "has not each gradient once"
                                              : "has not each sample once";
}

bool EntryChecker::isComplete(StringRef name, const StateContent &state) const {
  auto isCovered = [&](unsigned addend, int64_t times) {
    auto samples = state.samples.find(addend);
    return samples != state.samples.end() &&
           isCover(samples->second, model.getMiniBatch(), times);
  };
  auto addends = model.addends.find(name.str());
  if (addends == model.addends.end())
    return isCovered(0, 1);
  for (auto [addend, value] : llvm::enumerate(addends->second))
    if (!isCovered(addend, value.second))
      return false;
  return true;
}

std::optional<StateChange>
EntryChecker::findChange(const Tasks::Made::Write &write) const {
  if (write.addends)
    return changesBy(write.state, StateChange::Norm) ? StateChange::Norm
                                                     : StateChange::Gradient;
  auto known = model.changes.find(write.state.str());
  if (known == model.changes.end())
    return std::nullopt;
  auto change = known->second.find(write.value);
  return change == known->second.end() ? std::nullopt
                                       : std::optional(change->second);
}

/// A value that was computed from a sum is used on the sum's rank, before the
/// sum changes.
LogicalResult EntryChecker::checkSums(Rank &rank, program::TaskOp task,
                                      const Content &content) {
  for (const SumRead &read : content.sums) {
    if (read.rank != static_cast<int64_t>(rank.op.getRank()))
      return fail(task) << "reads what rank " << read.rank
                        << " computed from its state '" << read.state
                        << "', to which tasks still add";
    if (rank.numWrites[read.state] != read.numWrites)
      return fail(task) << "reads what was computed from the state '"
                        << read.state << "' before it changed";
  }
  return success();
}

/// What a task reads of states must be as the model reads it.
LogicalResult EntryChecker::checkReads(Rank &rank, program::TaskOp task,
                                       const Tasks::Made &made, bool updates) {
  for (StringRef name : made.reads) {
    const StateContent &state = rank.states[name];
    if (state.isOnItsWay)
      return fail(task) << "reads the state '" << name
                        << "', which is being summed";
    if ((updates && isRunning(rank, name)) || state.isUpdated)
      return fail(task) << "reads the state '" << name << "', which "
                        << describe(name, state);
  }
  return success();
}

LogicalResult EntryChecker::changeStates(Rank &rank, program::TaskOp task,
                                         const Tasks::Made &made,
                                         Samples samples, bool hasSamples) {
  SmallVector<StateChange> kinds;
  for (const Tasks::Made::Write &write : made.writes) {
    StringRef name = write.state;
    std::optional<StateChange> change = findChange(write);
    if (!change) {
      // The reason may be a sum that is not complete.
      for (StringRef read : made.reads)
        if ((changesBy(name, StateChange::Update) || isSum(name)) &&
            read != name && isRunning(rank, read) && isSum(read))
          return fail(task) << "reads the state '" << read << "', which "
                            << describe(read, rank.states[read]);
      return fail(task) << "writes to the state '" << name
                        << "' what the model does not";
    }
    if (ranks.getSymName() != "train_step")
      return fail(task) << "changes the state '" << name
                        << "' in an entry that changes none";
    kinds.push_back(*change);
  }
  bool updates = llvm::is_contained(kinds, StateChange::Update);
  if (failed(checkReads(rank, task, made, updates)))
    return failure();
  for (auto [write, kind] : llvm::zip_equal(made.writes, kinds)) {
    StateContent &state = rank.states[write.state];
    ++rank.numWrites[write.state];
    if (state.isOnItsWay)
      return fail(task) << "writes the state '" << write.state
                        << "', which is being summed";
    if (kind == StateChange::Update) {
      if (rank.numBarriers == 0)
        return fail(task) << "updates the state '" << write.state
                          << "' before all ranks have come to a barrier";
      firstUpdate = std::min(firstUpdate, rank.numBarriers);
      bool isSum = !state.samples.empty();
      state = StateContent();
      // A sum of gradients is zero again.
      state.isUpdated = !isSum;
      continue;
    }
    if (state.isUpdated || state.isSummed)
      return fail(task) << "adds to the state '" << write.state << "', which "
                        << (state.isSummed ? "is summed already"
                                           : "is updated already");
    // All samples are in what is complete.
    if (kind == StateChange::Norm)
      samples = {0, model.getMiniBatch()};
    else if (!hasSamples)
      return fail(task) << "adds to the state '" << write.state
                        << "' what has no samples";
    auto part = model.partOf.find(write.state.str());
    if (kind == StateChange::Statistic && part != model.partOf.end() &&
        part->second != samples.end - samples.begin)
      return fail(task) << "normalizes " << samples.end - samples.begin
                        << " samples at once, but the stage of '" << write.state
                        << "' has " << part->second;
    for (unsigned addend : write.addends.value_or(SmallVector<unsigned>{0}))
      state.samples[addend].push_back(samples);
  }
  return success();
}

LogicalResult EntryChecker::runTask(Rank &rank, program::TaskOp task) {
  auto function = module.lookupSymbol<func::FuncOp>(task.getEntry());
  std::optional<Samples> samples;
  SmallVector<Content> contents;
  std::map<StringRef, SumRead> sums;
  for (Value input : task.getInputs()) {
    FailureOr<Content> content = read(rank, task, input);
    if (failed(content) || failed(checkSums(rank, task, *content)))
      return failure();
    if (content->block >= 0)
      return fail(task) << "reads one of several blocks of samples";
    contents.push_back(*content);
    for (const SumRead &read : content->sums)
      sums[read.state] = read;
    if (!model.hasSamples(content->value))
      continue;
    if (samples && !(*samples == content->samples))
      return fail(task) << "reads samples " << samples->begin << " to "
                        << samples->end - 1 << " and " << content->samples.begin
                        << " to " << content->samples.end - 1;
    samples = content->samples;
  }
  // A task that reads no samples, as of the gradient of a penalty in a mean,
  // counts for those that it says.
  if (std::optional<ArrayRef<int64_t>> stated = task.getSamples();
      !samples && stated)
    samples = Samples{(*stated)[0], (*stated)[1]};
  if (samples)
    mayFail.try_emplace(rank.numBarriers, task);
  int size = samples ? model.findSize(samples->end - samples->begin) : 0;
  if (size < 0)
    return fail(task) << "reads " << samples->end - samples->begin
                      << " samples, which no stage has";
  std::vector<unsigned> arguments;
  for (auto [number, content] : llvm::enumerate(contents)) {
    arguments.push_back(model.getId(content.value, size));
    if (model.expressions.getType(arguments.back()) !=
        function.getArgumentTypes()[number])
      return fail(task) << "input " << number << " holds a value of type "
                        << model.expressions.getType(arguments.back())
                        << ", but is of type "
                        << function.getArgumentTypes()[number];
  }
  std::set<StringRef> running;
  for (StringRef state : tasks.statesOf[function])
    if (isRunning(rank, state)) {
      running.insert(state);
      sums[state] = {static_cast<int64_t>(rank.op.getRank()), state,
                     rank.numWrites[state]};
    }
  auto [found, isNew] = tasks.made.try_emplace({function, arguments, running});
  Tasks::Made &made = found->second;
  if (isNew) {
    Expressions::Evaluation evaluation =
        model.expressions.evaluate(function, arguments, [&](StringRef state) {
          return running.count(state) != 0;
        });
    auto get = [&](unsigned place) {
      return model.getNumber(evaluation.values[place],
                             samples ? std::optional<unsigned>(size)
                                     : std::nullopt);
    };
    for (unsigned place : evaluation.results) {
      // The model knows no order of tasks that add.
      Expressions::Id id = evaluation.values[place];
      bool isSum = !model.expressions.getRunning(id).empty();
      made.results.push_back(isSum ? ModelValues::Number{false, id}
                                   : get(place));
    }
    for (auto [name, place] : evaluation.writes) {
      made.writes.push_back({name, get(place), std::nullopt});
      if (isSum(name))
        made.writes.back().addends =
            model.findAddends(name, evaluation.values[place], size);
    }
    made.reads = evaluation.reads;
  }
  if (failed(changeStates(rank, task, made, samples.value_or(Samples()),
                          samples.has_value())))
    return failure();
  for (auto [buffer, value] :
       llvm::zip_equal(task.getOutputs(), made.results)) {
    Content content = {value,
                       model.hasSamples(value) ? samples.value_or(Samples())
                                               : Samples(),
                       {}};
    if (!value.isModel)
      for (StringRef state : model.expressions.getRunning(value.number))
        content.sums.push_back(sums.at(state));
    if (failed(write(rank, task, buffer, content)))
      return failure();
  }
  return success();
}

LogicalResult EntryChecker::addToOutput(Rank &rank, program::AddOp add) {
  FailureOr<Content> content = read(rank, add, add.getNumber());
  if (failed(content))
    return failure();
  auto output = add.getOutput().getDefiningOp<program::OutputOp>();
  auto found = pooled.find(output);
  if (found == pooled.end() || !(content->value == found->second.value))
    return fail(add) << "adds to the output '" << output.getName()
                     << "' what the model does not";
  Samples samples = content->samples;
  double wanted = graph::getWeight(
      found->second.pooling, samples.end - samples.begin, model.getMiniBatch());
  double factor = add.getFactor() ? add.getFactor()->convertToDouble() : 1;
  if (factor != wanted)
    return fail(add) << "expected the factor " << wanted << ", but got "
                     << factor;
  found->second.added.push_back(samples);
  return success();
}
