//===- GraphDialect.cpp - registration, types and attributes --------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpenBodies.h"
#include "Registration.h"
#include "SizeSamples.h"
#include "tenon/Dialect/Graph/IR/GraphAssembly.h"
#include "tenon/Dialect/Graph/IR/SizeConditions.h"
#include "tenon/Dialect/Graph/IR/SizeFacts.h"
#include "tenon/Dialect/Graph/IR/StateOps.h"
#include "tenon/Support/DialectVersion.h"
#include "tenon/Support/Numerics.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/RWMutex.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

#include "tenon/Dialect/Graph/IR/GraphDialect.cpp.inc"
#include "tenon/Dialect/Graph/IR/GraphEnums.cpp.inc"
#include "tenon/Dialect/Graph/IR/GraphInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "tenon/Dialect/Graph/IR/GraphAttrs.cpp.inc"

/// Entries are never moved or removed.
struct GraphDialect::Expressions {
  llvm::sys::SmartRWMutex<true> mutex;
  llvm::DenseMap<StringAttr, std::unique_ptr<const SymInt>> values;
};

const SymInt &GraphDialect::getExpression(StringAttr text) {
  {
    llvm::sys::SmartScopedReader<true> lock(expressions->mutex);
    auto it = expressions->values.find(text);
    if (it != expressions->values.end())
      return *it->second;
  }
  // The value is that of the text wherever it stands.
  NoSizeAssumptions everywhere;
  auto value = std::make_unique<const SymInt>(
      SymInt::parse(text.getValue()).value_or(SymInt::unknown()));
  llvm::sys::SmartScopedWriter<true> lock(expressions->mutex);
  return *expressions->values.try_emplace(text, std::move(value)).first->second;
}

void GraphDialect::initialize() {
  expressions = std::make_shared<Expressions>();
  registerOps(*this);
  addOperations<
#define GET_OP_LIST
#include "tenon/Dialect/Graph/IR/StateOps.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tenon/Dialect/Graph/IR/GraphAttrs.cpp.inc"
      >();
  registerBytecode(*this);
  addInterfaces<OpenBodies>();
}

Operation *GraphDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, elements);
}

LogicalResult GraphDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attr) {
  if (attr.getName() == getParamsAttrHelper().getName()) {
    if (!isa<ModuleOp>(op) || !isa<StringAttr>(attr.getValue()))
      return op->emitError() << "'graph.params' must be a string on a module";
    return success();
  }
  if (attr.getName() == getVersionAttrHelper().getName()) {
    auto version = dyn_cast<VersionAttr>(attr.getValue());
    if (!isa<ModuleOp>(op) || !version ||
        version.getNumber() != kDialectVersion)
      return op->emitError() << "'graph.version' must be #graph.version<"
                             << kDialectVersion << "> on a module";
    return success();
  }
  if (attr.getName() == "graph.precision") {
    auto name = dyn_cast<StringAttr>(attr.getValue());
    std::optional<Precision> precision;
    if (name)
      precision = parsePrecision(name);
    if (!isa<ModuleOp>(op) ||
        (precision != Precision::F16 && precision != Precision::BF16))
      return op->emitError()
             << "'graph.precision' must be \"f16\" or \"bf16\" on a module";
    return success();
  }
  if (attr.getName() == "graph.index_checks") {
    if (!isa<ModuleOp>(op) || !isa<UnitAttr>(attr.getValue()) ||
        !isa_and_nonnull<ModuleOp>(op->getParentOp()))
      return op->emitError() << "'graph.index_checks' must be a unit on a "
                                "module inside of a module";
    return success();
  }
  if (attr.getName() == "graph.conditions") {
    if (!isa<FunctionOpInterface>(op) || !isSizeConditions(attr.getValue()))
      return op->emitError() << "'graph.conditions' must be a list of "
                                "[size, text] on a function";
    return success();
  }
  return op->emitError() << "unknown attribute '" << attr.getName().strref()
                         << "' of the graph dialect";
}

LogicalResult GraphDialect::verifyRegionArgAttribute(Operation *op,
                                                     unsigned region,
                                                     unsigned argument,
                                                     NamedAttribute attr) {
  if (attr.getName() == getNameAttrHelper().getName()) {
    auto name = dyn_cast<StringAttr>(attr.getValue());
    if (!name)
      return op->emitError() << "'graph.name' must be a string";
    // These names become the names by which callers pass tensors.
    auto function = dyn_cast<FunctionOpInterface>(op);
    for (unsigned other = 0; function && other < argument; ++other)
      if (function.getArgAttr(other, attr.getName()) == name)
        return op->emitError() << "arguments " << other << " and " << argument
                               << " are both named '" << name.getValue() << "'";
    return success();
  }
  if (attr.getName() == "graph.state")
    return verifyArgumentState(op, argument, attr.getValue());
  if (attr.getName() != getDonateAttrHelper().getName())
    return op->emitError() << "unknown attribute '" << attr.getName().strref()
                           << "' of the graph dialect on argument " << argument;
  auto function = dyn_cast<FunctionOpInterface>(op);
  auto result = dyn_cast<IntegerAttr>(attr.getValue());
  if (!function || !result)
    return op->emitError()
           << "'graph.donate' must be a result number on a function argument";
  int64_t number = result.getInt();
  if (number < 0 || number >= function.getNumResults())
    return op->emitError() << "'graph.donate' of argument " << argument
                           << " names result " << number
                           << ", but the function has "
                           << function.getNumResults() << " results";
  Type from = function.getArgumentTypes()[argument];
  Type to = function.getResultTypes()[number];
  if (from != to)
    return op->emitError() << "'graph.donate': argument " << argument
                           << " has type " << from << ", but result " << number
                           << " has type " << to;
  return success();
}

