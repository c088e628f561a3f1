// Problems as keys: what was computed for one is not computed again for an equal one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/plan/plan.h"

namespace shard {

// A byte string that is the same for equal parts added in the same order, and only for those.
class Fingerprint {
 public:
  Fingerprint() { bytes_.reserve(kUsualLength); }

  void add(std::int64_t number) {
    // Small numbers, which nearly all are, take a single byte.
    constexpr char kLong = 127;
    if (number >= 0 && number < kLong) {
      bytes_.push_back(static_cast<char>(number));
      return;
    }
    bytes_.push_back(kLong);
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void add(std::string_view text);
  void add(const Rational& number);
  void add(const Amount& amount);
  void add(const Formula& formula);
  void add(const Layout& layout);
  void add(const std::vector<Amount>& shape, DType dtype);
  // A label is identified by its first occurrence, so that relabelling the same dimensions makes no difference.
  void add_labels(const std::vector<int>& labels);
  // The operations on each element, without their constants.
  void add(const ElementProgram& program);

  const std::string& bytes() const { return bytes_; }

 private:
  // Saves regrowing the string; longer ones just grow.
  static constexpr std::size_t kUsualLength = 120;

  std::string bytes_;
  std::vector<int> labels_;
};

// Everything, apart from the machine, that the cost of a step depends on.
Fingerprint fingerprint_of(const Step& step, const Plan& plan);

}  // namespace shard
