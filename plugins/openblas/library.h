//===- library.h - OpenBLAS, opened at run time -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PLUGINS_OPENBLAS_LIBRARY_H
#define TENON_PLUGINS_OPENBLAS_LIBRARY_H

#include <stddef.h>

// As in cblas.h.
enum { ROW_MAJOR = 101 };
enum { NO_TRANS = 111, TRANS = 112 };

/// The functions of OpenBLAS that the kernels call.
typedef struct {
  void (*sgemm)(int order, int transA, int transB, int m, int n, int k,
                float alpha, const float *a, int lda, const float *b, int ldb,
                float beta, float *c, int ldc);
  void (*sgemv)(int order, int trans, int m, int n, float alpha, const float *a,
                int lda, const float *x, int incx, float beta, float *y,
                int incy);
  int (*get_num_threads)(void);
  void (*set_num_threads)(int threads);
  /// Of libgomp, which OpenBLAS has its threads from.
  void (*parallel)(void (*body)(void *), void *data, unsigned threads,
                   unsigned flags);
  int (*thread_number)(void);
  int (*team_size)(void);
  char version[64];
} openblas;

/// OpenBLAS, or null if it is not installed or not usable: then
/// `openblas_problem` states the reason.
const openblas *get_openblas(void);
const char *openblas_problem(void);

#endif // TENON_PLUGINS_OPENBLAS_LIBRARY_H
