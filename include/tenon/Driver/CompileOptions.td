//===- CompileOptions.td - the command line of tenon-compile --*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "tenon/Differentiate/Passes.td"
include "tenon/Optimize/Passes.td"
include "tenon/Place/Passes.td"

def Compile : CommandLine<"tenon-compile", "CompileArguments"> {
  let usage = [{
Compiles a model ahead of time into a native library.

usage: tenon-compile MODEL.onnx|MODEL.mlir|MODEL.mlirbc -o OUT.so [options]

Writes OUT.so (the C ABI of OUT.h), OUT.h, and OUT.safetensors with the weights.
The .mlir may also be a plan of tenon-plan, for several ranks.
}];
  let argument = "input";
  let required = "the name of a model";
  let members = [{
  /// The target as far as it is stated; the module's `kernel.target` states the
  /// rest.
  kernel::TargetOptions target;
  /// As the passes take them; profile and costs are those of this structure.
  optimize::GraphOptimizeOptions search;
  place::GraphPlaceOptions place;
  /// With `trains`, the entries of training take the place of the model's.
  bool trains = false;
  differentiate::GraphTrainOptions training;
}];
  let options = [
    Text<"-o", "output", File,
         "the result; for MLIR, \"-\" is standard output">,
    Switch<"--force", "force",
           "replace OUT.h and OUT.safetensors even if Tenon did not write them">,
    Text<"--params", "weights", File,
         "the weights of an .mlir model (default: those that it names, in its own "
         "folder)">,
    Text<"--target", "target.targets", Unit<"T[,T]", "a list of devices">,
         "cpu:x86-64-v2, cpu:x86-64-v3, cpu:x86-64-v4, cpu:native, cuda:sm_80, "
         "cuda:sm_90, ...: one artifact for all of them, which runs on the kind of "
         "the first by default, and on a CPU with the highest level that it has "
         "(default: cpu:x86-64-v3,cpu:x86-64-v4)">,
    Parsed<"--fp", Unit<"MODE">, "parseFp",
           "strict, reassociate (default): sums may be regrouped, and divisions "
           "by one number become products, finite: also infinities and NaN may be "
           "ignored">,
    Parsed<"--precision", Unit<"TYPE">, "parsePrecisionOf",
           "what f32 tensors are computed and stored in: f32 (default); f16, "
           "bf16: matmuls, convolutions and what follows them, but not sums, "
           "norms, exponentials and losses; tf32: f32, but CUDA targets round the "
           "factors of matmuls">,
    Parsed<"--bind", Unit<"NAME=VALUE">, "parseBind",
           "fix a dimension of the model to a size, as in n=4, or an input of an "
           ".onnx model to a tensor in a .pb or .npy file, as in x=@F (repeatable)",
           "  std::vector<std::string> binds;\n">,
    Texts<"--backend", "backends", Unit<"F.so", "the name of a file">,
          "load a backend from a plug-in, beside those of TENON_BACKENDS and of "
          "Tenon (docs/backends.md)">,

    Until<"Past::Optimize">,
    Choice<"--optimize", "optimizes", "bool",
           [Spelling<"egraph", "true">, Spelling<"off", "false">],
           "rewrite the graph by proved rules, by equality saturation, if that is "
           "predicted to be faster">,
    PassOption<"--rules", "GraphOptimize", "rules", "search">,
    PassOption<"--extraction", "GraphOptimize", "extraction", "search">,
    PassOption<"--budget", "GraphOptimize", "newNodes", "search">,
    PassOption<"--least-gain", "GraphOptimize", "leastGain", "search">,
    PassOption<"--memory-limit", "GraphOptimize", "memoryLimit", "search">,
    Text<"--log", "log", Unit<"F.json", "the name of a file">,
         "write what fired (tenon-rules replay checks it)">,

    Until<"Past::Place">,
    Parsed<"--place", Unit<"PLAN">, "parsePlacement",
           "mixed (default): the cheapest plan by the costs; all:BACKEND: the "
           "backend wherever it can">,
    Parsed<"--pin", Unit<"OP=BACKEND">, "parsePin",
           "run an op, by its name in the model or by its kind (such as conv), on "
           "a backend: cpu, onednn, ...; of CUDA targets cuda, cublaslt, cudnn "
           "(repeatable)">,
    PassOption<"--without", "GraphPlace", "without", "place">,
    PassOption<"--unadmitted", "GraphPlace", "unadmitted", "place">,

    Until<"Past::Lower">,
    Text<"--profile", "profile", Unit<"DEVICE", "a device">,
         "what costs are of: cpu, a100, h100, h200 or a JSON file (default: as the "
         "target); of a CPU and GPUs together also cuda=DEVICE,cpu=DEVICE">,
    Text<"--costs", "costs", Unit<"F.json", "the name of a file, or none">,
         "measured costs (tenon-profile), or cuda=F.json,cpu=F.json; none: not "
         "even the rates of this machine (tenon-profile --calibrate), which are "
         "used if neither costs nor a profile of a CPU are given">,
    Text<"--report", "report", Unit<"F", "the name of a file">,
         "write a page about the optimizer and about which backend runs what "
         "(F.html), or its data (F.json)">,

    Until<"">,
    Parsed<"--train", Unit<"LOSS|F.json">, "parseTrain",
           "compile the entries train_step, evaluate and predict: result (the "
           "model's result is the loss), cross-entropy, mean-squared, "
           "binary-cross-entropy; run them by tenon-run --train "
           "(docs/training.md). A file has as members the loss, and options of "
           "--train-OPTION and --recompute",
           "  std::string trainFile; // empty: the loss is stated\n">,
    PassOptions<"GraphTrain", "--train-", "training", ["loss", "recompute"]>,
    PassOption<"--recompute", "GraphTrain", "recompute", "training",
               "what train_step may compute twice to save memory: none "
               "(default), sqrt, or a number of bytes to keep; of a plan, the "
               "plan says it">,
    Switch<"--train-list", "listsWeights",
           "print each weight, whether it is trained, and why not; without -o, do "
           "nothing else">,
    Choice<"--emit", "emit", "EmitKind",
           [Spelling<"so", "EmitKind::SharedLibrary">,
            Spelling<"obj", "EmitKind::Object">,
            Spelling<"mlir", "EmitKind::Mlir">,
            Spelling<"onnx", "EmitKind::Onnx">], "what is written">,
    Parsed<"--symbol-prefix", Unit<"P">, "parseSymbolPrefix",
           "the artifact's functions are P_load, P_run and so on instead of "
           "tenon_load, tenon_run (so that several models can be linked into one "
           "program)", "  std::string symbolPrefix = \"tenon\";\n">,
    Choice<"--stop-after", "stopAfter", "CompilePhase",
           [Spelling<"import", "CompilePhase::Import">,
            Spelling<"optimize", "CompilePhase::Optimize">,
            Spelling<"place", "CompilePhase::Place">,
            Spelling<"lower", "CompilePhase::Lower">],
           "write the module as it is then (to standard output without -o)",
           "CompilePhase::Emit">,
    Text<"--dump-kernels", "dumpKernels", Folder,
         "also write the kernels for GPUs: as MLIR, PTX, and machine code of each "
         "architecture">,
    Number<"--threads", "threads", Count, "unsigned", "2", "1", "1024",
           "threads of the compiler">,
    Switch<"--verify-each", "verifyEach",
           "verify the module after every pass, not only at the end">,
    Parsed<"--prove-rewrites", Unit<"F.json">, "parseProveRewrites",
           "prove what each pass between import and placement does to this model, "
           "and print a table, or write it to a file; what is not proved is a "
           "remark (docs/proofs.md)",
           "  bool proveRewrites = false;\n  std::string rewritesReport;\n", 1>,
    Removed<"--fold-weights",
            "was removed: what depends only on weights is always computed at "
            "load">,
    Switch<"--timing", "timing",
           "say on standard error how long each phase took">,
    Switch<"--time-report", "timeReport",
           "the same as a table that sums to the whole time, and what was done, in "
           "numbers">,
    Paragraph<[{  --mlir-OPTION        MLIR's own options of passes, such as
                       --mlir-print-ir-after-all, --mlir-print-ir-before=PASS,
                       --mlir-timing, --mlir-pass-statistics,
                       --mlir-pass-pipeline-crash-reproducer=F.mlir (which
                       tenon-opt --run-reproducer runs); and of modules, such as
                       --mlir-print-debuginfo
  --debug-only=FLAG    what passes do and why, in builds with assertions}]>
  ];
  let notes = [{
The last value of an option counts, unless it is repeatable. A model that is
placed or lowered already refuses options of the phases behind it.

A terminal is told, from five seconds on, what goes on.

exit status: 0 success, 1 the model can't be compiled, 2 wrong usage
}];
}
