//===- Bundle.cpp - models to be measured on another machine --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bundle.h"
#include "tenon/Backend/Backend.h"
#include "tenon/Cost/CostDatabase.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tenon;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static Error fail(const llvm::Twine &what, std::error_code code) {
  return llvm::createStringError(what + ": " + code.message());
}

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

Expected<BundleWriter> BundleWriter::create(const CommandLine &line,
                                            mlir::MLIRContext &context,
                                            const cost::Sizes &sizes,
                                            Progress &progress) {
  Expected<cost::DeviceProfile> profile =
      cost::getProfileFor(line.devices.front(), line.compile.profile);
  if (!profile)
    return profile.takeError();
  BundleWriter writer(line, context, std::move(*profile), sizes, progress);
  std::error_code code;
  if (fs::exists(line.bundle) &&
      (!fs::is_directory(line.bundle) ||
       fs::directory_iterator(line.bundle, code) != fs::directory_iterator()))
    return llvm::createStringError(
        "'" + line.bundle +
        "': expected a folder that is empty or not there yet");
  llvm::SmallString<256> folder(line.bundle);
  while (folder.size() > 1 && folder.back() == '/')
    folder.pop_back();
  std::string parent = llvm::sys::path::parent_path(folder).str();
  if ((code = fs::create_directories(parent.empty() ? "." : parent)))
    return fail("can't create '" + parent + "'", code);
  auto made = tenon::artifact::TemporaryFolder::create(parent);
  if (!made)
    return llvm::createStringError("can't create '" + line.bundle +
                                   "': " + made.error());
  writer.temporary.emplace(std::move(*made));
  writer.staging = writer.temporary->getFile("bundle");
  using namespace llvm::sys::fs;
  const perms mode =
      owner_all | group_read | group_exe | others_read | others_exe;
  if ((code =
           create_directories(writer.staging, /*IgnoreExisting=*/true, mode)))
    return fail("can't create '" + writer.staging + "'", code);
  return std::move(writer);
}

Error BundleWriter::addFile(StringRef from, StringRef name, bool isProgram) {
  std::string to = staging + "/" + name.str();
  if (std::error_code code = fs::copy_file(from, to))
    return fail("can't copy '" + from + "' to '" + to + "'", code);
  using namespace llvm::sys::fs;
  perms mode = owner_read | owner_write | group_read | others_read;
  if (isProgram)
    mode |= all_exe;
  if (std::error_code code = fs::setPermissions(to, mode))
    return fail("can't set the permissions of '" + to + "'", code);
  return Error::success();
}

