//===- GraphToLinalg.cpp - graph functions as linalg on tensors -----------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprEmitter.h"
#include "tenon/Lower/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/DebugLog.h"

#include <map>

#define DEBUG_TYPE "graph-to-linalg"

namespace tenon::lower {
#define GEN_PASS_DEF_GRAPHTOLINALG
#include "tenon/Lower/Passes.h.inc"
} // namespace tenon::lower

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::lower;

namespace {
/// Returns the type with signless integers, as arith requires, and without
/// names of dimensions.
RankedTensorType convertType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  Type element = tensor.getElementType();
  if (auto integer = dyn_cast<IntegerType>(element))
    element = IntegerType::get(type.getContext(), integer.getWidth());
  return RankedTensorType::get(tensor.getShape(), element);
}

/// Rebuilds one function.
class FunctionConverter {
public:
  FunctionConverter(func::FuncOp function, Pass::Statistic &numConverted)
      : function(function), builder(function.getContext()),
        numConverted(numConverted) {}
  LogicalResult run();

private:
  LogicalResult visit(Operation *op);
  void visitConstant(ConstantOp op);
  Value buildGeneric(Operation *op, const IndexForm &form);
  Value buildEmpty(Location loc, ArrayRef<SymInt> shape, Type element);
  void bindSymbols(Value argument, Type type);

  func::FuncOp function;
  OpBuilder builder;
  Pass::Statistic &numConverted;
  IRMapping values;
  EmitContext context;
};

struct GraphToLinalgPass : lower::impl::GraphToLinalgBase<GraphToLinalgPass> {
  void runOnOperation() override {
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (!function.isExternal() &&
          failed(FunctionConverter(function, numConverted).run()))
        return signalPassFailure();
  }
};
} // namespace

void FunctionConverter::bindSymbols(Value argument, Type type) {
  for (auto [axis, size] : llvm::enumerate(getShape(type)))
    if (std::optional<StringRef> symbol = size.getSymbol())
      if (!context.symbols.contains(*symbol))
        context.symbols[*symbol] =
            tensor::DimOp::create(builder, argument.getLoc(), argument, axis);
}

Value FunctionConverter::buildEmpty(Location loc, ArrayRef<SymInt> shape,
                                    Type element) {
  ExprEmitter sizes(builder, loc, context);
  SmallVector<OpFoldResult> mixed;
  for (const SymInt &size : shape) {
    if (std::optional<int64_t> constant = size.getConstant())
      mixed.push_back(builder.getIndexAttr(*constant));
    else
      mixed.push_back(sizes.emitSize(size));
  }
  return tensor::EmptyOp::create(builder, loc, mixed, element);
}

/// Returns the variables that are the indices of a load, if each axis has a
/// different one.
static std::optional<SmallVector<unsigned>> getPermutedVars(const Expr &load) {
  SmallVector<unsigned> vars;
  for (const Expr &index : load->operands) {
    if (index.getKind() != ExprKind::Var ||
        llvm::is_contained(vars, index->var))
      return std::nullopt;
    vars.push_back(index->var);
  }
  return vars;
}

