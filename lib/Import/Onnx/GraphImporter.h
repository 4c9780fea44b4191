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

#include "tenon/Dialect/Graph/IR/SizeConditions.h"
#include "tenon/Import/Onnx.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSet.h"

#include <deque>

namespace tenon::onnx {

struct ImportedValue;
/// The elements of a sequence, whose length is known.
using TensorSequence = std::vector<ImportedValue *>;

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
  /// What is known beside `data` of a vector.
  std::shared_ptr<const Progression> progression;
  /// Set for sequences of as many elements as `stackedElements` has rows, which
  /// have nothing of the others.
  mlir::Value stackedElements;
  /// Set for sequences, which have nothing of the above.
  std::shared_ptr<const TensorSequence> sequence;
  /// Its node could not be converted; what depends on it is skipped.
  bool poisoned = false;
  bool factWasTried = false;

  bool isSequence() const { return sequence || stackedElements; }
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
  /// The same for one step of a loop. All steps of all loops, nested ones
  /// included, count towards `maxUnrolledNodes` and `maxUnrolledOps`; beyond,
  /// an error names them. Fails also if an output could not be converted.
  mlir::FailureOr<llvm::SmallVector<ImportedValue *>>
  unrollStep(const GraphProto &graph, Scope &parent,
             llvm::ArrayRef<ImportedValue *> inputs);
  /// The same for a step that is dropped again, to see what is known of its
  /// outputs at import: nothing is said of its errors, and its ops are erased.
  mlir::FailureOr<llvm::SmallVector<ImportedValue *>>
  tryStep(const GraphProto &graph, Scope &parent,
          llvm::ArrayRef<ImportedValue *> inputs);
  /// A symbol for the number of a step, which no other has.
  std::string newStepName() { return "$step" + std::to_string(numSteps++); }
  mlir::Block &getEntryBlock() { return function.getBody().front(); }
  /// A condition of the artifact, which `node` demands: `value` at least 0.
  void require(const graph::SymInt &value, NodeContext &node,
               const llvm::Twine &text);
  static constexpr int64_t maxUnrolledNodes = 1 << 16, maxUnrolledOps = 1 << 18;

private:
  /// Counts the ops that are made.
  struct OpCounter : mlir::OpBuilder::Listener {
    void notifyOperationInserted(mlir::Operation *,
                                 mlir::OpBuilder::InsertPoint) override {
      ++count;
    }
    int64_t count = 0;
  };
  mlir::LogicalResult checkUnrolled();

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
  mlir::LogicalResult checkSizesUsed();
  /// The size that an axis is fixed to, by the model's or by our name of it.
  std::optional<int64_t> findSize(llvm::StringRef dimParam,
                                  llvm::StringRef symbol);
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
  /// Of `options.sizes`: those that are the size of some axis.
  llvm::StringSet<> usedSizes;
  /// What evaluating facts demands of sizes.
  llvm::SmallVector<graph::SizeCondition> conditions;
  /// The last constant, which further ones follow.
  mlir::Operation *lastConstant = nullptr;
  unsigned depth = 0;
  /// Loops that are open, and what their steps were and made so far.
  unsigned openLoops = 0;
  int64_t unrolledNodes = 0, unrolledOps = 0, opsBeforeLoop = 0;
  OpCounter opCounter;
  unsigned numSteps = 0;
  bool failed = false;
};

} // namespace tenon::onnx

#endif // TENON_LIB_IMPORT_ONNX_GRAPHIMPORTER_H
