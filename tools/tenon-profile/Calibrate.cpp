//===- Calibrate.cpp - the rates of this machine's CPU --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Calibrate.h"
#include "CalibrationModels.h"
#include "ModelProfile.h"
#include "tenon/Driver/ThisMachine.h"
#include "tenon/Support/File.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

using namespace tenon;
using llvm::Error;
using llvm::Expected;

/// Plans beyond those of single backends find few kernels of other classes.
static constexpr unsigned kPlans = 6;
/// Runs, if the command line says nothing: what single kernels are off by, fits
/// even out.
static constexpr unsigned kRepeat = 8;

static Error writeModels(std::vector<CalibrationModel> models,
                         const Workspace &workspace, CommandLine &line) {
  for (CalibrationModel &model : models) {
    std::string text;
    llvm::raw_string_ostream os(text);
    model.module->print(os);
    line.inputs.push_back(workspace.path(model.name + ".mlir"));
    if (Error error = writeOutputFile(line.inputs.back(), text))
      return error;
  }
  return Error::success();
}

static std::string describe(const cost::Device &device) {
  return "tenon-profile --calibrate: " + device.str();
}

static void print(const cost::DeviceProfile &profile,
                  const std::string &output) {
  llvm::outs() << llvm::formatv("{0,-36} {1,7} {2,9}\n", "class", "kernels",
                                "deviation");
  for (const auto &[name, rates] : profile.classes)
    llvm::outs() << llvm::formatv("{0,-36} {1,7} {2,8:F0}%\n", name,
                                  rates.kernels, 100 * rates.deviation);
  llvm::outs() << "written to " << output << "\n";
}

Error calibrate(const CommandLine &given, mlir::MLIRContext &context,
                const Judges &judges) {
  const auto &backends = backend::BackendRegistry::get(&context);
  std::string output =
      given.output.empty() ? getCalibrationPath(backends) : given.output;
  if (output.empty())
    return llvm::createStringError(
        "there is no folder for caches: expected HOME, XDG_CACHE_HOME, "
        "TENON_CALIBRATION, or -o FILE");
  if (given.output.empty())
    if (std::error_code code = llvm::sys::fs::create_directories(
            llvm::sys::path::parent_path(output)))
      return llvm::createStringError("'" + output + "': " + code.message());
  Expected<cost::DeviceProfile> profile = cost::getProfile("cpu");
  if (!profile)
    return profile.takeError();
  Expected<Workspace> workspace = Workspace::create();
  if (!workspace)
    return workspace.takeError();
  CommandLine line = given;
  line.plans = std::min(line.plans, kPlans);
  if (!line.compile.given.count("--repeat"))
    line.repeat = kRepeat;
  line.output = workspace->path("costs.json");
  if (Error error =
          writeModels(buildCalibrationModels(&context), *workspace, line))
    return error;

  cost::Device device = describeThisMachine(
      line.devices.front().getTargetName(), line.threads, backends);
  cost::CostDatabase database(device);
  cost::Sizes sizes;
  Progress progress(line.inputs.size());
  std::vector<cost::ClassSample> samples;
  for (unsigned number = 0; number < line.inputs.size(); ++number) {
    ModelProfile model(line, number, context, judges, sizes, progress);
    Error error = model.run(database);
    if (error) {
      progress.clear();
      return error;
    }
    llvm::append_range(samples, model.getSamples());
  }
  progress.clear();
  profile->name = llvm::sys::getHostCPUName().str();
  profile->source = describe(device);
  profile->classes = cost::fitRates(samples, *profile);
  if (Error error = cost::writeProfile(*profile, output))
    return error;
  print(*profile, output);
  return Error::success();
}
