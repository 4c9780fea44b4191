//===- PluginPatterns.cpp - reading the patterns of a plug-in -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Backend/Plugin.h"
#include "tenon/Dialect/Graph/Transforms/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::backend;

/// The limit on commutative ops whose operand orders are searched for. In a
/// pattern with more, only its first ones are swapped; the others are matched
/// as written.
static constexpr unsigned kMostSwaps = 4;

/// Runs the passes that models go through before placement.
static LogicalResult canonicalize(ModuleOp module) {
  PassManager passes(module.getContext());
  OpPassManager &function = passes.nest<func::FuncOp>();
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
  function.addPass(graph::createGraphDecompose());
  function.addPass(graph::createGraphExpandTopK());
  function.addPass(createCanonicalizerPass());
  function.addPass(createCSEPass());
  return passes.run(module);
}

/// Copies the ops of a block except its terminator; returns the values of the
/// terminator's operands.
static SmallVector<Value> cloneOps(Block &from, Block &to) {
  IRMapping map;
  for (auto [old, argument] : llvm::zip(from.getArguments(), to.getArguments()))
    map.map(old, argument);
  OpBuilder builder = OpBuilder::atBlockEnd(&to);
  for (Operation &op : from.without_terminator())
    builder.clone(op, map);
  SmallVector<Value> values;
  for (Value value : from.getTerminator()->getOperands())
    values.push_back(map.lookup(value));
  return values;
}

/// Converts the pattern to the form of models; the new op is inserted after the
/// old one.
static FailureOr<rule::PatternOp> normalize(rule::PatternOp written) {
  Location loc = written.getLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
  auto function = func::FuncOp::create(
      builder, loc, "pattern",
      builder.getFunctionType(written.getArgumentTypes(),
                              written.getResultTypeList()));
  Block *body = function.addEntryBlock();
  SmallVector<Value> results = cloneOps(written.getSource().front(), *body);
  builder.setInsertionPointToEnd(body);
  func::ReturnOp::create(builder, loc, results);
  if (failed(canonicalize(*module)))
    return failure();

  builder.setInsertionPointAfter(written);
  auto copy = cast<rule::PatternOp>(builder.clone(*written));
  copy.setSymName((written.getSymName() + ".canonical").str());
  Block &source = copy.getSource().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(source)))
    op.erase();
  results = cloneOps(*body, source);
  builder.setInsertionPointToEnd(&source);
  rule::YieldOp::create(builder, loc, results);
  if (failed(verify(copy)))
    return failure();
  return copy;
}

/// Adds the pattern with every operand order of its commutative ops.
static void addVariants(PluginPattern &pattern, rule::PatternOp op) {
  SmallVector<unsigned> commutative;
  for (auto [number, inner] : llvm::enumerate(op.getSource().front()))
    if (inner.hasTrait<OpTrait::IsCommutative>() &&
        inner.getNumOperands() == 2 &&
        inner.getOperand(0) != inner.getOperand(1) &&
        commutative.size() < kMostSwaps)
      commutative.push_back(number);
  pattern.graphs.push_back(op);
  OpBuilder builder(op);
  for (unsigned swaps = 1; swaps < 1u << commutative.size(); ++swaps) {
    auto copy = cast<rule::PatternOp>(builder.clone(*op));
    copy.setSymName((op.getSymName() + "." + Twine(swaps)).str());
    auto first = copy.getSource().front().begin();
    for (auto [bit, number] : llvm::enumerate(commutative))
      if (swaps >> bit & 1) {
        Operation &inner = *std::next(first, number);
        inner.setOperands({inner.getOperand(1), inner.getOperand(0)});
      }
    pattern.graphs.push_back(copy);
  }
  for (rule::PatternOp graph : pattern.graphs)
    pattern.variants.emplace_back(graph);
}

llvm::Expected<PluginPatterns> PluginPatterns::parse(MLIRContext *context,
                                                     StringRef text) {
  context->loadDialect<graph::GraphDialect, rule::RuleDialect,
                       func::FuncDialect>();
  std::string reason;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (reason.empty() &&
        diagnostic.getSeverity() == DiagnosticSeverity::Error) {
      llvm::raw_string_ostream os(reason);
      if (auto at = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
        os << "line " << at.getLine() << ": ";
      os << diagnostic.str();
    }
    return success();
  });
  auto fail = [&](const Twine &what) {
    return llvm::createStringError(what + (reason.empty() ? "" : ": ") +
                                   reason);
  };
  PluginPatterns patterns;
  patterns.module =
      parseSourceString<ModuleOp>(text, context, /*sourceName=*/"patterns");
  if (!patterns.module)
    return fail("its patterns can't be read");
  SmallVector<rule::PatternOp> written;
  for (Operation &op : *patterns.module->getBody()) {
    auto pattern = dyn_cast<rule::PatternOp>(op);
    if (!pattern)
      return fail("expected its patterns to be 'rule.pattern' ops, but got '" +
                  op.getName().getStringRef() + "'");
    written.push_back(pattern);
  }
  if (written.empty())
    return fail("it has no patterns");
  for (rule::PatternOp op : written) {
    FailureOr<rule::PatternOp> canonical = normalize(op);
    if (failed(canonical))
      return fail("the pattern '" + op.getSymName() + "' can't be used");
    PluginPattern &pattern = patterns.list.emplace_back();
    pattern.written = op;
    pattern.name = op.getSymName().str();
    pattern.symbols = op.getSymbols();
    addVariants(pattern, *canonical);
  }
  llvm::sort(patterns.list, [](const PluginPattern &a, const PluginPattern &b) {
    unsigned ops = a.variants.front().getNumOps();
    unsigned others = b.variants.front().getNumOps();
    rule::PatternOp first = a.written;
    return ops != others ? ops < others : first->isBeforeInBlock(b.written);
  });
  return std::move(patterns);
}
