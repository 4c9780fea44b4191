//===- RankTables.h - the programs of ranks -------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_PIPELINE_RANKTABLES_H
#define TENON_LIB_RUNTIME_PIPELINE_RANKTABLES_H

#include "tenon/Artifact/Program.h"
#include "tenon/Artifact/Status.h"

#include <vector>

namespace tenon::runtime {

/// Checks the programs of ranks of a program that `checkTables` accepts. With
/// those that it accepts, ranks access only the memory that is theirs, and no
/// message and no sum is on its way at a barrier or at the end of a run.
artifact::Status checkRanks(const tenon_program &program);

/// The entries of callers come first. Behind them are the tasks.
inline int32_t countCalled(const tenon_program &program) {
  return program.num_entries - program.num_tasks;
}

/// Calls `function(entry, rank, step)` for the steps of all ranks, in the order
/// of the entries, the ranks and the steps.
template <typename Function>
void forEachStep(const tenon_program &program, Function function) {
  for (int32_t entry = 0; entry < countCalled(program); ++entry)
    for (int32_t rank = 0; rank < program.num_ranks; ++rank) {
      const tenon_rank_program &table = program.entries[entry].ranks[rank];
      for (int32_t i = 0; i < table.num_steps; ++i)
        function(entry, rank, table.steps[i]);
    }
}

/// Calls `function(tensor)` with the number of each tensor of the caller that a
/// task or a copy writes.
template <typename Function>
void forEachOutput(const tenon_program &program,
                   const tenon_rank_program &table, const tenon_rank_step &step,
                   Function function) {
  if (step.kind != TENON_RANK_TASK && step.kind != TENON_RANK_COPY)
    return;
  int32_t first =
      step.kind == TENON_RANK_TASK ? program.entries[step.entry].num_inputs : 1;
  for (int32_t i = first; i < step.num_tensors; ++i)
    if (table.tensors[step.tensors[i]].kind == TENON_BUFFER_OUTPUT)
      function(step.tensors[i]);
}

/// Returns a tag that no step uses.
int findFreeTag(const tenon_program &program);

/// Returns the sets of ranks that sum states, in the order of the steps.
std::vector<std::vector<int64_t>> listRankSets(const tenon_program &program);

int64_t getBytes(const tenon_rank_tensor &tensor);

/// Whether a part of a dense tensor has no gaps.
bool isDense(const tenon_rank_tensor &tensor);

/// Returns a tensor of the shape of `tensor`, which is dense at `data`.
tenon_tensor getDense(const tenon_rank_tensor &tensor, int32_t device,
                      void *data);

/// Returns the part of `whole` that `part` describes, with the strides of the
/// whole, which `strides` holds.
tenon_tensor getPart(const tenon_tensor &whole, const tenon_rank_tensor &part,
                     std::vector<int64_t> &strides);

/// Returns a tensor of the arena, whose buffer is at `data`.
tenon_tensor getArenaPart(const tenon_rank_tensor &tensor, int32_t device,
                          void *data, std::vector<int64_t> &strides);

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PIPELINE_RANKTABLES_H
