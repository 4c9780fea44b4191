//===- Passes.td - placement of subgraphs on backends -------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PLACE_PASSES_TD
#define TENON_PLACE_PASSES_TD

include "tenon/Support/PassOptions.td"

def GraphPlace : Pass<"graph-place", "::mlir::func::FuncOp"> {
  let summary = "Place the ops of a graph on backends";
  let description = [{
    Input: a function of primitive and opaque graph ops, and for GPUs of
    `graph.attention`, which generated kernels compute as a whole. Output: the same function, in which every op that
    computes is in the region of a `kernel.call`. Parameters, constants and
    reshapes (which move no data) stay outside, and existing calls are not
    changed.

    Backends offer subgraphs (their patterns, with some or all of the ops that
    follow). Generated code can run every op, and subgraphs that share rows (see
    LoopPlan.h). The sum of the subgraphs' costs is minimized exactly (see
    Cover.h). A cost is measured if `costs` contains it, scaled if `costs`
    contains the same kernel with other sizes, and otherwise a roofline that is
    corrected by the measured costs. With `plan=all:B`, backend B runs every op
    that it supports, and generated code runs the rest. The module's
    `kernel.target` says for which device; backends of others are not used, and
    if it says `fp = strict`, neither are those that sum in an order of their
    own. See docs/placement.md.

    With `explain`, attributes `place.*` explain the plan. A call has
    `seconds`, `measured` or `scaled`, the alternative (`instead`), and its
    `extra_seconds`. The function has the `plan`, its `seconds`, the `sums` of
    other plans and their measured `runs`, and hashes of `graph` and `kernels`.
    The compiler does not read these attributes.

    Fails if an op has neither an index form nor a backend.

    Example, with `--graph-place`:

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = graph.exp %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```

    becomes

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = kernel.call "cpu" "exp"(%x) {
      ^bb0(%a: tensor<4xf32>):
        %1 = graph.exp %a : tensor<4xf32>
        kernel.yield %1 : tensor<4xf32>
      } : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let options = [
    ToolPassListOption<"without", "without", "std::string",
                       Unit<"BACKEND", "the name of a backend">,
                       "Backends that must not be used, such as onednn">,
    ListOption<"pins", "pins", "std::string",
               "OP=BACKEND: ops, by the name of their location or by their "
               "mnemonic, that must run on a backend">,
    Option<"sharesPins", "shares-pins", "bool", /*default=*/"false",
           "Pins may name ops of other functions alone">,
    Option<"plan", "plan", "std::string", /*default=*/"\"mixed\"",
           "What to choose: mixed, or all:BACKEND">,
    Option<"costs", "costs", "std::string", /*default=*/"",
           "A file of measured costs">,
    Option<"profile", "profile", "std::string", /*default=*/"",
           "The profile that predicts costs that were not measured; default: "
           "that of the device">,
    ToolPassOption<"unadmitted", "unadmitted", "bool", /*default=*/"false",
                   Unit<"">,
                   "Also use patterns of plug-ins that were not compared with "
                   "the interpreter: to try a plug-in before tenon-profile "
                   "admits it">,
    Option<"explain", "explain", "bool", /*default=*/"false",
           "Attach to every call its cost and that of the runner-up, and to "
           "the function the costs of other plans">
  ];
  let statistics = [
    Statistic<"numLibraryCalls", "num-library-calls",
              "Subgraphs placed on vendor libraries">,
    Statistic<"numGeneratedKernels", "num-generated-kernels",
              "Subgraphs placed on generated code">,
    Statistic<"numNotMeasured", "num-not-measured",
              "Subgraphs whose cost is predicted">
  ];
  let dependentDialects = ["::tenon::kernel::KernelDialect"];
}

#endif // TENON_PLACE_PASSES_TD
