//===- ModelGuide.cpp - what a model says about rules to look for ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelGuide.h"
#include "RuleFiles.h"

#include "tenon/Dialect/Kernel/Analysis/Prepared.h"
#include "tenon/Discover/OpSet.h"
#include "tenon/Driver/Pipelines.h"
#include "tenon/Driver/PlacedScore.h"
#include "tenon/Driver/RuleJudge.h"
#include "tenon/Optimize/RuleSet.h"
#include "tenon/Support/ParseModule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::tools;

bool ModelGuide::read(const std::string &path, const std::string &profile,
                      const std::string &costFile) {
  llvm::Expected<cost::DeviceProfile> device = cost::getProfile(profile);
  if (!device) {
    reportError(llvm::toString(device.takeError()));
    return false;
  }
  if (!costFile.empty()) {
    llvm::Expected<cost::CostDatabase> read =
        cost::CostDatabase::read(costFile);
    if (!read) {
      reportError(llvm::toString(read.takeError()));
      return false;
    }
    database = std::make_unique<cost::CostDatabase>(std::move(*read));
  }
  costs = std::make_shared<const cost::CostModel>(std::move(*device),
                                                  database.get());
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, context);
  model = parseModuleFile(path, context, &sources);
  if (!model)
    return false;
  // The graph that a compilation optimizes.
  PassManager passes(context);
  buildCanonicalPipeline(passes, FpMode::Reassociate);
  return succeeded(passes.run(*model));
}

/// As an enumeration calls the op; empty if it does not know it.
static std::string getEnumeratedName(Operation *op) {
  StringRef name = op->getName().getStringRef().split('.').second;
  auto matmul = dyn_cast<graph::MatmulOp>(op);
  if (!matmul)
    return name.str();
  if (matmul.getTransposeA())
    return "";
  return (name + (matmul.getTransposeB() ? ".transpose_b" : "")).str();
}

std::vector<ModelGuide::OpsOfSubgraphs> ModelGuide::chooseOps(unsigned maxOps,
                                                              unsigned number) {
  std::map<std::vector<std::string>, OpsOfSubgraphs> byNames;
  for (func::FuncOp function : model->getOps<func::FuncOp>()) {
    if (!function.getBody().hasOneBlock())
      continue;
    Block &block = function.getBody().front();
    kernel::LoadAnalysis loads(block);
    llvm::MapVector<Operation *, double> seconds;
    for (Operation &op : block.without_terminator()) {
      discover::OpSet set;
      if (set.add(context, {getEnumeratedName(&op)}).empty() &&
          !costs->isFree(&op, &loads))
        seconds[&op] = costs->estimate(costs->getWork(&op, &loads)).seconds;
    }
    for (auto [root, own] : seconds) {
      llvm::SetVector<Operation *> ops;
      ops.insert(root);
      double sum = own;
      while (ops.size() < maxOps) {
        Operation *best = nullptr;
        auto consider = [&](Operation *op) {
          if (op && seconds.count(op) && !ops.contains(op) &&
              (!best || seconds[op] > seconds[best] ||
               (seconds[op] == seconds[best] && op->isBeforeInBlock(best))))
            best = op;
        };
        for (Operation *op : ops) {
          for (Value operand : op->getOperands()) {
            consider(operand.getDefiningOp());
            // Siblings read the same value.
            for (Operation *sibling : operand.getUsers())
              consider(sibling);
          }
          for (Operation *user : op->getUsers())
            consider(user);
        }
        if (!best)
          break;
        ops.insert(best);
        sum += seconds[best];
      }
      std::set<std::string> names;
      for (Operation *op : ops)
        names.insert(getEnumeratedName(op));
      OpsOfSubgraphs &entry =
          byNames[std::vector<std::string>(names.begin(), names.end())];
      entry.names.assign(names.begin(), names.end());
      entry.seconds += sum;
      ++entry.count;
    }
  }
  std::vector<OpsOfSubgraphs> sets;
  for (auto &[names, entry] : byNames)
    sets.push_back(std::move(entry));
  llvm::sort(sets, [](const OpsOfSubgraphs &a, const OpsOfSubgraphs &b) {
    return std::tie(b.seconds, a.names) < std::tie(a.seconds, b.names);
  });
  if (sets.size() > number)
    sets.resize(number);
  return sets;
}

FailureOr<ModelGuide::Gain> ModelGuide::optimize(const std::string &rules,
                                                 ArrayRef<std::string> names) {
  FailureOr<optimize::RuleSet> set =
      optimize::RuleSet::load(context, {rules}, names, makeRuleJudge());
  if (failed(set))
    return failure();
  OwningOpRef<ModuleOp> copy(model->clone());
  optimize::OptimizeOptions options;
  options.leastGain = 0;
  PlacePipelineOptions place(kernel::getTarget(*copy));
  place.costs = costs;
  place.quiet = true;
  auto results = optimize::optimizeModule(*copy, *set, *costs, options,
                                          makePlacedScorer(*costs, place));
  if (failed(results))
    return failure();
  Gain gain;
  for (const optimize::OptimizeResult &result : *results) {
    for (const optimize::RuleUse &use : result.rules) {
      gain.matches += use.tried;
      if (use.tried)
        gain.matching.push_back(use.rule);
      if (use.fired)
        gain.fired.push_back(use.rule);
    }
    double before =
        result.before ? result.before->seconds : result.beforeSeconds;
    double after = result.after ? result.after->seconds : result.afterSeconds;
    gain.before += before;
    gain.after += result.changed ? after : before;
  }
  return gain;
}
