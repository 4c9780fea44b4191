//===- TemporaryFolder.cpp - temporary folders that are always removed ----===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/TemporaryFolder.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <tuple>
#include <ucontext.h>
#include <unistd.h>
#include <vector>

namespace tenon::artifact {

static constexpr char prefix[] = ".tenon-tmp-";

//===----------------------------------------------------------------------===//
// Removing
//===----------------------------------------------------------------------===//

namespace {
/// An entry in the format of the system call getdents64.
struct Entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[1];
};
} // namespace

/// Removes a folder and its contents without following links. Uses only system
/// calls, because it runs in signal handlers.
static void removeTree(int parent, const char *name, int depth = 0) {
  int folder =
      ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0)
    return;
  alignas(Entry) char buffer[2048];
  for (;;) {
    long bytes = ::syscall(SYS_getdents64, folder, buffer, sizeof buffer);
    if (bytes <= 0)
      break;
    for (long at = 0; at < bytes;) {
      auto *entry = reinterpret_cast<Entry *>(buffer + at);
      at += entry->length;
      const char *child = entry->name;
      if (std::strcmp(child, ".") == 0 || std::strcmp(child, "..") == 0)
        continue;
      if (::unlinkat(folder, child, 0) != 0 && errno == EISDIR && depth < 16)
        removeTree(folder, child, depth + 1);
    }
  }
  ::close(folder);
  ::unlinkat(parent, name, AT_REMOVEDIR);
}

//===----------------------------------------------------------------------===//
// Ends of the program
//===----------------------------------------------------------------------===//

namespace {
/// A folder that currently exists, in static memory that a signal handler can
/// read.
struct Slot {
  std::atomic<bool> used;
  pid_t process;
  int parent;
  char name[96];
};
} // namespace

static constexpr int numSlots = 256;
static Slot slots[numSlots];
static std::mutex slotsMutex;
static std::atomic<int> delays;
static std::atomic<int> delayed;
static const char *toolName;

static constexpr int endingSignals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
                                        SIGXCPU, SIGPIPE, SIGALRM, SIGABRT,
                                        SIGSEGV, SIGBUS,  SIGFPE,  SIGILL};
static struct sigaction before[65];
/// Signals that the caller ignored (nohup, background jobs) stay ignored, even
/// if a library has set a handler meanwhile.
static bool ignored[65];

static void noteIgnored() {
  for (int signal : endingSignals) {
    struct sigaction action;
    ::sigaction(signal, nullptr, &action);
    ignored[signal] |= action.sa_handler == SIG_IGN;
  }
}

static void removeAll() {
  // A forked child inherits the parent's list.
  for (Slot &slot : slots)
    if (slot.used.load() && slot.process == ::getpid())
      removeTree(slot.parent, slot.name);
}

static void write2(const char *text) {
  ssize_t written = ::write(STDERR_FILENO, text, std::strlen(text));
  static_cast<void>(written);
}

static bool isFault(int signal) {
  return signal == SIGABRT || signal == SIGSEGV || signal == SIGBUS ||
         signal == SIGFPE || signal == SIGILL;
}

static std::atomic<int> inputScopes{0};

InputScope::InputScope() { ++inputScopes; }

InputScope::~InputScope() { --inputScopes; }

/// Returns whether a fault is at the address where the thread's stack would
/// grow.
static bool isStackOverflow(const siginfo_t *info, const void *context) {
  const auto &machine = static_cast<const ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
  auto top = static_cast<uint64_t>(machine.gregs[REG_RSP]);
#elif defined(__aarch64__)
  uint64_t top = machine.sp;
#else
  static_cast<void>(machine);
  return false;
#endif
  constexpr uint64_t mostFrame = uint64_t(1) << 20;
  auto address = reinterpret_cast<uint64_t>(info->si_addr);
  return address + mostFrame > top && address < top + mostFrame;
}

