//===- TargetAttrs.cpp - what a module is compiled for --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Kernel/IR/Targets.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::kernel;

#include "tenon/Dialect/Kernel/IR/KernelAttrInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tenon/Dialect/Kernel/IR/KernelAttrs.cpp.inc"

void KernelDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tenon/Dialect/Kernel/IR/KernelAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// GPUs
//===----------------------------------------------------------------------===//

Device CudaAttr::getDevice() const { return Device::Cuda; }

std::string CudaAttr::getTargetName() const {
  return "cuda:" + getArch().str();
}

StringRef CudaAttr::getProfileName() const {
#define TENON_GPU(name, ptx, profile)                                          \
  if (getArch() == name)                                                       \
    return profile;
#include "tenon/Dialect/Kernel/IR/Gpus.def"
  llvm_unreachable("an architecture that is not in Gpus.def");
}

LogicalResult CudaAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               StringRef arch) {
#define TENON_GPU(name, ptx, profile)                                          \
  if (arch == name)                                                            \
    return success();
#include "tenon/Dialect/Kernel/IR/Gpus.def"
  return emitError() << "expected an architecture such as \"sm_80\", but got \""
                     << arch << "\"";
}

//===----------------------------------------------------------------------===//
// Numerics
//===----------------------------------------------------------------------===//

Attribute NumericsAttr::parse(AsmParser &parser, Type) {
  FpMode fp;
  Precision precision;
  if (parser.parseLess() || parser.parseKeyword("fp") || parser.parseEqual() ||
      parseWord(parser, fp) || parser.parseComma() ||
      parser.parseKeyword("precision") || parser.parseEqual() ||
      parseWord(parser, precision) || parser.parseGreater())
    return {};
  return get(parser.getContext(), fp, precision);
}

void NumericsAttr::print(AsmPrinter &printer) const {
  printer << "<fp = " << tenon::getName(getFp())
          << ", precision = " << tenon::getName(getPrecision()) << ">";
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

TargetAttr TargetAttr::get(MLIRContext *context, ArrayRef<DeviceTarget> devices,
                           Numerics numerics) {
  return get(context, devices,
             NumericsAttr::get(context, numerics.fp, numerics.precision));
}

Numerics TargetAttr::getNumerics() const {
  return {getNumericsAttr().getFp(), getNumericsAttr().getPrecision()};
}

Device TargetAttr::getDevice() const {
  return getDevices().front().getDevice();
}

template <typename T>
static SmallVector<T, 4> getDevicesOf(ArrayRef<DeviceTarget> devices) {
  SmallVector<T, 4> found;
  for (DeviceTarget device : devices)
    if (auto one = dyn_cast<T>(device))
      found.push_back(one);
  return found;
}

SmallVector<CpuAttr, 4> TargetAttr::getCpus() const {
  return getDevicesOf<CpuAttr>(getDevices());
}

SmallVector<CudaAttr, 4> TargetAttr::getGpus() const {
  return getDevicesOf<CudaAttr>(getDevices());
}

CpuAttr TargetAttr::getHost() const {
  SmallVector<CpuAttr, 4> cpus = getCpus();
  return cpus.empty() ? CpuAttr::get(getContext(), "x86-64-v3") : cpus.front();
}

SmallVector<TargetAttr, 4> TargetAttr::getUnits() const {
  SmallVector<SmallVector<DeviceTarget>> groups;
  for (DeviceTarget device : getDevices()) {
    auto group = llvm::find_if(groups, [&](ArrayRef<DeviceTarget> group) {
      return group.front().getDevice() == device.getDevice();
    });
    (group == groups.end() ? groups.emplace_back() : *group).push_back(device);
  }
  SmallVector<TargetAttr, 4> units;
  for (ArrayRef<DeviceTarget> group : groups) {
    Numerics numerics = getNumerics();
    if (group.front().getDevice() == Device::Cpu && numerics.mayRoundFactors())
      numerics.precision = Precision::F32;
    units.push_back(get(getContext(), group, numerics));
  }
  return units;
}

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<DeviceTarget> devices,
                                 NumericsAttr numerics) {
  if (devices.empty())
    return emitError()
           << "expected a device, such as #kernel.cpu<\"x86-64-v3\">";
  llvm::SmallDenseSet<Attribute> seen;
  for (DeviceTarget device : devices)
    if (!seen.insert(device).second)
      return emitError() << device << " is given twice";
  SmallVector<CpuAttr, 4> cpus = getDevicesOf<CpuAttr>(devices);
  for (CpuAttr cpu : cpus)
    if (cpus.front().getFeatureBits() & ~cpu.getFeatureBits())
      return emitError() << "expected a CPU that has all of "
                         << cpus.front().getTargetName() << ", but got "
                         << cpu.getTargetName();
  llvm::SmallDenseSet<uint32_t> bits;
  for (CpuAttr cpu : cpus)
    if (!bits.insert(cpu.getFeatureBits()).second)
      return emitError() << "two programs for " << cpu.getTargetName()
                         << ": expected CPUs that have different features";
  if (numerics.getPrecision() == Precision::TF32 &&
      cpus.size() == devices.size())
    return emitError() << "tf32 is a precision of CUDA targets; expected one "
                          "of them, such as #kernel.cuda<\"sm_80\">";
  return success();
}

/// `<[#kernel.cpu<"x86-64-v3">], #kernel.numerics<...>>`
Attribute TargetAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  SmallVector<DeviceTarget> devices;
  NumericsAttr numerics;
  if (parser.parseLess() ||
      parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Square,
          [&]() -> ParseResult {
            SMLoc loc = parser.getCurrentLocation();
            Attribute device;
            if (parser.parseAttribute(device))
              return failure();
            if (!isa<DeviceTarget>(device))
              return parser.emitError(loc)
                     << "expected a device, such as "
                        "#kernel.cpu<\"x86-64-v3\">, but got "
                     << device;
            devices.push_back(cast<DeviceTarget>(device));
            return success();
          }) ||
      parser.parseComma() || parser.parseAttribute(numerics) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<TargetAttr>(
      start, parser.getContext(), ArrayRef<DeviceTarget>(devices), numerics);
}

void TargetAttr::print(AsmPrinter &printer) const {
  printer << "<[";
  llvm::interleaveComma(getDevices(), printer);
  printer << "], " << getNumericsAttr() << ">";
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

TargetAttr kernel::findTarget(ModuleOp module) {
  return module->getAttrOfType<TargetAttr>(kTargetAttrName);
}

TargetAttr kernel::getTarget(ModuleOp module) {
  if (TargetAttr target = findTarget(module))
    return target;
  return makeTarget(module.getContext(), kUsualTargets);
}

void kernel::setTarget(ModuleOp module, TargetAttr target) {
  module->setAttr(kTargetAttrName, target);
}

LogicalResult KernelDialect::verifyOperationAttribute(Operation *op,
                                                      NamedAttribute named) {
  if (named.getName() != kTargetAttrName)
    return op->emitError() << "the kernel dialect has no attribute '"
                           << named.getName().getValue() << "'";
  if (!isa<ModuleOp>(op))
    return op->emitError() << "expected '" << kTargetAttrName
                           << "' on a module only";
  if (!isa<TargetAttr>(named.getValue()))
    return op->emitError() << "expected '" << kTargetAttrName
                           << "' to be a #kernel.target, but got "
                           << named.getValue();
  return success();
}
