//===- ExprEmitter.h - code for index-form expressions --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits arith, math and scf operations for an expression. Elements are computed
// in their "compute type": f16 and bf16 in f32, rounded after every function;
// unsigned integers in the signless type of their width; i1 as i1. In memory an
// i1 is a byte, and bf16 is an i16 pattern.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_LOWER_EXPREMITTER_H
#define TENON_LIB_LOWER_EXPREMITTER_H

#include "tenon/Dialect/Graph/IR/Graph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

#include <functional>

namespace tenon::lower {

class ExprEmitter;

/// What an expression's loads and symbols are in a kernel.
struct EmitContext {
  /// Where set, gives loads (with one index per axis) instead of `pointers`.
  std::function<mlir::Value(ExprEmitter &, const graph::Expr &)> loadElement;
  /// The data of load number n; null where the load is not in memory.
  llvm::SmallVector<mlir::Value> pointers;
  llvm::StringMap<mlir::Value> symbols; // of type index
  mlir::arith::FastMathFlags fastMath = mlir::arith::FastMathFlags::contract;
  /// Whether the result of every function of a 16-bit type is rounded to it, as
  /// its meaning says; else only what is stored or cast.
  bool roundsEach = true;
};

mlir::Type computeType(mlir::Type elementType);
/// The LLVM type of an element in memory.
mlir::Type memoryType(mlir::Type elementType);
/// Bytes of an element in memory.
int64_t byteWidth(mlir::Type elementType);

/// The neutral element of a reduction, in the compute type.
mlir::Value emitNeutral(mlir::OpBuilder &builder, mlir::Location loc,
                        graph::ReduceKind kind, mlir::Type elementType);

class ExprEmitter {
public:
  ExprEmitter(mlir::OpBuilder &builder, mlir::Location loc,
              const EmitContext &context)
      : builder(builder), loc(loc), context(context) {}

  void setVar(unsigned var, mlir::Value index) { vars[var] = index; }

  /// Says what a part of what is emitted is worth, so that it is not emitted.
  void setValue(const graph::Expr &part, mlir::Value value) {
    done[part.getPointer()] = {part, value};
  }

  /// Divides by `divisor`, a part of what is emitted, by multiplying.
  void setReciprocal(const graph::Expr &divisor, mlir::Value reciprocal) {
    reciprocals[divisor.getPointer()] = reciprocal;
  }

  mlir::Value emitIndex(graph::Expr expr);   // of type index
  mlir::Value emitElement(graph::Expr expr); // of the compute type
  mlir::Value emitBool(graph::Expr expr);    // i1
  mlir::Value emitSize(const graph::SymInt &size);

  /// The element where the condition holds, which guards its evaluation, else
  /// `otherwise`.
  mlir::Value emitGuarded(graph::Expr condition, graph::Expr element,
                          mlir::Value otherwise);

  /// Joins an element to a reduction's value.
  mlir::Value combine(graph::ReduceKind kind, mlir::Type elementType,
                      mlir::Value value, mlir::Value element);

  /// An element as memory holds it as a value to compute with, and back.
  mlir::Value fromMemory(mlir::Value raw, mlir::Type type);
  mlir::Value toMemory(mlir::Value value, mlir::Type type);
  /// Rounds an f32 to what f16 or bf16 can hold.
  mlir::Value roundTo(mlir::Value value, mlir::Type elementType);

  mlir::Value load(mlir::Value pointer, mlir::Value offset, mlir::Type type);
  void store(mlir::Value value, mlir::Value pointer, mlir::Value offset,
             mlir::Type type);
  /// A value or a vector from the memory of an operand whose elements are
  /// stored as they are computed with.
  mlir::Value loadAs(unsigned operand, mlir::Value offset, mlir::Type type,
                     mlir::Type elementType);
  /// Stores a vector of such elements.
  void storeVector(mlir::Value value, mlir::Value pointer, mlir::Value offset);

  /// A function of floats, not rounded; Add, Sub, Mul, Max and Min take
  /// vectors.
  mlir::Value emitFloatApply(graph::ScalarFn fn,
                             llvm::ArrayRef<mlir::Value> x) {
    return emitFloatApply(fn, x, context.fastMath);
  }

  /// The same emitter for a nested block: what it emits is forgotten outside.
  ExprEmitter nested() const { return *this; }

  mlir::OpBuilder &builder;
  mlir::Location loc;

private:
  mlir::Value emitJunction(graph::Expr expr);
  mlir::Value emitApply(graph::Expr expr);
  mlir::Value emitFloatApply(graph::ScalarFn fn, llvm::ArrayRef<mlir::Value> x,
                             mlir::arith::FastMathFlags flags);
  mlir::Value emitIntApply(graph::ScalarFn fn, llvm::ArrayRef<mlir::Value> x,
                           bool isUnsigned);
  mlir::Value emitIntPower(mlir::Value base, mlir::Value exponent,
                           bool isUnsigned);
  mlir::Value emitCast(mlir::Value value, mlir::Type from, mlir::Type to);
  mlir::Value emitSelect(graph::Expr expr);
  mlir::Value emitReduce(graph::Expr expr);
  mlir::Value emitConstant(graph::Expr expr);
  mlir::Value floatConstant(double value, mlir::Type type);
  mlir::Value intConstant(int64_t value, mlir::Type type);
  mlir::Value indexConstant(int64_t value);
  /// Rounds what a function gives, where its type asks for that.
  mlir::Value roundResult(mlir::Value value, mlir::Type elementType);

  const EmitContext &context;
  llvm::DenseMap<unsigned, mlir::Value> vars;
  llvm::DenseMap<const graph::ExprNode *, mlir::Value> reciprocals;
  /// What is emitted already. Holds the expressions, so that none is freed and
  /// another put at its address.
  llvm::DenseMap<const graph::ExprNode *, std::pair<graph::Expr, mlir::Value>>
      done;
};

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_EXPREMITTER_H
