//===- TaskOps.td - tasks and channels ------------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROGRAM_TASK_OPS_TD
#define TENON_PROGRAM_TASK_OPS_TD

include "tenon/Dialect/Program/IR/ProgramOpsBase.td"

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

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

#endif // TENON_PROGRAM_TASK_OPS_TD
