//===- SearchBacktrackGraph.h - graphs of the backtracking search ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search looks at thousands of rewrites of each graph that it takes up, and
// keeps few. A rewrite is therefore tried on numbers: nodes and values of the
// graph, to which those of the rule's target are added and taken away again.
// Only a graph that is taken up becomes a function, in which rules are matched.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_OPTIMIZE_SEARCHBACKTRACKGRAPH_H
#define TENON_LIB_OPTIMIZE_SEARCHBACKTRACKGRAPH_H

#include "SearchBacktrackKinds.h"
#include "tenon/Optimize/RuleLog.h"

namespace tenon::optimize::backtrack {

/// A firing, and those before it.
struct Step {
  std::shared_ptr<const Step> before;
  /// Of the search's rules.
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
  /// Values: the function's arguments come first, then the results of nodes.
  llvm::SmallVector<unsigned, 4> operands;
  unsigned firstResult = 0;
};

/// What a graph computes, whatever the order of its ops.
struct Outline {
  /// Nodes that are needed, producers first. Of those that do the same, one.
  std::vector<unsigned> order;
  /// By value: the one that stands for it.
  std::vector<unsigned> values;
  llvm::SmallVector<unsigned> results;
  /// Of all that is computed: no pointer, location or order goes into it.
  uint64_t hash = 0;
};

struct Graph {
  mlir::OwningOpRef<mlir::func::FuncOp> function;
  std::shared_ptr<const Step> last;
  std::vector<Node> nodes;
  /// By value: the node that gives it, or -1 for an argument.
  std::vector<int> givers;
  llvm::DenseMap<mlir::Value, unsigned> ids;
  llvm::SmallVector<unsigned> results;
  unsigned numArguments = 0;

  mlir::Block &getBlock() const { return function.get().getBody().front(); }
  Node &addNode(mlir::Operation *op, OpRef origin, unsigned kind);
};

/// The graph of a function, as it stands.
std::shared_ptr<Graph> makeGraph(mlir::func::FuncOp function, KindTable &kinds);

/// A rule's target beside a graph, for as long as it lives.
class Rewrite {
public:
  Rewrite(Graph &graph, KindTable &kinds, rule::RuleOp rule,
          const rule::RuleMatch &match);
  ~Rewrite();
  Rewrite(const Rewrite &) = delete;

  /// Whether the target is valid at these sizes.
  bool isValid() const { return valid; }
  /// By result of the rule: the value that is replaced, and by what.
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

/// Finds out what a graph is once values are replaced. Keeps its memory from
/// call to call.
class Outliner {
public:
  /// False where a value would be computed from itself.
  bool run(const Graph &graph,
           llvm::ArrayRef<std::pair<unsigned, unsigned>> replaced,
           Outline &outline);

private:
  bool visit(const Graph &graph, unsigned node, Outline &outline);
  void finish(const Graph &graph, unsigned node, Outline &outline);

  std::vector<unsigned> current;
  std::vector<uint64_t> hashes;
  /// By node: not seen, on the way, done.
  std::vector<uint8_t> states;
  std::vector<std::pair<unsigned, unsigned>> stack;
  llvm::DenseMap<uint64_t, unsigned> known;
};

/// The graph of an outline, as a function of its own.
std::shared_ptr<Graph> materialize(const Graph &graph, const Outline &outline,
                                   std::shared_ptr<const Step> last);

} // namespace tenon::optimize::backtrack

#endif // TENON_LIB_OPTIMIZE_SEARCHBACKTRACKGRAPH_H
