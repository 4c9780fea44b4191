//===- CheckRanks.cpp - checks of the programs of ranks -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RankTables.h"

#include "tenon/Artifact/DType.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

using namespace tenon::artifact;

namespace tenon::runtime {

/// The limit on a tensor or an arena, as in Binding.cpp. It keeps products of
/// sizes and sums of places far from overflow.
static constexpr int64_t mostBytes = int64_t(1) << 48;
/// The limit on tags and groups. The next tags are used, too.
static constexpr int32_t mostTag = INT32_MAX / 2;
static constexpr double mostSeconds = 1e9;

namespace {
/// The messages from one rank to another with one tag: their bytes, in order.
struct Messages {
  std::vector<int64_t> sent, received;
};
/// What each rank of a set sums with one tag: whether it is the mean, and the
/// numbers of the states. By rank, in order.
using Sums = std::map<int32_t, std::vector<std::vector<int64_t>>>;

/// What the ranks of an entry do together.
struct Meetings {
  std::map<std::tuple<int32_t, int32_t, int32_t>, Messages> messages;
  std::map<std::pair<std::vector<int32_t>, int32_t>, Sums> sums;
};

/// Checks what one rank does for one entry.
class RankCheck {
public:
  RankCheck(const tenon_program &program, const tenon_entry &entry,
            int32_t rank, Meetings &meetings)
      : program(program), entry(entry), rank(rank), table(entry.ranks[rank]),
        meetings(meetings) {}

  Status run();
  int32_t getNumBarriers() const { return numBarriers; }

private:
  template <typename... Parts> Error damaged(const Parts &...parts) const {
    return makeError("the artifact is damaged: entry '", entry.name, "', rank ",
                     rank, ": ", concat(parts...));
  }
  template <typename... Parts>
  Error damagedStep(int32_t number, const Parts &...parts) const {
    return damaged("step ", number, " ", concat(parts...));
  }
  Status checkTensor(int32_t number) const;
  Status checkStep(int32_t number);
  Status checkTask(int32_t number) const;
  Status checkCopy(int32_t number) const;
  Status checkAdd(int32_t number) const;
  Status checkTransfer(int32_t number);
  Status checkAllReduce(int32_t number);
  Status checkWait(int32_t number);
  const tenon_rank_tensor &getTensor(int32_t step, int32_t place) const {
    return table.tensors[table.steps[step].tensors[place]];
  }
  bool isRank(int32_t number) const {
    return number >= 0 && number < program.num_ranks;
  }

