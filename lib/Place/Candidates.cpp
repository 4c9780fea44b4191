//===- Candidates.cpp - subgraphs that may become kernels -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidates.h"
#include "Outline.h"
#include "tenon/Cost/RunTimeModel.h"
#include "tenon/Dialect/Graph/Analysis/Views.h"
#include "tenon/Dialect/Kernel/Analysis/AttentionSubgraph.h"
#include "tenon/Place/Passes.h"

#include "llvm/ADT/MapVector.h"

#include <tuple>

using namespace mlir;
using namespace tenon;
using namespace tenon::place;

/// The value in `known` of a set of ops that is not a candidate.
static constexpr unsigned kRefused = -1;

/// Returns true if a kernel computes the op. Parameters, constants and views
/// move no data.
static bool isItem(Operation *op) {
  return !op->hasTrait<OpTrait::IsTerminator>() &&
         !op->hasTrait<OpTrait::ConstantLike>() &&
         !isa<graph::ParameterOp, kernel::CallOp>(op) && !graph::isView(op);
}

void tenon::place::duplicateShared(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    bool splat = false;
    if (auto constant = dyn_cast<graph::ConstantOp>(op))
      if (auto data = dyn_cast<DenseElementsAttr>(constant.getValue()))
        splat = data.isSplat();
    if (!splat && !isa<graph::BroadcastOp, graph::IotaOp>(op))
      continue;
    SmallVector<OpOperand *> uses;
    for (OpOperand &use : op.getUses())
      if (!use.getOwner()->hasTrait<OpTrait::IsTerminator>())
        uses.push_back(&use);
    for (OpOperand *use : ArrayRef(uses).drop_front(uses.empty() ? 0 : 1)) {
      OpBuilder builder(&op);
      builder.setInsertionPointAfter(&op);
      use->set(builder.clone(op)->getResult(0));
    }
  }
}

CandidateSet::CandidateSet(Block &block, const cost::CostModel &costs,
                           const CandidateRules &rules,
                           std::shared_ptr<SubgraphCache> subgraphs)
    : block(block), costs(costs), rules(rules),
      keys(std::make_shared<SubgraphKeys>(
          block, subgraphs ? std::move(subgraphs) : createSubgraphCache())) {
  goodSubgraphs.keys = keys;
  if (const cost::CostDatabase *database = costs.getDatabase()) {
    auto model = cost::RunTimeModel::learn(*database);
    // Kernel times do not include the time of a launch.
    secondsPerKernel = std::max(model.getSecondsPerKernel() / model.getFactor(),
                                costs.getProfile().launchSeconds);
  }
  numberItems();
  addLibraryCandidates();
  addGeneratedCandidates();
  correctUnmeasured();
}

void CandidateSet::numberItems() {
  // For each op that moves no data (or was placed before), the items that it
  // depends on.
  llvm::DenseMap<Operation *, llvm::SetVector<unsigned>> behind;
  for (Operation &op : block) {
    bool item = isItem(&op);
    if (item) {
      itemOf[&op] = problem.users.size();
      problem.users.emplace_back();
    }
    llvm::SetVector<unsigned> needs;
    for (Value operand : op.getOperands())
      if (Operation *producer = operand.getDefiningOp()) {
        if (auto it = itemOf.find(producer); it != itemOf.end())
          needs.insert(it->second);
        else
          needs.insert_range(behind[producer]);
      }
    if (!item) {
      behind[&op] = std::move(needs);
      continue;
    }
    for (unsigned need : needs)
      problem.users[need].push_back(itemOf[&op]);
  }
}

bool CandidateSet::isConvex(const std::vector<unsigned> &items) const {
  // A path that leaves the subgraph must not lead back into it.
  std::set<unsigned> outside;
  for (unsigned item : items)
    for (unsigned user : problem.users[item])
      if (!llvm::binary_search(items, user))
        outside.insert(user);
  // Users have larger numbers, so the set can grow while it is traversed in
  // ascending order.
  for (auto it = outside.begin(); it != outside.end() && *it < items.back();
       ++it)
    for (unsigned user : problem.users[*it]) {
      if (llvm::binary_search(items, user))
        return false;
      outside.insert(user);
    }
  return true;
}

