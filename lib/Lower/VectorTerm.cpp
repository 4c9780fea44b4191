//===- VectorTerm.cpp - vectors of neighbouring terms of reductions -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VectorTerm.h"
#include "Guards.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

namespace {
/// Variables that represent groups of results have numbers above all others.
constexpr unsigned kFirstGroupVar = 1u << 30;
/// The maximum number of elements of a group that are emitted one by one.
constexpr int64_t kMostMembers = 16;
} // namespace

Value tenon::lower::emitSplat(OpBuilder &b, Location loc, Value element,
                              VectorType type) {
  Value zero = LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  Value single = LLVM::InsertElementOp::create(
      b, loc, LLVM::PoisonOp::create(b, loc, type), element, zero);
  SmallVector<int32_t> mask(type.getNumElements(), 0);
  return LLVM::ShuffleVectorOp::create(b, loc, single, single, mask);
}

VectorType VectorTerm::type() const {
  return VectorType::get({lanes}, elementType);
}

bool VectorTerm::analyze() {
  if (!analyzeNode(reduce->operands.back()))
    return false;
  return llvm::any_of(accesses, [](const auto &entry) {
    return entry.second.kind == VectorAccess::Vector;
  });
}

bool VectorTerm::hasSplat() const {
  return llvm::any_of(accesses, [](const auto &entry) {
    return entry.second.kind == VectorAccess::Splat &&
           entry.second.groupSize == 1;
  });
}

bool VectorTerm::analyzeNode(const Expr &node) {
  if (node->type != elementType)
    return false;
  switch (node.getKind()) {
  case ExprKind::Load:
    return accesses.contains(node.getPointer()) || analyzeLoad(node);
  case ExprKind::Constant:
    return true;
  case ExprKind::Apply:
    // What bounds an operand (a relu or clip before a product) stays in lanes.
    return llvm::is_contained({ScalarFn::Add, ScalarFn::Sub, ScalarFn::Mul,
                               ScalarFn::Max, ScalarFn::Min},
                              node->fn) &&
           analyzeNode(node->operands[0]) && analyzeNode(node->operands[1]);
  default:
    return false;
  }
}

/// Returns the affine form of the index. If the index contains the group of a
/// result (lane floordiv size), a new variable represents the group.
std::optional<AffineForm> VectorTerm::affineForm(const Expr &index,
                                                 VectorAccess &access) {
  Expr replaced = rewrite(index, [&](Expr node) -> Expr {
    if (node.getKind() != ExprKind::IndexFloorDiv ||
        node->operands[0].getKind() != ExprKind::Var ||
        node->operands[0]->var != lane ||
        node->operands[1].getKind() != ExprKind::Size)
      return {};
    std::optional<int64_t> size = node->operands[1]->size.getConstant();
    if (!size || *size < 2 ||
        (access.groupSize != 1 && access.groupSize != *size))
      return {};
    access.groupSize = *size;
    auto *known = llvm::find_if(
        groups, [&](const auto &group) { return group.second == *size; });
    if (known == groups.end()) {
      groups.emplace_back(kFirstGroupVar + groups.size(), *size);
      known = &groups.back();
    }
    access.groupVar = known->first;
    return Expr::var(access.groupVar);
  });
  return getAffineForm(replaced);
}

bool VectorTerm::analyzeLoad(const Expr &load) {
  VectorAccess access;
  std::optional<AffineForm> form = affineForm(load->operands[0], access);
  if (!form)
    return false;
  access.form = std::move(*form);
  SymInt step = access.form.coefficient(lane);
  bool isGrouped = access.groupSize != 1;
  if (step == SymInt(1) && (!isGrouped || access.groupSize % lanes == 0)) {
    access.kind = VectorAccess::Vector;
  } else if (step != SymInt(0)) {
    return false;
  } else if (isGrouped && access.groupSize % lanes != 0) {
    if (lanes % access.groupSize != 0)
      return false;
    access.kind = VectorAccess::Groups;
    // If the groups are contiguous and a variable traverses each, all their
    // elements come from one load.
    if (access.form.coefficient(access.groupVar) == SymInt(access.groupSize) &&
        access.groupSize <= kMostMembers)
      for (auto [number, var] : llvm::enumerate(reduce->vars)) {
        const Expr &extent = reduce->operands[number];
        if (access.form.coefficient(var) != SymInt(1) ||
            extent.getKind() != ExprKind::Size ||
            extent->size.getConstant() != access.groupSize)
          continue;
        access.kind = VectorAccess::Shuffled;
        access.memberVar = var;
        if (!llvm::is_contained(members, var))
          members.push_back(var);
        break;
      }
  }
  accesses[load.getPointer()] = std::move(access);
  return true;
}