/// See IndexChecks.h.
static LogicalResult verifyCheck(Operation *op, unsigned result,
                                 Attribute attribute) {
  auto check = dyn_cast<DictionaryAttr>(attribute);
  auto axes = check ? check.getAs<DenseI64ArrayAttr>("axes") : nullptr;
  auto ranges = check ? check.getAs<DimsAttr>("ranges") : nullptr;
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function || !axes || axes.empty() || !ranges ||
      ranges.size() != 2 * static_cast<size_t>(axes.size()) ||
      !check.getAs<StringAttr>("reader"))
    return op->emitError() << "'graph.check' of result " << result
                           << ": expected a dictionary of a reader, axes and "
                              "two ends of a range per axis, but got "
                           << attribute;
  llvm::StringSet<> known;
  for (Type argument : function.getArgumentTypes())
    if (isa<RankedTensorType>(argument))
      for (const SymInt &size : getShape(argument))
        size.visitSymbols([&](StringRef symbol) { known.insert(symbol); });
  std::string unknown;
  for (const SymInt &end : ranges.getEntries())
    end.visitSymbols([&](StringRef symbol) {
      if (!known.contains(symbol))
        unknown = symbol.str();
    });
  if (!unknown.empty())
    return op->emitError() << "'graph.check' of result " << result
                           << ": expected symbols of the arguments' sizes, but "
                              "got '"
                           << unknown << "'";
  if (Attribute ignored = check.get("ignored");
      ignored && !(isa<IntegerAttr>(ignored) &&
                   cast<IntegerAttr>(ignored).getType().isInteger(64)))
    return op->emitError() << "'graph.check' of result " << result
                           << ": expected 'ignored' to be a 64-bit integer, "
                              "but got "
                           << ignored;
  Type type = function.getResultTypes()[result];
  if (!isa<RankedTensorType>(type) || !isInteger(getElementTypeOrSelf(type)))
    return op->emitError() << "'graph.check' of result " << result
                           << ": expected a tensor of integers, but got "
                           << type;
  if (result + 1 < function.getNumResults() &&
      !function.getResultAttr(result + 1, "graph.check"))
    return op->emitError()
           << "'graph.check' of result " << result
           << ": expected it after all results without the attribute";
  return success();
}

LogicalResult GraphDialect::verifyRegionResultAttribute(Operation *op,
                                                        unsigned region,
                                                        unsigned result,
                                                        NamedAttribute attr) {
  if (auto name = dyn_cast<StringAttr>(attr.getValue());
      name && attr.getName() == getNameAttrHelper().getName()) {
    auto function = dyn_cast<FunctionOpInterface>(op);
    for (unsigned other = 0; function && other < result; ++other)
      if (function.getResultAttr(other, attr.getName()) == name)
        return op->emitError() << "results " << other << " and " << result
                               << " are both named '" << name.getValue() << "'";
    return success();
  }
  if (attr.getName() == "graph.state")
    return verifyResultState(op, result, attr.getValue());
  if (attr.getName() == "graph.check")
    return verifyCheck(op, result, attr.getValue());
  return op->emitError() << "unexpected attribute '" << attr.getName().strref()
                         << "' on result " << result;
}

//===----------------------------------------------------------------------===//
// #graph.dims
//===----------------------------------------------------------------------===//

DimsAttr DimsAttr::get(MLIRContext *context, ArrayRef<SymInt> entries) {
  SmallVector<int64_t> values;
  SmallVector<StringAttr> expressions;
  for (const SymInt &entry : entries) {
    std::optional<int64_t> constant = entry.getConstant();
    values.push_back(constant ? *constant : ShapedType::kDynamic);
    if (!constant)
      expressions.push_back(StringAttr::get(context, entry.str()));
  }
  return get(context, values, expressions);
}

LogicalResult DimsAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> values,
                               ArrayRef<StringAttr> expressions) {
  size_t dynamic = llvm::count(values, ShapedType::kDynamic);
  if (dynamic != expressions.size())
    return emitError() << "expected " << dynamic << " expressions, but got "
                       << expressions.size();
  return success();
}

SymInt DimsAttr::getEntry(size_t position) const {
  int64_t value = getValues()[position];
  if (value != ShapedType::kDynamic)
    return SymInt(value);
  size_t number =
      llvm::count(getValues().take_front(position), ShapedType::kDynamic);
  auto &dialect = cast<GraphDialect>(const_cast<Dialect &>(getDialect()));
  return dialect.getExpression(getExpressions()[number]);
}

