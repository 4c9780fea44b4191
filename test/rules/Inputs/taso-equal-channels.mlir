// The four rules of taso.mlir that are false, with the condition that makes them
// true: both convolutions have equal numbers of input channels and of output
// channels.

!n_c_h_w = tensor<?x?x?x?xf32, #graph.dims<n, c, h, w>>
!o_c_r_s = tensor<?x?x?x?xf32, #graph.dims<o, c, r, s>>
!n_o_y_y = tensor<?x?x?x?xf32, #graph.dims<n, o, ((h + pb + pt - r) floordiv (sh)) + 1, ((pl + pr - s + w) floordiv (sw)) + 1>>
!n_2o_y_y = tensor<?x?x?x?xf32, #graph.dims<n, 2 * o, ((h + pb + pt - r) floordiv (sh)) + 1, ((pl + pr - s + w) floordiv (sw)) + 1>>
!n_2c_h_w = tensor<?x?x?x?xf32, #graph.dims<n, 2 * c, h, w>>
!x2o_c_r_s = tensor<?x?x?x?xf32, #graph.dims<2 * o, c, r, s>>

//  99  concat@1(conv2d[s11 p0 a0](i7,i10),conv2d[s11 p0 a0](i8,i11)) = conv2d[s11 p0 a0](concat@1(i7,i8),concat@0(i10,i11))
rule.rule @taso_99(%i7: [n, c, h, w], %i8: [n, c, h, w], %i10: [o, c, r, s], %i11: [o, c, r, s]) -> !n_2o_y_y
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.conv %i8, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %2 = graph.concat %0, %1 axis = 1 : (!n_o_y_y, !n_o_y_y) -> !n_2o_y_y
    rule.yield %2 : !n_2o_y_y
  }
  target {
    %0 = graph.concat %i7, %i8 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    %1 = graph.concat %i10, %i11 axis = 0 : (!o_c_r_s, !o_c_r_s) -> !x2o_c_r_s
    %2 = graph.conv %0, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 2 channels_first : (!n_2c_h_w, !x2o_c_r_s) -> !n_2o_y_y
    rule.yield %2 : !n_2o_y_y
  }

// 100  concat@1(conv2d[s11 p0 a2](i7,i10),conv2d[s11 p0 a2](i8,i11)) = conv2d[s11 p0 a2](concat@1(i7,i8),concat@0(i10,i11))
rule.rule @taso_100(%i7: [n, c, h, w], %i8: [n, c, h, w], %i10: [o, c, r, s], %i11: [o, c, r, s]) -> !n_2o_y_y
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.relu %0 : !n_o_y_y
    %2 = graph.conv %i8, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %3 = graph.relu %2 : !n_o_y_y
    %4 = graph.concat %1, %3 axis = 1 : (!n_o_y_y, !n_o_y_y) -> !n_2o_y_y
    rule.yield %4 : !n_2o_y_y
  }
  target {
    %0 = graph.concat %i7, %i8 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    %1 = graph.concat %i10, %i11 axis = 0 : (!o_c_r_s, !o_c_r_s) -> !x2o_c_r_s
    %2 = graph.conv %0, %1 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 2 channels_first : (!n_2c_h_w, !x2o_c_r_s) -> !n_2o_y_y
    %3 = graph.relu %2 : !n_2o_y_y
    rule.yield %3 : !n_2o_y_y
  }

// 130  concat@1(conv2d[s11 p0 a0](i7,i10),conv2d[s11 p0 a0](i8,i11)) = conv2d[s11 p0 a0](concat@1(i7,i8),concat@0(i10,i11))
rule.rule @taso_130(%i7: [n, c, h, w], %i8: [n, c, h, w], %i10: [o, c, r, s], %i11: [o, c, r, s]) -> !n_2o_y_y
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.conv %i8, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %2 = graph.concat %0, %1 axis = 1 : (!n_o_y_y, !n_o_y_y) -> !n_2o_y_y
    rule.yield %2 : !n_2o_y_y
  }
  target {
    %0 = graph.concat %i10, %i11 axis = 0 : (!o_c_r_s, !o_c_r_s) -> !x2o_c_r_s
    %1 = graph.concat %i7, %i8 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    %2 = graph.conv %1, %0 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 2 channels_first : (!n_2c_h_w, !x2o_c_r_s) -> !n_2o_y_y
    rule.yield %2 : !n_2o_y_y
  }

// 131  concat@1(conv2d[s11 p0 a2](i7,i10),conv2d[s11 p0 a2](i8,i11)) = conv2d[s11 p0 a2](concat@1(i7,i8),concat@0(i10,i11))
rule.rule @taso_131(%i7: [n, c, h, w], %i8: [n, c, h, w], %i10: [o, c, r, s], %i11: [o, c, r, s]) -> !n_2o_y_y
  source {
    %0 = graph.conv %i7, %i10 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %1 = graph.relu %0 : !n_o_y_y
    %2 = graph.conv %i8, %i11 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 1 channels_first : (!n_c_h_w, !o_c_r_s) -> !n_o_y_y
    %3 = graph.relu %2 : !n_o_y_y
    %4 = graph.concat %1, %3 axis = 1 : (!n_o_y_y, !n_o_y_y) -> !n_2o_y_y
    rule.yield %4 : !n_2o_y_y
  }
  target {
    %0 = graph.concat %i10, %i11 axis = 0 : (!o_c_r_s, !o_c_r_s) -> !x2o_c_r_s
    %1 = graph.concat %i7, %i8 axis = 1 : (!n_c_h_w, !n_c_h_w) -> !n_2c_h_w
    %2 = graph.conv %1, %0 strides = [sh, sw] pads = [pt, pl, pb, pr] dilations = [1, 1] groups = 2 channels_first : (!n_2c_h_w, !x2o_c_r_s) -> !n_2o_y_y
    %3 = graph.relu %2 : !n_2o_y_y
    rule.yield %3 : !n_2o_y_y
  }
