//===- ParseTargets.cpp - targets as command lines name them --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/OptionTable.h"
#include "tenon/Artifact/Program.h"
#include "tenon/Artifact/TilePermission.h"
#include "tenon/Dialect/Kernel/IR/Targets.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::kernel;

//===----------------------------------------------------------------------===//
// One device
//===----------------------------------------------------------------------===//

/// Returns this machine's CPU.
static llvm::Expected<DeviceTarget> getNative(MLIRContext *context) {
  const llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
  uint32_t missing = 0;
#define TENON_CPU_FLAG(NAME, flag, leaf, subleaf, where, bit, state)           \
  if (!host.lookup(flag))                                                      \
    missing |= TENON_CPU_##NAME;
#include "tenon/Artifact/Cpus.def"
  if (!(missing & TENON_CPU_AMX) && !artifact::askForTiles())
    missing |= TENON_CPU_AMX;
  StringRef level;
  uint32_t levels = 0;
#define TENON_CPU_LEVEL(NAME, number, name, vectorBits)                        \
  levels |= TENON_CPU_##NAME;                                                  \
  if (!(levels & missing))                                                     \
    level = name;
#include "tenon/Artifact/Cpus.def"
  if (level.empty())
    return llvm::createStringError(
        "target cpu:native: expected a machine with x86-64-v2 or later");
  uint32_t bits = CpuAttr::get(context, level).getFeatureBits();
  SmallVector<StringAttr> features;
#define TENON_CPU_EXTENSION(NAME, number, name, LEVEL)                         \
  if ((bits & TENON_CPU_##LEVEL) && !(missing & TENON_CPU_##NAME))             \
    features.push_back(StringAttr::get(context, name));
#include "tenon/Artifact/Cpus.def"
  return CpuAttr::get(context, level, features, llvm::sys::getHostCPUName());
}

static llvm::Expected<DeviceTarget> parseCpu(StringRef text,
                                             MLIRContext *context) {
  if (text == "native")
    return getNative(context);
  SmallVector<StringRef> parts;
  text.split(parts, '+');
  std::vector<std::string> names;
  bool isKnown = false;
#define TENON_CPU_LEVEL(NAME, number, name, vectorBits)                        \
  names.push_back("cpu:" name);                                                \
  isKnown |= parts.front() == name;
#include "tenon/Artifact/Cpus.def"
  names.push_back("cpu:native");
  if (!isKnown)
    return llvm::createStringError("expected the target " +
                                   artifact::OptionTable::joinChoices(names) +
                                   ", but got 'cpu:" + text + "'");
  SmallVector<StringAttr> features;
  // In the order of the table; unknown ones last, to be refused.
#define TENON_CPU_EXTENSION(NAME, number, name, LEVEL)                         \
  for (StringRef part : llvm::drop_begin(parts))                               \
    if (part == name)                                                          \
      features.push_back(StringAttr::get(context, part));
#include "tenon/Artifact/Cpus.def"
  for (StringRef part : llvm::drop_begin(parts))
    if (!llvm::is_contained(features, StringAttr::get(context, part)))
      features.push_back(StringAttr::get(context, part));
  std::string wrong;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    wrong = diagnostic.str();
    return success();
  });
  CpuAttr known = CpuAttr::get(context, parts.front());
  auto fail = [&] { return emitError(UnknownLoc::get(context)); };
  auto cpu = CpuAttr::getChecked(
      function_ref<InFlightDiagnostic()>(fail), context, parts.front(),
      ArrayRef<StringAttr>(features), known.getVectorBits(), StringRef(),
      known.getTriple());
  if (!cpu)
    return llvm::createStringError("target 'cpu:" + text + "': " + wrong);
  return cpu;
}

static llvm::Expected<DeviceTarget> parseGpu(StringRef arch,
                                             MLIRContext *context) {
  std::vector<std::string> names;
#define TENON_GPU(name, ptx, profile)                                          \
  if (arch == name)                                                            \
    return CudaAttr::get(context, arch);                                       \
  names.push_back("cuda:" name);
#include "tenon/Dialect/Kernel/IR/Gpus.def"
  return llvm::createStringError(
      "target 'cuda:" + arch + "': expected one of " + llvm::join(names, ", "));
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

llvm::Expected<SmallVector<DeviceTarget>>
kernel::parseTargets(StringRef text, MLIRContext *context) {
  context->loadDialect<KernelDialect>();
  SmallVector<DeviceTarget> devices;
  SmallVector<StringRef> parts, names;
  text.split(parts, ',');
  for (StringRef part : parts) {
    if (llvm::is_contained(names, part))
      return llvm::createStringError("target '" + part +
                                     "' is given more than once");
    names.push_back(part);
    StringRef name = part;
    llvm::Expected<DeviceTarget> device =
        name.consume_front("cuda:") ? parseGpu(name, context)
        : name.consume_front("cpu:")
            ? parseCpu(name, context)
            : llvm::createStringError("expected the target cpu:LEVEL or "
                                      "cuda:ARCH, such as cpu:x86-64-v3, but "
                                      "got '" +
                                      part + "'");
    if (!device)
      return device.takeError();
    devices.push_back(*device);
  }
  // By kind, bits and place.
  const Device first = devices.front().getDevice();
  SmallVector<std::tuple<bool, uint32_t, size_t>> order;
  for (auto [place, device] : llvm::enumerate(devices)) {
    auto cpu = dyn_cast<CpuAttr>(device);
    order.push_back(
        {device.getDevice() != first, cpu ? cpu.getFeatureBits() : 0, place});
  }
  llvm::sort(order);
  SmallVector<DeviceTarget> sorted;
  for (const auto &[kind, bits, place] : order)
    sorted.push_back(devices[place]);
  return sorted;
}

TargetAttr kernel::makeTarget(MLIRContext *context, StringRef targets,
                              Numerics numerics) {
  return TargetAttr::get(
      context, llvm::cantFail(parseTargets(targets, context)), numerics);
}

FailureOr<TargetAttr> kernel::completeTarget(ModuleOp module,
                                             const TargetOptions &options) {
  TargetAttr carried = findTarget(module);
  SmallVector<DeviceTarget> devices;
  if (carried && options.targets.empty()) {
    llvm::append_range(devices, carried.getDevices());
  } else {
    llvm::Expected<SmallVector<DeviceTarget>> parsed =
        parseTargets(options.targets.empty() ? options.usual : options.targets,
                     module.getContext());
    if (!parsed)
      return module.emitError() << llvm::toString(parsed.takeError());
    devices = std::move(*parsed);
  }
  Numerics numerics = carried ? carried.getNumerics() : Numerics();
  // Types that are set already say it, too.
  if (auto stored = module->getAttrOfType<StringAttr>("graph.precision");
      stored && !carried)
    numerics.precision = *parsePrecision(stored);
  // If the module goes on for a CPU, its kernels do not round factors.
  if (llvm::all_of(devices,
                   [](DeviceTarget device) {
                     return device.getDevice() == Device::Cpu;
                   }) &&
      numerics.precision == Precision::TF32)
    numerics.precision = Precision::F32;
  numerics.fp = options.fp.value_or(numerics.fp);
  numerics.precision = options.precision.value_or(numerics.precision);
  auto fail = [&] { return module.emitError(); };
  auto target = TargetAttr::getChecked(
      function_ref<InFlightDiagnostic()>(fail), module.getContext(),
      ArrayRef<DeviceTarget>(devices),
      NumericsAttr::get(module.getContext(), numerics.fp, numerics.precision));
  if (!target)
    return failure();
  return target;
}
