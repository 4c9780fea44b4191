// Negative tests for rules/movement.mlir: each must be refuted.
// RUN: not tenon-rules prove %s 2>/dev/null | FileCheck %s
// The proofs themselves find none of them, without trying small sizes first.
// RUN: not tenon-rules prove --without-refuting %s 2>/dev/null | FileCheck %s --check-prefix=PROOF
// PROOF: 0 proved, 75 unknown
// REQUIRES: z3
// REQUIRES: full

!aa = tensor<?x?xf32, #graph.dims<a, a>>
// CHECK: refuted transposes_cancel_10_10_wrongly
rule.rule @transposes_cancel_10_10_wrongly(%x: [a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.transpose %0 perm = [0, 1] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }
  target {
    rule.yield %x : [a, a]
  }

!aaa = tensor<?x?x?xf32, #graph.dims<a, a, a>>
// CHECK: refuted transposes_cancel_102_102_wrongly
rule.rule @transposes_cancel_102_102_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [0, 2, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    rule.yield %x : [a, a, a]
  }

// CHECK: refuted transposes_cancel_120_201_wrongly
rule.rule @transposes_cancel_120_201_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    rule.yield %x : [a, a, a]
  }

// CHECK: refuted transposes_cancel_201_120_wrongly
rule.rule @transposes_cancel_201_120_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    rule.yield %x : [a, a, a]
  }

// CHECK: refuted transposes_cancel_210_210_wrongly
rule.rule @transposes_cancel_210_210_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 1, 0] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    rule.yield %x : [a, a, a]
  }

// CHECK: refuted transposes_merge_102_120_wrongly
rule.rule @transposes_merge_102_120_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [2, 1, 0] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

// CHECK: refuted transposes_merge_102_201_wrongly
rule.rule @transposes_merge_102_201_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [0, 2, 1] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

// CHECK: refuted transposes_merge_102_210_wrongly
rule.rule @transposes_merge_102_210_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [2, 1, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

// CHECK: refuted transposes_merge_102_021_wrongly
rule.rule @transposes_merge_102_021_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [0, 2, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

// CHECK: refuted transposes_merge_120_102_wrongly
rule.rule @transposes_merge_120_102_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [0, 2, 1] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

// CHECK: refuted transposes_merge_120_120_wrongly
rule.rule @transposes_merge_120_120_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

// CHECK: refuted transposes_merge_120_210_wrongly
rule.rule @transposes_merge_120_210_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [2, 1, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

// CHECK: refuted transposes_merge_120_021_wrongly
rule.rule @transposes_merge_120_021_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [0, 2, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [2, 1, 0] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

// CHECK: refuted transposes_merge_201_102_wrongly
rule.rule @transposes_merge_201_102_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [2, 1, 0] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

// CHECK: refuted transposes_merge_201_201_wrongly
rule.rule @transposes_merge_201_201_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

// CHECK: refuted transposes_merge_201_210_wrongly
rule.rule @transposes_merge_201_210_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [2, 1, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [0, 2, 1] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

// CHECK: refuted transposes_merge_201_021_wrongly
rule.rule @transposes_merge_201_021_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [0, 2, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

// CHECK: refuted transposes_merge_210_102_wrongly
rule.rule @transposes_merge_210_102_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 1, 0] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

// CHECK: refuted transposes_merge_210_120_wrongly
rule.rule @transposes_merge_210_120_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 1, 0] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [0, 2, 1] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

// CHECK: refuted transposes_merge_210_201_wrongly
rule.rule @transposes_merge_210_201_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 1, 0] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

// CHECK: refuted transposes_merge_210_021_wrongly
rule.rule @transposes_merge_210_021_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [2, 1, 0] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [0, 2, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

// CHECK: refuted transposes_merge_021_102_wrongly
rule.rule @transposes_merge_021_102_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [0, 2, 1] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

// CHECK: refuted transposes_merge_021_120_wrongly
rule.rule @transposes_merge_021_120_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [0, 2, 1] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

// CHECK: refuted transposes_merge_021_201_wrongly
rule.rule @transposes_merge_021_201_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [0, 2, 1] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [2, 1, 0] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

// CHECK: refuted transposes_merge_021_210_wrongly
rule.rule @transposes_merge_021_210_wrongly(%x: [a, a, a]) -> [a, a, a]
  source {
    %0 = graph.transpose %x perm = [0, 2, 1] : (!aaa) -> !aaa
    %1 = graph.transpose %0 perm = [2, 1, 0] : (!aaa) -> !aaa
    rule.yield %1 : [a, a, a]
  }
  target {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    rule.yield %0 : [a, a, a]
  }

!scalar = tensor<f32>
!ab = tensor<?x?xf32, #graph.dims<a, b>>
!ba = tensor<?x?xf32, #graph.dims<b, a>>
// CHECK: refuted transpose_of_repeated_number_in_place
rule.rule @transpose_of_repeated_number_in_place(%x: []) -> [b, a]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!scalar) -> !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }
  target {
    %0 = graph.broadcast %x shape = [a, b] : (!scalar) -> !ba
    rule.yield %0 : [b, a]
  }

!a2 = tensor<?x2xf32, #graph.dims<a, 2>>
!of2a = tensor<2x?xf32, #graph.dims<2, a>>
// CHECK: refuted transpose_of_column_of_two
rule.rule @transpose_of_column_of_two(%x: [a, 2]) -> [2, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!a2) -> !of2a
    rule.yield %0 : [2, a]
  }
  target {
    %0 = graph.reshape %x shape = [2, a] : (!a2) -> !of2a
    rule.yield %0 : [2, a]
  }

!ae = tensor<?x?xf32, #graph.dims<a, e>>
!ea = tensor<?x?xf32, #graph.dims<e, a>>
!be_a = tensor<?x?xf32, #graph.dims<b + e, a>>
!a_be = tensor<?x?xf32, #graph.dims<a, b + e>>
// CHECK: refuted concat_of_transposed_10_along_0_swapped
rule.rule @concat_of_transposed_10_along_0_swapped(%x: [a, b], %y: [a, e]) -> [b + e, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.transpose %y perm = [1, 0] : (!ae) -> !ea
    %2 = graph.concat %0, %1 axis = 0 : (!ba, !ea) -> !be_a
    rule.yield %2 : [b + e, a]
  }
  target {
    %0 = graph.concat %y, %x axis = 1 : (!ae, !ab) -> !a_be
    %1 = graph.transpose %0 perm = [1, 0] : (!a_be) -> !be_a
    rule.yield %1 : [b + e, a]
  }

!eb = tensor<?x?xf32, #graph.dims<e, b>>
!be = tensor<?x?xf32, #graph.dims<b, e>>
!b_ae = tensor<?x?xf32, #graph.dims<b, a + e>>
!ae_b = tensor<?x?xf32, #graph.dims<a + e, b>>
// CHECK: refuted concat_of_transposed_10_along_1_swapped
rule.rule @concat_of_transposed_10_along_1_swapped(%x: [a, b], %y: [e, b]) -> [b, a + e]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.transpose %y perm = [1, 0] : (!eb) -> !be
    %2 = graph.concat %0, %1 axis = 1 : (!ba, !be) -> !b_ae
    rule.yield %2 : [b, a + e]
  }
  target {
    %0 = graph.concat %y, %x axis = 0 : (!eb, !ab) -> !ae_b
    %1 = graph.transpose %0 perm = [1, 0] : (!ae_b) -> !b_ae
    rule.yield %1 : [b, a + e]
  }

