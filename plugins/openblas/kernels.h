//===- kernels.h - the kernels of the plug-in ---------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_PLUGINS_OPENBLAS_KERNELS_H
#define TENON_PLUGINS_OPENBLAS_KERNELS_H

#include "library.h"
#include "tenon/Artifact/Backend.h"

typedef tenon_backend_problem problem_t;

/// The sizes of a problem as C's int, which is what OpenBLAS takes: why not, or
/// null.
const char *check_sizes(const problem_t *problem);

/// Products: matmul and linear, with or without bias.
void run_matmul(const openblas *blas, const problem_t *problem,
                void *const *buffers);

/// c[m, n] += op(a) op(b), or = without `adds`; by a matrix-vector product if
/// one side is a vector. op(a) is [m, k], op(b) is [k, n].
void multiply(const openblas *blas, int trans_a, int trans_b, int64_t m,
              int64_t n, int64_t k, const float *a, int64_t lda, const float *b,
              int64_t ldb, int adds, float *c, int64_t ldc);

/// Convolutions. `packed` has the weights as the product takes them; null: they
/// are packed into the workspace.
int64_t conv_workspace(const problem_t *problem);
/// Bytes of packed weights; 0: they are taken as they are.
int64_t conv_packed_bytes(const problem_t *problem);
void pack_conv_weights(const problem_t *problem, const float *weights,
                       float *packed);
void run_conv(const openblas *blas, const problem_t *problem,
              const float *packed, void *const *buffers, void *workspace);

#endif // TENON_PLUGINS_OPENBLAS_KERNELS_H