void VectorTerm::setLane(ExprEmitter &at, Value first) const {
  at.setVar(lane, first);
  for (const auto &[var, size] : groups) {
    Value divisor = arith::ConstantIndexOp::create(at.builder, at.loc, size);
    at.setVar(var, arith::DivUIOp::create(at.builder, at.loc, first, divisor));
  }
}

Value VectorTerm::emit(ExprEmitter &at,
                       const llvm::DenseMap<unsigned, int64_t> &constants) {
  return emitNode(at, reduce->operands.back(), constants);
}

Value VectorTerm::emitNode(ExprEmitter &at, const Expr &node,
                           const llvm::DenseMap<unsigned, int64_t> &constants) {
  switch (node.getKind()) {
  case ExprKind::Load:
    return emitLoad(at, node, constants);
  case ExprKind::Constant:
    return emitSplat(at.builder, at.loc, at.emitElement(node), type());
  default:
    return at.emitFloatApply(node->fn,
                             {emitNode(at, node->operands[0], constants),
                              emitNode(at, node->operands[1], constants)});
  }
}

Value VectorTerm::emitLoad(ExprEmitter &at, const Expr &load,
                           const llvm::DenseMap<unsigned, int64_t> &constants) {
  OpBuilder &b = at.builder;
  const VectorAccess &access = accesses.find(load.getPointer())->second;
  // Constants are added last, so that LLVM recognizes what neighbours share.
  AffineForm form = access.form;
  SymInt fixed = form.constant;
  form.constant = 0;
  int64_t member = 0;
  for (const auto &[var, value] : constants) {
    if (access.kind == VectorAccess::Shuffled && var == access.memberVar)
      member = value;
    else
      fixed = fixed + access.form.coefficient(var) * SymInt(value);
    if (llvm::is_contained(reduce->vars, var))
      form.coefficients.erase(var);
  }
  Value start = arith::AddIOp::create(b, at.loc, at.emitIndex(toExpr(form)),
                                      at.emitSize(fixed));
  auto element = [&](Type type, int64_t further) -> Value {
    Value position =
        at.emitSize(access.form.coefficient(access.groupVar) * SymInt(further));
    return at.loadAs(load->operand,
                     arith::AddIOp::create(b, at.loc, start, position), type,
                     elementType);
  };
  SmallVector<int32_t> mask;
  switch (access.kind) {
  case VectorAccess::Splat:
    return emitSplat(b, at.loc, element(elementType, 0), type());
  case VectorAccess::Vector:
    return element(type(), 0);
  case VectorAccess::Shuffled: {
    for (int64_t i = 0; i < lanes; ++i)
      mask.push_back(i / access.groupSize * access.groupSize + member);
    Value whole = element(type(), 0);
    return LLVM::ShuffleVectorOp::create(b, at.loc, whole, whole, mask);
  }
  case VectorAccess::Groups: {
    Value joined = LLVM::PoisonOp::create(b, at.loc, type());
    for (int64_t i = 0; i < lanes / access.groupSize; ++i)
      joined = LLVM::InsertElementOp::create(
          b, at.loc, joined, element(elementType, i),
          LLVM::ConstantOp::create(b, at.loc, b.getI32IntegerAttr(i)));
    for (int64_t i = 0; i < lanes; ++i)
      mask.push_back(i / access.groupSize);
    return LLVM::ShuffleVectorOp::create(b, at.loc, joined, joined, mask);
  }
  }
  llvm_unreachable("unknown kind of access");
}
