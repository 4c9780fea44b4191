// Negative tests for rules/attention.mlir: each must be refuted.
// RUN: not tenon-rules prove %s 2>/dev/null | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting %s 2>/dev/null | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 12 unknown
// REQUIRES: z3
// REQUIRES: slow

!hse = tensor<?x?x?xf32, #graph.dims<h, s, e>>
!hs = tensor<?x?xf32, #graph.dims<h, s>>
// CHECK: refuted merge_associates_without_weights
rule.rule @merge_associates_without_weights(%a: [h, s, e], %la: [h, s], %b: [h, s, e], %lb: [h, s], %c: [h, s, e], %lc: [h, s]) -> ([h, s, e], [h, s])
  source {
    %0, %1 = graph.attention_merge %a, %la, %b, %lb : (!hse, !hs, !hse, !hs) -> (!hse, !hs)
    %2, %3 = graph.attention_merge %0, %1, %c, %lc : (!hse, !hs, !hse, !hs) -> (!hse, !hs)
    rule.yield %2, %3 : [h, s, e], [h, s]
  }
  target {
    %0, %1 = graph.attention_merge %b, %lb, %c, %lc : (!hse, !hs, !hse, !hs) -> (!hse, !hs)
    %2, %3 = graph.attention_merge %a, %la, %0, %lc : (!hse, !hs, !hse, !hs) -> (!hse, !hs)
    rule.yield %2, %3 : [h, s, e], [h, s]
  }

!hsd = tensor<?x?x?xf32, #graph.dims<h, s, d>>
!htd = tensor<?x?x?xf32, #graph.dims<h, t, d>>
!hte = tensor<?x?x?xf32, #graph.dims<h, t, e>>
// CHECK: refuted merge_with_empty_of_some
rule.rule @merge_with_empty_of_some(%a: [h, s, e], %la: [h, s], %q: [h, s, d], %k: [h, t, d], %v: [h, t, e]) -> ([h, s, e], [h, s])
  source {
    %b, %lb = graph.attention_partial %q, %k, %v scale = 1.0 : (!hsd, !htd, !hte) -> (!hse, !hs)
    %0, %1 = graph.attention_merge %a, %la, %b, %lb : (!hse, !hs, !hse, !hs) -> (!hse, !hs)
    rule.yield %0, %1 : [h, s, e], [h, s]
  }
  target {
    rule.yield %a, %la : [h, s, e], [h, s]
  }
  where [t >= 1]

!hud = tensor<?x?x?xf32, #graph.dims<h, u, d>>
!h_tu_d = tensor<?x?x?xf32, #graph.dims<h, t + u, d>>
!hue = tensor<?x?x?xf32, #graph.dims<h, u, e>>
!h_tu_e = tensor<?x?x?xf32, #graph.dims<h, t + u, e>>
// CHECK: refuted attention_in_two_parts_averaged
rule.rule @attention_in_two_parts_averaged(%q: [h, s, d], %k: [h, t, d], %v: [h, t, e], %k2: [h, u, d], %v2: [h, u, e]) -> [h, s, e]
  source {
    %kk = graph.concat %k, %k2 axis = 1 : (!htd, !hud) -> !h_tu_d
    %vv = graph.concat %v, %v2 axis = 1 : (!hte, !hue) -> !h_tu_e
    %0 = graph.attention %q, %kk, %vv scale = 1.0 : (!hsd, !h_tu_d, !h_tu_e) -> !hse
    rule.yield %0 : [h, s, e]
  }
  target {
    %a, %la = graph.attention_partial %q, %k, %v scale = 1.0 : (!hsd, !htd, !hte) -> (!hse, !hs)
    %b, %lb = graph.attention_partial %q, %k2, %v2 scale = 1.0 : (!hsd, !hud, !hue) -> (!hse, !hs)
    %0, %1 = graph.attention_merge %a, %la, %b, %lb : (!hse, !hs, !hse, !hs) -> (!hse, !hs)
    %2 = graph.add %a, %b : !hse
    rule.yield %2 : [h, s, e]
  }
  where [t >= 1, u >= 1]

