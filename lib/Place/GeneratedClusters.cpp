//===- GeneratedClusters.cpp - clustering of ops for generated code -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The algorithm is greedy: it visits the ops in order, and joins each to the
// subgraphs that produce its operands if the union still makes a good kernel.
// Whether it does is decided from the loop plan of the union, not from
// patterns of ops. The time for a plan is linear in the number of ops, and most
// unions are good. Therefore a large subgraph is planned only when it has grown
// by half, and at the end. If it then turns out not to be good, its ops are
// marked as doubted, and the next round plans every union that contains one of
// them.
//
//===----------------------------------------------------------------------===//

#include "GeneratedClusters.h"
#include "KernelPositions.h"
#include "Outline.h"
#include "SubgraphCache.h"

#include "tenon/Dialect/Graph/Analysis/SizeEstimate.h"
#include "tenon/Dialect/Kernel/Analysis/LoopPlan.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::place;

namespace {
constexpr size_t kMostOps = 48;
/// Subgraphs of up to this size are planned at every union.
constexpr size_t kSmallOps = 8;
constexpr size_t kMostNodes = 600;
constexpr double kMostScratch = 256 * 1024;
/// The work per row below which a kernel may be serial.
constexpr double kSerialWork = 64 * 1024;

struct Cluster {
  SmallVector<Operation *> ops; // in block order
  size_t planned = 1;           // number of ops when it was planned
};

class Clusterer {
public:
  Clusterer(Block &block, llvm::function_ref<bool(Operation *)> isTaken,
            GoodSubgraphs &goodSubgraphs, bool keepsWeights)
      : block(block), isTaken(isTaken), goodSubgraphs(goodSubgraphs),
        keepsWeights(keepsWeights) {}
  std::vector<SmallVector<Operation *>> run();

private:
  bool isGenerated(Operation *op) const;
  void joinOps();
  bool doubtBadSubgraphs();
  bool isKnownGood(ArrayRef<Operation *> ops);
  bool tryMerge(unsigned into, unsigned from);
  bool reaches(unsigned from, unsigned to);
  bool isGood(ArrayRef<Operation *> ops);
  bool isGoodAnew(ArrayRef<Operation *> ops, ArrayRef<Operation *> all);
  double countWeights(Value value);
  bool isKeptFromLoad(Operation *op);

  Block &block;
  llvm::function_ref<bool(Operation *)> isTaken;
  GoodSubgraphs &goodSubgraphs;
  bool keepsWeights;
  kernel::IndexFormCache forms;
  std::vector<Cluster> clusters;
  llvm::DenseMap<Operation *, unsigned> clusterOf;
  llvm::DenseMap<Operation *, unsigned> position;
  llvm::DenseMap<Operation *, double> weightsOf;
  bool doubtsAll = false;
};
} // namespace

/// Splat constants are embedded in the code that uses them.
static bool isSplatConstant(Operation *op) {
  auto constant = dyn_cast_or_null<ConstantOp>(op);
  if (!constant)
    return false;
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  return elements && elements.isSplat();
}

bool Clusterer::isGenerated(Operation *op) const {
  return isa<IndexFormInterface>(op) && !isa<ReshapeOp>(op) && !isTaken(op);
}

static SmallVector<Operation *> withConstants(ArrayRef<Operation *> ops) {
  SmallVector<Operation *> all;
  llvm::SmallPtrSet<Operation *, 8> constants;
  for (Operation *op : ops)
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          isSplatConstant(producer) && constants.insert(producer).second)
        all.push_back(producer);
  all.append(ops.begin(), ops.end());
  return all;
}

bool Clusterer::isGood(ArrayRef<Operation *> ops) {
  SmallVector<Operation *> all = withConstants(ops);
  const SubgraphKeys &keys = *goodSubgraphs.keys;
  return keys.getCache().isGood(keys.getKey(all),
                                [&] { return isGoodAnew(ops, all); });
}

