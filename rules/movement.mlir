// Transposes and reshapes: pairs of them, and transposes through concatenations,
// splits, slices, reductions, paddings and softmax (entries 57, 58 and 59).
//
// A transpose moves towards the results, so that two meet and cancel, and past a
// slice or a reduction, which leave it less to move. Permutations are numbers,
// not symbols: the rules have [1, 0], [1, 0, 2], [1, 2, 0] and [2, 0, 1], which
// with leading axes are also [0, 2, 1], [0, 2, 1, 3] (the heads of attention),
// [0, 2, 3, 1] and [0, 3, 1, 2] (channels last and back).
//
// `tenon-rules prove rules/movement.mlir` proves them for all sizes.

// 57. Transposes that cancel, merge or do nothing.

!a = tensor<?xf32, #graph.dims<a>>
// A transpose that leaves all axes in place does nothing.
rule.rule @transpose_in_place(%x: [a]) -> [a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [0] : (!a) -> !a
    rule.yield %0 : [a]
  }
  target {
    rule.yield %x : [a]
  }

!ab = tensor<?x?xf32, #graph.dims<a, b>>
!ba = tensor<?x?xf32, #graph.dims<b, a>>
// One undoes the other.
rule.rule @transposes_cancel_10_10(%x: [a, b]) -> [a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.transpose %0 perm = [1, 0] : (!ba) -> !ab
    rule.yield %1 : [a, b]
  }
  target {
    rule.yield %x : [a, b]
  }

!abc = tensor<?x?x?xf32, #graph.dims<a, b, c>>
!bac = tensor<?x?x?xf32, #graph.dims<b, a, c>>
rule.rule @transposes_cancel_102_102(%x: [a, b, c]) -> [a, b, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!bac) -> !abc
    rule.yield %1 : [a, b, c]
  }
  target {
    rule.yield %x : [a, b, c]
  }

!bca = tensor<?x?x?xf32, #graph.dims<b, c, a>>
rule.rule @transposes_cancel_120_201(%x: [a, b, c]) -> [a, b, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!bca) -> !abc
    rule.yield %1 : [a, b, c]
  }
  target {
    rule.yield %x : [a, b, c]
  }

!cab = tensor<?x?x?xf32, #graph.dims<c, a, b>>
rule.rule @transposes_cancel_201_120(%x: [a, b, c]) -> [a, b, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!cab) -> !abc
    rule.yield %1 : [a, b, c]
  }
  target {
    rule.yield %x : [a, b, c]
  }

!cba = tensor<?x?x?xf32, #graph.dims<c, b, a>>
rule.rule @transposes_cancel_210_210(%x: [a, b, c]) -> [a, b, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 1, 0] : (!abc) -> !cba
    %1 = graph.transpose %0 perm = [2, 1, 0] : (!cba) -> !abc
    rule.yield %1 : [a, b, c]
  }
  target {
    rule.yield %x : [a, b, c]
  }

!acb = tensor<?x?x?xf32, #graph.dims<a, c, b>>
// Two are one: the second picks from the axes that the first gives.
rule.rule @transposes_merge_102_120(%x: [a, b, c]) -> [a, c, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!bac) -> !acb
    rule.yield %1 : [a, c, b]
  }
  target {
    %0 = graph.transpose %x perm = [0, 2, 1] : (!abc) -> !acb
    rule.yield %0 : [a, c, b]
  }

rule.rule @transposes_merge_102_201(%x: [a, b, c]) -> [c, b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!bac) -> !cba
    rule.yield %1 : [c, b, a]
  }
  target {
    %0 = graph.transpose %x perm = [2, 1, 0] : (!abc) -> !cba
    rule.yield %0 : [c, b, a]
  }

rule.rule @transposes_merge_102_210(%x: [a, b, c]) -> [c, a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.transpose %0 perm = [2, 1, 0] : (!bac) -> !cab
    rule.yield %1 : [c, a, b]
  }
  target {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    rule.yield %0 : [c, a, b]
  }

rule.rule @transposes_merge_102_021(%x: [a, b, c]) -> [b, c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.transpose %0 perm = [0, 2, 1] : (!bac) -> !bca
    rule.yield %1 : [b, c, a]
  }
  target {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    rule.yield %0 : [b, c, a]
  }

rule.rule @transposes_merge_120_102(%x: [a, b, c]) -> [c, b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!bca) -> !cba
    rule.yield %1 : [c, b, a]
  }
  target {
    %0 = graph.transpose %x perm = [2, 1, 0] : (!abc) -> !cba
    rule.yield %0 : [c, b, a]
  }

rule.rule @transposes_merge_120_120(%x: [a, b, c]) -> [c, a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!bca) -> !cab
    rule.yield %1 : [c, a, b]
  }
  target {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    rule.yield %0 : [c, a, b]
  }

rule.rule @transposes_merge_120_210(%x: [a, b, c]) -> [a, c, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.transpose %0 perm = [2, 1, 0] : (!bca) -> !acb
    rule.yield %1 : [a, c, b]
  }
  target {
    %0 = graph.transpose %x perm = [0, 2, 1] : (!abc) -> !acb
    rule.yield %0 : [a, c, b]
  }

