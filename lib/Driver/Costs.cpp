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
  /// Returns the costs that `option` names for the unit, or nullopt if it names
  /// none. Checks all that it names.
  template <typename T>
  llvm::Expected<std::optional<T>>
  find(StringRef option, StringRef value,
       llvm::Expected<T> (*read)(StringRef name));
  llvm::Expected<cost::DeviceProfile> getDefault(bool isMeasured);

  const CompileOptions &options;
  kernel::TargetAttr unit;
  ArrayRef<Device> devices;
  /// The name of the profile or database that was read last for the unit.
  std::string name;
};
} // namespace

template <typename T>
llvm::Expected<std::optional<T>>
CostsReader::find(StringRef option, StringRef value,
                  llvm::Expected<T> (*read)(StringRef name)) {
  std::optional<T> found;
  for (const DeviceCosts &part : splitByDevice(value)) {
    llvm::Expected<T> costs = read(part.name);
    if (!costs)
      return costs.takeError();
    Device kind = getKind(*costs);
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

llvm::Expected<cost::DeviceProfile> CostsReader::getDefault(bool isMeasured) {
  if (unit.isForGpu() || isMeasured || options.costs == "none" ||
      options.calibration.empty())
    return cost::getProfileFor(unit.getDevices().front());
  llvm::Expected<cost::DeviceProfile> profile =
      cost::getProfile(name = options.calibration);
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
      [](StringRef name) { return cost::CostDatabase::read(name); });
  if (!database)
    return database.takeError();
  std::string kind = ", roofline";
  if (*database) {
    kind = ", measured: " + name;
    costs.file = name;
    costs.database =
        std::make_shared<cost::CostDatabase>(std::move(**database));
  }
  name.clear();
  auto stated =
      find<cost::DeviceProfile>("--profile", options.profile, cost::getProfile);
  if (!stated)
    return stated.takeError();
  llvm::Expected<cost::DeviceProfile> profile =
      *stated ? llvm::Expected<cost::DeviceProfile>(std::move(**stated))
              : getDefault(costs.database != nullptr);
  if (!profile)
    return profile.takeError();
  costs.profile = name.empty() ? profile->name : name;
  costs.description = costs.profile + kind;
  // The model refers to the database: it takes it along.
  struct Both {
    std::shared_ptr<const cost::CostDatabase> database;
    cost::CostModel model;
  };
  auto both = std::make_shared<Both>(
      Both{costs.database,
           cost::CostModel(std::move(*profile), costs.database.get())});
  costs.model = std::shared_ptr<const cost::CostModel>(both, &both->model);
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
