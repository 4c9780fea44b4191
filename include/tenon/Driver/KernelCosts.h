//===- KernelCosts.h - what ops cost in measured kernels --------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels are measured (tenon-profile), but planners cut between ops: a model
// is placed, so that it is known which ops a kernel is computed for.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_KERNELCOSTS_H
#define TENON_DRIVER_KERNELCOSTS_H

#include "tenon/Parallelize/ModelGraph.h"

#include <set>
#include <string>

namespace tenon {

/// The costs in a file of measured kernels (docs/formats.md), for a device.
class KernelCosts {
public:
  /// Fails if the file can't be read, or is of another kind of device than the
  /// profile, which predicts kernels that were not measured.
  static llvm::Expected<KernelCosts> read(const std::string &file,
                                          cost::DeviceProfile profile);

  /// The kernels of `model`, whose symbols have `sizes`, as inference places
  /// them. Fails, with a diagnostic, if the model can't be placed.
  mlir::FailureOr<std::vector<parallelize::MeasuredKernel>>
  measure(mlir::func::FuncOp model, const cost::Sizes &sizes);

  /// How many distinct kernels were asked for since the file was read: of them,
  /// those that were measured, and those that were measured at other sizes.
  size_t countKernels() const { return kernels.size(); }
  size_t countMeasured() const { return measured; }
  size_t countScaled() const { return scaled; }

private:
  KernelCosts(std::string file, cost::CostDatabase database,
              cost::DeviceProfile profile)
      : file(std::move(file)), database(std::move(database)),
        profile(std::move(profile)) {}

  std::string file;
  cost::CostDatabase database;
  cost::DeviceProfile profile;
  std::set<std::string> kernels;
  size_t measured = 0, scaled = 0;
};

} // namespace tenon

#endif // TENON_DRIVER_KERNELCOSTS_H
