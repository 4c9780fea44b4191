//===- RuleVariants.cpp - rules that follow from other rules --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Generate/RuleVariants.h"
#include "RuleParts.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::generate;
using graph::Shape;
using graph::SymInt;
using rule::RuleOp;
using rule::SymbolMap;

/// Names that variables within proofs and additional axes also have.
static constexpr StringLiteral strangeNames[] = {
    "i",  "j",  "k",  "n",     "m",      "x",      "t",  "s",  "v0",
    "i0", "i1", "r0", "batch", "batch1", "batch2", "n_", "d0", "q"};

namespace {
class Varier {
public:
  Varier(RuleOp rule, RuleOp partner, std::mt19937_64 &random)
      : context(rule.getContext()), random(random), rule(rule.clone()),
        partner(partner) {}

  OwningOpRef<RuleOp> run();

private:
  int64_t below(int64_t end) { return random() % end; }
  bool step();
  bool renameSymbols();
  bool renameOperands();
  bool wrapResult();
  bool wrapOperand();
  bool identifyOperands();
  bool specialize();
  bool join(bool chained);
  /// Applies an op to `value`, or to `value` and `other`; `choice` selects the
  /// op.
  Value wrap(OpBuilder &builder, Value value, Value other, unsigned choice);
  bool replace(const Head &head, SideBuilder build);

  MLIRContext *context;
  std::mt19937_64 &random;
  OwningOpRef<RuleOp> rule;
  RuleOp partner;
};
} // namespace

