/*===- affine.c - an artifact written by hand
 *
 * Part of the Tenon project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===---------------------------------------------------------------------===*/

/* y[n, 4] = x[n, 4] * w[4] + b[4], with the parameter w, a constant b, and a
 * second output with the sum of each row. The second input s is a scalar that
 * is added to the sums. */

#include "tenon/Artifact/Program.h"

static const int64_t x_shape[] = {-1, 4};
static const int64_t w_shape[] = {4};
static const int64_t sum_shape[] = {-1};
static const float b[] = {1, 2, 3, 4};

#define F32 {TENON_DL_FLOAT, 32, 1}

static const tenon_value inputs[] = {{"x", F32, 2, x_shape}, {"s", F32, 0, 0}};
static const tenon_value outputs[] = {{"y", F32, 2, x_shape},
                                      {"sums", F32, 1, sum_shape}};
static const tenon_value params[] = {{"w", F32, 1, w_shape}};
static const char *const symbols[] = {"n"};
static const int32_t donations[] = {0, -1};

static void dims(const int64_t *symbol, int64_t *out) {
  out[0] = symbol[0], out[1] = 4; /* x; s has no axes */
  out[2] = symbol[0], out[3] = 4;
  out[4] = symbol[0];
}

static void buffer_bytes(const int64_t *symbol, int64_t *out) {
  out[0] = out[2] = 16 * symbol[0];
  out[1] = 4;
  out[3] = 4 * symbol[0];
}

static void step_extents(const int64_t *symbol, int64_t *out) {
  out[0] = out[1] = symbol[0];
}

static const tenon_buffer buffers[] = {
    {TENON_BUFFER_PARAM, 0, 0, 16, -1, 0, 1, 0},
    {TENON_BUFFER_CONSTANT, 0, b, 16, -1, 0, 1, 0},
    {TENON_BUFFER_INPUT, 0, 0, -1, -1, 0, 1, 0},
    {TENON_BUFFER_INPUT, 1, 0, 4, -1, 0, 1, 0},
    {TENON_BUFFER_OUTPUT, 0, 0, -1, -1, 0, 1, 0},
    {TENON_BUFFER_OUTPUT, 1, 0, -1, -1, 0, 1, 0},
};

static void affine(const int64_t *symbol, void *const *buffer, void *scratch,
                   int64_t lo, int64_t hi) {
  const float *x = buffer[0], *w = buffer[1], *c = buffer[2];
  float *y = buffer[3];
  (void)symbol, (void)scratch;
  for (int64_t i = lo * 4; i < hi * 4; ++i)
    y[i] = x[i] * w[i % 4] + c[i % 4];
}

static void sum(const int64_t *symbol, void *const *buffer, void *scratch,
                int64_t lo, int64_t hi) {
  const float *y = buffer[0], *s = buffer[1];
  float *sums = buffer[2];
  (void)symbol, (void)scratch;
  for (int64_t i = lo; i < hi; ++i)
    sums[i] = y[4 * i] + y[4 * i + 1] + y[4 * i + 2] + y[4 * i + 3] + *s;
}

static const int32_t affine_buffers[] = {2, 0, 1, 4};
static const int32_t sum_buffers[] = {4, 3, 5};
static const tenon_step steps[] = {
    {"affine", TENON_STEP_KERNEL, 4, affine_buffers, affine, 0, -1, 64, 0, 0},
    {"sum", TENON_STEP_KERNEL, 3, sum_buffers, sum, 0, -1, 64, 0, 0},
};

static const char manifest[] =
    "{\"schema_version\": 1, \"name\": \"affine\","
    " \"compiler\": \"by hand\", \"target\": \"cpu:x86-64\","
    " \"symbols\": [\"n\"], \"inputs\": ["
    "{\"name\": \"x\", \"dtype\": \"f32\", \"shape\": [\"n\", 4],"
    " \"donated_to\": 0},"
    "{\"name\": \"s\", \"dtype\": \"f32\", \"shape\": []}],"
    " \"outputs\": ["
    "{\"name\": \"y\", \"dtype\": \"f32\", \"shape\": [\"n\", 4]},"
    "{\"name\": \"sums\", \"dtype\": \"f32\", \"shape\": [\"n\"]}],"
    " \"parameters\": [{\"name\": \"w\", \"dtype\": \"f32\", \"shape\": [4]}],"
    " \"parameters_file\": \"affine.safetensors\"}";

#ifndef ABI_VERSION
#define ABI_VERSION TENON_ABI_VERSION
#endif
#ifndef CPU_FEATURES
#define CPU_FEATURES 0
#endif

static const tenon_entry entry = {
    .name = "main",
    .num_symbols = 1,
    .symbol_names = symbols,
    .num_inputs = 2,
    .inputs = inputs,
    .num_outputs = 2,
    .outputs = outputs,
    .dims = dims,
    .donations = donations,
    .first_buffer = 2,
    .end_buffer = 6,
    .buffer_bytes = buffer_bytes,
    .arena_bytes = 0,
    .first_step = 0,
    .end_step = 2,
    .step_extents = step_extents,
};

static const tenon_program program = {
    .cpu_features = CPU_FEATURES,
    .name = "affine",
    .num_params = 1,
    .params = params,
    .num_buffers = 6,
    .buffers = buffers,
    .num_steps = 2,
    .steps = steps,
    .prepare = {.name = "prepare", .first_buffer = 2, .end_buffer = 2},
    .num_entries = 1,
    .entries = &entry,
};

static const tenon_program *const programs[] = {&program, 0};

static const tenon_artifact the_artifact = {
    .abi_version = ABI_VERSION,
    .manifest = manifest,
    .params_file = "affine.safetensors",
    .programs = programs,
};

#include "thunks.h"
