//===- PluginMatch.cpp - matching the patterns of a plug-in ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PluginProblem.h"
#include "tenon/Artifact/PluginCall.h"
#include "tenon/Backend/Plugin.h"

#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::backend;
using graph::SymInt;

/// Returns whether an operand depends on a result through ops outside of the
/// match.
static bool isCyclic(const rule::RuleMatch &match) {
  llvm::SmallPtrSet<Operation *, 16> behind;
  SmallVector<Operation *> work;
  for (Value result : match.results)
    llvm::append_range(work, result.getUsers());
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    if (llvm::is_contained(match.ops, op) || !behind.insert(op).second)
      continue;
    llvm::append_range(work, op->getUsers());
  }
  return llvm::any_of(match.operands, [&](Value operand) {
    Operation *op = operand.getDefiningOp();
    return op && behind.contains(op);
  });
}

/// Returns whether the ops of a match can become one kernel: only results of
/// the match are read outside, and every result is read outside.
static bool isClosed(const rule::RuleMatch &match) {
  auto isInside = [&](Operation *op) {
    return llvm::is_contained(match.ops, op);
  };
  for (Operation *op : match.ops)
    for (Value value : op->getResults()) {
      bool isResult = llvm::is_contained(match.results, value);
      bool readOutside = llvm::any_of(
          value.getUsers(), [&](Operation *user) { return !isInside(user); });
      if (isResult != readOutside)
        return false;
    }
  // An operand that the pattern binds to an intermediate value would have to be
  // both inside and outside.
  for (Value operand : match.operands)
    if (Operation *op = operand.getDefiningOp(); op && isInside(op))
      return false;
  return match.results.size() == 1 || !isCyclic(match);
}

/// Returns the ops, with the main computation first.
static SmallVector<Operation *> listOps(const rule::RuleMatch &match) {
  SmallVector<Operation *> ops(match.ops);
  auto root = llvm::find_if(ops, [](Operation *op) {
    return !isa<graph::BroadcastOp, graph::TransposeOp, graph::ReshapeOp>(op) &&
           !op->hasTrait<OpTrait::ConstantLike>();
  });
  if (root != ops.end())
    std::rotate(ops.begin(), root, std::next(root));
  return ops;
}

PluginCall
PluginBackend::buildCall(const PluginPattern &pattern,
                         const rule::RuleMatch &match,
                         const graph::WeightAnalysis &weights) const {
  PluginCall call;
  call.backend = table.name;
  call.file = llvm::sys::path::filename(path).str();
  call.version = getVersion();
  call.patternsHash = tenon_plugin_hash(table.patterns);
  call.pattern = pattern.name;
  call.numResults = match.results.size();
  for (const SymInt &size : match.batch)
    call.items = call.items * size;
  auto add = [&](Value value, bool lifted) {
    PluginOperand operand;
    operand.elementType = getElementTypeOrSelf(value.getType());
    operand.shape = graph::getShape(value);
    operand.isLifted = lifted && !match.batch.empty();
    if (operand.isLifted)
      operand.shape.erase(operand.shape.begin(),
                          operand.shape.begin() + match.batch.size());
    operand.isConstant = weights.isWeight(value);
    call.operands.push_back(std::move(operand));
  };
  for (auto [operand, lifted] : llvm::zip(match.operands, match.lifted))
    add(operand, lifted);
  for (Value result : match.results)
    add(result, /*lifted=*/true);
  for (const std::string &symbol : pattern.symbols) {
    auto it = match.symbols.find(symbol);
    call.symbols.emplace_back(symbol, it == match.symbols.end() ? SymInt(-1)
                                                                : it->second);
  }
  return call;
}

/// Returns whether the pattern's conditions and the plug-in's own check allow
/// it.
bool PluginBackend::mayRun(const PluginPattern &pattern,
                           const rule::RuleMatch &match,
                           const rule::MatchView &view,
                           const graph::WeightAnalysis &weights) const {
  for (const auto &[name, size] : match.symbols)
    if (size.isUnknown())
      return false;
  if (!rule::checkConditions(pattern.written, match, view))
    return false;
  PluginCall call = buildCall(pattern, match, weights);
  for (const PluginOperand &operand : call.operands) {
    if (!getDLDType(operand.elementType))
      return false;
    for (const SymInt &size : operand.shape)
      if (size.isUnknown())
        return false;
  }
  return !call.items.isUnknown() &&
         (!table.check || !table.check(&PluginProblem(call).get()));
}

void PluginBackend::match(Block &block,
                          SmallVectorImpl<Subgraph> &subgraphs) const {
  rule::BlockView view(block);
  graph::WeightAnalysis weights(block);
  for (const PluginPattern &pattern : patterns.list) {
    // Two orders of operands may find the same ops.
    std::set<std::vector<Operation *>> found;
    for (const rule::RulePattern &variant : pattern.variants)
      variant.visitMatches(view, [&](const rule::RuleMatch &match) {
        if (!isClosed(match) || !mayRun(pattern, match, view, weights))
          return false;
        std::vector<Operation *> sorted(match.ops.begin(), match.ops.end());
        llvm::sort(sorted, [](Operation *a, Operation *b) {
          return a->isBeforeInBlock(b);
        });
        if (found.insert(std::move(sorted)).second)
          subgraphs.push_back({listOps(match), pattern.name});
        return false;
      });
  }
}

FailureOr<LibraryCall> PluginBackend::describe(kernel::CallOp op,
                                               const Numerics &) const {
  auto pattern = llvm::find_if(patterns.list, [&](const PluginPattern &one) {
    return one.name == op.getPattern();
  });
  if (pattern == patterns.list.end())
    return op.emitOpError()
           << "names the pattern '" << op.getPattern()
           << "', which the backend '" << table.name << "' does not have";
  Block &body = op.getBodyBlock();
  rule::BlockView view(body);
  graph::WeightAnalysis weights(body);
  size_t numOps = llvm::range_size(body.without_terminator());
  SmallVector<Value> yielded(op.getYielded());
  std::optional<LibraryCall> built;
  for (const rule::RulePattern &variant : pattern->variants)
    variant.visitMatches(view, [&](const rule::RuleMatch &match) {
      bool whole =
          match.ops.size() == numOps &&
          match.results.size() == yielded.size() &&
          llvm::all_of(match.operands,
                       [](Value value) { return isa<BlockArgument>(value); }) &&
          isClosed(match) && mayRun(*pattern, match, view, weights);
      if (!whole)
        return false;
      built.emplace();
      built->plugin = buildCall(*pattern, match, weights);
      for (Value operand : match.operands)
        built->inputs.push_back(cast<BlockArgument>(operand).getArgNumber());
      for (Value result : match.results)
        built->outputs.push_back(llvm::find(yielded, result) - yielded.begin());
      return true;
    });
  if (!built)
    return op.emitOpError() << "does not match the pattern '" << op.getPattern()
                            << "' of the backend '" << table.name << "'";
  return std::move(*built);
}
