//===- tenon-profile.cpp - measures what kernels cost ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bundle.h"
#include "Calibrate.h"
#include "ModelProfile.h"
#include "Options.h"
#include "Progress.h"
#include "Tables.h"
#include "tenon/Artifact/InputFiles.h"
#include "tenon/Artifact/OutputFile.h"
#include "tenon/Driver/Backends.h"
#include "tenon/Driver/Registration.h"
#include "tenon/Driver/ThisMachine.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace tenon;
using llvm::Error;
using llvm::Expected;

static int report(Error error) {
  if (!error)
    return 0;
  llvm::errs() << "tenon-profile: error: " << llvm::toString(std::move(error))
               << "\n";
  return 1;
}

/// Symbols that are bound to sizes.
static cost::Sizes getSizes(const CompileOptions &options) {
  cost::Sizes sizes;
  for (llvm::StringRef bind : options.binds) {
    auto [name, value] = bind.split('=');
    int64_t size;
    if (!value.getAsInteger(10, size))
      sizes[name.str()] = size;
  }
  return sizes;
}

namespace {
/// Measures or prints the models of a command line.
class Session {
public:
  Session(const CommandLine &line, mlir::MLIRContext &context, Judges judges)
      : line(line), context(context), judges(std::move(judges)),
        sizes(getSizes(line.compile)) {}

  int measureAll();
  int printAll();
  /// Programs: tenon-run and tenon-bundle.
  int bundleAll(const std::string &tenonBundle);

private:
  Expected<cost::CostDatabase> openDatabase() const;
  CompileOptions optionsFor(const std::string &input) const {
    CompileOptions options = line.compile;
    options.input = input;
    return options;
  }

  const CommandLine &line;
  mlir::MLIRContext &context;
  Judges judges;
  cost::Sizes sizes;
  Progress progress{static_cast<unsigned>(line.inputs.size())};
};
} // namespace

Expected<cost::CostDatabase> Session::openDatabase() const {
  cost::CostDatabase database(
      describeThisMachine(line.devices.front().getTargetName(), line.threads,
                          backend::BackendRegistry::get(&context)));
  if (!line.resume || !llvm::sys::fs::exists(line.output))
    return std::move(database);
  Expected<cost::CostDatabase> before = cost::CostDatabase::read(line.output);
  if (!before)
    return before.takeError();
  artifact::releaseInput(line.output);
  if (Error error = database.merge(*before))
    return std::move(error);
  return std::move(database);
}

int Session::measureAll() {
  Expected<cost::DeviceProfile> profile =
      cost::getProfileFor(line.devices.front(), line.compile.profile);
  if (!profile)
    return report(profile.takeError());
  Expected<cost::CostDatabase> database = openDatabase();
  if (!database)
    return report(database.takeError());
  std::vector<std::unique_ptr<ModelProfile>> models;
  for (unsigned number = 0; number < line.inputs.size(); ++number) {
    models.push_back(std::make_unique<ModelProfile>(line, number, context,
                                                    judges, sizes, progress));
    if (Error error = models.back()->run(*database)) {
      progress.clear();
      return report(std::move(error));
    }
  }
  for (const std::unique_ptr<ModelProfile> &model : models)
    if (Error error = model->finish(*database)) {
      progress.clear();
      return report(std::move(error));
    }
  progress.clear();
  return report(database->write(line.output));
}

int Session::bundleAll(const std::string &tenonBundle) {
  llvm::Expected<BundleWriter> bundle =
      BundleWriter::create(line, context, sizes, progress);
  if (!bundle)
    return report(bundle.takeError());
  Error error = bundle->addPrograms(judges.tenonRun, tenonBundle);
  for (unsigned number = 0; !error && number < line.inputs.size(); ++number)
    error = bundle->addModel(number);
  if (!error)
    error = bundle->finish();
  progress.clear();
  return report(std::move(error));
}

