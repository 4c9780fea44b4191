//===- RuleFile.cpp - parsing and checking of TASO's rules ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleFile.h"

#include "taso_rules.pb.h"

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/stubs/logging.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <climits>
#include <map>
#include <mutex>
#include <optional>
#include <set>

using namespace mlir;
using namespace tenon::taso;

/// Larger than in any real rule; bounds the cost of a malicious file.
static constexpr int maxOps = 64;
static constexpr int maxOperands = 16;
static constexpr size_t maxInputs = 64;
static constexpr int64_t maxRank = 8;

//===----------------------------------------------------------------------===//
// TASO's numbers
//===----------------------------------------------------------------------===//

namespace {
struct KnownOp {
  int32_t type;
  OpKind kind;
  const char *name;
};

/// TASO's PMParameter.
enum Parameter : int32_t {
  NumInputs = 1,
  NumOutputs = 2,
  KernelH = 4,
  KernelW = 5,
  StrideH = 6,
  StrideW = 7,
  Pad = 8,
  Activation = 9,
  NumDim = 10,
  Axis = 11,
};
} // namespace

static constexpr KnownOp knownOps[] = {
    {3, OpKind::Conv, "conv2d"},    {8, OpKind::Relu, "relu"},
    {12, OpKind::Concat, "concat"}, {13, OpKind::Split, "split"},
    {16, OpKind::Add, "ewadd"},     {17, OpKind::Mul, "ewmul"},
    {18, OpKind::Matmul, "matmul"},
};

StringRef tenon::taso::getName(OpKind kind) {
  return llvm::find_if(knownOps,
                       [&](const KnownOp &op) { return op.kind == kind; })
      ->name;
}

static std::string parameterName(int32_t key) {
  static constexpr const char *names[] = {
      "op type",       "number of inputs", "number of outputs", "group",
      "kernel height", "kernel width",     "stride height",     "stride width",
      "padding mode",  "activation",       "number of axes",    "axis"};
  if (key >= 0 && static_cast<size_t>(key) < std::size(names))
    return names[key];
  return "parameter " + std::to_string(key);
}