// CHECK: refuted merged_parts_weights_swapped
rule.rule @merged_parts_weights_swapped(%q: [h, s, d], %k: [h, t, d], %v: [h, t, e], %k2: [h, u, d], %v2: [h, u, e]) -> ([h, s, e], [h, s])
  source {
    %kk = graph.concat %k, %k2 axis = 1 : (!htd, !hud) -> !h_tu_d
    %vv = graph.concat %v, %v2 axis = 1 : (!hte, !hue) -> !h_tu_e
    %0, %1 = graph.attention_partial %q, %kk, %vv scale = 1.0 : (!hsd, !h_tu_d, !h_tu_e) -> (!hse, !hs)
    rule.yield %0, %1 : [h, s, e], [h, s]
  }
  target {
    %a, %la = graph.attention_partial %q, %k, %v scale = 1.0 : (!hsd, !htd, !hte) -> (!hse, !hs)
    %b, %lb = graph.attention_partial %q, %k2, %v2 scale = 1.0 : (!hsd, !hud, !hue) -> (!hse, !hs)
    %0, %1 = graph.attention_merge %a, %lb, %b, %la : (!hse, !hs, !hse, !hs) -> (!hse, !hs)
    rule.yield %0, %1 : [h, s, e], [h, s]
  }
  where [t >= 1, u >= 1]

// CHECK: refuted attention_in_one_part_causal
rule.rule @attention_in_one_part_causal(%q: [h, s, d], %k: [h, t, d], %v: [h, t, e]) -> [h, s, e]
  source {
    %0 = graph.attention %q, %k, %v scale = 1.0 causal : (!hsd, !htd, !hte) -> !hse
    rule.yield %0 : [h, s, e]
  }
  target {
    %0, %1 = graph.attention_partial %q, %k, %v scale = 1.0 : (!hsd, !htd, !hte) -> (!hse, !hs)
    rule.yield %0 : [h, s, e]
  }
  where [t >= 1]

!st = tensor<?x?xf32, #graph.dims<s, t>>
!su = tensor<?x?xf32, #graph.dims<s, u>>
!s_tu = tensor<?x?xf32, #graph.dims<s, t + u>>
// CHECK: refuted masked_attention_in_two_parts_unmasked
rule.rule @masked_attention_in_two_parts_unmasked(%q: [h, s, d], %k: [h, t, d], %v: [h, t, e], %m: [s, t], %k2: [h, u, d], %v2: [h, u, e], %m2: [s, u]) -> [h, s, e]
  source {
    %kk = graph.concat %k, %k2 axis = 1 : (!htd, !hud) -> !h_tu_d
    %vv = graph.concat %v, %v2 axis = 1 : (!hte, !hue) -> !h_tu_e
    %mm = graph.concat %m, %m2 axis = 1 : (!st, !su) -> !s_tu
    %0 = graph.attention %q, %kk, %vv, %mm scale = 1.0 : (!hsd, !h_tu_d, !h_tu_e, !s_tu) -> !hse
    rule.yield %0 : [h, s, e]
  }
  target {
    %a, %la = graph.attention_partial %q, %k, %v, %m scale = 1.0 : (!hsd, !htd, !hte, !st) -> (!hse, !hs)
    %b, %lb = graph.attention_partial %q, %k2, %v2 scale = 1.0 : (!hsd, !hud, !hue) -> (!hse, !hs)
    %0, %1 = graph.attention_merge %a, %la, %b, %lb : (!hse, !hs, !hse, !hs) -> (!hse, !hs)
    rule.yield %0 : [h, s, e]
  }
  where [t >= 1, u >= 1]

