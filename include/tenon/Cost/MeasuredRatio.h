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

#include <cmath>

namespace tenon::cost {

/// What a kernel costs at the least and at the most, by all that is known;
/// seconds.
struct Bounds {
  double low = 0, high = 0;
};

/// How much more or less the measured kernels of a model (or those scaled from
/// measured ones) take than the roofline says, by backend: kernels that were
/// not measured are taken to differ alike, or else a device that is faster than
/// its profile would make every new kernel look slow, and a slower one make it
/// look fast.
///
/// How far apart the ratios of single kernels are says how far such a
/// prediction may be off. Of many candidates the one that looks cheapest is
/// likely to be one that is predicted too low, so that a prediction must not
/// replace what is known unless its upper bound is cheaper.
class MeasuredRatio {
public:
  /// A measured or scaled kernel of this backend; seconds.
  void add(llvm::StringRef backend, const Cost &cost, double roofline) {
    if (roofline <= 0 || cost.seconds <= 0)
      return;
    byBackend[backend].add(cost.seconds, roofline);
    kinds(backend, cost).add(cost.seconds, roofline);
  }

  /// The seconds that a kernel's cost stands for: what was measured, or scaled
  /// from other sizes, as it is; the roofline's times the ratio, which is 1
  /// where nothing was measured.
  double correct(llvm::StringRef backend, const Cost &cost) const {
    auto it = byBackend.find(backend);
    if (cost.measured || cost.scaled || it == byBackend.end())
      return cost.seconds;
    return cost.seconds * it->second.getRatio();
  }

  /// Around `correct`. Of a prediction, by the kernels of this backend that do
  /// the same kind of work, matrix products or others: where none of them was
  /// measured, the roofline itself is one of the possible values.
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
    /// Of the logarithms of single ratios.
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
    /// Of single kernels from the ratio, as a logarithm. What rooflines usually
    /// are off by counts as much as some kernels, so that few that happen to be
    /// alike promise nothing.
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
