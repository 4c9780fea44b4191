// Rules that hold over the reals, and whether it is derived that they keep the
// range of floating point.
// RUN: tenon-rules prove %s --json %t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON < %t.json
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
// JSON: "f32": "the target may cancel where the source does not"
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

// The other way nothing is lost, which is not derived: the arguments differ.
// CHECK: proved exp_by_softmax ({{.*}}changes-range
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
// operands would lose too. In f16, a product of two matrices may overflow.
// CHECK: proved associate (reassociates; elements: ring; changes-range in f16;
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

// CHECK: proved distribute (reassociates; elements: ring; changes-range in f16;
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

// The same operations on the same values, in f16 as well.
// CHECK: proved merge (exact; elements: any; {{[0-9]+}} questions
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

// CHECK: proved split_sum (reassociates; elements: ring; {{[0-9]+}} questions
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

// CHECK: proved regroup_three (reassociates; elements: ring; {{[0-9]+}} questions
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

// The square overflows.
// CHECK: proved abs_by_root ({{.*}}changes-range; elements: real; changes-range in bf16; changes-range in f16;
rule.rule @abs_by_root(%x: [m, n]) -> [m, n]
  source {
    %0 = graph.abs %x
    rule.yield %0
  }
  target {
    %0 = graph.mul %x, %x
    %1 = graph.sqrt %0
    rule.yield %1
  }

// So does a product of divisors.
// CHECK: proved divide_at_once ({{.*}}changes-range; elements: real; changes-range in bf16; changes-range in f16;
rule.rule @divide_at_once(%x: [m], %y: [m]) -> [m]
  source {
    %0 = graph.div %x, %y
    %1 = graph.div %0, %y
    rule.yield %1
  }
  target {
    %0 = graph.mul %y, %y
    %1 = graph.div %x, %0
    rule.yield %1
  }

// A difference of squares cancels where a product of differences does not. The
// sums of all absolute values are equal, so they would not tell.
// CHECK: proved square_of_difference (reassociates, changes-range;
rule.rule @square_of_difference(%x: [m], %y: [m]) -> [m]
  source {
    %0 = graph.sub %x, %y
    %1 = graph.mul %0, %0
    rule.yield %1
  }
  target {
    %0 = graph.mul %x, %x
    %1 = graph.mul %x, %y
    %2 = graph.mul %y, %y
    %3 = graph.sub %0, %1
    %4 = graph.sub %3, %1
    %5 = graph.add %4, %2
    rule.yield %5
  }

// CHECK: proved difference_of_squares (reassociates, needs-finite, changes-range;
rule.rule @difference_of_squares(%x: [m], %y: [m]) -> [m]
  source {
    %0 = graph.sub %x, %y
    %1 = graph.add %x, %y
    %2 = graph.mul %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.mul %x, %x
    %1 = graph.mul %y, %y
    %2 = graph.sub %0, %1
    rule.yield %2
  }

// Where an operand is multiplied by a difference, its rounding is lost too; in
// f16, the products may overflow where the difference is small.
// CHECK: proved distribute_over_difference (reassociates; elements: ring; changes-range in f16;
rule.rule @distribute_over_difference(%x: [m], %y: [m], %z: [m]) -> [m]
  source {
    %0 = graph.sub %y, %z
    %1 = graph.mul %x, %0
    rule.yield %1
  }
  target {
    %0 = graph.mul %x, %y
    %1 = graph.mul %x, %z
    %2 = graph.sub %0, %1
    rule.yield %2
  }

// CHECK: proved factor_out (reassociates; elements: ring; {{[0-9]+}} questions
rule.rule @factor_out(%x: [m], %y: [m], %z: [m]) -> [m]
  source {
    %0 = graph.mul %x, %y
    %1 = graph.mul %x, %z
    %2 = graph.sub %0, %1
    rule.yield %2
  }
  target {
    %0 = graph.sub %y, %z
    %1 = graph.mul %x, %0
    rule.yield %1
  }

