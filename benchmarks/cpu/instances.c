/*===- instances.c - instances of one model in one process ----------------===*\
|*
|* Part of the Tenon project, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

/* The worker of instances.py, which links it with a model as `m.h` and `m.so`,
 * and which says what each command measures. It prints one line of JSON.
 *
 *   instances MODE INSTANCES THREADS RUNS ENTRY OUTPUTS INPUT...
 *   THREADS: of a run, the pool or the executor; of mode heap, runs between
 * resets RUNS: of mode throughput, seconds OUTPUTS is their number, INPUT is
 * f32:1x3x224x224 or i64:1x128, of 0.5 or 1
 */

#define _GNU_SOURCE
#include "m.h"

#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { maxTensors = 64, maxAxes = 8, maxInstances = 64 };

static const char *entry;
static tenon_tensor inputs[maxTensors];
static size_t numInputs, numOutputs = 1;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

static void check(int32_t status) {
  if (status == 0)
    return;
  fprintf(stderr, "instances: %s\n", tenon_last_error());
  exit(1);
}

static int64_t countElements(const tenon_tensor *tensor) {
  int64_t count = 1;
  for (int i = 0; i < tensor->ndim; ++i)
    count *= tensor->shape[i];
  return count;
}

static void *allocate(size_t bytes) {
  void *data = aligned_alloc(64, (bytes + 63) / 64 * 64);
  if (!data)
    exit(1);
  memset(data, 0, bytes);
  return data;
}

static void parseInput(char *text) {
  tenon_tensor *tensor = &inputs[numInputs++];
  int isFloat = text[0] == 'f';
  tensor->device_type = TENON_DEVICE_CPU;
  tensor->dtype.code = isFloat ? TENON_DL_FLOAT : TENON_DL_INT;
  tensor->dtype.bits = isFloat ? 32 : 64;
  tensor->dtype.lanes = 1;
  tensor->shape = allocate(maxAxes * sizeof(int64_t));
  for (char *size = strtok(text + 4, "x"); size; size = strtok(NULL, "x"))
    tensor->shape[tensor->ndim++] = atoll(size);
  int64_t count = countElements(tensor);
  tensor->data = allocate(count * (isFloat ? 4 : 8));
  for (int64_t i = 0; i < count; ++i)
    if (isFloat)
      ((float *)tensor->data)[i] = 0.5f;
    else
      ((int64_t *)tensor->data)[i] = 1;
}

/* Outputs of one instance, allocated once. */
typedef struct instance {
  tenon_model *model;
  tenon_tensor outputs[maxTensors];
  int64_t runs;
} instance;

static void load(instance *self, const tenon_executor *executor, int threads) {
  tenon_load_options options = {0};
  options.struct_size = sizeof options;
  options.executor = executor;
  options.options.threads = threads;
  check(tenon_load_with(&options, &self->model));
}

static void run(instance *self) {
  check(tenon_run_entry(self->model, entry, inputs, numInputs, self->outputs,
                        numOutputs));
  ++self->runs;
}

static void makeOutputs(instance *self) {
  for (size_t i = 0; i < numOutputs; ++i)
    self->outputs[i].shape = allocate(maxAxes * sizeof(int64_t));
  check(tenon_infer_entry_shapes(self->model, entry, inputs, numInputs,
                                 self->outputs, numOutputs));
  for (size_t i = 0; i < numOutputs; ++i) {
    tenon_tensor *out = &self->outputs[i];
    out->device_type = TENON_DEVICE_CPU;
    out->data = allocate(countElements(out) * (out->dtype.bits / 8));
  }
}

/* Kilobytes of a line of a file of /proc/self, such as "Pss:". */
static long kilobytes(const char *file, const char *key) {
  char line[256];
  long value = 0;
  FILE *stream = fopen(file, "r");
  while (stream && fgets(line, sizeof line, stream))
    if (strncmp(line, key, strlen(key)) == 0)
      value = atol(line + strlen(key));
  if (stream)
    fclose(stream);
  return value;
}

static int countThreads(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/task");
  for (struct dirent *item; folder && (item = readdir(folder));)
    count += item->d_name[0] != '.';
  if (folder)
    closedir(folder);
  return count;
}

static void memory(instance *all, int count) {
  long before = kilobytes("/proc/self/status", "VmRSS:");
  for (int i = 0; i < count; ++i) {
    load(&all[i], NULL, 0);
    makeOutputs(&all[i]);
    run(&all[i]);
  }
  uint64_t bytes = 0;
  for (int i = 0; i < count; ++i)
    bytes += tenon_memory_bytes(all[i].model);
  printf("{\"rss_kib\": %ld, \"anonymous_kib\": %ld, \"file_kib\": %ld, "
         "\"before_kib\": %ld, \"memory_bytes\": %llu}\n",
         kilobytes("/proc/self/status", "VmRSS:"),
         kilobytes("/proc/self/status", "RssAnon:"),
         kilobytes("/proc/self/status", "RssFile:"), before,
         (unsigned long long)bytes);
}

