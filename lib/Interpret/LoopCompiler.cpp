//===- LoopCompiler.cpp - compiling index forms to loop programs ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexMath.h"
#include "LoopEmitter.h"
#include "ReductionRewrite.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::interpret;
using namespace tenon::interpret::loops;

namespace {
class Compiler : LoopEmitter {
public:
  Compiler(const ConcreteForm &form, const Expr &body,
           ArrayRef<Tensor> operands, const Arithmetic &arithmetic)
      : LoopEmitter(form.shape), form(form), operands(operands),
        arithmetic(arithmetic), intervals(form.shape, body) {}

  Program run(const Expr &body) {
    Value value = toVector(element(body));
    program.result = value.reg;
    return std::move(program);
  }

private:
  //===--------------------------------------------------------------------===//
  // Properties of expressions
  //===--------------------------------------------------------------------===//

  /// Whether a load may address an element that does not exist.
  bool mayBeOutside(const Expr &load) {
    for (auto [index, size] :
         llvm::zip(load->operands, operands[load->operand].getShape()))
      if (!intervals.of(index).isInside(0, size - 1))
        return true;
    return false;
  }

  /// Whether the value depends on the condition under which it is computed.
  /// Such a value is not moved out of loops.
  bool needsMask(const Expr &expr) {
    auto it = masked.find(expr.getPointer());
    if (it != masked.end())
      return it->second;
    bool result = expr.getKind() == ExprKind::Load && mayBeOutside(expr);
    for (const Expr &operand : expr->operands)
      result = result || needsMask(operand);
    keep(expr);
    masked[expr.getPointer()] = result;
    return result;
  }

  /// Keeps expressions alive that are used as keys by address, so that no other
  /// expression gets the same address.
  void keep(const Expr &expr) { kept.push_back(expr); }

  bool isActive(int scope) const {
    for (int outer = current; outer >= 0; outer = program.scopes[outer].parent)
      if (outer == scope)
        return true;
    return false;
  }

  /// Computes `expr` with `build`, unless a previous result is still valid
  /// here.
  template <typename Fn> Value memoized(const Expr &expr, Fn build) {
    auto key =
        std::make_pair(expr.getPointer(), needsMask(expr) ? mask.reg : none);
    auto it = done.find(key);
    if (it != done.end() && isActive(it->second.scope))
      return it->second;
    Value value = build();
    done[key] = value;
    return value;
  }

  /// Calls `build` under the condition in addition to the current mask.
  template <typename Fn> Value under(Value condition, Fn build) {
    Value outer = mask;
    mask = conjunction(outer, condition);
    Value result = build();
    mask = outer;
    return result;
  }

  Value conjunction(Value a, Value b) {
    if (a.reg == none || b.reg == none)
      return a.reg == none ? b : a;
    return emit({Opcode::And}, {a, b});
  }

  //===--------------------------------------------------------------------===//
  // Indices
  //===--------------------------------------------------------------------===//

  Value linear(const NumericIndex &sum) {
    if (sum.terms.empty())
      return constantIndex(sum.constant);
    SmallVector<std::pair<Value, int64_t>> terms;
    for (const auto &[term, factor] : sum.terms)
      terms.push_back({indexTerm(term), factor});
    if (terms.size() == 1 && terms[0].second == 1 && sum.constant == 0)
      return terms[0].first;
    // Terms that are known in outer scopes are summed there.
    llvm::sort(terms, [&](const auto &a, const auto &b) {
      auto key = [&](Value value) {
        return std::make_pair(program.scopes[value.scope].depth, value.reg);
      };
      return key(a.first) < key(b.first);
    });
    Value partial;
    for (size_t begin = 0, end; begin < terms.size(); begin = end) {
      end = begin;
      int scope = terms[begin].first.scope;
      Linear table;
      table.constant = begin == 0 ? sum.constant : 0;
      bool isVector = partial.reg != none && partial.isVector;
      auto addTerm = [&](Value value, int64_t factor) {
        (value.isVector ? table.vectors : table.scalars)
            .push_back({value.reg, factor});
        isVector |= value.isVector;
      };
      if (partial.reg != none)
        addTerm(partial, 1);
      for (; end < terms.size() && terms[end].first.scope == scope; ++end)
        addTerm(terms[end].first, terms[end].second);
      Instruction instruction{Opcode::Linear};
      instruction.table = program.linears.size();
      program.linears.push_back(table);
      partial = emit(instruction, scope, isVector);
    }
    return partial;
  }

  Value index(const Expr &expr) {
    return memoized(expr, [&] { return linear(linearize(expr)); });
  }