static void onSignal(int signal, siginfo_t *info, void *context) {
  int error = errno;
  if (!isFault(signal) && delays.load() > 0) {
    delayed.store(signal);
    errno = error;
    return;
  }
  removeAll();
  if (signal == SIGBUS && info->si_code == BUS_ADRERR && toolName) {
    write2(toolName);
    write2(": error: a file was truncated while it was read\n");
    ::_exit(1);
  }
  if (signal == SIGSEGV && toolName && inputScopes > 0 &&
      isStackOverflow(info, context)) {
    write2(toolName);
    write2(": error: an input is nested too deeply for the stack\n");
    ::_exit(1);
  }
  // The previous handler may print the stack, and wait forever for a lock that
  // the faulting thread holds.
  if (isFault(signal)) {
    ::signal(SIGALRM, SIG_DFL);
    sigset_t alarms;
    ::sigemptyset(&alarms);
    ::sigaddset(&alarms, SIGALRM);
    ::sigprocmask(SIG_UNBLOCK, &alarms, nullptr);
    ::alarm(10);
  }
  // LLVM treats these as crashes of the program, too, and would print its
  // stack.
  if (signal == SIGQUIT || signal == SIGXCPU)
    ::signal(signal, SIG_DFL);
  else
    ::sigaction(signal, &before[signal], nullptr);
  // The signal is delivered to the previous handler when this handler returns.
  ::raise(signal);
  errno = error;
}

static void installHandlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    std::atexit(removeAll);
    noteIgnored();
    for (int signal : endingSignals) {
      ::sigaction(signal, nullptr, &before[signal]);
      struct sigaction action = {};
      if (ignored[signal]) {
        action.sa_handler = SIG_IGN;
        ::sigaction(signal, &action, nullptr);
        continue;
      }
      action.sa_sigaction = onSignal;
      action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
      ::sigfillset(&action.sa_mask);
      ::sigaction(signal, &action, nullptr);
    }
  });
}

SignalDelay::SignalDelay() { ++delays; }

SignalDelay::~SignalDelay() {
  if (--delays == 0)
    if (int signal = delayed.exchange(0))
      ::raise(signal);
}

void prepareStreams() {
  noteIgnored();
  // A mask that removes the owner's rights would make our own temporary files
  // inaccessible.
  mode_t mask = ::umask(077);
  ::umask(mask & 077);
  for (int stream : {0, 1, 2})
    if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) {
      // open returns the lowest free descriptor, which is this stream; reading
      // or writing it then fails.
      int opened = ::open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
      static_cast<void>(opened);
    }
}