!abc = tensor<?x?x?xf32, #graph.dims<a, b, c>>
!bac = tensor<?x?x?xf32, #graph.dims<b, a, c>>
!aec = tensor<?x?x?xf32, #graph.dims<a, e, c>>
!eac = tensor<?x?x?xf32, #graph.dims<e, a, c>>
!be_a_c = tensor<?x?x?xf32, #graph.dims<b + e, a, c>>
!a_be_c = tensor<?x?x?xf32, #graph.dims<a, b + e, c>>
// CHECK: refuted concat_of_transposed_102_along_0_swapped
rule.rule @concat_of_transposed_102_along_0_swapped(%x: [a, b, c], %y: [a, e, c]) -> [b + e, a, c]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.transpose %y perm = [1, 0, 2] : (!aec) -> !eac
    %2 = graph.concat %0, %1 axis = 0 : (!bac, !eac) -> !be_a_c
    rule.yield %2 : [b + e, a, c]
  }
  target {
    %0 = graph.concat %y, %x axis = 1 : (!aec, !abc) -> !a_be_c
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!a_be_c) -> !be_a_c
    rule.yield %1 : [b + e, a, c]
  }

!ebc = tensor<?x?x?xf32, #graph.dims<e, b, c>>
!bec = tensor<?x?x?xf32, #graph.dims<b, e, c>>
!b_ae_c = tensor<?x?x?xf32, #graph.dims<b, a + e, c>>
!ae_b_c = tensor<?x?x?xf32, #graph.dims<a + e, b, c>>
// CHECK: refuted concat_of_transposed_102_along_1_swapped
rule.rule @concat_of_transposed_102_along_1_swapped(%x: [a, b, c], %y: [e, b, c]) -> [b, a + e, c]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.transpose %y perm = [1, 0, 2] : (!ebc) -> !bec
    %2 = graph.concat %0, %1 axis = 1 : (!bac, !bec) -> !b_ae_c
    rule.yield %2 : [b, a + e, c]
  }
  target {
    %0 = graph.concat %y, %x axis = 0 : (!ebc, !abc) -> !ae_b_c
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!ae_b_c) -> !b_ae_c
    rule.yield %1 : [b, a + e, c]
  }

!abe = tensor<?x?x?xf32, #graph.dims<a, b, e>>
!bae = tensor<?x?x?xf32, #graph.dims<b, a, e>>
!b_a_ce = tensor<?x?x?xf32, #graph.dims<b, a, c + e>>
!a_b_ce = tensor<?x?x?xf32, #graph.dims<a, b, c + e>>
// CHECK: refuted concat_of_transposed_102_along_2_swapped
rule.rule @concat_of_transposed_102_along_2_swapped(%x: [a, b, c], %y: [a, b, e]) -> [b, a, c + e]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.transpose %y perm = [1, 0, 2] : (!abe) -> !bae
    %2 = graph.concat %0, %1 axis = 2 : (!bac, !bae) -> !b_a_ce
    rule.yield %2 : [b, a, c + e]
  }
  target {
    %0 = graph.concat %y, %x axis = 2 : (!abe, !abc) -> !a_b_ce
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!a_b_ce) -> !b_a_ce
    rule.yield %1 : [b, a, c + e]
  }

