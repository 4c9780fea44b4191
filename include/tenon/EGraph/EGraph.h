//===- EGraph.h - equal graphs, all at once -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An e-graph (Nelson, 1980; Willsey et al., POPL 2021) over ops of the graph
// dialect. Its e-nodes are ops of a block of its own, in which all uses of
// equal values are uses of one of them, so that MLIR's lists of uses are the
// e-graph's lists of parents.
//
// What was ever written is also kept as terms, in the values that it was
// written with, and every union with its reason, as a forest (Nieuwenhuis and
// Oliveras, RTA 2005): from it comes the list of rewrites that a result needs
// (Explain.h).
//
//===----------------------------------------------------------------------===//

#ifndef TENON_EGRAPH_EGRAPH_H
#define TENON_EGRAPH_EGRAPH_H

#include "tenon/Dialect/Rule/Match/RuleMatch.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseSet.h"

namespace tenon::egraph {

using ValueId = unsigned;
using TermId = unsigned;

/// An op as it was written: by the model, or by the target of a rule.
struct Term {
  /// The e-node; null where an equal one stands.
  mlir::Operation *op = nullptr;
  /// The term of the equal one.
  std::optional<TermId> equal;
  /// The firing that wrote it, or -1: the model.
  int firing = -1;
  /// Position among the model's ops, or among those of the rule's target.
  unsigned index = 0;
  llvm::SmallVector<ValueId, 4> operands;
  ValueId firstResult = 0;
};

/// One use of a rule.
struct Firing {
  const rule::ProvedRule *rule = nullptr;
  rule::SymbolMap symbols;
  graph::Shape batch;
  /// By op of the rule's source.
  llvm::SmallVector<TermId, 4> ops;
  /// By operand of the rule: as the first op that reads it wrote it.
  llvm::SmallVector<ValueId, 4> operands;
  /// What conditions on elements rest on: the values asked for, each with the
  /// result of the term that gives it.
  llvm::SmallVector<std::pair<ValueId, ValueId>, 0> support;
  llvm::SmallVector<TermId, 0> supportTerms;
  TermId firstBuilt = 0;
  unsigned numBuilt = 0;
};

enum class Applied {
  /// New e-nodes or new equalities.
  Changed,
  /// All was known.
  Nothing,
  /// The target is not valid at these sizes.
  Refused
};

class EGraph : public rule::MatchView {
public:
  explicit EGraph(mlir::MLIRContext *context);
  ~EGraph() override;
  EGraph(const EGraph &) = delete;

  /// Adds the ops of a function's body. Fails, with a reason, where one has a
  /// region or effects, or the body more than one block. Called once.
  mlir::LogicalResult addBody(mlir::Region &body, std::string &reason);
  /// By argument of the function, and by operand of its return.
  llvm::ArrayRef<ValueId> getArguments() const { return arguments; }
  llvm::ArrayRef<ValueId> getResults() const { return results; }

  /// Puts the rule's target beside its source. Uses that became equal are
  /// joined by the next `rebuild`. With `keep`, also a firing that changes
  /// nothing is recorded.
  Applied apply(const rule::ProvedRule &rule, const rule::RuleMatch &match,
                bool keep = false);
  /// Joins e-nodes whose operands became equal, until none is left.
  void rebuild();
  /// Takes away e-nodes that give their own operand: they compute nothing new.
  void removeSelfLoops();

  /// The e-node that writes what `op` (of any block) would with these
  /// operands; null where there is none.
  mlir::Operation *lookup(mlir::Operation *op,
                          llvm::ArrayRef<mlir::Value> operands) const;

  mlir::Value find(mlir::Value value) const override;
  mlir::Value find(ValueId id) const { return classes[root(id)].value; }
  bool areEqual(ValueId a, ValueId b) const { return root(a) == root(b); }
  llvm::ArrayRef<mlir::OpResult>
  getProducers(mlir::Value representative) const override;
  llvm::SmallVector<mlir::Operation *>
  getReaders(mlir::Value representative,
             mlir::OperationName name) const override;
  llvm::ArrayRef<mlir::Operation *>
  getOps(mlir::OperationName name) const override;
  mlir::DictionaryAttr getAttributes(mlir::Operation *op) const override;

