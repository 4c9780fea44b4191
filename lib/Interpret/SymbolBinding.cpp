//===- SymbolBinding.cpp - binding symbols to sizes of inputs -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/Dialect/Graph/IR/Graph.h"
#include "tenon/Interpret/Interpreter.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::interpret;

namespace {
class Binder {
public:
  Binder(Symbols &symbols, std::string &error)
      : symbols(symbols), error(error) {}

  LogicalResult run(TypeRange types, ArrayRef<Tensor> tensors,
                    ArrayRef<std::string> names) {
    for (auto [type, tensor, name] : llvm::zip(types, tensors, names))
      if (failed(checkType(type, tensor, name)))
        return failure();
    // Bind plain symbols first. Then sizes such as 2 * n are known, or can be
    // solved for the only unknown symbol.
    for (unsigned pass = 0; pass < 2; ++pass)
      for (auto [type, tensor, name] : llvm::zip(types, tensors, names)) {
        Shape shape = getShape(type);
        for (auto [axis, size] : llvm::enumerate(shape)) {
          std::string where = ("axis " + Twine(axis) + " of " + name).str();
          int64_t actual = tensor.getShape()[axis];
          if (failed(pass == 0 ? bindPlain(size, actual, where)
                               : bindExpression(size, actual, where)))
            return failure();
        }
      }
    return success();
  }

private:
  LogicalResult fail(const Twine &text) {
    error = text.str();
    return failure();
  }

  LogicalResult checkType(Type type, const Tensor &tensor, StringRef name) {
    auto ranked = dyn_cast<RankedTensorType>(type);
    std::string text;
    llvm::raw_string_ostream os(text);
    if (!ranked) {
      os << name << ": expected a ranked tensor type, but got " << type;
      return fail(text);
    }
    if (ranked.getElementType() != tensor.getElementType()) {
      os << name << ": expected element type " << ranked.getElementType()
         << ", but got " << tensor.getElementType();
      return fail(text);
    }
    if (ranked.getRank() == tensor.getRank())
      return success();
    os << name << ": expected rank " << ranked.getRank() << ", but got rank "
       << tensor.getRank();
    return fail(text);
  }

  LogicalResult bindPlain(const SymInt &size, int64_t actual,
                          const std::string &where) {
    std::optional<StringRef> symbol = size.getSymbol();
    if (!symbol)
      return success();
    auto [it, inserted] = symbols.try_emplace(*symbol, actual);
    if (inserted) {
      origins[*symbol] = where;
      return success();
    }
    if (it->second == actual)
      return success();
    auto origin = origins.find(*symbol);
    return fail("size '" + *symbol + "' is " + Twine(it->second) +
                (origin == origins.end() ? "" : " by " + origin->second) +
                ", but " + Twine(actual) + " by " + where);
  }

  LogicalResult bindExpression(const SymInt &size, int64_t actual,
                               const std::string &where) {
    if (size.isUnknown() || size.getSymbol())
      return success();
    auto lookup = [&](StringRef name) -> std::optional<int64_t> {
      auto it = symbols.find(name);
      if (it == symbols.end())
        return std::nullopt;
      return it->second;
    };
    std::optional<int64_t> value = size.evaluate(lookup);
    if (!value) {
      solve(size, actual);
      value = size.evaluate(lookup);
    }
    if (!value || *value == actual)
      return success();
    return fail(where + ": expected size " +
                (size.isConstant() ? "" : size.str() + " = ") + Twine(*value) +
                ", but got " + Twine(actual));
  }

  /// Solves a * n + b = `actual` for the symbol n.
  void solve(const SymInt &size, int64_t actual) {
    std::string name;
    unsigned unknown = 0;
    size.visitSymbols([&](StringRef symbol) {
      if (symbols.count(symbol) || symbol == name)
        return;
      ++unknown;
      name = symbol.str();
    });
    if (unknown != 1)
      return;
    auto at = [&](int64_t value) {
      return size.evaluate([&](StringRef symbol) -> std::optional<int64_t> {
        if (symbol == name)
          return value;
        return symbols.lookup(symbol);
      });
    };
    std::optional<int64_t> zero = at(0), one = at(1);
    if (!zero || !one || *one == *zero)
      return;
    int64_t slope = *one - *zero, value = (actual - *zero) / slope;
    if (at(value) == actual)
      symbols[name] = value;
  }

  Symbols &symbols;
  std::string &error;
  llvm::StringMap<std::string> origins;
};
} // namespace

LogicalResult tenon::interpret::bindSymbols(TypeRange types,
                                            ArrayRef<Tensor> tensors,
                                            ArrayRef<std::string> names,
                                            Symbols &symbols,
                                            std::string &error) {
  assert(types.size() == tensors.size() && types.size() == names.size());
  return Binder(symbols, error).run(types, tensors, names);
}
