//===- StepOps.td - launches, calls, copies, checks -----------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROGRAM_STEP_OPS_TD
#define TENON_PROGRAM_STEP_OPS_TD

include "tenon/Dialect/Program/IR/ProgramOpsBase.td"

def Program_LaunchOp : Program_Step<"launch",
    [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "runs a kernel of the target";
  let description = [{
    `extent`: parts that may run at once on a CPU, of which a thread takes at
    least `grain`; blocks of the grid on a GPU, of `block` threads with `shared`
    bytes beyond what the kernel declares. The kernel is given the addresses of
    the buffers, in order.

    Constraints:

    1. `kernel` is a symbol in the target.
    2. `grain` is at least 1.
    3. `block` is stated if the target is a GPU, from 1 to 1024, and only then.
    4. `shared` is from 0 to 2^20.

    Example:

    ```mlir
    program.target cpu {
      program.entry @main symbols ["n"] {
        %x = program.input "x" : tensor<?xf32, #graph.dims<n>>
        %y = program.output "y" : tensor<?xf32, #graph.dims<n>>
        program.run {
          program.launch "relu" @kernels::@relu(%x, %y) extent(n) grain 16
        }
      }
      builtin.module @kernels {
        llvm.func @relu(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
      }
    }
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
    row-major). `primitive` says what is computed. `constant_weight`: the second
    buffer is a parameter, a constant or a prepared buffer, and is packed once,
    into the layout that the library prefers. `reference`: a graph function that
    computes the same (of a GPU's libraries).

    Constraints:

    1. There is one ranked tensor type per buffer.
    2. The number of buffers is one that the primitive allows. Each of `posts`
       that reads a buffer adds one.
    3. `orders` has one entry per buffer: empty, or a permutation of its axes.
    4. Lists of a primitive have one entry for each spatial axis, and a
       convolution has at least one group.
    5. `reference` is a symbol in the target.

    Example:

    ```mlir
    program.target cpu {
      %w = program.parameter "w" : tensor<3x4xf32>
      program.entry @main {
        %x = program.input "x" : tensor<2x3xf32>
        %y = program.output "y" : tensor<2x4xf32>
        program.run {
          program.call "dense" onednn #program.matmul(%x, %w, %y) {constant_weight}
            : tensor<2x3xf32>, tensor<3x4xf32>, tensor<2x4xf32>
        }
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, Program_LibraryAttr:$library,
                       Program_PrimitiveInterface:$primitive,
                       Variadic<Program_BufferType>:$buffers,
                       TypeArrayAttr:$types,
                       OptionalAttr<ArrayAttr>:$orders,
                       OptionalAttr<TypedArrayAttrBase<Program_PostOpAttr,
                           "posts">>:$posts,
                       UnitAttr:$constant_weight,
                       OptionalAttr<SymbolRefAttr>:$reference);
  let assemblyFormat = [{
    $name custom<Library>($library) $primitive `(` $buffers `)` (`reference` $reference^)?
    attr-dict `:` custom<Types>($types)
  }];
  let hasVerifier = 1;
}

def Program_PluginOp : Program_Step<"plugin"> {
  let summary = "calls a plug-in";
  let description = [{
    `types` are those of one item, of the operands of the pattern and then its
    results; `lifted` says which have the call's items in front, `constant`
    which are known once weights are loaded. `symbols` and `values` give the
    pattern's symbols.

    Constraints:

    1. There is one ranked tensor type per buffer, and one entry of `lifted` and
       of `constant`.
    2. The number of results is from 1 to the number of buffers.
    3. `symbols` and `values` have as many entries.

    Example:

    ```mlir
    program.target cpu {
      program.entry @main {
        %x = program.input "x" : tensor<4xf32>
        %y = program.output "y" : tensor<4xf32>
        program.run {
          program.plugin "relu" "mine" "relu"(%x, %y) file "libmine.so" version "1.0"
            hash 7 items(1) lifted [false, false] constant [false, false] results 1
            : tensor<4xf32>, tensor<4xf32>
        }
      }
    }
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
    Writes all bytes of `from` to `to`, whatever their types are.

    Constraints:

    1. The op stands in a `program.prepare` or `program.run`, as every
       step does.

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

    Constraints:

    1. There is at least one range.
    2. `findings` is a `program.findings` or a `program.prepared`.
    3. `parts` is at least 1.
    4. The op follows the step that writes `findings`; only other checks may
       stand between.

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

#endif // TENON_PROGRAM_STEP_OPS_TD
