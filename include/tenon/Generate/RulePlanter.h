//===- RulePlanter.h - adds sources of rules to random graphs -------------===//
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
/// there (tenon-fuzz). Some operands are first bound to existing values,
/// preferably recent ones, whose sizes determine symbols of the rule. The other
/// symbols get small random values (in a dynamic graph, sometimes the symbol
/// `n`) such that the rule's conditions hold. The other operands are existing
/// values of the required type, new inputs or new parameters. The use of
/// existing values makes the sources of several rules overlap. An operand with
/// a condition on its elements (zero, identity) is a new constant.
///
/// If the certificate allows it, the source may have leading batch axes
/// (lifting, see docs/glossary.md). Its f32 operands may have another element
/// type unless the rule has constants or casts: an integer type only if the
/// certificate allows it.
class RulePlanter {
public:
  /// Both arguments must outlive the planter.
  RulePlanter(GraphGenerator &generator, const rule::ProvedRule &rule)
      : generator(generator), certificate(rule.certificate), rule(rule.op) {}

  /// Adds the source at the insertion point of the generator, and its results,
  /// sometimes also intermediate values, to the generator's values. Several
  /// results may be concatenated. Returns false if no valid choice of sizes and
  /// operands is found within a bounded number of attempts. The graph then
  /// contains no op of the source, but may contain values that were created as
  /// operands. Call it once per planter.
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
  /// Mutable because the accessors of ops are not const.
  mutable rule::RuleOp rule;
  llvm::SmallVector<std::string> names;
  rule::SymbolMap symbols;
  /// The type that replaces the rule's f32.
  mlir::Type element;
  /// The sizes of the leading axes, and which operands have them (see
  /// rule::RuleMatch).
  graph::Shape batch;
  llvm::SmallVector<bool> lifted;
  llvm::SmallVector<mlir::Value> operands;
};

} // namespace tenon::generate

#endif // TENON_GENERATE_RULEPLANTER_H
