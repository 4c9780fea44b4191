//===- ExprEmitter.cpp - code for index-form expressions ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprEmitter.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

Type tenon::lower::computeType(Type type) {
  if (type.isF16() || type.isBF16())
    return Float32Type::get(type.getContext());
  if (auto integer = dyn_cast<IntegerType>(type))
    return IntegerType::get(type.getContext(), integer.getWidth());
  return type;
}

Type tenon::lower::memoryType(Type type) {
  if (type.isBF16())
    return IntegerType::get(type.getContext(), 16);
  if (isBool(type))
    return IntegerType::get(type.getContext(), 8);
  if (auto integer = dyn_cast<IntegerType>(type))
    return IntegerType::get(type.getContext(), integer.getWidth());
  return type;
}

int64_t tenon::lower::byteWidth(Type type) {
  return (type.getIntOrFloatBitWidth() + 7) / 8;
}

Value ExprEmitter::indexConstant(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value ExprEmitter::floatConstant(double value, Type type) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getFloatAttr(type, value));
}

Value ExprEmitter::intConstant(int64_t value, Type type) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, value));
}

//===----------------------------------------------------------------------===//
// Index and Bool
//===----------------------------------------------------------------------===//

Value ExprEmitter::emitSize(const SymInt &size) {
  if (std::optional<int64_t> constant = size.getConstant())
    return indexConstant(*constant);
  Value sum;
  for (const auto &[monomial, coefficient] : size.getTerms()) {
    Value term;
    for (const SymInt::AtomRef &atom : monomial.atoms) {
      Value factor;
      if (atom->kind == SymInt::AtomKind::Symbol) {
        factor = context.symbols.lookup(atom->name);
        assert(factor && "symbol without a value");
      } else {
        Value a = emitSize(*atom->lhs), b = emitSize(*atom->rhs);
        if (atom->kind == SymInt::AtomKind::FloorDiv)
          factor = arith::FloorDivSIOp::create(builder, loc, a, b);
        else if (atom->kind == SymInt::AtomKind::Max)
          factor = arith::MaxSIOp::create(builder, loc, a, b);
        else
          factor = arith::MinSIOp::create(builder, loc, a, b);
      }
      term = term ? arith::MulIOp::create(builder, loc, term, factor) : factor;
    }
    if (!term)
      term = indexConstant(coefficient);
    else if (coefficient != 1)
      term =
          arith::MulIOp::create(builder, loc, term, indexConstant(coefficient));
    sum = sum ? arith::AddIOp::create(builder, loc, sum, term) : term;
  }
  return sum;
}

Value ExprEmitter::emitIndex(Expr expr) {
  if (Value value = done.lookup(expr.getPointer()).second)
    return value;
  auto binary = [&](auto create) -> Value {
    Value a = emitIndex(expr->operands[0]);
    Value b = emitIndex(expr->operands[1]);
    return create(a, b);
  };
  Value value;
  switch (expr.getKind()) {
  case ExprKind::Size:
    value = emitSize(expr->size);
    break;
  case ExprKind::Var:
    value = vars.lookup(expr->var);
    assert(value && "variable without a value");
    return value;
  case ExprKind::IndexAdd:
    value = binary([&](Value a, Value b) {
      return arith::AddIOp::create(builder, loc, a, b);
    });
    break;
  case ExprKind::IndexMul:
    value = binary([&](Value a, Value b) {
      return arith::MulIOp::create(builder, loc, a, b);
    });
    break;
  case ExprKind::IndexFloorDiv:
    value = binary([&](Value a, Value b) {
      return arith::FloorDivSIOp::create(builder, loc, a, b);
    });
    break;
  case ExprKind::IndexMod:
    // The remainder of floor division: a - b * floor(a / b).
    value = binary([&](Value a, Value b) -> Value {
      Value quotient = arith::FloorDivSIOp::create(builder, loc, a, b);
      Value product = arith::MulIOp::create(builder, loc, quotient, b);
      return arith::SubIOp::create(builder, loc, a, product);
    });
    break;
  case ExprKind::IndexMin:
    value = binary([&](Value a, Value b) {
      return arith::MinSIOp::create(builder, loc, a, b);
    });
    break;
  case ExprKind::IndexMax:
    value = binary([&](Value a, Value b) {
      return arith::MaxSIOp::create(builder, loc, a, b);
    });
    break;
  case ExprKind::IndexSelect: {
    Value condition = emitBool(expr->operands[0]);
    Value then = emitIndex(expr->operands[1]);
    Value otherwise = emitIndex(expr->operands[2]);
    value = arith::SelectOp::create(builder, loc, condition, then, otherwise);
    break;
  }
  case ExprKind::FromElement: {
    Expr element = expr->operands[0];
    Value number = emitElement(element);
    value = isUnsigned(element->type) || isBool(element->type)
                ? arith::IndexCastUIOp::create(builder, loc,
                                               builder.getIndexType(), number)
                      .getResult()
                : arith::IndexCastOp::create(builder, loc,
                                             builder.getIndexType(), number)
                      .getResult();
    break;
  }
  default:
    llvm_unreachable("not an index expression");
  }
  done[expr.getPointer()] = {expr, value};
  return value;
}