Value FunctionConverter::buildGeneric(Operation *op, const IndexForm &form) {
  Location loc = op->getLoc();
  MLIRContext *mlir = builder.getContext();
  unsigned rank = form.shape.size();
  Type stored = convertType(op->getResult(0).getType()).getElementType();

  // The loops are those of the result, then those of a reduction at the root.
  Expr body = form.body;
  bool reduces = body.getKind() == ExprKind::Reduce &&
                 stored == computeType(form.elementType);
  if (reduces)
    for (const Expr &extent : ArrayRef<Expr>(body->operands).drop_back(2))
      reduces &= extent.getKind() == ExprKind::Size;
  std::map<unsigned, unsigned> loopOf; // by variable; sorted for output
  for (unsigned axis = 0; axis < rank; ++axis)
    loopOf[axis] = axis;
  Shape extents;
  if (reduces)
    for (auto [number, var] : llvm::enumerate(body->vars)) {
      loopOf[var] = rank + number;
      extents.push_back(body->operands[number]->size);
    }
  unsigned loops = rank + extents.size();

  // Loads through a permutation of the loops become operands of the linalg op.
  // Other loads become tensor.extract ops.
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  llvm::DenseMap<const ExprNode *, unsigned> inputOf;
  llvm::DenseSet<unsigned> covered;
  walk(form.body, [&](Expr node) {
    if (node.getKind() != ExprKind::Load)
      return;
    std::optional<SmallVector<unsigned>> vars = getPermutedVars(node);
    if (!vars || !llvm::all_of(*vars, [&](unsigned var) {
          return loopOf.count(var) != 0;
        }))
      return;
    Value operand = op->getOperand(node->operand);
    Shape shape = getShape(operand);
    SmallVector<AffineExpr> axes;
    for (auto [axis, var] : llvm::enumerate(*vars)) {
      unsigned loop = loopOf[var];
      const SymInt &extent =
          loop < rank ? form.shape[loop] : extents[loop - rank];
      // A slice reads only a part of the axis, so that its loop is shorter.
      if (shape[axis] != extent)
        return;
      axes.push_back(getAffineDimExpr(loop, mlir));
    }
    for (unsigned var : *vars)
      covered.insert(loopOf[var]);
    inputOf[node.getPointer()] = inputs.size();
    inputs.push_back(values.lookup(operand));
    maps.push_back(AffineMap::get(loops, 0, axes, mlir));
  });
  // linalg infers the range of a loop from an operand. If no operand covers the
  // loop, add one without contents (upstream's poolings add their window in the
  // same way).
  SmallVector<AffineExpr> bare;
  Shape bareShape;
  for (unsigned loop = rank; loop < loops; ++loop)
    if (!covered.contains(loop)) {
      bare.push_back(getAffineDimExpr(loop, mlir));
      bareShape.push_back(extents[loop - rank]);
    }
  if (!bare.empty()) {
    inputs.push_back(buildEmpty(loc, bareShape, stored));
    maps.push_back(AffineMap::get(loops, 0, bare, mlir));
  }
  maps.push_back(
      AffineMap::getMultiDimIdentityMap(loops, mlir).getMajorSubMap(rank));

  Value init = buildEmpty(loc, form.shape, stored);
  if (reduces)
    init = linalg::FillOp::create(
               builder, loc,
               emitNeutral(builder, loc, body->reduce, form.elementType), init)
               .getResult(0);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.append(extents.size(), utils::IteratorType::reduction);

  auto generic = linalg::GenericOp::create(
      builder, loc, init.getType(), inputs, init, maps, iterators,
      [&](OpBuilder &b, Location, ValueRange arguments) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToEnd(b.getInsertionBlock());
        EmitContext inside = context;
        inside.loadElement = [&](ExprEmitter &emitter,
                                 const Expr &load) -> Value {
          auto input = inputOf.find(load.getPointer());
          Value raw;
          if (input != inputOf.end()) {
            raw = arguments[input->second];
          } else {
            SmallVector<Value> indices;
            for (const Expr &index : load->operands)
              indices.push_back(emitter.emitIndex(index));
            raw = tensor::ExtractOp::create(
                builder, loc, values.lookup(op->getOperand(load->operand)),
                indices);
          }
          if (raw.getType().isF16() || raw.getType().isBF16())
            raw =
                arith::ExtFOp::create(builder, loc, builder.getF32Type(), raw);
          return raw;
        };
        ExprEmitter emitter(builder, loc, inside);
        for (auto [var, loop] : loopOf)
          emitter.setVar(var, linalg::IndexOp::create(builder, loc, loop));
        Value result;
        if (reduces) {
          // Elements outside the guard are replaced by the neutral element.
          result = emitter.emitGuarded(
              body->operands[body->vars.size()], body->operands.back(),
              emitNeutral(builder, loc, body->reduce, form.elementType));
          result = emitter.combine(body->reduce, form.elementType,
                                   arguments.back(), result);
        } else {
          result = emitter.emitElement(body);
        }
        if (result.getType() != stored)
          result = arith::TruncFOp::create(builder, loc, stored, result);
        linalg::YieldOp::create(builder, loc, result);
      });
  return generic.getResult(0);
}

