//===- Training.h - losses and steps of optimizers ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// What a train step adds to a model and its gradients: a loss before them, and
// the update of the parameters after them. Both are graph ops.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIFFERENTIATE_TRAINING_H
#define TENON_DIFFERENTIATE_TRAINING_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

#include <functional>

namespace tenon::differentiate {

/// How a prediction is judged.
enum class Loss {
  /// The result is the loss: a scalar.
  Result,
  /// Softmax and the negative logarithm of the label's probability, mean over
  /// all items. The target is one label (i64) for each.
  CrossEntropy,
  /// The mean of the squared differences to a target of the same shape.
  MeanSquared,
  /// Sigmoid and cross-entropy of two classes, mean over all elements. The
  /// target is the probability of class 1, of the same shape.
  BinaryCrossEntropy
};

/// How gradients change parameters. g is the gradient, p the parameter, r the
/// learning rate, d the weight decay; states start at 0.
enum class Optimizer {
  /// g += d p; m = momentum m + g; p -= r m.
  Sgd,
  /// Kingma and Ba, ICLR 2015, algorithm 1, after g += d p.
  Adam,
  /// Loshchilov and Hutter, ICLR 2019, algorithm 2: p -= r d p, then Adam.
  AdamW,
  /// Chen et al., NeurIPS 2023, algorithm 2: p -= r d p;
  /// p -= r sign(beta1 m + (1 - beta1) g); m = beta2 m + (1 - beta2) g.
  Lion
};

/// How the learning rate changes after the warm-up.
enum class Schedule {
  Constant,
  /// To 0, in a straight line.
  Linear,
  /// To 0, in half a cosine (Loshchilov and Hutter, ICLR 2017, without
  /// restarts).
  Cosine
};

/// The names on command lines.
llvm::StringRef getName(Loss loss);

/// The name of the loss among the results of a pipeline's tasks, where others
/// have the names of the model.
inline constexpr llvm::StringLiteral kTaskLoss = "task.loss";

llvm::StringRef getName(Optimizer optimizer);
llvm::StringRef getName(Schedule schedule);
/// All values. The argument only selects the type.
llvm::ArrayRef<Loss> getAll(Loss);
llvm::ArrayRef<Optimizer> getAll(Optimizer);
llvm::ArrayRef<Schedule> getAll(Schedule);
inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Loss loss) {
  return os << getName(loss);
}
inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os,
                                     Optimizer optimizer) {
  return os << getName(optimizer);
}
inline llvm::raw_ostream &operator<<(llvm::raw_ostream &os, Schedule schedule) {
  return os << getName(schedule);
}

/// Returns the type of the target of `prediction`, null if the loss has none.
/// `classAxis` is the axis of classes for CrossEntropy: 1 or more, or below 0,
/// from the end; 0 if it was not stated, which is enough for two axes. Fails,
/// with a diagnostic at `loc` that begins with the name of an option of
/// --graph-train, if the prediction does not suit the loss.
mlir::FailureOr<mlir::RankedTensorType> getTargetType(mlir::Location loc,
                                                      Loss loss,
                                                      mlir::Value prediction,
                                                      int64_t classAxis);

/// Builds the loss, a scalar, of a prediction and its target (null if there is
/// none), for which `getTargetType` succeeds. Where the prediction is a softmax
/// (CrossEntropy) or a sigmoid (BinaryCrossEntropy), the loss is computed from
/// its operand, in which it is well-conditioned.
mlir::Value buildLoss(mlir::OpBuilder &builder, mlir::Location loc, Loss loss,
                      mlir::Value prediction, mlir::Value target,
                      int64_t classAxis);

/// The message if what a backward pass may compute again is neither "none",
/// "sqrt" nor a number of bytes; empty otherwise.
std::string checkRecompute(llvm::StringRef option);

struct OptimizerOptions {
  Optimizer optimizer = Optimizer::Sgd;
  /// At the end of the warm-up.
  double learningRate = 0;
  /// Of Sgd.
  double momentum = 0;
  /// Of Adam, AdamW and Lion; epsilon is not Lion's.
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  Schedule schedule = Schedule::Constant;
  /// Steps in which the learning rate rises in a straight line.
  int64_t warmup = 0;
  /// Steps after which the learning rate of a schedule is 0.
  int64_t steps = 0;
};

/// Reads or writes a state of the optimizer, of the type that is stated: a
/// parameter's, by a name such as "first_moment".
struct OptimizerStates {
  std::function<mlir::Value(llvm::StringRef, mlir::RankedTensorType)> read;
  std::function<void(llvm::StringRef, mlir::Value)> write;
};

/// Scalars (f64) that all parameters share in a step.
struct StepScalars {
  mlir::Value learningRate;
  /// 1 / (1 - beta^t) of step t = 1, 2, ...; null unless Adam or AdamW.
  mlir::Value correction1, correction2;
};

/// `step` is a scalar of i64: the number of steps before this one.
StepScalars buildStepScalars(mlir::OpBuilder &builder, mlir::Location loc,
                             const OptimizerOptions &options, mlir::Value step);

/// Builds the new value of a parameter (f32 or f64) from its gradient, which
/// has its type, and writes the states of the optimizer that belong to it.
mlir::Value buildUpdate(mlir::OpBuilder &builder, mlir::Location loc,
                        const OptimizerOptions &options,
                        const StepScalars &scalars, double weightDecay,
                        mlir::Value parameter, mlir::Value gradient,
                        const OptimizerStates &states);

/// Scales the gradients, if their common Euclidean norm exceeds `norm`, to that
/// norm: by min(1, norm / (|g| + 1e-6)).
void clipByGlobalNorm(mlir::OpBuilder &builder, mlir::Location loc, double norm,
                      llvm::MutableArrayRef<mlir::Value> gradients);

/// The state to which tasks add the squares of gradients.
constexpr llvm::StringLiteral kSquaresState = "optimizer.squares";

/// The same in steps, for gradients that are not together: the sum of squares
/// of one gradient, in f64; and the scaled gradient, by the sum over all of
/// them.
mlir::Value buildSquares(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value gradient);
mlir::Value buildClipped(mlir::OpBuilder &builder, mlir::Location loc,
                         double norm, mlir::Value squares,
                         mlir::Value gradient);

} // namespace tenon::differentiate

#endif // TENON_DIFFERENTIATE_TRAINING_H
