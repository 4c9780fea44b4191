/* Loads a compiled model and asks it for the exclusive or of all pairs of bits.
 *
 * The artifact is opened with dlopen, so that a program can hold several
 * models: they all export the same names. A program with one model can instead
 * link it (cc main.c model.so) and call the functions of its header directly.
 */

#include "xor.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

static void *find(void *library, const char *name) {
  void *symbol = dlsym(library, name);
  if (!symbol) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  return symbol;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s ARTIFACT.so\n", argv[0]);
    return 2;
  }
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  uint32_t (*abi_version)(void) =
      (uint32_t (*)(void))find(library, "tenon_abi_version");
  int32_t (*load)(const tenon_options *, tenon_model **) =
      (int32_t (*)(const tenon_options *, tenon_model **))find(library,
                                                               "tenon_load");
  int32_t (*run)(tenon_model *, const tenon_tensor *, size_t, tenon_tensor *,
                 size_t) =
      (int32_t (*)(tenon_model *, const tenon_tensor *, size_t, tenon_tensor *,
                   size_t))find(library, "tenon_run");
  void (*unload)(tenon_model *) =
      (void (*)(tenon_model *))find(library, "tenon_unload");
  const char *(*last_error)(void) =
      (const char *(*)(void))find(library, "tenon_last_error");

  if (abi_version() != TENON_ABI_VERSION) {
    fprintf(stderr, "expected ABI version %d, but got %u\n", TENON_ABI_VERSION,
            (unsigned)abi_version());
    return 1;
  }
  tenon_model *model = NULL;
  if (load(NULL, &model)) {
    fprintf(stderr, "%s\n", last_error());
    return 1;
  }

  float x[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  float y[4][1];
  int64_t x_shape[2] = {4, 2};
  int64_t y_shape[2] = {4, 1};
  tenon_tensor input = {.data = x,
                        .device_type = 1,
                        .ndim = 2,
                        .dtype = {TENON_DL_FLOAT, 32, 1},
                        .shape = x_shape};
  tenon_tensor output = {.data = y,
                         .device_type = 1,
                         .ndim = 2,
                         .dtype = {TENON_DL_FLOAT, 32, 1},
                         .shape = y_shape};
  if (run(model, &input, 1, &output, 1)) {
    fprintf(stderr, "%s\n", last_error());
    return 1;
  }
  for (int i = 0; i < 4; ++i)
    printf("%g xor %g = %g\n", x[i][0], x[i][1], y[i][0]);

  /* A wrong shape is an error with a reason, never a crash. */
  x_shape[1] = 3;
  if (!run(model, &input, 1, &output, 1))
    return 1;
  printf("refused: %s\n", last_error());

  unload(model);
  dlclose(library);
  return 0;
}
