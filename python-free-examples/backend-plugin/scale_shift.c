// A backend of one kernel: y = x * scale + shift, row by row, in one pass.

#include "tenon/Artifact/Backend.h"

// What it computes. `[m, n]` are tensors of f32; %scale and %shift are repeated
// for every row. Models hold these four ops, the sum in either order.
static const char patterns[] =
    "!n = tensor<?xf32, #graph.dims<n>>\n"
    "!mn = tensor<?x?xf32, #graph.dims<m, n>>\n"
    "rule.pattern @scale_shift(%x: [m, n], %scale: [n], %shift: [n]) -> [m, "
    "n]\n"
    "  source {\n"
    "    %0 = graph.broadcast %scale shape = [m, n] : (!n) -> !mn\n"
    "    %1 = graph.mul %x, %0 : !mn\n"
    "    %2 = graph.broadcast %shift shape = [m, n] : (!n) -> !mn\n"
    "    %3 = graph.add %1, %2 : !mn\n"
    "    rule.yield %3 : [m, n]\n"
    "  }\n"
    "  where [n >= 2]\n";

// The version of the library behind the backend; this backend has none.
static const char *version(void) { return "1.0"; }

// The buffers come in the order of the pattern: operands, then results.
static int32_t run(const tenon_backend_problem *problem, void *state,
                   void *const *buffers, void *workspace, char *error,
                   size_t error_size) {
  (void)state, (void)workspace, (void)error, (void)error_size;
  int64_t m = tenon_backend_symbol(problem, "m");
  int64_t n = tenon_backend_symbol(problem, "n");
  const float *x = buffers[0], *scale = buffers[1], *shift = buffers[2];
  float *y = buffers[3];
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      y[i * n + j] = x[i * n + j] * scale[j] + shift[j];
  return 0;
}

const tenon_backend *tenon_backend_get(void) {
  static const tenon_backend backend = {
      .abi_version = TENON_BACKEND_ABI_VERSION,
      .struct_size = sizeof(tenon_backend),
      .name = "scale-shift",
      .version = version,
      .patterns = patterns,
      .run = run,
  };
  return &backend;
}
