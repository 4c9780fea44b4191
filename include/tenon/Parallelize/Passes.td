//===- Passes.td - passes that plan and check pipelines -------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PARALLELIZE_PASSES_TD
#define TENON_PARALLELIZE_PASSES_TD

include "mlir/Pass/PassBase.td"

def PipePartition : Pass<"pipe-partition", "::mlir::ModuleOp"> {
  let summary = "Cut a model into pipeline stages for several devices";
  let description = [{
    Input: a module with a function `main` of graph ops. Output: the module with
    a `pipe.program` in its place, whose stages, devices, micro-batches and
    schedule are those of the plan that is fastest in the simulation; see
    tenon-plan, which has the same planners. Axis 0 of the first argument has the
    samples: a symbol, or as many as the mini-batch.

    Fails at ops that couple samples, if a size has no number, and if no plan
    fits into the memory of the devices.

    Example, with `--pipe-partition=mini-batch=4`:

    ```mlir
    func.func @main(%x: tensor<?x8xf32, #graph.dims<n, 8>>) -> tensor<?x8xf32, #graph.dims<n, 8>> {
      %w = graph.parameter @w : tensor<8x8xf32>
      %0 = graph.matmul %x, %w : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x8xf32>) -> tensor<?x8xf32, #graph.dims<n, 8>>
      return %0 : tensor<?x8xf32, #graph.dims<n, 8>>
    }
    ```

    becomes

    ```mlir
    pipe.program @main(%x: tensor<?x8xf32, #graph.dims<n, 8>>) -> tensor<?x8xf32, #graph.dims<n, 8>>
        inputs ["input.0"] outputs ["output.0"] ranks 1
        attributes {mini_batch = 4 : i64, model = "27f173e4426585cb", state_factor = 3.0 : f64, training,
                    devices = array<i64: 0>, mesh = #pipe.mesh<"device" = 1, memory_bytes = [17179869184], link_seconds = [5.0e-6], link_bytes_per_second = [5.0e10]>} {
      %0 = pipe.stage @s0 on 0 (%a = %x : tensor<?x8xf32, #graph.dims<n, 8>>) -> tensor<?x8xf32, #graph.dims<n, 8>>
          attributes {micro_batch = 4 : i64, k = 1 : i64, operators = array<i64: 0>, saved_bytes = 32 : i64,
                      seconds = array<f64: 1.56861574522293E-5, 0.0, 1.56861574522293E-5>} {
        %w = graph.parameter @w : tensor<8x8xf32>
        %1 = graph.matmul %a, %w : (tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x8xf32>) -> tensor<?x8xf32, #graph.dims<n, 8>>
        pipe.yield %1 : tensor<?x8xf32, #graph.dims<n, 8>>
      }
      pipe.schedule on [0] "F0 B0 U"
      pipe.yield %0 : tensor<?x8xf32, #graph.dims<n, 8>>
    }
    ```
  }];
  let options = [
    Option<"devices", "devices", "unsigned", "1", "How many devices there are">,
    Option<"miniBatch", "mini-batch", "int64_t", "1",
           "Samples of an iteration">,
    Option<"cluster", "cluster", "std::string", "\"\"",
           "A file that describes devices and links; empty: V100s">,
    Option<"planner", "planner", "std::string", "\"graph\"",
           "graph, sequential, pipedream or piper">,
    Option<"forwardOnly", "forward-only", "bool", "false",
           "Inference: no gradients">,
    Option<"batchNorm", "batch-norm", "std::string", "\"\"",
           "per-micro-batch: let batch norm use the statistics of micro-batches">,
    Option<"operators", "operators", "unsigned", "128",
           "Ops are merged into an operator up to this part of the work">
  ];
  let dependentDialects = ["::tenon::pipe::PipeDialect"];
}

