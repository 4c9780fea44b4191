//===- OnnxReaderTest.cpp - the ONNX reader on good and bad models --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelBuilder.h"

#include "tenon/Import/Onnx.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;

namespace {
/// Imports `bytes`; gives the module as text, or "error: " and all diagnostics.
std::string importText(const std::string &bytes,
                       OnnxImportOptions options = {}) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  std::string errors, text;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    errors += diagnostic.str() + "\n";
    return success();
  });
  options.discardParams = true;
  auto module = importOnnxBytes(bytes, "test.onnx", &context, options);
  if (failed(module))
    return "error: " + errors;
  llvm::raw_string_ostream os(text);
  (*module)->print(os);
  return text;
}

std::string importText(const ModelBuilder &b) { return importText(b.bytes()); }

#define EXPECT_CONTAINS(text, part)                                            \
  EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(OnnxReader, SamplesAreGood) {
  for (const ModelProto &model : sampleModels()) {
    std::string text = importText(model.SerializeAsString());
    EXPECT_CONTAINS(text, "func.func @main");
  }
}

TEST(OnnxReader, GarbageIsNoModel) {
  EXPECT_CONTAINS(importText(std::string("hello")), "not an ONNX model");
  EXPECT_CONTAINS(importText(std::string()), "it has no graph");
}

TEST(OnnxReader, OpsetRange) {
  ModelBuilder old(5), future(99);
  for (ModelBuilder *b : {&old, &future}) {
    b->input("x", {"2"}).output("y");
    b->node("Relu", {"x"}, {"y"});
  }
  EXPECT_CONTAINS(importText(old), "opset 5 is not supported; expected 6 to");
  EXPECT_CONTAINS(importText(future), "opset 99 is not supported");
}

TEST(OnnxReader, EverythingUnsupportedIsListed) {
  ModelBuilder b;
  b.input("x", {"2"}).output("w");
  b.node("Unique", {"x"}, {"y"});
  b.node("Bogus", {"x"}, {"z"});
  b.node("QuantizeLinear", {"y", "z"}, {"w"});
  std::string text = importText(b);
  EXPECT_CONTAINS(text, "node 'Unique1' (Unique): not supported: the shape");
  EXPECT_CONTAINS(text, "node 'Bogus2' (Bogus): unknown operator");
  EXPECT_CONTAINS(text, "node 'QuantizeLinear3' (QuantizeLinear): not "
                        "supported: quantized");
}

TEST(OnnxReader, CycleIsNamed) {
  ModelBuilder b;
  b.input("x", {"2"}).output("z");
  b.node("Add", {"x", "z"}, {"y"});
  b.node("Relu", {"y"}, {"z"});
  EXPECT_CONTAINS(importText(b), "cycle through node 'Add1' (Add)");
}

TEST(OnnxReader, UnsortedNodesAreSorted) {
  ModelBuilder b;
  b.input("x", {"2"}).output("z");
  b.node("Relu", {"y"}, {"z"});
  b.node("Neg", {"x"}, {"y"});
  EXPECT_CONTAINS(importText(b), "graph.neg %arg0");
}

TEST(OnnxReader, NamesAreDefinedOnce) {
  ModelBuilder b;
  b.input("x", {"2"}).output("y");
  b.node("Relu", {"x"}, {"y"});
  b.node("Neg", {"x"}, {"y"});
  EXPECT_CONTAINS(importText(b), "value 'y' is defined twice");
}

TEST(OnnxReader, MissingInput) {
  ModelBuilder b;
  b.input("x", {"2"}).output("y");
  b.node("Add", {"x", "nowhere"}, {"y"});
  EXPECT_CONTAINS(importText(b), "input 'nowhere' is not defined");
}

TEST(OnnxReader, NodeWithoutOutputs) {
  ModelBuilder b;
  b.input("x", {"2"}).output("x");
  b.node("Split", {"x"}, {});
  EXPECT_CONTAINS(importText(b),
                  "node 'Split1' (Split): the node has no outputs");
}