  /// E-nodes, oldest first.
  llvm::iterator_range<mlir::Block::iterator> getNodes() const {
    return llvm::make_range(block->begin(), block->end());
  }
  mlir::Block &getBlock() const { return *block; }
  unsigned getNumNodes() const { return numNodes; }
  unsigned getNumClasses() const;
  /// Numbers of classes from 0, dense; valid until the next change.
  llvm::DenseMap<mlir::Value, unsigned> numberClasses() const;

  TermId getTerm(mlir::Operation *op) const { return termOf.lookup(op); }
  const Term &getTerm(TermId term) const { return terms[term]; }
  ValueId getId(mlir::Value value) const { return ids.lookup(value); }
  /// The e-node that does what a term says; null where it was a loop.
  mlir::Operation *getNode(TermId term) const;
  llvm::ArrayRef<Firing> getFirings() const { return firings; }
  /// The term of an op of the model, by its position.
  TermId getModelTerm(unsigned index) const { return modelTerms[index]; }
  unsigned getNumModelTerms() const { return modelTerms.size(); }
  bool isOfModel(mlir::Operation *op) const {
    return terms[getTerm(op)].firing < 0;
  }

  /// Representatives of classes that changed since the last call.
  llvm::SmallVector<mlir::Value> takeChanged();

  /// Why two values are equal: either a firing, or that two terms do the same
  /// to equal operands.
  struct Reason {
    int firing = -1;
    TermId a = 0, b = 0;
  };
  /// The reasons on the way from `a` to `b`, which are equal; each with a
  /// number of its own.
  llvm::SmallVector<std::pair<ValueId, Reason>> explain(ValueId a,
                                                        ValueId b) const;

private:
  struct Class {
    mlir::Value value;
    /// An argument of the function, if one is in the class.
    mlir::Value leaf;
    llvm::SmallVector<mlir::OpResult, 1> producers; // by term
  };
  struct NodeInfo;

  ValueId root(ValueId id) const;
  ValueId addValue(mlir::Value value);
  ValueId addTerm(mlir::Operation *op, int firing, unsigned index,
                  llvm::ArrayRef<ValueId> operands);
  void addNode(mlir::Operation *op);
  void removeNode(mlir::Operation *op, std::optional<TermId> equal);
  bool merge(ValueId a, ValueId b, const Reason &reason);
  void replaceUses(mlir::Value from, mlir::Value to);
  void addToForest(ValueId a, ValueId b, const Reason &reason);
  void joinPending();
  bool joinLoops();

  /// Holds the block; never verified.
  mlir::OwningOpRef<mlir::ModuleOp> holder;
  mlir::Block *block;
  unsigned numNodes = 0;

  std::vector<Term> terms;
  std::vector<Firing> firings;
  std::vector<TermId> modelTerms;
  llvm::SmallVector<ValueId> arguments, results;

  /// By value: union-find, and the forest of reasons.
  mutable std::vector<ValueId> parents;
  std::vector<ValueId> forest;
  std::vector<Reason> reasons;
  /// By value; of roots only.
  std::vector<Class> classes;
  llvm::DenseMap<mlir::Value, ValueId> ids;
  llvm::DenseMap<mlir::Operation *, TermId> termOf;

  std::unique_ptr<NodeInfo> nodes;
  llvm::DenseMap<mlir::OperationName, llvm::SmallVector<mlir::Operation *>>
      byName;
  mutable llvm::DenseMap<mlir::Operation *, mlir::DictionaryAttr> attributes;
  /// Nodes that were taken away since they give their own operand, detached.
  /// What does the same to equal operands still is equal to them: else a
  /// replay, which takes nothing away, would know more than the search did.
  struct Loop {
    mlir::Operation *op;
    TermId term;
  };
  std::vector<Loop> loops;
  /// Ops whose operands changed.
  llvm::SmallVector<mlir::Operation *> pending;
  llvm::SmallVector<ValueId> changed;
};

} // namespace tenon::egraph

#endif // TENON_EGRAPH_EGRAPH_H
