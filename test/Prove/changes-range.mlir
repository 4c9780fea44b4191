// Rules that hold over the reals but lose accuracy in f32, and rules that only
// regroup.
// RUN: tenon-rules prove %s --json %t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// The class is found by trial, and the same on every run.
// RUN: tenon-rules prove %s --json %t.again.json && diff %t.json %t.again.json
// REQUIRES: z3

!mn = tensor<?x?xf32, #graph.dims<m, n>>
!m1 = tensor<?x1xf32, #graph.dims<m, 1>>
!mk = tensor<?x?xf32, #graph.dims<m, k>>
!kl = tensor<?x?xf32, #graph.dims<k, l>>
!ml = tensor<?x?xf32, #graph.dims<m, l>>
!ln = tensor<?x?xf32, #graph.dims<l, n>>
!kn = tensor<?x?xf32, #graph.dims<k, n>>
!kp = tensor<?x?xf32, #graph.dims<k, p>>
!mp = tensor<?x?xf32, #graph.dims<m, p>>
!k_np = tensor<?x?xf32, #graph.dims<k, n + p>>
!m_np = tensor<?x?xf32, #graph.dims<m, n + p>>

// The mean of squares less the square of the mean.
// CHECK: proved variance_by_squares ({{.*}}changes-range
// JSON: "name": "variance_by_squares"
// JSON: "range_change": {
// JSON: "f32": "with m = {{[0-9]+}}, n = {{[0-9]+}}, on operands {{.*}}, the target is off by {{.*}}, the source by {{.*}}"
rule.rule @variance_by_squares(%x: [m, n]) -> [m, 1]
  source {
    %mean = graph.reduce_mean %x axes = [1] keepdims : (!mn) -> !m1
    %b = graph.broadcast %mean shape = [m, n] : (!m1) -> !mn
    %d = graph.sub %x, %b : !mn
    %s = graph.mul %d, %d : !mn
    %v = graph.reduce_mean %s axes = [1] keepdims : (!mn) -> !m1
    rule.yield %v : [m, 1]
  }
  target {
    %mean = graph.reduce_mean %x axes = [1] keepdims : (!mn) -> !m1
    %s = graph.mul %x, %x : !mn
    %a = graph.reduce_mean %s axes = [1] keepdims : (!mn) -> !m1
    %b = graph.mul %mean, %mean : !m1
    %v = graph.sub %a, %b : !m1
    rule.yield %v : [m, 1]
  }
  where [n >= 1]

// exp overflows where softmax does not.
// CHECK: proved softmax_by_exp ({{.*}}changes-range
rule.rule @softmax_by_exp(%x: [m, n]) -> [m, n]
  source {
    %0 = graph.softmax %x axis = 1 : !mn
    rule.yield %0 : [m, n]
  }
  target {
    %0 = graph.exp %x : !mn
    %1 = graph.reduce_sum %0 axes = [1] keepdims : (!mn) -> !m1
    %2 = graph.broadcast %1 shape = [m, n] : (!m1) -> !mn
    %3 = graph.div %0, %2 : !mn
    rule.yield %3 : [m, n]
  }
  where [n >= 1]

// The other way nothing is lost.
// CHECK: proved exp_by_softmax
// CHECK-NOT: changes-range
// CHECK-SAME: elements
rule.rule @exp_by_softmax(%x: [m, n]) -> [m, n]
  source {
    %0 = graph.exp %x : !mn
    %1 = graph.reduce_sum %0 axes = [1] keepdims : (!mn) -> !m1
    %2 = graph.broadcast %1 shape = [m, n] : (!m1) -> !mn
    %3 = graph.div %0, %2 : !mn
    rule.yield %3 : [m, n]
  }
  target {
    %0 = graph.softmax %x axis = 1 : !mn
    rule.yield %0 : [m, n]
  }
  where [n >= 1]

// Products and sums that are only regrouped: what they lose, a rounding of the
// operands would lose too.
// CHECK: proved associate (reassociates; elements
rule.rule @associate(%a: [m, k], %b: [k, l], %c: [l, n]) -> [m, n]
  source {
    %0 = graph.matmul %a, %b : (!mk, !kl) -> !ml
    %1 = graph.matmul %0, %c : (!ml, !ln) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %0 = graph.matmul %b, %c : (!kl, !ln) -> !kn
    %1 = graph.matmul %a, %0 : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }

// CHECK: proved distribute (reassociates; elements
rule.rule @distribute(%a: [m, k], %b: [k, n], %c: [k, n]) -> [m, n]
  source {
    %0 = graph.add %b, %c : !kn
    %1 = graph.matmul %a, %0 : (!mk, !kn) -> !mn
    rule.yield %1 : [m, n]
  }
  target {
    %0 = graph.matmul %a, %b : (!mk, !kn) -> !mn
    %1 = graph.matmul %a, %c : (!mk, !kn) -> !mn
    %2 = graph.add %0, %1 : !mn
    rule.yield %2 : [m, n]
  }

// CHECK: proved merge (exact; elements
rule.rule @merge(%x: [m, k], %a: [k, n], %b: [k, p]) -> ([m, n], [m, p])
  source {
    %0 = graph.matmul %x, %a : (!mk, !kn) -> !mn
    %1 = graph.matmul %x, %b : (!mk, !kp) -> !mp
    rule.yield %0, %1 : [m, n], [m, p]
  }
  target {
    %ab = graph.concat %a, %b axis = 1 : (!kn, !kp) -> !k_np
    %y = graph.matmul %x, %ab : (!mk, !k_np) -> !m_np
    %0, %1 = graph.split %y axis = 1 sizes = [n, p] : (!m_np) -> (!mn, !mp)
    rule.yield %0, %1 : [m, n], [m, p]
  }

// CHECK: proved split_sum (reassociates; elements
rule.rule @split_sum(%x: [m, n + p]) -> [m, 1]
  source {
    %0, %1 = graph.split %x axis = 1 sizes = [n, p] : (!m_np) -> (!mn, !mp)
    %2 = graph.reduce_sum %0 axes = [1] keepdims : (!mn) -> !m1
    %3 = graph.reduce_sum %1 axes = [1] keepdims : (!mp) -> !m1
    %4 = graph.add %2, %3 : !m1
    rule.yield %4 : [m, 1]
  }
  target {
    %0 = graph.reduce_sum %x axes = [1] keepdims : (!m_np) -> !m1
    rule.yield %0 : [m, 1]
  }

// CHECK: proved regroup_three (reassociates; elements
rule.rule @regroup_three(%a: [m, k], %b: [m, k], %c: [m, k]) -> [m, k]
  source {
    %0 = graph.add %a, %b : !mk
    %1 = graph.add %0, %c : !mk
    rule.yield %1 : [m, k]
  }
  target {
    %0 = graph.add %b, %c : !mk
    %1 = graph.add %a, %0 : !mk
    rule.yield %1 : [m, k]
  }


// A square overflows where the source is a number: 300 in f16.
// CHECK: proved abs_by_square ({{.*}}changes-range{{.*}}changes-range in f16
rule.rule @abs_by_square(%x: [n]) -> [n]
  source {
    %0 = graph.abs %x
    rule.yield %0
  }
  target {
    %0 = graph.mul %x, %x
    %1 = graph.sqrt %0
    rule.yield %1
  }

// CHECK: 9 proved
