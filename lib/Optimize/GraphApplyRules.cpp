//===- GraphApplyRules.cpp - rewriting of a graph by proved rules ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Optimize/Passes.h"

#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "graph-apply-rules"

namespace tenon::optimize {
#define GEN_PASS_DEF_GRAPHAPPLYRULES
#include "tenon/Optimize/Passes.h.inc"
} // namespace tenon::optimize

using namespace mlir;
using namespace tenon;
using namespace tenon::optimize;
using rule::ProvedRule;
using rule::RuleMatch;
using rule::RulePattern;

namespace {
struct GraphApplyRulesPass
    : optimize::impl::GraphApplyRulesBase<GraphApplyRulesPass> {
  GraphApplyRulesPass(GraphApplyRulesOptions options = {}, RuleJudge judge = {})
      : GraphApplyRulesBase(std::move(options)), judge(std::move(judge)) {}

  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

private:
  bool mayFire(const rule::Certificate &certificate) const {
    return (certificate.floatClass & ~allowed) == 0;
  }
  bool mayFireOn(const ProvedRule &rule, const RuleMatch &match) const;
  bool fireOnce(Block &block, SmallVectorImpl<Attribute> &log);
  Attribute describe(const ProvedRule &rule, const RuleMatch &match);

  RuleJudge judge;
  /// Shared with copies of the pass that run on other functions.
  std::shared_ptr<const RuleSet> set;
  std::shared_ptr<const std::vector<RulePattern>> patterns;
  unsigned allowed = 0;
};
} // namespace

LogicalResult GraphApplyRulesPass::initialize(MLIRContext *context) {
  allowed = getAllowedClass(fp);
  std::vector<std::string> paths(rules.begin(), rules.end());
  std::vector<std::string> wanted(names.begin(), names.end());
  auto loaded = RuleSet::share(context, paths, wanted, judge);
  if (failed(loaded))
    return failure();
  set = std::move(*loaded);
  std::vector<RulePattern> prepared;
  for (const ProvedRule &rule : set->getRules())
    if (mayFire(rule.certificate))
      prepared.emplace_back(rule);
  patterns =
      std::make_shared<const std::vector<RulePattern>>(std::move(prepared));
  return success();
}

Attribute GraphApplyRulesPass::describe(const ProvedRule &rule,
                                        const RuleMatch &match) {
  Builder builder(&getContext());
  SmallVector<NamedAttribute> symbols;
  for (const auto &[name, value] : match.symbols)
    symbols.push_back(
        builder.getNamedAttr(name, builder.getStringAttr(value.str())));
  rule::RuleOp op = rule.op;
  return builder.getDictionaryAttr(
      {builder.getNamedAttr("rule", builder.getStringAttr(op.getSymName())),
       builder.getNamedAttr("statement",
                            builder.getStringAttr(rule.certificate.statement)),
       builder.getNamedAttr("symbols", builder.getDictionaryAttr(symbols)),
       builder.getNamedAttr("leading_axes",
                            builder.getI64IntegerAttr(match.batch.size()))});
}

bool GraphApplyRulesPass::mayFireOn(const ProvedRule &rule,
                                    const RuleMatch &match) const {
  SmallVector<Type> elements;
  for (Value operand : match.operands)
    elements.push_back(getElementTypeOrSelf(operand.getType()));
  for (Operation *op : match.ops)
    for (Type type : op->getResultTypes())
      elements.push_back(getElementTypeOrSelf(type));
  return (rule.certificate.getFloatClass(elements) & ~allowed) == 0;
}

bool GraphApplyRulesPass::fireOnce(Block &block,
                                   SmallVectorImpl<Attribute> &log) {
  rule::BlockView view(block);
  for (const RulePattern &pattern : *patterns) {
    const ProvedRule &rule = pattern.getRule();
    bool fired = pattern.visitMatches(view, [&](const RuleMatch &match) {
      if (!mayFireOn(rule, match) || !checkConditions(rule.op, match, view)) {
        LDBG() << "rule '" << rule::RuleOp(rule.op).getSymName()
               << "' may not fire";
        ++numRefused;
        return false;
      }
      // Describe the match before the ops that it names are erased.
      Attribute entry = describe(rule, match);
      if (failed(applyMatch(rule.op, match)))
        return false;
      LDBG() << "rule '" << rule::RuleOp(rule.op).getSymName() << "' fires";
      log.push_back(entry);
      return true;
    });
    if (fired)
      return true;
  }
  return false;
}

/// A function is expected to end with fewer ops, or with less than so many
/// times its own: targets of few rules have more than 32 ops.
static constexpr size_t leastGrown = 4096, mostGrowth = 32;

void GraphApplyRulesPass::runOnOperation() {
  func::FuncOp function = getOperation();
  if (function.isExternal())
    return;
  if (!function.getBody().hasOneBlock()) {
    function.emitError() << "expected a function of one block, but got "
                         << function.getBody().getBlocks().size();
    return signalPassFailure();
  }
  SmallVector<Attribute> log;
  if (auto before = function->getAttrOfType<ArrayAttr>("rule.log"))
    log.append(before.begin(), before.end());
  Block &block = function.getBody().front();
  size_t before = block.getOperations().size(), firings = 0;
  while (fireOnce(block, log)) {
    ++numFired;
    if (size_t now = block.getOperations().size();
        now > std::max(leastGrown, before * mostGrowth)) {
      // Without the op, which is printed otherwise.
      emitError(function.getLoc())
          << "rules still apply after the function grew from " << before
          << " to " << now << " ops: do they apply to their own targets?";
      return signalPassFailure();
    }
    if (++firings > maxFirings) {
      function.emitError() << "rules still apply after "
                           << maxFirings.getValue()
                           << " rewrites: do they undo each other?";
      return signalPassFailure();
    }
  }
  if (firings)
    function->setAttr("rule.log", ArrayAttr::get(&getContext(), log));
}

std::unique_ptr<Pass>
optimize::createGraphApplyRules(GraphApplyRulesOptions options,
                                OptimizeServices services) {
  return std::make_unique<GraphApplyRulesPass>(options,
                                               std::move(services.judge));
}

void optimize::registerOptimizePasses(OptimizeServices services) {
  registerPass([services]() -> std::unique_ptr<Pass> {
    return createGraphApplyRules({}, services);
  });
  registerPass([services]() -> std::unique_ptr<Pass> {
    return createGraphOptimize({}, services);
  });
}
