//===- plugin.c - plug-ins for tests --------------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One plug-in per value of KIND: good, or with one fault.
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/Backend.h"

#include <stdio.h>
#include <stdlib.h>

// In the order of test/Backend/CMakeLists.txt.
#define NO_SYMBOL 1
#define OLD_ABI 2
#define SHORT 3
#define BAD_TEXT 4
#define NO_PATTERNS 5
#define BAD_NAME 6
#define ABSENT 7
#define WRONG 8
#define CRASHES 9
#define HANGS 10
#define FAILS 11
#define REFUSES 12
#define NULL_RUN 13
#define CRASHES_LATE 14 // on rows that are longer than others

#if KIND == BAD_TEXT
#define PATTERNS "rule.pattern @negated(%x: [n]) -> [n] source {"
#elif KIND == NO_PATTERNS
#define PATTERNS "func.func private @f()"
#else
// What a kernel can do is in the name of its pattern. The first one lifts; the
// second is a composite, which models do not have where they are placed.
#define PATTERNS                                                               \
  "!n = tensor<?xf32, #graph.dims<n>>\n"                                       \
  "!mn = tensor<?x?xf32, #graph.dims<m, n>>\n"                                 \
  "rule.pattern @shifted(%x: [n], %y: [n]) -> [n]\n"                           \
  "  lifts [%x, %y]\n"                                                         \
  "  source {\n"                                                               \
  "    %0 = graph.neg %x : !n\n"                                               \
  "    %1 = graph.add %0, %y : !n\n"                                           \
  "    rule.yield %1 : [n]\n"                                                  \
  "  }\n"                                                                      \
  "  where [n >= 2]\n"                                                         \
  "rule.pattern @softmax(%x: [m, n]) -> [m, n]\n"                              \
  "  source {\n"                                                               \
  "    %0 = graph.softmax %x axis = 1 : !mn\n"                                 \
  "    rule.yield %0 : [m, n]\n"                                               \
  "  }\n"
#endif

#if KIND == ABSENT
static const char *version(void) { return NULL; }
#else
static const char *version(void) { return "1.2"; }
#endif

static const char *absence(void) { return "it was never installed"; }

static float exponential(float x) {
  // exp(x) by its series, after halving: no library is needed.
  float half = x / 1024, sum = 1, term = 1;
  for (int i = 1; i < 8; ++i)
    sum += term *= half / (float)i;
  for (int i = 0; i < 10; ++i)
    sum *= sum;
  return sum;
}

static const char *check(const tenon_backend_problem *problem) {
  // Sizes that only a run tells are -1 here.
  return KIND == REFUSES && problem->operands[0].shape[0] != -1
             ? "sizes are known"
             : NULL;
}

static int64_t workspace(const tenon_backend_problem *problem) {
  return tenon_backend_symbol(problem, "n") * (int64_t)sizeof(float);
}

static int32_t create(const tenon_backend_problem *problem,
                      const void *const *constants, void **state, char *error,
                      size_t error_size) {
  if (KIND == FAILS) {
    snprintf(error, error_size, "%d items are too many", (int)problem->items);
    return 1;
  }
  // A state that says whether %y is constant.
  int *flag = malloc(sizeof(int));
  *flag = problem->num_operands > 1 && constants[1] != NULL;
  *state = flag;
  return 0;
}

static int32_t run(const tenon_backend_problem *problem, void *state,
                   void *const *buffers, void *scratch, char *error,
                   size_t error_size) {
  int64_t n = tenon_backend_symbol(problem, "n");
  const float *x = buffers[0];
  float *copy = scratch;
  if (KIND == CRASHES || (KIND == CRASHES_LATE && n > 100))
    abort();
  while (KIND == HANGS)
    if (*(volatile char *)state == 77)
      break;
  if ((uintptr_t)scratch % 64 != 0) {
    snprintf(error, error_size, "the workspace is not aligned");
    return 1;
  }
  if (problem->num_operands == 1) {
    float *y = buffers[1];
    for (int64_t row = 0; row < tenon_backend_symbol(problem, "m");
         ++row, x += n, y += n) {
      float largest = x[0], sum = 0;
      for (int64_t i = 1; i < n; ++i)
        largest = x[i] > largest ? x[i] : largest;
      for (int64_t i = 0; i < n; ++i)
        sum += copy[i] = exponential(x[i] - largest);
      for (int64_t i = 0; i < n; ++i)
        y[i] = copy[i] / sum;
    }
    return 0;
  }
  const float *y = buffers[1];
  float *z = buffers[2];
  for (int64_t i = 0; i < n; ++i)
    copy[i] = y[i];
  for (int64_t i = 0; i < n; ++i)
    z[i] = (KIND == WRONG ? x[i] : -x[i]) + copy[i];
  return 0;
}

#if KIND != NO_SYMBOL
const tenon_backend *tenon_backend_get(void) {
  static const tenon_backend backend = {
      KIND == OLD_ABI ? 7 : TENON_BACKEND_ABI_VERSION,
      KIND == SHORT ? 16 : sizeof(tenon_backend),
      KIND == BAD_NAME ? "No Name" : "tested",
      version,
      absence,
      PATTERNS,
      check,
      workspace,
      create,
      KIND == NULL_RUN ? NULL : run,
      free,
  };
  return &backend;
}
#endif
