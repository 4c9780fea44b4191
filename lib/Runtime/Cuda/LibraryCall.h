//===- LibraryCall.h - a step that calls a CUDA library -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CUDA_LIBRARYCALL_H
#define TENON_LIB_RUNTIME_CUDA_LIBRARYCALL_H

#include "Libraries.h"

#include "tenon/Artifact/Program.h"

namespace tenon::runtime::cuda {

/// Workspace of a call: one block of the model's memory, shared by all of its
/// calls and kernels. Its size is what cuBLAS itself uses on devices of compute
/// capability 9.0 and later.
constexpr int64_t libraryWorkspaceBytes = int64_t(32) << 20;

/// Created at load; the device's context must be current in every function.
/// Calls of `run` may be captured into a graph after the first call ran outside
/// of one (it may load code). They then only enqueue work on the stream, with
/// addresses that are in `buffers` or stay valid and fixed during the call's
/// lifetime.
class LibraryCall {
public:
  /// Fails if the step's library is not available.
  static artifact::Expected<std::unique_ptr<LibraryCall>>
  create(const tenon_step &step, Libraries &libraries);
  /// A call that is not to be run, and needs what any call of a library may.
  static artifact::Expected<std::unique_ptr<LibraryCall>> createPlanned();

  virtual ~LibraryCall();

  /// Selects how the call is computed for these symbols. The result is kept, so
  /// that sizes may alternate.
  virtual artifact::Status select(const int64_t *symbols) = 0;
  /// Returns the largest workspace of any call; not rounded to an alignment.
  virtual int64_t workspaceBytes() const = 0;
  /// `buffers`: the addresses of the step's buffers. The workspace is aligned
  /// to 256 bytes and shared by all steps.
  virtual artifact::Status run(Stream stream, const DeviceAddress *buffers,
                               DeviceAddress workspace) = 0;
  /// For traces: the library, such as "cublaslt", and its name for the selected
  /// implementation, which stays valid.
  virtual const char *library() const = 0;
  virtual const char *implementation() const = 0;
};

/// Create the calls of cuBLASLt and cuDNN.
artifact::Expected<std::unique_ptr<LibraryCall>>
makeMatmulCall(const tenon_step &step, Libraries &libraries);
artifact::Expected<std::unique_ptr<LibraryCall>>
makeConvolutionCall(const tenon_step &step, Libraries &libraries);

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_LIBRARYCALL_H
