/* One thread opens, loads, runs, unloads and closes an artifact again and
 * again; the other forks meanwhile. The argument: the artifact, y[n, 4] of x[n,
 * 4]. */
#include "m.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int ends;
static const char *artifact;

static void *get(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (!function)
    exit(3);
  return function;
}

static void *reload(void *unused) {
  while (!ends) {
    float x[4] = {1, 2, 3, 4}, y[4];
    int64_t shape[] = {1, 4};
    tenon_tensor in = {x, 1, 0, 2, {TENON_DL_FLOAT, 32, 1}, shape, 0, 0};
    tenon_tensor out = {y, 1, 0, 2, {TENON_DL_FLOAT, 32, 1}, shape, 0, 0};
    tenon_model *model;
    void *library = dlopen(artifact, RTLD_NOW | RTLD_LOCAL);
    int32_t (*load)(const tenon_options *, tenon_model **);
    int32_t (*run)(tenon_model *, const tenon_tensor *, size_t, tenon_tensor *,
                   size_t);
    void (*unload)(tenon_model *);
    if (!library)
      exit(3);
    *(void **)&load = get(library, "tenon_load");
    *(void **)&run = get(library, "tenon_run");
    *(void **)&unload = get(library, "tenon_unload");
    if (load(0, &model) || run(model, &in, 1, &out, 1) || y[3] != 8)
      exit(4);
    unload(model);
    dlclose(library);
  }
  return unused;
}

int main(int argc, char **argv) {
  pthread_t thread;
  artifact = argv[argc - 1];
  pthread_create(&thread, 0, reload, 0);
  for (int forks = 0; forks < 500; ++forks) {
    int status;
    pid_t child = fork();
    if (child == 0)
      _exit(0);
    waitpid(child, &status, 0);
  }
  ends = 1;
  pthread_join(thread, 0);
  puts("done");
  return 0;
}
