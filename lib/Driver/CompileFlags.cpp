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

Status tenon::parseBindOption(std::string_view value, const std::string &form,
                              std::vector<std::string> &binds) {
  if (!isBind(value, /*files=*/llvm::StringRef(form).contains("@FILE")))
    return makeError("expected ", form, ", but got '", value, "'");
  binds.emplace_back(value);
  return Status::success();
}

Status tenon::parsePlanOption(std::string_view value,
                              std::vector<std::string> names,
                              std::string &plan) {
  plan = value;
  if (llvm::is_contained(names, plan) ||
      (llvm::StringRef(plan).starts_with("all:") && plan.size() > 4))
    return Status::success();
  names.push_back("all:BACKEND");
  return makeError("expected ", artifact::OptionTable::joinChoices(names),
                   ", but got '", value, "'");
}

Status tenon::parsePrecisionOption(std::string_view value,
                                   std::optional<Precision> &out) {
  std::optional<Precision> precision = parsePrecision(value);
  if (!precision)
    return makeError("expected ", kPrecisions.str(), ", but got '", value, "'");
  out = precision;
  return Status::success();
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
  llvm::StringRef plan = options.place.plan;
  if (plan.consume_front("all:"))
    wrong = check("--place", plan, options.place.plan);
  for (llvm::StringRef pin : options.place.pins)
    if (wrong.empty())
      wrong = check("--pin", pin.rsplit('=').second, pin);
  for (const std::string &name : options.place.without)
    if (wrong.empty())
      wrong = check("--without", name, name);
  return wrong;
}
