//===- library.c - OpenBLAS, opened at run time -------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static openblas functions;
static char problem[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *find(void *library, const char *name) {
  void *symbol = dlsym(library, name);
  if (!symbol && !*problem)
    snprintf(problem, sizeof problem, "libopenblas.so.0 has no %s", name);
  return symbol;
}

/// "OpenBLAS 0.3.21 NO_LAPACKE ...": the second word.
static void read_version(const char *config) {
  const char *begin = config ? strchr(config, ' ') : NULL;
  snprintf(functions.version, sizeof functions.version, "%s",
           begin ? begin + 1 : "unknown");
  functions.version[strcspn(functions.version, " ")] = 0;
}

static void open_library(void) {
  // Never closed: its threads live until the process ends.
  void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    snprintf(problem, sizeof problem,
             "cannot load OpenBLAS: %s (Debian's package libopenblas0-openmp "
             "has it)",
             reason ? reason : "unknown reason");
    return;
  }
  int (*get_parallel)(void) = find(library, "openblas_get_parallel");
  char *(*get_config)(void) = find(library, "openblas_get_config");
  functions.sgemm = find(library, "cblas_sgemm");
  functions.sgemv = find(library, "cblas_sgemv");
  functions.get_num_threads = find(library, "openblas_get_num_threads");
  functions.set_num_threads = find(library, "openblas_set_num_threads");
  if (*problem)
    return;
  // Threads of its own would run beside those of the other kernels, which wait
  // for work on the same cores: 3 times slower than the build with OpenMP.
  if (get_parallel() != 2) {
    snprintf(problem, sizeof problem,
             "libopenblas.so.0 does not use OpenMP; expected the build of "
             "Debian's package libopenblas0-openmp");
    return;
  }
  functions.parallel = find(library, "GOMP_parallel");
  functions.thread_number = find(library, "omp_get_thread_num");
  functions.team_size = find(library, "omp_get_num_threads");
  read_version(get_config());
}

const openblas *get_openblas(void) {
  pthread_once(&once, open_library);
  return *problem ? NULL : &functions;
}

const char *openblas_problem(void) { return problem; }
