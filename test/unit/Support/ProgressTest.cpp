//===- ProgressTest.cpp - one line on a terminal --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Support/Progress.h"

#include "gtest/gtest.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string>
#include <unistd.h>

using namespace tenon;
using namespace std::chrono_literals;

namespace {
/// Reads back the output to a pseudo terminal or a pipe.
class Channel {
public:
  explicit Channel(bool terminal) {
    if (!terminal) {
      int ends[2];
      EXPECT_EQ(::pipe(ends), 0);
      reader = ends[0];
      writer = ends[1];
      return;
    }
    reader = ::posix_openpt(O_RDWR | O_NOCTTY);
    EXPECT_GE(reader, 0);
    EXPECT_EQ(::grantpt(reader), 0);
    EXPECT_EQ(::unlockpt(reader), 0);
    writer = ::open(::ptsname(reader), O_RDWR | O_NOCTTY);
    EXPECT_GE(writer, 0);
  }
  ~Channel() {
    ::close(reader);
    ::close(writer);
  }

  /// All that comes until there is `end` in it, or nothing for `patience`.
  std::string read(const std::string &end,
                   std::chrono::milliseconds patience = 20s) {
    std::string text;
    while (end.empty() || text.find(end) == std::string::npos) {
      pollfd event{reader, POLLIN, 0};
      if (::poll(&event, 1, static_cast<int>(patience.count())) <= 0)
        break;
      char buffer[256];
      ssize_t count = ::read(reader, buffer, sizeof(buffer));
      if (count <= 0)
        break;
      text.append(buffer, count);
    }
    return text;
  }

  int reader = -1, writer = -1;
};
} // namespace

TEST(Progress, RewritesOneLineInPlace) {
  Channel terminal(/*terminal=*/true);
  {
    Progress progress("tool", {terminal.writer, 0ms, 1ms});
    progress.enter("import");
    EXPECT_NE(terminal.read("\r\033[Ktool: import, 0 s").size(), 0u);
    progress.enter("optimize");
    std::string text = terminal.read("tool: optimize, 0 s");
    EXPECT_NE(text.find("tool: optimize, 0 s"), std::string::npos);
    EXPECT_EQ(text.find('\n'), std::string::npos);
  }
  // At the end, the line is gone.
  std::string rest = terminal.read("", 100ms);
  EXPECT_TRUE(llvm::StringRef(rest).ends_with("\r\033[K"));
}

TEST(Progress, WaitsForItsTime) {
  Channel terminal(/*terminal=*/true);
  {
    Progress progress("tool", {terminal.writer, 1h, 1ms});
    progress.enter("import");
    progress.makeRoom();
  }
  EXPECT_EQ(terminal.read("", 100ms), "");
}

TEST(Progress, MakesRoomForMessages) {
  Channel terminal(/*terminal=*/true);
  Progress progress("tool", {terminal.writer, 0ms, 1h});
  terminal.read(" s");
  progress.makeRoom();
  EXPECT_EQ(terminal.read("\r\033[K"), "\r\033[K");
  EXPECT_EQ(terminal.read("", 100ms), "");
}

TEST(Progress, SaysNothingWithoutATerminal) {
  Channel pipe(/*terminal=*/false);
  {
    Progress progress("tool", {pipe.writer, 0ms, 1ms});
    progress.enter("import");
    EXPECT_EQ(pipe.read("", 50ms), "");
  }
  EXPECT_EQ(pipe.read("", 50ms), "");
}