// Products of two operands of 100 fit into f16, those of three do not.
// CHECK: proved regroup_product (reassociates; elements: ring; {{[0-9]+}} questions
rule.rule @regroup_product(%x: [m], %y: [m], %z: [m]) -> [m]
  source {
    %0 = graph.mul %x, %y
    %1 = graph.mul %0, %z
    rule.yield %1
  }
  target {
    %0 = graph.mul %y, %z
    %1 = graph.mul %x, %0
    rule.yield %1
  }

// CHECK: proved regroup_longer_product (reassociates; elements: ring; changes-range in f16; {{[0-9]+}} questions
rule.rule @regroup_longer_product(%x: [m], %y: [m], %z: [m], %w: [m]) -> [m]
  source {
    %0 = graph.mul %x, %y
    %1 = graph.mul %0, %z
    %2 = graph.mul %1, %w
    rule.yield %2
  }
  target {
    %0 = graph.mul %z, %w
    %1 = graph.mul %y, %0
    %2 = graph.mul %x, %1
    rule.yield %2
  }

// A product of matrices rounds its sums alone to f16, here each product is.
// CHECK: proved matmul_by_sum (exact; elements: any; changes-range in f16; {{[0-9]+}} questions
rule.rule @matmul_by_sum(%x: [m, k], %z: [m, k], %y: [k, 1]) -> [m, 1]
  source {
    %0 = graph.mul %x, %z
    %1 = graph.matmul %0, %y
    rule.yield %1
  }
  target {
    %0 = graph.mul %x, %z
    %1 = graph.transpose %y perm = [1, 0]
    %2 = graph.broadcast %1 shape = [m, k]
    %3 = graph.mul %0, %2
    %4 = graph.reduce_sum %3 axes = [1] keepdims
    rule.yield %4
  }

// Where all operands are large alike, constants decide which side overflows:
// x * 512 does at 2^119 in f32.
// CHECK: proved scale_in_steps (reassociates, changes-range; elements: real; {{[0-9]+}} questions
rule.rule @scale_in_steps(%x: [m]) -> [m]
  source {
    %c = graph.constant dense<4.0> : tensor<f32>
    %cs = graph.broadcast %c shape = [m]
    %0 = graph.mul %x, %cs
    rule.yield %0
  }
  target {
    %c = graph.constant dense<512.0> : tensor<f32>
    %cs = graph.broadcast %c shape = [m]
    %0 = graph.mul %x, %cs
    %d = graph.constant dense<0.0078125> : tensor<f32>
    %ds = graph.broadcast %d shape = [m]
    %1 = graph.mul %0, %ds
    rule.yield %1
  }

// The other way, and where operands are all small alike.
// CHECK: proved scale_at_once (reassociates; elements: real; {{[0-9]+}} questions
rule.rule @scale_at_once(%x: [m]) -> [m]
  source {
    %c = graph.constant dense<512.0> : tensor<f32>
    %cs = graph.broadcast %c shape = [m]
    %0 = graph.mul %x, %cs
    %d = graph.constant dense<0.0078125> : tensor<f32>
    %ds = graph.broadcast %d shape = [m]
    %1 = graph.mul %0, %ds
    rule.yield %1
  }
  target {
    %c = graph.constant dense<4.0> : tensor<f32>
    %cs = graph.broadcast %c shape = [m]
    %0 = graph.mul %x, %cs
    rule.yield %0
  }
// CHECK: proved scale_down_first (reassociates, changes-range; elements: real; {{[0-9]+}} questions
rule.rule @scale_down_first(%x: [m]) -> [m]
  source {
    %c = graph.constant dense<4.0> : tensor<f32>
    %cs = graph.broadcast %c shape = [m]
    %0 = graph.mul %x, %cs
    rule.yield %0
  }
  target {
    %c = graph.constant dense<0.0078125> : tensor<f32>
    %cs = graph.broadcast %c shape = [m]
    %0 = graph.mul %x, %cs
    %d = graph.constant dense<512.0> : tensor<f32>
    %ds = graph.broadcast %d shape = [m]
    %1 = graph.mul %0, %ds
    rule.yield %1
  }

// CHECK: 20 proved
