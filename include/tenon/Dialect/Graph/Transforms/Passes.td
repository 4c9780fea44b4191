//===- Passes.td - passes inside the graph dialect ------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DIALECT_GRAPH_TRANSFORMS_PASSES_TD
#define TENON_DIALECT_GRAPH_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def GraphDecompose : Pass<"graph-decompose"> {
  let summary = "Replace composite ops by what they mean";
  let description = [{
    Input: ops of the graph dialect. Output: the same, without the composites
    named by `ops` (all of them where it is empty); those that a decomposition
    itself builds are replaced too. Fails when: `ops` names an op that is not
    a composite; a composite's meaning needs a size that has no name or an axis
    that is not constant.
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let options = [
    ListOption<"ops", "ops", "std::string",
               "Composites to replace, such as softmax; all where empty">
  ];
  let statistics = [
    Statistic<"numReplaced", "num-replaced", "Composites replaced">
  ];
}

#endif // TENON_DIALECT_GRAPH_TRANSFORMS_PASSES_TD
