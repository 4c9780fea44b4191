//===- Options.td - the command line of tenon-plan ---------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "tenon/Artifact/Options.td"

def Plan : CommandLine<"tenon-plan", "CommandLine"> {
  let usage = [{
Cuts a model into pipeline stages for several devices, and simulates them.

usage: tenon-plan MODEL --devices N --mini-batch B [options]
       tenon-plan --check MODEL.so

The model is .onnx, .mlir or .mlirbc. Axis 0 of its inputs has the samples: a
symbol, or as many as the mini-batch has.
}];
  let argument = "input";
  let required = "a model";
  let options = [
    Number<"--devices", "devices", Count, "unsigned", "0", "1", "65536",
           "how many devices there are">,
    Number<"--mini-batch", "miniBatch", Samples, "int64_t", "0", "1",
           "int64_t(1) << 40", "samples of an iteration">,
    Text<"--cluster", "cluster", File,
         "the devices and links, as JSON (default: V100s, four in a node; see "
         "docs/formats.md)">,
    Text<"--costs", "costs", File,
         "kernels that tenon-profile measured; others are predicted">,
    Choice<"--planner", "planner", "PlannerKind",
           [Spelling<"graph", "PlannerKind::Graph">,
            Spelling<"sequential", "PlannerKind::Sequential">,
            Spelling<"pipedream", "PlannerKind::PipeDream">,
            Spelling<"piper", "PlannerKind::Piper">],
           "the planner; those but graph are to compare with">,
    Switch<"--forward-only", "forwardOnly", "inference: no gradients">,
    // Bytes of gradients and states for each byte of parameters.
    Choice<"--optimizer", "stateFactor", "double",
           [Spelling<"sgd", "1">, Spelling<"momentum", "2">,
            Spelling<"adam", "3">],
           "what weights take of memory (default adam)", "3">,
    Choice<"--batch-norm", "perMicroBatchNorm", "bool",
           [Spelling<"per-micro-batch", "true">],
           "let batch norm use the statistics of micro-batches, which changes "
           "what is trained; else such models are refused", "false">,
    Number<"--micro-batch", "microBatch", Samples, "int64_t", "0", "1",
           "int64_t(1) << 40", "all micro-batches have B samples">,
    Switch<"--same-micro-batch", "sameMicroBatch",
           "all micro-batches have the same size">,
    Number<"--most-k", "mostK", Unit<"K">, "int64_t", "4", "1",
           "int64_t(1) << 20", "the most forward tasks in a row">,
    Choice<"--recompute", "neverRecompute", "bool", [Spelling<"never", "true">],
           "do not compute again what could be kept", "false">,
    Choice<"--eager", "neverEager", "bool", [Spelling<"never", "true">],
           "do not begin further ahead than needed", "false">,
    Number<"--operators", "operators", Count, "unsigned", "128", "1", "4096",
           "merge ops into an operator up to 1/N of the work">,
    Number<"--budget", "budget", Count, "int64_t", "", "1", "int64_t(1) << 50",
           "simulate N tasks for each number of devices, and 32 times as many "
           "for powers of 2 (default 4608)">,
    Texts<"--bind", "binds", Unit<"SYMBOL=SIZE", "SYMBOL=SIZE">,
          "fix another dimension of the model">,
    Switch<"--check", "check",
           "MODEL is an artifact: prove what its ranks run once more, and compare "
           "it with the tables in the artifact">,
    Text<"-o", "output", File, "the plan as a pipe.program">,
    Text<"--json", "json", File, "the plan and its simulation as JSON">,
    Text<"--trace", "trace", File,
         "the simulated tasks, for Perfetto or chrome://tracing">,
    Text<"--report", "report", File, "a page with the stages and their timeline">,
    Text<"--measured", "measured", Unit<"TRACE", "the name of a file">,
         "compare with a trace of a run of the model, task by task, scale "
         "costs to it, and plan with these">,
    Switch<"--force", "force", "replace files that were not written by Tenon">
  ];
  let notes = "exit status: 0 success, 1 there is no plan, 2 wrong usage";
}
