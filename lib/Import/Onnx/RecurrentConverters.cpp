//===- RecurrentConverters.cpp - RNN, GRU, LSTM, unrolled -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

/// Longer sequences would make a graph too large to compile.
static constexpr int64_t maxSteps = 1024;

namespace {
/// The weights and state of one direction, without the direction axis.
struct Direction {
  Value w, r, b, p; // p: LSTM's peepholes; b, p null if absent
  Value h, c;
  bool reverse = false;
  unsigned number = 0;
};

/// The common part of all three operators: layout, directions, lengths. `gates`
/// is the number of blocks in the weights.
class Recurrence {
public:
  Recurrence(NodeContext &n, unsigned gates) : n(n), gates(gates) {}
  virtual ~Recurrence() = default;
  LogicalResult convert();

protected:
  /// Advances the state by one step. `x` is the input's part of all gates: its
  /// product with the weights, and all biases that need not wait for the state.
  virtual void step(Direction &d, Value x) = 0;
  Value activate(unsigned number, const Direction &d, Value x);
  std::string getActivation(unsigned index) const;
  /// Computes x w^T for the gates [first, first + count).
  Value project(Value x, Value weights, unsigned first, unsigned count);
  Value bias(const Direction &d, unsigned first, unsigned count);
  Value gate(Value all, unsigned number) { return getGates(all, number, 1); }
  Value getGates(Value all, unsigned first, unsigned count) {
    return count == gates ? all
                          : n.slice(all, 1, SymInt(first * hidden),
                                    SymInt(count * hidden));
  }
  /// The biases of the recurrence that are added to the input's: of so many
  /// gates from the first on.
  virtual unsigned countEarlyBiases() const { return gates; }
  virtual unsigned activationsPerDirection() const = 0;
  virtual StringRef defaultActivation(unsigned number) const = 0;

  NodeContext &n;
  unsigned gates;
  int64_t hidden = 0;
  bool hasCell = false;

private:
  bool readDirections();
  Value directionPart(size_t input, unsigned number);
  Value projectInputs(const Direction &d, Value x);
  Value run(Direction &d, Value x, Value lengths);

  SmallVector<Direction> directions;
  int64_t steps = 0;
};
} // namespace

Value Recurrence::directionPart(size_t input, unsigned number) {
  Value all = n.data(input);
  if (!all)
    return {};
  return n.squeeze(n.slice(all, 0, SymInt(number), SymInt(1)), {0});
}

/// The name of an activation in lower case; those of all directions are
/// numbered together.
std::string Recurrence::getActivation(unsigned index) const {
  SmallVector<std::string> names = n.stringsAttr("activations");
  StringRef name = index < names.size()
                       ? StringRef(names[index])
                       : defaultActivation(index % activationsPerDirection());
  return name.lower();
}

static bool takesBeta(StringRef activation) {
  return activation == "hardsigmoid" || activation == "affine" ||
         activation == "scaledtanh";
}
static bool takesAlpha(StringRef activation) {
  return takesBeta(activation) || activation == "leakyrelu" ||
         activation == "elu" || activation == "thresholdedrelu";
}

Value Recurrence::activate(unsigned number, const Direction &d, Value x) {
  unsigned index = d.number * activationsPerDirection() + number;
  std::string name = getActivation(index);
  if (double clip = n.floatAttr("clip", 0); clip > 0)
    x = n.op<ClipOp>({x}, {n.number("low", -clip), n.number("high", clip)});
  // The activations that take a parameter take the given ones in order.
  auto parameter = [&](StringRef attr, double otherwise) {
    auto takes = attr == "activation_alpha" ? takesAlpha : takesBeta;
    size_t at = 0;
    for (unsigned earlier = 0; earlier < index; ++earlier)
      at += takes(getActivation(earlier));
    auto values = n.floatsAttr(attr);
    return values && at < values->size() ? (*values)[at] : otherwise;
  };
  if (name == "sigmoid")
    return n.unary<SigmoidOp>(x);
  if (name == "tanh")
    return n.unary<TanhOp>(x);
  if (name == "relu")
    return n.unary<ReluOp>(x);
  if (name == "softsign")
    return n.unary<SoftsignOp>(x);
  if (name == "softplus")
    return n.unary<SoftplusOp>(x);
  if (name == "leakyrelu")
    return n.op<LeakyReluOp>(
        {x}, {n.number("alpha", parameter("activation_alpha", 0.01f))});
  if (name == "elu")
    return n.op<EluOp>({x},
                       {n.number("alpha", parameter("activation_alpha", 1.0))});
  if (name == "hardsigmoid")
    return n.op<HardSigmoidOp>(
        {x}, {n.number("alpha", parameter("activation_alpha", 0.2f)),
              n.number("beta", parameter("activation_beta", 0.5))});
  if (name == "thresholdedrelu")
    return n.op<ThresholdedReluOp>(
        {x}, {n.number("alpha", parameter("activation_alpha", 1.0))});
  if (name == "affine" || name == "scaledtanh") {
    bool affine = name == "affine";
    Value alpha = n.scalarLike(parameter("activation_alpha", 1.0), x);
    Value beta = n.scalarLike(parameter("activation_beta", affine ? 0 : 1), x);
    return affine ? n.add(n.mul(x, alpha), beta)
                  : n.mul(n.unary<TanhOp>(n.mul(x, beta)), alpha);
  }
  return n.error("activation '" + name + "' is not supported");
}

