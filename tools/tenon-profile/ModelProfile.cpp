//===- ModelProfile.cpp - measures the candidates of one model ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelProfile.h"
#include "Tables.h"
#include "tenon/Artifact/OutputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>

using namespace tenon;
using llvm::Error;
using llvm::Expected;

/// The seconds that one plan may take before runs are left out.
static constexpr double kSecondsPerPlan = 4;
static constexpr unsigned kLeastRuns = 3;
/// How often the mixed plan is measured while measurements change it.
static constexpr unsigned kRounds = 5;
/// The rounds of whole runs, and the runs in each: they decide whether a plan
/// is taken at all, so they do not depend on --repeat, which may be small.
static constexpr unsigned kRunRounds = 7, kRunsPerRound = 10;
/// How often runs are measured again because the mixed plan has changed.
static constexpr unsigned kFinishRounds = 3;
/// A run that takes so many times longer than predicted hangs.
static constexpr double kHangs = 50;

/// The plan that is taken without costs, which all others have to beat; all:B
/// plans; and the mixed one: what the others measure makes it a good one.
std::vector<std::string> ModelProfile::listPlans() const {
  if (line.plans == 1 && options.place.plan != "mixed")
    return {options.place.plan};
  if (line.plans == 1)
    return {"roofline", "mixed"};
  // If a backend takes nothing, its plan equals that of generated code,
  // `all:cpu`.
  std::vector<std::string> plans = {"roofline", "all:cpu"};
  for (const auto &backend :
       backend::BackendRegistry::get(&context).getBackends())
    if (backend->getDevice() == Device::Cpu &&
        !llvm::is_contained(options.place.without, backend->getName()) &&
        !backend->getVersion().empty())
      plans.push_back(("all:" + backend->getName()).str());
  plans.push_back("mixed");
  return plans;
}

RunOptions ModelProfile::getRunOptions(const PlacedModel &model) const {
  double seconds = std::max(model.sumOfCosts(), 1e-6);
  RunOptions run;
  run.threads = line.threads;
  run.repeat = std::min<double>(
      std::max<double>(kSecondsPerPlan / seconds, kLeastRuns), line.repeat);
  run.limitSeconds =
      60 + static_cast<unsigned>(kHangs * seconds * (run.repeat + 3));
  return run;
}

Expected<PlacedModel> ModelProfile::place(const std::string &plan,
                                          const cost::CostDatabase &database) {
  // Placement reads costs from a file.
  std::string file = workspace->path("costs.json");
  if (Error error = database.write(file))
    return std::move(error);
  Expected<cost::DeviceProfile> profile =
      cost::getProfileFor(line.devices.front(), line.compile.profile);
  if (!profile)
    return profile.takeError();
  cost::CostModel costs(std::move(*profile), &database, sizes);
  std::optional<PlacedModel> model =
      placeModel(*optimized, options, plan, file, costs, sizes);
  if (!model)
    return llvm::createStringError("'" + options.input + "' can't be placed");
  if (!model->unboundSymbol.empty())
    return llvm::createStringError(
        "'" + options.input + "': the dimension '" + model->unboundSymbol +
        "' of an input has no size; expected --bind " + model->unboundSymbol +
        "=SIZE");
  return std::move(*model);
}

/// Handles a run that failed: if plug-ins are in the plan, they are at fault;
/// else the error is the model's.
Error ModelProfile::blame(const PlacedModel &model, Error error,
                          cost::CostDatabase &database) {
  auto &registry = backend::BackendRegistry::get(&context);
  std::string text = llvm::toString(std::move(error));
  bool found = false;
  for (const PlacedCall &call : model.calls) {
    const backend::Backend *backend = registry.lookup(call.backend);
    if (!backend || backend->isTrusted())
      continue;
    const cost::Admission *known =
        database.lookupAdmission(call.backend, call.pattern);
    if (known && !known->failure.empty())
      continue;
    progress.clear();
    llvm::errs() << "tenon-profile: warning: backend '" << call.backend
                 << "': its pattern '" << call.pattern
                 << "' is not admitted any more: " << text << "\n";
    database.add(cost::Admission{call.backend, call.pattern,
                                 "a model that uses it failed: " + text});
    found = true;
  }
  return found ? database.write(line.output) : llvm::createStringError(text);
}

Error ModelProfile::measurePlan(const std::string &plan,
                                cost::CostDatabase &database,
                                bool &foundMissing) {
  Expected<PlacedModel> model = place(plan, database);
  if (!model)
    return model.takeError();
  foundMissing = llvm::any_of(model->calls, [&](const PlacedCall &call) {
    return !database.lookup(call.key);
  });
  if (!foundMissing)
    return Error::success();
  RunOptions run = getRunOptions(*model);
  progress.show(number, "compiling for " + plan, options.input);
  if (!compileModel(options, *optimized, *model, *workspace))
    return llvm::createStringError("'" + options.input + "' can't be compiled");
  progress.show(number, "running " + plan, options.input,
                model->sumOfCosts() * run.repeat +
                    (line.plans - plansDone) * kSecondsPerPlan);
  Expected<CallTimes> times =
      measureCalls(*model, run, *workspace, judges.tenonRun);
  if (!times)
    return blame(*model, times.takeError(), database);
  struct Pool {
    const PlacedCall *call;
    std::vector<double> seconds;
  };
  std::map<std::string, Pool> pooled;
  for (const auto &[call, runs] : llvm::zip(model->calls, *times))
    if (!database.lookup(call.key)) {
      Pool &pool = pooled[call.key];
      pool.call = &call;
      llvm::append_range(pool.seconds, runs);
    }
  for (auto &[key, pool] : pooled) {
    cost::Measurement measurement = summarize(std::move(pool.seconds));
    measurement.roofline = pool.call->roofline;
    database.add(key, measurement);
    // In models, what a kernel reads is in a cache.
    if (!pool.call->readsInputs)
      samples.push_back(
          {pool.call->kernelClass, pool.call->work, measurement.median});
  }
  ++plansDone;
  return database.write(line.output);
}

