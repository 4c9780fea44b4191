// Attention in parts: the laws of attention_partial and attention_merge. The
// negative tests are in attention-bad.mlir.
// RUN: tenon-rules prove %s | FileCheck %s
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

// All keys in one part.
// CHECK: proved attention_in_one_part
rule.rule @attention_in_one_part(%q: [h, s, d], %k: [h, t, d], %v: [h, t, e]) -> [h, s, e]
  source {
    %0 = graph.attention %q, %k, %v scale = 0.125 : (!q, !k, !v) -> !o
    rule.yield %0 : [h, s, e]
  }
  target {
    %0, %1 = graph.attention_partial %q, %k, %v scale = 0.125 : (!q, !k, !v) -> (!o, !l)
    rule.yield %0 : [h, s, e]
  }
  where [h >= 1, t >= 1]

// Keys in two parts.
// CHECK: proved attention_in_two_parts
rule.rule @attention_in_two_parts(%q: [h, s, d], %k: [h, t, d], %v: [h, t, e], %k2: [h, u, d], %v2: [h, u, e]) -> [h, s, e]
  source {
    %kk = graph.concat %k, %k2 axis = 1 : (!k, !ku) -> !ktu
    %vv = graph.concat %v, %v2 axis = 1 : (!v, !vu) -> !vtu
    %0 = graph.attention %q, %kk, %vv scale = 0.125 : (!q, !ktu, !vtu) -> !o
    rule.yield %0 : [h, s, e]
  }
  target {
    %a, %la = graph.attention_partial %q, %k, %v scale = 0.125 : (!q, !k, !v) -> (!o, !l)
    %b, %lb = graph.attention_partial %q, %k2, %v2 scale = 0.125 : (!q, !ku, !vu) -> (!o, !l)
    %0, %1 = graph.attention_merge %a, %la, %b, %lb : (!o, !l, !o, !l) -> (!o, !l)
    rule.yield %0 : [h, s, e]
  }
  where [h >= 1, t >= 1, u >= 1]

// Merged parts are a part.
// CHECK: proved merged_parts
rule.rule @merged_parts(%q: [h, s, d], %k: [h, t, d], %v: [h, t, e], %k2: [h, u, d], %v2: [h, u, e]) -> ([h, s, e], [h, s])
  source {
    %kk = graph.concat %k, %k2 axis = 1 : (!k, !ku) -> !ktu
    %vv = graph.concat %v, %v2 axis = 1 : (!v, !vu) -> !vtu
    %0, %1 = graph.attention_partial %q, %kk, %vv scale = 0.125 : (!q, !ktu, !vtu) -> (!o, !l)
    rule.yield %0, %1 : [h, s, e], [h, s]
  }
  target {
    %a, %la = graph.attention_partial %q, %k, %v scale = 0.125 : (!q, !k, !v) -> (!o, !l)
    %b, %lb = graph.attention_partial %q, %k2, %v2 scale = 0.125 : (!q, !ku, !vu) -> (!o, !l)
    %0, %1 = graph.attention_merge %a, %la, %b, %lb : (!o, !l, !o, !l) -> (!o, !l)
    rule.yield %0, %1 : [h, s, e], [h, s]
  }
  where [t >= 1, u >= 1]

// CHECK: proved merge_associates
rule.rule @merge_associates(%a: [h, s, e], %la: [h, s], %b: [h, s, e], %lb: [h, s], %c: [h, s, e], %lc: [h, s]) -> ([h, s, e], [h, s])
  source {
    %0, %1 = graph.attention_merge %a, %la, %b, %lb : (!o, !l, !o, !l) -> (!o, !l)
    %2, %3 = graph.attention_merge %0, %1, %c, %lc : (!o, !l, !o, !l) -> (!o, !l)
    rule.yield %2, %3 : [h, s, e], [h, s]
  }
  target {
    %0, %1 = graph.attention_merge %b, %lb, %c, %lc : (!o, !l, !o, !l) -> (!o, !l)
    %2, %3 = graph.attention_merge %a, %la, %0, %1 : (!o, !l, !o, !l) -> (!o, !l)
    rule.yield %2, %3 : [h, s, e], [h, s]
  }

// CHECK: proved merge_commutes
rule.rule @merge_commutes(%a: [h, s, e], %la: [h, s], %b: [h, s, e], %lb: [h, s]) -> ([h, s, e], [h, s])
  source {
    %0, %1 = graph.attention_merge %a, %la, %b, %lb : (!o, !l, !o, !l) -> (!o, !l)
    rule.yield %0, %1 : [h, s, e], [h, s]
  }
  target {
    %0, %1 = graph.attention_merge %b, %lb, %a, %la : (!o, !l, !o, !l) -> (!o, !l)
    rule.yield %0, %1 : [h, s, e], [h, s]
  }

// A part without keys is neutral.
// CHECK: proved merge_with_empty
rule.rule @merge_with_empty(%a: [h, s, e], %la: [h, s], %q: [h, s, d], %k: [h, t, d], %v: [h, t, e]) -> ([h, s, e], [h, s])
  source {
    %b, %lb = graph.attention_partial %q, %k, %v scale = 0.125 : (!q, !k, !v) -> (!o, !l)
    %0, %1 = graph.attention_merge %a, %la, %b, %lb : (!o, !l, !o, !l) -> (!o, !l)
    rule.yield %0, %1 : [h, s, e], [h, s]
  }
  target {
    rule.yield %a, %la : [h, s, e], [h, s]
  }
  where [t == 0]
