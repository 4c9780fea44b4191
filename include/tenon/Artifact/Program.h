//===- Program.h - tables that a compiled model hands to the runtime ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An artifact is constant data plus kernels: the compiler emits a
// `tenon_program` for each of its targets and lists them in a `tenon_artifact`,
// and the runtime, linked into the same program, executes the steps of an entry
// in order. The tables are C, so that the emitter (which builds them as LLVM
// constants) and the runtime share this one definition. Field order is part of
// the contract with lib/Emit.
//
// Sizes that depend on dynamic dimensions are functions of `symbols`, the
// values of an entry's dimension symbols in the order of `symbol_names`.
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_PROGRAM_H
#define TENON_ARTIFACT_PROGRAM_H

#include "tenon/Artifact/ABI.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The part of an instance that kernels can access; opaque to generated code.
typedef struct tenon_context tenon_context;

/// A generated kernel: computes the part [lo, hi) of the step's extent.
/// `buffers` holds the data pointers of the step's buffers in the step's order;
/// `scratch` is this thread's scratch memory of `scratch_bytes`, 64-byte
/// aligned. Arena and prepared buffers are aligned to 64 bytes; inputs, outputs
/// and parameters only to their element size.
typedef void (*tenon_kernel_fn)(const int64_t *symbols, void *const *buffers,
                                void *scratch, int64_t lo, int64_t hi);

/// Evaluates a list of size expressions: writes `out[i]` for all i.
typedef void (*tenon_sizes_fn)(const int64_t *symbols, int64_t *out);

enum tenon_buffer_kind {
  TENON_BUFFER_INPUT = 0,    // index: number of the entry's input
  TENON_BUFFER_OUTPUT = 1,   // index: number of the entry's output
  TENON_BUFFER_PARAM = 2,    // index: number of the parameter
  TENON_BUFFER_CONSTANT = 3, // data: emitted bytes
  TENON_BUFFER_PREPARED = 4, // written at load, lives as long as the instance
  TENON_BUFFER_ARENA = 5,    // alive from first_step to last_step of a run
  TENON_BUFFER_CHECK = 6,    // index: number of the check that reads it
  TENON_BUFFER_STATE = 7     // index: number of the state
};

struct tenon_value;

typedef struct tenon_buffer {
  int32_t kind;
  int32_t index;
  const void *data;   // constants only
  int64_t bytes;      // -1: dynamic, see tenon_entry.buffer_bytes
  int64_t offset;     // arena offset if all of the entry's are static, else -1
  int32_t first_step; // inclusive; positions in tenon_program.steps
  int32_t last_step;  // inclusive
  /// If a step writes the buffer: the model value that it holds, named by the
  /// source location that computes it, with its type. Null: none.
  const struct tenon_value *value;
} tenon_buffer;

/// Static description of an input, output, parameter or state.
typedef struct tenon_value {
  const char *name;
  tenon_dtype dtype;
  int32_t rank;
  /// One entry per axis: n >= 0 is a constant size, -1 - s is the symbol s, and
  /// INT64_MIN is a computed size. `dims` also writes all three kinds.
  const int64_t *shape;
} tenon_value;

enum tenon_step_kind {
  TENON_STEP_KERNEL = 0,  // generated code
  TENON_STEP_LIBRARY = 1, // a vendor library, described by `call`
  TENON_STEP_COPY = 2,    // buffers[1] := buffers[0], same byte size
  TENON_STEP_PLUGIN = 3   // a plug-in, described by `plugin`
};

/// How a kernel of a GPU program is launched. The grid is one-dimensional, and
/// its number of blocks is the step's extent (0: no launch). The arguments, of
/// 8 bytes each, are the device addresses of the step's buffers in order, the
/// address of the workspace (null if the program has none), and every symbol as
/// int64. Buffers are aligned to at least 16 bytes, the workspace to 256.
typedef struct tenon_gpu_launch {
  const char *kernel;    // its name in the program's images
  int32_t block_threads; // threads per block; blocks are one-dimensional
  int32_t shared_bytes;  // beyond the shared memory that the kernel declares
} tenon_gpu_launch;

