//===- LibraryCall.cpp - a step that calls a CUDA library -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannedCall.h"

using namespace tenon::artifact;

namespace tenon::runtime::cuda {

LibraryCall::~LibraryCall() = default;

Expected<std::unique_ptr<LibraryCall>>
LibraryCall::create(const tenon_step &step, Libraries &libraries) {
  const tenon_call &call = *step.call;
  if (call.library == TENON_LIBRARY_CUBLASLT &&
      call.primitive == TENON_PRIMITIVE_MATMUL)
    return makeMatmulCall(step, libraries);
  if (call.library == TENON_LIBRARY_CUDNN &&
      call.primitive == TENON_PRIMITIVE_CONV)
    return makeConvolutionCall(step, libraries);
  return makeError("the library step '", step.name,
                   "' has no CUDA implementation");
}

namespace {
class UnopenedCall : public LibraryCall {
public:
  Status select(const int64_t *) override { return Status::success(); }
  int64_t workspaceBytes() const override { return libraryWorkspaceBytes; }
  Status run(Stream, const DeviceAddress *, DeviceAddress) override {
    return makeError("a planned call can't run");
  }
  const char *library() const override { return ""; }
  const char *implementation() const override { return ""; }
};
} // namespace

Expected<std::unique_ptr<LibraryCall>> LibraryCall::createPlanned() {
  return std::unique_ptr<LibraryCall>(std::make_unique<UnopenedCall>());
}

static bool isTaken(tenon_dtype dtype) {
  return (dtype.code == TENON_DL_FLOAT &&
          (dtype.bits == 32 || dtype.bits == 16)) ||
         (dtype.code == TENON_DL_BFLOAT && dtype.bits == 16);
}

Expected<CallEpilogue> readEpilogue(const tenon_step &step, bool gelu) {
  const tenon_call &call = *step.call;
  auto fail = [&](const std::string &what) {
    return makeError("step '", step.name, "': ", what);
  };
  CallEpilogue epilogue;
  epilogue.hasBias = hasBias(call) != 0;
  int32_t operands = epilogue.hasBias ? 3 : 2, postOps = 0;
  if (postOps < call.num_post_ops &&
      call.post_ops[postOps].kind == TENON_POST_OP_ADD) {
    epilogue.residual = operands++;
    ++postOps;
  }
  if (postOps < call.num_post_ops &&
      (call.post_ops[postOps].kind == TENON_POST_OP_RELU ||
       (gelu && call.post_ops[postOps].kind == TENON_POST_OP_GELU_TANH)))
    epilogue.activation = call.post_ops[postOps++].kind;
  if (postOps != call.num_post_ops)
    return fail("its library does not support this epilogue");
  ++operands;
  if (call.num_operands != operands || step.num_buffers != operands)
    return fail(concat("expected ", operands, " operands, but got ",
                       call.num_operands, " operands and ", step.num_buffers,
                       " buffers"));
  tenon_dtype dtype = call.operands[operands - 1].dtype;
  for (int32_t i = 0; i < operands; ++i)
    if (!isTaken(dtype) || call.operands[i].dtype.code != dtype.code ||
        call.operands[i].dtype.bits != dtype.bits)
      return fail("expected operands and a result of one of f32, f16 and bf16");
  return epilogue;
}

} // namespace tenon::runtime::cuda
