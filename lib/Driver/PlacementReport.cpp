//===- PlacementReport.cpp - what placement chose, and why ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacementReport.h"
#include "tenon/Cost/RunTimeModel.h"
#include "tenon/Driver/PlacedScore.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace mlir;
using namespace tenon;

/// Of the names in a location, and of the kernels in a remark.
static constexpr unsigned kMostNames = 4;

static std::optional<double> getNumber(Attribute attribute) {
  if (auto number = dyn_cast_or_null<FloatAttr>(attribute))
    return number.getValueAsDouble();
  return std::nullopt;
}

static std::string getText(Operation *op, StringRef name) {
  auto text = op->getAttrOfType<StringAttr>(name);
  return text ? text.str() : std::string();
}

/// Names of ops in the model, or else lines of its file.
static std::string describeOrigin(Location loc) {
  std::vector<std::string> names, lines;
  auto add = [](std::vector<std::string> &list, std::string name) {
    if (!llvm::is_contained(list, name))
      list.push_back(std::move(name));
  };
  loc->walk([&](Location part) {
    if (auto name = dyn_cast<NameLoc>(part))
      add(names, name.getName().str());
    // Reports don't depend on where the model lies.
    if (auto line = dyn_cast<FileLineColLoc>(part))
      add(lines, llvm::sys::path::filename(line.getFilename()).str() + ":" +
                     std::to_string(line.getLine()));
    return WalkResult::advance();
  });
  ArrayRef<std::string> found = names.empty() ? lines : names;
  std::string text;
  for (const std::string &name : found.take_front(kMostNames))
    text += (text.empty() ? "" : ", ") + name;
  if (found.size() > kMostNames)
    text += ", ...";
  return text;
}

static std::string describeResults(kernel::CallOp call) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(call.getOutputs().getTypes(), os);
  return text;
}

static std::vector<report::MissingKernel>
listMissing(ArrayRef<PlacedKernel> kernels, const cost::CostModel &costs) {
  std::vector<report::MissingKernel> missing;
  std::map<std::string, size_t> numbers; // by text
  if (costs.getDatabase())
    for (const PlacedKernel &kernel : kernels) {
      if (kernel.cost.measured || kernel.cost.seconds == 0)
        continue;
      std::string text = cost::getKernelKey(kernel.call, costs.getSizes());
      auto [it, inserted] = numbers.try_emplace(text, missing.size());
      if (inserted)
        missing.push_back({cost::getKernelName(kernel.call), text, 0});
      ++missing[it->second].count;
    }
  return missing;
}

static std::string giveReason(const report::Placement &placement,
                              StringRef asked) {
  if (placement.plan == "given")
    return "the model was placed before";
  if (asked != "mixed")
    return "it was asked for";
  if (placement.plan == "mixed")
    return placement.isOptimal ? "no plan is predicted to be faster"
                               : "none was found that is predicted to be "
                                 "faster, and the search met its limits";
  if (placement.plan == "roofline")
    return "it is the plan without measured costs, and no other was measured "
           "to be faster as a whole by more than noise";
  auto getRun = [&](StringRef name) {
    auto plan =
        llvm::find_if(placement.plans, [&](const report::PlacedPlan &p) {
          return p.name == name;
        });
    return plan == placement.plans.end() ? std::nullopt : plan->runSeconds;
  };
  std::optional<double> own = getRun(placement.plan), mixed = getRun("mixed");
  std::string reason = "measured runs of this graph were faster under it than "
                       "under the mixed plan";
  if (own && mixed)
    reason +=
        llvm::formatv(": {0:f1} us, not {1:f1} us", *own * 1e6, *mixed * 1e6)
            .str();
  return reason;
}

report::Placement tenon::describePlacement(func::FuncOp placed,
                                           const cost::CostModel &costs,
                                           StringRef asked) {
  report::Placement placement;
  placement.plan = getText(placed, "place.plan");
  placement.isOptimal = !placed->hasAttr("place.not_proved");
  std::vector<PlacedKernel> kernels = listKernels(placed, costs);
  for (const PlacedKernel &kernel : kernels) {
    kernel::CallOp call = kernel.call;
    report::PlacedKernel entry;
    entry.backend = call.getBackend().str();
    entry.pattern = call.getPattern().str();
    entry.detail = describeResults(call);
    entry.origin = describeOrigin(call.getLoc());
    entry.seconds =
        getNumber(call->getAttr("place.seconds")).value_or(kernel.cost.seconds);
    entry.basis = call->hasAttr("place.measured") ? "measured"
                  : call->hasAttr("place.scaled") ? "scaled"
                                                  : "roofline";
    entry.instead = getText(call, "place.instead");
    entry.extraSeconds = getNumber(call->getAttr("place.extra_seconds"));
    placement.seconds += entry.seconds;
    placement.kernels.push_back(std::move(entry));
  }
  cost::RunTimeModel model;
  if (const cost::CostDatabase *database = costs.getDatabase())
    model =
        cost::RunTimeModel::learn(*database, getText(placed, "place.graph"));
  placement.runSeconds = model.predict(placement.seconds, kernels.size());
  placement.learnedFrom = model.getNumRuns();
  if (auto sums = placed->getAttrOfType<DictionaryAttr>("place.sums")) {
    auto runs = placed->getAttrOfType<DictionaryAttr>("place.runs");
    for (NamedAttribute sum : sums)
      placement.plans.push_back(
          {sum.getName().str(), getNumber(sum.getValue()).value_or(0),
           runs ? getNumber(runs.get(sum.getName())) : std::nullopt});
  }
  llvm::sort(placement.plans, [](const auto &a, const auto &b) {
    return std::tie(a.seconds, a.name) < std::tie(b.seconds, b.name);
  });
  placement.missing = listMissing(kernels, costs);
  placement.reason = giveReason(placement, asked);
  return placement;
}

void tenon::remarkMissing(func::FuncOp placed, const cost::CostModel &costs) {
  std::vector<PlacedKernel> kernels = listKernels(placed, costs);
  std::vector<report::MissingKernel> missing = listMissing(kernels, costs);
  if (missing.empty())
    return;
  unsigned count = 0;
  std::string names;
  for (auto [number, kernel] : llvm::enumerate(missing)) {
    count += kernel.count;
    if (number >= kMostNames)
      continue;
    names += number ? ", " : "";
    if (kernel.count > 1)
      names += std::to_string(kernel.count) + " x ";
    names += kernel.name;
  }
  if (missing.size() > kMostNames)
    names += ", ... (--report lists all)";
  emitRemark(UnknownLoc::get(placed.getContext()))
      << count << " of " << kernels.size()
      << " kernels were not measured: " << names;
}
