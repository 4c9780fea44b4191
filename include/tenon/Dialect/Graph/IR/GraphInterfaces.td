//===- GraphInterfaces.td - what graph ops mean ---------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every op of the graph dialect that computes implements exactly one of the
// interfaces below. The interpreter, the prover, fingerprints and the generic
// code generator read only them.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_INTERFACES_TD
#define TENON_GRAPH_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Graph_IndexFormInterface : OpInterface<"IndexFormInterface"> {
  let cppNamespace = "::tenon::graph";
  let description = [{
    A primitive: each result's element at a symbolic index is an expression
    over elements of the operands (see IndexForm.h).
  }];
  let methods = [
    InterfaceMethod<[{
        The index form of every result. Operand k of the op is load number k.
        Requires that parameters that decide the form's structure (axes,
        permutations) are constant.
      }],
      "::llvm::SmallVector<::tenon::graph::IndexForm>", "getIndexForms",
      (ins)>
  ];
}

def Graph_ElementwiseInterface : OpInterface<"ElementwiseInterface"> {
  let cppNamespace = "::tenon::graph";
  let description = [{
    Result elements depend on the operands' elements at the same index only.
    Ops with this interface get their index form from it.
  }];
  let methods = [
    InterfaceMethod<
      "The result's element as an expression over the operands' elements.",
      "::tenon::graph::Expr", "getScalarForm",
      (ins "::llvm::ArrayRef<::tenon::graph::Expr>":$elements)>
  ];
}

def Graph_DecomposableInterface : OpInterface<"DecomposableInterface"> {
  let cppNamespace = "::tenon::graph";
  let description = [{
    A composite: means the same as simpler graph ops.
  }];
  let methods = [
    InterfaceMethod<[{
        Builds the meaning out of simpler ops at the builder's insertion point
        and returns the values that stand for the op's results.
      }],
      "::llvm::SmallVector<::mlir::Value>", "decompose",
      (ins "::mlir::OpBuilder &":$builder)>
  ];
}

def Graph_ReferenceInterface : OpInterface<"ReferenceInterface"> {
  let cppNamespace = "::tenon::graph";
  let description = [{
    Opaque: means what a C++ reference computes. The prover treats it as an
    uninterpreted function.
  }];
  let methods = [
    InterfaceMethod<[{
        Computes the results from dense row-major operands. Numbers are given
        and taken as doubles for floating-point and as int64 for integer
        element types; `results` come with shapes set and storage allocated.
      }],
      "::mlir::LogicalResult", "evaluateReference",
      (ins "::llvm::ArrayRef<::tenon::graph::ReferenceTensor>":$operands,
           "::llvm::MutableArrayRef<::tenon::graph::ReferenceTensor>":$results)>
  ];
}

def Graph_CollectiveInterface : OpInterface<"CollectiveInterface"> {
  let cppNamespace = "::tenon::graph";
  let description = [{
    A collective: computes from the operands of several ranks, which are along
    axes of a mesh. Its index form is over ranks: the coordinates of a rank come
    before the index of an element.
  }];
  let methods = [
    InterfaceMethod<[{
        Builds the meaning out of ops that are no collectives, at the builder's
        insertion point, and returns what stands for the op's results. Operands
        and results of all ranks are stacked: before their own axes, they have
        one for each of the mesh, whose names are `mesh`.
      }],
      "::llvm::SmallVector<::mlir::Value>", "decomposeOverRanks",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$stacked,
           "::llvm::ArrayRef<::mlir::StringAttr>":$mesh)>,
    InterfaceMethod<"The axes whose ranks take part.",
      "::mlir::ArrayAttr", "getMeshAxes", (ins)>
  ];
}

#endif // TENON_GRAPH_INTERFACES_TD
