// RUN: tenon-opt %s --split-input-file --verify-diagnostics

// What the source names is not known in the target.
rule.rule @sides(%x: [n]) -> [n]
  source {
    %y = graph.neg %x
    rule.yield %y
  }
  target {
    // expected-error @+1 {{expected a value with a known type (the types of ops in generic form are unknown here), but got '%y'}}
    %0 = graph.neg %y
    rule.yield %0
  }

// -----

rule.rule @order(%x: [n]) -> [n]
  source {
    // expected-error @+1 {{expected a value with a known type (the types of ops in generic form are unknown here), but got '%1'}}
    %0 = graph.neg %1
    %1 = graph.neg %x
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// -----

rule.rule @no_such_result(%x: [2 * n]) -> [n]
  source {
    %0:2 = graph.split %x axis = 0 sizes = [n, n]
    // expected-error @+1 {{expected a value with a known type (the types of ops in generic form are unknown here), but got '%0#2'}}
    %1 = graph.neg %0#2
    rule.yield %1
  }
  target {
    rule.yield %x
  }

// -----

rule.rule @no_yield(%x: [n]) -> [n]
  source {
    %0 = graph.neg %x
    // expected-error @+1 {{expected a value with a known type (the types of ops in generic form are unknown here), but got '%1'}}
    rule.yield %1
  }
  target {
    rule.yield %x
  }

// -----

// Types that can't be inferred.
rule.rule @sizes(%x: [n, k]) -> [n, n]
  source {
    // expected-error @+1 {{expected distinct perm, but got 0 twice}}
    %0 = graph.transpose %x perm = [0, 0]
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// -----

// expected-note @+1 {{prior use here}}
rule.rule @two_types(%x: [n, k], %y: [m, n]) -> [n, k]
  source {
    // expected-error @+1 {{use of value '%y' expects different type than prior uses}}
    %0 = graph.add %x, %y
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// -----

rule.rule @wrong_number_of_types(%x: [n, k], %y: [k, n]) -> [n, n]
  source {
    // expected-error @+1 {{2 operands present, but expected 1}}
    %0 = graph.matmul %x, %y : (tensor<?x?xf32, #graph.dims<n, k>>) -> tensor<?x?xf32, #graph.dims<n, n>>
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// -----

rule.rule @wrong_number_of_results(%x: [n]) -> [n]
  source {
    // expected-error @+1 {{expected 1 result types, but got 2}}
    %0 = graph.transpose %x perm = [0] : (tensor<?xf32, #graph.dims<n>>) -> (tensor<?xf32, #graph.dims<n>>, tensor<?xf32, #graph.dims<n>>)
    rule.yield %0
  }
  target {
    rule.yield %x
  }

// -----

// Elsewhere, types are stated.
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expected ':'}}
  %0 = graph.neg %x
  return %0 : tensor<4xf32>
}

// -----

func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{expected ':'}}
  %0 = graph.matmul %x, %x
  return %0 : tensor<4x4xf32>
}

// -----

rule.rule @generic(%x: [n]) -> [n]
  source {
    %0 = "graph.neg"(%x) : (tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<n>>
    // expected-error @+1 {{expected a value with a known type (the types of ops in generic form are unknown here), but got '%0'}}
    %1 = graph.neg %0
    rule.yield %1
  }
  target {
    rule.yield %x
  }
