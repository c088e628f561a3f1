#include "tests/interpreter/properties/random_program/values.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "runtime/execute/emulator.h"

namespace shard::random_program {

namespace {

using Labels = std::vector<std::string>;
using Extents = std::vector<std::int64_t>;

// Whole numbers below this add up exactly in fp32, in any order.
constexpr double kExactInFp32 = 1 << 24;

std::int64_t count_of(const Extents& shape) {
  std::int64_t count = 1;
  for (const std::int64_t length : shape) count *= length;
  return count;
}

// For each of `loop`, how far one step of it moves in an array with these labels.
Extents strides_along(const Labels& loop, const Labels& labels, const Extents& shape) {
  std::map<std::string, std::int64_t> strides;
  std::int64_t stride = 1;
  for (std::size_t i = labels.size(); i-- > 0;) {
    strides[labels[i]] = stride;
    stride *= shape[i];
  }
  Extents result;
  for (const std::string& label : loop) {
    const auto found = strides.find(label);
    result.push_back(found == strides.end() ? 0 : found->second);
  }
  return result;
}

// Counts through a box and keeps three offsets with it.
class Walk {
 public:
  Walk(Extents box, Extents along_a, Extents along_b, Extents along_c)
      : box_(std::move(box)),
        strides_{std::move(along_a), std::move(along_b), std::move(along_c)},
        at_(box_.size(), 0) {}

  std::int64_t a = 0;
  std::int64_t b = 0;
  std::int64_t c = 0;

  void next() {
    for (std::size_t i = box_.size(); i-- > 0;) {
      const std::int64_t step = ++at_[i] < box_[i] ? 1 : 1 - box_[i];
      a += step * strides_[0][i];
      b += step * strides_[1][i];
      c += step * strides_[2][i];
      if (step == 1) return;
      at_[i] = 0;
    }
  }

 private:
  Extents box_;
  std::vector<Extents> strides_;
  Extents at_;
};

}  // namespace

double rounded(DType dtype, double value) {
  if (dtype == DType::Fp32) return static_cast<double>(static_cast<float>(value));
  if (dtype == DType::Int8) return std::clamp(std::nearbyint(value), -128.0, 127.0);
  constexpr int kBf16Digits = 8;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, kBf16Digits)), exponent - kBf16Digits);
}

Values rounded(DType dtype, Values values) {
  for (double& value : values.exact) value = rounded(dtype, value);
  return values;
}

Values input_values(std::string_view name, const std::vector<std::int64_t>& shape, DType dtype) {
  Values values{.shape = shape, .exact = {}};
  const std::int64_t count = count_of(shape);
  for (std::int64_t i = 0; i < count; ++i) {
    values.exact.push_back(
        rounded(dtype, input_value(InputValues::Integers, name, static_cast<std::uint64_t>(i))));
  }
  return values;
}

Values einsum(const Values& left, const Labels& left_labels, const Values& right,
              const Labels& right_labels, const Labels& result) {
  std::map<std::string, std::int64_t> lengths;
  for (std::size_t i = 0; i < left_labels.size(); ++i) lengths[left_labels[i]] = left.shape[i];
  for (std::size_t i = 0; i < right_labels.size(); ++i) lengths[right_labels[i]] = right.shape[i];
  Labels loop;
  Extents box;
  for (const auto& [label, length] : lengths) {
    loop.push_back(label);
    box.push_back(length);
  }
  Values product{.shape = {}, .exact = {}, .certain = left.certain && right.certain};
  for (const std::string& label : result) product.shape.push_back(lengths.at(label));
  product.exact.assign(static_cast<std::size_t>(count_of(product.shape)), 0);
  std::vector<double> magnitude(product.exact.size(), 0);
  Walk walk(box, strides_along(loop, left_labels, left.shape),
            strides_along(loop, right_labels, right.shape),
            strides_along(loop, result, product.shape));
  const std::int64_t terms = count_of(box);
  for (std::int64_t i = 0; i < terms; ++i, walk.next()) {
    const double term = left.exact[static_cast<std::size_t>(walk.a)] *
                        right.exact[static_cast<std::size_t>(walk.b)];
    product.exact[static_cast<std::size_t>(walk.c)] += term;
    magnitude[static_cast<std::size_t>(walk.c)] += std::abs(term);
  }
  for (const double size : magnitude) product.certain = product.certain && size < kExactInFp32;
  return product;
}

Values transposed(const Values& from, const Labels& from_labels, const Labels& to_labels) {
  const Values one{.shape = {}, .exact = {1}};
  Values result = einsum(from, from_labels, one, {}, to_labels);
  result.certain = from.certain;
  return result;
}

Values shifted(const Values& from, std::size_t dimension, std::int64_t outer, std::int64_t count,
               std::int64_t by) {
  const Extents& shape = from.shape;
  const auto middle = shape.begin() + static_cast<std::ptrdiff_t>(dimension);
  const std::int64_t before = count_of(Extents(shape.begin(), middle));
  const std::int64_t behind = count_of(Extents(middle + 1, shape.end()));
  const std::int64_t block = shape[dimension] / (outer * count) * behind;
  Values result = from;
  for (std::int64_t part = 0; part < before * outer; ++part) {
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t there = ((i + by) % count + count) % count;
      const auto source = from.exact.begin() + (part * count + i) * block;
      std::copy(source, source + block, result.exact.begin() + (part * count + there) * block);
    }
  }
  return result;
}

}  // namespace shard::random_program
