//===- Operators.cpp - the table of ONNX operators ------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "llvm/Support/raw_ostream.h"

using namespace tenon;
using namespace tenon::onnx;

llvm::ArrayRef<Operator> tenon::onnx::refusedOperators() {
  constexpr Support R = Support::Refused;
  static constexpr llvm::StringLiteral
      quantized = "quantized operators are not supported",
      strings = "strings are not supported",
      optionals = "optional values are not supported",
      random = "random numbers are not supported",
      dataShape = "the shape of its result depends on run-time data",
      signal = "signal processing is not supported",
      rois = "regions of interest are not supported",
      preprocessing = "decoding and text features are not supported";
  static const Operator table[] = {
      {"Bernoulli", R, nullptr, random},
      {"BitCast", R, nullptr, "reinterpreting bits is not supported"},
      {"DFT", R, nullptr, signal},
      {"DeformConv", R, nullptr, "deformable convolution is not supported"},
      {"ConvInteger", R, nullptr, quantized},
      {"DequantizeLinear", R, nullptr, quantized},
      {"Det", R, nullptr, "determinants are not supported"},
      {"DynamicQuantizeLinear", R, nullptr, quantized},
      {"ImageDecoder", R, nullptr, preprocessing},
      {"MatMulInteger", R, nullptr, quantized},
      {"MaxRoiPool", R, nullptr, rois},
      {"MelWeightMatrix", R, nullptr, signal},
      {"Multinomial", R, nullptr, random},
      {"NonMaxSuppression", R, nullptr, dataShape},
      {"Optional", R, nullptr, optionals},
      {"OptionalGetElement", R, nullptr, optionals},
      {"OptionalHasElement", R, nullptr, optionals},
      {"QLinearConv", R, nullptr, quantized},
      {"QLinearMatMul", R, nullptr, quantized},
      {"QuantizeLinear", R, nullptr, quantized},
      {"RandomNormal", R, nullptr, random},
      {"RandomNormalLike", R, nullptr, random},
      {"RandomUniform", R, nullptr, random},
      {"RandomUniformLike", R, nullptr, random},
      {"RegexFullMatch", R, nullptr, strings},
      {"RoiAlign", R, nullptr, rois},
      {"STFT", R, nullptr, signal},
      {"StringConcat", R, nullptr, strings},
      {"StringNormalizer", R, nullptr, strings},
      {"StringSplit", R, nullptr, strings},
      {"TfIdfVectorizer", R, nullptr, preprocessing},
      {"Unique", R, nullptr, dataShape},
  };
  return table;
}

/// All operators, by name.
static const std::map<llvm::StringRef, const Operator *> &allOperators() {
  static const auto *table = [] {
    auto *all = new std::map<llvm::StringRef, const Operator *>();
    for (llvm::ArrayRef<Operator> family : {elementwiseOperators(),
                                            activationOperators(),
                                            linearOperators(),
                                            poolOperators(),
                                            normOperators(),
                                            reduceOperators(),
                                            shapeOperators(),
                                            sliceOperators(),
                                            indexOperators(),
                                            constantOperators(),
                                            resizeOperators(),
                                            attentionOperators(),
                                            einsumOperators(),
                                            recurrentOperators(),
                                            sequenceOperators(),
                                            tensorSequenceOperators(),
                                            specialOperators(),
                                            gridOperators(),
                                            linearAttentionOperators(),
                                            loopOperators(),
                                            refusedOperators()})
      for (const Operator &op : family)
        all->try_emplace(op.name, &op);
    return all;
  }();
  return *table;
}

const Operator *tenon::onnx::findOperator(llvm::StringRef name) {
  auto found = allOperators().find(name);
  return found == allOperators().end() ? nullptr : found->second;
}

static const char *describe(Support support) {
  switch (support) {
  case Support::Direct:
    return "supported";
  case Support::Composed:
    return "composed";
  case Support::Import:
    return "at import";
  case Support::Refused:
    return "refused";
  }
  return "";
}

void tenon::listOnnxOperators(llvm::raw_ostream &os) {
  os << "# ONNX operators\n\n"
        "<!-- Written by `tenon-import --list-operators`; do not edit. -->\n\n"
        "What the importer does with each operator of the ONNX standard, opset "
     << oldestOnnxOpset << " to " << newestOnnxOpset
     << ".\n*Supported*: one op of the graph dialect. *Composed*: several. *At "
        "import*: evaluated\nwhile the model is read. *Refused*: a diagnostic "
        "names the node and the reason.\nElement types are f64, f32, f16, "
        "bf16, i64, i32, i8, u8 and bool.\n\n"
        "\"Known at import\" includes what depends on the inputs' sizes, which "
        "may be symbols\n(`dim_param`). If sizes have to be equal and the "
        "importer can't prove it, the artifact\nchecks this when it receives "
        "its inputs, and its error names the node. This also applies\nto "
        "broadcasting: an axis "
        "is repeated only if its size is known to be 1. If two sizes may\n"
        "differ and ONNX lets one of them be 1, equality is required: a run "
        "where one is 1 and the\nother is not is an error. A loop is unrolled, "
        "to at most 1024 steps, and to 65536 nodes\nand 262144 ops over all "
        "loops of the model. The formula of a size has at most 2000\n"
        "symbols.\n\n"
        "| operator | support | note |\n|---|---|---|\n";
  for (const auto &[name, op] : allOperators())
    os << "| " << name << " | " << describe(op->support) << " | " << op->note
       << " |\n";
}
