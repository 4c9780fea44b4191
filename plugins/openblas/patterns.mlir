// What OpenBLAS computes: products of matrices of f32, with their bias, and
// convolutions of one group as such. If several patterns match the same ops,
// the first is tried first.

!lmk = tensor<?x?x?xf32, #graph.dims<l, m, k>>
!kn = tensor<?x?xf32, #graph.dims<k, n>>
!lmn = tensor<?x?x?xf32, #graph.dims<l, m, n>>
!nk = tensor<?x?xf32, #graph.dims<n, k>>
!mk = tensor<?x?xf32, #graph.dims<m, k>>
!mn = tensor<?x?xf32, #graph.dims<m, n>>
!km = tensor<?x?xf32, #graph.dims<k, m>>
!n = tensor<?xf32, #graph.dims<n>>
!ihwc = tensor<?x?x?x?xf32, #graph.dims<i, h, w, c>>
!ocrs = tensor<?x?x?x?xf32, #graph.dims<o, c, r, s>>
!ihwo = tensor<?x?x?x?xf32, #graph.dims<i, (h + pt + pb - dh * (r - 1) - 1) floordiv sh + 1, (w + pl + pr - dw * (s - 1) - 1) floordiv sw + 1, o>>
!ichw = tensor<?x?x?x?xf32, #graph.dims<i, c, h, w>>
!iohw = tensor<?x?x?x?xf32, #graph.dims<i, o, (h + pt + pb - dh * (r - 1) - 1) floordiv sh + 1, (w + pl + pr - dw * (s - 1) - 1) floordiv sw + 1>>
!o = tensor<?xf32, #graph.dims<o>>
!o11 = tensor<?x1x1xf32, #graph.dims<o, 1, 1>>

// One matrix of weights for all rows, whatever axes they have.
rule.pattern @linear(%a: [l, m, k], %b: [k, n]) -> [l, m, n]
  lifts [%a]
  source {
    %0 = graph.matmul %a, %b : (!lmk, !kn) -> !lmn
    rule.yield %0 : [l, m, n]
  }

rule.pattern @linear_t(%a: [l, m, k], %b: [n, k]) -> [l, m, n]
  lifts [%a]
  source {
    %0 = graph.matmul %a, %b transpose_b : (!lmk, !nk) -> !lmn
    rule.yield %0 : [l, m, n]
  }

// Products, plain and of batches.
rule.pattern @matmul(%a: [m, k], %b: [k, n]) -> [m, n]
  lifts [%a, %b]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    rule.yield %0 : [m, n]
  }

rule.pattern @matmul_nt(%a: [m, k], %b: [n, k]) -> [m, n]
  lifts [%a, %b]
  source {
    %0 = graph.matmul %a, %b transpose_b : (!mk, !nk) -> !mn
    rule.yield %0 : [m, n]
  }

rule.pattern @matmul_tn(%a: [k, m], %b: [k, n]) -> [m, n]
  lifts [%a, %b]
  source {
    %0 = graph.matmul %a, %b transpose_a : (!km, !kn) -> !mn
    rule.yield %0 : [m, n]
  }

rule.pattern @matmul_tt(%a: [k, m], %b: [n, k]) -> [m, n]
  lifts [%a, %b]
  source {
    %0 = graph.matmul %a, %b transpose_a transpose_b : (!km, !nk) -> !mn
    rule.yield %0 : [m, n]
  }

// The same with a bias per column.
rule.pattern @linear_bias(%a: [l, m, k], %b: [k, n], %c: [n]) -> [l, m, n]
  source {
    %0 = graph.matmul %a, %b : (!lmk, !kn) -> !lmn
    %1 = graph.broadcast %c shape = [l, m, n] : (!n) -> !lmn
    %2 = graph.add %0, %1 : !lmn
    rule.yield %2 : [l, m, n]
  }

rule.pattern @linear_t_bias(%a: [l, m, k], %b: [n, k], %c: [n]) -> [l, m, n]
  source {
    %0 = graph.matmul %a, %b transpose_b : (!lmk, !nk) -> !lmn
    %1 = graph.broadcast %c shape = [l, m, n] : (!n) -> !lmn
    %2 = graph.add %0, %1 : !lmn
    rule.yield %2 : [l, m, n]
  }

rule.pattern @matmul_bias(%a: [m, k], %b: [k, n], %c: [n]) -> [m, n]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.broadcast %c shape = [m, n] : (!n) -> !mn
    %2 = graph.add %0, %1 : !mn
    rule.yield %2 : [m, n]
  }