rule.rule @transposes_merge_120_021(%x: [a, b, c]) -> [b, a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.transpose %0 perm = [0, 2, 1] : (!bca) -> !bac
    rule.yield %1 : [b, a, c]
  }
  target {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    rule.yield %0 : [b, a, c]
  }

rule.rule @transposes_merge_201_102(%x: [a, b, c]) -> [a, c, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!cab) -> !acb
    rule.yield %1 : [a, c, b]
  }
  target {
    %0 = graph.transpose %x perm = [0, 2, 1] : (!abc) -> !acb
    rule.yield %0 : [a, c, b]
  }

rule.rule @transposes_merge_201_201(%x: [a, b, c]) -> [b, c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!cab) -> !bca
    rule.yield %1 : [b, c, a]
  }
  target {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    rule.yield %0 : [b, c, a]
  }

rule.rule @transposes_merge_201_210(%x: [a, b, c]) -> [b, a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.transpose %0 perm = [2, 1, 0] : (!cab) -> !bac
    rule.yield %1 : [b, a, c]
  }
  target {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    rule.yield %0 : [b, a, c]
  }

rule.rule @transposes_merge_201_021(%x: [a, b, c]) -> [c, b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.transpose %0 perm = [0, 2, 1] : (!cab) -> !cba
    rule.yield %1 : [c, b, a]
  }
  target {
    %0 = graph.transpose %x perm = [2, 1, 0] : (!abc) -> !cba
    rule.yield %0 : [c, b, a]
  }

rule.rule @transposes_merge_210_102(%x: [a, b, c]) -> [b, c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 1, 0] : (!abc) -> !cba
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!cba) -> !bca
    rule.yield %1 : [b, c, a]
  }
  target {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    rule.yield %0 : [b, c, a]
  }

rule.rule @transposes_merge_210_120(%x: [a, b, c]) -> [b, a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 1, 0] : (!abc) -> !cba
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!cba) -> !bac
    rule.yield %1 : [b, a, c]
  }
  target {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    rule.yield %0 : [b, a, c]
  }

rule.rule @transposes_merge_210_201(%x: [a, b, c]) -> [a, c, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 1, 0] : (!abc) -> !cba
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!cba) -> !acb
    rule.yield %1 : [a, c, b]
  }
  target {
    %0 = graph.transpose %x perm = [0, 2, 1] : (!abc) -> !acb
    rule.yield %0 : [a, c, b]
  }

rule.rule @transposes_merge_210_021(%x: [a, b, c]) -> [c, a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 1, 0] : (!abc) -> !cba
    %1 = graph.transpose %0 perm = [0, 2, 1] : (!cba) -> !cab
    rule.yield %1 : [c, a, b]
  }
  target {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    rule.yield %0 : [c, a, b]
  }

rule.rule @transposes_merge_021_102(%x: [a, b, c]) -> [c, a, b]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [0, 2, 1] : (!abc) -> !acb
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!acb) -> !cab
    rule.yield %1 : [c, a, b]
  }
  target {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    rule.yield %0 : [c, a, b]
  }

rule.rule @transposes_merge_021_120(%x: [a, b, c]) -> [c, b, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [0, 2, 1] : (!abc) -> !acb
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!acb) -> !cba
    rule.yield %1 : [c, b, a]
  }
  target {
    %0 = graph.transpose %x perm = [2, 1, 0] : (!abc) -> !cba
    rule.yield %0 : [c, b, a]
  }

rule.rule @transposes_merge_021_201(%x: [a, b, c]) -> [b, a, c]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [0, 2, 1] : (!abc) -> !acb
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!acb) -> !bac
    rule.yield %1 : [b, a, c]
  }
  target {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    rule.yield %0 : [b, a, c]
  }

rule.rule @transposes_merge_021_210(%x: [a, b, c]) -> [b, c, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [0, 2, 1] : (!abc) -> !acb
    %1 = graph.transpose %0 perm = [2, 1, 0] : (!acb) -> !bca
    rule.yield %1 : [b, c, a]
  }
  target {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    rule.yield %0 : [b, c, a]
  }

!scalar = tensor<f32>
// A number that is repeated looks the same from all sides.
rule.rule @transpose_of_repeated_number(%x: []) -> [b, a]
  source {
    %0 = graph.broadcast %x shape = [a, b] : (!scalar) -> !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }
  target {
    %0 = graph.broadcast %x shape = [b, a] : (!scalar) -> !ba
    rule.yield %0 : [b, a]
  }

!a1 = tensor<?x1xf32, #graph.dims<a, 1>>
!of1a = tensor<1x?xf32, #graph.dims<1, a>>
// Where one of two axes has size 1, transposing them moves no element.
rule.rule @transpose_of_column(%x: [a, 1]) -> [1, a]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!a1) -> !of1a
    rule.yield %0 : [1, a]
  }
  target {
    %0 = graph.reshape %x shape = [1, a] : (!a1) -> !of1a
    rule.yield %0 : [1, a]
  }

rule.rule @transpose_of_row(%x: [1, a]) -> [a, 1]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!of1a) -> !a1
    rule.yield %0 : [a, 1]
  }
  target {
    %0 = graph.reshape %x shape = [a, 1] : (!of1a) -> !a1
    rule.yield %0 : [a, 1]
  }

// 59. Through concatenations: the joined axis is the one that the permutation names.

