//===- MatchedModels.h - models that the source of a rule matches ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TOOLS_TENON_FUZZ_MATCHEDMODELS_H
#define TENON_TOOLS_TENON_FUZZ_MATCHEDMODELS_H

#include "tenon/Dialect/Rule/IR/Instantiate.h"
#include "tenon/Interpret/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <random>
#include <set>

namespace tenon::fuzz {

/// A model that consists of the source of a rule.
struct MatchedModel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The symbols of the rule, for messages.
  rule::SymbolMap symbols;
  /// The sizes of leading axes that the rule does not state.
  graph::Shape batch;
  /// Whether sizes of it are known at run time only.
  bool isSymbolic = false;
  /// The arguments that must not have elements below 0.
  std::set<unsigned> notNegative;
  /// The names of the arguments' sizes that only bound others: at run time,
  /// they are at least the value.
  rule::SymbolMap bounds;

  mlir::func::FuncOp getMain() const;
};

/// Draws a model: its ops have the types that inference gives them for the
/// sizes chosen, so that ops may broadcast a size of 1 where the rule has
/// symbols, and sizes may be 0. The conditions of the rule hold; whether its
/// hypotheses do is not looked at. `symbolic`: some sizes are symbols of the
/// model or computed from such. Null if no choice fits.
MatchedModel drawMatchedModel(rule::RuleOp rule, bool symbolic,
                              std::mt19937_64 &random);

/// Inputs for the model in domain f64: its symbols get sizes from 0 to 6.
/// Fails if a size is negative or a tensor is large.
mlir::FailureOr<llvm::SmallVector<interpret::Tensor>>
drawMatchedInputs(const MatchedModel &model, std::mt19937_64 &random);

} // namespace tenon::fuzz

#endif // TENON_TOOLS_TENON_FUZZ_MATCHEDMODELS_H
