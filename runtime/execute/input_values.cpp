#include "runtime/execute/input_values.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "runtime/array/block_copy.h"
#include "runtime/element/number.h"

namespace shard {
namespace {

// FNV-1a.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
  return hash;
}

// The finalizer of SplitMix64: every bit of the input changes about half of the output's bits.
std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

// 2^64 over the golden ratio: the increment of SplitMix64.
constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15u;

// The `draw`-th random word of an element.
std::uint64_t random_word(std::uint64_t key, std::uint64_t index, std::uint64_t draw) {
  return mixed(mixed(key + kGolden * index) + kGolden * (draw + 1));
}

// Uniform in (0, 1).
double unit_interval(std::uint64_t word) {
  return (static_cast<double>(word >> 11) + 0.5) * 0x1p-53;
}

// −2 … 2 with weights 1, 3, 8, 3, 1 of 16. The variance is 0.875, so a sum of K products has standard deviation
// 0.875·√K: int8 results rarely saturate up to K = 1024, and fp32 sums are exact up to K = 2^22.
double small_integer(std::uint64_t word) {
  constexpr signed char kValues[16] = {-2, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2};
  return kValues[word >> 60];
}

double element_value(InputValues values, std::uint64_t key, std::uint64_t index) {
  const std::uint64_t word = random_word(key, index, 0);
  if (values == InputValues::Integers) return small_integer(word);
  const double radius = std::sqrt(-2.0 * std::log(unit_interval(word)));
  return radius * std::cos(2.0 * std::numbers::pi * unit_interval(random_word(key, index, 1)));
}

double unscaled_element(InputValues values, const InputStep& step, std::uint64_t key,
                        std::uint64_t index) {
  switch (step.kind) {
    case InputKind::Hashed:
      return element_value(values, key, index);
    case InputKind::Random:
      return element_value(InputValues::Normal, key, index);
    case InputKind::Iota:
    case InputKind::Coordinate:
      return static_cast<double>(index);
    case InputKind::Zeros:
      return 0;
    case InputKind::Ones:
      return 1;
    case InputKind::Given:
      return step.given->at(index);
    case InputKind::Held:
      break;  // has no function
  }
  return 0;
}

double step_element(InputValues values, const InputStep& step, std::uint64_t key,
                    std::uint64_t index) {
  return step.factor * unscaled_element(values, step, key, index);
}

// Elements per task: some milliseconds of work, between which Ctrl-C is noticed.
constexpr std::int64_t kFillTask = std::int64_t{1} << 18;

// Fills one shard.
struct ShardFill {
  InputValues values;
  const InputStep& step;
  std::uint64_t key;
  std::uint64_t partials;  // number of partial sums
  std::uint64_t partial;   // the one that this shard is
  DType dtype;
  bool rounds;  // to the dtype, as the storage is wider

  double operator()(std::uint64_t index) const {
    if (partials > 1 && random_word(key, index, 2) % partials != partial) return 0.0;
    const double value = step_element(values, step, key, index);
    return rounds ? rounded_to(dtype, value) : value;
  }
};

// The elements from `begin` to `end` of a shard's block.
template <class T>
void fill_block(const ShardFill& fill, const Extents& shape, const Extents& local_shape,
                const Extents& origin, std::int64_t begin, std::int64_t end, T* block) {
  const Extents strides = row_major_strides(shape);
  Extents index(shape.size(), 0);
  std::int64_t position = 0;
  std::int64_t rest = begin;
  for (std::size_t d = shape.size(); d-- > 0;) {
    index[d] = rest % local_shape[d];
    rest /= local_shape[d];
    position += (origin[d] + index[d]) * strides[d];
  }
  std::uint64_t clamped = 0;
  for (std::int64_t i = begin; i < end; ++i) {
    block[i] = convert<T>(fill(static_cast<std::uint64_t>(position)), clamped);
    for (std::size_t d = shape.size(); d-- > 0;) {
      position += strides[d];
      if (++index[d] < local_shape[d]) break;
      position -= strides[d] * local_shape[d];
      index[d] = 0;
    }
  }
}

}  // namespace

double input_value(InputValues values, std::string_view seed, std::uint64_t index) {
  return element_value(values, hash_of(seed), index);
}

double input_element(InputValues values, const InputStep& step, std::uint64_t index) {
  return step_element(values, step, hash_of(step.seed), index);
}

void fill_input(InputValues values, const InputStep& step, const Mesh& mesh,
                const Executor& executor, DeviceArray& result) {
  allocate_missing(result);
  const std::uint64_t key = hash_of(step.seed);
  // All partial maxima may hold the value; only one partial sum may.
  const bool sums = result.layout.combination == Combination::Sum;
  const auto partials =
      static_cast<std::uint64_t>(sums ? length_of(result.layout.unreduced, mesh) : 1);
  const std::int64_t elements = element_count(result.local_shape);
  const auto tasks = static_cast<std::size_t>((elements + kFillTask - 1) / kFillTask);  // per shard
  executor.parallel_for_each_shard(result.shards.size() * tasks, [&](std::size_t task) {
    const std::size_t s = task / tasks;
    const auto holder = holder_of(result, s, mesh);
    const auto partial =
        sums ? static_cast<std::uint64_t>(index_along(result.layout.unreduced, holder, mesh)) : 0;
    const ShardFill fill{
        values, step, key, partials, partial, result.dtype, result.storage != result.dtype};
    const Extents origin = block_origin(result, holder, mesh);
    const std::int64_t begin = static_cast<std::int64_t>(task % tasks) * kFillTask;
    with_element_type(result.storage, [&](auto element) {
      fill_block(fill, result.shape, result.local_shape, origin, begin,
                 std::min(begin + kFillTask, elements),
                 reinterpret_cast<decltype(element)*>(result.shards[s]->data()));
    });
  });
}

}  // namespace shard