struct tenon_call;
struct tenon_plugin_call; // tenon/Artifact/PluginCall.h

typedef struct tenon_step {
  const char *name; // for traces and diagnostics: model location or op name
  int32_t kind;
  int32_t num_buffers;
  const int32_t *buffers; // positions in tenon_program.buffers
  tenon_kernel_fn kernel;
  const struct tenon_call *call;
  int64_t extent; // parallel iterations; -1: dynamic, see step_extents
  int64_t grain;  // least number of iterations per thread
  const struct tenon_plugin_call *plugin;
  const tenon_gpu_launch *launch; // GPU programs: used instead of `kernel`
} tenon_step;

//===----------------------------------------------------------------------===//
// Library calls
//===----------------------------------------------------------------------===//

/// See Libraries.def.
enum tenon_library {
#define TENON_LIBRARY(Name, NAME, number, name, device)                        \
  TENON_LIBRARY_##NAME = number,
#include "tenon/Artifact/Libraries.def"
};

#include "tenon/Artifact/Primitives.h.inc"

/// Post-ops are applied to the accumulated value in order. Each binary one
/// reads one buffer, in order, which is broadcast to the result as in NumPy.
typedef struct tenon_post_op {
  int32_t kind; // tenon_post_kind
  float alpha;
  float beta;
} tenon_post_op;

/// One operand of a call. `shape` is as in tenon_value, except that computed
/// sizes (INT64_MIN) come, in order of appearance, from tenon_call.sizes.
/// `order` is the order of the logical axes in memory: axis order[0] is
/// outermost (null: row-major). The logical shapes do not depend on the layout
/// in memory: matmul [batch..., m, k] x [batch..., k, n] -> [batch..., m, n],
/// after transposition; conv [n, c, spatial...] x [o, c / groups, spatial...]
/// -> [n, o, spatial...] (transposed conv: weight [c, o / groups, spatial...]).
/// A transposed matmul operand and a channels-last tensor differ from the plain
/// ones only in `order`. Matmul batch dimensions are broadcast. Pools and lrn
/// are [n, c, spatial...] -> [n, c, spatial...].
typedef struct tenon_call_operand {
  tenon_dtype dtype;
  int32_t rank;
  const int64_t *shape;
  const int32_t *order;
} tenon_call_operand;

typedef struct tenon_call {
  int32_t library;   // tenon_library
  int32_t primitive; // tenon_primitive
  /// The structure of the primitive, such as a tenon_convolution; null if it
  /// has none.
  const void *fields;
  int32_t num_operands; // the number of the step's buffers; the result is last
  const tenon_call_operand *operands;
  int32_t num_post_ops;
  const tenon_post_op *post_ops;
  /// Not 0: the weight (operand 1) is a parameter, constant or prepared buffer,
  /// and is packed once into the layout that the library prefers.
  int32_t constant_weight;
  tenon_sizes_fn sizes; // computed sizes of all operands; null: none
} tenon_call;

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// Instruction sets that the generated code uses, as bits of cpu_features.
enum {
#define TENON_CPU_LEVEL(NAME, number, name, vectorBits)                        \
  TENON_CPU_##NAME = 1u << number,
#define TENON_CPU_EXTENSION(NAME, number, name, LEVEL)                         \
  TENON_CPU_##NAME = 1u << number,
#include "tenon/Artifact/Cpus.def"
};

enum tenon_program_device { TENON_PROGRAM_CPU = 0, TENON_PROGRAM_CUDA = 1 };

enum tenon_gpu_image_kind {
  TENON_IMAGE_CUBIN = 0, // machine code of `arch`
  TENON_IMAGE_PTX = 1    // for `arch` and later; zero-terminated
};

