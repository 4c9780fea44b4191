//===- FakeRanks.h - threads with a device each, for tests ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_TEST_UNIT_RUNTIME_FAKERANKS_H
#define TENON_TEST_UNIT_RUNTIME_FAKERANKS_H

#include "FakeCuda.h"

#include <gtest/gtest.h>

#include <climits>
#include <cstdlib>
#include <dlfcn.h>
#include <functional>
#include <string>
#include <thread>
#include <vector>

/// A function of a library by its name.
template <typename R> class Call {
public:
  Call(void *library, const char *name) : address(::dlsym(library, name)) {
    if (!address)
      std::abort();
  }
  template <typename... T> R operator()(T... arguments) const {
    return reinterpret_cast<R (*)(T...)>(address)(arguments...);
  }

private:
  void *address;
};

struct NcclId {
  char internal[128];
};
struct NcclConfig {
  size_t size = sizeof(NcclConfig);
  unsigned magic = 0xcafebeef, version = 21803;
  int blocking = INT_MIN, cgaClusterSize = INT_MIN, minCtas = INT_MIN,
      maxCtas = INT_MIN;
  const char *netName = nullptr;
  int splitShare = INT_MIN;
};
enum { NcclFloat = 7, NcclDouble = 8 };
enum { NcclSum = 0, NcclAverage = 4 };
enum {
  NcclInternalError = 3,
  NcclInvalidArgument = 4,
  NcclInvalidUsage = 5,
  NcclRemoteError = 6,
  NcclInProgress = 7
};

/// The fake libraries, with so many devices.
class FakeRanks : public testing::Test {
protected:
  FakeRanks() {
    std::string path = std::string(TENON_FIXTURES) + "/libtenon_fake_cuda.so";
    ::setenv("TENON_CUDA_DRIVER", path.c_str(), 1);
    driver = open(path);
    nccl = open(std::string(TENON_FIXTURES) + "/libtenon_fake_nccl.so");
    fake = Call<FakeCuda *>(driver, "tenon_fake_cuda")();
    *fake = FakeCuda();
    fake->devices = 4;
    EXPECT_EQ(Call<int>(nccl, "ncclGetUniqueId")(&id), 0);
  }
  ~FakeRanks() override {
    EXPECT_EQ(fake->alive(), 0) << "something was not given back";
    for (const char *name : {"VERSION", "FAIL_INIT", "FAIL_GROUP", "HANG"})
      ::unsetenv((std::string("TENON_FAKE_NCCL_") + name).c_str());
    ::dlclose(nccl);
    ::dlclose(driver);
  }

  static void *open(const std::string &path) {
    void *library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
      std::abort();
    return library;
  }

  /// A thread's device, with a stream of its own.
  class Rank {
  public:
    Rank(FakeRanks &test, int rank, int device)
        : test(test), rank(rank), device(device) {
      void *context;
      EXPECT_EQ(cuda("cuDevicePrimaryCtxRetain", &context, device), 0);
      EXPECT_EQ(cuda("cuCtxPushCurrent_v2", context), 0);
      EXPECT_EQ(cuda("cuStreamCreate", &stream, 1u), 0);
    }
    ~Rank() {
      if (comm)
        EXPECT_EQ(nccl("ncclCommDestroy", comm), 0) << lastError();
      cuda("cuStreamDestroy_v2", stream);
      for (uint64_t address : memory)
        cuda("cuMemFree_v2", address);
      void *context;
      cuda("cuCtxPopCurrent_v2", &context);
      cuda("cuDevicePrimaryCtxRelease_v2", device);
    }

    template <typename... T> int cuda(const char *name, T... arguments) {
      return Call<int>(test.driver, name)(arguments...);
    }
    template <typename... T> int nccl(const char *name, T... arguments) {
      return Call<int>(test.nccl, name)(arguments...);
    }
    std::string lastError() {
      return Call<const char *>(test.nccl, "ncclGetLastError")(comm);
    }

    int init(int size, const NcclConfig *config = nullptr) {
      return nccl("ncclCommInitRankConfig", &comm, size, test.id, rank, config);
    }
    int initWithoutBlocking(int size) {
      NcclConfig config;
      config.blocking = 0;
      EXPECT_EQ(init(size, &config), NcclInProgress);
      return settle(comm);
    }
    int state(void *of) {
      int state = -1;
      EXPECT_EQ(nccl("ncclCommGetAsyncError", of, &state), 0);
      return state;
    }
    int settle(void *of) {
      int result;
      while ((result = state(of)) == NcclInProgress)
        std::this_thread::yield();
      return result;
    }
    int send(uint64_t from, size_t count, int peer) {
      return nccl("ncclSend", from, count, NcclFloat, peer, comm, stream);
    }
    int receive(uint64_t to, size_t count, int peer) {
      return nccl("ncclRecv", to, count, NcclFloat, peer, comm, stream);
    }
    int reduce(uint64_t from, uint64_t to, size_t count, int op = NcclSum) {
      return nccl("ncclAllReduce", from, to, count, NcclFloat, op, comm,
                  stream);
    }
    int synchronize() { return cuda("cuStreamSynchronize", stream); }

    uint64_t allocate(const std::vector<float> &values) {
      uint64_t address = 0;
      EXPECT_EQ(cuda("cuMemAlloc_v2", &address, 4 * values.size()), 0);
      std::copy(values.begin(), values.end(), at(address));
      memory.push_back(address);
      return address;
    }
    static float *at(uint64_t address) {
      return reinterpret_cast<float *>(address);
    }

    FakeRanks &test;
    int rank, device;
    void *stream = nullptr, *comm = nullptr;
    std::vector<uint64_t> memory;
  };

  /// Runs a thread for each rank, which is on the device of its number.
  void onRanks(int size, const std::function<void(Rank &)> &body) {
    std::vector<std::thread> threads;
    for (int i = 0; i < size; ++i)
      threads.emplace_back([&, i] {
        Rank rank(*this, i, i);
        body(rank);
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  /// The same, on one communicator.
  void onComm(int size, const std::function<void(Rank &)> &body) {
    onRanks(size, [&](Rank &rank) {
      ASSERT_EQ(rank.init(size), 0) << rank.lastError();
      body(rank);
    });
  }

  void *driver, *nccl;
  FakeCuda *fake;
  NcclId id;
};

#endif // TENON_TEST_UNIT_RUNTIME_FAKERANKS_H
