//===- Progress.cpp - progress messages on a terminal ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Support/Progress.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <unistd.h>

using namespace tenon;
using Clock = std::chrono::steady_clock;

class Progress::Line {
public:
  Line(llvm::StringRef program, const ProgressOptions &options)
      : program(program), options(options), next(start + options.delay),
        thread([this] { run(); }) {}
  ~Line() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      done = true;
    }
    wake.notify_all();
    thread.join();
    clear();
  }

  void enter(llvm::StringRef name) {
    std::lock_guard<std::mutex> lock(mutex);
    phase = name.str();
  }
  void makeRoom() {
    std::lock_guard<std::mutex> lock(mutex);
    clear();
    next = std::max(next, Clock::now() + options.period);
  }

private:
  void run();
  /// Writes the text with one call, so that no other output comes between.
  void write(const std::string &text) {
    // Errors are ignored, because a closed terminal is no reason to stop.
    (void)!::write(options.file, text.data(), text.size());
  }
  void clear() {
    if (shown)
      write("\r\033[K");
    shown = false;
  }

  const std::string program;
  const ProgressOptions options;
  const Clock::time_point start = Clock::now();
  std::mutex mutex;
  std::condition_variable wake;
  Clock::time_point next; // when to update the line next
  std::string phase;
  bool done = false, shown = false;
  std::thread thread; // the last member: it uses the others
};

void Progress::Line::run() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!done) {
    if (Clock::now() < next) {
      wake.wait_until(lock, next);
      continue;
    }
    auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - start);
    write("\r\033[K" + program + ": " + phase + ", " +
          std::to_string(seconds.count()) + " s");
    shown = true;
    next = Clock::now() + options.period;
  }
}

Progress::Progress(llvm::StringRef program, ProgressOptions options) {
  if (::isatty(options.file))
    line = std::make_unique<Line>(program, options);
}

Progress::~Progress() = default;

void Progress::enter(llvm::StringRef phase) {
  if (line)
    line->enter(phase);
}

void Progress::makeRoom() {
  if (line)
    line->makeRoom();
}
