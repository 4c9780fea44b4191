//===- Options.td - the command line of BUNDLE/run ---------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "tenon/Artifact/Options.td"

def Bundle : CommandLine<"tenon-bundle", "CommandLine"> {
  let usage = [{
Measures on a GPU what a bundle of tenon-profile --emit-bundle holds.

usage: BUNDLE/run [options]

Runs every artifact of the bundle under tenon-run --trace, and writes the costs
of their kernels, as tenon-compile --costs reads them.
}];
  let options = [
    Text<"-o", "output", File, "the costs", "\"COSTS.json\"">,
    Number<"--repeat", "repeat", Count, "int", "20", "1", "1000000",
           "measured runs of each artifact; three more before them are not "
           "counted">,
    Number<"--device", "device", Count, "int", "0", "0", "1023",
           "the number of the CUDA device">,
    Number<"--limit", "limitSeconds", Seconds, "int", "600", "1", "86400",
           "after which an artifact hangs">,
    Switch<"--keep-going", "keepGoing",
           "measure the others where an artifact fails, and write what there "
           "is">
  ];
  let notes = "exit status: 0 success, 1 an artifact can't be measured, 2 wrong usage";
}
