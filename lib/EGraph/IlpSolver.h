//===- IlpSolver.h - solution of integer linear programs by CBC -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_EGRAPH_ILPSOLVER_H
#define TENON_LIB_EGRAPH_ILPSOLVER_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace tenon::egraph {

/// Minimizes the sum of cost times value over variables in [0, 1], such that
/// the sum of each row is at least its bound.
struct IlpModel {
  struct Row {
    std::vector<std::pair<int, double>> terms;
    double atLeast = 0;
  };
  std::vector<double> costs;
  /// For each variable, whether it must be 0 or 1.
  std::vector<char> integral;
  std::vector<Row> rows;
};

struct IlpAnswer {
  /// Optimal: the solution is proved to be optimal. Stopped: a limit was
  /// reached. Failed: there is no answer, also after an error of the solver or
  /// for an infeasible program.
  enum Status { Optimal, Stopped, Failed } status = Failed;
  /// The best solution found. May be empty unless the status is Optimal.
  std::vector<double> values;
  /// The number of nodes of the tree that were processed.
  uint64_t treeNodes = 0;
};

/// `start` is an initial solution, with a value per variable, or empty.
IlpAnswer solveIlp(const IlpModel &model, llvm::ArrayRef<double> start,
                   uint64_t maxTreeNodes);

} // namespace tenon::egraph

#endif // TENON_LIB_EGRAPH_ILPSOLVER_H
