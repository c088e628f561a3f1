// Elements of whole arrays picked or put by position.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/check.h"
#include "interpreter/reference/elements.h"
#include "interpreter/reference/rounding_error.h"

namespace shard::oracle {

namespace {

using Shape = std::vector<std::int64_t>;

std::size_t place(const std::vector<int>& labels, int label) {
  return static_cast<std::size_t>(std::find(labels.begin(), labels.end(), label) - labels.begin());
}

std::int64_t count_of(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

// The multi-index of an element, row-major.
Shape index_of(std::int64_t element, const Shape& shape) {
  Shape index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    index[d] = element % shape[d];
    element /= shape[d];
  }
  return index;
}

std::size_t element_at(const Shape& index, const Shape& shape) {
  std::int64_t element = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) element = element * shape[d] + index[d];
  return static_cast<std::size_t>(element);
}

// The multi-index in an operand that belongs to one over `labels`; labels that are missing there get `along`.
Shape projected(const Shape& index, const std::vector<int>& labels, const std::vector<int>& onto,
                std::int64_t along) {
  Shape result;
  for (const int label : onto) {
    const std::size_t at = place(labels, label);
    result.push_back(at < labels.size() ? index[at] : along);
  }
  return result;
}

// The dimension of the labels that the operand lacks; their number if it lacks none.
std::size_t own_dimension(const Labelled& operand, const std::vector<int>& labels) {
  const auto missing = std::find_if(labels.begin(), labels.end(), [&](int label) {
    return place(operand.labels, label) == operand.labels.size();
  });
  return static_cast<std::size_t>(missing - labels.begin());
}

constexpr double kLargestIndex = 1e15;  // no array of a run is that long

// The index that an element of an array stands for; nullopt if rounding decides it, or if there is no such index, in
// which case the run ends with a fault.
std::optional<std::int64_t> meant(const Labelled* index, const Shape& at,
                                  const std::vector<int>& labels, std::int64_t fixed,
                                  std::int64_t length) {
  std::int64_t value = fixed;
  if (index != nullptr) {
    const std::size_t element =
        element_at(projected(at, labels, index->labels, 0), index->array->shape);
    const double number = index->array->value[element];
    if (index->array->bound_at(element) >= 0.5 || !(std::abs(number) < kLargestIndex))
      return std::nullopt;
    value = static_cast<std::int64_t>(std::nearbyint(number));
  }
  if (value < 0) value += length;
  return value >= 0 && value < length ? std::optional(value) : std::nullopt;
}

// A result of whose elements nothing is known yet.
Array unknown_elements(const Shape& shape, const Mode& mode) {
  const auto count = static_cast<std::size_t>(count_of(shape));
  Array result{.shape = shape, .value = Numbers(count, std::nan("")), .bound = {}, .size = {}};
  if (mode.bounded()) result.bound.assign(count, HUGE_VAL);
  return result;
}

void forget(Array& array, std::size_t at) {
  array.value[at] = std::nan("");
  if (!array.bound.empty()) array.bound[at] = HUGE_VAL;
}

// Each element that differs from one place along these dimensions only.
void forget_along(Array& array, Shape at, const std::vector<std::size_t>& dimensions) {
  Shape lengths;
  for (const std::size_t dimension : dimensions) lengths.push_back(array.shape[dimension]);
  for (std::int64_t i = 0; i < count_of(lengths); ++i) {
    const Shape inside = index_of(i, lengths);
    for (std::size_t k = 0; k < dimensions.size(); ++k) at[dimensions[k]] = inside[k];
    forget(array, element_at(at, array.shape));
  }
}

void set(Array& to, std::size_t at, const Array& from, std::size_t element) {
  to.value[at] = from.value[element];
  if (!to.bound.empty()) to.bound[at] = from.bound_at(element);
  if (!to.size.empty()) to.size[at] = from.size_at(element);
}

}  // namespace

Array gathered_values(const Labelled& operand, std::span<const Labelled> indices,
                      const std::vector<int>& along, std::int64_t fixed,
                      const std::vector<int>& labels, const Shape& shape, const Mode& mode) {
  const Array& from = *operand.array;
  Array result = unknown_elements(shape, mode);
  const std::size_t count = result.value.size();
  if (!from.size.empty()) result.size.assign(count, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    mode.watch.look(i);
    const Shape at = index_of(static_cast<std::int64_t>(i), shape);
    Shape element = projected(at, labels, operand.labels, 0);
    bool known = true;
    for (std::size_t k = 0; k < along.size(); ++k) {
      const std::size_t dimension = place(operand.labels, along[k]);
      const auto which =
          meant(indices.empty() ? nullptr : &indices[k], at, labels, fixed, from.shape[dimension]);
      element[dimension] = which.value_or(0);
      known = known && which;
    }
    if (known) set(result, i, from, element_at(element, from.shape));
  }
  return result;
}

