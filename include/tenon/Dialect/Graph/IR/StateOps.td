//===- StateOps.td - tensors that outlive a run ---------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// These ops have a header of their own, StateOps.h: few files name them.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_STATE_OPS_TD
#define TENON_GRAPH_STATE_OPS_TD

include "tenon/Dialect/Graph/IR/GraphOpsBase.td"

include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/SymbolInterfaces.td"

def Graph_StateResource : Resource<"::tenon::graph::StateResource">;

def Graph_StateOp : Op<Graph_Dialect, "state",
    [HasParent<"::mlir::ModuleOp">, Symbol]> {
  let summary = "a tensor that the entries of a module share and keep";
  let description = [{
    Lives as long as an instance of the model: what a run of an entry (a public
    function) writes, later runs of all entries read. Starts as `value`, as the
    weight that `parameter` names (as of `graph.parameter`), or as zeros.
    `transient`: callers do not see it, because the ranks that run the entries as
    tasks leave it zero between runs of callers.

    Constraints:

    1. The op stands in a module. Its name is in UTF-8 without NUL, not empty and
       not `__metadata__`, since files of states and callers use it.
    2. The type has a static shape without an encoding and at most 2^48 bytes.
    3. `value` has dense elements and this type.
    4. At most one of `value` and `parameter` is given; the name of the weight is
       not empty. A transient state has neither.

    Example:

    ```mlir
    graph.state @position : tensor<1xi64>
    graph.state transient @sum : tensor<2xf32>
    graph.state @scale : tensor<2xf32> = dense<1.0>
    graph.state @trained : tensor<2xf32> = @"fc.weight"
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<Graph_Tensor>:$type,
                       OptionalAttr<ElementsAttr>:$value,
                       OptionalAttr<FlatSymbolRefAttr>:$parameter,
                       UnitAttr:$transient);
  let assemblyFormat = [{
    (`transient` $transient^)? $sym_name `:`
    custom<StateValue>($type, $value, $parameter) attr-dict
  }];
  let extraClassDeclaration = [{
    ::mlir::RankedTensorType getTensorType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getType());
    }
  }];
  let hasVerifier = 1;
}

class Graph_StateAccess<string mnemonic, list<Trait> traits>
    : Op<Graph_Dialect, mnemonic,
         [DeclareOpInterfaceMethods<SymbolUserOpInterface>] # traits> {
  let hasVerifier = 1;
}

def Graph_ReadStateOp : Graph_StateAccess<"read_state",
    [MemoryEffects<[MemRead<Graph_StateResource>]>]> {
  let summary = "what a state holds here";
  let description = [{
    The value of the last `graph.write_state` before it in the function, else
    that of the last run that wrote the state, else its initial value.
    `--graph-functionalize-state` replaces reads by arguments.

    Constraints:

    1. The op stands in the body of a public function.
    2. `state` is the name of a `graph.state` of the type of `result`.

    Example:

    ```mlir
    graph.state @position : tensor<1xi64>
    func.func @main() -> tensor<1xi64> {
      %0 = graph.read_state @position : tensor<1xi64>
      return %0 : tensor<1xi64>
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$state);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$state attr-dict `:` type($result)";
}

def Graph_WriteStateOp : Graph_StateAccess<"write_state",
    [MemoryEffects<[MemWrite<Graph_StateResource>]>]> {
  let summary = "replaces what a state holds";
  let description = [{
    Takes effect if the run succeeds: a run that fails leaves states as they
    were, except as docs/entries.md says. `--graph-functionalize-state` replaces
    writes by results.

    Constraints:

    1. The op stands in the body of a public function.
    2. `state` is the name of a `graph.state` of the type of `value`.

    Example:

    ```mlir
    graph.state @position : tensor<1xi64>
    func.func @main(%next: tensor<1xi64>) {
      graph.write_state @position, %next : tensor<1xi64>
      return
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$state, Graph_Tensor:$value);
  let assemblyFormat = "$state `,` $value attr-dict `:` type($value)";
}

#endif // TENON_GRAPH_STATE_OPS_TD
