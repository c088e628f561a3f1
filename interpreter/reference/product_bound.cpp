#include "interpreter/reference/product_bound.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "base/contains.h"
#include "interpreter/reference/einsum.h"
#include "interpreter/reference/parallel.h"
#include "interpreter/reference/rounding_error.h"

namespace shard::oracle {

namespace {

constexpr double kLeastNormal = 0x1p-126;  // of fp32 and bf16

// The function's value for each index.
template <class Function>
Numbers numbers(std::size_t count, const Watch& watch, const Function& function) {
  Numbers result(count);
  in_ranges(watch, count, kElementsAtOnce, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) result[i] = function(i);
  });
  return result;
}

// Whether a function is nonzero for some index.
template <class Function>
bool any_index(std::size_t count, const Watch& watch, const Function& function) {
  std::atomic<bool> found = false;
  in_ranges(watch, count, kElementsAtOnce, [&](std::size_t begin, std::size_t end) {
    int here = 0;
    for (std::size_t i = begin; i < end; ++i) here += static_cast<int>(function(i));
    if (here != 0) found = true;
  });
  return found;
}

bool is_unknown(const Array& array, std::size_t i) {
  return !std::isfinite(array.value[i]) || !std::isfinite(array.bound_at(i));
}

bool has_unknown(const Array& array, const Watch& watch) {
  const auto no_number = [](const Numbers& numbers) {
    return [number = numbers.data()](std::size_t i) {
      return static_cast<int>(!(std::abs(number[i]) <= std::numeric_limits<double>::max()));
    };
  };
  return any_index(array.value.size(), watch, no_number(array.value)) ||
         any_index(array.bound.size(), watch, no_number(array.bound));
}

// The bounds of a factor's elements; empty if it is exact. Processors flush subnormal numbers to 0 when they multiply
// bf16, so an element that may be subnormal may be 0. Elements that may be anything are left to `unknown_sums`.
Numbers bounds_of(const Factor& factor, bool flushes, const Watch& watch) {
  const Array& array = factor.array;
  const auto bound = [&](std::size_t i) {
    const double own = array.bound_at(i);
    if (std::isinf(own)) return 0.0;
    const double size = std::abs(array.value[i]);
    return flushes && size - own < kLeastNormal ? std::max(size, own) : own;
  };
  const std::size_t count = array.value.size();
  const double* const value = array.value.data();
  const auto is_subnormal = [value](std::size_t i) {
    const double size = std::abs(value[i]);
    return static_cast<int>(size > 0) & static_cast<int>(size < kLeastNormal);
  };
  const bool exact =
      array.bound.empty()
          ? !flushes || !any_index(count, watch, is_subnormal)
          : !any_index(count, watch, [&](std::size_t i) { return static_cast<int>(bound(i) > 0); });
  return exact ? Numbers() : numbers(count, watch, bound);
}

// The number of products in a sum over the labels that the result lacks.
double summed_terms(const Factor& factor, const std::vector<int>& result) {
  double terms = 1;
  for (std::size_t d = 0; d < factor.labels.size(); ++d) {
    if (!contains(result, factor.labels[d])) terms *= static_cast<double>(factor.array.shape[d]);
  }
  return terms;
}

class ProductBound {
 public:
  ProductBound(const Factor& left, const Factor& right, const std::vector<int>& labels,
               const Watch& watch)
      : left_(left),
        right_(right),
        labels_(labels),
        watch_(watch),
        flushes_(left.dtype == DType::Bf16 && right.dtype == DType::Bf16),
        type_(common_type(left.dtype, right.dtype).value_or(right.dtype)),
        terms_(summed_terms(left, labels)),
        u_(unit_roundoff(accumulation_type(type_))),
        left_bound_(bounds_of(left, flushes_, watch)),
        right_bound_(bounds_of(right, flushes_, watch)) {}

  // The terms may be as large as the values with their bounds, (|a| + δa)(|b| + δb), or as the parts of a partial sum.
  // To the rounding of the sum comes |(a+δa)(b+δb) − ab| ≤ (|a| + δa)·δb + δa·|b|.
  Numbers take() {
    const Numbers left_most = most(left_.array, left_bound_);
    const Numbers right_most = most(right_.array, right_bound_);
    Numbers sizes = may_square() ? norms(left_most, right_most) : times(left_most, right_most);
    // If the sizes of the terms add up to more than the largest number, some order of the sum overflows, and it may be
    // anything.
    const double largest = largest_of(accumulation_type(type_));
    const auto overflows = [&](std::size_t i) { return !(sizes[i] <= largest); };
    const std::size_t count = sizes.size();
    if (may_square() && any_index(count, watch_, overflows)) sizes = times(left_most, right_most);
    Numbers bound = numbers(count, watch_, [&, integers = is_integer(type_)](std::size_t i) {
      return overflows(i) ? HUGE_VAL : sum_error(terms_, sizes[i], u_, integers);
    });
    if (!left_bound_.empty()) add(times(left_bound_, right_most), bound);
    if (!right_bound_.empty()) add(times(left_most, right_bound_), bound);
    if (flushes_) flush_sums(bound);
    return bound;
  }

