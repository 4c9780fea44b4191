//===- KernelGraph.cpp - an e-graph as an extraction problem --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelGraph.h"
#include "OpClasses.h"
#include "tenon/Dialect/Kernel/Analysis/Prepared.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

#include <random>

using namespace mlir;
using namespace tenon;
using namespace tenon::optimize;
using cost::Work;
using egraph::EGraph;

namespace {
/// A kernel during its construction; `output` is a class.
struct Kernel {
  SmallVector<Operation *, 1> ops;
  SmallVector<Value, 4> inputs;
  Value output;
  Work work;
};

class KernelFinder {
public:
  KernelFinder(const EGraph &graph, const cost::CostModel &costs)
      : graph(graph), costs(costs), loads(graph.getBlock()) {}

  KernelGraph run();

private:
  void findWeights();
  bool isWeight(Value value) const { return weights.contains(value); }
  const Work &getGeneratedWork(Operation *op) const;
  Work getWork(Operation *op) const;
  double getReadBytes(Value value) const;
  void addRead(Value value, Work &work) const;
  void addNode(ArrayRef<Operation *> ops, ArrayRef<Value> inputs,
               ValueRange outputs, const Work &work);
  void addSingle(Operation *op);
  void addTails(Operation *root);
  bool isTail(Operation *op, Value chain) const;
  void addInlined(Operation *op);
  Operation *getInlinable(Value value) const;

  const EGraph &graph;
  const cost::CostModel &costs;
  kernel::LoadAnalysis loads;
  /// Cached for each op, because it is used for many kernels.
  mutable llvm::DenseMap<Operation *, Work> works;
  KernelGraph result;
  /// Classes that are weights (graph::isWeight) by one of their ops. They are
  /// computed once, when a model is loaded.
  llvm::DenseSet<Value> weights;
};
} // namespace

/// The maximum length of a chain of ops after a library's kernel, and the
/// maximum numbers of ops and of levels that are inlined.
static constexpr unsigned kMostTails = 6, kMostInlined = 12, kMostLevels = 5;
/// The cost of a free kernel is positive, so that the smaller of two free
/// choices is taken. It is added again for each op that a rule wrote, so that
/// no rule fires without a gain.
static constexpr double kLeast = 1e-12;

void KernelFinder::findWeights() {
  bool grew = true;
  while (grew) {
    grew = false;
    for (Operation &op : graph.getNodes()) {
      if (!isMemoryEffectFree(&op) ||
          !llvm::all_of(op.getOperands(),
                        [&](Value operand) { return isWeight(operand); }))
        continue;
      for (Value output : op.getResults())
        grew |= weights.insert(graph.find(output)).second;
    }
  }
}

/// Returns the number of bytes that are read. A broadcast is read at the size
/// of its operand.
double KernelFinder::getReadBytes(Value value) const {
  double bytes = costs.getBytes(value.getType());
  for (OpResult producer : graph.getProducers(value))
    if (auto broadcast = dyn_cast<graph::BroadcastOp>(producer.getOwner()))
      bytes = std::min(bytes, costs.getBytes(broadcast.getX().getType()));
  return bytes;
}

void KernelFinder::addRead(Value value, Work &work) const {
  (isWeight(value) ? work.bytesWeights : work.bytesRead) += getReadBytes(value);
}

const Work &KernelFinder::getGeneratedWork(Operation *op) const {
  auto [it, inserted] = works.try_emplace(op);
  if (inserted)
    it->second = costs.getWork(op, &loads);
  return it->second;
}

Work KernelFinder::getWork(Operation *op) const {
  Work work = getGeneratedWork(op);
  if (isa<graph::ElementwiseInterface>(op)) {
    work.bytesRead = work.bytesWeights = 0;
    for (Value operand : op->getOperands())
      addRead(operand, work);
  } else if (isLibraryRoot(op)) {
    work.bytesRead = work.bytesWeights = 0;
    for (Value operand : op->getOperands())
      (isWeight(operand) ? work.bytesWeights : work.bytesRead) +=
          costs.getBytes(operand.getType());
    if (isWeight(op->getOperand(1)))
      work = costs.getLeastWork(op, work);
  }
  return work;
}

void KernelFinder::addNode(ArrayRef<Operation *> ops, ArrayRef<Value> inputs,
                           ValueRange outputs, const Work &work) {
  egraph::ExtractionNode node;
  for (Value output : outputs)
    node.outputs.push_back(result.classes.lookup(graph.find(output)));
  for (Value input : inputs)
    node.inputs.push_back(result.classes.lookup(graph.find(input)));
  node.cost = costs.estimate(work).seconds + kLeast;
  for (Operation *op : ops)
    if (!graph.isOfModel(op))
      node.cost += kLeast;
  result.problem.nodes.push_back(std::move(node));
  result.ops.emplace_back(ops.begin(), ops.end());
  result.work.push_back(work);
  result.numFused += ops.size() > 1;
}

void KernelFinder::addSingle(Operation *op) {
  bool prepared =
      isMemoryEffectFree(op) &&
      llvm::all_of(op->getOperands(), [&](Value v) { return isWeight(v); });
  addNode({op}, SmallVector<Value>(op->getOperands()), op->getResults(),
          prepared || costs.isFree(op, &loads) ? Work() : getWork(op));
}

