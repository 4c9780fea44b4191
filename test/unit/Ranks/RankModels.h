//===- RankModels.h - pipelines of tests ------------------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RANKS_RANKMODELS_H
#define TENON_TEST_UNIT_RANKS_RANKMODELS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

namespace tenon::ranks {

/// A `pipe.program` of f64, and what is made of it.
struct RankModel {
  const char *name;
  const char *text;
  const char *schedule; // of --pipe-schedule; null if the text has schedules
  const char *train;    // options of --graph-train; null for inference
};

llvm::ArrayRef<RankModel> getRankModels();

/// Loads the dialects of such models.
void loadDialects(mlir::MLIRContext &context);

/// The module after --pipe-schedule, --pipe-to-program and
/// --program-plan-arena. Null, with a diagnostic, if one of these fails.
mlir::OwningOpRef<mlir::ModuleOp> buildRanks(mlir::MLIRContext &context,
                                             const RankModel &model);

} // namespace tenon::ranks

#endif // TENON_TEST_UNIT_RANKS_RANKMODELS_H