TEST(OnnxReader, MissingOutput) {
  ModelBuilder b;
  b.input("x", {"2"}).output("nowhere");
  b.node("Relu", {"x"}, {"y"});
  EXPECT_CONTAINS(importText(b), "output 'nowhere' is not defined");
}

TEST(OnnxReader, InitializerSizes) {
  for (std::vector<int64_t> dims :
       {std::vector<int64_t>{-1}, {int64_t(1) << 62, 8}, {3}}) {
    ModelBuilder b;
    b.floats("w", {2}).input("x", {"2"}).output("y");
    TensorProto *w = b.graph().mutable_initializer(0);
    w->clear_dims();
    for (int64_t dim : dims)
      w->add_dims(dim);
    b.node("Add", {"x", "w"}, {"y"});
    EXPECT_CONTAINS(importText(b), "error: initializer 'w'");
  }
}

TEST(OnnxReader, InputSizes) {
  for (const char *dim : {"-3", "9000000000000000000"}) {
    ModelBuilder b;
    b.input("x", {dim}).output("y");
    b.node("Relu", {"x"}, {"y"});
    EXPECT_CONTAINS(importText(b), "input 'x' has size");
  }
}

TEST(OnnxReader, SymbolsThatMayDiffer) {
  ModelBuilder b;
  b.input("x", {"n"}).input("y", {"m"}).output("z");
  b.node("Add", {"x", "y"}, {"z"});
  EXPECT_CONTAINS(importText(b), "expected size m, but got n");
}

TEST(OnnxReader, NamesOfSymbols) {
  ModelBuilder b;
  b.input("x", {"batch size", "batch.size", "mod", ""}).output("y");
  b.node("Relu", {"x"}, {"y"});
  EXPECT_CONTAINS(importText(b),
                  "#graph.dims<batch_size, batch_size_1, mod_, d0>");
}

TEST(OnnxReader, RecursiveFunction) {
  ModelBuilder b;
  b.input("x", {"2"}).output("y");
  b.node("Loop", {"x"}, {"y"}).set_domain("local");
  FunctionProto *function = b.model.add_functions();
  function->set_domain("local");
  function->set_name("Loop");
  function->add_input("a");
  function->add_output("b");
  NodeProto *call = function->add_node();
  call->set_op_type("Loop");
  call->set_domain("local");
  call->add_input("a");
  call->add_output("b");
  EXPECT_CONTAINS(importText(b), "expected at most 256 nested function calls");
}

TEST(OnnxReader, ExternalDataStaysInside) {
  for (const char *place : {"/etc/passwd", "../secret", "a/../../secret"}) {
    ModelBuilder b;
    b.input("x", {"2"}).output("y").floats("w", {2});
    TensorProto *w = b.graph().mutable_initializer(0);
    w->set_data_location(1);
    StringStringEntryProto *entry = w->add_external_data();
    entry->set_key("location");
    entry->set_value(place);
    b.node("Add", {"x", "w"}, {"y"});
    EXPECT_CONTAINS(importText(b), "error: initializer 'w': external data");
  }
}

TEST(OnnxReader, Binds) {
  ModelBuilder b;
  b.input("x", {"n"}).input("shape", {"k"}, 7).output("y");
  b.node("Reshape", {"x", "shape"}, {"y"});
  EXPECT_CONTAINS(importText(b), "'shape', depends on run-time data");
  OnnxImportOptions options;
  artifact::TensorData shape;
  shape.dtype = artifact::DType::I64;
  shape.shape = {2};
  int64_t values[] = {1, -1};
  shape.bytes.assign(reinterpret_cast<uint8_t *>(values),
                     reinterpret_cast<uint8_t *>(values) + 16);
  options.binds["shape"] = shape;
  EXPECT_CONTAINS(importText(b.bytes(), options), "shape = [1, n]");
  options.binds["other"] = shape;
  EXPECT_CONTAINS(importText(b.bytes(), options), "no input 'other' to bind");
  options.binds.erase("other");
  options.binds["shape"].dtype = artifact::DType::F64;
  EXPECT_CONTAINS(importText(b.bytes(), options), "is bound to");
}
} // namespace
