//===- CallState.h - what an instance is planned for ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CALLSTATE_H
#define TENON_LIB_RUNTIME_CALLSTATE_H

#include "Binding.h"

namespace tenon::runtime {

/// The sizes that an instance is planned for, and how a call changes them. A
/// call is checked as a whole before anything of the instance changes:
///
///   state      event                                     next state
///   ---------  ----------------------------------------  -------------------
///   any        a call is refused by `check`              the same
///   any        sizes are asked for (`checkInputs`)       the same
///   planned    `commit`, the planned sizes               the same, no planning
///   any        `commit`, other sizes, planning succeeds  planned for these
///   any        `commit`, other sizes, planning fails     unplanned
///   planned    a step of the run fails                   the same
///
/// An unplanned instance plans in the next call that is accepted. An instance
/// is unplanned until its first call, or, if its sizes are static, until the
/// end of its loading.
class CallState {
public:
  /// `cudaDevice` as in Binding.
  CallState(const tenon_entry &entry, int32_t cudaDevice)
      : candidate(entry, cudaDevice), committed(entry.num_symbols + 1, 0) {}

  /// Checks the inputs' shapes; the outputs' sizes follow from them.
  artifact::Status checkInputs(const tenon_tensor *inputs, size_t numInputs) {
    return candidate.bind(inputs, numInputs);
  }
  /// Sizes of output `index`, after a check that succeeded.
  const int64_t *outputSizes(int32_t index) const {
    return candidate.outputSizes(index);
  }

  /// Checks everything that a caller passes to a run.
  artifact::Status check(const tenon_tensor *inputs, size_t numInputs,
                         const tenon_tensor *outputs, size_t numOutputs) {
    if (artifact::Status status = candidate.bind(inputs, numInputs); !status)
      return status;
    return candidate.checkTensors(inputs, outputs, numOutputs);
  }

  /// After `check`: whether no tensor has gaps, and whether input or output
  /// (behind the inputs) `tensor` has.
  bool areDense() const { return candidate.areDense(); }
  bool isDense(size_t tensor) const { return candidate.isDense(tensor); }

  /// After a successful `check` (none is needed if sizes are static): makes its
  /// sizes those of the instance. `plan` returns a Status; it sees them in
  /// `symbols`, and is called if the instance is not planned for them.
  template <typename Plan> artifact::Status commit(Plan plan) {
    if (planned && candidate.symbols() == committed)
      return artifact::Status::success();
    planned = false; // also if `plan` throws
    committed = candidate.symbols();
    artifact::Status status = plan();
    planned = status.ok();
    return status;
  }

  /// What was planned is gone: the next call plans again.
  void invalidate() { planned = false; }
  bool isPlanned() const { return planned; }

  /// The entry's symbols that planning and steps see; never null. Zeros
  /// before the first `commit`.
  const int64_t *symbols() const { return committed.data(); }

private:
  Binding candidate;
  std::vector<int64_t> committed;
  bool planned = false;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_CALLSTATE_H
