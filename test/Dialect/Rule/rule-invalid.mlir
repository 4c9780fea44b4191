// RUN: tenon-opt %s --split-input-file --verify-diagnostics

!n = tensor<?xf32, #graph.dims<n>>

// expected-error @+1 {{'rule.rule' op operand '%y' is not used by the source, so no match can bind it}}
rule.rule @unused(%x: [n], %y: [n]) -> [n]
  source {
    %0 = graph.neg %x : !n
    rule.yield %0 : [n]
  }
  target {
    rule.yield %y : [n]
  }

// -----

!n = tensor<?xf32, #graph.dims<n>>

rule.rule @wrong_type(%x: [n]) -> [m]
  source {
    %0 = graph.neg %x : !n
    // expected-error @+1 {{'rule.yield' op result 0 of the rule has type 'tensor<?xf32, #graph.dims<m>>', but source yields 'tensor<?xf32, #graph.dims<n>>'}}
    rule.yield %0 : [n]
  }
  target {
    rule.yield %x : [n]
  }

// -----

!n = tensor<?xf32, #graph.dims<n>>

rule.rule @too_few(%x: [n]) -> ([n], [n])
  source {
    %0 = graph.neg %x : !n
    rule.yield %0, %0 : [n], [n]
  }
  target {
    // expected-error @+1 {{'rule.yield' op expected 2 results, but got 1}}
    rule.yield %x : [n]
  }

// -----

!n = tensor<?xf32, #graph.dims<n>>

rule.rule @idle(%x: [n]) -> [n]
  source {
    // expected-error @+1 {{'graph.neg' op does not contribute to a result of the source}}
    %0 = graph.neg %x : !n
    %1 = graph.exp %x : !n
    rule.yield %1 : [n]
  }
  target {
    %1 = graph.exp %x : !n
    rule.yield %1 : [n]
  }

// -----

!n = tensor<?xf32, #graph.dims<n>>

// expected-error @+1 {{'rule.rule' op expected the source to yield results of ops, but got an operand}}
rule.rule @nothing(%x: [n]) -> [n]
  source {
    rule.yield %x : [n]
  }
  target {
    %0 = graph.neg %x : !n
    %1 = graph.neg %0 : !n
    rule.yield %1 : [n]
  }

// -----

!n = tensor<?xf32, #graph.dims<n>>

// expected-error @+1 {{'rule.rule' op symbol 'g' is neither a whole size of an operand nor a whole parameter in the source, so no match can bind it}}
rule.rule @free(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x : !n
    rule.yield %0 : [n]
  }
  target {
    %0 = graph.neg %x : !n
    rule.yield %0 : [n]
  }
  where [g divides n]

// -----

!m = tensor<?xf32, #graph.dims<2 * m>>

// expected-error @+1 {{'rule.rule' op symbol 'm' is neither a whole size}}
rule.rule @hidden(%x: [2 * m]) -> [2 * m]
  source {
    %0 = graph.neg %x : !m
    rule.yield %0 : [2 * m]
  }
  target {
    %0 = graph.neg %x : !m
    rule.yield %0 : [2 * m]
  }

// -----

rule.rule @parameter(%x: [4]) -> [4]
  source {
    // expected-error @+1 {{'graph.parameter' op is not allowed in a rule}}
    %w = graph.parameter @w : tensor<4xf32>
    %0 = graph.add %x, %w : tensor<4xf32>
    rule.yield %0 : [4]
  }
  target {
    rule.yield %x : [4]
  }

// -----

rule.rule @unknown_size(%x: tensor<?xf32>) -> tensor<?xf32>
  source {
    // expected-error @+1 {{expected known sizes in a rule}}
    %0 = graph.neg %x : tensor<?xf32>
    rule.yield %0 : tensor<?xf32>
  }
  target {
    rule.yield %x : tensor<?xf32>
  }

// -----

// expected-error @+1 {{expected a size of at least 0, but got -1}}
rule.rule @negative(%x: [-1]) -> [n]

// -----

