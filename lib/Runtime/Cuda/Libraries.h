//===- Libraries.h - the CUDA libraries that a model calls ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CUDA_LIBRARIES_H
#define TENON_LIB_RUNTIME_CUDA_LIBRARIES_H

#include "CuDnn.h"
#include "CublasLt.h"
#include "Device.h"

#include <optional>

namespace tenon::runtime::cuda {

/// Opens each library on first use, with handles that belong to this model. The
/// device's context must be current in all functions.
class Libraries {
public:
  explicit Libraries(Device &device) : ownDevice(device) {}
  ~Libraries() { close(); }
  Libraries(const Libraries &) = delete;
  Libraries &operator=(const Libraries &) = delete;

  Device &device() { return ownDevice; }
  artifact::Expected<const CublasLt *> cublasLt();
  artifact::Expected<const CuDnn *> cuDnn();

  /// Frees the handles; the libraries stay loaded, as the driver does.
  void close();

private:
  Device &ownDevice;
  std::optional<CublasLt> blas;
  std::optional<CuDnn> dnn;
};

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_LIBRARIES_H
