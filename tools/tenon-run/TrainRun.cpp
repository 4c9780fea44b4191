//===- TrainRun.cpp - training by the entries of an artifact ------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainRun.h"

#include "EntryFeed.h"
#include "ProgressLine.h"
#include "TrainLog.h"

#include "tenon/Artifact/OutputFile.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <deque>
#include <dirent.h>
#include <future>
#include <unistd.h>

using namespace tenon::artifact;

namespace tenon::run {

/// The signal that asked for the end; 0: none.
static volatile std::sig_atomic_t endSignal = 0;

/// A second signal ends the process at once.
static void catchSignals() {
  struct sigaction action = {};
  action.sa_handler = [](int signal) { endSignal = signal; };
  action.sa_flags = SA_RESETHAND | SA_RESTART;
  for (int signal : {SIGINT, SIGTERM})
    ::sigaction(signal, &action, nullptr);
}

/// Removes what a killed run has left of states that it was writing:
/// PATH.PROCESS.NUMBER.tmp.
static void removeUnfinished(const std::string &path) {
  std::string folder = getFolderOf(path);
  size_t slash = path.rfind('/');
  std::string begin =
      (slash == std::string::npos ? path : path.substr(slash + 1)) + ".";
  DIR *entries = ::opendir(folder.empty() ? "." : folder.c_str());
  if (!entries)
    return;
  while (const dirent *entry = ::readdir(entries)) {
    std::string name = entry->d_name;
    int process = 0, end = 0;
    unsigned number = 0;
    if (name.compare(0, begin.size(), begin) != 0 ||
        std::sscanf(name.c_str() + begin.size(), "%d.%u.tmp%n", &process,
                    &number, &end) != 2 ||
        end == 0 || begin.size() + end != name.size() || process <= 0)
      continue;
    if (::kill(process, 0) != 0 && errno == ESRCH)
      ::unlink((folder + name).c_str());
  }
  ::closedir(entries);
}

static std::string formatDuration(double milliseconds) {
  auto seconds = static_cast<long long>(milliseconds / 1000 + 0.5);
  char text[64];
  if (seconds >= 3600)
    std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", seconds / 3600,
                  seconds / 60 % 60, seconds % 60);
  else
    std::snprintf(text, sizeof text, "%lld:%02lld", seconds / 60, seconds % 60);
  return text;
}

static std::string formatNumber(double value, int digits = 4) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

namespace {
class Training {
public:
  explicit Training(const CommandLine &line)
      : line(line), flags(line.training) {}

  /// Returns the exit status.
  Expected<int> run();

private:
  Status prepare();
  Status restore();
  Expected<int64_t> readStep();
  Status runSteps();
  Status step(int64_t step, Batch batch);
  Status evaluate(int64_t step);
  Status save(int64_t step);
  void tell(int64_t step);
  void showProgress(int64_t step);

  const CommandLine &line;
  const TrainingFlags &flags;
  LoadedModel model;
  EntryFeed training, evaluation;
  TrainLog log;
  ProgressLine progress;
  int64_t first = 0, done = 0, saved = -1, told = 0;
  double toldLosses = 0;     // the sum since the last line
  std::deque<double> recent; // milliseconds between the last steps
  double lastEnd = 0;
};
} // namespace

static constexpr const char *stepState = "optimizer.step";

Expected<int64_t> Training::readStep() {
  int64_t step = 0;
  tenon_tensor tensor = {};
  tensor.data = &step;
  tensor.device_type = 1;
  tensor.dtype = toDLDType(DType::I64);
  if (model.library.getState(model.model, stepState, &tensor) != 0)
    return model.error("--train: ");
  if (step < 0)
    return makeError("--train: the state '", stepState, "' is below 0: ", step);
  return step;
}

Status Training::restore() {
  std::string file = line.state, option = "--state";
  if (flags.resume && ::access(line.saveState.c_str(), F_OK) == 0) {
    file = line.saveState;
    option = "--resume";
  }
  if (!file.empty())
    if (Status restored = model.restoreStates(file, option); !restored)
      return restored;
  Expected<int64_t> step = readStep();
  if (!step)
    return step.takeError();
  first = done = told = *step;
  if (!file.empty() && file == line.saveState)
    saved = first;
  if (!file.empty())
    std::printf("continues after step %lld of '%s'\n",
                static_cast<long long>(first), file.c_str());
  if (first > flags.steps)
    return makeError("--steps: expected the ", first, " steps that '", file,
                     "' has, or more, but got ", flags.steps);
  return Status::success();
}

