//===- CommandLine.cpp - what tenon-run is asked to do ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include "tenon/Artifact/ABI.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
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
  --repeat N            run N times after a first one, and tell the latency
  --donate              give outputs the memory of the inputs that are donated to
                        them (caches), filled anew before every run
  --device D            which of the model's programs: cpu, cuda, or cuda:N for
                        CUDA device N (default: the first target that it was
                        compiled for)
  --threads T           threads to use (default: OMP_NUM_THREADS or all cores)
  --json F              write results and times as JSON
  --trace F.json        write what ran when, for chrome://tracing
  --channels local|mpi  run a plan (NAME.plan.json, see tenon-compile): every
                        rank as a thread of this process (default), or this
                        process as one rank: mpirun -n N tenon-run ...
  --ranks N             local: the number of ranks (default: as planned)
  --version, --help

Threads wait for work by spinning 3000 turns, then sleep, unless the environment
sets GOMP_SPINCOUNT or OMP_WAIT_POLICY.

exit status: 0 success, 1 an error or a result that differs, 2 wrong usage
)";

static bool wrongUsage(const std::string &message) {
  std::fprintf(stderr, "tenon-run: error: %s\nsee tenon-run --help\n",
               message.c_str());
  return false;
}

template <typename T>
static bool parseNumber(const std::string &name, std::string_view text, T low,
                        T high, T &out) {
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), out);
  if (error == std::errc() && end == text.data() + text.size() && out >= low &&
      out <= high)
    return true;
  return wrongUsage(concat("--", name, ": expected a number from ", low, " to ",
                           high, ", but got '", text, "'"));
}

static bool parseTolerance(const std::string &name, const std::string &text,
                           double &out) {
  char *end = nullptr;
  out = std::strtod(text.c_str(), &end);
  // strtod would skip spaces.
  if (!text.empty() && text[0] != ' ' && *end == '\0' && out >= 0 &&
      std::isfinite(out))
    return true;
  return wrongUsage(concat("--", name,
                           ": expected a number of at least 0, but "
                           "got '",
                           text, "'"));
}

static bool parseSpec(const std::string &name, const std::string &text,
                      bool filesOnly, std::vector<InputSpec> &out) {
  Expected<InputSpec> spec = parseInputSpec(text);
  if (!spec)
    return wrongUsage(concat("--", name, ": ", spec.error()));
  if (filesOnly && spec->path.empty())
    return wrongUsage(
        concat("--", name, ": expected [NAME=]@FILE, but got '", text, "'"));
  out.push_back(std::move(*spec));
  return true;
}

static bool parseParams(const std::string &text, CommandLine &line) {
  line.paramsSeed.reset();
  line.paramsPath.clear();
  constexpr std::string_view random = "random:";
  if (text.size() > 1 && text[0] == '@') {
    line.paramsPath = text.substr(1);
    return true;
  }
  if (text.compare(0, random.size(), random) == 0) {
    uint64_t seed;
    if (!parseNumber<uint64_t>("params", std::string_view(text).substr(7), 0,
                               UINT64_MAX, seed))
      return false;
    line.paramsSeed = seed;
    return true;
  }
  return wrongUsage(
      concat("--params: expected @FILE or random:SEED, but got '", text, "'"));
}

static bool parseDevice(const std::string &text, CommandLine &line) {
  constexpr std::string_view numbered = "cuda:";
  line.deviceId = 0;
  line.device = text == "cpu" ? TENON_DEVICE_CPU : TENON_DEVICE_CUDA;
  if (text == "cpu" || text == "cuda")
    return true;
  if (text.compare(0, numbered.size(), numbered) == 0)
    return parseNumber("device", std::string_view(text).substr(numbered.size()),
                       0, 1023, line.deviceId);
  return wrongUsage(
      concat("--device: expected cpu, cuda or cuda:N, but got '", text, "'"));
}