  const tenon_program &program;
  const tenon_entry &entry;
  const int32_t rank;
  const tenon_rank_program &table;
  Meetings &meetings;
  std::vector<bool> isOpen; // by step: whether it began, and is not awaited
  int32_t numOpen = 0, numBarriers = 0;
  std::map<int32_t, bool> groups; // whether it is that of a sum
};
} // namespace

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Returns nothing if the tensor has an unknown type or an impossible size. An
/// empty tensor, too, must have strides that can be represented.
static std::optional<int64_t> countBytes(tenon_dtype type, int32_t rank,
                                         const int64_t *shape) {
  std::optional<DType> dtype = fromDLDType(type);
  if (!dtype || rank < 0 || (rank > 0 && !shape))
    return std::nullopt;
  auto bytes = static_cast<int64_t>(dtypeSize(*dtype));
  bool isEmpty = false;
  for (int32_t i = 0; i < rank; ++i) {
    if (shape[i] < 0 || shape[i] > mostBytes / bytes)
      return std::nullopt;
    isEmpty |= shape[i] == 0;
    bytes *= std::max<int64_t>(shape[i], 1);
  }
  return isEmpty ? 0 : bytes;
}

static bool isOfType(const tenon_rank_tensor &tensor, tenon_dtype dtype,
                     int32_t rank, const int64_t *shape) {
  return fromDLDType(tensor.dtype) == fromDLDType(dtype) &&
         tensor.rank == rank && std::equal(shape, shape + rank, tensor.shape);
}

static bool isOfType(const tenon_rank_tensor &tensor,
                     const tenon_value &value) {
  return isOfType(tensor, value.dtype, value.rank, value.shape);
}

/// Whether values of an entry have constant sizes.
static bool areStatic(const tenon_value *values, int32_t count) {
  bool areThere = count == 0 || (count > 0 && values);
  return areThere &&
         std::all_of(values, values + count, [](const tenon_value &value) {
           return countBytes(value.dtype, value.rank, value.shape).has_value();
         });
}

Status RankCheck::checkTensor(int32_t number) const {
  const tenon_rank_tensor &tensor = table.tensors[number];
  if (!countBytes(tensor.dtype, tensor.rank, tensor.shape))
    return damaged("tensor ", number, " has an unknown type");
  std::vector<int64_t> shape(tensor.shape, tensor.shape + tensor.rank);
  if (tensor.axis != -1) {
    if (tensor.axis < 0 || tensor.axis >= tensor.rank || tensor.begin < 0 ||
        tensor.begin > tensor.whole ||
        shape[tensor.axis] > tensor.whole - tensor.begin)
      return damaged("tensor ", number, " lies outside of its whole");
    shape[tensor.axis] = tensor.whole;
  }
  std::optional<int64_t> bytes =
      countBytes(tensor.dtype, tensor.rank, shape.data());
  if (!bytes)
    return damaged("tensor ", number, " is of an impossible size");
  if (tensor.kind == TENON_BUFFER_ARENA) {
    if (tensor.offset < 0 || tensor.offset % (tensor.dtype.bits / 8) != 0 ||
        tensor.offset > table.arena_bytes - *bytes)
      return damaged("tensor ", number, " lies outside of the arena");
    return Status::success();
  }
  bool isInput = tensor.kind == TENON_BUFFER_INPUT;
  if (!isInput && tensor.kind != TENON_BUFFER_OUTPUT)
    return damaged("tensor ", number, " has the unknown kind ", tensor.kind);
  if (tensor.index < 0 ||
      tensor.index >= (isInput ? entry.num_inputs : entry.num_outputs))
    return damaged("tensor ", number, " has the index ", tensor.index);
  tenon_rank_tensor whole = tensor;
  whole.shape = shape.data();
  if (!isOfType(whole, (isInput ? entry.inputs : entry.outputs)[tensor.index]))
    return damaged("tensor ", number, " has another type than the caller's");
  return Status::success();
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Status RankCheck::checkTask(int32_t number) const {
  const tenon_rank_step &step = table.steps[number];
  if (step.entry < countCalled(program) || step.entry >= program.num_entries)
    return damagedStep(number, "runs the entry ", step.entry);
  const tenon_entry &task = program.entries[step.entry];
  if (task.num_symbols != 0 || !areStatic(task.inputs, task.num_inputs) ||
      !areStatic(task.outputs, task.num_outputs))
    return damagedStep(number, "runs '", task.name,
                       "', whose sizes are not constant");
  if (step.num_tensors != task.num_inputs + task.num_outputs)
    return damagedStep(number, "has ", step.num_tensors, " tensors");
  for (int32_t i = 0; i < step.num_tensors; ++i) {
    bool isInput = i < task.num_inputs;
    const tenon_rank_tensor &tensor = getTensor(number, i);
    if (tensor.kind == (isInput ? TENON_BUFFER_OUTPUT : TENON_BUFFER_INPUT) ||
        !isOfType(tensor,
                  isInput ? task.inputs[i] : task.outputs[i - task.num_inputs]))
      return damagedStep(number, "gives '", task.name, "' another tensor ", i);
  }
  if (!(step.seconds >= 0 && step.seconds <= mostSeconds))
    return damagedStep(number, "takes ", step.seconds, " s");
  return Status::success();
}

/// Other ranks may have written the caller's outputs, so no step reads them.
Status RankCheck::checkCopy(int32_t number) const {
  if (table.steps[number].num_tensors != 2)
    return damagedStep(number, "expected two tensors");
  const tenon_rank_tensor &from = getTensor(number, 0);
  const tenon_rank_tensor &to = getTensor(number, 1);
  if (from.kind == TENON_BUFFER_OUTPUT || to.kind == TENON_BUFFER_INPUT ||
      !isOfType(from, to.dtype, to.rank, to.shape))
    return damagedStep(number, "copies between tensors that do not fit");
  return Status::success();
}

Status RankCheck::checkAdd(int32_t number) const {
  if (table.steps[number].num_tensors != 2)
    return damagedStep(number, "expected two tensors");
  const tenon_rank_tensor &from = getTensor(number, 0);
  const tenon_rank_tensor &to = getTensor(number, 1);
  std::optional<DType> dtype = fromDLDType(to.dtype);
  if (from.kind == TENON_BUFFER_OUTPUT || to.kind != TENON_BUFFER_OUTPUT ||
      to.axis >= 0 || !isFloat(*dtype) ||
      getBytes(to) != static_cast<int64_t>(dtypeSize(*dtype)) ||
      !isOfType(from, to.dtype, to.rank, to.shape))
    return damagedStep(number, "adds tensors that are no numbers");
  return Status::success();
}

Status RankCheck::checkTransfer(int32_t number) {
  const tenon_rank_step &step = table.steps[number];
  if (step.num_tensors != 1 ||
      getTensor(number, 0).kind != TENON_BUFFER_ARENA ||
      getTensor(number, 0).axis >= 0)
    return damagedStep(number, "expected a buffer of the arena");
  if (step.num_ranks != 1 || !step.ranks || !isRank(step.ranks[0]) ||
      step.ranks[0] == rank)
    return damagedStep(number, "expected another rank");
  bool isSend = step.kind == TENON_RANK_SEND;
  int32_t peer = step.ranks[0];
  Messages &messages =
      meetings.messages[{isSend ? rank : peer, isSend ? peer : rank, step.tag}];
  (isSend ? messages.sent : messages.received)
      .push_back(getBytes(getTensor(number, 0)));
  return Status::success();
}

Status RankCheck::checkAllReduce(int32_t number) {
  const tenon_rank_step &step = table.steps[number];
  if (step.num_ranks < 2 || !step.ranks)
    return damagedStep(number, "expected two ranks or more");
  std::vector<int32_t> ranks(step.ranks, step.ranks + step.num_ranks);
  if (!std::all_of(ranks.begin(), ranks.end(),
                   [&](int32_t one) { return isRank(one); }) ||
      std::adjacent_find(ranks.begin(), ranks.end(),
                         std::greater_equal<int32_t>()) != ranks.end() ||
      std::count(ranks.begin(), ranks.end(), rank) != 1)
    return damagedStep(number, "sums over ranks that are no such set");
  if (step.num_states < 0 || (step.num_states > 0 && !step.states) ||
      step.num_states + step.num_tensors < 1)
    return damagedStep(number, "expected a state or a tensor");
  std::vector<int64_t> sum = {step.is_mean != 0, step.num_states};
  for (int32_t i = 0; i < step.num_states; ++i) {
    int32_t state = step.states[i];
    if (state < 0 || state >= program.num_states)
      return damagedStep(number, "sums state ", state);
    std::optional<DType> dtype = fromDLDType(program.states[state].value.dtype);
    if (dtype != DType::F32 && dtype != DType::F64)
      return damagedStep(number, "can't sum state '",
                         program.states[state].value.name, "'");
    sum.push_back(state);
  }
  for (int32_t i = 0; i < step.num_tensors; ++i) {
    const tenon_rank_tensor &tensor = getTensor(number, i);
    std::optional<DType> dtype = fromDLDType(tensor.dtype);
    if (tensor.kind != TENON_BUFFER_ARENA || tensor.axis >= 0 ||
        (dtype != DType::F32 && dtype != DType::F64))
      return damagedStep(number, "can't sum its tensor ", i);
    sum.push_back(static_cast<int64_t>(*dtype));
    sum.push_back(getBytes(tensor));
  }
  meetings.sums[{std::move(ranks), step.tag}][rank].push_back(std::move(sum));
  return Status::success();
}

Status RankCheck::checkWait(int32_t number) {
  const tenon_rank_step &step = table.steps[number];
  if (step.num_awaited < 0 || (step.num_awaited > 0 && !step.awaited))
    return damagedStep(number, "waits for nothing");
  for (int32_t i = 0; i < step.num_awaited; ++i) {
    int32_t begun = step.awaited[i];
    if (begun < 0 || begun >= number || !isOpen[begun])
      return damagedStep(number, "waits for step ", begun);
    isOpen[begun] = false;
    --numOpen;
  }
  return Status::success();
}

Status RankCheck::checkStep(int32_t number) {
  const tenon_rank_step &step = table.steps[number];
  if (step.num_tensors < 0 || (step.num_tensors > 0 && !step.tensors))
    return damagedStep(number, "has no tensors");
  for (int32_t i = 0; i < step.num_tensors; ++i)
    if (step.tensors[i] < 0 || step.tensors[i] >= table.num_tensors)
      return damagedStep(number, "uses tensor ", step.tensors[i]);
  switch (step.kind) {
  case TENON_RANK_TASK:
    return checkTask(number);
  case TENON_RANK_COPY:
    return checkCopy(number);
  case TENON_RANK_ADD:
    return checkAdd(number);
  case TENON_RANK_WAIT:
    return checkWait(number);
  case TENON_RANK_BARRIER:
    ++numBarriers;
    return numOpen == 0 ? Status::success()
                        : damagedStep(number, "is a barrier amid transfers");
  case TENON_RANK_SEND:
  case TENON_RANK_RECEIVE:
  case TENON_RANK_ALL_REDUCE:
    break;
  default:
    return damagedStep(number, "has the unknown kind ", step.kind);
  }
  if (step.tag < 0 || step.tag > mostTag)
    return damagedStep(number, "has the tag ", step.tag);
  bool isSum = step.kind == TENON_RANK_ALL_REDUCE;
  auto [group, isNew] = groups.insert({step.group, isSum});
  if (step.group < 0 || step.group > mostTag ||
      (!isNew && (isSum || group->second)))
    return damagedStep(number, "has the group ", step.group);
  isOpen[number] = true;
  ++numOpen;
  return isSum ? checkAllReduce(number) : checkTransfer(number);
}

Status RankCheck::run() {
  if (table.num_tensors < 0 || (table.num_tensors > 0 && !table.tensors) ||
      table.num_steps < 0 || (table.num_steps > 0 && !table.steps))
    return damaged("it has no steps or no tensors");
  if (table.arena_bytes < 0 || table.arena_bytes > mostBytes)
    return damaged("its arena has ", table.arena_bytes, " bytes");
  for (int32_t i = 0; i < table.num_tensors; ++i)
    if (Status status = checkTensor(i); !status)
      return status;
  isOpen.resize(table.num_steps);
  for (int32_t i = 0; i < table.num_steps; ++i)
    if (Status status = checkStep(i); !status)
      return status;
  return numOpen == 0 ? Status::success()
                      : damaged("it ends amid ", numOpen, " transfers");
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

/// Ranks would wait for ever for others that do something else.
static Status checkMeetings(const tenon_entry &entry,
                            const Meetings &meetings) {
  for (const auto &[key, messages] : meetings.messages)
    if (messages.sent != messages.received)
      return makeError("the artifact is damaged: entry '", entry.name,
                       "': rank ", std::get<1>(key),
                       " does not receive what rank ", std::get<0>(key),
                       " sends with the tag ", std::get<2>(key));
  for (const auto &[key, sums] : meetings.sums)
    for (int32_t rank : key.first)
      if (auto found = sums.find(rank);
          found == sums.end() || found->second != sums.begin()->second)
        return makeError(
            "the artifact is damaged: entry '", entry.name, "': rank ", rank,
            " does not sum what others do with the tag ", key.second);
  return Status::success();
}

static Status checkEntry(const tenon_program &program,
                         const tenon_entry &entry) {
  if (!entry.ranks || entry.first_step != entry.end_step ||
      entry.num_symbols != 0 || !areStatic(entry.inputs, entry.num_inputs) ||
      !areStatic(entry.outputs, entry.num_outputs))
    return makeError("the artifact is damaged: entry '", entry.name,
                     "' is not that of ranks");
  Meetings meetings;
  int32_t numBarriers = 0;
  for (int32_t rank = 0; rank < program.num_ranks; ++rank) {
    RankCheck check(program, entry, rank, meetings);
    if (Status status = check.run(); !status)
      return status;
    if (rank > 0 && check.getNumBarriers() != numBarriers)
      return makeError("the artifact is damaged: entry '", entry.name,
                       "': rank ", rank, " has ", check.getNumBarriers(),
                       " barriers, but rank 0 has ", numBarriers);
    numBarriers = check.getNumBarriers();
  }
  return checkMeetings(entry, meetings);
}

Status checkRanks(const tenon_program &program) {
  if (program.num_ranks < 1 || program.num_tasks < 0 ||
      program.num_tasks >= program.num_entries)
    return makeError("the artifact is damaged: it has ", program.num_ranks,
                     " ranks and ", program.num_tasks, " tasks among ",
                     program.num_entries, " entries");
  for (int32_t i = 0; i < countCalled(program); ++i)
    if (Status status = checkEntry(program, program.entries[i]); !status)
      return status;
  for (int32_t i = countCalled(program); i < program.num_entries; ++i)
    if (program.entries[i].ranks)
      return makeError("the artifact is damaged: task '",
                       program.entries[i].name, "' is an entry of ranks");
  return Status::success();
}

} // namespace tenon::runtime
