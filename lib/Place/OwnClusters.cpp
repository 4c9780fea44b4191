//===- OwnClusters.cpp - pieces for own code ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Greedy: ops in order, each joining the pieces that produce its operands where
// the union still makes a good kernel. What is good is asked of the stage plan
// of the union itself, not of patterns of ops. A plan takes as long as the
// piece has ops, and most unions are good: a large piece is planned when it has
// grown by half, and at the end. Ops of a piece that is not good then are
// doubted: the next round plans every union that has one of them.
//
//===----------------------------------------------------------------------===//

#include "OwnClusters.h"
#include "Outline.h"
#include "PieceCache.h"

#include "tenon/Dialect/Kernel/Analysis/StagePlan.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::place;

namespace {
constexpr size_t kMostOps = 48;
/// Up to here, pieces are planned at every union.
constexpr size_t kSmallOps = 8;
constexpr size_t kMostNodes = 600;
constexpr double kMostScratch = 256 * 1024;
/// Work per row below which a piece may be serial.
constexpr double kSerialWork = 64 * 1024;

double guess(const SymInt &size) {
  std::optional<int64_t> value =
      size.evaluate([](StringRef) { return std::optional<int64_t>(128); });
  return value ? static_cast<double>(*value) : 0.0;
}

struct Cluster {
  SmallVector<Operation *> ops; // in block order
  size_t planned = 1;           // how many ops it had when it was planned
};

class Clusterer {
public:
  Clusterer(Block &block, llvm::function_ref<bool(Operation *)> isTaken,
            GoodPieces &goodPieces, bool keepsWeights)
      : block(block), isTaken(isTaken), goodPieces(goodPieces),
        keepsWeights(keepsWeights) {}
  std::vector<SmallVector<Operation *>> run();

private:
  bool isOwn(Operation *op) const;
  void joinOps();
  bool doubtBadPieces();
  bool isKnownGood(ArrayRef<Operation *> ops);
  bool tryMerge(unsigned into, unsigned from);
  bool reaches(unsigned from, unsigned to);
  bool isGood(ArrayRef<Operation *> ops);
  bool isGoodAnew(ArrayRef<Operation *> ops, ArrayRef<Operation *> all);
  double countWeights(Value value);
  bool isKeptFromLoad(Operation *op);

  Block &block;
  llvm::function_ref<bool(Operation *)> isTaken;
  GoodPieces &goodPieces;
  bool keepsWeights;
  kernel::IndexFormCache forms;
  std::vector<Cluster> clusters;
  llvm::DenseMap<Operation *, unsigned> clusterOf;
  llvm::DenseMap<Operation *, unsigned> position;
  llvm::DenseMap<Operation *, double> weightsOf;
  bool doubtsAll = false;
};
} // namespace

/// Splat constants are written into the code that uses them.
static bool isSplatConstant(Operation *op) {
  auto constant = dyn_cast_or_null<ConstantOp>(op);
  if (!constant)
    return false;
  auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
  return elements && elements.isSplat();
}

bool Clusterer::isOwn(Operation *op) const {
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
  const PieceKeys &keys = *goodPieces.keys;
  return keys.getCache().isGood(keys.getKey(all),
                                [&] { return isGoodAnew(ops, all); });
}

bool Clusterer::isGoodAnew(ArrayRef<Operation *> ops,
                           ArrayRef<Operation *> all) {
  FailureOr<kernel::StagePlan> plan =
      kernel::planStages(all, collectInputs(all), collectOutputs(ops), &forms);
  if (failed(plan))
    return false;
  double rows = 1, scratch = 0, work = 0;
  for (const SymInt &size : plan->rowShape())
    rows *= guess(size);
  size_t nodes = 0;
  for (auto [number, stage] : llvm::enumerate(plan->stages)) {
    double inner = guess(plan->innerSize(number)), repeated = 1;
    walk(stage.body, [&](Expr node) {
      ++nodes;
      if (node.getKind() == ExprKind::Reduce)
        for (const Expr &extent : ArrayRef<Expr>(node->operands).drop_back(2))
          if (extent.getKind() == ExprKind::Size)
            repeated *= guess(extent->size);
    });
    work += inner * repeated;
    if (stage.output < 0)
      scratch += inner * 8;
  }
  if (nodes > kMostNodes || scratch > kMostScratch)
    return false;
  // Sharing rows must not take away the parallelism that the parts have.
  return plan->stages.size() == 1 || rows >= 8 || rows * work <= kSerialWork;
}

