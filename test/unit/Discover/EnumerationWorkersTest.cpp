//===- EnumerationWorkersTest.cpp - several processes enumerate -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/EnumerationWorkers.h"
#include "SmallTerms.h"

#include <csignal>
#include <fstream>
#include <sys/wait.h>

using namespace tenon::discover;
using namespace tenon::discover::test;

namespace {
/// An enumeration that keeps all graphs as representatives, level by level.
class Levels {
public:
  Levels(std::vector<std::string> names, EnumerationWorkers::Limits limits)
      : graphs(std::move(names)), none(*graphs.terms),
        fingerprints(*graphs.terms, 1), enumerator(*graphs.terms, none, none),
        workers(*graphs.terms, enumerator, fingerprints, limits) {
    keep(graphs.input(0));
  }

  /// The graphs of one level with their hashes, in the order of the visit.
  std::vector<std::pair<uint64_t, std::string>> run(unsigned numOps) {
    std::vector<std::string> bytes;
    std::vector<std::pair<uint64_t, std::string>> found;
    uint64_t last = 0;
    std::string error = workers.enumerate(
        numOps,
        [&](uint64_t hash, llvm::ArrayRef<EnumerationWorkers::Record> same) {
          EXPECT_TRUE(found.empty() || last < hash);
          last = hash;
          for (const EnumerationWorkers::Record &record : same) {
            ValueId value = workers.add(record.graph);
            Fingerprints::Sketch sketch = fingerprints.sketch(value);
            EXPECT_EQ(sketch.hash, hash);
            EXPECT_EQ(record.hasTies,
                      sketch.ties.size() < sketch.inputs.size());
            found.push_back({hash, graphs.terms->str(value)});
            bytes.push_back(record.graph.str());
          }
        },
        advance);
    EXPECT_EQ(error, "");
    llvm::sort(bytes);
    for (const std::string &graph : bytes)
      keep(workers.add(graph));
    return found;
  }
  void keep(ValueId value) {
    enumerator.addRepresentative(value);
    fingerprints.keep(value);
  }

  SmallTerms graphs;
  Equations none;
  Fingerprints fingerprints;
  Enumerator enumerator;
  EnumerationWorkers workers;
  std::function<void(double)> advance = [](double) {};
};
} // namespace

TEST(EnumerationWorkers, AnyNumberFindsWhatOneProcessDoes) {
  std::vector<std::string> names = {"matmul", "sub", "split"};
  Levels one(names, {1}), three(names, {3, 512});
  for (unsigned numOps = 1; numOps <= 3; ++numOps) {
    auto found = one.run(numOps);
    EXPECT_GT(found.size(), numOps);
    EXPECT_EQ(three.run(numOps), found);
  }
  EXPECT_EQ(one.enumerator.generated, three.enumerator.generated);
}

TEST(EnumerationWorkers, FindsWhatTheEnumeratorDoes) {
  Levels levels({"matmul", "relu"}, {2, 100});
  levels.run(1);
  std::set<std::string> found, expected;
  size_t numParts = levels.enumerator.begin(2);
  for (size_t part = 0; part < numParts; ++part)
    levels.enumerator.enumerate(
        part, [&](const Enumerator::Generated &, ValueId value) {
          expected.insert(levels.graphs.terms->str(value));
        });
  for (auto &[hash, text] : levels.run(2))
    EXPECT_TRUE(found.insert(text).second) << text;
  EXPECT_EQ(found, expected);
}

TEST(EnumerationWorkers, AKilledProcessIsAnError) {
  Levels levels({"matmul", "sub", "split"}, {2});
  levels.run(1);
  levels.run(2);
  auto killChildren = [](double) {
    std::ifstream children("/proc/thread-self/children");
    for (pid_t child; children >> child;)
      ::kill(child, SIGKILL);
  };
  std::string error = levels.workers.enumerate(
      3,
      [](uint64_t, llvm::ArrayRef<EnumerationWorkers::Record>) {
        ADD_FAILURE() << "a part of the graphs is visited";
      },
      killChildren);
  EXPECT_EQ(error, "a process that enumerates graphs was ended by signal 9");
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
}

TEST(EnumerationWorkers, ChildrenMayBeIgnored) {
  auto before = std::signal(SIGCHLD, SIG_IGN);
  Levels levels({"sub"}, {2});
  EXPECT_EQ(levels.run(1).size(), 2u);
  std::signal(SIGCHLD, before);
}

TEST(EnumerationWorkers, AFolderThatIsMissingIsAnError) {
  std::string before = std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "";
  ::setenv("TMPDIR", "/nowhere", 1);
  Levels levels({"sub"}, {1});
  std::string error = levels.workers.enumerate(
      1, [](uint64_t, llvm::ArrayRef<EnumerationWorkers::Record>) {},
      [](double) {});
  EXPECT_EQ(error, "can't create a temporary file in '/nowhere': No such file "
                   "or directory");
  before.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1);
}
