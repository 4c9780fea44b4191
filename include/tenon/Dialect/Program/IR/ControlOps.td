//===- ControlOps.td - branches, loops, tasks, channels -------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROGRAM_CONTROL_OPS_TD
#define TENON_PROGRAM_CONTROL_OPS_TD

include "tenon/Dialect/Program/IR/ProgramOpsBase.td"

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

def Program_IfOp : Program_Step<"if", [NoTerminator]> {
  let summary = "runs steps if a flag is set";
  let description = [{
    The flag is one element of i1, which an earlier step wrote; without it, the
    steps of `else` run, if there are any. What the steps use lives for the
    whole of them. `tenon-compile` refuses it: the runtime has no such step.

    Constraints:

    1. `flag` has a static shape with one element, of i1.
    2. `else` has at most one block.

    Example:

    ```mlir
    program.target cpu {
      program.entry @main {
        %x = program.input "x" : tensor<4xf32>
        %y = program.output "y" : tensor<4xf32>
        %flag = program.arena : tensor<i1> live 0 to 1
        program.run {
          program.launch "decide" @kernels::@decide(%x, %flag) extent(1)
          program.if %flag {
            program.copy "copy to y" %x to %y
          }
        }
      }
      builtin.module @kernels {
        llvm.func @decide(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
      }
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
    before each time. `tenon-compile` refuses it: the runtime has no such step.

    Constraints:

    1. `count` has a static shape with one element, of i64.
    2. `most` is at least 0.
    3. `condition` has a static shape with one element, of i1.

    Example:

    ```mlir
    program.target cpu {
      program.entry @main {
        %x = program.input "x" : tensor<4xf32>
        %y = program.output "y" : tensor<4xf32>
        %count = program.input "count" : tensor<1xi64>
        program.run {
          program.loop %count most 16 {
            program.launch "step" @kernels::@step(%x, %y) extent(1)
          }
        }
      }
      builtin.module @kernels {
        llvm.func @step(!llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64)
      }
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
    Such as the forward steps of a stage for one micro-batch: then `stage` is its
    name, `kind` forward, backward, backward_input or backward_weight, and
    `samples` those of the micro-batch that this rank computes, from the first to
    before the second number. `tenon-compile` refuses it: the runtime has no such
    step.

    Constraints:

    1. The body has one block, of steps.

    Example:

    ```mlir
    program.target cpu {
      program.entry @main {
        %x = program.input "x" : tensor<4xf32>
        %y = program.output "y" : tensor<4xf32>
        program.run {
          program.task "forward 0" {
            program.copy "copy to y" %x to %y
          }
        }
      }
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<StrAttr>:$stage,
                       OptionalAttr<StrAttr>:$kind,
                       OptionalAttr<I64Attr>:$micro_batch,
                       OptionalAttr<DenseI64ArrayAttr>:$samples);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name (`of` $stage^)? (`kind` $kind^)? (`micro_batch` $micro_batch^)?
    (`samples` $samples^)? $body attr-dict
  }];
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
    meets the first. `samples`: those that it holds, from the first to before the
    second number. The buffer is not written before the `program.wait`.
    `tenon-compile` refuses it: the runtime has no such step.

    Constraints:

    1. `rank` and `tag` are at least 0.
    2. One `program.wait` in the same block uses the token.

    Example:

    ```mlir
    program.target cpu {
      program.entry @main {
        %x = program.input "x" : tensor<4xf32>
        %y = program.output "y" : tensor<4xf32>
        program.run {
          %t = program.send %x to 1 tag 3
          program.wait %t
        }
      }
    }
    ```
  }];
  let arguments = (ins Program_BufferType:$buffer, I64Attr:$rank, I64Attr:$tag,
                       OptionalAttr<DenseI64ArrayAttr>:$samples);
  let assemblyFormat = [{
    $buffer `to` $rank `tag` $tag (`samples` $samples^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Program_ReceiveOp : Program_Transfer<"receive"> {
  let summary = "begins to receive a buffer from another rank";
  let description = [{
    The buffer is neither read nor written before the `program.wait`.
    `tenon-compile` refuses it: the runtime has no such step.

    Constraints:

    1. `rank` and `tag` are at least 0.
    2. One `program.wait` in the same block uses the token.
    3. The buffer is no parameter, constant or input.

    Example:

    ```mlir
    program.target cpu {
      program.entry @main {
        %x = program.input "x" : tensor<4xf32>
        %y = program.output "y" : tensor<4xf32>
        program.run {
          %t = program.receive %y from 0 tag 3
          program.wait %t
        }
      }
    }
    ```
  }];
  let arguments = (ins Program_BufferType:$buffer, I64Attr:$rank, I64Attr:$tag,
                       OptionalAttr<DenseI64ArrayAttr>:$samples);
  let assemblyFormat = [{
    $buffer `from` $rank `tag` $tag (`samples` $samples^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Program_AllReduceOp : Program_Transfer<"all_reduce"> {
  let summary = "begins to add a buffer up over ranks";
  let description = [{
    All of `ranks` do, in the same order of their calls; each has the sum at
    last, added in the order of the ranks. The buffer is neither read nor
    written before the `program.wait`. `tenon-compile` refuses it: the runtime
    has no such step.

    Constraints:

    1. `ranks` has two entries or more, at least 0 and distinct.
    2. One `program.wait` in the same block uses the token.
    3. The buffer has integer or floating-point elements.

    Example:

    ```mlir
    program.target cpu {
      program.entry @main {
        %x = program.input "x" : tensor<4xf32>
        %y = program.output "y" : tensor<4xf32>
        program.run {
          %t = program.all_reduce %y among [0, 1]
          program.wait %t
        }
      }
    }
    ```
  }];
  let arguments = (ins Program_BufferType:$buffer, DenseI64ArrayAttr:$ranks);
  let assemblyFormat = "$buffer `among` $ranks attr-dict";
  let hasVerifier = 1;
}

def Program_WaitOp : Program_Step<"wait"> {
  let summary = "waits for transfers";
  let description = [{
    Waits for the transfers of all `tokens`. `tenon-compile` refuses it: the
    runtime has no such step.

    Constraints:

    1. There is at least one token.

    Example:

    ```mlir
    program.target cpu {
      program.entry @main {
        %x = program.input "x" : tensor<4xf32>
        %y = program.output "y" : tensor<4xf32>
        program.run {
          %t = program.send %x to 1 tag 3
          %u = program.receive %y from 1 tag 3
          program.wait %t, %u
        }
      }
    }
    ```
  }];
  let arguments = (ins Variadic<Program_TokenType>:$tokens);
  let assemblyFormat = "$tokens attr-dict";
  let hasVerifier = 1;
}

#endif // TENON_PROGRAM_CONTROL_OPS_TD
