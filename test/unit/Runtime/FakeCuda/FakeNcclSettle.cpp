//===- FakeNcclSettle.cpp - calls that wait for all ranks -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every rank writes a file of its own for every such call, and waits for those
// of the others.
//
//===----------------------------------------------------------------------===//

#include "FakeNccl.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace fake_nccl;

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

void fake_nccl::writeFile(const std::string &path, const std::string &content) {
  std::string temporary = path + ".part";
  std::ofstream(temporary, std::ios::binary) << content;
  ::rename(temporary.c_str(), path.c_str());
}
std::optional<std::string> fake_nccl::readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}
bool fake_nccl::exists(const std::string &path) {
  return ::access(path.c_str(), F_OK) == 0;
}

static std::string fileOf(const char *call, int rank) {
  return std::string(call) + "." + std::to_string(rank);
}

/// What all ranks wrote; nullopt: some have not yet.
static std::optional<std::vector<std::string>> gather(const Comm &comm,
                                                      const char *call) {
  std::vector<std::string> all;
  for (int rank = 0; rank < comm.size; ++rank) {
    auto content = readFile(comm.path(fileOf(call, rank)));
    if (!content)
      return std::nullopt;
    all.push_back(std::move(*content));
  }
  return all;
}

static void post(const Comm &comm, const char *call,
                 const std::vector<int> &values) {
  std::ostringstream text;
  for (int value : values)
    text << value << " ";
  writeFile(comm.path(fileOf(call, comm.rank)), text.str());
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

void fake_nccl::postInit(const Comm &comm) {
  ::mkdir(comm.folder().c_str(), 0700);
  post(comm, "init", {comm.size, comm.device});
}

Result fake_nccl::settleInit(Comm &comm) {
  if (int result = getSetting("FAIL_INIT", 0))
    return comm.fail(Result(result), "init fails, as the test says");
  auto all = gather(comm, "init");
  if (!all)
    return InProgress;
  std::map<int, int> rankOf; // by device
  for (int rank = 0; rank < comm.size; ++rank) {
    std::istringstream text((*all)[rank]);
    int size, device;
    text >> size >> device;
    if (size != comm.size)
      return comm.fail(InvalidArgument,
                       "ranks disagree about how many they are");
    auto [other, isNew] = rankOf.try_emplace(device, rank);
    if (!isNew && getVersion() < 23003)
      return comm.fail(InvalidUsage,
                       "Duplicate GPU detected : rank " + std::to_string(rank) +
                           " and rank " + std::to_string(other->second) +
                           " both on CUDA device " + std::to_string(device));
  }
  return Success;
}

static std::string splitCall(long number) {
  return "split" + std::to_string(number);
}

void fake_nccl::postSplit(const Comm &comm, long number, int color, int key) {
  post(comm, splitCall(number).c_str(), {color, key});
}

Result fake_nccl::settleSplit(Comm &comm, long number, bool isBlocking,
                              Comm **result) {
  auto all = gather(comm, splitCall(number).c_str());
  if (!all)
    return InProgress;
  auto parse = [&](int rank) {
    std::istringstream text((*all)[rank]);
    int color, key;
    text >> color >> key;
    return std::pair(color, key);
  };
  int color = parse(comm.rank).first;
  if (color < 0)
    return Success;
  std::vector<std::pair<int, int>> members; // key, rank
  for (int rank = 0; rank < comm.size; ++rank)
    if (parse(rank).first == color)
      members.push_back({parse(rank).second, rank});
  std::sort(members.begin(), members.end());
  auto made = std::make_shared<Comm>();
  made->root = comm.root;
  made->name =
      comm.name + "." + std::to_string(number) + "." + std::to_string(color);
  for (size_t i = 0; i < members.size(); ++i)
    if (members[i].second == comm.rank)
      made->rank = static_cast<int>(i);
  made->size = static_cast<int>(members.size());
  made->device = comm.device;
  made->isBlocking = isBlocking;
  ::mkdir(made->folder().c_str(), 0700);
  comms[made.get()] = made;
  *result = made.get();
  return Success;
}

Result fake_nccl::settleFinalize(Comm &comm) {
  if (comm.inFlight)
    return InProgress;
  if (!exists(comm.path(fileOf("final", comm.rank))))
    post(comm, "final", {});
  return gather(comm, "final") ? Success : InProgress;
}

void fake_nccl::leave(const Comm &comm) {
  post(comm, "gone", {});
  if (!gather(comm, "gone"))
    return;
  std::error_code ignored;
  std::filesystem::remove_all(comm.folder(), ignored);
  // Fails while there are other communicators.
  ::rmdir(comm.root.c_str());
}
