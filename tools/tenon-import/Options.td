//===- Options.td - the command line of tenon-import -------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "tenon/Artifact/Options.td"

def Import : CommandLine<"tenon-import", "CommandLine"> {
  let usage = [{
Reads an ONNX model into the graph dialect, or writes one from it.

usage: tenon-import MODEL.onnx -o OUT.mlir [options]
       tenon-import MODEL.mlir --emit=onnx -o OUT.onnx [options]
}];
  let argument = "input";
  let options = [
    AliasedText<"-o", "--output", "output", File,
                "the module; \"-\" is standard output">,
    Text<"--params", "params", File,
         "the weights (default: OUT.safetensors beside OUT.mlir; with "
         "--emit=onnx, the file that the module names)">,
    Added<"--bind", Unit<"NAME=VALUE">,
          "tenon::artifact::addBinds(table, line.sizes, line.binds)",
          "fix a dimension of the model to a size, as in n=4, or an input to the "
          "tensor in a .pb file, as in x=@F.pb (repeatable)",
          "  std::map<std::string, int64_t> sizes;\n"
          "  // Input and file.\n"
          "  std::vector<std::pair<std::string, std::string>> binds;\n">,
    Switch<"--locations", "locations", "print locations: the model's nodes">,
    Choice<"--emit", "emit", "std::string",
           [Spelling<"mlir", "\"mlir\"">, Spelling<"onnx", "\"onnx\"">],
           "what is written">,
    Switch<"--external-data", "externalData",
           "with --emit=onnx: the weights in OUT.onnx.data">,
    Switch<"--force", "force",
           "replace OUT.safetensors or OUT.onnx.data even if Tenon did not write "
           "it">,
    Switch<"--list-operators", "listOperators",
           "what is done with each operator of the standard">
  ];
  let notes = "exit status: 0 success, 1 the model can't be imported, 2 wrong usage";
}
