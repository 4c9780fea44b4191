//===- OutputFileTest.cpp - files that appear as a whole ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/OutputFile.h"
#include "tenon/Artifact/File.h"

#include "gtest/gtest.h"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

using namespace tenon::artifact;
namespace fs = std::filesystem;

namespace {
class OutputFileTest : public ::testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/tenon-output-test-XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    folder = name;
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string path(const std::string &name) const {
    return folder + "/" + name;
  }
  void put(const std::string &name, const std::string &text) const {
    std::ofstream(path(name)) << text;
  }
  std::string get(const std::string &name) const {
    auto bytes = readFile(path(name));
    return bytes ? std::string(bytes->begin(), bytes->end()) : bytes.error();
  }
  std::set<std::string> list() const {
    std::set<std::string> names;
    for (const auto &entry : fs::directory_iterator(folder))
      names.insert(entry.path().filename());
    return names;
  }
  std::string folder;
};
} // namespace

TEST_F(OutputFileTest, AppearsWhenCommitted) {
  put("a", "old");
  {
    auto file = OutputFile::create(path("a"));
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->write(0, "new", 3));
    EXPECT_EQ(get("a"), "old");
    EXPECT_EQ(list().size(), 2u);
  }
  EXPECT_EQ(get("a"), "old");
  EXPECT_EQ(list(), std::set<std::string>{"a"});
  ASSERT_TRUE(writeFile(path("a"), "new", 3));
  EXPECT_EQ(get("a"), "new");
  EXPECT_EQ(list(), std::set<std::string>{"a"});
}

TEST_F(OutputFileTest, FollowsLinks) {
  fs::create_directory(path("far"));
  fs::create_symlink("far/real", path("link"));
  ASSERT_TRUE(writeFile(path("link"), "new", 3));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(get("far/real"), "new");
  fs::create_symlink("loop", path("loop"));
  EXPECT_EQ(writeFile(path("loop"), "new", 3).error(),
            "can't write '" + path("loop") +
                "': Too many levels of symbolic links");
}

TEST_F(OutputFileTest, PutsAllInPlaceOrNone) {
  put("a", "old a");
  auto a = PendingFile::create(path("a")), b = PendingFile::create(path("b")),
       c = PendingFile::create(path("c"));
  ASSERT_TRUE(a.ok() && b.ok() && c.ok());
  for (const auto *file : {&a, &b, &c})
    ASSERT_TRUE(writeFile((*file)->getPath(), "new", 3));
  // A folder takes the name meanwhile.
  fs::create_directory(path("c"));
  Status status = putInPlace({a->finish(), b->finish(), c->finish()});
  EXPECT_EQ(status.error(), "can't write '" + path("c") + "': Is a directory");
  EXPECT_EQ(get("a"), "old a");
  EXPECT_FALSE(fs::exists(path("b")));
  fs::remove(path("c"));
  for (const auto *file : {&a, &b, &c})
    ASSERT_TRUE(writeFile((*file)->getPath(), "new", 3));
  ASSERT_TRUE(putInPlace({a->finish(), b->finish(), c->finish(true)}));
  for (const char *name : {"a", "b", "c"})
    EXPECT_EQ(get(name), "new");
  EXPECT_EQ(::access(path("a").c_str(), X_OK) == 0, false);
  EXPECT_EQ(::access(path("c").c_str(), X_OK), 0);
}

TEST_F(OutputFileTest, RefusesWhatIsNotItsOwn) {
  put("foreign", "text");
  put("empty", "");
  put("header", "/* Written by tenon-compile 0.1.0 for cpu */");
  put("input", "in");
  fs::create_hard_link(path("input"), path("name"));
  auto check = [&](const std::string &name, bool isCompanion, bool force) {
    return checkOutputs({{"-o", path(name), isCompanion}}, {path("input")},
                        force)
        .error();
  };
  EXPECT_EQ(check("foreign", false, false), "");
  EXPECT_EQ(check("foreign", true, true), "");
  EXPECT_EQ(check("foreign", true, false),
            "-o: '" + path("foreign") +
                "' exists and was not written by Tenon; expected another name, "
                "or --force to replace it");
  for (const char *name : {"empty", "header", "new"})
    EXPECT_EQ(check(name, true, false), "");
  for (const char *name : {"input", "name"})
    EXPECT_EQ(check(name, false, true), "-o: '" + path(name) +
                                            "' would replace the input '" +
                                            path("input") + "'");
  EXPECT_EQ(check("none/new", false, true), "can't write '" + path("none/new") +
                                                "': No such file or directory");
  EXPECT_EQ(
      checkOutputs({{"-o", path("x")}, {"--log", folder + "/./x"}}, {}, true)
          .error(),
      "--log: '" + folder + "/./x' is also the output of -o");
}

/// Runs something in a process of its own, which has not looked for what others
/// left yet.
template <typename F> static bool inChild(F body) {
  pid_t child = ::fork();
  if (child == 0)
    ::_exit(body() ? 0 : 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(OutputFileTest, RemovesWhatKilledProcessesLeft) {
  fs::create_directory(path(".tenon-tmp-00000000-1-1-0"));
  fs::create_directory(path(".tenon-tmp-other"));
  for (int signal : {SIGKILL, SIGTERM}) {
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    pid_t child = ::fork();
    if (child == 0) {
      auto made = TemporaryFolder::create(folder);
      std::ofstream(made->getFile("file")) << "text";
      static_cast<void>(!::write(ready[1], "x", 1));
      for (;;)
        ::pause();
    }
    char byte;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    EXPECT_EQ(list().size(), 3u);
    // It lives: its folder stays.
    EXPECT_TRUE(inChild([&] {
      auto other = TemporaryFolder::create(folder);
      return list().size() == 4;
    }));
    EXPECT_EQ(list().size(), 3u);
    ::kill(child, signal);
    ::waitpid(child, nullptr, 0);
    EXPECT_EQ(list().size(), signal == SIGKILL ? 3u : 2u);
    EXPECT_TRUE(inChild([&] {
      auto other = TemporaryFolder::create(folder);
      return list().size() == 3;
    }));
    EXPECT_EQ(list().size(), 2u);
  }
}
