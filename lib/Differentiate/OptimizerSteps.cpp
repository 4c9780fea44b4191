//===- OptimizerSteps.cpp - updates of parameters -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/Compose.h"
#include "tenon/Differentiate/Training.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

StringRef tenon::differentiate::getName(Optimizer optimizer) {
  switch (optimizer) {
  case Optimizer::Sgd:
    return "sgd";
  case Optimizer::Adam:
    return "adam";
  case Optimizer::AdamW:
    return "adamw";
  case Optimizer::Lion:
    return "lion";
  }
  llvm_unreachable("unknown optimizer");
}

StringRef tenon::differentiate::getName(Schedule schedule) {
  switch (schedule) {
  case Schedule::Constant:
    return "constant";
  case Schedule::Linear:
    return "linear";
  case Schedule::Cosine:
    return "cosine";
  }
  llvm_unreachable("unknown schedule");
}

ArrayRef<Optimizer> tenon::differentiate::getAll(Optimizer) {
  static constexpr Optimizer all[] = {Optimizer::Sgd, Optimizer::Adam,
                                      Optimizer::AdamW, Optimizer::Lion};
  return all;
}

ArrayRef<Schedule> tenon::differentiate::getAll(Schedule) {
  static constexpr Schedule all[] = {Schedule::Constant, Schedule::Linear,
                                     Schedule::Cosine};
  return all;
}

/// The factor of the learning rate in step `step`, an f64 scalar from 0 on.
static Value buildSchedule(Compose &c, const OptimizerOptions &options,
                           Value step) {
  Value factor = c.fullLike(1, step);
  if (options.schedule != Schedule::Constant) {
    double decay = static_cast<double>(options.steps - options.warmup);
    Value done = c.div(
        c.sub(step, c.fullLike(static_cast<double>(options.warmup), step)),
        c.fullLike(decay, step));
    done = c.op<MinimumOp>(c.op<MaximumOp>(done, c.fullLike(0, step)), factor);
    if (options.schedule == Schedule::Linear)
      factor = c.sub(factor, done);
    else
      factor = c.mul(
          c.add(c.op<CosOp>(c.mul(done, c.fullLike(llvm::numbers::pi, step))),
                factor),
          c.fullLike(0.5, step));
  }
  if (options.warmup > 0) {
    Value rise = c.div(c.add(step, c.fullLike(1, step)),
                       c.fullLike(static_cast<double>(options.warmup), step));
    factor = c.mul(factor, c.op<MinimumOp>(rise, c.fullLike(1, step)));
  }
  return factor;
}

StepScalars
tenon::differentiate::buildStepScalars(OpBuilder &builder, Location loc,
                                       const OptimizerOptions &options,
                                       Value step) {
  Compose c(builder, loc);
  Value before = c.cast(step, builder.getF64Type());
  Value one = c.fullLike(1, before);
  StepScalars scalars;
  scalars.learningRate = c.mul(buildSchedule(c, options, before),
                               c.fullLike(options.learningRate, before));
  if (options.optimizer != Optimizer::Adam &&
      options.optimizer != Optimizer::AdamW)
    return scalars;
  Value number = c.add(before, one);
  auto correct = [&](double beta) {
    Value power = c.op<PowOp>(c.fullLike(beta, before), number);
    return c.div(one, c.sub(one, power));
  };
  scalars.correction1 = correct(options.beta1);
  scalars.correction2 = correct(options.beta2);
  return scalars;
}

namespace {
/// Builds the update of one parameter.
class Update : public Compose {
public:
  Update(OpBuilder &builder, Location loc, const OptimizerOptions &options,
         const StepScalars &scalars, double weightDecay, Value parameter,
         const OptimizerStates &states)
      : Compose(builder, loc), options(options), scalars(scalars),
        weightDecay(weightDecay), parameter(parameter), states(states) {}