Status Training::prepare() {
  if (Status opened = model.open(line); !opened)
    return opened;
  const Manifest &manifest = model.library.manifest;
  if (Status prepared =
          training.prepare(manifest, "train_step", flags.data, "--data", line);
      !prepared)
    return prepared;
  if (!flags.evalData.empty())
    if (Status prepared = evaluation.prepare(
            manifest, "evaluate", flags.evalData, "--eval-data", line);
        !prepared)
      return prepared;
  progress.show("loading");
  Status loaded = model.load(line);
  progress.clear();
  if (!loaded)
    return loaded;
  std::printf("model '%s' for %s, %d threads\n", manifest.name.c_str(),
              model.library.getTarget(model.model, line.device).c_str(),
              model.getThreads(line));
  if (std::string source = model.getWeightsSource(line); !source.empty())
    std::printf("parameters: %s\n", source.c_str());
  if (int64_t samples = training.dataset.size())
    std::printf("data: %lld samples in batches of %lld: %lld steps an epoch\n",
                static_cast<long long>(samples),
                static_cast<long long>(training.batchSize),
                static_cast<long long>(samples / training.batchSize));
  if (!line.saveState.empty())
    removeUnfinished(line.saveState);
  if (Status restored = restore(); !restored)
    return restored;
  std::fflush(stdout);
  return log.open(flags.metrics, first);
}

Status Training::save(int64_t step) {
  if (line.saveState.empty() || saved == step)
    return Status::success();
  // The lines of the steps first: a run that goes on from these states finds
  // them.
  if (Status flushed = log.flush(); !flushed)
    return flushed;
  if (Status written = model.saveStates(line.saveState, "--save-state");
      !written)
    return written;
  saved = step;
  return Status::success();
}

Status Training::evaluate(int64_t step) {
  double begin = milliseconds(), sum = 0;
  int64_t samples = std::max<int64_t>(1, evaluation.dataset.size()), seen = 0;
  int64_t size = evaluation.batchSize;
  while (seen < samples && endSignal == 0) {
    // A batch of a fixed size must be full.
    int64_t count = std::min(size, samples - seen);
    if (count < size && !evaluation.isOpen)
      break;
    std::vector<int64_t> numbers(count);
    for (int64_t i = 0; i < count; ++i)
      numbers[i] = seen + i;
    Expected<Batch> batch = evaluation.gather(std::move(numbers));
    if (!batch)
      return batch.takeError();
    Expected<double> loss = evaluation.call(model, *batch);
    if (!loss)
      return makeError("evaluation after step ", step, ": ", loss.error());
    sum += *loss * static_cast<double>(count);
    seen += count;
  }
  if (endSignal != 0)
    return Status::success();
  double mean = sum / static_cast<double>(seen);
  progress.clear();
  std::printf("step %lld: evaluation loss %s over %lld samples%s\n",
              static_cast<long long>(step), formatNumber(mean).c_str(),
              static_cast<long long>(seen),
              seen < samples ? concat(" (", samples - seen,
                                      " left over: less than a batch)")
                                   .c_str()
                             : "");
  std::fflush(stdout);
  return log.add({step, /*isEvaluation=*/true, mean, milliseconds() - begin});
}

void Training::showProgress(int64_t step) {
  if (recent.empty() || !progress.isDue())
    return;
  std::vector<double> times(recent.begin(), recent.end());
  std::nth_element(times.begin(), times.begin() + times.size() / 2,
                   times.end());
  double median = times[times.size() / 2];
  progress.show(concat("step ", step, " of ", flags.steps, ": loss ",
                       formatNumber(log.getRecords().back().loss), ", ",
                       formatNumber(median, 3), " ms a step, ",
                       formatDuration(median * (flags.steps - step)), " left"));
}

/// Prints a line, with the mean loss since the last one.
void Training::tell(int64_t step) {
  if (step == told)
    return;
  progress.clear();
  // The metrics have the loss of each step.
  int64_t count = step - told;
  std::printf("step %lld of %lld: loss %s%s\n", static_cast<long long>(step),
              static_cast<long long>(flags.steps),
              formatNumber(toldLosses / static_cast<double>(count)).c_str(),
              count > 1 ? concat(" (mean of ", count, " steps)").c_str() : "");
  std::fflush(stdout);
  told = step;
  toldLosses = 0;
}

