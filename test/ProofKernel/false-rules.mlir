// False rules that were proved once, and what must not be: variables that two sums
// bind have texts of their own, -2^63 has no opposite, cancelled infinities and indices
// of 0 are no numbers, 0 and -0 have an order. Without trials, so that the proofs stand alone.
// REQUIRES: z3
// RUN: not tenon-rules prove --without-refuting %s 2> /dev/null | FileCheck %s
// CHECK: unknown capture_text
// CHECK-NEXT: unknown exact_capture
// CHECK-NEXT: unknown exact_capture_blind
// CHECK-NEXT: unsupported neg_overflow
// CHECK-NEXT: unsupported explog
// CHECK-NEXT: unsupported div_overflow
// CHECK-NEXT: proved cancel_in_class (reassociates, needs-finite, changes-range;
// CHECK-NEXT: proved cancel_in_class_log (reassociates, needs-finite, changes-range;
// CHECK-NEXT: proved zero_times (reassociates, needs-finite;
// CHECK-NEXT: proved max_div (reassociates, needs-finite;
// CHECK-NEXT: unknown max_pow
// CHECK-NEXT: proved redmax_div (reassociates, needs-finite;
// CHECK-NEXT: proved boolcast (reassociates, needs-finite;
// CHECK-NEXT: proved boolcast2 (reassociates, needs-finite, changes-range;
// CHECK-NEXT: proved boolcast3 (reassociates, needs-finite, changes-range;

!n_0 = tensor<?xf32, #graph.dims<n>>
!nn_0 = tensor<?x?xf32, #graph.dims<n, n>>
!cn_0 = tensor<?xi1, #graph.dims<n>>
!s_0 = tensor<f32>
rule.rule @capture_text(%x: [n], %y: [n], %z: [n], %o: [n]) -> []
  source {
    %t = graph.reduce_sum %y axes = [0] : (!n_0) -> !s_0
    %tb = graph.broadcast %t shape = [n] : (!s_0) -> !n_0
    %c = graph.less %x, %tb : !n_0
    %q = graph.where %c, %z, %o : !cn_0, !n_0, !n_0
    %r = graph.reduce_sum %q axes = [0] : (!n_0) -> !s_0
    %e = graph.exp %r : !s_0
    rule.yield %e : []
  }
  target {
    %yb = graph.broadcast %y shape = [n, n] : (!n_0) -> !nn_0
    %yt = graph.transpose %yb perm = [1, 0] : (!nn_0) -> !nn_0
    %tb = graph.reduce_sum %yt axes = [1] : (!nn_0) -> !n_0
    %c = graph.less %x, %tb : !n_0
    %q = graph.where %c, %z, %o : !cn_0, !n_0, !n_0
    %r = graph.reduce_sum %q axes = [0] : (!n_0) -> !s_0
    %e = graph.exp %r : !s_0
    rule.yield %e : []
  }

!n_1 = tensor<?xf32, #graph.dims<n>>
!nn_1 = tensor<?x?xf32, #graph.dims<n, n>>
!cn_1 = tensor<?xi1, #graph.dims<n>>
!c_1 = tensor<i1>
!s_1 = tensor<f32>
rule.rule @exact_capture(%x: [], %y: [n], %z: [n], %u: [n], %v: [n], %p: [], %q: []) -> []
  source {
    %t = graph.reduce_sum %z axes = [0] : (!n_1) -> !s_1
    %tb = graph.broadcast %t shape = [n] : (!s_1) -> !n_1
    %c = graph.less %y, %tb : !n_1
    %w = graph.where %c, %u, %v : !cn_1, !n_1, !n_1
    %r = graph.reduce_sum %w axes = [0] : (!n_1) -> !s_1
    %e = graph.less %x, %r : !s_1
    %0 = graph.where %e, %p, %q : !c_1, !s_1, !s_1
    rule.yield %0 : []
  }
  target {
    %yb = graph.broadcast %z shape = [n, n] : (!n_1) -> !nn_1
    %yt = graph.transpose %yb perm = [1, 0] : (!nn_1) -> !nn_1
    %tb = graph.reduce_sum %yt axes = [1] : (!nn_1) -> !n_1
    %c = graph.less %y, %tb : !n_1
    %w = graph.where %c, %u, %v : !cn_1, !n_1, !n_1
    %r = graph.reduce_sum %w axes = [0] : (!n_1) -> !s_1
    %e = graph.less %x, %r : !s_1
    %0 = graph.where %e, %p, %q : !c_1, !s_1, !s_1
    rule.yield %0 : []
  }

