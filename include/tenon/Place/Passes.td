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
    Input: a function of primitive and opaque graph ops. Output: the same
    function, in which every op that computes stands in the region of a
    `kernel.call`; parameters, constants and reshapes (which move nothing) stay
    outside. Matmuls and convolutions of f32 go to oneDNN, together with the
    bias, residual and activation that follow them; everything else goes to own
    code, in pieces that share rows (see StagePlan.h).
    Fails when an op has neither an index form nor a backend.
  }];
  let options = [
    ListOption<"without", "without", "std::string",
               "Backends that must not be used">,
    ListOption<"pins", "pins", "std::string",
               "OP=BACKEND: ops, by the name of their location or by their "
               "mnemonic, that must run on a backend">,
    Option<"leastLibraryWork", "least-library-work", "int64_t", "8192",
           "Multiply-adds below which own code takes a matmul or convolution">
  ];
  let statistics = [
    Statistic<"numLibraryCalls", "num-library-calls",
              "Pieces given to vendor libraries">,
    Statistic<"numOwnKernels", "num-own-kernels", "Pieces given to own code">
  ];
  let dependentDialects = ["::tenon::kernel::KernelDialect"];
}

#endif // TENON_PLACE_PASSES_TD
