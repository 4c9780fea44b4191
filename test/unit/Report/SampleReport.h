//===- SampleReport.h - a small report for tests --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_REPORT_SAMPLEREPORT_H
#define TENON_TEST_UNIT_REPORT_SAMPLEREPORT_H

#include "tenon/Report/OptimizeReport.h"

inline tenon::report::Placement makeSamplePlacement() {
  tenon::report::Placement placement;
  placement.plan = "mixed";
  placement.reason = "no plan is predicted to be faster";
  placement.seconds = 3.5e-6;
  placement.runSeconds = 3.7e-6;
  placement.learnedFrom = 5;
  placement.plans = {{"mixed", 3.5e-6, 3.6e-6}, {"all:cpu", 9e-6, {}}};
  placement.kernels = {{"onednn", "conv+relu", "1x8x4x4", "conv1, relu1",
                        3.5e-6, "measured", "cpu conv+relu", 5.5e-6}};
  placement.missing = {{"cpu relu f32[4]", "cpu relu: f32[4]; relu(0)", 2}};
  return placement;
}

/// A convolution and a relu become one kernel.
inline tenon::report::OptimizeReport makeSampleReport() {
  tenon::report::OptimizeReport report;
  report.model = "sample";
  report.costs = "cpu, measured";
  report.before.nodes = {
      {"conv", "groups = 1", "tensor<1x8x4x4xf32>", 0, "", {}},
      {"relu", "", "tensor<1x8x4x4xf32>", 1, "", {0}}};
  report.before.kernels = {
      {"conv", "1x8x4x4", 3e-6, false, {{"compute", 2e-6}, {"launch", 1e-6}}},
      {"relu", "1x8x4x4", 2e-6, true, {}}};
  report.before.memory = {512, 1024};
  report.before.seconds = 5e-6;
  report.after.nodes = {
      {"conv+relu", "groups = 1", "tensor<1x8x4x4xf32>", 0, "fuse_relu", {}}};
  report.after.kernels = {{"conv+relu", "1x8x4x4", 3.5e-6, true, {}}};
  report.after.memory = {512};
  report.after.seconds = 3.5e-6;
  report.rules = {{"fuse_relu",
                   1,
                   "rule.rule @fuse_relu",
                   "exact",
                   "proved",
                   "Z3 4.8.12",
                   {"n >= 1"}}};
  report.facts = {{"engine", "greedy"}};
  report.notes = {"2 costs were missing"};
  report.placement = makeSamplePlacement();
  return report;
}

#endif // TENON_TEST_UNIT_REPORT_SAMPLEREPORT_H