!ae = tensor<?x?xf32, #graph.dims<a, e>>
!ea = tensor<?x?xf32, #graph.dims<e, a>>
!be_a = tensor<?x?xf32, #graph.dims<b + e, a>>
!a_be = tensor<?x?xf32, #graph.dims<a, b + e>>
rule.rule @concat_of_transposed_10_along_0(%x: [a, b], %y: [a, e]) -> [b + e, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.transpose %y perm = [1, 0] : (!ae) -> !ea
    %2 = graph.concat %0, %1 axis = 0 : (!ba, !ea) -> !be_a
    rule.yield %2 : [b + e, a]
  }
  target {
    %0 = graph.concat %x, %y axis = 1 : (!ab, !ae) -> !a_be
    %1 = graph.transpose %0 perm = [1, 0] : (!a_be) -> !be_a
    rule.yield %1 : [b + e, a]
  }

!eb = tensor<?x?xf32, #graph.dims<e, b>>
!be = tensor<?x?xf32, #graph.dims<b, e>>
!b_ae = tensor<?x?xf32, #graph.dims<b, a + e>>
!ae_b = tensor<?x?xf32, #graph.dims<a + e, b>>
rule.rule @concat_of_transposed_10_along_1(%x: [a, b], %y: [e, b]) -> [b, a + e]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.transpose %y perm = [1, 0] : (!eb) -> !be
    %2 = graph.concat %0, %1 axis = 1 : (!ba, !be) -> !b_ae
    rule.yield %2 : [b, a + e]
  }
  target {
    %0 = graph.concat %x, %y axis = 0 : (!ab, !eb) -> !ae_b
    %1 = graph.transpose %0 perm = [1, 0] : (!ae_b) -> !b_ae
    rule.yield %1 : [b, a + e]
  }

!aec = tensor<?x?x?xf32, #graph.dims<a, e, c>>
!eac = tensor<?x?x?xf32, #graph.dims<e, a, c>>
!be_a_c = tensor<?x?x?xf32, #graph.dims<b + e, a, c>>
!a_be_c = tensor<?x?x?xf32, #graph.dims<a, b + e, c>>
rule.rule @concat_of_transposed_102_along_0(%x: [a, b, c], %y: [a, e, c]) -> [b + e, a, c]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.transpose %y perm = [1, 0, 2] : (!aec) -> !eac
    %2 = graph.concat %0, %1 axis = 0 : (!bac, !eac) -> !be_a_c
    rule.yield %2 : [b + e, a, c]
  }
  target {
    %0 = graph.concat %x, %y axis = 1 : (!abc, !aec) -> !a_be_c
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!a_be_c) -> !be_a_c
    rule.yield %1 : [b + e, a, c]
  }

!ebc = tensor<?x?x?xf32, #graph.dims<e, b, c>>
!bec = tensor<?x?x?xf32, #graph.dims<b, e, c>>
!b_ae_c = tensor<?x?x?xf32, #graph.dims<b, a + e, c>>
!ae_b_c = tensor<?x?x?xf32, #graph.dims<a + e, b, c>>
rule.rule @concat_of_transposed_102_along_1(%x: [a, b, c], %y: [e, b, c]) -> [b, a + e, c]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.transpose %y perm = [1, 0, 2] : (!ebc) -> !bec
    %2 = graph.concat %0, %1 axis = 1 : (!bac, !bec) -> !b_ae_c
    rule.yield %2 : [b, a + e, c]
  }
  target {
    %0 = graph.concat %x, %y axis = 0 : (!abc, !ebc) -> !ae_b_c
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!ae_b_c) -> !b_ae_c
    rule.yield %1 : [b, a + e, c]
  }

!abe = tensor<?x?x?xf32, #graph.dims<a, b, e>>
!bae = tensor<?x?x?xf32, #graph.dims<b, a, e>>
!b_a_ce = tensor<?x?x?xf32, #graph.dims<b, a, c + e>>
!a_b_ce = tensor<?x?x?xf32, #graph.dims<a, b, c + e>>
rule.rule @concat_of_transposed_102_along_2(%x: [a, b, c], %y: [a, b, e]) -> [b, a, c + e]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.transpose %y perm = [1, 0, 2] : (!abe) -> !bae
    %2 = graph.concat %0, %1 axis = 2 : (!bac, !bae) -> !b_a_ce
    rule.yield %2 : [b, a, c + e]
  }
  target {
    %0 = graph.concat %x, %y axis = 2 : (!abc, !abe) -> !a_b_ce
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!a_b_ce) -> !b_a_ce
    rule.yield %1 : [b, a, c + e]
  }

!eca = tensor<?x?x?xf32, #graph.dims<e, c, a>>
!be_c_a = tensor<?x?x?xf32, #graph.dims<b + e, c, a>>
rule.rule @concat_of_transposed_120_along_0(%x: [a, b, c], %y: [a, e, c]) -> [b + e, c, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.transpose %y perm = [1, 2, 0] : (!aec) -> !eca
    %2 = graph.concat %0, %1 axis = 0 : (!bca, !eca) -> !be_c_a
    rule.yield %2 : [b + e, c, a]
  }
  target {
    %0 = graph.concat %x, %y axis = 1 : (!abc, !aec) -> !a_be_c
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!a_be_c) -> !be_c_a
    rule.yield %1 : [b + e, c, a]
  }