/// Returns true if `op`, which reads `chain`, may run in the kernel that
/// computes it.
bool KernelFinder::isTail(Operation *op, Value chain) const {
  if (llvm::count(op->getOperands(), chain) != 1 ||
      op->getResult(0).getType() != chain.getType())
    return false;
  // It is folded into the weights when the graph is placed.
  if (isa<graph::BatchNormOp>(op))
    return op->getOperand(0) == chain &&
           llvm::all_of(op->getOperands().drop_front(),
                        [&](Value operand) { return isWeight(operand); });
  return isa<graph::ElementwiseInterface>(op);
}

/// Adds kernels of `root` and the ops that may follow it: every prefix of every
/// chain.
void KernelFinder::addTails(Operation *root) {
  Kernel first;
  first.ops.push_back(root);
  first.inputs.assign(root->operand_begin(), root->operand_end());
  first.output = graph.find(root->getResult(0));
  first.work = getWork(root);
  std::vector<Kernel> level{first};
  for (unsigned step = 0; step < kMostTails && !level.empty(); ++step) {
    std::vector<Kernel> next;
    for (const Kernel &kernel : level) {
      llvm::SetVector<Operation *> users;
      for (Operation *user : kernel.output.getUsers())
        users.insert(user);
      for (Operation *user : users) {
        if (!isTail(user, kernel.output) || next.size() >= 16)
          continue;
        Kernel longer = kernel;
        longer.ops.push_back(user);
        if (!isa<graph::BatchNormOp>(user))
          longer.work.vectorFlops += getGeneratedWork(user).vectorFlops;
        for (Value operand : user->getOperands())
          if (operand != kernel.output) {
            longer.inputs.push_back(operand);
            addRead(operand, longer.work);
          }
        longer.output = graph.find(user->getResult(0));
        // An op that returns its own input computes nothing.
        if (llvm::is_contained(longer.inputs, longer.output))
          continue;
        addNode(longer.ops, longer.inputs, longer.output, longer.work);
        next.push_back(std::move(longer));
      }
    }
    level = std::move(next);
  }
}

/// Returns the op of a class that a reader may recompute, or null if there is
/// none.
Operation *KernelFinder::getInlinable(Value value) const {
  if (isWeight(value))
    return nullptr;
  for (OpResult producer : graph.getProducers(value)) {
    Operation *op = producer.getOwner();
    if (isa<graph::ElementwiseInterface>(op) || isMovement(op))
      return op;
  }
  return nullptr;
}

/// Adds the kernel of an op and of all ops that may be inlined into it.
void KernelFinder::addInlined(Operation *op) {
  if (isa<graph::ReferenceInterface>(op))
    return;
  llvm::SetVector<Operation *> ops;
  llvm::SetVector<Value> inputs;
  Work work = getWork(op);
  work.bytesRead = work.bytesWeights = 0;
  // Producers come before readers. The recursion depth is the level.
  auto take = [&](auto &&self, Operation *one, unsigned depth) -> void {
    for (Value operand : one->getOperands()) {
      Operation *producer = depth < kMostLevels && ops.size() < kMostInlined
                                ? getInlinable(operand)
                                : nullptr;
      if (producer == op || !producer) {
        if (inputs.insert(operand))
          addRead(operand, work);
        continue;
      }
      if (ops.contains(producer))
        continue;
      work.vectorFlops += getGeneratedWork(producer).vectorFlops;
      self(self, producer, depth + 1);
      ops.insert(producer);
    }
  };
  take(take, op, 0);
  if (ops.empty())
    return;
  ops.insert(op);
  for (Value output : op->getResults())
    if (inputs.contains(graph.find(output)))
      return;
  addNode(ops.getArrayRef(), inputs.getArrayRef(), op->getResults(), work);
}

KernelGraph KernelFinder::run() {
  result.classes = graph.numberClasses();
  result.problem.numClasses = result.classes.size();
  for (egraph::ValueId argument : graph.getArguments())
    addNode({}, {}, graph.find(argument), Work());
  findWeights();
  for (Operation &op : graph.getNodes())
    addSingle(&op);
  for (Operation &op : graph.getNodes()) {
    bool runs = llvm::any_of(op.getResults(), [&](Value output) {
      return !isWeight(graph.find(output));
    });
    if (!runs)
      continue;
    if (isLibraryRoot(&op))
      addTails(&op);
    else
      addInlined(&op);
  }
  for (egraph::ValueId root : graph.getResults())
    result.problem.roots.push_back(result.classes.lookup(graph.find(root)));
  return std::move(result);
}

KernelGraph optimize::buildKernelGraph(const EGraph &graph,
                                       const cost::CostModel &costs) {
  return KernelFinder(graph, costs).run();
}

void optimize::randomizeCosts(KernelGraph &kernels, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (egraph::ExtractionNode &node : kernels.problem.nodes)
    node.cost = kLeast + (random() >> 11) * 0x1p-53;
}

SmallVector<Operation *>
optimize::getChosenOps(const KernelGraph &kernels,
                       const egraph::Extraction &choice) {
  llvm::SetVector<Operation *> ops;
  for (unsigned node : choice.nodes)
    ops.insert(kernels.ops[node].begin(), kernels.ops[node].end());
  return ops.takeVector();
}
