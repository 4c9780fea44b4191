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
// generated header `m.h` repeats this file, so that a C program needs no other
// file of Tenon. Version 3 extends version 2 without changing it.
//
// Tensors have the layout of DLPack's DLTensor (dlpack.h, version 0.8), so that
// a caller can pass the tensors that it already has. Strides must not be
// negative, and no two elements of an output may share an address. Dense
// row-major tensors are the fastest, because all others are copied. Data is in
// host memory. A program that runs on CUDA also accepts data in the memory of
// the device that it was loaded for.
//
// Structures that begin with `struct_size` may grow in later versions. The
// caller sets it to the sizeof of its own version; fields beyond that size are
// read as zero.
//
// Entries. A model has one or more entries. Each has its own inputs and
// outputs; all share weights, states and memory. Functions that take no entry
// name run the first entry.
//
// States are tensors that belong to an instance and that entries read and write
// in place. Their initial values are given by the model, or are zero. A run
// that fails leaves them unspecified: set, restore or reset them.
//
// Calls. A call is checked completely before the instance changes. If a call is
// refused, or fails later (out of memory, or an error of a library, of a device
// or in the data), the instance can take the next call, whose result does not
// depend on earlier calls. Only a lost device ends the instance: all later runs
// fail and report it. After a failed run the contents of the outputs are
// unspecified, and so are those of inputs that shared their memory.
//
// Threads. Functions may be called from any thread, and on distinct instances
// at the same time. An instance takes one call at a time: each of its functions
// fails immediately while another thread is in one of them, or if an observer
// calls it. tenon_memory_bytes may be called at any time. tenon_unload may be
// called during a call of another thread; the instance is then freed when that
// call ends, and no call may begin after tenon_unload. Loops run on a team of
// OpenMP threads of the calling thread. With an executor, they run only on the
// host's threads.
//
// Processes. An instance belongs to the process that loaded it. In a forked
// child, its functions fail immediately, and tenon_unload frees nothing; the
// parent's instance is not affected. A child may load its own instances, with
// any number of threads, whatever its parent ran. The exception is a child that
// was forked while a thread loaded a model, prepared a run for new sizes, or
// was in a plug-in: locks of libraries may then be held forever in the child,
// and tenon_load fails there. CUDA cannot be used after a fork: its driver
// refuses. exec starts a new process, to which none of these rules apply. A
// thread must not be cancelled (pthread_cancel) within a function.
//
// Weights. An instance may read its weights file at any time until it is
// unloaded. To change the weights, write a new file and rename it: writing into
// the file changes the results of instances, and truncating it ends the
// process. Instances of one artifact that are loaded from the same file (same
// device, inode, size and modification time) share its memory and the data
// derived from it (packed weights, prepared buffers). Instances of different
// artifacts share them through a tenon_weights. An instance with its own
// allocator and without a tenon_weights shares nothing.
//
// Lifetimes. Weights and pools are reference-counted: tenon_close_weights and
// tenon_free_pool may be called while instances use them, and take effect when
// the last of these instances is unloaded. The library whose functions opened
// them stays open as long as instances of other libraries use them.
//
// A statically linked program (-static) can run only generated code: tenon_load
// fails if oneDNN, a plug-in or CUDA is needed.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_ABI_H
#define TENON_ARTIFACT_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Incremented when a function or structure below changes its meaning.
#define TENON_ABI_VERSION 5

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

/// Where data is, and where a program runs: the DLDeviceType values of DLPack
/// that Tenon uses, and 0 for the artifact's first program.
enum { TENON_DEVICE_FIRST = 0, TENON_DEVICE_CPU = 1, TENON_DEVICE_CUDA = 2 };

/// The layout of DLPack's DLTensor. `device_type` is TENON_DEVICE_CPU or
/// TENON_DEVICE_CUDA; `device_id` is used only for CUDA. `strides` counts
/// elements and may be null for a dense row-major tensor. Strides must be 0 or
/// more, and no two elements of an output may share an address. Strides of axes
/// of size 1 are ignored.
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

