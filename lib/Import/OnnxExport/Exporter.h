//===- Exporter.h - export of functions as ONNX graphs --------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TENON_LIB_IMPORT_ONNXEXPORT_EXPORTER_H
#define TENON_LIB_IMPORT_ONNXEXPORT_EXPORTER_H

#include "onnx.pb.h"

#include "tenon/Artifact/OutputFile.h"
#include "tenon/Artifact/Safetensors.h"
#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Import/OnnxExport.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace tenon::onnx {

using Names = std::vector<std::string>;

class Exporter {
public:
  Exporter(mlir::func::FuncOp function, const OnnxExportOptions &options)
      : function(function), options(options), graph(*model.mutable_graph()) {}

  mlir::LogicalResult run(llvm::StringRef path);

  //===--------------------------------------------------------------------===//
  // Interface for the emitters of ops
  //===--------------------------------------------------------------------===//

  /// Returns the name of a value in the model; emits its node on demand.
  std::string name(mlir::Value value);
  Names names(mlir::ValueRange values);
  /// Sets the name of `value`.
  void bind(mlir::Value value, std::string name);
  std::string fresh(llvm::StringRef hint);

  /// Adds a node. The first form returns the new name of its single output.
  std::string node(llvm::StringRef op, const Names &inputs);
  NodeProto &addNode(llvm::StringRef op, const Names &inputs,
                     const Names &outputs);
  /// The last node, to add attributes.
  NodeProto &last() { return *graph.mutable_node(graph.node_size() - 1); }
  static void set(NodeProto &node, llvm::StringRef name, int64_t value);
  static void set(NodeProto &node, llvm::StringRef name, double value);
  static void set(NodeProto &node, llvm::StringRef name,
                  llvm::ArrayRef<int64_t> values);
  static void set(NodeProto &node, llvm::StringRef name, llvm::StringRef value);

  /// Emit constants; equal ones share an initializer.
  std::string integers(llvm::ArrayRef<int64_t> values);
  std::string integer(int64_t value);
  std::string number(double value, mlir::Type elementType);
  std::string floats(llvm::ArrayRef<double> values);
  /// Emits a vector of sizes: a constant, or computed from the inputs' shapes.
  std::string sizes(llvm::ArrayRef<graph::SymInt> values);
  /// Emits one size as a vector of one element.
  std::string size(const graph::SymInt &value);

  /// Emits a cast; `onnxType` is ONNX's number of the type.
  std::string cast(const std::string &x, mlir::Type elementType);
  void requireOpset(int64_t version) { opset = std::max(opset, version); }

private:
  mlir::LogicalResult emit(mlir::Operation &op);
  mlir::LogicalResult addInputs();
  mlir::LogicalResult addOutputs();
  bool addParameter(graph::ParameterOp op);
  void addConstant(graph::ConstantOp op);
  void setType(ValueInfoProto &info, mlir::Type type);
  std::string symbol(llvm::StringRef name);
  std::string atom(const graph::SymInt::Atom &atom);
  mlir::LogicalResult write(llvm::StringRef path);
  artifact::Status writeWeights(artifact::OutputFile &data,
                                llvm::StringRef name);

  mlir::func::FuncOp function;
  const OnnxExportOptions &options;
  ModelProto model;
  GraphProto &graph;
  int64_t opset = 18;
  llvm::DenseMap<mlir::Value, std::string> valueNames;
  llvm::StringSet<> used;
  unsigned counter = 0;
  llvm::StringMap<std::string> constants, symbols;
  /// Names reserved for the outputs, by number.
  llvm::DenseMap<unsigned, std::string> reserved;
  std::optional<artifact::SafetensorsFile> params;
  std::vector<std::pair<TensorProto *, const artifact::SafetensorsEntry *>>
      weights;
  bool failed = false;
};

/// Emits one op and binds its results; returns false if there is no operator
/// for it.
bool emitElementwise(Exporter &e, mlir::Operation *op);
bool emitLinear(Exporter &e, mlir::Operation *op);
bool emitMovement(Exporter &e, mlir::Operation *op);
bool emitReduction(Exporter &e, mlir::Operation *op);

} // namespace tenon::onnx

#endif // TENON_LIB_IMPORT_ONNXEXPORT_EXPORTER_H
