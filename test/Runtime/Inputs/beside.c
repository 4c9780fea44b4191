/* Loads a model of no inputs, whose weights lie beside it, and prints its first
 * output. With a library, opens it, goes to the folder "b", and loads it then.
 */
#include "m.h"

#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

typedef int32_t load_function(const tenon_options *, tenon_model **);
typedef int32_t run_function(tenon_model *, const tenon_tensor *, size_t,
                             tenon_tensor *, size_t);

static int loadAndRun(int argc, char **argv) {
  load_function *load;
  run_function *run;
  const char *(*last_error)(void);
  float y[4] = {0};
  int64_t shape[] = {4};
  tenon_tensor out = {y, 1, 0, 1, {TENON_DL_FLOAT, 32, 1}, shape, 0, 0};
  tenon_model *model;
#ifdef LINKED
  (void)argc, (void)argv;
  load = tenon_load;
  run = tenon_run;
  last_error = tenon_last_error;
#else
  void *library = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
  if (!library || chdir("b") != 0) {
    printf("%s\n", dlerror());
    return 1;
  }
  *(void **)&load = dlsym(library, "tenon_load");
  *(void **)&run = dlsym(library, "tenon_run");
  *(void **)&last_error = dlsym(library, "tenon_last_error");
#endif
  if (load(0, &model) || run(model, 0, 0, &out, 1)) {
    printf("%s\n", last_error());
    return 1;
  }
  printf("y[0] = %g\n", y[0]);
  return 0;
}

#ifdef EARLY
/* In C++, before main and before what comes later on the linker's line. */
static struct Early {
  Early() { loadAndRun(0, 0); }
} early;
int main() { return 0; }
#else
int main(int argc, char **argv) { return loadAndRun(argc, argv); }
#endif
