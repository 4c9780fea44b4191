/* Cancels threads in the middle of tenon_load and tenon_run, and runs the model
 * afterwards. The argument: the artifact, y[n, 4] of x[n, 4] and more. */
#include "m.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int run(tenon_model *model) {
  float x[4] = {1, 2, 3, 4}, y[4];
  int64_t shape[] = {1, 4};
  tenon_tensor in = {x, 1, 0, 2, {TENON_DL_FLOAT, 32, 1}, shape, 0, 0};
  tenon_tensor out = {y, 1, 0, 2, {TENON_DL_FLOAT, 32, 1}, shape, 0, 0};
  return tenon_run(model, &in, 1, &out, 1) || y[3] != 8;
}

static void *work(void *unused) {
  tenon_model *model;
  for (;;) {
    if (tenon_load(0, &model) || run(model))
      puts(tenon_last_error());
    tenon_unload(model);
    pthread_testcancel();
  }
  return unused;
}

int main(void) {
  tenon_model *model;
  for (int round = 0; round < 100; ++round) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, work, 0);
    usleep((useconds_t)(round * 37 % 1000));
    pthread_cancel(thread);
    pthread_join(thread, &result);
    if (result != PTHREAD_CANCELED)
      puts("not cancelled");
  }
  if (tenon_load(0, &model) || run(model)) {
    puts(tenon_last_error());
    return 1;
  }
  tenon_unload(model);
  puts("done");
  return 0;
}
