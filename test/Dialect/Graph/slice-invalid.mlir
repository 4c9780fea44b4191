// RUN: tenon-opt %s --split-input-file --verify-diagnostics

func.func @starts(%x: tensor<5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected 1 starts, but got 0}}
  %0 = graph.slice %x starts = [] sizes = [2] steps = [1] : (tensor<5xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @starts_unknown(%x: tensor<5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected known starts, but got ?}}
  %0 = graph.slice %x starts = [?] sizes = [2] steps = [1] : (tensor<5xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @step_zero(%x: tensor<5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axis 0: expected a step other than 0, but got 0}}
  %0 = graph.slice %x starts = [0] sizes = [2] steps = [0] : (tensor<5xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @beyond_end(%x: tensor<5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axis 0: expected positions from 0 to 4, but got 5}}
  %0 = graph.slice %x starts = [1] sizes = [3] steps = [2] : (tensor<5xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @before_begin(%x: tensor<5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axis 0: expected positions from 0 to 4, but got -1}}
  %0 = graph.slice %x starts = [1] sizes = [3] steps = [-1] : (tensor<5xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @beyond_symbolic_end(%x: tensor<?xf32, #graph.dims<n>>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axis 0: expected positions from 0 to n - 1, but got n}}
  %0 = graph.slice %x starts = [n] sizes = [1] steps = [1] : (tensor<?xf32, #graph.dims<n>>) -> tensor<1xf32>
  return
}

// -----

func.func @split_sum(%x: tensor<5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{sum of sizes: expected 5, but got 4}}
  %0:2 = graph.split %x axis = 0 sizes = [2, 2] : (tensor<5xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @split_results(%x: tensor<5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{inferred type(s) 'tensor<2xf32>', 'tensor<3xf32>' are incompatible with return type(s) of operation 'tensor<2xf32>'}}
  %0 = graph.split %x axis = 0 sizes = [2, 3] : (tensor<5xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @split_none(%x: tensor<5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected at least 1 size, but got 0}}
  graph.split %x axis = 0 sizes = [] : (tensor<5xf32>) -> ()
  return
}

// -----

func.func @concat_none() {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected at least 1 input, but got 0}}
  %0 = graph.concat axis = 0 : () -> tensor<0xf32>
  return
}

// -----

func.func @concat_rank(%a: tensor<5xf32>, %b: tensor<2x5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected input 1 of rank 1, but got rank 2}}
  %0 = graph.concat %a, %b axis = 0 : (tensor<5xf32>, tensor<2x5xf32>) -> tensor<10xf32>
  return
}

// -----

func.func @concat_axis(%a: tensor<5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected an axis from 0 to 0, but got 1}}
  %0 = graph.concat %a axis = 1 : (tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @concat_sizes(%a: tensor<2x5xf32>, %b: tensor<2x6xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axis 1 of input 1: expected 5, but got 6}}
  %0 = graph.concat %a, %b axis = 0 : (tensor<2x5xf32>, tensor<2x6xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @concat_elements(%a: tensor<2xf32>, %b: tensor<2xi32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected input 1 of the element type of input 0, 'f32', but got 'i32'}}
  %0 = graph.concat %a, %b axis = 0 : (tensor<2xf32>, tensor<2xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @pad_negative(%x: tensor<5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{expected low paddings of at least 0, but got -1}}
  %0 = graph.pad %x low = [-1] high = [0] constant value = 0.0 : (tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @pad_reflect(%x: tensor<5xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axis 0: expected reflected padding below 5, but got 5}}
  %0 = graph.pad %x low = [0] high = [5] reflect value = 0.0 : (tensor<5xf32>) -> tensor<10xf32>
  return
}

// -----

func.func @pad_empty(%x: tensor<0xf32>) {
  // expected-error@+2 {{failed to infer returned types}}
  // expected-error@+1 {{axis 0: expected elements to repeat, but got size 0}}
  %0 = graph.pad %x low = [0] high = [5] edge value = 0.0 : (tensor<0xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @reverse_twice(%x: tensor<5xf32>) {
  // expected-error@+1 {{expected distinct axes, but got 0 twice}}
  %0 = graph.reverse %x axes = [0, 0] : tensor<5xf32>
  return
}

// -----

func.func @reverse_of_scalar(%x: tensor<f32>) {
  // expected-error@+1 {{expected rank 1 or more for axis 0, but got rank 0}}
  %0 = graph.reverse %x axes = [0] : tensor<f32>
  return
}
