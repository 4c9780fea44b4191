//===- FactStructure.cpp - evaluation of movement operators on facts ------===//
//
// Part of the Tenon project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactEvaluation.h"

#include "onnx.pb.h"

#include "llvm/ADT/StringSwitch.h"

using namespace tenon;
using namespace tenon::onnx;
using artifact::DType;
using graph::Shape;
using graph::SymInt;

using Ints = llvm::SmallVector<int64_t>;
using MaybeFact = std::optional<FactTensor>;

/// Returns a list from the attribute `name` or from input `position`.
static std::optional<Ints> listOf(const FactQuery &query, llvm::StringRef name,
                                  size_t position) {
  for (const AttributeProto &attr : query.node.attribute())
    if (attr.name() == name)
      return Ints(attr.ints().begin(), attr.ints().end());
  if (position >= query.inputs.size() || !query.inputs[position])
    return std::nullopt;
  Ints values;
  for (const Fact &element : query.inputs[position]->elements) {
    std::optional<SymInt> bound = getBound(element);
    std::optional<int64_t> value = bound ? bound->getConstant() : std::nullopt;
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

/// Makes `axis` non-negative; returns false if it is out of range.
static bool normalize(int64_t &axis, int64_t rank) {
  if (axis < 0)
    axis += rank;
  return axis >= 0 && axis < rank;
}

/// Builds a tensor whose element at each index is the element of `x` at the
/// index that `from` returns.
static MaybeFact
rearrange(const FactTensor &x, llvm::ArrayRef<int64_t> shape,
          llvm::function_ref<void(llvm::ArrayRef<int64_t>, Ints &)> from) {
  std::optional<int64_t> count = countElements(shape);
  if (!count)
    return std::nullopt;
  FactTensor result;
  result.dtype = x.dtype;
  result.shape.assign(shape.begin(), shape.end());
  Ints index(shape.size()), source;
  for (int64_t linear = 0; linear < *count; ++linear) {
    int64_t rest = linear;
    for (size_t i = shape.size(); i-- > 0; rest /= shape[i])
      index[i] = rest % shape[i];
    source.assign(x.shape.size(), 0);
    from(index, source);
    int64_t position = 0;
    for (size_t i = 0; i < x.shape.size(); ++i) {
      if (source[i] < 0 || source[i] >= x.shape[i])
        return std::nullopt;
      position = position * x.shape[i] + source[i];
    }
    result.elements.push_back(x.elements[position]);
  }
  return result;
}

static MaybeFact withShape(const FactTensor &x, Ints shape) {
  std::optional<int64_t> count = countElements(shape);
  if (!count || *count != x.size())
    return std::nullopt;
  FactTensor result = x;
  result.shape = std::move(shape);
  return result;
}

static MaybeFact gather(const FactQuery &query) {
  const FactTensor &x = *query.inputs[0], &indices = *query.inputs[1];
  int64_t axis = intAttr(query, "axis", 0);
  auto positions = indices.getConstantIntegers();
  if (!normalize(axis, x.rank()) || !positions)
    return std::nullopt;
  for (int64_t &position : *positions)
    if (!normalize(position, x.shape[axis]))
      return std::nullopt;
  Ints shape(x.shape.begin(), x.shape.begin() + axis);
  shape.append(indices.shape.begin(), indices.shape.end());
  shape.append(x.shape.begin() + axis + 1, x.shape.end());
  return rearrange(x, shape, [&](llvm::ArrayRef<int64_t> at, Ints &from) {
    int64_t position = 0;
    for (int64_t i = 0; i < indices.rank(); ++i)
      position = position * indices.shape[i] + at[axis + i];
    for (int64_t i = 0; i < x.rank(); ++i)
      from[i] = i < axis   ? at[i]
                : i > axis ? at[i - 1 + indices.rank()]
                           : (*positions)[position];
  });
}

static MaybeFact concat(const FactQuery &query) {
  const FactTensor &first = *query.inputs[0];
  int64_t axis = intAttr(query, "axis", 1);
  if (!normalize(axis, first.rank()))
    return std::nullopt;
  Ints shape = first.shape;
  shape[axis] = 0;
  for (const FactTensor *part : query.inputs) {
    if (part->rank() != first.rank() || part->dtype != first.dtype)
      return std::nullopt;
    for (int64_t i = 0; i < first.rank(); ++i)
      if (i != axis && part->shape[i] != first.shape[i])
        return std::nullopt;
    shape[axis] += part->shape[axis];
  }
  if (!countElements(shape))
    return std::nullopt;
  FactTensor result;
  result.dtype = first.dtype;
  result.shape = shape;
  int64_t outer = 1;
  for (int64_t i = 0; i < axis; ++i)
    outer *= shape[i];
  for (int64_t row = 0; row < outer; ++row)
    for (const FactTensor *part : query.inputs) {
      int64_t width = outer ? part->size() / outer : 0;
      auto begin = part->elements.begin() + row * width;
      result.elements.insert(result.elements.end(), begin, begin + width);
    }
  return result;
}

static MaybeFact slice(const FactQuery &query) {
  const FactTensor &x = *query.inputs[0];
  auto starts = listOf(query, "starts", 1), ends = listOf(query, "ends", 2);
  auto axes = listOf(query, "axes", 3);
  auto steps = listOf(query, "steps", 4);
  bool hasAxes = axes || (query.inputs.size() > 3 && query.inputs[3]);
  bool hasSteps = steps || (query.inputs.size() > 4 && query.inputs[4]);
  if (!starts || !ends || (hasAxes && !axes) || (hasSteps && !steps))
    return std::nullopt;
  Ints begin(x.rank(), 0), step(x.rank(), 1), shape = x.shape;
  for (size_t i = 0; i < starts->size(); ++i) {
    int64_t axis = axes ? (i < axes->size() ? (*axes)[i] : x.rank()) : i;
    int64_t stride = steps ? (i < steps->size() ? (*steps)[i] : 0) : 1;
    if (!normalize(axis, x.rank()) || stride == 0 || i >= ends->size())
      return std::nullopt;
    int64_t size = x.shape[axis];
    auto clamp = [&](int64_t at) {
      if (at < 0)
        at = at < -size ? -1 : at + size;
      return stride > 0 ? std::clamp<int64_t>(at, 0, size)
                        : std::clamp<int64_t>(at, -1, size - 1);
    };
    int64_t from = clamp((*starts)[i]), to = clamp((*ends)[i]);
    // A descending slice begins at an element, if there is one.
    if (stride < 0)
      from = std::min(std::max<int64_t>(from, 0), size - 1);
    if (stride > maxFactElements || stride < -maxFactElements)
      return std::nullopt;
    int64_t count = stride > 0 ? (to - from + stride - 1) / stride
                               : (from - to - stride - 1) / -stride;
    begin[axis] = from;
    step[axis] = stride;
    shape[axis] = std::max<int64_t>(count, 0);
  }
  return rearrange(x, shape, [&](llvm::ArrayRef<int64_t> at, Ints &from) {
    for (int64_t i = 0; i < x.rank(); ++i)
      from[i] = begin[i] + at[i] * step[i];
  });
}

static MaybeFact reshape(const FactQuery &query) {
  const FactTensor &x = *query.inputs[0];
  auto shape = listOf(query, "shape", 1);
  if (!shape)
    return std::nullopt;
  int64_t known = 1, open = -1;
  for (size_t i = 0; i < shape->size(); ++i) {
    int64_t &size = (*shape)[i];
    if (size == 0 && !intAttr(query, "allowzero", 0)) {
      if (i >= x.shape.size())
        return std::nullopt;
      size = x.shape[i];
    }
    if (size == -1 && open < 0)
      open = i;
    else if (size < 0 || size > maxFactElements ||
             (known *= size) > maxFactElements)
      return std::nullopt;
  }
  if (open >= 0) {
    if (known == 0)
      return std::nullopt;
    (*shape)[open] = x.size() / known;
  }
  return withShape(x, *shape);
}

static MaybeFact unsqueeze(const FactQuery &query) {
  const FactTensor &x = *query.inputs[0];
  auto axes = listOf(query, "axes", 1);
  if (!axes)
    return std::nullopt;
  int64_t rank = x.rank() + axes->size();
  for (int64_t &axis : *axes)
    if (!normalize(axis, rank))
      return std::nullopt;
  llvm::sort(*axes);
  Ints shape = x.shape;
  for (int64_t axis : *axes) {
    if (axis > static_cast<int64_t>(shape.size()))
      return std::nullopt;
    shape.insert(shape.begin() + axis, 1);
  }
  return withShape(x, shape);
}

static MaybeFact squeeze(const FactQuery &query) {
  const FactTensor &x = *query.inputs[0];
  auto axes = listOf(query, "axes", 1);
  if (!axes && query.inputs.size() > 1 && query.inputs[1])
    return std::nullopt;
  if (axes)
    for (int64_t &axis : *axes)
      if (!normalize(axis, x.rank()) || x.shape[axis] != 1)
        return std::nullopt;
  Ints shape;
  for (int64_t i = 0; i < x.rank(); ++i)
    if (axes ? !llvm::is_contained(*axes, i) : x.shape[i] != 1)
      shape.push_back(x.shape[i]);
  return withShape(x, shape);
}

static MaybeFact transpose(const FactQuery &query) {
  const FactTensor &x = *query.inputs[0];
  auto perm = listOf(query, "perm", 99);
  if (!perm) {
    perm.emplace();
    for (int64_t i = x.rank(); i-- > 0;)
      perm->push_back(i);
  }
  Ints shape;
  for (int64_t axis : *perm) {
    if (axis < 0 || axis >= x.rank())
      return std::nullopt;
    shape.push_back(x.shape[axis]);
  }
  if (shape.size() != x.shape.size())
    return std::nullopt;
  return rearrange(x, shape, [&](llvm::ArrayRef<int64_t> at, Ints &from) {
    for (int64_t i = 0; i < x.rank(); ++i)
      from[(*perm)[i]] = at[i];
  });
}

static MaybeFact expand(const FactQuery &query) {
  auto shape = listOf(query, "", 1);
  if (!shape)
    return std::nullopt;
  FactTensor target;
  target.shape.assign(shape->begin(), shape->end());
  auto joined = broadcastFactShapes({query.inputs[0], &target});
  if (!joined)
    return std::nullopt;
  return broadcastFact(*query.inputs[0], *joined);
}

static MaybeFact range(const FactQuery &query) {
  if (query.inputs.size() != 3)
    return std::nullopt;
  for (const FactTensor *input : query.inputs)
    if (!input || input->size() != 1 || artifact::isFloat(input->dtype))
      return std::nullopt;
  auto start = query.inputs[0]->elements[0].getConstantInteger(),
       limit = query.inputs[1]->elements[0].getConstantInteger(),
       delta = query.inputs[2]->elements[0].getConstantInteger();
  if (!start || !limit || !delta || *delta == 0)
    return std::nullopt;
  constexpr int64_t bound = int64_t(1) << 40;
  for (int64_t value : {*start, *limit, *delta})
    if (value > bound || value < -bound)
      return std::nullopt;
  int64_t count = (*limit - *start + *delta + (*delta > 0 ? -1 : 1)) / *delta;
  count = std::max<int64_t>(count, 0);
  if (count > maxFactElements)
    return std::nullopt;
  FactTensor result;
  result.dtype = query.inputs[0]->dtype;
  result.shape = {count};
  for (int64_t i = 0; i < count; ++i)
    result.elements.push_back(Fact(*start + i * *delta));
  return result;
}

/// Evaluates reductions of a vector, or of all elements, to one element.
static MaybeFact reduce(const FactQuery &query, llvm::StringRef function) {
  const FactTensor &x = *query.inputs[0];
  auto axes = listOf(query, "axes", 1);
  if (!axes && query.inputs.size() > 1 && query.inputs[1])
    return std::nullopt;
  bool all =
      (!axes || axes->empty()) && !intAttr(query, "noop_with_empty_axes", 0);
  if (axes && axes->size() == 1 && x.rank() == 1 &&
      ((*axes)[0] == 0 || (*axes)[0] == -1))
    all = true;
  if (!all || artifact::isFloat(x.dtype))
    return std::nullopt;
  bool isProduct = function == "Mul";
  if (x.elements.empty() && !isProduct && function != "Add")
    return std::nullopt;
  std::optional<Fact> result;
  if (x.elements.empty())
    result = Fact(isProduct ? 1 : 0);
  for (const Fact &element : x.elements) {
    result = result ? applyBinary(function, *result, element, x.dtype)
                    : std::optional<Fact>(element);
    if (!result)
      return std::nullopt;
  }
  FactTensor reduced;
  reduced.dtype = x.dtype;
  if (intAttr(query, "keepdims", 1))
    reduced.shape.assign(x.rank(), 1);
  reduced.elements.push_back(*result);
  return reduced;
}

static MaybeFact constantOfShape(const FactQuery &query) {
  auto shape = query.inputs[0]->getConstantIntegers();
  if (!shape || !countElements(*shape))
    return std::nullopt;
  FactTensor value;
  value.dtype = DType::F32;
  value.elements.push_back(Fact(0));
  for (const AttributeProto &attr : query.node.attribute()) {
    if (attr.name() != "value")
      continue;
    ExternalFiles none("");
    llvm::Expected<OnnxTensor> tensor = readTensor(attr.t(), none);
    if (!tensor) {
      llvm::consumeError(tensor.takeError());
      return std::nullopt;
    }
    auto fact = FactTensor::fromTensor(*tensor);
    if (!fact || fact->size() != 1)
      return std::nullopt;
    value = *fact;
    value.shape.clear();
  }
  return broadcastFact(value, *shape);
}

std::optional<FactTensor>
tenon::onnx::evaluateStructure(const FactQuery &query) {
  if (query.inputs.empty() || !query.inputs[0])
    return std::nullopt;
  llvm::StringRef op = query.node.op_type();
  using Function = MaybeFact (*)(const FactQuery &);
  Function function = llvm::StringSwitch<Function>(op)
                          .Case("Slice", slice)
                          .Case("Reshape", reshape)
                          .Case("Unsqueeze", unsqueeze)
                          .Case("Squeeze", squeeze)
                          .Case("Transpose", transpose)
                          .Case("Range", range)
                          .Case("ConstantOfShape", constantOfShape)
                          .Default(nullptr);
  if (function)
    return function(query);
  if (llvm::is_contained(query.inputs, nullptr))
    return std::nullopt;
  if (op == "Concat")
    return concat(query);
  if (op == "Gather" && query.inputs.size() == 2)
    return gather(query);
  if (op == "Expand" && query.inputs.size() == 2)
    return expand(query);
  llvm::StringRef reduction = llvm::StringSwitch<llvm::StringRef>(op)
                                  .Case("ReduceSum", "Add")
                                  .Case("ReduceProd", "Mul")
                                  .Case("ReduceMax", "Max")
                                  .Case("ReduceMin", "Min")
                                  .Default("");
  if (!reduction.empty())
    return reduce(query, reduction);
  return std::nullopt;
}

std::optional<std::vector<FactTensor>>
tenon::onnx::splitFact(const FactQuery &query) {
  if (query.inputs.empty() || !query.inputs[0] || query.inputs[0]->rank() != 1)
    return std::nullopt;
  const FactTensor &x = *query.inputs[0];
  auto sizes = listOf(query, "split", 1);
  if (!sizes) {
    int64_t parts = query.node.output_size();
    int64_t each = (x.size() + parts - 1) / parts;
    sizes.emplace();
    for (int64_t left = x.size(); parts-- > 0; left -= sizes->back())
      sizes->push_back(std::min(each, left));
  }
  std::vector<FactTensor> results;
  int64_t begin = 0;
  for (int64_t size : *sizes) {
    if (size < 0 || size > x.size() - begin)
      return std::nullopt;
    FactTensor part;
    part.dtype = x.dtype;
    part.shape = {size};
    part.elements.assign(x.elements.begin() + begin,
                         x.elements.begin() + begin + size);
    results.push_back(std::move(part));
    begin += size;
  }
  if (begin != x.size())
    return std::nullopt;
  return results;
}
