//===- CheckPrograms.h - proof that rank programs end -----------*- C++ -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A group of transfers ends when each of its transfers has met its other end,
// whose group must have begun; a collective, when all ranks of its lane have
// begun theirs (the rules of NCCL's user guide on point-to-point communication
// and group calls). The n-th message between two ranks has two ends whatever
// the timing is, so "must begin before another can end" is one relation between
// steps. The programs end if and only if it has no cycle.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PARALLELIZE_CHECKPROGRAMS_H
#define TENON_PARALLELIZE_CHECKPROGRAMS_H

#include "tenon/Parallelize/RankPrograms.h"

namespace tenon::parallelize {

/// A step: a rank and the number of the step. One behind the last of the rank's
/// steps stands for the whole of its program.
using StepRef = std::pair<unsigned, size_t>;

/// Shows, for any timing of the ranks, that
///
///  1. the pipeline is valid, and each of its lanes has ranks that share its
///     micro-batches evenly; every message that is sent is received, with the
///     same content, and collectives are the same on all ranks of a lane;
///  2. the programs end;
///  3. each rank computes every task of its lane's stages exactly once, for its
///     share of the samples, and a backward task after its forward task; in
///     training, ranks that share a stage sum its gradients once, after the
///     last of them;
///  4. what a task reads was received or computed before, what is sent was
///     computed by the sender, and nothing is received twice.
///
/// Returns false otherwise, with a reason that names ranks and steps: for 2.,
/// the cycle. `where` is given the steps that the reason names, in its order;
/// it may be null.
bool checkPrograms(const Pipeline &pipeline, const LaneRanks &laneRanks,
                   const RankPrograms &programs, std::string &reason,
                   std::vector<StepRef> *where = nullptr);

} // namespace tenon::parallelize

#endif // TENON_PARALLELIZE_CHECKPROGRAMS_H
