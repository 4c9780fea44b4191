//===- Model.cpp - parsing and checking of ONNX files ---------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include "tenon/Import/Onnx.h"

#include "google/protobuf/stubs/logging.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <climits>
#include <mutex>
#include <queue>

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;

LogicalResult tenon::onnx::parseModel(StringRef bytes, Location loc,
                                      ModelProto &model) {
  // Silence protobuf, which would print its own messages to stderr.
  static std::once_flag quiet;
  std::call_once(quiet, [] { google::protobuf::SetLogHandler(nullptr); });
  if (bytes.size() > INT_MAX)
    return emitError(loc) << "the model has " << bytes.size()
                          << " bytes; expected at most " << INT_MAX
                          << " (larger models keep their weights in external "
                             "data)";
  // protobuf limits nesting to 100 levels.
  if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return emitError(loc) << "not an ONNX model: the file is damaged or has "
                             "another format";
  if (!model.has_graph())
    return emitError(loc) << "not an ONNX model: it has no graph";
  return success();
}

FailureOr<Opsets> tenon::onnx::readOpsets(
    const google::protobuf::RepeatedPtrField<OperatorSetIdProto> &imports,
    Location loc) {
  Opsets opsets;
  for (const OperatorSetIdProto &import : imports)
    opsets[canonicalDomain(import.domain())] = import.version();
  auto standard = opsets.find("");
  if (standard == opsets.end())
    return opsets;
  int64_t version = standard->second;
  if (version < oldestOnnxOpset || version > newestOnnxOpset) {
    emitError(loc) << "opset " << version << " is not supported; expected "
                   << oldestOnnxOpset << " to " << newestOnnxOpset;
    return failure();
  }
  return opsets;
}

std::string tenon::onnx::nodeName(const NodeProto &node) {
  if (!node.name().empty())
    return node.name();
  for (const std::string &output : node.output())
    if (!output.empty())
      return output;
  return "";
}

/// Calls `visit` for every value that the node reads, including the outer
/// values that its subgraphs use (and, harmlessly, those they define).
static void visitUses(const NodeProto &node,
                      llvm::function_ref<void(StringRef)> visit) {
  for (const std::string &input : node.input())
    visit(input);
  for (const AttributeProto &attr : node.attribute()) {
    if (!attr.has_g())
      continue;
    for (const NodeProto &inner : attr.g().node())
      visitUses(inner, visit);
    for (const ValueInfoProto &output : attr.g().output())
      visit(output.name());
  }
}

FailureOr<SmallVector<const NodeProto *>>
tenon::onnx::sortNodes(const NodeList &nodes, ArrayRef<StringRef> defined,
                       Location loc) {
  llvm::StringSet<> given;
  for (StringRef name : defined)
    given.insert(name);
  llvm::StringMap<int> producer;
  bool failed = false;
  for (int i = 0; i < nodes.size(); ++i)
    for (const std::string &output : nodes[i].output()) {
      if (output.empty())
        continue;
      if (given.contains(output) || !producer.try_emplace(output, i).second) {
        emitError(loc) << "value '" << output << "' is defined twice, the "
                       << "second time by node '" << nodeName(nodes[i]) << "' ("
                       << nodes[i].op_type() << ")";
        failed = true;
      }
    }
  if (failed)
    return failure();

  // Kahn's algorithm. It takes the ready node with the smallest position first,
  // which preserves the order of sorted files.
  std::vector<int> waiting(nodes.size(), 0);
  std::vector<std::vector<int>> users(nodes.size());
  for (int i = 0; i < nodes.size(); ++i) {
    llvm::SmallSetVector<int, 4> sources;
    visitUses(nodes[i], [&](StringRef name) {
      auto found = producer.find(name);
      if (found != producer.end())
        sources.insert(found->second);
    });
    for (int source : sources) {
      ++waiting[i];
      users[source].push_back(i);
    }
  }
  std::priority_queue<int, std::vector<int>, std::greater<int>> ready;
  for (int i = 0; i < nodes.size(); ++i)
    if (!waiting[i])
      ready.push(i);
  SmallVector<const NodeProto *> order;
  while (!ready.empty()) {
    int next = ready.top();
    ready.pop();
    order.push_back(&nodes[next]);
    for (int user : users[next])
      if (!--waiting[user])
        ready.push(user);
  }
  if (order.size() == static_cast<size_t>(nodes.size()))
    return order;
  for (int i = 0; i < nodes.size(); ++i)
    if (waiting[i]) {
      emitError(loc) << "the graph has a cycle through node '"
                     << nodeName(nodes[i]) << "' (" << nodes[i].op_type()
                     << ")";
      break;
    }
  return failure();
}