!n_2 = tensor<?xf32, #graph.dims<n>>
!nn_2 = tensor<?x?xf32, #graph.dims<n, n>>
!cn_2 = tensor<?xi1, #graph.dims<n>>
!c_2 = tensor<i1>
!s_2 = tensor<f32>
rule.rule @exact_capture_blind(%x: [], %y: [n], %z: [n], %u: [n], %v: [n], %p: [], %q: []) -> []
  source {
    %t = graph.reduce_sum %z axes = [0] : (!n_2) -> !s_2
    %tb = graph.broadcast %t shape = [n] : (!s_2) -> !n_2
    %k = graph.constant dense<1.0e+30> : !s_2
    %kb = graph.broadcast %k shape = [n] : (!s_2) -> !n_2
    %yy = graph.add %y, %kb : !n_2
    %c = graph.less %yy, %tb : !n_2
    %w = graph.where %c, %u, %v : !cn_2, !n_2, !n_2
    %r = graph.reduce_sum %w axes = [0] : (!n_2) -> !s_2
    %e = graph.less %x, %r : !s_2
    %0 = graph.where %e, %p, %q : !c_2, !s_2, !s_2
    rule.yield %0 : []
  }
  target {
    %yb = graph.broadcast %z shape = [n, n] : (!n_2) -> !nn_2
    %yt = graph.transpose %yb perm = [1, 0] : (!nn_2) -> !nn_2
    %tb = graph.reduce_sum %yt axes = [1] : (!nn_2) -> !n_2
    %k = graph.constant dense<1.0e+30> : !s_2
    %kb = graph.broadcast %k shape = [n] : (!s_2) -> !n_2
    %yy = graph.add %y, %kb : !n_2
    %c = graph.less %yy, %tb : !n_2
    %w = graph.where %c, %u, %v : !cn_2, !n_2, !n_2
    %r = graph.reduce_sum %w axes = [0] : (!n_2) -> !s_2
    %e = graph.less %x, %r : !s_2
    %0 = graph.where %e, %p, %q : !c_2, !s_2, !s_2
    rule.yield %0 : []
  }

!n_3 = tensor<?xf32, #graph.dims<n>>
!s_3 = tensor<f32>
rule.rule @neg_overflow(%x: [n]) -> [n]
  source {
    %c = graph.constant dense<2147483648.0> : !s_3
    %b = graph.broadcast %c shape = [n] : (!s_3) -> !n_3
    %d = graph.constant dense<-4294967296.0> : !s_3
    %e = graph.broadcast %d shape = [n] : (!s_3) -> !n_3
    %1 = graph.mul %x, %b : !n_3
    %2 = graph.mul %1, %e : !n_3
    %3 = graph.exp %2 : !n_3
    %4 = graph.reciprocal %3 : !n_3
    rule.yield %4 : [n]
  }
  target {
    %c = graph.constant dense<2147483648.0> : !s_3
    %b = graph.broadcast %c shape = [n] : (!s_3) -> !n_3
    %d = graph.constant dense<-4294967296.0> : !s_3
    %e = graph.broadcast %d shape = [n] : (!s_3) -> !n_3
    %1 = graph.mul %x, %b : !n_3
    %2 = graph.mul %1, %e : !n_3
    %3 = graph.exp %2 : !n_3
    rule.yield %3 : [n]
  }
