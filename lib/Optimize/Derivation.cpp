//===- Derivation.cpp - the firings that a result needs -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Steps are taken in an e-graph, which records what each of them needs. The
// steps that the result needs are then taken again without the others, so that
// the result is the one that a replay of the log produces.
//
//===----------------------------------------------------------------------===//

#include "Derivation.h"
#include "KernelGraph.h"
#include "Search.h"
#include "tenon/EGraph/Explain.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::optimize;
using egraph::EGraph;
using egraph::TermId;
using rule::RuleMatch;

namespace {
class Deriver {
public:
  explicit Deriver(func::FuncOp function)
      : function(function), graph(function.getContext()) {}

  /// Takes all steps. With `exact`, uses exactly the symbols that they name.
  LogicalResult take(ArrayRef<DerivationStep> steps, bool exact);
  SmallVector<Operation *> select(ArrayRef<OpRef> refs) const;
  FunctionLog describe(ArrayRef<Operation *> ops,
                       std::vector<unsigned> &needed) const {
    return describeDerivation(function, graph, ops, needed);
  }
  FailureOr<OwningOpRef<func::FuncOp>> build(ArrayRef<Operation *> ops) const {
    return buildFunction(function, graph, ops);
  }

  Operation *resolve(const OpRef &ref) const;

private:
  std::optional<RuleMatch> findMatch(const DerivationStep &step,
                                     bool exact) const;

  func::FuncOp function;
  EGraph graph;
};
} // namespace

Operation *Deriver::resolve(const OpRef &ref) const {
  if (ref.firing < 0)
    return graph.getNode(graph.getModelTerm(ref.index));
  return graph.getNode(graph.getFirings()[ref.firing].firstBuilt + ref.index);
}

/// An e-graph may know more about sizes than the graph that was searched, so
/// that a symbol may be bound differently.
std::optional<RuleMatch> Deriver::findMatch(const DerivationStep &step,
                                            bool exact) const {
  SmallVector<Operation *> fixed;
  for (const OpRef &ref : step.firing.ops)
    fixed.push_back(resolve(ref));
  if (llvm::is_contained(fixed, nullptr))
    return std::nullopt;
  rule::MatchFilter filter;
  filter.fixed = fixed;
  std::optional<RuleMatch> found;
  step.pattern->visitMatches(
      graph,
      [&](const RuleMatch &match) {
        std::map<std::string, std::string> symbols;
        for (const auto &[name, value] : match.symbols)
          symbols[name] = value.str();
        bool same = symbols == step.firing.symbols &&
                    match.batch.size() == step.firing.leadingAxes;
        if (same || (!exact && !found))
          found = match;
        return same;
      },
      filter);
  return found;
}

LogicalResult Deriver::take(ArrayRef<DerivationStep> steps, bool exact) {
  std::string reason;
  if (failed(graph.addBody(function.getBody(), reason)))
    return failure();
  for (const DerivationStep &step : steps) {
    std::optional<RuleMatch> match = findMatch(step, exact);
    if (!match || graph.apply(step.pattern->getRule(), *match, /*keep=*/true) ==
                      egraph::Applied::Refused)
      return failure();
    graph.rebuild();
  }
  return success();
}

/// Returns the nodes that the refs name, in order. Omits nodes that provide
/// nothing new or nothing that is needed, because an e-graph may know more
/// values to be equal.
SmallVector<Operation *> Deriver::select(ArrayRef<OpRef> refs) const {
  llvm::DenseMap<Value, Operation *> givers;
  for (egraph::ValueId argument : graph.getArguments())
    givers.try_emplace(graph.find(argument), nullptr);
  SmallVector<Operation *> all;
  for (const OpRef &ref : refs) {
    Operation *op = resolve(ref);
    bool gives = false;
    if (op)
      for (Value result : op->getResults())
        gives |= givers.try_emplace(graph.find(result), op).second;
    if (gives)
      all.push_back(op);
  }
  llvm::SmallPtrSet<Operation *, 32> needed;
  for (egraph::ValueId result : graph.getResults())
    needed.insert(givers.lookup(graph.find(result)));
  SmallVector<Operation *> ops;
  for (Operation *op : llvm::reverse(all)) {
    if (!needed.contains(op))
      continue;
    ops.push_back(op);
    for (Value operand : op->getOperands())
      needed.insert(givers.lookup(graph.find(operand)));
  }
  std::reverse(ops.begin(), ops.end());
  return ops;
}

FunctionLog optimize::describeDerivation(func::FuncOp function,
                                         const EGraph &graph,
                                         ArrayRef<Operation *> ops,
                                         std::vector<unsigned> &needed) {
  llvm::DenseMap<Value, egraph::ValueId> given;
  for (egraph::ValueId argument : graph.getArguments())
    given.try_emplace(graph.find(argument), argument);
  egraph::Goals goals;
  for (Operation *op : ops) {
    TermId term = graph.getTerm(op);
    goals.terms.push_back(term);
    for (auto [operand, written] :
         llvm::zip(op->getOperands(), graph.getTerm(term).operands))
      goals.equalities.push_back({written, given.lookup(graph.find(operand))});
    for (Value output : op->getResults())
      given.try_emplace(graph.find(output), graph.getId(output));
  }
  for (egraph::ValueId id : graph.getResults())
    goals.equalities.push_back({id, given.lookup(graph.find(id))});
  needed = egraph::collectFirings(graph, goals);

  llvm::DenseMap<int, int> numbers;
  auto refer = [&](TermId id) {
    const egraph::Term &term = graph.getTerm(id);
    return OpRef{term.firing < 0 ? -1 : numbers.lookup(term.firing),
                 term.index};
  };
  FunctionLog log;
  log.function = function.getName().str();
  for (unsigned number : needed) {
    const egraph::Firing &firing = graph.getFirings()[number];
    numbers[number] = log.firings.size();
    std::vector<OpRef> matched;
    for (TermId term : firing.ops)
      matched.push_back(refer(term));
    log.firings.push_back(describeFiring(
        *firing.rule, firing.symbols, firing.batch.size(), std::move(matched)));
  }
  for (Operation *op : ops)
    log.ops.push_back(refer(graph.getTerm(op)));
  return log;
}

FailureOr<Candidate> optimize::derive(func::FuncOp function,
                                      ArrayRef<DerivationStep> steps,
                                      ArrayRef<OpRef> ops) {
  Deriver all(function);
  if (failed(all.take(steps, /*exact=*/false)))
    return failure();
  std::vector<unsigned> needed;
  Candidate candidate;
  candidate.log = all.describe(all.select(ops), needed);
  std::vector<DerivationStep> again;
  for (auto [number, firing] : llvm::zip(needed, candidate.log.firings))
    again.push_back({steps[number].pattern, firing});
  Deriver pruned(function);
  if (failed(pruned.take(again, /*exact=*/true)))
    return failure();
  SmallVector<Operation *> named;
  for (const OpRef &ref : candidate.log.ops)
    named.push_back(pruned.resolve(ref));
  FailureOr<OwningOpRef<func::FuncOp>> built = pruned.build(named);
  if (failed(built))
    return failure();
  candidate.function = std::move(*built);
  return candidate;
}
