/* Writes points of three spiral arms, and the number of the arm of each: raw
 * floats (two a point) and raw 64-bit integers.
 * Usage: data COUNT SEED POINTS LABELS */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A number in [0, 1), from a linear congruential generator. */
static double draw(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 9007199254740992.0;
}

int main(int argc, char **argv) {
  if (argc != 5)
    return 2;
  long count = strtol(argv[1], NULL, 10);
  uint64_t state = strtoull(argv[2], NULL, 10);
  FILE *points = fopen(argv[3], "wb"), *labels = fopen(argv[4], "wb");
  if (!points || !labels)
    return 1;
  for (long i = 0; i < count; ++i) {
    int64_t arm = i % 3;
    double radius = draw(&state);
    double angle = 4 * radius + arm * 2.0943951 + 0.3 * (draw(&state) - 0.5);
    float point[2] = {(float)(radius * cos(angle)),
                      (float)(radius * sin(angle))};
    fwrite(point, sizeof point[0], 2, points);
    fwrite(&arm, sizeof arm, 1, labels);
  }
  return fclose(points) != 0 || fclose(labels) != 0;
}
