//===- Witness.cpp - reading and writing witnesses as JSON ----------------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tenon/ProofKernel/Witness.h"

#include "llvm/ADT/StringExtras.h"

using namespace tenon;
using namespace tenon::prove;
namespace json = llvm::json;

/// The maximum number of characters of an integer term.
static constexpr size_t maxText = 1000;
/// More deeply nested witnesses are rejected.
static constexpr unsigned maxDepth = 64;

static constexpr llvm::StringLiteral modes[] = {"exact", "sums", "quotients",
                                                "laws"};

//===----------------------------------------------------------------------===//
// To JSON
//===----------------------------------------------------------------------===//

static json::Value write(const SymInt &value) {
  std::string text = value.str();
  std::replace(text.begin(), text.end(), '%', '$');
  return text;
}
static json::Value write(unsigned number) { return number; }
static json::Value write(const std::pair<unsigned, unsigned> &place) {
  return json::Array{place.first, place.second};
}
static json::Value write(const TermStep &step);
static json::Value write(const TermProof &proof);
static json::Value write(const FactorProof &proof);
static json::Value write(const Denominator &denominator);
static json::Value write(const SumProof &proof);
static json::Value write(const ResultProof &proof);

template <typename T>
static void write(json::Object &object, llvm::StringRef key,
                  const std::vector<T> &list) {
  if (list.empty())
    return;
  json::Array array;
  for (const T &entry : list)
    array.push_back(write(entry));
  object[key] = std::move(array);
}

static void write(json::Object &object, const ChangeOfVars &change) {
  write(object, "values", change.values);
  write(object, "inverse", change.inverse);
}

static json::Value write(const TermStep &step) {
  json::Object object;
  if (step.counted)
    object["counted"] = *step.counted;
  write(object, step.change);
  return object;
}

static json::Value write(const TermProof &proof) {
  json::Object object;
  write(object, "steps", proof.steps);
  if (proof.never)
    object["never"] = true;
  if (proof.joins)
    object["joins"] = *proof.joins;
  write(object, proof.change);
  write(object, "order", proof.order);
  write(object, "factors", proof.factors);
  return object;
}

static json::Value write(const FactorProof &proof) {
  json::Object object;
  write(object, "args", proof.args);
  write(object, "elements", proof.elements);
  return object;
}

static json::Value write(const Denominator &denominator) {
  json::Object object{{"power", denominator.power}};
  write(object, "places", denominator.places);
  write(object, "equal", denominator.equal);
  return object;
}

static json::Value write(const SumProof &proof) {
  if (proof.same)
    return true;
  json::Object object;
  if (proof.writtenOut)
    object["written_out"] = true;
  write(object, "denominators", proof.denominators);
  write(object, "terms", proof.terms);
  return object;
}

static json::Value write(const ResultProof &proof) {
  json::Object object{{"mode", modes[static_cast<unsigned>(proof.mode)]}};
  if (proof.mode != ResultProof::Mode::Exact)
    object["equal"] = write(proof.equal);
  return object;
}

json::Value Witness::toJSON() const {
  json::Object object;
  write(object, "results", results);
  write(object, "lifted", lifted);
  write(object, "integers", integers);
  write(object, "errors", errors);
  return object;
}

//===----------------------------------------------------------------------===//
// From JSON
//===----------------------------------------------------------------------===//

namespace {
/// Reads the output of the functions above; `failed` is set for other input.
class Reader {
public:
  bool failed = false;

  template <typename T>
  void read(const json::Object &object, llvm::StringRef key,
            std::vector<T> &into) {
    const json::Value *value = object.get(key);
    if (!value)
      return;
    const json::Array *array = value->getAsArray();
    failed |= !array;
    for (size_t n = 0; array && n < array->size() && !failed; ++n)
      read((*array)[n], into.emplace_back());
  }

