//===- Mesh.cpp - devices or ranks along named axes -----------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Pipe/IR/Pipe.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::pipe;

#define GET_ATTRDEF_CLASSES
#include "tenon/Dialect/Pipe/IR/PipeAttrs.cpp.inc"

static constexpr StringLiteral kMeshAttrName = "pipe.mesh";

/// Positions of a mesh are numbered by 32 bits.
static constexpr int64_t kMostPositions = INT32_MAX;

void PipeDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tenon/Dialect/Pipe/IR/PipeAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

static ParseResult parseNumbers(AsmParser &parser, DenseF64ArrayAttr &numbers) {
  SmallVector<double> list;
  auto parseOne = [&]() -> ParseResult {
    APFloat number(0.0);
    if (parser.parseFloat(APFloat::IEEEdouble(), number))
      return failure();
    list.push_back(number.convertToDouble());
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseOne))
    return failure();
  numbers = DenseF64ArrayAttr::get(parser.getContext(), list);
  return success();
}

Attribute MeshAttr::parse(AsmParser &parser, Type) {
  SmallVector<StringAttr> names;
  SmallVector<int64_t> sizes;
  auto memory = DenseI64ArrayAttr::get(parser.getContext(), {});
  auto seconds = DenseF64ArrayAttr::get(parser.getContext(), {});
  auto bandwidth = seconds;
  llvm::StringSet<> seen;
  auto parseOne = [&]() -> ParseResult {
    std::string name;
    if (succeeded(parser.parseOptionalString(&name))) {
      names.push_back(StringAttr::get(parser.getContext(), name));
      return failure(parser.parseEqual() ||
                     parser.parseInteger(sizes.emplace_back()));
    }
    SMLoc place = parser.getCurrentLocation();
    StringRef keyword;
    if (parser.parseOptionalKeyword(&keyword, {"memory_bytes", "link_seconds",
                                               "link_bytes_per_second"}) ||
        parser.parseEqual())
      return parser.emitError(
          place, "expected an axis, 'memory_bytes', 'link_seconds' or "
                 "'link_bytes_per_second'");
    if (!seen.insert(keyword).second)
      return parser.emitError(place) << "'" << keyword << "' is given twice";
    if (keyword == "memory_bytes")
      memory =
          cast_or_null<DenseI64ArrayAttr>(DenseI64ArrayAttr::parse(parser, {}));
    else if (failed(parseNumbers(
                 parser, keyword == "link_seconds" ? seconds : bandwidth)))
      return failure();
    return success(memory != nullptr);
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseOne))
    return {};
  return parser.getChecked<MeshAttr>(parser.getNameLoc(), parser.getContext(),
                                     names, sizes, memory, seconds, bandwidth);
}

void MeshAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(llvm::zip_equal(getNames(), getSizes()),
                        printer.getStream(), [&](auto axis) {
                          printer << std::get<0>(axis) << " = "
                                  << std::get<1>(axis);
                        });
  if (!getMemoryBytes().empty()) {
    printer << ", memory_bytes = ";
    getMemoryBytes().print(printer);
  }
  // An array prints its numbers as if they were of f32.
  auto printNumbers = [&](StringRef name, DenseF64ArrayAttr numbers) {
    if (numbers.empty())
      return;
    printer << ", " << name << " = [";
    llvm::interleaveComma(
        numbers.asArrayRef(), printer.getStream(),
        [&](double number) { printer.printFloat(APFloat(number)); });
    printer << ']';
  };
  printNumbers("link_seconds", getLinkSeconds());
  printNumbers("link_bytes_per_second", getLinkBytesPerSecond());
  printer << '>';
}