Shape DimsAttr::getEntries() const {
  Shape entries;
  entries.reserve(size());
  size_t number = 0;
  for (int64_t value : getValues()) {
    if (value != ShapedType::kDynamic) {
      entries.push_back(SymInt(value));
      continue;
    }
    auto &dialect = cast<GraphDialect>(const_cast<Dialect &>(getDialect()));
    entries.push_back(dialect.getExpression(getExpressions()[number++]));
  }
  return entries;
}

std::optional<SmallVector<int64_t>> DimsAttr::getConstants() const {
  if (!getExpressions().empty())
    return std::nullopt;
  return llvm::to_vector(getValues());
}

void DimsAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(getEntries(), printer.getStream());
  printer << '>';
}

Attribute DimsAttr::parse(AsmParser &parser, Type) {
  SmallVector<SymInt> entries;
  auto parseEntry = [&]() {
    FailureOr<SymInt> entry = parseSymInt(parser);
    if (succeeded(entry))
      entries.push_back(*entry);
    return LogicalResult(entry);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseEntry))
    return {};
  return DimsAttr::get(parser.getContext(), entries);
}

LogicalResult
DimsAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                         function_ref<InFlightDiagnostic()> emitError) const {
  if (shape.size() != size())
    return emitError() << "expected " << shape.size()
                       << " entries in #graph.dims, one per axis, but got "
                       << size();
  for (auto [axis, both] : llvm::enumerate(llvm::zip(shape, getValues()))) {
    auto [inType, here] = both;
    if (inType != here)
      return emitError() << "axis " << axis << " is "
                         << (ShapedType::isDynamic(inType)
                                 ? "dynamic"
                                 : std::to_string(inType).c_str())
                         << " in the type, but " << getEntry(axis).str()
                         << " in #graph.dims";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Types and shapes
//===----------------------------------------------------------------------===//

Shape tenon::graph::getShape(Type tensor) {
  auto type = cast<RankedTensorType>(tensor);
  if (auto dims = dyn_cast_or_null<DimsAttr>(type.getEncoding()))
    return dims.getEntries();
  Shape shape;
  for (int64_t size : type.getShape())
    shape.push_back(ShapedType::isDynamic(size) ? SymInt::unknown()
                                                : SymInt(size));
  return shape;
}

RankedTensorType tenon::graph::getTensorType(ArrayRef<SymInt> shape,
                                             Type elementType) {
  SmallVector<int64_t> sizes;
  bool named = false;
  for (const SymInt &size : shape) {
    std::optional<int64_t> constant = size.getConstant();
    // A negative size can only come from parameters that a verifier rejects.
    sizes.push_back(constant && *constant >= 0 ? *constant
                                               : ShapedType::kDynamic);
    named |=
        sizes.back() == ShapedType::kDynamic && !size.isUnknown() && !constant;
  }
  if (!named)
    return RankedTensorType::get(sizes, elementType);
  SmallVector<SymInt> entries(shape.begin(), shape.end());
  for (auto [entry, size] : llvm::zip(entries, sizes))
    if (size == ShapedType::kDynamic && entry.isConstant())
      entry = SymInt::unknown();
  return RankedTensorType::get(
      sizes, elementType, DimsAttr::get(elementType.getContext(), entries));
}

FailureOr<SymInt> tenon::graph::unify(const SymInt &a, const SymInt &b,
                                      std::optional<Location> location) {
  if (a.isUnknown())
    return b;
  if (b.isUnknown() || provablyEqual(a, b))
    return a;
  if (provablyUnequal(a, b))
    return failure();
  requireEqual(location, a, b);
  return b.isConstant() ? b : a;
}

bool tenon::graph::areCompatible(TypeRange inferred, TypeRange stated,
                                 std::optional<Location> location) {
  if (inferred.size() != stated.size())
    return false;
  for (auto [ours, theirs] : llvm::zip(inferred, stated)) {
    auto a = dyn_cast<RankedTensorType>(ours);
    auto b = dyn_cast<RankedTensorType>(theirs);
    if (!a || !b || a.getElementType() != b.getElementType() ||
        a.getRank() != b.getRank())
      return false;
    for (auto [x, y] : llvm::zip(getShape(a), getShape(b)))
      if (failed(unify(x, y, location)))
        return false;
  }
  return true;
}

DimsAttr tenon::graph::getInts(MLIRContext *context, ArrayRef<int64_t> values) {
  SmallVector<SymInt> entries(values.begin(), values.end());
  return DimsAttr::get(context, entries);
}

bool tenon::graph::isFloat(Type type) { return isa<FloatType>(type); }
bool tenon::graph::isBool(Type type) { return type.isInteger(1); }
bool tenon::graph::isInteger(Type type) {
  return isa<IntegerType>(type) && !isBool(type);
}
bool tenon::graph::isUnsigned(Type type) { return type.isUnsignedInteger(); }
