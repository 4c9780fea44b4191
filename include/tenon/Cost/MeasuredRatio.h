//===- MeasuredRatio.h - how far the roofline is off, by backend ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COST_MEASUREDRATIO_H
#define TENON_COST_MEASUREDRATIO_H

#include "tenon/Cost/CostModel.h"

#include "llvm/ADT/StringMap.h"

namespace tenon::cost {

/// How much more or less the measured kernels of a model (or those scaled from
/// measured ones) take than the roofline says, by backend: kernels that were
/// not measured are taken to differ alike, or else a device that is faster than
/// its profile would make every new kernel look slow, and a slower one make it
/// look fast.
class MeasuredRatio {
public:
  /// A measured or scaled kernel of this backend; seconds.
  void add(llvm::StringRef backend, double measured, double roofline) {
    Sums &sums = byBackend[backend];
    sums.measured += measured;
    sums.roofline += roofline;
  }
  /// The seconds that a kernel's cost stands for: what was measured, or scaled
  /// from other sizes, as it is; the roofline's times the ratio, which is 1
  /// where nothing was measured.
  double correct(llvm::StringRef backend, const Cost &cost) const {
    auto it = byBackend.find(backend);
    if (cost.measured || cost.scaled || it == byBackend.end() ||
        it->second.roofline <= 0)
      return cost.seconds;
    return cost.seconds * it->second.measured / it->second.roofline;
  }

private:
  struct Sums {
    double measured = 0, roofline = 0;
  };
  llvm::StringMap<Sums> byBackend;
};

} // namespace tenon::cost

#endif // TENON_COST_MEASUREDRATIO_H
