//===- Explain.cpp - attributes that explain the chosen plan --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"

#include "tenon/Dialect/Graph/Transforms/IndexChecks.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::place;

std::string place::hashGraph(func::FuncOp function) {
  // A function with calls keeps the hash of the graph that it was placed from.
  if (auto known = function->getAttrOfType<StringAttr>("place.graph"))
    return known.str();
  std::string text;
  llvm::raw_string_ostream os(text);
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(4).useLocalScope().assumeVerified();
  // Index checks that a run performs are not part of the model.
  OwningOpRef<func::FuncOp> model = function.clone();
  graph::dropIndexChecks(*model);
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(model->getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
  model->print(os, flags);
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true);
}

std::optional<double> place::findRun(const CandidateSet &candidates,
                                     const cost::CostModel &costs,
                                     StringRef graph,
                                     const PlacementPlan &plan) {
  const cost::CostDatabase *database = costs.getDatabase();
  auto isSame = [&](const cost::RunMeasurement &known) {
    return known.graph == graph;
  };
  if (!database || llvm::none_of(database->getModelRuns(), isSame))
    return std::nullopt;
  std::string kernels = hashKernels(candidates, plan, costs.getSizes());
  for (const cost::RunMeasurement &known : database->getModelRuns())
    if (isSame(known) && known.kernels == kernels)
      return known.measured;
  return std::nullopt;
}

static constexpr StringLiteral kSeconds = "place.seconds";
static constexpr StringLiteral kMeasured = "place.measured";
static constexpr StringLiteral kScaled = "place.scaled";
static constexpr StringLiteral kInstead = "place.instead";
static constexpr StringLiteral kExtra = "place.extra_seconds";

ArrayRef<StringRef> place::getReasonNames() {
  static const StringRef names[] = {kSeconds, kMeasured, kScaled, kInstead,
                                    kExtra};
  return names;
}

static void explainCost(Operation *op, double seconds, const cost::Cost &cost) {
  Builder builder(op->getContext());
  op->setAttr(kSeconds, builder.getF64FloatAttr(seconds));
  if (cost.measured)
    op->setAttr(kMeasured, builder.getUnitAttr());
  if (cost.scaled)
    op->setAttr(kScaled, builder.getUnitAttr());
}

static double explainGiven(kernel::CallOp call, const cost::CostModel &costs) {
  for (StringRef name : getReasonNames())
    call->removeAttr(name);
  cost::Cost cost = costs.estimate(call);
  explainCost(call, cost.seconds, cost);
  return cost.seconds;
}

void place::explainPlan(const CandidateSet &candidates,
                        const PlacementPlan &plan) {
  const CoverProblem &problem = candidates.getProblem();
  Cover cover;
  cover.options = plan.options;
  // Runner-ups are compared with the same costs as plans.
  CoverProblem priced = problem;
  for (CoverOption &option : priced.options)
    if (option.cost > 0)
      option.cost += candidates.getSecondsPerKernel();
  std::vector<std::optional<RunnerUp>> others = findRunnersUp(priced, cover);
  for (auto [option, other] : llvm::zip(plan.options, others)) {
    const Candidate &candidate = candidates.getCandidates()[option];
    Builder builder(candidate.root->getContext());
    explainCost(candidate.root, problem.options[option].cost, candidate.cost);
    if (!other)
      continue;
    std::string text;
    for (unsigned instead : other->options) {
      const Candidate &second = candidates.getCandidates()[instead];
      if (text.size() < 200)
        text += (text.empty() ? "" : ", ") + second.backend.str() + " " +
                second.pattern;
    }
    candidate.root->setAttr(kInstead, builder.getStringAttr(text));
    candidate.root->setAttr(kExtra, builder.getF64FloatAttr(other->extra));
  }
}

void place::explainKind(func::FuncOp function, const CandidateSet &candidates,
                        const cost::CostModel &costs, StringRef graph,
                        const PlacementPlan &plan, StringRef kind) {
  Builder builder(function.getContext());
  auto set = [&](StringRef name, Attribute value) {
    function->setAttr(("place." + name).str(), value);
  };
  set("graph", builder.getStringAttr(graph));
  set("kernels",
      builder.getStringAttr(hashKernels(candidates, plan, costs.getSizes())));
  set("plan", builder.getStringAttr(kind));
  set("seconds", builder.getF64FloatAttr(plan.cost));
  if (!plan.isOptimal)
    set("not_proved", builder.getUnitAttr());
}

void place::explainOthers(func::FuncOp function, CandidateSet candidates,
                          const cost::CostModel &costs, StringRef graph,
                          const PlacementPlan &mixed) {
  Builder builder(function.getContext());
  NamedAttrList sums, runs;
  auto addRun = [&](StringRef kind, const PlacementPlan &plan) {
    if (std::optional<double> run = findRun(candidates, costs, graph, plan))
      runs.set(kind, builder.getF64FloatAttr(*run));
  };
  sums.set("mixed", builder.getF64FloatAttr(mixed.cost));
  addRun("mixed", mixed);
  llvm::SetVector<StringRef> backends;
  for (const Candidate &candidate : candidates.getCandidates())
    backends.insert(candidate.backend);
  for (StringRef backend : backends) {
    std::string kind = ("all:" + backend).str();
    FailureOr<PlacementPlan> all = choosePlan(candidates, kind);
    if (failed(all))
      continue;
    sums.set(kind, builder.getF64FloatAttr(all->cost));
    addRun(kind, *all);
  }
  function->setAttr("place.sums", sums.getDictionary(function.getContext()));
  if (!runs.empty())
    function->setAttr("place.runs", runs.getDictionary(function.getContext()));
}

void place::explainOther(func::FuncOp function, const CandidateSet &candidates,
                         const cost::CostModel &costs, StringRef graph,
                         StringRef kind, const PlacementPlan &plan) {
  Builder builder(function.getContext());
  auto add = [&](StringRef name, double seconds) {
    NamedAttrList list(function->getAttrOfType<DictionaryAttr>(name));
    list.set(kind, builder.getF64FloatAttr(seconds));
    function->setAttr(name, list.getDictionary(function.getContext()));
  };
  add("place.sums", plan.cost);
  if (std::optional<double> run = findRun(candidates, costs, graph, plan))
    add("place.runs", *run);
}

void place::explainGiven(func::FuncOp function, ArrayRef<kernel::CallOp> given,
                         const cost::CostModel &costs) {
  for (StringRef name : {"kernels", "sums", "runs", "not_proved"})
    function->removeAttr(("place." + name).str());
  double sum = 0;
  for (kernel::CallOp call : given)
    sum += ::explainGiven(call, costs);
  if (auto rest = function->getAttrOfType<FloatAttr>("place.seconds"))
    sum += rest.getValueAsDouble();
  Builder builder(function.getContext());
  function->setAttr("place.seconds", builder.getF64FloatAttr(sum));
  function->setAttr("place.plan", builder.getStringAttr("given"));
}
