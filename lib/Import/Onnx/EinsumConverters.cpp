//===- EinsumConverters.cpp - Einsum as matrix products -------------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "tenon/Dialect/Graph/IR/SizeFacts.h"

#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlir;
using namespace tenon;
using namespace tenon::onnx;
using namespace tenon::graph;

namespace {
/// A tensor with labeled axes. The axes of an ellipsis have digits as labels,
/// counted from the right.
struct Term {
  std::string labels;
  Value value;
};

class EinsumConversion {
public:
  explicit EinsumConversion(NodeContext &n) : n(n) {}
  LogicalResult convert();

private:
  bool parse();
  std::optional<std::string> expand(StringRef text, int64_t rank);
  bool unifySizes(Term &term);
  bool takeDiagonals(Term &term);
  Term multiply(const Term &a, const Term &b, StringRef needed);
  void sumOut(Term &term, StringRef needed);
  Value arrange(const Term &term, StringRef order);
  SymInt sizeOf(char label) { return sizes.at(label); }

  NodeContext &n;
  std::vector<Term> terms;
  std::string result;
  std::map<char, SymInt> sizes;
};
} // namespace

/// Replaces the ellipsis of "a...b" for a tensor of this rank.
std::optional<std::string> EinsumConversion::expand(StringRef text,
                                                    int64_t rank) {
  std::string labels;
  size_t dots = text.find("...");
  int64_t letters = text.size() - (dots == StringRef::npos ? 0 : 3);
  for (size_t i = 0; i < text.size(); ++i) {
    if (i == dots) {
      for (int64_t k = rank - letters; k-- > 0;) {
        if (k > 9)
          return std::nullopt;
        labels += static_cast<char>('0' + k);
      }
      i += 2;
    } else if (llvm::isAlpha(text[i])) {
      labels += text[i];
    } else {
      return std::nullopt;
    }
  }
  return labels;
}

bool EinsumConversion::parse() {
  std::string equation;
  for (char c : n.stringAttr("equation", ""))
    if (c != ' ')
      equation += c;
  auto [left, right] = StringRef(equation).split("->");
  SmallVector<StringRef> texts;
  left.split(texts, ',');
  if (texts.size() != n.numInputs())
    return n.error("the equation has " + Twine(texts.size()) +
                   " terms; expected " + Twine(n.numInputs())),
           false;
  int64_t ellipsis = 0;
  for (auto [i, text] : llvm::enumerate(texts)) {
    Value value = n.data(i);
    if (!value)
      return false;
    auto labels = expand(text, rankOf(value));
    if (!labels || static_cast<int64_t>(labels->size()) != rankOf(value))
      return n.error("term '" + text + "' does not fit an operand of rank " +
                     Twine(rankOf(value))),
             false;
    if (text.contains("..."))
      ellipsis = std::max<int64_t>(ellipsis,
                                   rankOf(value) - (int64_t(text.size()) - 3));
    Shape shape = getShape(value);
    for (auto [label, size] : llvm::zip(*labels, shape)) {
      auto [entry, isNew] = sizes.try_emplace(label, size);
      // Keep the more specific size.
      bool isKnown = size.isConstant() && size.getConstant() != 1;
      if (!isNew && (entry->second.getConstant() == 1 ||
                     (isKnown && !entry->second.isConstant())))
        entry->second = size;
    }
    terms.push_back({*labels, value});
  }
  for (Term &term : terms)
    if (!unifySizes(term))
      return false;
  if (StringRef(equation).contains("->")) {
    auto labels =
        expand(right, ellipsis + (right.contains("...") ? right.size() - 3
                                                        : right.size()));
    if (!labels)
      return n.error("result term '" + right + "' is malformed"), false;
    result = *labels;
  } else {
    // The default result: the ellipsis, then labels that occur once, sorted.
    for (int64_t k = ellipsis; k-- > 0;)
      result += static_cast<char>('0' + k);
    std::string all;
    for (const Term &term : terms)
      all += term.labels;
    llvm::sort(all);
    for (char c : all)
      if (llvm::isAlpha(c) && llvm::count(all, c) == 1)
        result += c;
  }
  for (char c : result)
    if (!sizes.count(c) || llvm::count(result, c) != 1)
      return n.error("result label '" + Twine(c) +
                     "' is unknown or occurs twice"),
             false;
  return true;
}

/// Replaces sizes of one label that may differ by one size; the artifact checks
/// that they are equal.
bool EinsumConversion::unifySizes(Term &term) {
  Shape shape = getShape(term.value), unified = shape;
  for (auto [label, size] : llvm::zip(term.labels, unified)) {
    const SymInt &wanted = sizes.find(label)->second;
    if (provablyEqual(size, wanted))
      continue;
    bool isOne = size.getConstant() == 1, isOneThroughout = isOne;
    for (auto [other, otherSize] : llvm::zip(term.labels, shape))
      isOneThroughout &= other != label || otherSize.getConstant() == 1;
    if (isOneThroughout)
      continue;
    if (isOne || graph::provablyUnequal(size, wanted))
      return n.error("label '" + Twine(label) + "' has sizes " + wanted.str() +
                     " and " + size.str() + "; expected equal sizes"),
             false;
    size = wanted;
  }
  if (unified != shape)
    term.value = n.broadcast(term.value, unified);
  return term.value != nullptr;
}