rule.rule @explog(%x: [n]) -> [n]
  source {
    %l = graph.log %x : !n_3
    %c = graph.constant dense<2147483648.0> : !s_3
    %b = graph.broadcast %c shape = [n] : (!s_3) -> !n_3
    %d = graph.constant dense<-4294967296.0> : !s_3
    %e = graph.broadcast %d shape = [n] : (!s_3) -> !n_3
    %1 = graph.mul %l, %b : !n_3
    %2 = graph.mul %1, %e : !n_3
    %3 = graph.exp %2 : !n_3
    rule.yield %3 : [n]
  }
  target {
    %d = graph.constant dense<1.0> : !s_3
    %e = graph.broadcast %d shape = [n] : (!s_3) -> !n_3
    rule.yield %e : [n]
  }
  where [is_positive(%x)]
rule.rule @div_overflow(%x: [n]) -> [n]
  source {
    %c = graph.constant dense<2147483648.0> : !s_3
    %b = graph.broadcast %c shape = [n] : (!s_3) -> !n_3
    %d = graph.constant dense<-4294967296.0> : !s_3
    %e = graph.broadcast %d shape = [n] : (!s_3) -> !n_3
    %1 = graph.mul %b, %e : !n_3
    %2 = graph.add %x, %x : !n_3
    %3 = graph.div %2, %1 : !n_3
    rule.yield %3 : [n]
  }
  target {
    %c = graph.constant dense<2147483648.0> : !s_3
    %b = graph.broadcast %c shape = [n] : (!s_3) -> !n_3
    %1 = graph.mul %b, %b : !n_3
    %3 = graph.div %x, %1 : !n_3
    rule.yield %3 : [n]
  }
!kj_3 = tensor<?xf32, #graph.dims<k + j>>
!k_3 = tensor<?xf32, #graph.dims<k>>
!j_3 = tensor<?xf32, #graph.dims<j>>

!n_4 = tensor<?xf32, #graph.dims<n>>
!m_4 = tensor<?xf32, #graph.dims<m>>
!s_4 = tensor<f32>
!kj_4 = tensor<?xf32, #graph.dims<k + j>>
!k_4 = tensor<?xf32, #graph.dims<k>>
!j_4 = tensor<?xf32, #graph.dims<j>>
!jm_4 = tensor<?xf32, #graph.dims<j + m>>
!kjm_4 = tensor<?xf32, #graph.dims<k + j + m>>
rule.rule @cancel_in_class(%a: [k + j], %b: [m], %c: [j + m], %w: [k + j + m], %k: [k], %j: [j]) -> ([k + j + m], [k], [j])
  source {
    %kn = graph.neg %k : !k_4
    %jn = graph.neg %j : !j_4
    %u = graph.concat %a, %b axis = 0 : (!kj_4, !m_4) -> !kjm_4
    %a0 = graph.slice %a starts = [0] sizes = [k] steps = [1] : (!kj_4) -> !k_4
    %v = graph.concat %a0, %c axis = 0 : (!k_4, !jm_4) -> !kjm_4
    %1 = graph.add %w, %u : !kjm_4
    %2 = graph.sub %1, %v : !kjm_4
    rule.yield %2, %kn, %jn : [k + j + m], [k], [j]
  }
  target {
    %kn = graph.neg %k : !k_4
    %jn = graph.neg %j : !j_4
    %w0, %w1, %w2 = graph.split %w axis = 0 sizes = [k, j, m] : (!kjm_4) -> (!k_4, !j_4, !m_4)
    %a0, %a1 = graph.split %a axis = 0 sizes = [k, j] : (!kj_4) -> (!k_4, !j_4)
    %c0, %c1 = graph.split %c axis = 0 sizes = [j, m] : (!jm_4) -> (!j_4, !m_4)
    %x1 = graph.add %w1, %a1 : !j_4
    %y1 = graph.sub %x1, %c0 : !j_4
    %x2 = graph.add %w2, %b : !m_4
    %y2 = graph.sub %x2, %c1 : !m_4
    %0 = graph.concat %w0, %y1, %y2 axis = 0 : (!k_4, !j_4, !m_4) -> !kjm_4
    rule.yield %0, %kn, %jn : [k + j + m], [k], [j]
  }
