//===- TrainTasks.cpp - training of a stage, task by task -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainTasks.h"
#include "BatchStatistics.h"
#include "TaskSlices.h"
#include "TaskUpdates.h"

#include "tenon/Dialect/Graph/Analysis/Views.h"
#include "tenon/Dialect/Graph/IR/Compose.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Differentiate/ReverseMode.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <map>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

namespace {
class TrainTasks : public Compose {
public:
  TrainTasks(OpBuilder &builder, func::FuncOp joint, const Trained &trained,
             const GraphTrainOptions &options)
      : Compose(builder, joint.getLoc()), joint(joint), trained(trained),
        options(options) {}

  LogicalResult differentiate();
  void addBackward();

private:
  LogicalResult checkNumbers();
  LogicalResult addStates();
  LogicalResult addCotangents(CotangentMap &cotangents);
  void scaleLoss(CotangentMap &cotangents);
  void reuseForward();
  void nameResults();
  void addForward(TaskSlices &slices);
  void addTask(TaskSlices &slices, StringRef name, const TaskSlice &slice,
               ArrayRef<NamedValue> results, bool addsGradients);
  std::string getArgumentName(unsigned number);
  ModuleOp getModule() { return joint->getParentOfType<ModuleOp>(); }

  func::FuncOp joint;
  const Trained &trained;
  const GraphTrainOptions &options;
  SmallVector<Operation *> forward;
  /// Results of the stage, and what its backward tasks give to other stages.
  SmallVector<NamedValue> results, inputGradients;
  SmallVector<Value> weightGradients; // of `trained`
  /// The names of values that tasks hand on.
  llvm::DenseMap<Value, std::string> names;
};
} // namespace

std::string TrainTasks::getArgumentName(unsigned number) {
  auto name = joint.getArgAttrOfType<StringAttr>(number, "graph.name");
  return name ? name.str() : "input." + std::to_string(number);
}

LogicalResult TrainTasks::checkNumbers() {
  unsigned numResults = joint.getNumResults() - (options.judged ? 1 : 0);
  if (!options.readers.empty() && options.readers.size() != numResults)
    return joint.emitError()
           << "graph-train: readers: expected a number for each of "
           << numResults << " results, but got " << options.readers.size();
  for (int64_t number : options.gradients)
    if (number < 0 || number >= joint.getNumArguments())
      return joint.emitError()
             << "graph-train: gradients: there is no argument " << number;
  auto dropouts = joint.getOps<DropoutOp>();
  if (!dropouts.empty())
    return (*dropouts.begin())
        ->emitOpError("can't be in a task: it draws by the position in the "
                      "mini-batch");
  return success();
}

LogicalResult TrainTasks::addStates() {
  if (failed(addState(getModule(), loc, kStepState,
                      RankedTensorType::get({}, builder.getI64Type()))))
    return failure();
  for (auto &[name, values] : trained)
    if (failed(
            addState(getModule(), loc, getTaskGradient(options, name),
                     mlir::cast<RankedTensorType>(values.front().getType()))))
      return failure();
  // Updates leave them zero.
  for (auto &[name, values] : trained)
    getModule()
        .lookupSymbol<StateOp>(getTaskGradient(options, name))
        .setTransient(true);
  return success();
}

void TrainTasks::nameResults() {
  Operation *end = joint.front().getTerminator();
  for (auto [number, value] : llvm::enumerate(end->getOperands())) {
    auto name = joint.getResultAttrOfType<StringAttr>(number, "graph.name");
    results.push_back(
        {value, name ? name.str() : "output." + std::to_string(number)});
  }
}

/// An argument for each reader of a result; what they give is added up in their
/// order.
LogicalResult TrainTasks::addCotangents(CotangentMap &cotangents) {
  for (auto [number, count] : llvm::enumerate(options.readers)) {
    const NamedValue &result = results[number];
    if (!isFloat(getElementType(result.value)))
      continue;
    Value sum = cotangents.lookup(result.value);
    for (int64_t reader = 0; reader < count; ++reader) {
      std::string name =
          "gradient." + result.name + "." + std::to_string(reader);
      unsigned place = joint.getNumArguments();
      if (failed(joint.insertArgument(
              place, result.value.getType(),
              builder.getDictionaryAttr(builder.getNamedAttr(
                  "graph.name", builder.getStringAttr(name))),
              loc)))
        return failure();
      Value given = joint.getArgument(place);
      sum = sum ? add(sum, given) : given;
    }
    if (sum)
      cotangents[result.value] = sum;
  }
  return success();
}

