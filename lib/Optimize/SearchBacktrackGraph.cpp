//===- SearchBacktrackGraph.cpp - graphs of the backtracking search -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SearchBacktrackGraph.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::optimize;
using namespace tenon::optimize::backtrack;

Node &Graph::addNode(Operation *op, OpRef origin, unsigned kind) {
  Node &node = nodes.emplace_back();
  node.op = op;
  node.origin = origin;
  node.kind = kind;
  for (Value operand : op->getOperands())
    node.operands.push_back(ids.lookup(operand));
  node.firstResult = givers.size();
  for (Value result : op->getResults()) {
    ids[result] = givers.size();
    givers.push_back(nodes.size() - 1);
  }
  return node;
}

static void addArguments(Graph &graph) {
  for (Value argument : graph.getBlock().getArguments()) {
    graph.ids[argument] = graph.givers.size();
    graph.givers.push_back(-1);
  }
  graph.numArguments = graph.givers.size();
}

std::shared_ptr<Graph> backtrack::makeGraph(func::FuncOp function,
                                            KindTable &kinds) {
  auto graph = std::make_shared<Graph>();
  graph->function = function.clone();
  addArguments(*graph);
  unsigned index = 0;
  for (Operation &op : graph->getBlock().without_terminator())
    graph->addNode(&op, {-1, index++}, kinds.intern(&op));
  for (Value value : graph->getBlock().getTerminator()->getOperands())
    graph->results.push_back(graph->ids.lookup(value));
  return graph;
}

//===----------------------------------------------------------------------===//
// Rewrites
//===----------------------------------------------------------------------===//

Rewrite::Rewrite(Graph &graph, KindTable &kinds, rule::RuleOp rule,
                 const rule::RuleMatch &match)
    : graph(graph), nodesBefore(graph.nodes.size()),
      valuesBefore(graph.givers.size()) {
  OpBuilder builder(rule.getContext());
  builder.setInsertionPointToEnd(&built);
  std::string reason;
  FailureOr<SmallVector<Value>> values = rule::instantiate(
      builder, UnknownLoc::get(rule.getContext()), rule.getTarget(),
      match.operands, match.symbols, match.lifted, match.batch, reason);
  if (failed(values))
    return;
  for (auto [value, result] : llvm::zip(*values, match.results)) {
    if (!graph::areCompatible(value.getType(), result.getType()))
      return;
    // The types that the model states may contain more information than
    // inferred types.
    Operation *giver = value.getDefiningOp();
    if (giver && giver->getBlock() == &built)
      value.setType(result.getType());
  }
  int number = graph.last ? graph.last->number + 1 : 0;
  for (auto [index, op] : llvm::enumerate(built))
    graph.addNode(&op, {number, static_cast<unsigned>(index)},
                  kinds.intern(&op));
  for (auto [value, result] : llvm::zip(*values, match.results))
    replaced.push_back({graph.ids.lookup(result), graph.ids.lookup(value)});
  valid = true;
}

Rewrite::~Rewrite() {
  for (Operation &op : built)
    for (Value result : op.getResults())
      graph.ids.erase(result);
  graph.nodes.resize(nodesBefore);
  graph.givers.resize(valuesBefore);
  for (Operation &op : built)
    op.dropAllReferences();
}

//===----------------------------------------------------------------------===//
// Outlines
//===----------------------------------------------------------------------===//

