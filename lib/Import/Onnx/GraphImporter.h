//===- GraphImporter.h - conversion of ONNX graphs to functions -----------===//
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
/// The elements of a sequence with a known length.
using TensorSequence = std::vector<ImportedValue *>;

/// A value of the model, as far as the importer knows it. It becomes an SSA
/// value only when an op reads it.
struct ImportedValue {
  ImportedValue(std::string name, mlir::Location loc)
      : name(std::move(name)), loc(loc) {}

  std::string name;
  mlir::Location loc;
  mlir::Value data;
  std::shared_ptr<const FactTensor> fact;
  /// A constant that the importer owns.
  const OnnxTensor *constant = nullptr;
  /// The elements of the vector `data`, if they are a progression.
  std::shared_ptr<const Progression> progression;
  /// Set for sequences with one element per row of `stackedElements`. The other
  /// members are then not used.
  mlir::Value stackedElements;
  /// Set for other sequences. The members above are then not used.
  std::shared_ptr<const TensorSequence> sequence;
  /// The value's node could not be converted; nodes that depend on it are
  /// skipped.
  bool poisoned = false;
  bool factWasTried = false;
  bool isInitializer = false;
  /// `data` is computed from weights: `fact` says what it is before training.
  bool dependsOnWeights = false;

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

  /// Returns the value as an operand; null after an error.
  mlir::Value materialize(ImportedValue &value);
  /// Whether the value is an initializer that is a weight however small it is,
  /// or computed from one: ops on it are not only computed during the import.
  bool isWeight(const ImportedValue &value) const;
  /// The initializer of which an exporter wrote a second, transposed copy; null
  /// if `tensor` is no such copy.
  ImportedValue *findOriginal(const OnnxTensor &tensor) const;
  /// Whether a node reads the value, or a result of a subgraph or a function
  /// has its name.
  bool isRead(llvm::StringRef name) const { return namesRead.contains(name); }
  /// The initializer `name` if the legacy exporter of PyTorch merged it with
  /// `value`, which has equal elements: an Identity has its name then.
  /// Otherwise `value`.
  ImportedValue *findUnmerged(ImportedValue *value, llvm::StringRef name);
  bool trainsBatchNorms() const { return options.trainsBatchNorms; }
  /// A batch norm with training_mode = 1, for a message about all of them.
  void addTrainingNorm(NodeContext &node);
  /// Returns null if the value is not known at import.
  const FactTensor *getFact(ImportedValue &value);
  mlir::RankedTensorType getType(ImportedValue &value);

  /// Creates values without a name in the model.
  ImportedValue *newValue(mlir::Value data, mlir::Location loc);
  ImportedValue *newValue(FactTensor fact, mlir::Location loc);

  /// Converts a graph inside `parent` with these inputs, and returns its
  /// outputs.
  mlir::FailureOr<llvm::SmallVector<ImportedValue *>>
  inlineGraph(const GraphProto &graph, Scope &parent,
              llvm::ArrayRef<ImportedValue *> inputs = {});
  /// The same for one step of a loop. All steps of all loops, including nested
  /// ones, count towards `maxUnrolledNodes` and `maxUnrolledOps`; beyond these
  /// limits an error is reported. Also fails if an output could not be
  /// converted.
  mlir::FailureOr<llvm::SmallVector<ImportedValue *>>
  unrollStep(const GraphProto &graph, Scope &parent,
             llvm::ArrayRef<ImportedValue *> inputs);
  /// Converts a step temporarily to find out which of its outputs are known at
  /// import. Its errors are not reported, and its ops are erased.
  mlir::FailureOr<llvm::SmallVector<ImportedValue *>>
  tryStep(const GraphProto &graph, Scope &parent,
          llvm::ArrayRef<ImportedValue *> inputs);
  /// Returns a unique symbol for the number of a step.
  std::string newStepName() { return "$step" + std::to_string(numSteps++); }
  mlir::Block &getEntryBlock() { return function.getBody().front(); }
  /// Constants that other values may use later end with it; null without any.
  mlir::Operation *getLastConstant() const { return lastConstant; }
  /// Adds a condition of the artifact, which `node` requires: `value` is at
  /// least 0.
  void require(const graph::SymInt &value, NodeContext &node,
               const llvm::Twine &text);
  static constexpr int64_t maxUnrolledNodes = 1 << 16, maxUnrolledOps = 1 << 18;

private:
  /// Counts the ops that are created.
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
  /// Returns a node's outputs if all of its inputs are known; weights count as
  /// they are now.
  std::optional<std::vector<FactTensor>> evaluateNode(const NodeProto &node,
                                                      NodeContext &context);
  mlir::LogicalResult convertNode(const NodeProto &node, Scope &scope,
                                  NodeContext &context);
  mlir::LogicalResult inlineFunction(const FunctionProto &function,
                                     NodeContext &context);
  /// Gives batch norms that share statistics, because an exporter merged them,
  /// parameters of their own.
  void separateStatistics();
  /// A name that no other parameter has.
  std::string makeParamName(llvm::StringRef name);
  /// Says once how batch norms with training_mode = 1 were imported.
  void reportTrainingNorms();
  mlir::LogicalResult finishFunction(const GraphProto &graph, Scope &scope);
  mlir::LogicalResult writeParams();
  mlir::LogicalResult applyBinds(const GraphProto &graph);
  mlir::FailureOr<graph::Shape> readShape(const ValueInfoProto &input,
                                          const TensorShapeProto &shape);
  mlir::FailureOr<mlir::RankedTensorType>
  readInputType(const ValueInfoProto &input);
  mlir::LogicalResult checkSizesUsed();
  /// Returns the fixed size of an axis, by the model's or the importer's name.
  std::optional<int64_t> findSize(llvm::StringRef dimParam,
                                  llvm::StringRef symbol);
  /// Returns the graph dialect's symbol for a dimension's name.
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
  /// Bodies of functions with bound attributes.
  std::vector<std::unique_ptr<NodeList>> inlinedNodes;
  std::vector<const OnnxTensor *> params;
  llvm::StringSet<> paramNames;
  llvm::StringMap<std::string> symbols;
  llvm::StringSet<> symbolNames;
  llvm::StringMap<int64_t> boundSymbols;
  /// The names in `options.sizes` that are the size of some axis.
  llvm::StringSet<> usedSizes;
  /// Conditions on sizes from the evaluation of facts.
  llvm::SmallVector<graph::SizeCondition> conditions;
  /// Initializers of the model's graph: slopes of PRelu, what is only off and
  /// on of OneHot, and matrices with names of the author.
  llvm::StringSet<> slopes, switches;
  std::vector<ImportedValue *> matrices;
  /// Names of values that nodes read, in all graphs and functions.
  llvm::StringSet<> namesRead;
  /// The results of `findUnmerged`, by name.
  llvm::StringMap<ImportedValue *> unmergedValues;
  /// Nodes, each with the name of its stored mean.
  std::vector<std::pair<std::string, std::string>> trainingNorms;
  /// The last constant; new ones are inserted after it.
  mlir::Operation *lastConstant = nullptr;
  unsigned depth = 0;
  /// The number of open loops, and the nodes and ops of their steps so far.
  unsigned openLoops = 0;
  int64_t unrolledNodes = 0, unrolledOps = 0, opsBeforeLoop = 0;
  OpCounter opCounter;
  unsigned numSteps = 0;
  bool failed = false;
};

} // namespace tenon::onnx

#endif // TENON_LIB_IMPORT_ONNX_GRAPHIMPORTER_H
