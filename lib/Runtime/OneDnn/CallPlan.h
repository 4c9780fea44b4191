//===- CallPlan.h - a oneDNN call for one set of shapes -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_ONEDNN_CALLPLAN_H
#define TENON_LIB_RUNTIME_ONEDNN_CALLPLAN_H

#include "../Winograd/Winograd.h"
#include "OneDnnCall.h"
#include "PostOpTail.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tenon::runtime {

/// The oneDNN objects for one set of shapes.
struct OneDnnCall::CallPlan {
  /// An argument of the primitive, and the source of its data.
  struct Argument {
    DnnlHandle<dnnl_memory_t> memory;
    int32_t operand; // position in the step's buffers; -1: fixed address
    const void *data = nullptr;
  };

  std::vector<int64_t> key;    // sizes of all operands
  bool isEmpty = false;        // the result has no elements
  bool isSmall = false;        // not worth a second thread
  bool isMatmul = false;       // also a convolution that is a matrix product
  bool isCareful = false;      // oneDNN refuses the sizes: never run its
                               // primitive
  size_t zeroedBytes = 0;      // not 0: all sums are empty
  int32_t mayFuse = INT32_MAX; // number of post-ops
  int32_t fusedPostOps = 0;    // the others are in `tail`
  std::vector<CallOperand> operands; // in the order of the call
  /// Products: if a fused post-op would turn NaN into a number, the plan that
  /// computes such post-ops in its tail.
  std::unique_ptr<CallPlan> careful;
  uint64_t lastUse = 0;
  std::string implementation;
  DnnlHandle<dnnl_primitive_desc_t> descriptor;
  DnnlHandle<dnnl_primitive_t> primitive;
  std::vector<Argument> arguments;
  std::vector<dnnl_exec_arg_t> list; // arguments for dnnl_primitive_execute
  int64_t scratchBytes = 0;          // of the shared scratch memory, all in all
  std::optional<size_t> scratchArgument; // the primitive's, from its start on
  /// Converts, at every call, a weight that is not constant, or the gradient of
  /// a weight.
  std::unique_ptr<Reorder> reorder;
  /// The primitive's argument in place of the operand; its data are at
  /// `convertedOffset` of the scratch memory.
  size_t convertedArgument = 0;
  int64_t convertedOffset = 0, convertedBytes = 0;
  PostOpTail tail;
  /// Winograd convolutions: the primitive of the plan is a matrix product for
  /// `winogradRows` tiles at a time.
  std::optional<WinogradShape> winograd;
  int64_t winogradRows = 0;
  PostOpTail wholeTail; // pools: all post-ops, after the careful loop
};

} // namespace tenon::runtime

#endif // TENON_LIB_RUNTIME_ONEDNN_CALLPLAN_H
