//===- RuleRanks.cpp - ranks and roles of a TASO rule's inputs ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleRanks.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tenon::taso;

namespace {
/// Every supported op has results of the rank of its operands, so ranks belong
/// to classes of connected inputs and ops.
class RankInference {
public:
  RankInference(const Rule &rule, Location file) : rule(rule), file(file) {}

  FailureOr<RuleRanks> infer();

private:
  /// A class is represented by one of its members.
  struct Class {
    unsigned parent;
    unsigned rank = 0; // 0 if not fixed
    bool hasMatmul = false;
  };

  unsigned find(unsigned node);
  unsigned inputNode(unsigned number);
  unsigned node(const TasoValue &value, unsigned firstOp) {
    return value.isInput ? inputNode(value.number) : firstOp + value.number;
  }
  LogicalResult join(unsigned a, unsigned b, const Place &place);
  LogicalResult fix(unsigned node, unsigned rank, const Place &place);
  LogicalResult addSide(const Side &side, const char *name, unsigned firstOp);
  void assignRoles(const Side &side, RuleRanks &ranks);

  const Rule &rule;
  Location file;
  std::vector<Class> classes;
  std::map<unsigned, unsigned> inputNodes;
};
} // namespace

unsigned RankInference::find(unsigned node) {
  while (classes[node].parent != node)
    node = classes[node].parent;
  return node;
}

unsigned RankInference::inputNode(unsigned number) {
  auto [it, isNew] = inputNodes.try_emplace(number, classes.size());
  if (isNew)
    classes.push_back({static_cast<unsigned>(classes.size())});
  return it->second;
}

LogicalResult RankInference::fix(unsigned node, unsigned rank,
                                 const Place &place) {
  Class &group = classes[find(node)];
  if (group.rank && group.rank != rank)
    return place.emitError() << "expected operands of rank " << rank
                             << ", but other ops make it rank " << group.rank;
  group.rank = rank;
  return success();
}

LogicalResult RankInference::join(unsigned a, unsigned b, const Place &place) {
  a = find(a);
  b = find(b);
  if (a == b)
    return success();
  if (classes[a].rank && failed(fix(b, classes[a].rank, place)))
    return failure();
  classes[b].hasMatmul |= classes[a].hasMatmul;
  classes[a].parent = b;
  return success();
}

LogicalResult RankInference::addSide(const Side &side, const char *name,
                                     unsigned firstOp) {
  Place place{file, rule.number, name};
  for (auto [number, op] : llvm::enumerate(side)) {
    place.op = number;
    unsigned result = firstOp + number;
    for (const TasoValue &operand : op.operands)
      if (failed(join(node(operand, firstOp), result, place)))
        return failure();
    if (op.kind == OpKind::Conv && failed(fix(result, 4, place)))
      return failure();
    if (op.kind == OpKind::Concat && failed(fix(result, op.rank, place)))
      return failure();
    if (op.kind == OpKind::Matmul)
      classes[find(result)].hasMatmul = true;
  }
  return success();
}

/// Goes backwards, so that an input of concat(i1, i2) gets the role of the
/// result.
void RankInference::assignRoles(const Side &side, RuleRanks &ranks) {
  std::vector<Role> roles(side.size(), Role::None);
  auto assign = [&](const TasoValue &value, Role role) {
    Role &slot =
        value.isInput ? ranks.inputs[value.number].role : roles[value.number];
    if (slot == Role::None)
      slot = role;
  };
  for (size_t number = side.size(); number-- > 0;) {
    const TasoOp &op = side[number];
    if (op.kind == OpKind::Conv || op.kind == OpKind::Matmul) {
      bool conv = op.kind == OpKind::Conv;
      assign(op.operands[0], conv ? Role::Data : Role::Left);
      assign(op.operands[1], conv ? Role::Weight : Role::Right);
      continue;
    }
    for (const TasoValue &operand : op.operands)
      assign(operand, roles[number]);
  }
}

FailureOr<RuleRanks> RankInference::infer() {
  unsigned count = rule.source.size() + rule.target.size();
  for (unsigned i = 0; i < count; ++i)
    classes.push_back({i});
  unsigned firstTarget = rule.source.size();
  if (failed(addSide(rule.source, "source", 0)) ||
      failed(addSide(rule.target, "target", firstTarget)))
    return failure();
  for (const Output &output : rule.outputs)
    if (failed(join(node(output.source, 0), node(output.target, firstTarget),
                    Place{file, rule.number})))
      return failure();

  RuleRanks ranks;
  for (auto [number, inputNode] : inputNodes) {
    const Class &group = classes[find(inputNode)];
    ranks.inputs[number].rank = group.rank        ? group.rank
                                : group.hasMatmul ? 2
                                                  : 1;
    ranks.isFree &= !group.rank && !group.hasMatmul;
  }
  for (auto [number, input] : ranks.inputs)
    if (input.rank < 2 && classes[find(inputNodes[number])].hasMatmul)
      return Place{file, rule.number}.emitError()
             << "expected operands of matmul of rank 2 or more, but input i"
             << number << " has rank 1";
  assignRoles(rule.source, ranks);
  assignRoles(rule.target, ranks);
  return ranks;
}

FailureOr<RuleRanks> tenon::taso::inferRanks(const Rule &rule, Location file) {
  return RankInference(rule, file).infer();
}
