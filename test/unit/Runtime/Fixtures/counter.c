/*===- counter.c - an artifact with two entries and a state
 *
 * Part of the Tenon project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===---------------------------------------------------------------------===*/

/* Entry "add" adds x[4] to the state "sum", and gives it as y; entry "peek"
 * gives it as z. Functions have the prefix "counter". */

#include "tenon/Artifact/Program.h"

#define F32 {TENON_DL_FLOAT, 32, 1}

static const int64_t shape[] = {4};
static const float start[] = {1, 2, 3, 4};
static const tenon_value x = {"x", F32, 1, shape};
static const tenon_value y = {"y", F32, 1, shape};
static const tenon_value z = {"z", F32, 1, shape};
static const tenon_state sum = {{"sum", F32, 1, shape}, start, -1, 0};

static void add(const int64_t *symbol, void *const *buffer, void *scratch,
                int64_t lo, int64_t hi) {
  const float *input = buffer[0];
  float *state = buffer[1], *output = buffer[2];
  (void)symbol, (void)scratch;
  for (int64_t i = lo; i < hi; ++i)
    output[i] = state[i] += input[i];
}

static const tenon_buffer buffers[] = {
    {TENON_BUFFER_STATE, 0, 0, 16, -1, 0, 1, 0},
    {TENON_BUFFER_INPUT, 0, 0, 16, -1, 0, 0, 0},
    {TENON_BUFFER_OUTPUT, 0, 0, 16, -1, 0, 0, &y},
    {TENON_BUFFER_OUTPUT, 0, 0, 16, -1, 1, 1, &z},
};
static const int32_t add_buffers[] = {1, 0, 2};
static const int32_t peek_buffers[] = {0, 3};
static const tenon_step steps[] = {
    {"add", TENON_STEP_KERNEL, 3, add_buffers, add, 0, 4, 64, 0, 0},
    {"peek", TENON_STEP_COPY, 2, peek_buffers, 0, 0, 1, 1, 0, 0},
};

static const tenon_entry entries[] = {
    {
        .name = "add",
        .num_inputs = 1,
        .inputs = &x,
        .num_outputs = 1,
        .outputs = &y,
        .first_buffer = 1,
        .end_buffer = 3,
        .first_step = 0,
        .end_step = 1,
    },
    {
        .name = "peek",
        .num_outputs = 1,
        .outputs = &z,
        .first_buffer = 3,
        .end_buffer = 4,
        .first_step = 1,
        .end_step = 2,
    },
};

static const tenon_program program = {
    .name = "counter",
    .num_states = 1,
    .states = &sum,
    .num_buffers = 4,
    .buffers = buffers,
    .num_steps = 2,
    .steps = steps,
    .prepare = {.name = "prepare", .first_buffer = 1, .end_buffer = 1},
    .num_entries = 2,
    .entries = entries,
};

static const tenon_program *const programs[] = {&program, 0};

static const tenon_artifact the_artifact = {
    .abi_version = TENON_ABI_VERSION,
    .manifest =
        "{\"schema_version\": 1, \"name\": \"counter\","
        " \"compiler\": \"by hand\", \"target\": \"cpu:x86-64\","
        " \"symbols\": [], \"parameters\": [], \"inputs\": ["
        "{\"name\": \"x\", \"dtype\": \"f32\", \"shape\": [4]}],"
        " \"outputs\": [{\"name\": \"y\", \"dtype\": \"f32\", \"shape\": [4]}],"
        " \"entries\": [{\"name\": \"add\", \"symbols\": [], \"inputs\": ["
        "{\"name\": \"x\", \"dtype\": \"f32\", \"shape\": [4]}],"
        " \"outputs\": [{\"name\": \"y\", \"dtype\": \"f32\", \"shape\":"
        " [4]}]}, {\"name\": \"peek\", \"symbols\": [], \"inputs\": [],"
        " \"outputs\": [{\"name\": \"z\", \"dtype\": \"f32\", \"shape\":"
        " [4]}]}], \"states\": [{\"name\": \"sum\", \"dtype\": \"f32\","
        " \"shape\": [4]}]}",
    .programs = programs,
};

const char tenon_symbol_prefix[] = "counter";

#define PREFIX counter
#include "thunks.h"