!bca = tensor<?x?x?xf32, #graph.dims<b, c, a>>
!eca = tensor<?x?x?xf32, #graph.dims<e, c, a>>
!be_c_a = tensor<?x?x?xf32, #graph.dims<b + e, c, a>>
// CHECK: refuted concat_of_transposed_120_along_0_swapped
rule.rule @concat_of_transposed_120_along_0_swapped(%x: [a, b, c], %y: [a, e, c]) -> [b + e, c, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.transpose %y perm = [1, 2, 0] : (!aec) -> !eca
    %2 = graph.concat %0, %1 axis = 0 : (!bca, !eca) -> !be_c_a
    rule.yield %2 : [b + e, c, a]
  }
  target {
    %0 = graph.concat %y, %x axis = 1 : (!aec, !abc) -> !a_be_c
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!a_be_c) -> !be_c_a
    rule.yield %1 : [b + e, c, a]
  }

!bea = tensor<?x?x?xf32, #graph.dims<b, e, a>>
!b_ce_a = tensor<?x?x?xf32, #graph.dims<b, c + e, a>>
// CHECK: refuted concat_of_transposed_120_along_1_swapped
rule.rule @concat_of_transposed_120_along_1_swapped(%x: [a, b, c], %y: [a, b, e]) -> [b, c + e, a]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.transpose %y perm = [1, 2, 0] : (!abe) -> !bea
    %2 = graph.concat %0, %1 axis = 1 : (!bca, !bea) -> !b_ce_a
    rule.yield %2 : [b, c + e, a]
  }
  target {
    %0 = graph.concat %y, %x axis = 2 : (!abe, !abc) -> !a_b_ce
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!a_b_ce) -> !b_ce_a
    rule.yield %1 : [b, c + e, a]
  }

!bce = tensor<?x?x?xf32, #graph.dims<b, c, e>>
!b_c_ae = tensor<?x?x?xf32, #graph.dims<b, c, a + e>>
// CHECK: refuted concat_of_transposed_120_along_2_swapped
rule.rule @concat_of_transposed_120_along_2_swapped(%x: [a, b, c], %y: [e, b, c]) -> [b, c, a + e]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.transpose %y perm = [1, 2, 0] : (!ebc) -> !bce
    %2 = graph.concat %0, %1 axis = 2 : (!bca, !bce) -> !b_c_ae
    rule.yield %2 : [b, c, a + e]
  }
  target {
    %0 = graph.concat %y, %x axis = 0 : (!ebc, !abc) -> !ae_b_c
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!ae_b_c) -> !b_c_ae
    rule.yield %1 : [b, c, a + e]
  }

!cab = tensor<?x?x?xf32, #graph.dims<c, a, b>>
!eab = tensor<?x?x?xf32, #graph.dims<e, a, b>>
!ce_a_b = tensor<?x?x?xf32, #graph.dims<c + e, a, b>>
// CHECK: refuted concat_of_transposed_201_along_0_swapped
rule.rule @concat_of_transposed_201_along_0_swapped(%x: [a, b, c], %y: [a, b, e]) -> [c + e, a, b]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.transpose %y perm = [2, 0, 1] : (!abe) -> !eab
    %2 = graph.concat %0, %1 axis = 0 : (!cab, !eab) -> !ce_a_b
    rule.yield %2 : [c + e, a, b]
  }
  target {
    %0 = graph.concat %y, %x axis = 2 : (!abe, !abc) -> !a_b_ce
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!a_b_ce) -> !ce_a_b
    rule.yield %1 : [c + e, a, b]
  }

!ceb = tensor<?x?x?xf32, #graph.dims<c, e, b>>
!c_ae_b = tensor<?x?x?xf32, #graph.dims<c, a + e, b>>
// CHECK: refuted concat_of_transposed_201_along_1_swapped
rule.rule @concat_of_transposed_201_along_1_swapped(%x: [a, b, c], %y: [e, b, c]) -> [c, a + e, b]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.transpose %y perm = [2, 0, 1] : (!ebc) -> !ceb
    %2 = graph.concat %0, %1 axis = 1 : (!cab, !ceb) -> !c_ae_b
    rule.yield %2 : [c, a + e, b]
  }
  target {
    %0 = graph.concat %y, %x axis = 0 : (!ebc, !abc) -> !ae_b_c
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!ae_b_c) -> !c_ae_b
    rule.yield %1 : [c, a + e, b]
  }

!cae = tensor<?x?x?xf32, #graph.dims<c, a, e>>
!c_a_be = tensor<?x?x?xf32, #graph.dims<c, a, b + e>>
// CHECK: refuted concat_of_transposed_201_along_2_swapped
rule.rule @concat_of_transposed_201_along_2_swapped(%x: [a, b, c], %y: [a, e, c]) -> [c, a, b + e]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.transpose %y perm = [2, 0, 1] : (!aec) -> !cae
    %2 = graph.concat %0, %1 axis = 2 : (!cab, !cae) -> !c_a_be
    rule.yield %2 : [c, a, b + e]
  }
  target {
    %0 = graph.concat %y, %x axis = 1 : (!aec, !abc) -> !a_be_c
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!a_be_c) -> !c_a_be
    rule.yield %1 : [c, a, b + e]
  }

!a_ee = tensor<?x?xf32, #graph.dims<a, e + e>>
!ee_a = tensor<?x?xf32, #graph.dims<e + e, a>>
// CHECK: refuted split_of_transposed_10_along_0_swapped
rule.rule @split_of_transposed_10_along_0_swapped(%x: [a, e + e]) -> ([e, a], [e, a])
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!a_ee) -> !ee_a
    %1, %2 = graph.split %0 axis = 0 sizes = [e, e] : (!ee_a) -> (!ea, !ea)
    rule.yield %1, %2 : [e, a], [e, a]
  }
  target {
    %0, %1 = graph.split %x axis = 1 sizes = [e, e] : (!a_ee) -> (!ae, !ae)
    %2 = graph.transpose %0 perm = [1, 0] : (!ae) -> !ea
    %3 = graph.transpose %1 perm = [1, 0] : (!ae) -> !ea
    rule.yield %3, %2 : [e, a], [e, a]
  }

