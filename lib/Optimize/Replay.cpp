//===- Replay.cpp - replay of a log ---------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The log is not trusted. Its steps are taken in an e-graph of the input, where
// each rule is matched and checked as in a search. Then the ops that the log
// names are extracted, with operands that the e-graph knows to be equal.
//
//===----------------------------------------------------------------------===//

#include "KernelGraph.h"
#include "Search.h"
#include "tenon/Optimize/RuleLog.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::optimize;
using egraph::EGraph;
using egraph::TermId;
using rule::RuleMatch;

namespace {
class Replayer {
public:
  Replayer(func::FuncOp function, const FunctionLog &log, FpMode fp,
           const RuleSet &rules)
      : function(function), log(log), fp(fp), allowed(getAllowedClass(fp)),
        elements(getFloatElements(function)), graph(function.getContext()) {
    for (const rule::ProvedRule &rule : rules.getRules())
      byName[rule::RuleOp(rule.op).getSymName()].push_back(&rule);
  }

  LogicalResult run();

private:
  InFlightDiagnostic error(unsigned firing) {
    return function.emitError() << "step " << firing << " of the log, rule '"
                                << log.firings[firing].rule << "': ";
  }
  Operation *resolve(const OpRef &ref);
  LogicalResult fire(unsigned number);

  func::FuncOp function;
  const FunctionLog &log;
  FpMode fp;
  unsigned allowed;
  /// The floating-point types of the function.
  SmallVector<Type> elements;
  EGraph graph;
  llvm::StringMap<SmallVector<const rule::ProvedRule *, 1>> byName;
};
} // namespace

Operation *Replayer::resolve(const OpRef &ref) {
  if (ref.firing < 0)
    return ref.index < graph.getNumModelTerms()
               ? graph.getNode(graph.getModelTerm(ref.index))
               : nullptr;
  if (static_cast<size_t>(ref.firing) >= graph.getFirings().size())
    return nullptr;
  const egraph::Firing &firing = graph.getFirings()[ref.firing];
  return ref.index < firing.numBuilt
             ? graph.getNode(firing.firstBuilt + ref.index)
             : nullptr;
}

LogicalResult Replayer::fire(unsigned number) {
  const LoggedFiring &step = log.firings[number];
  auto it = byName.find(step.rule);
  if (it == byName.end())
    return error(number) << "no rule of this name is proved here";
  const rule::ProvedRule *rule = nullptr;
  for (const rule::ProvedRule *candidate : it->second)
    if (candidate->certificate.statement == step.statement)
      rule = candidate;
  if (!rule)
    return error(number) << "its statement is not that of the log";
  if (unsigned floatClass = rule->certificate.getFloatClass(elements);
      (floatClass & ~allowed) != 0)
    return error(number) << "fp '" << getName(fp) << "' does not allow it ("
                         << rule::stringifyFloatClass(floatClass) << ")";
  rule::RulePattern pattern(*rule);
  if (step.ops.size() != pattern.getNumOps())
    return error(number) << "expected " << pattern.getNumOps()
                         << " ops, but the log names " << step.ops.size();
  SmallVector<Operation *> fixed;
  for (const OpRef &ref : step.ops) {
    Operation *op = resolve(ref);
    if (!op)
      return error(number) << "there is no op " << ref.str();
    fixed.push_back(op);
  }
  rule::MatchFilter filter;
  filter.fixed = fixed;
  std::optional<RuleMatch> found;
  std::string otherSymbols;
  pattern.visitMatches(
      graph,
      [&](const RuleMatch &match) {
        std::map<std::string, std::string> symbols;
        for (const auto &[name, value] : match.symbols)
          symbols[name] = value.str();
        if (symbols != step.symbols || match.batch.size() != step.leadingAxes) {
          for (const auto &[name, value] : symbols)
            otherSymbols +=
                (otherSymbols.empty() ? "" : ", ") + name + " = " + value;
          return false;
        }
        found = match;
        return true;
      },
      filter);
  if (!found && !otherSymbols.empty())
    return error(number) << "it matches with " << otherSymbols
                         << ", which the log does not say";
  if (!found)
    return error(number) << "its source does not stand at these ops";
  if (!rule::checkConditions(rule->op, *found, graph))
    return error(number) << "its conditions are not known to hold here";
  if (step.conditions != rule->certificate.conditions)
    return error(number) << "its conditions are not those of the log";
  if (graph.apply(*rule, *found, /*keep=*/true) == egraph::Applied::Refused)
    return error(number) << "its target is not valid at these sizes";
  graph.rebuild();
  return success();
}

LogicalResult Replayer::run() {
  std::string hash = hashFunction(function);
  if (hash != log.input)
    return function.emitError() << "this is not the input of the log: its hash "
                                   "is "
                                << hash << ", but the log says " << log.input;
  if (log.firings.empty() && log.result == log.input) {
    // If the function was kept, it may not be convertible to an e-graph.
    if (log.ops != describeUnchanged(function).ops)
      return function.emitError()
             << "the ops of the log's result are not those "
                "of the function, which it says to be "
                "unchanged";
    return success();
  }
  std::string reason;
  if (failed(graph.addBody(function.getBody(), reason)))
    return function.emitError() << "can't be optimized: " << reason;
  for (unsigned number = 0; number < log.firings.size(); ++number)
    if (failed(fire(number)))
      return failure();
  SmallVector<Operation *> ops;
  for (const OpRef &ref : log.ops) {
    Operation *op = resolve(ref);
    if (!op)
      return function.emitError() << "the log's result names op " << ref.str()
                                  << ", which does not exist";
    ops.push_back(op);
  }
  FailureOr<OwningOpRef<func::FuncOp>> built =
      buildFunction(function, graph, ops);
  if (failed(built))
    return function.emitError()
           << "the ops of the log's result do not compute what the input "
              "returns";
  hash = hashFunction(built->get());
  if (hash != log.result)
    return function.emitError() << "the result's hash is " << hash
                                << ", but the log says " << log.result;
  function.getBody().takeBody(built->get().getBody());
  return success();
}

LogicalResult optimize::replay(func::FuncOp function, const FunctionLog &log,
                               FpMode fp, const RuleSet &rules) {
  return Replayer(function, log, fp, rules).run();
}
