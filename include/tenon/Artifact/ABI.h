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
/// Distinct instances may run at the same time; one instance may not.
typedef struct tenon_model tenon_model;

/// How to load; a zeroed structure asks for the defaults.
typedef struct tenon_options {
  /// Path of the weights; null: the .safetensors file beside the artifact.
  const char *params_path;
  /// Used instead of `params_path` when `random_params` is not 0: every
  /// parameter is drawn from Philox keyed by this seed and its own name.
  uint64_t random_seed;
  int32_t random_params;
  /// Threads of one run; 0: OMP_NUM_THREADS or the number of cores.
  int32_t threads;
  /// Not 0: record a trace event per step (see `tenon_trace_json`).
  int32_t trace;
  /// Which of the artifact's programs: TENON_DEVICE_FIRST (the first target it
  /// was compiled for), TENON_DEVICE_CPU or TENON_DEVICE_CUDA.
  int32_t device;
  /// Of CUDA: the number of the device, as the driver counts them.
  int32_t device_id;
} tenon_options;

/// The ABI version that the artifact was built for.
uint32_t tenon_abi_version(void);

/// The manifest: a JSON text (see docs/formats.md), valid while loaded.
const char *tenon_manifest(void);

/// Loads weights and runs `prepare` once. Returns 0, or not 0 with the reason
/// in `tenon_last_error`. `options` may be null.
int32_t tenon_load(const tenon_options *options, tenon_model **model);

/// Writes the shapes of all outputs for the given input shapes (only `ndim`
/// and `shape` of the inputs are read). `outputs[i].shape` must point to room
/// for as many entries as the manifest states; `ndim` and `dtype` are written.
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

/// The trace recorded so far in Chrome's trace-event format, or null when
/// tracing is off. Valid until the next call on `model`.
const char *tenon_trace_json(tenon_model *model);

/// Bytes held by the instance: arena, packed weights and scratch; on CUDA also
/// all parameters, and its buffers on the host.
uint64_t tenon_memory_bytes(tenon_model *model);

/// Frees the instance; null is allowed.
void tenon_unload(tenon_model *model);

/// The reason of this thread's last failure, never null.
const char *tenon_last_error(void);

#ifdef __cplusplus
}
#endif

#endif // TENON_ARTIFACT_ABI_H
