// Matrices of one column whose transposed rows are batches: the stride of the
// column is that of one batch, and too small for all rows in one.
// RUN: tenon-compile %s -o %t.so
// RUN: tenon-run %t.so --entry dense --output y=@%t.npy
// RUN: tenon-run %t.so --entry thin --expect y=@%t.npy --rtol 0
module @thin {
  program.target  cpu {
    program.entry @dense {
      %x = program.input "x" : tensor<2x3x5x1xf32>
      %w = program.input "w" : tensor<1x1xf32>
      %y = program.output "y" : tensor<2x3x5x1xf32>
      program.run {
        program.call "product" onednn #program.matmul(%x, %w, %y) {orders = [array<i32>, array<i32>, array<i32>]} : tensor<2x3x5x1xf32>, tensor<1x1xf32>, tensor<2x3x5x1xf32>
      }
    }
    program.entry @thin {
      %x = program.input "x" : tensor<2x3x1x5xf32>
      %w = program.input "w" : tensor<1x1xf32>
      %y = program.output "y" : tensor<2x3x5x1xf32>
      program.run {
        program.call "product" onednn #program.matmul(%x, %w, %y) {orders = [array<i32: 0, 1, 3, 2>, array<i32: 0, 1, 3, 2>, array<i32>]} : tensor<2x3x5x1xf32>, tensor<1x1x1x1xf32>, tensor<2x3x5x1xf32>
      }
    }
    builtin.module @kernels {
    }
  }
}
