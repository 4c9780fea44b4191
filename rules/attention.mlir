// Attention in parts: the laws of attention_partial and attention_merge, by which keys
// may be split among devices and steps.
//
// A part is a pair: the attention over some of the keys and the logarithm of the sum
// of their exponentials. Parts over no key at all are the neutral element; merging is
// associative; merged parts are the part over all their keys. The
// scale of the scores is a number, not a symbol: the rules are stated for 1, for heads
// of 64 (0.125) and of 128.
//
// `tenon-rules prove rules/attention.mlir` proves them for all sizes.

// Heads of one sequence: [heads, queries or keys, depth].

// Merging is associative.
rule.rule @merge_associates(%a: [h, s, e], %la: [h, s], %b: [h, s, e], %lb: [h, s], %c: [h, s, e], %lc: [h, s]) -> ([h, s, e], [h, s])
  source {
    %0, %1 = graph.attention_merge %a, %la, %b, %lb
    %2, %3 = graph.attention_merge %0, %1, %c, %lc
    rule.yield %2, %3
  }
  target {
    %0, %1 = graph.attention_merge %b, %lb, %c, %lc
    %2, %3 = graph.attention_merge %a, %la, %0, %1
    rule.yield %2, %3
  }

// A part without keys is neutral.
rule.rule @merge_with_empty(%a: [h, s, e], %la: [h, s], %q: [h, s, d], %k: [h, t, d], %v: [h, t, e]) -> ([h, s, e], [h, s])
  source {
    %b, %lb = graph.attention_partial %q, %k, %v scale = 1.0
    %0, %1 = graph.attention_merge %a, %la, %b, %lb
    rule.yield %0, %1
  }
  target {
    rule.yield %a, %la
  }
  where [t == 0]

// Keys in two parts, merged, are attention over all of them.
rule.rule @attention_in_two_parts(%q: [h, s, d], %k: [h, t, d], %v: [h, t, e], %k2: [h, u, d], %v2: [h, u, e]) -> [h, s, e]
  source {
    %kk = graph.concat %k, %k2 axis = 1
    %vv = graph.concat %v, %v2 axis = 1
    %0 = graph.attention %q, %kk, %vv scale = 1.0
    rule.yield %0
  }
  target {
    %a, %la = graph.attention_partial %q, %k, %v scale = 1.0
    %b, %lb = graph.attention_partial %q, %k2, %v2 scale = 1.0
    %0, %1 = graph.attention_merge %a, %la, %b, %lb
    rule.yield %0
  }
  where [t >= 1, u >= 1]

// Merged parts are a part.
rule.rule @merged_parts(%q: [h, s, d], %k: [h, t, d], %v: [h, t, e], %k2: [h, u, d], %v2: [h, u, e]) -> ([h, s, e], [h, s])
  source {
    %kk = graph.concat %k, %k2 axis = 1
    %vv = graph.concat %v, %v2 axis = 1
    %0, %1 = graph.attention_partial %q, %kk, %vv scale = 1.0
    rule.yield %0, %1
  }
  target {
    %a, %la = graph.attention_partial %q, %k, %v scale = 1.0
    %b, %lb = graph.attention_partial %q, %k2, %v2 scale = 1.0
    %0, %1 = graph.attention_merge %a, %la, %b, %lb
    rule.yield %0, %1
  }
  where [t >= 1, u >= 1]

// All keys in one part.
rule.rule @attention_in_one_part(%q: [h, s, d], %k: [h, t, d], %v: [h, t, e]) -> [h, s, e]
  source {
    %0 = graph.attention %q, %k, %v scale = 1.0
    rule.yield %0
  }
  target {
    %0, %1 = graph.attention_partial %q, %k, %v scale = 1.0
    rule.yield %0
  }
  where [t >= 1]

// With a mask, cut where the keys are.
rule.rule @masked_attention_in_two_parts(%q: [h, s, d], %k: [h, t, d], %v: [h, t, e], %m: [s, t], %k2: [h, u, d], %v2: [h, u, e], %m2: [s, u]) -> [h, s, e]
  source {
    %kk = graph.concat %k, %k2 axis = 1
    %vv = graph.concat %v, %v2 axis = 1
    %mm = graph.concat %m, %m2 axis = 1
    %0 = graph.attention %q, %kk, %vv, %mm scale = 1.0
    rule.yield %0
  }
  target {
    %a, %la = graph.attention_partial %q, %k, %v, %m scale = 1.0
    %b, %lb = graph.attention_partial %q, %k2, %v2, %m2 scale = 1.0
    %0, %1 = graph.attention_merge %a, %la, %b, %lb
    rule.yield %0
  }
  where [t >= 1, u >= 1]

