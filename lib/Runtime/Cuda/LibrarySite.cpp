//===- LibrarySite.cpp - a step that calls a CUDA library -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlannedSite.h"

using namespace tenon::artifact;

namespace tenon::runtime::cuda {

LibrarySite::~LibrarySite() = default;

Expected<std::unique_ptr<LibrarySite>>
LibrarySite::create(const tenon_step &step, Libraries &libraries) {
  const tenon_site &site = *step.site;
  if (site.library == TENON_LIBRARY_CUBLASLT && site.kind == TENON_SITE_MATMUL)
    return makeMatmulSite(step, libraries);
  if (site.library == TENON_LIBRARY_CUDNN && site.kind == TENON_SITE_CONV)
    return makeConvolutionSite(step, libraries);
  return makeError("the library step '", step.name,
                   "' has no CUDA implementation");
}

static bool isTaken(tenon_dtype dtype) {
  return (dtype.code == TENON_DL_FLOAT &&
          (dtype.bits == 32 || dtype.bits == 16)) ||
         (dtype.code == TENON_DL_BFLOAT && dtype.bits == 16);
}

Expected<SiteEpilogue> readEpilogue(const tenon_step &step, bool gelu) {
  const tenon_site &site = *step.site;
  auto fail = [&](const std::string &what) {
    return makeError("step '", step.name, "': ", what);
  };
  SiteEpilogue epilogue;
  epilogue.hasBias = site.has_bias != 0;
  int32_t operands = epilogue.hasBias ? 3 : 2, postOps = 0;
  if (postOps < site.num_post_ops &&
      site.post_ops[postOps].kind == TENON_POST_OP_ADD) {
    epilogue.residual = operands++;
    ++postOps;
  }
  if (postOps < site.num_post_ops &&
      (site.post_ops[postOps].kind == TENON_POST_OP_RELU ||
       (gelu && site.post_ops[postOps].kind == TENON_POST_OP_GELU_TANH)))
    epilogue.activation = site.post_ops[postOps++].kind;
  if (postOps != site.num_post_ops)
    return fail("its library does not support this epilogue");
  ++operands;
  if (site.num_operands != operands || step.num_buffers != operands)
    return fail(concat("expected ", operands, " operands, but got ",
                       site.num_operands, " operands and ", step.num_buffers,
                       " buffers"));
  tenon_dtype dtype = site.operands[operands - 1].dtype;
  for (int32_t i = 0; i < operands; ++i)
    if (!isTaken(dtype) || site.operands[i].dtype.code != dtype.code ||
        site.operands[i].dtype.bits != dtype.bits)
      return fail("expected operands and a result of one of f32, f16 and bf16");
  return epilogue;
}

} // namespace tenon::runtime::cuda
