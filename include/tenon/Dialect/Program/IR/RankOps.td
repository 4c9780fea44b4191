//===- RankOps.td - what ranks do together --------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROGRAM_RANK_OPS_TD
#define TENON_PROGRAM_RANK_OPS_TD

include "tenon/Dialect/Program/IR/ProgramOpsBase.td"

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

def Program_RanksOp : Program_Op<"ranks",
    [DeclareOpInterfaceMethods<SymbolUserOpInterface>, NoRegionArguments,
     NoTerminator, ParentOneOf<["::mlir::ModuleOp", "TargetOp"]>, SingleBlock,
     Symbol]> {
  let summary = "something that a caller may run, and that several ranks do";
  let description = [{
    Inputs and outputs are those of the caller, for all ranks together. Beside
    functions of a module, tasks are these functions; in a `program.target`, they
    are its entries, which callers can't run then.

    Constraints:

    1. The body holds inputs and outputs, then `program.rank` 0, 1 and so on, at
       least one.
    2. The names of inputs are distinct, and so are those of outputs.
    3. All sizes are constant, and elements are integers or floats.
    4. Tasks and states exist. A task is called with its types.
    5. Other ranks of a transfer or a sum exist. All ranks have as many
       `program.barrier`.
    6. Outputs are not read: another rank may write them.

    Example:

    ```mlir
    func.func @double(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = graph.add %x, %x : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    program.ranks @main {
      %x = program.input "x" : tensor<2xf32>
      %y = program.output "y" : tensor<2xf32>
      program.rank 0 {
        %a = program.arena : tensor<2xf32> live 0 to 2
        program.run {
          program.task @double(%x) to (%a)
          %t = program.send %a to 1 tag 0 group 0
          program.wait %t
        }
      }
      program.rank 1 {
        %a = program.arena : tensor<2xf32> live 0 to 2
        program.run {
          %t = program.receive %a from 0 tag 0 group 0
          program.wait %t
          program.task @double(%a) to (%y)
        }
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    llvm::SmallVector<::tenon::program::RankOp> getRanks();
  }];
}

def Program_RankOp : Program_Op<"rank",
    [HasParent<"RanksOp">, NoRegionArguments, NoTerminator, SingleBlock]> {
  let summary = "the steps of one rank, and its memory";
  let description = [{
    Buffers of the arena live between steps of this rank; parameters and states
    are those of its tasks.

    Constraints:

    1. The body holds `program.arena` and `program.part`, then one `program.run`
       of tasks, copies, transfers, sums, waits and barriers.
    2. Steps use buffers of the arena while these live, as in an entry.

    Example:

    ```mlir
    program.ranks @main {
      %x = program.input "x" : tensor<2xf32>
      %y = program.output "y" : tensor<2xf32>
      program.rank 0 {
        program.run {
          program.copy "pass on" %x to %y
        }
      }
    }
    ```
  }];
  let arguments = (ins I64Attr:$rank);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$rank attr-dict-with-keyword $body";
  let extraClassDeclaration = [{
    ::tenon::program::RunOp getRun();
  }];
}

def Program_PartOp : Program_Op<"part", [HasParent<"RankOp">]> {
  let summary = "a part of a tensor, along one axis";
  let description = [{
    The indices of `axis` from `at` on, as many as the type has.

    Constraints:

    1. The whole is an input, an output or a buffer of the arena.
    2. The type is that of the whole but for the size of the axis, and the part
       lies within it.

    Example:

    ```mlir
    program.ranks @main {
      %x = program.input "x" : tensor<4x2xf32>
      %y = program.output "y" : tensor<4x2xf32>
      program.rank 0 {
        %0 = program.part %x axis 0 at 2 : tensor<2x2xf32>
        %1 = program.part %y axis 0 at 0 : tensor<2x2xf32>
        program.run {
          program.copy "the end to the beginning" %0 to %1
        }
      }
    }
    ```
  }];
  let arguments = (ins Program_BufferType:$whole, I64Attr:$axis, I64Attr:$begin,
                       TypeAttrOf<AnyStaticShapeTensor>:$type);
  let results = (outs Program_BufferType:$buffer);
  let assemblyFormat = "$whole `axis` $axis `at` $begin `:` $type attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

class Program_RankStep<string mnemonic, list<Trait> traits = []>
    : Program_Op<mnemonic, traits # [ParentOneOf<["RunOp"]>]>;

def Program_TaskOp : Program_RankStep<"task", [AttrSizedOperandSegments]> {
  let summary = "calls a function of the model";
  let description = [{
    Reads `inputs`, and writes `outputs`. `stage`, `kind`, `samples` (from the
    first to before the second number) and `seconds` are what traces and reports
    say of it; the last one is what it is expected to take.

    Constraints:

    1. There are as many buffers as the function has arguments and results, of
       their types.
    2. Outputs are of the arena or the caller's. They lie in other buffers than
       inputs and each other.

    Example:

    ```mlir
    func.func @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = graph.add %x, %x : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    program.ranks @main {
      %x = program.input "x" : tensor<2xf32>
      %y = program.output "y" : tensor<2xf32>
      program.rank 0 {
        program.run {
          program.task @twice(%x) to (%y) of 0 kind "forward" samples [0, 2]
        }
      }
    }
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$entry,
                       Variadic<Program_BufferType>:$inputs,
                       Variadic<Program_BufferType>:$outputs,
                       OptionalAttr<I64Attr>:$stage,
                       OptionalAttr<StrAttr>:$kind,
                       OptionalAttr<DenseI64ArrayAttr>:$samples,
                       OptionalAttr<F64Attr>:$seconds);
  let assemblyFormat = [{
    $entry `(` $inputs `)` (`to` `(` $outputs^ `)`)? (`of` $stage^)?
    (`kind` $kind^)? (`samples` $samples^)? (`seconds` $seconds^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Program_AddOp : Program_RankStep<"add"> {
  let summary = "adds a number to an output of the caller";
  let description = [{
    The output is the sum of what all ranks add to it, `times` their factors. It
    is computed in f64, in the order of `samples`.

    Constraints:

    1. Both have one element of the same floating-point type; the second one is
       an output.
    2. `samples` are from the first to before the second number.

    Example:

    ```mlir
    program.ranks @main {
      %x = program.input "x" : tensor<f32>
      %y = program.output "y" : tensor<f32>
      program.rank 0 {
        program.run {
          program.add %x to %y samples [0, 4] times 5.0e-1
        }
      }
    }
    ```
  }];
  let arguments = (ins Program_BufferType:$number, Program_BufferType:$output,
                       DenseI64ArrayAttr:$samples,
                       OptionalAttr<F64Attr>:$factor);
  let assemblyFormat = [{
    $number `to` $output `samples` $samples (`times` $factor^)? attr-dict
  }];
  let hasVerifier = 1;
}

class Program_Transfer<string mnemonic> : Program_RankStep<mnemonic> {
  let results = (outs Program_TokenType:$token);
}

def Program_SendOp : Program_Transfer<"send"> {
  let summary = "begins to send a buffer to another rank";
  let description = [{
    It meets the receive of that rank with the same tag; of several, the first
    meets the first. The buffer is not written before the `program.wait`.
    Transfers of a rank that have one `group` begin together; groups do in their
    order, once all of their transfers are reached, where channels are ordered,
    as those of NCCL.

    Constraints:

    1. `rank`, `tag` and `group` are at least 0.
    2. One `program.wait` in the same block uses the token.

    Example:

    ```mlir
    program.ranks @main {
      %x = program.input "x" : tensor<2xf32>
      %y = program.output "y" : tensor<2xf32>
      program.rank 0 {
        %a = program.arena : tensor<2xf32> live 0 to 2
        program.run {
          program.copy "give" %x to %a
          %t = program.send %a to 1 tag 0 group 0
          program.wait %t
        }
      }
      program.rank 1 {
        %a = program.arena : tensor<2xf32> live 0 to 2
        program.run {
          %t = program.receive %a from 0 tag 0 group 0
          program.wait %t
          program.copy "take" %a to %y
        }
      }
    }
    ```
  }];
  let arguments = (ins Program_BufferType:$buffer, I64Attr:$rank, I64Attr:$tag,
                       I64Attr:$group);
  let assemblyFormat = [{
    $buffer `to` $rank `tag` $tag `group` $group attr-dict
  }];
  let hasVerifier = 1;
}

def Program_ReceiveOp : Program_Transfer<"receive"> {
  let summary = "begins to receive a buffer from another rank";
  let description = [{
    The buffer is neither read nor written before the `program.wait`. `group` has
    the meaning that it has in `program.send`.

    Constraints:

    1. `rank`, `tag` and `group` are at least 0.
    2. One `program.wait` in the same block uses the token.
    3. The buffer is of the arena.

    Example:

    ```mlir
    program.ranks @main {
      %x = program.input "x" : tensor<2xf32>
      %y = program.output "y" : tensor<2xf32>
      program.rank 0 {
        %a = program.arena : tensor<2xf32> live 0 to 2
        program.run {
          program.copy "give" %x to %a
          %t = program.send %a to 1 tag 0 group 0
          program.wait %t
        }
      }
      program.rank 1 {
        %a = program.arena : tensor<2xf32> live 0 to 2
        program.run {
          %t = program.receive %a from 0 tag 0 group 0
          program.wait %t
          program.copy "take" %a to %y
        }
      }
    }
    ```
  }];
  let arguments = (ins Program_BufferType:$buffer, I64Attr:$rank, I64Attr:$tag,
                       I64Attr:$group);
  let assemblyFormat = [{
    $buffer `from` $rank `tag` $tag `group` $group attr-dict
  }];
  let hasVerifier = 1;
}

def Program_AllReduceOp : Program_Transfer<"all_reduce"> {
  let summary = "begins to add states or buffers up over ranks";
  let description = [{
    All of `ranks` do. At last, each has the sums, added in the order of the
    ranks, or the means. The states and buffers are neither read nor written
    before the `program.wait`. `group` is that of no other step of the rank.

    Constraints:

    1. `ranks` has two entries or more, at least 0 and ascending.
    2. `tag` and `group` are at least 0. The sum uses `tag` and the next one.
    3. One `program.wait` in the same block uses the token.
    4. There is a state or a buffer, and each of them once. All are of f32 or
       f64. Buffers are of the arena.

    Example:

    ```mlir
    graph.state @count : tensor<f32>
    program.ranks @main {
      program.rank 0 {
        program.run {
          %t = program.all_reduce ["count"] among [0, 1] tag 0 group 0
          program.wait %t
        }
      }
      program.rank 1 {
        program.run {
          %t = program.all_reduce ["count"] among [0, 1] tag 0 group 0
          program.wait %t
        }
      }
    }
    ```
  }];
  let arguments = (ins UnitAttr:$mean,
                       DefaultValuedAttr<StrArrayAttr, "{}">:$states,
                       Variadic<Program_BufferType>:$buffers,
                       DenseI64ArrayAttr:$ranks, I64Attr:$tag, I64Attr:$group,
                       OptionalAttr<I64Attr>:$stage);
  let assemblyFormat = [{
    (`mean` $mean^)? ($states^)? (`(` $buffers^ `)`)? `among` $ranks `tag` $tag
    `group` $group (`of` $stage^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Program_WaitOp : Program_RankStep<"wait"> {
  let summary = "waits for transfers and sums";
  let description = [{
    Waits for those of all `tokens`.

    Constraints:

    1. There is at least one token.

    Example:

    ```mlir
    program.ranks @main {
      %x = program.input "x" : tensor<2xf32>
      %y = program.output "y" : tensor<2xf32>
      program.rank 0 {
        %a = program.arena : tensor<2xf32> live 0 to 2
        program.run {
          program.copy "give" %x to %a
          %t = program.send %a to 1 tag 0 group 0
          program.wait %t
        }
      }
      program.rank 1 {
        %a = program.arena : tensor<2xf32> live 0 to 2
        program.run {
          %t = program.receive %a from 0 tag 0 group 0
          program.wait %t
          program.copy "take" %a to %y
        }
      }
    }
    ```
  }];
  let arguments = (ins Variadic<Program_TokenType>:$tokens);
  let assemblyFormat = "$tokens attr-dict";
  let hasVerifier = 1;
}

def Program_BarrierOp : Program_RankStep<"barrier"> {
  let summary = "waits for all ranks";
  let description = [{
    No rank does what is behind it before all have come here. If one fails
    before, none does. So steps that change what callers keep stand behind it.

    Constraints:

    1. No transfer and no sum is on its way.

    Example:

    ```mlir
    program.ranks @main {
      program.rank 0 {
        program.run {
          program.barrier
        }
      }
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // TENON_PROGRAM_RANK_OPS_TD
