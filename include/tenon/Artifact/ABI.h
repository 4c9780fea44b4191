//===- ABI.h - the C ABI of a compiled model ------------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every artifact (`m.so`) exports exactly these functions, with `tenon_` or
// with the prefix that it was compiled with (--symbol-prefix=P: `P_run`). The
// generated header `m.h` repeats this file, so that a C program needs nothing
// else of Tenon. Version 3 adds to version 2, and changes nothing of it.
//
// Tensors have the layout of DLPack's DLTensor (dlpack.h, version 0.8), so
// that a caller may pass what it already holds. Strides are not negative, and
// no two elements of an output lie at one place; dense row-major tensors are
// the fastest, because others are copied. Data lies in host memory, or, for a
// program that runs on CUDA, in the memory of the device that it was loaded
// for.
//
// Structures that begin with `struct_size` may grow: the caller writes its
// sizeof there, and fields that it does not have count as zero.
//
// Entries. A model has one or more entries, each with inputs and outputs of its
// own, which share weights, states and memory. The first is what functions
// without the name of an entry run.
//
// States are tensors that belong to an instance and that entries read and write
// in place. They begin with what the model says, or zeros. A run that fails
// leaves them unspecified: set, restore or reset them.
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
// the same time. One instance takes one call at a time: every function of an
// instance fails at once while another thread is in one of them, or when an
// observer calls it. tenon_memory_bytes may be called at any time. tenon_unload
// may be called during a call of another thread, which then frees the instance
// when it ends; no call may begin after it. Loops run on a team of OpenMP
// threads of the calling thread, or, with an executor, on the host's threads
// and on no others.
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
// the results of instances, and cutting it short ends the process. Instances of
// one artifact that are loaded from the same file (by device, inode, size and
// time of change) share its memory and what is derived from it (packed weights,
// prepared buffers); instances of different artifacts do so with a
// tenon_weights. Those with an allocator of their own and no tenon_weights
// share nothing.
//
// Lifetimes. Weights and pools are counted: tenon_close_weights and
// tenon_free_pool may be called while instances use them, and then take effect
// with the last of these instances. The library whose functions opened them
// stays open as long as instances of other libraries use them.
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
#define TENON_ABI_VERSION 3

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
/// `strides` counts elements and may be null for a dense row-major tensor. They
/// are 0 or more; of outputs, no two elements may lie at one place. Those of
/// axes of size 1 do not count.
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

/// Weights that several instances share; see tenon_open_weights.
typedef struct tenon_weights tenon_weights;

/// Threads of the host, on which an instance runs its loops. Nothing of it
/// starts other threads: library calls and plug-ins run within one task, on one
/// thread.
typedef struct tenon_executor {
  void *context;
  /// Into how many tasks a loop is divided, from 1 to 4096.
  int32_t threads;
  /// Calls task(data, i) once for each i in [0, count), on any threads and in
  /// any order, also one after the other, and returns when all have returned.
  /// `count` is at most `threads`. A run whose tasks were not all called fails.
  void (*parallel_for)(void *context, int32_t count,
                       void (*task)(void *data, int32_t index), void *data);
  /// Null, or called when an instance begins and ceases to use the executor;
  /// if `retain` returns not 0, the instance is not loaded.
  int32_t (*retain)(void *context);
  void (*release)(void *context);
} tenon_executor;

/// Memory of the host. It is called from the threads that load, run and unload.
typedef struct tenon_allocator {
  void *context;
  /// Memory of `bytes`, never 0, at a multiple of `alignment`, a power of two;
  /// null: there is none. Its content does not matter.
  void *(*allocate)(void *context, size_t bytes, size_t alignment);
  void (*free)(void *context, void *data, size_t bytes);
} tenon_allocator;

