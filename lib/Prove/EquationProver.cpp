//===- EquationProver.cpp - proofs of equations ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EquationProver.h"
#include "SampleRule.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"
#include "tenon/Interpret/Interpreter.h"
#include "tenon/Prove/Prove.h"

#include <cmath>
#include <deque>

using namespace mlir;
using namespace tenon;
using namespace tenon::prove;
using interpret::Tensor;

/// The most elements of a value in a computation of constants.
static constexpr int64_t maxComputed = 1 << 20;

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static bool isConstant(Value value) {
  return isa_and_nonnull<graph::ConstantOp>(value.getDefiningOp());
}

/// Computes a cone of constants in the types of its values.
static FailureOr<Tensor> compute(const Cone &cone, Value root) {
  ScopedDiagnosticHandler quiet(root.getContext(),
                                [](Diagnostic &) { return success(); });
  interpret::Options options;
  options.domain.kind = interpret::Domain::Kind::F32;
  options.threads = 1;
  llvm::DenseMap<Value, Tensor> tensors;
  auto computeOp = [&](Operation *op) -> LogicalResult {
    SmallVector<Tensor> operands;
    for (Value operand : op->getOperands())
      operands.push_back(tensors.lookup(operand));
    for (Type type : op->getResultTypes()) {
      auto shaped = cast<RankedTensorType>(type);
      if (!shaped.hasStaticShape() || shaped.getNumElements() > maxComputed)
        return failure();
    }
    FailureOr<SmallVector<Tensor>> results =
        interpret::evaluateOp(op, operands, {}, options);
    if (failed(results))
      return failure();
    for (auto [result, tensor] : llvm::zip(op->getResults(), *results))
      tensors[result] = tensor;
    return success();
  };
  for (Value leaf : cone.leaves)
    if (failed(computeOp(leaf.getDefiningOp())))
      return failure();
  for (Operation *op : cone.ops)
    if (failed(computeOp(op)))
      return failure();
  return tensors.lookup(root);
}

/// Whether all elements are the same, bit by bit except for the payload of NaN.
static bool areSame(const Tensor &a, const Tensor &b) {
  if (!a || !b || a.getType() != b.getType())
    return false;
  bool isFloat = isa<FloatType>(a.getElementType());
  for (int64_t n = 0; n < a.getNumElements(); ++n) {
    interpret::Cell x = a.data()[n], y = b.data()[n];
    bool areNoNumbers = isFloat && std::isnan(x.number) && std::isnan(y.number);
    if (x.integer != y.integer && !areNoNumbers)
      return false;
  }
  return true;
}

/// Whether both sides are computed only from constants and give the same bits.
/// Reals would not do: a folded constant is rounded.
static bool areEqualConstants(const Equation &equation) {
  if (!equation.perm.empty() ||
      !llvm::all_of(equation.source.leaves, isConstant) ||
      !llvm::all_of(equation.target.leaves, isConstant))
    return false;
  FailureOr<Tensor> before = compute(equation.source, equation.before);
  FailureOr<Tensor> after = compute(equation.target, equation.after);
  return succeeded(before) && succeeded(after) && areSame(*before, *after);
}

//===----------------------------------------------------------------------===//
// EquationProver
//===----------------------------------------------------------------------===//

/// The names of the ops of a side that compute, in alphabetical order. The
/// others move elements.
static SmallVector<StringRef> getComputing(Region &side) {
  using namespace graph;
  SmallVector<StringRef> names;
  for (Operation &op : side.front().without_terminator())
    if (!isa<ConstantOp, TransposeOp, ReshapeOp, BroadcastOp, TileOp, SliceOp,
             ConcatOp, SplitOp, PadOp, ReverseOp, GatherOp>(op))
      names.push_back(op.getName().getStringRef());
  llvm::sort(names);
  return names;
}

static SmallVector<Type> getTypes(rule::RuleOp statement) {
  SmallVector<Type> types;
  statement->walk([&](Operation *op) {
    for (Type type : op->getResultTypes())
      types.push_back(cast<RankedTensorType>(type).getElementType());
  });
  return types;
}

/// What the proof assumes and the model does not say; empty if there is
/// nothing. The sizes of tensors are at least 0, and the statement's conditions
/// are checked by a run.
static std::string findAssumption(rule::RuleOp statement,
                                  ArrayRef<graph::SymInt> hypotheses) {
  std::deque<graph::SizeAssumption> facts;
  for (rule::ConditionAttr condition : statement.getConditionList())
    facts.emplace_back(condition.getLhs() - condition.getRhs());
  auto addSizes = [&](TypeRange types) {
    for (Type type : types)
      for (const graph::SymInt &size : graph::getShape(type))
        if (!size.isConstant())
          facts.emplace_back(size);
  };
  // Those of the target are what is to be shown.
  addSizes(statement.getArgumentTypes());
  statement.getSource().walk(
      [&](Operation *op) { addSizes(op->getResultTypes()); });
  for (const graph::SymInt &value : hypotheses)
    if (!graph::provablyAtLeast(value, graph::SymInt(0)))
      return "the proof assumes that " + value.str() + " is at least 0";
  return "";
}

EquationProof EquationProver::proveStatement(rule::RuleOp statement) {
  EquationProof proof;
  // Most guesses at what is equal are wrong at the first element.
  if (std::string difference = sampleDifference(statement);
      !difference.empty()) {
    proof.reason = difference;
    proof.isFalse = true;
    return proof;
  }
  ProveOptions options;
  options.rlimit = std::min(rlimit, budget);
  options.refute = false;
  if (options.rlimit == 0) {
    proof.reason = "the bound of the work for one model is reached";
    return proof;
  }
  rule::Certificate certificate = proveRule(statement, options);
  budget -= std::min(budget, certificate.rlimit);
  proof.isProved = certificate.status == rule::Status::Proved;
  proof.reason = certificate.reason;
  if (proof.isProved) {
    proof.reason = findAssumption(statement, certificate.hypotheses.get());
    proof.isProved = proof.reason.empty();
  }
  // 16-bit types are rounded after every op, so another division into ops
  // rounds differently.
  if (getComputing(statement.getSource()) ==
      getComputing(statement.getTarget()))
    proof.floatClass = certificate.floatClass;
  else
    proof.floatClass = certificate.getFloatClass(getTypes(statement));
  return proof;
}

EquationProof EquationProver::prove(const Equation &equation,
                                    ArrayRef<graph::SizeCondition> facts) {
  EquationProof proof;
  if (areEqualConstants(equation)) {
    proof.isProved = true;
    return proof;
  }
  OwningOpRef<rule::RuleOp> statement =
      makeStatement(equation, facts, proof.reason);
  if (!statement)
    return proof;
  std::string text;
  llvm::raw_string_ostream os(text);
  statement->print(os, rule::getHashedPrinting());
  auto found = known.find(text);
  if (found == known.end())
    found = known.try_emplace(text, proveStatement(*statement)).first;
  return found->second;
}

std::string EquationProver::refute(const Equation &equation,
                                   ArrayRef<graph::SizeCondition> facts) {
  std::string reason;
  OwningOpRef<rule::RuleOp> statement = makeStatement(equation, facts, reason);
  return statement ? sampleDifference(*statement) : "";
}
