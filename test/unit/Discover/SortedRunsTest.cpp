//===- SortedRunsTest.cpp - more records than memory holds, in order ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/SortedRuns.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <fcntl.h>
#include <random>
#include <unistd.h>

using namespace tenon::discover;

namespace {
class SortedRuns : public ::testing::Test {
protected:
  SortedRuns() {
    for (std::FILE *&file : files)
      file = std::tmpfile();
  }
  ~SortedRuns() override {
    for (std::FILE *file : files)
      std::fclose(file);
  }
  int getFile(unsigned number) const { return ::fileno(files[number]); }

  std::FILE *files[2];
};
} // namespace

TEST_F(SortedRuns, RecordsOfAllRunsComeInOrder) {
  std::mt19937 random(1);
  std::vector<std::pair<uint64_t, std::string>> all;
  for (unsigned number = 0; number < 2; ++number) {
    // A run has a hundred records, or less.
    RunWriter writer(getFile(number), 4000);
    for (unsigned n = 0; n < 1000; ++n) {
      uint64_t key = random() % 300;
      std::string bytes(random() % 20, static_cast<char>(random() % 256));
      ASSERT_FALSE(writer.add({key, bytes}));
      all.push_back({key, bytes});
    }
    ASSERT_FALSE(writer.finish());
  }
  std::sort(all.begin(), all.end());
  RunReader reader;
  for (unsigned number = 0; number < 2; ++number)
    ASSERT_FALSE(reader.add(getFile(number)));
  for (const auto &[key, bytes] : all) {
    std::optional<RunRecord> record = reader.next();
    ASSERT_TRUE(record);
    EXPECT_EQ(record->key, key);
    EXPECT_EQ(record->bytes, bytes);
  }
  EXPECT_FALSE(reader.next());
}

TEST_F(SortedRuns, NothingIsARecord) {
  RunWriter writer(getFile(0), 100);
  ASSERT_FALSE(writer.finish());
  RunReader reader;
  ASSERT_FALSE(reader.add(getFile(0)));
  EXPECT_FALSE(reader.next());
}

TEST_F(SortedRuns, TruncatedFilesAreErrors) {
  RunWriter writer(getFile(0), 1000);
  ASSERT_FALSE(writer.add({1, "one"}));
  ASSERT_FALSE(writer.finish());
  off_t size = ::lseek(getFile(0), 0, SEEK_END);
  for (off_t kept = size - 1; kept > 0; --kept) {
    ASSERT_EQ(::ftruncate(getFile(0), kept), 0);
    RunReader reader;
    EXPECT_TRUE(reader.add(getFile(0))) << kept;
  }
}

TEST(SortedRunsOnDisk, FullDisksAreErrors) {
  int full = ::open("/dev/full", O_WRONLY);
  if (full < 0)
    GTEST_SKIP() << "there is no /dev/full";
  RunWriter writer(full, 10);
  EXPECT_TRUE(writer.add({1, "more than ten bytes"}));
  ::close(full);
}