/// How to load, in full; zeros are the defaults.
typedef struct tenon_load_options {
  uint64_t struct_size; // sizeof(tenon_load_options)
  tenon_options options;
  /// Null: from the file that `options` names. Else `options` names none, and
  /// asks for no random parameters.
  tenon_weights *weights;
  /// Null: OpenMP threads, as `options.threads` says. Else that is 0. The
  /// structure is copied.
  const tenon_executor *executor;
  /// For all memory of the instance on the host, but not for shared weights.
  /// Null: the system's. The structure is copied; its functions are called
  /// until the instance is unloaded.
  const tenon_allocator *allocator;
  /// Bytes that the instance may hold, as tenon_memory_bytes counts them, with
  /// all that it shares; 0: no limit. A load or a run that needs more fails,
  /// and says how much.
  uint64_t memory_limit;
} tenon_load_options;

/// Gives the tensor that `tensor` describes by type and shape, in one of two
/// ways: it fills the tensor's data (dense, and large enough), or sets
/// `tensor->data` to memory that stays as it is until the weights are closed
/// and no instance uses them, at a multiple of the element size. Returns 0, or
/// not 0 with a text in `reason`. It may be called from several threads at a
/// time, and for one tensor again after its memory was given back.
typedef int32_t (*tenon_read_weight)(void *context, const char *name,
                                     tenon_tensor *tensor, char *reason,
                                     size_t reason_bytes);

/// Where weights come from: one of `path`, `data` and `read`.
typedef struct tenon_weights_options {
  uint64_t struct_size; // sizeof(tenon_weights_options)
  const char *path;     // of a .safetensors file
  /// The bytes of such a file, which are not copied, and stay as they are until
  /// the weights are closed and no instance uses them.
  const void *data;
  uint64_t bytes;
  tenon_read_weight read;
  void *context; // of `read`
  /// For what is derived from the weights; null: the system's. The structure is
  /// copied.
  const tenon_allocator *allocator;
} tenon_weights_options;

/// A value that a step of a run has written.
typedef struct tenon_observed_value {
  /// The place in the source that computes it, as the manifest writes it.
  const char *origin;
  /// Dense, in host memory, valid until the observer returns. A value whose
  /// shape is not known has one axis, of all its elements.
  tenon_tensor tensor;
} tenon_observed_value;

/// A step that has run.
typedef struct tenon_observed_step {
  uint64_t struct_size; // of what the caller of the observer has
  const char *entry;
  int32_t step; // from 0, counted in the entry
  int32_t num_values;
  const char *name; // as in traces
  const tenon_observed_value *values;
} tenon_observed_step;

typedef void (*tenon_observer)(void *context, const tenon_observed_step *step);

#ifdef __cplusplus
}
#endif

#endif // TENON_ARTIFACT_ABI_H

// The functions of an artifact. Those of one that was compiled with
// --symbol-prefix=P are P_load, P_run and so on: headers of several artifacts
// can be included together.

#ifndef TENON_FUNCTIONS_OF_tenon
#define TENON_FUNCTIONS_OF_tenon