!bea = tensor<?x?x?xf32, #graph.dims<b, e, a>>
!b_ce_a = tensor<?x?x?xf32, #graph.dims<b, c + e, a>>
rule.rule @concat_of_transposed_120_along_1(%x: [a, b, c], %y: [a, b, e]) -> [b, c + e, a]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.transpose %y perm = [1, 2, 0] : (!abe) -> !bea
    %2 = graph.concat %0, %1 axis = 1 : (!bca, !bea) -> !b_ce_a
    rule.yield %2 : [b, c + e, a]
  }
  target {
    %0 = graph.concat %x, %y axis = 2 : (!abc, !abe) -> !a_b_ce
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!a_b_ce) -> !b_ce_a
    rule.yield %1 : [b, c + e, a]
  }

!bce = tensor<?x?x?xf32, #graph.dims<b, c, e>>
!b_c_ae = tensor<?x?x?xf32, #graph.dims<b, c, a + e>>
rule.rule @concat_of_transposed_120_along_2(%x: [a, b, c], %y: [e, b, c]) -> [b, c, a + e]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.transpose %y perm = [1, 2, 0] : (!ebc) -> !bce
    %2 = graph.concat %0, %1 axis = 2 : (!bca, !bce) -> !b_c_ae
    rule.yield %2 : [b, c, a + e]
  }
  target {
    %0 = graph.concat %x, %y axis = 0 : (!abc, !ebc) -> !ae_b_c
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!ae_b_c) -> !b_c_ae
    rule.yield %1 : [b, c, a + e]
  }

!eab = tensor<?x?x?xf32, #graph.dims<e, a, b>>
!ce_a_b = tensor<?x?x?xf32, #graph.dims<c + e, a, b>>
rule.rule @concat_of_transposed_201_along_0(%x: [a, b, c], %y: [a, b, e]) -> [c + e, a, b]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.transpose %y perm = [2, 0, 1] : (!abe) -> !eab
    %2 = graph.concat %0, %1 axis = 0 : (!cab, !eab) -> !ce_a_b
    rule.yield %2 : [c + e, a, b]
  }
  target {
    %0 = graph.concat %x, %y axis = 2 : (!abc, !abe) -> !a_b_ce
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!a_b_ce) -> !ce_a_b
    rule.yield %1 : [c + e, a, b]
  }

!ceb = tensor<?x?x?xf32, #graph.dims<c, e, b>>
!c_ae_b = tensor<?x?x?xf32, #graph.dims<c, a + e, b>>
rule.rule @concat_of_transposed_201_along_1(%x: [a, b, c], %y: [e, b, c]) -> [c, a + e, b]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.transpose %y perm = [2, 0, 1] : (!ebc) -> !ceb
    %2 = graph.concat %0, %1 axis = 1 : (!cab, !ceb) -> !c_ae_b
    rule.yield %2 : [c, a + e, b]
  }
  target {
    %0 = graph.concat %x, %y axis = 0 : (!abc, !ebc) -> !ae_b_c
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!ae_b_c) -> !c_ae_b
    rule.yield %1 : [c, a + e, b]
  }

!cae = tensor<?x?x?xf32, #graph.dims<c, a, e>>
!c_a_be = tensor<?x?x?xf32, #graph.dims<c, a, b + e>>
rule.rule @concat_of_transposed_201_along_2(%x: [a, b, c], %y: [a, e, c]) -> [c, a, b + e]
  lifts [%x, %y]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.transpose %y perm = [2, 0, 1] : (!aec) -> !cae
    %2 = graph.concat %0, %1 axis = 2 : (!cab, !cae) -> !c_a_be
    rule.yield %2 : [c, a, b + e]
  }
  target {
    %0 = graph.concat %x, %y axis = 1 : (!abc, !aec) -> !a_be_c
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!a_be_c) -> !c_a_be
    rule.yield %1 : [c, a, b + e]
  }

// 59. Through splits.

!a_ef = tensor<?x?xf32, #graph.dims<a, e + f>>
!ef_a = tensor<?x?xf32, #graph.dims<e + f, a>>
!fa = tensor<?x?xf32, #graph.dims<f, a>>
!af = tensor<?x?xf32, #graph.dims<a, f>>
rule.rule @split_of_transposed_10_along_0(%x: [a, e + f]) -> ([e, a], [f, a])
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!a_ef) -> !ef_a
    %1, %2 = graph.split %0 axis = 0 sizes = [e, f] : (!ef_a) -> (!ea, !fa)
    rule.yield %1, %2 : [e, a], [f, a]
  }
  target {
    %0, %1 = graph.split %x axis = 1 sizes = [e, f] : (!a_ef) -> (!ae, !af)
    %2 = graph.transpose %0 perm = [1, 0] : (!ae) -> !ea
    %3 = graph.transpose %1 perm = [1, 0] : (!af) -> !fa
    rule.yield %2, %3 : [e, a], [f, a]
  }