  /// A term of a linear index.
  Value indexTerm(const Expr &expr) {
    switch (expr.getKind()) {
    case ExprKind::Var:
      return variable(expr->var);
    case ExprKind::IndexSelect:
      return memoized(expr, [&] {
        Value condition = boolean(expr->operands[0]);
        return emit({Opcode::Select}, {condition, index(expr->operands[1]),
                                       index(expr->operands[2])});
      });
    case ExprKind::FromElement:
      // An integer element is stored like an index.
      return element(expr->operands[0]);
    case ExprKind::IndexFloorDiv:
      return binaryIndex(Opcode::FloorDiv, expr);
    case ExprKind::IndexMod:
      return binaryIndex(Opcode::Mod, expr);
    case ExprKind::IndexMin:
      return binaryIndex(Opcode::Min, expr);
    case ExprKind::IndexMax:
      return binaryIndex(Opcode::Max, expr);
    case ExprKind::IndexMul:
      // A product of two variables.
      return memoized(expr, [&] {
        Instruction instruction{Opcode::Apply};
        instruction.fn = ScalarFn::Mul;
        instruction.kind = Kind::I64;
        return emit(instruction,
                    {index(expr->operands[0]), index(expr->operands[1])});
      });
    default:
      llvm_unreachable("not a term of an index");
    }
  }

  Value binaryIndex(Opcode opcode, const Expr &expr) {
    return memoized(expr, [&] {
      return emit({opcode},
                  {index(expr->operands[0]), index(expr->operands[1])});
    });
  }

  Value variable(unsigned var) {
    auto it = loopVars.find(var);
    if (it != loopVars.end())
      return it->second;
    assert(var < program.axes.size() && "a variable that nothing binds");
    Register &reg = program.axes[var];
    if (reg == none)
      reg = newRegister(true);
    return {reg, Program::batch, true};
  }

  //===--------------------------------------------------------------------===//
  // Conditions
  //===--------------------------------------------------------------------===//

  Value boolean(const Expr &expr) {
    switch (expr.getKind()) {
    case ExprKind::True:
      return constantIndex(1);
    case ExprKind::IndexLess:
      return binaryIndex(Opcode::Less, expr);
    case ExprKind::IndexLessEqual:
      return binaryIndex(Opcode::LessEqual, expr);
    case ExprKind::IndexEqual:
      return binaryIndex(Opcode::Equal, expr);
    case ExprKind::FromBoolElement:
      return element(expr->operands[0]);
    case ExprKind::Not:
      return memoized(expr, [&] {
        return emit({Opcode::Not}, {boolean(expr->operands[0])});
      });
    case ExprKind::And:
    case ExprKind::Or: {
      bool isAnd = expr.getKind() == ExprKind::And;
      return memoized(expr, [&] {
        Value first = boolean(expr->operands[0]);
        auto second = [&] { return boolean(expr->operands[1]); };
        if (!needsMask(expr->operands[1]))
          return emit({isAnd ? Opcode::And : Opcode::Or}, {first, second()});
        // The second operand is evaluated only if the first does not decide.
        Value open = isAnd ? first : emit({Opcode::Not}, {first});
        return emit({isAnd ? Opcode::And : Opcode::Or},
                    {first, under(open, second)});
      });
    }
    default:
      llvm_unreachable("not a condition");
    }
  }

  //===--------------------------------------------------------------------===//
  // Elements
  //===--------------------------------------------------------------------===//

  Value element(const Expr &expr) {
    return memoized(expr, [&] { return computeElement(expr); });
  }

  Value computeElement(const Expr &expr) {
    switch (expr.getKind()) {
    case ExprKind::Load:
      return mayBeOutside(expr) ? checkedLoad(expr) : load(expr);
    case ExprKind::Constant:
      return constant(
          arithmetic.constant(kindOf(expr->type), expr->number, expr->integer));
    case ExprKind::Apply: {
      Instruction instruction{Opcode::Apply};
      instruction.fn = expr->fn;
      instruction.kind = kindOf(expr->operands[0]->type);
      SmallVector<Value, 2> values;
      for (const Expr &operand : expr->operands)
        values.push_back(element(operand));
      return emit(instruction, values);
    }
    case ExprKind::Cast:
      return castTo(element(expr->operands[0]), kindOf(expr->operands[0]->type),
                    kindOf(expr->type));
    case ExprKind::FromIndex:
      return castTo(index(expr->operands[0]), Kind::I64, kindOf(expr->type));
    case ExprKind::Select: {
      Value condition = boolean(expr->operands[0]);
      auto branch = [&](unsigned number, bool holds) {
        const Expr &operand = expr->operands[number];
        if (!needsMask(operand))
          return element(operand);
        Value where = holds ? condition : emit({Opcode::Not}, {condition});
        return under(where, [&] { return element(operand); });
      };
      Value then = branch(1, true), otherwise = branch(2, false);
      return emit({Opcode::Select}, {condition, then, otherwise});
    }
    case ExprKind::Reduce:
      return reduce(expr);
    default:
      llvm_unreachable("not an element");
    }
  }

