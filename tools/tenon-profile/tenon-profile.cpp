//===- tenon-profile.cpp - measures what kernels cost ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Measure.h"
#include "Options.h"
#include "Progress.h"
#include "Tables.h"
#include "tenon/Driver/Registration.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>

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
  Session(const CommandLine &line, mlir::MLIRContext &context,
          std::string tenonRun)
      : line(line), context(context), tenonRun(std::move(tenonRun)),
        sizes(getSizes(line.compile)) {}

  int measureAll();
  int printAll();

private:
  Expected<cost::CostDatabase> openDatabase() const;
  int measure(unsigned number, cost::CostDatabase &database,
              const cost::CostModel &costs);
  CompileOptions optionsFor(const std::string &input) const {
    CompileOptions options = line.compile;
    options.input = input;
    return options;
  }

  const CommandLine &line;
  mlir::MLIRContext &context;
  std::string tenonRun;
  cost::Sizes sizes;
  Progress progress{static_cast<unsigned>(line.inputs.size())};
};
} // namespace

Expected<cost::CostDatabase> Session::openDatabase() const {
  cost::CostDatabase database(
      getDevice(line.compile.target.name, line.threads));
  if (!line.resume || !llvm::sys::fs::exists(line.output))
    return std::move(database);
  Expected<cost::CostDatabase> before = cost::CostDatabase::read(line.output);
  if (!before)
    return before.takeError();
  if (Error error = database.merge(*before))
    return std::move(error);
  return std::move(database);
}

int Session::measure(unsigned number, cost::CostDatabase &database,
                     const cost::CostModel &costs) {
  const std::string &path = line.inputs[number];
  Expected<Workspace> workspace = Workspace::create();
  if (!workspace)
    return report(workspace.takeError());
  progress.show(number, "placing", path);
  CompileOptions options = optionsFor(path);
  std::optional<PlacedModel> model =
      placeModel(options, costs, sizes, *workspace, context);
  if (!model)
    return 1;
  if (!model->unboundSymbol.empty())
    return report(llvm::createStringError(
        "'" + path + "': the dimension '" + model->unboundSymbol +
        "' of an input has no size; expected --bind " + model->unboundSymbol +
        "=SIZE"));
  bool missing = llvm::any_of(model->sites, [&](const KernelSite &site) {
    return !database.lookup(site.key);
  });
  if (missing) {
    progress.show(number, "compiling", path);
    if (!compileModel(options, *workspace, context))
      return 1;
    progress.show(number, "running", path, model->sumOfCosts() * line.repeat);
    Expected<SiteTimes> times =
        measureSites(*model, {line.threads, line.repeat}, *workspace, tenonRun);
    if (!times)
      return report(times.takeError());
    std::map<std::string, std::vector<double>> pooled;
    for (const auto &[site, runs] : llvm::zip(model->sites, *times))
      if (!database.lookup(site.key))
        llvm::append_range(pooled[site.key], runs);
    for (auto &[key, samples] : pooled)
      database.add(key, summarize(std::move(samples)));
    // After every model, so that little is lost when the program is stopped.
    if (Error error = database.write(line.output))
      return report(std::move(error));
  }
  progress.clear();
  printMeasured(*model, database);
  return 0;
}

int Session::measureAll() {
  Expected<cost::DeviceProfile> profile = cost::getProfile(line.profile);
  if (!profile)
    return report(profile.takeError());
  Expected<cost::CostDatabase> database = openDatabase();
  if (!database)
    return report(database.takeError());
  cost::CostModel costs(std::move(*profile), nullptr, sizes);
  for (unsigned number = 0; number < line.inputs.size(); ++number)
    if (int status = measure(number, *database, costs))
      return status;
  return report(database->write(line.output));
}

int Session::printAll() {
  Expected<cost::DeviceProfile> profile = cost::getProfile(line.profile);
  if (!profile)
    return report(profile.takeError());
  std::optional<cost::CostDatabase> database;
  if (!line.costs.empty()) {
    Expected<cost::CostDatabase> read = cost::CostDatabase::read(line.costs);
    if (!read)
      return report(read.takeError());
    database = std::move(*read);
  }
  cost::CostModel costs(std::move(*profile), database ? &*database : nullptr,
                        sizes);
  for (const std::string &path : line.inputs) {
    Expected<Workspace> workspace = Workspace::create();
    if (!workspace)
      return report(workspace.takeError());
    std::optional<PlacedModel> model =
        placeModel(optionsFor(path), costs, sizes, *workspace, context);
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
  return report(merged->write(line.output));
}

/// tenon-run lies beside this program; where it does not, along PATH.
static std::string findTenonRun(const char *program) {
  std::string self = llvm::sys::fs::getMainExecutable(
      program, reinterpret_cast<void *>(&findTenonRun));
  llvm::SmallString<256> beside(llvm::sys::path::parent_path(self));
  llvm::sys::path::append(beside, "tenon-run");
  if (llvm::sys::fs::can_execute(beside))
    return beside.str().str();
  llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("tenon-run");
  return found ? *found : "tenon-run";
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  // A file that may not grow is an error like others, with a message.
  std::signal(SIGXFSZ, SIG_IGN);
  std::optional<CommandLine> line = parseCommandLine(argc, argv);
  if (!line)
    return 2;
  if (line->help) {
    printHelp();
    return 0;
  }
  if (line->version) {
    llvm::outs() << "tenon-profile " << TENON_VERSION << "\n";
    return 0;
  }
  if (line->mode == CommandLine::Mode::Merge)
    return mergeAll(*line);
  line->compile.toolVersion = "tenon-profile " TENON_VERSION;
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  registerAllPasses();
  mlir::MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  Session session(*line, context, findTenonRun(argv[0]));
  return line->mode == CommandLine::Mode::PrintCosts ? session.printAll()
                                                     : session.measureAll();
}
