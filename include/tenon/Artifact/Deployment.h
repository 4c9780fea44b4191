//===- Deployment.h - which artifacts run on which ranks ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A deployment (`m.plan.json`) describes how the artifacts beside it, one per
// stage, form a model that runs on several ranks. Values are named: the model's
// inputs by their names, results of stages by STAGE.NUMBER.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_DEPLOYMENT_H
#define TENON_ARTIFACT_DEPLOYMENT_H

#include "tenon/Artifact/Status.h"

namespace tenon::artifact {

struct DeploymentStage {
  std::string name;
  int64_t rank = 0;
  /// The file name, relative to the deployment.
  std::string artifact;
  /// The values, in the order of the artifact's inputs and outputs.
  std::vector<std::string> inputs, outputs;
};

struct Deployment {
  std::string name;
  int64_t ranks = 1;
  std::vector<std::string> inputs;
  /// The names of the model's outputs, and the values that they are.
  std::vector<std::pair<std::string, std::string>> outputs;
  /// The stages; each rank runs its own in this order.
  std::vector<DeploymentStage> stages;

  std::string toJson() const;
};

/// Also checks that every value has one source, which comes before its uses.
Expected<Deployment> parseDeployment(std::string_view text);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_DEPLOYMENT_H