bool Clusterer::isGoodAnew(ArrayRef<Operation *> ops,
                           ArrayRef<Operation *> all) {
  FailureOr<kernel::LoopPlan> plan =
      kernel::planLoops(all, collectInputs(all), collectOutputs(ops), &forms);
  if (failed(plan))
    return false;
  double rows = 1, scratch = 0, work = 0;
  for (const SymInt &size : plan->rowShape())
    rows *= estimateSize(size);
  size_t nodes = 0;
  for (auto [number, loop] : llvm::enumerate(plan->loops)) {
    double inner = estimateSize(plan->innerSize(number)), repeated = 1;
    walk(loop.body, [&](Expr node) {
      ++nodes;
      if (node.getKind() == ExprKind::Reduce)
        for (const Expr &extent : ArrayRef<Expr>(node->operands).drop_back(2))
          if (extent.getKind() == ExprKind::Size)
            repeated *= estimateSize(extent->size);
    });
    work += inner * repeated;
    if (loop.output < 0)
      scratch += inner * 8;
  }
  if (nodes > kMostNodes || scratch > kMostScratch)
    return false;
  if (ops.size() > 1 &&
      (computesMorePositions(*plan, ops, forms) || repeatsReadsAcross(*plan)))
    return false;
  // Sharing rows must not reduce the parallelism of the parts.
  return plan->loops.size() == 1 || rows >= 8 || rows * work <= kSerialWork;
}

static double countElements(Value value) {
  return estimateElements(getShape(value));
}

/// Returns the number of elements of the weights that a value is computed from.
double Clusterer::countWeights(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return 0;
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<ParameterOp>(op))
    return isSplatConstant(op) ? 0 : countElements(value);
  auto [it, inserted] = weightsOf.try_emplace(op, 0);
  if (!inserted)
    return it->second;
  double sum = 0;
  for (Value operand : op->getOperands())
    sum += countWeights(operand);
  return weightsOf[op] = sum;
}

/// Returns true if an op runs at load and its result is not larger than the
/// weights that it is computed from. A kernel that included it would compute it
/// in every run.
bool Clusterer::isKeptFromLoad(Operation *op) {
  if (!keepsWeights || !goodSubgraphs.keys->runsAtLoad(op))
    return false;
  double results = 0, weights = 0;
  for (Value result : op->getResults())
    results += countElements(result);
  for (Value operand : op->getOperands())
    weights += countWeights(operand);
  return results <= weights;
}

namespace {
/// One direction of a search for paths. It follows one edge per step, so that
/// an op with many neighbours costs at most as many steps as the other
/// direction needs.
struct Search {
  explicit Search(ArrayRef<Operation *> ops)
      : work(ops.drop_back()), current(ops.back()), user(current->user_begin()),
        lastUser(current->user_end()) {}

  SmallVector<Operation *> work;
  llvm::SmallPtrSet<Operation *, 32> seen;
  Operation *current;
  Operation::user_iterator user, lastUser; // forward
  unsigned operand = 0;                    // backward

  /// Moves to the next op whose edges are followed. Returns false if there is
  /// none.
  bool advance() {
    if (work.empty())
      return false;
    current = work.pop_back_val();
    user = current->user_begin();
    lastUser = current->user_end();
    operand = 0;
    return true;
  }
  /// A cluster is entered with all its ops.
  void enter(ArrayRef<Operation *> ops) {
    for (Operation *op : ops)
      if (seen.insert(op).second)
        work.push_back(op);
  }
};
} // namespace

/// Returns true if a path leads from one cluster to another through a third op.
/// Searches from both ends simultaneously. If neither search ends within a
/// bound, returns true, so that the clusters remain separate.
bool Clusterer::reaches(unsigned from, unsigned to) {
  constexpr unsigned kMostSteps = 8192;
  unsigned begin = position.lookup(clusters[from].ops.front());
  unsigned end = position.lookup(clusters[to].ops.back());
  auto getCluster = [&](Operation *op) -> std::optional<unsigned> {
    auto it = clusterOf.find(op);
    return it == clusterOf.end() ? std::nullopt : std::optional(it->second);
  };
  auto getMembers = [&](Operation *const &op) -> ArrayRef<Operation *> {
    std::optional<unsigned> cluster = getCluster(op);
    return cluster ? ArrayRef<Operation *>(clusters[*cluster].ops)
                   : ArrayRef<Operation *>(op);
  };
  Search forward(clusters[from].ops), backward(clusters[to].ops);
  // Follows an edge to `next`. Returns true if that completes a path.
  auto follow = [&](Search &search, Search &other, unsigned start,
                    unsigned goal, Operation *next) {
    std::optional<unsigned> cluster = getCluster(next);
    if (cluster == goal)
      return getCluster(search.current) != start;
    if (cluster == start || search.seen.contains(next))
      return false;
    search.enter(getMembers(next));
    return other.seen.contains(next);
  };
  for (unsigned step = 0; step < kMostSteps; ++step) {
    if (forward.user == forward.lastUser) {
      if (!forward.advance())
        return false;
    } else {
      Operation *user = *forward.user++;
      if (user->getBlock() == &block && position.lookup(user) <= end &&
          follow(forward, backward, from, to, user))
        return true;
    }
    if (backward.operand == backward.current->getNumOperands()) {
      if (!backward.advance())
        return false;
    } else {
      Value operand = backward.current->getOperand(backward.operand++);
      Operation *producer = operand.getDefiningOp();
      if (producer && producer->getBlock() == &block &&
          position.lookup(getMembers(producer).back()) >= begin &&
          follow(backward, forward, to, from, producer))
        return true;
    }
  }
  return true;
}

