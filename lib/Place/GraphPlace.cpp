//===- GraphPlace.cpp - placement of a graph's ops on backends ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Explain.h"
#include "SubgraphCache.h"
#include "tenon/Dialect/Graph/Analysis/Views.h"
#include "tenon/Place/Passes.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "graph-place"

namespace tenon::place {
#define GEN_PASS_DEF_GRAPHPLACE
#include "tenon/Place/Passes.h.inc"
} // namespace tenon::place

using namespace mlir;
using namespace tenon;
using namespace tenon::place;

namespace {
struct GraphPlacePass : place::impl::GraphPlaceBase<GraphPlacePass> {
  using GraphPlaceBase::GraphPlaceBase;
  GraphPlacePass(const GraphPlaceOptions &options, PlaceServices services)
      : GraphPlaceBase(options), services(std::move(services)) {}

  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

private:
  LogicalResult check();
  /// Returns the backend that the user requested for an op; empty if there is
  /// none.
  StringRef getPin(Operation *op) const;
  LogicalResult findTarget();
  LogicalResult checkNames();
  LogicalResult checkPins(const CandidateSet &candidates);
  std::optional<PlacementPlan>
  findBaseline(Block &block, CandidateSet &candidates, CandidateRules rules);
  void preferMeasured(CandidateSet &candidates, StringRef graph,
                      const std::optional<PlacementPlan> &baseline,
                      PlacementPlan &plan, std::string &kind);
  bool isAdmitted(const backend::Backend &backend, StringRef pattern);
  void tellLeftOut();
  LogicalResult place(Block &block);
  void count(const PlacementPlan &plan, const CandidateSet &candidates);

  PlaceServices services;
  /// The profile that the options name; null: none.
  std::shared_ptr<const cost::DeviceProfile> named;
  std::shared_ptr<const cost::CostModel> model;
  /// Of the function's module.
  Device device = Device::Cpu;
  Numerics numerics;
  /// Patterns that stand in the function and must not be used: by backend and
  /// name, what was found wrong; empty: never tested.
  std::map<std::string, std::map<std::string, std::string>> leftOut;
};
} // namespace

/// The plan that is chosen if nothing was measured.
static constexpr StringLiteral kBaseline = "roofline";

/// The fraction by which a measured run must be faster for its plan to replace
/// the baseline, because medians of few runs vary by as much.
static constexpr double kLeastGain = 0.02;

