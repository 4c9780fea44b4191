//===- Weights.h - weights that copies of the runtime share ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each shared library of an artifact holds its own copy of the runtime, of
// whatever version. A tenon_weights that one of them opened is used by all of
// them by way of this table alone.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_WEIGHTS_H
#define TENON_ARTIFACT_WEIGHTS_H

#include "tenon/Artifact/ABI.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Raised when a function of the table changes its meaning.
#define TENON_WEIGHTS_VERSION 1

/// Where a failure is described: `reason` has room for `reason_bytes`.
typedef struct tenon_weights_error {
  char *reason;
  size_t reason_bytes;
} tenon_weights_error;

/// Memory that the weights hold until it is given back.
typedef struct tenon_weights_piece {
  void *handle; // null: nothing is to be given back
  const void *data;
  uint64_t bytes;
} tenon_weights_piece;

/// Functions may be called from any thread. Those that return a number return 0
/// or, with a reason in `error`, something else.
typedef struct tenon_weights_table {
  uint64_t struct_size; // fields may be added at the end
  uint32_t version;     // TENON_WEIGHTS_VERSION
  void (*retain)(tenon_weights *weights);
  void (*release)(tenon_weights *weights);
  /// The tensor `name`, of that type and shape, at a multiple of its
  /// element size.
  int32_t (*find)(tenon_weights *weights, const char *name,
                  const tenon_tensor *expected, tenon_weights_piece *piece,
                  tenon_weights_error *error);
  /// The tensor's memory is not read for now: it may be taken from the process
  /// until it is read again.
  void (*drop)(tenon_weights *weights, const tenon_weights_piece *piece);
  /// Derived data of `key`: `bytes` bytes, zero at first, aligned to 64, that
  /// `make` writes if no user has the data yet; others wait for it meanwhile.
  /// Null: if no user has the data, `piece->data` is null. `make` returns 0, or
  /// not 0 with a text in `error`.
  int32_t (*acquire)(
      tenon_weights *weights, const void *key, size_t key_bytes, uint64_t bytes,
      int32_t (*make)(void *context, void *data, tenon_weights_error *error),
      void *context, tenon_weights_piece *piece, tenon_weights_error *error);
  /// Gives a piece back; derived data is freed with its last user.
  void (*give_back)(tenon_weights *weights, tenon_weights_piece *piece);
} tenon_weights_table;

struct tenon_weights {
  const tenon_weights_table *table;
};

#ifdef __cplusplus
}
#endif

#endif // TENON_ARTIFACT_WEIGHTS_H
