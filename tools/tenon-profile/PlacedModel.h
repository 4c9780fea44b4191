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
#include "tenon/Driver/CompileModule.h"

#include <optional>
#include <string>
#include <vector>

/// One kernel.call that runs in every run.
struct PlacedCall {
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
  /// See getKernelClass.
  std::string kernelClass;
  tenon::cost::Work work;
  /// Whether it reads inputs of the model, which no kernel has just written.
  bool readsInputs = false;
};

struct PlacedModel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string path;
  /// The hashes of graph and kernels (see RunMeasurement).
  std::string graph, kernels;
  /// Its artifact in the workspace, without ".so".
  std::string artifact = "model";
  /// In the order of the steps of a run.
  std::vector<PlacedCall> calls;
  /// A dimension that has no size; empty: none.
  std::string unboundSymbol;

  double sumOfCosts() const;
};

/// A model after the phase Optimize.
struct OptimizedModel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The file of its weights; empty: none.
  std::string params;
  /// What the model itself says that it is for; null: nothing.
  tenon::kernel::TargetAttr stated;
};

/// Imports and optimizes the model `options.input`. The weights of an .onnx
/// model are kept in `workspace`. None after a diagnostic.
std::optional<OptimizedModel>
optimizeModel(const tenon::CompileOptions &options, const Workspace &workspace,
              mlir::MLIRContext &context);

/// Places an optimized model by `plan` and the costs of a file (empty: none).
/// None after a diagnostic.
std::optional<PlacedModel> placeModel(const OptimizedModel &optimized,
                                      const tenon::CompileOptions &options,
                                      const std::string &plan,
                                      const std::string &costsFile,
                                      const tenon::cost::CostModel &costs,
                                      const tenon::cost::Sizes &sizes);

/// The name that `nameSteps` gives to the steps of a call.
std::string getStepName(const PlacedCall &call);

/// Gives the calls of a placed model names that tell them apart. On a GPU a
/// call may be several steps, which all have its name.
void nameSteps(PlacedModel &model);

/// Compiles a placed model, whose module is used up, to the model's artifact in
/// `workspace`. False after a diagnostic.
bool compileModel(const tenon::CompileOptions &options,
                  const OptimizedModel &optimized, PlacedModel &model,
                  const Workspace &workspace);

#endif // TENON_TOOLS_TENON_PROFILE_PLACEDMODEL_H
