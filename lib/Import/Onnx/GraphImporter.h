//===- GraphImporter.h - an ONNX graph becomes a function -----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_ONNX_GRAPHIMPORTER_H
#define TENON_LIB_IMPORT_ONNX_GRAPHIMPORTER_H

#include "../GraphBuilder.h"
#include "Facts.h"
#include "Model.h"
#include "Tensor.h"

#include "tenon/Import/Onnx.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

#include <deque>

namespace tenon::onnx {

/// What is known of one value of the model. Made into an SSA value only when an
/// op reads it.
struct ImportedValue {
  ImportedValue(std::string name, mlir::Location loc)
      : name(std::move(name)), loc(loc) {}

  std::string name;
  mlir::Location loc;
  mlir::Value data;
  std::shared_ptr<const FactTensor> fact;
  /// Owned by the importer.
  const OnnxTensor *constant = nullptr;
  /// Its node could not be converted; what depends on it is skipped.
  bool poisoned = false;
  bool factWasTried = false;
};

/// The names visible at a node.
struct Scope {
  Scope *parent = nullptr;
  llvm::StringMap<ImportedValue *> values;
  const Opsets *opsets = nullptr;

  ImportedValue *find(llvm::StringRef name) const;
};

class NodeContext;

class GraphImporter {
public:
  GraphImporter(const ModelProto &model, llvm::StringRef fileName,
                llvm::StringRef directory, mlir::MLIRContext *context,
                const OnnxImportOptions &options);

  mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> import();

  //===--------------------------------------------------------------------===//
  // For converters
  //===--------------------------------------------------------------------===//

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::MLIRContext *getContext() { return builder.getContext(); }
  ExternalFiles &getFiles() { return files; }
  const OnnxTensor *own(OnnxTensor tensor);

  /// The value as an operand; null after an error.
  mlir::Value materialize(ImportedValue &value);
  /// Null where the value is not known at import.
  const FactTensor *getFact(ImportedValue &value);
  mlir::RankedTensorType getType(ImportedValue &value);

  /// Values that no name of the model stands for.
  ImportedValue *newValue(mlir::Value data, mlir::Location loc);
  ImportedValue *newValue(FactTensor fact, mlir::Location loc);

  /// Converts a graph inside `parent` with these inputs, and gives its outputs.
  mlir::FailureOr<llvm::SmallVector<ImportedValue *>>
  inlineGraph(const GraphProto &graph, Scope &parent,
              llvm::ArrayRef<ImportedValue *> inputs = {});

private:
  mlir::LogicalResult importInputs(const GraphProto &graph, Scope &scope);
  mlir::LogicalResult importInitializers(const GraphProto &graph, Scope &scope);
  mlir::LogicalResult importNodes(const NodeList &nodes, Scope &scope);
  void importNode(const NodeProto &node, Scope &scope, size_t position);
  mlir::LogicalResult convertNode(const NodeProto &node, Scope &scope,
                                  NodeContext &context);
  mlir::LogicalResult inlineFunction(const FunctionProto &function,
                                     NodeContext &context);
  mlir::LogicalResult finishFunction(const GraphProto &graph, Scope &scope);
  mlir::LogicalResult writeParams();
  mlir::LogicalResult applyBinds(const GraphProto &graph);
  mlir::FailureOr<graph::Shape> readShape(const ValueInfoProto &input,
                                          const TensorShapeProto &shape);
  mlir::FailureOr<mlir::RankedTensorType>
  readInputType(const ValueInfoProto &input);
  /// A symbol of the graph dialect for a dimension's name.
  std::string symbolFor(llvm::StringRef dimParam);

  ImportedValue *define(llvm::StringRef name, mlir::Location loc, Scope &scope);
  mlir::Location nodeLoc(const NodeProto &node, size_t position);
  mlir::Value materializeFact(const FactTensor &fact, mlir::Location loc);

  const ModelProto &model;
  const OnnxImportOptions &options;
  std::string fileName;
  mlir::OpBuilder builder;
  mlir::Location fileLoc;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  ExternalFiles files;
  Opsets opsets;
  std::deque<ImportedValue> values;
  std::deque<OnnxTensor> tensors;
  /// Bodies of functions with their attributes bound.
  std::vector<std::unique_ptr<NodeList>> inlinedNodes;
  std::vector<const OnnxTensor *> params;
  llvm::StringSet<> paramNames;
  llvm::StringMap<std::string> symbols;
  llvm::StringSet<> symbolNames;
  llvm::StringMap<int64_t> boundSymbols;
  /// The last constant, which further ones follow.
  mlir::Operation *lastConstant = nullptr;
  unsigned depth = 0;
  bool failed = false;
};

} // namespace tenon::onnx

#endif // TENON_LIB_IMPORT_ONNX_GRAPHIMPORTER_H
