//===- zoo-donated-caches.c - decodes with caches in place ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs three steps of gpt2-decode twice: with outputs of their own, and with
// the outputs in the storage of the donated inputs. Both must give the same.
//
//===----------------------------------------------------------------------===//

#include "decode.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CACHES = 24, STEPS = 3, WORDS = 50257, SIZE = 12 * STEPS * 64 };

static float caches[3][CACHES][SIZE], logits[2][WORDS];
static int64_t token, position;
static int64_t one[3] = {1, 1, WORDS}, cache_shape[4] = {1, 12, STEPS, 64};

static tenon_tensor tensor(void *data, int code, int bits, int rank,
                           int64_t *shape) {
  tenon_tensor result = {.data = data,
                         .device_type = 1,
                         .ndim = rank,
                         .dtype = {(uint8_t)code, (uint8_t)bits, 1},
                         .shape = shape};
  return result;
}

int main(int argc, char **argv) {
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library) {
    fprintf(stderr, "usage: %s MODEL.so\n", argv[0]);
    return 2;
  }
  __typeof__(&tenon_load) load = dlsym(library, "tenon_load");
  __typeof__(&tenon_run) run = dlsym(library, "tenon_run");
  __typeof__(&tenon_last_error) last_error = dlsym(library, "tenon_last_error");
  tenon_options options = {.random_seed = 1, .random_params = 1};
  tenon_model *model = NULL;
  if (load(&options, &model)) {
    fprintf(stderr, "%s\n", last_error());
    return 1;
  }
  // Caches 0 and 1 take turns; cache 2 stays where it is.
  for (position = 0; position < STEPS; ++position) {
    token = 1000 * position;
    int from = position % 2;
    for (int donated = 0; donated < 2; ++donated) {
      tenon_tensor inputs[2 + CACHES], outputs[1 + CACHES];
      inputs[0] = tensor(&token, TENON_DL_INT, 64, 2, one);
      inputs[1] = tensor(&position, TENON_DL_INT, 64, 1, one);
      outputs[0] = tensor(logits[donated], TENON_DL_FLOAT, 32, 3, one);
      for (int i = 0; i < CACHES; ++i) {
        inputs[2 + i] = tensor(caches[donated ? 2 : from][i], TENON_DL_FLOAT,
                               32, 4, cache_shape);
        outputs[1 + i] = tensor(caches[donated ? 2 : 1 - from][i],
                                TENON_DL_FLOAT, 32, 4, cache_shape);
      }
      if (run(model, inputs, 2 + CACHES, outputs, 1 + CACHES)) {
        fprintf(stderr, "%s\n", last_error());
        return 1;
      }
    }
    if (memcmp(logits[0], logits[1], sizeof logits[0]) ||
        memcmp(caches[1 - from], caches[2], sizeof caches[2])) {
      fprintf(stderr, "step %d differs\n", (int)position);
      return 1;
    }
  }
  printf("%d steps agree\n", STEPS);
  return 0;
}