Value Recurrence::project(Value x, Value weights, unsigned first,
                          unsigned count) {
  if (count != gates)
    weights =
        n.slice(weights, 0, SymInt(first * hidden), SymInt(count * hidden));
  return n.matmul(x, weights, false, true);
}

/// Returns the biases of `count` blocks from `first` on: those of the input,
/// then those of the recurrence.
Value Recurrence::bias(const Direction &d, unsigned first, unsigned count) {
  return n.slice(d.b, 0, SymInt(first * hidden), SymInt(count * hidden));
}

bool Recurrence::readDirections() {
  StringRef name = n.stringAttr("direction", "forward");
  unsigned count = name == "bidirectional" ? 2 : 1;
  if (count == 1 && name != "forward" && name != "reverse")
    return n.error("direction is '" + name + "'"), false;
  for (unsigned i = 0; i < count; ++i) {
    Direction d;
    d.number = i;
    d.reverse = i == 1 || name == "reverse";
    d.w = directionPart(1, i);
    d.r = directionPart(2, i);
    if (!d.w || !d.r)
      return false;
    if (n.has(3) && !(d.b = directionPart(3, i)))
      return false;
    if (hasCell && n.has(7) && !(d.p = directionPart(7, i)))
      return false;
    directions.push_back(d);
  }
  return true;
}

/// The inputs of all steps at once: weights are read once, not step by step.
Value Recurrence::projectInputs(const Direction &d, Value x) {
  Shape shape = getShape(x);
  Value rows = n.reshape(x, {shape[0] * shape[1], shape[2]});
  if (!rows)
    return {};
  Value all = project(rows, d.w, 0, gates);
  if (all && d.b) {
    unsigned early = countEarlyBiases();
    Value sum = n.add(bias(d, 0, early), bias(d, gates, early));
    if (early < gates)
      sum = n.concat({sum, bias(d, early, gates - early)}, 0);
    all = n.add(all, sum);
  }
  return all ? n.reshape(all, {shape[0], shape[1], SymInt(gates * hidden)})
             : Value();
}

Value Recurrence::run(Direction &d, Value x, Value lengths) {
  Type i64 = n.getBuilder().getI64Type();
  x = projectInputs(d, x);
  if (!x)
    return {};
  SmallVector<Value> outputs(steps);
  for (int64_t i = 0; i < steps; ++i) {
    int64_t t = d.reverse ? steps - 1 - i : i;
    Value previousH = d.h, previousC = d.c;
    step(d, n.squeeze(n.slice(x, 0, SymInt(t), SymInt(1)), {0}));
    if (!d.h)
      return {};
    Value output = d.h;
    if (lengths) {
      // After its end, a sequence keeps its state and returns zeros.
      Value live = n.less(n.scalar(static_cast<double>(t), i64), lengths);
      output = n.where(live, d.h, n.scalarLike(0, d.h));
      d.h = n.where(live, d.h, previousH);
      if (d.c)
        d.c = n.where(live, d.c, previousC);
    }
    outputs[t] = n.unsqueeze(output, {0});
  }
  return n.concat(outputs, 0);
}

LogicalResult Recurrence::convert() {
  Value x = n.data(0);
  if (!x)
    return failure();
  if (rankOf(x) != 3)
    return n.fail("the input has rank " + Twine(rankOf(x)) + "; expected 3");
  bool batchFirst = n.intAttr("layout", 0);
  if (batchFirst)
    x = n.transpose(x, {1, 0, 2});
  if (!x || !n.has(2))
    return n.fail("the recurrence weights are missing");
  Shape shape = getShape(x), weights = n.shape(2);
  std::optional<int64_t> length = shape[0].getConstant();
  if (!length || *length < 1 || *length > maxSteps)
    return n.fail("the sequence length is " + shape[0].str() +
                  "; expected a constant, 1 to " + Twine(maxSteps));
  if (weights.size() != 3 || !weights[2].getConstant() ||
      *weights[2].getConstant() < 1 || *weights[2].getConstant() > (1 << 24))
    return n.fail("the hidden size is not known at import");
  steps = *length;
  hidden = *weights[2].getConstant();
  if (!readDirections())
    return failure();
  Value lengths;
  if (n.has(4))
    lengths = n.unsqueeze(n.cast(n.data(4), n.getBuilder().getI64Type()), {1});

  SmallVector<Value> all, lastH, lastC;
  for (Direction &d : directions) {
    auto initial = [&](size_t input) {
      if (!n.has(input))
        return n.splat(0, {shape[1], SymInt(hidden)}, elementTypeOf(x));
      if (!batchFirst)
        return directionPart(input, d.number);
      return n.squeeze(n.slice(n.data(input), 1, SymInt(d.number), SymInt(1)),
                       {1});
    };
    d.h = initial(5);
    if (hasCell)
      d.c = initial(6);
    Value outputs = run(d, x, lengths);
    all.push_back(n.unsqueeze(outputs, {1}));
    lastH.push_back(n.unsqueeze(d.h, {0}));
    if (hasCell)
      lastC.push_back(n.unsqueeze(d.c, {0}));
  }
  if (n.hasFailed())
    return failure();
  SmallVector<Value> results = {n.concat(all, 1), n.concat(lastH, 0)};
  if (hasCell)
    results.push_back(n.concat(lastC, 0));
  if (batchFirst) {
    results[0] = n.transpose(results[0], {2, 0, 1, 3});
    for (Value &state : MutableArrayRef<Value>(results).drop_front())
      state = n.transpose(state, {1, 0, 2});
  }
  return n.finish(results);
}

