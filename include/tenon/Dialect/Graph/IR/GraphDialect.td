//===- GraphDialect.td - the graph dialect --------------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_GRAPH_DIALECT_TD
#define TENON_GRAPH_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Graph_Dialect : Dialect {
  let name = "graph";
  let cppNamespace = "::tenon::graph";
  let summary = "tensor graphs at the level of ONNX operators";
  let description = [{
    A model is a `func.func` over builtin tensors whose body is a directed
    acyclic graph of these ops. Ops have no side effects, but for reads and
    writes of states (`graph.state`), which take effect in the order of the
    block. Dynamic dimensions carry names (`#graph.dims` as the tensor's
    encoding), so that "the same batch size" is decidable; operands of
    elementwise ops have equal shapes, and broadcasting is an op of its own.
    What every op means is written once: as an index form, as a decomposition,
    or as a reference function (see GraphInterfaces.td).

    In the descriptions below, `i` is an index into all axes of a tensor, and
    `[b..., m, n]` names its axes. A formula is computed in the element type,
    step by step, with these exceptions:

    - Functions such as `exp` are those of real numbers, rounded; compiled code
      approximates them.
    - Sums, products and means of f16 and bf16 elements are formed in f32 and
      rounded once. Terms may be regrouped, except with `--fp=strict`.
    - NaN gives NaN unless the description says something else.

    Integer arithmetic wraps. Axes are numbered from 0. Attributes that are
    integers or lists of integers may be symbolic in rules; what a constraint
    says about sizes that are symbolic is checked when sizes are known, before
    a run at the latest.

    Index tensors hold i64 or i32 elements. An index below 0 counts from the
    end of its axis, except in `labels` of losses. The interpreter and compiled
    code report an index that is out of range; rules and other rewrites may rely
    on the clamping that the descriptions state.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Returns the value of an expression's text; unknown if the text is not an
    /// expression. Each text is parsed only once, because the entries of
    /// `#graph.dims` are read very often.
    const SymInt &getExpression(::mlir::StringAttr text);

  private:
    struct Expressions;
    ::std::shared_ptr<Expressions> expressions;

  public:
  }];
  let discardableAttrs = (ins
    // On a function argument: the result that may take over its storage.
    "::mlir::IntegerAttr":$donate,
    // On a function argument or result: its name in the model.
    "::mlir::StringAttr":$name,
    // On the module: the file of the weights, relative to the module's own.
    "::mlir::StringAttr":$params,
    // On the module: of Tenon's dialects, when it was written.
    "::mlir::Attribute":$version
  );
}

def Graph_VersionAttr : AttrDef<Graph_Dialect, "Version"> {
  let mnemonic = "version";
  let summary = "the version of Tenon's dialects";
  let description = [{
    Tools write it into modules, as `graph.version`; bytecode has it, too. A
    module without it is read as one of this version, and one of another version
    is refused.

    Example: `#graph.version<1>`.
  }];
  let parameters = (ins "uint64_t":$number);
  let hasCustomAssemblyFormat = 1;
}

def Graph_DimsAttr : AttrDef<Graph_Dialect, "Dims",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let mnemonic = "dims";
  let summary = "a list of integers, each constant, symbolic or unknown";
  let description = [{
    As a tensor's encoding: its sizes, one entry per axis; entries of static
    axes repeat the size. As an op's parameter: strides, pads, permutations and
    the like; entries are symbolic in rules, and constant in models except for
    sizes. Entries are polynomials over symbols, with `floordiv`, `ceildiv`,
    `mod`, `max(a, b)`, `min(a, b)`; `?` is a size without a name.

    Example: `tensor<?x64xf32, #graph.dims<2 * n + 1, 64>>`.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t", "constants; kDynamic where not">:$values,
    ArrayRefParameter<"::mlir::StringAttr",
                      "normal forms of the entries that are not constant">
        :$expressions
  );
  let builders = [
    AttrBuilder<(ins "::llvm::ArrayRef<::tenon::graph::SymInt>":$entries)>
  ];
  let extraClassDeclaration = [{
    size_t size() const { return getValues().size(); }
    SymInt getEntry(size_t position) const;
    Shape getEntries() const;
    /// The entries, if all are constant.
    std::optional<::llvm::SmallVector<int64_t>> getConstants() const;
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // TENON_GRAPH_DIALECT_TD
