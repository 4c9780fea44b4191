//===- Explain.h - attributes that explain the chosen plan ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the attributes `place.*` of functions and calls, which are for display
// and for reports. The compiler does not read them.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PLACE_EXPLAIN_H
#define TENON_LIB_PLACE_EXPLAIN_H

#include "PlacementPlan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::place {

/// Returns a hash of a graph before placement, independent of its ops'
/// locations and of its weights.
std::string hashGraph(mlir::func::FuncOp function);

/// Returns the measured time of whole runs of the graph under the plan, if
/// there is one.
std::optional<double> findRun(const CandidateSet &candidates,
                              const cost::CostModel &costs,
                              llvm::StringRef graph, const PlacementPlan &plan);

/// Returns the names of the attributes of a call.
llvm::ArrayRef<llvm::StringRef> getReasonNames();

/// Attaches the cost and the runner-up of every chosen subgraph to its root.
/// `outlinePlan` moves these attributes to the call.
void explainPlan(const CandidateSet &candidates, const PlacementPlan &plan);

/// Attaches the hash of the graph, the plan and its sum to the function.
void explainKind(mlir::func::FuncOp function, const CandidateSet &candidates,
                 const cost::CostModel &costs, llvm::StringRef graph,
                 const PlacementPlan &plan, llvm::StringRef kind);

/// Attaches the sums of the mixed plan and of the plans for each backend to the
/// function, with the measured times of whole runs under them. Takes a copy,
/// because choosing plans adds candidates.
void explainOthers(mlir::func::FuncOp function, CandidateSet candidates,
                   const cost::CostModel &costs, llvm::StringRef graph,
                   const PlacementPlan &mixed);

/// Adds one more plan to those of explainOthers.
void explainOther(mlir::func::FuncOp function, const CandidateSet &candidates,
                  const cost::CostModel &costs, llvm::StringRef graph,
                  llvm::StringRef kind, const PlacementPlan &plan);

/// Explains calls that existed before placement: their costs, but no
/// alternatives.
void explainGiven(mlir::func::FuncOp function,
                  llvm::ArrayRef<kernel::CallOp> given,
                  const cost::CostModel &costs);

} // namespace tenon::place

#endif // TENON_LIB_PLACE_EXPLAIN_H
