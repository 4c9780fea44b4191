//===- ModelBuilder.cpp - small ONNX models for tests ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelBuilder.h"

#include <cctype>

using namespace tenon::onnx;

ModelBuilder::ModelBuilder(int64_t opset) {
  model.set_ir_version(8);
  model.add_opset_import()->set_version(opset);
  model.mutable_graph()->set_name("test");
}

ModelBuilder &ModelBuilder::input(const std::string &name,
                                  const std::vector<std::string> &dims,
                                  int32_t type) {
  ValueInfoProto *info = graph().add_input();
  info->set_name(name);
  auto *tensor = info->mutable_type()->mutable_tensor_type();
  tensor->set_elem_type(type);
  tensor->mutable_shape();
  for (const std::string &dim : dims) {
    auto *entry = tensor->mutable_shape()->add_dim();
    if (!dim.empty() && (std::isdigit(dim[0]) || dim[0] == '-'))
      entry->set_dim_value(std::stoll(dim));
    else if (!dim.empty())
      entry->set_dim_param(dim);
  }
  return *this;
}

ModelBuilder &ModelBuilder::output(const std::string &name) {
  graph().add_output()->set_name(name);
  return *this;
}

NodeProto &ModelBuilder::node(const std::string &op,
                              const std::vector<std::string> &inputs,
                              const std::vector<std::string> &outputs) {
  NodeProto *node = graph().add_node();
  node->set_op_type(op);
  node->set_name(op + std::to_string(graph().node_size()));
  for (const std::string &name : inputs)
    node->add_input(name);
  for (const std::string &name : outputs)
    node->add_output(name);
  return *node;
}

ModelBuilder &ModelBuilder::floats(const std::string &name,
                                   const std::vector<int64_t> &dims,
                                   float value) {
  TensorProto *tensor = graph().add_initializer();
  tensor->set_name(name);
  tensor->set_data_type(1);
  int64_t count = 1;
  for (int64_t dim : dims) {
    tensor->add_dims(dim);
    count *= dim;
  }
  for (int64_t i = 0; i < count; ++i)
    tensor->add_float_data(value);
  return *this;
}

ModelBuilder &ModelBuilder::integers(const std::string &name,
                                     const std::vector<int64_t> &values) {
  TensorProto *tensor = graph().add_initializer();
  tensor->set_name(name);
  tensor->set_data_type(7);
  tensor->add_dims(values.size());
  tensor->set_raw_data(std::string(
      reinterpret_cast<const char *>(values.data()), values.size() * 8));
  return *this;
}

static AttributeProto &attribute(NodeProto &node, const std::string &name,
                                 int32_t type) {
  AttributeProto *attr = node.add_attribute();
  attr->set_name(name);
  attr->set_type(type);
  return *attr;
}

void ModelBuilder::set(NodeProto &node, const std::string &name,
                       int64_t value) {
  attribute(node, name, 2).set_i(value);
}

void ModelBuilder::set(NodeProto &node, const std::string &name,
                       const std::vector<int64_t> &values) {
  AttributeProto &attr = attribute(node, name, 7);
  for (int64_t value : values)
    attr.add_ints(value);
}

void ModelBuilder::set(NodeProto &node, const std::string &name,
                       const char *value) {
  attribute(node, name, 3).set_s(value);
}

static ModelProto convolutional() {
  ModelBuilder b;
  b.input("x", {"n", "3", "16", "16"}).floats("w", {8, 3, 3, 3});
  b.floats("bias", {8}).floats("scale", {8}).integers("sizes", {1, 8, 20, 20});
  NodeProto &conv = b.node("Conv", {"x", "w", "bias"}, {"c"});
  ModelBuilder::set(conv, "auto_pad", "SAME_UPPER");
  ModelBuilder::set(conv, "strides", std::vector<int64_t>{1, 1});
  b.node("BatchNormalization", {"c", "scale", "scale", "bias", "scale"}, {"d"});
  b.node("Relu", {"d"}, {"r"});
  NodeProto &pool = b.node("MaxPool", {"r"}, {"p", "i"});
  ModelBuilder::set(pool, "kernel_shape", std::vector<int64_t>{2, 2});
  ModelBuilder::set(pool, "strides", std::vector<int64_t>{2, 2});
  NodeProto &pads = b.node("Constant", {}, {"pads"});
  ModelBuilder::set(pads, "value_ints",
                    std::vector<int64_t>{0, 0, 1, -1, 0, 0, 1, 2});
  b.node("Pad", {"p", "pads"}, {"q"});
  b.node("GlobalAveragePool", {"q"}, {"g"});
  b.node("Flatten", {"g"}, {"f"});
  b.node("Softmax", {"f"}, {"y"});
  b.output("y").output("i");
  return b.model;
}

static ModelProto shapeArithmetic() {
  ModelBuilder b;
  b.input("x", {"batch", "seq", "32"}).integers("one", {1}).integers("h", {4});
  b.integers("rest", {-1})
      .integers("ends", {9223372036854775807})
      .floats("w", {32, 32});
  b.node("MatMul", {"x", "w"}, {"m"});
  b.node("Shape", {"m"}, {"s"});
  b.node("Slice", {"s", "one", "ends"}, {"tail"});
  b.node("Gather", {"s", "one"}, {"seq"});
  NodeProto &join = b.node("Concat", {"seq", "h", "rest"}, {"target"});
  ModelBuilder::set(join, "axis", int64_t(0));
  b.node("Reshape", {"m", "target"}, {"r"});
  NodeProto &perm = b.node("Transpose", {"r"}, {"t"});
  ModelBuilder::set(perm, "perm", std::vector<int64_t>{1, 0, 2});
  NodeProto &split = b.node("Split", {"t", "two"}, {"a", "b"});
  ModelBuilder::set(split, "axis", int64_t(0));
  b.integers("two", {1, 3});
  NodeProto &equation = b.node("Einsum", {"a", "b"}, {"e"});
  ModelBuilder::set(equation, "equation", "aij,bij->ab");
  NodeProto &reduce = b.node("ReduceMean", {"t"}, {"u"});
  ModelBuilder::set(reduce, "axes", std::vector<int64_t>{-1});
  b.node("Range", {"zero", "limit", "step"}, {"range"});
  for (const char *name : {"zero", "limit", "step"}) {
    b.integers(name, {std::string(name) == "zero" ? 0 : 3});
    b.graph().mutable_initializer()->rbegin()->clear_dims();
  }
  b.output("e").output("u").output("tail").output("range");
  return b.model;
}

