//===- Derivation.cpp - the firings that a result needs -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Derivation.h"
#include "tenon/EGraph/Explain.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::optimize;
using egraph::EGraph;
using egraph::TermId;

/// Returns the log entry of a firing.
static LoggedFiring describeFiring(const rule::ProvedRule &rule,
                                   const rule::SymbolMap &symbols,
                                   unsigned leadingAxes,
                                   std::vector<OpRef> ops) {
  LoggedFiring logged;
  rule::RuleOp op = rule.op;
  logged.rule = op.getSymName().str();
  logged.statement = rule.certificate.statement;
  logged.ops = std::move(ops);
  for (const auto &[name, value] : symbols)
    logged.symbols[name] = value.str();
  logged.leadingAxes = leadingAxes;
  logged.conditions = rule.certificate.conditions;
  return logged;
}

FunctionLog optimize::describeDerivation(func::FuncOp function,
                                         const EGraph &graph,
                                         ArrayRef<Operation *> ops) {
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
  llvm::DenseMap<int, int> numbers;
  auto refer = [&](TermId id) {
    const egraph::Term &term = graph.getTerm(id);
    return OpRef{term.firing < 0 ? -1 : numbers.lookup(term.firing),
                 term.index};
  };
  FunctionLog log;
  log.function = function.getName().str();
  for (unsigned number : egraph::collectFirings(graph, goals)) {
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
