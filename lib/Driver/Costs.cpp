//===- Costs.cpp - what one compilation knows of costs --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Costs.h"

#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace tenon;

FailureOr<Costs> tenon::loadCosts(const OptimizePhaseOptions &options,
                                  MLIRContext &context) {
  auto fail = [&](llvm::Error error) {
    return emitError(UnknownLoc::get(&context))
           << llvm::toString(std::move(error));
  };
  llvm::Expected<cost::DeviceProfile> profile =
      cost::getProfile(options.profile);
  if (!profile) {
    std::string text = llvm::toString(profile.takeError());
    if (options.profile == options.calibration)
      text += " (the rates of this machine; --costs=none does without)";
    return fail(llvm::createStringError(text));
  }
  Costs costs;
  if (!options.costs.empty()) {
    llvm::Expected<cost::CostDatabase> read =
        cost::CostDatabase::read(options.costs);
    if (!read)
      return fail(read.takeError());
    costs.database = std::make_shared<cost::CostDatabase>(std::move(*read));
  }
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
