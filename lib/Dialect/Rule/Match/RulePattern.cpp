//===- RulePattern.cpp - preparing the source of a rule -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RulePattern.h"

#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::rule;
using graph::DimsAttr;
using graph::SymInt;

SymPattern RulePattern::Impl::parse(const SymInt &size) {
  SymPattern pattern;
  pattern.expression = size;
  pattern.constant = size.getConstant();
  if (std::optional<StringRef> symbol = size.getSymbol()) {
    auto it = llvm::find(symbols, *symbol);
    pattern.symbol = it - symbols.begin();
    if (it == symbols.end())
      symbols.push_back(symbol->str());
  }
  return pattern;
}

bool RulePattern::Impl::fitsElement(Type pattern, Type element) const {
  if (pattern == element)
    return true;
  // f32 matches floating-point types, and integers if the proof used only the
  // laws of rings.
  if (!pattern.isF32() || exactTypes)
    return false;
  return isa<FloatType>(element) || rule->certificate.elements != "real";
}

std::vector<Hypothesis>
RulePattern::Impl::prepare(const std::vector<SymInt> &values) const {
  std::vector<Hypothesis> list;
  for (const SymInt &value : values) {
    Hypothesis &hypothesis = list.emplace_back(Hypothesis{value});
    if (std::optional<StringRef> symbol = value.getSymbol())
      if (auto it = llvm::find(symbols, *symbol); it != symbols.end())
        hypothesis.symbol = it - symbols.begin();
  }
  return list;
}

const std::vector<Hypothesis> &
RulePattern::Impl::getHypotheses(bool isLifted) const {
  std::call_once(prepared, [&] {
    if (rule) {
      hypotheses = prepare(rule->certificate.hypotheses.get());
      liftHypotheses = prepare(rule->certificate.liftHypotheses.get());
      return;
    }
    // The symbols of patterns are sizes or parameters of at least 0.
    std::vector<SymInt> values;
    for (const std::string &symbol : symbols)
      values.push_back(SymInt::symbol(symbol));
    liftHypotheses = hypotheses = prepare(values);
  });
  return isLifted ? liftHypotheses : hypotheses;
}

RulePattern::Impl::Impl(const ProvedRule &rule) : rule(&rule) {
  RuleOp op = rule.op;
  exactTypes = !hasGenericElements(op);
  build(op, rule.certificate.liftProved);
}

RulePattern::Impl::Impl(PatternOp pattern) : exactTypes(true) {
  build(pattern, /*liftable=*/true);
}

void RulePattern::Impl::build(SourceInterface op, bool liftable) {
  llvm::DenseMap<Value, unsigned> numbers;
  auto addValue = [&](Value value, int giver, unsigned number) {
    auto type = cast<RankedTensorType>(value.getType());
    SourceValue entry;
    entry.op = giver;
    entry.number = number;
    entry.element = type.getElementType();
    entry.rank = type.getRank();
    numbers[value] = values.size();
    values.push_back(std::move(entry));
    return static_cast<unsigned>(values.size() - 1);
  };
  for (BlockArgument argument : op.getSource().getArguments()) {
    unsigned number = addValue(argument, -1, argument.getArgNumber());
    arguments.push_back(number);
    SourceValue &value = values[number];
    value.lifted =
        liftable &&
        llvm::is_contained(op.getLifted(), static_cast<int64_t>(value.number));
    for (const SymInt &size : graph::getShape(argument))
      value.sizes.push_back(parse(size));
  }
  llvm::DenseMap<Operation *, unsigned> opNumbers;
  std::vector<unsigned> depths;
  for (Operation &inner : op.getSource().front().without_terminator()) {
    SourceOp entry{&inner, inner.getName(), {}, {}, {}};
    unsigned below = 0;
    for (Value operand : inner.getOperands()) {
      entry.operands.push_back(numbers.lookup(operand));
      if (int giver = values[numbers.lookup(operand)].op; giver >= 0)
        below = std::max(below, depths[giver]);
    }
    depths.push_back(below + 1);
    depth = std::max(depth, below + 1);
    for (OpResult result : inner.getResults())
      entry.results.push_back(
          addValue(result, ops.size(), result.getResultNumber()));
    for (NamedAttribute attribute : inner.getAttrDictionary()) {
      SourceAttribute parsed;
      parsed.name = attribute.getName();
      parsed.value = attribute.getValue();
      if (auto dims = dyn_cast<DimsAttr>(attribute.getValue())) {
        parsed.isDims = true;
        for (const SymInt &size : dims.getEntries())
          parsed.entries.push_back(parse(size));
      }
      entry.attributes.push_back(std::move(parsed));
    }
    opNumbers[&inner] = ops.size();
    ops.push_back(std::move(entry));
  }
  for (Value value : op.getSource().front().getTerminator()->getOperands()) {
    results.push_back(numbers.lookup(value));
    unsigned root = opNumbers.lookup(value.getDefiningOp());
    if (!llvm::is_contained(roots, root))
      roots.push_back(root);
  }
  // A root inside another root's tree is bound with it.
  llvm::SmallBitVector bound(values.size());
  auto bind = [&](auto &&self, unsigned number) -> void {
    for (unsigned result : ops[number].results)
      bound.set(result);
    for (unsigned operand : ops[number].operands) {
      // Values may have many uses: visit each once.
      bool isNew = !bound.test(operand);
      bound.set(operand);
      if (isNew && values[operand].op >= 0)
        self(self, values[operand].op);
    }
  };
  for (auto [position, root] : llvm::enumerate(roots)) {
    if (position > 0 && llvm::none_of(ops[root].operands, [&](unsigned value) {
          return bound.test(value);
        }))
      connected = false;
    bind(bind, root);
  }
}

RulePattern::RulePattern(const ProvedRule &rule, Check check)
    : impl(std::make_unique<Impl>(rule)) {
  if (check == Check::Matches)
    impl->check = rule.check.get();
}
RulePattern::RulePattern(PatternOp pattern)
    : impl(std::make_unique<Impl>(pattern)) {}
RulePattern::~RulePattern() = default;
RulePattern::RulePattern(RulePattern &&) noexcept = default;
RulePattern &RulePattern::operator=(RulePattern &&) noexcept = default;

const ProvedRule &RulePattern::getRule() const { return *impl->rule; }
unsigned RulePattern::getNumRoots() const { return impl->roots.size(); }
unsigned RulePattern::getNumOps() const { return impl->ops.size(); }
unsigned RulePattern::getDepth() const { return impl->depth; }
bool RulePattern::isConnected() const { return impl->connected; }
