//===- NodeContext.h - access of converters to their nodes ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_ONNX_NODECONTEXT_H
#define TENON_LIB_IMPORT_ONNX_NODECONTEXT_H

#include "GraphImporter.h"

namespace tenon::onnx {

/// A node under conversion: builds ops at its location, reads its inputs and
/// attributes, and sets its outputs.
class NodeContext : public GraphBuilder {
public:
  NodeContext(GraphImporter &importer, const NodeProto &node, Scope &scope,
              int64_t opset, llvm::ArrayRef<ImportedValue *> inputs,
              mlir::Location loc)
      : GraphBuilder(importer.getBuilder(), loc), importer(importer),
        node(node), scope(scope), opset(opset),
        inputs(inputs.begin(), inputs.end()), outputs(node.output_size()) {}

  GraphImporter &getImporter() { return importer; }
  const NodeProto &getNode() const { return node; }
  Scope &getScope() { return scope; }
  /// The version of the node's domain.
  int64_t getOpset() const { return opset; }
  llvm::StringRef getOp() const { return node.op_type(); }

  //===--------------------------------------------------------------------===//
  // Inputs
  //===--------------------------------------------------------------------===//

  size_t numInputs() const { return inputs.size(); }
  bool has(size_t i) const { return i < inputs.size() && inputs[i]; }
  ImportedValue *getImported(size_t i) { return inputs[i]; }
  /// The operand; an error if it is absent.
  mlir::Value data(size_t i);
  /// All inputs as operands; an error if one is absent.
  llvm::SmallVector<mlir::Value> allData();
  /// The operand; null if it is absent.
  mlir::Value dataIfPresent(size_t i) {
    return has(i) ? data(i) : mlir::Value();
  }
  /// The input's fact; null if it is absent or not known at import.
  const FactTensor *fact(size_t i);
  /// The input as a progression; also for short vectors with known elements.
  std::optional<Progression> progression(size_t i);
  /// The type of an input, which must be present.
  mlir::RankedTensorType type(size_t i);
  graph::Shape shape(size_t i) { return graph::getShape(type(i)); }
  int64_t rank(size_t i) { return type(i).getRank(); }
  using GraphBuilder::type;

  /// A list of sizes that must be known at import; `what` describes it in
  /// errors.
  mlir::FailureOr<graph::Shape> sizes(size_t i, llvm::StringRef what);
  /// The same for constant integers.
  mlir::FailureOr<llvm::SmallVector<int64_t>> integers(size_t i,
                                                       llvm::StringRef what);
  mlir::FailureOr<llvm::SmallVector<double>> numbers(size_t i,
                                                     llvm::StringRef what);
  mlir::FailureOr<int64_t> integerInput(size_t i, llvm::StringRef what);
  mlir::FailureOr<double> numberInput(size_t i, llvm::StringRef what);

  //===--------------------------------------------------------------------===//
  // Attributes
  //===--------------------------------------------------------------------===//

  const AttributeProto *find(llvm::StringRef name) const;
  bool hasAttr(llvm::StringRef name) const { return find(name) != nullptr; }
  int64_t intAttr(llvm::StringRef name, int64_t otherwise) const;
  double floatAttr(llvm::StringRef name, double otherwise) const;
  llvm::StringRef stringAttr(llvm::StringRef name,
                             llvm::StringRef otherwise) const;
  std::optional<llvm::SmallVector<int64_t>>
  intsAttr(llvm::StringRef name) const;
  std::optional<llvm::SmallVector<double>>
  floatsAttr(llvm::StringRef name) const;
  llvm::SmallVector<std::string> stringsAttr(llvm::StringRef name) const;

  /// Returns the axis in [0, rank); an error if it is out of range.
  mlir::FailureOr<int64_t> axis(int64_t value, int64_t rank);
  mlir::FailureOr<int64_t> axisAttr(llvm::StringRef name, int64_t otherwise,
                                    int64_t rank) {
    return axis(intAttr(name, otherwise), rank);
  }
  /// Returns ascending and distinct axes.
  mlir::FailureOr<llvm::SmallVector<int64_t>>
  axes(llvm::ArrayRef<int64_t> values, int64_t rank);

  //===--------------------------------------------------------------------===//
  // Outputs
  //===--------------------------------------------------------------------===//

  struct Output {
    mlir::Value data;
    std::shared_ptr<const FactTensor> fact;
    bool dependsOnWeights = false;
    const OnnxTensor *constant = nullptr;
    std::shared_ptr<const Progression> progression;
    std::shared_ptr<const TensorSequence> sequence;
    mlir::Value stackedElements;
    ImportedValue *alias = nullptr;
  };
  size_t numOutputs() const { return outputs.size(); }
  bool wants(size_t i) const {
    return i < outputs.size() && !node.output(i).empty();
  }
  Output &getOutput(size_t i) { return outputs[i]; }
  /// Sets outputs in order; fails if one is null.
  mlir::LogicalResult finish(llvm::ArrayRef<mlir::Value> results);
  mlir::LogicalResult finish(mlir::Value result) {
    return finish(llvm::ArrayRef<mlir::Value>(result));
  }
  /// Sets output 0 to a fact known at import.
  mlir::LogicalResult finish(FactTensor fact);

  /// What a value that is no constant depends on, for a message.
  llvm::StringRef whatDecides(ImportedValue &value);
  /// Emits an error and returns failure.
  mlir::LogicalResult fail(const llvm::Twine &message) {
    error(message);
    return mlir::failure();
  }

private:
  GraphImporter &importer;
  const NodeProto &node;
  Scope &scope;
  int64_t opset;
  llvm::SmallVector<ImportedValue *> inputs;
  std::vector<Output> outputs;
};

} // namespace tenon::onnx

#endif // TENON_LIB_IMPORT_ONNX_NODECONTEXT_H
