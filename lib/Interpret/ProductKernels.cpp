//===- ProductKernels.cpp - blocked sums of products --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductKernels.h"

#include <cstring>

using namespace tenon::interpret::products;

#pragma clang fp contract(off)

template <typename T>
__attribute__((always_inline)) static inline void
multiply(int64_t terms, const T *rows, const T *panel, T *sums) {
  constexpr int64_t lanes = packedLanes<T>;
  typedef T Vector __attribute__((vector_size(64)));
  for (int64_t part = 0; part < panelLanes / lanes; ++part) {
    const T *column = panel + part * lanes * terms;
    Vector sum[tileRows];
    for (int64_t row = 0; row < tileRows; ++row)
      std::memcpy(&sum[row], sums + row * panelLanes + part * lanes,
                  sizeof(Vector));
    for (int64_t term = 0; term < terms; ++term) {
      Vector lane;
      std::memcpy(&lane, column + term * lanes, sizeof(Vector));
#pragma clang loop unroll(full)
      for (int64_t row = 0; row < tileRows; ++row)
        sum[row] += lane * rows[term * tileRows + row];
    }
    for (int64_t row = 0; row < tileRows; ++row)
      std::memcpy(sums + row * panelLanes + part * lanes, &sum[row],
                  sizeof(Vector));
  }
}

#if defined(__x86_64__)
#define TENON_CLONES                                                           \
  __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define TENON_CLONES
#endif

TENON_CLONES void tenon::interpret::products::multiplyTile(int64_t terms,
                                                           const double *rows,
                                                           const double *panel,
                                                           double *sums) {
  multiply(terms, rows, panel, sums);
}

TENON_CLONES void tenon::interpret::products::multiplyTile(int64_t terms,
                                                           const float *rows,
                                                           const float *panel,
                                                           float *sums) {
  multiply(terms, rows, panel, sums);
}

TENON_CLONES void
tenon::interpret::products::multiplyTile(int64_t terms, const uint64_t *rows,
                                         const uint64_t *panel,
                                         uint64_t *sums) {
  multiply(terms, rows, panel, sums);
}
