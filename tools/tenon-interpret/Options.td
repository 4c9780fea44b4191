//===- Options.td - the command line of tenon-interpret ----*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "tenon/Artifact/Options.td"

def Interpret : CommandLine<"tenon-interpret", "CommandLine"> {
  let usage = [{
Evaluates a model by what its ops mean.

usage: tenon-interpret MODEL.mlir|MODEL.onnx [options]
}];
  let argument = "model";
  let required = "a model";
  let members = [{  tenon::artifact::Tolerance tolerance;
}];
  let options = [
    Text<"--entry", "entry", Name,
         "the public function to run (default: main, or the only one)">,
    Specs<"--input", "inputs", "false",
          "an input; without NAME: in order. SPEC is @F.pb, @F.npy or "
          "random:SEED[:SHAPE][:DISTRIBUTION], where DISTRIBUTION is normal, "
          "uniform(a,b) or int(a,b)">,
    Specs<"--expect", "expects", "true", "compare an output with a file">,
    RelativeError<"tolerance.relative">, AbsoluteError<"tolerance.absolute">,
    Parsed<"--output", Unit<"[NAME=]@FILE">, "parseOutput",
           "write an output to a .npy or .pb file (repeatable)",
           "  // Output (empty: the next one in order) and file.\n"
           "  std::vector<std::pair<std::string, std::string>> outputs;\n">,
    Params<"the weights (default: the file that the model names)">,
    FileAt<"--state", "statePath",
           "a .safetensors file of what the states hold before the run (default: "
           "their initial values)">,
    Text<"--save-state", "saveStatePath", File,
         "write what they hold after it; may be the same file">,
    Parsed<"--domain", Unit<"D">, "parseDomain",
           "f64 (default), f32 (rounds every operation), or field:SEED (modulo "
           "2^61 - 1)", "  tenon::interpret::Domain domain;\n">,
    Switch<"--naive", "naive",
           "evaluate element by element: slow, the same results">,
    Parsed<"--emulate", Unit<"f32|tf32|strict">, "parseEmulate",
           "run the GPU kernels of a placed module on the CPU and check them "
           "(tenon-compile --target=cuda:sm_80 --stop-after=place writes one), "
           "as the module says, or as --precision=f32, tf32 or --fp=strict "
           "compile them",
           "  // By these numerics; with the flag by those of the module.\n"
           "  std::optional<tenon::Numerics> emulate;\n"
           "  bool emulatesAsPlaced = false;\n", 1>,
    Added<"--bind", Unit<"NAME=VALUE">,
          "tenon::artifact::addBinds(table, line.sizes, line.binds)",
          "import an ONNX model with a dimension fixed to a size, as in n=4, or "
          "an input to a tensor, as in x=@F",
          "  std::map<std::string, int64_t> sizes;\n"
          "  // Input and file.\n"
          "  std::vector<std::pair<std::string, std::string>> binds;\n">,
    Number<"--threads", "threads", Count, "unsigned", "0", "1", "1024",
           "threads to use (default: OMP_NUM_THREADS, else the number of "
           "cores)">
  ];
  let notes = "exit status: 0 success, 1 the model or a check failed, 2 wrong usage";
}
