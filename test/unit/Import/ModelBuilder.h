//===- ModelBuilder.h - small ONNX models for tests -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_IMPORT_MODELBUILDER_H
#define TENON_TEST_UNIT_IMPORT_MODELBUILDER_H

#include "onnx.pb.h"

#include <string>
#include <vector>

namespace tenon::onnx {

/// Builds models node by node.
class ModelBuilder {
public:
  explicit ModelBuilder(int64_t opset = 17);

  /// A float input; names are symbols, numbers sizes.
  ModelBuilder &input(const std::string &name,
                      const std::vector<std::string> &dims, int32_t type = 1);
  ModelBuilder &output(const std::string &name);
  NodeProto &node(const std::string &op, const std::vector<std::string> &inputs,
                  const std::vector<std::string> &outputs);
  ModelBuilder &floats(const std::string &name,
                       const std::vector<int64_t> &dims, float value = 0.5f);
  ModelBuilder &integers(const std::string &name,
                         const std::vector<int64_t> &values);

  static void set(NodeProto &node, const std::string &name, int64_t value);
  static void set(NodeProto &node, const std::string &name,
                  const std::vector<int64_t> &values);
  static void set(NodeProto &node, const std::string &name, const char *value);

  GraphProto &graph() { return *model.mutable_graph(); }
  std::string bytes() const { return model.SerializeAsString(); }

  ModelProto model;
};

/// Models that between them use most of the reader.
std::vector<ModelProto> sampleModels();

} // namespace tenon::onnx

#endif // TENON_TEST_UNIT_IMPORT_MODELBUILDER_H
