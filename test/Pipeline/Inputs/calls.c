// Calls of a pipeline with the input x of 4 indices, in the order of the letters of SEQUENCE:
//   t  a right train step            e  evaluate        s  print a parameter
//   f  one whose last index is bad   p  predict         m  print whether memory has grown
//   g  one whose first index is bad  w  wait 3 seconds if this is rank 1 under mpirun
//
// usage: calls CHANNELS RANKS WATCHDOG SEQUENCE
#include HEADER
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int64_t ids_shape[] = {4}, row_shape[] = {4, 4};

static tenon_tensor describe(void *data, int rank, int64_t *shape, int code, int bits) {
  tenon_tensor tensor = {0};
  tensor.data = data;
  tensor.device_type = TENON_DEVICE_CPU;
  tensor.ndim = rank;
  tensor.shape = shape;
  tensor.dtype.code = (uint8_t)code;
  tensor.dtype.bits = (uint8_t)bits;
  tensor.dtype.lanes = 1;
  return tensor;
}

static void run(tenon_model *model, const char *entry, int bad) {
  int64_t ids[] = {0, 1, 2, 3};
  float target[16], result[16];
  for (int i = 0; i < 16; ++i)
    target[i] = (float)(i % 5) * 0.3f;
  if (bad >= 0)
    ids[bad] = 77;
  tenon_tensor inputs[] = {describe(ids, 1, ids_shape, TENON_DL_INT, 64),
                           describe(target, 2, row_shape, TENON_DL_FLOAT, 32)};
  int is_predict = strcmp(entry, "predict") == 0;
  tenon_tensor output = describe(result, is_predict ? 2 : 0, row_shape, TENON_DL_FLOAT, 32);
  if (tenon_run_entry(model, entry, inputs, is_predict ? 1 : 2, &output, 1) != 0)
    printf("%s: %s\n", entry, tenon_last_error());
  else
    printf("%s: %.9g\n", entry, (double)result[0]);
  fflush(stdout);
}

int main(int argc, char **argv) {
  (void)argc;
  tenon_load_options options = {0};
  options.struct_size = sizeof options;
  options.options.random_params = 1;
  options.options.random_seed = 1;
  options.channels = atoi(argv[1]);
  options.ranks = atoi(argv[2]);
  options.watchdog_seconds = atoi(argv[3]);
  tenon_model *model = NULL;
  if (tenon_load_with(&options, &model) != 0)
    return puts(tenon_last_error()), 1;
  uint64_t bytes = tenon_memory_bytes(model);
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  for (const char *call = argv[4]; *call; ++call) {
    float w[16];
    tenon_tensor state = describe(w, 2, row_shape, TENON_DL_FLOAT, 32);
    switch (*call) {
    case 't':
    case 'f':
    case 'g':
      run(model, "train_step", *call == 't' ? -1 : *call == 'f' ? 3 : 0);
      break;
    case 'e':
      run(model, "evaluate", -1);
      break;
    case 'p':
      run(model, "predict", -1);
      break;
    case 's':
      if (tenon_get_state(model, "w", &state) != 0)
        return puts(tenon_last_error()), 1;
      printf("w %.9g %.9g %.9g\n", (double)w[0], (double)w[5], (double)w[15]);
      break;
    case 'm':
      puts(tenon_memory_bytes(model) == bytes ? "as at load" : "more memory than at load");
      break;
    case 'w':
      if (rank && *rank == '1')
        sleep(3);
    }
  }
  tenon_unload(model);
  return 0;
}
