//===- SeriesParallel.h - series-parallel decomposition ---------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PARALLELIZE_SERIESPARALLEL_H
#define TENON_PARALLELIZE_SERIESPARALLEL_H

#include "tenon/Parallelize/Plan.h"

namespace tenon::parallelize {

/// A set of operators: one, a series (every operator of a part is behind every
/// operator of the part before it), or parallel parts (no operator is behind
/// one of another part).
struct SeriesParallel {
  enum class Kind { Leaf, Series, Parallel };
  Kind kind = Kind::Leaf;
  /// In ascending order: that of a leaf, or of all parts.
  std::vector<unsigned> operators;
  std::vector<SeriesParallel> parts;
  /// False if the operators are neither of these, and are taken as a series in
  /// their order, which hides that some of them are parallel.
  bool isExact = true;
};

/// Decomposes a graph, as far as possible: parts of a series are no series, and
/// parts of parallel ones are not parallel.
SeriesParallel decompose(const OperatorGraph &graph);

/// The seconds of all tasks of some operators, for a sample: without what does
/// not depend on the samples.
double getSecondsPerSample(const OperatorGraph &graph,
                           const std::vector<unsigned> &operators);

/// Moves parts of series that need less than `seconds` for a sample into one of
/// the parallel parts before or after them, whose first or last stage may have
/// them then, such as the concatenation of branches: they are not worth a
/// device of their own.
SeriesParallel absorbSmallParts(const OperatorGraph &graph,
                                const SeriesParallel &tree, double seconds);

} // namespace tenon::parallelize

#endif // TENON_PARALLELIZE_SERIESPARALLEL_H
