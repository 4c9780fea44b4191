// Negative tests for attention.mlir.
// RUN: not tenon-rules prove %s 2>&1 | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting %s 2>&1 | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 7 unknown
// REQUIRES: z3

!q = tensor<?x?x?xf32, #graph.dims<h, s, d>>
!k = tensor<?x?x?xf32, #graph.dims<h, t, d>>
!v = tensor<?x?x?xf32, #graph.dims<h, t, e>>
!ku = tensor<?x?x?xf32, #graph.dims<h, u, d>>
!vu = tensor<?x?x?xf32, #graph.dims<h, u, e>>
!ktu = tensor<?x?x?xf32, #graph.dims<h, t + u, d>>
!vtu = tensor<?x?x?xf32, #graph.dims<h, t + u, e>>
!o = tensor<?x?x?xf32, #graph.dims<h, s, e>>
!l = tensor<?x?xf32, #graph.dims<h, s>>
!ktt = tensor<?x?x?xf32, #graph.dims<h, 2 * t, d>>
!vtt = tensor<?x?x?xf32, #graph.dims<h, 2 * t, e>>

// Another scale.
// CHECK: refuted other_scale
rule.rule @other_scale(%q: [h, s, d], %k: [h, t, d], %v: [h, t, e]) -> [h, s, e]
  source {
    %0 = graph.attention %q, %k, %v scale = 0.125 : (!q, !k, !v) -> !o
    rule.yield %0 : [h, s, e]
  }
  target {
    %0, %1 = graph.attention_partial %q, %k, %v scale = 0.25 : (!q, !k, !v) -> (!o, !l)
    rule.yield %0 : [h, s, e]
  }
  where [h >= 1, t >= 1]

// The sums of the parts swapped.
// CHECK: refuted swapped_sums
rule.rule @swapped_sums(%q: [h, s, d], %k: [h, t, d], %v: [h, t, e], %k2: [h, u, d], %v2: [h, u, e]) -> [h, s, e]
  source {
    %kk = graph.concat %k, %k2 axis = 1 : (!k, !ku) -> !ktu
    %vv = graph.concat %v, %v2 axis = 1 : (!v, !vu) -> !vtu
    %0 = graph.attention %q, %kk, %vv scale = 0.125 : (!q, !ktu, !vtu) -> !o
    rule.yield %0 : [h, s, e]
  }
  target {
    %a, %la = graph.attention_partial %q, %k, %v scale = 0.125 : (!q, !k, !v) -> (!o, !l)
    %b, %lb = graph.attention_partial %q, %k2, %v2 scale = 0.125 : (!q, !ku, !vu) -> (!o, !l)
    %0, %1 = graph.attention_merge %a, %lb, %b, %la : (!o, !l, !o, !l) -> (!o, !l)
    rule.yield %0 : [h, s, e]
  }
  where [h >= 1, t >= 1, u >= 1]

// The values of the parts in the wrong order.
// CHECK: refuted swapped_values
rule.rule @swapped_values(%q: [h, s, d], %k: [h, t, d], %v: [h, t, e], %k2: [h, t, d], %v2: [h, t, e]) -> ([h, s, e], [h, s])
  source {
    %kk = graph.concat %k, %k2 axis = 1 : (!k, !k) -> !ktt
    %vv = graph.concat %v2, %v axis = 1 : (!v, !v) -> !vtt
    %0, %1 = graph.attention_partial %q, %kk, %vv scale = 0.125 : (!q, !ktt, !vtt) -> (!o, !l)
    rule.yield %0, %1 : [h, s, e], [h, s]
  }
  target {
    %a, %la = graph.attention_partial %q, %k, %v scale = 0.125 : (!q, !k, !v) -> (!o, !l)
    %b, %lb = graph.attention_partial %q, %k2, %v2 scale = 0.125 : (!q, !k, !v) -> (!o, !l)
    %0, %1 = graph.attention_merge %a, %la, %b, %lb : (!o, !l, !o, !l) -> (!o, !l)
    rule.yield %0, %1 : [h, s, e], [h, s]
  }
  where [t >= 1]

// One part left out.
// CHECK: refuted part_left_out
rule.rule @part_left_out(%a: [h, s, e], %la: [h, s], %b: [h, s, e], %lb: [h, s], %c: [h, s, e], %lc: [h, s]) -> ([h, s, e], [h, s])
  source {
    %0, %1 = graph.attention_merge %a, %la, %b, %lb : (!o, !l, !o, !l) -> (!o, !l)
    %2, %3 = graph.attention_merge %0, %1, %c, %lc : (!o, !l, !o, !l) -> (!o, !l)
    rule.yield %2, %3 : [h, s, e], [h, s]
  }
  target {
    %2, %3 = graph.attention_merge %a, %la, %b, %lb : (!o, !l, !o, !l) -> (!o, !l)
    rule.yield %2, %3 : [h, s, e], [h, s]
  }

// A part counted twice.
// CHECK: refuted part_counted_twice
rule.rule @part_counted_twice(%a: [h, s, e], %la: [h, s], %b: [h, s, e], %lb: [h, s], %c: [h, s, e], %lc: [h, s]) -> ([h, s, e], [h, s])
  source {
    %0, %1 = graph.attention_merge %a, %la, %b, %lb : (!o, !l, !o, !l) -> (!o, !l)
    %2, %3 = graph.attention_merge %0, %1, %c, %lc : (!o, !l, !o, !l) -> (!o, !l)
    rule.yield %2, %3 : [h, s, e], [h, s]
  }
  target {
    %0, %1 = graph.attention_merge %b, %lb, %b, %lb : (!o, !l, !o, !l) -> (!o, !l)
    %2, %3 = graph.attention_merge %0, %1, %c, %lc : (!o, !l, !o, !l) -> (!o, !l)
    rule.yield %2, %3 : [h, s, e], [h, s]
  }

// The other part's log-sum-exp.
// CHECK: refuted other_sum
rule.rule @other_sum(%a: [h, s, e], %la: [h, s], %b: [h, s, e], %lb: [h, s]) -> ([h, s, e], [h, s])
  source {
    %0, %1 = graph.attention_merge %a, %la, %b, %lb : (!o, !l, !o, !l) -> (!o, !l)
    rule.yield %0, %1 : [h, s, e], [h, s]
  }
  target {
    %0, %1 = graph.attention_merge %b, %la, %a, %lb : (!o, !l, !o, !l) -> (!o, !l)
    rule.yield %0, %1 : [h, s, e], [h, s]
  }

// A part with a key is not neutral.
// CHECK: refuted merge_with_one_key
rule.rule @merge_with_one_key(%a: [h, s, e], %la: [h, s], %q: [h, s, d], %k: [h, t, d], %v: [h, t, e]) -> ([h, s, e], [h, s])
  source {
    %b, %lb = graph.attention_partial %q, %k, %v scale = 0.125 : (!q, !k, !v) -> (!o, !l)
    %0, %1 = graph.attention_merge %a, %la, %b, %lb : (!o, !l, !o, !l) -> (!o, !l)
    rule.yield %0, %1 : [h, s, e], [h, s]
  }
  target {
    rule.yield %a, %la : [h, s, e], [h, s]
  }
  where [t == 1]
// CHECK: 0 proved, 7 refuted