// expected-error @+1 {{expected an element type of numbers, but got '!llvm.ptr'}}
rule.rule @pointers(%x: [n] of !llvm.ptr) -> [n]

// -----

!n = tensor<?xf32, #graph.dims<n>>

// expected-error @+2 {{expected one of the operands, but got '%y'}}
rule.rule @lift(%x: [n]) -> [n]
  lifts [%y]

// -----

!n = tensor<?xf32, #graph.dims<n>>

rule.rule @relation(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x : !n
    rule.yield %0 : [n]
  }
  target {
    %0 = graph.neg %x : !n
    rule.yield %0 : [n]
  }
  // expected-error @+1 {{expected '==', '>=', '>', '<=', '<' or 'divides'}}
  where [n : 2]

// -----

// expected-error @+9 {{expected one of the operands, but got '%y'}}
rule.rule @value_of_other(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x : tensor<?xf32, #graph.dims<n>>
    rule.yield %0 : [n]
  }
  target {
    rule.yield %x : [n]
  }
  where [is_zero(%y)]

// -----

// expected-error @+1 {{condition 'is_zero(%x)': expected floating-point elements, but got 'i64'}}
rule.rule @value_of_integers(%x: [n] of i64) -> [n] of i64
  source {
    %0 = graph.neg %x : tensor<?xi64, #graph.dims<n>>
    rule.yield %0 : [n] of i64
  }
  target {
    rule.yield %x : [n] of i64
  }
  where [is_zero(%x)]

// -----

// expected-error @+1 {{condition 'is_identity(%x)': expected a square matrix, but got 'tensor<?x?xf32, #graph.dims<m, n>>'}}
rule.rule @identity_of_rectangle(%x: [m, n]) -> [m, n]
  source {
    %0 = graph.neg %x : tensor<?x?xf32, #graph.dims<m, n>>
    rule.yield %0 : [m, n]
  }
  target {
    rule.yield %x : [m, n]
  }
  where [is_identity(%x)]

// -----

// expected-error @+1 {{condition 'is_identity(%x)': expected a matrix, but the operand is lifted}}
rule.rule @identity_with_further_axes(%x: [n, n]) -> [n, n]
  lifts [%x]
  source {
    %0 = graph.neg %x : tensor<?x?xf32, #graph.dims<n, n>>
    rule.yield %0 : [n, n]
  }
  target {
    rule.yield %x : [n, n]
  }
  where [is_identity(%x)]

// -----

// expected-error @+1 {{condition 'is_ones(%x)': expected at most one condition over the operand's elements}}
rule.rule @two_values(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x : tensor<?xf32, #graph.dims<n>>
    rule.yield %0 : [n]
  }
  target {
    rule.yield %x : [n]
  }
  where [is_zero(%x), is_ones(%x)]

// -----

// expected-error @+1 {{expected operand numbers below 1 in 'value_conditions', but got 3}}
"rule.rule"() <{argument_names = ["x"], conditions = [], lifted = array<i64>, result_types = [tensor<?xf32, #graph.dims<n>>], sym_name = "number", value_conditions = [#rule.value_condition<is_zero 3>]}> ({
^bb0(%x: tensor<?xf32, #graph.dims<n>>):
  %0 = graph.neg %x : tensor<?xf32, #graph.dims<n>>
  "rule.yield"(%0) : (tensor<?xf32, #graph.dims<n>>) -> ()
}, {
^bb0(%x: tensor<?xf32, #graph.dims<n>>):
  "rule.yield"(%x) : (tensor<?xf32, #graph.dims<n>>) -> ()
}) : () -> ()

// -----

// expected-error @+1 {{'rule.rule' op expected a name, but got an empty one}}
"rule.rule"() <{argument_names = ["x"], conditions = [], lifted = array<i64>, result_types = [tensor<4xf32>], sym_name = ""}> ({
^bb0(%x: tensor<4xf32>):
  %0 = graph.neg %x : tensor<4xf32>
  rule.yield %0 : [4]
}, {
^bb0(%x: tensor<4xf32>):
  rule.yield %x : [4]
}) : () -> ()