!ee_b = tensor<?x?xf32, #graph.dims<e + e, b>>
!b_ee = tensor<?x?xf32, #graph.dims<b, e + e>>
// CHECK: refuted split_of_transposed_10_along_1_swapped
rule.rule @split_of_transposed_10_along_1_swapped(%x: [e + e, b]) -> ([b, e], [b, e])
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ee_b) -> !b_ee
    %1, %2 = graph.split %0 axis = 1 sizes = [e, e] : (!b_ee) -> (!be, !be)
    rule.yield %1, %2 : [b, e], [b, e]
  }
  target {
    %0, %1 = graph.split %x axis = 0 sizes = [e, e] : (!ee_b) -> (!eb, !eb)
    %2 = graph.transpose %0 perm = [1, 0] : (!eb) -> !be
    %3 = graph.transpose %1 perm = [1, 0] : (!eb) -> !be
    rule.yield %3, %2 : [b, e], [b, e]
  }

!ee_b_c = tensor<?x?x?xf32, #graph.dims<e + e, b, c>>
!b_c_ee = tensor<?x?x?xf32, #graph.dims<b, c, e + e>>
// CHECK: refuted split_of_transposed_120_along_2_swapped
rule.rule @split_of_transposed_120_along_2_swapped(%x: [e + e, b, c]) -> ([b, c, e], [b, c, e])
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!ee_b_c) -> !b_c_ee
    %1, %2 = graph.split %0 axis = 2 sizes = [e, e] : (!b_c_ee) -> (!bce, !bce)
    rule.yield %1, %2 : [b, c, e], [b, c, e]
  }
  target {
    %0, %1 = graph.split %x axis = 0 sizes = [e, e] : (!ee_b_c) -> (!ebc, !ebc)
    %2 = graph.transpose %0 perm = [1, 2, 0] : (!ebc) -> !bce
    %3 = graph.transpose %1 perm = [1, 2, 0] : (!ebc) -> !bce
    rule.yield %3, %2 : [b, c, e], [b, c, e]
  }

!a_b_ee = tensor<?x?x?xf32, #graph.dims<a, b, e + e>>
!ee_a_b = tensor<?x?x?xf32, #graph.dims<e + e, a, b>>
// CHECK: refuted split_of_transposed_201_along_0_swapped
rule.rule @split_of_transposed_201_along_0_swapped(%x: [a, b, e + e]) -> ([e, a, b], [e, a, b])
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!a_b_ee) -> !ee_a_b
    %1, %2 = graph.split %0 axis = 0 sizes = [e, e] : (!ee_a_b) -> (!eab, !eab)
    rule.yield %1, %2 : [e, a, b], [e, a, b]
  }
  target {
    %0, %1 = graph.split %x axis = 2 sizes = [e, e] : (!a_b_ee) -> (!abe, !abe)
    %2 = graph.transpose %0 perm = [2, 0, 1] : (!abe) -> !eab
    %3 = graph.transpose %1 perm = [2, 0, 1] : (!abe) -> !eab
    rule.yield %3, %2 : [e, a, b], [e, a, b]
  }

!a_ee_c = tensor<?x?x?xf32, #graph.dims<a, e + e, c>>
!ee_a_c = tensor<?x?x?xf32, #graph.dims<e + e, a, c>>
// CHECK: refuted split_of_transposed_102_along_0_swapped
rule.rule @split_of_transposed_102_along_0_swapped(%x: [a, e + e, c]) -> ([e, a, c], [e, a, c])
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!a_ee_c) -> !ee_a_c
    %1, %2 = graph.split %0 axis = 0 sizes = [e, e] : (!ee_a_c) -> (!eac, !eac)
    rule.yield %1, %2 : [e, a, c], [e, a, c]
  }
  target {
    %0, %1 = graph.split %x axis = 1 sizes = [e, e] : (!a_ee_c) -> (!aec, !aec)
    %2 = graph.transpose %0 perm = [1, 0, 2] : (!aec) -> !eac
    %3 = graph.transpose %1 perm = [1, 0, 2] : (!aec) -> !eac
    rule.yield %3, %2 : [e, a, c], [e, a, c]
  }

!b_ee_c = tensor<?x?x?xf32, #graph.dims<b, e + e, c>>
// CHECK: refuted split_of_transposed_102_along_1_swapped
rule.rule @split_of_transposed_102_along_1_swapped(%x: [e + e, b, c]) -> ([b, e, c], [b, e, c])
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!ee_b_c) -> !b_ee_c
    %1, %2 = graph.split %0 axis = 1 sizes = [e, e] : (!b_ee_c) -> (!bec, !bec)
    rule.yield %1, %2 : [b, e, c], [b, e, c]
  }
  target {
    %0, %1 = graph.split %x axis = 0 sizes = [e, e] : (!ee_b_c) -> (!ebc, !ebc)
    %2 = graph.transpose %0 perm = [1, 0, 2] : (!ebc) -> !bec
    %3 = graph.transpose %1 perm = [1, 0, 2] : (!ebc) -> !bec
    rule.yield %3, %2 : [b, e, c], [b, e, c]
  }