int Session::printAll() {
  std::optional<cost::CostDatabase> database;
  if (!line.compile.costs.empty()) {
    Expected<cost::CostDatabase> read =
        cost::CostDatabase::read(line.compile.costs);
    if (!read)
      return report(read.takeError());
    database = std::move(*read);
  }
  for (const std::string &path : line.inputs) {
    Expected<Workspace> workspace = Workspace::create();
    if (!workspace)
      return report(workspace.takeError());
    CompileOptions options = optionsFor(path);
    std::optional<OptimizedModel> optimized =
        optimizeModel(options, *workspace, context);
    if (!optimized)
      return 1;
    // The device may be the model's own.
    Expected<cost::DeviceProfile> profile = cost::getProfileFor(
        kernel::getTarget(*optimized->module).getDevices().front(),
        line.compile.profile);
    if (!profile)
      return report(profile.takeError());
    cost::CostModel costs(std::move(*profile), database ? &*database : nullptr,
                          sizes);
    std::optional<PlacedModel> model =
        placeModel(*optimized, options, options.place.plan, line.compile.costs,
                   costs, sizes);
    if (!model)
      return 1;
    printCosts(*model, costs.getProfile().name, database.has_value());
  }
  return 0;
}

static int mergeAll(const CommandLine &line) {
  std::optional<cost::CostDatabase> merged;
  for (const std::string &path : line.inputs) {
    Expected<cost::CostDatabase> next = cost::CostDatabase::read(path);
    if (!next)
      return report(next.takeError());
    if (!merged)
      merged = std::move(*next);
    else if (Error error = merged->merge(*next))
      return report(std::move(error));
  }
  // It may be one of those that were merged.
  artifact::releaseInput(line.output);
  return report(merged->write(line.output));
}

/// tenon-run is in the folder of this program, or else found along PATH.
static std::string findTool(const char *program, llvm::StringRef name) {
  std::string self = llvm::sys::fs::getMainExecutable(
      program, reinterpret_cast<void *>(&findTool));
  llvm::SmallString<256> beside(llvm::sys::path::parent_path(self));
  llvm::sys::path::append(beside, name);
  if (llvm::sys::fs::can_execute(beside))
    return beside.str().str();
  llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName(name);
  return found ? *found : name.str();
}

/// The artifacts that are run look for the plug-ins that --backend names.
static void passOn(const std::vector<std::string> &backends) {
  std::string list;
  for (const std::string &path : backends) {
    llvm::SmallString<256> real;
    if (!llvm::sys::fs::real_path(path, real))
      list += (list.empty() ? "" : ":") + real.str().str();
  }
  const char *before = std::getenv("TENON_BACKENDS");
  if (before && llvm::StringRef(before) != "none")
    list += std::string(":") + before;
  if (!list.empty())
    ::setenv("TENON_BACKENDS", list.c_str(), /*overwrite=*/1);
}

int main(int argc, char **argv) {
  artifact::prepareStreams();
  llvm::InitLLVM init(argc, argv);
  artifact::prepareSignals("tenon-profile");
  CommandLine line;
  if (std::optional<int> status = parseCommandLine(argc, argv, line))
    return *status;
  if (line.mode == CommandLine::Mode::Merge)
    return mergeAll(line);
  // No output replaces an input.
  if (!line.output.empty()) {
    std::vector<std::string> inputs = line.inputs;
    inputs.push_back(line.compile.costs);
    if (auto status = artifact::checkOutputs({{"-o", line.output}}, inputs,
                                             /*force=*/false);
        !status)
      return report(llvm::createStringError(status.error()));
  }
  line.compile.toolVersion = "tenon-profile " TENON_VERSION;
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  mlir::MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  loadBackends(context, line.compile.backends);
  if (std::string wrong = checkCommandLine(line, context); !wrong.empty()) {
    llvm::errs() << "tenon-profile: error: " << wrong << "\n";
    return 2;
  }
  passOn(line.compile.backends);
  Judges judges = {findTool(argv[0], "tenon-run"),
                   findTool(argv[0], "tenon-interpret"), line.threads,
                   line.limitSeconds};
  if (line.mode == CommandLine::Mode::Calibrate)
    return report(calibrate(line, context, judges));
  Session session(line, context, judges);
  if (line.mode == CommandLine::Mode::Bundle)
    return session.bundleAll(findTool(argv[0], "tenon-bundle"));
  return line.mode == CommandLine::Mode::PrintCosts ? session.printAll()
                                                    : session.measureAll();
}
