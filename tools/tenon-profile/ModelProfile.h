//===- ModelProfile.h - measures the candidates of one model --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_PROFILE_MODELPROFILE_H
#define TENON_TOOLS_TENON_PROFILE_MODELPROFILE_H

#include "Admit.h"
#include "Measure.h"
#include "Options.h"
#include "Progress.h"
#include "tenon/Cost/ClassFit.h"

/// Measures a model under one plan after another, until every kernel that
/// placement may choose for it has an entry, or the plans that the command line
/// allows were made; then, without traces, the model under the plans that
/// placement compares. Each entry is measured where it stands in the model.
class ModelProfile {
public:
  ModelProfile(const CommandLine &line, unsigned number,
               mlir::MLIRContext &context, const Judges &judges,
               const tenon::cost::Sizes &sizes, Progress &progress)
      : line(line), number(number), context(context), judges(judges),
        sizes(sizes), progress(progress) {}

  /// Extends `database` and writes it after every plan, so that little is lost
  /// when the program is stopped. If a plan that uses plug-ins cannot be run,
  /// the admissions of their patterns in it are revoked, and measuring
  /// continues.
  llvm::Error run(tenon::cost::CostDatabase &database);
  /// Once all models were measured: what was learned from the others may have
  /// changed this one's plan, whose run is then measured, too.
  llvm::Error finish(tenon::cost::CostDatabase &database);
  /// The kernels that were measured, but for those that read inputs of the
  /// model.
  llvm::ArrayRef<tenon::cost::ClassSample> getSamples() const {
    return samples;
  }

private:
  llvm::Error measurePlan(const std::string &plan,
                          tenon::cost::CostDatabase &database,
                          bool &foundMissing);
  llvm::Error measureRuns(tenon::cost::CostDatabase &database);
  llvm::Error blame(const PlacedModel &model, llvm::Error error,
                    tenon::cost::CostDatabase &database);
  llvm::Expected<PlacedModel> place(const std::string &plan,
                                    const tenon::cost::CostDatabase &database);
  RunOptions getRunOptions(const PlacedModel &model) const;
  std::vector<std::string> listPlans() const;

  const CommandLine &line;
  unsigned number;
  mlir::MLIRContext &context;
  const Judges &judges;
  const tenon::cost::Sizes &sizes;
  Progress &progress;
  tenon::CompileOptions options;
  std::optional<Workspace> workspace;
  std::optional<OptimizedModel> optimized;
  unsigned plansDone = 0;
  std::vector<tenon::cost::ClassSample> samples;
};

#endif // TENON_TOOLS_TENON_PROFILE_MODELPROFILE_H
