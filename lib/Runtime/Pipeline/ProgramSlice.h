//===- ProgramSlice.h - some entries of a program -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_PIPELINE_PROGRAMSLICE_H
#define TENON_LIB_RUNTIME_PIPELINE_PROGRAMSLICE_H

#include "tenon/Artifact/Program.h"

#include <deque>
#include <vector>

namespace tenon::runtime {

/// The tables of some entries of a program, with the parameters, states and
/// prepared buffers that these use, and what load does for them: a rank holds
/// nothing of the tasks of others. Refers to the tables of the program, which
/// must have been checked.
class ProgramSlice {
public:
  /// `entries`: their numbers, in ascending order; at least one. `moreStates`:
  /// numbers of states that are needed, too.
  ProgramSlice(const tenon_program &program,
               const std::vector<int32_t> &entries,
               const std::vector<int32_t> &moreStates = {});
  ProgramSlice(const ProgramSlice &) = delete;
  ProgramSlice &operator=(const ProgramSlice &) = delete;

  const tenon_program &get() const { return sliced; }

private:
  void findNeeded(const std::vector<int32_t> &entries);
  void need(const tenon_step &step);
  void addShared(const std::vector<int32_t> &moreStates);
  void addPart(const tenon_entry &part, tenon_entry &made);
  void addChecks();

  const tenon_program &program;
  tenon_program sliced;
  std::vector<bool> neededBuffers, neededSteps;
  /// New numbers; -1: not there.
  std::vector<int32_t> bufferNumbers, stepNumbers, paramNumbers, stateNumbers;
  std::vector<tenon_value> params;
  std::vector<tenon_state> states;
  std::vector<tenon_buffer> buffers;
  std::vector<tenon_step> steps;
  std::deque<std::vector<int32_t>> stepBuffers;
  std::vector<tenon_entry> parts;
  std::vector<tenon_check> checks;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_PIPELINE_PROGRAMSLICE_H
