//===- SizeRules.cpp - rules that leave out a change of sizes -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Generate/SizeRules.h"
#include "RuleParts.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::generate;
using graph::Shape;
using graph::SymInt;
using rule::RuleOp;

static constexpr StringLiteral unaryOps[] = {"neg", "abs",  "relu",
                                             "exp", "tanh", "sign"};
static constexpr StringLiteral reductions[] = {
    "reduce_sum", "reduce_sum",        "reduce_mean",       "reduce_mean",
    "reduce_max", "reduce_min",        "reduce_prod",       "reduce_l1",
    "reduce_l2",  "reduce_sum_square", "reduce_log_sum_exp"};
static constexpr StringLiteral overAxis[] = {"softmax", "log_softmax", "cumsum",
                                             "cumprod"};

namespace {
/// An op that both sides apply. Operands beside the first are those of the
/// rule.
struct Step {
  enum Kind {
    Unary,
    Reduce,
    OverAxis,
    Norm,
    Binary,
    Matmul,
    Concat,
    Attention
  } kind;
  StringRef name;
  int64_t axis = 0;
  bool flag = false;
};

class SizeRule {
public:
  SizeRule(RuleOp like, std::mt19937_64 &random)
      : like(like), random(random), builder(like.getContext()) {}

  OwningOpRef<RuleOp> run();

private:
  int64_t below(int64_t end) { return random() % end; }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <size_t N> StringRef oneOf(const StringLiteral (&names)[N]) {
    return names[below(N)];
  }
  void chooseSteps();
  Value change(OpBuilder &b, Value value);
  Value apply(OpBuilder &b, const Step &step, Value value, ValueRange operands,
              unsigned &next);
  Value fit(OpBuilder &b, Value value);
  void addOperand(StringRef name, const Shape &shape);
  void addAttention(const SymInt &depth, bool masked);

  RuleOp like;
  std::mt19937_64 &random;
  Builder builder;
  Head head;
  /// The operand's sizes, and those to which the source changes it.
  Shape before, after;
  StringRef changeName;
  std::vector<Step> steps;
  int64_t changedAxis = 0;
  /// How many of the steps precede the change.
  size_t changed = 0;
  bool fitsByBroadcast = true;
  Type resultType;
};
} // namespace

void SizeRule::addOperand(StringRef name, const Shape &shape) {
  head.types.push_back(graph::getTensorType(shape, builder.getF32Type()));
  head.names.push_back(name.str());
}

/// Keys and values, of as many heads as the queries or of others, and a mask.
void SizeRule::addAttention(const SymInt &depth, bool masked) {
  Shape leading(after.begin(), after.end() - 3);
  SymInt keys = SymInt::symbol("t");
  leading.push_back(chance(50) ? *(after.end() - 3) : SymInt::symbol("n_3"));
  Shape k = leading, v = leading;
  k.append({keys, depth});
  v.append({keys, SymInt::symbol("e")});
  addOperand("k" + std::to_string(head.types.size()), k);
  addOperand("v" + std::to_string(head.types.size()), v);
  if (masked)
    addOperand("mask" + std::to_string(head.types.size()),
               {chance(50) ? *(after.end() - 2) : SymInt::symbol("m_3"),
                chance(50) ? keys : SymInt::symbol("t_1")});
}

void SizeRule::chooseSteps() {
  int64_t rank = after.size(), count = 1 + below(3);
  for (int64_t number = 0; number < count; ++number) {
    Step step;
    step.kind = static_cast<Step::Kind>(
        below(rank > 2 ? Step::Attention + 1 : Step::Attention));
    step.axis = below(rank);
    // Reductions at the end hide a difference of sizes.
    if (number + 1 == count && chance(50)) {
      step.kind = Step::Reduce;
      step.axis = changedAxis;
    }
    step.flag = chance(40);
    switch (step.kind) {
    case Step::Unary:
      step.name = oneOf(unaryOps);
      break;
    case Step::Reduce:
      step.name = oneOf(reductions);
      rank -= !step.flag;
      break;
    case Step::OverAxis:
      step.name = oneOf(overAxis);
      break;
    default:
      break;
    }
    steps.push_back(step);
    if (rank <= 0)
      break;
  }
  changed = chance(70) ? 0 : below(steps.size());
}

Value SizeRule::change(OpBuilder &b, Value value) {
  if (changeName != "slice")
    return buildOp(b, changeName, {value}, {getSizes(b, "shape", after)});
  SmallVector<SymInt> zeros(after.size(), SymInt(0)),
      ones(after.size(), SymInt(1));
  return buildOp(b, "slice", {value},
                 {getSizes(b, "starts", zeros), getSizes(b, "sizes", after),
                  getSizes(b, "steps", ones)});
}

