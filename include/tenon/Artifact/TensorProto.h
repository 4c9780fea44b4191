//===- TensorProto.h - ONNX tensors in .pb files --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The TensorProto message of the ONNX standard
// (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto), in the form of the
// .pb files of its tests: one serialized message per file. The wire format is
// parsed directly, so that tenon-run does not need a protobuf library.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_TENSORPROTO_H
#define TENON_ARTIFACT_TENSORPROTO_H

#include "tenon/Artifact/Status.h"
#include "tenon/Artifact/TensorData.h"

#include <cstdint>
#include <string>

namespace tenon::artifact {

struct NamedTensor {
  std::string name; // empty if the message has none
  TensorData tensor;
};

/// Refuses external data, and element types that Tenon lacks, by name.
Expected<NamedTensor> readTensorProto(const std::string &path);
Expected<NamedTensor> parseTensorProto(const uint8_t *bytes, size_t size);

/// Stores the data in raw_data.
Status writeTensorProto(const std::string &path, const NamedTensor &tensor);
std::string formatTensorProto(const NamedTensor &tensor);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_TENSORPROTO_H
