//===- WeightsStore.cpp - weights and data derived from them --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightsStore.h"

#include "tenon/Artifact/DType.h"
#include "tenon/Artifact/TensorData.h"
#include "tenon/Runtime/Parallel.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <sys/stat.h>
#include <tuple>

using namespace tenon::artifact;

namespace tenon::runtime {

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// The functions that other copies of the runtime call.
struct WeightsStore::Table {
  static WeightsStore &get(tenon_weights *weights) {
    return *static_cast<WeightsStore *>(weights);
  }

  /// No exception leaves the functions of the table.
  template <typename Function>
  static int32_t guard(tenon_weights_error *error, Function function) {
    std::string reason;
    try {
      Status status = function();
      if (status)
        return 0;
      reason = status.error();
    } catch (const std::exception &failure) {
      reason = failure.what();
    }
    std::snprintf(error->reason, error->reason_bytes, "%s", reason.c_str());
    return 1;
  }

  static void retain(tenon_weights *weights) { get(weights).retain(); }
  static void release(tenon_weights *weights) { get(weights).release(); }
  static int32_t find(tenon_weights *weights, const char *name,
                      const tenon_tensor *expected, tenon_weights_piece *piece,
                      tenon_weights_error *error) {
    return guard(error,
                 [&] { return get(weights).find(name, *expected, *piece); });
  }
  static void drop(tenon_weights *weights, const tenon_weights_piece *piece) {
    get(weights).drop(*piece);
  }
  static int32_t acquire(
      tenon_weights *weights, const void *key, size_t keyBytes, uint64_t bytes,
      int32_t (*make)(void *context, void *data, tenon_weights_error *error),
      void *context, tenon_weights_piece *piece, tenon_weights_error *error) {
    return guard(error, [&] {
      WeightsStore &store = get(weights);
      Make makeData;
      if (make)
        makeData = [&](Piece &made) -> Status {
          Expected<Block> block =
              Block::allocate(*store.memory, static_cast<int64_t>(bytes),
                              "data derived from weights");
          if (!block)
            return block.takeError();
          made.block = std::move(*block);
          made.data = made.block.data();
          made.bytes = bytes;
          char reason[1024] = "";
          tenon_weights_error inner = {reason, sizeof reason};
          if (make(context, made.block.data(), &inner) != 0)
            return makeError(reason);
          return Status::success();
        };
      // The prefix keeps these keys apart from those of a caller's tensors.
      return store.acquire(
          "d" + std::string(static_cast<const char *>(key), keyBytes), makeData,
          *piece);
    });
  }
  static void giveBack(tenon_weights *weights, tenon_weights_piece *piece) {
    get(weights).giveBack(*piece);
  }
};

const tenon_weights_table WeightsStore::functions = {
    sizeof(tenon_weights_table),
    TENON_WEIGHTS_VERSION,
    Table::retain,
    Table::release,
    Table::find,
    Table::drop,
    Table::acquire,
    Table::giveBack};

//===----------------------------------------------------------------------===//
// Opening
//===----------------------------------------------------------------------===//

namespace {
/// Identifies a file and its state.
using FileKey = std::tuple<dev_t, ino_t, off_t, time_t, long>;

/// The stores of files that instances share, by file.
struct Registry {
  std::mutex mutex; // also protects `users` of every store
  std::map<FileKey, WeightsStore *> stores;
};
} // namespace

static Registry &registry() {
  // Never destroyed, because instances may be unloaded while the process ends.
  // It is in the library, and goes with it.
  alignas(Registry) static char memory[sizeof(Registry)];
  static Registry *made = new (memory) Registry();
  return *made;
}

static std::optional<FileKey> findFile(const std::string &path) {
  struct stat found;
  if (::stat(path.c_str(), &found) != 0)
    return std::nullopt;
  return FileKey(found.st_dev, found.st_ino, found.st_size,
                 found.st_mtim.tv_sec, found.st_mtim.tv_nsec);
}

WeightsStore::WeightsStore() { table = &functions; }

Status WeightsStore::openFile(const std::string &path) {
  Expected<SafetensorsFile> opened = SafetensorsFile::open(path);
  if (!opened)
    return opened.takeError();
  file = std::move(*opened);
  name = path;
  isMapped = true;
  return Status::success();
}

Expected<WeightsStore *>
WeightsStore::open(const tenon_weights_options &options) {
  int sources = (options.path != nullptr) + (options.data != nullptr) +
                (options.read != nullptr);
  if (sources != 1)
    return makeError("weights: expected one of path, data and read, but got ",
                     sources);
  auto release = [](WeightsStore *store) { store->release(); };
  std::unique_ptr<WeightsStore, decltype(release)> store(new WeightsStore(),
                                                         release);
  Status status = store->ownMemory.adopt(options.allocator, /*limit=*/0);
  if (status && options.path)
    status = *options.path ? store->openFile(options.path)
                           : makeError("path: expected a file, but got an "
                                       "empty name");
  if (status && options.data) {
    store->name = "the caller's memory";
    Expected<SafetensorsFile> viewed = SafetensorsFile::view(
        options.data, static_cast<size_t>(options.bytes), store->name);
    if (viewed)
      store->file = std::move(*viewed);
    else
      status = viewed.takeError();
  }
  if (!status)
    return makeError("weights: ", status.error());
  store->read = options.read;
  store->context = options.context;
  return store.release();
}

Expected<WeightsStore *> WeightsStore::share(const std::string &path) {
  std::optional<FileKey> key = findFile(path);
  if (key) {
    std::lock_guard<std::mutex> lock(registry().mutex);
    auto found = registry().stores.find(*key);
    if (found != registry().stores.end()) {
      ++found->second->users;
      return found->second;
    }
  }
  WeightsStore *store = new WeightsStore();
  if (Status status = store->openFile(path); !status) {
    delete store;
    return status.takeError();
  }
  // The path may name another file by now, which must not be shared then.
  if (key && findFile(path) == key) {
    std::unique_lock<std::mutex> lock(registry().mutex);
    auto [place, isNew] = registry().stores.try_emplace(*key, store);
    if (!isNew) {
      WeightsStore *other = place->second;
      ++other->users;
      lock.unlock();
      delete store;
      return other;
    }
  }
  return store;
}

Expected<WeightsStore *> WeightsStore::openOwn(HostMemory &memory,
                                               const std::string &path) {
  WeightsStore *store = new WeightsStore();
  store->memory = &memory;
  if (!path.empty())
    if (Status status = store->openFile(path); !status) {
      delete store;
      return status.takeError();
    }
  return store;
}

void WeightsStore::retain() {
  std::lock_guard<std::mutex> lock(registry().mutex);
  ++users;
}

void WeightsStore::release() {
  {
    std::lock_guard<std::mutex> lock(registry().mutex);
    if (--users > 0)
      return;
    for (auto i = registry().stores.begin(); i != registry().stores.end(); ++i)
      if (i->second == this) {
        registry().stores.erase(i);
        break;
      }
  }
  delete this;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

Status WeightsStore::find(const char *tensor, const tenon_tensor &expected,
                          tenon_weights_piece &piece) {
  std::optional<DType> dtype = fromDLDType(expected.dtype);
  std::vector<int64_t> shape(expected.shape, expected.shape + expected.ndim);
  if (read) {
    if (!dtype)
      return makeError("parameter '", tensor, "' has an unknown element type");
    Expected<int64_t> count = countElements(shape, dtypeSize(*dtype));
    if (!count)
      return makeError("parameter '", tensor, "': ", count.error());
    uint64_t bytes = static_cast<uint64_t>(*count) * dtypeSize(*dtype);
    return acquire(
        concat("t", tensor),
        [&](Piece &made) { return readTensor(tensor, expected, bytes, made); },
        piece);
  }
  const SafetensorsEntry *entry = file ? file->find(tensor) : nullptr;
  if (!entry)
    return makeError("parameter '", tensor, "' is missing in '", name, "'");
  if (!dtype || *dtype != entry->dtype || shape != entry->shape)
    return makeError("parameter '", tensor, "' in '", name, "': expected ",
                     dtype ? formatType(*dtype, shape) : "another type",
                     ", but got ", formatType(entry->dtype, entry->shape));
  const uint8_t *data = file->data(*entry);
  // Files of other writers may have tensors at any byte offset.
  if (reinterpret_cast<uintptr_t>(data) % dtypeSize(*dtype) != 0)
    return acquire(
        concat("t", tensor),
        [&](Piece &made) -> Status {
          Expected<Block> copy =
              Block::allocate(*memory, static_cast<int64_t>(entry->bytes),
                              "a copy of a parameter");
          if (!copy)
            return copy.takeError();
          std::memcpy(copy->data(), data, entry->bytes);
          made.block = std::move(*copy);
          made.data = made.block.data();
          made.bytes = entry->bytes;
          return Status::success();
        },
        piece);
  piece = {nullptr, data, entry->bytes};
  return Status::success();
}

/// Lets the caller's function provide a tensor.
Status WeightsStore::readTensor(const char *tensor,
                                const tenon_tensor &expected, uint64_t bytes,
                                Piece &piece) {
  Expected<Block> block = Block::allocate(*memory, static_cast<int64_t>(bytes),
                                          "a parameter of the caller");
  if (!block)
    return block.takeError();
  tenon_tensor given = expected;
  given.data = block->data();
  char reason[1024] = "";
  ExecutorScope none(nullptr); // the function may run instances
  if (read(context, tensor, &given, reason, sizeof reason) != 0) {
    reason[sizeof reason - 1] = '\0';
    return makeError("parameter '", tensor,
                     "': the caller's read function failed: ",
                     *reason ? reason : "no reason");
  }
  piece.bytes = bytes;
  piece.data = given.data;
  if (given.data == block->data()) {
    piece.block = std::move(*block);
    return Status::success();
  }
  size_t elementBytes = expected.dtype.bits / 8;
  if (bytes > 0 &&
      (!given.data ||
       reinterpret_cast<uintptr_t>(given.data) % elementBytes != 0))
    return makeError("parameter '", tensor,
                     "': the caller gave memory that is ",
                     given.data ? "not aligned to its elements" : "null");
  return Status::success();
}

void WeightsStore::drop(const tenon_weights_piece &piece) {
  if (isMapped && !piece.handle)
    dropPages(piece.data, static_cast<int64_t>(piece.bytes));
}

//===----------------------------------------------------------------------===//
// Derived data
//===----------------------------------------------------------------------===//

Status WeightsStore::acquire(std::string key, const Make &make,
                             tenon_weights_piece &piece) {
  piece = {};
  std::unique_lock<std::mutex> lock(mutex);
  Pieces::iterator place;
  for (;;) {
    place = pieces.find(key);
    if (place == pieces.end())
      break;
    if (place->second.isReady) {
      Piece &found = place->second;
      ++found.users;
      piece = {&*place, found.data, found.bytes};
      return Status::success();
    }
    if (!make)
      return Status::success();
    changed.wait(lock);
  }
  if (!make)
    return Status::success();
  place = pieces.emplace(std::move(key), Piece()).first;
  Piece &made = place->second;
  auto giveUp = [&] {
    lock.lock();
    Piece failed = std::move(made);
    pieces.erase(place);
    lock.unlock();
    changed.notify_all();
  };
  // Unlock, because other users may need other data meanwhile, and making this
  // data may need other data, too.
  lock.unlock();
  Status status;
  try {
    status = make(made);
  } catch (...) {
    giveUp();
    throw;
  }
  if (!status) {
    giveUp();
    return status;
  }
  lock.lock();
  made.isReady = true;
  made.users = 1;
  piece = {&*place, made.data, made.bytes};
  lock.unlock();
  changed.notify_all();
  return Status::success();
}

void WeightsStore::giveBack(tenon_weights_piece &piece) {
  if (!piece.handle)
    return;
  auto *entry = static_cast<Pieces::value_type *>(piece.handle);
  piece = {};
  Piece unused; // freed without the lock
  std::lock_guard<std::mutex> lock(mutex);
  if (--entry->second.users > 0)
    return;
  unused = std::move(entry->second);
  pieces.erase(pieces.find(entry->first)); // without memory: it must not fail
}

} // namespace tenon::runtime
