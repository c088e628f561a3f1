#include "runtime/execute/run_elementwise.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/check.h"
#include "runtime/array/block_copy.h"
#include "runtime/element/number.h"

namespace shard {
namespace {

// Elements per stack slot: the stack of a program stays in the cache.
constexpr std::int64_t kElementChunk = 256;
// Elements per task, enough that handing one out costs little. What makes a task depends on the shape alone.
constexpr std::int64_t kElementTask = std::int64_t{1} << 16;
// Small blocks share a task, but about this many tasks remain, for threads to balance the load.
constexpr std::size_t kMostElementTasks = 64;

template <class T>
T sigmoid(T x) {
  return T(1) / (T(1) + std::exp(-x));
}

template <class T>
T modulo(T x, T y) {
  const T rest = std::fmod(x, y);  // exact
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

template <class T, class Function>
void unary(T* x, std::int64_t count, Function&& function) {
  for (std::int64_t i = 0; i < count; ++i) x[i] = function(x[i]);
}

template <class T, class Function>
void binary(T* x, const T* y, std::int64_t count, Function&& function) {
  for (std::int64_t i = 0; i < count; ++i) x[i] = function(x[i], y[i]);
}

// Rounds to the type of a cast.
template <class T>
void cast(DType type, T* x, std::int64_t n, std::uint64_t& clamped) {
  with_element_type(type, [&](auto element) {
    std::uint64_t none = 0;  // what was brought into the type is in the range of T
    for (std::int64_t i = 0; i < n; ++i)
      x[i] = convert<T>(convert<decltype(element)>(x[i], clamped), none);
  });
}

// One operation on chunks: the result replaces the first argument; the others follow at a distance of kElementChunk.
template <class T>
void apply(ElementOp op, T* x, std::int64_t n) {
  const T* y = x + kElementChunk;
  const T* z = y + kElementChunk;
  switch (op) {
    case ElementOp::Add:
      return binary(x, y, n, [](T a, T b) { return a + b; });
    case ElementOp::Subtract:
      return binary(x, y, n, [](T a, T b) { return a - b; });
    case ElementOp::Multiply:
      return binary(x, y, n, [](T a, T b) { return a * b; });
    case ElementOp::Divide:
      return binary(x, y, n, [](T a, T b) { return a / b; });
    case ElementOp::Modulo:
      return binary(x, y, n, modulo<T>);
    case ElementOp::Power:
      return binary(x, y, n, [](T a, T b) { return std::pow(a, b); });
    case ElementOp::Max:
      return binary(x, y, n, [](T a, T b) { return a > b || std::isnan(a) ? a : b; });
    case ElementOp::Min:
      return binary(x, y, n, [](T a, T b) { return a < b || std::isnan(a) ? a : b; });
    case ElementOp::Less:
      return binary(x, y, n, [](T a, T b) { return T(a < b); });
    case ElementOp::LessEqual:
      return binary(x, y, n, [](T a, T b) { return T(a <= b); });
    case ElementOp::Greater:
      return binary(x, y, n, [](T a, T b) { return T(a > b); });
    case ElementOp::GreaterEqual:
      return binary(x, y, n, [](T a, T b) { return T(a >= b); });
    case ElementOp::Equal:
      return binary(x, y, n, [](T a, T b) { return T(a == b); });
    case ElementOp::NotEqual:
      return binary(x, y, n, [](T a, T b) { return T(a != b); });
    case ElementOp::Negate:
      return unary(x, n, [](T a) { return -a; });
    case ElementOp::Abs:
      return unary(x, n, [](T a) { return std::abs(a); });
    case ElementOp::Relu:
      return unary(x, n, [](T a) { return a > 0 || std::isnan(a) ? a : T(0); });
    case ElementOp::Gelu:
      return unary(x, n, [](T a) { return a / 2 * (1 + std::erf(a * T(M_SQRT1_2))); });
    case ElementOp::Silu:
      return unary(x, n, [](T a) { return a * sigmoid(a); });
    case ElementOp::Sigmoid:
      return unary(x, n, sigmoid<T>);
    case ElementOp::Exp:
      return unary(x, n, [](T a) { return std::exp(a); });
    case ElementOp::Log:
      return unary(x, n, [](T a) { return std::log(a); });
    case ElementOp::Sqrt:
      return unary(x, n, [](T a) { return std::sqrt(a); });
    case ElementOp::Rsqrt:
      return unary(x, n, [](T a) { return 1 / std::sqrt(a); });
    case ElementOp::Sin:
      return unary(x, n, [](T a) { return std::sin(a); });
    case ElementOp::Cos:
      return unary(x, n, [](T a) { return std::cos(a); });
    case ElementOp::Round:
      return unary(x, n, [](T a) { return std::nearbyint(a); });  // halves to the even one
    case ElementOp::Floor:
      return unary(x, n, [](T a) { return std::floor(a); });
    case ElementOp::Ceil:
      return unary(x, n, [](T a) { return std::ceil(a); });
    case ElementOp::Tanh:
      return unary(x, n, [](T a) { return std::tanh(a); });
    case ElementOp::Where:
      for (std::int64_t i = 0; i < n; ++i) x[i] = x[i] != 0 ? y[i] : z[i];
      return;
    // `evaluate` has places for these.
    case ElementOp::Operand:
    case ElementOp::Constant:
    case ElementOp::Position:
#define SHARD_DTYPE(dtype, ...) case ElementOp::To##dtype:
#define SHARD_DTYPE_ALIAS(word, dtype, place)
#include "base/dtypes.def"
      break;
  }
  check_failed("an operation takes arguments", __FILE__, __LINE__);
}

std::size_t stack_depth(const ElementProgram& program) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  for (const ElementInstruction& instruction : program) {
    depth += 1 - static_cast<std::size_t>(arity_of(instruction.op));
    deepest = std::max(deepest, depth);
  }
  return deepest + 2;  // `apply` addresses three arguments' slots, whether or not there are as many
}

// An operand's block as seen from the result's elements.
struct View {
  const std::byte* data = nullptr;
  DType type = DType::Bf16;
  Extents strides;  // by the result's dimensions; 0 along those that the operand lacks
};

// Runs a program over a range of a result block.
template <class T>
class Computation {
 public:
  // `labels`: those of the result. The operands' data may change between runs.
  Computation(const ElementProgram& program, const std::vector<View>& operands,
              const std::vector<int>& labels, const DeviceArray& result)
      : program_(program),
        operands_(operands),
        labels_(labels),
        result_(result),
        dense_(row_major_strides(result.local_shape)),
        stack_(stack_depth(program) * kElementChunk),
        offsets_(kElementChunk) {
    for (const ElementInstruction& instruction : program) {
      const auto number = instruction.constant.constant();
      SHARD_CHECK(number.has_value());
      constants_.push_back(static_cast<T>(number->to_double()));
      casts_.push_back(cast_type(instruction.op));
    }
  }

