//===- Library.cpp - Winograd convolutions as an instance uses them ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../OneDnn/Library.h"
#include "WinogradSite.h"

using namespace tenon::artifact;

namespace tenon::runtime {

namespace {
/// Uses the handles, the scratch memory and the packed weights of oneDNN, which
/// reports that memory.
class WinogradLibrary : public CpuLibrary {
public:
  explicit WinogradLibrary(OneDnnLibrary &dnnl) : dnnl(dnnl) {}

  Expected<std::unique_ptr<CallSite>>
  createSite(const tenon_step &step) override {
    std::unique_ptr<LibrarySite> site;
    if (step.site->kind == TENON_SITE_CONV)
      site = std::make_unique<WinogradSite>(step, dnnl.getContext());
    return checkSite(step, std::move(site));
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