static bool mustStayGuarded(const Expr &expr);

/// The second of two conditions may be one on elements that exist only if the
/// first condition, on indices, holds (or, for an Or, does not hold).
Value ExprEmitter::emitJunction(Expr expr) {
  bool isAnd = expr.getKind() == ExprKind::And;
  const Expr &first = expr->operands[0], &second = expr->operands[1];
  Value a = emitBool(first);
  if (mustStayGuarded(first) || !mustStayGuarded(second)) {
    Value b = emitBool(second);
    return isAnd ? Value(arith::AndIOp::create(builder, loc, a, b))
                 : Value(arith::OrIOp::create(builder, loc, a, b));
  }
  auto branch = scf::IfOp::create(builder, loc, builder.getI1Type(), a,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  for (bool holds : {true, false}) {
    builder.setInsertionPointToEnd(holds ? branch.thenBlock()
                                         : branch.elseBlock());
    ExprEmitter inner = nested();
    Value value = holds == isAnd ? inner.emitBool(second)
                                 : intConstant(holds, builder.getI1Type());
    scf::YieldOp::create(builder, loc, value);
  }
  return branch.getResult(0);
}

Value ExprEmitter::emitBool(Expr expr) {
  if (Value value = done.lookup(expr.getPointer()).second)
    return value;
  auto compare = [&](arith::CmpIPredicate predicate) -> Value {
    Value a = emitIndex(expr->operands[0]);
    Value b = emitIndex(expr->operands[1]);
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  };
  Value value;
  switch (expr.getKind()) {
  case ExprKind::True:
    value = intConstant(1, builder.getI1Type());
    break;
  case ExprKind::IndexLess:
    value = compare(arith::CmpIPredicate::slt);
    break;
  case ExprKind::IndexLessEqual:
    value = compare(arith::CmpIPredicate::sle);
    break;
  case ExprKind::IndexEqual:
    value = compare(arith::CmpIPredicate::eq);
    break;
  case ExprKind::And:
  case ExprKind::Or:
    value = emitJunction(expr);
    break;
  case ExprKind::Not: {
    Value a = emitBool(expr->operands[0]);
    value = arith::XOrIOp::create(builder, loc, a,
                                  intConstant(1, builder.getI1Type()));
    break;
  }
  case ExprKind::FromBoolElement:
    value = emitElement(expr->operands[0]);
    break;
  default:
    llvm_unreachable("not a condition");
  }
  done[expr.getPointer()] = {expr, value};
  return value;
}

//===----------------------------------------------------------------------===//
// Element
//===----------------------------------------------------------------------===//

Value ExprEmitter::emitConstant(Expr expr) {
  Type type = computeType(expr->type);
  if (isa<FloatType>(type)) {
    // A constant of a half type is rounded to that type.
    bool inexact;
    llvm::APFloat number(expr->number);
    number.convert(cast<FloatType>(expr->type).getFloatSemantics(),
                   llvm::APFloat::rmNearestTiesToEven, &inexact);
    return floatConstant(number.convertToDouble(), type);
  }
  return intConstant(expr->integer, type);
}

Value ExprEmitter::emitElement(Expr expr) {
  if (Value value = done.lookup(expr.getPointer()).second)
    return value;
  Value value;
  switch (expr.getKind()) {
  case ExprKind::Load:
    assert(expr->operands.size() == 1 && "expected a linear offset");
    value = load(context.pointers[expr->operand], emitIndex(expr->operands[0]),
                 expr->type);
    break;
  case ExprKind::Constant:
    value = emitConstant(expr);
    break;
  case ExprKind::Apply:
    value = emitApply(expr);
    break;
  case ExprKind::Cast: {
    Expr source = expr->operands[0];
    value = emitCast(emitElement(source), source->type, expr->type);
    break;
  }
  case ExprKind::FromIndex: {
    Value index = emitIndex(expr->operands[0]);
    Value wide =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
    value = emitCast(wide, builder.getI64Type(), expr->type);
    break;
  }
  case ExprKind::Select:
    value = emitSelect(expr);
    break;
  case ExprKind::Reduce:
    value = emitReduce(expr);
    break;
  default:
    llvm_unreachable("not an element");
  }
  done[expr.getPointer()] = {expr, value};
  return value;
}

/// Returns true if evaluating the expression when it is not needed could read
/// outside of an operand, or would run a loop.
static bool mustStayGuarded(const Expr &expr) {
  bool found = false;
  walk(expr, [&](Expr node) {
    found |=
        node.getKind() == ExprKind::Load || node.getKind() == ExprKind::Reduce;
  });
  return found;
}

Value ExprEmitter::emitSelect(Expr expr) {
  Value condition = emitBool(expr->operands[0]);
  const Expr &then = expr->operands[1], &otherwise = expr->operands[2];
  // A condition on elements (graph.where) does not guard accesses: both sides
  // are always readable, and a plain select vectorizes.
  bool onElements = expr->operands[0].getKind() == ExprKind::FromBoolElement;
  if (onElements || (!mustStayGuarded(then) && !mustStayGuarded(otherwise))) {
    Value a = emitElement(then), b = emitElement(otherwise);
    return arith::SelectOp::create(builder, loc, condition, a, b);
  }
  auto branch = scf::IfOp::create(builder, loc, computeType(expr->type),
                                  condition, /*withElseRegion=*/true);
  auto fill = [&](Block *block, const Expr &side) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    ExprEmitter inner = nested();
    Value value = inner.emitElement(side);
    scf::YieldOp::create(builder, loc, value);
  };
  fill(branch.thenBlock(), then);
  fill(branch.elseBlock(), otherwise);
  return branch.getResult(0);
}

