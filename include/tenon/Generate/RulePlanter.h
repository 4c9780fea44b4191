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

/// Puts the source of one rule into a graph: on values of the graph where their
/// shapes fit, so that rules meet, and on new ones elsewhere, at small sizes
/// for which the rule's conditions hold.
class RulePlanter {
public:
  RulePlanter(GraphGenerator &generator, const rule::ProvedRule &rule)
      : generator(generator), certificate(rule.certificate), rule(rule.op) {}

  /// False where no sizes were found, or the ops are not valid there.
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
  mutable rule::RuleOp rule;
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