rule.rule @cancel_in_class_log(%aa: [k + j], %b: [m], %c: [j + m], %w: [k + j + m], %k: [k], %j: [j]) -> ([k + j + m], [k], [j])
  source {
    %kn = graph.neg %k : !k_4
    %jn = graph.neg %j : !j_4
    %a = graph.log %aa : !kj_4
    %u = graph.concat %a, %b axis = 0 : (!kj_4, !m_4) -> !kjm_4
    %a0 = graph.slice %a starts = [0] sizes = [k] steps = [1] : (!kj_4) -> !k_4
    %v = graph.concat %a0, %c axis = 0 : (!k_4, !jm_4) -> !kjm_4
    %1 = graph.add %w, %u : !kjm_4
    %2 = graph.sub %1, %v : !kjm_4
    rule.yield %2, %kn, %jn : [k + j + m], [k], [j]
  }
  target {
    %kn = graph.neg %k : !k_4
    %jn = graph.neg %j : !j_4
    %a = graph.log %aa : !kj_4
    %w0, %w1, %w2 = graph.split %w axis = 0 sizes = [k, j, m] : (!kjm_4) -> (!k_4, !j_4, !m_4)
    %a0, %a1 = graph.split %a axis = 0 sizes = [k, j] : (!kj_4) -> (!k_4, !j_4)
    %c0, %c1 = graph.split %c axis = 0 sizes = [j, m] : (!jm_4) -> (!j_4, !m_4)
    %x1 = graph.add %w1, %a1 : !j_4
    %y1 = graph.sub %x1, %c0 : !j_4
    %x2 = graph.add %w2, %b : !m_4
    %y2 = graph.sub %x2, %c1 : !m_4
    %0 = graph.concat %w0, %y1, %y2 axis = 0 : (!k_4, !j_4, !m_4) -> !kjm_4
    rule.yield %0, %kn, %jn : [k + j + m], [k], [j]
  }

!n_5 = tensor<?xf32, #graph.dims<n>>
!n1_5 = tensor<?xf32, #graph.dims<n + 1>>
!ni_5 = tensor<?xi32, #graph.dims<n>>
!nb_5 = tensor<?xi8, #graph.dims<n>>
!nn_5 = tensor<?x?xf32, #graph.dims<n, n>>
!mn_5 = tensor<?x?xf32, #graph.dims<m, n>>
!m_5 = tensor<?xf32, #graph.dims<m>>
!c_5 = tensor<?xi1, #graph.dims<n>>
!s_5 = tensor<f32>
!o_5 = tensor<1xf32>
!ub_5 = tensor<?xui8, #graph.dims<n>>
!ib_5 = tensor<300xi8>
!il_5 = tensor<300xi64>
!i1_5 = tensor<300xi1>
rule.rule @zero_times(%x: [n + 1], %y: [n]) -> ([n + 1], [n])
  source {
    %i = graph.iota shape = [n + 1] axis = 0 of f32 : () -> !n1_5
    %a = graph.mul %x, %i : !n1_5
    %b = graph.add %a, %i : !n1_5
    %q = graph.neg %y : !n_5
    rule.yield %b, %q : [n + 1], [n]
  }
  target {
    %i = graph.iota shape = [n + 1] axis = 0 of f32 : () -> !n1_5
    %a = graph.mul %x, %i : !n1_5
    %b = graph.add %a, %i : !n1_5
    %c = graph.slice %b starts = [1] sizes = [n] steps = [1] : (!n1_5) -> !n_5
    %z = graph.iota shape = [1] axis = 0 of f32 : () -> !o_5
    %d = graph.concat %z, %c axis = 0 : (!o_5, !n_5) -> !n1_5
    %q = graph.neg %y : !n_5
    rule.yield %d, %q : [n + 1], [n]
  }