/// The loss of the mini-batch is the sum over the tasks.
void TrainTasks::scaleLoss(CotangentMap &cotangents) {
  Value &loss = results.back().value;
  cotangents[loss] = fullLike(options.share, loss);
  // Also where the share is 1: tasks for other numbers of samples are alike.
  loss = mul(loss, fullLike(options.share, loss));
  forward.push_back(loss.getDefiningOp()->getOperand(1).getDefiningOp());
  forward.push_back(loss.getDefiningOp());
}

/// Ops compute the same if their keys are equal; `numbers` has one number for
/// values that are known to be the same.
static std::vector<uintptr_t>
getValueKey(Operation *op, const llvm::DenseMap<Value, uintptr_t> &numbers) {
  auto get = [](auto object) {
    return reinterpret_cast<uintptr_t>(object.getAsOpaquePointer());
  };
  std::vector<uintptr_t> key = {get(op->getName()),
                                get(op->getAttrDictionary()),
                                get(op->getResult(0).getType())};
  for (Value operand : op->getOperands())
    key.push_back(numbers.lookup(operand));
  return key;
}

/// Derivatives compute some values again, such as what batch norm subtracts its
/// mean from. If backward tasks are given the forward task's value anyway, they
/// all read that one.
void TrainTasks::reuseForward() {
  llvm::SmallPtrSet<Operation *, 32> isForward(forward.begin(), forward.end());
  std::map<std::vector<uintptr_t>, Value> known;
  llvm::DenseMap<Value, uintptr_t> numbers;
  auto getNumber = [](Value value) {
    return reinterpret_cast<uintptr_t>(value.getAsOpaquePointer());
  };
  for (Value argument : joint.getArguments())
    numbers[argument] = getNumber(argument);
  for (Operation &op :
       llvm::make_early_inc_range(joint.front().without_terminator())) {
    for (Value result : op.getResults())
      numbers[result] = getNumber(result);
    // A state may change in between.
    if (op.getNumResults() != 1 || op.getNumRegions() > 0 ||
        !isMemoryEffectFree(&op))
      continue;
    auto [found, isNew] =
        known.try_emplace(getValueKey(&op, numbers), op.getResult(0));
    Value first = found->second;
    numbers[op.getResult(0)] = getNumber(first);
    bool isGiven = !isNew && !isForward.contains(&op) && !isView(&op) &&
                   op.getNumOperands() > 0 &&
                   isForward.contains(first.getDefiningOp()) &&
                   llvm::any_of(first.getUsers(), [&](Operation *user) {
                     return !isForward.contains(user) && user != &op;
                   });
    if (isGiven)
      op.getResult(0).replaceAllUsesWith(first);
  }
}

LogicalResult TrainTasks::differentiate() {
  if (failed(checkNumbers()) || failed(addStates()) ||
      failed(normalizeByBatch(joint, options.batchNormMomentum)))
    return failure();
  Block &body = joint.front();
  for (Operation &op : body.without_terminator())
    forward.push_back(&op);
  SmallVector<Operation *> differentiated = forward;
  nameResults();
  builder.setInsertionPoint(body.getTerminator());
  CotangentMap cotangents;
  if (options.judged)
    scaleLoss(cotangents);
  if (failed(addCotangents(cotangents)))
    return failure();
  SmallVector<Value> sources;
  for (auto &[name, values] : trained)
    llvm::append_range(sources, values);
  for (int64_t number : options.gradients)
    if (isFloat(getElementType(joint.getArgument(number))))
      sources.push_back(joint.getArgument(number));
  if (failed(pullBack(builder, differentiated, sources, cotangents)))
    return failure();
  FailureOr<SmallVector<Value>> found =
      sumGradients(*this, trained, cotangents, options.shared);
  if (failed(found))
    return failure();
  weightGradients = std::move(*found);
  reuseForward();
  for (int64_t number : options.gradients) {
    Value argument = joint.getArgument(number);
    Value gradient = cotangents.lookup(argument);
    if (!gradient && isFloat(getElementType(argument)))
      gradient = fullLike(0, argument);
    else if (!gradient)
      gradient = full(int64_t(0), getElementType(argument), getShape(argument));
    inputGradients.push_back({gradient, "gradient." + getArgumentName(number)});
  }
  return success();
}

