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
  /// The ops of a kernel that ends with `op`, producers first, and its inputs.
  struct Inlined {
    llvm::SetVector<Operation *> ops;
    llvm::SetVector<Value> inputs;
    Work work;
  };
  Inlined inlineInto(Operation *op, bool ofModel) const;
  Operation *getInlinable(Value value, bool ofModel) const;

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
/// A kernel and each op cost at least this, so that the smaller of two choices
/// of equal costs is taken. Ops that a rule wrote cost it twice, so that no
/// rule fires without a gain.
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
    node.cost += graph.isOfModel(op) ? kLeast : 2 * kLeast;
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
      // Those of the model come first, so that the input can be chosen again.
      llvm::SetVector<Operation *> users, written;
      for (Operation *user : kernel.output.getUsers())
        (graph.isOfModel(user) ? users : written).insert(user);
      users.insert(written.begin(), written.end());
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
/// none; with `ofModel`, an op of the model.
Operation *KernelFinder::getInlinable(Value value, bool ofModel) const {
  if (isWeight(value))
    return nullptr;
  for (OpResult producer : graph.getProducers(value)) {
    Operation *op = producer.getOwner();
    if ((isa<graph::ElementwiseInterface>(op) || isMovement(op)) &&
        (!ofModel || graph.isOfModel(op)))
      return op;
  }
  return nullptr;
}

KernelFinder::Inlined KernelFinder::inlineInto(Operation *op,
                                               bool ofModel) const {
  Inlined kernel;
  kernel.work = getWork(op);
  kernel.work.bytesRead = kernel.work.bytesWeights = 0;
  // Producers come before readers. The recursion depth is the level.
  auto take = [&](auto &&self, Operation *one, unsigned depth) -> void {
    for (Value operand : one->getOperands()) {
      Operation *producer =
          depth < kMostLevels && kernel.ops.size() < kMostInlined
              ? getInlinable(operand, ofModel)
              : nullptr;
      if (producer == op || !producer) {
        if (kernel.inputs.insert(operand))
          addRead(operand, kernel.work);
        continue;
      }
      if (kernel.ops.contains(producer))
        continue;
      kernel.work.vectorFlops += getGeneratedWork(producer).vectorFlops;
      self(self, producer, depth + 1);
      kernel.ops.insert(producer);
    }
  };
  take(take, op, 0);
  return kernel;
}

/// Adds the kernels of an op and of all ops that may be inlined into it. One of
/// them consists of the model's ops, so that the input can be chosen again: the
/// other one reads the slices of a merged product, where the model has several.
void KernelFinder::addInlined(Operation *op) {
  if (isa<graph::ReferenceInterface>(op))
    return;
  auto add = [&](Inlined &kernel) {
    bool empty = kernel.ops.empty();
    bool loops = llvm::any_of(op->getResults(), [&](Value output) {
      return kernel.inputs.contains(graph.find(output));
    });
    kernel.ops.insert(op);
    if (!empty && !loops)
      addNode(kernel.ops.getArrayRef(), kernel.inputs.getArrayRef(),
              op->getResults(), kernel.work);
  };
  Inlined any = inlineInto(op, /*ofModel=*/false);
  add(any);
  if (!llvm::all_of(any.ops,
                    [&](Operation *o) { return graph.isOfModel(o); }) &&
      graph.isOfModel(op)) {
    Inlined own = inlineInto(op, /*ofModel=*/true);
    add(own);
  }
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
