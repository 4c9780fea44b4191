//===- conv.c - convolutions as products of matrices --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every position of the result gets a row of what its window covers (im2col);
// with the weights as a matrix, the convolution is one product. Rows are made
// for a strip of the result at a time, so that they stay in the cache. A window
// of one element that moves by one needs no copy of the input.
//
//===----------------------------------------------------------------------===//

#include "kernels.h"

#include <string.h>

/// The bytes of the rows of a strip.
static const int64_t strip_bytes = 1 << 20;

typedef struct {
  int64_t i, h, w, c, o, r, s, out_h, out_w;
  int64_t sh, sw, pt, pl, dh, dw;
  int is_last;  // channels last
  int is_plain; // the input is its own im2col
  int64_t window;
  int64_t strip; // rows of the result
} geometry;

static geometry get_geometry(const problem_t *problem) {
  geometry g;
  int64_t pb = tenon_backend_symbol(problem, "pb");
  int64_t pr = tenon_backend_symbol(problem, "pr");
  g.i = tenon_backend_symbol(problem, "i");
  g.h = tenon_backend_symbol(problem, "h");
  g.w = tenon_backend_symbol(problem, "w");
  g.c = tenon_backend_symbol(problem, "c");
  g.o = tenon_backend_symbol(problem, "o");
  g.r = tenon_backend_symbol(problem, "r");
  g.s = tenon_backend_symbol(problem, "s");
  g.sh = tenon_backend_symbol(problem, "sh");
  g.sw = tenon_backend_symbol(problem, "sw");
  g.pt = tenon_backend_symbol(problem, "pt");
  g.pl = tenon_backend_symbol(problem, "pl");
  g.dh = tenon_backend_symbol(problem, "dh");
  g.dw = tenon_backend_symbol(problem, "dw");
  g.is_last = strncmp(problem->pattern, "conv_last", 9) == 0;
  const int64_t *shape = problem->operands[problem->num_operands].shape;
  g.out_h = shape[g.is_last ? 1 : 2];
  g.out_w = shape[g.is_last ? 2 : 3];
  g.is_plain = g.r == 1 && g.s == 1 && g.sh == 1 && g.sw == 1 && g.pt == 0 &&
               g.pl == 0 && pb == 0 && pr == 0;
  g.window = g.r * g.s * g.c;
  int64_t row_bytes = g.out_w * g.window * (int64_t)sizeof(float);
  g.strip = row_bytes > 0 ? strip_bytes / row_bytes : g.out_h;
  if (g.strip < 1)
    g.strip = 1;
  if (g.strip > g.out_h)
    g.strip = g.out_h;
  return g;
}

int64_t conv_packed_bytes(const problem_t *problem) {
  geometry g = get_geometry(problem);
  return g.is_last && g.r * g.s > 1 ? g.o * g.window * (int64_t)sizeof(float)
                                    : 0;
}

int64_t conv_workspace(const problem_t *problem) {
  geometry g = get_geometry(problem);
  int64_t rows = g.is_plain ? 0 : g.strip * g.out_w * g.window;
  return rows * (int64_t)sizeof(float) + conv_packed_bytes(problem);
}

/// From [o, c, r, s] to [o, r, s, c], the order of a window with channels last.
void pack_conv_weights(const problem_t *problem, const float *weights,
                       float *packed) {
  geometry g = get_geometry(problem);
  int64_t taps = g.r * g.s;
  for (int64_t o = 0; o < g.o; ++o)
    for (int64_t c = 0; c < g.c; ++c)
      for (int64_t t = 0; t < taps; ++t)
        packed[(o * taps + t) * g.c + c] = weights[(o * g.c + c) * taps + t];
}

//===----------------------------------------------------------------------===//
// im2col
//===----------------------------------------------------------------------===//

/// Rows of a strip: first row of the result, how many, image, target.
typedef struct {
  const openblas *blas;
  const geometry *g;
  int64_t first, count;
  const float *image;
  float *rows;
} strip;

