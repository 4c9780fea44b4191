// A character-level transformer: 64 characters in, and after each of them the
// scores of the next one out. It has 2 pre-norm blocks of width 64 with 4 heads,
// and no biases. The size of a batch is left open.

!tokens = tensor<?x64xi64, #graph.dims<n, 64>>
!x = tensor<?x64x64xf32, #graph.dims<n, 64, 64>>             // n, position, width
!split = tensor<?x64x4x16xf32, #graph.dims<n, 64, 4, 16>>    // n, position, head, width of a head
!heads = tensor<?x4x64x16xf32, #graph.dims<n, 4, 64, 16>>    // n, head, position, width of a head
!hidden = tensor<?x64x256xf32, #graph.dims<n, 64, 256>>
!logits = tensor<?x64x128xf32, #graph.dims<n, 64, 128>>
!square = tensor<64x64xf32>
!scale = tensor<64xf32>

func.func @main(%tokens: !tokens {graph.name = "tokens"})
    -> (!logits {graph.name = "logits"}) {
  // An embedding of each character, and one of its position. The sum is multiplied
  // by 8, the root of the width, as in "Attention is all you need" (Vaswani et al.,
  // NIPS 2017): else the random weights of the blocks outweigh the characters.
  %characters = graph.parameter @characters : tensor<128x64xf32>
  %positions = graph.parameter @positions : !square
  %embedded = graph.embedding %characters, %tokens : (tensor<128x64xf32>, !tokens) -> !x
  %placed = graph.broadcast %positions shape = [n, 64, 64] : (!square) -> !x
  %both = graph.add %embedded, %placed : !x
  %eight = graph.constant dense<8.0> : tensor<f32>
  %enlarge = graph.broadcast %eight shape = [n, 64, 64] : (tensor<f32>) -> !x
  %x0 = graph.mul %both, %enlarge : !x

  // The first block: each position attends to itself and those before it. The scale is
  // 1/16, not 1/4: with random weights, a position then attends to many others.
  %attention_norm0 = graph.parameter @attention_norm.0 : !scale
  %a0 = graph.layer_norm %x0, %attention_norm0 axis = 2 epsilon = 1.0e-05 : (!x, !scale) -> !x
  %w_query0 = graph.parameter @query.0 : !square
  %query0 = graph.matmul %a0, %w_query0 : (!x, !square) -> !x
  %query_split0 = graph.reshape %query0 shape = [n, 64, 4, 16] : (!x) -> !split
  %query_heads0 = graph.transpose %query_split0 perm = [0, 2, 1, 3] : (!split) -> !heads
  %w_key0 = graph.parameter @key.0 : !square
  %key0 = graph.matmul %a0, %w_key0 : (!x, !square) -> !x
  %key_split0 = graph.reshape %key0 shape = [n, 64, 4, 16] : (!x) -> !split
  %key_heads0 = graph.transpose %key_split0 perm = [0, 2, 1, 3] : (!split) -> !heads
  %w_value0 = graph.parameter @value.0 : !square
  %value0 = graph.matmul %a0, %w_value0 : (!x, !square) -> !x
  %value_split0 = graph.reshape %value0 shape = [n, 64, 4, 16] : (!x) -> !split
  %value_heads0 = graph.transpose %value_split0 perm = [0, 2, 1, 3] : (!split) -> !heads
  %attended_heads0 = graph.attention %query_heads0, %key_heads0, %value_heads0 scale = 0.0625 causal
      : (!heads, !heads, !heads) -> !heads
  %attended_split0 = graph.transpose %attended_heads0 perm = [0, 2, 1, 3] : (!heads) -> !split
  %attended0 = graph.reshape %attended_split0 shape = [n, 64, 64] : (!split) -> !x
  %w_projection0 = graph.parameter @projection.0 : !square
  %projected0 = graph.matmul %attended0, %w_projection0 : (!x, !square) -> !x
  %x1 = graph.add %x0, %projected0 : !x

  // Its MLP.
  %mlp_norm0 = graph.parameter @mlp_norm.0 : !scale
  %m0 = graph.layer_norm %x1, %mlp_norm0 axis = 2 epsilon = 1.0e-05 : (!x, !scale) -> !x
  %w_up0 = graph.parameter @up.0 : tensor<64x256xf32>
  %up0 = graph.matmul %m0, %w_up0 : (!x, tensor<64x256xf32>) -> !hidden
  %hidden0 = graph.gelu %up0 tanh : !hidden
  %w_down0 = graph.parameter @down.0 : tensor<256x64xf32>
  %down0 = graph.matmul %hidden0, %w_down0 : (!hidden, tensor<256x64xf32>) -> !x
  %x2 = graph.add %x1, %down0 : !x

  // The second block: each position attends to itself and those before it.
  %attention_norm1 = graph.parameter @attention_norm.1 : !scale
  %a1 = graph.layer_norm %x2, %attention_norm1 axis = 2 epsilon = 1.0e-05 : (!x, !scale) -> !x
  %w_query1 = graph.parameter @query.1 : !square
  %query1 = graph.matmul %a1, %w_query1 : (!x, !square) -> !x
  %query_split1 = graph.reshape %query1 shape = [n, 64, 4, 16] : (!x) -> !split
  %query_heads1 = graph.transpose %query_split1 perm = [0, 2, 1, 3] : (!split) -> !heads
  %w_key1 = graph.parameter @key.1 : !square
  %key1 = graph.matmul %a1, %w_key1 : (!x, !square) -> !x
  %key_split1 = graph.reshape %key1 shape = [n, 64, 4, 16] : (!x) -> !split
  %key_heads1 = graph.transpose %key_split1 perm = [0, 2, 1, 3] : (!split) -> !heads
  %w_value1 = graph.parameter @value.1 : !square
  %value1 = graph.matmul %a1, %w_value1 : (!x, !square) -> !x
  %value_split1 = graph.reshape %value1 shape = [n, 64, 4, 16] : (!x) -> !split
  %value_heads1 = graph.transpose %value_split1 perm = [0, 2, 1, 3] : (!split) -> !heads
  %attended_heads1 = graph.attention %query_heads1, %key_heads1, %value_heads1 scale = 0.0625 causal
      : (!heads, !heads, !heads) -> !heads
  %attended_split1 = graph.transpose %attended_heads1 perm = [0, 2, 1, 3] : (!heads) -> !split
  %attended1 = graph.reshape %attended_split1 shape = [n, 64, 64] : (!split) -> !x
  %w_projection1 = graph.parameter @projection.1 : !square
  %projected1 = graph.matmul %attended1, %w_projection1 : (!x, !square) -> !x
  %x3 = graph.add %x2, %projected1 : !x

  // Its MLP.
  %mlp_norm1 = graph.parameter @mlp_norm.1 : !scale
  %m1 = graph.layer_norm %x3, %mlp_norm1 axis = 2 epsilon = 1.0e-05 : (!x, !scale) -> !x
  %w_up1 = graph.parameter @up.1 : tensor<64x256xf32>
  %up1 = graph.matmul %m1, %w_up1 : (!x, tensor<64x256xf32>) -> !hidden
  %hidden1 = graph.gelu %up1 tanh : !hidden
  %w_down1 = graph.parameter @down.1 : tensor<256x64xf32>
  %down1 = graph.matmul %hidden1, %w_down1 : (!hidden, tensor<256x64xf32>) -> !x
  %x4 = graph.add %x3, %down1 : !x

  // The scores of the next character. They are divided by 8, the root of the
  // width, so that random weights favour no character much.
  %last_norm = graph.parameter @last_norm : !scale
  %l = graph.layer_norm %x4, %last_norm axis = 2 epsilon = 1.0e-05 : (!x, !scale) -> !x
  %w_scores = graph.parameter @scores : tensor<64x128xf32>
  %scores = graph.matmul %l, %w_scores : (!x, tensor<64x128xf32>) -> !logits
  %eighth = graph.constant dense<0.125> : tensor<f32>
  %reduce = graph.broadcast %eighth shape = [n, 64, 128] : (tensor<f32>) -> !logits
  %logits = graph.mul %scores, %reduce : !logits
  return %logits : !logits
}