LogicalResult MeshAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<StringAttr> names,
                               ArrayRef<int64_t> sizes,
                               DenseI64ArrayAttr memoryBytes,
                               DenseF64ArrayAttr linkSeconds,
                               DenseF64ArrayAttr linkBytesPerSecond) {
  llvm::StringSet<> seen;
  if (names.empty() || names.size() != sizes.size())
    return emitError() << "expected a mesh with an axis";
  int64_t count = 1;
  for (auto [name, size] : llvm::zip_equal(names, sizes)) {
    if (name.empty() || !seen.insert(name.getValue()).second)
      return emitError() << "expected axes of a mesh with distinct names";
    if (size < 1 || llvm::MulOverflow(count, size, count) ||
        count > kMostPositions)
      return emitError() << "expected sizes of at least 1 and fewer than 2^31 "
                            "positions of a mesh, but axis "
                         << name << " has " << size;
  }
  ArrayRef<int64_t> memory = memoryBytes.asArrayRef();
  if ((memory.size() > 1 && static_cast<int64_t>(memory.size()) != count) ||
      llvm::any_of(memory, [](int64_t bytes) { return bytes < 1; }))
    return emitError() << "expected 'memory_bytes' of at least 1, one for all "
                          "of the mesh or "
                       << count;
  ArrayRef<double> seconds = linkSeconds.asArrayRef();
  ArrayRef<double> bandwidth = linkBytesPerSecond.asArrayRef();
  if ((!seconds.empty() || !bandwidth.empty()) &&
      (seconds.size() != names.size() || bandwidth.size() != names.size()))
    return emitError() << "expected 'link_seconds' and "
                          "'link_bytes_per_second' for each of "
                       << names.size() << " axes";
  if (llvm::any_of(seconds, [](double number) {
        return !std::isfinite(number) || !(number >= 0);
      }))
    return emitError() << "expected 'link_seconds' of at least 0";
  if (llvm::any_of(bandwidth, [](double number) {
        return !std::isfinite(number) || !(number > 0);
      }))
    return emitError() << "expected 'link_bytes_per_second' above 0";
  return success();
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

int64_t MeshAttr::getNumPositions() const {
  int64_t count = 1;
  for (int64_t size : getSizes())
    count *= size;
  return count;
}

std::optional<unsigned> MeshAttr::findAxis(StringRef name) const {
  for (auto [number, own] : llvm::enumerate(getNames()))
    if (own.getValue() == name)
      return number;
  return std::nullopt;
}

std::optional<int64_t> MeshAttr::getMemoryBytes(int64_t position) const {
  ArrayRef<int64_t> bytes = getMemoryBytes().asArrayRef();
  if (bytes.empty())
    return std::nullopt;
  return bytes.size() == 1 ? bytes.front() : bytes[position];
}

std::optional<MeshAttr::Link> MeshAttr::getLink(int64_t a, int64_t b) const {
  if (a == b || getLinkSeconds().empty())
    return std::nullopt;
  int64_t inner = getNumPositions();
  for (auto [axis, size] : llvm::enumerate(getSizes())) {
    inner /= size;
    if (a / inner != b / inner)
      return Link{getLinkSeconds()[axis], getLinkBytesPerSecond()[axis]};
  }
  llvm_unreachable("two positions have the same coordinates");
}

SmallVector<int64_t> MeshAttr::getGroup(int64_t position,
                                        ArrayAttr axes) const {
  SmallVector<int64_t> group = {0};
  int64_t inner = getNumPositions();
  for (auto [name, size] : llvm::zip_equal(getNames(), getSizes())) {
    inner /= size;
    int64_t own = position / inner % size;
    bool varies = llvm::is_contained(axes, Attribute(name));
    SmallVector<int64_t> next;
    for (int64_t begin : group)
      for (int64_t index = varies ? 0 : own; index < (varies ? size : own + 1);
           ++index)
        next.push_back(begin + index * inner);
    group = std::move(next);
  }
  return group;
}

//===----------------------------------------------------------------------===//
// Functions that each position runs
//===----------------------------------------------------------------------===//

MeshAttr pipe::findMesh(Operation *function) {
  return function->getAttrOfType<MeshAttr>(kMeshAttrName);
}

void pipe::removeMesh(Operation *function) {
  function->removeAttr(kMeshAttrName);
}

LogicalResult PipeDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  auto mesh = dyn_cast<MeshAttr>(attribute.getValue());
  if (attribute.getName() != kMeshAttrName || !function || !mesh)
    return op->emitError() << "expected '" << kMeshAttrName
                           << "', a mesh, at functions alone, but got '"
                           << attribute.getName().getValue() << "'";
  WalkResult result = op->walk([&](graph::AllReduceOp sum) {
    for (StringRef axis : sum.getAxes().getAsValueRange<StringAttr>())
      if (!mesh.findAxis(axis)) {
        sum.emitOpError() << "the mesh of its function has no axis '" << axis
                          << "'";
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
