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

def GraphChannelsLast : Pass<"graph-channels-last", "::mlir::func::FuncOp"> {
  let summary = "Lay out convolutions and pools with the channels innermost";
  let description = [{
    Input: graph ops. Output: the same meaning, with every convolution and pool
    of the layout `channels_last` and transposes moved towards the results,
    through elementwise ops, concat, pad, batch norm and reductions, until they
    meet their inverse. Vector code and libraries run this layout fastest.
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let options = [
    Option<"reassociate", "reassociate", "bool", "true",
           "Whether float arithmetic may be regrouped (lrn needs that)">
  ];
}

def GraphExpandTopK : Pass<"graph-expand-top-k"> {
  let summary = "Write top_k as ranks, which have index forms";
  let description = [{
    Input: graph ops. Output: the same without top_k where sizes have names: the
    rank of an element is the number of elements before it in the order, and
    output p gathers the element of rank p. Exact, but takes n * n comparisons
    along an axis of size n: for code generators without a sort.
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [
    Statistic<"numExpanded", "num-expanded", "top_k ops expanded">
  ];
}

def GraphFoldBatchNorm : Pass<"graph-fold-batch-norm", "::mlir::func::FuncOp"> {
  let summary = "Fold batch norms into the weights of convolutions";
  let description = [{
    Input: graph ops. Output: the same in real arithmetic; batch norms whose
    operands are weights are multiplications of the weights of the convolution
    before them and an added vector (or, without one, a multiplication and an
    addition). What depends on weights alone is computed once, at load.
    Roundings differ: not for strict floating point.
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
}

#endif // TENON_DIALECT_GRAPH_TRANSFORMS_PASSES_TD
