//===- DivisorRules.cpp - rules with divisors that may be negative --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleParts.h"
#include "tenon/Generate/SizeRules.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::generate;
using graph::Shape;
using graph::SymInt;
using rule::RuleOp;
using rule::SymbolMap;

namespace {
class Divider {
public:
  Divider(RuleOp rule, std::mt19937_64 &random)
      : rule(rule), random(random), builder(rule.getContext()) {}

  OwningOpRef<RuleOp> run();

private:
  int64_t below(int64_t end) { return random() % end; }
  bool chance(unsigned percent) { return below(100) < percent; }
  void chooseSizes();
  SymInt rewrite(const SymInt &quotient);
  SymInt getHidden();
  unsigned addOperand(StringRef name, const Shape &shape);
  void makeBase();
  Value sumAll(OpBuilder &b, Value value);
  Value addScalar(OpBuilder &b, Value value, Value scalar);
  Value addHidden(OpBuilder &b, Value value, Value from);
  Value use(OpBuilder &b, unsigned side, Value value, Value from);

  RuleOp rule;
  std::mt19937_64 &random;
  Builder builder;
  /// Whether the results are those of the rule, or else its first operand's.
  bool hasBase = true;
  SymbolMap renamed;
  Head head;
  SymInt numerator, divisor, quotient;
  /// The length of an axis that is 0 where the divisor is at least 1.
  SymInt hidden;
  /// What both sides state in place of the quotient.
  SymInt stated[2];
  enum Use { Pads, PadsBefore, Slices, Repeats, Reshapes, Operand } kind = Pads;
  unsigned hiddenSide = 0;
  bool repeatsHidden = false;
};
} // namespace

/// A value that equals the quotient if the divisor is at least 1.
SymInt Divider::rewrite(const SymInt &quotient) {
  switch (below(8)) {
  case 0:
    return SymInt::max(quotient, SymInt(0));
  case 1:
    return SymInt::min(quotient, numerator);
  case 2:
    return quotient + SymInt::max(SymInt(1) - divisor, SymInt(0));
  case 3:
    return SymInt::max(quotient, -numerator);
  default:
    return quotient;
  }
}

SymInt Divider::getHidden() {
  switch (below(6)) {
  case 0:
    return SymInt::max(SymInt(1) - divisor, SymInt(0));
  case 1:
    return SymInt::max(-divisor, SymInt(0));
  case 2:
    return SymInt::max(-quotient, SymInt(0));
  case 3:
    return SymInt::max(quotient - numerator, SymInt(0));
  case 4:
    // The rest of a division is below its divisor.
    return SymInt::max(numerator - quotient * divisor - divisor + SymInt(1),
                       SymInt(0));
  default:
    return SymInt::max(SymInt::min(SymInt(1) - divisor, SymInt(2)), SymInt(0));
  }
}

void Divider::chooseSizes() {
  SymInt k = SymInt::symbol("dk"), m = SymInt::symbol("dm"),
         n = SymInt::symbol("dn"), c(1 + below(5));
  switch (below(8)) {
  case 0:
  case 1:
    divisor = c - k;
    break;
  case 2:
    divisor = k - m;
    break;
  case 3:
    divisor = k - c;
    break;
  case 4:
    divisor = c - k * m;
    break;
  case 5:
    divisor = k * m - c;
    break;
  case 6:
    divisor = k;
    break;
  default:
    divisor = SymInt(2) * k - m + c;
    break;
  }
  switch (below(5)) {
  case 0:
    numerator = n + SymInt(below(3));
    break;
  case 1:
    numerator = n * m;
    break;
  case 2:
    numerator = n * divisor;
    break;
  case 3:
    numerator = k + n;
    break;
  default:
    numerator = n;
    break;
  }
  quotient = numerator.floorDiv(divisor);
  if (chance(15))
    quotient = (n + quotient).floorDiv(chance(50) ? divisor : SymInt(2));
  hidden = getHidden();
  stated[0] = rewrite(quotient);
  stated[1] = chance(50) ? stated[0] : rewrite(quotient);
}

unsigned Divider::addOperand(StringRef name, const Shape &shape) {
  std::set<std::string> taken(head.names.begin(), head.names.end());
  head.names.push_back(makeFresh(name, taken));
  head.types.push_back(graph::getTensorType(shape, builder.getF32Type()));
  return head.types.size() - 1;
}

/// Adds `scalar` to every element.
Value Divider::addScalar(OpBuilder &b, Value value, Value scalar) {
  if (!value || !scalar)
    return {};
  Value other = buildOp(b, "broadcast", {scalar},
                        {getSizes(b, "shape", graph::getShape(value))});
  return buildOp(b, "add", {value, other});
}

Value Divider::sumAll(OpBuilder &b, Value value) {
  if (!value)
    return {};
  SmallVector<SymInt> axes;
  int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  for (int64_t axis = 0; axis < rank; ++axis)
    axes.push_back(SymInt(axis));
  return buildOp(b, "reduce_sum", {value}, {getSizes(b, "axes", axes)});
}

