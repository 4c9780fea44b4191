/*===- generate.c - text from a compiled language model --------------------===*\
|*
|* Part of the Tenon project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

/* Reads a prompt with the entry `prefill` and generates token after token with
 * `decode`. Both entries are in one artifact: weights are loaded once, and the
 * keys and values of the tokens so far are states of the instance.
 *
 *   generate COUNT ID...     the ids of the prompt; prints those generated
 */

#include "gpt2.h"

#include <stdio.h>
#include <stdlib.h>

/* Runs an entry on `count` ids; returns the token that the model favours. */
static int64_t run(tenon_model *model, const char *entry, int64_t *ids,
                   int64_t count) {
  tenon_dtype i64 = {TENON_DL_INT, 64, 1}, f32 = {TENON_DL_FLOAT, 32, 1};
  int64_t id_shape[2] = {1, count};
  tenon_tensor input = {ids, TENON_DEVICE_CPU, 0, 2, i64, id_shape, NULL, 0};

  /* The number of logits is the model's to say. */
  int64_t logits_shape[2], token_shape[2], token = -1;
  tenon_tensor outputs[2] = {{0}};
  outputs[0].shape = logits_shape;
  outputs[1].shape = token_shape;
  static float *logits;
  if (tenon_infer_entry_shapes(model, entry, &input, 1, outputs, 2) == 0 &&
      !logits)
    logits = malloc(sizeof(float) * logits_shape[0] * logits_shape[1]);
  outputs[0] = (tenon_tensor){
      logits, TENON_DEVICE_CPU, 0, 2, f32, logits_shape, NULL, 0};
  outputs[1] = (tenon_tensor){
      &token, TENON_DEVICE_CPU, 0, 2, i64, token_shape, NULL, 0};
  if (!logits || tenon_run_entry(model, entry, &input, 1, outputs, 2) != 0) {
    fprintf(stderr, "generate: %s: %s\n", entry, tenon_last_error());
    exit(1);
  }
  return token;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: generate COUNT ID...\n");
    return 2;
  }
  int64_t count = atoll(argv[1]), length = argc - 2;
  int64_t *prompt = malloc(sizeof(int64_t) * length);
  for (int64_t i = 0; i < length; ++i)
    prompt[i] = atoll(argv[i + 2]);

  tenon_options options = {0};
  if (getenv("SEED")) { /* without weights: random ones */
    options.random_params = 1;
    options.random_seed = strtoull(getenv("SEED"), NULL, 10);
  }
  tenon_model *model;
  if (tenon_load(&options, &model) != 0) {
    fprintf(stderr, "generate: %s\n", tenon_last_error());
    return 1;
  }
  int64_t token = run(model, "prefill", prompt, length);
  for (int64_t i = 0; i < count; ++i) {
    printf("%lld%c", (long long)token, i + 1 == count ? '\n' : ' ');
    fflush(stdout);
    if (i + 1 < count)
      token = run(model, "decode", &token, 1);
  }
  fprintf(stderr, "%.1f MB held beside the file of the weights\n",
          tenon_memory_bytes(model) / 1e6);
  tenon_unload(model);
  free(prompt);
  return 0;
}
