//===- CallState.h - the sizes that an instance is planned for ------------===//
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
/// call is checked completely before the instance changes:
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
/// An unplanned instance is planned by the next accepted call. An instance is
/// unplanned until its first call, or, if its sizes are static, until it is
/// loaded.
class CallState {
public:
  /// See Binding for `cudaDevice`.
  CallState(const tenon_entry &entry, int32_t cudaDevice)
      : candidate(entry, cudaDevice), committed(entry.num_symbols + 1, 0) {}

  /// Checks the inputs' shapes, which determine the outputs' sizes.
  artifact::Status checkInputs(const tenon_tensor *inputs, size_t numInputs) {
    return candidate.bind(inputs, numInputs);
  }
  /// Returns the sizes of output `index`, after a check that succeeded.
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

  /// After `check`: whether all tensors are dense, or `tensor` is (an input or,
  /// after the inputs, an output).
  bool areDense() const { return candidate.areDense(); }
  bool isDense(size_t tensor) const { return candidate.isDense(tensor); }

  /// After a successful `check` (not needed if sizes are static), makes its
  /// sizes those of the instance. If the instance is not planned for them,
  /// calls `plan`, which returns a Status and sees the sizes in `symbols`.
  template <typename Plan> artifact::Status commit(Plan plan) {
    if (planned && candidate.symbols() == committed)
      return artifact::Status::success();
    planned = false; // also if `plan` throws
    committed = candidate.symbols();
    artifact::Status status = plan();
    planned = status.ok();
    return status;
  }

  /// Discards the plan: the next call plans again.
  void invalidate() { planned = false; }
  bool isPlanned() const { return planned; }

  /// Returns the entry's symbols for planning and steps; never null. Zeros
  /// before the first `commit`.
  const int64_t *symbols() const { return committed.data(); }

private:
  Binding candidate;
  std::vector<int64_t> committed;
  bool planned = false;
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_CALLSTATE_H
