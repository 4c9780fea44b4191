//===- ProgramOps.td - targets, entries, buffers and steps -----*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROGRAM_OPS_TD
#define TENON_PROGRAM_OPS_TD

include "tenon/Dialect/Graph/IR/GraphDialect.td"
include "tenon/Dialect/Program/IR/ProgramDialect.td"

include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"

class Program_Op<string mnemonic, list<Trait> traits = []>
    : Op<Program_Dialect, mnemonic, traits>;

//===----------------------------------------------------------------------===//
// Targets and entries
//===----------------------------------------------------------------------===//

def Program_TargetOp : Program_Op<"target",
    [IsolatedFromAbove, NoRegionArguments, NoTerminator, SingleBlock,
     SymbolTable]> {
  let summary = "the code of an artifact for one kind of device";
  let description = [{
    Holds what all entries share (parameters, constants, prepared buffers and
    states), the steps of load, the entries, and the module of the kernels that
    they launch; for a GPU, perhaps a module of graph functions that say what
    calls of libraries compute, and `images`, what a driver loads.

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
  let arguments = (ins Program_Device:$device,
                       OptionalAttr<TypedArrayAttrBase<Program_ImageAttr,
                           "images">>:$images);
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

    Example:

    ```mlir
    program.entry @main symbols ["n"] scratch(64 * n) {
      ...
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       DefaultValuedAttr<StrArrayAttr, "{}">:$symbols,
                       OptionalAttr<Graph_DimsAttr>:$scratch);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name (`symbols` $symbols^)? (`scratch` `(` custom<Int>($scratch)^ `)`)?
    attr-dict-with-keyword $body
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
    The run is refused, with the text, where the value is below 0.

    Example: `program.require "expected n of at least 2" (n - 2)`
  }];
  let arguments = (ins StrAttr:$text, Graph_DimsAttr:$value);
  let assemblyFormat = "$text `(` custom<Int>($value) `)` attr-dict";
}

def Program_PrepareOp : Program_Op<"prepare",
    [HasParent<"TargetOp">, NoRegionArguments, NoTerminator, SingleBlock]> {
  let summary = "steps that are done once, when weights are loaded";
  let description = [{
    Before them stand the arena buffers that they alone use. All sizes are
    constant. `scratch`: as of an entry.

    Example:

    ```mlir
    program.prepare {
      program.launch "fill" @kernels::@fill(%0) extent(1)
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
    [HasParent<"EntryOp">, NoRegionArguments, NoTerminator, SingleBlock]> {
  let summary = "steps of every run";
  let description = [{
    Example:

    ```mlir
    program.run {
      program.copy "copy to y" %x to %y
    }
    ```
  }];
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "attr-dict-with-keyword $body";
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

class Program_BufferOp<string mnemonic, string parent, list<Trait> traits = []>
    : Program_Op<mnemonic, traits # [ParentOneOf<[parent]>]> {
  let results = (outs Program_BufferType:$buffer);
}

def Program_InputOp : Program_BufferOp<"input", "EntryOp"> {
  let summary = "a tensor that the caller gives";
  let description = [{
    `donates`: the number of the output that may take over its memory.

    Example: `%x = program.input "x" : tensor<?xf32, #graph.dims<n>> donates 0`
  }];
  let arguments = (ins StrAttr:$name, TypeAttrOf<AnyRankedTensor>:$type,
                       OptionalAttr<I32Attr>:$donates);
  let assemblyFormat = "$name `:` $type (`donates` $donates^)? attr-dict";
}

def Program_OutputOp : Program_BufferOp<"output", "EntryOp"> {
  let summary = "a tensor that the caller is given";
  let description = [{
    `holds`: the place in the model that computes it.

    Example: `%y = program.output "y" : tensor<4xf32>`
  }];
  let arguments = (ins StrAttr:$name, TypeAttrOf<AnyRankedTensor>:$type,
                       OptionalAttr<StrAttr>:$origin);
  let assemblyFormat = "$name `:` $type (`holds` $origin^)? attr-dict";
}

def Program_ParameterOp : Program_BufferOp<"parameter", "TargetOp"> {
  let summary = "a weight, which is loaded by name";
  let description = [{
    Example: `%w = program.parameter "w" : tensor<4x4xf32>`
  }];
  let arguments = (ins StrAttr:$name, TypeAttrOf<AnyStaticShapeTensor>:$type);
  let assemblyFormat = "$name `:` $type attr-dict";
}

def Program_StateOp : Program_BufferOp<"state", "TargetOp"> {
  let summary = "a tensor of an instance, read and written in place";
  let description = [{
    Lives as long as the instance, from its initial value on (none: zeros).

    Example: `%s = program.state "cache" : tensor<2x64xf32>`
  }];
  let arguments = (ins StrAttr:$name, TypeAttrOf<AnyStaticShapeTensor>:$type,
                       OptionalAttr<ElementsAttr>:$initial);
  let assemblyFormat = "$name `:` $type (`=` $initial^)? attr-dict";
  let hasVerifier = 1;
}

def Program_ConstantOp : Program_BufferOp<"constant", "TargetOp"> {
  let summary = "data of the artifact itself";
  let description = [{
    Example: `%c = program.constant dense<[1.0, 2.0]> : tensor<2xf32>`
  }];
  let arguments = (ins ElementsAttr:$value);
  let assemblyFormat = "$value attr-dict";
  let hasVerifier = 1;
}

def Program_PreparedOp : Program_BufferOp<"prepared", "TargetOp"> {
  let summary = "memory of an instance, written once, at load";
  let description = [{
    Example: `%0 = program.prepared : tensor<4x4xf32>`
  }];
  let arguments = (ins TypeAttrOf<AnyStaticShapeTensor>:$type);
  let assemblyFormat = "`:` $type attr-dict";
}

def Program_ArenaOp
    : Program_Op<"arena", [ParentOneOf<["EntryOp", "PrepareOp"]>]> {
  let summary = "memory of a run between two of its steps";
  let description = [{
    With the first and the last step that uses it, counted from the first of the
    run or of the load. Buffers that do not live at the same time may lie at the
    same place; `at` is that place, in bytes, where all sizes of the arena are
    constant. `holds`: the place in the model that computes what it holds.

    Example: `%0 = program.arena : tensor<?xf32, #graph.dims<n>> live 2 to 5`
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

def Program_FindingsOp : Program_BufferOp<"findings", "EntryOp"> {
  let summary = "where a step says which index is out of range";
  let description = [{
    Two numbers of 64 bits for each part of the index tensor, read by a
    `program.check`.

    Example: `%0 = program.findings : tensor<1x2xi64>`
  }];
  let arguments = (ins TypeAttrOf<AnyStaticShapeTensor>:$type);
  let assemblyFormat = "`:` $type attr-dict";
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

class Program_Step<string mnemonic, list<Trait> traits = []>
    : Program_Op<mnemonic,
                 traits # [ParentOneOf<["PrepareOp", "RunOp", "IfOp", "LoopOp",
                                        "TaskOp"]>]>;

def Program_LaunchOp : Program_Step<"launch",
    [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a kernel of the target";
  let description = [{
    `extent`: parts that may run at once on a CPU, of which a thread takes at
    least `grain`; blocks of the grid on a GPU, of `block` threads with `shared`
    bytes beyond what the kernel declares.

    Example:

    ```mlir
    program.launch "relu" @kernels::@relu(%x, %y) extent(n) grain 16
    ```
  }];
  let arguments = (ins StrAttr:$name, SymbolRefAttr:$kernel,
                       Variadic<Program_BufferType>:$buffers,
                       Graph_DimsAttr:$extent,
                       DefaultValuedAttr<I64Attr, "1">:$grain,
                       OptionalAttr<I64Attr>:$block,
                       OptionalAttr<I64Attr>:$shared);
  let assemblyFormat = [{
    $name $kernel `(` $buffers `)` `extent` `(` custom<Int>($extent) `)`
    (`grain` $grain^)? (`block` $block^)? (`shared` $shared^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Program_CallOp : Program_Step<"call",
    [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "calls a library";
  let description = [{
    Buffers are the operands, what is read first; the types say how a buffer is
    read, and `orders` how the axes lie in memory, outermost first (`[]`:
    row-major). The attributes are the fields of `tenon_site`. `reference`: a
    graph function that computes the same (of a GPU's libraries).

    Example:

    ```mlir
    program.call "dense" onednn matmul(%x, %w, %y) {constant_weight}
      : tensor<2x3xf32>, tensor<3x4xf32>, tensor<2x4xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, Program_Library:$library,
                       Program_Primitive:$primitive,
                       Variadic<Program_BufferType>:$buffers,
                       TypeArrayAttr:$types,
                       OptionalAttr<ArrayAttr>:$orders,
                       UnitAttr:$has_bias,
                       OptionalAttr<TypedArrayAttrBase<Program_PostAttr,
                           "posts">>:$posts,
                       OptionalAttr<DenseI64ArrayAttr>:$strides,
                       OptionalAttr<DenseI64ArrayAttr>:$dilations,
                       OptionalAttr<DenseI64ArrayAttr>:$pads_begin,
                       OptionalAttr<DenseI64ArrayAttr>:$pads_end,
                       DefaultValuedAttr<I64Attr, "1">:$groups,
                       UnitAttr:$constant_weight, UnitAttr:$tf32,
                       OptionalAttr<DenseI64ArrayAttr>:$window,
                       OptionalAttr<F32Attr>:$alpha, OptionalAttr<F32Attr>:$beta,
                       OptionalAttr<F32Attr>:$k, OptionalAttr<F32Attr>:$epsilon,
                       OptionalAttr<SymbolRefAttr>:$reference);
  let assemblyFormat = [{
    $name $library $primitive `(` $buffers `)` (`reference` $reference^)?
    attr-dict `:` custom<Types>($types)
  }];
  let hasVerifier = 1;
}

def Program_PluginOp : Program_Step<"plugin"> {
  let summary = "calls a plug-in";
  let description = [{
    `types` are those of one item, of the operands of the pattern and then its
    results; `lifted` says which have the call's items in front, `constant`
    which are known once weights are loaded.

    Example:

    ```mlir
    program.plugin "relu" "mine" "relu"(%x, %y) file "libmine.so" version "1.0"
      hash 7 items(1) lifted [false, false] constant [false, false] results 1
      : tensor<4xf32>, tensor<4xf32>
    ```
  }];
  let arguments = (ins StrAttr:$name, StrAttr:$backend, StrAttr:$pattern,
                       Variadic<Program_BufferType>:$buffers, StrAttr:$file,
                       StrAttr:$version, UI64Attr:$patterns_hash,
                       Graph_DimsAttr:$items, DenseBoolArrayAttr:$lifted,
                       DenseBoolArrayAttr:$constant, I64Attr:$num_results,
                       TypeArrayAttr:$types, OptionalAttr<StrArrayAttr>:$symbols,
                       OptionalAttr<Graph_DimsAttr>:$values);
  let assemblyFormat = [{
    $name $backend $pattern `(` $buffers `)` `file` $file `version` $version
    `hash` $patterns_hash `items` `(` custom<Int>($items) `)`
    `lifted` $lifted `constant` $constant `results` $num_results
    (`symbols` $symbols^ `values` $values)? attr-dict `:` custom<Types>($types)
  }];
  let hasVerifier = 1;
}

def Program_CopyOp : Program_Step<"copy"> {
  let summary = "copies a buffer to another of as many bytes";
  let description = [{
    Example: `program.copy "copy to y" %0 to %y`
  }];
  let arguments = (ins StrAttr:$name, Program_BufferType:$from,
                       Program_BufferType:$to);
  let assemblyFormat = "$name $from `to` $to attr-dict";
}

def Program_CheckOp : Program_Step<"check"> {
  let summary = "ends a run, or the load, if an index is out of range";
  let description = [{
    Reads what the step before it found. `reader` reads at the indices, and
    `input` is the input that they are (none: they are computed). Entry i of the
    last axis of the index tensor, whose sizes are `shape`, has range i modulo
    their number; `ignored` is allowed, too.

    Example:

    ```mlir
    program.check "embedding" %0 of "ids" shape [2, n] parts 1
      [#program.range<axis 0, 0 to 100>]
    ```
  }];
  let arguments = (ins StrAttr:$reader, Program_BufferType:$findings,
                       OptionalAttr<StrAttr>:$input, Graph_DimsAttr:$shape,
                       I64Attr:$parts, OptionalAttr<I64Attr>:$ignored,
                       TypedArrayAttrBase<Program_RangeAttr, "ranges">:$ranges);
  let assemblyFormat = [{
    $reader $findings (`of` $input^)? `shape` custom<Ints>($shape)
    `parts` $parts (`ignored` $ignored^)? $ranges attr-dict
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

def Program_IfOp : Program_Step<"if", [NoTerminator]> {
  let summary = "runs steps if a flag is set";
  let description = [{
    The flag is one element of i1, which an earlier step wrote; without it, the
    steps of `else` run, if there are any. What the steps use lives for the
    whole of them.

    Example:

    ```mlir
    program.if %flag {
      program.launch "then" @kernels::@k0(%x, %y) extent(1)
    } else {
      program.launch "else" @kernels::@k1(%x, %y) extent(1)
    }
    ```
  }];
  let arguments = (ins Program_BufferType:$flag);
  let regions = (region SizedRegion<1>:$thenSteps, AnyRegion:$elseSteps);
  let assemblyFormat = "$flag $thenSteps (`else` $elseSteps^)? attr-dict";
  let hasVerifier = 1;
}

def Program_LoopOp : Program_Step<"loop", [NoTerminator, SingleBlock]> {
  let summary = "runs steps a bounded number of times";
  let description = [{
    As often as `count` says, one element of i64, but at most `most` times; with
    `while`, one element of i1, no more once that is not set, which is looked at
    before each time.

    Example:

    ```mlir
    program.loop %count most 16 while %more {
      program.launch "body" @kernels::@k0(%x, %y) extent(1)
    }
    ```
  }];
  let arguments = (ins Program_BufferType:$count, I64Attr:$most,
                       Optional<Program_BufferType>:$condition);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $count `most` $most (`while` $condition^)? $body attr-dict
  }];
  let hasVerifier = 1;
}

def Program_TaskOp : Program_Step<"task", [NoTerminator, SingleBlock]> {
  let summary = "steps that a schedule moves as one";
  let description = [{
    Such as the forward steps of a stage for one micro-batch.

    Example:

    ```mlir
    program.task "forward 0" {
      program.launch "k" @kernels::@k0(%x, %y) extent(1)
    }
    ```
  }];
  let arguments = (ins StrAttr:$name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$name $body attr-dict";
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

class Program_Transfer<string mnemonic> : Program_Step<mnemonic> {
  let results = (outs Program_TokenType:$token);
}

def Program_SendOp : Program_Transfer<"send"> {
  let summary = "begins to send a buffer to another rank";
  let description = [{
    It meets the receive of that rank with the same tag; of several, the first
    meets the first. The buffer is not written before the `program.wait`.

    Example: `%t = program.send %x to 1 tag 3`
  }];
  let arguments = (ins Program_BufferType:$buffer, I64Attr:$rank, I64Attr:$tag);
  let assemblyFormat = "$buffer `to` $rank `tag` $tag attr-dict";
  let hasVerifier = 1;
}

def Program_ReceiveOp : Program_Transfer<"receive"> {
  let summary = "begins to receive a buffer from another rank";
  let description = [{
    The buffer is neither read nor written before the `program.wait`.

    Example: `%t = program.receive %x from 0 tag 3`
  }];
  let arguments = (ins Program_BufferType:$buffer, I64Attr:$rank, I64Attr:$tag);
  let assemblyFormat = "$buffer `from` $rank `tag` $tag attr-dict";
  let hasVerifier = 1;
}

def Program_AllReduceOp : Program_Transfer<"all_reduce"> {
  let summary = "begins to add a buffer up over ranks";
  let description = [{
    All of `ranks` do, in the same order of their calls; each has the sum at
    last, added in the order of the ranks. The buffer is neither read nor
    written before the `program.wait`.

    Example: `%t = program.all_reduce %gradient among [0, 1]`
  }];
  let arguments = (ins Program_BufferType:$buffer, DenseI64ArrayAttr:$ranks);
  let assemblyFormat = "$buffer `among` $ranks attr-dict";
  let hasVerifier = 1;
}

def Program_WaitOp : Program_Step<"wait"> {
  let summary = "waits for transfers";
  let description = [{
    Example: `program.wait %t`
  }];
  let arguments = (ins Variadic<Program_TokenType>:$tokens);
  let assemblyFormat = "$tokens attr-dict";
  let hasVerifier = 1;
}

#endif // TENON_PROGRAM_OPS_TD
