// RUN: tenon-opt %s --split-input-file | tenon-opt --split-input-file | FileCheck %s

// Fields that have their default are not printed.
// CHECK: module @usual attributes {kernel.target = #kernel.target<>} {
module @usual attributes {kernel.target = #kernel.target<device = cpu, fp = reassociate, precision = f32, archs = [], host = "cpu:x86-64-v3", levels = ["cpu:x86-64-v4"]>} {
}

// -----

// CHECK: module @pinned attributes {kernel.target = #kernel.target<levels = []>} {
module @pinned attributes {kernel.target = #kernel.target<levels = []>} {
}

// -----

// Another host has no levels unless they are written.
// CHECK: module @several attributes {kernel.target = #kernel.target<host = "cpu:x86-64-v2", levels = ["cpu:x86-64-v3", "cpu:x86-64-v4"]>} {
module @several attributes {kernel.target = #kernel.target<host = "cpu:x86-64-v2", levels = ["cpu:x86-64-v3", "cpu:x86-64-v4"]>} {
}

// -----

// CHECK: module @other attributes {kernel.target = #kernel.target<host = "cpu:x86-64-v2">} {
module @other attributes {kernel.target = #kernel.target<host = "cpu:x86-64-v2", levels = []>} {
}

// -----

// CHECK: module @cpu attributes {kernel.target = #kernel.target<fp = strict, precision = bf16, host = "cpu:native">} {
module @cpu attributes {kernel.target = #kernel.target<host = "cpu:native", precision = bf16, fp = strict>} {
}

// -----

// CHECK: module @gpu attributes {kernel.target = #kernel.target<device = cuda, fp = finite, precision = tf32, archs = ["sm_80", "sm_90"]>} {
module @gpu attributes {kernel.target = #kernel.target<device = cuda, fp = finite, precision = tf32, archs = ["sm_80", "sm_90"]>} {
}

// -----

// CHECK: module @half attributes {kernel.target = #kernel.target<device = cuda, precision = f16>} {
module @half attributes {kernel.target = #kernel.target<device = cuda, precision = f16>} {
}
