//===- LocalTransportTest.cpp - messages between threads ------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipeline/Transport.h"

#include "gtest/gtest.h"

#include <array>
#include <thread>

using namespace tenon::runtime;

TEST(LocalTransport, MessagesOfATagKeepTheirOrder) {
  LocalTransports transports(2);
  Transport &a = transports.get(0), &b = transports.get(1);
  int sent[] = {1, 2, 3}, got[] = {0, 0, 0};
  auto first = a.send(1, 7, &sent[0], sizeof(int));
  auto other = a.send(1, 8, &sent[2], sizeof(int));
  auto second = a.send(1, 7, &sent[1], sizeof(int));
  ASSERT_TRUE(first && second && other);
  EXPECT_FALSE(*a.test(*first)); // no one receives it yet
  ASSERT_TRUE(b.receive(0, 8, &got[2], sizeof(int)));
  ASSERT_TRUE(b.receive(0, 7, &got[0], sizeof(int)));
  EXPECT_TRUE(*a.test(*first));
  EXPECT_FALSE(*a.test(*second));
  auto last = b.receive(0, 7, &got[1], sizeof(int));
  ASSERT_TRUE(last);
  EXPECT_TRUE(b.wait(*last));
  EXPECT_TRUE(a.wait(*second));
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(got[i], sent[i]);
}

TEST(LocalTransport, SizesMustAgree) {
  LocalTransports transports(2);
  int value = 1, got[2];
  auto send = transports.get(0).send(1, 0, &value, sizeof value);
  auto receive = transports.get(1).receive(0, 0, got, sizeof got);
  ASSERT_TRUE(send && receive);
  auto status = transports.get(1).wait(*receive);
  EXPECT_EQ(status.error(), "rank 0 sent 4 bytes, but rank 1 receives 8");
  EXPECT_FALSE(transports.get(0).wait(*send));
}

TEST(LocalTransport, WaitingRanksHearWhoGaveUp) {
  LocalTransports transports(3);
  int value;
  auto receive = transports.get(1).receive(0, 0, &value, sizeof value);
  ASSERT_TRUE(receive);
  std::thread waiting([&] {
    EXPECT_EQ(transports.get(1).wait(*receive).error(),
              "rank 2 gave up: no memory");
  });
  transports.get(2).giveUp("no memory");
  waiting.join();
  EXPECT_FALSE(transports.get(0).send(1, 0, &value, sizeof value));
  transports.reset();
  EXPECT_TRUE(transports.get(0).send(1, 0, &value, sizeof value));
}

TEST(LocalTransport, TheWatchdogNamesWhoIsWaitedFor) {
  LocalTransports transports(2);
  transports.get(0).setWatchdog(std::chrono::seconds(1));
  int value;
  auto receive = transports.get(0).receive(1, 0, &value, sizeof value);
  ASSERT_TRUE(receive);
  EXPECT_EQ(transports.get(0).wait(*receive).error(),
            "waited for rank 1 for 1 s");
}

TEST(LocalTransport, RanksOutsideAreRefused) {
  LocalTransports transports(2);
  int value;
  EXPECT_EQ(transports.get(0).send(2, 0, &value, 4).error(),
            "there is no rank 2 among 2");
  EXPECT_FALSE(transports.get(0).receive(-1, 0, &value, 4));
}