/// The finalizer of splitmix64, which is the same on all platforms, unlike
/// LLVM's hashes.
static uint64_t mix(uint64_t hash, uint64_t next) {
  uint64_t x = hash * 0x9e3779b97f4a7c15u + next + 0x632be59bd9b4e019u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Computes the hash of the node, or replaces the node by an equal one.
void Outliner::finish(const Graph &graph, unsigned number, Outline &outline) {
  const Node &node = graph.nodes[number];
  uint64_t hash = mix(1, node.kind);
  for (unsigned operand : node.operands)
    hash = mix(hash, hashes[outline.values[current[operand]]]);
  // DenseMap reserves the two largest keys.
  auto [it, fresh] = known.try_emplace(hash >> 2, node.firstResult);
  unsigned results = node.op->getNumResults();
  for (unsigned i = 0; i < results; ++i) {
    outline.values[node.firstResult + i] = it->second + i;
    if (fresh)
      hashes[node.firstResult + i] = mix(hash, i);
  }
  if (fresh)
    outline.order.push_back(number);
}

bool Outliner::visit(const Graph &graph, unsigned root, Outline &outline) {
  enum : uint8_t { New, Open, Done };
  if (states[root] == Done)
    return true;
  states[root] = Open;
  stack.assign(1, {root, 0});
  while (!stack.empty()) {
    auto &[number, next] = stack.back();
    const Node &node = graph.nodes[number];
    if (next == node.operands.size()) {
      finish(graph, number, outline);
      states[number] = Done;
      stack.pop_back();
      continue;
    }
    int giver = graph.givers[current[node.operands[next++]]];
    if (giver < 0 || states[giver] == Done)
      continue;
    if (states[giver] == Open)
      return false;
    states[giver] = Open;
    stack.push_back({static_cast<unsigned>(giver), 0});
  }
  return true;
}

bool Outliner::run(const Graph &graph,
                   ArrayRef<std::pair<unsigned, unsigned>> replaced,
                   Outline &outline) {
  size_t numValues = graph.givers.size();
  current.resize(numValues);
  for (size_t value = 0; value < numValues; ++value)
    current[value] = value;
  for (auto [from, to] : replaced)
    current[from] = to;
  // If a result of the source is also an operand, the target would read the
  // value that it replaces.
  for (auto [from, to] : replaced)
    if (current[to] != to)
      return false;
  outline.order.clear();
  outline.values.assign(numValues, 0);
  outline.results.clear();
  hashes.assign(numValues, 0);
  states.assign(graph.nodes.size(), 0);
  known.clear();
  for (unsigned argument = 0; argument < graph.numArguments; ++argument) {
    outline.values[argument] = argument;
    hashes[argument] = mix(2, argument);
  }
  outline.hash = 0;
  for (unsigned result : graph.results) {
    unsigned value = current[result];
    if (graph.givers[value] >= 0 && !visit(graph, graph.givers[value], outline))
      return false;
    outline.results.push_back(outline.values[value]);
    outline.hash = mix(outline.hash, hashes[outline.values[value]]);
  }
  // Map replaced values to their replacements.
  for (auto [from, to] : replaced)
    outline.values[from] = outline.values[to];
  return true;
}

std::shared_ptr<Graph>
backtrack::materialize(const Graph &graph, const Outline &outline,
                       std::shared_ptr<const Step> last) {
  auto made = std::make_shared<Graph>();
  func::FuncOp like = graph.function.get();
  made->function = cast<func::FuncOp>(like->cloneWithoutRegions());
  Block *block = made->function->addEntryBlock();
  made->last = std::move(last);
  addArguments(*made);
  // Indexed by value of `graph`.
  std::vector<Value> values(graph.givers.size());
  for (unsigned argument = 0; argument < graph.numArguments; ++argument)
    values[argument] = block->getArgument(argument);
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  for (unsigned number : outline.order) {
    const Node &node = graph.nodes[number];
    IRMapping mapping;
    for (auto [operand, value] :
         llvm::zip(node.op->getOperands(), node.operands))
      mapping.map(operand, values[outline.values[value]]);
    Operation *copy = builder.clone(*node.op, mapping);
    for (OpResult result : copy->getResults())
      values[node.firstResult + result.getResultNumber()] = result;
    made->addNode(copy, node.origin, node.kind);
  }
  SmallVector<Value> results;
  for (unsigned result : outline.results) {
    results.push_back(values[result]);
    made->results.push_back(made->ids.lookup(values[result]));
  }
  func::ReturnOp::create(builder, graph.getBlock().getTerminator()->getLoc(),
                         results);
  return made;
}
