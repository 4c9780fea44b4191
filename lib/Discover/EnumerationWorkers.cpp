//===- EnumerationWorkers.cpp - several processes enumerate ---------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Discover/EnumerationWorkers.h"
#include "tenon/Discover/SortedRuns.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace mlir;
using namespace tenon::discover;

//===----------------------------------------------------------------------===//
// Graphs as bytes
//===----------------------------------------------------------------------===//

namespace {
/// Describes graphs by values that were there before the process was forked:
/// operands by their canonical forms, which are representatives, and by the
/// numbers of their inputs.
class Encoder {
public:
  explicit Encoder(Terms &terms) : terms(terms), limit(terms.getNumValues()) {}

  StringRef encode(const Enumerator::Generated &graph, bool hasTies) {
    text.assign(1, hasTies);
    put(text, graph.numOperands);
    for (ValueId operand :
         ArrayRef(graph.operands).take_front(graph.numOperands))
      text += encode(operand);
    put(text, graph.name);
    put(text, graph.choice);
    put(text, graph.result);
    return text;
  }

private:
  /// The order of bytes is that of numbers.
  template <typename T> static void put(std::string &text, T number) {
    char bytes[sizeof(T)];
    llvm::support::endian::write(bytes, number, llvm::endianness::big);
    text.append(bytes, sizeof(T));
  }
  /// Few operands are met millions of times.
  StringRef encode(ValueId operand) {
    auto [known, isNew] = operands.try_emplace(operand);
    if (!isNew)
      return known->second;
    ValueId canonical = *terms.substitute(operand, terms.canonicalize(operand));
    assert(canonical < limit && "operands are representatives");
    std::string bytes;
    put(bytes, canonical);
    SmallVector<ValueId, 8> inputs = terms.listInputs(operand);
    bytes += static_cast<char>(inputs.size());
    for (ValueId input : inputs)
      bytes += static_cast<char>(terms.getNumber(input));
    return operands[operand] = std::move(bytes);
  }

  Terms &terms;
  [[maybe_unused]] size_t limit;
  std::string text;
  llvm::DenseMap<ValueId, std::string> operands;
};

/// Reads what `Encoder` wrote.
class Decoder {
public:
  explicit Decoder(StringRef bytes) : bytes(bytes) {}

  template <typename T> T take() {
    T number =
        llvm::support::endian::read<T, llvm::endianness::big>(bytes.data());
    bytes = bytes.drop_front(sizeof(T));
    return number;
  }
  ValueId takeOperand(Terms &terms) {
    ValueId canonical = take<ValueId>();
    Renaming renaming;
    SmallVector<ValueId, 8> inputs = terms.listInputs(canonical);
    [[maybe_unused]] uint8_t count = take<uint8_t>();
    assert(count == inputs.size() && "a value depends on the same inputs");
    for (ValueId input : inputs)
      renaming.push_back(
          {input, terms.getInput(terms.getKind(input), take<uint8_t>())});
    return *terms.substitute(canonical, renaming);
  }

private:
  StringRef bytes;
};
} // namespace

ValueId EnumerationWorkers::add(StringRef graph) {
  Decoder decoder(graph);
  Enumerator::Generated generated;
  generated.numOperands = decoder.take<uint8_t>();
  for (unsigned number = 0; number < generated.numOperands; ++number)
    generated.operands[number] = decoder.takeOperand(terms);
  generated.name = decoder.take<uint16_t>();
  generated.choice = decoder.take<uint16_t>();
  generated.result = decoder.take<uint8_t>();
  return generated.add(terms);
}

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

/// What processes share, in memory that all of them map.
struct EnumerationWorkers::Shared {
  std::atomic<uint64_t> nextPart{0}, donePart{0};
  std::atomic<uint64_t> generated{0}, rewritten{0}, leftOpen{0};
  std::atomic<uint64_t> finished{0};
  std::atomic<int> error{0};
  static_assert(std::atomic<uint64_t>::is_always_lock_free);
};

/// A forked process and the file that it writes, which has no name.
class EnumerationWorkers::Process {
public:
  Process() = default;
  Process(const Process &) = delete;
  ~Process() {
    if (id > 0)
      ::kill(id, SIGKILL);
    while (id > 0 && ::waitpid(id, nullptr, 0) < 0 && errno == EINTR) {
    }
    if (file >= 0)
      ::close(file);
  }

  std::error_code open() {
    SmallString<128> path;
    if (std::error_code error = llvm::sys::fs::createTemporaryFile(
            "tenon-discover", "runs", file, path))
      return error;
    return llvm::sys::fs::remove(path);
  }
  std::error_code start(llvm::function_ref<int(int file)> run) {
    pid_t parent = ::getpid();
    id = ::fork();
    if (id == 0) {
      // A process whose parent is killed ends, too.
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::_exit(::getppid() == parent ? run(file) : 1);
    }
    return id < 0 ? std::error_code(errno, std::generic_category())
                  : std::error_code();
  }
  /// How a running process ended, if it did.
  std::optional<int> poll() {
    int status = 0;
    pid_t ended = ::waitpid(id, &status, WNOHANG);
    // If children are not waited for (SIGCHLD is ignored), nothing tells how.
    bool isGone = ended < 0 && errno == ECHILD;
    if (ended <= 0 && !isGone)
      return std::nullopt;
    id = -1;
    return isGone ? 0 : status;
  }
  bool isRunning() const { return id > 0; }
  int getFile() const { return file; }

private:
  int file = -1;
  pid_t id = -1;
};