bool CandidateSet::add(SmallVector<Operation *> ops, StringRef backend,
                       std::string pattern) {
  std::vector<unsigned> items;
  for (Operation *op : ops)
    if (auto it = itemOf.find(op); it != itemOf.end())
      items.push_back(it->second);
  llvm::sort(items);
  for (Operation *op : ops)
    if (StringRef pin = rules.getPin(op); !pin.empty() && pin != backend)
      return false;
  if (items.empty())
    return false;
  auto [place, inserted] =
      known.try_emplace({backend.str(), items}, candidates.size());
  if (!inserted)
    return false;
  if (!isConvex(items)) {
    place->second = kRefused;
    return false;
  }
  Operation *root = ops.front();
  // Do not compare by the block's own order, which is recomputed after each
  // insertion of an op.
  llvm::sort(ops, [&](Operation *a, Operation *b) {
    return keys->getPosition(a) < keys->getPosition(b);
  });
  const SubgraphCache::Price &price =
      keys->getCache().getPrice(keys->getKey(ops, backend, pattern), [&] {
        kernel::CallOp call = createCall(ops, backend, pattern);
        SubgraphCache::Price computed{costs.estimate(call), 0};
        if (computed.cost.measured || computed.cost.scaled)
          computed.roofline = costs.estimateRoofline(call).seconds;
        call.erase();
        return computed;
      });
  Candidate candidate{
      std::move(ops), root,           backend, std::move(pattern),
      price.cost,     price.roofline, {}};
  problem.options.push_back({std::move(items), candidate.cost.seconds});
  candidates.push_back(std::move(candidate));
  return true;
}

void CandidateSet::addLibraryCandidates() {
  auto &registry =
      backend::BackendRegistry::get(block.getParentOp()->getContext());
  for (const auto &backend : registry.getBackends()) {
    if (!rules.allowsBackend(*backend))
      continue;
    SmallVector<backend::Subgraph> subgraphs;
    backend->match(block, subgraphs);
    for (backend::Subgraph &subgraph : subgraphs)
      if (rules.allowsPattern(*backend, subgraph.pattern))
        add(std::move(subgraph.ops), backend->getName(),
            std::move(subgraph.pattern));
  }
}

static std::string describeGenerated(ArrayRef<Operation *> ops) {
  std::string pattern;
  for (Operation *op : ops)
    if (!op->hasTrait<OpTrait::ConstantLike>() && pattern.size() < 60)
      pattern +=
          (pattern.empty() ? "" : "+") + op->getName().stripDialect().str();
  return pattern;
}

bool CandidateSet::addGeneratedCandidates(
    llvm::function_ref<bool(Operation *)> isTaken) {
  bool any = false;
  // On a CPU, matmuls without the casts of their weights would share rows with
  // each other, and read all weights again for every row. On a GPU, subgraphs
  // are divided at products.
  bool keepsWeights = rules.generatedCode != kernel::kCpuBackend;
  for (SmallVector<Operation *> &ops :
       clusterGeneratedOps(block, isTaken, goodSubgraphs, keepsWeights)) {
    std::string pattern = describeGenerated(ops);
    any |= add(std::move(ops), rules.generatedCode, std::move(pattern));
  }
  return any;
}

namespace {
/// The ops that libraries run in one division of a graph.
using Taken = llvm::DenseSet<Operation *>;
/// Backend, level, and kind of root: "" for all, "-conv" for all except
/// convolutions, "+conv" for convolutions only.
using Division = std::tuple<StringRef, unsigned, std::string>;
} // namespace

/// Returns the ways in which a backend may run some of its roots: all roots,
/// with the same number of ops added to the first subgraph of each; and with
/// the maximum number of ops, only one kind of root, or all kinds except one.
static std::map<Division, Taken>
divide(ArrayRef<std::vector<const Candidate *>> roots) {
  std::map<Division, Taken> divisions;
  auto take = [&](Division division, const Candidate &subgraph) {
    divisions[division].insert(subgraph.ops.begin(), subgraph.ops.end());
  };
  size_t most = 0;
  std::map<StringRef, std::set<std::string>> kinds;
  for (const auto &subgraphs : roots) {
    most = std::max(most, subgraphs.size());
    kinds[subgraphs.front()->backend].insert(
        subgraphs.front()->root->getName().stripDialect().str());
  }
  for (const auto &subgraphs : roots) {
    StringRef backend = subgraphs.front()->backend;
    std::string own = subgraphs.front()->root->getName().stripDialect().str();
    for (size_t level = 0; level < most; ++level)
      take({backend, level, ""},
           *subgraphs[std::min(level, subgraphs.size() - 1)]);
    if (kinds[backend].size() == 1)
      continue;
    for (const std::string &kind : kinds[backend])
      take({backend, most, (kind == own ? "+" : "-") + kind},
           *subgraphs.back());
  }
  return divisions;
}

