//===- AccessAlgebra.cpp - joins and compositions of accesses -------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessAlgebra.h"

#include "tenon/Dialect/Graph/IR/SizeFacts.h"

#include "llvm/Support/raw_ostream.h"

using namespace tenon;
using namespace tenon::graph;

using Kind = AxisAccess::Kind;

bool AxisAccess::isSame() const {
  return kind == Kind::Sliced && stride == SymInt(1) && divisor == SymInt(1) &&
         low == SymInt(0) && high == SymInt(0);
}

bool AxisAccess::operator==(const AxisAccess &other) const {
  if (kind != other.kind || kind != Kind::Sliced)
    return kind == other.kind;
  return axis == other.axis && stride == other.stride &&
         divisor == other.divisor && low == other.low && high == other.high;
}

bool ResultAxisFlow::isUnchanged() const {
  return !usesPosition && llvm::all_of(operands, [](const AxisAccess &access) {
    return access.kind != Kind::Whole &&
           (access.kind != Kind::Sliced || access.isSame());
  });
}

AxisAccess graph::joinAccesses(const AxisAccess &a, const AxisAccess &b) {
  if (a.kind == Kind::Unread || a == b)
    return b;
  if (b.kind == Kind::Unread)
    return a;
  AxisAccess whole;
  whole.kind = Kind::Whole;
  if (a.kind != Kind::Sliced || b.kind != Kind::Sliced || a.axis != b.axis ||
      a.stride != b.stride || a.divisor != b.divisor)
    return whole;
  AxisAccess both = a;
  auto widen = [](SymInt &bound, const SymInt &other, bool isLow) {
    bool keeps =
        isLow ? provablyAtLeast(other, bound) : provablyAtLeast(bound, other);
    bool takes =
        isLow ? provablyAtLeast(bound, other) : provablyAtLeast(other, bound);
    if (!keeps && takes)
      bound = other;
    return keeps || takes;
  };
  if (!widen(both.low, b.low, true) || !widen(both.high, b.high, false))
    return whole;
  return both;
}

AxisAccess graph::composeAccesses(const AxisAccess &outer,
                                  const AxisAccess &inner) {
  if (outer.kind == Kind::Unread || inner.kind == Kind::Unread)
    return {};
  // An access to elements that do not depend on the index.
  if (outer.kind == Kind::Shared || inner.kind == Kind::Shared) {
    AxisAccess shared;
    shared.kind = Kind::Shared;
    return shared;
  }
  if (outer.kind == Kind::Whole || inner.kind == Kind::Whole ||
      (!outer.isSame() && !inner.isSame())) {
    // Two windows: the clamp between them has no closed form.
    AxisAccess whole;
    whole.kind = Kind::Whole;
    return whole;
  }
  AxisAccess result = outer.isSame() ? inner : outer;
  result.axis = inner.axis;
  return result;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printOffset(llvm::raw_ostream &os, const SymInt &value) {
  if (std::optional<int64_t> constant = value.getConstant()) {
    if (*constant < 0)
      os << " - " << -*constant;
    else if (*constant > 0)
      os << " + " << *constant;
    return;
  }
  os << " + " << value.str();
}

static void printSlice(llvm::raw_ostream &os, const AxisAccess &access) {
  auto printEnd = [&](const SymInt &offset) {
    bool isQuotient = access.divisor != SymInt(1);
    if (isQuotient)
      os << "(";
    if (access.stride != SymInt(1))
      os << access.stride.str() << " * ";
    os << "i";
    printOffset(os, offset);
    if (isQuotient)
      os << ") floordiv " << access.divisor.str();
  };
  printEnd(access.low);
  if (access.low != access.high) {
    os << " .. ";
    printEnd(access.high);
  }
}

void AxisFlow::print(llvm::raw_ostream &os,
                     llvm::ArrayRef<std::string> names) const {
  auto nameOf = [&](size_t operand) {
    return operand < names.size() ? names[operand]
                                  : "x" + std::to_string(operand);
  };
  for (auto [axis, flow] : llvm::enumerate(axes)) {
    os << "axis " << axis << ":";
    const char *separator = " ";
    for (auto [operand, access] : llvm::enumerate(flow.operands)) {
      if (access.kind == Kind::Unread)
        continue;
      os << separator << nameOf(operand);
      separator = ", ";
      if (access.kind == Kind::Shared)
        os << " shared";
      else if (access.kind == Kind::Whole)
        os << " whole";
      else {
        os << " axis " << access.axis;
        if (!access.isSame()) {
          os << " at ";
          printSlice(os, access);
        }
      }
    }
    if (flow.usesPosition)
      os << (separator[0] == ',' ? "; by position" : " by position");
    os << "\n";
  }
  for (const ReducedAxis &one : reduced) {
    static constexpr const char *verbs[] = {"sum", "product", "maximum",
                                            "minimum"};
    os << verbs[static_cast<unsigned>(one.kind)] << " over";
    const char *separator = " ";
    for (const auto &[operand, axis] : one.axes) {
      os << separator << nameOf(operand) << " axis " << axis;
      separator = ", ";
    }
    os << "\n";
  }
}

std::string AxisFlow::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, {});
  return text;
}