bool Varier::replace(const Head &head, SideBuilder buildOne) {
  OwningOpRef<RuleOp> next = build(*rule, head, buildOne);
  if (!next)
    return false;
  rule = std::move(next);
  return true;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

bool Varier::renameSymbols() {
  SymbolMap symbols;
  std::set<std::string> taken;
  std::set<std::string> before = getSymbols(*rule);
  std::vector<std::string> own(before.begin(), before.end());
  std::shuffle(own.begin(), own.end(), random);
  size_t number = 0;
  bool strange = below(2);
  for (const std::string &name : before) {
    StringRef wish =
        strange ? StringRef(strangeNames[below(std::size(strangeNames))])
                : StringRef(own[number]);
    ++number;
    symbols[name] = SymInt::symbol(makeFresh(wish, taken));
  }
  Head head = getHead(*rule);
  substitute(head, symbols);
  return replace(head, [&](OpBuilder &builder, unsigned side, ValueRange args) {
    return buildSide(builder, *rule, side, args, symbols);
  });
}

bool Varier::renameOperands() {
  Head head = getHead(*rule);
  std::set<std::string> taken;
  for (std::string &name : head.names)
    name = makeFresh(strangeNames[below(std::size(strangeNames))], taken);
  return replace(head, [&](OpBuilder &builder, unsigned side, ValueRange args) {
    return buildSide(builder, *rule, side, args);
  });
}

Value Varier::wrap(OpBuilder &builder, Value value, Value other,
                   unsigned choice) {
  Location loc = value.getLoc();
  auto type = cast<RankedTensorType>(value.getType());
  bool isFloat = graph::isFloat(type.getElementType());
  Shape shape = graph::getShape(type);
  int64_t rank = shape.size();
  auto ints = [&](ArrayRef<SymInt> entries) {
    return graph::DimsAttr::get(context, entries);
  };
  if (type.getElementType().isInteger(1))
    return graph::NotOp::create(builder, loc, value);
  switch (choice % 9) {
  case 0:
    return graph::NegOp::create(builder, loc, value);
  case 1:
    return graph::AbsOp::create(builder, loc, value);
  case 2:
    return graph::ReluOp::create(builder, loc, value);
  case 3:
    if (isFloat)
      return graph::TanhOp::create(builder, loc, value);
    return graph::SignOp::create(builder, loc, value);
  case 4: {
    // Reverse the axes.
    if (rank < 2)
      return {};
    SmallVector<SymInt> perm;
    for (int64_t axis = 0; axis < rank; ++axis)
      perm.push_back(SymInt((axis + 1) % rank));
    return graph::TransposeOp::create(builder, loc, value, ints(perm));
  }
  case 5:
    if (rank == 0)
      return {};
    return graph::ReverseOp::create(builder, loc, value,
                                    ints({SymInt(choice / 9 % rank)}));
  case 6:
    return graph::AddOp::create(builder, loc, value, other);
  case 7:
    return graph::MulOp::create(builder, loc, value, other);
  default:
    return graph::MaximumOp::create(builder, loc, value, other);
  }
}

bool Varier::wrapResult() {
  Head head = getHead(*rule);
  head.lifted.clear();
  unsigned result = below(rule->getResultTypeList().size());
  unsigned choice = below(1000);
  Type type = rule->getResultTypeList()[result];
  std::set<std::string> taken(head.names.begin(), head.names.end());
  bool binary = choice % 9 >= 6 &&
                !cast<RankedTensorType>(type).getElementType().isInteger(1);
  if (binary) {
    head.types.push_back(type);
    head.names.push_back(makeFresh("other", taken));
  }
  return replace(
      head, [&](OpBuilder &builder, unsigned side, ValueRange args) -> Values {
        Value other = binary ? args.back() : Value();
        Values values =
            buildSide(builder, *rule, side, binary ? args.drop_back() : args);
        if (succeeded(values))
          (*values)[result] = wrap(builder, (*values)[result], other, choice);
        return values;
      });
}

bool Varier::wrapOperand() {
  Head head = getHead(*rule);
  head.lifted.clear();
  unsigned number = below(head.types.size());
  // Conditions such as signs would have to follow from other operands.
  if (isConstrained(*rule, number))
    return false;
  unsigned choice = below(1000);
  auto type = cast<RankedTensorType>(head.types[number]);
  if (choice % 9 == 4) {
    // Both sides reverse the axes again.
    Shape shape = graph::getShape(type);
    if (shape.size() < 2)
      return false;
    Shape before;
    before.push_back(shape.back());
    before.append(shape.begin(), shape.end() - 1);
    head.types[number] = graph::getTensorType(before, type.getElementType());
  }
  std::set<std::string> taken(head.names.begin(), head.names.end());
  bool binary = choice % 9 >= 6 && !type.getElementType().isInteger(1);
  if (binary) {
    head.types.push_back(type);
    head.names.push_back(makeFresh("other", taken));
  }
  return replace(
      head, [&](OpBuilder &builder, unsigned side, ValueRange args) -> Values {
        SmallVector<Value> operands(binary ? args.drop_back() : args);
        operands[number] = wrap(builder, operands[number],
                                binary ? args.back() : Value(), choice);
        if (!operands[number])
          return failure();
        return buildSide(builder, *rule, side, operands);
      });
}

bool Varier::identifyOperands() {
  Head head = getHead(*rule);
  SmallVector<std::pair<unsigned, unsigned>> pairs;
  for (unsigned i = 0; i < head.types.size(); ++i)
    for (unsigned j = i + 1; j < head.types.size(); ++j)
      if (head.types[i] == head.types[j] && !isConstrained(*rule, i) &&
          !isConstrained(*rule, j))
        pairs.emplace_back(i, j);
  if (pairs.empty() || !head.valueConditions.empty())
    return false;
  auto [first, second] = pairs[below(pairs.size())];
  head.lifted.clear();
  head.types.erase(head.types.begin() + second);
  head.names.erase(head.names.begin() + second);
  return replace(head, [&, first = first, second = second](
                           OpBuilder &builder, unsigned side, ValueRange args) {
    SmallVector<Value> operands(args);
    operands.insert(operands.begin() + second, args[first]);
    return buildSide(builder, *rule, side, operands);
  });
}

bool Varier::specialize() {
  std::set<std::string> known = getSymbols(*rule);
  if (known.empty())
    return false;
  std::vector<std::string> names(known.begin(), known.end());
  const std::string &name = names[below(names.size())];
  SymbolMap symbols;
  symbols[name] = below(2) ? SymInt(1 + below(4))
                           : SymInt::symbol(names[below(names.size())]);
  Head head = getHead(*rule);
  substitute(head, symbols);
  return replace(head, [&](OpBuilder &builder, unsigned side, ValueRange args) {
    return buildSide(builder, *rule, side, args, symbols);
  });
}

/// Combines the rule with the partner: both are stated together or, if chained,
/// the first result is an operand of the partner.
bool Varier::join(bool chained) {
  if (!partner)
    return false;
  Head head = getHead(*rule), other = getHead(partner);
  head.lifted.clear();
  std::set<std::string> taken = getSymbols(*rule);
  SymbolMap symbols;
  if (chained || below(2))
    for (const std::string &name : getSymbols(partner))
      symbols[name] = SymInt::symbol(makeFresh(name, taken));
  std::optional<unsigned> place;
  auto result = cast<RankedTensorType>(rule->getResultTypeList().front());
  for (unsigned number = 0; chained && !place && number < other.types.size();
       ++number) {
    auto type = cast<RankedTensorType>(other.types[number]);
    if (type.getElementType() != result.getElementType() ||
        type.getRank() != result.getRank() || isConstrained(partner, number))
      continue;
    SymbolMap bound;
    for (auto [size, to] :
         llvm::zip(graph::getShape(type), graph::getShape(result)))
      if (std::optional<StringRef> symbol = size.getSymbol())
        bound.try_emplace(symbol->str(), to);
    if (bound.size() != static_cast<size_t>(type.getRank()))
      continue;
    for (const auto &[name, size] : bound)
      symbols[name] = size;
    place = number;
  }
  if (chained && !place)
    return false;
  substitute(other, symbols);
  std::set<std::string> names(head.names.begin(), head.names.end());
  size_t count = head.types.size();
  auto shift = [&](unsigned number) {
    return count + number - (place && number > *place);
  };
  for (unsigned number = 0; number < other.types.size(); ++number) {
    if (place == number)
      continue;
    head.types.push_back(other.types[number]);
    head.names.push_back(makeFresh(other.names[number], names));
  }
  llvm::append_range(head.conditions, other.conditions);
  for (Attribute attribute : other.valueConditions) {
    auto condition = cast<rule::ValueConditionAttr>(attribute);
    head.valueConditions.push_back(rule::ValueConditionAttr::get(
        context, condition.getKind(), shift(condition.getOperand())));
  }
  return replace(
      head, [&](OpBuilder &builder, unsigned side, ValueRange args) -> Values {
        Values values = buildSide(builder, *rule, side, args.take_front(count));
        if (failed(values))
          return failure();
        SmallVector<Value> operands(args.drop_front(count));
        if (place)
          operands.insert(operands.begin() + *place, values->front());
        Values more = buildSide(builder, partner, side, operands, symbols);
        if (failed(more))
          return failure();
        if (place)
          values->erase(values->begin());
        llvm::append_range(*values, *more);
        return values;
      });
}

bool Varier::step() {
  switch (below(10)) {
  case 0:
  case 1:
    return renameSymbols();
  case 2:
    return renameOperands();
  case 3:
  case 4:
    return wrapResult();
  case 5:
  case 6:
    return wrapOperand();
  case 7:
    return below(2) ? identifyOperands() : specialize();
  default:
    return join(/*chained=*/below(2));
  }
}

OwningOpRef<RuleOp> Varier::run() {
  unsigned steps = 1 + below(3), done = 0;
  for (unsigned attempt = 0; attempt < 12 && done < steps; ++attempt)
    done += step();
  if (done == 0)
    return {};
  return std::move(rule);
}

OwningOpRef<RuleOp> generate::makeVariant(RuleOp rule, RuleOp partner,
                                          std::mt19937_64 &random) {
  return Varier(rule, partner, random).run();
}

OwningOpRef<RuleOp> generate::hideBehindIndex(RuleOp rule, RuleOp wrong,
                                              int64_t size,
                                              std::mt19937_64 &random) {
  auto type = cast<RankedTensorType>(rule.getResultTypeList().front());
  if (type.getRank() == 0 ||
      wrong.getResultTypeList() != rule.getResultTypeList())
    return {};
  int64_t axis = random() % type.getRank();
  Head head = getHead(rule);
  head.lifted.clear();
  return build(
      rule, head,
      [&](OpBuilder &builder, unsigned side, ValueRange args) -> Values {
        Values values = buildSide(builder, rule, side, args);
        if (side == 0 || failed(values))
          return values;
        Values others = buildSide(builder, wrong, side, args);
        if (failed(others))
          return failure();
        Location loc = rule.getLoc();
        auto dims =
            graph::DimsAttr::get(builder.getContext(), graph::getShape(type));
        auto integer = builder.getI64Type();
        Value index = graph::IotaOp::create(
            builder, loc, dims, static_cast<uint64_t>(axis), integer);
        Value bound = graph::ConstantOp::create(
            builder, loc,
            DenseElementsAttr::get(RankedTensorType::get({}, integer),
                                   builder.getI64IntegerAttr(size)));
        bound = graph::BroadcastOp::create(builder, loc, bound, dims);
        Value isBelow = graph::LessOp::create(builder, loc, index, bound);
        values->front() = graph::WhereOp::create(
            builder, loc, isBelow, values->front(), others->front());
        return values;
      });
}