bool Clusterer::isKnownGood(ArrayRef<Operation *> ops) {
  auto [known, inserted] = goodSubgraphs.unions.try_emplace(
      std::vector<Operation *>(ops.begin(), ops.end()), false);
  if (inserted)
    known->second = isGood(ops);
  return known->second;
}

bool Clusterer::tryMerge(unsigned into, unsigned from) {
  if (into == from || reaches(from, into))
    return false;
  SmallVector<Operation *> joined(clusters[from].ops);
  joined.append(clusters[into].ops);
  llvm::sort(joined, [&](Operation *a, Operation *b) {
    return position[a] < position[b];
  });
  if (joined.size() > kMostOps)
    return false;
  size_t planned = std::max(clusters[into].planned, clusters[from].planned);
  if (doubtsAll || joined.size() <= kSmallOps ||
      2 * joined.size() >= 3 * planned ||
      llvm::any_of(joined, [&](Operation *op) {
        return goodSubgraphs.doubted.contains(op);
      })) {
    if (!isKnownGood(joined))
      return false;
    planned = joined.size();
  }
  for (Operation *op : clusters[from].ops)
    clusterOf[op] = into;
  clusters[into].ops = std::move(joined);
  clusters[into].planned = planned;
  clusters[from].ops.clear();
  return true;
}

/// Whether an op computes numbers from numbers, such as the factors of an
/// optimizer's step. Kernels read them rather than share a kernel with all
/// others that do.
static bool computesNumbers(Operation *op) {
  auto isNumber = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() && tensor.getNumElements() == 1;
  };
  return llvm::all_of(op->getOperandTypes(), isNumber) &&
         llvm::all_of(op->getResultTypes(), isNumber);
}

void Clusterer::joinOps() {
  clusters.clear();
  clusterOf.clear();
  for (Operation &op : block) {
    if (!isGenerated(&op))
      continue;
    unsigned own = clusters.size();
    clusters.push_back({{&op}});
    clusterOf[&op] = own;
    // Visit the latest producer first, because joining it is most likely to pay
    // off.
    SmallVector<Operation *> producers;
    for (Value operand : op.getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && clusterOf.contains(producer) &&
          !(isa<BroadcastOp>(op) && computesNumbers(producer)))
        producers.push_back(producer);
    llvm::sort(producers, [&](Operation *a, Operation *b) {
      return position[a] > position[b];
    });
    bool isKept = isKeptFromLoad(&op);
    for (Operation *producer : producers)
      if (isKept == isKeptFromLoad(producer))
        tryMerge(own, clusterOf[producer]);
  }
}

/// Marks the ops of joined subgraphs that are not good. Every union with a
/// doubted op was planned, so such a subgraph contains none. Returns true if
/// there was one.
bool Clusterer::doubtBadSubgraphs() {
  bool found = false;
  for (const Cluster &cluster : clusters)
    if (cluster.ops.size() > cluster.planned && !isKnownGood(cluster.ops)) {
      goodSubgraphs.doubted.insert(cluster.ops.begin(), cluster.ops.end());
      found = true;
    }
  return found;
}

std::vector<SmallVector<Operation *>> Clusterer::run() {
  for (auto [number, op] : llvm::enumerate(block))
    position[&op] = number;
  constexpr unsigned kMostDoubtedRounds = 3;
  for (unsigned round = 0;; ++round) {
    doubtsAll = round == kMostDoubtedRounds;
    joinOps();
    if (!doubtBadSubgraphs())
      break;
  }
  std::vector<SmallVector<Operation *>> result;
  for (Cluster &cluster : clusters)
    if (!cluster.ops.empty())
      result.push_back(withConstants(cluster.ops));
  return result;
}

std::vector<SmallVector<Operation *>> tenon::place::clusterGeneratedOps(
    Block &block, llvm::function_ref<bool(Operation *)> isTaken,
    GoodSubgraphs &goodSubgraphs, bool keepsWeights) {
  return Clusterer(block, isTaken, goodSubgraphs, keepsWeights).run();
}

SmallVector<Operation *> tenon::place::getWithSplats(Operation *op) {
  // Composites are separate kernels, which read their operands from memory.
  if (isa<DecomposableInterface>(op))
    return {op};
  return withConstants({op});
}
