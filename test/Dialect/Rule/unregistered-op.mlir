// RUN: tenon-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

rule.rule @unknown_op(%x: [n]) -> [n]
  source {
    // expected-error @+1 {{'foo.op' op is not allowed in a rule}}
    "foo.op"() : () -> ()
    %0 = graph.neg %x
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// -----

rule.pattern @unknown_op(%x: [n]) -> [n]
  source {
    // expected-error @+1 {{'foo.op' op is not allowed in a pattern}}
    "foo.op"() : () -> ()
    %0 = graph.neg %x
    rule.yield %0
  }