void FunctionConverter::visitConstant(ConstantOp op) {
  auto type = convertType(op.getType());
  ElementsAttr data = op.getValue();
  if (auto dense = dyn_cast<DenseElementsAttr>(data))
    data = dense.bitcast(type.getElementType());
  values.map(op.getResult(), arith::ConstantOp::create(builder, op.getLoc(),
                                                       cast<TypedAttr>(data)));
}

LogicalResult FunctionConverter::visit(Operation *op) {
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    visitConstant(constant);
    return success();
  }
  if (isa<ParameterOp>(op))
    return success();
  auto indexed = dyn_cast<IndexFormInterface>(op);
  if (!indexed)
    return op->emitOpError()
           << (isa<DecomposableInterface>(op)
                   ? "is a composite: run --graph-decompose first"
                   : "has no index form, so that linalg can't express it");
  for (Type type : op->getResultTypes())
    for (const SymInt &size : getShape(type)) {
      bool bound = !size.isUnknown();
      size.visitSymbols(
          [&](StringRef symbol) { bound &= context.symbols.contains(symbol); });
      if (!bound)
        return op->emitOpError() << "has a size, '" << size.str()
                                 << "', that no argument's shape gives";
    }
  for (auto [result, form] :
       llvm::zip(op->getResults(), indexed.getIndexForms())) {
    Value built = buildGeneric(op, form);
    auto wanted = convertType(result.getType());
    if (built.getType() != wanted)
      built = tensor::CastOp::create(builder, op->getLoc(), wanted, built);
    values.map(result, built);
  }
  LDBG() << op->getName() << " at " << op->getLoc();
  ++numConverted;
  return success();
}

LogicalResult FunctionConverter::run() {
  // Parameters become arguments of the same name.
  SmallVector<ParameterOp> parameters;
  function.walk([&](ParameterOp op) { parameters.push_back(op); });
  Block &old = function.getBody().front();
  SmallVector<Type> arguments, results;
  SmallVector<Location> locations;
  for (BlockArgument argument : old.getArguments()) {
    arguments.push_back(convertType(argument.getType()));
    locations.push_back(argument.getLoc());
  }
  for (ParameterOp parameter : parameters) {
    arguments.push_back(convertType(parameter.getType()));
    locations.push_back(parameter.getLoc());
  }
  for (Type type : function.getResultTypes())
    results.push_back(convertType(type));

  Block *block = builder.createBlock(
      &function.getBody(), function.getBody().end(), arguments, locations);
  for (auto [from, to] : llvm::zip(old.getArguments(), block->getArguments()))
    values.map(from, to);
  for (auto [number, parameter] : llvm::enumerate(parameters))
    values.map(parameter.getResult(),
               block->getArgument(old.getNumArguments() + number));
  for (BlockArgument argument : old.getArguments())
    bindSymbols(values.lookup(argument), argument.getType());
  for (Operation &op : old.without_terminator())
    if (failed(visit(&op)))
      return failure();
  SmallVector<Value> returned;
  for (Value value : old.getTerminator()->getOperands())
    returned.push_back(values.lookup(value));
  func::ReturnOp::create(builder, old.getTerminator()->getLoc(), returned);

  // Copy the names, because the ops that hold them are erased with the block.
  SmallVector<DictionaryAttr> attributes;
  for (BlockArgument argument : old.getArguments())
    attributes.push_back(function.getArgAttrDict(argument.getArgNumber()));
  for (ParameterOp parameter : parameters)
    attributes.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
        "graph.name", builder.getStringAttr(parameter.getName()))));
  old.dropAllReferences();
  old.erase();
  function.setType(builder.getFunctionType(arguments, results));
  function.setAllArgAttrs(attributes);
  return success();
}
