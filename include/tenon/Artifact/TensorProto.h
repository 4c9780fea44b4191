//===- TensorProto.h - ONNX tensors in .pb files --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The message TensorProto of the ONNX standard
// (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto), as the .pb files of
// its tests hold it: one serialized message per file. Read from the wire format
// directly, so that tenon-run needs no protobuf library.
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
  std::string name; // empty when the message has none
  TensorData tensor;
};

/// Element types that Tenon lacks and external data are refused by name.
Expected<NamedTensor> readTensorProto(const std::string &path);
Expected<NamedTensor> parseTensorProto(const uint8_t *bytes, size_t size);

/// Writes the data as raw_data.
Status writeTensorProto(const std::string &path, const NamedTensor &tensor);
std::string formatTensorProto(const NamedTensor &tensor);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_TENSORPROTO_H