!ef_b = tensor<?x?xf32, #graph.dims<e + f, b>>
!b_ef = tensor<?x?xf32, #graph.dims<b, e + f>>
!bf = tensor<?x?xf32, #graph.dims<b, f>>
!fb = tensor<?x?xf32, #graph.dims<f, b>>
rule.rule @split_of_transposed_10_along_1(%x: [e + f, b]) -> ([b, e], [b, f])
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ef_b) -> !b_ef
    %1, %2 = graph.split %0 axis = 1 sizes = [e, f] : (!b_ef) -> (!be, !bf)
    rule.yield %1, %2 : [b, e], [b, f]
  }
  target {
    %0, %1 = graph.split %x axis = 0 sizes = [e, f] : (!ef_b) -> (!eb, !fb)
    %2 = graph.transpose %0 perm = [1, 0] : (!eb) -> !be
    %3 = graph.transpose %1 perm = [1, 0] : (!fb) -> !bf
    rule.yield %2, %3 : [b, e], [b, f]
  }

!ef_b_c = tensor<?x?x?xf32, #graph.dims<e + f, b, c>>
!b_c_ef = tensor<?x?x?xf32, #graph.dims<b, c, e + f>>
!bcf = tensor<?x?x?xf32, #graph.dims<b, c, f>>
!fbc = tensor<?x?x?xf32, #graph.dims<f, b, c>>
rule.rule @split_of_transposed_120_along_2(%x: [e + f, b, c]) -> ([b, c, e], [b, c, f])
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!ef_b_c) -> !b_c_ef
    %1, %2 = graph.split %0 axis = 2 sizes = [e, f] : (!b_c_ef) -> (!bce, !bcf)
    rule.yield %1, %2 : [b, c, e], [b, c, f]
  }
  target {
    %0, %1 = graph.split %x axis = 0 sizes = [e, f] : (!ef_b_c) -> (!ebc, !fbc)
    %2 = graph.transpose %0 perm = [1, 2, 0] : (!ebc) -> !bce
    %3 = graph.transpose %1 perm = [1, 2, 0] : (!fbc) -> !bcf
    rule.yield %2, %3 : [b, c, e], [b, c, f]
  }

!a_b_ef = tensor<?x?x?xf32, #graph.dims<a, b, e + f>>
!ef_a_b = tensor<?x?x?xf32, #graph.dims<e + f, a, b>>
!fab = tensor<?x?x?xf32, #graph.dims<f, a, b>>
!abf = tensor<?x?x?xf32, #graph.dims<a, b, f>>
rule.rule @split_of_transposed_201_along_0(%x: [a, b, e + f]) -> ([e, a, b], [f, a, b])
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!a_b_ef) -> !ef_a_b
    %1, %2 = graph.split %0 axis = 0 sizes = [e, f] : (!ef_a_b) -> (!eab, !fab)
    rule.yield %1, %2 : [e, a, b], [f, a, b]
  }
  target {
    %0, %1 = graph.split %x axis = 2 sizes = [e, f] : (!a_b_ef) -> (!abe, !abf)
    %2 = graph.transpose %0 perm = [2, 0, 1] : (!abe) -> !eab
    %3 = graph.transpose %1 perm = [2, 0, 1] : (!abf) -> !fab
    rule.yield %2, %3 : [e, a, b], [f, a, b]
  }

!a_ef_c = tensor<?x?x?xf32, #graph.dims<a, e + f, c>>
!ef_a_c = tensor<?x?x?xf32, #graph.dims<e + f, a, c>>
!fac = tensor<?x?x?xf32, #graph.dims<f, a, c>>
!afc = tensor<?x?x?xf32, #graph.dims<a, f, c>>
rule.rule @split_of_transposed_102_along_0(%x: [a, e + f, c]) -> ([e, a, c], [f, a, c])
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!a_ef_c) -> !ef_a_c
    %1, %2 = graph.split %0 axis = 0 sizes = [e, f] : (!ef_a_c) -> (!eac, !fac)
    rule.yield %1, %2 : [e, a, c], [f, a, c]
  }
  target {
    %0, %1 = graph.split %x axis = 1 sizes = [e, f] : (!a_ef_c) -> (!aec, !afc)
    %2 = graph.transpose %0 perm = [1, 0, 2] : (!aec) -> !eac
    %3 = graph.transpose %1 perm = [1, 0, 2] : (!afc) -> !fac
    rule.yield %2, %3 : [e, a, c], [f, a, c]
  }

!b_ef_c = tensor<?x?x?xf32, #graph.dims<b, e + f, c>>
!bfc = tensor<?x?x?xf32, #graph.dims<b, f, c>>
rule.rule @split_of_transposed_102_along_1(%x: [e + f, b, c]) -> ([b, e, c], [b, f, c])
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!ef_b_c) -> !b_ef_c
    %1, %2 = graph.split %0 axis = 1 sizes = [e, f] : (!b_ef_c) -> (!bec, !bfc)
    rule.yield %1, %2 : [b, e, c], [b, f, c]
  }
  target {
    %0, %1 = graph.split %x axis = 0 sizes = [e, f] : (!ef_b_c) -> (!ebc, !fbc)
    %2 = graph.transpose %0 perm = [1, 0, 2] : (!ebc) -> !bec
    %3 = graph.transpose %1 perm = [1, 0, 2] : (!fbc) -> !bfc
    rule.yield %2, %3 : [b, e, c], [b, f, c]
  }

// 59. Through slices: starts, sizes and steps are permuted too.

