//===- ForwardGraph.cpp - what a backward pass reads of a forward pass ----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForwardGraph.h"

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

/// Plans are found in a time that grows with the square of this.
static constexpr size_t kMostPlaces = 128;

static cost::CostModel makeCosts() {
  return cost::CostModel(llvm::cantFail(cost::getProfile("cpu")));
}

ForwardGraph::ForwardGraph(Block &block, Operation *lastForward)
    : block(block), lastForward(lastForward), costs(makeCosts()) {
  copyViews();
  findDynamic();
  for (Operation &op : block.without_terminator()) {
    allWork += getWork(&op);
    if (!isForward(&op) || op.getNumResults() == 0 ||
        op.getNumOperands() == 0 || !isDynamic(op.getResult(0)))
      continue;
    numbers[&op] = ops.size();
    ops.push_back(&op);
  }
  findTensors();
}

bool ForwardGraph::isForward(Operation *op) const {
  return op == lastForward || op->isBeforeInBlock(lastForward);
}

/// A step's count, from which dropout follows, is an input; parameters are not.
void ForwardGraph::findDynamic() {
  for (BlockArgument argument : block.getArguments())
    dynamic.insert(argument);
  for (Operation &op : block) {
    auto read = dyn_cast<ReadStateOp>(op);
    bool isInput =
        read &&
        !isFloat(cast<RankedTensorType>(read.getType()).getElementType());
    if (isInput || llvm::any_of(op.getOperands(), [&](Value operand) {
          return dynamic.contains(operand);
        }))
      dynamic.insert(op.getResults().begin(), op.getResults().end());
  }
}

void ForwardGraph::copyViews() {
  // Chains of views from their last one on: each copy is a further use of the
  // one before.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    if (!isForward(&op) || !isView(&op))
      continue;
    SmallVector<OpOperand *> uses = getBackwardUses(op.getResult(0));
    if (uses.empty())
      continue;
    Operation *first = uses.front()->getOwner();
    for (OpOperand *use : uses)
      if (use->getOwner()->isBeforeInBlock(first))
        first = use->getOwner();
    Value copy = OpBuilder(first).clone(op)->getResult(0);
    for (OpOperand *use : uses)
      use->set(copy);
  }
}

void ForwardGraph::findTensors() {
  llvm::DenseMap<Value, unsigned> known;
  for (auto [number, op] : llvm::enumerate(ops)) {
    if (!isView(op))
      for (Value operand : op->getOperands())
        if (auto found = known.find(getStorage(operand)); found != known.end())
          tensors[found->second].lastUse = number;
    if (isView(op))
      continue;
    for (Value value : op->getResults()) {
      known[value] = tensors.size();
      Tensor tensor;
      tensor.value = value;
      tensor.bytes = static_cast<int64_t>(costs.getBytes(value.getType()));
      tensor.definition = tensor.lastUse = number;
      tensor.isRead = !getBackwardUses(value).empty();
      tensors.push_back(tensor);
    }
  }
}

std::optional<unsigned> ForwardGraph::getNumber(Operation *op) const {
  auto found = numbers.find(op);
  return found == numbers.end() ? std::nullopt
                                : std::optional<unsigned>(found->second);
}

bool ForwardGraph::isBackward(Value value) const {
  Operation *op = value.getDefiningOp();
  return op && isDynamic(value) && !isForward(op) && !isView(op);
}

SmallVector<OpOperand *> ForwardGraph::getBackwardUses(Value value) const {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : value.getUses())
    if (Operation *user = use.getOwner();
        !isForward(user) && !isa<WriteStateOp>(user) &&
        !user->hasTrait<OpTrait::IsTerminator>())
      uses.push_back(&use);
  return uses;
}

SmallVector<Value> ForwardGraph::getBoundary(unsigned place) const {
  SmallVector<Value> values;
  for (const Tensor &tensor : tensors)
    if (tensor.definition < place && tensor.lastUse >= place)
      values.push_back(tensor.value);
  return values;
}

bool ForwardGraph::hasKnownSizes() const {
  return llvm::all_of(tensors, [](const Tensor &tensor) {
    return cast<RankedTensorType>(tensor.value.getType()).hasStaticShape();
  });
}

double ForwardGraph::getWork(Operation *op) const {
  return costs.estimate(costs.getWork(op)).seconds;
}

SmallVector<unsigned> ForwardGraph::findPlaces() const {
  unsigned size = ops.size();
  std::vector<int64_t> boundary(size + 1);
  for (const Tensor &tensor : tensors)
    for (unsigned place = tensor.definition + 1; place <= tensor.lastUse;
         ++place)
      boundary[place] += tensor.bytes;
  SmallVector<unsigned> narrow;
  for (unsigned place = 1; place < size; ++place)
    if (boundary[place] <= boundary[place - 1] || place == 1)
      if (boundary[place] <= boundary[place + 1] || place + 1 == size)
        narrow.push_back(place);
  // Of very many, the narrowest; of equal ones, some from everywhere.
  if (narrow.size() > kMostPlaces) {
    SmallVector<unsigned> sorted = narrow;
    llvm::sort(sorted, [&](unsigned a, unsigned b) {
      return std::pair(boundary[a], a) < std::pair(boundary[b], b);
    });
    int64_t most = boundary[sorted[kMostPlaces]];
    llvm::erase_if(narrow,
                   [&](unsigned place) { return boundary[place] > most; });
    size_t count = narrow.size();
    SmallVector<unsigned> some;
    for (size_t i = 0; i < std::min(count, kMostPlaces); ++i)
      some.push_back(narrow[i * count / std::min(count, kMostPlaces)]);
    narrow = some;
  }
  SmallVector<unsigned> places = {0};
  llvm::append_range(places, narrow);
  if (size > 0)
    places.push_back(size);
  return places;
}

std::vector<ForwardStep>
ForwardGraph::getSteps(ArrayRef<unsigned> places) const {
  std::vector<ForwardStep> steps(places.size() - 1);
  for (auto [number, step] : llvm::enumerate(steps)) {
    unsigned begin = places[number], end = places[number + 1];
    for (unsigned op = begin; op < end; ++op)
      step.work += getWork(ops[op]);
    for (const Tensor &tensor : tensors) {
      if (tensor.isRead && tensor.definition >= begin &&
          tensor.definition < end)
        step.saved += tensor.bytes;
      if (tensor.definition >= begin || tensor.lastUse < begin)
        continue;
      step.boundary += tensor.bytes;
      if (tensor.isRead && tensor.definition >= places[number - 1])
        step.shared += tensor.bytes;
    }
  }
  return steps;
}
