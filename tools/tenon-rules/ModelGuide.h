//===- ModelGuide.h - what a model says about rules to look for -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_RULES_MODELGUIDE_H
#define TENON_TOOLS_RULES_MODELGUIDE_H

#include "tenon/Cost/CostModel.h"
#include "tenon/Driver/Pipelines.h"
#include "tenon/Optimize/Optimize.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tenon::tools {

/// A model whose costliest subgraphs say which ops an enumeration uses, and
/// whose cost says what a rule is worth (Mirage and Quartz search around the
/// program at hand).
class ModelGuide {
public:
  explicit ModelGuide(mlir::MLIRContext *context) : context(context) {}

  /// `costs` is a file of measured costs, or empty. False after an error, which
  /// is reported.
  bool read(const std::string &path, const std::string &profile,
            const std::string &costs);

  /// Ops of connected subgraphs, by names as an enumeration knows them.
  struct OpsOfSubgraphs {
    std::vector<std::string> names;
    /// The cost of all such subgraphs, in seconds; their number.
    double seconds = 0;
    unsigned count = 0;
  };
  /// The `number` sets of ops whose subgraphs, of up to `maxOps` ops, cost
  /// most. Each subgraph is of one op, and of those that it reads and that read
  /// its result, the costliest first. Ops that an enumeration does not know are
  /// left out.
  std::vector<OpsOfSubgraphs> chooseOps(unsigned maxOps, unsigned number);

  /// What the optimizer makes of the model by some rules of a file.
  struct Gain {
    unsigned matches = 0;
    double before = 0, after = 0; // seconds
    /// Rules with matches, and those of the derivation of the result.
    std::vector<std::string> matching, fired;
  };
  /// Without names: by all. Fails after an error, which is reported.
  mlir::FailureOr<Gain> optimize(const std::string &rules,
                                 llvm::ArrayRef<std::string> names);

private:
  mlir::MLIRContext *context;
  mlir::OwningOpRef<mlir::ModuleOp> model;
  std::unique_ptr<cost::CostDatabase> database;
  std::shared_ptr<const cost::CostModel> costs;
};

} // namespace tenon::tools

#endif // TENON_TOOLS_RULES_MODELGUIDE_H
