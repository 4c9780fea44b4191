//===- CompileFlags.cpp - options that several tools have ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Driver/CompileFlags.h"
#include "tenon/Backend/Backend.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tenon;
using artifact::makeError;
using artifact::Status;

/// Whether a text is SYMBOL=SIZE or, if there are files, INPUT=@FILE.
static bool isBind(llvm::StringRef text, bool files) {
  auto [name, value] = text.split('=');
  if (name.empty() || value.empty())
    return false;
  if (files && value.consume_front("@"))
    return !value.empty();
  int64_t size;
  return llvm::all_of(value, llvm::isDigit) && !value.getAsInteger(10, size);
}

void tenon::addCompileFlags(artifact::OptionTable &table,
                            CompileOptions &options,
                            const std::vector<std::string> &plans,
                            const std::string &binds) {
  table.add("--optimize", [&options](std::string_view value) {
    options.optimize.required = true;
    return artifact::OptionTable::choose(
        value, {{"off", false}, {"egraph", true}}, options.optimize.isOn);
  });
  table.addText("--rules", options.optimize.rules);
  table.add("--precision", [&options](std::string_view value) -> Status {
    std::optional<Precision> precision = parsePrecision(value);
    if (!precision)
      return makeError("expected ", kPrecisions.str(), ", but got '", value,
                       "'");
    options.target.precision = *precision;
    return Status::success();
  });
  table.addTexts("--without", options.without, "the name of a backend");
  table.add("--place", [&options, plans](std::string_view value) -> Status {
    options.plan = value;
    std::string_view all = "all:";
    if (value == "mixed" || llvm::is_contained(plans, value) ||
        (value.size() > all.size() && value.substr(0, all.size()) == all))
      return Status::success();
    std::vector<std::string> names = {"mixed"};
    names.insert(names.end(), plans.begin(), plans.end());
    names.push_back("all:BACKEND");
    return makeError("expected ", artifact::OptionTable::joinChoices(names),
                     ", but got '", value, "'");
  });
  table.add("--bind", [&options, binds](std::string_view value) -> Status {
    if (!isBind(value, /*files=*/llvm::StringRef(binds).contains("@FILE")))
      return makeError("expected ", binds, ", but got '", value, "'");
    options.binds.emplace_back(value);
    return Status::success();
  });
}

llvm::Expected<std::vector<Device>>
tenon::checkTargets(const CompileOptions &options, mlir::MLIRContext &context) {
  const kernel::TargetOptions &target = options.target;
  const std::string &text =
      target.targets.empty() ? target.usual : target.targets;
  auto devices = kernel::parseTargets(text, &context);
  if (!devices)
    return llvm::createStringError("--target: " +
                                   llvm::toString(devices.takeError()));
  std::vector<Device> kinds;
  for (kernel::DeviceTarget device : *devices)
    if (kinds.empty() || kinds.back() != device.getDevice())
      kinds.push_back(device.getDevice());
  std::string wrong;
  {
    mlir::ScopedDiagnosticHandler handler(&context,
                                          [&](mlir::Diagnostic &diagnostic) {
                                            wrong = diagnostic.str();
                                            return mlir::success();
                                          });
    auto fail = [&] {
      return mlir::emitError(mlir::UnknownLoc::get(&context));
    };
    (void)kernel::TargetAttr::getChecked(
        llvm::function_ref<mlir::InFlightDiagnostic()>(fail), &context,
        llvm::ArrayRef<kernel::DeviceTarget>(*devices),
        kernel::NumericsAttr::get(&context, FpMode::Reassociate,
                                  Precision::F32));
  }
  if (!wrong.empty())
    return llvm::createStringError("--target: " + wrong);
  // A model may state its targets.
  bool isKnown = !target.targets.empty() ||
                 llvm::StringRef(options.input).ends_with(".onnx");
  if (isKnown && target.precision == Precision::TF32 &&
      !llvm::is_contained(kinds, Device::Cuda))
    return llvm::createStringError(
        "--precision: tf32 is a precision of CUDA targets; expected "
        "--target=cuda:..., but got '" +
        text + "'");
  return kinds;
}

std::string tenon::checkBackendNames(const CompileOptions &options,
                                     mlir::MLIRContext &context) {
  auto &registry = backend::BackendRegistry::get(&context);
  auto check = [&](const char *option, llvm::StringRef name,
                   llvm::StringRef value) -> std::string {
    if (registry.getDevice(name))
      return "";
    return (llvm::Twine(option) + ": unknown backend '" + name + "' in '" +
            value + "'; expected one of " + registry.getNames(Device::Cpu) +
            "; of GPUs " + registry.getNames(Device::Cuda))
        .str();
  };
  std::string wrong;
  llvm::StringRef plan = options.plan;
  if (plan.consume_front("all:"))
    wrong = check("--place", plan, options.plan);
  for (const auto &[op, backend] : options.pins)
    if (wrong.empty())
      wrong = check("--pin", backend, op + "=" + backend);
  for (const std::string &name : options.without)
    if (wrong.empty())
      wrong = check("--without", name, name);
  return wrong;
}
