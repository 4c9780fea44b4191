//===- Costs.cpp - what one compilation knows of costs --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Costs.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon;

std::vector<DeviceCosts> tenon::splitByDevice(StringRef value) {
  std::vector<DeviceCosts> parts;
  while (!value.empty()) {
    DeviceCosts part;
    for (Device device : {Device::Cpu, Device::Cuda})
      if (value.consume_front((getName(device) + "=").str())) {
        part.device = device;
        break;
      }
    // Names of files may have commas.
    size_t end = std::min(value.find(",cpu="), value.find(",cuda="));
    part.name = value.take_front(end).str();
    value = value.drop_front(std::min(end, value.size()));
    value.consume_front(",");
    parts.push_back(std::move(part));
  }
  return parts;
}

/// The kind of device that costs were measured on.
static Device getKind(const cost::CostDatabase &costs) {
  return StringRef(costs.getDevice().target).starts_with("cuda") ? Device::Cuda
                                                                 : Device::Cpu;
}
static Device getKind(const cost::DeviceProfile &profile) {
  return profile.device;
}

namespace {
/// Reads what an option names for one unit.
class CostsReader {
public:
  CostsReader(const CompileOptions &options, kernel::TargetAttr unit,
              ArrayRef<Device> devices)
      : options(options), unit(unit), devices(devices) {}

  llvm::Expected<Costs> read();

private:
  /// Returns the costs that `option` names for the unit, or null if it names
  /// none. Checks all that it names.
  template <typename T> using Shared = std::shared_ptr<const T>;
  template <typename T>
  llvm::Expected<Shared<T>>
  find(StringRef option, StringRef value,
       llvm::Expected<Shared<T>> (*read)(MLIRContext *, StringRef name));
  llvm::Expected<Shared<cost::DeviceProfile>> getDefault(bool isMeasured);

  const CompileOptions &options;
  kernel::TargetAttr unit;
  ArrayRef<Device> devices;
  /// The name of the profile or database that was read last for the unit.
  std::string name;
};
} // namespace

template <typename T>
llvm::Expected<CostsReader::Shared<T>> CostsReader::find(
    StringRef option, StringRef value,
    llvm::Expected<Shared<T>> (*read)(MLIRContext *, StringRef name)) {
  Shared<T> found;
  for (const DeviceCosts &part : splitByDevice(value)) {
    llvm::Expected<Shared<T>> costs = read(unit.getContext(), part.name);
    if (!costs)
      return costs.takeError();
    Device kind = getKind(**costs);
    if (kind != part.device.value_or(kind) ||
        !llvm::is_contained(devices, kind))
      return llvm::createStringError(
          option + ": '" + part.name + "' is of the device " + getName(kind) +
          ", but " +
          (part.device && *part.device != kind
               ? "is given for " + getName(*part.device)
               : "the target is " + getName(devices.front())));
    if (kind != unit.getDevice())
      continue;
    if (found)
      return llvm::createStringError(option + ": '" + part.name +
                                     "' is the second one of the device " +
                                     getName(kind));
    found = std::move(*costs);
    name = part.name;
  }
  return found;
}

llvm::Expected<CostsReader::Shared<cost::DeviceProfile>>
CostsReader::getDefault(bool isMeasured) {
  if (unit.isForGpu() || isMeasured || options.costs == "none" ||
      options.calibration.empty())
    return cost::getProfile(unit.getContext(),
                            unit.getDevices().front().getProfileName());
  auto profile =
      cost::getProfile(unit.getContext(), name = options.calibration);
  if (!profile)
    return llvm::createStringError(
        llvm::toString(profile.takeError()) +
        " (the rates of this machine; --costs=none does without)");
  return profile;
}

llvm::Expected<Costs> CostsReader::read() {
  Costs costs;
  auto database = find<cost::CostDatabase>(
      "--costs", options.costs == "none" ? "" : options.costs,
      cost::CostDatabase::read);
  if (!database)
    return database.takeError();
  std::string kind = ", roofline";
  if (*database) {
    kind = ", measured: " + name;
    costs.file = name;
    costs.database = std::move(*database);
  }
  name.clear();
  auto stated =
      find<cost::DeviceProfile>("--profile", options.profile, cost::getProfile);
  if (!stated)
    return stated.takeError();
  auto profile =
      *stated ? std::move(stated) : getDefault(costs.database != nullptr);
  if (!profile)
    return profile.takeError();
  costs.profile = name.empty() ? (*profile)->name : name;
  costs.description = costs.profile + kind;
  // The model refers to the database.
  auto both =
      std::make_shared<std::pair<Shared<cost::CostDatabase>, cost::CostModel>>(
          costs.database, cost::CostModel(**profile, costs.database.get()));
  costs.model = std::shared_ptr<const cost::CostModel>(both, &both->second);
  return costs;
}

FailureOr<Costs> tenon::loadCosts(const CompileOptions &options,
                                  kernel::TargetAttr unit,
                                  ArrayRef<Device> devices,
                                  MLIRContext &context) {
  llvm::Expected<Costs> costs = CostsReader(options, unit, devices).read();
  if (!costs)
    return emitError(UnknownLoc::get(&context))
           << llvm::toString(costs.takeError());
  return std::move(*costs);
}
