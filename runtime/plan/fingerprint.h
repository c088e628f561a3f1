// Problems as keys: what was reckoned of one is not reckoned again for an equal one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/plan/plan.h"

namespace shard {

// Bytes that are equal for equal parts, added in the same order, and for no others.
class Fingerprint {
 public:
  Fingerprint() { bytes_.reserve(kUsualLength); }

  void add(std::int64_t number) {
    // Small numbers, which is nearly all, take a byte.
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
  // A label is told by where it was first named, so that other labels for the same dimensions make no difference.
  void add_labels(const std::vector<int>& labels);
  // What is done to each element; its constants are not told.
  void add(const ElementProgram& program);

  const std::string& bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kUsualLength = 120;

  std::string bytes_;
  std::vector<int> labels_;
};

// What the cost of a step depends on, besides the machine.
Fingerprint fingerprint_of(const Step& step, const Plan& plan);

}  // namespace shard