!bhse = tensor<?x?x?x?xf32, #graph.dims<b, h, s, e>>
!bhs = tensor<?x?x?xf32, #graph.dims<b, h, s>>
// CHECK: refuted merge_associates_batch_without_weights
rule.rule @merge_associates_batch_without_weights(%a: [b, h, s, e], %la: [b, h, s], %b: [b, h, s, e], %lb: [b, h, s], %c: [b, h, s, e], %lc: [b, h, s]) -> ([b, h, s, e], [b, h, s])
  source {
    %0, %1 = graph.attention_merge %a, %la, %b, %lb : (!bhse, !bhs, !bhse, !bhs) -> (!bhse, !bhs)
    %2, %3 = graph.attention_merge %0, %1, %c, %lc : (!bhse, !bhs, !bhse, !bhs) -> (!bhse, !bhs)
    rule.yield %2, %3 : [b, h, s, e], [b, h, s]
  }
  target {
    %0, %1 = graph.attention_merge %b, %lb, %c, %lc : (!bhse, !bhs, !bhse, !bhs) -> (!bhse, !bhs)
    %2, %3 = graph.attention_merge %a, %la, %0, %lc : (!bhse, !bhs, !bhse, !bhs) -> (!bhse, !bhs)
    rule.yield %2, %3 : [b, h, s, e], [b, h, s]
  }

!bhsd = tensor<?x?x?x?xf32, #graph.dims<b, h, s, d>>
!bhtd = tensor<?x?x?x?xf32, #graph.dims<b, h, t, d>>
!bhte = tensor<?x?x?x?xf32, #graph.dims<b, h, t, e>>
// CHECK: refuted merge_with_empty_64_batch_of_some
rule.rule @merge_with_empty_64_batch_of_some(%a: [b, h, s, e], %la: [b, h, s], %q: [b, h, s, d], %k: [b, h, t, d], %v: [b, h, t, e]) -> ([b, h, s, e], [b, h, s])
  source {
    %b, %lb = graph.attention_partial %q, %k, %v scale = 0.125 : (!bhsd, !bhtd, !bhte) -> (!bhse, !bhs)
    %0, %1 = graph.attention_merge %a, %la, %b, %lb : (!bhse, !bhs, !bhse, !bhs) -> (!bhse, !bhs)
    rule.yield %0, %1 : [b, h, s, e], [b, h, s]
  }
  target {
    rule.yield %a, %la : [b, h, s, e], [b, h, s]
  }
  where [t >= 1]

!bhud = tensor<?x?x?x?xf32, #graph.dims<b, h, u, d>>
!b_h_tu_d = tensor<?x?x?x?xf32, #graph.dims<b, h, t + u, d>>
!bhue = tensor<?x?x?x?xf32, #graph.dims<b, h, u, e>>
!b_h_tu_e = tensor<?x?x?x?xf32, #graph.dims<b, h, t + u, e>>
// CHECK: refuted attention_in_two_parts_64_batch_averaged
rule.rule @attention_in_two_parts_64_batch_averaged(%q: [b, h, s, d], %k: [b, h, t, d], %v: [b, h, t, e], %k2: [b, h, u, d], %v2: [b, h, u, e]) -> [b, h, s, e]
  source {
    %kk = graph.concat %k, %k2 axis = 2 : (!bhtd, !bhud) -> !b_h_tu_d
    %vv = graph.concat %v, %v2 axis = 2 : (!bhte, !bhue) -> !b_h_tu_e
    %0 = graph.attention %q, %kk, %vv scale = 0.125 : (!bhsd, !b_h_tu_d, !b_h_tu_e) -> !bhse
    rule.yield %0 : [b, h, s, e]
  }
  target {
    %a, %la = graph.attention_partial %q, %k, %v scale = 0.125 : (!bhsd, !bhtd, !bhte) -> (!bhse, !bhs)
    %b, %lb = graph.attention_partial %q, %k2, %v2 scale = 0.125 : (!bhsd, !bhud, !bhue) -> (!bhse, !bhs)
    %0, %1 = graph.attention_merge %a, %la, %b, %lb : (!bhse, !bhs, !bhse, !bhs) -> (!bhse, !bhs)
    %2 = graph.add %a, %b : !bhse
    rule.yield %2 : [b, h, s, e]
  }
  where [t >= 1, u >= 1]

