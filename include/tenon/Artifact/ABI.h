//===- ABI.h - the C ABI of a compiled model ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every artifact (`m.so`) exports exactly these functions. The generated header
// `m.h` repeats this file, so that a C program needs nothing else of Tenon.
//
// Tensors have the layout of DLPack's DLTensor (dlpack.h, version 0.8), so
// that a caller may pass what it already holds. Data is dense and row-major
// (strides null or contiguous). It lies in host memory, or, for a program that
// runs on CUDA, in the memory of the device that it was loaded for.
//
// Calls. A call is checked as a whole before the instance changes. A call that
// is refused, or that fails later (no memory, an error of a library, of a
// device or of the data), leaves the instance fit for the next call, whose
// result does not depend on what was called before. Only a device that is lost
// ends it: all further runs fail and say so. After a failed run the contents of
// the outputs are unspecified, and so are those of inputs that shared their
// memory.
//
// Threads. Functions may be called from every thread, and distinct instances at
// the same time. One instance takes one call at a time: tenon_run,
// tenon_infer_shapes and tenon_trace_json fail at once while another thread is
// in one of them. tenon_memory_bytes may be called at any time. tenon_unload
// may be called during a call of another thread, which then frees the instance
// when it ends; no call may begin after it.
//
// Processes. An instance is of the process that loaded it. In a forked child,
// its functions fail at once, and tenon_unload frees nothing; the parent's
// instance is as before. A child may load instances of its own, whatever its
// parent ran, with any number of threads, unless it was forked while a thread
// loaded a model, prepared a run for new sizes, or was in a plug-in: then locks
// of libraries may be held forever in the child, and tenon_load fails there.
// For CUDA the driver decides, and refuses. exec makes a new process, with none
// of these rules. A thread is not cancelled (pthread_cancel) within a function.
//
// Weights. An instance may read the file of its weights as long as it lives. To
// change them, write a new file and rename it: writing into the file changes
// the results of instances, and cutting it short ends the process.
//
// A program that is linked statically (-static) can run generated code alone:
// tenon_load fails where oneDNN, a plug-in or CUDA is needed.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_ABI_H
#define TENON_ARTIFACT_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Raised when a function or structure below changes its meaning.
#define TENON_ABI_VERSION 2

/// DLPack's DLDataTypeCode values that Tenon uses.
enum {
  TENON_DL_INT = 0,
  TENON_DL_UINT = 1,
  TENON_DL_FLOAT = 2,
  TENON_DL_BFLOAT = 4,
  TENON_DL_BOOL = 6
};

/// The layout of DLPack's DLDataType: `lanes` is 1.
typedef struct tenon_dtype {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} tenon_dtype;

/// Where data lies, and where a program runs: DLPack's DLDeviceType values that
/// Tenon uses, and 0 for the choice of the artifact.
enum { TENON_DEVICE_FIRST = 0, TENON_DEVICE_CPU = 1, TENON_DEVICE_CUDA = 2 };

/// The layout of DLPack's DLTensor. `device_type` is TENON_DEVICE_CPU or
/// TENON_DEVICE_CUDA; `device_id` counts only for the second.
/// `strides` counts elements and may be null for a dense row-major tensor.
typedef struct tenon_tensor {
  void *data;
  int32_t device_type;
  int32_t device_id;
  int32_t ndim;
  tenon_dtype dtype;
  int64_t *shape;
  int64_t *strides;
  uint64_t byte_offset;
} tenon_tensor;

/// One loaded instance of the model: its weights, packed weights and arena.
typedef struct tenon_model tenon_model;

/// How to load; a zeroed structure asks for the defaults. Values outside of
/// what is said here are refused.
typedef struct tenon_options {
  /// Path of the weights, not empty; null: the .safetensors file beside the
  /// artifact. Read only if the model has weights.
  const char *params_path;
  /// Used instead of `params_path` if `random_params` is not 0: every
  /// parameter is drawn from Philox keyed by this seed and its own name.
  uint64_t random_seed;
  int32_t random_params;
  /// Threads of one run, from 1 to 4096, of which the system must be able to
  /// start as many at load; 0: OMP_NUM_THREADS or the number of cores.
  int32_t threads;
  /// Not 0: record a trace event per step (see `tenon_trace_json`).
  int32_t trace;
  /// Which of the artifact's programs: TENON_DEVICE_FIRST (the first target it
  /// was compiled for), TENON_DEVICE_CPU or TENON_DEVICE_CUDA.
  int32_t device;
  /// Of CUDA: the number of the device, as the driver counts them from 0. Never
  /// negative, and not used on the CPU.
  int32_t device_id;
} tenon_options;

/// The ABI version that the artifact was built for.
uint32_t tenon_abi_version(void);

/// The manifest: a JSON text (see docs/formats.md), valid while loaded.
const char *tenon_manifest(void);

/// Loads weights and runs `prepare` once. Returns 0, or not 0 with the reason
/// in `tenon_last_error` and `*model` null. `options` may be null; nothing of
/// it is read after the call.
int32_t tenon_load(const tenon_options *options, tenon_model **model);

/// Writes the shapes of all outputs for the given input shapes (only `ndim`
/// and `shape` of the inputs are read). `outputs[i].shape` must point to room
/// for as many entries as the manifest states; `ndim` and `dtype` are written.
/// Nothing is written if it fails, and the instance does not change.
int32_t tenon_infer_shapes(tenon_model *model, const tenon_tensor *inputs,
                           size_t num_inputs, tenon_tensor *outputs,
                           size_t num_outputs);

/// Runs the model once. Inputs and outputs come in the manifest's order, with
/// all fields set and data allocated by the caller. A donated input may share
/// its data with its output; no other overlap is allowed. A program on CUDA
/// takes each tensor in host memory or on its device, where nothing may still
/// write it; when the call returns, all outputs are complete.
int32_t tenon_run(tenon_model *model, const tenon_tensor *inputs,
                  size_t num_inputs, tenon_tensor *outputs, size_t num_outputs);

/// The trace recorded so far in Chrome's trace-event format. Null if tracing is
/// off, or, with a reason in `tenon_last_error`, if it fails. Valid until the
/// next call on `model`.
const char *tenon_trace_json(tenon_model *model);

/// Bytes held by the instance at the end of its last run (before the first: of
/// its load): arena, packed weights and scratch; on CUDA also all parameters,
/// and its buffers on the host.
uint64_t tenon_memory_bytes(tenon_model *model);

/// Frees the instance; null is allowed.
void tenon_unload(tenon_model *model);

/// The reason of this thread's last failure, never null; empty if there was
/// none. Every thread has its own text, of at most 4095 bytes, which stays as
/// it is until the next function of this artifact fails in the same thread. It
/// outlives instances; it ends with the thread, or when the artifact's library
/// is closed.
const char *tenon_last_error(void);

#ifdef __cplusplus
}
#endif

#endif // TENON_ARTIFACT_ABI_H
