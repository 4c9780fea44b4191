//===- Passes.td - passes on tensor graphs --------------------*- tablegen -*-===//
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
    named by `ops` (all of them if it is empty); those that a decomposition
    itself builds are replaced too. Fails when: `ops` names an op that is not
    a composite; a composite's meaning needs a size that has no name or an axis
    that is not constant.

    Example, with `--graph-decompose=ops=embedding`:

    ```mlir
    func.func @main(%t: tensor<100x8xf32>, %i: tensor<4xi64>) -> tensor<4x8xf32> {
      %0 = graph.embedding %t, %i : (tensor<100x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```

    becomes

    ```mlir
    func.func @main(%t: tensor<100x8xf32>, %i: tensor<4xi64>) -> tensor<4x8xf32> {
      %0 = graph.gather %t, %i axis = 0 : (tensor<100x8xf32>, tensor<4xi64>) -> tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```
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
    Input: graph ops. Output: the same meaning, with every `conv`,
    `conv_transpose`, `conv_backward_weight`, `max_pool`, `avg_pool` and
    `lp_pool` of the layout `channels_last` and transposes moved towards the
    results, through elementwise ops, concat, pad, batch norm and
    reductions, until they meet their inverse. Vector code and libraries run
    this layout fastest. So it is for a `resize` of several channels along the
    last axis, and for a `group_norm` or `instance_norm` of what has this
    layout, which becomes means and variances of channels. Other ops stay; there
    is no input on which the pass is meant to fail.

    Then a linear or cubic `resize` along several axes, of one channel or of
    channels that have to be first in the end, becomes one along the last of
    these axes and one along the others, where that makes them larger. The
    second computes positions and weights once for each row.

    Example, with `--graph-channels-last`:

    ```mlir
    func.func @main(%x: tensor<1x3x8xf32>) -> tensor<1x3x4xf32> {
      %0 = graph.max_pool %x kernel = [2] strides = [2] pads = [0, 0] dilations = [1] channels_first : (tensor<1x3x8xf32>) -> tensor<1x3x4xf32>
      return %0 : tensor<1x3x4xf32>
    }
    ```

    becomes

    ```mlir
    func.func @main(%x: tensor<1x3x8xf32>) -> tensor<1x3x4xf32> {
      %0 = graph.transpose %x perm = [0, 2, 1] : (tensor<1x3x8xf32>) -> tensor<1x8x3xf32>
      %1 = graph.max_pool %0 kernel = [2] strides = [2] pads = [0, 0] dilations = [1] channels_last : (tensor<1x8x3xf32>) -> tensor<1x4x3xf32>
      %2 = graph.transpose %1 perm = [0, 2, 1] : (tensor<1x4x3xf32>) -> tensor<1x3x4xf32>
      return %2 : tensor<1x3x4xf32>
    }
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let options = [
    Option<"reassociate", "reassociate", "bool", "true",
           "Whether float arithmetic may be regrouped (lrn needs that, and so "
           "do resizes by parts)">,
    Option<"others", "others", "bool", "true",
           "Whether resizes and norms of groups take this layout, too">
  ];
  let statistics = [
    Statistic<"numChanged", "num-changed",
              "Convolutions and pools that became channels_last">,
    Statistic<"numSeparated", "num-separated",
              "Resizes that became resizes along fewer axes">,
    Statistic<"numTransposes", "num-transposes", "Transposes in the result">
  ];
}

def GraphComposeMovement
    : Pass<"graph-compose-movement", "::mlir::func::FuncOp"> {
  let summary = "Move data once where reshapes, slices and transposes follow "
                "each other";
  let description = [{
    Input: graph ops. Output: the same elements, with every chain of `reshape`,
    `slice`, parts of a `split` and `transpose` that takes fewer kernels or ops
    as one reshape, one slice, one transpose and one reshape, or what of these
    it needs. Axes of one
    element are not moved. Where the rows of a product with a matrix are moved
    before it, and its result is moved again, they are moved once, after it.
    Sizes may be symbols; chains with sizes that have no names stay, and so do
    those that split an axis where no part of it ends. Never fails.

    A head of a packed projection is an example.

    Example, with `--graph-compose-movement`:

    ```mlir
    func.func @main(%x: tensor<5x1x24xf32>) -> tensor<4x5x2xf32> {
      %0 = graph.reshape %x shape = [1, 5, 1, 3, 8] : (tensor<5x1x24xf32>) -> tensor<1x5x1x3x8xf32>
      %1 = graph.transpose %0 perm = [3, 1, 2, 0, 4] : (tensor<1x5x1x3x8xf32>) -> tensor<3x5x1x1x8xf32>
      %2 = graph.slice %1 starts = [1, 0, 0, 0, 0] sizes = [1, 5, 1, 1, 8] steps = [1, 1, 1, 1, 1] : (tensor<3x5x1x1x8xf32>) -> tensor<1x5x1x1x8xf32>
      %3 = graph.reshape %2 shape = [5, 4, 2] : (tensor<1x5x1x1x8xf32>) -> tensor<5x4x2xf32>
      %4 = graph.transpose %3 perm = [1, 0, 2] : (tensor<5x4x2xf32>) -> tensor<4x5x2xf32>
      return %4 : tensor<4x5x2xf32>
    }
    ```

    becomes

    ```mlir
    func.func @main(%x: tensor<5x1x24xf32>) -> tensor<4x5x2xf32> {
      %0 = graph.reshape %x shape = [5, 3, 4, 2] : (tensor<5x1x24xf32>) -> tensor<5x3x4x2xf32>
      %1 = graph.slice %0 starts = [0, 1, 0, 0] sizes = [5, 1, 4, 2] steps = [1, 1, 1, 1] : (tensor<5x3x4x2xf32>) -> tensor<5x1x4x2xf32>
      %2 = graph.transpose %1 perm = [1, 2, 0, 3] : (tensor<5x1x4x2xf32>) -> tensor<1x4x5x2xf32>
      %3 = graph.reshape %2 shape = [4, 5, 2] : (tensor<1x4x5x2xf32>) -> tensor<4x5x2xf32>
      return %3 : tensor<4x5x2xf32>
    }
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [
    Statistic<"numRemoved", "num-removed", "Ops fewer than before">
  ];
}