!pp = tensor<?x?xf32, #graph.dims<p, p>>
// CHECK: refuted slice_of_transposed_10_unpermuted
rule.rule @slice_of_transposed_10_unpermuted(%x: [a, a]) -> [p, p]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.slice %0 starts = [s, t] sizes = [p, p] steps = [1, 1] : (!aa) -> !pp
    rule.yield %1 : [p, p]
  }
  target {
    %0 = graph.slice %x starts = [s, t] sizes = [p, p] steps = [1, 1] : (!aa) -> !pp
    %1 = graph.transpose %0 perm = [1, 0] : (!pp) -> !pp
    rule.yield %1 : [p, p]
  }
  where [s + p <= a, t + p <= a]

!ppp = tensor<?x?x?xf32, #graph.dims<p, p, p>>
// CHECK: refuted slice_of_transposed_102_unpermuted
rule.rule @slice_of_transposed_102_unpermuted(%x: [a, a, a]) -> [p, p, p]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.slice %0 starts = [s, t, u] sizes = [p, p, p] steps = [1, 1, 1] : (!aaa) -> !ppp
    rule.yield %1 : [p, p, p]
  }
  target {
    %0 = graph.slice %x starts = [s, t, u] sizes = [p, p, p] steps = [1, 1, 1] : (!aaa) -> !ppp
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!ppp) -> !ppp
    rule.yield %1 : [p, p, p]
  }
  where [s + p <= a, t + p <= a, u + p <= a]

// CHECK: refuted slice_of_transposed_120_unpermuted
rule.rule @slice_of_transposed_120_unpermuted(%x: [a, a, a]) -> [p, p, p]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.slice %0 starts = [s, t, u] sizes = [p, p, p] steps = [1, 1, 1] : (!aaa) -> !ppp
    rule.yield %1 : [p, p, p]
  }
  target {
    %0 = graph.slice %x starts = [s, t, u] sizes = [p, p, p] steps = [1, 1, 1] : (!aaa) -> !ppp
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!ppp) -> !ppp
    rule.yield %1 : [p, p, p]
  }
  where [s + p <= a, t + p <= a, u + p <= a]

// CHECK: refuted slice_of_transposed_201_unpermuted
rule.rule @slice_of_transposed_201_unpermuted(%x: [a, a, a]) -> [p, p, p]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.slice %0 starts = [s, t, u] sizes = [p, p, p] steps = [1, 1, 1] : (!aaa) -> !ppp
    rule.yield %1 : [p, p, p]
  }
  target {
    %0 = graph.slice %x starts = [s, t, u] sizes = [p, p, p] steps = [1, 1, 1] : (!aaa) -> !ppp
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!ppp) -> !ppp
    rule.yield %1 : [p, p, p]
  }
  where [s + p <= a, t + p <= a, u + p <= a]

// CHECK: refuted strided_slice_of_transposed_10_unpermuted
rule.rule @strided_slice_of_transposed_10_unpermuted(%x: [a, a]) -> [p, p]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.slice %0 starts = [s, t] sizes = [p, p] steps = [v, w] : (!aa) -> !pp
    rule.yield %1 : [p, p]
  }
  target {
    %0 = graph.slice %x starts = [s, t] sizes = [p, p] steps = [w, v] : (!aa) -> !pp
    %1 = graph.transpose %0 perm = [1, 0] : (!pp) -> !pp
    rule.yield %1 : [p, p]
  }
  where [s + v * p - v + 1 <= a, t + w * p - w + 1 <= a]

!lam_lam = tensor<?x?xf32, #graph.dims<l + a + m, l + a + m>>
// CHECK: refuted pad_of_transposed_10_unpermuted
rule.rule @pad_of_transposed_10_unpermuted(%x: [a, a]) -> [l + a + m, l + a + m]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.pad %0 low = [l, m] high = [m, l] constant value = 0.0 : (!aa) -> !lam_lam
    rule.yield %1 : [l + a + m, l + a + m]
  }
  target {
    %0 = graph.pad %x low = [l, m] high = [m, l] constant value = 0.0 : (!aa) -> !lam_lam
    %1 = graph.transpose %0 perm = [1, 0] : (!lam_lam) -> !lam_lam
    rule.yield %1 : [l + a + m, l + a + m]
  }

!lam_lam_lam = tensor<?x?x?xf32, #graph.dims<l + a + m, l + a + m, l + a + m>>
// CHECK: refuted pad_of_transposed_102_unpermuted
rule.rule @pad_of_transposed_102_unpermuted(%x: [a, a, a]) -> [l + a + m, l + a + m, l + a + m]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!aaa) -> !aaa
    %1 = graph.pad %0 low = [l, m, m] high = [m, l, l] constant value = 0.0 : (!aaa) -> !lam_lam_lam
    rule.yield %1 : [l + a + m, l + a + m, l + a + m]
  }
  target {
    %0 = graph.pad %x low = [m, m, l] high = [l, l, m] constant value = 0.0 : (!aaa) -> !lam_lam_lam
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!lam_lam_lam) -> !lam_lam_lam
    rule.yield %1 : [l + a + m, l + a + m, l + a + m]
  }

// CHECK: refuted pad_of_transposed_120_unpermuted
rule.rule @pad_of_transposed_120_unpermuted(%x: [a, a, a]) -> [l + a + m, l + a + m, l + a + m]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!aaa) -> !aaa
    %1 = graph.pad %0 low = [l, m, m] high = [m, l, l] constant value = 0.0 : (!aaa) -> !lam_lam_lam
    rule.yield %1 : [l + a + m, l + a + m, l + a + m]
  }
  target {
    %0 = graph.pad %x low = [m, m, l] high = [l, l, m] constant value = 0.0 : (!aaa) -> !lam_lam_lam
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!lam_lam_lam) -> !lam_lam_lam
    rule.yield %1 : [l + a + m, l + a + m, l + a + m]
  }

