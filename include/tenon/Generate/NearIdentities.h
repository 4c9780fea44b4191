//===- NearIdentities.h - false rules that hold for common numbers --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GENERATE_NEARIDENTITIES_H
#define TENON_GENERATE_NEARIDENTITIES_H

#include "tenon/Dialect/Rule/IR/Rule.h"
#include "tenon/Interpret/Tensor.h"

#include "mlir/IR/Block.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"

#include <random>
#include <string>

namespace tenon::generate {

/// Generates random expressions of one element type over two operands, and
/// evaluates them with the interpreter. Finds pairs of expressions that agree
/// for small numbers (integers from -3 to 3; floating-point numbers above 0)
/// and differ elsewhere, for example at the ends of the type's range. As rules,
/// these are false.
class NearIdentities {
public:
  struct Pair {
    mlir::OwningOpRef<rule::RuleOp> rule;
    /// Whether the sides differ for operands for which all computed values are
    /// numbers. Otherwise, they differ only where the source is a number and
    /// the target is not, so that the rule holds in the class
    /// rule::NeedsFinite.
    bool amongNumbers;
  };

  NearIdentities(mlir::MLIRContext *context, mlir::Type element, uint64_t seed,
                 unsigned expressions);

  size_t getNumPairs() const { return pairs.size(); }
  /// Returns one of the pairs, in either direction. Returns null if the pair is
  /// not a valid rule, because the target uses an operand that the source does
  /// not use.
  Pair next(std::mt19937_64 &random);

private:
  struct Expression {
    mlir::Value value;
    interpret::Tensor results;
    unsigned ops = 0;
    bool uses[2] = {false, false};
    /// For each operand pair, whether this and all its subexpressions are
    /// numbers. If empty, they always are.
    std::vector<bool> isNumber;
    /// The results for small numbers.
    std::string fingerprint;
  };

  void addOperands();
  void addConstant(double number);
  void addRandom();
  const Expression &pick(llvm::function_ref<bool(const Expression &)> fits);
  /// Evaluates an op on `operands` and keeps it, or erases it if it is not
  /// useful.
  void add(mlir::Operation *op, llvm::ArrayRef<const Expression *> operands);
  void findPairs();
  enum class Difference { None, Undefined, AmongNumbers };
  Difference differ(const Expression &source, const Expression &target) const;
  void build(mlir::Block &block, llvm::ArrayRef<mlir::Value> operands,
             const Expression &expression) const;

  mlir::Type element;
  std::mt19937_64 random;
  mlir::Block block;
  mlir::OpBuilder builder;
  graph::DimsAttr shape;
  /// The positions at which both operands are small.
  std::vector<size_t> small;
  std::vector<Expression> expressions;
  struct Places {
    size_t source, target;
    bool amongNumbers;
  };
  std::vector<Places> pairs;
};

} // namespace tenon::generate

#endif // TENON_GENERATE_NEARIDENTITIES_H
