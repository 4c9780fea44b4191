//===- Derivations.cpp - rules that follow from others --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/Derivations.h"

#include "tenon/EGraph/EGraph.h"
#include "tenon/EGraph/Explain.h"
#include "tenon/EGraph/Saturate.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::discover;

Derivations::Derivations(MLIRContext *context) : context(context) {
  context->getOrLoadDialect<func::FuncDialect>();
}

/// The names of the ops of both sides, sorted.
static std::vector<OperationName> listNames(rule::RuleOp rule) {
  std::vector<OperationName> names;
  for (Region *side : {&rule.getSource(), &rule.getTarget()})
    for (Operation &op : side->front().without_terminator())
      names.push_back(op.getName());
  auto comesFirst = [](OperationName a, OperationName b) {
    return a.getAsOpaquePointer() < b.getAsOpaquePointer();
  };
  llvm::sort(names, comesFirst);
  names.erase(llvm::unique(names), names.end());
  return names;
}

void Derivations::add(OwningOpRef<rule::RuleOp> op, bool mayLift) {
  names.push_back(listNames(*op));
  rule::ProvedRule proved;
  proved.op = *op;
  proved.certificate.name = op->getSymName().str();
  proved.certificate.status = rule::Status::Proved;
  proved.certificate.elements = "real";
  proved.certificate.liftProved = mayLift;
  ops.push_back(std::move(op));
  rules.push_back(std::move(proved));
  patterns.emplace_back(rules.back(), rule::RulePattern::Check::Nothing);
}

/// A function that computes sides of a rule from the same inputs, and returns
/// their results one after another.
static OwningOpRef<ModuleOp> makeFunction(MLIRContext *context,
                                          ArrayRef<Block *> sides) {
  OpBuilder builder(context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module(ModuleOp::create(loc));
  builder.setInsertionPointToEnd(module->getBody());
  SmallVector<Type> results;
  for (Block *side : sides)
    llvm::append_range(results, side->getTerminator()->getOperandTypes());
  auto function = func::FuncOp::create(
      builder, loc, "sides",
      builder.getFunctionType(sides.front()->getArgumentTypes(), results));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  SmallVector<Value> returned;
  for (Block *side : sides) {
    IRMapping mapping;
    mapping.map(side->getArguments(), body->getArguments());
    for (Operation &op : side->without_terminator())
      builder.clone(op, mapping);
    for (Value value : side->getTerminator()->getOperands())
      returned.push_back(mapping.lookup(value));
  }
  func::ReturnOp::create(builder, loc, returned);
  return module;
}

rule::RuleOp Derivations::find(StringRef name) const {
  for (const rule::ProvedRule &rule : rules)
    if (rule.certificate.name == name)
      return rule.op;
  return nullptr;
}

bool Derivations::saturate(egraph::EGraph &graph, ArrayRef<Block *> sides,
                           const Filter &mayFire,
                           const DerivationLimits &limits,
                           const std::function<bool()> &isDone) const {
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = makeFunction(context, sides);
  auto function = *module->getOps<func::FuncOp>().begin();
  std::string reason;
  if (failed(graph.addBody(function.getBody(), reason)))
    return false;
  graph.rebuild();
  egraph::SaturateOptions options;
  options.iterations = limits.iterations;
  options.newNodes = limits.newNodes;
  options.floatClass = ~0u;
  options.provesEquality = true;
  options.mayFire = mayFire;
  options.isDone = isDone;
  if (!isDone())
    egraph::saturate(graph, patterns, options);
  return isDone();
}

std::optional<std::vector<std::string>>
Derivations::tryWith(rule::RuleOp goal, const Filter &mayFire,
                     const DerivationLimits &limits) const {
  egraph::EGraph graph(context);
  egraph::Goals goals;
  auto areEqual = [&] {
    auto results = graph.getResults();
    size_t half = results.size() / 2;
    goals.equalities.clear();
    for (size_t number = 0; number < half; ++number)
      goals.equalities.push_back({results[number], results[half + number]});
    return llvm::all_of(goals.equalities, [&](auto pair) {
      return graph.areEqual(pair.first, pair.second);
    });
  };
  if (!saturate(graph, {&goal.getSource().front(), &goal.getTarget().front()},
                mayFire, limits, areEqual))
    return std::nullopt;
  std::vector<std::string> names;
  for (unsigned firing : collectFirings(graph, goals))
    names.push_back(
        rule::RuleOp(graph.getFirings()[firing].rule->op).getSymName().str());
  return names;
}

Derivations::Filter
Derivations::choose(rule::RuleOp goal, const DerivationLimits &limits,
                    const std::set<std::string> &without) const {
  return [this, own = listNames(goal), limits, &without](unsigned number) {
    return !without.count(rules[number].certificate.name) &&
           (!limits.usesOwnOps ||
            llvm::all_of(names[number], [&](OperationName name) {
              return llvm::is_contained(own, name);
            }));
  };
}

std::optional<std::vector<std::string>>
Derivations::derive(rule::RuleOp goal, const DerivationLimits &limits,
                    const std::set<std::string> &without) const {
  return tryWith(goal, choose(goal, limits, without), limits);
}

std::optional<std::vector<std::string>>
Derivations::deriveShortly(rule::RuleOp goal,
                           const DerivationLimits &limits) const {
  auto best = derive(goal, limits);
  // What an e-graph finds first need not be short. Fewer rules give smaller
  // graphs, in which fewer detours are possible.
  for (bool isShorter = best.has_value(); isShorter;) {
    isShorter = false;
    std::set<std::string> used(best->begin(), best->end()), without = {""};
    without.insert(used.begin(), used.end());
    for (const std::string &left : without) {
      auto found = tryWith(
          goal,
          [&](unsigned number) {
            const std::string &name = rules[number].certificate.name;
            return used.count(name) && name != left;
          },
          limits);
      if (!found || found->size() >= best->size())
        continue;
      best = std::move(found);
      isShorter = true;
      break;
    }
  }
  return best;
}

bool Derivations::reaches(rule::RuleOp goal, const DerivationLimits &limits,
                          const std::set<std::string> &without) const {
  egraph::EGraph graph(context);
  Block &target = goal.getTarget().front();
  auto isThere = [&] {
    llvm::DenseMap<Value, Value> known;
    for (auto [argument, id] :
         llvm::zip_equal(target.getArguments(), graph.getArguments()))
      known[argument] = graph.find(id);
    for (Operation &op : target.without_terminator()) {
      SmallVector<Value> operands;
      for (Value operand : op.getOperands())
        operands.push_back(known.lookup(operand));
      Operation *node = graph.lookup(&op, operands);
      if (!node)
        return false;
      for (auto [mine, its] :
           llvm::zip_equal(op.getResults(), node->getResults()))
        known[mine] = graph.find(its);
    }
    for (auto [value, id] : llvm::zip_equal(
             target.getTerminator()->getOperands(), graph.getResults()))
      if (known.lookup(value) != graph.find(id))
        return false;
    return true;
  };
  return saturate(graph, {&goal.getSource().front()},
                  choose(goal, limits, without), limits, isThere);
}