  Value run(Value gradient) {
    switch (options.optimizer) {
    case Optimizer::Sgd:
      return sgd(decayed(gradient));
    case Optimizer::Adam:
      return adam(parameter, decayed(gradient));
    case Optimizer::AdamW:
      return adam(shrunk(), gradient);
    case Optimizer::Lion:
      return lion(gradient);
    }
    llvm_unreachable("unknown optimizer");
  }

private:
  Value number(double value) { return fullLike(value, parameter); }
  /// A scalar of the step, for each element.
  Value spread(Value scalar) {
    return broadcastLike(cast(scalar, getElementType(parameter)), parameter);
  }
  Value read(StringRef name) {
    return states.read(name, mlir::cast<RankedTensorType>(parameter.getType()));
  }
  Value rate() { return spread(scalars.learningRate); }
  /// Weight decay as a part of the gradient.
  Value decayed(Value gradient) {
    if (weightDecay == 0)
      return gradient;
    return add(gradient, mul(parameter, number(weightDecay)));
  }
  /// Weight decay beside the gradient.
  Value shrunk() {
    if (weightDecay == 0)
      return parameter;
    return sub(parameter, mul(mul(rate(), number(weightDecay)), parameter));
  }
  /// The state's moving average, which is written.
  Value average(StringRef name, double beta, Value value) {
    Value next =
        add(mul(read(name), number(beta)), mul(value, number(1 - beta)));
    states.write(name, next);
    return next;
  }

  Value sgd(Value gradient) {
    if (options.momentum != 0) {
      gradient = add(mul(read("momentum"), number(options.momentum)), gradient);
      states.write("momentum", gradient);
    }
    return sub(parameter, mul(gradient, rate()));
  }
  Value adam(Value start, Value gradient) {
    Value first = average("first_moment", options.beta1, gradient);
    Value second =
        average("second_moment", options.beta2, mul(gradient, gradient));
    Value deviation = op<SqrtOp>(mul(second, spread(scalars.correction2)));
    Value change = div(mul(first, spread(scalars.correction1)),
                       add(deviation, number(options.epsilon)));
    return sub(start, mul(change, rate()));
  }
  Value lion(Value gradient) {
    Value direction = add(mul(read("momentum"), number(options.beta1)),
                          mul(gradient, number(1 - options.beta1)));
    (void)average("momentum", options.beta2, gradient);
    return sub(shrunk(), mul(op<SignOp>(direction), rate()));
  }

  const OptimizerOptions &options;
  const StepScalars &scalars;
  double weightDecay;
  Value parameter;
  const OptimizerStates &states;
};
} // namespace

Value tenon::differentiate::buildUpdate(OpBuilder &builder, Location loc,
                                        const OptimizerOptions &options,
                                        const StepScalars &scalars,
                                        double weightDecay, Value parameter,
                                        Value gradient,
                                        const OptimizerStates &states) {
  return Update(builder, loc, options, scalars, weightDecay, parameter, states)
      .run(gradient);
}

Value tenon::differentiate::buildSquares(OpBuilder &builder, Location loc,
                                         Value gradient) {
  Compose c(builder, loc);
  Value sum = c.op<ReduceSumSquareOp>(
      gradient, getInts(builder.getContext(), axesFrom(0, getRank(gradient))),
      false);
  return c.cast(sum, builder.getF64Type());
}

/// min(1, norm / (root of the squares + 1e-6)).
static Value buildClipFactor(Compose &c, double norm, Value squares) {
  Value length = c.op<SqrtOp>(squares);
  return c.op<MinimumOp>(
      c.fullLike(1, length),
      c.div(c.fullLike(norm, length), c.add(length, c.fullLike(1e-6, length))));
}

static Value scale(Compose &c, Value gradient, Value factor) {
  return c.mul(
      gradient,
      c.broadcastLike(c.cast(factor, getElementType(gradient)), gradient));
}

Value tenon::differentiate::buildClipped(OpBuilder &builder, Location loc,
                                         double norm, Value squares,
                                         Value gradient) {
  Compose c(builder, loc);
  return scale(c, gradient, buildClipFactor(c, norm, squares));
}

void tenon::differentiate::clipByGlobalNorm(OpBuilder &builder, Location loc,
                                            double norm,
                                            MutableArrayRef<Value> gradients) {
  Compose c(builder, loc);
  Value squares;
  for (Value gradient : gradients) {
    Value sum = buildSquares(builder, loc, gradient);
    squares = squares ? c.add(squares, sum) : sum;
  }
  if (!squares)
    return;
  Value factor = buildClipFactor(c, norm, squares);
  for (Value &gradient : gradients)
    gradient = scale(c, gradient, factor);
}