// CHECK: refuted merged_parts_64_batch_weights_swapped
rule.rule @merged_parts_64_batch_weights_swapped(%q: [b, h, s, d], %k: [b, h, t, d], %v: [b, h, t, e], %k2: [b, h, u, d], %v2: [b, h, u, e]) -> ([b, h, s, e], [b, h, s])
  source {
    %kk = graph.concat %k, %k2 axis = 2 : (!bhtd, !bhud) -> !b_h_tu_d
    %vv = graph.concat %v, %v2 axis = 2 : (!bhte, !bhue) -> !b_h_tu_e
    %0, %1 = graph.attention_partial %q, %kk, %vv scale = 0.125 : (!bhsd, !b_h_tu_d, !b_h_tu_e) -> (!bhse, !bhs)
    rule.yield %0, %1 : [b, h, s, e], [b, h, s]
  }
  target {
    %a, %la = graph.attention_partial %q, %k, %v scale = 0.125 : (!bhsd, !bhtd, !bhte) -> (!bhse, !bhs)
    %b, %lb = graph.attention_partial %q, %k2, %v2 scale = 0.125 : (!bhsd, !bhud, !bhue) -> (!bhse, !bhs)
    %0, %1 = graph.attention_merge %a, %lb, %b, %la : (!bhse, !bhs, !bhse, !bhs) -> (!bhse, !bhs)
    rule.yield %0, %1 : [b, h, s, e], [b, h, s]
  }
  where [t >= 1, u >= 1]

// CHECK: refuted attention_in_one_part_64_batch_causal
rule.rule @attention_in_one_part_64_batch_causal(%q: [b, h, s, d], %k: [b, h, t, d], %v: [b, h, t, e]) -> [b, h, s, e]
  source {
    %0 = graph.attention %q, %k, %v scale = 0.125 causal : (!bhsd, !bhtd, !bhte) -> !bhse
    rule.yield %0 : [b, h, s, e]
  }
  target {
    %0, %1 = graph.attention_partial %q, %k, %v scale = 0.125 : (!bhsd, !bhtd, !bhte) -> (!bhse, !bhs)
    rule.yield %0 : [b, h, s, e]
  }
  where [t >= 1]

// CHECK: refuted masked_attention_in_two_parts_64_batch_unmasked
rule.rule @masked_attention_in_two_parts_64_batch_unmasked(%q: [b, h, s, d], %k: [b, h, t, d], %v: [b, h, t, e], %m: [s, t], %k2: [b, h, u, d], %v2: [b, h, u, e], %m2: [s, u]) -> [b, h, s, e]
  source {
    %kk = graph.concat %k, %k2 axis = 2 : (!bhtd, !bhud) -> !b_h_tu_d
    %vv = graph.concat %v, %v2 axis = 2 : (!bhte, !bhue) -> !b_h_tu_e
    %mm = graph.concat %m, %m2 axis = 1 : (!st, !su) -> !s_tu
    %0 = graph.attention %q, %kk, %vv, %mm scale = 0.125 : (!bhsd, !b_h_tu_d, !b_h_tu_e, !s_tu) -> !bhse
    rule.yield %0 : [b, h, s, e]
  }
  target {
    %a, %la = graph.attention_partial %q, %k, %v, %m scale = 0.125 : (!bhsd, !bhtd, !bhte, !st) -> (!bhse, !bhs)
    %b, %lb = graph.attention_partial %q, %k2, %v2 scale = 0.125 : (!bhsd, !bhud, !bhue) -> (!bhse, !bhs)
    %0, %1 = graph.attention_merge %a, %la, %b, %lb : (!bhse, !bhs, !bhse, !bhs) -> (!bhse, !bhs)
    rule.yield %0 : [b, h, s, e]
  }
  where [t >= 1, u >= 1]

// CHECK: 0 proved, 12 refuted{{$}}
