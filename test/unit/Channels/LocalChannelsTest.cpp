//===- LocalChannelsTest.cpp - messages between threads -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Runtime/Channels.h"

#include "gtest/gtest.h"

#include <thread>

using namespace tenon::artifact;
using namespace tenon::runtime;

static Channels::Message message(std::initializer_list<int> bytes) {
  return Channels::Message(bytes.begin(), bytes.end());
}

TEST(LocalChannels, KeepsTheOrderOfATag) {
  auto ends = openLocalChannels(2);
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_EQ(ends[1]->getRank(), 1);
  EXPECT_EQ(ends[1]->getSize(), 2);
  ASSERT_TRUE(ends[0]->send(1, 7, message({1})).ok());
  ASSERT_TRUE(ends[0]->send(1, 8, message({})).ok());
  ASSERT_TRUE(ends[0]->send(1, 7, message({2, 3})).ok());
  // Another tag may be taken first, and empty messages arrive.
  EXPECT_EQ(*ends[1]->receive(0, 8), message({}));
  EXPECT_EQ(*ends[1]->receive(0, 7), message({1}));
  EXPECT_EQ(*ends[1]->receive(0, 7), message({2, 3}));
  EXPECT_TRUE(ends[0]->finish().ok());
}

TEST(LocalChannels, WaitsForTheSender) {
  auto ends = openLocalChannels(2);
  std::thread sender([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    (void)ends[0]->send(1, 0, message({5}));
  });
  EXPECT_EQ(*ends[1]->receive(0, 0), message({5}));
  sender.join();
}

TEST(LocalChannels, NamesTheRankThatGaveUp) {
  auto ends = openLocalChannels(3);
  std::thread lost([&] { ends[2]->giveUp("no weights"); });
  Expected<Channels::Message> received = ends[0]->receive(1, 0);
  lost.join();
  ASSERT_FALSE(received.ok());
  EXPECT_EQ(received.error(), "rank 2 gave up: no weights");
  // Messages that were sent before may still be read; the first reason is kept.
  (void)ends[1]->send(0, 4, message({9}));
  ends[1]->giveUp("later");
  EXPECT_EQ(*ends[0]->receive(1, 4), message({9}));
  EXPECT_EQ(ends[0]->receive(1, 4).error(), "rank 2 gave up: no weights");
}

TEST(LocalChannels, RefusesRanksThatAreNotThere) {
  auto ends = openLocalChannels(2);
  EXPECT_EQ(ends[0]->send(2, 0, message({1})).error(),
            "there is no rank 2 among 2");
  EXPECT_EQ(ends[0]->receive(-1, 0).error(), "there is no rank -1 among 2");
}
