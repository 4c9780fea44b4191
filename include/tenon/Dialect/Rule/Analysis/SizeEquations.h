//===- SizeEquations.h - equations of sizes and their origins -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_RULE_ANALYSIS_SIZEEQUATIONS_H
#define TENON_DIALECT_RULE_ANALYSIS_SIZEEQUATIONS_H

#include "tenon/Dialect/Rule/Analysis/SizeUnifier.h"

#include "mlir/IR/Diagnostics.h"

#include <functional>

namespace tenon::rule {

/// The equations of one rule. Equations that can't be solved yet are kept;
/// those that can't be solved at all are reported at the op that needs them.
class SizeEquations {
public:
  using SymInt = graph::SymInt;
  /// Begins the diagnostic of an equation that can't be solved, at what needs
  /// it. Kept until the equation is solved.
  using EmitError = std::function<mlir::InFlightDiagnostic()>;

  SymInt makeUnknown(const std::string &name) {
    return unifier.makeUnknown(name);
  }
  mlir::LogicalResult makeEqual(const SymInt &a, const SymInt &b,
                                EmitError emitError) {
    return makeEqual(a, b, std::move(emitError), /*allowDifferences=*/false);
  }
  /// One spatial axis of a convolution.
  struct Window {
    SymInt input, kernel, stride, pads, output;
  };
  /// Adds a window. Windows with the same stride and padding have equal outputs
  /// if inputs and kernels are equal.
  void addWindow(Window window) { windows.push_back(std::move(window)); }
  /// Solves waiting equations until no more can be solved.
  mlir::LogicalResult retryWaiting();
  /// Solves all waiting equations, even if the solution is not the most general
  /// one: results of convolutions become equal by equating inputs and kernels,
  /// and an unknown may become a difference.
  mlir::LogicalResult settleWaiting();

  SymInt resolve(const SymInt &size) const { return unifier.resolve(size); }
  /// Differences that must be at least 0.
  const std::vector<SymInt> &getDifferences() const {
    return unifier.getDifferences();
  }

private:
  struct Equation {
    SymInt a, b;
    EmitError emitError;
  };

  mlir::LogicalResult makeEqual(const SymInt &a, const SymInt &b,
                                EmitError emitError, bool allowDifferences);
  /// Tries the waiting equation `number`.
  mlir::LogicalResult equateWindows(size_t number, bool &found);

  SizeUnifier unifier;
  std::vector<Equation> waiting;
  std::vector<Window> windows;
};

} // namespace tenon::rule

#endif // TENON_DIALECT_RULE_ANALYSIS_SIZEEQUATIONS_H