namespace {
class Rnn : public Recurrence {
public:
  explicit Rnn(NodeContext &n) : Recurrence(n, 1) {}
  unsigned activationsPerDirection() const override { return 1; }
  StringRef defaultActivation(unsigned) const override { return "Tanh"; }

  void step(Direction &d, Value x) override {
    d.h = activate(0, d, n.add(x, project(d.h, d.r, 0, 1)));
  }
};

class Gru : public Recurrence {
public:
  explicit Gru(NodeContext &n) : Recurrence(n, 3) {}
  unsigned activationsPerDirection() const override { return 2; }
  StringRef defaultActivation(unsigned number) const override {
    return number ? "Tanh" : "Sigmoid";
  }

  /// That of the candidate may be multiplied by the reset gate.
  unsigned countEarlyBiases() const override { return 2; }

  void step(Direction &d, Value x) override {
    Value gates = n.add(getGates(x, 0, 2), project(d.h, d.r, 0, 2));
    Value z = activate(0, d, gate(gates, 0));
    Value r = activate(0, d, gate(gates, 1));
    Value in = gate(x, 2);
    Value past;
    if (n.intAttr("linear_before_reset", 0)) {
      past = project(d.h, d.r, 2, 1);
      if (d.b)
        past = n.add(past, bias(d, 5, 1));
      past = n.mul(r, past);
    } else {
      past = project(n.mul(r, d.h), d.r, 2, 1);
      if (d.b)
        past = n.add(past, bias(d, 5, 1));
    }
    Value candidate = activate(1, d, n.add(in, past));
    Value keep = n.sub(n.scalarLike(1, z), z);
    d.h = n.add(n.mul(keep, candidate), n.mul(z, d.h));
  }
};

class Lstm : public Recurrence {
public:
  explicit Lstm(NodeContext &n) : Recurrence(n, 4) { hasCell = true; }
  unsigned activationsPerDirection() const override { return 3; }
  StringRef defaultActivation(unsigned number) const override {
    return number ? "Tanh" : "Sigmoid";
  }

  /// The order of gates is input, output, forget, cell; that of peepholes is
  /// input, output, forget.
  void step(Direction &d, Value x) override {
    Value gates = n.add(x, project(d.h, d.r, 0, 4));
    auto peep = [&](Value sum, unsigned number, Value cell) {
      if (!d.p)
        return sum;
      Value p = n.slice(d.p, 0, SymInt(number * hidden), SymInt(hidden));
      return n.add(sum, n.mul(p, cell));
    };
    Value i = activate(0, d, peep(gate(gates, 0), 0, d.c));
    Value f = n.intAttr("input_forget", 0)
                  ? n.sub(n.scalarLike(1, i), i)
                  : activate(0, d, peep(gate(gates, 2), 2, d.c));
    Value candidate = activate(1, d, gate(gates, 3));
    Value cell = n.add(n.mul(f, d.c), n.mul(i, candidate));
    Value o = activate(0, d, peep(gate(gates, 1), 1, cell));
    d.c = cell;
    d.h = n.mul(o, activate(2, d, cell));
  }
};
} // namespace

template <typename Kind> static LogicalResult recurrent(NodeContext &n) {
  Kind kind(n);
  return kind.convert();
}

ArrayRef<Operator> tenon::onnx::recurrentOperators() {
  constexpr Support C = Support::Composed;
  static const Operator table[] = {
      {"GRU", C, recurrent<Gru>,
       "unrolled: a static sequence length and hidden size"},
      {"LSTM", C, recurrent<Lstm>,
       "unrolled: a static sequence length and hidden size"},
      {"RNN", C, recurrent<Rnn>,
       "unrolled: a static sequence length and hidden size"},
  };
  return table;
}