InFlightDiagnostic Place::emitError() const {
  InFlightDiagnostic diagnostic = mlir::emitError(file);
  diagnostic << "rule " << rule;
  if (side)
    diagnostic << ", " << side << " op " << op;
  diagnostic << ": ";
  return diagnostic;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

namespace {
/// Reads the ops of one side.
class SideReader {
public:
  SideReader(Place place,
             const google::protobuf::RepeatedPtrField<file::Operator> &ops)
      : place(place), ops(ops) {}

  FailureOr<Side> read();
  /// Returns an op's result, by its numbers in the file, among the ops read so
  /// far. Reports errors at `user`.
  FailureOr<TasoValue> readValue(int32_t op, int32_t result, const Place &user);

private:
  LogicalResult readOp(const file::Operator &op);
  LogicalResult readParameters(const file::Operator &op);
  LogicalResult take(int32_t key, int64_t least, int64_t most, int64_t &value);
  LogicalResult checkNumber(int32_t key, int64_t expected);
  LogicalResult readActivation(TasoOp &op);
  LogicalResult readKind(TasoOp &op);

  Place place;
  const google::protobuf::RepeatedPtrField<file::Operator> &ops;
  Side side;
  /// Parameters of the current op; those that were read are erased.
  std::map<int32_t, int32_t> parameters;
};
} // namespace

LogicalResult SideReader::readParameters(const file::Operator &op) {
  parameters.clear();
  for (const file::Parameter &parameter : op.para()) {
    if (!parameter.has_key() || !parameter.has_value())
      return place.emitError() << "a parameter without "
                               << (parameter.has_key() ? "value" : "key");
    if (!parameter.unknown_fields().empty())
      return place.emitError() << "a parameter with unknown fields";
    if (!parameters.try_emplace(parameter.key(), parameter.value()).second)
      return place.emitError()
             << parameterName(parameter.key()) << " is given twice";
  }
  return success();
}

LogicalResult SideReader::take(int32_t key, int64_t least, int64_t most,
                               int64_t &value) {
  auto found = parameters.find(key);
  if (found == parameters.end())
    return place.emitError()
           << "expected " << parameterName(key) << ", but got none";
  value = found->second;
  parameters.erase(found);
  if (value < least || value > most)
    return place.emitError()
           << "expected " << parameterName(key) << " " << least << " to "
           << most << ", but got " << value;
  return success();
}

LogicalResult SideReader::checkNumber(int32_t key, int64_t expected) {
  int64_t number;
  if (failed(take(key, INT32_MIN, INT32_MAX, number)))
    return failure();
  if (number != expected)
    return place.emitError() << parameterName(key) << " is " << number
                             << ", but the op has " << expected;
  return success();
}

LogicalResult SideReader::readActivation(TasoOp &op) {
  int64_t activation;
  if (failed(take(Activation, INT32_MIN, INT32_MAX, activation)))
    return failure();
  if (activation != 0 && activation != 2)
    return place.emitError()
           << "expected activation 0 (none) or 2 (relu), but got "
           << activation;
  op.relu = activation == 2;
  return success();
}

LogicalResult SideReader::readKind(TasoOp &op) {
  switch (op.kind) {
  case OpKind::Conv: {
    for (unsigned axis : {0, 1})
      if (failed(take(KernelH + axis, 1, INT32_MAX, op.kernel[axis])) ||
          failed(take(StrideH + axis, 1, INT32_MAX, op.strides[axis])))
        return failure();
    int64_t padding;
    if (failed(take(Pad, 0, 1, padding)))
      return failure();
    op.samePadding = padding == 0;
    return readActivation(op);
  }
  case OpKind::Matmul:
    return readActivation(op);
  case OpKind::Concat: {
    int64_t rank, axis;
    if (failed(take(NumDim, 1, maxRank, rank)) ||
        failed(take(Axis, 0, rank - 1, axis)))
      return failure();
    op.rank = rank;
    op.axis = axis;
    return checkNumber(NumInputs, op.operands.size());
  }
  case OpKind::Split: {
    int64_t axis, results;
    if (failed(take(Axis, 0, maxRank - 1, axis)) ||
        failed(take(NumOutputs, 1, maxOperands, results)))
      return failure();
    op.axis = axis;
    op.numResults = results;
    return success();
  }
  case OpKind::Relu:
  case OpKind::Add:
  case OpKind::Mul:
    return success();
  }
  llvm_unreachable("all kinds are handled");
}

FailureOr<TasoValue> SideReader::readValue(int32_t op, int32_t result,
                                           const Place &user) {
  if (op < 0) {
    // INT_MIN has no positive counterpart.
    if (result != 0 || op == INT32_MIN)
      return user.emitError()
             << "expected result 0 of input " << op << ", but got " << result;
    return TasoValue{/*isInput=*/true, static_cast<unsigned>(-op)};
  }
  if (static_cast<unsigned>(op) >= side.size())
    return user.emitError() << "expected one of the " << side.size()
                            << " preceding ops, but got op " << op;
  if (result < 0 || static_cast<unsigned>(result) >= side[op].numResults)
    return user.emitError()
           << "op " << op << " has " << side[op].numResults
           << (side[op].numResults == 1 ? " result" : " results")
           << ", but result " << result << " is used";
  return TasoValue{/*isInput=*/false, static_cast<unsigned>(op),
                   static_cast<unsigned>(result)};
}

LogicalResult SideReader::readOp(const file::Operator &from) {
  if (!from.has_type())
    return place.emitError() << "an op without a type";
  if (!from.unknown_fields().empty())
    return place.emitError() << "an op with unknown fields";
  const KnownOp *known = llvm::find_if(
      knownOps, [&](const KnownOp &op) { return op.type == from.type(); });
  if (known == std::end(knownOps))
    return place.emitError() << "op type " << from.type()
                             << " is not supported; expected conv2d (3), relu "
                                "(8), concat (12), split (13), ewadd (16), "
                                "ewmul (17) or matmul (18)";
  TasoOp op;
  op.kind = known->kind;
  int expected = op.kind == OpKind::Relu || op.kind == OpKind::Split ? 1 : 2;
  if (op.kind == OpKind::Concat) {
    if (from.input_size() < 1 || from.input_size() > maxOperands)
      return place.emitError() << "concat: expected 1 to " << maxOperands
                               << " inputs, but got " << from.input_size();
  } else if (from.input_size() != expected) {
    return place.emitError() << known->name << ": expected " << expected
                             << (expected == 1 ? " input" : " inputs")
                             << ", but got " << from.input_size();
  }
  for (const file::Tensor &input : from.input()) {
    if (!input.has_op_id() || !input.has_ts_id() ||
        !input.unknown_fields().empty())
      return place.emitError()
             << known->name
             << ": an input that is not a pair of an op and a result";
    FailureOr<TasoValue> value = readValue(input.op_id(), input.ts_id(), place);
    if (failed(value))
      return failure();
    op.operands.push_back(*value);
  }
  if (failed(readParameters(from)) || failed(readKind(op)))
    return failure();
  if (!parameters.empty())
    return place.emitError() << known->name << " has no "
                             << parameterName(parameters.begin()->first);
  side.push_back(std::move(op));
  return success();
}

FailureOr<Side> SideReader::read() {
  if (ops.empty() || ops.size() > maxOps) {
    Place{place.file, place.rule}.emitError()
        << "expected 1 to " << maxOps << " " << place.side << " ops, but got "
        << ops.size();
    return failure();
  }
  for (const file::Operator &op : ops) {
    place.op = side.size();
    if (failed(readOp(op)))
      return failure();
  }
  return side;
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

static std::set<unsigned> collectInputs(const Side &side) {
  std::set<unsigned> inputs;
  for (const TasoOp &op : side)
    for (const TasoValue &value : op.operands)
      if (value.isInput)
        inputs.insert(value.number);
  return inputs;
}

/// Ops that no output depends on have no effect, and the rule dialect does not
/// allow them.
static LogicalResult checkAllUsed(const Side &side, ArrayRef<TasoValue> outputs,
                                  Place place) {
  std::vector<bool> used(side.size());
  for (const TasoValue &output : outputs)
    used[output.number] = true;
  for (size_t number = side.size(); number-- > 0;) {
    place.op = number;
    if (!used[number])
      return place.emitError() << "no output depends on the op";
    for (const TasoValue &operand : side[number].operands)
      if (!operand.isInput)
        used[operand.number] = true;
  }
  return success();
}

static FailureOr<Rule> readRule(const file::Rule &from, Place place) {
  if (!from.unknown_fields().empty())
    return place.emitError() << "unknown fields";
  SideReader sourceReader({place.file, place.rule, "source"}, from.src_op());
  SideReader targetReader({place.file, place.rule, "target"}, from.dst_op());
  FailureOr<Side> source = sourceReader.read();
  if (failed(source))
    return failure();
  FailureOr<Side> target = targetReader.read();
  if (failed(target))
    return failure();
  Rule rule;
  rule.number = place.rule;
  if (from.mapped_output().empty() || from.mapped_output_size() > maxOps)
    return place.emitError()
           << "expected 1 to " << maxOps << " outputs, but got "
           << from.mapped_output_size();
  SmallVector<TasoValue> sourceOutputs, targetOutputs;
  for (const file::MapOutput &output : from.mapped_output()) {
    if (!output.has_src_op_id() || !output.has_dst_op_id() ||
        !output.has_src_ts_id() || !output.has_dst_ts_id() ||
        !output.unknown_fields().empty())
      return place.emitError()
             << "an output that is not two pairs of an op and a result";
    if (output.src_op_id() < 0 || output.dst_op_id() < 0)
      return place.emitError()
             << "expected outputs that are results of ops, but got op "
             << std::min(output.src_op_id(), output.dst_op_id());
    FailureOr<TasoValue> sourceValue =
        sourceReader.readValue(output.src_op_id(), output.src_ts_id(), place);
    if (failed(sourceValue))
      return failure();
    FailureOr<TasoValue> targetValue =
        targetReader.readValue(output.dst_op_id(), output.dst_ts_id(), place);
    if (failed(targetValue))
      return failure();
    rule.outputs.push_back({*sourceValue, *targetValue});
    sourceOutputs.push_back(*sourceValue);
    targetOutputs.push_back(*targetValue);
  }
  if (failed(checkAllUsed(*source, sourceOutputs,
                          {place.file, place.rule, "source"})) ||
      failed(checkAllUsed(*target, targetOutputs,
                          {place.file, place.rule, "target"})))
    return failure();
  std::set<unsigned> known = collectInputs(*source);
  if (known.size() > maxInputs)
    return place.emitError() << "expected at most " << maxInputs
                             << " inputs, but got " << known.size();
  for (unsigned input : collectInputs(*target))
    if (!known.count(input))
      return place.emitError() << "the target reads input i" << input
                               << ", which the source does not";
  rule.source = std::move(*source);
  rule.target = std::move(*target);
  return rule;
}

FailureOr<std::vector<Rule>> tenon::taso::readRules(StringRef bytes,
                                                    Location file) {
  // Silence protobuf, which would print its own messages to stderr.
  static std::once_flag quiet;
  std::call_once(quiet, [] { google::protobuf::SetLogHandler(nullptr); });
  if (bytes.size() > INT_MAX)
    return emitError(file) << "the file has " << bytes.size()
                           << " bytes; expected at most " << INT_MAX;
  google::protobuf::io::CodedInputStream stream(
      reinterpret_cast<const uint8_t *>(bytes.data()),
      static_cast<int>(bytes.size()));
  std::vector<Rule> rules;
  bool anyFailed = false;
  for (unsigned number = 0; stream.CurrentPosition() < (int)bytes.size();
       ++number) {
    int start = stream.CurrentPosition();
    auto report = [&] {
      return emitError(file)
             << "rule " << number << ", at byte " << start << ": ";
    };
    // The tag of field 1, a message.
    constexpr uint32_t ruleTag = 1 << 3 | 2;
    if (uint32_t tag = stream.ReadTag(); tag != ruleTag)
      return report() << "not a file of TASO's rules: the file is damaged or "
                         "has another format";
    uint32_t length = 0;
    if (!stream.ReadVarint32(&length))
      return report() << "the file ends here";
    size_t begin = stream.CurrentPosition();
    if (length > bytes.size() - begin)
      return report() << "the file is truncated: the rule has " << length
                      << " bytes, but " << bytes.size() - begin << " are left";
    file::Rule message;
    if (!message.ParseFromArray(bytes.data() + begin, length))
      return report() << "the rule is damaged";
    stream.Skip(length);
    FailureOr<Rule> rule = readRule(message, {file, number});
    if (succeeded(rule))
      rules.push_back(std::move(*rule));
    anyFailed |= failed(rule);
  }
  if (anyFailed)
    return failure();
  if (rules.empty())
    return emitError(file) << "the file has no rules";
  return rules;
}