/// The tables of an artifact; opaque to callers.
typedef struct tenon_artifact tenon_artifact;

/// One loaded instance of the model: its weights, packed weights and arena.
typedef struct tenon_model tenon_model;

/// How to load. A zeroed structure gives the defaults. Values outside the
/// documented ranges are refused.
typedef struct tenon_options {
  /// Path of the weights, not empty. Null: the .safetensors file beside the
  /// artifact. Read only if the model has weights.
  const char *params_path;
  /// Used instead of `params_path` if `random_params` is not 0: every parameter
  /// is drawn from Philox, keyed by this seed and the parameter's name.
  uint64_t random_seed;
  int32_t random_params;
  /// Number of threads of a run, from 1 to 4096. Loading fails if the system
  /// cannot start that many. 0: OMP_NUM_THREADS or the number of cores.
  int32_t threads;
  /// If not 0, a trace event is recorded per step (see `tenon_trace_json`).
  int32_t trace;
  /// The program of the artifact to run: TENON_DEVICE_FIRST (the first target
  /// it was compiled for), TENON_DEVICE_CPU or TENON_DEVICE_CUDA.
  int32_t device;
  /// The CUDA device, numbered from 0 as by the driver. Must not be negative;
  /// ignored on the CPU.
  int32_t device_id;
} tenon_options;

/// Weights that several instances share; see tenon_open_weights.
typedef struct tenon_weights tenon_weights;

/// Host threads on which an instance runs its loops. The instance starts no
/// other threads: library calls and plug-ins run within one task, on one
/// thread.
typedef struct tenon_executor {
  void *context;
  /// The number of tasks that a loop is divided into, from 1 to 4096.
  int32_t threads;
  /// Calls task(data, i) once for each i in [0, count), on any threads and in
  /// any order, possibly one after another, and returns when all calls have
  /// returned. `count` is at most `threads`. A run fails if not all of its
  /// tasks were called.
  void (*parallel_for)(void *context, int32_t count,
                       void (*task)(void *data, int32_t index), void *data);
  /// Called when an instance begins and stops using the executor; may be null.
  /// If `retain` does not return 0, the instance is not loaded.
  int32_t (*retain)(void *context);
  void (*release)(void *context);
} tenon_executor;

/// Host memory. Its functions are called from the threads that load, run and
/// unload.
typedef struct tenon_allocator {
  void *context;
  /// Returns memory of `bytes` (never 0), aligned to `alignment` (a power of
  /// two), or null if there is none. The memory need not be initialized.
  void *(*allocate)(void *context, size_t bytes, size_t alignment);
  void (*free)(void *context, void *data, size_t bytes);
} tenon_allocator;

/// All options of loading. A zeroed structure gives the defaults.
typedef struct tenon_load_options {
  uint64_t struct_size; // sizeof(tenon_load_options)
  tenon_options options;
  /// If not null, `options` must name no file and ask for no random parameters.
  /// Null: the weights of the file that `options` names.
  tenon_weights *weights;
  /// If not null, `options.threads` must be 0. Null: `options.threads` OpenMP
  /// threads. The structure is copied.
  const tenon_executor *executor;
  /// Allocates all host memory of the instance except shared weights. Null: the
  /// system's allocator. The structure is copied; its functions are called
  /// until the instance is unloaded.
  const tenon_allocator *allocator;
  /// Bytes that the instance may hold, as tenon_memory_bytes counts them,
  /// including everything that it shares; 0: no limit. A load or a run that
  /// needs more fails and reports how much it needs. The ranks of a pipeline
  /// have this limit each.
  uint64_t memory_limit;
  /// If not 0, results have the same bits for any number of threads on one kind
  /// of CPU: each library call runs on one thread, as with an executor. Loops
  /// of generated code still run on all. Without effect on CUDA devices, whose
  /// results do not depend on threads.
  int32_t deterministic;
  /// What the ranks of a pipeline are; this and what follows is ignored by
  /// other models. LOCAL: threads of this process. MPI: processes under Open
  /// MPI's mpirun, one for each rank, each of which makes the same calls with
  /// the same inputs, and is given the same results; if one fails or dies, all
  /// are ended. NCCL: for CUDA devices, whose tensors then do not go through
  /// the host; processes under mpirun, or else threads.
  /// On CUDA, the ranks of a machine have the devices from `options.device_id`
  /// on, in turn if these are fewer.
  int32_t channels;
  /// 0, or the number of the pipeline's ranks. 1: all ranks run on the calling
  /// thread, one after the other, with the same results. `options.threads` are
  /// those of each rank, by default 1.
  int32_t ranks;
  /// The seconds that a rank waits for a message before the run fails; 0: for
  /// ever.
  int32_t watchdog_seconds;
  /// Measures what is not computation: if not 0, a task does not compute, but
  /// waits for as long as the plan expects it to take, times this factor.
  /// Results have no meaning then. Not with NCCL.
  double timed_waits;
} tenon_load_options;