Error BundleWriter::addPrograms(StringRef tenonRun, StringRef tenonBundle) {
  if (Error error = addFile(tenonRun, "tenon-run", true))
    return error;
  return addFile(tenonBundle, "run", true);
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

/// As for a CPU, but it does not matter whether a library is on this machine.
std::vector<std::string> BundleWriter::listPlans() const {
  if (line.plans == 1)
    return {line.compile.place.plan};
  std::vector<std::string> plans = {
      ("all:" + backend::getGeneratedCode(Device::Cuda)).str()};
  for (const auto &backend :
       backend::BackendRegistry::get(&context).getBackends())
    if (backend->getDevice() == Device::Cuda &&
        !llvm::is_contained(line.compile.place.without, backend->getName()))
      plans.push_back(("all:" + backend->getName()).str());
  plans.push_back("mixed");
  return plans;
}

Expected<PlacedModel> BundleWriter::place(const std::string &plan,
                                          const CompileOptions &options,
                                          const OptimizedModel &optimized,
                                          const Workspace &workspace,
                                          const cost::CostDatabase &known) {
  // Placement reads costs from a file.
  std::string file = workspace.path("costs.json");
  if (Error error = known.write(file))
    return std::move(error);
  cost::CostModel costs(profile, nullptr, sizes);
  std::optional<PlacedModel> model =
      placeModel(optimized, options, plan, file, costs, sizes);
  if (!model)
    return llvm::createStringError("'" + options.input + "' can't be placed");
  if (!model->unboundSymbol.empty())
    return llvm::createStringError(
        "'" + options.input + "': the dimension '" + model->unboundSymbol +
        "' of an input has no size; expected --bind " + model->unboundSymbol +
        "=SIZE");
  return std::move(*model);
}

Error BundleWriter::addPlan(unsigned number, const std::string &plan,
                            const OptimizedModel &optimized,
                            const Workspace &workspace,
                            cost::CostDatabase &known, bool &foundNew) {
  CompileOptions options = line.compile;
  options.input = line.inputs[number];
  Expected<PlacedModel> model =
      place(plan, options, optimized, workspace, known);
  if (!model)
    return model.takeError();
  foundNew = llvm::any_of(model->calls, [&](const PlacedCall &call) {
    return !known.lookup(call.key);
  });
  if (!foundNew)
    return Error::success();
  progress.show(number, "compiling for " + plan, options.input);
  nameSteps(*model);
  if (!compileModel(options, optimized, *model, workspace))
    return llvm::createStringError("'" + options.input + "' can't be compiled");
  // Without the weights: it runs on random ones.
  std::string file = std::to_string(artifacts.size()) + "-" +
                     path::stem(options.input).str() + ".so";
  if (Error error =
          addFile(workspace.path(model->artifact + ".so"), file, false))
    return error;
  // Taken to be certain, as what will be measured is.
  constexpr uint64_t kRuns = 100;
  for (const PlacedCall &call : model->calls)
    known.add(call.key, {call.roofline, call.roofline, call.roofline, kRuns,
                         call.roofline});
  artifacts.push_back({file, options.input, plan, std::move(model->calls)});
  return Error::success();
}

Error BundleWriter::addModel(unsigned number) {
  CompileOptions options = line.compile;
  options.input = line.inputs[number];
  Expected<Workspace> workspace = Workspace::create();
  if (!workspace)
    return workspace.takeError();
  progress.show(number, "optimizing", options.input);
  std::optional<OptimizedModel> optimized =
      optimizeModel(options, *workspace, context);
  if (!optimized)
    return llvm::createStringError("'" + options.input +
                                   "' can't be optimized");
  // The roofline replaces the costs that will be measured: plans are chosen by
  // it.
  cost::CostDatabase known(cost::Device{"cuda", "none", 1, {}});
  size_t before = artifacts.size();
  bool foundNew = true;
  for (const std::string &plan : listPlans())
    if (Error error =
            addPlan(number, plan, *optimized, *workspace, known, foundNew))
      return error;
  foundNew = line.plans > 1;
  while (foundNew && artifacts.size() - before < line.plans)
    if (Error error = addPlan(number, "unmeasured", *optimized, *workspace,
                              known, foundNew))
      return error;
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

Error BundleWriter::writeList() {
  std::string name = staging + "/bundle.json";
  std::error_code code;
  llvm::raw_fd_ostream os(name, code);
  if (code)
    return fail("can't write '" + name + "'", code);
  llvm::json::OStream json(os, 1);
  json.object([&] {
    json.attribute("schema_version", 1);
    json.attribute("tenon", TENON_VERSION);
    json.attribute("profile", profile.name);
    json.attributeArray("targets", [&] {
      for (kernel::DeviceTarget device : line.devices)
        json.value(mlir::cast<kernel::CudaAttr>(device).getArch());
    });
    json.attributeObject("binds", [&] {
      for (const auto &[symbol, size] : sizes)
        json.attribute(symbol, size);
    });
    json.attributeArray("artifacts", [&] {
      for (const Artifact &artifact : artifacts)
        json.object([&] {
          json.attribute("file", artifact.file);
          json.attribute("model", artifact.model);
          json.attribute("plan", artifact.plan);
          json.attributeArray("calls", [&] {
            for (const PlacedCall &call : artifact.calls)
              json.object([&] {
                json.attribute("kernel", call.key);
                json.attribute("step", getStepName(call));
                json.attribute("roofline", call.roofline);
              });
          });
        });
    });
  });
  os << "\n";
  os.flush();
  if (!os.has_error())
    return Error::success();
  code = os.error();
  os.clear_error();
  return fail("can't write '" + name + "'", code);
}

Error BundleWriter::finish() {
  if (Error error = writeList())
    return error;
  if (std::error_code code = fs::rename(staging, line.bundle))
    return fail("can't rename '" + staging + "' to '" + line.bundle + "'",
                code);
  llvm::outs() << "bundle '" << line.bundle << "': " << artifacts.size()
               << " artifacts of " << line.inputs.size() << " models\n";
  return Error::success();
}
