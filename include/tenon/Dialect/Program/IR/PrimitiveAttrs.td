//===- PrimitiveAttrs.td - what libraries compute -------------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one table of the functions that libraries compute. An attribute of the
// program dialect, a structure in tenon/Artifact/Primitives.h.inc and the code
// that writes the one as the other are generated from each definition. A new
// field of a function is one line here, the backend that sets it, and the
// library of the runtime that reads it.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PRIMITIVE_ATTRS_TD
#define TENON_PRIMITIVE_ATTRS_TD

include "tenon/Dialect/Program/IR/ProgramDialect.td"

def Program_PrimitiveInterface : AttrInterface<"PrimitiveAttr"> {
  let cppNamespace = "::tenon::program";
  let description = [{
    A function that libraries compute: a matmul, a convolution, a pool.
  }];
  let methods = [
    InterfaceMethod<"Returns its number in artifacts (tenon_primitive).",
                    "int32_t", "getNumber">,
    InterfaceMethod<"Returns its name, such as `conv`.",
                    "::llvm::StringRef", "getPrimitiveName">,
    InterfaceMethod<"Returns the least and the greatest number of a call's "
                    "buffers, without those of its post-ops.",
                    "std::pair<unsigned, unsigned>", "getNumBuffers">
  ];
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

/// A field of a function. `member` is its type in C; `constant` makes its
/// constant from `$_self`, the value of the attribute's parameter.
class Program_Field<string type, string member, string constant,
                    string description = ""> : AttrParameter<type, description> {
  string memberType = member;
  string tableConstant = constant;
}

class Program_Flag<string description>
    : Program_Field<"bool", "int32_t", "tables.int32($_self)", description> {
  let defaultValue = "false";
}

class Program_Integer<string description, string value = "">
    : Program_Field<"int64_t", "int64_t", "tables.int64($_self)", description> {
  let defaultValue = value;
}

class Program_Number<string description>
    : Program_Field<"::llvm::APFloat", "float",
                    "tables.float32($_self.convertToFloat())", description> {
  let comparator = "$_lhs.bitwiseIsEqual($_rhs)";
  let parser = "::tenon::program::parseNumber($_parser)";
  let printer = "$_printer.printFloat($_self)";
}

/// A number for each spatial axis. In C, the structure begins with
/// `num_spatial`, the length of all of its lists.
class Program_PerAxis<string description>
    : Program_Field<"::mlir::DenseI64ArrayAttr", "const int64_t *",
                    "tables.int64s($_self)", description>;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// A function with its number in artifacts, which is never used again.
/// `structure` names its structure in C, which several functions with the same
/// fields may share; it is empty if there are no fields.
class Program_PrimitiveAttr<string cppName, string name, int value,
                            string structure_ = "", dag fields = (ins)>
    : AttrDef<Program_Dialect, cppName, [Program_PrimitiveInterface]> {
  let mnemonic = name;
  let parameters = fields;
  int number = value;
  string structure = structure_;
  /// The buffers of a call, without those of its post-ops: the result is last.
  int leastBuffers = 2;
  int mostBuffers = leastBuffers;
  let extraClassDeclaration = [{
    int32_t getNumber() const { return }] # number # [{; }
    ::llvm::StringRef getPrimitiveName() const { return getMnemonic(); }
    std::pair<unsigned, unsigned> getNumBuffers() const {
      return std::make_pair(}] # leastBuffers # ", " # mostBuffers # [{);
    }
  }];
}

def Program_MatmulAttr : Program_PrimitiveAttr<"Matmul", "matmul", 0,
    "tenon_matmul",
    (ins Program_Flag<"Factors of f32 may be rounded to tf32 (on CUDA).">:$tf32)> {
  let summary = "a product of matrices";
  let description = [{
    Buffers: lhs, rhs, perhaps a bias of shape [n], those of post-ops, result.

    Example: `#program.matmul`
  }];
  let leastBuffers = 3;
  let mostBuffers = 4;
  let assemblyFormat = "(`<` struct(params)^ `>`)?";
}

class Program_ConvolutionAttr<string cppName, string name, int value>
    : Program_PrimitiveAttr<cppName, name, value, "tenon_convolution",
    (ins Program_PerAxis<"The steps of the window.">:$strides,
         Program_PerAxis<"Distances of its elements; 1: not dilated.">:$dilations,
         Program_PerAxis<"Zeros before the input.">:$pads_begin,
         Program_PerAxis<"Zeros behind it.">:$pads_end,
         Program_Integer<"Parts of the channels.", "1">:$groups,
         Program_Flag<"Factors of f32 may be rounded to tf32 (on CUDA).">:$tf32)> {
  let leastBuffers = 3;
  let assemblyFormat = "`<` struct(params) `>`";
  let builders = [AttrBuilder<
      (ins "::llvm::ArrayRef<int64_t>":$strides,
           "::llvm::ArrayRef<int64_t>":$dilations,
           "::llvm::ArrayRef<int64_t>":$begins,
           "::llvm::ArrayRef<int64_t>":$ends, "int64_t":$groups,
           CArg<"bool", "false">:$tf32),
      [{
        ::mlir::Builder builder($_ctxt);
        return $_get($_ctxt, builder.getDenseI64ArrayAttr(strides),
                     builder.getDenseI64ArrayAttr(dilations),
                     builder.getDenseI64ArrayAttr(begins),
                     builder.getDenseI64ArrayAttr(ends), groups, tf32);
      }]>];
}