/// A use of memory, such as "the arena".
typedef struct tenon_memory_use {
  char what[56];
  uint64_t bytes;
} tenon_memory_use;

/// See tenon_plan_memory.
typedef struct tenon_memory_plan {
  uint64_t struct_size; // sizeof(tenon_memory_plan), set by the caller
  /// The least memory_limit with which it is loaded and run.
  uint64_t bytes;
  /// Weights that are read in place at a time, which the limit does not count.
  uint64_t in_place_bytes;
  /// The uses of these bytes when most are in use, in the order of the names.
  int32_t num_uses; // at most 24
  /// Entries with open sizes, whose runs are not counted.
  int32_t num_open_entries;
  /// Steps of plug-ins, whose own memory is not counted.
  int32_t num_plugin_steps;
  tenon_memory_use uses[24];
} tenon_memory_plan;

/// See tenon_load_options.
enum {
  TENON_CHANNELS_LOCAL = 0,
  TENON_CHANNELS_MPI = 1,
  TENON_CHANNELS_NCCL = 2
};

/// Provides the tensor that `tensor` describes by type and shape. It either
/// fills the tensor's data (dense, and large enough), or sets `tensor->data` to
/// memory, aligned to the element size, that stays unchanged until the weights
/// are closed and no instance uses them. Returns 0, or nonzero with a text in
/// `reason`. It may be called from several threads at the same time, and again
/// for the same tensor after its memory was given back.
typedef int32_t (*tenon_read_weight)(void *context, const char *name,
                                     tenon_tensor *tensor, char *reason,
                                     size_t reason_bytes);

/// The source of weights: exactly one of `path`, `data` and `read`.
typedef struct tenon_weights_options {
  uint64_t struct_size; // sizeof(tenon_weights_options)
  const char *path;     // a .safetensors file
  /// The contents of such a file. They are not copied, and must stay unchanged
  /// until the weights are closed and no instance uses them.
  const void *data;
  uint64_t bytes;
  tenon_read_weight read;
  void *context; // passed to `read`
  /// Allocates the data that is derived from the weights. Null: the system's
  /// allocator. The structure is copied.
  const tenon_allocator *allocator;
} tenon_weights_options;

/// A value that a step of a run has written.
typedef struct tenon_observed_value {
  /// The source location that computes it, as the manifest writes it.
  const char *origin;
  /// Dense, in host memory, and valid until the observer returns. A value of
  /// unknown shape is passed as one axis with all its elements.
  tenon_tensor tensor;
} tenon_observed_value;

/// A step that has run.
typedef struct tenon_observed_step {
  uint64_t struct_size; // sizeof in the library that calls the observer
  const char *entry;
  int32_t step; // counted from 0 within the entry
  int32_t num_values;
  const char *name; // as in traces
  const tenon_observed_value *values;
} tenon_observed_step;

typedef void (*tenon_observer)(void *context, const tenon_observed_step *step);

