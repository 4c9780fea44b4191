//===- Baselines.h - planners of chains of stages ---------------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Planners as others published them, to compare with: their stages form a
// chain, through which each micro-batch passes in order (isAfterPrevious), all
// have one micro-batch size, run 1F1B, and keep what backward tasks need. They
// minimize the time of the slowest stage or link for a sample; of the
// micro-batch sizes, the one whose plan is the fastest in the simulation is
// taken.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PARALLELIZE_BASELINES_H
#define TENON_PARALLELIZE_BASELINES_H

#include "tenon/Parallelize/Planner.h"

namespace tenon::parallelize {

/// Cuts the operators, in their order, into a stage for each device, so that
/// the slowest stage is as fast as possible. No stage has two devices. This is
/// what one cuts by hand for GPipe.
std::optional<Evaluation> planSequential(const OperatorGraph &graph,
                                         const Cluster &cluster,
                                         const PlannerOptions &options,
                                         std::string &reason);

/// Likewise, but stages may have several devices (Narayanan et al., PipeDream,
/// SOSP 2019, section 3.1, for a cluster of one level).
std::optional<Evaluation> planPipeDream(const OperatorGraph &graph,
                                        const Cluster &cluster,
                                        const PlannerOptions &options,
                                        std::string &reason);

/// Likewise, but of all orders of the operators (Tarnawski et al., Piper,
/// NeurIPS 2021, section 4, without tensor parallelism): a stage is the
/// difference of two downsets, of which a graph of parallel branches has very
/// many. Returns nothing, with a reason, after `options.downsetBudget` steps.
std::optional<Evaluation> planPiper(const OperatorGraph &graph,
                                    const Cluster &cluster,
                                    const PlannerOptions &options,
                                    std::string &reason);

} // namespace tenon::parallelize

#endif // TENON_PARALLELIZE_BASELINES_H
