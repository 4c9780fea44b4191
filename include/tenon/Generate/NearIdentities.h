//===- NearIdentities.h - false rules that hold at common numbers ---------===//
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

/// Random expressions of one element type over two operands, evaluated by the
/// interpreter: pairs of them that agree at small numbers (integers from -3 to
/// 3; floating-point numbers above 0) and differ elsewhere, such as at the ends
/// of the type. As rules, these are false.
class NearIdentities {
public:
  struct Pair {
    mlir::OwningOpRef<rule::RuleOp> rule;
    /// Whether the sides differ where all that is computed is a number. Else
    /// the target is none somewhere where the source is one: as a rule of the
    /// class rule::NeedsFinite, it holds.
    bool amongNumbers;
  };

  NearIdentities(mlir::MLIRContext *context, mlir::Type element, uint64_t seed,
                 unsigned expressions);

  size_t getNumPairs() const { return pairs.size(); }
  /// One of the pairs, either way round. Null where it is no valid rule: the
  /// target may use an operand that the source does not.
  Pair next(std::mt19937_64 &random);

private:
  struct Expression {
    mlir::Value value;
    interpret::Tensor results;
    unsigned ops = 0;
    bool uses[2] = {false, false};
    /// Where this and all that it is made of are numbers; empty: everywhere.
    std::vector<bool> isNumber;
    /// The results at small numbers.
    std::string fingerprint;
  };

  void addOperands();
  void addConstant(double number);
  void addRandom();
  const Expression &pick(llvm::function_ref<bool(const Expression &)> fits);
  /// Evaluates and keeps the result of an op on `operands`; else erases it.
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
  /// The places where both operands are small.
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
