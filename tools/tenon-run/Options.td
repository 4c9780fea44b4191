//===- Options.td - the command line of tenon-run ----------*- tablegen -*-===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

include "tenon/Artifact/Options.td"

class Steps<string flag, string member, string text, Unit unit = Count>
    : Number<flag, member, unit, "int64_t", "0", "1", "1000000000000", text>;

/// Options of --train.
def Training : CommandLine<"", "TrainingFlags"> {
  let options = [
    Switch<"--train", "isOn",
           "train a model that tenon-compile --train made: calls train_step until "
           "step N, by">,
    Texts<"--data", "data", Unit<"[NAME=]FILE", "the name of a file">,
          "samples of an input, along the first axis: .npy, .safetensors (tensors "
          "by the inputs' names), or raw elements; other inputs are as of --input">,
    Steps<"--steps", "steps", "the last step, counted from the very first one">,
    Steps<"--batch", "batch",
          "the size of a batch, where the model leaves it open", Samples>,
    Parsed<"--shuffle", Unit<"SEED|off">, "parseShuffle",
           "the order of the samples (default 0); the same in every run",
           "  std::optional<uint64_t> seed = 0; // none: as in the files\n">,
    Texts<"--eval-data", "evalData", Unit<"[NAME=]FILE", "the name of a file">,
          "samples for the entry evaluate, which runs at the end, and as often "
          "as --eval-every says">,
    Steps<"--eval-every", "evalEvery", "run evaluate after every N steps, too">,
    Steps<"--save-every", "saveEvery",
          "write --save-state after every N steps, too">,
    Switch<"--resume", "resume", "go on from --save-state, if it exists">,
    Text<"--metrics", "metrics", Unit<"F.jsonl", "the name of a file">,
         "write a line for each step">,
    Text<"--curves", "curves", Unit<"F.html", "the name of a file">,
         "write a page with the curves of the losses">,
    Paragraph<[{                       With --train, SIGINT and SIGTERM save, and end with the
                       status 130 (not under mpirun).}]>
  ];
}

def Run : CommandLine<"tenon-run", "CommandLine"> {
  let usage = [{
Runs a compiled model.

usage: tenon-run MODEL.so [options]
}];
  let argument = "artifact";
  let required = "a model";
  let members = [{  tenon::artifact::Tolerance tolerance;
  int32_t defaultThreads = 1; // as the environment says
}];
  let options = [
    Specs<"--input", "inputs", "false",
          "an input; without NAME: the inputs in order. SPEC is @F.pb, @F.npy, or "
          "random:SEED[:SHAPE][:normal|uniform(a,b)|int(a,b)] with SHAPE as in "
          "1x3x224x224. Inputs that are not given are random:0; by default floats "
          "are normal, integers 0 or 1">,
    Specs<"--expect", "expected", "true",
          "compare an output with a tensor in a .pb or .npy file">,
    RelativeError<"tolerance.relative">, AbsoluteError<"tolerance.absolute">,
    Specs<"--output", "outputs", "true",
          "write an output to a .npy or .pb file">,
    Params<"the weights (default: the .safetensors file beside the model)">,
    Text<"--entry", "entry", Name,
         "what to run of a model with several entries (default: the first)">,
    FileAt<"--state", "state",
           "restore the model's states, a .safetensors file, before the first "
           "run">,
    Text<"--save-state", "saveState", File,
         "write them to a .safetensors file after the last run">,
    Switch<"--deterministic", "deterministic",
           "the same bits with any number of threads: each library call runs on "
           "one; --repeat also tells what that costs">,
    Number<"--repeat", "repeat", Count, "int32_t", "0", "1", "1000000000",
           "run N times after a first one, and tell the latency (default: one "
           "run)">,
    Switch<"--donate", "donate",
           "give outputs the memory of the inputs that are donated to them "
           "(caches), filled anew before every run">,
    Parsed<"--device", Unit<"DEVICE">, "parseDevice",
           "which of the model's programs: cpu, cuda, or cuda:N for CUDA device N "
           "(default: the first target that it was compiled for)",
           "  int32_t device = 0, deviceId = 0; // as tenon_options has them\n">,
    Number<"--threads", "threads", Count, "int32_t", "0", "1", "mostThreads",
           "threads to use (default: OMP_NUM_THREADS or all cores)">,
    Number<"--memory-limit", "memoryLimit", Bytes, "uint64_t", "0", "1",
           "1000000000000000",
           "fail if the model, or a rank, needs more (default: no limit)">,
    Switch<"--plan-memory", "planMemory",
           "do not run, but tell the memory that the model, or each rank, needs "
           "on this machine">,
    Text<"--json", "json", File, "write results and times as JSON">,
    Text<"--trace", "trace", File,
         "write what ran when, for chrome://tracing">,
    Included<"Training", "training">,
    Choice<"--channels", "channels", "std::string",
           [Spelling<"local", "\"local\"">, Spelling<"mpi", "\"mpi\"">,
            Spelling<"nccl", "\"nccl\"">],
           "of a pipeline: every rank is a thread of this process (local, "
           "default), or this process is one rank: mpirun -n N tenon-run ... "
           "(mpi). nccl: CUDA devices exchange messages without the host; "
           "processes under mpirun, else threads. Each rank has --threads, by "
           "default 1", "\"\"">,
    Number<"--ranks", "ranks", Count, "int32_t", "0", "1", "65536",
           "local: as many as the pipeline has, or 1: all on one thread, one "
           "after the other, with the same results">,
    Number<"--timed-waits", "timedWaits", Unit<"X">, "double", "0", "0",
           "tenon::artifact::kInfinity",
           "tasks do not compute, but wait for as long as the plan expects, times "
           "X: what is measured then is the rest (default: they compute)">,
    Number<"--watchdog", "watchdog", Seconds, "int32_t", "0", "1", "1000000",
           "fail if a rank waits longer for a message (default: wait)">
  ];
  let notes = [{
Threads wait for work by spinning 3000 turns, then sleep, unless the environment
sets GOMP_SPINCOUNT or OMP_WAIT_POLICY.

exit status: 0 success, 1 an error or a result that differs, 2 wrong usage
}];
}
