//===- Passes.td - placement of graph pieces on backends ------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PLACE_PASSES_TD
#define TENON_PLACE_PASSES_TD

include "mlir/Pass/PassBase.td"

def GraphPlace : Pass<"graph-place", "::mlir::func::FuncOp"> {
  let summary = "Give every piece of a graph to a backend";
  let description = [{
    Input: a function of primitive and opaque graph ops, and of the composites
    that `whole` names. Output: the same function, in which every op that
    computes stands in the region of a `kernel.call`; parameters, constants and
    reshapes (which move nothing) stay outside, and calls that are there already
    stay as they are.

    Backends offer pieces of the graph (their patterns, with more or less of
    what follows); own code can take every op, and pieces that share rows (see
    StagePlan.h). The sum of the pieces' costs is minimized exactly (see
    Cover.h); costs are measured ones where `costs` has them, scaled from other
    sizes where it has the same kernel with these, and a roofline corrected by
    those elsewhere. With `plan=all:B`, backend B takes whatever it can, and own
    code the rest. Backends of another `device` are left out. See
    docs/placement.md.

    With `explain`, attributes `place.*` say why: of a call, `seconds`,
    `measured` or `scaled`, what would run `instead` and how many
    `extra_seconds` it would take; of the function, the `plan`, its `seconds`,
    the `sums` of other plans and their measured `runs`, and hashes of `graph`
    and `kernels`. Nothing that compiles reads them.

    Fails when an op has neither an index form nor a backend.

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
    ListOption<"without", "without", "std::string",
               "Backends that must not be used">,
    ListOption<"pins", "pins", "std::string",
               "OP=BACKEND: ops, by the name of their location or by their "
               "mnemonic, that must run on a backend">,
    Option<"plan", "plan", "std::string", /*default=*/"\"mixed\"",
           "What to choose: mixed, or all:BACKEND">,
    Option<"strict", "strict", "bool", /*default=*/"false",
           "Leave out backends that sum in an order of their own">,
    Option<"device", "device", "std::string", /*default=*/"\"cpu\"",
           "What the program is for, and its own code: cpu or cuda">,
    ListOption<"whole", "whole", "std::string",
               "Composites that own code takes as they are">,
    Option<"costs", "costs", "std::string", /*default=*/"",
           "A file of measured costs">,
    Option<"profile", "profile", "std::string", /*default=*/"\"cpu\"",
           "What predicts costs that were not measured">,
    Option<"unadmitted", "unadmitted", "bool", /*default=*/"false",
           "Also use patterns of plug-ins that nobody has compared with the "
           "interpreter">,
    Option<"explain", "explain", "bool", /*default=*/"false",
           "Write into every call what it costs and what the runner-up would, "
           "and into the function what other plans do">
  ];
  let statistics = [
    Statistic<"numLibraryCalls", "num-library-calls",
              "Pieces given to vendor libraries">,
    Statistic<"numOwnKernels", "num-own-kernels", "Pieces given to own code">,
    Statistic<"numNotMeasured", "num-not-measured",
              "Pieces whose cost is predicted">
  ];
  let dependentDialects = ["::tenon::kernel::KernelDialect"];
}

#endif // TENON_PLACE_PASSES_TD
