//===- LibrarySite.h - a step that calls a library of CUDA ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CUDA_LIBRARYSITE_H
#define TENON_LIB_RUNTIME_CUDA_LIBRARYSITE_H

#include "Libraries.h"

#include "tenon/Artifact/Program.h"

namespace tenon::runtime::cuda {

/// What a call may use beside its operands: one piece of the model's memory,
/// for all of its sites and kernels. As much as cuBLAS itself takes on devices
/// from compute capability 9.0 on.
constexpr int64_t libraryWorkspaceBytes = int64_t(32) << 20;

/// Made at load, with the device's context current in every function. Calls of
/// `run` may be captured into a graph once they ran outside of one: then they
/// only put work on the stream, with addresses that are in `buffers` or stay as
/// they are for the site's life. (The first call may load code.)
class LibrarySite {
public:
  /// Fails where the library of the step is not there.
  static artifact::Expected<std::unique_ptr<LibrarySite>>
  create(const tenon_step &step, Libraries &libraries);

  virtual ~LibrarySite();

  /// Selects how the call is done for these symbols; what that takes is kept,
  /// so that sizes may alternate.
  virtual artifact::Status select(const int64_t *symbols) = 0;
  /// The most that any call takes; a multiple of nothing in particular.
  virtual int64_t workspaceBytes() const = 0;
  /// `buffers`: the addresses of the step's buffers. The workspace is aligned
  /// to 256 bytes and shared by all steps.
  virtual artifact::Status run(Stream stream, const DeviceAddress *buffers,
                               DeviceAddress workspace) = 0;
  /// For traces: "cublaslt"; and the library's name of what it selected, which
  /// stays valid.
  virtual const char *library() const = 0;
  virtual const char *implementation() const = 0;
  virtual int64_t memoryBytes() const = 0;
};

/// Of cuBLASLt and cuDNN.
artifact::Expected<std::unique_ptr<LibrarySite>>
makeMatmulSite(const tenon_step &step, Libraries &libraries);
artifact::Expected<std::unique_ptr<LibrarySite>>
makeConvolutionSite(const tenon_step &step, Libraries &libraries);

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_LIBRARYSITE_H
