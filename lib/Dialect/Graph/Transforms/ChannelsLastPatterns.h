//===- ChannelsLastPatterns.h - other ops with channels last --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_DIALECT_GRAPH_TRANSFORMS_CHANNELSLASTPATTERNS_H
#define TENON_LIB_DIALECT_GRAPH_TRANSFORMS_CHANNELSLASTPATTERNS_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace tenon::graph {

/// Resizes of several channels along the last axis, whose positions and weights
/// then are those of all channels.
void populateResizePatterns(mlir::RewritePatternSet &patterns,
                            mlir::Pass::Statistic &numChanged);

/// Resizes along several axes, once layouts are chosen: along one axis after
/// the other, where that makes them larger. Regroups sums.
void populateSeparateResizePatterns(mlir::RewritePatternSet &patterns,
                                    mlir::Pass::Statistic &numSeparated);

/// Norms over groups of channels, of values that have their channels last: by
/// the means of each channel. Regroups sums.
void populateChannelNormPatterns(mlir::RewritePatternSet &patterns);

} // namespace tenon::graph

#endif // TENON_LIB_DIALECT_GRAPH_TRANSFORMS_CHANNELSLASTPATTERNS_H
