//===- counting.c - a plug-in that counts what it is asked ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Backend.h"

#include <stdio.h>
#include <stdlib.h>

static struct {
  int created, destroyed, ran, constants, threads;
  int64_t items, strides;
} counted;

void *counts(void) { return &counted; }

static const char *version(void) { return "1"; }

/* So many items are too many for it, in two ways. */
enum { no_create = 77, no_workspace = 78 };

static int64_t workspace(const tenon_backend_problem *problem) {
  if (problem->items == no_workspace)
    return (int64_t)1 << 48;
  return problem->operands[0].shape[0] * (int64_t)sizeof(float);
}

/// The state is the second operand plus 1.
static int32_t create(const tenon_backend_problem *problem,
                      const void *const *constants, void **state, char *error,
                      size_t error_size) {
  const float *p = constants[1];
  int64_t n = tenon_backend_symbol(problem, "n");
  if (problem->items == no_create) {
    snprintf(error, error_size, "too many items");
    return 1;
  }
  float *packed = malloc((size_t)n * sizeof(float));
  for (int64_t i = 0; i < n; ++i)
    packed[i] = p[i] + 1;
  *state = packed;
  ++counted.created;
  counted.constants += constants[0] == NULL && constants[1] != NULL;
  counted.threads = problem->threads;
  counted.items =
      problem->items > counted.items ? problem->items : counted.items;
  counted.strides = problem->operands[2].strides[0];
  return 0;
}

static int32_t run(const tenon_backend_problem *problem, void *state,
                   void *const *buffers, void *scratch, char *error,
                   size_t error_size) {
  const float *x = buffers[0], *p = state;
  float *y = buffers[2], *copy = scratch;
  int64_t n = tenon_backend_symbol(problem, "n");
  ++counted.ran;
  if (x[0] < -1e8f) {
    snprintf(error, error_size, "too small");
    return 1;
  }
  for (int64_t i = 0; i < n; ++i)
    copy[i] = p[i] - x[i];
  for (int64_t i = 0; i < n; ++i)
    y[i] = copy[i];
  return 0;
}

static void destroy(void *state) {
  ++counted.destroyed;
  free(state);
}

const tenon_backend *tenon_backend_get(void) {
  static const tenon_backend backend = {
      TENON_BACKEND_ABI_VERSION,
      sizeof(tenon_backend),
      "counting",
      version,
      NULL,
      "difference", // only the compiler reads it
      NULL,
      workspace,
      create,
      run,
      destroy,
  };
  return &backend;
}
