/* Generates text with the trained transformer, one character after the other.
 *
 *   generate CHECKPOINT COUNT TEMPERATURE SEED PROMPT
 *
 * CHECKPOINT is what tenon-run --train saved: its states have the names of the
 * model's weights. Each character is drawn with the probabilities
 * softmax(logits / TEMPERATURE), by random numbers that follow from SEED; the
 * temperature 0 takes the most likely one. */

#include "transformer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 64, CHARACTERS = 128 }; /* as in transformer.mlir */

/* A number in [0, 1), from a linear congruential generator. */
static double draw(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 9007199254740992.0;
}

/* The next character, given the logits of all characters. */
static int sample(const float *logits, double temperature, uint64_t *state) {
  int best = 0;
  for (int c = 1; c < CHARACTERS; ++c)
    if (logits[c] > logits[best])
      best = c;
  if (temperature == 0)
    return best;
  double weights[CHARACTERS], sum = 0;
  for (int c = 0; c < CHARACTERS; ++c)
    sum += weights[c] = exp((logits[c] - logits[best]) / temperature);
  double left = draw(state) * sum;
  for (int c = 0; c < CHARACTERS; ++c)
    if ((left -= weights[c]) < 0)
      return c;
  return best; /* rounding */
}

static void print(int character) {
  int shown = character == '\n' || (character >= ' ' && character <= '~');
  putchar(shown ? character : '?');
}

static int fail(const char *what) {
  fprintf(stderr, "generate: %s: %s\n", what, tenon_last_error());
  return 1;
}

/* The window holds the last characters of the text. What follows them in the
 * window is 0, which changes nothing: the attention is causal. */
static int generate(tenon_model *model, const char *prompt, long count,
                    double temperature, uint64_t state) {
  static float logits[LENGTH][CHARACTERS];
  int64_t window[LENGTH] = {0};
  int64_t tokens_shape[2] = {1, LENGTH};
  int64_t logits_shape[3] = {1, LENGTH, CHARACTERS};
  tenon_tensor tokens = {.data = window,
                         .device_type = TENON_DEVICE_CPU,
                         .ndim = 2,
                         .dtype = {TENON_DL_INT, 64, 1},
                         .shape = tokens_shape};
  tenon_tensor scores = {.data = logits,
                         .device_type = TENON_DEVICE_CPU,
                         .ndim = 3,
                         .dtype = {TENON_DL_FLOAT, 32, 1},
                         .shape = logits_shape};

  size_t length = strlen(prompt);
  const char *last = length > LENGTH ? prompt + length - LENGTH : prompt;
  int filled = (int)strlen(last);
  for (int i = 0; i < filled; ++i)
    window[i] = (unsigned char)last[i] < CHARACTERS ? last[i] : '?';
  for (const char *p = prompt; *p; ++p)
    print(*p);

  for (long i = 0; i < count; ++i) {
    if (tenon_run(model, &tokens, 1, &scores, 1) != 0)
      return fail("run");
    int next = sample(logits[filled - 1], temperature, &state);
    print(next);
    if (filled == LENGTH) {
      memmove(window, window + 1, (LENGTH - 1) * sizeof *window);
      --filled;
    }
    window[filled++] = next;
  }
  putchar('\n');
  return 0;
}

int main(int argc, char **argv) {
  char *ends[3] = {"-", "-", "-"};
  long count = 0;
  double temperature = 0;
  uint64_t seed = 0;
  if (argc == 6) {
    count = strtol(argv[2], &ends[0], 10);
    temperature = strtod(argv[3], &ends[1]);
    seed = strtoull(argv[4], &ends[2], 10);
  }
  if (*ends[0] || *ends[1] || *ends[2] || count < 1 || !(temperature >= 0) ||
      !*argv[5]) {
    fprintf(stderr,
            "usage: generate CHECKPOINT COUNT TEMPERATURE SEED PROMPT\n");
    return 2;
  }
  /* A run for one character is too short to share it among threads. */
  tenon_options options = {.params_path = argv[1], .threads = 1};
  tenon_model *model = NULL;
  int status = tenon_load(&options, &model) != 0
                   ? fail("load")
                   : generate(model, argv[5], count, temperature, seed);
  tenon_unload(model); /* null is allowed */
  return status;
}