EnumerationWorkers::EnumerationWorkers(Terms &terms, Enumerator &enumerator,
                                       Fingerprints &fingerprints,
                                       Limits limits)
    : terms(terms), enumerator(enumerator), fingerprints(fingerprints),
      limits(limits) {
  if (this->limits.processes == 0)
    this->limits.processes = std::max(std::thread::hardware_concurrency(), 1u);
}

/// Waits a millisecond at first, and a tenth of a second in the end.
static void wait(std::chrono::milliseconds &time) {
  std::this_thread::sleep_for(time);
  time = std::min(time * 2, std::chrono::milliseconds(100));
}

std::string
EnumerationWorkers::enumerate(unsigned numOps, Visit visit,
                              llvm::function_ref<void(double)> advance) {
  void *memory = ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return "can't share memory: " + llvm::sys::StrError();
  llvm::scope_exit unmap([&] { ::munmap(memory, sizeof(Shared)); });
  Shared &shared = *new (memory) Shared();
  uint64_t numParts = enumerator.begin(numOps);

  auto run = [&](int file) {
    RunWriter writer(file, limits.bytes);
    Encoder encoder(terms);
    std::error_code error;
    for (uint64_t part; !error && (part = shared.nextPart++) < numParts;) {
      enumerator.generated = enumerator.rewritten = enumerator.leftOpen = 0;
      enumerator.enumerate(
          part, [&](const Enumerator::Generated &graph, ValueId value) {
            Fingerprints::Sketch sketch = fingerprints.sketch(value);
            bool hasTies = sketch.ties.size() < sketch.inputs.size();
            if (!error)
              error = writer.add({sketch.hash, encoder.encode(graph, hasTies)});
          });
      shared.generated += enumerator.generated;
      shared.rewritten += enumerator.rewritten;
      shared.leftOpen += enumerator.leftOpen;
      ++shared.donePart;
    }
    if (!error)
      error = writer.finish();
    if (error)
      shared.error = error.value();
    ++shared.finished;
    return 0;
  };

  // The threads of the context would be missing in the processes.
  MLIRContext *context = terms.getContext();
  bool hasThreads = context->isMultithreadingEnabled();
  context->disableMultithreading();
  llvm::scope_exit restore(
      [&] { context->disableMultithreading(!hasThreads); });

  std::vector<Process> processes(std::clamp<uint64_t>(
      limits.processes, 1, std::max<uint64_t>(numParts, 1)));
  for (Process &process : processes) {
    std::error_code error = process.open();
    if (error) {
      SmallString<128> folder;
      llvm::sys::path::system_temp_directory(/*erasedOnReboot=*/true, folder);
      return ("can't create a temporary file in '" + folder +
              "': " + error.message())
          .str();
    }
    if ((error = process.start(run)))
      return "can't start a process: " + error.message();
  }
  const uint64_t generated = enumerator.generated,
                 rewritten = enumerator.rewritten,
                 leftOpen = enumerator.leftOpen;
  auto count = [&] {
    enumerator.generated = generated + shared.generated;
    enumerator.rewritten = rewritten + shared.rewritten;
    enumerator.leftOpen = leftOpen + shared.leftOpen;
    if (numParts > 0)
      advance(static_cast<double>(shared.donePart) / numParts);
  };
  std::chrono::milliseconds time(1);
  while (llvm::any_of(processes, [](auto &each) { return each.isRunning(); })) {
    count();
    wait(time);
    for (Process &process : processes) {
      std::optional<int> status;
      if (process.isRunning())
        status = process.poll();
      if (status.value_or(0) != 0)
        return "a process that enumerates graphs was ended" +
               (WIFSIGNALED(*status)
                    ? " by signal " + std::to_string(WTERMSIG(*status))
                    : std::string());
    }
  }
  count();
  if (int error = shared.error)
    return "can't write temporary files of what is enumerated: " +
           llvm::sys::StrError(error);
  if (shared.finished != processes.size())
    return "a process that enumerates graphs was ended";

  RunReader reader;
  for (Process &process : processes)
    if (std::error_code error = reader.add(process.getFile()))
      return "can't read temporary files of what is enumerated: " +
             error.message();
  SmallVector<Record> same;
  std::optional<RunRecord> record = reader.next();
  while (record) {
    uint64_t hash = record->key;
    same.clear();
    for (; record && record->key == hash; record = reader.next())
      same.push_back({record->bytes.front() != 0, record->bytes.drop_front()});
    visit(hash, same);
  }
  return "";
}
