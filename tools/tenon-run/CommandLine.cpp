//===- CommandLine.cpp - what tenon-run is asked to do ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "tenon/Artifact/ABI.h"
#include "tenon/Artifact/RunFlags.h"

#include <cstdio>
#include <string_view>

using namespace tenon::artifact;

namespace tenon::run {

static constexpr const char *helpText =
    R"(Runs a compiled model.

usage: tenon-run MODEL.so [options]

  --input [NAME=]SPEC   an input; without NAME: the inputs in order. SPEC is
                          @F.pb, @F.npy, or
                          random:SEED[:SHAPE][:normal|uniform(a,b)|int(a,b)]
                        with SHAPE as in 1x3x224x224. Inputs that are not given
                        are random:0; by default floats are normal, integers 0
                        or 1
  --expect [NAME=]@F    compare an output with a tensor in a .pb or .npy file
  --rtol R, --atol A    an element agrees when its error is at most
                        A + R * (largest |expected|) (default: 1e-3, 0); NaN
                        agrees with NaN alone
  --output [NAME=]@F    write an output to a .npy or .pb file
  --params @F|random:N  the weights (default: the .safetensors file beside the
                        model)
  --entry E             what to run of a model with several entries (default: the
                        first)
  --state @F.safetensors  restore the model's states before the first run
  --save-state F        write them to a .safetensors file after the last run
  --deterministic       the same bits with any number of threads: each library
                        call runs on one; --repeat also tells what that costs
  --repeat N            run N times after a first one, and tell the latency
  --donate              give outputs the memory of the inputs that are donated to
                        them (caches), filled anew before every run
  --device D            which of the model's programs: cpu, cuda, or cuda:N for
                        CUDA device N (default: the first target that it was
                        compiled for)
  --threads T           threads to use (default: OMP_NUM_THREADS or all cores)
  --json F              write results and times as JSON
  --trace F.json        write what ran when, for chrome://tracing
  --train               train a model that tenon-compile --train made: calls
                        train_step until step N, by
  --data [NAME=]F         samples of an input, along the first axis: .npy,
                          .safetensors (tensors by the inputs' names), or raw
                          elements (repeatable). Other inputs are as of --input
  --steps N               the last step, counted from the very first one
  --batch N               the size of a batch, where the model leaves it open
  --shuffle SEED|off      the order of the samples (default: 0); the same in
                          every run
  --eval-data [NAME=]F    samples for the entry evaluate, at the end and
  --eval-every N          after every N steps
  --save-every N          write --save-state F after every N steps, too
  --resume                go on from --save-state F, if it exists
  --metrics F.jsonl       write a line for each step
  --curves F.html         write a page with the curves of the losses
                        SIGINT and SIGTERM save, and end with the status 130
                        (not under mpirun)
  --channels local|mpi|nccl  of a pipeline: every rank is a thread of this
                        process (local, default), or this process is one rank:
                        mpirun -n N tenon-run ... (mpi). nccl: CUDA devices
                        exchange messages without the host; processes under
                        mpirun, else threads. Each rank has --threads T, by
                        default 1
  --ranks N             local: as many as the pipeline has, or 1: all on one
                        thread, one after the other, with the same results
  --timed-waits X       tasks do not compute, but wait for as long as the plan
                        expects, times X: what is measured then is the rest
  --watchdog SECONDS    fail if a rank waits longer for a message (default: wait)
  --version, --help

Threads wait for work by spinning 3000 turns, then sleep, unless the environment
sets GOMP_SPINCOUNT or OMP_WAIT_POLICY.

exit status: 0 success, 1 an error or a result that differs, 2 wrong usage
)";

static Status parseDevice(std::string_view text, CommandLine &line) {
  constexpr std::string_view numbered = "cuda:";
  line.deviceId = 0;
  line.device = text == "cpu" ? TENON_DEVICE_CPU : TENON_DEVICE_CUDA;
  if (text == "cpu" || text == "cuda")
    return Status::success();
  if (text.substr(0, numbered.size()) == numbered)
    return OptionTable::parseNumber(text.substr(numbered.size()), 0, 1023,
                                    line.deviceId);
  return makeError("expected cpu, cuda or cuda:N, but got '", text, "'");
}

static void addTrainingFlags(OptionTable &table, TrainingFlags &flags) {
  table.addSwitch("--train", flags.isOn);
  // Options that have no effect without --train.
  auto add = [&](const std::string &name, auto parse) {
    table.add(name, [&flags, name, parse](std::string_view value) -> Status {
      if (flags.first.empty())
        flags.first = name;
      return parse(value);
    });
  };
  auto addCount = [&](const std::string &name, int64_t &out) {
    add(name, [&out](std::string_view value) {
      return OptionTable::parseNumber<int64_t>(value, 1, 1000000000000, out);
    });
  };
  auto addFileName = [&](const std::string &name, auto take) {
    add(name, [take](std::string_view value) -> Status {
      if (value.empty())
        return makeError("expected the name of a file");
      take(std::string(value));
      return Status::success();
    });
  };
  addFileName("--data", [&](std::string f) { flags.data.push_back(f); });
  addFileName("--eval-data",
              [&](std::string f) { flags.evalData.push_back(f); });
  addFileName("--metrics", [&](std::string f) { flags.metrics = f; });
  addFileName("--curves", [&](std::string f) { flags.curves = f; });
  addCount("--steps", flags.steps);
  addCount("--batch", flags.batch);
  addCount("--save-every", flags.saveEvery);
  addCount("--eval-every", flags.evalEvery);
  add("--shuffle", [&flags](std::string_view value) -> Status {
    flags.seed.reset();
    if (value == "off")
      return Status::success();
    flags.seed = 0;
    return OptionTable::parseNumber<uint64_t>(value, 0, UINT64_MAX,
                                              *flags.seed);
  });
  table.addSwitch("--resume", [&flags] {
    if (flags.first.empty())
      flags.first = "--resume";
    flags.resume = true;
    return Status::success();
  });
}

static void addFlags(OptionTable &table, CommandLine &line) {
  addSpecs(table, "--input", /*filesOnly=*/false, line.inputs);
  addSpecs(table, "--expect", /*filesOnly=*/true, line.expected);
  addSpecs(table, "--output", /*filesOnly=*/true, line.outputs);
  addTolerance(table, line.tolerance);
  addParams(table, line.paramsPath, line.paramsSeed);
  addFile(table, "--state", line.state);
  table.add("--device", [&line](std::string_view value) {
    return parseDevice(value, line);
  });
  table.addNumber("--repeat", line.repeat, 1, 1000000000);
  table.addNumber("--threads", line.threads, 1, mostThreads);
  table.addNumber("--ranks", line.ranks, 1, 65536);
  table.addNumber("--watchdog", line.watchdog, 1, 1000000);
  table.addText("--entry", line.entry, "a name");
  table.addText("--save-state", line.saveState, "a file name");
  table.addText("--json", line.json, "a file name");
  table.addText("--trace", line.trace, "a file name");
  table.addChoice<std::string>(
      "--channels", line.channels,
      {{"local", "local"}, {"mpi", "mpi"}, {"nccl", "nccl"}});
  table.addSwitch("--deterministic", line.deterministic);
  table.addSwitch("--donate", line.donate);
  addMeasure(table, "--timed-waits", line.timedWaits);
  addTrainingFlags(table, line.training);
}

static Status checkTraining(const CommandLine &line) {
  const TrainingFlags &training = line.training;
  if (!training.isOn)
    return training.first.empty()
               ? Status::success()
               : makeError(training.first, ": expected --train, too");
  if (training.steps == 0)
    return makeError("--train: expected --steps N, too");
  if (line.repeat != 1 || line.donate || !line.entry.empty() ||
      !line.json.empty() || !line.trace.empty() || !line.expected.empty() ||
      !line.outputs.empty())
    return makeError("--repeat, --donate, --entry, --json, --trace, --expect "
                     "and --output are not available with --train");
  if (line.saveState.empty() && (training.saveEvery || training.resume))
    return makeError(training.resume ? "--resume" : "--save-every",
                     ": expected --save-state F, too");
  if (training.resume && !line.state.empty())
    return makeError(
        "--resume: continues from --save-state, but --state names a "
        "file, too");
  if (training.evalData.empty() && training.evalEvery)
    return makeError("--eval-every: expected --eval-data F, too");
  return Status::success();
}

/// Checks that involve more than one option.
static Status check(const CommandLine &line) {
  if (line.artifact.empty())
    return makeError("expected a model");
  constexpr std::string_view plan = ".plan.json";
  size_t size = line.artifact.size();
  if (size >= plan.size() &&
      line.artifact.compare(size - plan.size(), plan.size(), plan) == 0)
    return makeError("'", line.artifact,
                     "': plans are compiled to libraries now; expected "
                     "NAME.so, which tenon-compile -o NAME.so makes");
  return checkTraining(line);
}

std::optional<CommandLine> parseCommandLine(int argc, char **argv,
                                            int &status) {
  CommandLine line;
  OptionTable table;
  bool help = false, version = false;
  for (const char *name : {"--help", "-h"})
    table.addSwitch(name, help);
  table.addSwitch("--version", version);
  addFlags(table, line);
  Status parsed = table.parse(argc, argv, [&](std::string_view name) -> Status {
    if (!line.artifact.empty())
      return makeError("expected one model, but got '", line.artifact,
                       "' and '", name, "'");
    line.artifact = name;
    return Status::success();
  });
  status = 0;
  if (parsed && help) {
    std::fputs(helpText, stdout);
    return std::nullopt;
  }
  if (parsed && version) {
    std::printf("tenon-run %s\n", TENON_VERSION);
    return std::nullopt;
  }
  if (parsed)
    parsed = check(line);
  if (parsed)
    return line;
  status = 2;
  std::fprintf(stderr, "tenon-run: error: %s\nsee tenon-run --help\n",
               parsed.error().c_str());
  return std::nullopt;
}

bool CommandLine::isOneOfProcesses() const {
  return channels == "mpi" ||
         (channels == "nccl" && std::getenv("OMPI_COMM_WORLD_SIZE"));
}

} // namespace tenon::run
