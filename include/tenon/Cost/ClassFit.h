//===- ClassFit.h - rates of kernels from measurements --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_COST_CLASSFIT_H
#define TENON_COST_CLASSFIT_H

#include "tenon/Cost/CostModel.h"

#include "llvm/ADT/ArrayRef.h"

#include <map>
#include <string>

namespace tenon::cost {

/// A kernel that was measured. Kernels without a class are ignored.
struct ClassSample {
  /// See getKernelClass.
  std::string kernelClass;
  Work work;
  double seconds = 0;
};

/// Fits the rates of every class to its kernels: least squares of the
/// logarithms of predicted over measured times, with no rate below zero, by
/// Gauss-Newton steps, each of which is solved by cyclic coordinate descent
/// (Franc, Hlavac and Navara, "Sequential coordinate-wise algorithm for the
/// non-negative least squares problem", CAIP 2005). `profile` tells which
/// operands fit its cache. Classes with fewer than `kLeastKernels` kernels are
/// left out.
std::map<std::string, ClassRates> fitRates(llvm::ArrayRef<ClassSample> samples,
                                           const DeviceProfile &profile);

inline constexpr unsigned kLeastKernels = 8;

/// What the rates say of a kernel, term by term.
Cost estimateByRates(const Work &work, const ClassRates &rates,
                     const DeviceProfile &profile);

} // namespace tenon::cost

#endif // TENON_COST_CLASSFIT_H
