//===- BufferOps.td - memory that steps use -------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROGRAM_BUFFER_OPS_TD
#define TENON_PROGRAM_BUFFER_OPS_TD

include "tenon/Dialect/Program/IR/ProgramOpsBase.td"

class Program_BufferOp<string mnemonic, list<string> parents,
                       list<Trait> traits = []>
    : Program_Op<mnemonic, traits # [ParentOneOf<parents>]> {
  let results = (outs Program_BufferType:$buffer);
}

def Program_InputOp : Program_BufferOp<"input", ["EntryOp", "RanksOp"]> {
  let summary = "a tensor that the caller gives";
  let description = [{
    `donates`: the number of the output that may take over its memory.

    Constraints:

    1. `donates` is below the number of outputs of the entry.

    Example:

    ```mlir
    program.target cpu {
      program.entry @main symbols ["n"] {
        %x = program.input "x" : tensor<?xf32, #graph.dims<n>> donates 0
        %y = program.output "y" : tensor<?xf32, #graph.dims<n>>
        program.run {
          program.copy "copy to y" %x to %y
        }
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, TypeAttrOf<AnyRankedTensor>:$type,
                       OptionalAttr<I32Attr>:$donates);
  let assemblyFormat = "$name `:` $type (`donates` $donates^)? attr-dict";
}

def Program_OutputOp : Program_BufferOp<"output", ["EntryOp", "RanksOp"]> {
  let summary = "a tensor that the caller is given";
  let description = [{
    `holds`: the place in the model that computes it. Outputs are numbered in
    the order of the entry.

    Constraints:

    1. The name is that of no other output of the entry.

    Example:

    ```mlir
    program.target cpu {
      program.entry @main {
        %x = program.input "x" : tensor<4xf32>
        %y = program.output "y" : tensor<4xf32> holds "model.mlir:9:2 graph.relu"
        program.run {
          program.copy "copy to y" %x to %y
        }
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, TypeAttrOf<AnyRankedTensor>:$type,
                       OptionalAttr<StrAttr>:$origin);
  let assemblyFormat = "$name `:` $type (`holds` $origin^)? attr-dict";
}

def Program_ParameterOp : Program_BufferOp<"parameter", ["TargetOp"]> {
  let summary = "a weight, which is loaded by name";
  let description = [{
    Its elements are there once the model is loaded, from the file of weights or
    from a function of the caller. Steps only read it.

    Constraints:

    1. The name is that of no other parameter of the target.

    Example:

    ```mlir
    program.target cpu {
      %w = program.parameter "w" : tensor<4xf32>
      program.entry @main {
        %y = program.output "y" : tensor<4xf32>
        program.run {
          program.copy "copy to y" %w to %y
        }
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, TypeAttrOf<AnyStaticShapeTensor>:$type);
  let assemblyFormat = "$name `:` $type attr-dict";
}

def Program_StateOp : Program_BufferOp<"state", ["TargetOp"]> {
  let summary = "a tensor of an instance, read and written in place";
  let description = [{
    Lives as long as the instance. It starts as `initial`, as the weight
    `source`, or as zeros. `transient`: callers do not see it, because it is zero
    between their runs; after one that failed, the runtime makes it zero.

    Constraints:

    1. The name is that of no other state of the target.
    2. The initial value has the type of the state.
    3. `source` is a parameter of the type of the state; there is no `initial`
       beside it.
    4. A transient state starts as zeros.

    Example:

    ```mlir
    program.target cpu {
      %s = program.state "s" : tensor<2xi64> = dense<[1, 2]> : tensor<2xi64>
      program.entry @main {
        %x = program.input "x" : tensor<2xi64>
        program.run {
          program.copy "remember x" %x to %s
        }
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, TypeAttrOf<AnyStaticShapeTensor>:$type,
                       OptionalAttr<ElementsAttr>:$initial, UnitAttr:$transient,
                       Optional<Program_BufferType>:$source);
  let assemblyFormat = [{
    (`transient` $transient^)? $name `:` $type (`=` $initial^)?
    (`from` $source^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Program_ConstantOp : Program_BufferOp<"constant", ["TargetOp"]> {
  let summary = "data of the artifact itself";
  let description = [{
    Read only; the elements are part of the artifact.

    Constraints:

    1. `value` is of a ranked tensor type.

    Example:

    ```mlir
    program.target cpu {
      %c = program.constant dense<[1.0, 2.0]> : tensor<2xf32>
      program.entry @main {
        %y = program.output "y" : tensor<2xf32>
        program.run {
          program.copy "copy to y" %c to %y
        }
      }
    }
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let assemblyFormat = "$value attr-dict";
  let hasVerifier = 1;
}

def Program_PreparedOp : Program_BufferOp<"prepared", ["TargetOp"]> {
  let summary = "memory of an instance, written once, at load";
  let description = [{
    The steps of `program.prepare` write it, such as a weight in the layout that
    a kernel reads; runs read it.

    Constraints:

    1. The type has a static shape and integer or floating-point elements.

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
  let arguments = (ins TypeAttrOf<AnyStaticShapeTensor>:$type);
  let assemblyFormat = "`:` $type attr-dict";
}

def Program_ArenaOp
    : Program_Op<"arena", [ParentOneOf<["EntryOp", "PrepareOp", "RankOp"]>]> {
  let summary = "memory of a run between two of its steps";
  let description = [{
    With the first and the last step that uses it, counted from the first of the
    run or of the load. Buffers that do not live at the same time may lie at the
    same place; `at` is that place, in bytes. `holds`: the place in the model
    that computes what it holds.

    Constraints:

    1. `0 <= first <= last`, and `last` is below the number of steps. Checks are
       not counted.
    2. All steps that use the buffer lie from `first` to `last`; a transfer uses
       its buffer until it is waited for.
    3. `at` is not below 0, and stated only if the size is constant.
    4. Places of buffers that live at the same time do not overlap.

    Example:

    ```mlir
    program.target cpu {
      program.entry @main {
        %x = program.input "x" : tensor<4xf32>
        %y = program.output "y" : tensor<4xf32>
        %a = program.arena : tensor<4xf32> live 0 to 1 at 64
        program.run {
          program.copy "copy to a" %x to %a
          program.copy "copy to y" %a to %y
        }
      }
    }
    ```
  }];
  let arguments = (ins TypeAttrOf<AnyRankedTensor>:$type, I64Attr:$first,
                       I64Attr:$last, OptionalAttr<I64Attr>:$offset,
                       OptionalAttr<StrAttr>:$origin);
  let results = (outs Program_BufferType:$buffer);
  let assemblyFormat = [{
    `:` $type `live` $first `to` $last (`at` $offset^)? (`holds` $origin^)?
    attr-dict
  }];
}

def Program_FindingsOp : Program_BufferOp<"findings", ["EntryOp"]> {
  let summary = "where a step says which index is out of range";
  let description = [{
    Two numbers of 64 bits for each part of the index tensor: the position and
    the value of its first wrong index. A step writes them, and a
    `program.check` reads them.

    Constraints:

    1. The type has a static shape and integer or floating-point elements.

    Example:

    ```mlir
    program.target cpu {
      program.entry @main {
        %i = program.input "ids" : tensor<2x3xi64>
        %f = program.findings : tensor<1x2xi64>
        program.run {
          program.launch "look" @kernels::@look(%i, %f) extent(1)
          program.check "gather" %f of "ids" shape [2, 3] parts 1
            [#program.range<axis 0, 0 to 100>]
        }
      }
      builtin.module @kernels {
        llvm.func @look(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
      }
    }
    ```
  }];
  let arguments = (ins TypeAttrOf<AnyStaticShapeTensor>:$type);
  let assemblyFormat = "`:` $type attr-dict";
}

#endif // TENON_PROGRAM_BUFFER_OPS_TD
