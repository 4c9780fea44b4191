//===- Matcher.h - matching a source in a graph ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIALECT_RULE_MATCH_MATCHER_H
#define TENON_LIB_DIALECT_RULE_MATCH_MATCHER_H

#include "RulePattern.h"

namespace tenon::rule {

/// A size of the graph. Nearly all sizes are constant, and creating a constant
/// `graph::SymInt` is costly.
struct Size {
  std::optional<int64_t> constant;
  graph::SymInt other;
  /// Whether it is a size of a tensor of the model, which is at least 0 even
  /// where its form does not show that.
  bool ofTensor = false;

  Size(int64_t value) : constant(value) {}
  Size(graph::SymInt value) : constant(value.getConstant()) {
    if (!constant)
      other = std::move(value);
  }
  graph::SymInt get() const {
    return constant ? graph::SymInt(*constant) : other;
  }
  bool operator==(const Size &size) const {
    return constant || size.constant ? constant == size.constant
                                     : other == size.other;
  }
};

/// The sizes of a tensor or the entries of an attribute, created on demand.
class Sizes {
public:
  explicit Sizes(mlir::RankedTensorType type)
      : dims(llvm::dyn_cast_or_null<graph::DimsAttr>(type.getEncoding())),
        values(dims ? dims.getValues() : type.getShape()) {}
  explicit Sizes(graph::DimsAttr dims) : dims(dims), values(dims.getValues()) {}

  size_t size() const { return values.size(); }
  Size operator[](size_t position) const {
    if (!mlir::ShapedType::isDynamic(values[position]))
      return Size(values[position]);
    return Size(dims ? dims.getEntry(position) : graph::SymInt::unknown());
  }

private:
  graph::DimsAttr dims;
  llvm::ArrayRef<int64_t> values;
};

/// A backtracking search over goals: each goal binds a value of the source to a
/// value of the graph, or compares the attributes of an op whose operands are
/// bound. A trail is used to undo bindings.
class Matcher {
public:
  Matcher(const RulePattern::Impl &pattern, const MatchView &view,
          const MatchFilter &filter,
          llvm::function_ref<bool(const RuleMatch &)> visit)
      : pattern(pattern), view(view), filter(filter), visit(visit),
        values(pattern.values.size()), ops(pattern.ops.size()),
        symbols(pattern.symbols.size()) {}

  bool run() { return matchRoot(0); }

private:
  /// A value to bind, or (with `attributes` set) an op whose attributes to
  /// compare. Alternatives share the goals behind them.
  struct Goal {
    unsigned number;
    mlir::Value value;
    bool attributes;
    int next; // the position of the next goal, or -1
  };
  struct Mark {
    size_t values, ops, symbols, elements, goals;
    bool batch;
  };

  bool matchRoot(unsigned number);
  llvm::SmallVector<mlir::Operation *> getCandidates(unsigned number,
                                                     unsigned position);
  /// Reaches the goals from position `open` on, and then calls `then`.
  bool proceed(int open, llvm::function_ref<bool()> then);
  /// Whether an op of the graph may match this op of the source, beside those
  /// that it matches.
  bool isFree(unsigned number, mlir::Operation *candidate) const;
  /// Returns false if an operand of the op has no producer of the name that the
  /// source wants, which is what most candidates fail for.
  bool mayBind(const SourceOp &expected, mlir::Operation *candidate) const;
  /// Adds the goals for the op's operands and attributes before `open`.
  bool bindOp(unsigned number, mlir::Operation *candidate, int &open);
  bool matchArgument(const SourceValue &expected, mlir::Value value);
  bool matchElement(mlir::Type expected, mlir::Type element);
  bool matchAttributes(unsigned number);
  mlir::FailureOr<mlir::DictionaryAttr>
  getInstance(unsigned number, llvm::ArrayRef<bool> lifted);
  bool unify(const SymPattern &expected, const Size &size);
  bool isStillExpected(const SymPattern &expected, const Size &size);
  bool isLifted(unsigned value) const;
  bool checkExpressions();
  bool checkHypotheses() const;
  bool holds(const Hypothesis &hypothesis) const;
  bool isNotNegative(const graph::SymInt &value) const;
  bool finish();
  std::optional<graph::SymInt> lookup(llvm::StringRef name) const;
  std::optional<int64_t> lookupConstant(llvm::StringRef name) const;
  SymbolMap getSymbols() const;

  void bindValue(unsigned number, mlir::Value value) {
    values[number] = value;
    valueTrail.push_back(number);
  }
  Mark mark() const {
    return {valueTrail.size(), opTrail.size(), symbolTrail.size(),
            elements.size(),   goals.size(),   batch.has_value()};
  }
  void undo(const Mark &to);

  /// The attributes of an op of the source whose operands have further axes.
  struct Instance {
    unsigned number;
    llvm::SmallVector<bool, 4> lifted;
    graph::Shape batch;
    mlir::FailureOr<mlir::DictionaryAttr> attributes;
  };

  const RulePattern::Impl &pattern;
  const MatchView &view;
  const MatchFilter &filter;
  llvm::function_ref<bool(const RuleMatch &)> visit;

  std::vector<mlir::Value> values;
  std::vector<mlir::Operation *> ops;
  std::vector<std::optional<Size>> symbols;
  std::optional<graph::Shape> batch;
  llvm::SmallVector<std::pair<mlir::Type, mlir::Type>> elements;
  llvm::SmallVector<Goal> goals;
  llvm::SmallVector<unsigned> valueTrail, opTrail, symbolTrail;
  /// A cache: few instances differ, and many ops request them.
  std::vector<Instance> instances;
};

} // namespace tenon::rule

#endif // TENON_LIB_DIALECT_RULE_MATCH_MATCHER_H