/// Operands that a side needs are added when the source is built; `next` is the
/// first that is not yet used.
Value SizeRule::apply(OpBuilder &b, const Step &step, Value value,
                      ValueRange operands, unsigned &next) {
  if (!value)
    return {};
  Shape shape = graph::getShape(value);
  int64_t rank = shape.size();
  int64_t axis = std::min<int64_t>(step.axis, rank - 1);
  auto integer = [&](StringRef name, int64_t number) {
    return b.getNamedAttr(name, b.getI64IntegerAttr(number));
  };
  auto epsilon = b.getNamedAttr("epsilon", b.getF64FloatAttr(1e-5));
  if (step.kind == Step::Unary)
    return buildOp(b, step.name, {value});
  if (rank == 0)
    return {};
  switch (step.kind) {
  case Step::Reduce: {
    SmallVector<NamedAttribute> attributes = {
        getSizes(b, "axes", {SymInt(axis)})};
    if (step.flag)
      attributes.push_back(b.getNamedAttr("keepdims", b.getUnitAttr()));
    return buildOp(b, step.name, {value}, attributes);
  }
  case Step::OverAxis:
    return buildOp(b, step.name, {value}, {integer("axis", axis)});
  case Step::Norm:
    if (next >= operands.size())
      return {};
    return buildOp(b, "rms_norm", {value, operands[next++]},
                   {integer("axis", rank - 1), epsilon});
  case Step::Binary: {
    if (next >= operands.size())
      return {};
    Value other = buildOp(b, "broadcast", {operands[next++]},
                          {getSizes(b, "shape", shape)});
    return buildOp(b, step.flag ? "add" : "mul", {value, other});
  }
  case Step::Matmul:
    if (next >= operands.size() || rank < 2)
      return {};
    return buildOp(b, "matmul", {value, operands[next++]});
  case Step::Concat:
    return buildOp(b, "concat", {value, value}, {integer("axis", axis)});
  case Step::Attention: {
    SmallVector<Value> inputs = {value};
    for (unsigned more = step.flag ? 3 : 2; more > 0; --more) {
      if (next >= operands.size())
        return {};
      inputs.push_back(operands[next++]);
    }
    return buildOp(b, "attention", inputs,
                   {b.getNamedAttr("scale", b.getF64FloatAttr(0.5))});
  }
  case Step::Unary:
    break;
  }
  return {};
}

Value SizeRule::fit(OpBuilder &b, Value value) {
  if (!value || value.getType() == resultType)
    return value;
  value = buildOp(b, fitsByBroadcast ? "broadcast" : "reshape", {value},
                  {getSizes(b, "shape", graph::getShape(resultType))});
  return value && value.getType() == resultType ? value : Value();
}

OwningOpRef<RuleOp> SizeRule::run() {
  auto symbol = [](StringRef name) { return SymInt::symbol(name); };
  static constexpr StringLiteral names[] = {"p", "q", "r"};
  int64_t rank = 1 + below(3), axis = below(rank);
  for (int64_t i = 0; i < rank; ++i)
    before.push_back(i == axis    ? symbol("n_1")
                     : chance(20) ? SymInt(1 + below(2))
                                  : symbol(names[i]));
  after = before;
  after[axis] = symbol("n");
  changedAxis = axis;
  int64_t kind = below(10);
  changeName = kind < 6 ? "broadcast" : kind < 8 ? "reshape" : "slice";
  if (changeName == "broadcast" && chance(25)) {
    // A further axis that the operand does not have.
    after.insert(after.begin(), symbol("n"));
    after[axis + 1] = before[axis];
    changedAxis = 0;
  } else if (rank > 1 && chance(25)) {
    int64_t other = (axis + 1) % rank;
    before[other] = symbol("m_1");
    after[other] = symbol("m");
  }
  addOperand("x", before);
  chooseSteps();
  // Scales have the sizes of what they scale, a symbol of their own, or 1.
  for (const Step &step : steps) {
    SymInt last = chance(50)   ? after.back()
                  : chance(60) ? symbol("n_2")
                               : symbol("p");
    std::string name = "w" + std::to_string(head.types.size());
    if (step.kind == Step::Norm)
      addOperand(name, {last});
    else if (step.kind == Step::Binary && after.size() > 1 && chance(50))
      addOperand(name, {chance(50) ? symbol("m_2") : after.end()[-2], last});
    else if (step.kind == Step::Binary)
      addOperand(name, {last});
    else if (step.kind == Step::Matmul && after.size() > 2 && chance(70))
      addOperand(name, {chance(60) ? symbol("p_1") : after.front(), last,
                        symbol("c")});
    else if (step.kind == Step::Matmul)
      addOperand(name, {last, symbol("c")});
    else if (step.kind == Step::Attention)
      addAttention(last, step.flag);
  }
  fitsByBroadcast = chance(70);
  return build(like, head,
               [&](OpBuilder &b, unsigned side, ValueRange args) -> Values {
                 Value value = args.front();
                 ValueRange further = args.drop_front();
                 unsigned next = 0;
                 for (size_t i = 0; i < steps.size(); ++i) {
                   if (side == 0 && i == changed)
                     value = change(b, value);
                   value = apply(b, steps[i], value, further, next);
                 }
                 if (!value)
                   return failure();
                 if (side == 0)
                   resultType = value.getType();
                 else if (!(value = fit(b, value)))
                   return failure();
                 return SmallVector<Value>{value};
               });
}

OwningOpRef<RuleOp> generate::makeSizeRule(RuleOp like,
                                           std::mt19937_64 &random) {
  return SizeRule(like, random).run();
}
