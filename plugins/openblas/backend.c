//===- backend.c - OpenBLAS as a backend --------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char patterns[] = {
#include "patterns.inc"
};

static const char *get_version(void) {
  const openblas *blas = get_openblas();
  return blas ? blas->version : NULL;
}

static int is_conv(const problem_t *problem) {
  return strncmp(problem->pattern, "conv", 4) == 0;
}

const char *check_sizes(const problem_t *problem) {
  for (int32_t i = 0; i < problem->num_operands + problem->num_results; ++i) {
    const tenon_backend_operand *operand = &problem->operands[i];
    int64_t elements = 1;
    for (int32_t axis = 0; axis < operand->rank; ++axis)
      if (operand->shape[axis] > 0 &&
          __builtin_mul_overflow(elements, operand->shape[axis], &elements))
        elements = INT64_MAX;
    // No product of sizes is then beyond what OpenBLAS counts in.
    if (elements > INT_MAX)
      return "an operand has more than 2147483647 elements";
  }
  return NULL;
}

static const char *check(const problem_t *problem) {
  const tenon_backend_operand *operands = problem->operands;
  // If the second matrix has no items, "linear" takes the product and
  // multiplies all rows at once.
  if (strncmp(problem->pattern, "matmul", 6) == 0 &&
      operands[0].is_lifted != operands[1].is_lifted)
    return "only one of the matrices is a batch";
  return check_sizes(problem);
}

static int64_t get_workspace(const problem_t *problem) {
  return is_conv(problem) ? conv_workspace(problem) : 0;
}

/// The state is the packed weights of a convolution, or null.
static int32_t create(const problem_t *problem, const void *const *constants,
                      void **state, char *error, size_t error_size) {
  const char *why = check_sizes(problem);
  if (why) {
    snprintf(error, error_size, "%s", why);
    return 1;
  }
  *state = NULL;
  if (!is_conv(problem) || !constants[1] || conv_packed_bytes(problem) == 0)
    return 0;
  float *packed = malloc((size_t)conv_packed_bytes(problem));
  if (!packed) {
    snprintf(error, error_size, "out of memory for packed weights");
    return 1;
  }
  pack_conv_weights(problem, constants[1], packed);
  *state = packed;
  return 0;
}

static int32_t run(const problem_t *problem, void *state, void *const *buffers,
                   void *workspace, char *error, size_t error_size) {
  const openblas *blas = get_openblas();
  if (!blas) {
    snprintf(error, error_size, "%s", openblas_problem());
    return 1;
  }
  if (blas->get_num_threads() != problem->threads)
    blas->set_num_threads(problem->threads);
  if (is_conv(problem))
    run_conv(blas, problem, state, buffers, workspace);
  else
    run_matmul(blas, problem, buffers);
  return 0;
}

__attribute__((visibility("default"))) const tenon_backend *
tenon_backend_get(void) {
  static const tenon_backend backend = {
      .abi_version = TENON_BACKEND_ABI_VERSION,
      .struct_size = sizeof(tenon_backend),
      .name = "openblas",
      .version = get_version,
      .absence = openblas_problem,
      .patterns = patterns,
      .check = check,
      .workspace = get_workspace,
      .create = create,
      .run = run,
      .destroy = free,
  };
  return &backend;
}
