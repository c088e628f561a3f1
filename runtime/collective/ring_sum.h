// The sum of what the places of one axis hold, in the order in which the hops of a Reduce add it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "runtime/element/combination.h"
#include "runtime/network/ring_schedule.h"

namespace shard {

class RingSum {
 public:
  // The sum for the place with coordinate `origin` on an axis of this length, for the first or second half of blocks.
  // REQUIRES: `hops` are those of a Reduce along the axis.
  RingSum(const std::vector<RingHop>& hops, std::int64_t origin, Half half, std::int64_t length);

  // The number of arrays of `count` elements that `run` needs as temporaries.
  std::size_t temporaries() const { return temporaries_; }
  // result[i] = the sum of parts[coordinate][offset + i], i < count, in the type T: float or double. With Max or Min,
  // the largest or smallest instead. The result must not be one of the parts. `turn`: for each coordinate, takes the
  // part that is as many places further up.
  template <class T>
  void run(const std::vector<const T*>& parts, std::int64_t offset, std::int64_t count,
           Combination combination, T* result, T* temporaries, std::size_t turn = 0) const;

  // Reports what `run` adds for a Sum, to a caller that computes the parts on the fly: for each array in order
  // `adder.add_part(coordinate)` or `adder.add_temporary(i)`, and after the last one of a sum `adder.keep(i)`, for a
  // temporary, or `adder.finish()`.
  template <class Adder>
  void walk(std::size_t turn, Adder& adder) const {
    for (const Chain& chain : chains_) {
      for (const Term& term : chain.terms) {
        const std::size_t place = term.source + turn;
        if (term.source >= length_) {
          adder.add_temporary(term.source - length_);
        } else {
          adder.add_part(place < length_ ? place : place - length_);
        }
      }
      if (&chain == &chains_.back()) {
        adder.finish();
      } else {
        adder.keep(chain.target);
      }
    }
  }

 private:
  // Something added to the running sum from one side: a part, by its coordinate, or a sum of others.
  struct Term {
    std::size_t source;    // from `length_` on: temporaries
    bool is_left = false;  // left of the plus sign
  };
  struct Chain {
    std::vector<Term> terms;
    std::size_t target;  // a temporary; for the last chain, the result
  };
  // A sum under way: a part, or the sum of two others.
  struct Node {
    std::size_t left;
    std::size_t right;
  };

  std::vector<Term> chain_of(const std::vector<Node>& nodes, std::size_t node);

  std::size_t length_;
  std::vector<Chain> chains_;  // each after those it needs
  std::size_t temporaries_ = 0;
};

// The sums for all places of an axis, or of a torus. On a ring and in a network all places are alike, so one sum is
// turned. On a line each place has its own, which is made when it is first prepared.
class RingSums {
 public:
  RingSums(const TorusAxis& axis, bool is_network, Half half);
  // For `places` places; `hops_to` gives the hops by which each place's sum is formed.
  using Hops = std::function<std::vector<RingHop>(std::int64_t place)>;
  RingSums(std::int64_t places, Hops hops_to);

  // Not thread-safe.
  void prepare(std::int64_t coordinate);
  // The most temporaries that any prepared sum needs.
  std::size_t temporaries() const { return temporaries_; }
  // RingSum::run for a prepared coordinate.
  template <class T>
  void run(std::int64_t coordinate, const std::vector<const T*>& parts, std::int64_t offset,
           std::int64_t count, Combination combination, T* result, T* temporaries) const {
    const auto own = static_cast<std::size_t>(coordinate);
    sums_[turns_ ? 0 : own]->run(parts, offset, count, combination, result, temporaries,
                                 turns_ ? own : 0);
  }
  // RingSum::walk for a prepared coordinate.
  template <class Adder>
  void walk(std::int64_t coordinate, Adder& adder) const {
    const auto own = static_cast<std::size_t>(coordinate);
    sums_[turns_ ? 0 : own]->walk(turns_ ? own : 0, adder);
  }

 private:
  Hops hops_to_;
  Half half_ = Half::Whole;
  bool turns_ = false;
  std::vector<std::unique_ptr<const RingSum>> sums_;
  std::size_t temporaries_ = 0;
};

}  // namespace shard