  // `origin`: the global index at which the block begins.
  std::uint64_t run(const Extents& origin, std::int64_t begin, std::int64_t end,
                    std::byte* target) {
    origin_ = origin;
    std::uint64_t clamped = 0;
    for (std::int64_t at = begin; at < end; at += kElementChunk) {
      const std::int64_t count = std::min(kElementChunk, end - at);
      evaluate(at, count, clamped);
      with_element_type(result_.storage, [&](auto element) {
        auto* to = reinterpret_cast<decltype(element)*>(target) + at;
        for (std::int64_t i = 0; i < count; ++i)
          to[i] = convert<decltype(element)>(stack_[static_cast<std::size_t>(i)], clamped);
      });
    }
    return clamped;
  }

 private:
  void evaluate(std::int64_t at, std::int64_t count, std::uint64_t& clamped) {
    T* top = stack_.data();  // the next free slot
    for (std::size_t i = 0; i < program_.size(); ++i) {
      const ElementInstruction& instruction = program_[i];
      if (instruction.op == ElementOp::Operand) {
        load(operands_[instruction.operand], at, count, top);
      } else if (instruction.op == ElementOp::Constant) {
        std::fill_n(top, count, constants_[i]);
      } else if (instruction.op == ElementOp::Position) {
        place(instruction.label, at, count, top);
      } else {
        top -= arity_of(instruction.op) * kElementChunk;
        if (casts_[i])
          cast(*casts_[i], top, count, clamped);
        else
          apply(instruction.op, top, count);
      }
      top += kElementChunk;
    }
  }

  // Fills the slot with the global index along a dimension.
  void place(int label, std::int64_t at, std::int64_t count, T* slot) const {
    const auto d = static_cast<std::size_t>(std::find(labels_.begin(), labels_.end(), label) -
                                            labels_.begin());
    for (std::int64_t i = 0; i < count; ++i)
      slot[i] = static_cast<T>(origin_[d] + (at + i) / dense_[d] % result_.local_shape[d]);
  }

  void load(const View& view, std::int64_t at, std::int64_t count, T* slot) {
    std::uint64_t clamped = 0;
    with_element_type(view.type, [&](auto element) {
      const auto* from = reinterpret_cast<const decltype(element)*>(view.data);
      if (view.strides == dense_) {
        for (std::int64_t i = 0; i < count; ++i) slot[i] = convert<T>(from[at + i], clamped);
        return;
      }
      fill_offsets(result_.local_shape, view.strides, at, count, offsets_);
      for (std::int64_t i = 0; i < count; ++i)
        slot[i] = convert<T>(from[offsets_[static_cast<std::size_t>(i)]], clamped);
    });
  }