void prepareSignals(const char *tool) {
  std::signal(SIGXFSZ, SIG_IGN);
  toolName = tool;
  installHandlers();
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

bool isTemporary(const std::string &path) {
  return path.find(concat("/", prefix)) != std::string::npos;
}

/// Returns when a process started, in kernel ticks since boot; 0: unknown.
static unsigned long long getStartTime(long process) {
  char name[64];
  std::snprintf(name, sizeof name, "/proc/%ld/stat", process);
  int file = ::open(name, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return 0;
  char text[1024];
  ssize_t length = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (length <= 0)
    return 0;
  text[length] = '\0';
  // The program's name, in parentheses, may contain any character.
  const char *rest = std::strrchr(text, ')');
  for (int field = 2; rest && field < 22; ++field)
    rest = std::strchr(rest + 1, ' ');
  return rest ? std::strtoull(rest, nullptr, 10) : 0;
}

/// Hashes the machine and its PID namespace, in which process IDs are unique.
static uint32_t getHostHash() {
  utsname host = {};
  ::uname(&host);
  char space[64] = "";
  ssize_t length = ::readlink("/proc/self/ns/pid", space, sizeof space - 1);
  uint32_t hash = 2166136261u;
  auto add = [&](const char *text, size_t size) {
    for (size_t i = 0; i < size; ++i)
      hash = (hash ^ static_cast<unsigned char>(text[i])) * 16777619u;
  };
  add(host.nodename, std::strlen(host.nodename));
  add(space, length > 0 ? static_cast<size_t>(length) : 0);
  return hash;
}

static std::string getHost() {
  char text[16];
  std::snprintf(text, sizeof text, "%08x", getHostHash());
  return text;
}

/// Returns whether the folder of this name was left by a process that has
/// ended.
static bool isAbandoned(const char *name) {
  std::string start = prefix + getHost() + "-";
  if (std::strncmp(name, start.c_str(), start.size()) != 0)
    return false;
  const char *rest = name + start.size();
  auto number = [&](char end, unsigned long long &out) {
    char *after = nullptr;
    errno = 0;
    if (*rest < '0' || *rest > '9')
      return false;
    out = std::strtoull(rest, &after, 10);
    if (errno != 0 || *after != end)
      return false;
    rest = after + (end != '\0');
    return true;
  };
  unsigned long long process, started, count;
  if (!number('-', process) || !number('-', started) || !number('\0', count) ||
      process == 0 || process > 0x7fffffff)
    return false;
  if (::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH)
    return true;
  // The process ID may have been reused meanwhile.
  unsigned long long now = getStartTime(static_cast<long>(process));
  return now != 0 && now != started;
}

/// Runs once per folder and process.
static void removeAbandoned(int parent) {
  // The inode alone is not enough, because a new folder may reuse that of a
  // removed one.
  static std::set<std::tuple<uint64_t, uint64_t, int64_t, uint32_t>> seen;
  struct statx parentStatus = {};
  if (::statx(parent, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME,
              &parentStatus) != 0 ||
      !seen.emplace(uint64_t(parentStatus.stx_dev_major) << 32 |
                        parentStatus.stx_dev_minor,
                    parentStatus.stx_ino, parentStatus.stx_btime.tv_sec,
                    parentStatus.stx_btime.tv_nsec)
           .second)
    return;
  int listed = ::openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *folder = listed < 0 ? nullptr : ::fdopendir(listed);
  if (!folder) {
    if (listed >= 0)
      ::close(listed);
    return;
  }
  std::vector<std::string> names;
  while (const dirent *entry = ::readdir(folder))
    if (isAbandoned(entry->d_name))
      names.push_back(entry->d_name);
  ::closedir(folder);
  struct stat status;
  for (const std::string &name : names)
    if (::fstatat(parent, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISDIR(status.st_mode) && status.st_uid == ::geteuid())
      removeTree(parent, name.c_str());
}

//===----------------------------------------------------------------------===//
// TemporaryFolder
//===----------------------------------------------------------------------===//

Expected<TemporaryFolder> TemporaryFolder::create(const std::string &given) {
  std::string parent = given.empty() ? "." : given;
  // Programs would take such names for an option or a list of arguments.
  if (parent[0] == '-' || parent[0] == '@')
    parent = "./" + parent;
  auto fail = [&] { return makeError(std::strerror(errno)); };
  int folder = ::open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return fail();
  installHandlers();
  std::lock_guard<std::mutex> lock(slotsMutex);
  removeAbandoned(folder);
  static unsigned count = 0;
  std::string name =
      concat(prefix, getHost(), "-", static_cast<int64_t>(::getpid()), "-",
             static_cast<uint64_t>(getStartTime(::getpid())), "-", count++);
  Slot *slot = std::find_if(std::begin(slots), std::end(slots),
                            [](const Slot &slot) { return !slot.used.load(); });
  bool isListed = slot != std::end(slots) && name.size() < sizeof slot->name;
  if (isListed) {
    slot->process = ::getpid();
    slot->parent = folder;
    std::strcpy(slot->name, name.c_str());
    slot->used.store(true); // before mkdir, so that no signal misses it
  }
  if (::mkdirat(folder, name.c_str(), 0700) != 0) {
    Error error = fail();
    if (isListed)
      slot->used.store(false);
    ::close(folder);
    return error;
  }
  if (!isListed)
    ::close(folder);
  return TemporaryFolder(
      (given.empty() ? "" : parent + (parent.back() == '/' ? "" : "/")) + name,
      isListed ? static_cast<int>(slot - slots) : -1);
}

Expected<TemporaryFolder> TemporaryFolder::createForScratch() {
  const char *named = std::getenv("TMPDIR");
  return create(named && *named ? named : "/tmp");
}

TemporaryFolder::TemporaryFolder(TemporaryFolder &&other) noexcept
    : path(std::move(other.path)), slot(other.slot) {
  other.path.clear();
  other.slot = -1;
}

TemporaryFolder::~TemporaryFolder() {
  if (path.empty())
    return;
  if (slot < 0) {
    removeTree(AT_FDCWD, path.c_str());
    return;
  }
  int parent = slots[slot].parent;
  removeTree(parent, slots[slot].name);
  slots[slot].used.store(false);
  ::close(parent);
}

} // namespace tenon::artifact
