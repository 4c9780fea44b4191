//===- Candidates.h - pieces that may become kernels ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What placement chooses from: every piece that a library takes, and for own
// code every op by itself and the pieces that the clusterer makes of what is
// left when libraries take more or less (all prefixes of their chains).
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_PLACE_CANDIDATES_H
#define TENON_LIB_PLACE_CANDIDATES_H

#include "OwnClusters.h"
#include "PieceCache.h"
#include "tenon/Backend/Backend.h"
#include "tenon/Cost/MeasuredRatio.h"
#include "tenon/Place/Cover.h"

#include "llvm/ADT/DenseMap.h"

#include <map>
#include <set>

namespace tenon::place {

struct Candidate {
  /// In the block's order, with the constants that they take in.
  llvm::SmallVector<mlir::Operation *> ops;
  /// The op that the piece grew from: matmul, convolution, ...
  mlir::Operation *root = nullptr;
  llvm::StringRef backend;
  std::string pattern;
  cost::Cost cost;
  /// Of the roofline, where the cost was measured or scaled.
  double roofline = 0;
  /// Seconds: the problem's cost lies between them.
  cost::Bounds bounds;
};

/// What the user allows.
struct CandidateRules {
  /// Whether a backend may be used at all.
  std::function<bool(const backend::Backend &)> allowsBackend;
  /// Whether a pattern of it may: see Cost's admissions.
  std::function<bool(const backend::Backend &, llvm::StringRef pattern)>
      allowsPattern;
  /// The backend that an op must run on; empty: any.
  std::function<llvm::StringRef(mlir::Operation *)> getPin;
  /// The name of own code on the device.
  llvm::StringRef ownCode = kernel::kCpuBackend;
};

/// Gives each op that several pieces would share (constants, broadcasts) a copy
/// per use, so that a piece can take it along. Users come first, so that what
/// they read is copied for their copies too.
void duplicateShared(mlir::Block &block);

class CandidateSet {
public:
  /// `pieces` is a cache for `costs`; null: none is shared.
  CandidateSet(mlir::Block &block, const cost::CostModel &costs,
               const CandidateRules &rules,
               std::shared_ptr<PieceCache> pieces = nullptr);

  llvm::ArrayRef<Candidate> getCandidates() const { return candidates; }
  /// Items are the ops that compute, options the candidates.
  const CoverProblem &getProblem() const { return problem; }
  /// What a kernel costs in a run beyond its own time, as the database's whole
  /// runs tell, and at least a launch; seconds, in the scale of the kernels'
  /// costs.
  double getSecondsPerKernel() const { return secondsPerKernel; }
  unsigned getItem(mlir::Operation *op) const { return itemOf.lookup(op); }
  /// Whether some candidate of the backend covers the op, or it needs none.
  bool has(mlir::Operation *op, llvm::StringRef backend) const;
  /// Adds what own code could make of the ops that the chosen candidates of
  /// libraries leave. Returns whether there was anything new.
  bool refine(llvm::ArrayRef<unsigned> chosen);

  /// Takes over the plan that is chosen from another set for the same block:
  /// others replace its candidates only if they are cheaper at their most than
  /// these at their least. Returns false, and keeps nothing, if one of them
  /// can't be a candidate here.
  bool setBaseline(const CandidateSet &other, llvm::ArrayRef<unsigned> plan);
  /// Ascending; empty: none was set.
  llvm::ArrayRef<unsigned> getBaseline() const { return baseline; }

private:
  void numberItems();
  void addLibraryPieces();
  void addOwnPieces();
  void addAttention();
  bool addOwnPieces(llvm::function_ref<bool(mlir::Operation *)> isTaken);
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
  /// Positions of the candidates; kRefused for those that are not convex.
  std::map<std::pair<std::string, std::vector<unsigned>>, unsigned> known;
  std::vector<unsigned> baseline;
  std::shared_ptr<const PieceKeys> keys;
  GoodPieces goodPieces;
  /// Attention with its transposes, which other pieces are better without.
  llvm::DenseSet<mlir::Operation *> attention;
};

} // namespace tenon::place

#endif // TENON_LIB_PLACE_CANDIDATES_H
