#include "runtime/collective/ring_sum.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "runtime/element/number.h"
#include "runtime/platform/simd.h"

namespace shard {
namespace {

// Arrays added in one pass, which loads and stores the running sum once; each number up to it is compiled separately.
constexpr std::size_t kAtOnce = 8;

// result[i] = terms[N − 1][i] + (… + (terms[1][i] + terms[0][i])). The result may be terms[0].
template <std::size_t N, class T>
void add_arrays(const std::array<const T*, kAtOnce>& terms, std::int64_t count, T* result) {
  SHARD_INDEPENDENT
  for (std::int64_t i = 0; i < count; ++i) {
    T sum = terms[0][i];
    for (std::size_t k = 1; k < N; ++k) sum += terms[k][i];
    result[i] = sum;
  }
}

template <class T>
void add_arrays(const std::array<const T*, kAtOnce>& terms, std::size_t number, std::int64_t count,
                T* result) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((number == I + 1 ? add_arrays<I + 1>(terms, count, result) : void()), ...);
  }
  (std::make_index_sequence<kAtOnce>());
}

}  // namespace

RingSum::RingSum(const std::vector<RingHop>& hops, std::int64_t origin, Half half,
                 std::int64_t length)
    : length_(static_cast<std::size_t>(length)) {
  // The sums under way, by coordinate; the first nodes are the parts themselves.
  std::vector<std::size_t> held(length_);
  std::iota(held.begin(), held.end(), std::size_t{0});
  std::vector<Node> nodes(length_, Node{});
  std::size_t last = static_cast<std::size_t>(origin);
  for (const RingHop& hop : hops) {
    if (hop.origin != origin || (hop.half != Half::Whole && hop.half != half)) continue;
    last = static_cast<std::size_t>(hop.to);
    nodes.push_back({held[last], held[static_cast<std::size_t>(hop.from)]});
    held[last] = nodes.size() - 1;
  }
  SHARD_CHECK(last == static_cast<std::size_t>(origin));
  std::vector<Term> terms = chain_of(nodes, held[last]);
  chains_.push_back({std::move(terms), temporaries_});
}

std::vector<RingSum::Term> RingSum::chain_of(const std::vector<Node>& nodes, std::size_t node) {
  // From the last addition backwards, along the side that is itself a sum if only one is.
  std::vector<Term> terms;
  while (node >= length_) {
    const auto [left, right] = nodes[node];
    if (right < length_ || left >= length_) {
      std::size_t source = right;
      if (right >= length_) {
        std::vector<Term> other = chain_of(nodes, right);
        chains_.push_back({std::move(other), temporaries_});
        source = length_ + temporaries_++;
      }
      terms.push_back({source, false});
      node = left;
    } else {
      terms.push_back({left, true});
      node = right;
    }
  }
  terms.push_back({node, false});
  std::reverse(terms.begin(), terms.end());
  return terms;
}

template <class T>
void RingSum::run(const std::vector<const T*>& parts, std::int64_t offset, std::int64_t count,
                  Combination combination, T* result, T* temporaries, std::size_t turn) const {
  const auto array = [&](const Term& term) {
    const std::size_t place = term.source + turn;
    if (term.source < length_) return parts[place < length_ ? place : place - length_] + offset;
    return static_cast<const T*>(temporaries) +
           static_cast<std::int64_t>(term.source - length_) * count;
  };
  for (const Chain& chain : chains_) {
    const bool is_last = &chain == &chains_.back();
    T* sum = is_last ? result : temporaries + static_cast<std::int64_t>(chain.target) * count;
    if (combination == Combination::Sum) {
      std::array<const T*, kAtOnce> terms;
      std::size_t number = 0;
      for (std::size_t i = 0; i < chain.terms.size(); ++i) {
        terms[number++] = array(chain.terms[i]);
        if (number < kAtOnce && i + 1 < chain.terms.size()) continue;
        add_arrays(terms, number, count, sum);
        terms[0] = sum;
        number = 1;
      }
      continue;
    }
    std::copy_n(array(chain.terms.front()), count, sum);
    for (std::size_t k = 1; k < chain.terms.size(); ++k) {
      const T* term = array(chain.terms[k]);
      const bool is_left = chain.terms[k].is_left;
      for (std::int64_t i = 0; i < count; ++i)
        sum[i] = is_left ? combined(combination, term[i], sum[i])
                         : combined(combination, sum[i], term[i]);
    }
  }
}

template void RingSum::run(const std::vector<const float*>&, std::int64_t, std::int64_t,
                           Combination, float*, float*, std::size_t) const;
template void RingSum::run(const std::vector<const double*>&, std::int64_t, std::int64_t,
                           Combination, double*, double*, std::size_t) const;

RingSums::RingSums(const TorusAxis& axis, bool is_network, Half half)
    : hops_to_([axis, is_network](std::int64_t place) {
        return ring_hops_of(Movement::Reduce, axis, is_network, place);
      }),
      half_(half),
      turns_(is_network || axis.is_ring()),
      sums_(static_cast<std::size_t>(axis.length)) {}

RingSums::RingSums(std::int64_t places, Hops hops_to)
    : hops_to_(std::move(hops_to)), sums_(static_cast<std::size_t>(places)) {}

void RingSums::prepare(std::int64_t coordinate) {
  const std::int64_t origin = turns_ ? 0 : coordinate;
  auto& sum = sums_[static_cast<std::size_t>(origin)];
  if (sum != nullptr) return;
  sum = std::make_unique<const RingSum>(hops_to_(origin), origin, half_,
                                        static_cast<std::int64_t>(sums_.size()));
  temporaries_ = std::max(temporaries_, sum->temporaries());
}

}  // namespace shard