Array part_values(const Labelled& operand, int along, std::int64_t begin,
                  const std::vector<int>& labels, const std::vector<std::int64_t>& shape,
                  const Mode& mode) {
  const Array& from = *operand.array;
  const std::size_t own = own_dimension(operand, labels);
  const std::size_t dimension = place(operand.labels, along);
  Array result = unknown_elements(shape, mode);
  if (!from.size.empty()) result.size.assign(result.value.size(), 0.0);
  for (std::size_t i = 0; i < result.value.size(); ++i) {
    mode.watch.look(i);
    const Shape at = index_of(static_cast<std::int64_t>(i), shape);
    Shape element = projected(at, labels, operand.labels, 0);
    element[dimension] = begin + at[own];
    set(result, i, from, element_at(element, from.shape));
  }
  return result;
}

Array cumsum_values(const Labelled& operand, int along, const std::vector<int>& labels,
                    const std::vector<std::int64_t>& shape, DType dtype, DType result_dtype,
                    const Mode& mode) {
  const Array& from = *operand.array;
  Array result{.shape = shape, .value = Numbers(from.value.size(), 0.0), .bound = {}, .size = {}};
  if (mode.bounded()) result.bound.assign(from.value.size(), 0.0);
  const std::size_t row = place(labels, along);
  const double u = std::max(unit_roundoff(accumulation_type(dtype)),
                            unit_roundoff(accumulation_type(result_dtype)));
  const double largest =
      std::min(largest_of(accumulation_type(dtype)), largest_of(accumulation_type(result_dtype)));
  for (std::size_t i = 0; i < result.value.size(); ++i) {
    mode.watch.look(i);
    Shape at = index_of(static_cast<std::int64_t>(i), shape);
    if (at[row] != 0) continue;
    double sum = 0;
    double bound = 0;
    double size = 0;
    for (; at[row] < shape[row]; ++at[row]) {
      const std::size_t term = element_at(projected(at, labels, operand.labels, 0), from.shape);
      const std::size_t to = element_at(at, shape);
      sum += from.value[term];
      result.value[to] = sum;
      if (!mode.bounded()) continue;
      bound += from.bound_at(term);
      size += from.size_at(term);
      const double terms = static_cast<double>(at[row] + 1);
      result.bound[to] =
          size > largest ? HUGE_VAL : bound + sum_error(terms, size, u, is_integer(dtype));
    }
  }
  return result;
}

Array joined_values(const std::vector<Labelled>& operands, int along,
                    const std::vector<int>& labels, const std::vector<std::int64_t>& shape,
                    const Mode& mode) {
  const auto count = static_cast<std::size_t>(count_of(shape));
  Array result{.shape = shape, .value = Numbers(count, 0.0), .bound = {}, .size = {}};
  if (mode.bounded()) result.bound.assign(count, 0.0);
  const std::size_t joined = place(labels, along);
  std::int64_t begin = 0;
  for (const Labelled& operand : operands) {
    const Array& from = *operand.array;
    const Labelled target{.array = nullptr, .labels = labels};
    const std::size_t own = own_dimension(target, operand.labels);
    for (std::size_t i = 0; i < from.value.size(); ++i) {
      mode.watch.look(i);
      const Shape at = index_of(static_cast<std::int64_t>(i), from.shape);
      Shape to = projected(at, operand.labels, labels, 0);
      to[joined] = begin + at[own];
      set(result, element_at(to, shape), from, i);
    }
    begin += from.shape[own];
  }
  return result;
}

Array updated_values(const Labelled& operand, const Labelled& value,
                     std::span<const Labelled> indices, const std::vector<int>& along,
                     std::int64_t fixed, const Mode& mode) {
  Array result = *operand.array;
  if (mode.bounded() && result.bound.empty()) result.bound.assign(result.value.size(), 0.0);
  const bool partial = !result.size.empty() || !value.array->size.empty();
  if (partial && result.size.empty()) {
    result.size.resize(result.value.size());
    for (std::size_t i = 0; i < result.size.size(); ++i) result.size[i] = std::abs(result.value[i]);
  }
  // The place in a part.
  const std::size_t own =
      indices.empty() ? own_dimension(operand, value.labels) : value.labels.size();
  for (std::size_t i = 0; i < value.array->value.size(); ++i) {
    mode.watch.look(i);
    const Shape at = index_of(static_cast<std::int64_t>(i), value.array->shape);
    Shape to = projected(at, value.labels, operand.labels, 0);
    std::vector<std::size_t> open;  // dimensions along which the place is not known
    for (std::size_t k = 0; k < along.size(); ++k) {
      const std::size_t dimension = place(operand.labels, along[k]);
      const std::int64_t from = fixed + (own < at.size() ? at[own] : 0);
      const auto which = meant(indices.empty() ? nullptr : &indices[k], at, value.labels, from,
                               result.shape[dimension]);
      to[dimension] = which.value_or(0);
      if (!which) open.push_back(dimension);
    }
    if (open.empty())
      set(result, element_at(to, result.shape), *value.array, i);
    else
      forget_along(result, to, open);
  }
  return result;
}

