//===- OnnxFuzzTest.cpp - damaged models ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Damaged models get a diagnostic, never a crash, a hang or a huge allocation.
// TENON_FUZZ_RUNS sets the number of files (default 2,000), TENON_FUZZ_SEED the
// first seed, and TENON_FUZZ_MODELS a colon-separated list of further models.
//
//===----------------------------------------------------------------------===//

#include "ModelBuilder.h"

#include "tenon/Import/Onnx.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <chrono>
#include <cstdlib>
#include <random>

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;

namespace {
using Random = std::mt19937_64;

int64_t numberFrom(const char *variable, int64_t otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::atoll(text) : otherwise;
}

/// Imports, and checks that failure and diagnostics come together.
void check(const std::string &bytes, uint64_t seed) {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  unsigned errors = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &) {
    ++errors;
    return success();
  });
  OnnxImportOptions options;
  options.discardParams = true;
  auto begin = std::chrono::steady_clock::now();
  auto module = importOnnxBytes(bytes, "fuzz.onnx", &context, options);
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  EXPECT_LT(seconds.count(), 10) << "seed " << seed;
  if (failed(module))
    EXPECT_GT(errors, 0u) << "seed " << seed << " fails without a diagnostic";
  else
    EXPECT_TRUE(succeeded(verify(**module))) << "seed " << seed;
}

std::vector<std::string> models() {
  std::vector<std::string> all;
  for (const ModelProto &model : sampleModels())
    all.push_back(model.SerializeAsString());
  if (const char *paths = std::getenv("TENON_FUZZ_MODELS")) {
    SmallVector<StringRef> list;
    StringRef(paths).split(list, ':', -1, /*KeepEmpty=*/false);
    for (StringRef path : list)
      if (auto buffer = llvm::MemoryBuffer::getFile(path))
        all.push_back((*buffer)->getBuffer().str());
  }
  return all;
}

void flipBits(std::string &bytes, Random &random) {
  unsigned flips = 1 + random() % 8;
  for (unsigned i = 0; i < flips && !bytes.empty(); ++i)
    bytes[random() % bytes.size()] ^= 1 << (random() % 8);
}

TEST(OnnxFuzz, DamagedBytes) {
  std::vector<std::string> all = models();
  int64_t runs = numberFrom("TENON_FUZZ_RUNS", 2000);
  int64_t first = numberFrom("TENON_FUZZ_SEED", 1);
  for (int64_t seed = first; seed < first + runs; ++seed) {
    Random random(seed);
    std::string bytes = all[random() % all.size()];
    switch (random() % 4) {
    case 0:
      bytes.resize(random() % (bytes.size() + 1));
      break;
    case 1:
      bytes.erase(random() % bytes.size(), 1 + random() % 16);
      break;
    default:
      flipBits(bytes, random);
    }
    check(bytes, seed);
  }
}

/// A number that readers trip over.
int64_t oddNumber(Random &random) {
  static const int64_t numbers[] = {0,          -1,        1,
                                    2,          3,         -2,
                                    INT64_MAX,  INT64_MIN, INT64_MAX - 1,
                                    INT32_MAX,  INT32_MIN, int64_t(1) << 40,
                                    -INT64_MAX, 65536,     7};
  return numbers[random() % std::size(numbers)];
}

/// Changes one thing that a byte flip rarely hits, in a well-formed file.
void mutate(ModelProto &model, Random &random) {
  GraphProto &graph = *model.mutable_graph();
  NodeProto &node = *graph.mutable_node(random() % graph.node_size());
  auto otherName = [&] {
    const NodeProto &other = graph.node(random() % graph.node_size());
    if (random() % 4 == 0 && graph.initializer_size())
      return graph.initializer(random() % graph.initializer_size()).name();
    return other.output_size() ? other.output(0) : std::string();
  };
  switch (random() % 9) {
  case 0:
    if (node.input_size())
      node.set_input(random() % node.input_size(), otherName());
    break;
  case 1:
    if (node.attribute_size()) {
      AttributeProto &attr =
          *node.mutable_attribute(random() % node.attribute_size());
      attr.set_i(oddNumber(random));
      if (attr.ints_size())
        attr.set_ints(random() % attr.ints_size(), oddNumber(random));
    }
    break;
  case 2:
    if (graph.initializer_size()) {
      TensorProto &tensor =
          *graph.mutable_initializer(random() % graph.initializer_size());
      if (tensor.dims_size())
        tensor.set_dims(random() % tensor.dims_size(), oddNumber(random));
      else
        tensor.set_data_type(random() % 20);
    }
    break;
  case 3:
    if (graph.initializer_size()) {
      TensorProto &tensor =
          *graph.mutable_initializer(random() % graph.initializer_size());
      if (tensor.raw_data().size() >= 8) {
        int64_t value = oddNumber(random);
        size_t at = random() % (tensor.raw_data().size() / 8) * 8;
        tensor.mutable_raw_data()->replace(
            at, 8, std::string(reinterpret_cast<char *>(&value), 8));
      }
    }
    break;
  case 4:
    node.set_op_type(graph.node(random() % graph.node_size()).op_type());
    break;
  case 5:
    model.mutable_opset_import(0)->set_version(6 + random() % 23);
    break;
  case 6: {
    ValueInfoProto &input = *graph.mutable_input(random() % graph.input_size());
    auto &shape = *input.mutable_type()->mutable_tensor_type()->mutable_shape();
    if (shape.dim_size() && random() % 2)
      shape.mutable_dim(random() % shape.dim_size())
          ->set_dim_value(oddNumber(random));
    else if (shape.dim_size())
      shape.mutable_dim()->RemoveLast();
    break;
  }
  case 7: {
    AttributeProto &attr = *node.add_attribute();
    static const char *const names[] = {"axis",  "axes", "perm",    "pads",
                                        "group", "to",   "strides", "k"};
    attr.set_name(names[random() % std::size(names)]);
    attr.set_i(oddNumber(random));
    for (unsigned i = random() % 5; i-- > 0;)
      attr.add_ints(oddNumber(random));
    break;
  }
  case 8:
    if (node.output_size() > 1)
      node.mutable_output()->RemoveLast();
    else
      node.add_input(otherName());
    break;
  }
}

TEST(OnnxFuzz, OddModels) {
  std::vector<ModelProto> all;
  for (const std::string &bytes : models()) {
    ModelProto model;
    if (model.ParseFromString(bytes) && model.graph().node_size() &&
        model.graph().input_size())
      all.push_back(std::move(model));
  }
  int64_t runs = numberFrom("TENON_FUZZ_RUNS", 2000);
  int64_t first = numberFrom("TENON_FUZZ_SEED", 1);
  for (int64_t seed = first; seed < first + runs; ++seed) {
    Random random(seed);
    ModelProto model = all[random() % all.size()];
    for (unsigned i = 1 + random() % 3; i-- > 0;)
      if (model.graph().input(0).type().tensor_type().shape().dim_size())
        mutate(model, random);
    check(model.SerializeAsString(), seed);
  }
}
} // namespace
