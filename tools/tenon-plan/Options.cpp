//===- Options.cpp - the command line of tenon-plan -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "tenon/Artifact/OptionTable.h"
#include "tenon/Parallelize/Plan.h"

#include "llvm/Support/raw_ostream.h"

using namespace tenon;

static constexpr char kHelp[] =
    R"(Cuts a model into pipeline stages for several devices, and simulates them.

usage: tenon-plan MODEL --devices N --mini-batch B [options]

The model is .onnx, .mlir or .mlirbc. Axis 0 of its inputs has the samples: a
symbol, or as many as the mini-batch has.

  --devices N          how many devices there are
  --mini-batch B       samples of an iteration
  --cluster FILE       the devices and links, as JSON (default: V100s, four in a
                       node; see docs/formats.md)
  --planner=P          graph (default); or what to compare with: sequential,
                       pipedream, piper
  --forward-only       inference: no gradients
  --optimizer=NAME     what weights take of memory: sgd, momentum, adam (default)
  --batch-norm=per-micro-batch
                       let batch norm use the statistics of micro-batches, which
                       changes what is trained; else such models are refused
  --micro-batch B      all micro-batches have B samples
  --same-micro-batch   all micro-batches have the same size
  --most-k K           the most forward tasks in a row (default 4)
  --recompute=never    do not compute again what could be kept
  --eager=never        do not begin further ahead than needed
  --operators N        merge ops into an operator up to 1/N of the work (default
                       128)
  --budget N           simulate N tasks at most (default 4194304)
  --bind SYMBOL=SIZE   fix another dimension of the model (repeatable)
  -o FILE              the plan as a pipe.program
  --json FILE          the plan and its simulation as JSON
  --trace FILE         the simulated tasks, for Perfetto or chrome://tracing
  --report FILE        a page with the stages and their timeline
  --measured TRACE     compare with a trace of a run, task by task
  --force              replace files that were not written by Tenon
  --version, --help

exit status: 0 success, 1 there is no plan, 2 wrong usage
)";

static const std::vector<std::pair<std::string, PlannerKind>> kPlanners = {
    {"graph", PlannerKind::Graph},
    {"sequential", PlannerKind::Sequential},
    {"pipedream", PlannerKind::PipeDream},
    {"piper", PlannerKind::Piper}};

const char *getName(PlannerKind planner) {
  for (const auto &[name, kind] : kPlanners)
    if (kind == planner)
      return name.c_str();
  return "";
}

static int wrongUsage(const std::string &message) {
  llvm::errs() << "tenon-plan: " << message << "\nSee 'tenon-plan --help'.\n";
  return 2;
}

std::optional<int> parse(int argc, char **argv, CommandLine &line) {
  bool help = false, version = false;
  artifact::OptionTable table;
  constexpr int64_t kMostSamples = int64_t(1) << 40;
  table.addSwitch("--help", help);
  table.addSwitch("-h", help);
  table.addSwitch("--version", version);
  table.addSwitch("--force", line.force);
  table.addNumber("--devices", line.devices, 1u, 65536u);
  table.addNumber("--mini-batch", line.miniBatch, int64_t(1), kMostSamples);
  table.addText("--cluster", line.cluster, "the name of a file");
  table.addChoice("--planner", line.planner, kPlanners);
  table.addSwitch("--forward-only", line.forwardOnly);
  table.addChoice("--optimizer", line.stateFactor,
                  {{"sgd", 1.0}, {"momentum", 2.0}, {"adam", 3.0}});
  table.addChoice("--batch-norm", line.perMicroBatchNorm,
                  {{"per-micro-batch", true}});
  table.addNumber("--micro-batch", line.microBatch, int64_t(1), kMostSamples);
  table.addSwitch("--same-micro-batch", line.sameMicroBatch);
  table.addNumber("--most-k", line.mostK, int64_t(1), int64_t(1) << 20);
  table.addChoice("--recompute", line.neverRecompute, {{"never", true}});
  table.addChoice("--eager", line.neverEager, {{"never", true}});
  table.addNumber("--operators", line.operators, 1u, 4096u);
  table.add("--budget", [&](std::string_view value) {
    line.budget.emplace();
    return artifact::OptionTable::parseNumber(value, int64_t(1),
                                              int64_t(1) << 50, *line.budget);
  });
  table.addTexts("--bind", line.binds, "SYMBOL=SIZE");
  table.addText("-o", line.output, "the name of a file");
  table.addText("--json", line.json, "the name of a file");
  table.addText("--trace", line.trace, "the name of a file");
  table.addText("--report", line.report, "the name of a file");
  table.addText("--measured", line.measured, "the name of a file");
  artifact::Status parsed =
      table.parse(argc, argv, [&](std::string_view value) -> artifact::Status {
        if (!line.input.empty())
          return artifact::makeError("unexpected argument '", value, "'");
        line.input = value;
        return artifact::Status::success();
      });
  if (!parsed)
    return wrongUsage(parsed.error());
  if (help)
    llvm::outs() << kHelp;
  else if (version)
    llvm::outs() << "tenon-plan " << TENON_VERSION << "\n";
  if (help || version)
    return 0;
  if (line.input.empty())
    return wrongUsage("expected a model");
  if (llvm::StringRef(line.output).ends_with(".json"))
    return wrongUsage("-o: a plan is a module; expected NAME.mlir, but got '" +
                      line.output + "' (--json writes a table of it)");
  for (const char *name : {"--devices", "--mini-batch"})
    if (!table.getGiven().count(name))
      return wrongUsage("expected " + std::string(name));
  if (line.microBatch && line.miniBatch % line.microBatch != 0)
    return wrongUsage("--micro-batch: expected a divisor of the mini-batch");
  // The largest power of 2 that divides it.
  int64_t largest =
      line.microBatch ? line.microBatch : line.miniBatch & -line.miniBatch;
  if (line.miniBatch / largest > parallelize::kMostMicroBatches)
    return wrongUsage(
        "--mini-batch: micro-batches of " + std::to_string(largest) +
        " samples, the largest that are tried, are " +
        std::to_string(line.miniBatch / largest) + " in number; expected " +
        std::to_string(parallelize::kMostMicroBatches) + " at most");
  return std::nullopt;
}