Array scattered_values(const Labelled& operand, std::span<const Labelled> indices,
                       const std::vector<int>& along, const std::vector<int>& labels,
                       const Shape& shape, DType dtype, DType result_dtype, const Mode& mode) {
  const Array& from = *operand.array;
  const auto count = static_cast<std::size_t>(count_of(shape));
  Array result{.shape = shape, .value = Numbers(count, 0.0), .bound = {}, .size = {}};
  const std::size_t bounded = mode.bounded() ? count : 0;
  result.bound.assign(bounded, 0.0);
  Numbers sizes(bounded, 0.0);
  Numbers terms(bounded, 0.0);
  for (std::size_t i = 0; i < from.value.size(); ++i) {
    mode.watch.look(i);
    const Shape at = index_of(static_cast<std::int64_t>(i), from.shape);
    Shape to = projected(at, operand.labels, labels, 0);
    std::vector<std::size_t> open;  // dimensions along which the place is not known
    for (std::size_t k = 0; k < along.size(); ++k) {
      const std::size_t dimension = place(labels, along[k]);
      const auto which = meant(&indices[k], at, operand.labels, 0, shape[dimension]);
      to[dimension] = which.value_or(0);
      if (!which) open.push_back(dimension);
    }
    if (!open.empty()) {
      forget_along(result, to, open);
      continue;
    }
    const std::size_t element = element_at(to, shape);
    result.value[element] += from.value[i];
    if (bounded == 0) continue;
    result.bound[element] += from.bound_at(i);
    sizes[element] += from.size_at(i);
    terms[element] += 1;
  }
  const double u = std::max(unit_roundoff(accumulation_type(dtype)),
                            unit_roundoff(accumulation_type(result_dtype)));
  const double largest =
      std::min(largest_of(accumulation_type(dtype)), largest_of(accumulation_type(result_dtype)));
  for (std::size_t i = 0; i < bounded; ++i) {
    result.bound[i] += sum_error(terms[i], sizes[i], u, is_integer(dtype));
    if (sizes[i] > largest) result.bound[i] = HUGE_VAL;
  }
  return result;
}

Array largest_values(const Labelled& operand, int along, const std::vector<int>& labels,
                     const Shape& shape, const Mode& mode) {
  const Array& from = *operand.array;
  const std::size_t dimension = place(operand.labels, along);
  const std::int64_t length = from.shape[dimension];
  const std::size_t wanted = own_dimension(operand, labels);
  const bool largest_alone = wanted == labels.size();
  const std::int64_t places = largest_alone ? 1 : shape[wanted];
  const auto count = static_cast<std::size_t>(count_of(shape));
  Array result{.shape = shape, .value = Numbers(count, 0.0), .bound = {}, .size = {}};
  if (mode.bounded()) result.bound.assign(count, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    Shape at = index_of(static_cast<std::int64_t>(i), shape);
    if (!largest_alone && at[wanted] != 0) continue;
    mode.watch.look();
    std::vector<std::size_t> row;
    for (std::int64_t k = 0; k < length; ++k)
      row.push_back(element_at(projected(at, labels, operand.labels, k), from.shape));
    std::vector<std::size_t> order(row.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return from.value[row[a]] > from.value[row[b]];
    });
    for (std::int64_t k = 0; k < places; ++k) {
      if (!largest_alone) at[wanted] = k;
      const std::size_t element = element_at(at, shape);
      const std::size_t chosen = row[order[static_cast<std::size_t>(k)]];
      result.value[element] = static_cast<double>(order[static_cast<std::size_t>(k)]);
      if (!mode.bounded()) continue;
      // Another element may take this place if rounding can move it past this one.
      for (const std::size_t other : row) {
        const double gap = std::abs(from.value[other] - from.value[chosen]);
        const double bound = from.bound_at(other) + from.bound_at(chosen);
        const bool open = other != chosen && bound > 0 && gap <= bound;
        if (open || std::isinf(bound)) result.bound[element] = HUGE_VAL;
      }
    }
  }
  return result;
}

}  // namespace shard::oracle