static double countElements(Value value) {
  double count = 1;
  for (const SymInt &size : getShape(value))
    count *= guess(size);
  return count;
}

/// Elements of the weights that a value is made from.
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

/// Whether an op runs at load, and its result takes no more to read than what
/// it is made from: a kernel that took it in would compute it in every run.
bool Clusterer::isKeptFromLoad(Operation *op) {
  if (!keepsWeights || !goodPieces.keys->runsAtLoad(op))
    return false;
  double results = 0, weights = 0;
  for (Value result : op->getResults())
    results += countElements(result);
  for (Value operand : op->getOperands())
    weights += countWeights(operand);
  return results <= weights;
}

namespace {
/// One direction of a search for paths: an edge a step, so that an op with many
/// neighbours costs no more than the other direction takes to end.
struct Search {
  explicit Search(ArrayRef<Operation *> ops)
      : work(ops.drop_back()), current(ops.back()), user(current->user_begin()),
        lastUser(current->user_end()) {}

  SmallVector<Operation *> work;
  llvm::SmallPtrSet<Operation *, 32> seen;
  Operation *current;
  Operation::user_iterator user, lastUser; // forward
  unsigned operand = 0;                    // backward

  /// Takes the next op whose edges are followed; false: there is none.
  bool advance() {
    if (work.empty())
      return false;
    current = work.pop_back_val();
    user = current->user_begin();
    lastUser = current->user_end();
    operand = 0;
    return true;
  }
  /// Clusters are entered as a whole.
  void enter(ArrayRef<Operation *> ops) {
    for (Operation *op : ops)
      if (seen.insert(op).second)
        work.push_back(op);
  }
};
} // namespace

/// Whether a path leads from one cluster to another through a third op: asked
/// from both ends at once. Where neither end says so within a bound, the answer
/// is yes, which leaves the clusters apart.
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
  // Follows an edge to `next`; whether that shows a path.
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
  auto [known, inserted] = goodPieces.unions.try_emplace(
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
        return goodPieces.doubted.contains(op);
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

void Clusterer::joinOps() {
  clusters.clear();
  clusterOf.clear();
  for (Operation &op : block) {
    if (!isOwn(&op))
      continue;
    unsigned own = clusters.size();
    clusters.push_back({{&op}});
    clusterOf[&op] = own;
    // The latest producer first: it is likeliest to be the hot one.
    SmallVector<Operation *> producers;
    for (Value operand : op.getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && clusterOf.contains(producer))
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

/// Whether a joined piece was not good. Every union with a doubted op was
/// planned, so that such a piece has none.
bool Clusterer::doubtBadPieces() {
  bool found = false;
  for (const Cluster &cluster : clusters)
    if (cluster.ops.size() > cluster.planned && !isKnownGood(cluster.ops)) {
      goodPieces.doubted.insert(cluster.ops.begin(), cluster.ops.end());
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
    if (!doubtBadPieces())
      break;
  }
  std::vector<SmallVector<Operation *>> result;
  for (Cluster &cluster : clusters)
    if (!cluster.ops.empty())
      result.push_back(withConstants(cluster.ops));
  return result;
}

std::vector<SmallVector<Operation *>>
tenon::place::clusterOwnOps(Block &block,
                            llvm::function_ref<bool(Operation *)> isTaken,
                            GoodPieces &goodPieces, bool keepsWeights) {
  return Clusterer(block, isTaken, goodPieces, keepsWeights).run();
}

SmallVector<Operation *> tenon::place::makeOwnPiece(Operation *op) {
  // Composites are kernels of their own, which read what they are given.
  if (isa<DecomposableInterface>(op))
    return {op};
  return withConstants({op});
}
