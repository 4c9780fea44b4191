//===- Costs.h - what one compilation knows of costs ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DRIVER_COSTS_H
#define TENON_LIB_DRIVER_COSTS_H

#include "tenon/Cost/CostDatabase.h"
#include "tenon/Cost/CostModel.h"
#include "tenon/Driver/Compile.h"

#include <memory>

namespace tenon {

struct Costs {
  /// Null: nothing was measured.
  std::shared_ptr<const cost::CostDatabase> database;
  /// The costs by which the graph is optimized and placed.
  std::shared_ptr<const cost::CostModel> model;
  /// The names of the profile and of the file of measured costs (empty: none),
  /// and both for reports.
  std::string profile, file, description;
};

/// A part of the value of --profile or --costs.
struct DeviceCosts {
  /// The kind of device that it is given for; nullopt: the one that it is of.
  std::optional<Device> device;
  std::string name;
};

/// Splits `cuda=h200,cpu=F.json`, or `h200` alone.
std::vector<DeviceCosts> splitByDevice(llvm::StringRef value);

/// Reads the profile and the database of a unit. `devices`: the kinds of
/// devices that the artifact has programs for. Emits a diagnostic if a file
/// can't be read, or is of another kind of device.
mlir::FailureOr<Costs> loadCosts(const CompileOptions &options,
                                 kernel::TargetAttr unit,
                                 llvm::ArrayRef<Device> devices,
                                 mlir::MLIRContext &context);

} // namespace tenon

#endif // TENON_LIB_DRIVER_COSTS_H
