//===- Options.td - the command line of tenon-compare ------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "tenon/Artifact/Options.td"

def Compare : CommandLine<"tenon-compare", "Arguments"> {
  let usage = [{
Runs two builds of a model on the same inputs and names the first value that
differs.

usage: tenon-compare A B [options]

A and B are artifacts (.so) or models (.onnx, .mlir, .mlirbc). A model judges
the other one: each of its ops is computed of what the other has computed
before, so that an error counts at the op that makes it and not at those that
follow. If both are models, the first judges. If both are artifacts, the second
is compared with the first.
}];
  let arguments = "builds";
  let required = "two builds of a model";
  let members = [{  CompareOptions options;
}];
  let options = [
    Parsed<"--model", Unit<"M">, "parseModel",
           "two artifacts: let the model judge both",
           "  std::string model; // empty: they judge each other\n">,
    Specs<"--input", "inputs", "false",
          "an input; without NAME: in order. Inputs that are not given are "
          "random:0">,
    Params<"the weights of both (default: their own)">,
    Text<"--entry", "entry", Name,
         "models: the function to run (default: main)">,
    RelativeError<"options.allowance.relative",
                  "an element that no model judges">,
    AbsoluteError<"options.allowance.absolute">,
    Number<"--factor", "options.factor", Unit<"F">, "double", "32", "0",
           "tenon::artifact::kInfinity",
           "how many times the rounding errors of a plain evaluation in its "
           "types a value may deviate that a model judges">,
    Parsed<"--precision", Unit<"P">, "parseUnit",
           "what the artifact computes in: f32 (default), tf32, f16 or bf16, as "
           "it was compiled">,
    Number<"--threads", "threads", Count, "unsigned", "0", "1", "1024",
           "threads to use (default: OMP_NUM_THREADS, else the number of "
           "cores)">,
    Text<"--json", "json", File, "write all figures as JSON">,
    Text<"--report", "report", Unit<"F.html", "the name of a file">,
         "write a page with the error along the graph">
  ];
  let notes = [{
exit status: 0 all values agree, 1 an error or a value that differs, 2 wrong
usage
}];
}
