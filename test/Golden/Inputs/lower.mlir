module @model attributes {graph.version = #graph.version<1>, kernel.target = #kernel.target<[#kernel.cpu<"x86-64-v3">, #kernel.cpu<"x86-64-v4">], #kernel.numerics<fp = reassociate, precision = f32>>} {
  program.target  cpu {
    %0 = program.constant dense<[[1.000000e+00, -1.000000e+00, 5.000000e-01, 2.500000e-01], [2.000000e+00, 0.000000e+00, -5.000000e-01, 1.000000e+00], [0.000000e+00, 1.000000e+00, 1.500000e+00, -1.000000e+00], [1.000000e+00, 1.000000e+00, 0.000000e+00, 5.000000e-01], [-1.000000e+00, 5.000000e-01, 2.000000e+00, 0.000000e+00], [5.000000e-01, 5.000000e-01, -1.000000e+00, 1.000000e+00], [3.000000e+00, -2.000000e+00, 1.000000e+00, 0.000000e+00], [0.000000e+00, 2.500000e-01, 5.000000e-01, 2.000000e+00]]> : tensor<8x4xf32>
    %1 = program.constant dense<[5.000000e-01, -5.000000e-01, 2.500000e-01, 0.000000e+00]> : tensor<4xf32>
    program.entry @main symbols ["n"] scratch(256) {
      %2 = program.input "x" : tensor<?x8xf32, #graph.dims<n, 8>>
      %3 = program.output "y" : tensor<?x4xf32, #graph.dims<n, 4>> holds "model.mlir:9:8 graph.div"
      %4 = program.output "best" : tensor<?xi64, #graph.dims<n>> holds "model.mlir:10:8 graph.reduce_min"
      %5 = program.arena : tensor<?x4xf32, #graph.dims<n, 4>> live 0 to 1 holds "model.mlir:8:8 graph.add"
      program.run {
        program.call "matmul+add" onednn #program.matmul(%2, %0, %1, %5) {constant_weight} : tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x4xf32>, tensor<4xf32>, tensor<?x4xf32, #graph.dims<n, 4>>
        program.launch "reduce_max+broadcast+sub+exp+reduce_sum+broadcast+div+reduce_max" @kernels::@k0(%5, %3, %4) extent(n) grain 1411
      }
    }
    builtin.module @kernels {
      llvm.func @k0.rows(%arg0: i64, %arg1: !llvm.ptr {llvm.noalias}, %arg2: !llvm.ptr {llvm.noalias}, %arg3: !llvm.ptr {llvm.noalias}, %arg4: !llvm.ptr {llvm.noalias}, %arg5: !llvm.ptr {llvm.noalias}, %arg6: !llvm.ptr {llvm.noalias}, %arg7: !llvm.ptr {llvm.noalias}, %arg8: i64, %arg9: i64) attributes {prefer_vector_width = "256", sym_visibility = "private"} {
        %2 = llvm.mlir.constant(1 : index) : i64
        %3 = llvm.mlir.constant(0 : index) : i64
        %4 = llvm.mlir.constant(4 : index) : i64
        llvm.br ^bb1(%arg8 : i64)
      ^bb1(%5: i64):  // 2 preds: ^bb0, ^bb45
        %6 = llvm.icmp "slt" %5, %arg9 : i64
        llvm.cond_br %6, ^bb2, ^bb46
      ^bb2:  // pred: ^bb1
        llvm.br ^bb3(%3 : i64)
      ^bb3(%7: i64):  // 2 preds: ^bb2, ^bb4
        %8 = llvm.icmp "slt" %7, %2 : i64
        llvm.cond_br %8, ^bb4, ^bb5
      ^bb4:  // pred: ^bb3
        %9 = llvm.mlir.constant(0xFF800000 : f32) : f32
        %10 = llvm.getelementptr inbounds %arg2[%7] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %9, %10 : f32, !llvm.ptr
        %11 = llvm.add %7, %2 : i64
        llvm.br ^bb3(%11 : i64)
      ^bb5:  // pred: ^bb3
        llvm.br ^bb6(%3 : i64)
      ^bb6(%12: i64):  // 2 preds: ^bb5, ^bb10
        %13 = llvm.icmp "slt" %12, %4 : i64
        llvm.cond_br %13, ^bb7, ^bb11
      ^bb7:  // pred: ^bb6
        llvm.br ^bb8(%3 : i64)
      ^bb8(%14: i64):  // 2 preds: ^bb7, ^bb9
        %15 = llvm.icmp "slt" %14, %2 : i64
        llvm.cond_br %15, ^bb9, ^bb10
      ^bb9:  // pred: ^bb8
        %16 = llvm.getelementptr inbounds %arg2[%14] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %17 = llvm.load %16 : !llvm.ptr -> f32
        %18 = llvm.mul %5, %4 : i64
        %19 = llvm.add %18, %12 : i64
        %20 = llvm.getelementptr inbounds %arg1[%19] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %21 = llvm.load %20 : !llvm.ptr -> f32
        %22 = llvm.intr.maximum(%17, %21) {fastmathFlags = #llvm.fastmath<nsz>} : (f32, f32) -> f32
        llvm.store %22, %16 : f32, !llvm.ptr
        %23 = llvm.add %14, %2 : i64
        llvm.br ^bb8(%23 : i64)
      ^bb10:  // pred: ^bb8
        %24 = llvm.add %12, %2 : i64
        llvm.br ^bb6(%24 : i64)
      ^bb11:  // pred: ^bb6
        llvm.br ^bb12(%3 : i64)
      ^bb12(%25: i64):  // 2 preds: ^bb11, ^bb13
        %26 = llvm.icmp "slt" %25, %4 : i64
        llvm.cond_br %26, ^bb13, ^bb14
      ^bb13:  // pred: ^bb12
        %27 = llvm.mul %5, %4 : i64
        %28 = llvm.add %27, %25 : i64
        %29 = llvm.getelementptr inbounds %arg1[%28] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %30 = llvm.load %29 : !llvm.ptr -> f32
        %31 = llvm.getelementptr inbounds %arg2[%3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %32 = llvm.load %31 : !llvm.ptr -> f32
        %33 = llvm.fsub %30, %32 {fastmathFlags = #llvm.fastmath<contract>} : f32
        %34 = llvm.mlir.constant(5.000000e-01 : f32) : f32
        %35 = llvm.mlir.constant(1.000000e+00 : f32) : f32
        %36 = llvm.mlir.constant(1.44269502 : f32) : f32
        %37 = llvm.mlir.constant(-0.693359375 : f32) : f32
        %38 = llvm.mlir.constant(2.12194442E-4 : f32) : f32
        %39 = llvm.mlir.constant(1.98756912E-4 : f32) : f32
        %40 = llvm.mlir.constant(0.00139819994 : f32) : f32
        %41 = llvm.mlir.constant(0.00833345205 : f32) : f32
        %42 = llvm.mlir.constant(0.0416657962 : f32) : f32
        %43 = llvm.mlir.constant(0.166666657 : f32) : f32
        %44 = llvm.mlir.constant(5.000000e-01 : f32) : f32
        %45 = llvm.mlir.constant(-8.780000e+01 : f32) : f32
        %46 = llvm.fcmp "uge" %33, %45 : f32
        %47 = llvm.select %46, %33, %45 : i1, f32
        %48 = llvm.mlir.constant(8.880000e+01 : f32) : f32
        %49 = llvm.fcmp "ule" %47, %48 : f32
        %50 = llvm.select %49, %47, %48 : i1, f32
        %51 = llvm.intr.fma(%50, %36, %34) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
        %52 = llvm.intr.floor(%51) {fastmathFlags = #llvm.fastmath<contract>} : (f32) -> f32
        %53 = llvm.mlir.constant(-1.270000e+02 : f32) : f32
        %54 = llvm.fcmp "uge" %52, %53 : f32
        %55 = llvm.select %54, %52, %53 : i1, f32
        %56 = llvm.mlir.constant(1.270000e+02 : f32) : f32
        %57 = llvm.fcmp "ule" %55, %56 : f32
        %58 = llvm.select %57, %55, %56 : i1, f32
        %59 = llvm.intr.fma(%37, %58, %50) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
        %60 = llvm.intr.fma(%38, %58, %59) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
        %61 = llvm.intr.fma(%60, %39, %40) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
        %62 = llvm.intr.fma(%61, %60, %41) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
        %63 = llvm.intr.fma(%62, %60, %42) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
        %64 = llvm.intr.fma(%63, %60, %43) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
        %65 = llvm.intr.fma(%64, %60, %44) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
        %66 = llvm.fmul %60, %60 {fastmathFlags = #llvm.fastmath<contract>} : f32
        %67 = llvm.intr.fma(%65, %66, %60) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
        %68 = llvm.fadd %67, %35 {fastmathFlags = #llvm.fastmath<contract>} : f32
        %69 = llvm.fptosi %58 : f32 to i32
        %70 = llvm.freeze %69 : i32
        %71 = llvm.mlir.constant(23 : i32) : i32
        %72 = llvm.mlir.constant(127 : i32) : i32
        %73 = llvm.add %70, %72 : i32
        %74 = llvm.shl %73, %71 : i32
        %75 = llvm.bitcast %74 : i32 to f32
        %76 = llvm.fmul %68, %75 {fastmathFlags = #llvm.fastmath<contract>} : f32
        %77 = llvm.getelementptr inbounds %arg3[%25] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %76, %77 : f32, !llvm.ptr
        %78 = llvm.add %25, %2 : i64
        llvm.br ^bb12(%78 : i64)
      ^bb14:  // pred: ^bb12
        %79 = llvm.icmp "slt" %3, %2 : i64
        llvm.cond_br %79, ^bb15, ^bb22
      ^bb15:  // pred: ^bb14
        %80 = llvm.mlir.constant(0.000000e+00 : f32) : f32
        llvm.br ^bb16(%3, %80 : i64, f32)
      ^bb16(%81: i64, %82: f32):  // 2 preds: ^bb15, ^bb17
        %83 = llvm.icmp "slt" %81, %4 : i64
        llvm.cond_br %83, ^bb17, ^bb18
      ^bb17:  // pred: ^bb16
        %84 = llvm.getelementptr inbounds %arg3[%81] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %85 = llvm.load %84 : !llvm.ptr -> f32
        %86 = llvm.fadd %82, %85 {fastmathFlags = #llvm.fastmath<contract, reassoc>} : f32
        %87 = llvm.add %81, %2 : i64
        llvm.br ^bb16(%87, %86 : i64, f32)
      ^bb18:  // pred: ^bb16
        llvm.br ^bb19(%3 : i64)
      ^bb19(%88: i64):  // 2 preds: ^bb18, ^bb20
        %89 = llvm.icmp "slt" %88, %2 : i64
        llvm.cond_br %89, ^bb20, ^bb21
      ^bb20:  // pred: ^bb19
        %90 = llvm.getelementptr inbounds %arg4[%88] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %82, %90 : f32, !llvm.ptr
        %91 = llvm.add %88, %2 : i64
        llvm.br ^bb19(%91 : i64)
      ^bb21:  // pred: ^bb19
        llvm.br ^bb22
      ^bb22:  // 2 preds: ^bb14, ^bb21
        %92 = llvm.mul %5, %4 : i64
        %93 = llvm.icmp "slt" %3, %4 : i64
        llvm.cond_br %93, ^bb23, ^bb33
      ^bb23:  // pred: ^bb22
        %94 = llvm.getelementptr inbounds %arg4[%3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %95 = llvm.load %94 : !llvm.ptr -> f32
        %96 = llvm.intr.fabs(%95) {fastmathFlags = #llvm.fastmath<contract>} : (f32) -> f32
        %97 = llvm.mlir.constant(5.42101086E-20 : f32) : f32
        %98 = llvm.fcmp "oge" %96, %97 : f32
        %99 = llvm.mlir.constant(1.84467441E+19 : f32) : f32
        %100 = llvm.fcmp "ole" %96, %99 : f32
        %101 = llvm.and %98, %100 : i1
        %102 = llvm.mlir.constant(1.000000e+00 : f32) : f32
        %103 = llvm.fdiv %102, %95 {fastmathFlags = #llvm.fastmath<contract>} : f32
        llvm.cond_br %101, ^bb24, ^bb28
      ^bb24:  // pred: ^bb23
        llvm.br ^bb25(%3 : i64)
      ^bb25(%104: i64):  // 2 preds: ^bb24, ^bb26
        %105 = llvm.icmp "slt" %104, %4 : i64
        llvm.cond_br %105, ^bb26, ^bb27
      ^bb26:  // pred: ^bb25
        %106 = llvm.getelementptr inbounds %arg3[%104] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %107 = llvm.load %106 : !llvm.ptr -> f32
        %108 = llvm.fmul %107, %103 {fastmathFlags = #llvm.fastmath<contract>} : f32
        %109 = llvm.add %92, %104 : i64
        %110 = llvm.getelementptr inbounds %arg5[%109] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %108, %110 : f32, !llvm.ptr
        %111 = llvm.add %104, %2 : i64
        llvm.br ^bb25(%111 : i64)
      ^bb27:  // pred: ^bb25
        llvm.br ^bb32
      ^bb28:  // pred: ^bb23
        llvm.br ^bb29(%3 : i64)
      ^bb29(%112: i64):  // 2 preds: ^bb28, ^bb30
        %113 = llvm.icmp "slt" %112, %4 : i64
        llvm.cond_br %113, ^bb30, ^bb31
      ^bb30:  // pred: ^bb29
        %114 = llvm.getelementptr inbounds %arg3[%112] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %115 = llvm.load %114 : !llvm.ptr -> f32
        %116 = llvm.fdiv %115, %95 {fastmathFlags = #llvm.fastmath<contract>} : f32
        %117 = llvm.add %92, %112 : i64
        %118 = llvm.getelementptr inbounds %arg5[%117] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %116, %118 : f32, !llvm.ptr
        %119 = llvm.add %112, %2 : i64
        llvm.br ^bb29(%119 : i64)
      ^bb31:  // pred: ^bb29
        llvm.br ^bb32
      ^bb32:  // 2 preds: ^bb27, ^bb31
        llvm.br ^bb33
      ^bb33:  // 2 preds: ^bb22, ^bb32
        llvm.br ^bb34(%3 : i64)
      ^bb34(%120: i64):  // 2 preds: ^bb33, ^bb35
        %121 = llvm.icmp "slt" %120, %2 : i64
        llvm.cond_br %121, ^bb35, ^bb36
      ^bb35:  // pred: ^bb34
        %122 = llvm.mlir.constant(0xFF800000 : f32) : f32
        %123 = llvm.getelementptr inbounds %arg6[%120] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %122, %123 : f32, !llvm.ptr
        %124 = llvm.add %120, %2 : i64
        llvm.br ^bb34(%124 : i64)
      ^bb36:  // pred: ^bb34
        llvm.br ^bb37(%3 : i64)
      ^bb37(%125: i64):  // 2 preds: ^bb36, ^bb41
        %126 = llvm.icmp "slt" %125, %4 : i64
        llvm.cond_br %126, ^bb38, ^bb42
      ^bb38:  // pred: ^bb37
        llvm.br ^bb39(%3 : i64)
      ^bb39(%127: i64):  // 2 preds: ^bb38, ^bb40
        %128 = llvm.icmp "slt" %127, %2 : i64
        llvm.cond_br %128, ^bb40, ^bb41
      ^bb40:  // pred: ^bb39
        %129 = llvm.getelementptr inbounds %arg6[%127] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %130 = llvm.load %129 : !llvm.ptr -> f32
        %131 = llvm.add %92, %125 : i64
        %132 = llvm.getelementptr inbounds %arg5[%131] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %133 = llvm.load %132 : !llvm.ptr -> f32
        %134 = llvm.intr.maximum(%130, %133) {fastmathFlags = #llvm.fastmath<nsz>} : (f32, f32) -> f32
        llvm.store %134, %129 : f32, !llvm.ptr
        %135 = llvm.add %127, %2 : i64
        llvm.br ^bb39(%135 : i64)
      ^bb41:  // pred: ^bb39
        %136 = llvm.add %125, %2 : i64
        llvm.br ^bb37(%136 : i64)
      ^bb42:  // pred: ^bb37
        %137 = llvm.mlir.constant(9223372036854775807 : i64) : i64
        llvm.br ^bb43(%3, %137 : i64, i64)
      ^bb43(%138: i64, %139: i64):  // 2 preds: ^bb42, ^bb44
        %140 = llvm.icmp "slt" %138, %4 : i64
        llvm.cond_br %140, ^bb44, ^bb45
      ^bb44:  // pred: ^bb43
        %141 = llvm.add %92, %138 : i64
        %142 = llvm.getelementptr inbounds %arg5[%141] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %143 = llvm.load %142 : !llvm.ptr -> f32
        %144 = llvm.getelementptr inbounds %arg6[%3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %145 = llvm.load %144 : !llvm.ptr -> f32
        %146 = llvm.fcmp "oeq" %143, %145 : f32
        %147 = llvm.fcmp "uno" %143, %143 : f32
        %148 = llvm.or %146, %147 : i1
        %149 = llvm.select %148, %138, %137 : i1, i64
        %150 = llvm.icmp "slt" %139, %149 : i64
        %151 = llvm.select %150, %139, %149 : i1, i64
        %152 = llvm.add %138, %2 : i64
        llvm.br ^bb43(%152, %151 : i64, i64)
      ^bb45:  // pred: ^bb43
        %153 = llvm.getelementptr inbounds %arg7[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i64
        llvm.store %139, %153 : i64, !llvm.ptr
        %154 = llvm.add %5, %2 : i64
        llvm.br ^bb1(%154 : i64)
      ^bb46:  // pred: ^bb1
        llvm.return
      }
      llvm.func @k0(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr, %arg3: i64, %arg4: i64) attributes {prefer_vector_width = "256"} {
        %2 = llvm.load %arg0 : !llvm.ptr -> i64
        %3 = llvm.load %arg1 : !llvm.ptr -> !llvm.ptr
        %4 = llvm.mlir.constant(0 : index) : i64
        %5 = llvm.getelementptr %arg2[%4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %6 = llvm.mlir.constant(64 : index) : i64
        %7 = llvm.getelementptr %arg2[%6] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %8 = llvm.mlir.constant(128 : index) : i64
        %9 = llvm.getelementptr %arg2[%8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %10 = llvm.getelementptr %arg1[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
        %11 = llvm.load %10 : !llvm.ptr -> !llvm.ptr
        %12 = llvm.mlir.constant(192 : index) : i64
        %13 = llvm.getelementptr %arg2[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %14 = llvm.getelementptr %arg1[2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
        %15 = llvm.load %14 : !llvm.ptr -> !llvm.ptr
        llvm.call @k0.rows(%2, %3, %5, %7, %9, %11, %13, %15, %arg3, %arg4) : (i64, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64) -> ()
        llvm.return
      }
    }
  }
  program.target  cpu attributes {host = #kernel.cpu<"x86-64-v4">} {
    %0 = program.constant dense<[[1.000000e+00, -1.000000e+00, 5.000000e-01, 2.500000e-01], [2.000000e+00, 0.000000e+00, -5.000000e-01, 1.000000e+00], [0.000000e+00, 1.000000e+00, 1.500000e+00, -1.000000e+00], [1.000000e+00, 1.000000e+00, 0.000000e+00, 5.000000e-01], [-1.000000e+00, 5.000000e-01, 2.000000e+00, 0.000000e+00], [5.000000e-01, 5.000000e-01, -1.000000e+00, 1.000000e+00], [3.000000e+00, -2.000000e+00, 1.000000e+00, 0.000000e+00], [0.000000e+00, 2.500000e-01, 5.000000e-01, 2.000000e+00]]> : tensor<8x4xf32>
    %1 = program.constant dense<[5.000000e-01, -5.000000e-01, 2.500000e-01, 0.000000e+00]> : tensor<4xf32>
    program.entry @main symbols ["n"] scratch(256) {
      %2 = program.input "x" : tensor<?x8xf32, #graph.dims<n, 8>>
      %3 = program.output "y" : tensor<?x4xf32, #graph.dims<n, 4>> holds "model.mlir:9:8 graph.div"
      %4 = program.output "best" : tensor<?xi64, #graph.dims<n>> holds "model.mlir:10:8 graph.reduce_min"
      %5 = program.arena : tensor<?x4xf32, #graph.dims<n, 4>> live 0 to 1 holds "model.mlir:8:8 graph.add"
      program.run {
        program.call "matmul+add" onednn #program.matmul(%2, %0, %1, %5) {constant_weight} : tensor<?x8xf32, #graph.dims<n, 8>>, tensor<8x4xf32>, tensor<4xf32>, tensor<?x4xf32, #graph.dims<n, 4>>
        program.launch "reduce_max+broadcast+sub+exp+reduce_sum+broadcast+div+reduce_max" @kernels::@k0(%5, %3, %4) extent(n) grain 1411
      }
    }
    builtin.module @kernels {
      llvm.func @k0.rows(%arg0: i64, %arg1: !llvm.ptr {llvm.noalias}, %arg2: !llvm.ptr {llvm.noalias}, %arg3: !llvm.ptr {llvm.noalias}, %arg4: !llvm.ptr {llvm.noalias}, %arg5: !llvm.ptr {llvm.noalias}, %arg6: !llvm.ptr {llvm.noalias}, %arg7: !llvm.ptr {llvm.noalias}, %arg8: i64, %arg9: i64) attributes {prefer_vector_width = "512", sym_visibility = "private"} {
        %2 = llvm.mlir.constant(1 : index) : i64
        %3 = llvm.mlir.constant(0 : index) : i64
        %4 = llvm.mlir.constant(4 : index) : i64
        llvm.br ^bb1(%arg8 : i64)
      ^bb1(%5: i64):  // 2 preds: ^bb0, ^bb45
        %6 = llvm.icmp "slt" %5, %arg9 : i64
        llvm.cond_br %6, ^bb2, ^bb46
      ^bb2:  // pred: ^bb1
        llvm.br ^bb3(%3 : i64)
      ^bb3(%7: i64):  // 2 preds: ^bb2, ^bb4
        %8 = llvm.icmp "slt" %7, %2 : i64
        llvm.cond_br %8, ^bb4, ^bb5
      ^bb4:  // pred: ^bb3
        %9 = llvm.mlir.constant(0xFF800000 : f32) : f32
        %10 = llvm.getelementptr inbounds %arg2[%7] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %9, %10 : f32, !llvm.ptr
        %11 = llvm.add %7, %2 : i64
        llvm.br ^bb3(%11 : i64)
      ^bb5:  // pred: ^bb3
        llvm.br ^bb6(%3 : i64)
      ^bb6(%12: i64):  // 2 preds: ^bb5, ^bb10
        %13 = llvm.icmp "slt" %12, %4 : i64
        llvm.cond_br %13, ^bb7, ^bb11
      ^bb7:  // pred: ^bb6
        llvm.br ^bb8(%3 : i64)
      ^bb8(%14: i64):  // 2 preds: ^bb7, ^bb9
        %15 = llvm.icmp "slt" %14, %2 : i64
        llvm.cond_br %15, ^bb9, ^bb10
      ^bb9:  // pred: ^bb8
        %16 = llvm.getelementptr inbounds %arg2[%14] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %17 = llvm.load %16 : !llvm.ptr -> f32
        %18 = llvm.mul %5, %4 : i64
        %19 = llvm.add %18, %12 : i64
        %20 = llvm.getelementptr inbounds %arg1[%19] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %21 = llvm.load %20 : !llvm.ptr -> f32
        %22 = llvm.intr.maximum(%17, %21) {fastmathFlags = #llvm.fastmath<nsz>} : (f32, f32) -> f32
        llvm.store %22, %16 : f32, !llvm.ptr
        %23 = llvm.add %14, %2 : i64
        llvm.br ^bb8(%23 : i64)
      ^bb10:  // pred: ^bb8
        %24 = llvm.add %12, %2 : i64
        llvm.br ^bb6(%24 : i64)
      ^bb11:  // pred: ^bb6
        llvm.br ^bb12(%3 : i64)
      ^bb12(%25: i64):  // 2 preds: ^bb11, ^bb13
        %26 = llvm.icmp "slt" %25, %4 : i64
        llvm.cond_br %26, ^bb13, ^bb14
      ^bb13:  // pred: ^bb12
        %27 = llvm.mul %5, %4 : i64
        %28 = llvm.add %27, %25 : i64
        %29 = llvm.getelementptr inbounds %arg1[%28] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %30 = llvm.load %29 : !llvm.ptr -> f32
        %31 = llvm.getelementptr inbounds %arg2[%3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %32 = llvm.load %31 : !llvm.ptr -> f32
        %33 = llvm.fsub %30, %32 {fastmathFlags = #llvm.fastmath<contract>} : f32
        %34 = llvm.mlir.constant(5.000000e-01 : f32) : f32
        %35 = llvm.mlir.constant(1.000000e+00 : f32) : f32
        %36 = llvm.mlir.constant(1.44269502 : f32) : f32
        %37 = llvm.mlir.constant(-0.693359375 : f32) : f32
        %38 = llvm.mlir.constant(2.12194442E-4 : f32) : f32
        %39 = llvm.mlir.constant(1.98756912E-4 : f32) : f32
        %40 = llvm.mlir.constant(0.00139819994 : f32) : f32
        %41 = llvm.mlir.constant(0.00833345205 : f32) : f32
        %42 = llvm.mlir.constant(0.0416657962 : f32) : f32
        %43 = llvm.mlir.constant(0.166666657 : f32) : f32
        %44 = llvm.mlir.constant(5.000000e-01 : f32) : f32
        %45 = llvm.mlir.constant(-8.780000e+01 : f32) : f32
        %46 = llvm.fcmp "uge" %33, %45 : f32
        %47 = llvm.select %46, %33, %45 : i1, f32
        %48 = llvm.mlir.constant(8.880000e+01 : f32) : f32
        %49 = llvm.fcmp "ule" %47, %48 : f32
        %50 = llvm.select %49, %47, %48 : i1, f32
        %51 = llvm.intr.fma(%50, %36, %34) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
        %52 = llvm.intr.floor(%51) {fastmathFlags = #llvm.fastmath<contract>} : (f32) -> f32
        %53 = llvm.mlir.constant(-1.270000e+02 : f32) : f32
        %54 = llvm.fcmp "uge" %52, %53 : f32
        %55 = llvm.select %54, %52, %53 : i1, f32
        %56 = llvm.mlir.constant(1.270000e+02 : f32) : f32
        %57 = llvm.fcmp "ule" %55, %56 : f32
        %58 = llvm.select %57, %55, %56 : i1, f32
        %59 = llvm.intr.fma(%37, %58, %50) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
        %60 = llvm.intr.fma(%38, %58, %59) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
        %61 = llvm.intr.fma(%60, %39, %40) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
        %62 = llvm.intr.fma(%61, %60, %41) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
        %63 = llvm.intr.fma(%62, %60, %42) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
        %64 = llvm.intr.fma(%63, %60, %43) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
        %65 = llvm.intr.fma(%64, %60, %44) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
        %66 = llvm.fmul %60, %60 {fastmathFlags = #llvm.fastmath<contract>} : f32
        %67 = llvm.intr.fma(%65, %66, %60) {fastmathFlags = #llvm.fastmath<contract>} : (f32, f32, f32) -> f32
        %68 = llvm.fadd %67, %35 {fastmathFlags = #llvm.fastmath<contract>} : f32
        %69 = llvm.fptosi %58 : f32 to i32
        %70 = llvm.freeze %69 : i32
        %71 = llvm.mlir.constant(23 : i32) : i32
        %72 = llvm.mlir.constant(127 : i32) : i32
        %73 = llvm.add %70, %72 : i32
        %74 = llvm.shl %73, %71 : i32
        %75 = llvm.bitcast %74 : i32 to f32
        %76 = llvm.fmul %68, %75 {fastmathFlags = #llvm.fastmath<contract>} : f32
        %77 = llvm.getelementptr inbounds %arg3[%25] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %76, %77 : f32, !llvm.ptr
        %78 = llvm.add %25, %2 : i64
        llvm.br ^bb12(%78 : i64)
      ^bb14:  // pred: ^bb12
        %79 = llvm.icmp "slt" %3, %2 : i64
        llvm.cond_br %79, ^bb15, ^bb22
      ^bb15:  // pred: ^bb14
        %80 = llvm.mlir.constant(0.000000e+00 : f32) : f32
        llvm.br ^bb16(%3, %80 : i64, f32)
      ^bb16(%81: i64, %82: f32):  // 2 preds: ^bb15, ^bb17
        %83 = llvm.icmp "slt" %81, %4 : i64
        llvm.cond_br %83, ^bb17, ^bb18
      ^bb17:  // pred: ^bb16
        %84 = llvm.getelementptr inbounds %arg3[%81] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %85 = llvm.load %84 : !llvm.ptr -> f32
        %86 = llvm.fadd %82, %85 {fastmathFlags = #llvm.fastmath<contract, reassoc>} : f32
        %87 = llvm.add %81, %2 : i64
        llvm.br ^bb16(%87, %86 : i64, f32)
      ^bb18:  // pred: ^bb16
        llvm.br ^bb19(%3 : i64)
      ^bb19(%88: i64):  // 2 preds: ^bb18, ^bb20
        %89 = llvm.icmp "slt" %88, %2 : i64
        llvm.cond_br %89, ^bb20, ^bb21
      ^bb20:  // pred: ^bb19
        %90 = llvm.getelementptr inbounds %arg4[%88] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %82, %90 : f32, !llvm.ptr
        %91 = llvm.add %88, %2 : i64
        llvm.br ^bb19(%91 : i64)
      ^bb21:  // pred: ^bb19
        llvm.br ^bb22
      ^bb22:  // 2 preds: ^bb14, ^bb21
        %92 = llvm.mul %5, %4 : i64
        %93 = llvm.icmp "slt" %3, %4 : i64
        llvm.cond_br %93, ^bb23, ^bb33
      ^bb23:  // pred: ^bb22
        %94 = llvm.getelementptr inbounds %arg4[%3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %95 = llvm.load %94 : !llvm.ptr -> f32
        %96 = llvm.intr.fabs(%95) {fastmathFlags = #llvm.fastmath<contract>} : (f32) -> f32
        %97 = llvm.mlir.constant(5.42101086E-20 : f32) : f32
        %98 = llvm.fcmp "oge" %96, %97 : f32
        %99 = llvm.mlir.constant(1.84467441E+19 : f32) : f32
        %100 = llvm.fcmp "ole" %96, %99 : f32
        %101 = llvm.and %98, %100 : i1
        %102 = llvm.mlir.constant(1.000000e+00 : f32) : f32
        %103 = llvm.fdiv %102, %95 {fastmathFlags = #llvm.fastmath<contract>} : f32
        llvm.cond_br %101, ^bb24, ^bb28
      ^bb24:  // pred: ^bb23
        llvm.br ^bb25(%3 : i64)
      ^bb25(%104: i64):  // 2 preds: ^bb24, ^bb26
        %105 = llvm.icmp "slt" %104, %4 : i64
        llvm.cond_br %105, ^bb26, ^bb27
      ^bb26:  // pred: ^bb25
        %106 = llvm.getelementptr inbounds %arg3[%104] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %107 = llvm.load %106 : !llvm.ptr -> f32
        %108 = llvm.fmul %107, %103 {fastmathFlags = #llvm.fastmath<contract>} : f32
        %109 = llvm.add %92, %104 : i64
        %110 = llvm.getelementptr inbounds %arg5[%109] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %108, %110 : f32, !llvm.ptr
        %111 = llvm.add %104, %2 : i64
        llvm.br ^bb25(%111 : i64)
      ^bb27:  // pred: ^bb25
        llvm.br ^bb32
      ^bb28:  // pred: ^bb23
        llvm.br ^bb29(%3 : i64)
      ^bb29(%112: i64):  // 2 preds: ^bb28, ^bb30
        %113 = llvm.icmp "slt" %112, %4 : i64
        llvm.cond_br %113, ^bb30, ^bb31
      ^bb30:  // pred: ^bb29
        %114 = llvm.getelementptr inbounds %arg3[%112] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %115 = llvm.load %114 : !llvm.ptr -> f32
        %116 = llvm.fdiv %115, %95 {fastmathFlags = #llvm.fastmath<contract>} : f32
        %117 = llvm.add %92, %112 : i64
        %118 = llvm.getelementptr inbounds %arg5[%117] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %116, %118 : f32, !llvm.ptr
        %119 = llvm.add %112, %2 : i64
        llvm.br ^bb29(%119 : i64)
      ^bb31:  // pred: ^bb29
        llvm.br ^bb32
      ^bb32:  // 2 preds: ^bb27, ^bb31
        llvm.br ^bb33
      ^bb33:  // 2 preds: ^bb22, ^bb32
        llvm.br ^bb34(%3 : i64)
      ^bb34(%120: i64):  // 2 preds: ^bb33, ^bb35
        %121 = llvm.icmp "slt" %120, %2 : i64
        llvm.cond_br %121, ^bb35, ^bb36
      ^bb35:  // pred: ^bb34
        %122 = llvm.mlir.constant(0xFF800000 : f32) : f32
        %123 = llvm.getelementptr inbounds %arg6[%120] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        llvm.store %122, %123 : f32, !llvm.ptr
        %124 = llvm.add %120, %2 : i64
        llvm.br ^bb34(%124 : i64)
      ^bb36:  // pred: ^bb34
        llvm.br ^bb37(%3 : i64)
      ^bb37(%125: i64):  // 2 preds: ^bb36, ^bb41
        %126 = llvm.icmp "slt" %125, %4 : i64
        llvm.cond_br %126, ^bb38, ^bb42
      ^bb38:  // pred: ^bb37
        llvm.br ^bb39(%3 : i64)
      ^bb39(%127: i64):  // 2 preds: ^bb38, ^bb40
        %128 = llvm.icmp "slt" %127, %2 : i64
        llvm.cond_br %128, ^bb40, ^bb41
      ^bb40:  // pred: ^bb39
        %129 = llvm.getelementptr inbounds %arg6[%127] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %130 = llvm.load %129 : !llvm.ptr -> f32
        %131 = llvm.add %92, %125 : i64
        %132 = llvm.getelementptr inbounds %arg5[%131] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %133 = llvm.load %132 : !llvm.ptr -> f32
        %134 = llvm.intr.maximum(%130, %133) {fastmathFlags = #llvm.fastmath<nsz>} : (f32, f32) -> f32
        llvm.store %134, %129 : f32, !llvm.ptr
        %135 = llvm.add %127, %2 : i64
        llvm.br ^bb39(%135 : i64)
      ^bb41:  // pred: ^bb39
        %136 = llvm.add %125, %2 : i64
        llvm.br ^bb37(%136 : i64)
      ^bb42:  // pred: ^bb37
        %137 = llvm.mlir.constant(9223372036854775807 : i64) : i64
        llvm.br ^bb43(%3, %137 : i64, i64)
      ^bb43(%138: i64, %139: i64):  // 2 preds: ^bb42, ^bb44
        %140 = llvm.icmp "slt" %138, %4 : i64
        llvm.cond_br %140, ^bb44, ^bb45
      ^bb44:  // pred: ^bb43
        %141 = llvm.add %92, %138 : i64
        %142 = llvm.getelementptr inbounds %arg5[%141] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %143 = llvm.load %142 : !llvm.ptr -> f32
        %144 = llvm.getelementptr inbounds %arg6[%3] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %145 = llvm.load %144 : !llvm.ptr -> f32
        %146 = llvm.fcmp "oeq" %143, %145 : f32
        %147 = llvm.fcmp "uno" %143, %143 : f32
        %148 = llvm.or %146, %147 : i1
        %149 = llvm.select %148, %138, %137 : i1, i64
        %150 = llvm.icmp "slt" %139, %149 : i64
        %151 = llvm.select %150, %139, %149 : i1, i64
        %152 = llvm.add %138, %2 : i64
        llvm.br ^bb43(%152, %151 : i64, i64)
      ^bb45:  // pred: ^bb43
        %153 = llvm.getelementptr inbounds %arg7[%5] : (!llvm.ptr, i64) -> !llvm.ptr, i64
        llvm.store %139, %153 : i64, !llvm.ptr
        %154 = llvm.add %5, %2 : i64
        llvm.br ^bb1(%154 : i64)
      ^bb46:  // pred: ^bb1
        llvm.return
      }
      llvm.func @k0(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr, %arg3: i64, %arg4: i64) attributes {prefer_vector_width = "512"} {
        %2 = llvm.load %arg0 : !llvm.ptr -> i64
        %3 = llvm.load %arg1 : !llvm.ptr -> !llvm.ptr
        %4 = llvm.mlir.constant(0 : index) : i64
        %5 = llvm.getelementptr %arg2[%4] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %6 = llvm.mlir.constant(64 : index) : i64
        %7 = llvm.getelementptr %arg2[%6] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %8 = llvm.mlir.constant(128 : index) : i64
        %9 = llvm.getelementptr %arg2[%8] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %10 = llvm.getelementptr %arg1[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
        %11 = llvm.load %10 : !llvm.ptr -> !llvm.ptr
        %12 = llvm.mlir.constant(192 : index) : i64
        %13 = llvm.getelementptr %arg2[%12] : (!llvm.ptr, i64) -> !llvm.ptr, i8
        %14 = llvm.getelementptr %arg1[2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
        %15 = llvm.load %14 : !llvm.ptr -> !llvm.ptr
        llvm.call @k0.rows(%2, %3, %5, %7, %9, %11, %13, %15, %arg3, %arg4) : (i64, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, i64) -> ()
        llvm.return
      }
    }
  }
}