def PipeSchedule : Pass<"pipe-schedule", "::mlir::ModuleOp"> {
  let summary = "Order the tasks of a pipeline's stages";
  let description = [{
    Input: a module with one `pipe.program` that has a mini-batch, a mesh, and
    seconds of its stages. Output: the program with a `pipe.schedule` for each
    set of ranks, in place of those that it had. `schedule`:

    - `gpipe`: all forward tasks, then all backward tasks;
    - `1f1b`: one forward, one backward task in turn;
    - `kfkb`: as many of both in turn as the stages state (the default);
    - `interleaved`: for as many stages on each set of ranks, in turn, with
      micro-batches of one size, whose number is a multiple of that of the sets;
    - `zero-bubble`: the gradients of weights are tasks of their own, which run
      where a rank would wait;
    - `list`: whatever is ready, the most urgent first;
    - `segments`: all micro-batches of a segment of stages before the next one's,
      so that the gradients of a segment are summed while others compute;
    - `forward`: forward tasks alone, for inference, whose default it is.

    Fails, with a reason, if the program is not one that the schedule is for.

    Example, with `--pipe-schedule=schedule=gpipe`:

    ```mlir
    pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32>
        inputs ["x"] outputs ["y"] ranks 1
        attributes {mini_batch = 8 : i64, training,
                    mesh = #pipe.mesh<"device" = 1, memory_bytes = [4096], link_seconds = [0.0], link_bytes_per_second = [1.0]>} {
      %0 = pipe.stage @first on 0 (%a = %x : tensor<8x4xf32>) -> tensor<8x4xf32>
          attributes {micro_batch = 4 : i64, seconds = array<f64: 1.0, 1.0, 1.0>} {
        %1 = graph.relu %a : tensor<8x4xf32>
        pipe.yield %1 : tensor<8x4xf32>
      }
      pipe.yield %0 : tensor<8x4xf32>
    }
    ```

    becomes

    ```mlir
    pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32>
        inputs ["x"] outputs ["y"] ranks 1
        attributes {mini_batch = 8 : i64, training,
                    mesh = #pipe.mesh<"device" = 1, memory_bytes = [4096], link_seconds = [0.0], link_bytes_per_second = [1.0]>} {
      %0 = pipe.stage @first on 0 (%a = %x : tensor<8x4xf32>) -> tensor<8x4xf32>
          attributes {micro_batch = 4 : i64, seconds = array<f64: 1.0, 1.0, 1.0>} {
        %1 = graph.relu %a : tensor<8x4xf32>
        pipe.yield %1 : tensor<8x4xf32>
      }
      pipe.schedule on [0] "F0 F1 B0 B1 U"
      pipe.yield %0 : tensor<8x4xf32>
    }
    ```
  }];
  let options = [
    Option<"schedule", "schedule", "std::string", "\"\"",
           "The name of the schedule">
  ];
}

def PipeToProgram : Pass<"pipe-to-program", "::mlir::ModuleOp"> {
  let summary = "Write what the ranks of a pipeline run";
  let description = [{
    Input: a module with one `pipe.program` that has schedules, or no mini-batch.
    Output: the module with what runs as well, in place of what it had of this:

    - a function `STAGE.KIND` for each task of each stage, of the samples that a
      rank has of a micro-batch, and the states that they share;
    - a `program.ranks` for each entry that callers run: the model's own, or in
      training `train_step`, `evaluate` and `predict`. Each rank has its tasks,
      copies, transfers, sums and updates in the order in which the simulation of
      the schedules begins them. Receives begin two tasks before the one that
      needs them, and sends are awaited late; `group` keeps the order of the plan.

    Buffers have lives, and `--program-plan-arena` gives them places.

    Functions with a mesh are replaced by a `program.ranks` of their names, with a
    rank for each position of the mesh. Inputs and outputs have those of the ranks
    along a new first axis. Each rank runs a task, then what this needs of the
    other ranks, then the next task: a task has all ops with the same number of
    collectives on the longest path to them.

    `train` has the options of `--graph-train`, and is needed for training;
    `pipe.program` states it then.

    Fails if a schedule can't be run to its end, an op couples the samples of a
    batch, the loss can't be cut into samples, or a stage can't be trained; with
    meshes, if a size has no number, there are states, or a sum is of other types
    than f32 and f64.

    Example: `--pipe-partition="devices=2 mini-batch=4"
    --pipe-to-program="train='loss=mean-squared'" --program-plan-arena
    --pipe-check`.
  }];
  let options = [
    Option<"train", "train", "std::string", "\"\"",
           "The options of --graph-train">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect",
                           "::tenon::graph::GraphDialect",
                           "::tenon::program::ProgramDialect"];
}

def PipeCheck : Pass<"pipe-check", "::mlir::ModuleOp"> {
  let summary = "Prove that the programs of a pipeline's ranks are right";
  let description = [{
    Input: a module with one `pipe.program` and a `program.target` for each rank.
    Output: the same. It reads these programs, but neither schedule nor plan, and
    shows for any timing of the ranks that

    - every send meets a receive of the same content, type and count, and
      collectives are the same on all their ranks;
    - the programs end (sends wait for their receives, as in NCCL);
    - every sample passes every stage once, forward and in training backward, and
      what a task reads was computed or received before;
    - each message, and what is kept for a backward task, has a buffer of its
      own, which lives as long as tasks of the rank use it, and ranks have the
      parameters, gradients and states of their stages;
    - no rank ever has more bytes in parameters, states and live buffers than
      its device has.

    Fails at what is wrong: with the cycle of steps that wait for each other and
    a note at each of them, or the rank and its step. What it does not know, such
    as other steps or buffers, or a task with steps in it, is an error, too.

    Example: `--pipe-partition="devices=2 mini-batch=4" --pipe-to-program
    --pipe-check`.
  }];
}

#endif // TENON_PARALLELIZE_PASSES_TD
