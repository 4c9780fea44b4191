//===- Library.cpp - Winograd convolutions as an instance uses them -------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../OneDnn/Library.h"
#include "WinogradCall.h"

using namespace tenon::artifact;

namespace tenon::runtime {

namespace {
/// Uses the handles, the scratch memory and the packed weights of oneDNN, which
/// reports that memory.
class WinogradLibrary : public CpuLibrary {
public:
  explicit WinogradLibrary(OneDnnLibrary &dnnl) : dnnl(dnnl) {}

  Expected<std::unique_ptr<LibraryCall>>
  createCall(const tenon_step &step) override {
    std::unique_ptr<OneDnnCall> call;
    if (step.call->primitive == TENON_PRIMITIVE_CONV)
      call = std::make_unique<WinogradCall>(step, dnnl.getContext());
    return checkCall(step, std::move(call));
  }
  bool takeMissedRaw() override { return dnnl.takeMissedRaw(); }

private:
  OneDnnLibrary &dnnl;
};
} // namespace

Expected<std::unique_ptr<CpuLibrary>> openWinograd(CpuLibraries &all) {
  Expected<CpuLibrary *> dnnl = all.open(TENON_LIBRARY_ONEDNN);
  if (!dnnl)
    return dnnl.takeError();
  return std::unique_ptr<CpuLibrary>(
      std::make_unique<WinogradLibrary>(static_cast<OneDnnLibrary &>(**dnnl)));
}

} // namespace tenon::runtime