/// All kernels of a program for some GPUs.
typedef struct tenon_gpu_image {
  const char *arch; // such as "sm_80"; "sm_90a" runs only on that one
  int32_t kind;
  const void *data;
  int64_t bytes; // PTX: without the zero byte
} tenon_gpu_image;

/// A check of indices by a step. For each of `parts` parts of the index tensor,
/// the step writes two int64: the row-major position of the first index that is
/// outside its range (INT64_MAX: none), and that index. If there is one, the
/// run fails; if the step belongs to prepare, the load fails.
typedef struct tenon_check {
  const char *reader;  // the op that uses the indices: model location or name
  const char *input;   // the input that holds the indices; null: computed
  int32_t rank;        // of the index tensor
  int32_t num_ranges;  // entry i of its last axis has range i modulo num_ranges
  const int64_t *axes; // the indexed axis, by range
  /// Writes the sizes of the index tensor, then the begin and end of each
  /// range.
  tenon_sizes_fn sizes;
  const int64_t *ignored; // null, or a value that is always allowed
  int64_t parts;
  int32_t buffer; // of kind TENON_BUFFER_CHECK, or PREPARED
  int32_t step;
} tenon_check;

/// A tensor that lives as long as an instance. Entries read and write it in
/// place.
typedef struct tenon_state {
  tenon_value value;   // has a static shape
  const void *initial; // initial bytes of an instance; null: zeros
  /// The parameter of the same type that is its initial value, or -1; `initial`
  /// is null beside a parameter.
  int32_t param;
  /// Not 0: callers do not see it. It is zero between their runs, and the
  /// runtime makes it zero after one that failed.
  int32_t transient;
} tenon_state;

//===----------------------------------------------------------------------===//
// Programs of ranks
//===----------------------------------------------------------------------===//

/// A tensor that steps of a rank use.
typedef struct tenon_rank_tensor {
  /// TENON_BUFFER_INPUT or OUTPUT (of the caller), or ARENA.
  int32_t kind;
  int32_t index; // number of the input or output
  tenon_dtype dtype;
  int32_t rank;
  const int64_t *shape;
  /// If it is a part of the input, output or buffer: along `axis` (else -1),
  /// from `begin` on, of `whole` indices.
  int32_t axis;
  int64_t begin, whole;
  int64_t offset; // in the rank's arena, of what it is a part of
} tenon_rank_tensor;

enum tenon_rank_step_kind {
  TENON_RANK_TASK = 0,       // runs an entry
  TENON_RANK_COPY = 1,       // tensors[1] := tensors[0]
  TENON_RANK_ADD = 2,        // to output tensors[1], `factor` times tensors[0]
  TENON_RANK_SEND = 3,       // begins to send tensors[0]
  TENON_RANK_RECEIVE = 4,    // begins to receive tensors[0]
  TENON_RANK_ALL_REDUCE = 5, // begins to sum states
  TENON_RANK_WAIT = 6,       // for what `awaited` began
  TENON_RANK_BARRIER = 7     // waits until all ranks have come here
};

/// See the ops of the same names in the dialect `program`.
typedef struct tenon_rank_step {
  int32_t kind;
  int32_t entry; // TASK: a position in tenon_program.entries
  /// Positions in tenon_rank_program.tensors. TASK: inputs, then outputs.
  int32_t num_tensors;
  const int32_t *tensors;
  int32_t num_states; // ALL_REDUCE
  const int32_t *states;
  int32_t is_mean; // ALL_REDUCE: not 0: the mean, else the sum
  /// ALL_REDUCE: in ascending order. SEND, RECEIVE: the other one.
  int32_t num_ranks;
  const int32_t *ranks;
  int32_t tag, group;
  int32_t num_awaited; // WAIT: positions in tenon_rank_program.steps
  const int32_t *awaited;
  double factor; // ADD
  /// For traces: the number of a stage or -1, a kind of task, and
  /// samples from `begin` to before `end`, by which ADD is ordered.
  int32_t stage;
  const char *label;
  int64_t begin, end;
  double seconds; // TASK: what it is expected to take
} tenon_rank_step;