!n_6 = tensor<?xf32, #graph.dims<n>>
!ni_6 = tensor<?xi32, #graph.dims<n>>
rule.rule @max_div(%x: [n], %a: [n], %b: [n]) -> [n]
  source {
    %m = graph.maximum %a, %b : !n_6
    %0 = graph.div %x, %m : !n_6
    rule.yield %0 : [n]
  }
  target {
    %m = graph.maximum %b, %a : !n_6
    %0 = graph.div %x, %m : !n_6
    rule.yield %0 : [n]
  }
rule.rule @max_pow(%x: [n], %a: [n], %b: [n]) -> [n]
  source {
    %m = graph.minimum %a, %b : !n_6
    %0 = graph.pow %m, %x : !n_6
    rule.yield %0 : [n]
  }
  target {
    %m = graph.minimum %b, %a : !n_6
    %0 = graph.pow %m, %x : !n_6
    rule.yield %0 : [n]
  }

!n_7 = tensor<?xf32, #graph.dims<n>>
!nm_7 = tensor<?x?xf32, #graph.dims<n, m>>
rule.rule @redmax_div(%x: [n], %a: [n, m]) -> [n]
  source {
    %m = graph.reduce_max %a axes = [1] : (!nm_7) -> !n_7
    %0 = graph.div %x, %m : !n_7
    rule.yield %0 : [n]
  }
  target {
    %b = graph.reverse %a axes = [1] : !nm_7
    %m = graph.reduce_max %b axes = [1] : (!nm_7) -> !n_7
    %0 = graph.div %x, %m : !n_7
    rule.yield %0 : [n]
  }

!n_8 = tensor<?xf32, #graph.dims<n>>
!nb_8 = tensor<?xi1, #graph.dims<n>>
!nm_8 = tensor<?x?xf32, #graph.dims<n, m>>
!nmb_8 = tensor<?x?xi1, #graph.dims<n, m>>
rule.rule @boolcast(%y: [n], %c: [n] of i1) -> [n]
  source {
    %x = graph.log %y : !n_8
    %f = graph.cast %c to f32 : !nb_8
    %d = graph.not %c : !nb_8
    %g = graph.cast %d to f32 : !nb_8
    %a = graph.mul %f, %x : !n_8
    %b = graph.mul %g, %x : !n_8
    %r = graph.add %a, %b : !n_8
    rule.yield %r : [n]
  }
  target {
    %x = graph.log %y : !n_8
    rule.yield %x : [n]
  }
rule.rule @boolcast2(%y: [n], %c: [n] of i1) -> [n]
  source {
    %x = graph.log %y : !n_8
    %f = graph.cast %c to f32 : !nb_8
    %a = graph.mul %f, %x : !n_8
    %r = graph.exp %a : !n_8
    rule.yield %r : [n]
  }
  target {
    %f = graph.cast %c to f32 : !nb_8
    %x = graph.log %y : !n_8
    %e = graph.exp %x : !n_8
    %o = graph.constant dense<1.0> : tensor<f32>
    %ob = graph.broadcast %o shape = [n] : (tensor<f32>) -> !n_8
    %r = graph.where %c, %e, %ob : !nb_8, !n_8, !n_8
    rule.yield %r : [n]
  }
rule.rule @boolcast3(%y: [n], %c: [n] of i1, %z: [n]) -> [n]
  source {
    %x = graph.log %y : !n_8
    %f = graph.cast %c to f32 : !nb_8
    %a = graph.mul %f, %x : !n_8
    %r = graph.maximum %a, %z : !n_8
    rule.yield %r : [n]
  }
  target {
    %x = graph.log %y : !n_8
    %f = graph.cast %c to f32 : !nb_8
    %a = graph.maximum %x, %z : !n_8
    %o = graph.constant dense<0.0> : tensor<f32>
    %ob = graph.broadcast %o shape = [n] : (tensor<f32>) -> !n_8
    %e = graph.maximum %z, %ob : !n_8
    %r = graph.where %c, %a, %e : !nb_8, !n_8, !n_8
    rule.yield %r : [n]
  }