Value Divider::addHidden(OpBuilder &b, Value value, Value from) {
  if (!value)
    return {};
  Value part = repeatsHidden ? buildOp(b, "broadcast", {sumAll(b, from)},
                                       {getSizes(b, "shape", {hidden})})
                             : buildOp(b, "slice", {from},
                                       {getSizes(b, "starts", {SymInt(0)}),
                                        getSizes(b, "sizes", {hidden}),
                                        getSizes(b, "steps", {SymInt(1)})});
  return addScalar(b, value, sumAll(b, part));
}

/// Uses the quotient as a size or a parameter.
Value Divider::use(OpBuilder &b, unsigned side, Value value, Value from) {
  if (!value)
    return {};
  const SymInt &size = stated[side];
  Shape shape = graph::getShape(value);
  SmallVector<SymInt> zeros(shape.size(), SymInt(0)), low(zeros);
  switch (kind) {
  case Pads:
  case PadsBefore:
    if (shape.empty())
      return {};
    low.back() = size;
    if (kind == Pads)
      std::swap(low, zeros);
    return buildOp(
        b, "pad", {value},
        {getSizes(b, "low", low), getSizes(b, "high", zeros),
         b.getNamedAttr("mode", graph::PadModeAttr::get(
                                    b.getContext(), graph::PadMode::Constant)),
         b.getNamedAttr("value", b.getF64FloatAttr(2))});
  case Slices:
    return addScalar(b, value,
                     sumAll(b, buildOp(b, "slice", {from},
                                       {getSizes(b, "starts", {SymInt(0)}),
                                        getSizes(b, "sizes", {size}),
                                        getSizes(b, "steps", {SymInt(1)})})));
  case Repeats: {
    Value one = sumAll(b, from);
    return addScalar(b, value,
                     sumAll(b, buildOp(b, "broadcast", {one},
                                       {getSizes(b, "shape", {size})})));
  }
  case Reshapes: {
    Value folded =
        buildOp(b, "reshape", {from},
                {getSizes(b, "shape", {size, SymInt::symbol("dr")})});
    return addScalar(b, value,
                     sumAll(b, folded
                                   ? buildOp(b, "reduce_max", {folded},
                                             {getSizes(b, "axes", {SymInt(1)})})
                                   : Value()));
  }
  case Operand:
    return addScalar(b, value, sumAll(b, from));
  }
  llvm_unreachable("unknown use");
}

/// The rule itself, or an operand.
void Divider::makeBase() {
  hasBase = chance(60) && rule->getNumRegions() == 2;
  for (Type type : rule.getResultTypeList())
    hasBase &= getElementTypeOrSelf(type).isF32();
  if (!hasBase) {
    addOperand("x", {SymInt::symbol("p"), SymInt::symbol("q")});
    return;
  }
  std::set<std::string> symbols = getSymbols(rule);
  head = getHead(rule);
  head.lifted.clear();
  // Sizes of the rule that are quotients.
  if (!symbols.empty() && chance(40)) {
    std::vector<std::string> names(symbols.begin(), symbols.end());
    renamed[names[below(names.size())]] =
        chance(50) ? quotient : SymInt::max(quotient, SymInt(1));
    substitute(head, renamed);
  }
  // Symbols may be shared.
  if (!symbols.empty() && chance(30)) {
    std::vector<std::string> names(symbols.begin(), symbols.end());
    renamed.emplace(names[below(names.size())], SymInt::symbol("dk"));
    substitute(head, renamed);
  }
}

OwningOpRef<RuleOp> Divider::run() {
  chooseSizes();
  makeBase();
  kind = static_cast<Use>(below(Operand + 1));
  hiddenSide = chance(85) ? 0 : 1;
  bool hides = chance(80);
  repeatsHidden = chance(60);
  auto symbol = [](StringRef name) { return SymInt::symbol(name); };
  // All symbols are sizes of an operand.
  unsigned known = addOperand("s", {symbol("dn"), symbol("dk"), symbol("dm")});
  unsigned from = addOperand("w", {kind == Operand    ? stated[0]
                                   : kind == Reshapes ? stated[0] * symbol("dr")
                                                      : symbol("dw")});
  unsigned other = hides ? addOperand("v", {symbol("dv")}) : known;
  if (kind == Reshapes)
    stated[1] = stated[0];
  if (chance(15)) {
    auto condition = rule::ConditionAttr::get(rule.getContext(),
                                              rule::ConditionKind::AtLeast,
                                              quotient, SymInt(below(2)));
    head.conditions.push_back(condition);
  }
  return build(
      rule, head, [&](OpBuilder &b, unsigned side, ValueRange args) -> Values {
        SmallVector<Value> values;
        if (hasBase) {
          Values built =
              buildSide(b, rule, side, args.take_front(known), renamed);
          if (failed(built))
            return failure();
          values = std::move(*built);
        } else {
          values.push_back(args.front());
        }
        Value &value = values.front();
        value = addScalar(b, value, sumAll(b, args[known]));
        // An operand must be one of the source's.
        if (hides && hiddenSide == 1)
          value = addScalar(b, value, sumAll(b, args[other]));
        if (hides && hiddenSide == side)
          value = addHidden(b, value, args[other]);
        value = use(b, side, value, args[from]);
        if (!value)
          return failure();
        return values;
      });
}

OwningOpRef<RuleOp> generate::addDivisor(RuleOp rule, std::mt19937_64 &random) {
  return Divider(rule, random).run();
}
