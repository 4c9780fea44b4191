//===- RunArtifact.cpp - an artifact, in a process of its own -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunArtifact.h"

#include "tenon/Artifact/File.h"

#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace tenon::artifact;

namespace tenon::bundle {

/// Waits until the process ends or the time is over; then it is killed.
static Expected<int> waitFor(pid_t process, int limitSeconds) {
  const timespec pause = {0, 5000000};
  time_t begin = ::time(nullptr);
  int status = 0;
  for (;;) {
    pid_t ended = ::waitpid(process, &status, WNOHANG);
    if (ended == process)
      return status;
    if (ended < 0 && errno != EINTR)
      return makeError("can't wait for tenon-run: ", std::strerror(errno));
    if (::time(nullptr) - begin > limitSeconds) {
      ::kill(process, SIGKILL);
      ::waitpid(process, &status, 0);
      return makeError("it did not finish within ", limitSeconds, " s");
    }
    ::nanosleep(&pause, nullptr);
  }
}

/// Standard error goes to a file, the rest nowhere.
static Expected<int> spawn(const std::vector<std::string> &arguments,
                           const std::string &errors, int limitSeconds) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, 2, errors.c_str(),
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
  std::vector<char *> list;
  for (const std::string &argument : arguments)
    list.push_back(const_cast<char *>(argument.c_str()));
  list.push_back(nullptr);
  pid_t process;
  int failed =
      ::posix_spawn(&process, list[0], &actions, nullptr, list.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed)
    return makeError("'", arguments[0],
                     "' can't be run: ", std::strerror(failed));
  return waitFor(process, limitSeconds);
}

/// The message of tenon-run, without the end of line.
static std::string readErrors(const std::string &path) {
  Expected<std::vector<uint8_t>> bytes = readFile(path);
  if (!bytes)
    return "";
  std::string text(bytes->begin(), bytes->end());
  text.erase(text.find_last_not_of(" \n") + 1);
  return text;
}

Expected<CallTimes> measure(const Artifact &artifact,
                            const RunOptions &options) {
  std::string trace = options.temporary + "/trace.json";
  std::string errors = options.temporary + "/errors.txt";
  // Remove the previous artifact's trace.
  ::unlink(trace.c_str());
  Expected<int> status = spawn(
      {options.folder + "/tenon-run", options.folder + "/" + artifact.file,
       concat("--device=cuda:", options.device), "--params", "random:1",
       "--threads", "1",
       // With --repeat tenon-run makes one run more.
       "--repeat", std::to_string(options.repeat + kWarmUpRuns - 1),
       // As in applications that call a model with caches repeatedly.
       "--donate", "--trace", trace},
      errors, options.limitSeconds);
  if (!status)
    return status.takeError();
  if (WIFSIGNALED(*status))
    return makeError("tenon-run was ended by signal ", WTERMSIG(*status), " (",
                     ::strsignal(WTERMSIG(*status)), ")");
  if (WEXITSTATUS(*status) != 0) {
    std::string said = readErrors(errors);
    if (said.empty())
      return makeError("tenon-run ended with status ", WEXITSTATUS(*status));
    return makeError(said);
  }
  return readTrace(artifact, trace);
}

} // namespace tenon::bundle
