//===- Options.td - the command lines of tenon-rules -------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "tenon/Artifact/Options.td"

class Command<string name, string structure>
    : CommandLine<"tenon-rules " # name, structure> {
  let column = 20;
}

/// A command about rules. `inputs` are the files and folders as they are given.
class RuleCommand<string name, string structure> : Command<name, structure> {
  let arguments = "inputs";
  let required = "files of rules";
}

/// The solver counts up to UINT32_MAX.
class Rlimit<string member>
    : Number<"--rlimit", member, Count, "uint64_t", "prove::defaultRlimit", "0",
             "UINT32_MAX",
             "bound of one question, in the solver's own count; of all about a "
             "rule, 3 N (default 1500000; 0: no bound)">;

def Prove : RuleCommand<"prove", "ProveLine"> {
  let usage = [{
Proves rules for all sizes, or finds sizes at which they are wrong.

usage: tenon-rules prove FILE... [options]
}];
  let members = [{  prove::ProveOptions options;
}];
  let options = [
    Text<"--json", "jsonPath", File, "write the results as JSON too">,
    Switch<"--cached", "cached",
           "only check the certificates that F.proved.json beside F.mlir has, "
           "search where none holds, and write it anew">,
    Switch<"--necessity", "necessity",
           "drop each condition: warn of those that are not needed">,
    Rlimit<"options.rlimit">,
    Text<"--dump-smt", "dumpFolder", Folder,
         "write every question to the solver as SMT-LIB">,
    // Small sizes are not tried: a proof of a wrong rule would show.
    HiddenSwitch<"--without-refuting", "withoutRefuting">
  ];
  let notes = [{
A FILE holds rules (see docs/rules.md); a folder stands for its *.mlir files.

exit status: 0 all rules are proved, 1 some are not, 2 wrong usage
}];
}

def CheckProof : RuleCommand<"check-proof", "CheckProofLine"> {
  let usage = [{
Checks the certificates beside rules, without a search: the proof kernel
reads each witness, and the solver answers what it asks (docs/proofs.md).

usage: tenon-rules check-proof FILE... [options]
}];
  let options = [Rlimit<"rlimit">];
  let notes = [{
A FILE holds rules (see docs/rules.md); a folder stands for its *.mlir files.

exit status: 0 every rule has a certificate that holds, 1 some have not, 2 wrong
usage
}];
}

def Check : RuleCommand<"check", "CheckLine"> {
  let usage = [{
Runs both sides of proved rules at random sizes, and compares the results:
exactly in a prime field where all ops are ring or field operations, within
error bounds in f64 elsewhere, bit for bit in f32 where the class is exact.
Rules that lift operands are run with one and two further axes too.

usage: tenon-rules check FILE... [options]
}];
  let members = [{  prove::CheckOptions options;
}];
  let options = [
    Number<"--instances", "options.instances", Count, "uint64_t", "200", "1",
           "1000000", "at how many choices of sizes">,
    Number<"--seed", "options.seed", Seed, "uint64_t", "1", "0", "UINT64_MAX",
           "of these choices">
  ];
  let notes = [{
A FILE holds rules (see docs/rules.md); a folder stands for its *.mlir files.
Certificates beside the files are trusted; rules without one are proved first.

exit status: 0 both sides agree, 1 some differ or are not proved, 2 wrong usage
}];
}

def Mutate : RuleCommand<"mutate", "MutateLine"> {
  let usage = [{
Makes wrong rules of right ones, to see whether a prover tells them apart.
Each mutant has one edit in its target (operands or results swapped, another
operand, op, axis, number or flag) or lacks a condition. A few mutants are true:
the operands of a sum may be swapped.

usage: tenon-rules mutate FILE... -o OUT.mlir [options]
}];
  let options = [
    Text<"-o", "output", Unit<"OUT.mlir", "the name of a file">,
         "the mutants; \"-\" is standard output">,
    Number<"--limit", "limit", Count, "uint64_t", "UINT64_MAX", "0",
           "UINT64_MAX",
           "at most N mutants of a rule, of all kinds (default: all)">
  ];
  let notes = [{
A FILE holds rules (see docs/rules.md); a folder stands for its *.mlir files.

exit status: 0 mutants are written, 1 a file can't be read, 2 wrong usage
}];
}

def Correct : RuleCommand<"correct", "CorrectLine"> {
  let usage = [{
Completes rules whose sides are equal in a part of the result.

usage: tenon-rules correct FILE... -o OUT.mlir [options]
}];
  let members = [{  discover::DifferenceOptions options;
}];
  let options = [
    Text<"-o", "output", File,
         "the rules with a correction, which are proved, and their "
         "certificates beside them (FILE.proved.json for FILE.mlir)">,
    Text<"--regions", "regions", File,
         "also write, in the same way, the rules that state that both sides "
         "are equal elsewhere">,
    Number<"--seed", "options.seed", Seed, "uint64_t", "1", "0", "UINT64_MAX",
           "of the sizes at which both sides are compared">,
    Number<"--instances", "options.instances", Count, "unsigned", "3000", "1",
           "100000", "at how many choices of sizes">,
    Rlimit<"rlimit">
  ];
  let notes = [{
For each rule of the FILEs, one line tells the boxes of the result in which the
target differs from the source, by symbols of the rule. The correction computes
these as the source does, from only the elements that they need.

exit status: 0 all rules are proved with a correction, 1 some are not, 2 wrong
usage
}];
}