  Value castTo(Value value, Kind from, Kind to) {
    if (from == to ||
        (isFloatKind(from) && isFloatKind(to) && !arithmetic.rounds(to)))
      return value;
    Instruction instruction{Opcode::Cast};
    instruction.kind = from;
    instruction.toKind = to;
    return emit(instruction, {value});
  }

  Value load(const Expr &expr) {
    const Tensor &tensor = operands[expr->operand];
    NumericIndex offset;
    int64_t stride = 1;
    for (int64_t axis = tensor.getRank() - 1; axis >= 0; --axis) {
      offset.add(linearize(expr->operands[axis], &intervals), stride);
      stride *= tensor.getShape()[axis];
    }
    Load table;
    table.operand = expr->operand;
    NumericIndex scalars, vectors;
    scalars.constant = offset.constant;
    for (const auto &[term, factor] : offset.terms)
      (indexTerm(term).isVector ? vectors : scalars).add(term, factor);
    int scope = Program::once;
    if (!scalars.terms.empty() || scalars.constant != 0) {
      Value value = linear(scalars);
      table.scalar = value.reg;
      scope = deeper(scope, value.scope);
    }
    bool isVector = !vectors.terms.empty();
    if (isPosition(vectors)) {
      table.isIdentity = true;
      scope = deeper(scope, Program::batch);
    } else if (isVector) {
      Value value = linear(vectors);
      table.vector = value.reg;
      scope = deeper(scope, value.scope);
      if (value.scope == Program::batch && strided.insert(value.reg).second) {
        Instruction instruction{Opcode::Stride};
        instruction.a = value.reg;
        instruction.isVector = true;
        append(Program::batch, instruction);
      }
    }
    return emitLoad(table, scope, isVector);
  }

  Value emitLoad(const Load &table, int scope, bool isVector) {
    Instruction instruction{Opcode::Load};
    instruction.table = program.loads.size();
    program.loads.push_back(table);
    return emit(instruction, scope, isVector);
  }

  /// Whether the offset is the row-major position of the result's element.
  bool isPosition(const NumericIndex &offset) const {
    SmallVector<int64_t, 6> factors(form.shape.size(), 0);
    for (const auto &[term, factor] : offset.terms) {
      if (term.getKind() != ExprKind::Var || term->var >= factors.size())
        return false;
      factors[term->var] = factor;
    }
    int64_t stride = 1;
    for (int64_t axis = factors.size() - 1; axis >= 0; --axis) {
      if (form.shape[axis] != 1 && factors[axis] != stride)
        return false;
      stride *= form.shape[axis];
    }
    return !offset.terms.empty();
  }

  Value checkedLoad(const Expr &expr) {
    Load table;
    table.operand = expr->operand;
    table.mask = mask.reg;
    SmallVector<Value, 6> values;
    for (const Expr &operand : expr->operands)
      values.push_back(index(operand));
    bool isVector = (mask.reg != none && mask.isVector) ||
                    llvm::any_of(values, [](Value v) { return v.isVector; });
    for (Value value : values)
      table.indices.push_back((isVector ? toVector(value) : value).reg);
    if (isVector && mask.reg != none)
      table.mask = toVector(mask).reg;
    // Emit the load in the current scope, since the mask may not hold in an
    // outer one.
    return emitLoad(table, current, isVector);
  }

  //===--------------------------------------------------------------------===//
  // Reductions
  //===--------------------------------------------------------------------===//

  bool dependsOnElement(const Expr &expr) {
    SmallVector<unsigned> vars;
    collectVars(expr, vars);
    return llvm::any_of(vars, [&](unsigned var) {
      auto it = loopVars.find(var);
      return it == loopVars.end() || it->second.isVector;
    });
  }

