//===- Passes.td - reverse-mode differentiation and training --*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIFFERENTIATE_PASSES_TD
#define TENON_DIFFERENTIATE_PASSES_TD

include "tenon/Support/PassOptions.td"

def GraphDifferentiate : Pass<"graph-differentiate", "::mlir::ModuleOp"> {
  let summary = "Add the gradient of a function, in reverse mode";
  let description = [{
    Input: a module with graph functions. Output: the same, and for the function
    `function` a public function `NAME_gradient` that returns its results and
    then gradients. They are the derivatives of result number `of`, in the order
    of `wrt`, with the types of the values that they belong to. A result that
    is not a scalar has a further argument, its cotangent: the gradients are
    then the product of the cotangent and the Jacobian. With `split`, there are
    functions `NAME_backward_inputs` and `NAME_backward_weights` instead, of the
    same arguments: the first returns the gradients of arguments, the second
    those of parameters.

    Adjoints of linear ops are proved (rules/adjoints). Where a function is not
    differentiable, derivatives are those that training frameworks use: relu has
    0 at 0, equal operands of a maximum share the cotangent, and a max_pool
    gives it to the first of equal elements.

    With `recompute`, parts of the forward pass are computed again when the
    backward pass reads their values, so that these need not be kept (Chen et
    al., 2016). `sqrt` keeps as few bytes as possible if each op runs at most
    twice; a number is the most bytes to keep, with the least work added. Both
    are exact for chains of steps that hand on one value each, as measured by
    the sizes of tensors and the roofline; a remark states bytes and work.

    Fails when: there is no such function, result or name; a name of `wrt` is
    that of an argument and of a parameter; an op between a
    value of `wrt` and the result has no derivative; the result does not depend
    on a value of `wrt` that was named; a size has no name; a state is read
    after such a value was written to it; a function that writes states is to be
    split; fewer bytes are asked for than `sqrt` keeps, or sizes are dynamic.

    Example, with `--graph-differentiate`:

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
      %0 = graph.exp %x : tensor<4xf32>
      %1 = graph.reduce_sum %0 axes = [0] : (tensor<4xf32>) -> tensor<f32>
      return %1 : tensor<f32>
    }
    ```

    becomes

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
      %0 = graph.exp %x : tensor<4xf32>
      %1 = graph.reduce_sum %0 axes = [0] : (tensor<4xf32>) -> tensor<f32>
      return %1 : tensor<f32>
    }
    func.func @main_gradient(%x: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
      %0 = graph.exp %x : tensor<4xf32>
      %1 = graph.reduce_sum %0 axes = [0] : (tensor<4xf32>) -> tensor<f32>
      %2 = graph.constant dense<1.000000e+00> : tensor<f32>
      %3 = graph.reshape %2 shape = [1] : (tensor<f32>) -> tensor<1xf32>
      %4 = graph.broadcast %3 shape = [4] : (tensor<1xf32>) -> tensor<4xf32>
      %5 = graph.mul %4, %0 : tensor<4xf32>
      return %1, %5 : tensor<f32>, tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let options = [
    Option<"function", "function", "std::string", "\"main\"",
           "The function to differentiate">,
    Option<"of", "of", "unsigned", "0", "The number of the result">,
    ListOption<"wrt", "wrt", "std::string",
               "Names of arguments and parameters, or '#N' for argument N; all "
               "that are floating-point and no buffer where empty">,
    Option<"split", "split", "bool", "false",
           "Whether arguments and parameters get functions of their own">,
    Option<"recompute", "recompute", "std::string", "\"none\"",
           "What may be computed twice to save memory: none, sqrt, or a number "
           "of bytes to keep">
  ];
  let statistics = [
    Statistic<"numGradients", "num-gradients", "Gradients computed">,
    Statistic<"numRecomputed", "num-recomputed", "Ops computed twice">
  ];
}

def GraphTrain : Pass<"graph-train", "::mlir::ModuleOp"> {
  let summary = "Replace a model by its train step, evaluation and prediction";
  let description = [{
    Input: a module with one entry, `function`, whose parameters are to be
    trained. Output: a module with three entries that share states, and without
    `function`:

    - `train_step`, of the arguments and the target, returns the loss and
      changes the parameters by one step of the optimizer;
    - `evaluate`, of the same arguments, returns the loss;
    - `predict`, of the arguments of `function`, returns its results.

    Each floating-point parameter that has no `buffer`, or that a pattern of
    `include` matches, and that no pattern of `freeze` matches becomes a state
    of its name, which starts as the weight. States of the optimizer have the
    names `optimizer.STATE.PARAMETER`; `optimizer.step` counts the steps. So a
    file of states is a checkpoint.

    The target is the last argument, `target`. Losses: `result` (result `of` is
    the loss itself, and there is no target), `cross-entropy` (of scores, or of a
    `graph.softmax` of them; labels are i64), `mean-squared`,
    `binary-cross-entropy` (of scores, or of a `graph.sigmoid` of them; targets
    are probabilities). All are means over items.

    Optimizers, with g the gradient, p the parameter, r the learning rate of the
    step, d the weight decay: `sgd` (g += d p; with momentum b, m = b m + g and
    p -= r m), `adam` (Kingma and Ba, ICLR 2015; g += d p), `adamw` (Loshchilov
    and Hutter, ICLR 2019), `lion` (Chen et al., NeurIPS 2023). The learning rate
    of a step is computed in f64.

    A `graph.batch_norm` whose statistics are parameters normalizes by the mean
    and the variance of the batch in `train_step`, which also moves the
    statistics, states, towards them: s = (1 - m) s + m b, with m the
    `batch-norm-momentum` and b the mean of the batch, or its variance with n - 1
    as the divisor. `evaluate` and `predict` use the states. If `freeze` names
    both statistics, `train_step` does, too.

    A `graph.dropout` drops elements in `train_step`, and is the identity in the
    others. With k the key of its stream under `seed` (as of random parameters),
    element i is kept if `random_bits(i, random_bits(optimizer.step, k))`, as a
    fraction of 2^64 counted from the smallest number, is below `1 - ratio`.

    With `accumulate` = n, `train_step` adds its gradient to the states
    `optimizer.gradient.PARAMETER`, and every n-th run updates the parameters by
    the mean. `optimizer.step` counts the runs, `optimizer.updates` the updates,
    by which the learning rate and Adam's corrections go.

    With `loss-scale`, gradients are those of the loss times a factor, the state
    `optimizer.loss_scale`, and are divided by it before they are used
    (Micikevicius et al., ICLR 2018). If one is not finite, nothing is updated
    and the factor is halved, but not below 1; after `loss-scale-growth` updates
    it doubles.

    With `recompute`, parts of the forward pass are computed again when the
    backward pass reads their values, so that these need not be kept (Chen et
    al., 2016). `sqrt` keeps as few bytes as possible if each op runs at most
    twice; a number is the most bytes to keep, with the least work added. Both
    are exact for chains of steps that hand on one value each, as measured by
    the sizes of tensors and the roofline; a remark states bytes and work.

    With `tasks`, `function` is a stage of a pipeline, for the samples of one
    task, and its results are read by `readers` other stages each. Instead of
    `train_step`, there are

    - `forward`: of the arguments, and of the target if the stage is `judged`,
      returns the results, the loss times `share` (`task.loss`), and values
      `saved.N`;
    - `backward`: of what it needs of all these, and of a cotangent
      `gradient.RESULT.K` from each reader, returns `gradient.ARGUMENT` for each
      argument of `gradients`, and adds the gradients of parameters to the states
      `optimizer.gradient.PARAMETER`. With `split-backward` these are two:
      `backward_input`, which also returns values `kept.N`, and `backward_weight`
      (Qi et al., ICLR 2024, section 2). What has nothing to do is left out;
    - `norm`, with `clip`: adds the squares of the gradients of the parameters to
      the state `optimizer.squares`, once these are complete;
    - `update`: changes the parameters by these sums, and sets the sums to zero;
    - `norm.PARAMETER` and `update.PARAMETER`: the same for each parameter of
      `shared`, which other stages have, too, and which are not in those;
    - `advance`: counts the step, after the updates of all stages of a rank.

    With `accumulate`, tasks add to `optimizer.run_gradient.PARAMETER`, and updates
    add these to the states of `train_step`.

    Then `evaluate` returns the results, too, and is left out if the stage is not
    judged. So the sum of the losses of tasks is the loss of a mini-batch, and
    after all of its tasks, updates do what `train_step` does for all of it at
    once, up to the order of sums. Batch norms normalize by the samples of the
    task.

    Fails when: an option is out of range; a pattern fits no parameter; there is no such function or result;
    the module has other entries; the function writes states or has no parameter
    to train; a `graph.batch_norm` has a constant statistic, one that is frozen
    and one that is not, or less than 2 elements a channel; a trained parameter is not of f32 or f64;
    an op between a trained parameter and the loss has no derivative, or the loss
    does not depend on one; the result does not suit the loss; a name is taken; `recompute` asks for
    fewer bytes than `sqrt` keeps, or for a number with dynamic sizes. With
    `tasks`, also when: there is a `graph.dropout`, or `loss-scale`; `readers` are not as many as results; there is no such argument
    of `gradients`.

    Example, with `--graph-train=loss=mean-squared`:

    ```mlir
    func.func @main(%x: tensor<4xf32> {graph.name = "x"}) -> (tensor<4xf32> {graph.name = "y"}) {
      %w = graph.parameter @w : tensor<4xf32>
      %0 = graph.mul %x, %w : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```

    becomes

    ```mlir
    graph.state @w : tensor<4xf32> = @w
    graph.state @optimizer.step : tensor<i64>
    func.func @train_step(%arg0: tensor<4xf32> {graph.name = "x"}, %arg1: tensor<4xf32> {graph.name = "target"}) -> (tensor<f32> {graph.name = "loss"}) {
      %0 = graph.read_state @w : tensor<4xf32>
      %1 = graph.mul %arg0, %0 : tensor<4xf32>
      %2 = graph.mse_loss %1, %arg1  mean : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
      %3 = graph.read_state @optimizer.step : tensor<i64>
      %4 = graph.constant dense<1.000000e+00> : tensor<f64>
      %5 = graph.constant dense<1.000000e-03> : tensor<f64>
      %6 = graph.mul %4, %5 : tensor<f64>
      %7 = graph.constant dense<1.000000e+00> : tensor<f32>
      %8 = graph.sub %1, %arg1 : tensor<4xf32>
      %9 = graph.constant dense<4.000000e+00> : tensor<f32>
      %10 = graph.constant dense<1.000000e+00> : tensor<f32>
      %11 = graph.div %10, %9 : tensor<f32>
      %12 = graph.mul %7, %11 : tensor<f32>
      %13 = graph.reshape %12 shape = [1] : (tensor<f32>) -> tensor<1xf32>
      %14 = graph.broadcast %13 shape = [4] : (tensor<1xf32>) -> tensor<4xf32>
      %15 = graph.mul %14, %8 : tensor<4xf32>
      %16 = graph.mul %14, %8 : tensor<4xf32>
      %17 = graph.add %15, %16 : tensor<4xf32>
      %18 = graph.mul %17, %arg0 : tensor<4xf32>
      %19 = graph.cast %6 to f32 : tensor<f64>
      %20 = graph.broadcast %19 shape = [4] : (tensor<f32>) -> tensor<4xf32>
      %21 = graph.mul %18, %20 : tensor<4xf32>
      %22 = graph.sub %0, %21 : tensor<4xf32>
      graph.write_state @w, %22 : tensor<4xf32>
      %23 = graph.constant dense<1> : tensor<i64>
      %24 = graph.add %3, %23 : tensor<i64>
      graph.write_state @optimizer.step, %24 : tensor<i64>
      return %2 : tensor<f32>
    }
    func.func @evaluate(%arg0: tensor<4xf32> {graph.name = "x"}, %arg1: tensor<4xf32> {graph.name = "target"}) -> (tensor<f32> {graph.name = "loss"}) {
      %0 = graph.read_state @w : tensor<4xf32>
      %1 = graph.mul %arg0, %0 : tensor<4xf32>
      %2 = graph.mse_loss %1, %arg1  mean : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
      return %2 : tensor<f32>
    }
    func.func @predict(%arg0: tensor<4xf32> {graph.name = "x"}) -> (tensor<4xf32> {graph.name = "y"}) {
      %0 = graph.read_state @w : tensor<4xf32>
      %1 = graph.mul %arg0, %0 : tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let options = [
    Option<"function", "function", "std::string", "\"main\"",
           "The function to train">,
    ToolPassOption<"of", "of", "std::string", "\"0\"",
                   Unit<"RESULT", "a result">,
                   "The name or number of the result to judge">,
    ToolPassOption<"loss", "loss", "::tenon::differentiate::Loss",
                   "::tenon::differentiate::Loss::Result", Unit<"LOSS">,
                   "result, cross-entropy, mean-squared or binary-cross-"
                   "entropy">,
    ToolPassOption<"classAxis", "class-axis", "int64_t", "0", Unit<"AXIS">,
                   "The axis of classes, from 1 or, from the end, from -1 "
                   "(default: the last of results of at most two axes; others "
                   "need it)">,
    ToolPassOption<"optimizer", "optimizer",
                   "::tenon::differentiate::Optimizer",
                   "::tenon::differentiate::Optimizer::Sgd", Unit<"NAME">,
                   "sgd, adam, adamw or lion">,
    ToolPassOption<"learningRate", "learning-rate", "double", "0.001",
                   Unit<"RATE">, "The learning rate at the end of the warm-up">,
    ToolPassOption<"momentum", "momentum", "double", "0", Ratio,
                   "The momentum of sgd">,
    ToolPassOption<"beta1", "beta1", "double", "0.9", Ratio,
                   "The decay of the first moment of adam, adamw and lion">,
    ToolPassOption<"beta2", "beta2", "double", "0.999", Ratio,
                   "The decay of the second moment of adam and adamw, and of "
                   "lion's momentum">,
    ToolPassOption<"epsilon", "epsilon", "double", "1e-8", Unit<"X">,
                   "What adam and adamw add to the root of the second moment">,
    ToolPassOption<"weightDecay", "weight-decay", "double", "0", Unit<"RATE">,
                   "The weight decay">,
    ToolPassListOption<"noDecay", "no-decay", "std::string", Pattern,
                       "Patterns of parameters without weight decay">,
    ToolPassListOption<"freeze", "freeze", "std::string", Pattern,
                       "Patterns of parameters that are not trained">,
    ToolPassListOption<"include", "include", "std::string", Pattern,
                       "Patterns of buffers that are trained like parameters">,
    ToolPassOption<"clip", "clip", "double", "0", Unit<"NORM">,
                   "The largest Euclidean norm of all gradients together; 0: "
                   "any">,
    ToolPassOption<"schedule", "schedule", "::tenon::differentiate::Schedule",
                   "::tenon::differentiate::Schedule::Constant", Unit<"NAME">,
                   "constant, linear or cosine: how the learning rate falls "
                   "to 0">,
    ToolPassOption<"warmup", "warmup", "int64_t", "0", Unit<"STEPS">,
                   "The number of steps in which the learning rate rises", "0",
                   "INT64_MAX">,
    ToolPassOption<"steps", "steps", "int64_t", "0", Unit<"STEPS">,
                   "The number of steps after which the learning rate is 0, "
                   "which schedules need (default: none)", "0", "INT64_MAX">,
    ToolPassOption<"batchNormMomentum", "batch-norm-momentum", "double", "0.1",
                   Ratio,
                   "How much of a batch's statistics a step adds to the "
                   "stored ones of a batch norm, whose rest it keeps">,
    ToolPassOption<"accumulate", "accumulate", "int64_t", "1", Unit<"RUNS">,
                   "The number of runs whose mean gradient makes one update",
                   "1", "INT64_MAX">,
    ToolPassOption<"lossScale", "loss-scale", "double", "0", Unit<"FACTOR">,
                   "The factor of the loss in the gradients of the first "
                   "update, for 16-bit precisions; 0: none (default; of "
                   "tenon-compile --precision=f16, 65536)">,
    ToolPassOption<"lossScaleGrowth", "loss-scale-growth", "int64_t", "2000",
                   Unit<"UPDATES">,
                   "The number of updates after which the factor doubles",
                   "1", "INT64_MAX">,
    ToolPassOption<"seed", "seed", "uint64_t", "0", Seed, "The seed of dropout">,
    ToolPassOption<"recompute", "recompute", "std::string", "\"none\"",
                   Unit<"none|sqrt|BYTES", "none, sqrt or a number of bytes">,
                   "What `train_step` may compute twice to save memory: none,"
                   " sqrt, or a number of bytes to keep; with `tasks`, none "
                   "or sqrt, which is all of it">,
    Option<"tasks", "tasks", "bool", "false",
           "Make the tasks of a stage of a pipeline instead of `train_step`">,
    Option<"splitBackward", "split-backward", "bool", "false",
           "Whether gradients of arguments and of parameters are tasks of their "
           "own">,
    Option<"judged", "judged", "bool", "true",
           "Whether the loss is computed here; else in another stage">,
    Option<"share", "share", "double", "1",
           "What part of the mini-batch a task has: the factor of its loss">,
    ListOption<"readers", "readers", "int64_t",
               "For each result, how many other stages read it, each of which "
               "gives a cotangent; 0 where empty">,
    ListOption<"gradients", "gradients", "int64_t",
               "The numbers of the arguments whose gradients other stages need">,
    ListOption<"shared", "shared", "std::string",
               "The parameters that other stages have, too">
  ];
  let statistics = [
    Statistic<"numTrained", "num-trained", "Parameters trained">,
    Statistic<"numRecomputed", "num-recomputed", "Ops computed twice">
  ];
}

#endif // TENON_DIFFERENTIATE_PASSES_TD