/// Rounds, so that what the machine does besides meets all plans alike.
Error ModelProfile::measureRuns(cost::CostDatabase &database) {
  struct Run {
    std::string plan;
    PlacedModel model;
    std::vector<double> seconds;
  };
  std::vector<Run> runs;
  // Plans that are the same keep the name that says more.
  std::vector<std::string> plans = listPlans();
  std::rotate(plans.begin(), plans.begin() + 1, plans.end());
  for (const std::string &plan : plans) {
    Expected<PlacedModel> model = place(plan, database);
    if (!model)
      return model.takeError();
    // Sums of predictions do not show how kernel times add up.
    if (llvm::any_of(model->calls, [&](const PlacedCall &call) {
          return !database.lookup(call.key);
        }))
      continue;
    // Each plan once.
    if (llvm::any_of(runs, [&](const Run &run) {
          return run.model.kernels == model->kernels;
        }))
      continue;
    model->artifact = "run-" + std::to_string(runs.size());
    if (!compileModel(options, *optimized, *model, *workspace))
      return llvm::createStringError("'" + options.input +
                                     "' can't be compiled");
    runs.push_back({plan, std::move(*model), {}});
  }
  for (unsigned round = 0; round < kRunRounds; ++round)
    for (Run &run : runs) {
      progress.show(number, "running whole, " + run.plan, options.input);
      RunOptions often = getRunOptions(run.model);
      double perRound =
          kSecondsPerPlan / kRunRounds / std::max(run.model.sumOfCosts(), 1e-6);
      often.repeat = std::clamp<double>(perRound, 1, kRunsPerRound);
      Expected<double> seconds =
          measureRun(run.model, often, *workspace, judges.tenonRun);
      if (!seconds)
        return blame(run.model, seconds.takeError(), database);
      run.seconds.push_back(*seconds);
    }
  for (Run &run : runs) {
    double sum = 0;
    for (const PlacedCall &call : run.model.calls)
      sum += call.cost.seconds;
    database.add(
        cost::RunMeasurement{run.model.graph, run.model.kernels, run.plan, sum,
                             summarize(run.seconds).median,
                             static_cast<unsigned>(run.model.calls.size())});
  }
  return database.write(line.output);
}

Error ModelProfile::run(cost::CostDatabase &database) {
  options = line.compile;
  options.input = line.inputs[number];
  Expected<Workspace> created = Workspace::create();
  if (!created)
    return created.takeError();
  workspace.emplace(std::move(*created));
  progress.show(number, "optimizing", options.input);
  optimized = optimizeModel(options, *workspace, context);
  if (!optimized)
    return llvm::createStringError("'" + options.input +
                                   "' can't be optimized");
  if (optimized->stated && optimized->stated.isForGpu() &&
      !options.given.count("--target"))
    return llvm::createStringError(
        "'" + options.input +
        "' is for GPUs, whose costs are measured where they are: expected "
        "--target=cuda:... and --emit-bundle DIR in place of -o; then run "
        "DIR/run there");
  // By now it is known what the model reads.
  if (auto status = artifact::checkOutputs({{"-o", line.output}}, {},
                                           /*force=*/false);
      !status)
    return llvm::createStringError(status.error());
  progress.show(number, "admitting patterns of backends", options.input);
  if (Error error =
          admitPatterns(options, *optimized, judges, *workspace, database))
    return error;
  bool missing = true, any = false;
  auto measure = [&](const std::string &plan) -> Error {
    Error error = measurePlan(plan, database, missing);
    any |= missing;
    return error;
  };
  for (const std::string &plan : listPlans())
    if (Error error = measure(plan))
      return error;
  missing = line.plans > 1;
  while (missing && plansDone < line.plans)
    if (Error error = measure("unmeasured"))
      return error;
  // The measurements may have changed the best plans.
  for (const std::string &plan : listPlans()) {
    missing = true;
    for (unsigned round = 0; missing && round < kRounds; ++round)
      if (Error error = measure(plan))
        return error;
  }
  // Rates are of kernels; how the times of a model's kernels add up is no
  // matter.
  if (line.mode == CommandLine::Mode::Calibrate)
    return Error::success();
  if (any)
    if (Error error = measureRuns(database))
      return error;
  Expected<PlacedModel> model =
      place(line.plans == 1 ? options.place.plan : "mixed", database);
  if (!model)
    return model.takeError();
  progress.clear();
  printMeasured(*model, database);
  return Error::success();
}

Error ModelProfile::finish(cost::CostDatabase &database) {
  if (line.plans == 1 && options.place.plan != "mixed")
    return Error::success();
  // Runs change what kernels are taken to cost beside their own time.
  for (unsigned round = 0; round < kFinishRounds; ++round) {
    Expected<PlacedModel> model = place("mixed", database);
    if (!model)
      return model.takeError();
    if (llvm::any_of(database.getModelRuns(), [&](const auto &plan) {
          return plan.graph == model->graph && plan.kernels == model->kernels;
        }))
      return Error::success();
    bool missing = true;
    if (Error error = measurePlan("mixed", database, missing))
      return error;
    if (Error error = measureRuns(database))
      return error;
  }
  return Error::success();
}
