//===- RunFlags.h - options of tools that run models ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_ARTIFACT_RUNFLAGS_H
#define TENON_ARTIFACT_RUNFLAGS_H

#include "tenon/Artifact/InputSpec.h"
#include "tenon/Artifact/OptionTable.h"

#include <optional>

namespace tenon::artifact {

/// An option whose values are [NAME=]SPEC, and may be repeated. With
/// `filesOnly`, [NAME=]@FILE.
void addSpecs(OptionTable &table, const std::string &name, bool filesOnly,
              std::vector<InputSpec> &out);

/// --params @FILE, which sets `path`, or --params random:SEED. The last one
/// counts.
void addParams(OptionTable &table, std::string &path,
               std::optional<uint64_t> &seed);

/// --bind SYMBOL=SIZE, which sets a size of at least 0, and --bind INPUT=@FILE.
/// Fails if a symbol gets two sizes.
void addBinds(OptionTable &table, std::map<std::string, int64_t> &sizes,
              std::vector<std::pair<std::string, std::string>> &files);

/// An option whose value is @FILE.
void addFile(OptionTable &table, const std::string &name, std::string &path);

} // namespace tenon::artifact

#endif // TENON_ARTIFACT_RUNFLAGS_H
