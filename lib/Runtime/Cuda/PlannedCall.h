//===- PlannedCall.h - plans for sets of sizes ----------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_RUNTIME_CUDA_PLANNEDCALL_H
#define TENON_LIB_RUNTIME_CUDA_PLANNEDCALL_H

#include "../CallOperands.h"
#include "LibraryCall.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace tenon::runtime::cuda {

/// Owns an object of a library; frees it by `destroy`.
template <typename T> class Owned {
public:
  using Destroy = int (*)(T);
  Owned() = default;
  explicit Owned(Destroy destroy) : destroy(destroy) {}
  Owned(Owned &&other) noexcept { *this = static_cast<Owned &&>(other); }
  Owned &operator=(Owned &&other) noexcept {
    std::swap(object, other.object);
    std::swap(destroy, other.destroy);
    return *this;
  }
  ~Owned() {
    if (object)
      destroy(object);
  }
  T *out() { return &object; }
  T get() const { return object; }

private:
  T object = nullptr;
  Destroy destroy = nullptr;
};

/// The epilogue of a CUDA library call: a bias, a tensor that is added, and an
/// activation.
struct CallEpilogue {
  bool hasBias = false;
  int32_t residual = -1;   // number of the operand
  int32_t activation = -1; // tenon_post_kind
};

/// Checks that a call has operands, types and post-ops that CUDA libraries
/// support. `gelu`: whether the activation may be gelu.
artifact::Expected<CallEpilogue> readEpilogue(const tenon_step &step,
                                              bool gelu);

/// A call that keeps a Plan for each of the most recent sets of sizes.
template <typename Plan> class PlannedCall : public LibraryCall {
public:
  PlannedCall(const tenon_step &step, Libraries &libraries)
      : step(step), call(*step.call), libraries(libraries) {}

  artifact::Status select(const int64_t *symbols) override {
    std::vector<CallOperand> operands = readOperands(call, symbols);
    std::vector<int64_t> key;
    for (const CallOperand &operand : operands)
      key.insert(key.end(), operand.dims.begin(), operand.dims.end());
    ++clock;
    for (const std::unique_ptr<Entry> &entry : entries)
      if (entry->key == key) {
        entry->lastUse = clock;
        selected = &entry->plan;
        return artifact::Status::success();
      }
    selected = nullptr;
    if (*std::min_element(key.begin(), key.end()) < 0)
      return fail("an operand would have a negative size");
    auto entry = std::make_unique<Entry>();
    if (artifact::Status status = makePlan(entry->plan, operands); !status)
      return status;
    entry->key = std::move(key);
    entry->lastUse = clock;
    if (entries.size() == maxEntries)
      entries.erase(std::min_element(entries.begin(), entries.end(),
                                     [](const auto &a, const auto &b) {
                                       return a->lastUse < b->lastUse;
                                     }));
    entries.push_back(std::move(entry));
    selected = &entries.back()->plan;
    return artifact::Status::success();
  }
  int64_t workspaceBytes() const override { return libraryWorkspaceBytes; }
  const char *implementation() const override {
    return selected ? selected->implementation.c_str() : nullptr;
  }

protected:
  /// No size is negative.
  virtual artifact::Status makePlan(Plan &plan,
                                    std::vector<CallOperand> &operands) = 0;

  artifact::Error fail(const std::string &what) const {
    return artifact::makeError("step '", step.name, "': ", what);
  }

  const tenon_step &step;
  const tenon_call &call;
  Libraries &libraries;
  Plan *selected = nullptr;

private:
  /// More than the number of plans of a model, so that none of them is made
  /// twice.
  static constexpr size_t maxEntries = 16;
  struct Entry {
    std::vector<int64_t> key; // the sizes of all operands
    Plan plan;
    uint64_t lastUse = 0;
  };
  std::vector<std::unique_ptr<Entry>> entries;
  uint64_t clock = 0;
};

} // namespace tenon::runtime::cuda

#endif // TENON_LIB_RUNTIME_CUDA_PLANNEDCALL_H