def Derive : RuleCommand<"derive", "DeriveLine"> {
  let usage = [{
Derives rules from others, which are proved.

usage: tenon-rules derive FILE... --from RULES [options]
}];
  let options = [
    Text<"--from", "from", File,
         "the rules that may be used: those that FILE.proved.json beside "
         "FILE.mlir says are proved">,
    Number<"--max-steps", "maxSteps", Count, "unsigned", "8", "0", "UINT_MAX",
           "a derivation has at most so many rewrites">,
    Number<"--nodes", "nodes", Count, "unsigned", "4000", "0", "UINT_MAX",
           "e-nodes of a search, beside those of the rule">
  ];
  let notes = [{
For each rule of the FILEs, one line tells the rules whose rewrites, of either
side, make both sides equal.

exit status: 0 all rules are derived, 1 some are not, 2 wrong usage
}];
}

def Discover : Command<"discover", "DiscoverLine"> {
  let usage = [{
Finds rules between graphs of some ops, and proves them for all sizes.

usage: tenon-rules discover --ops OP,OP... --max-ops N -o OUT.mlir [options]
       tenon-rules discover --for MODEL --max-ops N -o OUT.mlir [options]
}];
  let members = [{  discover::DiscoveryOptions options;
}];
  let options = [
    Text<"--ops", "opList", Unit<"OP,...", "names of ops">,
         "ops of the graph dialect, without its prefix; with --for: beside "
         "those of the model (default concat,split)">,
    Text<"--for", "model", Unit<"MODEL", "the name of a file">,
         "enumerate the ops of the costliest subgraphs of MODEL.mlir, and "
         "write only rules that lower its predicted cost">,
    Number<"--sets", "sets", Count, "unsigned", "3", "1", "100",
           "of --for: so many sets of ops, the costliest">,
    Text<"--profile", "profile", Unit<"DEVICE", "the name of a device">,
         "of --for: what costs are of", "\"cpu\"">,
    Text<"--costs", "costs", File, "of --for: measured costs (tenon-profile)">,
    Number<"--max-ops", "maxOps", Count, "unsigned", "0", "1",
           "discover::Terms::maxOps - 1",
           "the most ops of either side (1 to 6)">,
    Text<"-o", "output", File,
         "the rules that are proved, with certificates beside them "
         "(FILE.proved.json for FILE.mlir)">,
    Text<"--report", "reportPath", File,
         "what was enumerated, and every candidate with its verdict">,
    Number<"--seed", "options.seed", Seed, "uint64_t", "1", "0", "UINT64_MAX",
           "of the tensors that tell graphs apart">,
    Text<"--resume", "resume", Folder,
         "keep proofs in this folder, and use those that are there: after an "
         "interruption the same command writes the same files">,
    Rlimit<"rlimit">
  ];
  let notes = [{
exit status: 0 what was found is written, 1 an error, 2 wrong usage
}];
}

def Archive : Command<"archive", "ArchiveLine"> {
  let usage = [{
Puts the rules of a folder and their certificates into one file, which
tenon-compile loads at once.

usage: tenon-rules archive FOLDER -o FILE
}];
  let argument = "folder";
  let operand = "folder";
  let required = "a folder";
  let options = [
    Text<"-o", "output", File,
         "the archive; tenon-compile reads share/tenon/rules.archive">
  ];
  let notes = [{
The folder stays the source: an archive of other files is not used. Every rule
must have a certificate; whether it holds is checked before its rule fires.

exit status: 0 the archive is written, 1 it is not, 2 wrong usage
}];
}

def Equal : Command<"equal", "EqualLine"> {
  let usage = [{
Proves that two modules compute the same: every function of the first one is
compared with that of its name in the second. Where they differ, the equality of
values is stated as rules, which are proved (docs/proofs.md).

usage: tenon-rules equal BEFORE.mlir AFTER.mlir [options]
}];
  let arguments = "modules";
  let required = "two modules";
  let options = [
    Text<"--json", "json", File,
         "also write the result; \"-\" is standard output">
  ];
  let notes = [{
exit status: 0 all functions are proved to be equal over the reals, 1 one is
not, 2 wrong usage
}];
}

def Replay : Command<"replay", "ReplayLine"> {
  let column = 22;
  let usage = [{
Does again what the optimizer logged, and checks every step: that the rule is
proved, is the one of the log, may fire, and stands where the log says, and that
the result is the log's. The log is not trusted.

usage: tenon-rules replay LOG --input IN.mlir [options]
}];
  let argument = "logPath";
  let operand = "log";
  let required = "a log";
  let options = [
    Text<"--input", "input", Unit<"IN.mlir", "the name of a file">,
         "the module that was optimized">,
    Texts<"--rules", "rulePaths", Unit<"DIR", "a folder or file of rules">,
          "a folder or file of rules (default: Tenon's own)">,
    Text<"--expect", "expect", Unit<"OUT.mlir", "the name of a file">,
         "compare the functions with those of OUT.mlir">,
    Switch<"--prove-rewrites", "provesRewrites",
           "also prove what is rewritten before the rules: the canonical form. "
           "What is not proved is a remark">,
    Parsed<"--fp", Unit<"MODE">, "parseFp",
           "the most that the log may allow: strict, reassociate or finite "
           "(default: what it says)",
           "  // The most that the log may allow; std::nullopt: anything.\n"
           "  std::optional<FpMode> fp;\n">,
    Text<"-o", "output", File,
         "write the module that is derived; \"-\" is standard output">
  ];
  let notes = [{
Certificates beside the rules are checked; rules without one are proved. A model
is what tenon-compile MODEL --stop-after=import writes. Unless the log is of
these functions, it is replayed on their canonical form, which tenon-compile
optimizes.

exit status: 0 the log is a derivation of its result, 1 it is not, or differs
from what is expected, 2 wrong usage
}];
}
