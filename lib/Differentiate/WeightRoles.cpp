//===- WeightRoles.cpp - what training does with a weight -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Differentiate/WeightRoles.h"
#include "BatchStatistics.h"

#include "tenon/Differentiate/Passes.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::differentiate;

WeightPatterns::WeightPatterns(ArrayRef<std::string> texts) {
  for (const std::string &text : texts)
    patterns.push_back(llvm::cantFail(llvm::GlobPattern::create(text)));
}

bool WeightPatterns::match(StringRef name) const {
  return llvm::any_of(patterns, [&](const llvm::GlobPattern &pattern) {
    return pattern.match(name);
  });
}

WeightRoles::WeightRoles(const GraphTrainOptions &options)
    : frozen(options.freeze), included(options.include) {}

FailureOr<WeightRoles> WeightRoles::find(Block &model,
                                         const GraphTrainOptions &options) {
  WeightRoles roles(options);
  FailureOr<llvm::StringSet<>> found = findStatistics(
      model, [&](StringRef name) { return roles.frozen.match(name); });
  if (failed(found))
    return failure();
  roles.statistics = std::move(*found);
  return roles;
}

WeightRole WeightRoles::get(graph::ParameterOp weight) const {
  if (statistics.contains(weight.getName()))
    return WeightRole::Statistic;
  return getReason(weight).empty() ? WeightRole::Trained : WeightRole::Fixed;
}

std::string WeightRoles::getReason(graph::ParameterOp weight) const {
  StringRef name = weight.getName();
  if (statistics.contains(name))
    return "a statistic of a batch norm";
  if (Type element = getElementTypeOrSelf(weight.getType());
      !graph::isFloat(element))
    return llvm::formatv("of type {0}", element);
  if (frozen.match(name))
    return "frozen";
  if (weight.getBuffer() && !included.match(name))
    return weight.getBuffer()->str();
  return "";
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

static StringRef getText(WeightRole role) {
  switch (role) {
  case WeightRole::Trained:
    return "trained";
  case WeightRole::Statistic:
    return "statistic";
  case WeightRole::Fixed:
    return "fixed";
  }
  llvm_unreachable("unknown role");
}

static void printLine(StringRef role, StringRef name, Type type,
                      StringRef reason, llvm::raw_ostream &os) {
  std::string shape;
  llvm::raw_string_ostream text(shape);
  for (int64_t size : cast<RankedTensorType>(type).getShape())
    text << size << "x";
  text << getElementTypeOrSelf(type);
  os << llvm::formatv("{0,-9}  {1,-40}  {2}", role, name, shape);
  if (!reason.empty())
    os << "  (" << reason << ")";
  os << "\n";
}

/// Calls `visit` for each weight once.
static LogicalResult visitWeights(
    Operation *model, const GraphTrainOptions &options,
    llvm::function_ref<void(graph::ParameterOp, const WeightRoles &)> visit) {
  llvm::StringSet<> seen;
  WalkResult result = model->walk([&](Block *block) {
    if (block->getOps<graph::ParameterOp>().empty())
      return WalkResult::advance();
    FailureOr<WeightRoles> roles = WeightRoles::find(*block, options);
    if (failed(roles))
      return WalkResult::interrupt();
    for (auto weight : block->getOps<graph::ParameterOp>())
      if (seen.insert(weight.getName()).second)
        visit(weight, *roles);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult
tenon::differentiate::checkWeightPatterns(Operation *model,
                                          const GraphTrainOptions &options) {
  for (auto [option, texts] : {std::pair("freeze", &options.freeze),
                               std::pair("include", &options.include),
                               std::pair("no-decay", &options.noDecay)})
    for (const std::string &text : *texts) {
      WeightPatterns pattern(text);
      WalkResult found = model->walk([&](graph::ParameterOp weight) {
        return pattern.match(weight.getName()) ? WalkResult::interrupt()
                                               : WalkResult::advance();
      });
      if (!found.wasInterrupted())
        return model->emitError() << "graph-train: " << option << ": '" << text
                                  << "' fits no parameter";
    }
  return success();
}

LogicalResult
tenon::differentiate::remarkOnBuffers(Operation *model,
                                      const GraphTrainOptions &options) {
  std::string text;
  auto visit = [&](graph::ParameterOp weight, const WeightRoles &roles) {
    if (weight.getBuffer() && roles.get(weight) == WeightRole::Fixed)
      text += (text.empty() ? "'" : ", '") + weight.getName().str() + "' (" +
              roles.getReason(weight) + ")";
  };
  if (failed(visitWeights(model, options, visit)))
    return failure();
  if (!text.empty())
    model->emitRemark() << "not trained: " << text;
  return success();
}

LogicalResult tenon::differentiate::listWeights(
    Operation *model, const GraphTrainOptions &options, llvm::raw_ostream &os) {
  auto visit = [&](graph::ParameterOp weight, const WeightRoles &roles) {
    printLine(getText(roles.get(weight)), weight.getName(), weight.getType(),
              roles.getReason(weight), os);
  };
  if (failed(checkWeightPatterns(model, options)) ||
      failed(visitWeights(model, options, visit)))
    return failure();
  // With the name that the model gives it; what the import makes has none.
  llvm::StringSet<> seen;
  model->walk([&](graph::ConstantOp constant) {
    auto named = dyn_cast<NameLoc>(constant.getLoc());
    if (named && graph::isFloat(getElementTypeOrSelf(constant.getType())) &&
        seen.insert(named.getName()).second)
      printLine("constant", named.getName(), constant.getType(), "", os);
  });
  return success();
}
