//===- Candidates.h - subgraphs that may become kernels -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Collects the candidates among which placement chooses: every subgraph that a
// library supports and, for generated code, every op by itself and the
// subgraphs that the clusterer forms from the ops that libraries leave, for all
// prefixes of the libraries' chains.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PLACE_CANDIDATES_H
#define TENON_LIB_PLACE_CANDIDATES_H

#include "GeneratedClusters.h"
#include "SubgraphCache.h"
#include "tenon/Backend/Backend.h"
#include "tenon/Cost/MeasuredRatio.h"
#include "tenon/Place/Cover.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <set>

namespace tenon::place {

struct Candidate {
  /// In the block's order, including the constants that belong to them.
  llvm::SmallVector<mlir::Operation *> ops;
  /// The op from which the subgraph was grown: matmul, convolution, ...
  mlir::Operation *root = nullptr;
  llvm::StringRef backend;
  std::string pattern;
  cost::Cost cost;
  /// The roofline cost, if the cost was measured or scaled.
  double roofline = 0;
  /// Bounds in seconds, between which the problem's cost lies.
  cost::Bounds bounds;
};

/// The restrictions that the user specified.
struct CandidateRules {
  /// Returns true if a backend may be used at all.
  std::function<bool(const backend::Backend &)> allowsBackend;
  /// Returns true if a pattern of the backend may be used: see Cost's
  /// admissions.
  std::function<bool(const backend::Backend &, llvm::StringRef pattern)>
      allowsPattern;
  /// Returns the backend that an op must run on; empty if any backend may run
  /// it.
  std::function<llvm::StringRef(mlir::Operation *)> getPin;
  /// The name of the backend for generated code on the device.
  llvm::StringRef generatedCode = kernel::kCpuBackend;
};

/// Gives each op that several subgraphs would share (constants, broadcasts) a
/// copy per use, so that a subgraph can include it. Users are handled first, so
/// that their operands are copied for their copies, too.
void duplicateShared(mlir::Block &block);

class CandidateSet {
public:
  /// `subgraphs` is a cache for `costs`. If null, no cache is shared.
  CandidateSet(mlir::Block &block, const cost::CostModel &costs,
               const CandidateRules &rules,
               std::shared_ptr<SubgraphCache> subgraphs = nullptr);

  llvm::ArrayRef<Candidate> getCandidates() const { return candidates; }
  /// The items of the problem are the ops that compute, and its options are the
  /// candidates.
  const CoverProblem &getProblem() const { return problem; }
  /// Returns the cost of a kernel in a run beyond its own time, derived from
  /// the database's whole runs, and at least the cost of a launch. In seconds,
  /// in the scale of the kernels' costs.
  double getSecondsPerKernel() const { return secondsPerKernel; }
  unsigned getItem(mlir::Operation *op) const { return itemOf.lookup(op); }
  /// Returns true if some candidate of the backend covers the op, or if the op
  /// needs none.
  bool has(mlir::Operation *op, llvm::StringRef backend) const;
  /// Adds candidates for the ops that the chosen candidates of libraries leave
  /// to generated code. Returns true if any of them was new.
  bool refine(llvm::ArrayRef<unsigned> chosen);

  /// Adopts a plan for the same block that was chosen from another set. Other
  /// candidates replace those of the plan only if their upper bound is below
  /// the lower bound of the plan's. Returns false, and adopts nothing, if one
  /// of them cannot be a candidate here.
  bool setBaseline(const CandidateSet &other, llvm::ArrayRef<unsigned> plan);
  /// Ascending; empty if no baseline was set.
  llvm::ArrayRef<unsigned> getBaseline() const { return baseline; }

private:
  void numberItems();
  void addLibraryCandidates();
  void addGeneratedCandidates();
  void addAttention();
  bool
  addGeneratedCandidates(llvm::function_ref<bool(mlir::Operation *)> isTaken);
  bool add(llvm::SmallVector<mlir::Operation *> ops, llvm::StringRef backend,
           std::string pattern);
  bool isConvex(const std::vector<unsigned> &items) const;
  void correctUnmeasured();

  mlir::Block &block;
  const cost::CostModel &costs;
  const CandidateRules &rules;
  double secondsPerKernel = 0;
  llvm::DenseMap<mlir::Operation *, unsigned> itemOf;
  std::vector<Candidate> candidates;
  CoverProblem problem;
  /// Positions of the candidates; kRefused for sets of ops that are not convex.
  std::map<std::pair<std::string, std::vector<unsigned>>, unsigned> known;
  std::vector<unsigned> baseline;
  std::shared_ptr<const SubgraphKeys> keys;
  GoodSubgraphs goodSubgraphs;
  /// Ops of attention with its transposes, which other subgraphs should not
  /// include.
  llvm::DenseSet<mlir::Operation *> attention;
};

} // namespace tenon::place

#endif // TENON_LIB_PLACE_CANDIDATES_H
