// Convolutions as matmuls, and matmuls as convolutions (entries 31 and 33).
//
// Kernels are [o, c, r, s], inputs [n, h, w, c] (channels last, where a pixel is
// a row of a matmul) or [n, c, h, w], with strides [u, v] and dilations [d, f].
//
// `tenon-rules prove rules/convolution.mlir` proves them for all sizes.

!k = tensor<?x?x1x1xf32, #graph.dims<o, c, 1, 1>>

// 31. A 1 x 1 convolution is a matmul: each pixel's channels times the kernel.
!x = tensor<?x?x?x?xf32, #graph.dims<n, h, w, c>>
!y = tensor<?x?x?x?xf32, #graph.dims<n, h, w, o>>
rule.rule @conv1x1_to_matmul(%x: !x, %k: !k) -> !y
  source {
    %0 = graph.conv %x, %k strides = [1, 1] pads = [0, 0, 0, 0] dilations = [d, f] groups = 1 channels_last
    rule.yield %0
  }
  target {
    %0 = graph.reshape %k shape = [o, c]
    %1 = graph.matmul %x, %0 transpose_b
    rule.yield %1
  }

// 31. With channels first, the kernel stands on the left, and the pixels are
// columns.
!xf = tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
!yf = tensor<?x?x?x?xf32, #graph.dims<n, o, h, w>>
rule.rule @conv1x1_to_matmul_channels_first(%x: !xf, %k: !k) -> !yf
  source {
    %0 = graph.conv %x, %k strides = [1, 1] pads = [0, 0, 0, 0] dilations = [d, f] groups = 1 channels_first
    rule.yield %0
  }
  target {
    %0 = graph.reshape %x shape = [n, c, h * w]
    %1 = graph.reshape %k shape = [o, c]
    %2 = graph.matmul %1, %0
    %3 = graph.reshape %2 shape = [n, o, h, w]
    rule.yield %3
  }

// 31. With strides, of the pixels that they leave.
!ys = tensor<?x?x?x?xf32, #graph.dims<n, (h - 1) floordiv u + 1, (w - 1) floordiv v + 1, o>>
rule.rule @strided_conv1x1_to_matmul(%x: !x, %k: !k) -> !ys
  source {
    %0 = graph.conv %x, %k strides = [u, v] pads = [0, 0, 0, 0] dilations = [d, f] groups = 1 channels_last
    rule.yield %0
  }
  target {
    %0 = graph.slice %x starts = [0, 0, 0, 0] sizes = [n, (h - 1) floordiv u + 1, (w - 1) floordiv v + 1, c] steps = [1, u, v, 1]
    %1 = graph.reshape %k shape = [o, c]
    %2 = graph.matmul %0, %1 transpose_b
    rule.yield %2
  }

// 33. A matmul is a 1 x 1 convolution of images of one pixel.
!mc = tensor<?x?xf32, #graph.dims<m, c>>
!co = tensor<?x?xf32, #graph.dims<c, o>>
!mo = tensor<?x?xf32, #graph.dims<m, o>>
rule.rule @matmul_to_conv1x1(%x: !mc, %k: !co) -> !mo
  source {
    %0 = graph.matmul %x, %k
    rule.yield %0
  }
  target {
    %0 = graph.transpose %k perm = [1, 0]
    %1 = graph.reshape %0 shape = [o, c, 1, 1]
    %2 = graph.reshape %x shape = [m, 1, 1, c]
    %3 = graph.conv %2, %1 strides = [1, 1] pads = [0, 0, 0, 0] dilations = [1, 1] groups = 1 channels_last
    %4 = graph.reshape %3 shape = [m, o]
    rule.yield %4
  }