/// The steps of a rank when a caller runs an entry.
typedef struct tenon_rank_program {
  int32_t num_tensors;
  const tenon_rank_tensor *tensors;
  int64_t arena_bytes;
  int32_t num_steps;
  const tenon_rank_step *steps;
} tenon_rank_program;

//===----------------------------------------------------------------------===//
// Entries and programs
//===----------------------------------------------------------------------===//

/// Something that a caller runs: a range of the program's steps, and the range
/// of the program's buffers that only this entry uses. Its steps use these
/// buffers, and the buffers before those of the first entry.
typedef struct tenon_entry {
  const char *name;

  int32_t num_symbols;
  const char *const *symbol_names;

  int32_t num_inputs;
  const tenon_value *inputs;
  int32_t num_outputs;
  const tenon_value *outputs;
  /// Writes all sizes of the inputs, then of the outputs, axis by axis.
  tenon_sizes_fn dims;
  /// For each input: the output that may reuse its storage, or -1.
  const int32_t *donations;

  /// Conditions on sizes, which the runtime checks before it computes: each of
  /// the values that `condition_values` writes must be in [0, INT64_MAX).
  int32_t num_conditions;
  const char *const *conditions;   // the expectations, in terms of the symbols
  tenon_sizes_fn condition_values; // null if there are none

  int32_t first_buffer, end_buffer; // [first, end) of tenon_program.buffers
  /// Writes the byte size of each of these; null if all are static.
  tenon_sizes_fn buffer_bytes;
  int64_t arena_bytes; // -1: dynamic, planned by the runtime for given symbols
  /// Scratch bytes per thread; for a GPU program, the workspace in total. -1:
  /// dynamic.
  int64_t scratch_bytes;
  /// Writes one number, the scratch bytes; null if static.
  tenon_sizes_fn scratch_size;

  int32_t first_step, end_step; // [first, end) of tenon_program.steps
  /// Writes the extent of each of these; null if all are static.
  tenon_sizes_fn step_extents;

  /// Not null: it has no steps, and these are done by tenon_program.num_ranks
  /// ranks.
  const tenon_rank_program *ranks;
} tenon_entry;

typedef struct tenon_program {
  uint32_t cpu_features;
  const char *target; // such as "cpu:x86-64-v3"
  const char *name;

  int32_t num_params;
  const tenon_value *params;
  int32_t num_states;
  const tenon_state *states;

  /// First the buffers of all entries (parameters, constants, prepared buffers,
  /// states), whose sizes are static, then those of prepare, then those of each
  /// entry.
  int32_t num_buffers;
  const tenon_buffer *buffers;
  int32_t num_steps;
  const tenon_step *steps;

  /// The first steps, which run once when an instance is loaded. This entry has
  /// no symbols, inputs or outputs, and all its sizes are static.
  tenon_entry prepare;
  int32_t num_entries; // at least 1; the first is what tenon_run runs
  const tenon_entry *entries;

  int32_t device;     // tenon_program_device
  int32_t num_images; // GPU programs only
  const tenon_gpu_image *images;

  int32_t num_checks;
  const tenon_check *checks;

  /// Not 0: callers run entries that so many ranks do, and behind these are the
  /// entries that are their tasks.
  int32_t num_ranks;
  int32_t num_tasks;
} tenon_program;

/// The artifact as the compiler emits it. All programs have the same states,
/// and the same entries with the same inputs and outputs, and share one file of
/// parameters. The first program is the default if a caller requests no device.
typedef struct tenon_artifact {
  uint32_t abi_version;    // TENON_ABI_VERSION of these tables
  const char *manifest;    // JSON text
  const char *params_file; // file name beside the artifact; null: no parameters
  const tenon_program *const *programs; // in the order of targets, then null
} tenon_artifact;

#ifdef __cplusplus
}
#endif

#endif // TENON_ARTIFACT_PROGRAM_H