static ModelProto recurrent() {
  ModelBuilder b(14);
  b.input("x", {"3", "2", "4"}).floats("w", {1, 20, 4}).floats("r", {1, 20, 5});
  NodeProto &lstm = b.node("LSTM", {"x", "w", "r"}, {"y", "h", "c"});
  ModelBuilder::set(lstm, "hidden_size", int64_t(5));
  // A function that calls another, and a branch.
  OperatorSetIdProto *domain = b.model.add_opset_import();
  domain->set_domain("local");
  domain->set_version(1);
  FunctionProto *function = b.model.add_functions();
  function->set_domain("local");
  function->set_name("Twice");
  function->add_input("a");
  function->add_output("b");
  function->add_opset_import()->set_version(14);
  NodeProto *body = function->add_node();
  body->set_op_type("Add");
  body->add_input("a");
  body->add_input("a");
  body->add_output("b");
  b.node("Twice", {"y"}, {"z"}).set_domain("local");
  TensorProto *flag = b.graph().add_initializer();
  flag->set_name("flag");
  flag->set_data_type(9);
  flag->add_int32_data(1);
  NodeProto &branch = b.node("If", {"flag"}, {"chosen"});
  for (const char *name : {"then_branch", "else_branch"}) {
    AttributeProto *attr = branch.add_attribute();
    attr->set_name(name);
    attr->set_type(5);
    NodeProto *inner = attr->mutable_g()->add_node();
    inner->set_op_type("Neg");
    inner->add_input("z");
    inner->add_output(std::string(name) + "_out");
    attr->mutable_g()->add_output()->set_name(std::string(name) + "_out");
  }
  b.output("chosen").output("h");
  return b.model;
}

static ModelProto looping() {
  ModelBuilder b;
  b.input("x", {"n"}).input("e", {"4", "n"}).integers("trips", {3});
  b.graph().mutable_initializer(0)->clear_dims();
  NodeProto &loop = b.node("Loop", {"trips", "", "x"}, {"y", "all"});
  AttributeProto *attr = loop.add_attribute();
  attr->set_name("body");
  attr->set_type(5);
  GraphProto &body = *attr->mutable_g();
  for (const char *name : {"i", "go", "s"})
    body.add_input()->set_name(name);
  NodeProto *add = body.add_node();
  add->set_op_type("Mul");
  add->add_input("s");
  add->add_input("x");
  add->add_output("t");
  for (const char *name : {"go", "t", "t"})
    body.add_output()->set_name(name);
  NodeProto &scan = b.node("Scan", {"y", "e"}, {"z"});
  ModelBuilder::set(scan, "num_scan_inputs", int64_t(1));
  AttributeProto *steps = scan.add_attribute();
  steps->set_name("body");
  steps->set_type(5);
  GraphProto &step = *steps->mutable_g();
  for (const char *name : {"a", "b"})
    step.add_input()->set_name(name);
  NodeProto *sum = step.add_node();
  sum->set_op_type("Sub");
  sum->add_input("a");
  sum->add_input("b");
  sum->add_output("c");
  step.add_output()->set_name("c");
  b.output("z").output("all");
  return b.model;
}

static ModelProto resampling() {
  ModelBuilder b(19);
  b.input("x", {"1", "2", "5", "n"}).integers("sizes", {1, 2, 7, 9});
  b.input("y", {"1", "2", "6", "6"}).integers("k", {3}).integers("axes", {1});
  NodeProto &resize = b.node("Resize", {"y", "", "", "sizes"}, {"r"});
  ModelBuilder::set(resize, "mode", "linear");
  NodeProto &antialias = b.node("Resize", {"y", "", "", "sizes"}, {"s"});
  ModelBuilder::set(antialias, "mode", "cubic");
  ModelBuilder::set(antialias, "antialias", int64_t(1));
  b.node("TopK", {"y", "k"}, {"values", "indices"});
  b.node("CumSum", {"x", "axes"}, {"sums"});
  NodeProto &space = b.node("DepthToSpace", {"d"}, {"e"});
  ModelBuilder::set(space, "blocksize", int64_t(3));
  NodeProto &cut = b.node("SpaceToDepth", {"y"}, {"d"});
  ModelBuilder::set(cut, "blocksize", int64_t(3));
  b.node("GatherND", {"y", "where"}, {"g"});
  b.integers("where", {0, 1});
  NodeProto &hot = b.node("OneHot", {"k", "k", "pair"}, {"hot"});
  ModelBuilder::set(hot, "axis", int64_t(0));
  b.integers("pair", {0, 1});
  b.output("r").output("s").output("values").output("sums");
  b.output("e").output("g").output("hot");
  return b.model;
}

std::vector<ModelProto> tenon::onnx::sampleModels() {
  ModelProto samples[] = {convolutional(), shapeArithmetic(), recurrent(),
                          resampling(), looping()};
  return {std::begin(samples), std::end(samples)};
}
