//===- GpuStripTimes.cpp - removes measured times from GPU objects --------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Lower/Passes.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "gpu-strip-times"

namespace tenon::lower {
#define GEN_PASS_DEF_GPUSTRIPTIMES
#include "tenon/Lower/Passes.h.inc"
} // namespace tenon::lower

using namespace mlir;
using namespace tenon;

namespace {
struct GpuStripTimesPass : lower::impl::GpuStripTimesBase<GpuStripTimesPass> {
  void runOnOperation() override;
};
} // namespace

void GpuStripTimesPass::runOnOperation() {
  getOperation()->walk([&](gpu::BinaryOp binary) {
    SmallVector<Attribute> objects;
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
      SmallVector<NamedAttribute> kept;
      if (DictionaryAttr properties = object.getProperties())
        for (NamedAttribute property : properties) {
          // For example ISAToBinaryTimeInMs.
          if (!property.getName().strref().contains("Time")) {
            kept.push_back(property);
            continue;
          }
          LDBG() << property.getName();
          ++numStripped;
        }
      objects.push_back(gpu::ObjectAttr::get(
          &getContext(), object.getTarget(), object.getFormat(),
          object.getObject(),
          kept.empty() ? DictionaryAttr()
                       : DictionaryAttr::get(&getContext(), kept),
          object.getKernels()));
    }
    binary.setObjectsAttr(ArrayAttr::get(&getContext(), objects));
  });
}
