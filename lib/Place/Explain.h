//===- Explain.h - why a plan was chosen, as attributes -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes `place.*` of functions and calls, for people and for reports.
// Nothing that compiles reads them.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PLACE_EXPLAIN_H
#define TENON_LIB_PLACE_EXPLAIN_H

#include "Plan.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::place {

/// A number for a graph as it is placed, whatever its ops' locations and its
/// weights.
std::string hashGraph(mlir::func::FuncOp function);

/// What whole runs of the graph under the plan took, where that was measured.
std::optional<double> findRun(const CandidateSet &candidates,
                              const cost::CostModel &costs,
                              llvm::StringRef graph, const Plan &plan);

/// The attributes of a call.
llvm::ArrayRef<llvm::StringRef> getReasonNames();

/// Names, on the root of every chosen piece, its cost and its runner-up, for
/// `outlinePlan` to take over.
void explainPlan(const CandidateSet &candidates, const Plan &plan);

/// On the function: which graph, which plan, and its sum.
void explainKind(mlir::func::FuncOp function, const CandidateSet &candidates,
                 const cost::CostModel &costs, llvm::StringRef graph,
                 const Plan &plan, llvm::StringRef kind);

/// On the function: the sums of the mixed plan and of those of one backend
/// each, and what whole runs took under them. Takes a copy: asking for plans
/// adds candidates.
void explainOthers(mlir::func::FuncOp function, CandidateSet candidates,
                   const cost::CostModel &costs, llvm::StringRef graph,
                   const Plan &mixed);

/// Adds one plan more to those.
void explainOther(mlir::func::FuncOp function, const CandidateSet &candidates,
                  const cost::CostModel &costs, llvm::StringRef graph,
                  llvm::StringRef kind, const Plan &plan);

/// Of calls that were there before: what they cost, and nothing of what they
/// were chosen from.
void explainGiven(mlir::func::FuncOp function,
                  llvm::ArrayRef<kernel::CallOp> given,
                  const cost::CostModel &costs);

} // namespace tenon::place

#endif // TENON_LIB_PLACE_EXPLAIN_H