/// [h, w, c] to [positions, r, s, c].
static void gather_last(const strip *part, int64_t lo, int64_t hi) {
  const geometry *g = part->g;
  for (int64_t row = lo; row < hi; ++row)
    for (int64_t x = 0; x < g->out_w; ++x) {
      float *to = part->rows + (row * g->out_w + x) * g->window;
      for (int64_t r = 0; r < g->r; ++r) {
        int64_t y = (part->first + row) * g->sh - g->pt + r * g->dh;
        for (int64_t s = 0; s < g->s; ++s, to += g->c) {
          int64_t at = x * g->sw - g->pl + s * g->dw;
          if (y < 0 || y >= g->h || at < 0 || at >= g->w)
            memset(to, 0, (size_t)g->c * sizeof(float));
          else
            memcpy(to, part->image + (y * g->w + at) * g->c,
                   (size_t)g->c * sizeof(float));
        }
      }
    }
}

/// [c, h, w] to [c, r, s, positions]; `lo` and `hi` number channels.
static void gather_first(const strip *part, int64_t lo, int64_t hi) {
  const geometry *g = part->g;
  for (int64_t c = lo; c < hi; ++c)
    for (int64_t r = 0; r < g->r; ++r)
      for (int64_t s = 0; s < g->s; ++s) {
        float *to =
            part->rows + ((c * g->r + r) * g->s + s) * part->count * g->out_w;
        for (int64_t row = 0; row < part->count; ++row) {
          int64_t y = (part->first + row) * g->sh - g->pt + r * g->dh;
          const float *from = part->image + (c * g->h + y) * g->w;
          for (int64_t x = 0; x < g->out_w; ++x) {
            int64_t at = x * g->sw - g->pl + s * g->dw;
            *to++ = y < 0 || y >= g->h || at < 0 || at >= g->w ? 0 : from[at];
          }
        }
      }
}

static void gather_part(void *data) {
  const strip *part = data;
  int64_t team = part->blas->team_size(), own = part->blas->thread_number();
  int64_t extent = part->g->is_last ? part->count : part->g->c;
  int64_t lo = extent * own / team, hi = extent * (own + 1) / team;
  (part->g->is_last ? gather_last : gather_first)(part, lo, hi);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

static void fill_bias(const geometry *g, const float *bias, float *result) {
  int64_t positions = g->out_h * g->out_w;
  if (g->is_last) {
    for (int64_t p = 0; p < g->i * positions; ++p)
      memcpy(result + p * g->o, bias, (size_t)g->o * sizeof(float));
    return;
  }
  for (int64_t plane = 0; plane < g->i * g->o; ++plane)
    for (int64_t p = 0; p < positions; ++p)
      result[plane * positions + p] = bias[plane % g->o];
}

void run_conv(const openblas *blas, const problem_t *problem,
              const float *packed, void *const *buffers, void *workspace) {
  geometry g = get_geometry(problem);
  const float *input = buffers[0], *weights = buffers[1];
  int has_bias = problem->num_operands == 3;
  float *result = buffers[problem->num_operands];
  if (has_bias)
    fill_bias(&g, buffers[2], result);
  float *rows = workspace;
  if (conv_packed_bytes(problem) > 0) {
    if (!packed) {
      pack_conv_weights(problem, weights, workspace);
      packed = workspace;
      rows += g.o * g.window;
    }
    weights = packed;
  }
  int64_t positions = g.out_h * g.out_w;
  if (g.is_plain && g.is_last) {
    multiply(blas, 0, 1, g.i * positions, g.o, g.c, input, g.c, weights, g.c,
             has_bias, result, g.o);
    return;
  }
  for (int64_t i = 0; i < g.i; ++i) {
    const float *image = input + i * g.h * g.w * g.c;
    float *to = result + i * positions * g.o;
    if (g.is_plain) {
      multiply(blas, 0, 0, g.o, positions, g.c, weights, g.c, image, positions,
               has_bias, to, positions);
      continue;
    }
    for (int64_t first = 0; first < g.out_h; first += g.strip) {
      int64_t count = g.out_h - first < g.strip ? g.out_h - first : g.strip;
      strip part = {blas, &g, first, count, image, rows};
      blas->parallel(gather_part, &part, (unsigned)problem->threads, 0);
      int64_t width = count * g.out_w;
      if (g.is_last)
        multiply(blas, 0, 1, width, g.o, g.window, rows, g.window, weights,
                 g.window, has_bias, to + first * g.out_w * g.o, g.o);
      else
        multiply(blas, 0, 0, g.o, width, g.window, weights, g.window, rows,
                 width, has_bias, to + first * g.out_w, positions);
    }
  }
}
