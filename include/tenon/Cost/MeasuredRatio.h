//===- MeasuredRatio.h - errors of the roofline by backend ----------------===//
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

#include <cmath>

namespace tenon::cost {

/// The lower and upper bound of a kernel's cost, in seconds.
struct Bounds {
  double low = 0, high = 0;
};

/// The ratio of measured to roofline time, by backend, over the kernels of a
/// model that were measured or scaled from measured ones. Kernels that were not
/// measured are assumed to have the same ratio. Otherwise, on a device that is
/// faster than its profile, every new kernel would look slow, and on a slower
/// device every new kernel would look fast.
///
/// The spread of the single kernels' ratios is the error of such a prediction.
/// The cheapest of many candidates is likely to be one whose prediction is too
/// low. So a prediction must not replace a known kernel unless its upper bound
/// is cheaper.
class MeasuredRatio {
public:
  /// Adds a measured or scaled kernel of this backend. Times are in seconds.
  void add(llvm::StringRef backend, const Cost &cost, double roofline) {
    if (roofline <= 0 || cost.seconds <= 0)
      return;
    byBackend[backend].add(cost.seconds, roofline);
    kinds(backend, cost).add(cost.seconds, roofline);
  }

  /// The expected seconds of a kernel: measured and scaled costs are unchanged;
  /// a roofline cost is multiplied by the ratio, which is 1 if nothing was
  /// measured.
  double correct(llvm::StringRef backend, const Cost &cost) const {
    auto it = byBackend.find(backend);
    if (cost.measured || cost.scaled || it == byBackend.end())
      return cost.seconds;
    return cost.seconds * it->second.getRatio();
  }

  /// The bounds around `correct`. For a prediction they follow from this
  /// backend's kernels with the same kind of work (matrix products or others).
  /// If none of those was measured, the uncorrected roofline is one of the
  /// possible values.
  Bounds getBounds(llvm::StringRef backend, const Cost &cost) const {
    double seconds = correct(backend, cost);
    if (cost.measured || cost.scaled)
      return {seconds * std::exp(-cost.margin),
              seconds * std::exp(cost.margin)};
    Samples own;
    auto &known = cost.isMatrix ? matrix : others;
    if (auto it = known.find(backend); it != known.end())
      own = it->second;
    double ratio = own.count > 0 ? own.getRatio() : 1;
    double factor = std::exp(kPessimism * own.getDeviation());
    return {std::min(seconds, cost.seconds * ratio) / factor,
            std::max(seconds, cost.seconds * ratio) * factor};
  }

private:
  struct Samples {
    double measured = 0, roofline = 0;
    /// Sums over the logarithms of single ratios.
    double sum = 0, squares = 0;
    unsigned count = 0;

    void add(double seconds, double predicted) {
      measured += seconds;
      roofline += predicted;
      double logarithm = std::log(seconds / predicted);
      sum += logarithm;
      squares += logarithm * logarithm;
      ++count;
    }
    double getRatio() const { return measured / roofline; }
    /// The deviation of single kernels from the ratio, as a logarithm. The
    /// usual error of rooflines is weighted like `kWeight` kernels, so that a
    /// few kernels that happen to agree do not suggest a small error.
    double getDeviation() const {
      constexpr double kUsual = 0.7, kWeight = 6;
      double own = 0;
      if (count > 0) {
        double center = std::log(getRatio());
        own = squares - 2 * center * sum + count * center * center;
      }
      return std::sqrt((kWeight * kUsual * kUsual + std::max(own, 0.0)) /
                       (kWeight + count));
    }
  };

  Samples &kinds(llvm::StringRef backend, const Cost &cost) {
    return (cost.isMatrix ? matrix : others)[backend];
  }

  llvm::StringMap<Samples> byBackend, matrix, others;
};

} // namespace tenon::cost

#endif // TENON_COST_MEASUREDRATIO_H
