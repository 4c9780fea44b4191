//===- ProgramOps.td - targets and entries; all ops -----------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROGRAM_OPS_TD
#define TENON_PROGRAM_OPS_TD

include "tenon/Dialect/Kernel/IR/TargetAttrs.td"
include "tenon/Dialect/Program/IR/BufferOps.td"
include "tenon/Dialect/Program/IR/RankOps.td"
include "tenon/Dialect/Program/IR/StepOps.td"

def Program_TargetOp : Program_Op<"target",
    [IsolatedFromAbove, NoRegionArguments, NoTerminator, SingleBlock,
     SymbolTable]> {
  let summary = "the code of an artifact for one kind of device";
  let description = [{
    Holds what all entries share (parameters, constants, prepared buffers and
    states), the steps of load, the entries, and the module of the kernels that
    they launch; for a GPU, perhaps a module of graph functions that say what
    calls of libraries compute, and `images`, what a driver loads. `host`: the
    CPU that its code is for; without it, the first of the module's
    `kernel.target`. Where there are `program.ranks`, these are what callers run,
    and entries are their tasks.

    Constraints:

    1. The body holds `program.parameter`, `program.constant`, `program.prepared`
       and `program.state`, at most one `program.prepare`, which stands before all
       entries, then `program.ranks`, entries and modules, and nothing else.
    2. The names of parameters are distinct, and so are those of states.
    3. Buffers have integer or floating-point elements; no size is `?`.

    Example:

    ```mlir
    program.target cpu {
      program.entry @main {
        %x = program.input "x" : tensor<4xf32>
        %y = program.output "y" : tensor<4xf32>
        program.run {
          program.copy "copy to y" %x to %y
        }
      }
    }
    ```
  }];
  let arguments = (ins Program_DeviceAttr:$device,
                       OptionalAttr<TypedArrayAttrBase<Program_ImageAttr,
                           "images">>:$images,
                       OptionalAttr<Kernel_CpuAttr>:$host);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$device attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Program_EntryOp : Program_Op<"entry",
    [HasParent<"TargetOp">, NoRegionArguments, NoTerminator, SingleBlock,
     Symbol]> {
  let summary = "something that a caller may run";
  let description = [{
    `symbols`: the dimension symbols, in the order in which kernels are given
    them; each is the size of an axis of an input. `scratch`: bytes beside the
    buffers, of each thread on a CPU and of all kernels on a GPU.

    Constraints:

    1. The body holds inputs, outputs, `program.arena`, `program.findings`,
       `program.require`, and one `program.run`.
    2. The names of inputs are distinct, and so are those of outputs.
    3. Symbols are distinct, and each is a size of an input. All sizes in the
       entry are made of them.
    4. Buffers have integer or floating-point elements.

    Example:

    ```mlir
    program.target cpu {
      program.entry @main symbols ["n"] scratch(64 * n) {
        %x = program.input "x" : tensor<?xf32, #graph.dims<n>>
        %y = program.output "y" : tensor<?xf32, #graph.dims<n>>
        program.run {
          program.launch "relu" @kernels::@relu(%x, %y) extent(n)
        }
      }
      builtin.module @kernels {
        llvm.func @relu(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       DefaultValuedAttr<StrArrayAttr, "{}">:$symbols,
                       OptionalAttr<Graph_DimsAttr>:$scratch);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name (`symbols` $symbols^)?
    (`scratch` `(` custom<Int>($scratch)^ `)`)? attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::tenon::program::RunOp getRun();
    ::tenon::graph::SymInt getScratchSize();
  }];
}

def Program_RequireOp : Program_Op<"require", [HasParent<"EntryOp">]> {
  let summary = "says what sizes must satisfy before a run";
  let description = [{
    A run is refused, with the text, if the value is below 0 for the sizes of its
    inputs.

    Constraints:

    1. The value is made of the symbols of the entry.

    Example:

    ```mlir
    program.target cpu {
      program.entry @main symbols ["n"] {
        %x = program.input "x" : tensor<?xf32, #graph.dims<n>>
        %y = program.output "y" : tensor<?xf32, #graph.dims<n>>
        program.require "expected n of at least 2" (n - 2)
        program.run {
          program.copy "copy to y" %x to %y
        }
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$text, Graph_DimsAttr:$value);
  let assemblyFormat = "$text `(` custom<Int>($value) `)` attr-dict";
}

def Program_PrepareOp : Program_Op<"prepare",
    [HasParent<"TargetOp">, NoRegionArguments, NoTerminator, SingleBlock]> {
  let summary = "steps that are done once, when weights are loaded";
  let description = [{
    Writes `program.prepared` buffers. `scratch`: as of an entry.

    Constraints:

    1. The body holds the arena buffers that these steps alone use, then steps.
    2. All sizes are constant.

    Example:

    ```mlir
    program.target cpu {
      %w = program.parameter "w" : tensor<4xf32>
      %p = program.prepared : tensor<4xf32>
      program.prepare {
        program.copy "keep w" %w to %p
      }
    }
    ```
  }];
  let arguments = (ins OptionalAttr<Graph_DimsAttr>:$scratch);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`scratch` `(` custom<Int>($scratch)^ `)`)? attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::tenon::graph::SymInt getScratchSize();
  }];
}

def Program_RunOp : Program_Op<"run",
    [ParentOneOf<["EntryOp", "RankOp"]>, NoRegionArguments, NoTerminator, SingleBlock]> {
  let summary = "steps of every run";
  let description = [{
    Steps run in the order of the body.

    Constraints:

    1. The op stands once in its entry, or in its rank.

    Example:

    ```mlir
    program.target cpu {
      program.entry @main {
        %x = program.input "x" : tensor<4xf32>
        %y = program.output "y" : tensor<4xf32>
        program.run {
          program.copy "copy to y" %x to %y
        }
      }
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
}

#endif // TENON_PROGRAM_OPS_TD