def Program_ConvAttr : Program_ConvolutionAttr<"Conv", "conv", 1> {
  let summary = "a convolution";
  let description = [{
    Buffers: input, weight, perhaps a bias of shape [o], those of post-ops,
    result.

    Example: `#program.conv<strides = [1], dilations = [1], pads_begin = [0], pads_end = [0]>`
  }];
  let mostBuffers = 4;
}

def Program_ConvTransposeAttr
    : Program_ConvolutionAttr<"ConvTranspose", "conv_transpose", 2> {
  let summary = "a transposed convolution";
  let description = [{
    Buffers are as of `#program.conv`.

    Example: `#program.conv_transpose<strides = [2], dilations = [1], pads_begin = [0], pads_end = [0]>`
  }];
  let mostBuffers = 4;
}

class Program_PoolAttr<string cppName, string name, int value>
    : Program_PrimitiveAttr<cppName, name, value, "tenon_pool",
    (ins Program_PerAxis<"The sizes of the window.">:$window,
         Program_PerAxis<"Its steps.">:$strides,
         Program_PerAxis<"Elements before the input.">:$pads_begin,
         Program_Flag<"A mean counts what was padded.">:$counts_pads)> {
  let assemblyFormat = "`<` struct(params) `>`";
  let builders = [AttrBuilder<
      (ins "::llvm::ArrayRef<int64_t>":$window,
           "::llvm::ArrayRef<int64_t>":$strides,
           "::llvm::ArrayRef<int64_t>":$begins,
           CArg<"bool", "false">:$countsPads),
      [{
        ::mlir::Builder builder($_ctxt);
        return $_get($_ctxt, builder.getDenseI64ArrayAttr(window),
                     builder.getDenseI64ArrayAttr(strides),
                     builder.getDenseI64ArrayAttr(begins), countsPads);
      }]>];
}

def Program_MaxPoolAttr : Program_PoolAttr<"MaxPool", "max_pool", 3> {
  let summary = "the maxima of windows";
  let description = [{
    Buffers: input, those of post-ops, result. The sizes say how much is padded
    behind the input.

    Example: `#program.max_pool<window = [2], strides = [2], pads_begin = [0]>`
  }];
}

def Program_AvgPoolAttr : Program_PoolAttr<"AvgPool", "avg_pool", 4> {
  let summary = "the means of windows";
  let description = [{
    Buffers are as of `#program.max_pool`.

    Example: `#program.avg_pool<window = [2], strides = [2], pads_begin = [0]>`
  }];
}

def Program_LrnAttr : Program_PrimitiveAttr<"Lrn", "lrn", 6, "tenon_lrn",
    (ins Program_Integer<"Channels of a window, an odd number.">:$window,
         Program_Number<"The factor of the mean.">:$alpha,
         Program_Number<"The exponent.">:$beta,
         Program_Number<"The summand.">:$k)> {
  let summary = "local response normalization";
  let description = [{
    x / (k + alpha * mean(squares of the channels))^beta. Buffers: input,
    result.

    Example: `#program.lrn<window = 5, alpha = 1.0, beta = 0.75, k = 1.0>`
  }];
  let assemblyFormat = "`<` struct(params) `>`";
}

def Program_SoftmaxAttr : Program_PrimitiveAttr<"Softmax", "softmax", 7> {
  let summary = "softmax along the last axis";
  let description = [{
    Buffers: input, result.

    Example: `#program.softmax`
  }];
}

def Program_LayerNormAttr : Program_PrimitiveAttr<"LayerNorm", "layer_norm", 8,
    "tenon_layer_norm",
    (ins Program_Number<"It is added to the variance.">:$epsilon)> {
  let summary = "layer normalization along the last axis";
  let description = [{
    Buffers: input, perhaps a scale, behind that perhaps a shift, both of that
    axis' size, result.

    Example: `#program.layer_norm<epsilon = 1.0>`
  }];
  let mostBuffers = 4;
  let assemblyFormat = "`<` struct(params) `>`";
}

def Program_ConvBackwardWeightAttr
    : Program_ConvolutionAttr<"ConvBackwardWeight", "conv_backward_weight", 9> {
  let summary = "the gradient of a convolution's weight";
  let description = [{
    Buffers: input, cotangent of the convolution's result, result. The sizes say
    how much is padded behind the input; `pads_end` is 0.

    Example: `#program.conv_backward_weight<strides = [1], dilations = [1], pads_begin = [0], pads_end = [0]>`
  }];
}

def Program_ScatterElementsAttr
    : Program_PrimitiveAttr<"ScatterElements", "scatter_elements", 10,
    "tenon_scatter_elements", (ins Program_Integer<"The indexed axis.">:$axis)> {
  let summary = "the sums of x and of updates at indices along an axis";
  let description = [{
    Buffers: x, indices, updates, result.

    Example: `#program.scatter_elements<axis = 0>`
  }];
  let leastBuffers = 4;
  let assemblyFormat = "`<` struct(params) `>`";
}

def Program_ScatterNdAttr
    : Program_PrimitiveAttr<"ScatterNd", "scatter_nd", 11> {
  let summary = "the sums of x and of updates at indices of several axes";
  let description = [{
    Buffers are as of `#program.scatter_elements`.

    Example: `#program.scatter_nd`
  }];
  let leastBuffers = 4;
}

#endif // TENON_PRIMITIVE_ATTRS_TD
