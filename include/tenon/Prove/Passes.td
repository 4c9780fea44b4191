//===- Passes.td - passes that prove ---------------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROVE_PASSES_TD
#define TENON_PROVE_PASSES_TD

include "mlir/Pass/PassBase.td"

def GraphProveBatch : Pass<"graph-prove-batch", "::mlir::func::FuncOp"> {
  let summary = "Prove that a model may be cut along its batch";
  let description = [{
    Input: a function of graph ops. Output: the same. Axis 0 of the first
    argument has the samples, whose number is a symbol. For every op, the proof
    kernel shows for all numbers of samples, and every part of them, that the op
    for the part, with the number of its samples in all sizes, gives the part of
    its result; so the model of a batch is the concatenation of the model of its
    parts. Values with samples have their number in the size of one axis only,
    and others nowhere.

    `rules`: prints the theorems instead, as rules for `tenon-rules prove`.

    Fails at ops that couple samples, at arguments and ops with the number of
    samples in another size, and at ops whose theorem is not proved.
  }];
  let options = [
    Option<"rules", "rules", "bool", "false",
           "Print the theorems, and prove nothing">
  ];
  let statistics = [
    Statistic<"numProved", "num-proved", "Theorems that were proved">
  ];
  let dependentDialects = ["::tenon::rule::RuleDialect"];
}

#endif // TENON_PROVE_PASSES_TD
