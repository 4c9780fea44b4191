//===- IndexChecks.cpp - results of index checks --------------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelImpl.h"

#include "tenon/Artifact/IndexCheck.h"

using namespace tenon::artifact;

namespace tenon::runtime {

void Model::Impl::numberChecks() {
  checkOfStep.assign(program.num_steps, -1);
  for (int32_t i = 0; i < program.num_checks; ++i)
    checkOfStep[program.checks[i].step] = i;
}

Status Model::Impl::examineCheck(int32_t number, const int64_t *words) const {
  const tenon_check &check = program.checks[number];
  std::optional<WrongIndex> wrong = findWrongIndex(words, check.parts);
  if (!wrong)
    return Status::success();
  size_t rank = check.rank, count = check.num_ranges;
  std::vector<int64_t> sizes(rank + 2 * count);
  check.sizes(entryOfStep(check.step).symbols(), sizes.data());
  IndexLimits limits;
  limits.shape.assign(sizes.begin(), sizes.begin() + check.rank);
  for (size_t i = 0; i < count; ++i)
    limits.bounds.push_back(
        {check.axes[i], sizes[rank + 2 * i], sizes[rank + 2 * i + 1]});
  if (check.ignored)
    limits.ignored = *check.ignored;
  std::string text = concat(check.reader, ": ", describe(limits, *wrong));
  if (check.input)
    text += concat(" of input '", check.input, "'");
  return makeError(text);
}

} // namespace tenon::runtime