!pq = tensor<?x?xf32, #graph.dims<p, q>>
!qp = tensor<?x?xf32, #graph.dims<q, p>>
rule.rule @slice_of_transposed_10(%x: [a, b]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [1, 1] : (!ba) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [t, s] sizes = [q, p] steps = [1, 1] : (!ab) -> !qp
    %1 = graph.transpose %0 perm = [1, 0] : (!qp) -> !pq
    rule.yield %1 : [p, q]
  }

!pqr = tensor<?x?x?xf32, #graph.dims<p, q, r>>
!qpr = tensor<?x?x?xf32, #graph.dims<q, p, r>>
rule.rule @slice_of_transposed_102(%x: [a, b, c]) -> [p, q, r]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.slice %0 starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1] : (!bac) -> !pqr
    rule.yield %1 : [p, q, r]
  }
  target {
    %0 = graph.slice %x starts = [t, s, u] sizes = [q, p, r] steps = [1, 1, 1] : (!abc) -> !qpr
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!qpr) -> !pqr
    rule.yield %1 : [p, q, r]
  }

!rpq = tensor<?x?x?xf32, #graph.dims<r, p, q>>
rule.rule @slice_of_transposed_120(%x: [a, b, c]) -> [p, q, r]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.slice %0 starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1] : (!bca) -> !pqr
    rule.yield %1 : [p, q, r]
  }
  target {
    %0 = graph.slice %x starts = [u, s, t] sizes = [r, p, q] steps = [1, 1, 1] : (!abc) -> !rpq
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!rpq) -> !pqr
    rule.yield %1 : [p, q, r]
  }

!qrp = tensor<?x?x?xf32, #graph.dims<q, r, p>>
rule.rule @slice_of_transposed_201(%x: [a, b, c]) -> [p, q, r]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.slice %0 starts = [s, t, u] sizes = [p, q, r] steps = [1, 1, 1] : (!cab) -> !pqr
    rule.yield %1 : [p, q, r]
  }
  target {
    %0 = graph.slice %x starts = [t, u, s] sizes = [q, r, p] steps = [1, 1, 1] : (!abc) -> !qrp
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!qrp) -> !pqr
    rule.yield %1 : [p, q, r]
  }

// With steps.
rule.rule @strided_slice_of_transposed_10(%x: [a, b]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.slice %0 starts = [s, t] sizes = [p, q] steps = [v, w] : (!ba) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.slice %x starts = [t, s] sizes = [q, p] steps = [w, v] : (!ab) -> !qp
    %1 = graph.transpose %0 perm = [1, 0] : (!qp) -> !pq
    rule.yield %1 : [p, q]
  }

// 59. Through paddings.

!l0bh0_l1ah1 = tensor<?x?xf32, #graph.dims<l0 + b + h0, l1 + a + h1>>
!l1ah1_l0bh0 = tensor<?x?xf32, #graph.dims<l1 + a + h1, l0 + b + h0>>
rule.rule @pad_of_transposed_10(%x: [a, b]) -> [l0 + b + h0, l1 + a + h1]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.pad %0 low = [l0, l1] high = [h0, h1] constant value = 0.0 : (!ba) -> !l0bh0_l1ah1
    rule.yield %1 : [l0 + b + h0, l1 + a + h1]
  }
  target {
    %0 = graph.pad %x low = [l1, l0] high = [h1, h0] constant value = 0.0 : (!ab) -> !l1ah1_l0bh0
    %1 = graph.transpose %0 perm = [1, 0] : (!l1ah1_l0bh0) -> !l0bh0_l1ah1
    rule.yield %1 : [l0 + b + h0, l1 + a + h1]
  }

!l0bh0_l1ah1_l2ch2 = tensor<?x?x?xf32, #graph.dims<l0 + b + h0, l1 + a + h1, l2 + c + h2>>
!l1ah1_l0bh0_l2ch2 = tensor<?x?x?xf32, #graph.dims<l1 + a + h1, l0 + b + h0, l2 + c + h2>>
rule.rule @pad_of_transposed_102(%x: [a, b, c]) -> [l0 + b + h0, l1 + a + h1, l2 + c + h2]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 0, 2] : (!abc) -> !bac
    %1 = graph.pad %0 low = [l0, l1, l2] high = [h0, h1, h2] constant value = 0.0 : (!bac) -> !l0bh0_l1ah1_l2ch2
    rule.yield %1 : [l0 + b + h0, l1 + a + h1, l2 + c + h2]
  }
  target {
    %0 = graph.pad %x low = [l1, l0, l2] high = [h1, h0, h2] constant value = 0.0 : (!abc) -> !l1ah1_l0bh0_l2ch2
    %1 = graph.transpose %0 perm = [1, 0, 2] : (!l1ah1_l0bh0_l2ch2) -> !l0bh0_l1ah1_l2ch2
    rule.yield %1 : [l0 + b + h0, l1 + a + h1, l2 + c + h2]
  }

