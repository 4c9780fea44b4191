//===- RulePlanter.h - sources of rules in random graphs ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GENERATE_RULEPLANTER_H
#define TENON_GENERATE_RULEPLANTER_H

#include "tenon/Generate/GraphGenerator.h"

#include "tenon/Dialect/Rule/Match/RuleMatch.h"

namespace tenon::generate {

/// Adds the source of one rule to a random graph, so that the rule can fire
/// there (tenon-fuzz). The rule's symbols get random small values that meet its
/// conditions. An operand is a value of the graph, chosen at random among those
/// of its type, or a new input or parameter; values that are used again make
/// the sources of several rules overlap. An operand with a condition on its
/// elements (zero, identity) is a new constant. If the certificate allows it,
/// the source may get leading batch axes (lifting, see docs/glossary.md) or
/// another element type than f32.
class RulePlanter {
public:
  /// Both arguments must outlive the planter.
  RulePlanter(GraphGenerator &generator, const rule::ProvedRule &rule)
      : generator(generator), certificate(rule.certificate), rule(rule.op) {}

  /// Adds the source at the insertion point of the generator, and its results
  /// to the generator's values. Returns false if a bounded number of draws
  /// finds no sizes, operands and valid ops; the graph then has no op of the
  /// source, but may have new operands. Call it once per planter.
  bool plant();

private:
  void chooseForm();
  mlir::Type elementOf(mlir::Type type) const;
  graph::Shape shapeOf(unsigned operand) const;
  bool bind(unsigned operand, mlir::Value value);
  bool chooseSymbols();
  bool holds() const;
  mlir::Value makeOperand(unsigned operand);
  mlir::Value makeStated(rule::ValueKind kind, const graph::Shape &shape,
                         mlir::Type element);
  void join(llvm::ArrayRef<mlir::Value> results);
  bool build();

  GraphGenerator &generator;
  const rule::Certificate &certificate;
  mutable rule::RuleOp rule; // accessors of ops are not const
  llvm::SmallVector<std::string> names;
  rule::SymbolMap symbols;
  /// The type that replaces the rule's f32.
  mlir::Type element;
  graph::Shape batch;
  llvm::SmallVector<bool> lifted;
  llvm::SmallVector<mlir::Value> operands;
};

} // namespace tenon::generate

#endif // TENON_GENERATE_RULEPLANTER_H