  void read(const json::Value &value, unsigned &into) {
    std::optional<int64_t> number = value.getAsInteger();
    failed |= !number || *number < 0 || *number > UINT32_MAX;
    if (!failed)
      into = *number;
  }

private:
  const json::Object *getObject(const json::Value &value) {
    failed |= !value.getAsObject() || ++depth > maxDepth;
    return failed ? nullptr : value.getAsObject();
  }

  void read(const json::Object &object, ChangeOfVars &into) {
    read(object, "values", into.values);
    read(object, "inverse", into.inverse);
  }

  void read(const json::Object &object, llvm::StringRef key,
            std::optional<unsigned> &into) {
    if (const json::Value *value = object.get(key))
      read(*value, into.emplace());
  }

  void read(const json::Value &value, SymInt &into) {
    std::optional<llvm::StringRef> text = value.getAsString();
    std::optional<SymInt> parsed;
    // A short text may describe a very large expression, so limit its
    // operators.
    failed |= !text || text->size() > maxText || text->count("floordiv") > 8 ||
              text->count("ceildiv") + text->count("mod") > 4 ||
              text->count('(') > 32;
    if (!failed)
      parsed = SymInt::parse(*text);
    failed |= !parsed || parsed->isUnknown();
    if (failed)
      return;
    into = parsed->substitute([](llvm::StringRef name) {
      return name.consume_front("$")
                 ? std::optional(SymInt::symbol(("%" + name).str()))
                 : std::nullopt;
    });
  }

  void read(const json::Value &value, std::pair<unsigned, unsigned> &into) {
    const json::Array *array = value.getAsArray();
    failed |= !array || array->size() != 2;
    if (failed)
      return;
    read((*array)[0], into.first);
    read((*array)[1], into.second);
  }

  void read(const json::Value &value, TermStep &into) {
    const json::Object *object = getObject(value);
    if (!object)
      return;
    read(*object, "counted", into.counted);
    read(*object, into.change);
    --depth;
  }

  void read(const json::Value &value, TermProof &into) {
    const json::Object *object = getObject(value);
    if (!object)
      return;
    read(*object, "steps", into.steps);
    into.never = object->getBoolean("never").value_or(false);
    read(*object, "joins", into.joins);
    read(*object, into.change);
    read(*object, "order", into.order);
    read(*object, "factors", into.factors);
    --depth;
  }

  void read(const json::Value &value, FactorProof &into) {
    const json::Object *object = getObject(value);
    if (!object)
      return;
    read(*object, "args", into.args);
    read(*object, "elements", into.elements);
    --depth;
  }

  void read(const json::Value &value, Denominator &into) {
    const json::Object *object = getObject(value);
    if (!object)
      return;
    read(*object, "places", into.places);
    read(*object, "equal", into.equal);
    if (const json::Value *power = object->get("power"))
      read(*power, into.power);
    --depth;
  }

  void read(const json::Value &value, SumProof &into) {
    if (value.getAsBoolean() == true) {
      into.same = true;
      return;
    }
    const json::Object *object = getObject(value);
    if (!object)
      return;
    into.writtenOut = object->getBoolean("written_out").value_or(false);
    read(*object, "denominators", into.denominators);
    read(*object, "terms", into.terms);
    --depth;
  }

  void read(const json::Value &value, ResultProof &into) {
    const json::Object *object = getObject(value);
    if (!object)
      return;
    std::optional<llvm::StringRef> mode = object->getString("mode");
    auto known = llvm::find(modes, mode.value_or(""));
    failed |= known == std::end(modes);
    if (failed)
      return;
    into.mode = static_cast<ResultProof::Mode>(known - std::begin(modes));
    if (const json::Value *equal = object->get("equal"))
      read(*equal, into.equal);
    --depth;
  }

  unsigned depth = 0;
};
} // namespace

std::optional<Witness> Witness::fromJSON(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return std::nullopt;
  Witness witness;
  Reader reader;
  reader.read(*object, "results", witness.results);
  reader.read(*object, "lifted", witness.lifted);
  reader.read(*object, "integers", witness.integers);
  reader.read(*object, "errors", witness.errors);
  return reader.failed ? std::nullopt : std::optional(std::move(witness));
}
