//===- Options.td - the command line of tenon-profile ---------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "tenon/Driver/CompileOptions.td"

/// One of the modes, which exclude each other.
class ModeSwitch<string flag, string parser, string text>
    : Added<flag, Unit<"">,
            "table.addSwitch(\"" # flag # "\", [&line] { return " # parser #
            "(line); })", text>;

def Profile : CommandLine<"tenon-profile", "ProfileArguments"> {
  let usage = [{
Measures what the kernels of models cost, each where it stands in its model.

usage: tenon-profile MODEL... -o COSTS.json [options]
       tenon-profile MODEL... --target=cuda:sm_80 --emit-bundle DIR [options]
       tenon-profile --calibrate [-o PROFILE.json] [options]
       tenon-profile --print-costs MODEL... [options]
       tenon-profile --merge A.json B.json... -o C.json

Models are .onnx, .mlir or .mlirbc. Each is compiled, run on random inputs, and
the times of its steps are kept by kernel: equal kernels share one entry.
}];
  /// Models, or with --merge files of costs.
  let arguments = "inputs";
  let members = [{
  enum class Mode { Measure, Merge, PrintCosts, Bundle, Calibrate };
  Mode mode = Mode::Measure;
  /// The options of every compilation: input and output are set per model.
  tenon::CompileOptions compile;
}];
  let options = [
    Text<"-o", "output", File, "the costs">,
    Text<"--target", "compile.target.targets", Unit<"T", "a list of devices">,
         "cpu:x86-64-v3 (default), cpu:x86-64-v4, cpu:native; with --emit-bundle "
         "and --print-costs also GPUs, such as cuda:sm_80,cuda:sm_90">,
    Text<"--emit-bundle", "bundle", Folder,
         "for GPUs: measure nothing, but make a folder of what is to be measured; "
         "on the machine with the GPU, DIR/run -o COSTS.json measures it, and needs "
         "nothing but DIR, the driver, and the libraries that are called">,
    Number<"--threads", "threads", Count, "unsigned", "1", "1", "4096",
           "threads that run a model">,
    Number<"--repeat", "repeat", Count, "unsigned", "20", "1", "1000000",
           "measured runs of each model; three more before them are not counted">,
    Number<"--plans", "plans", Count, "unsigned", "24", "1", "1000",
           "plans under which a model is measured at most, until every kernel that "
           "placement may choose was; 1: only as the model would be placed, without "
           "costs and with them">,
    Switch<"--resume", "resume",
           "extend the costs of -o: kernels that they have are not measured "
           "again">,
    Parsed<"--bind", Unit<"SYMBOL=SIZE">, "parseBind",
           "fix a dimension of the models (repeatable); to be measured, a model "
           "must have none left">,
    Texts<"--backend", "compile.backends", Unit<"F.so", "the name of a file">,
          "load a backend from a plug-in; its patterns are first compared with the "
          "interpreter, and measured where they agree">,
    Number<"--limit", "limitSeconds", Seconds, "unsigned", "30", "1", "86400",
           "after which a kernel of a plug-in hangs">,
    Shared<"Compile", "compile", ["--without"]>,
    Parsed<"--place", Unit<"PLAN">, "parsePlacement",
           "mixed (default), or all:BACKEND: the plan that is printed, or measured "
           "with --plans=1; or unmeasured: one with as many kernels as possible "
           "that --costs lacks">,
    Choice<"--optimize", "compile.optimizes", "bool",
           [Spelling<"egraph", "true">, Spelling<"off", "false">],
           "rewrite the graphs before (default off)", "false">,
    Shared<"Compile", "compile", ["--rules"]>,
    Parsed<"--precision", Unit<"P">, "parsePrecisionOf",
           "f32 (default), f16, bf16, and on GPUs tf32, as tenon-compile takes "
           "it">,
    Text<"--profile", "compile.profile", Unit<"P", "a device">,
         "what predicts the costs: cpu, a100, h100, h200 or a JSON file of one "
         "profile (default: as the target)">,
    ModeSwitch<"--calibrate", "setMode<ProfileArguments::Mode::Calibrate>",
               "measure kernels of all kinds, which takes some three minutes, and "
               "write the rates of this machine's CPU where tenon-compile finds "
               "them; with -o, to a file for its --profile">,
    ModeSwitch<"--print-costs", "setMode<ProfileArguments::Mode::PrintCosts>",
               "measure nothing: print the cost of every kernel, term by term">,
    Text<"--costs", "compile.costs", File,
         "with --print-costs: costs that were measured come first">,
    ModeSwitch<"--merge", "setMode<ProfileArguments::Mode::Merge>",
               "join files of costs of one device; of two entries of a kernel, the "
               "one with more runs stays">
  ];
  let notes = [{
exit status: 0 success, 1 a model can't be measured or files don't fit, 2 wrong
usage
}];
}
