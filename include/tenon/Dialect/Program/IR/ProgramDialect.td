//===- ProgramDialect.td - the program dialect, its attributes -*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PROGRAM_DIALECT_TD
#define TENON_PROGRAM_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Program_Dialect : Dialect {
  let name = "program";
  let cppNamespace = "::tenon::program";
  let summary = "what an artifact does at load and in a run";
  let description = [{
    The last level before the tables of an artifact
    (`tenon/Artifact/Program.h`). A `program.target` holds the kernels for one
    kind of device, the buffers that all entries share, the steps that prepare
    weights once, at load, and the entries. An entry declares its own buffers,
    says what sizes must satisfy, and lists the steps of a run, in their order.

    Sizes are polynomials over the entry's symbols, which the sizes of its
    inputs bind.
  }];
  // Not the kernel dialect, whose attribute names a CPU: with it, backends are
  // loaded, which run passes and need whole dialects.
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

def Program_BufferType : TypeDef<Program_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "memory that steps read and write";
}

def Program_TokenType : TypeDef<Program_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "a transfer that has begun";
}

class Program_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::tenon::program";
}

def Program_DeviceAttr : AttrDef<Program_Dialect, "Device"> {
  let mnemonic = "device";
  let summary = "what a target's kernels run on";
  let parameters = (ins "::tenon::Device":$value);
  let assemblyFormat = "$value";
  let returnType = "::tenon::Device";
  let convertFromStorage = "$_self.getValue()";
  let constBuilderCall =
      "::tenon::program::DeviceAttr::get($_builder.getContext(), $0)";
}

def Program_LibraryAttr : AttrDef<Program_Dialect, "Library"> {
  let mnemonic = "library";
  let summary = "a built-in library";
  let description = [{
    The names and numbers are those of `tenon/Artifact/Libraries.def`.

    Example: `#program.library<onednn>`
  }];
  let parameters = (ins "::tenon::program::Library":$value);
  let hasCustomAssemblyFormat = 1;
  let returnType = "::tenon::program::Library";
  let convertFromStorage = "$_self.getValue()";
  let constBuilderCall =
      "::tenon::program::LibraryAttr::get($_builder.getContext(), $0)";
}

// tenon_post_kind is generated from it.
def Program_PostOpKind : Program_Enum<"PostOpKind",
                                      "what is applied to a result", [
    I32EnumAttrCase<"Relu", 0, "relu">, I32EnumAttrCase<"Add", 1, "add">,
    I32EnumAttrCase<"Mul", 2, "mul">, I32EnumAttrCase<"GeluErf", 3, "gelu_erf">,
    I32EnumAttrCase<"GeluTanh", 4, "gelu_tanh">,
    I32EnumAttrCase<"Tanh", 5, "tanh">,
    I32EnumAttrCase<"Sigmoid", 6, "sigmoid">,
    I32EnumAttrCase<"Clip", 7, "clip">, I32EnumAttrCase<"Elu", 8, "elu">,
    I32EnumAttrCase<"Swish", 9, "swish">,
    I32EnumAttrCase<"Linear", 10, "linear">, I32EnumAttrCase<"Exp", 11, "exp">,
    I32EnumAttrCase<"Sqrt", 12, "sqrt">, I32EnumAttrCase<"Abs", 13, "abs">,
    I32EnumAttrCase<"Sub", 14, "sub">, I32EnumAttrCase<"Div", 15, "div">,
    I32EnumAttrCase<"Max", 16, "max">, I32EnumAttrCase<"Min", 17, "min">,
    I32EnumAttrCase<"HardSwish", 18, "hard_swish">,
    I32EnumAttrCase<"Mish", 19, "mish">]>;

def Program_PostOpAttr : AttrDef<Program_Dialect, "PostOp"> {
  let mnemonic = "post";
  let summary = "a function that a library applies to what it has computed";
  let description = [{
    `add`, `mul`, `sub`, `div`, `max` and `min` read a buffer each, in order.
    The numbers are those of `tenon_post_op`.

    Example: `#program.post<clip(0.0, 6.0)>`
  }];
  let parameters = (ins "::tenon::program::PostOpKind":$kind,
                        APFloatParameter<"f32">:$alpha, APFloatParameter<"f32">:$beta);
  let builders = [AttrBuilder<(ins "::tenon::program::PostOpKind":$kind,
                                   CArg<"float", "0">:$alpha,
                                   CArg<"float", "0">:$beta), [{
    return $_get($_ctxt, kind, ::llvm::APFloat(alpha), ::llvm::APFloat(beta));
  }]>];
  let hasCustomAssemblyFormat = 1;
}

def Program_RangeAttr : AttrDef<Program_Dialect, "Range"> {
  let mnemonic = "range";
  let summary = "the indices of an axis that are allowed";
  let description = [{
    From the first number to before the second.

    Example: `#program.range<axis 0, -n to n>`
  }];
  let parameters = (ins "int64_t":$axis,
                        "::tenon::graph::DimsAttr":$bounds);
  let hasCustomAssemblyFormat = 1;
}

def Program_ImageAttr : AttrDef<Program_Dialect, "Image"> {
  let mnemonic = "image";
  let summary = "kernels as a CUDA driver loads them";
  let description = [{
    Machine code of an architecture, or PTX, for which it is the least.

    Example: `#program.image<"sm_80" ptx ".version 8.0">`
  }];
  let parameters = (ins StringRefParameter<"such as sm_80">:$arch,
                        "bool":$isPtx, "::mlir::StringAttr":$data);
  let hasCustomAssemblyFormat = 1;
}

#endif // TENON_PROGRAM_DIALECT_TD
