/* Writes windows of 64 characters of text files, and for each character the one
 * that follows it: raw 64-bit integers. Every 16th window is held out.
 * Usage: data FOLDER FILE...
 *   FOLDER/tokens.raw, FOLDER/next.raw:           to train
 *   FOLDER/test-tokens.raw, FOLDER/test-next.raw: held out */
#include <stdint.h>
#include <stdio.h>

enum { LENGTH = 64, HELD_OUT = 16 };

static FILE *create(const char *folder, const char *name) {
  char path[4096];
  int length = snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = length < (int)sizeof path ? fopen(path, "wb") : NULL;
  if (!file)
    fprintf(stderr, "data: cannot write '%s/%s'\n", folder, name);
  return file;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: data FOLDER FILE...\n");
    return 2;
  }
  static const char *const names[2][2] = {{"tokens.raw", "next.raw"},
                                          {"test-tokens.raw", "test-next.raw"}};
  FILE *files[2][2];
  for (int held = 0; held < 2; ++held)
    for (int next = 0; next < 2; ++next)
      if (!(files[held][next] = create(argv[1], names[held][next])))
        return 1;

  long windows[2] = {0, 0};
  for (int i = 2; i < argc; ++i) {
    FILE *text = fopen(argv[i], "rb");
    if (!text) {
      fprintf(stderr, "data: cannot read '%s'\n", argv[i]);
      return 1;
    }
    /* The last character of a window is the first one of the next window, so
     * that each character but the first is predicted once. What is less than a
     * window at the end of a file is left out. */
    int64_t window[LENGTH + 1];
    int filled = 0, before = 0, character;
    for (; (character = getc(text)) != EOF; before = character) {
      /* A drawn line of bytes beyond ASCII is one '?': the model would learn to
       * repeat it for ever. */
      if (character >= 128 && before >= 128)
        continue;
      window[filled++] = character < 128 ? character : '?';
      if (filled <= LENGTH)
        continue;
      int held = (windows[0] + windows[1]) % HELD_OUT == HELD_OUT - 1;
      fwrite(window, sizeof *window, LENGTH, files[held][0]);
      fwrite(window + 1, sizeof *window, LENGTH, files[held][1]);
      ++windows[held];
      window[0] = window[LENGTH];
      filled = 1;
    }
    if (ferror(text)) {
      fprintf(stderr, "data: cannot read '%s'\n", argv[i]);
      return 1;
    }
    fclose(text);
  }

  int failed = 0;
  for (int held = 0; held < 2; ++held)
    for (int next = 0; next < 2; ++next) {
      failed |= ferror(files[held][next]);
      failed |= fclose(files[held][next]) != 0;
    }
  if (failed)
    fprintf(stderr, "data: cannot write all windows\n");
  else
    printf("%ld windows to train, %ld held out\n", windows[0], windows[1]);
  return failed != 0;
}