/// Adds a function; with gradients, it adds them to their states.
void TrainTasks::addTask(TaskSlices &slices, StringRef name,
                         const TaskSlice &slice, ArrayRef<NamedValue> results,
                         bool addsGradients) {
  builder.setInsertionPointToEnd(getModule().getBody());
  IRMapping mapping;
  slices.build(
      builder, name, slice, results,
      [&](Value value) {
        auto argument = dyn_cast<BlockArgument>(value);
        return argument ? getArgumentName(argument.getArgNumber())
                        : names.lookup(value);
      },
      mapping);
  if (!addsGradients)
    return;
  for (auto [entry, gradient] : llvm::zip_equal(trained, weightGradients)) {
    std::string state = getTaskGradient(options, entry.first);
    Value known = ReadStateOp::create(builder, loc, gradient.getType(), state);
    WriteStateOp::create(builder, loc, state,
                         add(known, mapping.lookup(gradient)));
  }
}

void TrainTasks::addBackward() {
  TaskSlices slices(joint, forward);
  bool recompute = options.recompute != "none";
  SmallVector<Value> inputRoots;
  for (const NamedValue &gradient : inputGradients)
    inputRoots.push_back(gradient.value);
  TaskSlice first, second;
  SmallVector<Value> all = inputRoots;
  if (options.splitBackward) {
    first = slices.getBackward(inputRoots, recompute);
    second = slices.getBackward(weightGradients, recompute, &first);
  } else {
    llvm::append_range(all, weightGradients);
    first = slices.getBackward(all, recompute);
  }
  // What tasks before them keep; a result of the stage has a name already.
  for (const NamedValue &result : results)
    names.try_emplace(result.value, result.name);
  SmallVector<NamedValue> saved, kept;
  for (const TaskSlice *slice : {&first, &second})
    for (Value value : slice->given) {
      if (isa<BlockArgument>(value) || names.contains(value))
        continue;
      // The first task computed it, if it isn't given it itself.
      bool isKept =
          slice == &second && first.ops.contains(value.getDefiningOp());
      auto &list = isKept ? kept : saved;
      list.push_back(
          {value, (isKept ? "kept." : "saved.") + std::to_string(list.size())});
      names[value] = list.back().name;
    }
  SmallVector<NamedValue> given = results;
  llvm::append_range(given, saved);
  SmallVector<Value> roots;
  for (const NamedValue &value : given)
    roots.push_back(value.value);
  TaskSlice whole = slices.getWhole(roots);
  for (auto write : joint.getOps<WriteStateOp>()) {
    TaskSlice state = slices.getWhole(write.getValue());
    whole.ops.insert(write);
    whole.ops.insert(state.ops.begin(), state.ops.end());
    whole.given.insert(state.given.begin(), state.given.end());
  }
  addTask(slices, "forward", whole, given, /*addsGradients=*/false);
  SmallVector<NamedValue> handed = inputGradients;
  llvm::append_range(handed, kept);
  bool hasWeights = !trained.empty();
  if (!options.splitBackward) {
    if (!handed.empty() || hasWeights)
      addTask(slices, "backward", first, handed, hasWeights);
    return;
  }
  if (!handed.empty())
    addTask(slices, "backward_input", first, handed, /*addsGradients=*/false);
  if (hasWeights)
    addTask(slices, "backward_weight", second, {}, /*addsGradients=*/true);
}

LogicalResult tenon::differentiate::addTrainTasks(
    func::FuncOp joint, const Trained &trained,
    const GraphTrainOptions &options,
    llvm::function_ref<bool(StringRef)> hasDecay) {
  // The functions get the names that tasks have.
  joint.setName("joint");
  OpBuilder builder(joint.getContext());
  TrainTasks tasks(builder, joint, trained, options);
  if (failed(tasks.differentiate()))
    return failure();
  tasks.addBackward();
  if (failed(addTaskUpdates(joint->getParentOfType<ModuleOp>(), joint.getLoc(),
                            trained, options, hasDecay)))
    return failure();
  joint.erase();
  return success();
}
