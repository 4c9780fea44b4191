//===- EGraph.h - many equal graphs in one structure ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An e-graph (Nelson, 1980; Willsey et al., POPL 2021) over ops of the graph
// dialect. Its e-nodes are ops of a separate block, in which all uses of equal
// values are uses of one of them, so that MLIR's use lists are the e-graph's
// parent lists.
//
// Every op that was ever added is also kept as a term, with the values that it
// was originally written with. Every union is kept with its reason, in a forest
// (Nieuwenhuis and Oliveras, RTA 2005). From these, Explain.h computes the list
// of rewrites that a result needs.
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

/// An op as it was originally written: by the model, or by the target of a
/// rule.
struct Term {
  /// The e-node; null if an equal one replaced it.
  mlir::Operation *op = nullptr;
  /// The term of the equal e-node.
  std::optional<TermId> equal;
  /// The firing that wrote it; -1 for the model.
  int firing = -1;
  /// The position among the model's ops, or among those of the rule's target.
  unsigned index = 0;
  llvm::SmallVector<ValueId, 4> operands;
  ValueId firstResult = 0;
};

/// One application of a rule.
struct Firing {
  const rule::ProvedRule *rule = nullptr;
  rule::SymbolMap symbols;
  graph::Shape batch;
  /// For each op of the rule's source.
  llvm::SmallVector<TermId, 4> ops;
  /// For each operand of the rule: the value in the first op that reads it.
  llvm::SmallVector<ValueId, 4> operands;
  /// The values on which conditions on elements depend, each with the result of
  /// the term that provides it.
  llvm::SmallVector<std::pair<ValueId, ValueId>, 0> support;
  llvm::SmallVector<TermId, 0> supportTerms;
  TermId firstBuilt = 0;
  unsigned numBuilt = 0;
};

enum class Applied {
  /// The firing added new e-nodes or new equalities.
  Changed,
  /// Everything was already known.
  Nothing,
  /// The target is not valid for these sizes.
  Refused
};

class EGraph : public rule::MatchView {
public:
  explicit EGraph(mlir::MLIRContext *context);
  ~EGraph() override;
  EGraph(const EGraph &) = delete;

  /// Adds the ops of a function's body. Fails, with a reason, if an op has a
  /// region or effects, or if the body has more than one block. Must be called
  /// once.
  mlir::LogicalResult addBody(mlir::Region &body, std::string &reason);
  /// The arguments of the function, and the operands of its return.
  llvm::ArrayRef<ValueId> getArguments() const { return arguments; }
  llvm::ArrayRef<ValueId> getResults() const { return results; }

  /// Adds the rule's target, which is equal to its source. The next `rebuild`
  /// merges uses that become equal. With `keep`, a firing that changes nothing
  /// is recorded, too.
  Applied apply(const rule::ProvedRule &rule, const rule::RuleMatch &match,
                bool keep = false);
  /// Merges e-nodes whose operands became equal, until there are none.
  void rebuild();
  /// Removes e-nodes that have one of their operands as a result: they compute
  /// nothing new.
  void removeSelfLoops();

  /// Returns the e-node that is equal to `op` (of any block) with these
  /// operands, or null if there is none.
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

  /// Returns the e-nodes, oldest first.
  llvm::iterator_range<mlir::Block::iterator> getNodes() const {
    return llvm::make_range(block->begin(), block->end());
  }
  mlir::Block &getBlock() const { return *block; }
  unsigned getNumNodes() const { return numNodes; }
  unsigned getNumClasses() const;
  /// Numbers the classes consecutively from 0. Valid until the next change.
  llvm::DenseMap<mlir::Value, unsigned> numberClasses() const;

  TermId getTerm(mlir::Operation *op) const { return termOf.lookup(op); }
  const Term &getTerm(TermId term) const { return terms[term]; }
  ValueId getId(mlir::Value value) const { return ids.lookup(value); }
  /// Returns the e-node of a term, or null if it was a self-loop.
  mlir::Operation *getNode(TermId term) const;
  llvm::ArrayRef<Firing> getFirings() const { return firings; }
  /// Returns the term of an op of the model, by its position.
  TermId getModelTerm(unsigned index) const { return modelTerms[index]; }
  unsigned getNumModelTerms() const { return modelTerms.size(); }
  bool isOfModel(mlir::Operation *op) const {
    return terms[getTerm(op)].firing < 0;
  }

  /// Returns the representatives of classes that changed since the last call.
  llvm::SmallVector<mlir::Value> takeChanged();

  /// The reason why two values are equal: either a firing, or that two terms
  /// apply the same op to equal operands.
  struct Reason {
    int firing = -1;
    TermId a = 0, b = 0;
  };
  /// Returns the reasons on the path from `a` to `b`, which are equal, each
  /// with a unique number.
  llvm::SmallVector<std::pair<ValueId, Reason>> explain(ValueId a,
                                                        ValueId b) const;

private:
  struct Class {
    mlir::Value value;
    /// An argument of the function, if the class contains one.
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

  /// Holds the block; it is never verified.
  mlir::OwningOpRef<mlir::ModuleOp> holder;
  mlir::Block *block;
  unsigned numNodes = 0;

  std::vector<Term> terms;
  std::vector<Firing> firings;
  std::vector<TermId> modelTerms;
  llvm::SmallVector<ValueId> arguments, results;

  /// Indexed by value: the union-find structure, and the forest of reasons.
  mutable std::vector<ValueId> parents;
  std::vector<ValueId> forest;
  std::vector<Reason> reasons;
  /// Indexed by value, but valid only for roots.
  std::vector<Class> classes;
  llvm::DenseMap<mlir::Value, ValueId> ids;
  llvm::DenseMap<mlir::Operation *, TermId> termOf;

  std::unique_ptr<NodeInfo> nodes;
  llvm::DenseMap<mlir::OperationName, llvm::SmallVector<mlir::Operation *>>
      byName;
  mutable llvm::DenseMap<mlir::Operation *, mlir::DictionaryAttr> attributes;
  /// Nodes that were removed because they return their own operand, detached.
  /// Other nodes with the same op and equal operands are still equal to them.
  /// Otherwise a replay, which removes no nodes, would know more equalities
  /// than the search did.
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