static bool apply(const std::string &name, const std::string &value,
                  CommandLine &line) {
  if (name == "input")
    return parseSpec(name, value, false, line.inputs);
  if (name == "expect")
    return parseSpec(name, value, true, line.expected);
  if (name == "output")
    return parseSpec(name, value, true, line.outputs);
  if (name == "rtol")
    return parseTolerance(name, value, line.tolerance.relative);
  if (name == "atol")
    return parseTolerance(name, value, line.tolerance.absolute);
  if (name == "params")
    return parseParams(value, line);
  if (name == "repeat")
    return parseNumber(name, value, 1, 1000000000, line.repeat);
  if (name == "threads")
    return parseNumber(name, value, 1, mostThreads, line.threads);
  if (name == "entry") {
    line.entry = value;
    return !value.empty() || wrongUsage("--entry: expected a name");
  }
  if (name == "state") {
    if (value.size() < 2 || value[0] != '@')
      return wrongUsage(
          concat("--state: expected @FILE, but got '", value, "'"));
    line.state = value.substr(1);
    return true;
  }
  if (name == "save-state") {
    line.saveState = value;
    return !value.empty() || wrongUsage("--save-state: expected a file name");
  }
  if (name == "device")
    return parseDevice(value, line);
  if (name == "ranks")
    return parseNumber(name, value, 1, 1024, line.ranks);
  if (name == "channels") {
    line.channels = value;
    return value == "local" || value == "mpi" ||
           wrongUsage(concat("--channels: expected local or mpi, but got '",
                             value, "'"));
  }
  std::string &path = name == "json" ? line.json : line.trace;
  path = value;
  return !path.empty() || wrongUsage("--" + name + ": expected a file name");
}

std::optional<CommandLine> parseCommandLine(int argc, char **argv,
                                            int &status) {
  CommandLine line;
  status = 2;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "--help" || argument == "-h") {
      std::fputs(helpText, stdout);
      status = 0;
      return std::nullopt;
    }
    if (argument == "--version") {
      std::printf("tenon-run %s\n", TENON_VERSION);
      status = 0;
      return std::nullopt;
    }
    if (argument == "--donate") {
      line.donate = true;
      continue;
    }
    if (argument.size() < 2 || argument[0] != '-') {
      if (!line.artifact.empty()) {
        wrongUsage(concat("expected one model, but got '", line.artifact,
                          "' and '", argument, "'"));
        return std::nullopt;
      }
      line.artifact = argument;
      continue;
    }
    size_t equals = argument.find('=');
    std::string name = argument.substr(0, equals);
    static constexpr std::string_view flags[] = {
        "--input",   "--expect", "--output", "--rtol",
        "--atol",    "--params", "--device", "--repeat",
        "--threads", "--json",   "--trace",  "--channels",
        "--ranks",   "--entry",  "--state",  "--save-state"};
    bool known = false;
    for (std::string_view flag : flags)
      known |= name == flag;
    if (!known) {
      wrongUsage(concat("unknown flag '", name, "'"));
      return std::nullopt;
    }
    std::string value;
    if (equals != std::string::npos) {
      value = argument.substr(equals + 1);
    } else if (++i < argc) {
      value = argv[i];
    } else {
      wrongUsage(name + ": expected a value");
      return std::nullopt;
    }
    if (!apply(name.substr(2), value, line))
      return std::nullopt;
  }
  if (line.artifact.empty()) {
    wrongUsage("expected a model");
    return std::nullopt;
  }
  bool isDeployment = line.isDeployment();
  if (!isDeployment && (!line.channels.empty() || line.ranks)) {
    wrongUsage("--channels and --ranks are for plans (NAME.plan.json)");
    return std::nullopt;
  }
  if (isDeployment && (!line.json.empty() || !line.trace.empty() ||
                       line.repeat != 1 || line.donate || !line.entry.empty() ||
                       !line.state.empty() || !line.saveState.empty())) {
    wrongUsage("--json, --trace, --repeat, --donate, --entry, --state and "
               "--save-state are not available for plans");
    return std::nullopt;
  }
  return line;
}

bool CommandLine::isDeployment() const {
  constexpr std::string_view extension = ".plan.json";
  return artifact.size() > extension.size() &&
         artifact.compare(artifact.size() - extension.size(), extension.size(),
                          extension) == 0;
}

} // namespace tenon::run
