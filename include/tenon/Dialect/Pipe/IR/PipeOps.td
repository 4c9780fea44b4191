//===- PipeOps.td - pipelined programs ------------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PIPE_OPS_TD
#define TENON_PIPE_OPS_TD

include "tenon/Dialect/Pipe/IR/PipeDialect.td"

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Pipe_Op<string mnemonic, list<Trait> traits = []>
    : Op<Pipe_Dialect, mnemonic, traits>;

def Pipe_ProgramOp : Pipe_Op<"program", [IsolatedFromAbove]> {
  let summary = "a model as stages over ranks";
  let description = [{
    The name is that of the model; `inputs` and `outputs` are the names that its
    interface has.
    `mini_batch`: the samples of an iteration; without it, stages run once, on
    what the program is given. `training`: whether stages also run backward;
    then `train` says how, with the options of `--graph-train`, once there are
    tasks.
    `state_factor`: bytes of gradients and states of the optimizer for each byte
    of parameters. `mesh`: the devices, with memories and links. `devices` may say
    which position of it each rank is, as `array<i64: 0, 2>`; else rank r is
    position r. `model`: a digest of the operators that the model was cut into,
    which `operators` of stages are numbers of; traces of runs have both, so that
    costs can be fitted to them.

    Constraints:

    1. There is one name per argument and one per result.
    2. The body holds stages, channels and schedules only. Stages have distinct
       names that are not empty, and ranks from 0 to below `ranks`, which is at
       least 1.
    3. It ends in `pipe.yield`, whose values are results of stages and have the
       types of the program's results.
    4. With a mini-batch, which is at least 1, every stage has a micro-batch,
       which is no larger; without one, none has. Two stages have the same ranks, or no
       rank in common.
    5. A mesh has memories and links, and another position for each rank.
       `state_factor` is from 0 to 1024.
    6. If there is a schedule, there is one for each set of ranks.
    7. With a mini-batch, a stage reads results of stages of other ranks through
       channels only.
    8. In training, no two stages have the same parameter: its gradients would
       have to be summed over both.

    Example:

    ```mlir
    pipe.program @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32>
        inputs ["x"] outputs ["y"] ranks 2 {
      %0 = pipe.stage @first on 0 (%a = %x : tensor<4x8xf32>) -> tensor<4x8xf32> {
        %1 = graph.relu %a : tensor<4x8xf32>
        pipe.yield %1 : tensor<4x8xf32>
      }
      %2 = pipe.stage @second on 1 (%a = %0 : tensor<4x8xf32>) -> tensor<4x8xf32> {
        %1 = graph.neg %a : tensor<4x8xf32>
        pipe.yield %1 : tensor<4x8xf32>
      }
      pipe.yield %2 : tensor<4x8xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, TypeArrayAttr:$result_types,
                       StrArrayAttr:$input_names, StrArrayAttr:$output_names,
                       ConfinedAttr<I64Attr, [IntMinValue<1>]>:$ranks,
                       OptionalAttr<I64Attr>:$mini_batch, UnitAttr:$training,
                       OptionalAttr<StrAttr>:$train,
                       OptionalAttr<F64Attr>:$state_factor,
                       OptionalAttr<Pipe_MeshAttr>:$mesh,
                       OptionalAttr<DenseI64ArrayAttr>:$devices,
                       OptionalAttr<StrAttr>:$model);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The position of a rank in the mesh.
    int64_t getDevice(int64_t rank) {
      return getDevices() ? (*getDevices())[rank] : rank;
    }
    /// The memory of the device of a rank, in bytes; nothing without a mesh.
    std::optional<uint64_t> getMemoryBytes(int64_t rank);
  }];
}

def Pipe_StageOp : Pipe_Op<"stage", [IsolatedFromAbove, HasParent<"ProgramOp">]> {
  let summary = "a subgraph of a model and the ranks that run it";
  let description = [{
    The body's arguments stand for the operands, which are arguments of the
    program, results of stages before, or of channels. A tensor from a stage of
    another rank comes through a channel.

    In a pipeline, `micro_batch` samples are computed at once; the last
    micro-batch has what is left of the mini-batch. The ranks share each one in
    their order, in parts whose sizes differ by 1 at most. The body is written
    for the whole mini-batch.
    `k`: how many forward tasks, and then backward tasks, run in a row.
    `recompute`: backward tasks compute again what the stage does not read of
    other stages; `offload`: it is kept in the memory of the host; otherwise,
    `saved_bytes` of a sample stay in memory from its forward to its backward
    task. `eager`: the stage begins further ahead of its successors. `seconds`:
    of a forward task, a backward task for the inputs, and one for the weights,
    and the same of the last micro-batch if it is shorter. `operators`: what it
    has of the model, as numbers that `tenon-plan` gave.

    Constraints:

    1. Ranks are distinct and at least 0; there is at least one.
    2. The body's arguments have the types of the operands.
    3. The body holds ops of the graph dialect and ends in `pipe.yield`, whose
       values have the types of the results.
    4. It uses no values from outside.
    5. A micro-batch has at least one sample for each rank; `k` is at least 1.
    6. There are three or six `seconds`, none below 0.
    7. `offload` and `recompute` exclude each other.
    8. `saved_bytes` is at least 0, and for a mini-batch below 2^63.

    Example:

    ```mlir
    pipe.program @main(%x: tensor<4xf32>) -> tensor<4xf32>
        inputs ["x"] outputs ["y"] ranks 1 {
      %0 = pipe.stage @first on 0 (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
        %1 = graph.relu %a : tensor<4xf32>
        pipe.yield %1 : tensor<4xf32>
      }
      pipe.yield %0 : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, DenseI64ArrayAttr:$ranks,
                       OptionalAttr<I64Attr>:$micro_batch,
                       OptionalAttr<I64Attr>:$k, UnitAttr:$recompute,
                       UnitAttr:$offload, UnitAttr:$eager,
                       OptionalAttr<DenseF64ArrayAttr>:$seconds,
                       OptionalAttr<I64Attr>:$saved_bytes,
                       OptionalAttr<DenseI64ArrayAttr>:$operators,
                       Variadic<AnyRankedTensor>:$operands);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Pipe_ChannelOp : Pipe_Op<"channel", [AllTypesMatch<["value", "result"]>,
                                         HasParent<"ProgramOp">]> {
  let summary = "a value on its way to a stage of other ranks";
  let description = [{
    Sample s of the value is at the indices `rows * s` to `rows * (s + 1)` of
    `axis`. The stage that gives the value computes `from` samples at once, and
    the one that reads it `to`: a micro-batch is split, or several are
    concatenated, or if neither divides the other, both. In training, gradients
    go the other way.

    Constraints:

    1. The value is a result of a stage, whose micro-batch is `from`.
    2. One stage reads the result, whose micro-batch is `to`, and which has other
       ranks.
    3. The value has the axis, `rows` is at least 1, and a constant size is
       `rows` for each sample of the mini-batch. Its elements are integers or
       floats.

    Example:

    ```mlir
    pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32>
        inputs ["x"] outputs ["y"] ranks 2 attributes {mini_batch = 8 : i64} {
      %0 = pipe.stage @first on 0 (%a = %x : tensor<8x4xf32>) -> tensor<8x4xf32>
          attributes {micro_batch = 4 : i64} {
        %1 = graph.relu %a : tensor<8x4xf32>
        pipe.yield %1 : tensor<8x4xf32>
      }
      %1 = pipe.channel %0 axis 0 from 4 to 2 : tensor<8x4xf32>
      %2 = pipe.stage @second on 1 (%a = %1 : tensor<8x4xf32>) -> tensor<8x4xf32>
          attributes {micro_batch = 2 : i64} {
        %3 = graph.neg %a : tensor<8x4xf32>
        pipe.yield %3 : tensor<8x4xf32>
      }
      pipe.yield %2 : tensor<8x4xf32>
    }
    ```
  }];
  let arguments = (ins AnyRankedTensor:$value, I64Attr:$axis,
                       DefaultValuedAttr<I64Attr, "1">:$rows, I64Attr:$from,
                       I64Attr:$to);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $value `axis` $axis (`rows` $rows^)? `from` $from `to` $to attr-dict `:`
    type($value)
  }];
  let hasVerifier = 1;
}

def Pipe_ScheduleOp : Pipe_Op<"schedule", [HasParent<"ProgramOp">]> {
  let summary = "the tasks of some ranks, in order";
  let description = [{
    The ranks run the stages that are on them. A task is written as its kind and
    its micro-batch: `F0` forward; `B0` backward, or `I0` and `W0` for the
    gradients of inputs and of weights; `U` the sum of the gradients of weights
    over the ranks, after which the optimizer may change them. If several stages
    are on the ranks, `F0/1` is a task of the second, and so on; `U/1` likewise.

    Constraints:

    1. The ranks are those of a stage, and have no other schedule.
    2. Every stage on them runs each of its micro-batches once: forward, and in
       training then backward, either at once or in two tasks.
    3. In training, `U` follows the last backward task of each stage, once.

    Example:

    ```mlir
    pipe.program @main(%x: tensor<8x4xf32>) -> tensor<8x4xf32>
        inputs ["x"] outputs ["y"] ranks 1
        attributes {mini_batch = 8 : i64, training} {
      %0 = pipe.stage @first on 0 (%a = %x : tensor<8x4xf32>) -> tensor<8x4xf32>
          attributes {micro_batch = 4 : i64} {
        %1 = graph.relu %a : tensor<8x4xf32>
        pipe.yield %1 : tensor<8x4xf32>
      }
      pipe.schedule on [0] "F0 B0 F1 B1 U"
      pipe.yield %0 : tensor<8x4xf32>
    }
    ```
  }];
  let arguments = (ins DenseI64ArrayAttr:$ranks, StrAttr:$tasks);
  let assemblyFormat = "`on` $ranks $tasks attr-dict";
}

def Pipe_YieldOp : Pipe_Op<"yield", [Pure, Terminator, ReturnLike,
                                     ParentOneOf<["ProgramOp", "StageOp"]>]> {
  let summary = "the results of a program or a stage";
  let description = [{
    Constraints:

    1. The op ends the body of a `pipe.program` or a `pipe.stage`.
    2. The values have the types of its results.

    Example:

    ```mlir
    pipe.program @main(%x: tensor<4xf32>) -> tensor<4xf32>
        inputs ["x"] outputs ["y"] ranks 1 {
      %0 = pipe.stage @first on 0 (%a = %x : tensor<4xf32>) -> tensor<4xf32> {
        pipe.yield %a : tensor<4xf32>
      }
      pipe.yield %0 : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // TENON_PIPE_OPS_TD
