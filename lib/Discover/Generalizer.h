//===- Generalizer.h - from two graphs to a rule for all sizes ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DISCOVER_GENERALIZER_H
#define TENON_LIB_DISCOVER_GENERALIZER_H

#include "tenon/Dialect/Graph/IR/SizeConditions.h"
#include "tenon/Dialect/Rule/Analysis/SizeEquations.h"
#include "tenon/Discover/Generalize.h"

#include <map>
#include <set>

namespace tenon::discover {

/// Makes the sizes and numbers of two equal graphs unknowns, solves the
/// equations under which both can be built and have equal results
/// (Generalizer.cpp), replaces symbols that a match can't bind
/// (GeneralizeSymbols.cpp), and states the rule (Generalize.cpp).
class Generalizer {
public:
  Generalizer(mlir::MLIRContext *context, const Terms &terms,
              const Candidate &candidate, const StatementOptions &options,
              std::string &reason)
      : context(context), terms(terms), candidate(candidate), options(options),
        reason(reason), builder(context) {}

  mlir::FailureOr<Generalized> run(llvm::StringRef name);

private:
  using Values = llvm::DenseMap<ValueId, mlir::Value>;

  void dropLeadingAxes();
  bool isWeight(ValueId input) const;
  void makeUnknowns();
  void addWindows(const Terms::Op &op, mlir::Operation *built);
  mlir::LogicalResult equateOperands(const Terms::Op &op,
                                     llvm::ArrayRef<mlir::Value> operands,
                                     bool &isBlocked);
  /// The results, or none if ops need equations first that are not solved yet.
  /// Adds what sizes must satisfy to `conditions`.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  build(mlir::Block &block, llvm::ArrayRef<ValueId> results,
        llvm::SmallVectorImpl<graph::SizeCondition> &conditions);
  /// Builds both sides with what is known of the sizes.
  mlir::LogicalResult round();
  mlir::LogicalResult makeEqual(const graph::SymInt &a, const graph::SymInt &b);
  mlir::LogicalResult collect(llvm::ArrayRef<graph::SizeCondition> conditions,
                              std::vector<graph::SymInt> &others);
  mlir::LogicalResult solve();
  mlir::LogicalResult pairNumbers();
  void bindSymbols();
  void nameSymbols();
  /// The size without symbols that can't be bound.
  graph::SymInt finish(const graph::SymInt &size) const;
  graph::SymInt rename(const graph::SymInt &size) const;
  graph::Shape resolveAll(const graph::Shape &sizes) const;

  mlir::MLIRContext *context;
  const Terms &terms;
  const Candidate &candidate;
  const StatementOptions &options;
  std::string &reason;
  mlir::OpBuilder builder;
  rule::SizeEquations sizes;
  llvm::SmallVector<ValueId, 8> inputs;
  std::map<ValueId, graph::Shape> inputShapes;
  /// Leading axes that all ops treat alike, and the families without them.
  unsigned numLeading = 0;
  /// Whether all ops allow for further leading axes.
  bool isLiftable = false;
  std::map<OpId, unsigned> families;
  std::map<OpId, graph::Shape> numbers;
  /// Symbols that a match can't bind, by what it can.
  std::map<std::string, graph::SymInt> bound;
  std::map<std::string, std::string> names;
  /// Symbols of attributes that all ops share: by their name, place and value.
  std::map<std::string, std::string> shared;
  /// What the sides require beside equations, in the last round.
  std::vector<graph::SymInt> sourceNeeds, targetNeeds;
  bool collectsWindows = true;
  unsigned numPairings = 1;
  /// Whether both sides were built in the last round.
  bool isComplete = false;
  /// Whether an equation was solved in this round.
  bool changed = false;
  /// Equations that wait for others.
  std::set<std::string> waiting;
};

} // namespace tenon::discover

#endif // TENON_LIB_DISCOVER_GENERALIZER_H
