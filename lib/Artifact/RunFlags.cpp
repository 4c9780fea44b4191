//===- RunFlags.cpp - options of tools that run models -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Artifact/RunFlags.h"

namespace tenon::artifact {

void addSpecs(OptionTable &table, const std::string &name, bool filesOnly,
              std::vector<InputSpec> &out) {
  table.add(name, [filesOnly, &out](std::string_view text) -> Status {
    Expected<InputSpec> spec = parseInputSpec(std::string(text));
    if (!spec)
      return spec.takeError();
    if (filesOnly && spec->path.empty())
      return makeError("expected [NAME=]@FILE, but got '", text, "'");
    out.push_back(std::move(*spec));
    return Status::success();
  });
}

void addParams(OptionTable &table, std::string &path,
               std::optional<uint64_t> &seed) {
  table.add("--params", [&path, &seed](std::string_view text) -> Status {
    constexpr std::string_view random = "random:";
    path.clear();
    seed.reset();
    if (text.size() > 1 && text[0] == '@') {
      path = text.substr(1);
      return Status::success();
    }
    if (text.substr(0, random.size()) != random)
      return makeError("expected @FILE or random:SEED, but got '", text, "'");
    return OptionTable::parseNumber<uint64_t>(text.substr(random.size()), 0,
                                              UINT64_MAX, seed.emplace());
  });
}

void addBinds(OptionTable &table, std::map<std::string, int64_t> &sizes,
              std::vector<std::pair<std::string, std::string>> &files) {
  table.add("--bind", [&sizes, &files](std::string_view text) -> Status {
    size_t equals = text.rfind('=');
    std::string name(text.substr(0, equals));
    std::string_view value = equals == text.npos ? "" : text.substr(equals + 1);
    int64_t size;
    auto [end, code] =
        std::from_chars(value.data(), value.data() + value.size(), size);
    if (code == std::errc() && end == value.data() + value.size()) {
      auto [entry, isNew] = sizes.try_emplace(name, size);
      if (name.empty() || size < 0 || entry->second != size)
        return makeError("expected one size of 0 or more for a dimension, but "
                         "got '",
                         text, "'");
      return Status::success();
    }
    size_t at = text.rfind("=@");
    if (at == text.npos || at == 0 || at + 2 == text.size())
      return makeError("expected SYMBOL=SIZE or INPUT=@FILE, but got '", text,
                       "'");
    files.emplace_back(text.substr(0, at), text.substr(at + 2));
    return Status::success();
  });
}

void addFile(OptionTable &table, const std::string &name, std::string &path) {
  table.add(name, [&path](std::string_view text) -> Status {
    if (text.size() < 2 || text[0] != '@')
      return makeError("expected @FILE, but got '", text, "'");
    path = text.substr(1);
    return Status::success();
  });
}

} // namespace tenon::artifact
