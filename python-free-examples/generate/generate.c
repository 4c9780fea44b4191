/*===- generate.c - text from a compiled language model -----------------===*\
|*
|* Part of the Tenon project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

/* Reads a prompt with the entry `prefill`, then generates one token after the
 * other with `decode`. Both entries are in one artifact: the weights are loaded
 * once, and the keys and values of all tokens so far are states of the
 * instance.
 *
 *   generate COUNT ID...
 *
 * The IDs are the prompt. It prints COUNT ids, one per line. */

#include "gpt2.h"

#include <stdio.h>
#include <stdlib.h>

/* Memory of the caller, which runs use again. */
typedef struct buffers {
  float *logits;
  int64_t capacity; /* of `logits`, in elements */
} buffers;

static int fail(const char *what) {
  fprintf(stderr, "generate: %s: %s\n", what, tenon_last_error());
  return 1;
}

static tenon_tensor make_tensor(void *data, uint8_t code, uint8_t bits,
                                int64_t *shape) {
  tenon_tensor tensor = {0}; /* dense: no strides, no offset */
  tensor.data = data;
  tensor.device_type = TENON_DEVICE_CPU;
  tensor.ndim = 2;
  tensor.dtype = (tenon_dtype){code, bits, 1};
  tensor.shape = shape;
  return tensor;
}

/* Runs an entry on `count` ids, and writes the token that the model favours. */
static int run(tenon_model *model, const char *entry, int64_t *ids,
               int64_t count, buffers *memory, int64_t *token) {
  int64_t ids_shape[2] = {1, count}, logits_shape[2], token_shape[2];
  tenon_tensor input = make_tensor(ids, TENON_DL_INT, 64, ids_shape);
  tenon_tensor outputs[2] = {
      make_tensor(NULL, TENON_DL_FLOAT, 32, logits_shape),
      make_tensor(token, TENON_DL_INT, 64, token_shape)};

  /* The model says how many logits there are; the caller allocates. */
  if (tenon_infer_entry_shapes(model, entry, &input, 1, outputs, 2) != 0)
    return fail(entry);
  int64_t needed = logits_shape[0] * logits_shape[1];
  if (needed > memory->capacity) {
    float *larger = realloc(memory->logits, (size_t)needed * sizeof(float));
    if (!larger) {
      fprintf(stderr, "generate: no memory for %lld logits\n",
              (long long)needed);
      return 1;
    }
    memory->logits = larger;
    memory->capacity = needed;
  }
  outputs[0].data = memory->logits;
  if (tenon_run_entry(model, entry, &input, 1, outputs, 2) != 0)
    return fail(entry);
  return 0;
}

static int generate(tenon_model *model, int64_t *prompt, int64_t length,
                    int64_t count, buffers *memory) {
  int64_t token, next = 0; /* two, because outputs overlap no inputs */
  int status = run(model, "prefill", prompt, length, memory, &next);
  for (int64_t i = 0; status == 0 && i < count; ++i) {
    token = next;
    printf("%lld\n", (long long)token);
    fflush(stdout);
    if (i + 1 < count)
      status = run(model, "decode", &token, 1, memory, &next);
  }
  return status;
}

static int parse(const char *text, int64_t *value) {
  char *end;
  *value = strtoll(text, &end, 10);
  return end != text && *end == '\0';
}

int main(int argc, char **argv) {
  int64_t count, length = argc - 2;
  if (argc < 3 || !parse(argv[1], &count) || count < 1) {
    fprintf(stderr, "usage: generate COUNT ID...\n");
    return 2;
  }
  int64_t *prompt = malloc((size_t)length * sizeof(int64_t));
  if (!prompt) {
    fprintf(stderr, "generate: no memory for %lld ids\n", (long long)length);
    return 1;
  }
  for (int64_t i = 0; i < length; ++i)
    if (!parse(argv[i + 2], &prompt[i])) {
      fprintf(stderr, "generate: expected an id, but got '%s'\n", argv[i + 2]);
      free(prompt);
      return 2;
    }

  buffers memory = {NULL, 0};
  tenon_model *model = NULL;
  int status = tenon_load(NULL, &model); /* defaults: gpt2.safetensors beside */
  if (status != 0)
    status = fail("load");
  else
    status = generate(model, prompt, length, count, &memory);
  tenon_unload(model); /* null is allowed */
  free(memory.logits);
  free(prompt);
  return status;
}
