//===- Backend.h - the C interface of backends that are plug-ins ----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A plug-in is a shared library that exports one function, tenon_backend_get.
// The compiler reads its patterns and gives it pieces of graphs that they
// match; artifacts open it again and call its kernels. It needs this header and
// ABI.h, and nothing else of Tenon. docs/backends.md is the tutorial.
//
// Sizes and strides count elements, workspaces count bytes. Tensors are dense,
// row-major, and lie in host memory. Texts are UTF-8 and end in a zero byte.
//
// Errors are texts: a plug-in never exits, aborts or throws, since it is a
// guest in somebody's program. It prints nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_BACKEND_H
#define TENON_ARTIFACT_BACKEND_H

#include "tenon/Artifact/ABI.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Raised when a structure or function below changes its meaning. The compiler
/// and artifacts refuse plug-ins of another version.
#define TENON_BACKEND_ABI_VERSION 1

/// An operand or a result of a problem.
typedef struct tenon_backend_operand {
  tenon_dtype dtype;
  int32_t rank;
  /// As many entries as `rank` says; null when it is 0. While a model is
  /// compiled, -1 stands for a size that only a run tells; in `workspace`,
  /// `create` and `run` all sizes are known, and 0 is one of them.
  const int64_t *shape;
  /// Of a dense row-major tensor; -1 where it is not known.
  const int64_t *strides;
  /// Not 0: an operand that has the same address and content in every run with
  /// the state that `create` makes, so that it may be packed there.
  int32_t is_constant;
  /// Not 0: each item has its own; 0: all items share this tensor.
  int32_t is_lifted;
} tenon_backend_operand;

/// One place in a model where a pattern stands. Valid during the call that it
/// is passed to.
typedef struct tenon_backend_problem {
  /// sizeof(tenon_backend_problem), for fields that later versions add.
  uint32_t struct_size;
  /// Name of the pattern, without "@".
  const char *pattern;
  /// The operands in the order of the pattern, then its results. Further axes
  /// of lifted operands are not there: the problem is that of one item.
  int32_t num_operands;
  int32_t num_results;
  const tenon_backend_operand *operands;
  /// The symbols of the pattern, and their values (-1: not known yet), in the
  /// order in which they appear: in the sizes of the operands, then in the
  /// attributes of the ops of its source as it is written, op by op, of each op
  /// in the alphabetical order of the attributes' names.
  int32_t num_symbols;
  const char *const *symbol_names;
  const int64_t *symbols;
  /// How many items there are (1 unless operands are lifted; -1: not known
  /// yet). `run` is called for each; this is for information.
  int64_t items;
  /// Threads that a kernel may use, itself included; at least 1. OpenMP's
  /// number of threads is set to it around `create` and `run`.
  int32_t threads;
} tenon_backend_problem;

/// What a plug-in is. Constant, and valid until the process ends.
///
/// Functions of the structure are called from any thread, and for distinct
/// states at the same time; calls for one state come one after another.
typedef struct tenon_backend {
  /// TENON_BACKEND_ABI_VERSION. First in every version of this structure.
  uint32_t abi_version;
  /// sizeof(tenon_backend).
  uint32_t struct_size;
  /// As in placed modules and on command lines: lower-case letters, digits, "_"
  /// and "-"; neither "cpu" nor the name of another backend.
  const char *name;
  /// The version of the library behind the plug-in, such as "0.3.21"; null: the
  /// library is not on this machine. The text stays valid.
  const char *(*version)(void);
  /// Why `version` gives null: "cannot load libx.so.1: ...". The text stays
  /// valid. May be null.
  const char *(*absence)(void);
  /// What it can compute: `rule.pattern` ops as MLIR text (docs/backends.md).
  const char *patterns;

  /// Further legality, asked while a model is compiled: null to accept, or why
  /// not, a text that stays valid until the next call in the same thread. Sizes
  /// that are -1 are not known yet: what it accepts then, `create` must be able
  /// to do for all of them. May be null: whatever matches is accepted.
  const char *(*check)(const tenon_backend_problem *problem);
  /// Bytes of workspace that `run` needs for the problem. May be null: none.
  int64_t (*workspace)(const tenon_backend_problem *problem);
  /// Prepares what the problem needs, and sets `*state` to it (which may stay
  /// null). `constants` has an entry for each operand, and for those that are
  /// constant the address of their data, which stays valid and unchanged as
  /// long as the state: a kernel may pack it here, or read it in every run.
  /// Returns 0, or not 0 with the reason written into `error` (`error_size`
  /// bytes, zero byte included); the state is then not destroyed. May be null:
  /// the kernels get null states.
  int32_t (*create)(const tenon_backend_problem *problem,
                    const void *const *constants, void **state, char *error,
                    size_t error_size);
  /// Computes one item. The problem is the one of `create`. `buffers` has the
  /// addresses of operands, then results; operands must not be written; results
  /// overlap nothing, and hold anything. They are aligned to their element
  /// size, `workspace` to 64 bytes; it holds anything. A NaN of an operand has
  /// to come out as the ops of the pattern bring it out. Returns 0, or not 0
  /// with the reason in `error`.
  int32_t (*run)(const tenon_backend_problem *problem, void *state,
                 void *const *buffers, void *workspace, char *error,
                 size_t error_size);
  /// Frees a state that `create` made. May be null.
  void (*destroy)(void *state);
} tenon_backend;

/// What every plug-in exports. Never null.
const tenon_backend *tenon_backend_get(void);

/// The value of a symbol; -1 where the problem has none of this name.
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
