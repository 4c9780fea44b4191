//===- SearchBacktrackGraph.h - graphs of the backtracking search ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search tries thousands of rewrites of each graph that it takes from the
// queue, and keeps few. A rewrite is therefore tried on numbers: the nodes and
// values of the rule's target are added to those of the graph, and removed
// again. Only a graph that is taken from the queue becomes a function, in which
// rules are matched.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_OPTIMIZE_SEARCHBACKTRACKGRAPH_H
#define TENON_LIB_OPTIMIZE_SEARCHBACKTRACKGRAPH_H

#include "SearchBacktrackKinds.h"
#include "tenon/Optimize/RuleLog.h"

namespace tenon::optimize::backtrack {

/// A firing, and the firings before it.
struct Step {
  std::shared_ptr<const Step> before;
  /// The number of the rule in the search.
  unsigned rule = 0;
  int number = 0;
  std::vector<OpRef> ops;
  rule::SymbolMap symbols;
  unsigned leadingAxes = 0;
};

struct Node {
  mlir::Operation *op = nullptr;
  OpRef origin;
  unsigned kind = 0;
  /// Numbers of values: the function's arguments come first, then the results
  /// of nodes.
  llvm::SmallVector<unsigned, 4> operands;
  unsigned firstResult = 0;
};

/// The computation of a graph, independent of the order of its ops.
struct Outline {
  /// The nodes that are needed, producers first. Equal nodes occur only once.
  std::vector<unsigned> order;
  /// For each value, the value that represents it.
  std::vector<unsigned> values;
  llvm::SmallVector<unsigned> results;
  /// The hash of the computation. It depends on no pointers, locations or
  /// order.
  uint64_t hash = 0;
};

struct Graph {
  mlir::OwningOpRef<mlir::func::FuncOp> function;
  std::shared_ptr<const Step> last;
  std::vector<Node> nodes;
  /// For each value, the node that provides it, or -1 for an argument.
  std::vector<int> givers;
  llvm::DenseMap<mlir::Value, unsigned> ids;
  llvm::SmallVector<unsigned> results;
  unsigned numArguments = 0;

  mlir::Block &getBlock() const { return function.get().getBody().front(); }
  Node &addNode(mlir::Operation *op, OpRef origin, unsigned kind);
};

/// Returns the graph of a function, without changes.
std::shared_ptr<Graph> makeGraph(mlir::func::FuncOp function, KindTable &kinds);

/// A rule's target that is added to a graph during the lifetime of this object.
class Rewrite {
public:
  Rewrite(Graph &graph, KindTable &kinds, rule::RuleOp rule,
          const rule::RuleMatch &match);
  ~Rewrite();
  Rewrite(const Rewrite &) = delete;

  /// Returns true if the target is valid for these sizes.
  bool isValid() const { return valid; }
  /// For each result of the rule, the replaced value and its replacement.
  llvm::ArrayRef<std::pair<unsigned, unsigned>> getReplaced() const {
    return replaced;
  }

private:
  Graph &graph;
  bool valid = false;
  size_t nodesBefore, valuesBefore;
  mlir::Block built;
  llvm::SmallVector<std::pair<unsigned, unsigned>> replaced;
};

/// Computes the outline of a graph after values are replaced. Reuses its memory
/// for all calls.
class Outliner {
public:
  /// Returns false if a value would be computed from itself.
  bool run(const Graph &graph,
           llvm::ArrayRef<std::pair<unsigned, unsigned>> replaced,
           Outline &outline);

private:
  bool visit(const Graph &graph, unsigned node, Outline &outline);
  void finish(const Graph &graph, unsigned node, Outline &outline);

  std::vector<unsigned> current;
  std::vector<uint64_t> hashes;
  /// For each node: not visited, in progress, or done.
  std::vector<uint8_t> states;
  std::vector<std::pair<unsigned, unsigned>> stack;
  llvm::DenseMap<uint64_t, unsigned> known;
};

/// Returns the graph of an outline, as a separate function.
std::shared_ptr<Graph> materialize(const Graph &graph, const Outline &outline,
                                   std::shared_ptr<const Step> last);

} // namespace tenon::optimize::backtrack

#endif // TENON_LIB_OPTIMIZE_SEARCHBACKTRACKGRAPH_H
