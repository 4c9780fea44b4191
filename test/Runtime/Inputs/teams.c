/* Runs a model, y[64, 512] of x[64, 256], on three threads where OpenMP would
 * give a team of fewer, and says in how many places the results differ from
 * those of one thread by more than rounding. The argument: what is odd. */
#include "m.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of libgomp, which the model brings. */
extern void GOMP_parallel(void (*body)(void *), void *data, unsigned threads,
                          unsigned flags);
extern int omp_get_thread_num(void);
extern void omp_set_dynamic(int);
extern void omp_set_max_active_levels(int);

enum { rows = 64, inner = 256, columns = 512, callers = 2 };
static float x[rows][inner], expected[rows][columns],
    found[callers][rows][columns];
static tenon_model *models[callers];
static int differences;

static int call(tenon_model *model, float *y) {
  int64_t xShape[] = {rows, inner}, yShape[] = {rows, columns};
  tenon_tensor in = {x, 1, 0, 2, {TENON_DL_FLOAT, 32, 1}, xShape, 0, 0};
  tenon_tensor out = {y, 1, 0, 2, {TENON_DL_FLOAT, 32, 1}, yShape, 0, 0};
  if (tenon_run(model, &in, 1, &out, 1) == 0)
    return 0;
  printf("%s\n", tenon_last_error());
  return 1;
}

static tenon_model *load(int threads) {
  tenon_options options = {0};
  tenon_model *model;
  options.threads = threads;
  options.random_params = 1;
  if (tenon_load(&options, &model) == 0)
    return model;
  printf("%s\n", tenon_last_error());
  return 0;
}

static void compare(float (*y)[columns]) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      differences += !(fabsf(y[i][j] - expected[i][j]) <=
                       1e-4f * (1 + fabsf(expected[i][j])));
}

static void runOne(void *unused) {
  int caller = omp_get_thread_num();
  (void)unused;
  call(models[caller], found[caller][0]);
}

static void loadAndRun(void *unused) {
  models[omp_get_thread_num()] = load(3);
  runOne(unused);
}

int main(int argc, char **argv) {
  const char *odd = argc > 1 ? argv[1] : "";
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < inner; ++j)
      x[i][j] = (float)((i * 7 + j * 3) % 11) - 5;
  tenon_model *single = load(1);
  if (!single || call(single, expected[0]))
    return 1;
  memset(found, 0xff, sizeof found);
  if (strcmp(odd, "loaded-in-region") != 0)
    for (int i = 0; i < callers; ++i)
      if (!(models[i] = load(3)))
        return 1;
  if (strcmp(odd, "dynamic") == 0)
    omp_set_dynamic(1);
  if (strcmp(odd, "levels") == 0)
    omp_set_max_active_levels(0);
  if (strcmp(odd, "nested") == 0)
    omp_set_max_active_levels(2);
  if (strcmp(odd, "loaded-in-region") == 0)
    GOMP_parallel(loadAndRun, 0, callers, 0);
  else if (strcmp(odd, "region") == 0 || strcmp(odd, "nested") == 0)
    GOMP_parallel(runOne, 0, callers, 0);
  else
    for (int i = 0; i < callers; ++i)
      call(models[i], found[i][0]);
  for (int i = 0; i < callers; ++i) {
    compare(found[i]);
    tenon_unload(models[i]);
  }
  tenon_unload(single);
  printf("%d differences\n", differences);
  return differences != 0;
}
