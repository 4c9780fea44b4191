//===- Passes.td - passes that the named pipelines are made of -*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_DRIVER_PASSES_TD
#define TENON_DRIVER_PASSES_TD

include "mlir/Pass/PassBase.td"

class TenonPass<string name> : Pass<name, "::mlir::ModuleOp"> {
  let dependentDialects = [
    "::tenon::graph::GraphDialect", "::tenon::kernel::KernelDialect"
  ];
}

def TenonCanonicalForm : TenonPass<"tenon-canonical-form"> {
  let summary = "Bring a graph into the form that rules match";
  let description = [{
    Input: a module of graph ops. Output: the same with states as arguments and
    results, constants folded, activations as one op, and data moved once. Runs
    passes of the graph dialect, as far as the floating-point mode of
    `kernel.target` allows.
  }];
}

def TenonSetPrecision : TenonPass<"tenon-set-precision"> {
  let summary = "Store f32 tensors as the target says";
  let description = [{
    Input: a module of graph ops. Output: the same, stored in the precision of
    `kernel.target` if that is f16 or bf16, which `graph.precision` then says.
    Batch norms are folded before, while ops still are those of the model. Fails
    if the module is placed, or stored in another precision.
  }];
}

def TenonPrepare : TenonPass<"tenon-prepare"> {
  let summary = "Bring a graph into the form that subgraphs are made of";
  let description = [{
    Input: a module of graph ops for devices of one kind. Output: the same with
    the layouts and the primitive ops that backends of the device take. A module
    that is placed, at least in part, stays. Fails if there are several entries and
    a pin names an op of none.
  }];
  let options = [
    ListOption<"pins", "pins", "std::string",
               "OP=BACKEND: what --graph-place is told after this">
  ];
}

def TenonLower : TenonPass<"tenon-lower-placed"> {
  let summary = "Lower a placed module to programs";
  let description = [{
    Input: a placed module for devices of one kind. Output: a module with a
    `program.target` for each CPU of `kernel.target`, or one for all GPUs, whose
    kernels are in LLVM's and GPU dialects. Fails if an op is not placed, or if
    a backend can't run what it was given.
  }];
  let options = [
    Option<"name", "name", "std::string", /*default=*/"",
           "The name of the module; default: as it is">
  ];
}

def TenonAssemble : TenonPass<"tenon-assemble"> {
  let summary = "Turn kernels for GPUs into what a driver loads";
  let description = [{
    Input: a lowered module. Output: the same, in which targets for GPUs have
    images: machine code of each architecture of `kernel.target` if ptxas is
    found in the CUDA toolkit, and PTX of the first. Without GPUs, nothing
    changes.
  }];
  let options = [
    Option<"dump", "dump", "std::string", /*default=*/"",
           "A folder to which the kernels are written, too">
  ];
}

#endif // TENON_DRIVER_PASSES_TD
