//===- PipeOps.td - pipelined programs ------------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PIPE_OPS_TD
#define TENON_PIPE_OPS_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Pipe_Dialect : Dialect {
  let name = "pipe";
  let cppNamespace = "::tenon::pipe";
  let summary = "models cut into stages that run on several ranks";
  let description = [{
    A program is a directed acyclic graph of stages. A stage is a subgraph of a
    model that runs on one rank. Tensors that one stage passes to a stage of
    another rank go through a channel. Every rank runs its stages in the order
    of the program.
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
}

class Pipe_Op<string mnemonic, list<Trait> traits = []>
    : Op<Pipe_Dialect, mnemonic, traits>;

def Pipe_ProgramOp : Pipe_Op<"program", [IsolatedFromAbove, Symbol]> {
  let summary = "a model as stages over ranks";
  let description = [{
    `inputs` and `outputs` are the names that the model's interface has.

    Constraints:

    1. There is one name per argument and one per result.
    2. The body holds stages only, with distinct names that are not empty, and
       ranks from 0 to below `ranks`, which is at least 1.
    3. It ends in `pipe.yield`, whose values are results of stages and have the
       types of the program's results.

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
  let arguments = (ins SymbolNameAttr:$sym_name, TypeArrayAttr:$result_types,
                       StrArrayAttr:$input_names, StrArrayAttr:$output_names,
                       ConfinedAttr<I64Attr, [IntMinValue<1>]>:$ranks);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Pipe_StageOp : Pipe_Op<"stage", [IsolatedFromAbove, HasParent<"ProgramOp">]> {
  let summary = "a subgraph of a model that runs on one rank";
  let description = [{
    The body's arguments stand for the operands, which are arguments of the
    program or results of stages before. A tensor from a stage of another rank
    comes through a channel.

    Constraints:

    1. The rank is at least 0.
    2. The body's arguments have the types of the operands.
    3. The body holds ops of the graph dialect and ends in `pipe.yield`, whose
       values have the types of the results.
    4. It uses no values from outside.

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
  let arguments = (ins StrAttr:$name, I64Attr:$rank,
                       Variadic<AnyRankedTensor>:$operands);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
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
