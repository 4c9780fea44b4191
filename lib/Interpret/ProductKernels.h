//===- ProductKernels.h - blocked sums of products ----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_INTERPRET_PRODUCTKERNELS_H
#define TENON_LIB_INTERPRET_PRODUCTKERNELS_H

#include <cstdint>

namespace tenon::interpret::products {

/// The number of rows and lanes of a tile, and the number of terms packed at a
/// time.
constexpr int64_t tileRows = 4;
constexpr int64_t panelLanes = 64;
constexpr int64_t blockTerms = 256;

/// sums[r][l] += rows[k][r] * panel[l / 64 bytes][k][l % 64 bytes], for every
/// row r and every lane l of a panel, term by term in the order of k, without
/// fused multiply-add.
void multiplyTile(int64_t terms, const double *rows, const double *panel,
                  double *sums);
void multiplyTile(int64_t terms, const float *rows, const float *panel,
                  float *sums);
void multiplyTile(int64_t terms, const uint64_t *rows, const uint64_t *panel,
                  uint64_t *sums);

/// The number of lanes stored together in a panel.
template <typename T> constexpr int64_t packedLanes = 64 / sizeof(T);

} // namespace tenon::interpret::products

#endif // TENON_LIB_INTERPRET_PRODUCTKERNELS_H
