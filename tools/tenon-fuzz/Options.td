//===- Options.td - the command line of tenon-fuzz ---------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "tenon/Artifact/Options.td"

def Fuzz : CommandLine<"tenon-fuzz", "FuzzLine"> {
  let column = 20;
  let usage = [{
Compares compiled random graphs with the interpreter, element by element,
within the error bounds of the element types.

usage: tenon-fuzz [options]
}];
  let options = [
    Number<"--seed", "seed", Seed, "uint64_t", "0", "0", "UINT64_MAX",
           "the first graph's seed; graph i has seed SEED + i">,
    Number<"--count", "count", Count, "unsigned", "100", "0", "UINT_MAX",
           "graphs">,
    Parsed<"--ops", Unit<"A..B">, "parseOps",
           "ops in a graph (default 5..40; 3..16 of the optimizer, 2..12 for "
           "extraction, 3..12 for placement, gradients and --batch)",
           "  unsigned fewest = 0, most = 0; // 0: as the mode has it\n">,
    Switch<"--dynamic", "dynamic",
           "graphs with dimension symbols too (every second one)">,
    Parsed<"--each-op", Unit<"KIND">, "parseEachOp",
           "instead: a graph per op with all its element types",
           "  bool eachOp = false;\n  std::string only; // empty: all kinds\n",
           1>,
    Switch<"--evaluators", "evaluators",
           "instead of compiling: compare the interpreter's evaluators of index "
           "forms, bit by bit in every domain">,
    Parsed<"--emulate", Unit<"f32|tf32|strict">, "parseEmulate",
           "instead of compiling for a CPU: run the kernels for GPUs in the "
           "emulator, which also finds races and the like",
           "  // The numerics of kernels that are emulated.\n"
           "  std::optional<Numerics> emulation;\n", 1>,
    Switch<"--assemble", "assemble",
           "with --emulate: the kernels must also become machine code for sm_80 "
           "(PTX if there is no ptxas)">,
    Switch<"--optimize", "optimize",
           "instead of compiling: plant sources of rules, let the optimizer "
           "rewrite by random costs, and compare the result with the original, "
           "exactly in a prime field or within bounds; its log is done again, "
           "too">,
    Switch<"--extraction", "extraction",
           "instead: e-graphs of such graphs; ILP's choice against the best of "
           "all, by the costs of the profiles cpu and h100 and by random ones">,
    Switch<"--placement", "placement",
           "instead: what such graphs, without sources of rules, may be placed "
           "as; the cover that is found against the best of all, by the profile "
           "cpu and by random costs">,
    Switch<"--prover", "prover",
           "instead: as many false rules, and true ones made of proved rules, as "
           "--count says; the prover, without trials at small sizes, must prove "
           "no false one, and 95 % of the true; one of 5 true ones fires in "
           "models, and must not change results">,
    Switch<"--differentiate", "differentiate",
           "instead: the gradients of such graphs against central differences of "
           "the interpreter in f64">,
    Switch<"--batch", "batch",
           "instead: models over n samples, in every second one of which n or "
           "another sample may matter; if a cut along the batch is accepted, the "
           "results for two parts must be those for the whole, at several n and "
           "every cut">,
    Texts<"--batch-steps", "batchSteps", Unit<"KIND", "a kind of steps">,
          "with --batch: models of such steps: basic, merges, positions, masks, "
          "repeats, losses or symbols (default: all)">,
    Switch<"--no-proofs", "noProofs",
           "with --batch: test only what the analysis says of a cut">,
    Switch<"--hypotheses", "hypotheses",
           "instead: rules that are true for some sizes, made of proved ones "
           "(symbols split, sizes divided by what may be negative), and models "
           "that they match; if they are proved, what they make of the models "
           "must be equal to the original">,
    // For tests of --hypotheses: rules fire wherever they match.
    HiddenSwitch<"--ignore-hypotheses", "ignoreHypotheses">,
    Text<"--rules", "rules", Unit<"PATH">,
         "rules for --optimize, --extraction, --prover and --hypotheses (default: "
         "Tenon's own)">,
    Enum<"--fp", "fp", "FpMode", "FpMode::Reassociate",
         "which rules may fire: strict, reassociate, finite">,
    Number<"--budget", "newNodes", Count, "unsigned", "0", "0", "UINT_MAX",
           "new e-nodes (default 400; 40 for extraction)">,
    Switch<"--print", "print", "write the graphs, and do nothing else">,
    Parsed<"-o", Folder, "parseOutputs",
           "where reproducers go, made if it is missing (default: the current "
           "directory)", "  std::string outputs = \".\";\n">,
    Text<"--tools", "tools", Folder,
         "where tenon-compile and tenon-run are (default: beside)">,
    Texts<"--compile-flag", "compileFlags", Unit<"F", "an argument">,
          "an argument for tenon-compile">,
    Switch<"--allow-refusals", "allowRefusals",
           "graphs that the compiler refuses are not failures">,
    Switch<"--no-shrink", "noShrink", "write failing graphs as they are">,
    Switch<"--list", "list", "the kinds of ops">
  ];
  let notes = "exit status: 0 all agree, 1 some do not, 2 wrong usage";
}