#ifdef __cplusplus
extern "C" {
#endif

/// The ABI version that the artifact was built for.
uint32_t tenon_abi_version(void);

/// The manifest: a JSON text (see docs/formats.md), valid while loaded.
const char *tenon_manifest(void);

/// Loads weights and runs `prepare` once. Returns 0, or not 0 with the reason
/// in `tenon_last_error` and `*model` null. `options` may be null; nothing of
/// it is read after the call.
int32_t tenon_load(const tenon_options *options, tenon_model **model);

/// As tenon_load, with what the host provides.
int32_t tenon_load_with(const tenon_load_options *options, tenon_model **model);

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

/// As tenon_infer_shapes and tenon_run, for the entry of this name; null: the
/// first.
int32_t tenon_infer_entry_shapes(tenon_model *model, const char *entry,
                                 const tenon_tensor *inputs, size_t num_inputs,
                                 tenon_tensor *outputs, size_t num_outputs);
int32_t tenon_run_entry(tenon_model *model, const char *entry,
                        const tenon_tensor *inputs, size_t num_inputs,
                        tenon_tensor *outputs, size_t num_outputs);

/// Does what the first run for inputs of these shapes would do before its first
/// step: plans, packs weights and touches memory. Only `ndim` and `shape` are
/// read. Entries whose sizes are static are planned at load.
int32_t tenon_plan_entry(tenon_model *model, const char *entry,
                         const tenon_tensor *inputs, size_t num_inputs);

/// On CUDA: puts a run behind what is on the caller's stream (a CUstream of the
/// device's primary context), has what is put there later wait for it, and
/// returns without waiting. All tensors are in the device's memory, and stay
/// until the stream has done the run. Later calls of the instance run after it.
/// Wrong indices, and errors of the device, are reported by the next call,
/// which waits for this run if the entry looks for wrong indices, or by
/// tenon_finish. On the CPU it fails.
int32_t tenon_run_on_stream(tenon_model *model, const char *entry,
                            const tenon_tensor *inputs, size_t num_inputs,
                            tenon_tensor *outputs, size_t num_outputs,
                            void *stream);

/// Waits for what tenon_run_on_stream has begun, and returns how it ended.
int32_t tenon_finish(tenon_model *model);

/// Copies the state `name` to the tensor's data, or the data to the state. The
/// tensor has the state's type and shape and lies in host memory; any strides
/// are taken as in a run.
int32_t tenon_get_state(tenon_model *model, const char *name,
                        const tenon_tensor *tensor);
int32_t tenon_set_state(tenon_model *model, const char *name,
                        const tenon_tensor *tensor);

/// Gives all states the values that they had after the load.
int32_t tenon_reset_states(tenon_model *model);

/// Writes all states to a .safetensors file, which replaces one of this name
/// when it is complete.
int32_t tenon_save_states(tenon_model *model, const char *path);

/// Reads all states from such a file. A tensor that is missing, that is no
/// state, or that has another type or shape is an error, which changes nothing.
int32_t tenon_restore_states(tenon_model *model, const char *path);

/// From now on `observer` is called after each step of each run, with every
/// value of the model that the step has written: of buffers that the step is
/// the first of its run to use, and of outputs and states that it uses. It is
/// called on a thread of the call, one step after the other, and must not call
/// functions of the instance. Null: no more. An observed run gives the same
/// results, more slowly: steps that would run as one run one by one, and on
/// CUDA every value is copied to the host.
int32_t tenon_observe(tenon_model *model, tenon_observer observer,
                      void *context);

/// Opens weights for any number of instances, also of different artifacts. The
/// file is mapped, not read. Returns as tenon_load does.
int32_t tenon_open_weights(const tenon_weights_options *options,
                           tenon_weights **weights);

/// Ends the caller's use of the weights; instances that use them go on. Null is
/// allowed.
void tenon_close_weights(tenon_weights *weights);

/// An executor with threads of its own: `threads`, from 1 to 4096, less one,
/// because a thread that waits for its loop does tasks of it. Any number of
/// instances and threads may use it at a time, and share it evenly. Its threads
/// sleep while there is nothing to do.
int32_t tenon_create_pool(int32_t threads, tenon_executor **pool);

/// Ends the caller's use of a pool; instances that use it go on. Null is
/// allowed. In a forked child, it frees nothing.
void tenon_free_pool(tenon_executor *pool);

/// The trace recorded so far in Chrome's trace-event format. Null if tracing is
/// off, or, with a reason in `tenon_last_error`, if it fails. Valid until the
/// next call on `model`.
const char *tenon_trace_json(tenon_model *model);

/// Bytes held by the instance at the end of its last run (before the first: of
/// its load): arena, states, packed weights and scratch, also what it shares
/// with others; on CUDA also all parameters, and its buffers on the host.
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

#endif // TENON_FUNCTIONS_OF_tenon