// CHECK: refuted pad_of_transposed_201_unpermuted
rule.rule @pad_of_transposed_201_unpermuted(%x: [a, a, a]) -> [l + a + m, l + a + m, l + a + m]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!aaa) -> !aaa
    %1 = graph.pad %0 low = [l, m, m] high = [m, l, l] constant value = 0.0 : (!aaa) -> !lam_lam_lam
    rule.yield %1 : [l + a + m, l + a + m, l + a + m]
  }
  target {
    %0 = graph.pad %x low = [l, m, m] high = [m, l, l] constant value = 0.0 : (!aaa) -> !lam_lam_lam
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!lam_lam_lam) -> !lam_lam_lam
    rule.yield %1 : [l + a + m, l + a + m, l + a + m]
  }

// CHECK: refuted softmax_of_transposed_10_along_0_along_other_axis
rule.rule @softmax_of_transposed_10_along_0_along_other_axis(%x: [a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.softmax %0 axis = 0 : !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.softmax %x axis = 0 : !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted softmax_of_transposed_10_along_1_along_other_axis
rule.rule @softmax_of_transposed_10_along_1_along_other_axis(%x: [a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.softmax %0 axis = 1 : !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.softmax %x axis = 1 : !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted log_softmax_of_transposed_10_along_0_along_other_axis
rule.rule @log_softmax_of_transposed_10_along_0_along_other_axis(%x: [a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.log_softmax %0 axis = 0 : !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.log_softmax %x axis = 0 : !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

// CHECK: refuted log_softmax_of_transposed_10_along_1_along_other_axis
rule.rule @log_softmax_of_transposed_10_along_1_along_other_axis(%x: [a, a]) -> [a, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!aa) -> !aa
    %1 = graph.log_softmax %0 axis = 1 : !aa
    rule.yield %1 : [a, a]
  }
  target {
    %0 = graph.log_softmax %x axis = 1 : !aa
    %1 = graph.transpose %0 perm = [1, 0] : (!aa) -> !aa
    rule.yield %1 : [a, a]
  }

!mm = tensor<?x?xf32, #graph.dims<m, m>>
!mxm = tensor<?xf32, #graph.dims<m * m>>
// CHECK: refuted reshapes_merge_2_1_2_transposed
rule.rule @reshapes_merge_2_1_2_transposed(%x: [m, m]) -> [m, m]
  source {
    %0 = graph.reshape %x shape = [m * m] : (!mm) -> !mxm
    %1 = graph.reshape %0 shape = [m, m] : (!mxm) -> !mm
    rule.yield %1 : [m, m]
  }
  target {
    %0 = graph.transpose %x perm = [1, 0] : (!mm) -> !mm
    rule.yield %0 : [m, m]
  }

!of2xm_k = tensor<?x?xf32, #graph.dims<2 * m, k>>
!mxk_2 = tensor<?x2xf32, #graph.dims<m * k, 2>>
!m_2xk = tensor<?x?xf32, #graph.dims<m, 2 * k>>
!mk = tensor<?x?xf32, #graph.dims<m, k>>
// CHECK: refuted reshapes_merge_2_2_2_folded
rule.rule @reshapes_merge_2_2_2_folded(%x: [2 * m, k]) -> [m, 2 * k]
  source {
    %0 = graph.reshape %x shape = [m * k, 2] : (!of2xm_k) -> !mxk_2
    %1 = graph.reshape %0 shape = [m, 2 * k] : (!mxk_2) -> !m_2xk
    rule.yield %1 : [m, 2 * k]
  }
  target {
    %0, %1 = graph.split %x axis = 0 sizes = [m, m] : (!of2xm_k) -> (!mk, !mk)
    %2 = graph.concat %0, %1 axis = 1 : (!mk, !mk) -> !m_2xk
    rule.yield %2 : [m, 2 * k]
  }

// The operand is read backwards.
// CHECK: refuted reshape_to_own_shape_backwards
rule.rule @reshape_to_own_shape_backwards(%x: [a]) -> [a]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a] : (tensor<?xf32, #graph.dims<a>>) -> tensor<?xf32, #graph.dims<a>>
    rule.yield %0 : [a]
  }
  target {
    %back = graph.reverse %x axes = [0] : tensor<?xf32, #graph.dims<a>>
    rule.yield %back : [a]
  }

// The operand is read backwards.
// CHECK: refuted reshapes_merge_1_2_1_backwards
rule.rule @reshapes_merge_1_2_1_backwards(%x: [m * k]) -> [m * k]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [m, k] : (tensor<?xf32, #graph.dims<m * k>>) -> !mk
    %1 = graph.reshape %0 shape = [m * k] : (!mk) -> tensor<?xf32, #graph.dims<m * k>>
    rule.yield %1 : [m * k]
  }
  target {
    %back = graph.reverse %x axes = [0] : tensor<?xf32, #graph.dims<m * k>>
    %0 = graph.reshape %back shape = [m * k] : (tensor<?xf32, #graph.dims<m * k>>) -> tensor<?xf32, #graph.dims<m * k>>
    rule.yield %0 : [m * k]
  }

// The operand is read backwards.
// CHECK: refuted reshapes_merge_1_2_2_backwards
rule.rule @reshapes_merge_1_2_2_backwards(%x: [m * k]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [m, k] : (tensor<?xf32, #graph.dims<m * k>>) -> !mk
    %1 = graph.reshape %0 shape = [p, q] : (!mk) -> tensor<?x?xf32, #graph.dims<p, q>>
    rule.yield %1 : [p, q]
  }
  target {
    %back = graph.reverse %x axes = [0] : tensor<?xf32, #graph.dims<m * k>>
    %0 = graph.reshape %back shape = [p, q] : (tensor<?xf32, #graph.dims<m * k>>) -> tensor<?x?xf32, #graph.dims<p, q>>
    rule.yield %0 : [p, q]
  }

// The operand is read backwards.
// CHECK: refuted reshapes_merge_1_2_3_backwards
rule.rule @reshapes_merge_1_2_3_backwards(%x: [m * k]) -> [p, q, r]
  source {
    %0 = graph.reshape %x shape = [m, k] : (tensor<?xf32, #graph.dims<m * k>>) -> !mk
    %1 = graph.reshape %0 shape = [p, q, r] : (!mk) -> tensor<?x?x?xf32, #graph.dims<p, q, r>>
    rule.yield %1 : [p, q, r]
  }
  target {
    %back = graph.reverse %x axes = [0] : tensor<?xf32, #graph.dims<m * k>>
    %0 = graph.reshape %back shape = [p, q, r] : (tensor<?xf32, #graph.dims<m * k>>) -> tensor<?x?x?xf32, #graph.dims<p, q, r>>
    rule.yield %0 : [p, q, r]
  }

// The operand is read backwards.
// CHECK: refuted reshapes_merge_2_1_1_backwards
rule.rule @reshapes_merge_2_1_1_backwards(%x: [a, b]) -> [a * b]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b] : (!ab) -> tensor<?xf32, #graph.dims<a * b>>
    %1 = graph.reshape %0 shape = [a * b] : (tensor<?xf32, #graph.dims<a * b>>) -> tensor<?xf32, #graph.dims<a * b>>
    rule.yield %1 : [a * b]
  }
  target {
    %back = graph.reverse %x axes = [0] : tensor<?x?xf32, #graph.dims<a, b>>
    %0 = graph.reshape %back shape = [a * b] : (!ab) -> tensor<?xf32, #graph.dims<a * b>>
    rule.yield %0 : [a * b]
  }

// The operand is read backwards.
// CHECK: refuted reshapes_merge_2_1_3_backwards
rule.rule @reshapes_merge_2_1_3_backwards(%x: [a, b]) -> [p, q, r]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b] : (!ab) -> tensor<?xf32, #graph.dims<a * b>>
    %1 = graph.reshape %0 shape = [p, q, r] : (tensor<?xf32, #graph.dims<a * b>>) -> tensor<?x?x?xf32, #graph.dims<p, q, r>>
    rule.yield %1 : [p, q, r]
  }
  target {
    %back = graph.reverse %x axes = [0] : tensor<?x?xf32, #graph.dims<a, b>>
    %0 = graph.reshape %back shape = [p, q, r] : (!ab) -> tensor<?x?x?xf32, #graph.dims<p, q, r>>
    rule.yield %0 : [p, q, r]
  }

// The operand is read backwards.
// CHECK: refuted reshapes_merge_2_2_1_backwards
rule.rule @reshapes_merge_2_2_1_backwards(%x: [a, b]) -> [a * b]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [m, k] : (!ab) -> !mk
    %1 = graph.reshape %0 shape = [a * b] : (!mk) -> tensor<?xf32, #graph.dims<a * b>>
    rule.yield %1 : [a * b]
  }
  target {
    %back = graph.reverse %x axes = [0] : tensor<?x?xf32, #graph.dims<a, b>>
    %0 = graph.reshape %back shape = [a * b] : (!ab) -> tensor<?xf32, #graph.dims<a * b>>
    rule.yield %0 : [a * b]
  }

// The operand is read backwards.
// CHECK: refuted reshapes_merge_2_2_3_backwards
rule.rule @reshapes_merge_2_2_3_backwards(%x: [a, b]) -> [p, q, r]
  source {
    %0 = graph.reshape %x shape = [m, k] : (!ab) -> !mk
    %1 = graph.reshape %0 shape = [p, q, r] : (!mk) -> tensor<?x?x?xf32, #graph.dims<p, q, r>>
    rule.yield %1 : [p, q, r]
  }
  target {
    %back = graph.reverse %x axes = [0] : tensor<?x?xf32, #graph.dims<a, b>>
    %0 = graph.reshape %back shape = [p, q, r] : (!ab) -> tensor<?x?x?xf32, #graph.dims<p, q, r>>
    rule.yield %0 : [p, q, r]
  }

// The operand is read backwards.
// CHECK: refuted reshapes_merge_3_1_1_backwards
rule.rule @reshapes_merge_3_1_1_backwards(%x: [a, b, c]) -> [a * b * c]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b * c] : (!abc) -> tensor<?xf32, #graph.dims<a * b * c>>
    %1 = graph.reshape %0 shape = [a * b * c] : (tensor<?xf32, #graph.dims<a * b * c>>) -> tensor<?xf32, #graph.dims<a * b * c>>
    rule.yield %1 : [a * b * c]
  }
  target {
    %back = graph.reverse %x axes = [0] : tensor<?x?x?xf32, #graph.dims<a, b, c>>
    %0 = graph.reshape %back shape = [a * b * c] : (!abc) -> tensor<?xf32, #graph.dims<a * b * c>>
    rule.yield %0 : [a * b * c]
  }

// The operand is read backwards.
// CHECK: refuted reshapes_merge_3_1_2_backwards
rule.rule @reshapes_merge_3_1_2_backwards(%x: [a, b, c]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b * c] : (!abc) -> tensor<?xf32, #graph.dims<a * b * c>>
    %1 = graph.reshape %0 shape = [p, q] : (tensor<?xf32, #graph.dims<a * b * c>>) -> tensor<?x?xf32, #graph.dims<p, q>>
    rule.yield %1 : [p, q]
  }
  target {
    %back = graph.reverse %x axes = [0] : tensor<?x?x?xf32, #graph.dims<a, b, c>>
    %0 = graph.reshape %back shape = [p, q] : (!abc) -> tensor<?x?xf32, #graph.dims<p, q>>
    rule.yield %0 : [p, q]
  }

// The operand is read backwards.
// CHECK: refuted reshapes_merge_3_1_3_backwards
rule.rule @reshapes_merge_3_1_3_backwards(%x: [a, b, c]) -> [p, q, r]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b * c] : (!abc) -> tensor<?xf32, #graph.dims<a * b * c>>
    %1 = graph.reshape %0 shape = [p, q, r] : (tensor<?xf32, #graph.dims<a * b * c>>) -> tensor<?x?x?xf32, #graph.dims<p, q, r>>
    rule.yield %1 : [p, q, r]
  }
  target {
    %back = graph.reverse %x axes = [0] : tensor<?x?x?xf32, #graph.dims<a, b, c>>
    %0 = graph.reshape %back shape = [p, q, r] : (!abc) -> tensor<?x?x?xf32, #graph.dims<p, q, r>>
    rule.yield %0 : [p, q, r]
  }

// The operand is read backwards.
// CHECK: refuted reshapes_merge_3_2_1_backwards
rule.rule @reshapes_merge_3_2_1_backwards(%x: [a, b, c]) -> [a * b * c]
  source {
    %0 = graph.reshape %x shape = [m, k] : (!abc) -> !mk
    %1 = graph.reshape %0 shape = [a * b * c] : (!mk) -> tensor<?xf32, #graph.dims<a * b * c>>
    rule.yield %1 : [a * b * c]
  }
  target {
    %back = graph.reverse %x axes = [0] : tensor<?x?x?xf32, #graph.dims<a, b, c>>
    %0 = graph.reshape %back shape = [a * b * c] : (!abc) -> tensor<?xf32, #graph.dims<a * b * c>>
    rule.yield %0 : [a * b * c]
  }

// The operand is read backwards.
// CHECK: refuted reshapes_merge_3_2_2_backwards
rule.rule @reshapes_merge_3_2_2_backwards(%x: [a, b, c]) -> [p, q]
  source {
    %0 = graph.reshape %x shape = [m, k] : (!abc) -> !mk
    %1 = graph.reshape %0 shape = [p, q] : (!mk) -> tensor<?x?xf32, #graph.dims<p, q>>
    rule.yield %1 : [p, q]
  }
  target {
    %back = graph.reverse %x axes = [0] : tensor<?x?x?xf32, #graph.dims<a, b, c>>
    %0 = graph.reshape %back shape = [p, q] : (!abc) -> tensor<?x?xf32, #graph.dims<p, q>>
    rule.yield %0 : [p, q]
  }

// The operand is read backwards.
// CHECK: refuted reshapes_merge_3_2_3_backwards
rule.rule @reshapes_merge_3_2_3_backwards(%x: [a, b, c]) -> [p, q, r]
  source {
    %0 = graph.reshape %x shape = [m, k] : (!abc) -> !mk
    %1 = graph.reshape %0 shape = [p, q, r] : (!mk) -> tensor<?x?x?xf32, #graph.dims<p, q, r>>
    rule.yield %1 : [p, q, r]
  }
  target {
    %back = graph.reverse %x axes = [0] : tensor<?x?x?xf32, #graph.dims<a, b, c>>
    %0 = graph.reshape %back shape = [p, q, r] : (!abc) -> tensor<?x?x?xf32, #graph.dims<p, q, r>>
    rule.yield %0 : [p, q, r]
  }

// The operand is read backwards.
// CHECK: refuted transpose_in_place_backwards
rule.rule @transpose_in_place_backwards(%x: [a]) -> [a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [0] : (tensor<?xf32, #graph.dims<a>>) -> tensor<?xf32, #graph.dims<a>>
    rule.yield %0 : [a]
  }
  target {
    %back = graph.reverse %x axes = [0] : tensor<?xf32, #graph.dims<a>>
    rule.yield %back : [a]
  }

// The operand is read backwards.
// CHECK: refuted transpose_of_row_backwards
rule.rule @transpose_of_row_backwards(%x: [1, a]) -> [a, 1]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (tensor<1x?xf32, #graph.dims<1, a>>) -> tensor<?x1xf32, #graph.dims<a, 1>>
    rule.yield %0 : [a, 1]
  }
  target {
    %back = graph.reverse %x axes = [1] : tensor<1x?xf32, #graph.dims<1, a>>
    %0 = graph.reshape %back shape = [a, 1] : (tensor<1x?xf32, #graph.dims<1, a>>) -> tensor<?x1xf32, #graph.dims<a, 1>>
    rule.yield %0 : [a, 1]
  }

// CHECK: 0 proved, 75 refuted{{$}}