Status Training::step(int64_t number, Batch batch) {
  double begin = milliseconds();
  Expected<double> loss = training.call(model, batch);
  double elapsed = milliseconds() - begin;
  if (!loss)
    return makeError("step ", number, ": ", loss.error());
  if (!std::isfinite(*loss))
    return makeError("step ", number, ": the loss is ", *loss,
                     training.describeNonFinite(batch),
                     line.saveState.empty() || saved < 0
                         ? "; nothing was saved"
                         : concat("; '", line.saveState, "' has step ", saved));
  toldLosses += *loss;
  done = number;
  return log.add({number, /*isEvaluation=*/false, *loss, elapsed});
}

Status Training::runSteps() {
  int64_t samples = training.dataset.size();
  BatchOrder order(samples, training.batchSize, flags.seed);
  // While a step runs, the next batch is gathered.
  auto gather = [&](int64_t step) {
    return training.gather(samples ? order.getSamples(step)
                                   : std::vector<int64_t>());
  };
  std::future<Expected<Batch>> next;
  if (first < flags.steps)
    next = std::async(std::launch::async, gather, first);
  int64_t every = std::max<int64_t>(1, (flags.steps - first) / 10);
  lastEnd = milliseconds();
  for (int64_t now = first; now < flags.steps && endSignal == 0; ++now) {
    Expected<Batch> batch = next.get();
    if (!batch)
      return batch.takeError();
    if (now + 1 < flags.steps)
      next = std::async(std::launch::async, gather, now + 1);
    if (Status stepped = step(now + 1, std::move(*batch)); !stepped)
      return stepped;
    recent.push_back(milliseconds() - lastEnd);
    if (recent.size() > 50)
      recent.pop_front();
    showProgress(done);
    if ((done - first) % every == 0 || done == flags.steps)
      tell(done);
    if (flags.evalEvery && done % flags.evalEvery == 0)
      if (Status evaluated = evaluate(done); !evaluated)
        return evaluated;
    if (flags.saveEvery && done % flags.saveEvery == 0)
      if (Status written = save(done); !written)
        return written;
    lastEnd = milliseconds();
  }
  return Status::success();
}

Expected<int> Training::run() {
  if (Status prepared = prepare(); !prepared)
    return prepared.takeError();
  // Of several processes, one alone would save and end.
  if (!isOneOfProcesses(line))
    catchSignals();
  double begin = milliseconds();
  Status trained = runSteps();
  progress.clear();
  if (!trained) {
    (void)log.flush();
    return trained.takeError();
  }
  double elapsed = milliseconds() - begin;
  tell(done);
  bool isEnded = endSignal != 0;
  if (!isEnded && !flags.evalData.empty() &&
      (!flags.evalEvery || done % flags.evalEvery != 0))
    if (Status evaluated = evaluate(done); !evaluated)
      return evaluated.takeError();
  if (Status written = save(done); !written)
    return written.takeError();
  if (Status flushed = log.flush(); !flushed)
    return flushed.takeError();
  if (!flags.curves.empty()) {
    std::string page =
        log.renderHtml("Training of " + model.library.manifest.name);
    if (Status written = writeFile(flags.curves, page.data(), page.size());
        !written)
      return makeError("--curves: ", written.error());
  }
  std::vector<double> times;
  for (const TrainRecord &record : log.getRecords())
    if (!record.isEvaluation && record.step > first)
      times.push_back(record.milliseconds);
  if (!times.empty()) {
    std::sort(times.begin(), times.end());
    std::printf(
        "%lld steps in %s: median %s ms a step, %s with data and files;"
        " %s MiB\n",
        static_cast<long long>(done - first), formatDuration(elapsed).c_str(),
        formatNumber(times[times.size() / 2]).c_str(),
        formatNumber(elapsed / static_cast<double>(done - first)).c_str(),
        formatNumber(model.library.memoryBytes(model.model) / 1048576.0)
            .c_str());
  }
  if (!line.saveState.empty())
    std::printf("saved step %lld in '%s'\n", static_cast<long long>(done),
                line.saveState.c_str());
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    return makeError("cannot write the results to standard output");
  if (!isEnded)
    return 0;
  std::fprintf(stderr, "tenon-run: ended by a signal after step %lld%s\n",
               static_cast<long long>(done),
               line.saveState.empty() ? "; nothing was saved" : "");
  return 130;
}

int runTraining(const CommandLine &line) {
  Expected<int> status = Training(line).run();
  if (status)
    return *status;
  std::fprintf(stderr, "tenon-run: error: %s\n", status.error().c_str());
  return 1;
}

} // namespace tenon::run
