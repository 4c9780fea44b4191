//===- GraphOpsBase.td - types and classes of graph ops -------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_OPS_BASE_TD
#define TENON_GRAPH_OPS_BASE_TD

include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "tenon/Dialect/Graph/IR/GraphDialect.td"
include "tenon/Dialect/Graph/IR/GraphInterfaces.td"

// Element types. Signless integers are signed; ui8 is unsigned.
def Graph_UI8 : UI<8>;
def Graph_Float : AnyTypeOf<[F64, F32, F16, BF16], "floating-point element">;
def Graph_Int : AnyTypeOf<[I64, I32, I8, Graph_UI8], "integer element">;
def Graph_Num : AnyTypeOf<[F64, F32, F16, BF16, I64, I32, I8, Graph_UI8],
                          "number element">;
def Graph_Any : AnyTypeOf<[F64, F32, F16, BF16, I64, I32, I8, Graph_UI8, I1],
                          "element">;

def Graph_FloatTensor : RankedTensorOf<[F64, F32, F16, BF16]>;
def Graph_IntTensor : RankedTensorOf<[I64, I32, I8, Graph_UI8]>;
def Graph_NumTensor
    : RankedTensorOf<[F64, F32, F16, BF16, I64, I32, I8, Graph_UI8]>;
def Graph_Tensor
    : RankedTensorOf<[F64, F32, F16, BF16, I64, I32, I8, Graph_UI8, I1]>;
def Graph_BoolTensor : RankedTensorOf<[I1]>;
def Graph_IndexTensor : RankedTensorOf<[I64, I32]>;
def Graph_I64Tensor : RankedTensorOf<[I64]>;

// A list of integers that rules may leave symbolic; prints as [1, 2 * p].
defvar Graph_Ints = Graph_DimsAttr;

// The meaning of an op that computes in several steps.
class Graph_InSteps<string meaning> {
  string text = meaning # [{

    f16 and bf16 elements are converted to f32, and the result is rounded once.}];
}

class Graph_Op<string mnemonic, list<Trait> traits = []>
    : Op<Graph_Dialect, mnemonic, [Pure] # traits>;

// An op whose result types follow from its operands and attributes. A stated
// type may know more of a dynamic dimension than inference does, never
// something else.
class Graph_InferOp<string mnemonic, list<Trait> traits = []>
    : Graph_Op<mnemonic, [InferTypeOpAdaptorWithIsCompatible] # traits> {
  let extraClassDefinition = [{
    bool $cppClass::isCompatibleReturnTypes(::mlir::TypeRange inferred,
                                            ::mlir::TypeRange stated) {
      return ::tenon::graph::areCompatible(inferred, stated);
    }
  }];
}

class Graph_Primitive<string mnemonic, list<Trait> traits = []>
    : Graph_InferOp<mnemonic,
        [DeclareOpInterfaceMethods<Graph_IndexFormInterface>] # traits>;

class Graph_Composite<string mnemonic, list<Trait> traits = []>
    : Graph_InferOp<mnemonic,
        [DeclareOpInterfaceMethods<Graph_DecomposableInterface>] # traits>;

class Graph_Opaque<string mnemonic, list<Trait> traits = []>
    : Graph_InferOp<mnemonic,
        [DeclareOpInterfaceMethods<Graph_ReferenceInterface>] # traits>;

#endif // TENON_GRAPH_OPS_BASE_TD