Value ExprEmitter::emitGuarded(Expr condition, Expr element, Value otherwise) {
  if (condition.getKind() == ExprKind::True)
    return emitElement(element);
  auto branch =
      scf::IfOp::create(builder, loc, otherwise.getType(), emitBool(condition),
                        /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(branch.thenBlock());
  ExprEmitter inner = nested();
  Value value = inner.emitElement(element);
  scf::YieldOp::create(builder, loc, value);
  builder.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(builder, loc, otherwise);
  return branch.getResult(0);
}

Value tenon::lower::emitNeutral(OpBuilder &builder, Location loc,
                                ReduceKind kind, Type elementType) {
  Type type = computeType(elementType);
  if (auto floating = dyn_cast<FloatType>(type)) {
    double value = kind == ReduceKind::Sum    ? 0.0
                   : kind == ReduceKind::Prod ? 1.0
                   : kind == ReduceKind::Max
                       ? -std::numeric_limits<double>::infinity()
                       : std::numeric_limits<double>::infinity();
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(floating, value));
  }
  unsigned width = type.getIntOrFloatBitWidth();
  bool unsignedType = isUnsigned(elementType) || isBool(elementType);
  llvm::APInt value(width, 0);
  switch (kind) {
  case ReduceKind::Sum:
    break;
  case ReduceKind::Prod:
    value = llvm::APInt(width, 1);
    break;
  case ReduceKind::Max:
    value = unsignedType ? llvm::APInt::getMinValue(width)
                         : llvm::APInt::getSignedMinValue(width);
    break;
  case ReduceKind::Min:
    value = unsignedType ? llvm::APInt::getMaxValue(width)
                         : llvm::APInt::getSignedMaxValue(width);
    break;
  }
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(type, value));
}

Value ExprEmitter::combine(ReduceKind kind, Type elementType, Value value,
                           Value element) {
  ScalarFn fn = kind == ReduceKind::Sum    ? ScalarFn::Add
                : kind == ReduceKind::Prod ? ScalarFn::Mul
                : kind == ReduceKind::Max  ? ScalarFn::Max
                                           : ScalarFn::Min;
  if (fn == ScalarFn::Add && isa<FloatType>(elementType))
    return roundResult(
        arith::AddFOp::create(builder, loc, value, element, context.fastMath),
        elementType);
  if (isa<FloatType>(elementType))
    return roundResult(emitFloatApply(fn, {value, element}, context.fastMath),
                       elementType);
  return emitIntApply(fn, {value, element},
                      isUnsigned(elementType) || isBool(elementType));
}

Value ExprEmitter::emitReduce(Expr expr) {
  Value neutral = emitNeutral(builder, loc, expr->reduce, expr->type);
  // Emit one loop per variable, and carry the accumulator through all of them.
  std::function<Value(ExprEmitter &, unsigned, Value)> nest =
      [&](ExprEmitter &outer, unsigned depth, Value carried) -> Value {
    if (depth == expr->vars.size()) {
      const Expr &guard = expr->operands[depth];
      const Expr &body = expr->operands[depth + 1];
      if (guard.getKind() == ExprKind::True)
        return outer.combine(expr->reduce, expr->type, carried,
                             outer.emitElement(body));
      Value condition = outer.emitBool(guard);
      auto branch = scf::IfOp::create(builder, loc, carried.getType(),
                                      condition, /*withElseRegion=*/true);
      OpBuilder::InsertionGuard restore(builder);
      builder.setInsertionPointToEnd(branch.thenBlock());
      ExprEmitter inner = outer.nested();
      Value joined = inner.combine(expr->reduce, expr->type, carried,
                                   inner.emitElement(body));
      scf::YieldOp::create(builder, loc, joined);
      builder.setInsertionPointToEnd(branch.elseBlock());
      scf::YieldOp::create(builder, loc, carried);
      return branch.getResult(0);
    }
    Value extent = outer.emitIndex(expr->operands[depth]);
    auto loop = scf::ForOp::create(builder, loc, indexConstant(0), extent,
                                   indexConstant(1), ValueRange{carried});
    OpBuilder::InsertionGuard restore(builder);
    builder.setInsertionPointToStart(loop.getBody());
    ExprEmitter inner = outer.nested();
    inner.setVar(expr->vars[depth], loop.getInductionVar());
    Value joined = nest(inner, depth + 1, loop.getRegionIterArgs()[0]);
    scf::YieldOp::create(builder, loc, joined);
    return loop.getResult(0);
  };
  return nest(*this, 0, neutral);
}