#ifdef __cplusplus
}
#endif

#endif // TENON_ARTIFACT_ABI_H

// The functions of an artifact. If it was compiled with --symbol-prefix=P, they
// are named P_load, P_run and so on, so that headers of several artifacts can
// be included together.

#ifndef TENON_FUNCTIONS_OF_tenon
#define TENON_FUNCTIONS_OF_tenon

#ifdef __cplusplus
extern "C" {
#endif

/// The ABI version that the artifact was built for.
uint32_t tenon_abi_version(void);

/// Returns the manifest: a JSON text (see docs/formats.md), valid while the
/// artifact is loaded.
const char *tenon_manifest(void);

/// Returns the tables of the artifact, for tools that were built for its ABI
/// version (tenon/Artifact/Program.h).
const tenon_artifact *tenon_tables(void);

/// Loads weights and runs `prepare` once. Returns 0, or nonzero with the reason
/// in `tenon_last_error` and `*model` set to null. `options` may be null; it is
/// not read after the call.
int32_t tenon_load(const tenon_options *options, tenon_model **model);

/// Like tenon_load, with resources that the host provides.
int32_t tenon_load_with(const tenon_load_options *options, tenon_model **model);

/// Counts what an instance would need that is loaded with these options (null:
/// the defaults) on this machine, without doing so; of a pipeline, what this
/// rank would need, else `rank` is 0. No weights are read: those that the
/// options do not draw count as read in place. Not counted are tensors of the
/// caller, copies of those that have gaps, what libraries allocate for
/// themselves, and second plans of products that have met a NaN. On CUDA
/// devices, of which this machine needs none, libraries count with the most
/// workspace that a call may have, and tensors and states that are on the host
/// with their copies; contexts, kernels' code and what the driver and NCCL have
/// are not counted.
int32_t tenon_plan_memory(const tenon_load_options *options, int32_t rank,
                          tenon_memory_plan *plan);

/// Writes the shapes of all outputs for the given input shapes (only `ndim` and
/// `shape` of the inputs are read). `outputs[i].shape` must have room for as
/// many entries as the manifest states; `ndim` and `dtype` are written. Writes
/// nothing on failure, and never changes the instance.
int32_t tenon_infer_shapes(tenon_model *model, const tenon_tensor *inputs,
                           size_t num_inputs, tenon_tensor *outputs,
                           size_t num_outputs);

/// Runs the model once. Inputs and outputs are in the manifest's order, with
/// all fields set and data allocated by the caller. A donated input may share
/// its data with its output; no other overlap is allowed. A CUDA program
/// accepts each tensor in host memory or in device memory; pending writes to it
/// must have finished. All outputs are complete when the call returns.
int32_t tenon_run(tenon_model *model, const tenon_tensor *inputs,
                  size_t num_inputs, tenon_tensor *outputs, size_t num_outputs);

/// Like tenon_infer_shapes and tenon_run, for the entry of this name. Null: the
/// first entry.
int32_t tenon_infer_entry_shapes(tenon_model *model, const char *entry,
                                 const tenon_tensor *inputs, size_t num_inputs,
                                 tenon_tensor *outputs, size_t num_outputs);
int32_t tenon_run_entry(tenon_model *model, const char *entry,
                        const tenon_tensor *inputs, size_t num_inputs,
                        tenon_tensor *outputs, size_t num_outputs);

/// Does the work that the first run for inputs of these shapes would do before
/// its first step: plans, packs weights and touches memory. Only `ndim` and
/// `shape` are read. Entries whose sizes are static are planned at load.
int32_t tenon_plan_entry(tenon_model *model, const char *entry,
                         const tenon_tensor *inputs, size_t num_inputs);

/// On CUDA, enqueues a run on the caller's stream (a CUstream of the device's
/// primary context) and returns without waiting: the run follows the work that
/// is already on the stream, and later work on the stream follows the run. All
/// tensors must be in device memory, and must stay valid until the run has
/// finished. Later calls of the instance run after it. Invalid indices and
/// device errors are reported by tenon_finish, or by the next call, which waits
/// for this run if the entry checks indices. On the CPU this function fails.
int32_t tenon_run_on_stream(tenon_model *model, const char *entry,
                            const tenon_tensor *inputs, size_t num_inputs,
                            tenon_tensor *outputs, size_t num_outputs,
                            void *stream);

/// Waits for the run that tenon_run_on_stream enqueued, and returns its status.
int32_t tenon_finish(tenon_model *model);

/// Copies the state `name` to the tensor's data, or the data to the state. The
/// tensor must have the state's type and shape and be in host memory; its
/// strides follow the rules of tenon_run.
int32_t tenon_get_state(tenon_model *model, const char *name,
                        const tenon_tensor *tensor);
int32_t tenon_set_state(tenon_model *model, const char *name,
                        const tenon_tensor *tensor);

/// Resets all states to the values that they had after loading.
int32_t tenon_reset_states(tenon_model *model);

/// Writes all states to a .safetensors file. An existing file is replaced when
/// the new one is complete.
int32_t tenon_save_states(tenon_model *model, const char *path);

/// Reads all states from such a file. It is an error if a tensor is missing, is
/// not a state, or has another type or shape; no state is changed then.
int32_t tenon_restore_states(tenon_model *model, const char *path);

/// Calls `observer` after each step of each run from now on, with every model
/// value that the step has written: values in buffers that this step is the
/// first of its run to use, and in outputs and states that it uses. Calls are
/// made on a thread of the call, one step after another; the observer must not
/// call functions of the instance. Null removes the observer. An observed run
/// gives the same results but is slower: steps that would be merged run one at
/// a time, and on CUDA every value is copied to the host.
int32_t tenon_observe(tenon_model *model, tenon_observer observer,
                      void *context);

/// Opens weights for any number of instances, which may belong to different
/// artifacts. The file is mapped, not read. Returns as tenon_load does.
int32_t tenon_open_weights(const tenon_weights_options *options,
                           tenon_weights **weights);

/// Ends the caller's use of the weights; instances that use them are not
/// affected. Null is allowed.
void tenon_close_weights(tenon_weights *weights);

/// Creates an executor for `threads` threads, from 1 to 4096. It starts one
/// fewer, because the thread that waits for a loop also runs tasks of it. Any
/// number of instances and threads may use it at the same time, and share it
/// evenly. Its threads sleep while there is no work.
int32_t tenon_create_pool(int32_t threads, tenon_executor **pool);

/// Ends the caller's use of a pool; instances that use it are not affected.
/// Null is allowed. In a forked child, it frees nothing.
void tenon_free_pool(tenon_executor *pool);

/// Returns the trace recorded so far, in Chrome's trace-event format. Returns
/// null if tracing is off, or, with a reason in `tenon_last_error`, on failure.
/// Valid until the next call on `model`.
const char *tenon_trace_json(tenon_model *model);

/// Returns the bytes that the instance held at the end of its last run (before
/// the first run: of its load): arena, states, packed weights and scratch,
/// including what it shares with others; on CUDA also all parameters, and its
/// buffers on the host.
uint64_t tenon_memory_bytes(tenon_model *model);

/// Returns the target that the instance's code was generated for, such as
/// "cpu:x86-64-v4": of several CPUs, the one that was chosen for this machine.
/// Valid until the instance is unloaded. Null if `model` is null.
const char *tenon_target(tenon_model *model);

/// Frees the instance; null is allowed.
void tenon_unload(tenon_model *model);

/// Returns the reason of this thread's last failure. Never null; empty if there
/// was no failure. Every thread has its own text, of at most 4095 bytes, which
/// is valid until the next function of this artifact fails in the same thread,
/// the thread ends, or the artifact's library is closed. It outlives instances.
const char *tenon_last_error(void);

#ifdef __cplusplus
}
#endif

#endif // TENON_FUNCTIONS_OF_tenon