rule.pattern @matmul_nt_bias(%a: [m, k], %b: [n, k], %c: [n]) -> [m, n]
  source {
    %0 = graph.matmul %a, %b transpose_b : (!mk, !nk) -> !mn
    %1 = graph.broadcast %c shape = [m, n] : (!n) -> !mn
    %2 = graph.add %0, %1 : !mn
    rule.yield %2 : [m, n]
  }

rule.pattern @matmul_tn_bias(%a: [k, m], %b: [k, n], %c: [n]) -> [m, n]
  source {
    %0 = graph.matmul %a, %b transpose_a : (!km, !kn) -> !mn
    %1 = graph.broadcast %c shape = [m, n] : (!n) -> !mn
    %2 = graph.add %0, %1 : !mn
    rule.yield %2 : [m, n]
  }

rule.pattern @matmul_tt_bias(%a: [k, m], %b: [n, k], %c: [n]) -> [m, n]
  source {
    %0 = graph.matmul %a, %b transpose_a transpose_b : (!km, !nk) -> !mn
    %1 = graph.broadcast %c shape = [m, n] : (!n) -> !mn
    %2 = graph.add %0, %1 : !mn
    rule.yield %2 : [m, n]
  }

// Convolutions over two axes, with channels last or first.
rule.pattern @conv_last(%x: [i, h, w, c], %w: [o, c, r, s])
    -> [i, (h + pt + pb - dh * (r - 1) - 1) floordiv sh + 1, (w + pl + pr - dw * (s - 1) - 1) floordiv sw + 1, o]
  source {
    %0 = graph.conv %x, %w strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [dh, dw] groups = 1 channels_last : (!ihwc, !ocrs) -> !ihwo
    rule.yield %0 : [i, (h + pt + pb - dh * (r - 1) - 1) floordiv sh + 1, (w + pl + pr - dw * (s - 1) - 1) floordiv sw + 1, o]
  }

rule.pattern @conv_first(%x: [i, c, h, w], %w: [o, c, r, s])
    -> [i, o, (h + pt + pb - dh * (r - 1) - 1) floordiv sh + 1, (w + pl + pr - dw * (s - 1) - 1) floordiv sw + 1]
  source {
    %0 = graph.conv %x, %w strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [dh, dw] groups = 1 channels_first : (!ichw, !ocrs) -> !iohw
    rule.yield %0 : [i, o, (h + pt + pb - dh * (r - 1) - 1) floordiv sh + 1, (w + pl + pr - dw * (s - 1) - 1) floordiv sw + 1]
  }

rule.pattern @conv_last_bias(%x: [i, h, w, c], %w: [o, c, r, s], %c: [o])
    -> [i, (h + pt + pb - dh * (r - 1) - 1) floordiv sh + 1, (w + pl + pr - dw * (s - 1) - 1) floordiv sw + 1, o]
  source {
    %0 = graph.conv %x, %w strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [dh, dw] groups = 1 channels_last : (!ihwc, !ocrs) -> !ihwo
    %1 = graph.broadcast %c shape = [i, (h + pt + pb - dh * (r - 1) - 1) floordiv sh + 1, (w + pl + pr - dw * (s - 1) - 1) floordiv sw + 1, o] : (!o) -> !ihwo
    %2 = graph.add %0, %1 : !ihwo
    rule.yield %2 : [i, (h + pt + pb - dh * (r - 1) - 1) floordiv sh + 1, (w + pl + pr - dw * (s - 1) - 1) floordiv sw + 1, o]
  }

rule.pattern @conv_first_bias(%x: [i, c, h, w], %w: [o, c, r, s], %c: [o, 1, 1])
    -> [i, o, (h + pt + pb - dh * (r - 1) - 1) floordiv sh + 1, (w + pl + pr - dw * (s - 1) - 1) floordiv sw + 1]
  source {
    %0 = graph.conv %x, %w strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [dh, dw] groups = 1 channels_first : (!ichw, !ocrs) -> !iohw
    %1 = graph.broadcast %c shape = [i, o, (h + pt + pb - dh * (r - 1) - 1) floordiv sh + 1, (w + pl + pr - dw * (s - 1) - 1) floordiv sw + 1] : (!o11) -> !iohw
    %2 = graph.add %0, %1 : !iohw
    rule.yield %2 : [i, o, (h + pt + pb - dh * (r - 1) - 1) floordiv sh + 1, (w + pl + pr - dw * (s - 1) - 1) floordiv sw + 1]
  }