 private:
  Numbers times(const Numbers& a, const Numbers& b) const {
    return einsum({left_.labels, left_.array.shape, a}, {right_.labels, right_.array.shape, b},
                  labels_, watch_)
        .values;
  }
  Numbers most(const Array& array, const Numbers& bounds) const {
    return numbers(array.value.size(), watch_, [&](std::size_t i) {
      const double own = std::abs(array.value[i]) + (bounds.empty() ? 0 : bounds[i]);
      return array.size.empty() ? own : std::max(own, array.size[i]);
    });
  }
  void add(const Numbers& more, Numbers& bound) const {
    bound = numbers(bound.size(), watch_, [&](std::size_t i) { return bound[i] + more[i]; });
  }

  // In fp64, squares of numbers that fp32 holds neither underflow to 0 nor overflow.
  bool may_square() const { return accumulation_type(type_) == DType::Fp32; }

  // ‖a‖·‖b‖ ≥ Σ|a||b| (Cauchy-Schwarz), which needs no second full product.
  Numbers norms(const Numbers& left_most, const Numbers& right_most) const {
    const Tensor left = row_norms(left_, left_most);
    const Tensor right = row_norms(right_, right_most);
    return einsum(left, right, labels_, watch_).values;
  }
  Tensor row_norms(const Factor& factor, const Numbers& most_of_it) const {
    const Numbers squares = numbers(most_of_it.size(), watch_,
                                    [&](std::size_t i) { return most_of_it[i] * most_of_it[i]; });
    Tensor ones;
    std::vector<int> kept;
    for (std::size_t d = 0; d < factor.labels.size(); ++d) {
      if (contains(labels_, factor.labels[d])) {
        kept.push_back(factor.labels[d]);
        continue;
      }
      ones.labels.push_back(factor.labels[d]);
      ones.shape.push_back(factor.array.shape[d]);
    }
    ones.values.assign(static_cast<std::size_t>(terms_), 1.0);
    Tensor sums = einsum({factor.labels, factor.array.shape, squares}, ones, kept, watch_);
    for (double& sum : sums.values) sum = std::sqrt(sum);
    return sums;
  }

  // Subnormal sums are flushed to 0 too.
  void flush_sums(Numbers& bounds) const {
    for (double& bound : bounds) bound += bound > 0 ? terms_ * kLeastNormal : 0;
  }

  const Factor& left_;
  const Factor& right_;
  const std::vector<int>& labels_;
  const Watch& watch_;
  bool flushes_;
  DType type_;  // the common type of the factors
  double terms_;
  double u_;
  Numbers left_bound_;
  Numbers right_bound_;
};

}  // namespace

Numbers product_bound(const Factor& left, const Factor& right, const std::vector<int>& labels,
                      const Watch& watch) {
  return ProductBound(left, right, labels, watch).take();
}

Numbers unknown_sums(const Factor& left, const Factor& right, const std::vector<int>& labels,
                     const Watch& watch) {
  if (!has_unknown(left.array, watch) && !has_unknown(right.array, watch)) return {};
  // How many terms of each sum are unknown because of either factor.
  const auto marks = [&](const Array& array) {
    return numbers(array.value.size(), watch,
                   [&](std::size_t i) { return is_unknown(array, i) ? 1.0 : 0.0; });
  };
  const auto times = [&](const Numbers& a, const Numbers& b) {
    return einsum({left.labels, left.array.shape, a}, {right.labels, right.array.shape, b}, labels,
                  watch)
        .values;
  };
  const Numbers of_left = times(marks(left.array), Numbers(right.array.value.size(), 1.0));
  const Numbers of_right = times(Numbers(left.array.value.size(), 1.0), marks(right.array));
  return numbers(of_left.size(), watch,
                 [&](std::size_t i) { return of_left[i] + of_right[i] > 0 ? 1.0 : 0.0; });
}

}  // namespace shard::oracle
