//===- PlacedModel.h - the kernels of a model, as they are placed ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_PROFILE_PLACEDMODEL_H
#define TENON_TOOLS_TENON_PROFILE_PLACEDMODEL_H

#include "Workspace.h"
#include "tenon/Cost/CostModel.h"
#include "tenon/Driver/Compile.h"

#include <string>
#include <vector>

/// One kernel.call that runs in every run.
struct KernelSite {
  std::string key;
  /// "onednn conv+relu f32[1,56,56,64]".
  std::string name;
  /// The latter is a part of its step's name.
  std::string backend, pattern;
  /// Its position among all calls of the placed model.
  unsigned number = 0;
  tenon::cost::Cost cost;
  /// Predicted only by the roofline, in seconds.
  double roofline = 0;
};

struct PlacedModel {
  std::string path;
  /// The hashes of graph and kernels (see PlanMeasurement).
  std::string graph, kernels;
  /// Its artifact in the workspace, without ".so".
  std::string artifact = "model";
  /// In the order of the steps of a run.
  std::vector<KernelSite> sites;
  /// A dimension that has no size; empty: none.
  std::string unboundSymbol;

  double sumOfCosts() const;
};

/// Imports and optimizes the model `options.input` to model.mlirbc in
/// `workspace`. False after a diagnostic.
bool optimizeModel(const tenon::CompileOptions &options,
                   const Workspace &workspace, mlir::MLIRContext &context);

/// Places what `optimizeModel` left, by `plan` and the costs of a file (empty:
/// none), to placed.mlirbc in `workspace`. None after a diagnostic.
std::optional<PlacedModel>
placeModel(const tenon::CompileOptions &options, const std::string &plan,
           const std::string &costsFile, const tenon::cost::CostModel &costs,
           const tenon::cost::Sizes &sizes, const Workspace &workspace,
           mlir::MLIRContext &context);

/// The name that `nameSteps` gives to the steps of a site.
std::string getStepName(const KernelSite &site);

/// Gives the calls that `placeModel` left last names that distinguish them. On
/// a GPU a call may be several steps, which all have its name.
bool nameSteps(const Workspace &workspace, mlir::MLIRContext &context);

/// Compiles what `placeModel` left last to the model's artifact in `workspace`.
bool compileModel(const tenon::CompileOptions &options,
                  const PlacedModel &model, const Workspace &workspace,
                  mlir::MLIRContext &context);

#endif // TENON_TOOLS_TENON_PROFILE_PLACEDMODEL_H
