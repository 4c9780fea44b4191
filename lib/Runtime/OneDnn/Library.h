//===- Library.h - oneDNN as an instance uses it --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_ONEDNN_LIBRARY_H
#define TENON_LIB_RUNTIME_ONEDNN_LIBRARY_H

#include "../CpuLibrary.h"
#include "DnnlContext.h"

namespace tenon::runtime {

class OneDnnCall;

class OneDnnLibrary : public CpuLibrary {
public:
  explicit OneDnnLibrary(std::unique_ptr<DnnlContext> context)
      : context(std::move(context)) {}

  artifact::Expected<std::unique_ptr<LibraryCall>>
  createCall(const tenon_step &step) override;
  bool takeMissedRaw() override { return context->takeMissedRaw(); }
  const Block *scratchMemory() const override {
    return &context->scratchMemory();
  }
  int64_t memoryBytes() const override { return context->memoryBytes(); }

  DnnlContext &getContext() { return *context; }

private:
  std::unique_ptr<DnnlContext> context;
};

/// Returns the call after its checks. A null `call` is a call of an unknown
/// kind.
artifact::Expected<std::unique_ptr<LibraryCall>>
checkCall(const tenon_step &step, std::unique_ptr<OneDnnCall> call);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_ONEDNN_LIBRARY_H
