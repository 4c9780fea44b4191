//===- PluginProblem.h - the plug-in's view of a call ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_BACKEND_PLUGIN_PLUGINPROBLEM_H
#define TENON_LIB_BACKEND_PLUGIN_PLUGINPROBLEM_H

#include "tenon/Artifact/Backend.h"
#include "tenon/Backend/PluginCall.h"

#include <vector>

namespace tenon::backend {

/// The problem of a call, with -1 for sizes that depend on the inputs.
class PluginProblem {
public:
  explicit PluginProblem(const PluginCall &call);
  PluginProblem(const PluginProblem &) = delete;
  PluginProblem &operator=(const PluginProblem &) = delete;

  const tenon_backend_problem &get() const { return problem; }

private:
  tenon_backend_problem problem = {};
  std::vector<std::vector<int64_t>> sizes; // shapes and strides
  std::vector<tenon_backend_operand> operands;
  std::vector<const char *> names;
  std::vector<int64_t> symbols;
};

/// Returns the C form of an element type; nullopt for types without a form in
/// memory.
std::optional<tenon_dtype> getDLDType(mlir::Type type);

} // namespace tenon::backend

#endif // TENON_LIB_BACKEND_PLUGIN_PLUGINPROBLEM_H