LogicalResult GraphPlacePass::check() {
  WalkResult result = getOperation().walk([&](Operation *op) {
    if (!isa<graph::GraphDialect>(op->getDialect()) ||
        isa<graph::IndexFormInterface, graph::ReferenceInterface,
            graph::ConstantOp, graph::ParameterOp>(op) ||
        graph::isView(op) ||
        (device == Device::Cuda && isa<graph::AttentionOp>(op)))
      return WalkResult::advance();
    op->emitOpError() << (isMemoryEffectFree(op)
                              ? "is a composite: run --graph-decompose first"
                              : "accesses a state: run "
                                "--graph-functionalize-state first");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

bool tenon::place::isNamedBy(Operation *op, StringRef name) {
  if (op->getName().stripDialect() == name)
    return true;
  WalkResult result = op->getLoc()->walk([&](Location loc) {
    auto named = dyn_cast<NameLoc>(loc);
    return named && named.getName() == name ? WalkResult::interrupt()
                                            : WalkResult::advance();
  });
  return result.wasInterrupted();
}

StringRef GraphPlacePass::getPin(Operation *op) const {
  for (StringRef pin : pins)
    if (auto [name, backend] = pin.rsplit('='); isNamedBy(op, name))
      return backend;
  return "";
}

/// The context reads files once.
LogicalResult GraphPlacePass::initialize(MLIRContext *context) {
  if (services.costs)
    return success();
  auto fail = [&](llvm::Error error) {
    return emitError(UnknownLoc::get(context))
           << "graph-place: " << llvm::toString(std::move(error));
  };
  if (!profile.empty()) {
    auto read = cost::getProfile(context, profile);
    if (!read)
      return fail(read.takeError());
    named = std::move(*read);
  }
  if (!costs.empty()) {
    auto measured = cost::CostDatabase::read(context, costs);
    if (!measured)
      return fail(measured.takeError());
    services.database = std::move(*measured);
  }
  return success();
}

/// Costs come from the services that were passed to the pass, or from the
/// options.
LogicalResult GraphPlacePass::findTarget() {
  auto module = getOperation()->getParentOfType<ModuleOp>();
  if (!module)
    return getOperation().emitError("expected a function in a module");
  kernel::TargetAttr target = kernel::getTarget(module);
  if (target.getUnits().size() > 1)
    return getOperation().emitError()
           << "expected a module for CPUs or for GPUs, whose graphs are placed "
              "one at a time, but got both";
  device = target.getDevice();
  numerics = target.getNumerics();
  model = services.costs;
  if (model)
    return success();
  if (named && named->device != device)
    return getOperation().emitError()
           << "profile '" << profile << "' is of the device "
           << tenon::getName(named->device) << ", but the target is "
           << tenon::getName(device);
  llvm::Expected<cost::DeviceProfile> known =
      named ? llvm::Expected<cost::DeviceProfile>(*named)
            : cost::getProfileFor(target.getDevices().front());
  if (!known)
    return getOperation().emitError() << llvm::toString(known.takeError());
  model = std::make_shared<cost::CostModel>(std::move(*known),
                                            services.database.get());
  return success();
}

LogicalResult GraphPlacePass::checkNames() {
  auto &registry = backend::BackendRegistry::get(&getContext());
  auto exists = [&](StringRef name) {
    return registry.getDevice(name) == device;
  };
  std::string names = registry.getNames(device);
  auto expected = [&](InFlightDiagnostic diagnostic) -> LogicalResult {
    return diagnostic << "; expected one of " << names;
  };
  for (StringRef name : without)
    if (name == backend::getGeneratedCode(device))
      return getOperation().emitError()
             << "'" << name
             << "' can't be left out: it runs what no library takes";
    // The same list may be for the programs of several devices.
    else if (!registry.getDevice(name))
      return expected(getOperation().emitError()
                      << "unknown backend '" << name << "' to be left out");
  for (StringRef pin : pins)
    if (StringRef backend = pin.rsplit('=').second; !exists(backend))
      return expected(getOperation().emitError()
                      << "unknown backend '" << backend << "' in pin '" << pin
                      << "'");
  StringRef kind = plan;
  if (kind != "mixed" && kind != kBaseline && kind != "unmeasured" &&
      !(kind.consume_front("all:") && exists(kind)))
    return getOperation().emitError()
           << "expected the plan 'mixed', or 'all:' and one of " << names
           << ", but got '" << plan << "'";
  return success();
}

LogicalResult GraphPlacePass::checkPins(const CandidateSet &candidates) {
  for (StringRef pin : pins) {
    StringRef name = pin.rsplit('=').first, backend = pin.rsplit('=').second;
    bool found = false, possible = true;
    getOperation().walk([&](Operation *op) {
      if (op == getOperation() || !isNamedBy(op, name))
        return;
      found = true;
      if (op->getBlock() == &getOperation().getBody().front())
        possible &= candidates.has(op, backend);
    });
    if (!found && !sharesPins)
      return getOperation().emitError()
             << "pin '" << pin << "' names no op of the model";
    if (!possible)
      return getOperation().emitError()
             << "pin '" << pin << "': " << backend << " can't run this op";
  }
  return success();
}

void GraphPlacePass::count(const PlacementPlan &plan,
                           const CandidateSet &candidates) {
  for (unsigned option : plan.options) {
    const Candidate &candidate = candidates.getCandidates()[option];
    (kernel::isGeneratedCode(candidate.backend) ? numGeneratedKernels
                                                : numLibraryCalls) += 1;
    numNotMeasured += !candidate.cost.measured;
    LDBG() << candidate.backend << " " << candidate.pattern << " at "
           << candidate.ops.front()->getLoc() << ": " << candidate.cost.str();
  }
}

bool GraphPlacePass::isAdmitted(const backend::Backend &backend,
                                StringRef pattern) {
  const cost::CostDatabase *database = model->getDatabase();
  const cost::Admission *admission =
      database ? database->lookupAdmission(backend.getName(), pattern)
               : nullptr;
  // The result of a test of another version does not apply to this one.
  if (admission) {
    const auto &versions = database->getDevice().versions;
    auto version = versions.find(backend.getName().str());
    if (version == versions.end() || version->second != backend.getVersion())
      admission = nullptr;
  }
  if (admission ? admission->failure.empty()
                : unadmitted || backend.isTrusted())
    return true;
  leftOut[backend.getName().str()][pattern.str()] =
      admission ? admission->failure : "";
  return false;
}

/// Reports patterns that are not used only if the user requested the backend.
/// Otherwise, an installed plug-in that is irrelevant would cause remarks.
void GraphPlacePass::tellLeftOut() {
  for (const auto &[backend, patterns] : leftOut) {
    bool isWanted = plan == "all:" + backend;
    for (StringRef pin : pins)
      isWanted |= pin.rsplit('=').second == backend;
    if (!isWanted || services.quiet)
      continue;
    std::string unknown;
    unsigned count = 0;
    for (const auto &[pattern, failure] : patterns) {
      if (!failure.empty()) {
        getOperation().emitRemark()
            << "backend '" << backend << "': its pattern '" << pattern
            << "' is left out, as it was found to be wrong: " << failure;
        continue;
      }
      unknown += (count++ ? ", '" : "'") + pattern + "'";
    }
    if (count)
      getOperation().emitRemark()
          << "backend '" << backend << "': " << count
          << (count == 1 ? " pattern is" : " patterns are")
          << " left out, because its results were not compared with those of "
             "the interpreter: "
          << unknown
          << "; to admit it, measure the model by tenon-profile and give its "
             "file as --costs; to try it without, give --unadmitted";
  }
}

LogicalResult GraphPlacePass::place(Block &block) {
  CandidateRules rules;
  rules.allowsBackend = [&](const backend::Backend &backend) {
    return backend.getDevice() == device &&
           !llvm::is_contained(without, backend.getName()) &&
           (numerics.mayReassociate() || backend.isStrict());
  };
  leftOut.clear();
  rules.allowsPattern = [&](const backend::Backend &backend,
                            StringRef pattern) {
    return isAdmitted(backend, pattern);
  };
  rules.getPin = [&](Operation *op) { return getPin(op); };
  rules.generatedCode = backend::getGeneratedCode(device);
  CandidateSet candidates(block, *model, rules, services.subgraphs);
  tellLeftOut();
  if (failed(checkPins(candidates)))
    return failure();
  std::string graph;
  if (explain || model->getDatabase())
    graph = hashGraph(getOperation());
  std::string kind = plan;
  std::optional<PlacementPlan> baseline;
  if (model->getDatabase())
    baseline = findBaseline(block, candidates, rules);
  FailureOr<PlacementPlan> chosen = kind == kBaseline && baseline
                                        ? FailureOr<PlacementPlan>(*baseline)
                                        : choosePlan(candidates, kind);
  if (failed(chosen))
    return getOperation().emitError()
           << "found no plan that covers all ops: pins exclude each other, or "
              "too many pieces need each other in a cycle";
  if (kind == "mixed") {
    PlacementPlan mixed = *chosen;
    preferMeasured(candidates, graph, baseline, *chosen, kind);
    if (explain) {
      explainOthers(getOperation(), candidates, *model, graph, mixed);
      if (baseline)
        explainOther(getOperation(), candidates, *model, graph, kBaseline,
                     *baseline);
    }
  }
  count(*chosen, candidates);
  SmallVector<kernel::CallOp> given(block.getOps<kernel::CallOp>());
  if (explain) {
    explainKind(getOperation(), candidates, *model, graph, *chosen, kind);
    explainPlan(candidates, *chosen);
  }
  outlinePlan(candidates, *chosen);
  if (explain && !given.empty())
    explainGiven(getOperation(), given, *model);
  return success();
}

/// Returns the plan that would be chosen without a database, as a baseline for
/// other plans. Returns nullopt if the database forbids one of its patterns.
std::optional<PlacementPlan>
GraphPlacePass::findBaseline(Block &block, CandidateSet &candidates,
                             CandidateRules rules) {
  cost::CostModel costs = model->withoutDatabase();
  rules.allowsPattern = [&](const backend::Backend &backend, StringRef) {
    return unadmitted || backend.isTrusted();
  };
  CandidateSet others(block, costs, rules,
                      services.subgraphs ? services.subgraphs->getUnmeasured()
                                         : nullptr);
  FailureOr<PlacementPlan> plan = choosePlan(others, "mixed");
  if (failed(plan) || !candidates.setBaseline(others, plan->options))
    return std::nullopt;
  plan->options = candidates.getBaseline().vec();
  plan->cost = 0;
  for (unsigned option : plan->options)
    plan->cost += candidates.getProblem().options[option].cost;
  return std::move(*plan);
}

/// Prefers measured runs to sums of kernel costs. If runs of this graph were
/// measured, and a plan for one backend was faster than the mixed plan, that
/// plan is taken. The baseline is taken unless another plan was faster by more
/// than the noise. It is also taken if it was run, while the mixed plan was
/// never run and has kernels that were never measured.
void GraphPlacePass::preferMeasured(
    CandidateSet &candidates, StringRef graph,
    const std::optional<PlacementPlan> &baseline, PlacementPlan &plan,
    std::string &kind) {
  std::optional<double> best = findRun(candidates, *model, graph, plan);
  SmallVector<StringRef> names;
  if (best) {
    names.push_back(backend::getGeneratedCode(device));
    auto &registry = backend::BackendRegistry::get(&getContext());
    for (const auto &backend : registry.getBackends())
      if (backend->getDevice() == device)
        names.push_back(backend->getName());
  }
  for (StringRef name : names) {
    std::string other = ("all:" + name).str();
    FailureOr<PlacementPlan> all = choosePlan(candidates, other);
    if (failed(all))
      continue;
    std::optional<double> measured = findRun(candidates, *model, graph, *all);
    if (!measured || *measured >= *best)
      continue;
    best = measured;
    plan = std::move(*all);
    kind = other;
  }
  if (!baseline || baseline->options == plan.options)
    return;
  std::optional<double> run = findRun(candidates, *model, graph, *baseline);
  if (!run)
    return;
  bool isMeasured = llvm::all_of(plan.options, [&](unsigned option) {
    const cost::Cost &cost = candidates.getCandidates()[option].cost;
    return cost.measured || cost.seconds == 0;
  });
  if (best ? *best <= *run * (1 - kLeastGain) : isMeasured)
    return;
  plan = *baseline;
  kind = kBaseline.str();
}

/// Makes a block's order topological. A call is at the position of its last op,
/// which may be after a reader of another of its results. Such calls move up to
/// their first reader; all others keep their order, by which tensors live as
/// short as in the model (MLIR's sort would move the readers to the end).
static void moveProducersUp(Block &block) {
  llvm::SetVector<Operation *> order;
  for (Operation &op : block) {
    SmallVector<Operation *> work = {&op};
    while (!work.empty()) {
      Operation *next = work.back();
      size_t size = work.size();
      for (Value operand : next->getOperands())
        if (Operation *producer = operand.getDefiningOp();
            producer && !order.contains(producer))
          work.push_back(producer);
      if (work.size() > size)
        continue;
      work.pop_back();
      order.insert(next);
    }
  }
  for (Operation *op : order)
    op->moveBefore(&block, block.end());
}

void GraphPlacePass::runOnOperation() {
  if (getOperation().isExternal())
    return;
  if (failed(findTarget()) || failed(check()) || failed(checkNames()))
    return signalPassFailure();
  Block &block = getOperation().getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
  duplicateShared(block);
  if (failed(place(block)))
    return signalPassFailure();
  moveProducersUp(block);
}

std::unique_ptr<Pass>
tenon::place::createGraphPlace(const GraphPlaceOptions &options,
                               PlaceServices services) {
  return std::make_unique<GraphPlacePass>(options, std::move(services));
}