  Value reduce(const Expr &expr) {
    unsigned count = expr->vars.size();
    Kind kind = kindOf(expr->type);
    bool isVector = dependsOnElement(expr);
    int home = Program::once;
    if (needsMask(expr) || count == 0) {
      home = current;
      isVector |= mask.reg != none && mask.isVector;
    }
    SmallVector<unsigned> vars;
    collectVars(expr, vars);
    for (unsigned var : vars)
      home = deeper(home, variable(var).scope);
    if (isVector)
      home = deeper(home, Program::batch);

    int outerScope = current;
    Value outerMask = mask;
    SmallVector<Loop, 4> nest;
    SmallVector<Expr> conditions;
    current = home;
    for (unsigned number = 0; number < count; ++number) {
      Value extent = index(expr->operands[number]);
      if (extent.isVector) {
        conditions.push_back(
            Expr::less(Expr::var(expr->vars[number]), expr->operands[number]));
        Instruction instruction{Opcode::Largest};
        instruction.a = extent.reg;
        extent = emit(instruction, extent.scope, false);
      }
      int scope = program.scopes.size();
      program.scopes.push_back(
          {current, program.scopes[current].depth + 1, {}});
      Value var{newRegister(false), scope, false};
      loopVars[expr->vars[number]] = var;
      nest.push_back({var.reg, extent.reg, scope});
      current = scope;
    }
    collectConjuncts(expr->operands[count], conditions);
    // A value that does not depend on its mask needs none, and may be in a
    // scope outside of the mask's.
    if (!needsMask(expr))
      mask = Value();
    Value guard = applyGuard(conditions, nest);
    mask = conjunction(mask, guard);
    Value body = element(expr->operands[count + 1]);

    Instruction accumulate{Opcode::Accumulate};
    accumulate.isVector = isVector;
    accumulate.kind = kind;
    accumulate.fn = combiner(expr->reduce, kind);
    accumulate.dst = newRegister(isVector);
    accumulate.a = (isVector ? toVector(body) : body).reg;
    if (guard.reg != none)
      accumulate.c = (isVector ? toVector(guard) : guard).reg;
    Instruction set{Opcode::Set};
    set.dst = accumulate.dst;
    set.isVector = isVector;
    set.cell = arithmetic.neutral(expr->reduce, kind);
    append(home, set);
    append(current, accumulate);
    for (const Loop &loop : llvm::reverse(nest)) {
      int parent = program.scopes[loop.scope].parent;
      program.scopes[parent].steps.push_back(
          {true, static_cast<uint32_t>(program.loops.size())});
      program.loops.push_back(loop);
    }
    current = outerScope;
    mask = outerMask;
    return {accumulate.dst, home, isVector};
  }

  /// Skips iterations that no lane needs, in the outermost scope where this is
  /// known. Returns the remaining condition to apply per lane, if any.
  Value applyGuard(ArrayRef<Expr> conditions, ArrayRef<Loop> nest) {
    Value guard;
    auto join = [&](Value value) {
      bool isInLoop = !nest.empty();
      if (isInLoop) {
        Instruction skip{Opcode::SkipUnless};
        skip.a = value.reg;
        skip.isVector = value.isVector;
        append(deeper(value.scope, nest.front().scope), skip);
      }
      if (value.isVector || !isInLoop)
        guard = conjunction(guard, value);
    };
    for (const Expr &condition : conditions)
      if (!needsMask(condition))
        join(boolean(condition));
    for (const Expr &condition : conditions) {
      if (!needsMask(condition))
        continue;
      Value outer = mask;
      mask = conjunction(mask, guard);
      Value value = boolean(condition);
      mask = outer;
      join(value);
    }
    return guard;
  }

  static void collectConjuncts(const Expr &condition,
                               SmallVectorImpl<Expr> &conjuncts) {
    if (condition.getKind() == ExprKind::True)
      return;
    if (condition.getKind() != ExprKind::And) {
      conjuncts.push_back(condition);
      return;
    }
    collectConjuncts(condition->operands[0], conjuncts);
    collectConjuncts(condition->operands[1], conjuncts);
  }

  const ConcreteForm &form;
  ArrayRef<Tensor> operands;
  const Arithmetic &arithmetic;
  Intervals intervals;
  int current = Program::batch;
  Value mask;
  llvm::DenseMap<std::pair<const ExprNode *, Register>, Value> done;
  llvm::DenseMap<const ExprNode *, bool> masked;
  llvm::DenseMap<unsigned, Value> loopVars;
  llvm::DenseSet<Register> strided;
  std::vector<Expr> kept;
};
} // namespace

Program loops::compile(const ConcreteForm &form, ArrayRef<Tensor> operands,
                       const Arithmetic &arithmetic) {
  Expr body = eliminateEqualities(form.body);
  return Compiler(form, body, operands, arithmetic).run(body);
}
