// RUN: tenon-opt %s --split-input-file --verify-diagnostics

!n = tensor<?xf32, #graph.dims<n>>

// expected-error @+1 {{'rule.pattern' op operand '%y' is not used by the source, so no match can bind it}}
rule.pattern @unused(%x: [n], %y: [n]) -> [n]
  source {
    %0 = graph.neg %x : !n
    rule.yield %0 : [n]
  }

// -----

!n = tensor<?xf32, #graph.dims<n>>

rule.pattern @wrong_type(%x: [n]) -> [m]
  source {
    %0 = graph.neg %x : !n
    // expected-error @+1 {{'rule.yield' op result 0 of the pattern has type 'tensor<?xf32, #graph.dims<m>>', but source yields 'tensor<?xf32, #graph.dims<n>>'}}
    rule.yield %0 : [n]
  }

// -----

rule.pattern @weights() -> [3]
  source {
    // expected-error @+1 {{'graph.parameter' op is not allowed in a pattern}}
    %0 = graph.parameter @w : tensor<3xf32>
    rule.yield %0 : [3]
  }

// -----

!n2 = tensor<?xf32, #graph.dims<2 * n>>

// expected-error @+1 {{'rule.pattern' op symbol 'n' is neither a whole size of an operand nor a whole parameter in the source, so no match can bind it}}
rule.pattern @unbound(%x: [2 * n]) -> [2 * n]
  source {
    %0 = graph.neg %x : !n2
    rule.yield %0 : [2 * n]
  }

// -----

!mn = tensor<?x?xf32, #graph.dims<m, n>>
!n = tensor<?xf32, #graph.dims<n>>

rule.pattern @broadcasts(%x: [n], %y: [m, n]) -> [m, n]
  lifts [%x, %y]
  source {
    // expected-error @+1 {{'graph.broadcast' op does not pass the pattern's leading axes through}}
    %0 = graph.broadcast %x shape = [m, n] : (!n) -> !mn
    %1 = graph.add %0, %y : !mn
    rule.yield %1 : [m, n]
  }

// -----

!n = tensor<?xf32, #graph.dims<n>>

// expected-error @+1 {{'rule.pattern' op result 1 does not have the pattern's leading axes}}
rule.pattern @half(%x: [n], %y: [n]) -> ([n], [n])
  lifts [%x]
  source {
    %0 = graph.neg %x : !n
    %1 = graph.neg %y : !n
    rule.yield %0, %1 : [n], [n]
  }

// -----

!n = tensor<?xf32, #graph.dims<n>>

rule.pattern @target(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x : !n
    rule.yield %0 : [n]
  }
  // expected-error @+1 {{custom op 'target'}}
  target {
    rule.yield %x : [n]
  }
