//===- SizeEquations.h - equations of sizes and where they come from ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_TASO_SIZEEQUATIONS_H
#define TENON_LIB_IMPORT_TASO_SIZEEQUATIONS_H

#include "RuleFile.h"
#include "SizeUnifier.h"

namespace tenon::taso {

/// The equations of one rule. Those that can't be solved yet wait; what can't
/// be solved at all is reported at the op that needs it.
class SizeEquations {
public:
  using SymInt = graph::SymInt;

  SymInt makeUnknown(const std::string &name) {
    return unifier.makeUnknown(name);
  }
  mlir::LogicalResult makeEqual(const SymInt &a, const SymInt &b,
                                const Place &place) {
    return makeEqual(a, b, place, /*allowDifferences=*/false);
  }
  /// One spatial axis of a convolution.
  struct Window {
    SymInt input, kernel, stride, pads, output;
  };
  /// Windows of one stride and one padding have equal outputs where inputs and
  /// kernels are equal.
  void addWindow(Window window) { windows.push_back(std::move(window)); }
  /// Solves what waits, until nothing more can be.
  mlir::LogicalResult retryWaiting();
  /// Solves all that waits, also where that is more special than needed:
  /// results of convolutions become equal by equal inputs and kernels, and an
  /// unknown may become a difference.
  mlir::LogicalResult settleWaiting();

  SymInt resolve(const SymInt &size) const { return unifier.resolve(size); }
  /// What has to be at least 0.
  const std::vector<SymInt> &getDifferences() const {
    return unifier.getDifferences();
  }

private:
  struct Equation {
    SymInt a, b;
    Place place;
  };

  mlir::LogicalResult makeEqual(const SymInt &a, const SymInt &b,
                                const Place &place, bool allowDifferences);
  /// Tries the waiting equation `number`.
  mlir::LogicalResult equateWindows(size_t number, bool &found);

  SizeUnifier unifier;
  std::vector<Equation> waiting;
  std::vector<Window> windows;
};

} // namespace tenon::taso

#endif // TENON_LIB_IMPORT_TASO_SIZEEQUATIONS_H