!l0bh0_l1ch1_l2ah2 = tensor<?x?x?xf32, #graph.dims<l0 + b + h0, l1 + c + h1, l2 + a + h2>>
!l2ah2_l0bh0_l1ch1 = tensor<?x?x?xf32, #graph.dims<l2 + a + h2, l0 + b + h0, l1 + c + h1>>
rule.rule @pad_of_transposed_120(%x: [a, b, c]) -> [l0 + b + h0, l1 + c + h1, l2 + a + h2]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [1, 2, 0] : (!abc) -> !bca
    %1 = graph.pad %0 low = [l0, l1, l2] high = [h0, h1, h2] constant value = 0.0 : (!bca) -> !l0bh0_l1ch1_l2ah2
    rule.yield %1 : [l0 + b + h0, l1 + c + h1, l2 + a + h2]
  }
  target {
    %0 = graph.pad %x low = [l2, l0, l1] high = [h2, h0, h1] constant value = 0.0 : (!abc) -> !l2ah2_l0bh0_l1ch1
    %1 = graph.transpose %0 perm = [1, 2, 0] : (!l2ah2_l0bh0_l1ch1) -> !l0bh0_l1ch1_l2ah2
    rule.yield %1 : [l0 + b + h0, l1 + c + h1, l2 + a + h2]
  }

!l0ch0_l1ah1_l2bh2 = tensor<?x?x?xf32, #graph.dims<l0 + c + h0, l1 + a + h1, l2 + b + h2>>
!l1ah1_l2bh2_l0ch0 = tensor<?x?x?xf32, #graph.dims<l1 + a + h1, l2 + b + h2, l0 + c + h0>>
rule.rule @pad_of_transposed_201(%x: [a, b, c]) -> [l0 + c + h0, l1 + a + h1, l2 + b + h2]
  lifts [%x]
  source {
    %0 = graph.transpose %x perm = [2, 0, 1] : (!abc) -> !cab
    %1 = graph.pad %0 low = [l0, l1, l2] high = [h0, h1, h2] constant value = 0.0 : (!cab) -> !l0ch0_l1ah1_l2bh2
    rule.yield %1 : [l0 + c + h0, l1 + a + h1, l2 + b + h2]
  }
  target {
    %0 = graph.pad %x low = [l1, l2, l0] high = [h1, h2, h0] constant value = 0.0 : (!abc) -> !l1ah1_l2bh2_l0ch0
    %1 = graph.transpose %0 perm = [2, 0, 1] : (!l1ah1_l2bh2_l0ch0) -> !l0ch0_l1ah1_l2bh2
    rule.yield %1 : [l0 + c + h0, l1 + a + h1, l2 + b + h2]
  }

// 59. Through softmax.

rule.rule @softmax_of_transposed_10_along_0(%x: [a, b]) -> [b, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.softmax %0 axis = 0 : !ba
    rule.yield %1 : [b, a]
  }
  target {
    %0 = graph.softmax %x axis = 1 : !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }

rule.rule @softmax_of_transposed_10_along_1(%x: [a, b]) -> [b, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.softmax %0 axis = 1 : !ba
    rule.yield %1 : [b, a]
  }
  target {
    %0 = graph.softmax %x axis = 0 : !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }

rule.rule @log_softmax_of_transposed_10_along_0(%x: [a, b]) -> [b, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.log_softmax %0 axis = 0 : !ba
    rule.yield %1 : [b, a]
  }
  target {
    %0 = graph.log_softmax %x axis = 1 : !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }

rule.rule @log_softmax_of_transposed_10_along_1(%x: [a, b]) -> [b, a]
  source {
    %0 = graph.transpose %x perm = [1, 0] : (!ab) -> !ba
    %1 = graph.log_softmax %0 axis = 1 : !ba
    rule.yield %1 : [b, a]
  }
  target {
    %0 = graph.log_softmax %x axis = 0 : !ab
    %1 = graph.transpose %0 perm = [1, 0] : (!ab) -> !ba
    rule.yield %1 : [b, a]
  }

// 58. Reshapes. The second of two decides alone; one to the same shape does
// nothing. The shape between has at most two axes behind the leading ones.

rule.rule @reshape_to_own_shape(%x: [a]) -> [a]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a] : (!a) -> !a
    rule.yield %0 : [a]
  }
  target {
    rule.yield %x : [a]
  }

!axb = tensor<?xf32, #graph.dims<a * b>>
rule.rule @reshapes_merge_2_1_1(%x: [a, b]) -> [a * b]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b] : (!ab) -> !axb
    %1 = graph.reshape %0 shape = [a * b] : (!axb) -> !axb
    rule.yield %1 : [a * b]
  }
  target {
    %0 = graph.reshape %x shape = [a * b] : (!ab) -> !axb
    rule.yield %0 : [a * b]
  }

rule.rule @reshapes_merge_2_1_2(%x: [a, b]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b] : (!ab) -> !axb
    %1 = graph.reshape %0 shape = [p, q] : (!axb) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.reshape %x shape = [p, q] : (!ab) -> !pq
    rule.yield %0 : [p, q]
  }

rule.rule @reshapes_merge_2_1_3(%x: [a, b]) -> [p, q, r]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b] : (!ab) -> !axb
    %1 = graph.reshape %0 shape = [p, q, r] : (!axb) -> !pqr
    rule.yield %1 : [p, q, r]
  }
  target {
    %0 = graph.reshape %x shape = [p, q, r] : (!ab) -> !pqr
    rule.yield %0 : [p, q, r]
  }