  const ElementProgram& program_;
  const std::vector<View>& operands_;
  const std::vector<int>& labels_;
  Extents origin_;
  const DeviceArray& result_;
  Extents dense_;
  std::vector<T> constants_;                 // by instruction
  std::vector<std::optional<DType>> casts_;  // by instruction
  std::vector<T> stack_;
  std::vector<std::int64_t> offsets_;
};

// Whether numbers of the type are computed with in fp64.
bool is_wide(DType type) { return type == DType::Fp64 || is_integer(type); }

// The strides of an operand along the result's labels; 0 along those it lacks.
Extents strides_along(const std::vector<int>& labels, const DeviceArray& operand,
                      const std::vector<int>& operand_labels, const Extents& result_shape) {
  const Extents own = row_major_strides(operand.local_shape);
  Extents strides(labels.size(), 0);
  for (std::size_t d = 0; d < operand_labels.size(); ++d) {
    const auto at = std::find(labels.begin(), labels.end(), operand_labels[d]);
    SHARD_CHECK(at != labels.end());
    const auto place = static_cast<std::size_t>(at - labels.begin());
    SHARD_CHECK(result_shape[place] == operand.local_shape[d]);
    strides[place] = own[d];
  }
  return strides;
}

}  // namespace

std::uint64_t compute_elements(const std::vector<const DeviceArray*>& operands,
                               const ElementwiseStep& step, const Mesh& mesh,
                               const Executor& executor, DeviceArray& result) {
  const auto casts_wide = [](const ElementInstruction& instruction) {
    const auto type = cast_type(instruction.op);
    return type && is_wide(*type);
  };
  bool wide =
      is_wide(result.storage) || std::any_of(step.program.begin(), step.program.end(), casts_wide);
  std::vector<View> views;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const DeviceArray& operand = *operands[i];
    SHARD_CHECK(finds_shards_of(operand, result));
    wide = wide || is_wide(operand.storage);
    views.push_back(
        {nullptr, operand.storage,
         strides_along(step.result_labels, operand, step.operand_labels[i], result.local_shape)});
  }
  allocate_missing(result);
  const std::int64_t elements = element_count(result.local_shape);
  const auto parts = static_cast<std::size_t>(
      std::max<std::int64_t>((elements + kElementTask - 1) / kElementTask, 1));
  std::vector<std::uint64_t> clamped(result.shards.size() * parts, 0);
  std::vector<std::vector<std::int64_t>> shards;  // for each operand, by shard of the result
  for (const DeviceArray* operand : operands)
    shards.push_back(shards_beside(result, *operand, mesh));
  std::vector<std::vector<std::int64_t>> origins;  // by dimension
  for (std::size_t d = 0; d < result.local_shape.size(); ++d) {
    origins.push_back(indices_along(result.layout.dims[d], result, mesh));
    for (std::int64_t& origin : origins.back()) origin *= result.local_shape[d];
  }
  // Several small blocks per task share the setup of a computation.
  const std::size_t in_task = std::max<std::size_t>(
      static_cast<std::size_t>(kElementTask / std::max<std::int64_t>(elements, 1)), 1);
  const std::size_t most = (clamped.size() + kMostElementTasks - 1) / kMostElementTasks;
  const std::size_t group = std::min(in_task, most);
  const auto run = [&](std::size_t task, auto number) {
    std::vector<View> own = views;
    Computation<decltype(number)> computation(step.program, own, step.result_labels, result);
    Extents origin(origins.size());
    for (std::size_t t = task * group; t < std::min((task + 1) * group, clamped.size()); ++t) {
      const std::size_t s = t / parts;
      for (std::size_t i = 0; i < operands.size(); ++i)
        own[i].data = operands[i]->shards[static_cast<std::size_t>(shards[i][s])]->data();
      for (std::size_t d = 0; d < origin.size(); ++d) origin[d] = origins[d][s];
      const std::int64_t begin = static_cast<std::int64_t>(t % parts) * kElementTask;
      const std::int64_t end = std::min(begin + kElementTask, elements);
      clamped[t] = computation.run(origin, begin, end, result.shards[s]->data());
    }
  };
  executor.parallel_for_each_shard(
      (clamped.size() + group - 1) / group,
      [&](std::size_t task) { wide ? run(task, double{}) : run(task, float{}); },
      result.shards.size() * static_cast<std::size_t>(elements) * sizeof(float) *
          std::max<std::size_t>(step.program.size(), 1));
  return std::accumulate(clamped.begin(), clamped.end(), std::uint64_t{0});
}

}  // namespace shard
