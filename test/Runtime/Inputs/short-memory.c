/* Lets the n-th allocation of a run with new sizes fail, each n in a process of
 * its own; the same run once more must succeed. A run makes some hundred
 * allocations, or, where oneDNN assembles a product for AVX2, one per label,
 * 23,000: after the first 64 the steps grow.
 * oneDNN itself may crash where it has no memory: those are counted. */
#include "m.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
static long left = -1;

void *malloc(size_t bytes) {
  if (left >= 0 && left-- == 0)
    return 0;
  return __libc_malloc(bytes);
}

enum { rows = 64, inner = 64 };

static int run(tenon_model *model, float *x, float *y) {
  int64_t shape[] = {rows, inner};
  tenon_tensor in = {x, 1, 0, 2, {TENON_DL_FLOAT, 32, 1}, shape, 0, 0};
  tenon_tensor out = {y, 1, 0, 2, {TENON_DL_FLOAT, 32, 1}, shape, 0, 0};
  return tenon_run(model, &in, 1, &out, 1);
}

static int attempt(long n) {
  static float x[rows][inner], y[rows][inner];
  tenon_options options = {0};
  tenon_model *model;
  options.random_params = 1;
  options.threads = 1;
  if (tenon_load(&options, &model))
    return 3;
  left = n;
  int failed = run(model, x[0], y[0]);
  int reached = left < 0;
  left = -1;
  if (run(model, x[0], y[0])) {
    printf("allocation %ld: again: %s\n", n, tenon_last_error());
    return 3;
  }
  return !reached ? 2 : failed ? 1 : 0;
}

int main(void) {
  int counts[4] = {0}, crashes = 0;
  for (long n = 0; counts[2] == 0; n += 1 + n / 64) {
    int status;
    fflush(stdout);
    if (fork() == 0) {
      status = attempt(n);
      fflush(stdout);
      _exit(status);
    }
    wait(&status);
    /* The C library exits with 127 where a thread-local variable of a library
     * gets no memory. */
    if (WIFEXITED(status) && WEXITSTATUS(status) != 127)
      ++counts[WEXITSTATUS(status) & 3];
    else
      ++crashes;
  }
  fprintf(stderr, "%d errors, %d unnoticed, %d crashes in libraries\n",
          counts[1], counts[0], crashes);
  printf("%d left behind, some errors: %s\n", counts[3],
         counts[1] > 0 ? "yes" : "no");
  return 0;
}
