//===- Weights.h - sharing weights between copies of the runtime ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each shared library of an artifact holds its own copy of the runtime,
// possibly of a different version. A tenon_weights that one of them opened is
// used by all of them, but only through this table.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_WEIGHTS_H
#define TENON_ARTIFACT_WEIGHTS_H

#include "tenon/Artifact/ABI.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Incremented when a function of the table changes its meaning.
#define TENON_WEIGHTS_VERSION 1

/// Receives the description of a failure: `reason` has room for `reason_bytes`.
typedef struct tenon_weights_error {
  char *reason;
  size_t reason_bytes;
} tenon_weights_error;

/// Memory that the weights hold until it is given back.
typedef struct tenon_weights_piece {
  void *handle; // null: nothing to give back
  const void *data;
  uint64_t bytes;
} tenon_weights_piece;

/// Functions may be called from any thread. Those that return an integer return
/// 0 on success, or nonzero with a reason in `error`.
typedef struct tenon_weights_table {
  uint64_t struct_size; // fields may be added at the end
  uint32_t version;     // TENON_WEIGHTS_VERSION
  void (*retain)(tenon_weights *weights);
  void (*release)(tenon_weights *weights);
  /// Finds the tensor `name` of the expected type and shape, aligned to its
  /// element size.
  int32_t (*find)(tenon_weights *weights, const char *name,
                  const tenon_tensor *expected, tenon_weights_piece *piece,
                  tenon_weights_error *error);
  /// States that the tensor's memory is not needed for now: its pages may be
  /// dropped until it is read again.
  void (*drop)(tenon_weights *weights, const tenon_weights_piece *piece);
  /// Finds the derived data of `key`: `bytes` bytes, aligned to 64. If no user
  /// has the data yet, it is zero-initialized and written by `make`, while
  /// other users wait. If `make` is null and no user has the data,
  /// `piece->data` is null. `make` returns 0, or nonzero with a text in
  /// `error`.
  int32_t (*acquire)(
      tenon_weights *weights, const void *key, size_t key_bytes, uint64_t bytes,
      int32_t (*make)(void *context, void *data, tenon_weights_error *error),
      void *context, tenon_weights_piece *piece, tenon_weights_error *error);
  /// Gives memory back; derived data is freed when its last user gives it back.
  void (*give_back)(tenon_weights *weights, tenon_weights_piece *piece);
} tenon_weights_table;

struct tenon_weights {
  const tenon_weights_table *table;
};

#ifdef __cplusplus
}
#endif

#endif // TENON_ARTIFACT_WEIGHTS_H
