//===- ElementwiseBase.td - classes of elementwise ops --------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A class makes the description of an op from its `meaning`, which begins with
// the formula, the constraints that the class implies, and an example.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_ELEMENTWISE_BASE_TD
#define TENON_GRAPH_ELEMENTWISE_BASE_TD

include "tenon/Dialect/Graph/IR/GraphOpsBase.td"

// All operands have equal shapes; broadcasting is graph.broadcast. Integer
// arithmetic wraps; integers divided by 0 give 0, and so do their remainders.
class Graph_Elementwise<string mnemonic, list<Trait> traits = []>
    : Graph_InferOp<mnemonic,
        [DeclareOpInterfaceMethods<Graph_ElementwiseInterface>,
         Graph_IndexFormInterface] # traits> {
  let extraClassDeclaration = [{
    ::llvm::SmallVector<::tenon::graph::IndexForm> getIndexForms() {
      return ::tenon::graph::elementwiseIndexForms(getOperation());
    }
  }];
}

// The element type that an example uses.
class Graph_ExampleType<Type type> {
  string name = !cond(!eq(type, Graph_BoolTensor): "tensor<4xi1>",
                      !eq(type, Graph_IntTensor): "tensor<4xi32>",
                      !eq(type, Graph_I64Tensor): "tensor<4xi64>",
                      true: "tensor<4xf32>");
}

class Graph_UnaryText<string mnemonic, string meaning, string parameters,
                      string x, bit isPredicate> {
  string y = !if(isPredicate, "tensor<4xi1>", x);
  string text = meaning # !if(isPredicate, [{

    Constraints:

    1. `result` has the shape of `x` and elements of i1.}], [{

    Constraints:

    1. `result` has the type of `x`.}]) # [{

    Example:

    ```mlir
    func.func @}] # mnemonic # "(%x: " # x # ") -> " # y # [{ {
      %0 = graph.}] # mnemonic # " %x" # parameters # " : " # x # [{
      return %0 : }] # y # [{
    }
    ```
  }];
}

class Graph_Unary<string mnemonic, Type type, string text, string meaning,
                  bit isPredicate = 0, list<Trait> traits = []>
    : Graph_Elementwise<mnemonic, traits> {
  let summary = text;
  let description = Graph_UnaryText<mnemonic, meaning, "",
      Graph_ExampleType<type>.name, isPredicate>.text;
  let arguments = (ins type:$x);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$x attr-dict custom<OperandTypes>(ref($x), type($x))";
}

// A function of real numbers that is computed in several steps.
class Graph_UnaryInSteps<string mnemonic, string text, string meaning>
    : Graph_Unary<mnemonic, Graph_FloatTensor, text,
                  Graph_InSteps<meaning>.text>;

class Graph_BinaryText<string mnemonic, string meaning, string x,
                       bit isPredicate> {
  string y = !if(isPredicate, "tensor<4xi1>", x);
  string text = meaning # [{

    Constraints:

    1. `lhs` and `rhs` have one type.
    2. `result` has }] # !if(isPredicate, "their shape and elements of i1.",
                             "this type.") # [{

    Example:

    ```mlir
    func.func @}] # mnemonic # "(%x: " # x # ", %y: " # x # ") -> " # y # [{ {
      %0 = graph.}] # mnemonic # " %x, %y : " # x # [{
      return %0 : }] # y # [{
    }
    ```
  }];
}

class Graph_Binary<string mnemonic, Type type, string text, string meaning,
                   list<Trait> traits = [], bit isPredicate = 0>
    : Graph_Elementwise<mnemonic, traits # [TypesMatchWith<
        "operands have one type", "lhs", "rhs", "$_self">]> {
  let summary = text;
  let description = Graph_BinaryText<mnemonic, meaning,
      Graph_ExampleType<type>.name, isPredicate>.text;
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs Graph_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict custom<OperandTypes>(ref($lhs), type($lhs))";
}

#endif // TENON_GRAPH_ELEMENTWISE_BASE_TD