/// If a label occurs twice in a term, selects the elements with equal indices.
bool EinsumConversion::takeDiagonals(Term &term) {
  for (size_t i = 0; i < term.labels.size(); ++i)
    for (size_t j = i + 1; j < term.labels.size(); ++j) {
      if (term.labels[i] != term.labels[j])
        continue;
      Shape shape = getShape(term.value);
      Type i64 = n.getBuilder().getI64Type();
      SmallVector<SymInt> grid(shape.size(), SymInt(1));
      grid[i] = shape[i];
      grid[j] = shape[j];
      Value same = n.equal(n.iota(grid, i, i64), n.iota(grid, j, i64));
      Value kept = n.where(same, term.value, n.scalarLike(0, term.value));
      term.value =
          n.reduce<ReduceSumOp>(kept, {static_cast<int64_t>(j)}, false);
      if (!term.value)
        return false;
      term.labels.erase(j--, 1);
    }
  return true;
}

/// Sums over the labels that are not in `needed`.
void EinsumConversion::sumOut(Term &term, StringRef needed) {
  SmallVector<int64_t> axes;
  std::string kept;
  for (auto [axis, label] : llvm::enumerate(term.labels)) {
    if (needed.contains(label))
      kept += label;
    else
      axes.push_back(axis);
  }
  if (axes.empty())
    return;
  // If an axis of size 1 is broadcast, its element counts once per repetition.
  Shape shape = getShape(term.value);
  Shape full = shape;
  for (int64_t axis : axes)
    full[axis] = sizeOf(term.labels[axis]);
  term.value =
      n.reduce<ReduceSumOp>(n.broadcast(term.value, full), axes, false);
  term.labels = kept;
}

/// Transposes the term to this order; missing labels become axes of size 1.
Value EinsumConversion::arrange(const Term &term, StringRef order) {
  if (!term.value)
    return {};
  SmallVector<int64_t> perm;
  Shape shape, from = getShape(term.value);
  for (char label : order) {
    size_t axis = term.labels.find(label);
    if (axis == std::string::npos) {
      shape.push_back(SymInt(1));
      continue;
    }
    perm.push_back(axis);
    shape.push_back(from[axis]);
  }
  bool sorted = llvm::is_sorted(perm);
  return n.reshape(sorted ? term.value : n.transpose(term.value, perm), shape);
}

Term EinsumConversion::multiply(const Term &a, const Term &b,
                                StringRef needed) {
  std::string batch, left, right, inner;
  for (char c : a.labels)
    if (StringRef(b.labels).contains(c))
      (needed.contains(c) ? batch : inner) += c;
    else
      left += c;
  for (char c : b.labels)
    if (!StringRef(a.labels).contains(c))
      right += c;
  if (inner.empty()) {
    std::string order = batch + left + right;
    return {order, n.mul(arrange(a, order), arrange(b, order))};
  }
  auto full = [&](StringRef labels) {
    Shape shape;
    for (char c : labels)
      shape.push_back(sizeOf(c));
    return shape;
  };
  auto matrix = [&](const Term &term, StringRef rows, StringRef columns) {
    std::string order = (batch + rows + columns).str();
    Value x = n.broadcast(arrange(term, order), full(order));
    return n.reshape(
        x, {product(full(batch)), product(full(rows)), product(full(columns))});
  };
  Value y = n.matmul(matrix(a, left, inner), matrix(b, inner, right));
  std::string order = batch + left + right;
  return {order, n.reshape(y, full(order))};
}

LogicalResult EinsumConversion::convert() {
  if (!parse())
    return failure();
  for (Term &term : terms)
    if (!takeDiagonals(term))
      return failure();
  Term total = terms.front();
  for (size_t i = 0; i < terms.size(); ++i) {
    std::string needed = result;
    for (const Term &later : ArrayRef<Term>(terms).drop_front(i + 1))
      needed += later.labels;
    if (i > 0) {
      Term next = terms[i];
      sumOut(next, needed + total.labels);
      total = multiply(total, next, needed);
    }
    if (!total.value)
      return failure();
    sumOut(total, needed);
  }
  Shape shape;
  for (char label : result)
    shape.push_back(sizeOf(label));
  return n.finish(n.broadcast(arrange(total, result), shape));
}

static LogicalResult convertEinsum(NodeContext &n) {
  if (n.numInputs() == 0)
    return n.fail("there is no input");
  return EinsumConversion(n).convert();
}

ArrayRef<Operator> tenon::onnx::einsumOperators() {
  static const Operator table[] = {
      {"Einsum", Support::Composed, convertEinsum,
       "a label twice in an operand: sizes that are equal at import"},
  };
  return table;
}
