//===- IndexForm.h - results as expressions over a symbolic index ---------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An index form defines the meaning of an op: the element of its result at
// index (i0, ..., ir-1), as an expression over loads of operands at index
// expressions, arithmetic, selects under conditions, and reductions over boxes.
// (Compare TensorRight, POPL 2025, and EinNet, OSDI 2023; here the same form is
// used for evaluation, proofs and code generation.)
//
// Expressions are immutable and shared, and have one of three sorts:
//   Index    integers that address elements; exact
//   Element  numbers of an MLIR element type; in proofs, reals
//   Bool     conditions on indices and elements
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_IR_INDEXFORM_H
#define TENON_DIALECT_GRAPH_IR_INDEXFORM_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Types.h"
#include "tenon/Dialect/Graph/IR/ScalarFn.h"
#include "tenon/Dialect/Graph/IR/SymInt.h"
#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <variant>

namespace tenon::graph {

enum class ReduceKind { Sum, Prod, Max, Min };

enum class ExprKind {
  // Index.
  Size, // a SymInt
  Var,  // an iteration variable: number `var`
  IndexAdd,
  IndexMul,
  IndexFloorDiv,
  IndexMod,
  IndexMin,
  IndexMax,
  IndexSelect, // operands: condition, then, otherwise
  FromElement, // an integer element used as an index
  // Element.
  Load,      // operand number `operand` at the index expressions
  Constant,  // `number` (floating-point types) or `integer`
  Apply,     // `fn` of the operands
  Cast,      // converts to `type`: float to int truncates and saturates
  FromIndex, // an index as an element of `type`
  Select,    // operands: condition, then, otherwise
  Reduce,    // `reduce` over `vars` in boxes, under a guard
  // Bool.
  True,
  IndexLess,
  IndexLessEqual,
  IndexEqual,
  And,
  Or,
  Not,
  FromBoolElement // an i1 element as a condition
};

enum class ExprSort { Index, Element, Bool };

struct ExprNode;

/// A shared, immutable expression.
class Expr {
public:
  Expr() = default;
  explicit Expr(std::shared_ptr<const ExprNode> node) : node(std::move(node)) {}

  explicit operator bool() const { return node != nullptr; }
  const ExprNode &operator*() const { return *node; }
  const ExprNode *operator->() const { return node.get(); }
  ExprKind getKind() const;
  ExprSort getSort() const;
  /// The identity of the node, for memoization: equal pointers are equal
  /// expressions.
  const ExprNode *getPointer() const { return node.get(); }

  // Index.
  static Expr size(const SymInt &value);
  static Expr index(int64_t value) { return size(SymInt(value)); }
  static Expr var(unsigned number);
  /// Folds constants and neutral elements.
  static Expr addIndex(Expr a, Expr b);
  static Expr subIndex(Expr a, Expr b);
  static Expr mulIndex(Expr a, Expr b);
  static Expr floorDivIndex(Expr a, Expr b);
  static Expr modIndex(Expr a, Expr b);
  static Expr minIndex(Expr a, Expr b);
  static Expr maxIndex(Expr a, Expr b);
  static Expr selectIndex(Expr condition, Expr then, Expr otherwise);
  static Expr fromElement(Expr element);

  // Element.
  static Expr load(unsigned operand, llvm::ArrayRef<Expr> indices,
                   mlir::Type type);
  /// A constant of a floating-point or integer `type`.
  static Expr constant(double value, mlir::Type type);
  static Expr constantInt(int64_t value, mlir::Type type);
  /// The result has the type of the first operand, or i1.
  static Expr apply(ScalarFn fn, llvm::ArrayRef<Expr> operands);
  static Expr cast(Expr element, mlir::Type type);
  static Expr fromIndex(Expr index, mlir::Type type);
  static Expr select(Expr condition, Expr then, Expr otherwise);
  static Expr reduce(ReduceKind kind, llvm::ArrayRef<unsigned> vars,
                     llvm::ArrayRef<Expr> extents, Expr guard, Expr body);

  // Bool.
  static Expr always();
  static Expr less(Expr a, Expr b);
  static Expr lessEqual(Expr a, Expr b);
  static Expr equal(Expr a, Expr b);
  static Expr logicalAnd(Expr a, Expr b);
  static Expr logicalOr(Expr a, Expr b);
  static Expr logicalNot(Expr a);
  static Expr fromBool(Expr element);

  void print(llvm::raw_ostream &os) const;
  std::string str() const;

private:
  std::shared_ptr<const ExprNode> node;
};

struct ExprNode {
  ExprKind kind;
  /// For the sort Element: the element type.
  mlir::Type type;
  SymInt size;                 // Size
  unsigned var = 0;            // Var
  unsigned operand = 0;        // Load
  double number = 0;           // Constant of a floating-point type
  int64_t integer = 0;         // Constant of an integer type
  ScalarFn fn = ScalarFn::Neg; // Apply
  ReduceKind reduce = ReduceKind::Sum;
  /// For Reduce: the bound variables. The operands are the extent of each
  /// variable (its range is [0, extent)), then the guard, then the body. An
  /// extent may use outer variables and earlier variables of the list. Elements
  /// whose guard is false contribute the neutral element. The order of
  /// evaluation is lexicographic; the last variable is the fastest.
  llvm::SmallVector<unsigned, 4> vars;
  llvm::SmallVector<Expr, 4> operands;
};

inline ExprKind Expr::getKind() const { return node->kind; }

/// The meaning of one result of an op.
struct IndexForm {
  Shape shape;
  mlir::Type elementType;
  /// An expression over variables 0 .. shape.size() - 1, the index of the
  /// element. Bound variables are numbered from shape.size() on and are
  /// distinct.
  Expr body;
};

/// Rebuilds `expr` bottom-up. `replace` is called on each node first; if it
/// returns an expression, that replaces the node, whose operands are not
/// visited. Shared nodes are rebuilt once.
Expr rewrite(Expr expr, llvm::function_ref<Expr(Expr)> replace);

/// Replaces variables; those without an entry (null) are kept. Bound variables
/// of `expr` must not occur in the replacements: rename them first.
Expr substituteVars(Expr expr, llvm::ArrayRef<Expr> replacements);

/// Gives every bound variable of `expr` a fresh number from `next` on, and
/// advances `next`.
Expr renameBound(Expr expr, unsigned &next);

/// Returns the form of `consumer` with loads of its operand `operand` replaced
/// by `producer`. Operand k of `producer` becomes load number `operandMap[k]`;
/// all other loads of `consumer` keep their numbers.
IndexForm inlineProducer(const IndexForm &consumer, unsigned operand,
                         const IndexForm &producer,
                         llvm::ArrayRef<unsigned> operandMap);

/// Calls `visit` once for every distinct node, operands first.
void walk(Expr expr, llvm::function_ref<void(Expr)> visit);

/// Dense row-major data for reference functions of opaque ops. The element type
/// decides which one of `floats` and `integers` is used.
struct ReferenceTensor {
  mlir::Type elementType;
  llvm::SmallVector<int64_t> shape;
  std::vector<double> floats;
  std::vector<int64_t> integers;
};

} // namespace tenon::graph

#endif // TENON_DIALECT_GRAPH_IR_INDEXFORM_H