!axbxc = tensor<?xf32, #graph.dims<a * b * c>>
rule.rule @reshapes_merge_3_1_1(%x: [a, b, c]) -> [a * b * c]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b * c] : (!abc) -> !axbxc
    %1 = graph.reshape %0 shape = [a * b * c] : (!axbxc) -> !axbxc
    rule.yield %1 : [a * b * c]
  }
  target {
    %0 = graph.reshape %x shape = [a * b * c] : (!abc) -> !axbxc
    rule.yield %0 : [a * b * c]
  }

rule.rule @reshapes_merge_3_1_2(%x: [a, b, c]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b * c] : (!abc) -> !axbxc
    %1 = graph.reshape %0 shape = [p, q] : (!axbxc) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.reshape %x shape = [p, q] : (!abc) -> !pq
    rule.yield %0 : [p, q]
  }

rule.rule @reshapes_merge_3_1_3(%x: [a, b, c]) -> [p, q, r]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [a * b * c] : (!abc) -> !axbxc
    %1 = graph.reshape %0 shape = [p, q, r] : (!axbxc) -> !pqr
    rule.yield %1 : [p, q, r]
  }
  target {
    %0 = graph.reshape %x shape = [p, q, r] : (!abc) -> !pqr
    rule.yield %0 : [p, q, r]
  }

!mxk = tensor<?xf32, #graph.dims<m * k>>
!mk = tensor<?x?xf32, #graph.dims<m, k>>
rule.rule @reshapes_merge_1_2_1(%x: [m * k]) -> [m * k]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [m, k] : (!mxk) -> !mk
    %1 = graph.reshape %0 shape = [m * k] : (!mk) -> !mxk
    rule.yield %1 : [m * k]
  }
  target {
    %0 = graph.reshape %x shape = [m * k] : (!mxk) -> !mxk
    rule.yield %0 : [m * k]
  }

rule.rule @reshapes_merge_1_2_2(%x: [m * k]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [m, k] : (!mxk) -> !mk
    %1 = graph.reshape %0 shape = [p, q] : (!mk) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.reshape %x shape = [p, q] : (!mxk) -> !pq
    rule.yield %0 : [p, q]
  }

rule.rule @reshapes_merge_1_2_3(%x: [m * k]) -> [p, q, r]
  source {
    %0 = graph.reshape %x shape = [m, k] : (!mxk) -> !mk
    %1 = graph.reshape %0 shape = [p, q, r] : (!mk) -> !pqr
    rule.yield %1 : [p, q, r]
  }
  target {
    %0 = graph.reshape %x shape = [p, q, r] : (!mxk) -> !pqr
    rule.yield %0 : [p, q, r]
  }

rule.rule @reshapes_merge_2_2_1(%x: [a, b]) -> [a * b]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [m, k] : (!ab) -> !mk
    %1 = graph.reshape %0 shape = [a * b] : (!mk) -> !axb
    rule.yield %1 : [a * b]
  }
  target {
    %0 = graph.reshape %x shape = [a * b] : (!ab) -> !axb
    rule.yield %0 : [a * b]
  }

rule.rule @reshapes_merge_2_2_2(%x: [a, b]) -> [p, q]
  lifts [%x]
  source {
    %0 = graph.reshape %x shape = [m, k] : (!ab) -> !mk
    %1 = graph.reshape %0 shape = [p, q] : (!mk) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.reshape %x shape = [p, q] : (!ab) -> !pq
    rule.yield %0 : [p, q]
  }

rule.rule @reshapes_merge_2_2_3(%x: [a, b]) -> [p, q, r]
  source {
    %0 = graph.reshape %x shape = [m, k] : (!ab) -> !mk
    %1 = graph.reshape %0 shape = [p, q, r] : (!mk) -> !pqr
    rule.yield %1 : [p, q, r]
  }
  target {
    %0 = graph.reshape %x shape = [p, q, r] : (!ab) -> !pqr
    rule.yield %0 : [p, q, r]
  }

rule.rule @reshapes_merge_3_2_1(%x: [a, b, c]) -> [a * b * c]
  source {
    %0 = graph.reshape %x shape = [m, k] : (!abc) -> !mk
    %1 = graph.reshape %0 shape = [a * b * c] : (!mk) -> !axbxc
    rule.yield %1 : [a * b * c]
  }
  target {
    %0 = graph.reshape %x shape = [a * b * c] : (!abc) -> !axbxc
    rule.yield %0 : [a * b * c]
  }

rule.rule @reshapes_merge_3_2_2(%x: [a, b, c]) -> [p, q]
  source {
    %0 = graph.reshape %x shape = [m, k] : (!abc) -> !mk
    %1 = graph.reshape %0 shape = [p, q] : (!mk) -> !pq
    rule.yield %1 : [p, q]
  }
  target {
    %0 = graph.reshape %x shape = [p, q] : (!abc) -> !pq
    rule.yield %0 : [p, q]
  }

rule.rule @reshapes_merge_3_2_3(%x: [a, b, c]) -> [p, q, r]
  source {
    %0 = graph.reshape %x shape = [m, k] : (!abc) -> !mk
    %1 = graph.reshape %0 shape = [p, q, r] : (!mk) -> !pqr
    rule.yield %1 : [p, q, r]
  }
  target {
    %0 = graph.reshape %x shape = [p, q, r] : (!abc) -> !pqr
    rule.yield %0 : [p, q, r]
  }
