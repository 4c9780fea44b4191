/* A program with one model in it, y[n, 64] of x[n, 64]: prints the sum of the
 * outputs for 10000 rows of ones, or why not. The argument: threads. */
#include "m.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  enum { rows = 10000, columns = 64 };
  static float x[rows][columns], y[rows][columns];
  int64_t shape[] = {rows, columns};
  tenon_options options = {0};
  tenon_model *model;
  tenon_tensor in = {x, 1, 0, 2, {TENON_DL_FLOAT, 32, 1}, shape, 0, 0};
  tenon_tensor out = {y, 1, 0, 2, {TENON_DL_FLOAT, 32, 1}, shape, 0, 0};
  double sum = 0;
  options.threads = argc > 1 ? atoi(argv[1]) : 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      x[i][j] = 1;
  if (tenon_load(&options, &model) || tenon_run(model, &in, 1, &out, 1)) {
    printf("%s\n", tenon_last_error());
    return 1;
  }
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      sum += y[i][j];
  printf("sum %g\n", sum);
  tenon_unload(model);
  return 0;
}