/// Adds attention with its transposes, and subgraphs of the remaining ops.
void CandidateSet::addAttention() {
  for (auto op : block.getOps<graph::AttentionOp>()) {
    SmallVector<Operation *> ops = kernel::matchAttentionSubgraph(op).ops();
    if (!llvm::all_of(ops,
                      [&](Operation *own) { return itemOf.contains(own); }))
      continue;
    attention.insert(ops.begin(), ops.end());
    std::string pattern = describeGenerated(ops);
    add(std::move(ops), rules.generatedCode, std::move(pattern));
  }
  if (!attention.empty())
    addGeneratedCandidates(
        [&](Operation *op) { return attention.contains(op); });
}

void CandidateSet::addGeneratedCandidates() {
  llvm::MapVector<std::pair<const char *, Operation *>,
                  std::vector<const Candidate *>>
      byRoot;
  for (const Candidate &candidate : candidates)
    byRoot[{candidate.backend.data(), candidate.root}].push_back(&candidate);
  std::vector<std::vector<const Candidate *>> roots;
  for (auto &[root, subgraphs] : byRoot)
    roots.push_back(std::move(subgraphs));
  // Divide before candidates are added, because that invalidates the pointers
  // in `roots`.
  std::map<Division, Taken> divisions = divide(roots);
  addGeneratedCandidates([](Operation *) { return false; });
  addAttention();
  for (const auto &division : divisions)
    addGeneratedCandidates([&](Operation *op) {
      return division.second.contains(op) || attention.contains(op);
    });
  for (Operation &op : block)
    if (itemOf.contains(&op)) {
      SmallVector<Operation *> ops = getWithSplats(&op);
      std::string pattern = describeGenerated(ops);
      add(std::move(ops), rules.generatedCode, std::move(pattern));
    }
}

bool CandidateSet::has(Operation *op, StringRef backend) const {
  if (!itemOf.contains(op))
    return true;
  unsigned item = itemOf.lookup(op);
  for (auto [candidate, option] : llvm::zip(candidates, problem.options))
    if (candidate.backend == backend && llvm::binary_search(option.items, item))
      return true;
  return false;
}

bool CandidateSet::setBaseline(const CandidateSet &other,
                               ArrayRef<unsigned> plan) {
  std::vector<unsigned> options;
  for (unsigned option : plan) {
    const Candidate &chosen = other.candidates[option];
    add(chosen.ops, chosen.backend, chosen.pattern);
    auto it =
        known.find({chosen.backend.str(), other.problem.options[option].items});
    // A backend may have several patterns for the same ops.
    if (it != known.end() && it->second != kRefused &&
        candidates[it->second].pattern == chosen.pattern)
      options.push_back(it->second);
  }
  correctUnmeasured();
  if (options.size() != plan.size())
    return false;
  llvm::sort(options);
  baseline = std::move(options);
  return true;
}

bool CandidateSet::refine(ArrayRef<unsigned> chosen) {
  llvm::DenseSet<Operation *> taken;
  for (unsigned option : chosen)
    if (!kernel::isGeneratedCode(candidates[option].backend))
      taken.insert(candidates[option].ops.begin(),
                   candidates[option].ops.end());
  bool any = addGeneratedCandidates([&](Operation *op) {
    return taken.contains(op) || attention.contains(op);
  });
  if (any)
    correctUnmeasured();
  return any;
}

/// If some kernels of a backend were measured, corrects the roofline of its
/// other kernels by the error of the roofline for the measured ones.
void CandidateSet::correctUnmeasured() {
  cost::MeasuredRatio ratio;
  for (const Candidate &candidate : candidates)
    if (candidate.cost.measured || candidate.cost.scaled)
      ratio.add(candidate.backend, candidate.cost, candidate.roofline);
  for (auto [candidate, option] : llvm::zip(candidates, problem.options)) {
    option.cost = ratio.correct(candidate.backend, candidate.cost);
    candidate.bounds = ratio.getBounds(candidate.backend, candidate.cost);
  }
}
