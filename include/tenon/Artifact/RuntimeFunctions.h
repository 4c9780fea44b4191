//===- RuntimeFunctions.h - the C functions of the runtime ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime defines `tenon_runtime_X` for every function `tenon_X` of ABI.h.
// An artifact consists of its tables and of one thunk for each of these
// functions, under the artifact's own prefix, so that several artifacts in one
// program share one copy of the runtime. Functions without an instance, which
// would identify the artifact, take the artifact as their first argument.
//
// The runtime for CUDA devices is the symbol `tenon_runtime_cuda`. An artifact
// with a program for CUDA refers to it, so that the linker takes that part of
// the runtime's archive; other artifacts do not contain it. Likewise,
// `tenon_runtime_pipeline` is the runtime for pipelines, and
// `tenon_runtime_nccl` that for pipelines on CUDA devices over NCCL.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_RUNTIMEFUNCTIONS_H
#define TENON_ARTIFACT_RUNTIMEFUNCTIONS_H

#include "tenon/Artifact/Program.h"

#ifdef __cplusplus
extern "C" {
#endif

/// `F(RESULT, X, PARAMETERS, ARGUMENTS)`: tenon_X and tenon_runtime_X have
/// these parameters. `A(RESULT, X, PARAMETERS, RUNTIME_PARAMETERS, ARGUMENTS)`:
/// tenon_runtime_X has a `const tenon_artifact *` before the parameters of
/// tenon_X. ARGUMENTS are the names of the parameters of tenon_runtime_X.
#define TENON_RUNTIME_FUNCTIONS(A, F)                                          \
  A(uint32_t, abi_version, (void), (const tenon_artifact *artifact),           \
    (artifact))                                                                \
  A(const char *, manifest, (void), (const tenon_artifact *artifact),          \
    (artifact))                                                                \
  A(const tenon_artifact *, tables, (void), (const tenon_artifact *artifact),  \
    (artifact))                                                                \
  A(int32_t, load, (const tenon_options *options, tenon_model **model),        \
    (const tenon_artifact *artifact, const tenon_options *options,             \
     tenon_model **model),                                                     \
    (artifact, options, model))                                                \
  A(int32_t, load_with,                                                        \
    (const tenon_load_options *options, tenon_model **model),                  \
    (const tenon_artifact *artifact, const tenon_load_options *options,        \
     tenon_model **model),                                                     \
    (artifact, options, model))                                                \
  A(int32_t, plan_memory,                                                      \
    (const tenon_load_options *options, int32_t rank,                          \
     tenon_memory_plan *plan),                                                 \
    (const tenon_artifact *artifact, const tenon_load_options *options,        \
     int32_t rank, tenon_memory_plan *plan),                                   \
    (artifact, options, rank, plan))                                           \
  F(int32_t, infer_shapes,                                                     \
    (tenon_model * model, const tenon_tensor *inputs, size_t num_inputs,       \
     tenon_tensor *outputs, size_t num_outputs),                               \
    (model, inputs, num_inputs, outputs, num_outputs))                         \
  F(int32_t, run,                                                              \
    (tenon_model * model, const tenon_tensor *inputs, size_t num_inputs,       \
     tenon_tensor *outputs, size_t num_outputs),                               \
    (model, inputs, num_inputs, outputs, num_outputs))                         \
  F(int32_t, infer_entry_shapes,                                               \
    (tenon_model * model, const char *entry, const tenon_tensor *inputs,       \
     size_t num_inputs, tenon_tensor *outputs, size_t num_outputs),            \
    (model, entry, inputs, num_inputs, outputs, num_outputs))                  \
  F(int32_t, run_entry,                                                        \
    (tenon_model * model, const char *entry, const tenon_tensor *inputs,       \
     size_t num_inputs, tenon_tensor *outputs, size_t num_outputs),            \
    (model, entry, inputs, num_inputs, outputs, num_outputs))                  \
  F(int32_t, plan_entry,                                                       \
    (tenon_model * model, const char *entry, const tenon_tensor *inputs,       \
     size_t num_inputs),                                                       \
    (model, entry, inputs, num_inputs))                                        \
  F(int32_t, run_on_stream,                                                    \
    (tenon_model * model, const char *entry, const tenon_tensor *inputs,       \
     size_t num_inputs, tenon_tensor *outputs, size_t num_outputs,             \
     void *stream),                                                            \
    (model, entry, inputs, num_inputs, outputs, num_outputs, stream))          \
  F(int32_t, finish, (tenon_model * model), (model))                           \
  F(int32_t, get_state,                                                        \
    (tenon_model * model, const char *name, const tenon_tensor *tensor),       \
    (model, name, tensor))                                                     \
  F(int32_t, set_state,                                                        \
    (tenon_model * model, const char *name, const tenon_tensor *tensor),       \
    (model, name, tensor))                                                     \
  F(int32_t, reset_states, (tenon_model * model), (model))                     \
  F(int32_t, save_states, (tenon_model * model, const char *path),             \
    (model, path))                                                             \
  F(int32_t, restore_states, (tenon_model * model, const char *path),          \
    (model, path))                                                             \
  F(int32_t, observe,                                                          \
    (tenon_model * model, tenon_observer observer, void *context),             \
    (model, observer, context))                                                \
  F(int32_t, open_weights,                                                     \
    (const tenon_weights_options *options, tenon_weights **weights),           \
    (options, weights))                                                        \
  F(void, close_weights, (tenon_weights * weights), (weights))                 \
  F(int32_t, create_pool, (int32_t threads, tenon_executor **pool),            \
    (threads, pool))                                                           \
  F(void, free_pool, (tenon_executor * pool), (pool))                          \
  F(const char *, trace_json, (tenon_model * model), (model))                  \
  F(uint64_t, memory_bytes, (tenon_model * model), (model))                    \
  F(const char *, target, (tenon_model * model), (model))                      \
  F(void, unload, (tenon_model * model), (model))                              \
  F(const char *, last_error, (void), ())

#define TENON_DECLARE_OF_ARTIFACT(RESULT, NAME, PARAMETERS,                    \
                                  RUNTIME_PARAMETERS, ARGUMENTS)               \
  RESULT tenon_runtime_##NAME RUNTIME_PARAMETERS;
#define TENON_DECLARE_RUNTIME(RESULT, NAME, PARAMETERS, ARGUMENTS)             \
  RESULT tenon_runtime_##NAME PARAMETERS;
TENON_RUNTIME_FUNCTIONS(TENON_DECLARE_OF_ARTIFACT, TENON_DECLARE_RUNTIME)
#undef TENON_DECLARE_OF_ARTIFACT
#undef TENON_DECLARE_RUNTIME

#ifdef __cplusplus
}
#endif

#endif // TENON_ARTIFACT_RUNTIMEFUNCTIONS_H