// Heads of a batch of sequences.

// Merging is associative.
rule.rule @merge_associates_batch(%a: [b, h, s, e], %la: [b, h, s], %b: [b, h, s, e], %lb: [b, h, s], %c: [b, h, s, e], %lc: [b, h, s]) -> ([b, h, s, e], [b, h, s])
  source {
    %0, %1 = graph.attention_merge %a, %la, %b, %lb
    %2, %3 = graph.attention_merge %0, %1, %c, %lc
    rule.yield %2, %3
  }
  target {
    %0, %1 = graph.attention_merge %b, %lb, %c, %lc
    %2, %3 = graph.attention_merge %a, %la, %0, %1
    rule.yield %2, %3
  }

rule.rule @merge_with_empty_64_batch(%a: [b, h, s, e], %la: [b, h, s], %q: [b, h, s, d], %k: [b, h, t, d], %v: [b, h, t, e]) -> ([b, h, s, e], [b, h, s])
  source {
    %b, %lb = graph.attention_partial %q, %k, %v scale = 0.125
    %0, %1 = graph.attention_merge %a, %la, %b, %lb
    rule.yield %0, %1
  }
  target {
    rule.yield %a, %la
  }
  where [t == 0]

rule.rule @attention_in_two_parts_64_batch(%q: [b, h, s, d], %k: [b, h, t, d], %v: [b, h, t, e], %k2: [b, h, u, d], %v2: [b, h, u, e]) -> [b, h, s, e]
  source {
    %kk = graph.concat %k, %k2 axis = 2
    %vv = graph.concat %v, %v2 axis = 2
    %0 = graph.attention %q, %kk, %vv scale = 0.125
    rule.yield %0
  }
  target {
    %a, %la = graph.attention_partial %q, %k, %v scale = 0.125
    %b, %lb = graph.attention_partial %q, %k2, %v2 scale = 0.125
    %0, %1 = graph.attention_merge %a, %la, %b, %lb
    rule.yield %0
  }
  where [t >= 1, u >= 1]

rule.rule @merged_parts_64_batch(%q: [b, h, s, d], %k: [b, h, t, d], %v: [b, h, t, e], %k2: [b, h, u, d], %v2: [b, h, u, e]) -> ([b, h, s, e], [b, h, s])
  source {
    %kk = graph.concat %k, %k2 axis = 2
    %vv = graph.concat %v, %v2 axis = 2
    %0, %1 = graph.attention_partial %q, %kk, %vv scale = 0.125
    rule.yield %0, %1
  }
  target {
    %a, %la = graph.attention_partial %q, %k, %v scale = 0.125
    %b, %lb = graph.attention_partial %q, %k2, %v2 scale = 0.125
    %0, %1 = graph.attention_merge %a, %la, %b, %lb
    rule.yield %0, %1
  }
  where [t >= 1, u >= 1]

rule.rule @attention_in_one_part_64_batch(%q: [b, h, s, d], %k: [b, h, t, d], %v: [b, h, t, e]) -> [b, h, s, e]
  source {
    %0 = graph.attention %q, %k, %v scale = 0.125
    rule.yield %0
  }
  target {
    %0, %1 = graph.attention_partial %q, %k, %v scale = 0.125
    rule.yield %0
  }
  where [t >= 1]

// With a mask, cut where the keys are.
rule.rule @masked_attention_in_two_parts_64_batch(%q: [b, h, s, d], %k: [b, h, t, d], %v: [b, h, t, e], %m: [s, t], %k2: [b, h, u, d], %v2: [b, h, u, e], %m2: [s, u]) -> [b, h, s, e]
  source {
    %kk = graph.concat %k, %k2 axis = 2
    %vv = graph.concat %v, %v2 axis = 2
    %mm = graph.concat %m, %m2 axis = 1
    %0 = graph.attention %q, %kk, %vv, %mm scale = 0.125
    rule.yield %0
  }
  target {
    %a, %la = graph.attention_partial %q, %k, %v, %m scale = 0.125
    %b, %lb = graph.attention_partial %q, %k2, %v2, %m2 scale = 0.125
    %0, %1 = graph.attention_merge %a, %la, %b, %lb
    rule.yield %0
  }
  where [t >= 1, u >= 1]
