//===- Backend.h - the C interface of plug-in backends --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plug-in is a shared library that exports one function, tenon_backend_get.
// The compiler reads its patterns and gives it the subgraphs that match them;
// artifacts open it again and call its kernels. A plug-in needs only this
// header and ABI.h of Tenon. docs/backends.md is the tutorial.
//
// Sizes and strides count elements, workspaces count bytes. Tensors are dense,
// row-major, and in host memory. Texts are UTF-8 and end in a zero byte.
//
// Errors are texts: a plug-in must never exit, abort or throw, since it runs in
// the host application's process. It must print nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_BACKEND_H
#define TENON_ARTIFACT_BACKEND_H

#include "tenon/Artifact/ABI.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Incremented when a structure or function below changes its meaning. The
/// compiler and artifacts refuse plug-ins of another version.
#define TENON_BACKEND_ABI_VERSION 1

/// An operand or a result of a problem.
typedef struct tenon_backend_operand {
  tenon_dtype dtype;
  int32_t rank;
  /// Has `rank` entries; null if `rank` is 0. While a model is compiled, -1
  /// stands for a size that is known only in a run. In `workspace`, `create`
  /// and `run` all sizes are known; 0 is a possible size.
  const int64_t *shape;
  /// The strides of a dense row-major tensor; -1 if not known.
  const int64_t *strides;
  /// Not 0: the operand has the same address and content in every run with the
  /// state that `create` makes, so that it may be packed there.
  int32_t is_constant;
  /// Not 0: each item has its own tensor; 0: all items share this tensor.
  int32_t is_lifted;
} tenon_backend_operand;

/// One match of a pattern in a model. Valid during the call that it is passed
/// to.
typedef struct tenon_backend_problem {
  /// sizeof(tenon_backend_problem), for fields that later versions add.
  uint32_t struct_size;
  /// Name of the pattern, without "@".
  const char *pattern;
  /// The operands in the order of the pattern, then its results. The additional
  /// axes of lifted operands are omitted: the problem is that of one item.
  int32_t num_operands;
  int32_t num_results;
  const tenon_backend_operand *operands;
  /// The symbols of the pattern, and their values (-1: not known yet), in order
  /// of appearance: first in the sizes of the operands, then in the attributes
  /// of the ops of the pattern's source as it is written, op by op. Within an
  /// op, attributes are in the alphabetical order of their names.
  int32_t num_symbols;
  const char *const *symbol_names;
  const int64_t *symbols;
  /// The number of items (1 unless operands are lifted; -1: not known yet).
  /// `run` is called for each; this is for information.
  int64_t items;
  /// Threads that a kernel may use, including its own; at least 1. OpenMP's
  /// number of threads is set to it around `create` and `run`.
  int32_t threads;
} tenon_backend_problem;

/// Describes a plug-in. It is constant, and valid until the process ends.
///
/// Functions of the structure are called from any thread, and for distinct
/// states at the same time; calls for one state come one after another.
typedef struct tenon_backend {
  /// TENON_BACKEND_ABI_VERSION. The first field in every version of this
  /// structure.
  uint32_t abi_version;
  /// sizeof(tenon_backend).
  uint32_t struct_size;
  /// The name in placed modules and on command lines: lower-case letters,
  /// digits, "_" and "-". It must be neither "cpu" nor the name of another
  /// backend.
  const char *name;
  /// Returns the version of the library behind the plug-in, such as "0.3.21",
  /// or null if the library is not on this machine. The text must stay valid.
  const char *(*version)(void);
  /// Returns why `version` gives null: "cannot load libx.so.1: ...". The text
  /// must stay valid. May be null.
  const char *(*absence)(void);
  /// The patterns it can compute: `rule.pattern` ops as MLIR text
  /// (docs/backends.md).
  const char *patterns;

  /// Further legality checks while a model is compiled. Returns null to accept,
  /// or the reason for refusal, a text that is valid until the next call in the
  /// same thread. Sizes that are -1 are not known yet: if it accepts them,
  /// `create` must succeed for every value. May be null: every match is
  /// accepted.
  const char *(*check)(const tenon_backend_problem *problem);
  /// Returns the bytes of workspace that `run` needs for the problem. May be
  /// null: no workspace.
  int64_t (*workspace)(const tenon_backend_problem *problem);
  /// Prepares data for the problem and sets `*state` to it; `*state` may stay
  /// null. `constants` has an entry for each operand. For constant operands it
  /// is the address of their data, which is valid and unchanged as long as the
  /// state exists: a kernel may pack it here, or read it in every run. Returns
  /// 0, or nonzero with the reason written into `error` (`error_size` bytes,
  /// including the zero byte); the state is then not destroyed. May be null:
  /// the kernels get null states.
  int32_t (*create)(const tenon_backend_problem *problem,
                    const void *const *constants, void **state, char *error,
                    size_t error_size);
  /// Computes one item. The problem is the one of `create`. `buffers` has the
  /// addresses of the operands, then of the results. Operands must not be
  /// written; results overlap no other buffer, and their initial contents are
  /// undefined. Buffers are aligned to their element size, `workspace` to 64
  /// bytes; its contents are undefined. A NaN in an operand must propagate as
  /// in the ops of the pattern. Returns 0, or nonzero with the reason in
  /// `error`.
  int32_t (*run)(const tenon_backend_problem *problem, void *state,
                 void *const *buffers, void *workspace, char *error,
                 size_t error_size);
  /// Frees a state that `create` made. May be null.
  void (*destroy)(void *state);
} tenon_backend;

/// The function that every plug-in exports. Never returns null.
const tenon_backend *tenon_backend_get(void);

/// Returns the value of a symbol, or -1 if the problem has none of this name.
static inline int64_t tenon_backend_symbol(const tenon_backend_problem *problem,
                                           const char *name) {
  for (int32_t i = 0; i < problem->num_symbols; ++i)
    if (strcmp(problem->symbol_names[i], name) == 0)
      return problem->symbols[i];
  return -1;
}

#ifdef __cplusplus
}
#endif

#endif // TENON_ARTIFACT_BACKEND_H