def GraphExpandTopK : Pass<"graph-expand-top-k"> {
  let summary = "Write top_k as ranks, which have index forms";
  let description = [{
    Input: graph ops. Output: the same without top_k: the rank of an element is
    the number of elements before it in the order, and output p gathers the
    element of rank p. Exact, but takes n * n comparisons along an axis of size
    n: for code generators without a sort. A top_k whose sizes have no names
    stays. Never fails.
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [
    Statistic<"numExpanded", "num-expanded", "top_k ops expanded">
  ];
}

def GraphFoldBatchNorm : Pass<"graph-fold-batch-norm", "::mlir::func::FuncOp"> {
  let summary = "Fold batch norms into the weights of convolutions";
  let description = [{
    Input: graph ops. Output: the same in real arithmetic; batch norms of f32 or
    f64 whose operands beside `x` are weights are multiplications of the weights
    of the convolution before them and an added vector (or, without one, a
    multiplication and an addition). Values that depend only on weights are
    computed once, at load. Roundings differ, so the pass is not for strict
    floating point. Other batch norms are not changed. The pass never fails.

    With `s = scale / sqrt(variance + epsilon)`, a convolution with weight `w`,
    an added vector `b` and the batch norm are a convolution with weight `w * s`
    and the added vector `(b - mean) * s + bias`.
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [
    Statistic<"numFolded", "num-folded", "Batch norms folded into weights">,
    Statistic<"numScaled", "num-scaled",
              "Batch norms that became a product and a sum">
  ];
}

def GraphFunctionalizeState
    : Pass<"graph-functionalize-state", "::mlir::ModuleOp"> {
  let summary = "Replace reads and writes of states by arguments and results";
  let description = [{
    Input: public functions that read and write states by ops. Output: the same
    functions without these ops: each state that a function reads or writes is
    an argument after its own, and each that it writes is a result after its own
    and before index checks, both with `graph.state = @NAME` and in the order in
    which the module declares states. A read after a write gives the value that
    was written; of several writes, the last counts. The declarations stay.

    Fails when: a function that accesses states by ops has several blocks, or
    arguments of states already.

    Example, with `--graph-functionalize-state`:

    ```mlir
    graph.state @count : tensor<1xi64>
    func.func @main(%x: tensor<1xi64>) -> tensor<1xi64> {
      %0 = graph.read_state @count : tensor<1xi64>
      %1 = graph.add %0, %x : tensor<1xi64>
      graph.write_state @count, %1 : tensor<1xi64>
      return %0 : tensor<1xi64>
    }
    ```

    becomes

    ```mlir
    graph.state @count : tensor<1xi64>
    func.func @main(%x: tensor<1xi64>, %s: tensor<1xi64> {graph.state = @count}) -> (tensor<1xi64>, tensor<1xi64> {graph.state = @count}) {
      %0 = graph.add %s, %x : tensor<1xi64>
      return %s, %0 : tensor<1xi64>, tensor<1xi64>
    }
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [
    Statistic<"numReads", "num-reads", "Reads replaced">,
    Statistic<"numWrites", "num-writes", "Writes replaced">
  ];
}

def GraphExtractIndexChecks
    : Pass<"graph-extract-index-checks", "::mlir::ModuleOp"> {
  let summary = "Keep the indices that a run has to check beside the model";
  let description = [{
    Input: entries without reads and writes of states by ops. Output: the same
    with a module inside of the module, marked `graph.index_checks`, which has
    for each entry with indices of data that may be out of range a function of
    its name and arguments. Its results are the indices, with `graph.check`:
    who reads them, and what is allowed. Rewrites of the entries do not change
    what is checked; --graph-add-index-checks brings both together. Entries that
    have checks already, in either way, stay.

    Fails if a constant index is out of range, or if an entry accesses states by
    ops (see --graph-functionalize-state).

    Example, with `--graph-extract-index-checks`:

    ```mlir
    func.func @main(%x: tensor<8xf32>, %i: tensor<1xi64>) -> tensor<1xf32> {
      %0 = graph.gather %x, %i axis = 0 : (tensor<8xf32>, tensor<1xi64>) -> tensor<1xf32> loc("rows")
      return %0 : tensor<1xf32>
    }
    ```

    becomes

    ```mlir
    func.func @main(%x: tensor<8xf32>, %i: tensor<1xi64>) -> tensor<1xf32> {
      %0 = graph.gather %x, %i axis = 0 : (tensor<8xf32>, tensor<1xi64>) -> tensor<1xf32>
      return %0 : tensor<1xf32>
    }
    module attributes {graph.index_checks} {
      func.func @main(%x: tensor<8xf32>, %i: tensor<1xi64>) -> (tensor<1xi64> {graph.check = {axes = array<i64: 0>, ranges = #graph.dims<-8, 8>, reader = "'rows' (gather)"}}) {
        return %i : tensor<1xi64>
      }
    }
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [
    Statistic<"numChecks", "num-checks", "Index tensors that are checked">
  ];
}

def GraphAddIndexChecks
    : Pass<"graph-add-index-checks", "::mlir::ModuleOp"> {
  let summary = "Let entries return the indices that a run has to check";
  let description = [{
    Input: a module as --graph-extract-index-checks leaves it. Output: the same
    without the inner module, whose functions' ops and results are now the last
    ones of the entries. Fails if a function of it has no entry of its name and
    arguments, or a result without `graph.check`.
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
}

def GraphRecognizeActivations
    : Pass<"graph-recognize-activations", "::mlir::func::FuncOp"> {
  let summary = "Write activations that are spelled out as one op";
  let description = [{
    Input: graph ops. Output: the same in real arithmetic, with products that
    are `silu`, `mish`, `hard_swish` or `gelu` (by erf, or by tanh) as these
    ops, which libraries apply to what they compute. `silu` and `mish` of f32
    and f64 have the same roundings; the others, and products with numbers, are
    not replaced under strict floating point. Never fails.

    A number of the model stands for a constant c of a formula only if both
    round to the same element of the tensor's type: in f32 that is 0.7978846 for
    `sqrt(2 / pi)`, and 0.79788 is another number. A product with c may be a
    quotient by 1 / c, whose number must be the element nearest to 1 / c: `x / 6`
    and `x * 0.16666667` are both the sixth of x. Several numbers of one product
    count as the quotient of their exact products (a half may be 3 / 6); if a
    product of them is rounded in f64, they stand for no constant. The bounds of
    `clip` are rounded to the type of its elements, and the parameters of
    `hard_sigmoid` to the type in which it computes (f32 for f16 and bf16), as
    these ops do.

    Example, with `--graph-recognize-activations`:

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = graph.sigmoid %x : tensor<4xf32>
      %1 = graph.mul %x, %0 : tensor<4xf32>
      return %1 : tensor<4xf32>
    }
    ```

    becomes

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = graph.silu %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let options = [
    Option<"reassociate", "reassociate", "bool", "true",
           "Whether float arithmetic may be regrouped">
  ];
  let statistics = [
    Statistic<"numRecognized", "num-recognized", "Activations found">
  ];
}

def GraphSetPrecision : Pass<"graph-set-precision", "::mlir::func::FuncOp"> {
  let summary = "Store f32 tensors in 16 bits where that loses little";
  let description = [{
    Input: graph ops. Output: the same, of which ops on f32 are computed and
    stored in `precision` or in f32, with casts between; other types stay, and
    so do the types of arguments and results.

    In 16 bits (sums are accumulated in f32): matmul, the convolutions and
    attention. In f32: exponentials, logarithms, powers, reciprocals, sums and
    products over axes or in scans, means and losses, as torch.autocast has it,
    and what they give stays f32. Norms and softmax are computed in f32, and
    what they give is stored in 16 bits. All else has the widest type of its
    operands; there, arguments count as 16 bits. Values that depend only on
    weights are computed in f32 and rounded once, at load.

    Kept in f32, so that they keep their meaning: arguments that are donated or
    states, and what updates them; comparisons and casts of values that were not
    rounded yet; numbers that come from integers of more than 8 bits; ops on constants that
    the format can't hold (such as the -3.4e38 of a mask). Where such a constant
    or the mask of an attention must be 16 bits, finite elements become the
    largest finite ones of the format, and infinities stay. Other values beyond
    the range of f16 become infinities.

    Runs after the rewriting by rules: what they were proved to do to roundings
    holds for f32, so that on 16 bits none may fire under strict arithmetic, and
    none with constants, which are f32, ever matches. Runs after batch norms
    were folded, which is not done in 16 bits, and before composites are
    decomposed, by whose names it decides.

    Fails on ops of other dialects, on ops with regions, and on reads and
    writes of states (see --graph-functionalize-state).

    Example, with `--graph-set-precision=precision=f16`:

    ```mlir
    func.func @main(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>) -> tensor<2x4xf32> {
      %0 = graph.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
      return %0 : tensor<2x4xf32>
    }
    ```

    becomes

    ```mlir
    func.func @main(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>) -> tensor<2x4xf32> {
      %0 = graph.cast %w to f16 : tensor<3x4xf32>
      %1 = graph.cast %x to f16 : tensor<2x3xf32>
      %2 = graph.matmul %1, %0 : (tensor<2x3xf16>, tensor<3x4xf16>) -> tensor<2x4xf16>
      %3 = graph.cast %2 to f32 : tensor<2x4xf16>
      return %3 : tensor<2x4xf32>
    }
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let options = [
    Option<"precision", "precision", "::tenon::Precision",
           "::tenon::Precision::BF16",
           "What is stored: f16 or bf16">
  ];
  let statistics = [
    Statistic<"numHalf", "num-half", "Ops that compute in 16 bits">,
    Statistic<"numCasts", "num-casts", "Casts that were added">
  ];
}

def GraphPrintAxisFlow : Pass<"graph-print-axis-flow"> {
  let summary = "Print how axes flow through every op";
  let description = [{
    Input: graph ops. Output: the same; for every op that computes, prints to
    standard output which slices of the operands a slice of the result needs,
    for each of its axes, and over which axes it reduces (see
    tenon/Dialect/Graph/Analysis/AxisFlow.h). Never fails.

    `x0 axis 1` means that index i of the result needs index i of that axis of
    operand 0; `at 2 * i - 1 .. 2 * i + 1`, that it needs these, as far as they
    exist; `shared`, that all slices need the same elements; `whole`, that it may
    need any. `by position` marks axes whose slices are not the result of the
    same op on slices, such as those of a mask or of a padding.
  }];
}

#endif // TENON_DIALECT_GRAPH_TRANSFORMS_PASSES_TD