static void first(instance *one, int number, int runs) {
  double start = now();
  load(one, NULL, number);
  double loaded = now();
  makeOutputs(one);
  double ready = now();
  run(one);
  double done = now();
  for (int i = 0; i < 5; ++i)
    run(one);
  double best[1024];
  for (int i = 0; i < runs && i < 1024; ++i) {
    double begin = now();
    run(one);
    best[i] = now() - begin;
    for (int j = i; j > 0 && best[j] < best[j - 1]; --j) {
      double swap = best[j];
      best[j] = best[j - 1];
      best[j - 1] = swap;
    }
  }
  printf("{\"load_ms\": %.3f, \"first_ms\": %.3f, \"steady_ms\": %.3f}\n",
         1e3 * (loaded - start), 1e3 * (done - ready), 1e3 * best[runs / 2]);
}

static pthread_barrier_t barrier;
static _Atomic double deadline;

static void *work(void *data) {
  instance *self = data;
  run(self);
  self->runs = 0;
  pthread_barrier_wait(&barrier);
  while (now() < deadline)
    run(self);
  return NULL;
}

/* Runs of all instances in `seconds`, each from a thread of its own. */
static void throughput(instance *all, int count, int threads, int seconds) {
  tenon_executor *pool;
  check(tenon_create_pool(threads, &pool));
  pthread_t workers[maxInstances];
  pthread_barrier_init(&barrier, NULL, count + 1);
  deadline = 1e30;
  for (int i = 0; i < count; ++i) {
    load(&all[i], pool, 0);
    makeOutputs(&all[i]);
  }
  for (int i = 0; i < count; ++i)
    pthread_create(&workers[i], NULL, work, &all[i]);
  pthread_barrier_wait(&barrier);
  double start = now();
  deadline = start + seconds;
  int64_t runs = 0;
  for (int i = 0; i < count; ++i) {
    pthread_join(workers[i], NULL);
    runs += all[i].runs;
  }
  printf("{\"runs_per_second\": %.3f}\n", runs / (now() - start));
}

/* An executor that runs tasks on the calling thread. */
static void runInTurn(void *context, int32_t count,
                      void (*task)(void *, int32_t), void *data) {
  (void)context;
  for (int32_t i = 0; i < count; ++i)
    task(data, i);
}

static void threads(instance *one, int number, int runs) {
  tenon_executor host = {NULL, number, runInTurn, NULL, NULL};
  int before = countThreads();
  load(one, &host, 0);
  int loaded = countThreads();
  makeOutputs(one);
  for (int i = 0; i < runs; ++i)
    run(one);
  printf("{\"before\": %d, \"after_load\": %d, \"after_runs\": %d}\n", before,
         loaded, countThreads());
}

static void heap(instance *one, int runs, int resetEvery) {
  load(one, NULL, 0);
  makeOutputs(one);
  struct mallinfo2 begin = {0};
  for (int i = 0; i < runs; ++i) {
    if (i == runs / 10)
      begin = mallinfo2();
    if (i % resetEvery == 0)
      check(tenon_reset_states(one->model));
    run(one);
  }
  struct mallinfo2 end = mallinfo2();
  printf("{\"runs\": %d, \"used_after_tenth\": %zu, \"used_at_end\": %zu, "
         "\"mapped_after_tenth\": %zu, \"mapped_at_end\": %zu}\n",
         runs, begin.uordblks, end.uordblks, begin.hblkhd, end.hblkhd);
}

int main(int argc, char **argv) {
  if (argc < 7) {
    fprintf(stderr, "usage: instances MODE INSTANCES THREADS RUNS ENTRY "
                    "OUTPUTS INPUT...\n");
    return 2;
  }
  const char *mode = argv[1];
  int count = atoi(argv[2]), number = atoi(argv[3]), runs = atoi(argv[4]);
  entry = argv[5];
  numOutputs = atoi(argv[6]);
  for (int i = 7; i < argc; ++i)
    parseInput(argv[i]);
  static instance all[maxInstances];
  if (strcmp(mode, "memory") == 0)
    memory(all, count);
  else if (strcmp(mode, "first") == 0)
    first(all, number, runs);
  else if (strcmp(mode, "throughput") == 0)
    throughput(all, count, number, runs);
  else if (strcmp(mode, "threads") == 0)
    threads(all, number, runs);
  else
    heap(all, runs, number);
  for (int i = 0; i < maxInstances; ++i)
    tenon_unload(all[i].model);
  return 0;
}
