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

/// Adds the source of one rule to a graph, at small sizes that meet the rule's
/// conditions. An operand is a value of the graph if the shape of one fits, so
/// that sources of several rules overlap, and a new input otherwise.
class RulePlanter {
public:
  RulePlanter(GraphGenerator &generator, const rule::ProvedRule &rule)
      : generator(generator), certificate(rule.certificate), rule(rule.op) {}

  /// Returns false if no such sizes were found, or if the ops are not valid for
  /// them.
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
