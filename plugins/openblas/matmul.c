//===- matmul.c - products of matrices ----------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels.h"

#include <string.h>

static int64_t at_least_1(int64_t size) { return size < 1 ? 1 : size; }

void multiply(const openblas *blas, int trans_a, int trans_b, int64_t m,
              int64_t n, int64_t k, const float *a, int64_t lda, const float *b,
              int64_t ldb, int adds, float *c, int64_t ldc) {
  if (m == 0 || n == 0)
    return;
  // A row times a matrix; or a matrix times a dense column, with a dense
  // result. The old contents of the result may be NaN, which 0 * NaN would
  // keep.
  int row = m == 1 && (!trans_a || lda == 1);
  int column = !row && n == 1 && (trans_b || ldb == 1) && ldc == 1;
  if (row || column) {
    if (!adds)
      memset(c, 0, (size_t)(m * n) * sizeof(float));
    if (k == 0)
      return;
    if (row)
      blas->sgemv(ROW_MAJOR, trans_b ? NO_TRANS : TRANS, (int)(trans_b ? n : k),
                  (int)(trans_b ? k : n), 1, b, (int)ldb, a, 1, 1, c, 1);
    else
      blas->sgemv(ROW_MAJOR, trans_a ? TRANS : NO_TRANS, (int)(trans_a ? k : m),
                  (int)(trans_a ? m : k), 1, a, (int)lda, b, 1, 1, c, 1);
    return;
  }
  blas->sgemm(ROW_MAJOR, trans_a ? TRANS : NO_TRANS, trans_b ? TRANS : NO_TRANS,
              (int)m, (int)n, (int)k, 1, a, (int)at_least_1(lda), b,
              (int)at_least_1(ldb), adds ? 1 : 0, c, (int)ldc);
}

/// Whether the name has the suffix before "_bias", if that is there.
static int has_flag(const char *name, const char *flag) {
  const char *at = strstr(name, flag);
  return at && (at[strlen(flag)] == 0 || at[strlen(flag)] == '_');
}

void run_matmul(const openblas *blas, const problem_t *problem,
                void *const *buffers) {
  const char *name = problem->pattern;
  int is_linear = strncmp(name, "linear", 6) == 0;
  int trans_a = has_flag(name, "_tn") || has_flag(name, "_tt");
  int trans_b = has_flag(name, "_nt") || has_flag(name, "_tt") ||
                (is_linear && has_flag(name, "_t"));
  int64_t m = tenon_backend_symbol(problem, "m");
  int64_t n = tenon_backend_symbol(problem, "n");
  int64_t k = tenon_backend_symbol(problem, "k");
  if (is_linear)
    m *= tenon_backend_symbol(problem, "l");
  float *c = buffers[problem->num_operands];
  int has_bias = problem->num_operands == 3;
  for (int64_t row = 0; has_bias && row < m; ++row)
    memcpy(c + row * n, buffers[2], (size_t)n * sizeof(float));
  multiply(blas, trans_a, trans_b, m, n, k, buffers[0], trans_a ? m : k,
           buffers[1], trans_b ? k : n, has_bias, c, n);
}
