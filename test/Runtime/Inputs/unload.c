/*===- unload.c - loads and unloads an artifact
 *
 * Part of the Tenon project, under the Apache License v2.0 with LLVM
 * Exceptions. See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===---------------------------------------------------------------------===*/

#include "tenon/Artifact/ABI.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { rows = 1024, rounds = 20 };

static void *get(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (!function) {
    fprintf(stderr, "%s is missing\n", name);
    exit(1);
  }
  return function;
}

int main(int argc, char **argv) {
  static float x[rows * 4], y[rows * 4], s, sums[rows];
  int64_t shape[] = {rows, 4};
  tenon_dtype f32 = {TENON_DL_FLOAT, 32, 1};
  tenon_tensor in[] = {{x, 1, 0, 2, f32, shape, 0, 0},
                       {&s, 1, 0, 0, f32, 0, 0, 0}};
  tenon_tensor out[] = {{y, 1, 0, 2, f32, shape, 0, 0},
                        {sums, 1, 0, 1, f32, shape, 0, 0}};
  tenon_options options = {0};
  options.random_params = 1;
  options.threads = 3;
  for (int round = 0; round < rounds; ++round) {
    void *library = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    int32_t (*load)(const tenon_options *, tenon_model **) =
        get(library, "tenon_load");
    int32_t (*run)(tenon_model *, const tenon_tensor *, size_t, tenon_tensor *,
                   size_t) = get(library, "tenon_run");
    void (*unload)(tenon_model *) = get(library, "tenon_unload");
    const char *(*last_error)(void) = get(library, "tenon_last_error");
    tenon_model *model;
    if (load(&options, &model) || run(model, in, 2, out, 2)) {
      fprintf(stderr, "%s\n", last_error());
      return 1;
    }
    unload(model);
    dlclose(library);
  }
  printf("%d rounds, y[0] = %g\n", rounds, y[0]);
  return 0;
}
