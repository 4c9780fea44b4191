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

namespace tenon::lower {

/// The values that the loads and symbols of an expression have in a kernel.
struct EmitContext {
  /// The data of load number n; null if the load is not from memory.
  llvm::SmallVector<mlir::Value> pointers;
  llvm::StringMap<mlir::Value> symbols; // of type index
  mlir::arith::FastMathFlags fastMath = mlir::arith::FastMathFlags::contract;
  /// Whether the result of every function of a 16-bit type is rounded to that
  /// type, as the op's semantics require. Otherwise, only values that are
  /// stored or cast are rounded.
  bool roundsEach = true;
};

mlir::Type computeType(mlir::Type elementType);
/// Returns the LLVM type of an element in memory.
mlir::Type memoryType(mlir::Type elementType);
/// Returns the number of bytes of an element in memory.
int64_t byteWidth(mlir::Type elementType);

/// Emits the neutral element of a reduction, in the compute type.
mlir::Value emitNeutral(mlir::OpBuilder &builder, mlir::Location loc,
                        graph::ReduceKind kind, mlir::Type elementType);

class ExprEmitter {
public:
  ExprEmitter(mlir::OpBuilder &builder, mlir::Location loc,
              const EmitContext &context)
      : builder(builder), loc(loc), context(context) {}

  void setVar(unsigned var, mlir::Value index) { vars[var] = index; }

  /// Sets the value of a subexpression, which is then not emitted again.
  void setValue(const graph::Expr &part, mlir::Value value) {
    done[part.getPointer()] = {part, value};
  }

  /// Makes divisions by `divisor`, a subexpression, multiply by `reciprocal`.
  void setReciprocal(const graph::Expr &divisor, mlir::Value reciprocal) {
    reciprocals[divisor.getPointer()] = reciprocal;
  }

  mlir::Value emitIndex(graph::Expr expr);   // of type index
  mlir::Value emitElement(graph::Expr expr); // of the compute type
  mlir::Value emitBool(graph::Expr expr);    // i1
  mlir::Value emitSize(const graph::SymInt &size);

  /// Emits the element if the condition holds, else `otherwise`. The condition
  /// guards the evaluation of the element.
  mlir::Value emitGuarded(graph::Expr condition, graph::Expr element,
                          mlir::Value otherwise);

  /// Combines an element with the value of a reduction.
  mlir::Value combine(graph::ReduceKind kind, mlir::Type elementType,
                      mlir::Value value, mlir::Value element);

  /// Converts an element from its form in memory to the compute type, and back.
  mlir::Value fromMemory(mlir::Value raw, mlir::Type type);
  mlir::Value toMemory(mlir::Value value, mlir::Type type);
  /// Rounds an f32 to a value of f16 or bf16.
  mlir::Value roundTo(mlir::Value value, mlir::Type elementType);

  mlir::Value load(mlir::Value pointer, mlir::Value offset, mlir::Type type);
  void store(mlir::Value value, mlir::Value pointer, mlir::Value offset,
             mlir::Type type);
  /// Loads a value or a vector of type `type` from an operand whose elements
  /// have the same form in memory and in computation.
  mlir::Value loadAs(unsigned operand, mlir::Value offset, mlir::Type type,
                     mlir::Type elementType);
  /// Stores a vector of such elements.
  void storeVector(mlir::Value value, mlir::Value pointer, mlir::Value offset);

  /// Emits a function of floats, without rounding the result. Add, Sub, Mul,
  /// Max and Min also accept vectors.
  mlir::Value emitFloatApply(graph::ScalarFn fn,
                             llvm::ArrayRef<mlir::Value> x) {
    return emitFloatApply(fn, x, context.fastMath);
  }

  /// Returns a copy of the emitter for a nested block: values that the copy
  /// emits are not known to this emitter.
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
  mlir::Value emitRandomBits(mlir::Value counter, mlir::Value key);
  mlir::Value emitCast(mlir::Value value, mlir::Type from, mlir::Type to);
  mlir::Value emitSelect(graph::Expr expr);
  mlir::Value emitReduce(graph::Expr expr);
  mlir::Value emitConstant(graph::Expr expr);
  mlir::Value floatConstant(double value, mlir::Type type);
  mlir::Value intConstant(int64_t value, mlir::Type type);
  mlir::Value indexConstant(int64_t value);
  /// Rounds the result of a function, if its type requires rounding.
  mlir::Value roundResult(mlir::Value value, mlir::Type elementType);

  const EmitContext &context;
  llvm::DenseMap<unsigned, mlir::Value> vars;
  llvm::DenseMap<const graph::ExprNode *, mlir::Value> reciprocals;
  /// The values that are emitted already. Holds the expressions, so that none
  /// is freed and its address reused.
  llvm::DenseMap<const graph::ExprNode *, std::pair<graph::Expr, mlir::Value>>
      done;
};

} // namespace tenon::lower

#endif // TENON_LIB_LOWER_EXPREMITTER_H
